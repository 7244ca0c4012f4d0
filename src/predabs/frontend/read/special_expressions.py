"""The expressions that libclang does not name: builtins with types as arguments, GNU's `?:`.

They are told apart by the number of their operands and the operands' types; what is not one of them
is refused.
"""

from __future__ import annotations

import re

from ...ir.types import ArrayType, FloatType, IntType, PointerType, RecordType
from .. import ast
from . import clang
from .clang import Cursor, CursorKind
from .reader import ExpressionReader

_CONSTANT_CALLS = re.compile(
    r"__builtin_(constant_p|object_size|dynamic_object_size|classify_type"
    r"|huge_val[fl]?|inf[fl]?|nans?[fl]?)"
)


def read(reader: ExpressionReader, cursor: Cursor, kids: list[Cursor]) -> ast.Expr:
    """An UNEXPOSED_EXPR that is no implicit cast."""
    operands = clang.expressions(kids)
    coord = reader.source.coord(cursor)
    if len(operands) == 4 and _same_position(operands[0], operands[1]):
        # GNU's `a ?: b`: the common operand, the condition, the same as a value, the other
        cond, other = reader.expr(operands[0]), reader.expr(operands[3])
        return ast.Conditional(cond, None, other, reader.types.value(cursor), coord)
    token = reader.source.tokens_at(cursor, 1)[:1]
    if (
        not operands
        or any(kid.kind == CursorKind.MEMBER_REF for kid in kids)
        or (len(operands) < 3 and clang.evaluate(cursor) is not None)  # ..._types_compatible_p
    ):
        return _constant(reader, cursor)  # offsetof is one, too
    if len(operands) <= 2:
        list_ = reader.expr(operands[-1])  # before it may be what the type is a __typeof__ of
        if may_be_va_arg(list_):
            list_ = _undecayed(list_)
            return ast.VaArg(list_, reader.types.value(cursor), coord)
    if len(operands) == 3 and isinstance(reader.types.value(operands[0]), IntType):
        # __builtin_choose_expr
        return reader.expr(operands[1] if reader.constant(operands[0]) else operands[2])
    what = token[0] if token and token[0].startswith("__") else "this kind of expression"
    raise reader.source.unsupported(cursor, f"{what} is not supported")


def may_be_va_arg(operand: ast.Expr) -> bool:
    """Can the only operand of such an expression be the list of `va_arg`? Otherwise the expression
    is an implicit cast."""
    return _is_va_list(_undecayed(operand))


def _undecayed(expr: ast.Expr) -> ast.Expr:
    return expr.arg if type(expr) is ast.Cast and type(expr.arg.type) is ArrayType else expr


def _is_va_list(list_: ast.Expr) -> bool:
    """An array of one `__va_list_tag` or a pointer to it, or in 32 bits a `char *`."""
    type_ = list_.type
    if type(type_) is IntType:
        return False  # that is the most frequent one
    match type_:
        case ArrayType(RecordType(tag), 1) | PointerType(RecordType(tag)):
            return tag == "struct __va_list_tag"
        case PointerType(IntType(8)):
            return True
        case _:
            return False


def builtin(reader: ExpressionReader, cursor: Cursor, name: str) -> ast.Expr | None:
    """The value of a call that the compiler computes, or None if it is an ordinary call."""
    if not name.startswith("__builtin_") or not _CONSTANT_CALLS.fullmatch(name):
        return None
    return _constant(reader, cursor, default=_unknown(reader, cursor, name))


def _unknown(reader: ExpressionReader, cursor: Cursor, name: str) -> int | None:
    """What the compiler says when it does not know: not constant, or of any size."""
    if name == "__builtin_constant_p":
        return 0
    if name.endswith("object_size"):
        which = clang.evaluate(clang.children(cursor)[2])
        return -1 if which in (0, 1) else 0
    return None


def _constant(reader: ExpressionReader, cursor: Cursor, default: int | None = None) -> ast.Expr:
    type_ = reader.types.of(cursor)
    coord = reader.source.coord(cursor)
    value = clang.evaluate(cursor)
    if value is None:
        value = default
    if isinstance(type_, IntType) and isinstance(value, int):
        return ast.IntLiteral(type_.wrap(value), type_, coord)
    if isinstance(type_, FloatType) and value is not None:
        return ast.FloatLiteral(float(value).hex(), type_, coord)
    raise reader.source.unsupported(cursor, "this constant cannot be computed")


def _same_position(one: Cursor, other: Cursor) -> bool:
    return bool(clang.cursor_location(one).key == clang.cursor_location(other).key)
