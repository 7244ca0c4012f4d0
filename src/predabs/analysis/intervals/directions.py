"""Bounds of linear sums of variables at a loop's head, which every round of the loop keeps.

A box seldom survives a round of a digital filter, although the filter is stable. So bounds are
sought for more than the variables: where a round makes A x + B u of x, a bound of d . x after it
follows from one of (A' d) . x before it, and from the inputs. The directions d, A' d, A' A' d ...
become short if the loop is stable; the last ones are bounded by the box. Together, their bounds are
an invariant, a template polyhedron with the program's own templates [SSM05; Fer04 has filters]. A
variable that grows in each round, and does not depend on itself otherwise, has a bound that rises
with a counter of the rounds [BCC+03, section 6.2.4].

Soundness duty: if the variables lie in the entering ranges when a run first comes to the head, and
each of its rounds is one of those given, whenever the variables lie in the known ranges before it,
then every sum is at most its bound each time that the run is at the head.

>>> up(0.1, 0.2) > 0.1 + 0.2
True
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from math import inf, nextafter
from sys import float_info
from typing import TypeAlias

from ...ir.expr import Var
from ...ir.types import IntType
from ...records import dataclass
from .linear_forms import Linear, Range, Ranges, unit
from .loop_rounds import Outcome

Direction: TypeAlias = tuple[float, ...]

_MOST_STEPS = 300  # of all directions, if that is more than a few of them
_SWEEPS = 60
_LARGEST = float_info.max
_STEADY = 1e-4  # a sweep that changes less is the last one


@dataclass(frozen=True, slots=True)
class _Step:
    """After a round, the sum is at most `rest` plus the sum in the direction `before` was, and at
    most `most`."""

    before: Direction | None
    rest: float
    most: float


@dataclass(frozen=True, slots=True)
class _Clock:
    """A variable less a slope times a counter, as a direction, and the counter as one."""

    direction: Direction
    slope: float
    counter: Direction


def up(one: float, two: float) -> float:
    """No less than the exact sum."""
    total = one + two
    return total if not one or not two else nextafter(total, inf)


class Directions:
    """The bounds of one loop, if the variables stay in the box that is tried; `leaving` has those
    that may not, and where a round may take them. What is `known` of the variables at the head
    holds anyway. Bounds of the sums that are `asked` for are sought too."""

    def __init__(
        self,
        entering: Mapping[Var, Range],
        known: Mapping[Var, Range],
        tried: Mapping[Var, Range],
        rounds: Sequence[Outcome],
        asked: Callable[[Directions], Iterable[Direction]],
    ) -> None:
        self.variables = tuple(tried)
        self._units: list[Direction] = [
            tuple(sign if other is var else 0.0 for other in self.variables)
            for var in self.variables
            for sign in (1.0, -1.0)
        ]
        self._rounds = rounds
        self._least = 4 * len(self._units)
        self._tried = self._ends(tried)
        self._known = self._ends(known)
        self.bounds = self._ends(entering)
        self._first: dict[Direction, float] = {}  # when the run comes to the loop
        self._steps: dict[Direction, list[_Step]] = {}
        self._clocks: dict[Direction, list[_Clock]] = {}
        waiting = list(self._units)
        for number, direction in enumerate(waiting):  # grows
            if len(self._steps) * len(rounds) >= _MOST_STEPS and len(self._steps) >= self._least:
                break
            if direction not in self._steps:
                steps = self._steps[direction] = [self._step(direction, made) for made in rounds]
                waiting += [step.before for step in steps if step.before is not None]
                self._first[direction] = self._in_box(direction, self._corner)
            if number == len(self._units) - 1:
                clocks = [clock for one in self._units for clock in self._clocked(one)]
                waiting[number + 1 : number + 1] = [clock.direction for clock in clocks]
                waiting += asked(self)
        self.leaving = self._solve()

    def _ends(self, ranges: Mapping[Var, Range]) -> dict[Direction, float]:
        ends = (
            end for low, high in map(ranges.__getitem__, self.variables) for end in (high, -low)
        )
        return dict(zip(self._units, ends, strict=True))

    # --- one round --------------------------------------------------------------------------------

    def _step(self, direction: Direction, outcome: Outcome) -> _Step:
        most = 0.0
        total: Linear | None = Linear({})
        for var, factor in zip(self.variables, direction, strict=True):
            if not factor:
                continue
            low, high = outcome.bounds.get(var, (-inf, inf))
            finite = -inf < low and high < inf
            most = up(most, _times(factor, high if factor > 0 else low)) if finite else inf
            form = outcome.forms.get(var)
            if form is None or total is None:
                total = None
            else:
                total = total.plus(form.times(Fraction(factor)))
        if total is None:
            return _Step(None, inf, most)
        before, rest = self.split(total, outcome.ranges)
        return _Step(before, rest, most)

    def split(self, form: Linear, ranges: Ranges) -> tuple[Direction, float]:
        """A form is at most the sum in a direction plus a number."""
        before: list[float] = []
        rest = form.constant + form.error
        for var in self.variables:
            factor = form.coefficients.get(var, Fraction(0))
            if abs(factor) > _LARGEST:
                return (0.0,) * len(self.variables), inf
            near = float(factor)
            before.append(near + 0.0)
            off = factor - Fraction(near)
            if off:
                low, high = ranges[var]
                rest += abs(off) * Fraction(max(abs(low), abs(high)))
        for key, factor in form.coefficients.items():
            if key not in self.variables:
                end = ranges[key][1 if factor > 0 else 0]
                if abs(end) == inf:
                    return tuple(before), inf
                rest += factor * Fraction(end)
        return tuple(before), _above(rest)

    def _clocked(self, one: Direction) -> list[_Clock]:
        """For a variable that grows by something in a round, and counters that are moved: how much
        less it is than so many times the counter."""
        growing = [
            (step.rest, outcome)
            for step, outcome in zip(self._steps[one], self._rounds, strict=True)
            if step.before == one and 0 < step.rest < inf
        ]
        clocks = self._clocks[one] = []
        for place, var in enumerate(self.variables):
            if not growing or not isinstance(var.type, IntType) or one[place]:
                continue
            moves = [(rest, _moved(var, outcome)) for rest, outcome in growing]
            for sign in (1, -1):
                if all(sign * move > 0 for _, move in moves):
                    slope = max(nextafter(rest / (sign * move), inf) for rest, move in moves)
                    direction = list(one)
                    direction[place] = -sign * slope
                    counter = self._units[2 * place + (sign < 0)]
                    clocks.append(_Clock(tuple(direction), slope, counter))
        return clocks

    # --- all rounds -------------------------------------------------------------------------------

    def of(self, direction: Direction) -> float:
        """A bound of the sum."""
        return min(self.bounds.get(direction, inf), self._in_box(direction, self._corner))

    def range(self, var: Var) -> Range:
        place = 2 * self.variables.index(var)
        one, two = self._units[place : place + 2]
        return -self.bounds[two], self.bounds[one]

    def _corner(self, place: int, sign: float) -> float:
        """No sign times this variable is larger."""
        return self.bounds[self._units[2 * place + (sign < 0)]]

    def _in_box(self, direction: Direction, corner: Callable[[int, float], float]) -> float:
        total = 0.0
        for place, factor in enumerate(direction):
            if factor:
                total = up(total, _times(abs(factor), corner(place, factor)))
        return total

    def _after(self, direction: Direction) -> float:
        """A bound of the sum when the run comes to the head, if all bounds held the last time."""
        found = self._first[direction]
        for step in self._steps[direction]:
            if step.before == direction and step.rest <= 0:
                continue  # it does not grow
            most = step.most
            if step.before is not None and step.rest < most:
                most = min(most, up(step.rest, self.of(step.before)))
            found = max(found, most)
        for clock in self._clocks.get(direction, ()):
            moved = _times(clock.slope, self.bounds[clock.counter])
            found = min(found, up(self.of(clock.direction), moved))
        return found

    def _solve(self) -> dict[Var, Range]:
        """From the box that is tried down, as long as that changes something; what leaves it. Once
        a sweep has shown that all bounds hold for one round more, they are an invariant, and so are
        those after each further sweep."""
        others = [direction for direction in reversed(self._steps) if direction not in self._tried]
        self.bounds.update(self._tried)
        for direction in others:
            self.bounds[direction] = self._after(direction)
        after = {unit: min(self._after(unit), self._known[unit]) for unit in self._units}
        wrong = [place for place, unit in enumerate(self._units) if after[unit] > self._tried[unit]]
        self.bounds.update(after)
        if wrong:
            leaving = dict.fromkeys(self.variables[place // 2] for place in wrong)
            return {var: self.range(var) for var in leaving}
        for _ in range(_SWEEPS):
            before = [self.bounds[unit] for unit in self._units]
            for direction in (*others, *self._units):
                self.bounds[direction] = min(self.bounds[direction], self._after(direction))
            if all(
                old - self.bounds[unit] <= _STEADY * abs(old)
                for old, unit in zip(before, self._units, strict=True)
            ):
                break
        return {}


def _times(factor: float, end: float) -> float:
    """No less than the exact product."""
    return factor * end if abs(factor) == 1 else nextafter(factor * end, inf)


def _moved(var: Var, outcome: Outcome) -> int:
    """What a round adds to a counter, if it does nothing else."""
    form = outcome.forms.get(var)
    if form is None or form.coefficients != unit(var).coefficients:
        return 0
    return int(form.constant)


def _above(exact: Fraction) -> float:
    if abs(exact) > _LARGEST:
        return inf if exact > 0 else -_LARGEST
    near = float(exact)
    return near if Fraction(near) >= exact else nextafter(near, inf)
