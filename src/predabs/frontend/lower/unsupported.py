"""Library functions that predabs does not follow: threads, signals, jumps out of a function ...

A call of one of them becomes an error of a kind of its own: it is no violation, but nothing is
known of a run from there on. Soundness duty: no proof holds unless no run comes there.
"""

from __future__ import annotations

from ...errors import UnsupportedFeature
from ...ir import make
from ...ir.expr import Cast, Const, Expr, Var
from ...ir.ops import Error, ErrorKind, Havoc, Source
from ...ir.types import INT, VoidType
from .. import ast
from .expressions import LowerExpressions

REACHED = {
    "pthread_create": "threads",
    "thrd_create": "threads",
    "atexit": "functions that run at the exit",
    "on_exit": "functions that run at the exit",
    "at_quick_exit": "functions that run at the exit",
    "signal": "signals",
    "sigaction": "signals",
    "raise": "signals",
    "kill": "signals",
    "fork": "processes",
    "vfork": "processes",
    "longjmp": "non-local jumps",
    "_longjmp": "non-local jumps",
    "siglongjmp": "non-local jumps",
    "fesetenv": "other rounding modes",
    "getopt": "options of a command line",
    "getopt_long": "options of a command line",
}
# what the whole function around would have to be lowered for
_REFUSED = {
    "va_arg_pack": "arguments of the caller",
    "va_arg_pack_len": "arguments of the caller",
    "apply": "arguments of the caller",
    "apply_args": "arguments of the caller",
    "eh_return": "non-local jumps",
    "unwind_init": "non-local jumps",
}
# these return once more only after a longjmp, where the run has ended
SET_JUMP = frozenset(["setjmp", "_setjmp", "sigsetjmp", "__sigsetjmp"])
NAMES = frozenset([*REACHED, *_REFUSED, *SET_JUMP])
_NO_HANDLERS = (0, 1)  # SIG_DFL, SIG_IGN


def lower(
    name: str, low: LowerExpressions, expr: ast.Call, target: Var | None, wanted: bool
) -> Expr | None:
    """Lower a call of one of `NAMES`."""
    if name in _REFUSED:
        raise UnsupportedFeature(f"{expr.coord}: {name}: {_REFUSED[name]} are not supported")
    args = low.operands(*expr.args)
    if name in SET_JUMP:
        return make.const(0, INT)
    if _is_harmless(name, args):
        if isinstance(expr.type, VoidType):
            return None
        result = low.scope.temporary(expr.type)
        low.graph.emit(Havoc(result, Source.UNKNOWN, name), expr.coord)
        return result
    return end(low, expr, f"{name}: {REACHED[name]} are not supported")


def end(low: LowerExpressions, expr: ast.Call, what: str) -> Expr | None:
    """Nothing is known from here on; what follows for a call's value, nobody will read."""
    low.graph.emit(Error(ErrorKind.UNSUPPORTED, what), expr.coord)
    return None if isinstance(expr.type, VoidType) else low.scope.temporary(expr.type)


def _is_harmless(name: str, args: list[Expr]) -> bool:
    """Does a call only say that no function of the program handles a signal?"""
    if name != "signal" or len(args) != 2:
        return False
    handler = args[1]
    while isinstance(handler, Cast):
        handler = handler.arg
    return isinstance(handler, Const) and handler.value in _NO_HANDLERS
