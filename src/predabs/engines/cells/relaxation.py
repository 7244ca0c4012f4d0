"""Constant relaxation [FM10]: what is wanted in the end, said of how far a loop has come.

Of `x + y == n` behind a loop that ends where `i == n`, the loop keeps `x + y == i`.

No soundness duty: candidates may be anything.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ...ir.expr import Const, Expr, Var
from ...ir.walk import substitute, variables

_MOST = 24


def relaxed(values: Iterable[Expr], limits: Iterable[tuple[Expr, Expr]]) -> Iterator[Expr]:
    """Conditions with an index for its limit; `limits` are pairs of both."""
    pairs = [
        (index, limit)
        for index, limit in limits
        if isinstance(limit, Var | Const) and limit.type is index.type
    ]
    count = 0
    for value in values:
        for index, limit in pairs:
            if index in variables(value):
                continue
            found = substitute(value, {limit: index})
            if found is not value and count < _MOST:
                count += 1
                yield found
