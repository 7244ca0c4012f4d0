"""Variable-length arrays: their bounds as hidden variables, their pointers as flat ones.

A variable-length array, and a pointer to one, is known by the pointer to its first element of
constant size (`int a[n][m]` is an `int *`). Wherever C steps over whole rows, the number of
elements in a row is multiplied in; it is kept from the point where the type was declared.
"""

from __future__ import annotations

from ...errors import UnsupportedFeature
from ...ir.cfa import Coord
from ...ir.types import IntType, PointerType, size_of
from .. import ast
from ..lower.side_effects import SideEffects
from ..symbols import StorageClass, Symbol
from . import clang
from .clang import (
    ARRAY_TYPE,
    INCOMPLETE_ARRAY_TYPE,
    POINTER_TYPE,
    VARIABLE_ARRAY_TYPE,
    CType,
    Cursor,
    CursorKind,
)
from .reader import ExpressionReader

_ARRAYS = (ARRAY_TYPE, INCOMPLETE_ARRAY_TYPE, VARIABLE_ARRAY_TYPE)


class Vlas:
    """The variable-length array types of one file."""

    def __init__(self, reader: ExpressionReader) -> None:
        self.reader = reader
        self._lengths: dict[int | None, ast.Expr] = {}  # of types: their own bound

    def bounds(self, cursor: Cursor) -> list[ast.Stmt]:
        """Declarations that keep the bounds of the arrays in the type of a declaration.

        The only bound of a variable is left to its allocation, the first of a parameter means
        nothing.
        """
        levels = self._levels(cursor)
        variable = [type_ for type_ in levels if type_.kind == VARIABLE_ARRAY_TYPE]
        if not variable or (len(variable) == 1 and self._allocates(cursor)):
            return []
        written = [type_ for type_ in levels if type_.kind != INCOMPLETE_ARRAY_TYPE]
        exprs = self._written_bounds(cursor)
        if len(exprs) != len(written):
            return []  # a type from elsewhere: known already, or refused when it is used
        result: list[ast.Stmt] = []
        for at, (type_, expr) in enumerate(zip(written, exprs, strict=True), start=1):
            if type_.kind == VARIABLE_ARRAY_TYPE and type_.a not in self._lengths:
                bound = self.reader.expr(expr)
                if at > 1 or cursor.kind != CursorKind.PARM_DECL or not self.is_vla(cursor):
                    result.append(self._keep(f"{clang.spelling(cursor)}#bound{at}", type_, bound))
                elif SideEffects().effects(bound):
                    raise self.reader.source.unsupported(
                        expr, "a parameter's bound with side effects is not supported"
                    )
        return result

    def length(self, cursor: Cursor, symbol: Symbol) -> ast.Expr:
        """The number of flat elements of a variable with such a type."""
        type_ = clang.canonical_type(clang.cursor_type(cursor))
        if type_.a in self._lengths:
            count = self._count(type_, cursor)
            if count is not None:
                return count
        exprs = self._written_bounds(cursor)
        if len(exprs) != len(self._levels(cursor)) or not isinstance(symbol.type, PointerType):
            raise self._unknown(cursor)
        size_type = self.reader.types.data_model.size_type
        whole = ast.VlaSize(symbol, size_type, symbol.coord)
        size = ast.IntLiteral(size_of(symbol.type.target), size_type, symbol.coord)
        self._lengths[type_.a] = ast.Binary("/", whole, size, size_type, symbol.coord)
        return self.reader.expr(exprs[0])

    def is_vla(self, cursor: Cursor) -> bool:
        kind: int = clang.canonical_type(clang.cursor_type(cursor)).kind
        return kind == VARIABLE_ARRAY_TYPE

    def stride(self, pointer: Cursor) -> ast.Expr | None:
        """How many flat elements one step of a pointer is, if it steps over such arrays."""
        type_ = clang.canonical_type(clang.cursor_type(pointer))
        if type_.kind == POINTER_TYPE:
            return self._count(clang.canonical_type(clang.pointee(type_)), pointer)
        if type_.kind in _ARRAYS:  # libclang shows a parameter as it is written
            return self._count(clang.canonical_type(clang.element_type(type_)), pointer)
        return None

    def scaled(self, pointer: Cursor, index: ast.Expr) -> ast.Expr:
        """The index counted in flat elements."""
        rows = self.stride(pointer)
        if rows is None:
            return index
        type_ = self.reader.types.data_model.diff_type
        left = self.reader.cast(index, type_, index.coord)
        right = self.reader.cast(rows, type_, index.coord)
        return ast.Binary("*", left, right, type_, index.coord)

    def sizeof(self, operand: Cursor, type_: IntType, coord: Coord) -> ast.Expr:
        """The size of an expression of such a type."""
        value = self.reader.expr(operand)
        if SideEffects().effects(value):
            raise UnsupportedFeature(
                f"{coord}: sizeof of a variable-length array with side effects is not supported"
            )
        if isinstance(value, ast.Ref) and value.symbol.vla:
            return ast.VlaSize(value.symbol, type_, coord)
        count = self._count(clang.canonical_type(clang.cursor_type(operand)), operand)
        if count is None or not isinstance(value.type, PointerType):
            raise self._unknown(operand)
        size = ast.IntLiteral(size_of(value.type.target), type_, coord)
        return ast.Binary("*", self.reader.cast(count, type_, coord), size, type_, coord)

    def _levels(self, cursor: Cursor) -> list[CType]:
        """The array types within a declared type, outermost first."""
        levels: list[CType] = []
        declared = (
            clang.typedef_type if cursor.kind == CursorKind.TYPEDEF_DECL else clang.cursor_type
        )
        type_ = clang.canonical_type(declared(cursor))
        while True:
            if type_.kind in _ARRAYS:
                levels.append(type_)
                type_ = clang.canonical_type(clang.element_type(type_))
            elif type_.kind == POINTER_TYPE:
                type_ = clang.canonical_type(clang.pointee(type_))
            else:
                return levels

    def _written_bounds(self, cursor: Cursor) -> list[Cursor]:
        """The bounds in a declaration, outermost first."""
        exprs = clang.expressions(clang.children(cursor))
        if cursor.kind == CursorKind.VAR_DECL and not clang.is_null(clang.initializer(cursor)):
            exprs.pop()
        return exprs[::-1]

    def _allocates(self, cursor: Cursor) -> bool:
        return cursor.kind == CursorKind.VAR_DECL and self.is_vla(cursor)

    def _keep(self, name: str, type_: CType, bound: ast.Expr) -> ast.Stmt:
        size_type = self.reader.types.data_model.size_type
        coord = bound.coord
        local = StorageClass.LOCAL
        symbol = Symbol(name, size_type, local, False, False, False, coord)
        self._lengths[type_.a] = ast.Ref(symbol, size_type, False, coord)
        return ast.Declare(symbol, self.reader.cast(bound, size_type, coord), None, coord)

    def _count(self, type_: CType, cursor: Cursor) -> ast.Expr | None:
        """How many flat elements a type holds; None for one of constant size."""
        if type_.kind != VARIABLE_ARRAY_TYPE:
            return None
        length = self._lengths.get(type_.a)
        if length is None:
            raise self._unknown(cursor)
        rows = self._count(clang.canonical_type(clang.element_type(type_)), cursor)
        if rows is None:
            return length
        return ast.Binary("*", length, rows, self.reader.types.data_model.size_type, length.coord)

    def _unknown(self, cursor: Cursor) -> UnsupportedFeature:
        return self.reader.source.unsupported(
            cursor, "the bounds of this variable-length array are not known; name its variable"
        )
