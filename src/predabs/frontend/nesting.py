"""Room for deeply nested C, in what walks syntax by recursion."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from ..errors import UnsupportedFeature
from ..supervise.garbage import uncollected

# pure Python calls take no C stack, so this only bounds the heap that a hostile nesting can use
_MAX_DEPTH = 100_000


@contextmanager
def room_for_nesting(files: Sequence[str]) -> Iterator[None]:
    """Room for deeply nested C; what is nested even deeper is refused, not a crash."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, _MAX_DEPTH))
    try:
        with uncollected():
            yield
    except RecursionError:
        raise UnsupportedFeature(f"{files[0]}: expressions or statements nested too deep") from None
    finally:
        sys.setrecursionlimit(before)
