"""Images: numeric assignments that are no linear forms, as functions on bounds of variables.

A numeric domain knows linear constraints alone. What arithmetic of floating point makes of numbers
is computed from the bounds of the variables that it reads, in each numeric element by itself
[Min04], and the result is put back as constraints. So it works for all numeric domains.

>>> from ...domains.box import BoxDomain
>>> from ...domains.linear import equal, variable
>>> box = BoxDomain()
>>> square = Image("y := x * x", ("x",), lambda known: {"y": (0, known["x"][1] ** 2)})
>>> print(square.applied(box, {"x", "y"}, box.alpha([equal(variable("x"), 3)]), box.top()))
{0 <= y <= 9}
"""

from __future__ import annotations

from collections.abc import Callable, Container, Hashable, Mapping
from typing import TypeVar

from ...domains.linear import Constraint, Variable, at_most, variable
from ...domains.numeric_domain import Bounds, NumericDomain
from ...records import dataclass

N = TypeVar("N", bound=Hashable)


@dataclass(frozen=True, slots=True, eq=False)
class Image:
    """What holds after a step: bounds for some variables, from bounds of those that are read.

    `compute` gives None if there is no state after. Soundness duty: each state after the step, from
    a state whose variables lie within their bounds, has its variables within the bounds given.
    """

    text: str
    reads: tuple[Variable, ...]
    compute: Callable[[Mapping[Variable, Bounds]], Mapping[Variable, Bounds] | None]

    def __str__(self) -> str:
        return self.text

    def applied(
        self, domain: NumericDomain[N], tracked: Container[Variable], before: N, after: N
    ) -> N:
        """`after` with what the image of `before` says about variables that are tracked."""
        if domain.is_bot(before):
            return before
        known = {name: domain.bounds(before, variable(name)) for name in self.reads}
        found = self.compute(known)
        if found is None:
            return domain.bottom()
        return domain.assume_all(
            after,
            [
                part
                for name, bounds in found.items()
                if name in tracked
                for part in _within(name, bounds)
            ],
        )


def _within(name: Variable, bounds: Bounds) -> list[Constraint]:
    low, high = bounds
    found = [] if low is None else [at_most(low, variable(name))]
    return found if high is None else [*found, at_most(variable(name), high)]
