"""Python's garbage collector has a rest while a program is read and analysed."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

_freezes = False


def freeze() -> None:
    """What there is now is never looked through again, nor what is made while garbage is
    `uncollected`: this process ends before long."""
    global _freezes
    _freezes = True
    gc.freeze()


@contextmanager
def uncollected() -> Iterator[None]:
    """Garbage is not collected: nearly all that is made is kept, and to look through it again and
    again takes longer than to make it.

    >>> with uncollected():
    ...     gc.isenabled()
    False
    """
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            if _freezes:
                gc.freeze()
            gc.enable()
