"""The Parma Polyhedra Library, loaded so that the process keeps its signals.

Loading ppl replaces the handlers of ten signals (most through its cysignals part), among them
SIGINT, SIGHUP and SIGALRM. predabs ends processes by them, so they get back what they had. It can
be loaded in the main thread only.
"""

from __future__ import annotations

import faulthandler
import signal
from importlib import import_module
from typing import Any

_CRASHES = {signal.SIGABRT, signal.SIGBUS, signal.SIGFPE, signal.SIGILL, signal.SIGSEGV}
_ENDS = {signal.SIGALRM, signal.SIGHUP, signal.SIGINT, signal.SIGPROF, signal.SIGQUIT}


def _load() -> Any:
    before = {number: signal.getsignal(number) for number in _ENDS | _CRASHES}
    library = import_module("ppl")
    for number, handler in before.items():
        # the handlers of faulthandler cannot be seen and so cannot be put back
        if handler is not None and not (number in _CRASHES and faulthandler.is_enabled()):
            signal.signal(number, handler)
    return library


ppl = _load()
