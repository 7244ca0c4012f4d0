"""The functions that predabs knows without their bodies, and what a call of each becomes.

Error calls and assumptions mean what they say even where the program defines them; everything else
only if the program does not. `models.c` has the rest (strlen & co.) as C.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache, partial

from ...ir import make
from ...ir.expr import Expr, ObjectSize, Var
from ...ir.ops import (
    UNREACHABLE,
    AllocKind,
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
from ...ir.types import INT, VOID, FunctionType, PointerType, Type, VoidType
from .. import ast
from ..conversions import convert
from . import libc, math_functions, unmodelled, unsupported
from .allocation import allocate
from .builtins import BUILTIN, SYNC, Handler, nothing
from .expressions import LowerExpressions
from .formats import most_bytes, refuse_counts, string_of


@cache
def handler(name: str, *, defined: bool) -> Handler | None:
    """What lowers a call of `name`, if predabs knows it better than the program does."""
    if name in _ALWAYS:
        return _ALWAYS[name]
    if defined:
        return None
    if _NONDET.fullmatch(name) and name != "__VERIFIER_nondet_memory":
        return _nondet
    if (bare := name.removeprefix("__builtin_")) in unsupported.NAMES:
        return partial(unsupported.lower, bare)
    if (inside := _INSIDE.fullmatch(name)) is not None:
        return partial(_inside, Source.LIBRARY if inside[1] == "any" else Source.UNKNOWN)
    found = _HANDLED.get(library_name(name))
    if found is None and name.startswith("__builtin_"):
        found = _BUILTIN.get(_CHECKED.sub(r"\1_overflow", library_name(name)))
    return found


def is_builtin(name: str) -> bool:
    """Is it a function of the compiler's own?

    >>> is_builtin("__sync_fetch_and_nand"), is_builtin("__sync_threads")
    (True, False)
    """
    return _COMPILERS.match(name) is not None


@cache
def contract(name: str, type_: FunctionType) -> libc.Contract | None:
    """What the C library's function of this name may do, if it can be that one."""
    found = libc.contract(library_name(name))
    return found if found is not None and found.fits(type_) else None


def is_namesake(name: str, type_: Type) -> bool:
    """Has a function of the program's authors only the name of one of math.h, like `int
    round(int)`?"""
    found = libc.contract(name)
    if found is None or not found.floating or not isinstance(type_, FunctionType):
        return False
    return not found.fits(type_)


def library_name(name: str) -> str:
    """The library's name of a function that the compiler knows as a builtin."""
    return _FORTIFIED.sub(r"\1", name).removeprefix("__builtin_")


_NONDET = re.compile(r"__VERIFIER_nondet_\w+")
_FORTIFIED = re.compile(r"__builtin___(\w+)_chk")
_CHECKED = re.compile(r"[su](add|sub|mul)l{0,2}_overflow")
_COMPILERS = re.compile(
    r"__(builtin|atomic|c11_atomic|scoped_atomic|opencl_atomic)_|__va_|__arithmetic_fence"
    r"|__sync_(fetch_and|\w+_and_fetch|lock|val|bool|swap|synchronize)|_Interlocked|_Builtin"
)
_INSIDE = re.compile(r"__predabs_(any|unknown)_\w+")  # in models: what the library takes or makes


def _name(expr: ast.Call) -> str:
    callee = expr.callee
    while not isinstance(callee, ast.Ref):
        assert isinstance(callee, ast.Cast | ast.Unary)
        callee = callee.arg
    return callee.symbol.name


def _result_variable(low: LowerExpressions, expr: ast.Call, target: Var | None) -> Var:
    """Where the result goes: the target, or a temporary of the call's type."""
    return target if target is not None else low.scope.temporary(expr.type)


# --- inputs, assumptions, errors, ends ----------------------------------------------------------


def _nondet(low: LowerExpressions, expr: ast.Call, target: Var | None, wanted: bool) -> Expr | None:
    low.operands(*expr.args)
    if isinstance(expr.type, VoidType):
        return None
    result = low.scope.temporary(expr.type) if target is None else target
    if result.type is not expr.type:
        result = low.scope.temporary(expr.type)
    low.graph.emit(Havoc(result, Source.NONDET, _name(expr)), expr.coord)
    return result


def _inside(
    source: Source, low: LowerExpressions, expr: ast.Call, target: Var | None, wanted: bool
) -> Expr | None:
    """In a model: a value that the library gets from the environment, or one that it computes."""
    result = low.scope.temporary(expr.type)
    low.graph.emit(Havoc(result, source, low.scope.function), expr.coord)
    return result


def _assume(low: LowerExpressions, expr: ast.Call, target: Var | None, wanted: bool) -> Expr | None:
    low.graph.emit(Assume(low.condition(expr.args[0])), expr.coord)
    return None


def _promise(
    low: LowerExpressions, expr: ast.Call, target: Var | None, wanted: bool
) -> Expr | None:
    """__builtin_assume: where it does not hold is unreachable."""
    fails = make.negate(low.condition(expr.args[0]))
    low.graph.end_if(fails, Halt(UNREACHABLE, None), expr.coord)
    return None


def _assert(low: LowerExpressions, expr: ast.Call, target: Var | None, wanted: bool) -> Expr | None:
    holds, fails = low.graph.fresh(), low.graph.fresh()
    low.branch(expr.args[0], holds, fails)
    low.graph.here = fails
    low.graph.emit(Error(ErrorKind.ASSERTION, "assertion failed"), expr.coord)
    low.graph.here = holds
    return None


def _assert_fail(
    low: LowerExpressions, expr: ast.Call, target: Var | None, wanted: bool
) -> Expr | None:
    text = string_of(expr.args[0]) if expr.args else None
    message = f"assertion failed: {text}" if text else "assertion failed"
    low.graph.emit(Error(ErrorKind.ASSERTION, message), expr.coord)
    return None


def _error(low: LowerExpressions, expr: ast.Call, target: Var | None, wanted: bool) -> Expr | None:
    low.operands(*expr.args)
    low.graph.emit(Error(ErrorKind.ERROR_CALL, f"{_name(expr)}() is called"), expr.coord)
    return None


def _halt(low: LowerExpressions, expr: ast.Call, target: Var | None, wanted: bool) -> Expr | None:
    args = low.operands(*expr.args)
    name = _name(expr).removeprefix("__builtin_")
    low.graph.emit(Halt(name, args[0] if args else None), expr.coord)
    return None


# --- memory ---------------------------------------------------------------------------------------


def _alloc(
    kind: AllocKind, low: LowerExpressions, expr: ast.Call, target: Var | None, wanted: bool
) -> Expr | None:
    args = [make.cast(arg, low.model.size_type) for arg in low.operands(*expr.args)]
    zeroed = len(args) == 2  # calloc
    result = _result_variable(low, expr, target)
    if not isinstance(
        result.type, PointerType
    ):  # used without a declaration: an int, as C89 has it
        result = low.scope.temporary(low.model.pointer(VOID))
    allocate(low.names, low.graph, result, tuple(args), kind, expr.coord, zeroed=zeroed)
    return convert(result, expr.type)


def _alloca(low: LowerExpressions, expr: ast.Call, target: Var | None, wanted: bool) -> Expr | None:
    """alloca with an alignment, which blocks have that are aligned like all others."""
    size_only = replace(expr, args=expr.args[:1])
    return _alloc(AllocKind.STACK, low, size_only, target, wanted)


def _free(low: LowerExpressions, expr: ast.Call, target: Var | None, wanted: bool) -> Expr | None:
    low.graph.emit(Free(low.value(expr.args[0])), expr.coord)
    return None


def _memset(low: LowerExpressions, expr: ast.Call, target: Var | None, wanted: bool) -> Expr | None:
    pointer, byte, size = low.operands(*expr.args[:3])
    if wanted:
        pointer = low.saved(pointer, expr.coord)
    size = make.cast(size, low.model.size_type)
    low.graph.emit(Fill(pointer, make.cast(byte, INT), size), expr.coord)
    return pointer


def _memcpy(low: LowerExpressions, expr: ast.Call, target: Var | None, wanted: bool) -> Expr | None:
    pointer, source, size = low.operands(*expr.args[:3])
    if wanted:
        pointer = low.saved(pointer, expr.coord)
    low.graph.emit(Copy(pointer, source, make.cast(size, low.model.size_type)), expr.coord)
    return pointer


def _object_size(
    low: LowerExpressions, expr: ast.Call, target: Var | None, wanted: bool
) -> Expr | None:
    return ObjectSize(low.value(expr.args[0]), low.model.size_type)


# --- output ---------------------------------------------------------------------------------------


def _print(low: LowerExpressions, expr: ast.Call, target: Var | None, wanted: bool) -> Expr | None:
    refuse_counts(expr)
    args = low.operands(*expr.args)
    result = None
    if wanted and not isinstance(expr.type, VoidType):
        result = _result_variable(low, expr, target)
    name = _name(expr).removeprefix("__builtin_")
    low.graph.emit(Print(result, name, tuple(args)), expr.coord)
    return result


def _scan(
    fixed: int,
    source: Source,
    low: LowerExpressions,
    expr: ast.Call,
    target: Var | None,
    wanted: bool,
) -> Expr | None:
    """scanf and its kin: what the pointers behind the format lead to takes any value. What sscanf
    finds is computed from its argument, so that it is no input."""
    name = library_name(_name(expr))
    format_ = string_of(expr.args[fixed - 1]) if len(expr.args) >= fixed else None
    limits = () if format_ is None else tuple(most_bytes(format_))
    unmodelled.scan(low, name, low.operands(*expr.args)[fixed:], limits, source, expr.coord)
    if not wanted:
        return None
    result = _result_variable(low, expr, target)
    low.graph.emit(Havoc(result, source, name), expr.coord)
    return result


_ALWAYS: dict[str, Handler] = {
    "__VERIFIER_error": _error,
    "reach_error": _error,
    "__VERIFIER_assume": _assume,
}

_HANDLED: dict[str, Handler] = {
    **dict.fromkeys(("assert",), _assert),
    **dict.fromkeys(("__assert_fail", "__assert", "__assert_rtn"), _assert_fail),
    **dict.fromkeys(("abort", "exit", "_exit", "_Exit", "quick_exit"), _halt),
    **dict.fromkeys(("scanf", "__isoc99_scanf"), partial(_scan, 1, Source.EXTERN)),
    **dict.fromkeys(("fscanf", "__isoc99_fscanf"), partial(_scan, 2, Source.EXTERN)),
    **dict.fromkeys(("sscanf", "__isoc99_sscanf"), partial(_scan, 2, Source.UNKNOWN)),
    **dict.fromkeys(("malloc", "calloc"), partial(_alloc, AllocKind.HEAP)),
    "alloca": partial(_alloc, AllocKind.STACK),
    "free": _free,
    "memset": _memset,
    **dict.fromkeys(("memcpy", "memmove"), _memcpy),
    "__predabs_object_size": _object_size,
    **dict.fromkeys(
        ("printf", "puts", "putchar", "fprintf", "fputs", "putc", "fputc", "perror"), _print
    ),
    **dict.fromkeys(("fflush", "__VERIFIER_atomic_begin", "__VERIFIER_atomic_end"), nothing),
    **SYNC,
    **math_functions.LIBRARY,
}

_BUILTIN: dict[str, Handler] = {
    **BUILTIN,
    **math_functions.BUILTIN,
    **dict.fromkeys(("trap", "unreachable"), _halt),
    "assume": _promise,
    **dict.fromkeys(("alloca_with_align", "alloca_uninitialized"), _alloca),
}
