"""Lower expressions: side effects become operations, what remains is a term of the IR.

The compiler's tree shows C's conversions as casts; the exceptions (see `convert`) are made here.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, assert_never

from ...errors import InternalError, UnsupportedFeature
from ...ir import make
from ...ir.cfa import Coord
from ...ir.expr import Cast, Const, Deref, Expr, FloatConst, Lvalue, Op, UnaryOp, Var
from ...ir.ops import Assign, Havoc, Source
from ...ir.types import (
    INT,
    VOID,
    ArrayType,
    FunctionType,
    IntType,
    PointerType,
    RecordType,
    Type,
    VoidType,
    is_scalar,
    size_of,
)
from .. import ast
from ..conversions import common, convert, promoted
from .cfa_builder import CfaBuilder
from .conditions import LowerConditions
from .lost_faults import lost_negation, lost_operation, lost_parts
from .scopes import FunctionScope

_ARITHMETIC = {
    "+": Op.ADD,
    "-": Op.SUB,
    "*": Op.MUL,
    "/": Op.DIV,
    "%": Op.REM,
    "<<": Op.SHL,
    ">>": Op.SHR,
    "&": Op.AND,
    "|": Op.OR,
    "^": Op.XOR,
}
_COMPARISONS = frozenset(["==", "!=", "<", "<=", ">", ">="])
_STEPS = frozenset(["++x", "--x", "x++", "x--"])


class CallLowering(Protocol):
    """Lowers a call; the result goes into `target` if there is one, else is returned if wanted."""

    def __call__(
        self, low: LowerExpressions, expr: ast.Call, target: Var | None, *, wanted: bool
    ) -> Expr | None: ...


class LowerExpressions(LowerConditions):
    """Lowers the expressions of one function into its graph.

    `call`, `statement` and `initialise` are given by whoever puts the pieces together: calls,
    statement expressions and compound literals contain what this module knows nothing about.
    """

    def __init__(
        self,
        graph: CfaBuilder,
        scope: FunctionScope,
        call: CallLowering,
        statement: Callable[[ast.Stmt], None],
        initialise: Callable[[LowerExpressions, Lvalue, ast.Expr], None],
    ) -> None:
        super().__init__(graph, scope)
        self._call = call
        self._statement = statement
        self._initialise = initialise

    # --- values -----------------------------------------------------------------------------------

    def value(self, expr: ast.Expr) -> Expr:
        """The value of an expression (of a record: an lvalue that holds it)."""
        # the frequent ones first
        if isinstance(expr, ast.Ref):
            return self._read(expr)
        if isinstance(expr, ast.Cast):
            return self._cast(expr)
        if isinstance(expr, ast.Binary):
            return self._binary(expr)
        match expr:
            case ast.IntLiteral(value, IntType() | PointerType() as type_, _):
                return make.const(value, type_)
            case ast.Member() | ast.Subscript() | ast.CompoundLiteral():
                return self._read(expr)
            case ast.Unary():
                return self._unary(expr)
            case ast.FloatLiteral(text, type_, _):
                return FloatConst(text, type_)
            case ast.StringLiteral():
                return self.lvalue(expr)
            case ast.Assign():
                return self._known(self._assign(expr, wanted=True), expr)
            case ast.Conditional():
                return self._known(self._conditional(expr), expr)
            case ast.Call():
                return self._known(self._call(self, expr, None, wanted=True), expr)
            case ast.StatementExpr():
                return self._known(self._statement_expr(expr, wanted=True), expr)
            case ast.VlaSize(symbol, _, _):
                return self.scope.vla_size(symbol)
            case ast.VaArg():
                return self._va_arg(expr)
            case ast.LabelAddress(type_, coord):
                address = self.scope.temporary(type_)
                self.graph.emit(Havoc(address, Source.UNKNOWN, "the address of a label"), coord)
                return address
            case ast.InitList() | ast.IntLiteral():
                raise InternalError(f"{expr.coord}: unexpected {type(expr).__name__} as a value")
            case _:
                assert_never(expr)

    def discard(self, expr: ast.Expr) -> None:
        """Evaluate for the side effects only."""
        match expr:
            case ast.Assign():
                self._assign(expr, wanted=False)
            case ast.Unary(op) if op in _STEPS:
                self._step(expr, wanted=False)
            case ast.Call():
                self._call(self, expr, None, wanted=False)
            case ast.Binary(",", left, right):
                self.discard(left)
                self.discard(right)
            case ast.Binary("&&" | "||") if self.effects(expr):
                after = self.graph.fresh()
                more = self.graph.fresh()
                first = (more, after) if expr.op == "&&" else (after, more)
                self.branch(expr.left, *first)
                self.graph.here = more
                self.discard(expr.right)
                self.graph.jump(after, expr.coord)
                self.graph.here = after
            case ast.Conditional(cond, then, other) if not self.simple(expr):
                self._choose(cond, then, other, None, expr.coord)
            case ast.Cast(arg, _, _):
                self.discard(arg)
            case ast.StatementExpr():
                self._statement_expr(expr, wanted=False)
            case _ if is_scalar(expr.type):
                if self.effects(expr) or not self.simple(expr):
                    self.saved(self.value(expr), expr.coord)  # it may go wrong
            case ast.Unary("*", arg) if not expr.volatile:
                self.discard(arg)
            case _:
                # a bare read: only what lies inside can have effects, and volatile reads are inputs
                if self.effects(expr):
                    self.value(expr)

    def _unary(self, expr: ast.Unary) -> Expr:
        match expr.op:
            case "-":
                arg = self.value(expr.arg)
                self.evaluate(lost_negation(arg), expr.coord)
                return make.unary(UnaryOp.NEG, arg)
            case "~":
                return make.unary(UnaryOp.INVERT, self.value(expr.arg))
            case "!":
                return make.cast(make.negate(self.condition(expr.arg)), INT)
            case "&":
                return self._address(expr)
            case "*":
                if isinstance(expr.type, FunctionType):
                    return self.value(expr.arg)  # a function designator is its address
                return self._read(expr)
            case op if op in _STEPS:
                return self._known(self._step(expr, wanted=True), expr)
        raise UnsupportedFeature(f"{expr.coord}: the operator {expr.op} is not supported")

    def _address(self, expr: ast.Unary) -> Expr:
        arg = expr.arg
        if isinstance(arg.type, FunctionType):
            return self._function(arg)
        assert isinstance(expr.type, PointerType)
        return make.address_of(self.lvalue(arg), expr.type)

    def _binary(self, expr: ast.Binary) -> Expr:
        if expr.op == ",":
            self.discard(expr.left)
            return self.value(expr.right)
        if expr.op in ("&&", "||"):
            return self._logical(expr)
        left, right = self.operands(expr.left, expr.right)
        return self._operated(expr.op, left, right, expr.type, expr.coord)

    def _operated(self, op: str, left: Expr, right: Expr, type_: Type, coord: Coord) -> Expr:
        """An operator of the program: `combine`, and what goes wrong in it is seen."""
        if op == "+" and isinstance(left.type, PointerType):
            right = self.offset(right, coord)
        elif op == "+" and isinstance(right.type, PointerType):
            left = self.offset(left, coord)
        result = self.combine(op, left, right, type_)
        self.evaluate(lost_parts(result, left, right), coord)
        if op in _ARITHMETIC:
            self.evaluate(lost_operation(result, _ARITHMETIC[op], left, right), coord)
        return result

    def combine(self, op: str, left: Expr, right: Expr, type_: Type) -> Expr:
        """`left op right` for values; pointers may take part."""
        if op in _COMPARISONS:
            return make.cast(_comparison(op, left, right), INT)
        left_pointer = isinstance(left.type, PointerType)
        right_pointer = isinstance(right.type, PointerType)
        if left_pointer and right_pointer:
            assert isinstance(type_, IntType)
            return make.pointer_diff(left, make.cast(right, left.type), type_)
        if left_pointer or right_pointer:
            pointer, index = (left, right) if left_pointer else (right, left)
            if op == "-":
                index = make.unary(UnaryOp.NEG, make.cast(index, self.model.diff_type))
            return make.pointer_add(pointer, index)
        return make.binary(_ARITHMETIC[op], left, right)

    # --- conversions ------------------------------------------------------------------------------

    def _cast(self, expr: ast.Cast) -> Expr:
        arg = expr.arg
        if isinstance(arg.type, FunctionType):
            return convert(self._function(arg), expr.type)
        if isinstance(arg.type, ArrayType) and isinstance(expr.type, PointerType):
            array = self.lvalue(arg)
            if isinstance(array.type, ArrayType):
                return make.cast(make.decay(array, self.model.pointer_bits), expr.type)
            return make.cast(make.address_of(array, expr.type), expr.type)
        if isinstance(expr.type, VoidType):
            raise UnsupportedFeature(f"{expr.coord}: a void expression is used as a value")
        if isinstance(expr.type, RecordType):
            return self.value(arg)
        return self.converted(self.value(arg), expr.type, expr.coord)

    # --- assignments ------------------------------------------------------------------------------

    def _assign(self, expr: ast.Assign, *, wanted: bool) -> Expr | None:
        target = self.lvalue(expr.left)
        if self.effects(expr.right):
            target = self._frozen(target, expr.right, expr.coord)
        if expr.op:
            old = self.kept(_promotable(self.load(target, expr.left)), (expr.right,), expr.coord)
            value = self._computed(expr, old, self.value(expr.right))
        elif isinstance(expr.right, ast.Call) and self._direct(target, expr.right.type):
            assert isinstance(target, Var)
            self._call(self, expr.right, target, wanted=True)
            return target if wanted else None
        else:
            value = self.value(expr.right)
        value = self.converted(value, expr.left.type, expr.coord)
        return self.store(target, value, expr, wanted=wanted)

    def _direct(self, target: Lvalue, type_: Type) -> bool:
        """Can a call's result go straight into the target?"""
        return isinstance(target, Var) and target.type is type_

    def _computed(self, expr: ast.Assign, old: Expr, right: Expr) -> Expr:
        """The value that a compound assignment computes, in the type C computes it in."""
        if isinstance(old.type, PointerType):
            return self._operated(expr.op, old, right, old.type, expr.coord)
        if expr.op in ("<<", ">>"):
            left = convert(old, promoted(old.type))
            return self._operated(expr.op, left, right, old.type, expr.coord)
        type_ = common(old.type, right.type)
        left = self.converted(old, type_, expr.coord)
        right = self.converted(right, type_, expr.coord)
        return self._operated(expr.op, left, right, type_, expr.coord)

    def store(
        self, target: Lvalue, value: Expr, expr: ast.Assign | ast.Unary, *, wanted: bool
    ) -> Expr | None:
        """Write a value of the declared type; the result, if wanted, is what the target holds."""
        value = self.truncated(value, target.type, expr.coord)
        if wanted and not isinstance(value, Const | FloatConst) and not isinstance(target, Var):
            value = self.saved(value, expr.coord)
        self.graph.emit(Assign(target, value), expr.coord)
        if not wanted:
            return None
        held = target if isinstance(target, Var) else value
        if is_scalar(expr.type):
            return convert(held, expr.type)
        return held

    def _step(self, expr: ast.Unary, *, wanted: bool) -> Expr | None:
        """`++` and `--`, before or after."""
        target = self.lvalue(expr.arg)
        old = _promotable(self.load(target, expr.arg))
        postfix = expr.op.startswith("x")
        if wanted and postfix:
            old = self.saved(old, expr.coord)
        op = "+" if "++" in expr.op else "-"
        if isinstance(old.type, PointerType):
            new = self.combine(op, old, make.const(1, INT), old.type)
        else:
            type_ = promoted(old.type)
            one = make.cast(make.const(1, INT), type_)
            new = self.combine(op, convert(old, type_), one, type_)
        new = self.converted(new, expr.arg.type, expr.coord)
        result = self.store(target, new, expr, wanted=wanted and not postfix)
        return convert(old, expr.type) if wanted and postfix else result

    # --- the rest ---------------------------------------------------------------------------------

    def compound_literal(self, expr: ast.CompoundLiteral) -> Var:
        if expr.static:
            var = Var(self.names.unique("lit"), expr.type)
            self.names.define_static(var, expr.init, expr.coord)
            return var
        var = self.scope.temporary(expr.type, "lit")
        self._initialise(self, var, expr.init)
        return var

    def _statement_expr(self, expr: ast.StatementExpr, *, wanted: bool) -> Expr | None:
        items = expr.body.items
        last = items[-1] if items else None
        labels = []
        while isinstance(last, ast.Label):  # ({ ...; L: e; })
            labels.append(last)
            last = last.body
        if not wanted or not isinstance(last, ast.Evaluate) or isinstance(expr.type, VoidType):
            self._statement(expr.body)
            return None
        for item in items[:-1]:
            self._statement(item)
        for label in labels:
            self._statement(ast.Label(label.name, ast.Empty(label.coord), label.coord))
        value = self.value(last.expr)
        # what follows may run this statement expression again, with other values of its locals
        return self.saved(value, expr.coord)

    def va_cell(self, list_: ast.Expr) -> Lvalue:
        """The pointer to the next variadic argument, kept in the first bytes of a va_list."""
        cell = self.model.pointer(VOID)
        pointer = self.model.pointer(cell)
        while isinstance(list_, ast.Cast):
            list_ = list_.arg
        if isinstance(list_.type, ArrayType):
            lvalue = self.lvalue(list_)
            if isinstance(lvalue.type, ArrayType):
                return Deref(
                    make.cast(make.decay(lvalue, self.model.pointer_bits), pointer), pointer.target
                )
            return Deref(make.cast(lvalue, pointer), pointer.target)
        if isinstance(list_.type, PointerType) and isinstance(list_.type.target, RecordType):
            return Deref(make.cast(self.value(list_), pointer), cell)
        lvalue = self.lvalue(list_)
        return Deref(make.address_of(lvalue, pointer), cell)

    def _va_arg(self, expr: ast.VaArg) -> Expr:
        cell = self.va_cell(expr.list)
        here = self.saved(cell, expr.coord)
        step = make.const(va_slot(expr.type), self.model.diff_type)
        self.graph.emit(Assign(cell, make.pointer_add(here, step)), expr.coord)
        return self.saved(
            Deref(make.cast(here, self.model.pointer(expr.type)), expr.type), expr.coord
        )


def va_slot(type_: Type) -> int:
    """How many bytes a variadic argument takes: a multiple of eight."""
    return max(8, (size_of(type_) + 7) // 8 * 8)


def _promotable(value: Expr) -> Expr:
    """What the integer promotion of an operand starts from: a bit-field counts by its own width,
    so one of an unsigned type becomes a signed int if that holds all its values, and one that is
    wider than int keeps its width (`frontend.read.wide_bit_fields`)."""
    if isinstance(value, Cast):
        own = value.arg.type
        if isinstance(own, IntType) and (own.bits < INT.bits or INT.bits < own.bits < 64):
            return value.arg
    return value


def _comparison(op: str, left: Expr, right: Expr) -> Expr:
    if right.type is not left.type:
        right = make.cast(right, left.type)  # pointers to different types
    match op:
        case "==":
            return make.equal(left, right)
        case "!=":
            return make.not_equal(left, right)
        case "<":
            return make.less(left, right)
        case "<=":
            return make.less_equal(left, right)
        case ">":
            return make.less(right, left)
    return make.less_equal(right, left)
