"""What holds on a path of a BDD: a numeric element, and literals that it could not take in.

`x != 3` cuts nothing off an interval around 3, and a Box cannot hold `x + y <= 4` before it knows
bounds of x and y. Such literals are kept beside the numeric element and are tried again at the end
of the path, when it has become smaller. Soundness duty: a state in which all literals of a path
hold is in the numeric element that `final` gives.

>>> from ...domains.box import BoxDomain
>>> from ...domains.linear import at_most, equal, variable
>>> x = variable("x")
>>> contexts = Contexts(BoxDomain())
>>> context = contexts.narrowed(contexts.top, equal(x, 3).negation())
>>> context = contexts.narrowed(context, (at_most(3, x),))
>>> print(contexts.final(context))
{4 <= x}
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Generic, TypeAlias, TypeVar

from ...domains.numeric_domain import NumericDomain
from .vocabulary import Alternatives

N = TypeVar("N", bound=Hashable)
Context: TypeAlias = tuple[N, tuple[Alternatives, ...]]


class Contexts(Generic[N]):
    """Contexts over one numeric domain."""

    def __init__(self, numeric_domain: NumericDomain[N]) -> None:
        self._numeric_domain = numeric_domain
        self.top: Context[N] = (numeric_domain.top(), ())

    def begin(self, element: N) -> Context[N]:
        return element, ()

    def is_empty(self, context: Context[N]) -> bool:
        return self._numeric_domain.is_bot(context[0])

    def narrowed(self, context: Context[N], meant: Alternatives | None) -> Context[N]:
        """With what a literal says about numbers, if it says anything."""
        if meant is None:
            return context
        element, pending = context
        if len(meant) == 1:
            exact = self._numeric_domain.exact(meant[0])
            return self._numeric_domain.assume(element, meant[0]), pending if exact else (
                *pending,
                meant,
            )
        element, decided = self._any(element, meant)
        return element, pending if decided else (*pending, meant)

    def final(self, context: Context[N]) -> N:
        """The numeric element at the end of the path."""
        element, pending = context
        for meant in pending:
            if len(meant) == 1:
                element = self._numeric_domain.assume(element, meant[0])
            else:
                element, _ = self._any(element, meant)
        return element

    def _any(self, element: N, meant: Alternatives) -> tuple[N, bool]:
        """Where one of them holds, and whether only one was possible."""
        parts = [self._numeric_domain.assume(element, constraint) for constraint in meant]
        possible = [part for part in parts if not self._numeric_domain.is_bot(part)]
        if not possible:
            return self._numeric_domain.bottom(), True
        union = possible[0]
        for part in possible[1:]:
            union = self._numeric_domain.join(union, part)
        return union, len(possible) == 1
