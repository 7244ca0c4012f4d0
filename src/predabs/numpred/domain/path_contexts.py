"""What holds on a path of a diagram: a number value, and literals that it could not take in.

`x != 3` cuts nothing off an interval around 3, and a Box cannot hold `x + y <= 4` before it knows
bounds of x and y. Such literals are kept beside the number value and are tried again at the end of
the path, when it has become smaller. Duty: a state in which all literals of a path hold is in the
number value that `final` gives.

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

    def __init__(self, numbers: NumericDomain[N]) -> None:
        self._numbers = numbers
        self.top: Context[N] = (numbers.top(), ())

    def begin(self, number: N) -> Context[N]:
        return number, ()

    def is_empty(self, context: Context[N]) -> bool:
        return self._numbers.is_bot(context[0])

    def narrowed(self, context: Context[N], meant: Alternatives | None) -> Context[N]:
        """With what a literal says about numbers, if it says anything."""
        if meant is None:
            return context
        number, pending = context
        if len(meant) == 1:
            exact = self._numbers.exact(meant[0])
            return self._numbers.assume(number, meant[0]), pending if exact else (*pending, meant)
        number, decided = self._any(number, meant)
        return number, pending if decided else (*pending, meant)

    def final(self, context: Context[N]) -> N:
        """The number value at the end of the path."""
        number, pending = context
        for meant in pending:
            if len(meant) == 1:
                number = self._numbers.assume(number, meant[0])
            else:
                number, _ = self._any(number, meant)
        return number

    def _any(self, number: N, meant: Alternatives) -> tuple[N, bool]:
        """Where one of them holds, and whether only one was possible."""
        parts = [self._numbers.assume(number, constraint) for constraint in meant]
        possible = [part for part in parts if not self._numbers.is_bot(part)]
        if not possible:
            return self._numbers.bottom(), True
        union = possible[0]
        for part in possible[1:]:
            union = self._numbers.join(union, part)
        return union, len(possible) == 1
