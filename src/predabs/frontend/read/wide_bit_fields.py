"""Arithmetic on bit-fields that are wider than int, in the type that gcc gives them.

C leaves open which type an `unsigned long long x: 40` has in an expression. For clang it is the
declared type; for gcc it is an integer type of 40 bits, whose rank lies between those of int and
long. So `x + x` has 40 bits, and so has `x << 8`. What clang's tree says about such operators is
replaced here by what gcc computes.

Soundness duty: an operator is left as clang has it only if no operand has such a type.
"""

from __future__ import annotations

from typing import TypeAlias

from ...ir.types import INT, IntType, PointerType, RecordType, Type
from .. import ast
from ..conversions import common
from .clang import Cursor, CursorKind
from .reader import ExpressionReader

_DECLARED = 64  # the width of the declared types that are wider than int
Operands: TypeAlias = tuple[ast.Expr, ast.Expr]

_COMPARISONS = frozenset(["<", ">", "<=", ">=", "==", "!="])
_BOTH_CONVERTED = frozenset(["+", "-", "*", "/", "%", "&", "|", "^", *_COMPARISONS])
_SHIFTS = frozenset(["<<", ">>"])


class WideBitFields:
    """The types of bit-fields, and of what is computed from them."""

    def __init__(self, reader: ExpressionReader) -> None:
        self._reader = reader
        self._own: dict[ast.Expr, IntType] = {}  # of what was made here

    def own_type(self, expr: ast.Expr) -> IntType | None:
        """gcc's type of a value, where clang gives it another one."""
        type_ = expr.type
        if type_ is INT or not isinstance(type_, IntType) or type_.bits != _DECLARED:
            return None
        match expr:
            case ast.Member():
                return self._of_member(expr)
            case ast.Cast():
                return self._own.get(expr)
            case ast.Assign(_, target) | ast.Unary("++x" | "--x" | "x++" | "x--", target):
                return self.own_type(target)
            case ast.Binary(",", _, right):
                return self.own_type(right)
        return None

    def binary(
        self, op: str, cursors: tuple[Cursor, Cursor], operands: Operands, type_: Type
    ) -> ast.Expr | None:
        """`left op right`, which has this type for clang; None if that is so for gcc too."""
        if op in _SHIFTS:
            left, right = operands
            own = self.own_type(left)
            if own is None:
                return None
            return self._made(ast.Binary(op, self._cast(left, own), right, own, left.coord), type_)
        both = self._converted(cursors, operands)
        if both is None or op not in _BOTH_CONVERTED:
            return None
        left, right = both
        if op in _COMPARISONS:
            return ast.Binary(op, left, right, INT, left.coord)
        return self._made(ast.Binary(op, left, right, left.type, left.coord), type_)

    def unary(self, op: str, arg: ast.Expr, type_: Type) -> ast.Expr | None:
        """`-arg` or `~arg`; None if it has clang's type for gcc too."""
        own = self.own_type(arg) if op in ("-", "~") else None
        if own is None:
            return None
        return self._made(ast.Unary(op, self._cast(arg, own), own, False, arg.coord), type_)

    def conditional(
        self, cond: ast.Expr, cursors: tuple[Cursor, Cursor], operands: Operands, type_: Type
    ) -> ast.Expr | None:
        """`cond ? then : other`; None if it has clang's type for gcc too."""
        both = self._converted(cursors, operands)
        if both is None:
            return None
        return self._made(ast.Conditional(cond, *both, both[0].type, cond.coord), type_)

    def assigned(self, target: ast.Expr, cursor: Cursor, value: ast.Expr) -> ast.Expr:
        """The right operand of a compound assignment, in the type that gcc's conversions start
        from."""
        if self.own_type(target) is None and self.own_type(value) is None:
            return value
        return self._cast(*self._unconverted(cursor, value))

    def explicit(self, arg: ast.Expr) -> ast.Expr:
        """What a cast to clang's type gives: that is its type for gcc too, from here on."""
        return arg if self.own_type(arg) is None else ast.Cast(arg, arg.type, arg.coord)

    def _converted(self, cursors: tuple[Cursor, Cursor], operands: Operands) -> Operands | None:
        """Both operands in the type of gcc's usual arithmetic conversions; None if that is clang's.
        Where clang converts one of them to an unsigned type of 64 bits, the other has that type."""
        if all(self.own_type(operand) is None for operand in operands):
            return None
        (left, one), (right, other) = map(self._unconverted, cursors, operands)
        if not (isinstance(one, IntType) and isinstance(other, IntType)):
            return None
        type_ = common(one, other)
        return self._cast(self._cast(left, one), type_), self._cast(self._cast(right, other), type_)

    def _unconverted(self, cursor: Cursor, expr: ast.Expr) -> tuple[ast.Expr, Type]:
        """An operand before clang's conversion of it, and its type for gcc."""
        own = self.own_type(expr)
        if own is None and cursor.kind == CursorKind.UNEXPOSED_EXPR and isinstance(expr, ast.Cast):
            before = expr.arg
            return before, self.own_type(before) or before.type
        return expr, own or expr.type

    def _made(self, value: ast.Expr, type_: Type) -> ast.Expr:
        result = ast.Cast(value, type_, value.coord)
        if isinstance(value.type, IntType):
            self._own[result] = value.type
        return result

    def _of_member(self, expr: ast.Member) -> IntType | None:
        record = expr.base.type
        if isinstance(record, PointerType):
            record = record.target
        if not isinstance(record, RecordType):
            return None
        member = self._reader.types.records[record.tag].member(expr.name)
        own = member.type
        wide = isinstance(own, IntType) and INT.bits < own.bits < _DECLARED
        return own if wide and member.bitfield and isinstance(own, IntType) else None

    def _cast(self, expr: ast.Expr, type_: Type) -> ast.Expr:
        return self._reader.cast(expr, type_, expr.coord)
