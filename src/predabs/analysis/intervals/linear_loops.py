"""Bounds of floating-point variables in loops that are stable, as those of digital filters.

Widening takes the bounds of a variable that is computed from itself to infinity, or to a number far
away. So each loop of which all rounds are known (`loop_rounds`) is looked at once more: a box is
guessed, and bounds of sums of its variables show that no round leaves it (`directions`). Then that
is known, the same is tried with the box that was found, and so on.

Soundness duty: that of the fixpoint. Only what was shown to hold in all runs goes into the states.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from math import inf

from ...ir.cfa import Edge, Function, Location, Program
from ...ir.expr import Binary, Var
from ...ir.ops import Assign, Call, Operation
from ...ir.order import location_graph, weak_order
from ...ir.types import FloatType, IntType
from ...ir.walk import subterms
from ...records import dataclass
from ..modref import ModRef
from . import float_bounds, interval
from .directions import Direction, Directions, up
from .linear_forms import Linear, Range
from .loop_rounds import LoopRounds, Outcome, Rounds, ends_of
from .nested_loops import NestedLoops
from .state import State

_GUESSES = (1e2, 1e5, 1e10)  # times the numbers that are there when the loop begins
_LARGER = 5  # boxes that are tried, larger than what leaves the one before
_MOST_VARIABLES = 12
_MOST_COUNTERS = 3
_PASSES = 12  # with boxes that were found
_WORTH = 0.99  # a box that is not smaller than this is as good as the last one
_MOST_LOOPS = 40  # of one program
_PLENTY = 1 << 60  # transfers: there is an end


@dataclass(frozen=True, slots=True)
class _Found:
    """The ranges at the head of a loop, and of variables that were just assigned."""

    at_head: Mapping[Var, Range]
    inside: Mapping[tuple[Location, Var], Range]


class LinearLoops(NestedLoops):
    """The fixpoint, with smaller states in loops that are linear maps."""

    def _solve(self) -> None:
        super()._solve()
        self.linear_loops = 0  # of which something was found
        if self._hurries:
            return
        self._transfers_left = _PLENTY
        self._computing = computing(self._functions, self._callees)
        loops = [loop for function in self._functions.values() for loop in self._loops(function)]
        for function, head, inside in loops[:_MOST_LOOPS]:
            found = self._look(function, head, inside)
            if found is not None:
                self.linear_loops += 1
                self._learn(function, head, found)
        if self.linear_loops:
            self._narrow()

    def _loops(
        self, function: Function
    ) -> Iterator[tuple[Function, Location, frozenset[Location]]]:
        """The loops that compute with floating-point numbers, and are entered at their heads."""
        if function.name not in self._computing:
            return
        order, heads = self._order(function)
        for head, place in heads.items():
            inside = frozenset(order.order[place : order.ends[head]])
            if not any(
                _computes(edge.op) or not self._computing.isdisjoint(self._called(edge))
                for location in inside
                for edge in function.outgoing[location]
            ):
                continue
            entered = all(
                edge.src in inside
                for location in inside
                if location is not head
                for edge in function.incoming[location]
            )
            if head in self.states and entered:
                yield function, head, inside

    def _called(self, edge: Edge) -> tuple[str, ...]:
        return self._transfer.callees(edge) if isinstance(edge.op, Call) else ()

    # --- one loop ---------------------------------------------------------------------------------

    def _look(
        self, function: Function, head: Location, inside: frozenset[Location]
    ) -> _Found | None:
        entering = self._entering(function, head, inside)
        if entering is None:
            return None
        rounds = LoopRounds(self._transfer, head, inside)
        first = {
            var: ends_of(var, bounds)
            for var, bounds in entering.items()
            if isinstance(var.type, FloatType) and var.type.bits <= float_bounds.BITS
        }
        first = {var: ends for var, ends in first.items() if _is_finite(ends)}
        if not first or len(first) > _MOST_VARIABLES:
            return None
        counters = {
            var: ends_of(var, entering[var])
            for var, bounds in self.states[head].items()
            if isinstance(var.type, IntType)
            and entering.get(var, bounds) != bounds
            and _is_finite(ends_of(var, bounds))
        }
        few = counters if len(counters) <= _MOST_COUNTERS else {}
        return self._guessed(rounds, self.states[head], first, few)

    def _guessed(
        self,
        rounds: LoopRounds,
        state: State,
        first: Mapping[Var, Range],
        counters: Mapping[Var, Range],
    ) -> _Found | None:
        """The first guess that holds; if none does, for fewer variables. Counters have the bounds
        that they have."""
        largest = max(1.0, *(abs(end) for ends in first.values() for end in ends))
        first = {**first, **counters}
        known = {var: ends_of(var, state.get(var)) for var in first}
        while len(first) > len(counters):
            leaving: Mapping[Var, Range] = {}
            for guess in _GUESSES:
                size = guess * largest
                box = {
                    var: ends if var in counters else _common(ends, (-size, size))
                    for var, ends in known.items()
                    if var in first
                }
                for _ in range(_LARGER):
                    tried = self._tried(rounds, state, first, known, box)
                    if tried is None:
                        return None
                    found, ways = tried
                    if not found.leaving:
                        return self._repeated(rounds, state, first, known, found, ways)
                    leaving = found.leaving
                    if not all(map(_is_finite, leaving.values())):
                        break
                    box = {
                        var: _common(known[var], _hull(box[var], leaving.get(var))) for var in box
                    }
            first = {var: ends for var, ends in first.items() if var not in leaving}
        return None

    def _repeated(
        self,
        rounds: LoopRounds,
        state: State,
        first: Mapping[Var, Range],
        known: Mapping[Var, Range],
        found: Directions,
        ways: Rounds,
    ) -> _Found:
        """The same from the box that was found, which is now known."""
        best = _found(found, ways)
        for _ in range(_PASSES):
            known = best.at_head
            tried = self._tried(rounds, state, first, known, known)
            if tried is None or tried[0].leaving:
                break
            now = _found(*tried)
            worth = any(
                high - low < _WORTH * (known[var][1] - known[var][0])
                for var, (low, high) in now.at_head.items()
            )
            best = now
            if not worth:
                break
        return best

    def _tried(
        self,
        rounds: LoopRounds,
        state: State,
        first: Mapping[Var, Range],
        known: Mapping[Var, Range],
        box: Mapping[Var, Range],
    ) -> tuple[Directions, Rounds] | None:
        ways = rounds.of(state, box)
        if ways is None:
            return None
        asked = [part for outcomes in ways.inside.values() for part in _forms(outcomes)]

        def directions(where: Directions) -> Iterator[Direction]:
            for form, outcome in asked:
                yield where.split(form, outcome.ranges)[0]

        return Directions(first, known, box, ways.back, directions), ways

    # --- what was found ---------------------------------------------------------------------------

    def _entering(
        self, function: Function, head: Location, inside: frozenset[Location]
    ) -> State | None:
        """The state when a run comes to the loop."""
        found = self._entries.get(function.name) if head is function.entry else None
        for edge in function.incoming[head]:
            before = None if edge.src in inside else self.states.get(edge.src)
            after = None if before is None else self._after(edge, before)
            if after is not None:
                found = after if found is None else found.join(after)
        return found

    def _learn(self, function: Function, head: Location, found: _Found) -> None:
        for var, ends in found.at_head.items():
            if isinstance(var.type, FloatType):
                self._restrict(head, var, ends)
        for (location, var), ends in found.inside.items():
            self._restrict(location, var, ends)
        order, _ = self._order(function)
        for _ in range(2):
            for location in order.order:
                self._shrink(function, location)

    def _restrict(self, location: Location, var: Var, ends: Range) -> None:
        state = self.states.get(location)
        if state is None:
            return
        bounds = float_bounds.rank(ends[0]), float_bounds.rank(ends[1])
        common = interval.meet(state.get(var, bounds), bounds)
        if common is not None:
            self._set(location, state.updated(var, common))


def _found(directions: Directions, ways: Rounds) -> _Found:
    at_head = {var: directions.range(var) for var in directions.variables}
    inside: dict[tuple[Location, Var], Range] = {}
    for place, outcomes in ways.inside.items():
        forms = list(_forms(outcomes))
        if len(forms) < 2 * len(outcomes):
            continue
        ends: list[float] = []
        for form, outcome in forms:
            before, rest = directions.split(form, outcome.ranges)
            ends.append(up(rest, directions.of(before)))
        inside[place] = -max(ends[1::2]), max(ends[::2])
    return _Found(at_head, inside)


def _forms(outcomes: tuple[Outcome, ...]) -> Iterator[tuple[Linear, Outcome]]:
    """The form of the variable at one place, and its negation, by each way to come there."""
    for outcome in outcomes:
        for form in outcome.forms.values():
            yield form, outcome
            yield form.times(Fraction(-1)), outcome


def computing(
    functions: Mapping[str, Function], calls: Mapping[str, Sequence[str]]
) -> frozenset[str]:
    """The functions that compute with floating-point numbers, themselves or by calls."""
    found = {
        name for name, function in functions.items() if any(_computes(e.op) for e in function.edges)
    }
    callers: dict[str, list[str]] = {}
    for name, callees in calls.items():
        for callee in callees:
            callers.setdefault(callee, []).append(name)
    waiting = list(found)
    for name in waiting:  # grows
        for caller in callers.get(name, ()):
            if caller not in found:
                found.add(caller)
                waiting.append(caller)
    return frozenset(found)


def computes_in_loops(facts: ModRef, program: Program) -> bool:
    """May there be such a loop?"""
    names = computing(program.functions, facts.calls)
    functions = (program.functions[name] for name in program.functions if name in names)
    return any(weak_order(location_graph(f), f.entry).ends for f in functions)


def _computes(op: Operation) -> bool:
    """Is a floating-point number computed from others?"""
    return (
        isinstance(op, Assign)
        and isinstance(op.value.type, FloatType)
        and any(isinstance(e, Binary) and isinstance(e.type, FloatType) for e in subterms(op.value))
    )


def _common(one: Range, two: Range) -> Range:
    return max(one[0], two[0]), min(one[1], two[1])


def _hull(one: Range, two: Range | None) -> Range:
    """A range with both; where the second one is larger, with room to grow as much twice more."""
    if two is None:
        return one
    below, above = max(one[0] - two[0], 0.0), max(two[1] - one[1], 0.0)
    room = (two[1] - two[0]) * 0.01
    return (
        two[0] - room - 2 * below if below else one[0],
        two[1] + room + 2 * above if above else one[1],
    )


def _is_finite(ends: Range) -> bool:
    return -inf < ends[0] and ends[1] < inf
