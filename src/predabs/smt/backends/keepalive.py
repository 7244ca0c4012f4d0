"""Native term managers die last.

A Python term of bitwuzla or cvc5 refers to its manager, but when both are garbage in one cycle
(the traceback of an exception is enough), Python may free the manager first, and the process
crashes in the term. So a manager whose owner dies is kept until the next one is made, when the
collection of the cycle is surely over, and at the end of the process it is not freed at all.
"""

from __future__ import annotations

import atexit
import ctypes
import weakref

_RETIRED: list[object] = []


def outlive(owner: object, manager: object) -> None:
    """Sees to it that the manager lives longer than its owner and the terms beside it."""
    _RETIRED.clear()
    weakref.finalize(owner, _RETIRED.append, manager)


@atexit.register
def _forget_nothing() -> None:
    ctypes.pythonapi.Py_IncRef(ctypes.py_object(_RETIRED))
