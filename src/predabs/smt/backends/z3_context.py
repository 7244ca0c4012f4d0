"""A z3 context, and the duty to count references in it.

z3 frees a term that nobody counts at the next call, and deletes a context in which something is
still counted in quadratic time: so what is kept is counted once, and given back before the context
goes. It goes when the last solver, model or translator that uses it has gone, but not at the end
of the process, where that would only take time.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable
from typing import Any

import z3

from ...errors import InternalError


def c_function(name: str) -> Callable[..., Any]:
    """The C function below z3py's wrapper, which would ask for an error after each call; a term
    that could not be made is a null pointer, and `Z3Context.keep` asks then."""
    wrapper = getattr(z3, name)
    function: Callable[..., Any] = getattr((wrapper.__defaults__ or (None,))[0], "f", wrapper)
    return function


_INC_REF = c_function("Z3_inc_ref")
_DEC_REF = c_function("Z3_dec_ref")


class Z3Context:
    """Owns the native context `ref` and the terms in it that were kept."""

    def __init__(self) -> None:
        config = z3.Z3_mk_config()
        self.ref = z3.Z3_mk_context_rc(config)
        z3.Z3_del_config(config)
        # without a handler of ours z3 ends the process on an error; the object must stay alive
        handler = z3.Z3_set_error_handler(self.ref, lambda context, error: None)
        self._kept: list[Any] = []
        _at_death(self, _free, self.ref, self._kept, handler)

    def keep(self, ast: Any) -> Any:
        """Counts a new native term as ours until the context goes."""
        if not ast:
            error = z3.Z3_get_error_msg(self.ref, z3.Z3_get_error_code(self.ref))
            raise InternalError(f"z3 refused a term: {error}")
        _INC_REF(self.ref, ast)
        self._kept.append(ast)
        return ast

    def lend(self, user: object, handle: Any, give_back: Callable[[Any, Any], None]) -> None:
        """Calls `give_back(ref, handle)` when the user dies, and stays alive until then."""
        _at_death(user, _give_back, self, handle, give_back)


def _at_death(owner: object, call: Callable[..., None], *args: Any) -> None:
    # the arguments are kept alive by the finalizer itself, even if all is garbage at once
    weakref.finalize(owner, call, *args).atexit = False


def _free(ref: Any, kept: list[Any], handler: object) -> None:
    for ast in reversed(kept):
        _DEC_REF(ref, ast)
    z3.Z3_del_context(ref)


def _give_back(context: Z3Context, handle: Any, give_back: Callable[[Any, Any], None]) -> None:
    give_back(context.ref, handle)
