"""Lower lvalues: where an expression's value is kept, and how it is read.

The base of expression lowering. Operands are evaluated from left to right: a value that a later
operand might change is saved in a temporary first. A read of a volatile object is an input.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence

from ...errors import UnsupportedFeature
from ...ir import make
from ...ir.cfa import Coord
from ...ir.expr import (
    AddressOf,
    Const,
    Deref,
    Expr,
    Field,
    FloatConst,
    FunctionAddress,
    Index,
    Lvalue,
    ObjectSize,
    Unary,
    UnaryOp,
    Var,
)
from ...ir.ops import Assign, Havoc, Source
from ...ir.types import (
    BOOL,
    CBOOL,
    INT,
    ArrayType,
    FunctionType,
    IntType,
    RecordType,
    Type,
    VoidType,
)
from ...ir.walk import subterms
from .. import ast
from ..conversions import convert
from ..symbols import Symbol
from .cfa_builder import CfaBuilder
from .lost_faults import lost_conversion
from .scopes import FunctionScope
from .side_effects import SideEffects, assigned, root


class LowerLvalues(ABC):
    """Lowers the lvalues of one function into its graph."""

    def __init__(self, graph: CfaBuilder, scope: FunctionScope) -> None:
        self.graph = graph
        self.scope = scope
        self.names = scope.names
        self.model = scope.names.data_model
        self._side_effects = SideEffects(scope.names.conversions)

    @abstractmethod
    def value(self, expr: ast.Expr) -> Expr:
        """The value of an expression (of a record: an lvalue that holds it)."""

    @abstractmethod
    def discard(self, expr: ast.Expr) -> None:
        """Evaluate for the side effects only."""

    @abstractmethod
    def compound_literal(self, expr: ast.CompoundLiteral) -> Var:
        """The object that a compound literal is, initialised."""

    def operands(self, *exprs: ast.Expr) -> list[Expr]:
        """The values of several expressions, evaluated from left to right."""
        values = []
        effective = [number for number, expr in enumerate(exprs) if self.effects(expr)]
        last = effective[-1] if effective else -1
        for number, expr in enumerate(exprs):
            value = self.value(expr)
            if number < last:
                value = self.kept(value, exprs[number + 1 :], expr.coord)
            values.append(value)
        return values

    def effects(self, expr: ast.Expr) -> bool:
        return self._side_effects.effects(expr)

    def simple(self, expr: ast.Expr) -> bool:
        return self._side_effects.simple(expr)

    def kept(self, value: Expr, later: Sequence[ast.Expr], coord: Coord) -> Expr:
        """The value as it is now, although the `later` expressions are evaluated before its use."""
        later = [expr for expr in later if self.effects(expr)]
        if not later or self._unaffected(value, later):
            return value
        return self.saved(value, coord)

    def _unaffected(self, value: Expr, later: Sequence[ast.Expr]) -> bool:
        """Is the value made of locals only that nothing later assigns to?"""
        changed = frozenset[Symbol]().union(*(assigned(expr) for expr in later))
        for term in subterms(value):
            match term:
                case Deref() | Index() | Field() | AddressOf() | ObjectSize():
                    return False
                case Var():
                    if not self.scope.is_private(term, changed):
                        return False
        return True

    def saved(self, value: Expr, coord: Coord) -> Expr:
        """The value as it is now, whatever happens next."""
        match value:
            case Const() | FloatConst() | FunctionAddress() | AddressOf(Var(), _):
                return value
            case Var() if value.short.startswith("tmp."):
                return value  # written once, just before
            case AddressOf(Index(Var(), Const(), _), _):
                return value
        if value.type is BOOL:
            value = make.cast(value, INT)
        temporary = self.scope.temporary(value.type)
        self.graph.emit(Assign(temporary, value), coord)
        return temporary

    def evaluate(self, terms: Iterable[Expr], coord: Coord) -> None:
        """Evaluate terms whose values nobody uses; compilers compute static initialisers."""
        if self.scope.function:
            for term in terms:
                self.saved(term, coord)

    def converted(self, value: Expr, type_: Type, coord: Coord) -> Expr:
        """A conversion of the program: `convert`, and a value that changes in it is seen."""
        result = convert(value, type_)
        if self.names.conversions and type_ is not CBOOL:
            self.evaluate(lost_conversion(result, value, type_), coord)
        return result

    def truncated(self, value: Expr, type_: Type, coord: Coord) -> Expr:
        """The same for what goes into a bit-field."""
        result = make.cast(value, type_)
        if self.names.conversions:
            self.evaluate(lost_conversion(result, value, type_), coord)
        return result

    def offset(self, index: Expr, coord: Coord) -> Expr:
        """What the program adds to a pointer. A negation stays outside: one inside is a subtraction
        from a pointer, which does not overflow as a negation does."""
        match index:
            case Unary(UnaryOp.NEG, _, _):
                return self.saved(index, coord)
        return index

    def _known(self, value: Expr | None, expr: ast.Expr) -> Expr:
        if value is None:
            raise UnsupportedFeature(f"{expr.coord}: an expression without a value is used as one")
        return value

    def _result(self, type_: Type) -> Var | None:
        return None if isinstance(type_, VoidType) else self.scope.temporary(type_)

    def _function(self, expr: ast.Expr) -> Expr:
        """The address that a function designator stands for."""
        match expr:
            case ast.Ref(symbol, _, _, coord):
                return self.names.function_pointer(symbol, coord)
            case ast.Unary("*", arg):
                return self.value(arg)
        return self.value(expr)

    def lvalue(self, expr: ast.Expr) -> Lvalue:
        """The lvalue that an expression denotes; a value that is none is put in a temporary."""
        match expr:
            case ast.Ref(symbol, _, _, _):
                return self.scope.variable(symbol)
            case ast.StringLiteral():
                return self.names.string(expr)
            case ast.Unary("*", arg):
                return make.deref(self.value(arg))
            case ast.Member():
                base = make.deref(self.value(expr.base)) if expr.arrow else self.lvalue(expr.base)
                assert isinstance(base.type, RecordType)
                member = self.names.record(base.type).member(expr.name)
                return make.field(base, member.name, member.type)
            case ast.Subscript(base_expr, index, _, _, _):
                pointer, position = self.operands(base_expr, index)
                return make.deref(make.pointer_add(pointer, self.offset(position, expr.coord)))
            case ast.CompoundLiteral():
                return self.compound_literal(expr)
            case ast.Cast(arg, type_, _) if isinstance(type_, RecordType):
                return self.lvalue(arg)
            case ast.Binary(",", left, right):
                self.discard(left)
                return self.lvalue(right)
        value = self.value(expr)
        if isinstance(value, Var | Deref | Field | Index) and value.type == expr.type:
            return value
        temporary = self.scope.temporary(value.type)
        self.graph.emit(Assign(temporary, value), expr.coord)
        return temporary

    def _read(
        self, expr: ast.Ref | ast.Unary | ast.Member | ast.Subscript | ast.CompoundLiteral
    ) -> Expr:
        if isinstance(expr.type, FunctionType):
            return self._function(expr)
        return self.load(self.lvalue(expr), expr)

    def load(self, lvalue: Lvalue, expr: ast.Expr) -> Expr:
        """The value of an lvalue, of its declared type; a volatile one can have changed by
        itself."""
        if isinstance(lvalue.type, RecordType) and lvalue.type is not expr.type:
            # its last member is longer than its type says
            whole = AddressOf(lvalue, self.model.pointer(lvalue.type))
            lvalue = Deref(make.cast(whole, self.model.pointer(expr.type)), expr.type)
        value: Expr = lvalue
        if not isinstance(lvalue.type, ArrayType) and self._changes_by_itself(expr):
            temporary = self.scope.temporary(lvalue.type)
            self.graph.emit(Assign(temporary, lvalue), expr.coord)
            self.graph.emit(Havoc(temporary, Source.VOLATILE, _spelling(expr)), expr.coord)
            value = temporary
        if isinstance(value.type, IntType) and isinstance(expr.type, IntType):
            return make.cast(value, expr.type)  # a bit-field as its declared type
        return value

    def _changes_by_itself(self, expr: ast.Expr) -> bool:
        """Is it a read of a volatile object? A pointer to volatile may point to an ordinary object,
        so what it points to counts only if there are volatile objects at all."""
        match expr:
            case ast.Ref():
                return expr.volatile
            case ast.Member() | ast.Unary("*") | ast.Subscript():
                return expr.volatile and (root(expr) is not None or self.names.has_volatile_objects)
        return False

    def _frozen(self, lvalue: Lvalue, later: ast.Expr, coord: Coord) -> Lvalue:
        """The same lvalue, although the `later` expression is evaluated before its use."""
        match lvalue:
            case Var():
                return lvalue
            case Deref(pointer, type_):
                return Deref(self.kept(pointer, (later,), coord), type_)
            case Field(base, name, type_):
                return Field(self._frozen(base, later, coord), name, type_)
            case Index(base, position, type_):
                frozen = self._frozen(base, later, coord)
                return Index(frozen, self.kept(position, (later,), coord), type_)


def _spelling(expr: ast.Expr) -> str:
    """A short name for an lvalue in the source."""
    match expr:
        case ast.Ref(symbol, _, _, _):
            return symbol.name
        case ast.Member(base, name, arrow, _, _, _):
            return f"{_spelling(base)}{'->' if arrow else '.'}{name}"
        case ast.Subscript(base, _, _, _, _):
            return f"{_spelling(base)}[]"
        case ast.Cast(arg, _, _):
            return _spelling(arg)
        case ast.Unary("*", arg):
            return f"*{_spelling(arg)}"
    return "?"
