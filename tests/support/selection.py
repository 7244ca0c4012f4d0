"""Which cases of a large family are for every day, and which are for `make test-long`."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Any

import pytest


def mostly_long(
    cases: Sequence[Any],
    few: int,
    name: Callable[[Any], str] | None = None,
    costly: Collection[str] = (),
) -> list[Any]:
    """All cases for `parametrize`; all but a few, taken evenly from among them, are long. A case of
    several arguments is a tuple; `name` gives its name, if pytest's own will not do; those named
    `costly` are long in any case.

    >>> [len(case.marks) for case in mostly_long(range(6), 2)]
    [0, 1, 1, 0, 1, 1]
    """
    cheap = [n for n, case in enumerate(cases) if name is None or name(case) not in costly]
    short = {cheap[len(cheap) * number // few] for number in range(few)}
    return [
        pytest.param(
            *(case if isinstance(case, tuple) else (case,)),
            marks=() if number in short else pytest.mark.long,
            id=None if name is None else name(case),
        )
        for number, case in enumerate(cases)
    ]
