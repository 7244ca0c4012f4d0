"""The Parma Polyhedra Library, if it is installed, loaded so that the process keeps its signals.

It is an extra of the package (`predabs[polyhedra]`), because its licence is the GPL. It is loaded
when it is first used. Loading ppl replaces the handlers of ten signals (most through its cysignals
part), among them SIGINT, SIGHUP and SIGALRM. predabs ends processes by them, so they get back what
they had. It can be loaded in the main thread only.
"""

from __future__ import annotations

import faulthandler
import signal
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from ..errors import NotInstalled

_CRASHES = {signal.SIGABRT, signal.SIGBUS, signal.SIGFPE, signal.SIGILL, signal.SIGSEGV}
_ENDS = {signal.SIGALRM, signal.SIGHUP, signal.SIGINT, signal.SIGPROF, signal.SIGQUIT}
_MODULE = "ppl"


def require() -> None:
    """Raise `NotInstalled` if the library cannot be found; it is not loaded for that."""
    if find_spec(_MODULE) is None:
        raise _missing("they are an extra of the package")


def _missing(why: str) -> NotInstalled:
    return NotInstalled(f"polyhedra are not installed ({why}): pip install 'predabs[polyhedra]'")


@cache
def load() -> Any:
    """The library, or `NotInstalled`."""
    require()
    before = {number: signal.getsignal(number) for number in _ENDS | _CRASHES}
    try:
        return import_module(_MODULE)
    except ImportError as error:  # of the library's own parts
        raise _missing(str(error)) from error
    finally:
        for number, handler in before.items():
            # the handlers of faulthandler cannot be seen and so cannot be put back
            if handler is not None and not (number in _CRASHES and faulthandler.is_enabled()):
                signal.signal(number, handler)


class _Library:
    """The names of the library."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)  # those who look at modules ask for such
        found = getattr(load(), name)
        setattr(self, name, found)  # the next time it is there
        return found


ppl: Any = _Library()
