"""Python's garbage collector has a rest while a program is read and analysed."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def uncollected() -> Iterator[None]:
    """Garbage is not collected: nearly all that is made is kept, and to look through it again and
    again takes longer than to make it. In a child process (see `child`), which ends before long,
    it is never looked through afterwards either.

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
            if gc.get_freeze_count():
                gc.freeze()
            gc.enable()
