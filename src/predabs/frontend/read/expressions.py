"""From libclang's expressions to ours: conversions become casts, constants become literals.

libclang hides implicit casts and some GNU operators behind one kind of node, `UNEXPOSED_EXPR`. An
implicit cast is known by its single child that starts at the very same position.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable

from ...errors import InternalError
from ...ir.cfa import Coord
from ...ir.types import (
    INT,
    ArrayType,
    FloatType,
    FunctionType,
    IntType,
    PointerType,
    RecordType,
    Type,
)
from .. import ast
from ..symbols import Symbol
from . import clang, special_expressions
from .clang import Cursor, CursorKind
from .computed_gotos import ComputedGotos
from .ctype import Types
from .declarations import Symbols
from .generic import chosen_branch
from .initializer_lists import Initializers
from .literals import long_constant, string_units
from .source import SourceFile
from .truth_operands import TruthOperands
from .vla import Vlas
from .wide_bit_fields import WideBitFields

_BINARY = {
    3: "*", 4: "/", 5: "%", 6: "+", 7: "-", 8: "<<", 9: ">>", 11: "<", 12: ">", 13: "<=",
    14: ">=", 15: "==", 16: "!=", 17: "&", 18: "^", 19: "|", 20: "&&", 21: "||", 33: ",",
}  # fmt: skip
_COMPOUND = {
    23: "*", 24: "/", 25: "%", 26: "+", 27: "-", 28: "<<", 29: ">>", 30: "&", 31: "^", 32: "|",
}  # fmt: skip
_ASSIGN = 22
_TRUTH_VALUES = frozenset(["<", ">", "<=", ">=", "==", "!="])
_UNARY = {1: "x++", 2: "x--", 3: "++x", 4: "--x", 5: "&", 6: "*", 8: "-", 9: "~"}
_REFUSED: dict[int, str] = {
    CursorKind.IMAGINARY_LITERAL: "a complex number",
    CursorKind.INIT_LIST_EXPR: "an initialiser list in this place",
}
_PLUS, _NOT, _EXTENSION = 7, 10, 13
MAX_DEPTH = 100_000  # of the tree; each level takes a few Python frames, which are on the heap


class ExprReader(ABC):
    """Reads the expressions of one file."""

    def __init__(self, source: SourceFile, types: Types, symbols: Symbols) -> None:
        self.source = source
        self.types = types
        self.symbols = symbols
        self.in_function = False
        self.depth = 0
        self.initializers = Initializers(self)
        self.vlas = Vlas(self)
        self.wide = WideBitFields(self)
        self.truth_operands = TruthOperands(self)
        symbols.flexible_length = self.initializers.flexible_length
        self._readers: dict[int, Callable[[Cursor], ast.Expr]] = {
            CursorKind.UNEXPOSED_EXPR: self._unexposed,
            CursorKind.DECL_REF_EXPR: self._reference,
            CursorKind.MEMBER_REF_EXPR: self._member,
            CursorKind.CALL_EXPR: self._call,
            CursorKind.INTEGER_LITERAL: self._literal,
            CursorKind.CHARACTER_LITERAL: self._integer,
            CursorKind.GNU_NULL_EXPR: self._integer,
            CursorKind.FLOATING_LITERAL: self._floating,
            CursorKind.STRING_LITERAL: self._string,
            CursorKind.PAREN_EXPR: self._paren,
            CursorKind.UNARY_OPERATOR: self._unary,
            CursorKind.ARRAY_SUBSCRIPT_EXPR: self._subscript,
            CursorKind.BINARY_OPERATOR: self._binary,
            CursorKind.COMPOUND_ASSIGN_OPERATOR: self._compound_assign,
            CursorKind.CONDITIONAL_OPERATOR: self._conditional,
            CursorKind.CSTYLE_CAST_EXPR: self._explicit_cast,
            CursorKind.COMPOUND_LITERAL_EXPR: self._compound_literal,
            CursorKind.STMT_EXPR: self._statement_expr,
            CursorKind.GENERIC_SELECTION_EXPR: self._generic,
            CursorKind.SIZEOF_EXPR: self._sizeof,
            CursorKind.ADDR_LABEL_EXPR: self._label_address,
        }

    computed_gotos: ComputedGotos  # of the reader of statements

    @abstractmethod
    def compound(self, cursor: Cursor) -> ast.Compound:
        """Read a block: the reader of statements adds this."""

    def expr(self, cursor: Cursor) -> ast.Expr:
        reader = self._readers.get(cursor.kind)
        if reader is None:
            what = _REFUSED.get(cursor.kind, "this kind of expression")
            raise self.source.unsupported(cursor, f"{what} is not supported")
        self.depth += 1
        if self.depth > MAX_DEPTH:
            self.enter(cursor)
        result = reader(cursor)
        self.depth -= 1
        return result

    def enter(self, cursor: Cursor) -> None:
        """Go one level deeper into the tree, unless that is too deep."""
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise self.source.unsupported(cursor, "the code is nested too deeply here")

    def cast(self, arg: ast.Expr, type_: Type, coord: Coord) -> ast.Expr:
        """`arg` converted to `type_`; nothing if it has that type."""
        if arg.type is type_:
            return arg
        if isinstance(type_, RecordType):
            return self.initializers.to_union(arg, type_, coord)
        return ast.Cast(arg, type_, coord)

    def _is_wide(self, cursor: Cursor) -> bool:
        type_ = self.types.of(cursor)
        return isinstance(type_, IntType) and type_.bits > 64

    def constant(self, cursor: Cursor) -> int:
        """The value of an integer constant expression: a case label, an index."""
        while self._is_wide(cursor):  # clang computes 64 bits only
            kids = clang.children(cursor)
            if cursor.kind != CursorKind.UNEXPOSED_EXPR or len(kids) != 1:
                raise self.source.unsupported(cursor, "a constant of more than 64 bits")
            cursor = kids[0]  # a conversion: whoever asks makes it
        value = clang.evaluate(cursor)
        if not isinstance(value, int):
            raise self.source.unsupported(cursor, "this constant cannot be computed")
        return value

    # --- leaves ---

    def _literal(self, cursor: Cursor) -> ast.Expr:
        """An integer literal: most can be read off the source, which takes less than to ask."""
        location = clang.cursor_location(cursor)
        coord = self.source.coord_of(location)
        value = self.source.number_at(location)
        return self._integer(cursor) if value is None else ast.IntLiteral(value, INT, coord)

    def _integer(self, cursor: Cursor) -> ast.Expr:
        type_ = self.types.of(cursor)
        value = clang.evaluate(cursor)
        if not isinstance(value, int):
            raise self.source.unsupported(cursor, "this constant cannot be computed")
        return ast.IntLiteral(self._fit(value, type_), type_, self.source.coord(cursor))

    def _fit(self, value: int, type_: Type) -> int:
        return type_.wrap(value) if isinstance(type_, IntType | PointerType) else value

    def _floating(self, cursor: Cursor) -> ast.Expr:
        type_ = self.types.of(cursor)
        value = clang.evaluate(cursor)
        text = None
        if value is not None and isinstance(type_, FloatType):
            text = float(value).hex()
            if type_.bits == 80:  # libclang has rounded it
                text = long_constant(self.source.tokens_at(cursor, 12), float(value))
        if text is None or not isinstance(type_, FloatType):
            raise self.source.unsupported(cursor, "this floating constant cannot be represented")
        return ast.FloatLiteral(text, type_, self.source.coord(cursor))

    def _string(self, cursor: Cursor) -> ast.Expr:
        type_ = self.types.of(cursor)
        element = type_.element if isinstance(type_, ArrayType) else None
        if not isinstance(type_, ArrayType) or not isinstance(element, IntType):
            raise self.source.unsupported(cursor, "a string literal of this type is not supported")
        units = [element.wrap(u) for u in string_units(clang.spelling(cursor), element.bits)]
        del units[type_.length :]
        units += [0] * (type_.length - len(units))
        return ast.StringLiteral(tuple(units), type_, self.source.coord(cursor))

    def _reference(self, cursor: Cursor) -> ast.Expr:
        declaration = clang.referenced(cursor)
        coord = self.source.coord(cursor)
        if declaration.kind == CursorKind.ENUM_CONSTANT_DECL:
            type_ = self.types.of(cursor)
            value = self.symbols.enum_constant(declaration)
            return ast.IntLiteral(self._fit(value, type_), type_, coord)
        symbol = self.symbols.of(declaration, coord)
        return ast.Ref(symbol, self._reference_type(cursor, symbol), symbol.volatile, coord)

    def _reference_type(self, cursor: Cursor, symbol: Symbol) -> Type:
        """The symbol's type, except that a record with a longer last member keeps its own."""
        if isinstance(symbol.type, RecordType):
            return self.types.of(cursor)
        return symbol.type

    def _sizeof(self, cursor: Cursor) -> ast.Expr:
        type_ = self.types.of(cursor)
        value = clang.evaluate(cursor)
        coord = self.source.coord(cursor)
        if isinstance(value, int):
            return ast.IntLiteral(value, type_, coord)
        operands = clang.expressions(clang.children(cursor))
        if len(operands) == 1 and isinstance(type_, IntType):
            return self.vlas.sizeof(operands[0], type_, coord)
        raise self.source.unsupported(
            cursor, "sizeof of a variable-length array type is not supported; name the variable"
        )

    # --- operators ---

    def _paren(self, cursor: Cursor) -> ast.Expr:
        return self.expr(clang.children(cursor)[0])

    def _unexposed(self, cursor: Cursor) -> ast.Expr:
        kids = clang.children(cursor)
        if len(kids) == 1 and clang.FIRST_EXPR <= kids[0].kind <= clang.LAST_EXPR:
            arg = self.expr(kids[0])
            if not special_expressions.may_be_va_arg(arg) or (
                clang.cursor_location(cursor).key == clang.cursor_location(kids[0]).key
            ):
                if type(arg) is ast.StringLiteral and arg.type is self.types.of(cursor):
                    return arg  # __func__
                return self.cast(arg, self.types.value(cursor), arg.coord)
        return special_expressions.read(self, cursor, kids)

    def _explicit_cast(self, cursor: Cursor) -> ast.Expr:
        arg = self.wide.explicit(self.expr(clang.expressions(clang.children(cursor))[-1]))
        return self.cast(arg, self.types.value(cursor), self.source.coord(cursor))

    def _unary(self, cursor: Cursor) -> ast.Expr:
        operator = clang.unary_operator(cursor)
        operand = clang.children(cursor)[0]
        if operator == _NOT:
            return self.truth_operands.negated(cursor, operand)
        arg = self.expr(operand)
        if operator in (_PLUS, _EXTENSION):
            return arg
        op = _UNARY.get(operator)
        if op is None:
            raise self.source.unsupported(cursor, "this operator is not supported")
        coord = self.source.coord(cursor)
        if self.types.has_vlas:
            flat = self._unary_vla(op, cursor, operand, arg)
            if flat is not None:
                return flat
        if op == "*":
            type_ = self.types.of(cursor)
            return ast.Unary(op, arg, type_, self.types.is_volatile(cursor), coord)
        type_ = self.types.value(cursor)
        return self.wide.unary(op, arg, type_) or ast.Unary(op, arg, type_, False, coord)

    def _unary_vla(
        self, op: str, cursor: Cursor, operand: Cursor, arg: ast.Expr
    ) -> ast.Expr | None:
        """An operator on a variable-length array or a pointer to one; None if it is neither."""
        if (op == "*" and self.vlas.is_vla(cursor)) or (op == "&" and self.vlas.is_vla(operand)):
            return arg
        rows = self.vlas.stride(operand) if len(op) == 3 else None
        if rows is None:
            return None
        step = self.cast(rows, self.types.data_model.diff_type, arg.coord)
        sign, back = ("+", "-") if "++" in op else ("-", "+")
        updated = ast.Assign(sign, arg, step, arg.type, arg.coord)
        return updated if op[-1] == "x" else ast.Binary(back, updated, step, arg.type, arg.coord)

    def _binary(self, cursor: Cursor) -> ast.Expr:
        left, right = clang.children(cursor)
        operator = clang.binary_operator(cursor)
        op = _BINARY.get(operator)
        if op in ("&&", "||"):
            return self.truth_operands.joined(op, left, right)
        first, second = self.expr(left), self.expr(right)
        coord = first.coord  # clang would walk down to it, once for each of a + b + c + ...
        type_ = INT if op in _TRUTH_VALUES else self.types.value(cursor)
        if op is not None:
            wide = self.wide.binary(op, (left, right), (first, second), type_)
            if wide is not None:
                return wide
        if op in _TRUTH_VALUES:
            return ast.Binary(op, first, second, INT, coord)
        if operator == _ASSIGN:
            return ast.Assign("", first, second, type_, coord)
        if op is None:
            raise self.source.unsupported(cursor, "this operator is not supported")
        if self.types.has_vlas and op in ("+", "-"):
            if isinstance(first.type, PointerType) and isinstance(second.type, PointerType):
                rows = self.vlas.stride(left)
                if rows is not None:
                    flat = ast.Binary(op, first, second, type_, coord)
                    return ast.Binary("/", flat, self.cast(rows, type_, coord), type_, coord)
            elif isinstance(first.type, PointerType):
                second = self.vlas.scaled(left, second)
            elif isinstance(second.type, PointerType):
                first = self.vlas.scaled(right, first)
        return ast.Binary(op, first, second, type_, coord)

    def _compound_assign(self, cursor: Cursor) -> ast.Expr:
        left, right = clang.children(cursor)
        op = _COMPOUND[clang.binary_operator(cursor)]
        first, second = self.expr(left), self.expr(right)
        if self.types.has_vlas and isinstance(first.type, PointerType):
            second = self.vlas.scaled(left, second)
        second = self.wide.assigned(first, right, second)
        return ast.Assign(op, first, second, self.types.value(cursor), first.coord)

    def _conditional(self, cursor: Cursor) -> ast.Expr:
        kids = clang.children(cursor)
        cond, then, other = self.expr(kids[0]), self.expr(kids[1]), self.expr(kids[2])
        type_ = self.types.value(cursor)
        wide = self.wide.conditional(cond, (kids[1], kids[2]), (then, other), type_)
        return wide or ast.Conditional(cond, then, other, type_, cond.coord)

    def _call(self, cursor: Cursor) -> ast.Expr:
        kids = clang.children(cursor)
        callee = _called(self.expr(kids[0]))
        if isinstance(callee, ast.Ref):
            found = special_expressions.builtin(self, cursor, callee.symbol.name)
            if found is not None:
                return found
        args = [self.expr(kid) for kid in kids[1:]]
        return ast.Call(callee, tuple(args), self.types.value(cursor), callee.coord)

    def _member(self, cursor: Cursor) -> ast.Expr:
        base = self.expr(clang.children(cursor)[0])
        arrow = isinstance(base.type, PointerType)
        record = base.type.target if isinstance(base.type, PointerType) else base.type
        if not isinstance(record, RecordType):
            raise self.source.unsupported(
                cursor, "a member of something that is no struct or union"
            )
        coord = base.coord
        *outer, last = self.types.member_path(record, clang.referenced(cursor))
        for name in outer:
            inner = self.types.field_type(record, name)
            if not isinstance(inner, RecordType):
                raise InternalError(f"{coord}: the anonymous member {name} is no record")
            base = ast.Member(base, name, arrow, inner, False, coord)
            record, arrow = inner, False
        type_ = self.types.of(cursor)
        return ast.Member(base, last, arrow, type_, self.types.is_volatile(cursor), coord)

    def _subscript(self, cursor: Cursor) -> ast.Expr:
        left, right = clang.children(cursor)
        base, index = self.expr(left), self.expr(right)
        if not isinstance(base.type, PointerType):
            left, base, index = right, index, base
        type_ = self.types.of(cursor)
        if self.types.has_vlas and self.vlas.is_vla(cursor):
            flat = self.vlas.scaled(left, index)
            return ast.Binary("+", base, flat, type_, base.coord)
        return ast.Subscript(base, index, type_, self.types.is_volatile(cursor), base.coord)

    # --- larger things ---

    def _compound_literal(self, cursor: Cursor) -> ast.Expr:
        type_ = self.types.of(cursor)
        init = self.initializers.read(clang.expressions(clang.children(cursor))[-1], type_)
        return ast.CompoundLiteral(init, not self.in_function, type_, self.source.coord(cursor))

    def _statement_expr(self, cursor: Cursor) -> ast.Expr:
        body = self.compound(clang.children(cursor)[0])
        return ast.StatementExpr(body, self.types.value(cursor), self.source.coord(cursor))

    def _label_address(self, cursor: Cursor) -> ast.Expr:
        type_, coord = self.types.value(cursor), self.source.coord(cursor)
        number = self.computed_gotos.address(cursor)
        if number is None:
            return ast.LabelAddress(type_, coord)
        return ast.IntLiteral(number, type_, coord)

    def _generic(self, cursor: Cursor) -> ast.Expr:
        return self.expr(chosen_branch(self, cursor))


def _called(callee: ast.Expr) -> ast.Expr:
    """The function itself, or the pointer to it, without decay, `&` and `*` in between."""
    while True:
        match callee:
            case ast.Cast(arg) if isinstance(arg.type, FunctionType):
                callee = arg
            case ast.Unary("*", arg) if isinstance(callee.type, FunctionType):
                callee = arg
            case ast.Unary("&", arg) if isinstance(arg.type, FunctionType):
                callee = arg
            case _:
                return callee
