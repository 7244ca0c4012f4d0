"""The functions that predabs knows without their bodies, and what a call of each becomes.

Error calls and assumptions mean what they say even where the program defines them; everything else
only if the program does not. `models.c` has the rest (strlen & co.) as plain C.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial

from ..errors import UnsupportedFeature
from ..ir import make
from ..ir.expr import Deref, Expr, ObjectSize, Op, Var
from ..ir.ops import (
    AllocKind,
    Assign,
    Assume,
    Copy,
    Error,
    ErrorKind,
    Fill,
    Free,
    Halt,
    Havoc,
    Print,
    Source,
)
from ..ir.types import CBOOL, INT, VOID, FloatType, IntType, PointerType, VoidType, size_of
from . import ast
from .allocate import allocate
from .convert import convert
from .expressions import Expressions

Handler = Callable[[Expressions, ast.Call, Var | None, bool], Expr | None]


def handler(name: str, *, defined: bool) -> Handler | None:
    """What lowers a call of `name`, if predabs knows it better than the program does."""
    if name in _ALWAYS:
        return _ALWAYS[name]
    if defined:
        return None
    if _NONDET.fullmatch(name) and name != "__VERIFIER_nondet_memory":
        return _nondet
    if name.removeprefix("__builtin_") in _REFUSED:
        return _refused
    known = _KNOWN.get(plain_name(name))
    if known is None and name.startswith("__builtin_"):
        known = _BUILTIN.get(_CHECKED.sub(r"\1_overflow", plain_name(name)))
    return _refused if known is None and _WRITERS.match(name) else known


def plain_name(name: str) -> str:
    """The library's name of a function that the compiler knows as a builtin."""
    return _FORTIFIED.sub(r"\1", name).removeprefix("__builtin_")


_NONDET = re.compile(r"__VERIFIER_nondet_\w+")
_COUNTS = re.compile(r"(?<!%)(%%)*%[^a-zA-Z%]*(hh|ll|[hljzt])?n")  # the conversion %n
_FORTIFIED = re.compile(r"__builtin___(\w+)_chk")
_CHECKED = re.compile(r"[su](add|sub|mul)l{0,2}_overflow")
# builtins that write through pointers: one that is not known must not pass for a harmless function
_WRITERS = re.compile(r"__(sync|atomic|c11_atomic)_|__builtin_((add|sub)c|\w+_overflow$)")
_REFUSED = {
    "pthread_create": "threads",
    "thrd_create": "threads",
    "atexit": "functions that run at the exit",
    "on_exit": "functions that run at the exit",
    "at_quick_exit": "functions that run at the exit",
    "signal": "signals",
    "sigaction": "signals",
    "fork": "processes",
    "vfork": "processes",
    "setjmp": "non-local jumps",
    "_setjmp": "non-local jumps",
    "__sigsetjmp": "non-local jumps",
    "sigsetjmp": "non-local jumps",
    "longjmp": "non-local jumps",
    "siglongjmp": "non-local jumps",
}


def _name(expr: ast.Call) -> str:
    callee = expr.callee
    while not isinstance(callee, ast.Ref):
        assert isinstance(callee, ast.Cast | ast.Unary)
        callee = callee.arg
    return callee.symbol.name


def _refused(low: Expressions, expr: ast.Call, target: Var | None, wanted: bool) -> Expr | None:
    name = _name(expr).removeprefix("__builtin_")
    what = f"{name}: {_REFUSED[name]} are" if name in _REFUSED else f"{name} is"
    raise UnsupportedFeature(f"{expr.coord}: {what} not supported")


def _place(low: Expressions, expr: ast.Call, target: Var | None) -> Var:
    """Where the result goes: the target, or a temporary of the call's type."""
    return target if target is not None else low.scope.temporary(expr.type)


# --- inputs, assumptions, errors, ends ----------------------------------------------------------


def _nondet(low: Expressions, expr: ast.Call, target: Var | None, wanted: bool) -> Expr | None:
    low.operands(*expr.args)
    if isinstance(expr.type, VoidType):
        return None
    place = low.scope.temporary(expr.type) if target is None else target
    if place.type is not expr.type:
        place = low.scope.temporary(expr.type)
    low.graph.emit(Havoc(place, Source.NONDET, _name(expr)), expr.coord)
    return place


def _assume(low: Expressions, expr: ast.Call, target: Var | None, wanted: bool) -> Expr | None:
    low.graph.emit(Assume(low.condition(expr.args[0])), expr.coord)
    return None


def _assert(low: Expressions, expr: ast.Call, target: Var | None, wanted: bool) -> Expr | None:
    holds, fails = low.graph.fresh(), low.graph.fresh()
    low.branch(expr.args[0], holds, fails)
    low.graph.here = fails
    low.graph.emit(Error(ErrorKind.ASSERTION, "assertion failed"), expr.coord)
    low.graph.here = holds
    return None


def _assert_fail(low: Expressions, expr: ast.Call, target: Var | None, wanted: bool) -> Expr | None:
    text = _string(expr.args[0]) if expr.args else None
    message = f"assertion failed: {text}" if text else "assertion failed"
    low.graph.emit(Error(ErrorKind.ASSERTION, message), expr.coord)
    return None


def _string(expr: ast.Expr) -> str | None:
    while isinstance(expr, ast.Cast):
        expr = expr.arg
    if not isinstance(expr, ast.StringLiteral):
        return None
    return "".join(chr(value & 255) for value in expr.values).rstrip("\0")


def _error(low: Expressions, expr: ast.Call, target: Var | None, wanted: bool) -> Expr | None:
    low.operands(*expr.args)
    low.graph.emit(Error(ErrorKind.ERROR_CALL, f"{_name(expr)}() is called"), expr.coord)
    return None


def _halt(low: Expressions, expr: ast.Call, target: Var | None, wanted: bool) -> Expr | None:
    args = low.operands(*expr.args)
    name = _name(expr).removeprefix("__builtin_")
    low.graph.emit(Halt(name, args[0] if args else None), expr.coord)
    return None


# --- memory ---------------------------------------------------------------------------------------


def _alloc(
    kind: AllocKind, low: Expressions, expr: ast.Call, target: Var | None, wanted: bool
) -> Expr | None:
    args = [make.cast(arg, low.model.size_type) for arg in low.operands(*expr.args)]
    zeroed = len(args) == 2  # calloc
    place = _place(low, expr, target)
    if not isinstance(place.type, PointerType):  # used without a declaration: an int, as C89 has it
        place = low.scope.temporary(low.model.pointer(VOID))
    allocate(low.names, low.graph, place, tuple(args), kind, expr.coord, zeroed=zeroed)
    return convert(place, expr.type)


def _free(low: Expressions, expr: ast.Call, target: Var | None, wanted: bool) -> Expr | None:
    low.graph.emit(Free(low.value(expr.args[0])), expr.coord)
    return None


def _memset(low: Expressions, expr: ast.Call, target: Var | None, wanted: bool) -> Expr | None:
    pointer, byte, size = low.operands(*expr.args[:3])
    if wanted:
        pointer = low.saved(pointer, expr.coord)
    size = make.cast(size, low.model.size_type)
    low.graph.emit(Fill(pointer, make.cast(byte, INT), size), expr.coord)
    return pointer


def _memcpy(low: Expressions, expr: ast.Call, target: Var | None, wanted: bool) -> Expr | None:
    pointer, source, size = low.operands(*expr.args[:3])
    if wanted:
        pointer = low.saved(pointer, expr.coord)
    low.graph.emit(Copy(pointer, source, make.cast(size, low.model.size_type)), expr.coord)
    return pointer


def _object_size(low: Expressions, expr: ast.Call, target: Var | None, wanted: bool) -> Expr | None:
    return ObjectSize(low.value(expr.args[0]), low.model.size_type)


# --- output ---------------------------------------------------------------------------------------


def _print(low: Expressions, expr: ast.Call, target: Var | None, wanted: bool) -> Expr | None:
    if any(_COUNTS.search(text) for arg in expr.args if (text := _string(arg)) is not None):
        raise UnsupportedFeature(f"{expr.coord}: the format '%n' is not supported")
    args = low.operands(*expr.args)
    place = None
    if wanted and not isinstance(expr.type, VoidType):
        place = _place(low, expr, target)
    name = _name(expr).removeprefix("__builtin_")
    low.graph.emit(Print(place, name, tuple(args)), expr.coord)
    return place


def _scan(
    fixed: int, low: Expressions, expr: ast.Call, target: Var | None, wanted: bool
) -> Expr | None:
    """scanf and its kin: what the pointers behind the format lead to takes any value."""
    name = _name(expr)
    for pointer in low.operands(*expr.args)[fixed:]:
        type_ = pointer.type.target if isinstance(pointer.type, PointerType) else VOID
        if not isinstance(type_, IntType | FloatType) or size_of(type_) == 1:
            raise UnsupportedFeature(f"{expr.coord}: {name} into anything but numbers")
        place = make.deref(low.saved(pointer, expr.coord))
        low.graph.emit(Havoc(place, Source.EXTERN, name), expr.coord)
    if not wanted:
        return None
    result = _place(low, expr, target)
    low.graph.emit(Havoc(result, Source.EXTERN, name), expr.coord)
    return result


# --- the compiler's own ---------------------------------------------------------------------------


def _expect(low: Expressions, expr: ast.Call, target: Var | None, wanted: bool) -> Expr | None:
    return low.operands(*expr.args)[0]


def _nothing(low: Expressions, expr: ast.Call, target: Var | None, wanted: bool) -> Expr | None:
    for arg in expr.args:
        low.discard(arg)
    return make.const(0, expr.type) if isinstance(expr.type, IntType) else None


def _zero(low: Expressions, expr: ast.Call, target: Var | None, wanted: bool) -> Expr | None:
    """__builtin_constant_p of something that is not one."""
    assert isinstance(expr.type, IntType)
    return make.const(0, expr.type)


def _unknown_size(
    low: Expressions, expr: ast.Call, target: Var | None, wanted: bool
) -> Expr | None:
    """__builtin_object_size where the compiler does not know: -1, or 0 for the minimum."""
    assert isinstance(expr.type, IntType)
    kind = low.value(expr.args[1])
    minimum = make.as_condition(make.binary(Op.AND, kind, make.cast(make.const(2, INT), kind.type)))
    return make.ite(minimum, make.const(0, expr.type), make.const(-1, expr.type))


def _checked(
    op: str, low: Expressions, expr: ast.Call, target: Var | None, wanted: bool
) -> Expr | None:
    """__builtin_add_overflow & co.: store the wrapped result, tell whether it was wrapped."""
    left, right, pointer = low.operands(*expr.args)
    place = make.deref(low.saved(pointer, expr.coord))
    assert isinstance(place.type, IntType)
    types = (left.type, right.type, place.type)
    exact = IntType(2 * max(t.bits for t in types if isinstance(t, IntType)) + 2, True)
    full = low.saved(
        low.combine(op, make.cast(left, exact), make.cast(right, exact), exact), expr.coord
    )
    low.graph.emit(Assign(place, make.cast(full, place.type)), expr.coord)
    kept = make.cast(make.cast(full, place.type), exact)
    return make.cast(make.not_equal(kept, full), CBOOL)


def _va_start(low: Expressions, expr: ast.Call, target: Var | None, wanted: bool) -> Expr | None:
    hidden = Var(f"{low.scope.function}::...", low.model.pointer(VOID))
    low.graph.emit(Assign(low.va_cell(expr.args[0]), hidden), expr.coord)
    return None


def _va_copy(low: Expressions, expr: ast.Call, target: Var | None, wanted: bool) -> Expr | None:
    cell, source = (low.va_cell(arg) for arg in expr.args)
    low.graph.emit(Assign(cell, source), expr.coord)
    return None


def _sync(
    op: str, old: bool, low: Expressions, expr: ast.Call, target: Var | None, wanted: bool
) -> Expr | None:
    """An atomic update; there is one thread, so it is a plain one. The result is old or new."""
    pointer, value = low.operands(*expr.args[:2])
    place = Deref(low.saved(pointer, expr.coord), _target(pointer))
    before = low.saved(place, expr.coord)
    value = make.cast(value, place.type)
    if op and isinstance(place.type, PointerType):  # bytes, not elements
        number = low.model.size_type
        left, right = make.cast(before, number), make.cast(value, number)
        after = make.cast(low.combine(op, left, right, number), place.type)
    else:
        after = low.combine(op, before, value, place.type) if op else value
    after = low.saved(after, expr.coord)
    low.graph.emit(Assign(place, after), expr.coord)
    return before if old else after


def _compare_and_swap(
    old: bool, low: Expressions, expr: ast.Call, target: Var | None, wanted: bool
) -> Expr | None:
    pointer, expected, value = low.operands(*expr.args[:3])
    place = Deref(low.saved(pointer, expr.coord), _target(pointer))
    before = low.saved(place, expr.coord)
    same = make.equal(before, make.cast(expected, place.type))
    new = make.ite(same, make.cast(value, place.type), before)
    low.graph.emit(Assign(place, new), expr.coord)
    return before if old else make.cast(same, expr.type)


def _release(low: Expressions, expr: ast.Call, target: Var | None, wanted: bool) -> Expr | None:
    """__sync_lock_release: the lock becomes zero."""
    pointer = low.operands(*expr.args)[0]
    type_ = _target(pointer)
    low.graph.emit(Assign(Deref(pointer, type_), make.const(0, type_)), expr.coord)
    return None


def _target(pointer: Expr) -> IntType | PointerType:
    assert isinstance(pointer.type, PointerType)
    assert isinstance(pointer.type.target, IntType | PointerType)
    return pointer.type.target


_ALWAYS: dict[str, Handler] = {
    "__VERIFIER_error": _error,
    "reach_error": _error,
    "__VERIFIER_assume": _assume,
}

_OPERATORS = {"add": "+", "sub": "-", "mul": "*", "or": "|", "and": "&", "xor": "^"}

_KNOWN: dict[str, Handler] = {
    **dict.fromkeys(("assert",), _assert),
    **dict.fromkeys(("__assert_fail", "__assert", "__assert_rtn"), _assert_fail),
    **dict.fromkeys(("abort", "exit", "_exit", "_Exit", "quick_exit"), _halt),
    **dict.fromkeys(("scanf", "__isoc99_scanf"), partial(_scan, 1)),
    **dict.fromkeys(("fscanf", "sscanf", "__isoc99_fscanf", "__isoc99_sscanf"), partial(_scan, 2)),
    **dict.fromkeys(("malloc", "calloc"), partial(_alloc, AllocKind.HEAP)),
    "alloca": partial(_alloc, AllocKind.STACK),
    "free": _free,
    "memset": _memset,
    **dict.fromkeys(("memcpy", "memmove"), _memcpy),
    "__predabs_object_size": _object_size,
    **dict.fromkeys(
        ("printf", "puts", "putchar", "fprintf", "fputs", "putc", "fputc", "perror"), _print
    ),
    **dict.fromkeys(("fflush", "__VERIFIER_atomic_begin", "__VERIFIER_atomic_end"), _nothing),
    **{f"__sync_fetch_and_{n}": partial(_sync, op, True) for n, op in _OPERATORS.items()},
    **{f"__sync_{n}_and_fetch": partial(_sync, op, False) for n, op in _OPERATORS.items()},
    "__sync_lock_test_and_set": partial(_sync, "", True),
    "__sync_val_compare_and_swap": partial(_compare_and_swap, True),
    "__sync_bool_compare_and_swap": partial(_compare_and_swap, False),
    "__sync_lock_release": _release,
    "__sync_synchronize": _nothing,
}

# those that only the compiler's prefix makes special: a program may have its own `expect`
_BUILTIN: dict[str, Handler] = {
    **dict.fromkeys(("trap", "unreachable"), _halt),
    **dict.fromkeys(("prefetch", "va_end"), _nothing),
    **dict.fromkeys(("expect", "expect_with_probability", "assume_aligned"), _expect),
    "constant_p": _zero,
    "object_size": _unknown_size,
    **{f"{n}_overflow": partial(_checked, _OPERATORS[n]) for n in ("add", "sub", "mul")},
    "va_start": _va_start,
    "va_copy": _va_copy,
}
