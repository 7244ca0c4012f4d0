"""The compiler's own functions: what a call of each builtin becomes.

A builtin that is not here and has no model in `models.c` is refused: it may do whatever it likes.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from ...ir import make
from ...ir.expr import Deref, Expr, Op, Var
from ...ir.ops import Assign, Havoc, Source
from ...ir.types import CBOOL, INT, VOID, IntType, PointerType, size_of
from .. import ast
from .expressions import LowerExpressions
from .lost_faults import lost_parts

Handler = Callable[[LowerExpressions, ast.Call, Var | None, bool], Expr | None]


def _expect(low: LowerExpressions, expr: ast.Call, target: Var | None, wanted: bool) -> Expr | None:
    value, *others = low.operands(*expr.args)
    low.evaluate(lost_parts(value, *others), expr.coord)
    return value


def nothing(low: LowerExpressions, expr: ast.Call, target: Var | None, wanted: bool) -> Expr | None:
    for arg in expr.args:
        low.discard(arg)
    return make.const(0, expr.type) if isinstance(expr.type, IntType) else None


def _zero(low: LowerExpressions, expr: ast.Call, target: Var | None, wanted: bool) -> Expr | None:
    """__builtin_constant_p of something that is not one."""
    assert isinstance(expr.type, IntType)
    return make.const(0, expr.type)


def _own_address(
    low: LowerExpressions, expr: ast.Call, target: Var | None, wanted: bool
) -> Expr | None:
    """The address of a frame, or of code: no pointer from outside, but any number."""
    number = low.scope.temporary(low.model.size_type)
    low.graph.emit(Havoc(number, Source.UNKNOWN, "the address of a frame"), expr.coord)
    return make.cast(number, expr.type)


def _unknown_size(
    low: LowerExpressions, expr: ast.Call, target: Var | None, wanted: bool
) -> Expr | None:
    """__builtin_object_size where the compiler does not know: -1, or 0 for the minimum."""
    assert isinstance(expr.type, IntType)
    kind = low.value(expr.args[1])
    minimum = make.as_condition(make.binary(Op.AND, kind, make.cast(make.const(2, INT), kind.type)))
    return make.ite(minimum, make.const(0, expr.type), make.const(-1, expr.type))


def _checked(
    op: str, low: LowerExpressions, expr: ast.Call, target: Var | None, wanted: bool
) -> Expr | None:
    """__builtin_add_overflow & co.: store the wrapped result, tell whether it was wrapped."""
    left, right, pointer = low.operands(*expr.args)
    lvalue = make.deref(low.saved(pointer, expr.coord))
    assert isinstance(lvalue.type, IntType)
    types = (left.type, right.type, lvalue.type)
    exact = IntType(2 * max(t.bits for t in types if isinstance(t, IntType)) + 2, True)
    full = low.saved(
        low.combine(op, make.cast(left, exact), make.cast(right, exact), exact), expr.coord
    )
    low.graph.emit(Assign(lvalue, make.cast(full, lvalue.type)), expr.coord)
    kept = make.cast(make.cast(full, lvalue.type), exact)
    return make.cast(make.not_equal(kept, full), CBOOL)


def _va_start(
    low: LowerExpressions, expr: ast.Call, target: Var | None, wanted: bool
) -> Expr | None:
    hidden = Var(f"{low.scope.function}::...", low.model.pointer(VOID))
    low.graph.emit(Assign(low.va_cell(expr.args[0]), hidden), expr.coord)
    return None


def _va_copy(
    low: LowerExpressions, expr: ast.Call, target: Var | None, wanted: bool
) -> Expr | None:
    cell, source = (low.va_cell(arg) for arg in expr.args)
    low.graph.emit(Assign(cell, source), expr.coord)
    return None


def _sync(
    op: str, old: bool, low: LowerExpressions, expr: ast.Call, target: Var | None, wanted: bool
) -> Expr | None:
    """An atomic update; there is one thread, so it is an ordinary one. The result is old or new."""
    pointer, value = low.operands(*expr.args[:2])
    lvalue = Deref(low.saved(pointer, expr.coord), _target(pointer))
    before = low.saved(lvalue, expr.coord)
    value = make.cast(value, lvalue.type)
    if op:
        # of a pointer bytes, not elements; a signed result wraps around: it is no overflow
        exact = IntType(2 * size_of(lvalue.type) * 8 + 2, True)
        number = low.model.size_type if isinstance(lvalue.type, PointerType) else exact
        left, right = make.cast(before, number), make.cast(value, number)
        after = make.cast(low.combine(op, left, right, number), lvalue.type)
    else:
        after = value
    after = low.saved(after, expr.coord)
    low.graph.emit(Assign(lvalue, after), expr.coord)
    return before if old else after


def _compare_and_swap(
    old: bool, low: LowerExpressions, expr: ast.Call, target: Var | None, wanted: bool
) -> Expr | None:
    pointer, expected, value = low.operands(*expr.args[:3])
    lvalue = Deref(low.saved(pointer, expr.coord), _target(pointer))
    before = low.saved(lvalue, expr.coord)
    same = make.equal(before, make.cast(expected, lvalue.type))
    new = make.ite(same, make.cast(value, lvalue.type), before)
    low.graph.emit(Assign(lvalue, new), expr.coord)
    return before if old else make.cast(same, expr.type)


def _release(
    low: LowerExpressions, expr: ast.Call, target: Var | None, wanted: bool
) -> Expr | None:
    """__sync_lock_release: the lock becomes zero."""
    pointer = low.operands(*expr.args)[0]
    type_ = _target(pointer)
    low.graph.emit(Assign(Deref(pointer, type_), make.const(0, type_)), expr.coord)
    return None


def _target(pointer: Expr) -> IntType | PointerType:
    assert isinstance(pointer.type, PointerType)
    assert isinstance(pointer.type.target, IntType | PointerType)
    return pointer.type.target


_OPERATORS = {"add": "+", "sub": "-", "mul": "*", "or": "|", "and": "&", "xor": "^"}

SYNC: dict[str, Handler] = {
    **{f"__sync_fetch_and_{n}": partial(_sync, op, True) for n, op in _OPERATORS.items()},
    **{f"__sync_{n}_and_fetch": partial(_sync, op, False) for n, op in _OPERATORS.items()},
    "__sync_lock_test_and_set": partial(_sync, "", True),
    "__sync_val_compare_and_swap": partial(_compare_and_swap, True),
    "__sync_bool_compare_and_swap": partial(_compare_and_swap, False),
    "__sync_lock_release": _release,
    "__sync_synchronize": nothing,
}

# without their prefix, which alone makes them special: a program may have its own `expect`
BUILTIN: dict[str, Handler] = {
    **dict.fromkeys(("prefetch", "va_end"), nothing),
    **dict.fromkeys(
        ("expect", "expect_with_probability", "assume_aligned", "unpredictable", "launder"), _expect
    ),
    "constant_p": _zero,
    **dict.fromkeys(("frame_address", "return_address"), _own_address),
    "object_size": _unknown_size,
    **{f"{n}_overflow": partial(_checked, _OPERATORS[n]) for n in ("add", "sub", "mul")},
    "va_start": _va_start,
    "va_copy": _va_copy,
}
