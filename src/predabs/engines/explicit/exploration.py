"""The states that a program reaches, told apart by the values of the variables that are followed.

Paths are followed from one place where several meet to the next; there a state that was met before
is not followed again.

Soundness duty: when nothing waits and no error or limit was met, no run comes to one.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Iterator
from typing import TypeAlias

from ...analysis.explicit_values import ExplicitFlow, values_of
from ...analysis.facts import ProgramFacts
from ...ir import make
from ...ir.cfa import Edge, Location
from ...ir.configuration import Configuration, Transition, TransitionKind
from ...ir.expr import FALSE, Expr, Var
from ...ir.types import IntType
from .array_cells import ArrayCells
from .small_inputs import Splits
from .steps import Step, StepMaker
from .symbolic_terms import Symbols
from .valuation import Canonical, Valuation

State: TypeAlias = tuple[Configuration, Canonical]
_MOST_VALUES, _MANY_VALUES = 100, 20  # of a counter


class Diverges(Exception):
    """Counters have so many values that they may have no bound."""

    def __init__(self, counters: Collection[Var]) -> None:
        super().__init__("the values of counters go on and on")
        self.counters = tuple(counters)


class Exploration:
    """The states for variables that are followed, and edges whose conditions are kept. Of counters
    only the differences are kept; with None for them, all variables are followed as they are."""

    def __init__(
        self,
        facts: ProgramFacts,
        cells: ArrayCells,
        followed: Collection[Var],
        kept: Collection[Edge],
        splits: Splits,
        counters: Collection[Var] | None,
        tick: Callable[[], None],
    ) -> None:
        self._facts = facts
        self._cells = cells
        self._followed = tuple(followed)
        self._exact = counters is None
        self._counters = frozenset(counters or ())
        self._tick = tick
        self._values: dict[Var, set[Expr | None]] = {}
        self._maker = StepMaker(facts, cells, frozenset(followed).__contains__, kept, splits)
        self._symbols = Symbols()
        self._frames: dict[Configuration, tuple[Var, ...]] = {}
        self._live_at: dict[Location, frozenset[Var]] = {}
        start = self._start()
        self.parents: dict[State, State | None] = {start: None}
        self._newest = False
        self._waiting = deque([start])

    def _start(self) -> State:
        entry = ExplicitFlow(self._facts, self._followed).entry
        values: dict[Var, Expr] = {
            var: make.const(value, var.type)
            for var, value in values_of(entry)
            if isinstance(var.type, IntType)
        }
        initial = self._cells.initial()
        values.update((var, initial[var]) for var in self._followed if var in initial)
        here = self._facts.flow.entry
        return here, Valuation(self._symbols, values).canonical(self.frame(here), self._counters)

    def run(self) -> tuple[Transition, ...] | None:
        """A path to an error or a limit, or None if there is none."""
        while self._waiting:
            self._tick()
            self._newest = not self._newest  # by turns: for errors that are near, and far ones
            state = self._waiting[-1 if self._newest else 0]
            new: dict[State, None] = {}
            for found, path in self._from(state):
                if not isinstance(found, tuple):
                    return self._path(state, path)
                if found not in self.parents and found not in new:
                    self._count(found)
                    new[found] = None
            self._waiting.pop() if self._newest else self._waiting.popleft()
            for found in new:
                self.parents[found] = state
                self._waiting.append(found)
        return None

    def at_heads(self) -> Iterator[tuple[Configuration, tuple[Var, ...], Canonical]]:
        """The states at loop heads, with the variables that they are about."""
        for here, canonical in self.parents:
            if self._maker.is_head(here):
                yield here, self.frame(here), canonical

    def _count(self, state: State) -> None:
        """Note the values; raises `Diverges` for counters that have very many."""
        here, (terms, _) = state
        for var, term in zip(self.frame(here), terms, strict=True):
            values = self._values.setdefault(var, set())
            values.add(term)
            if len(values) > _MOST_VALUES and not self._exact and var in self._maker.counting:
                raise Diverges(
                    [
                        one
                        for one in self._maker.counting
                        if len(self._values.get(one, ())) > _MANY_VALUES
                    ]
                )

    def _from(self, state: State) -> Iterator[tuple[State | TransitionKind, tuple[Step, ...]]]:
        """The states at the next meeting points, and errors on the way, each with its steps."""
        here, canonical = state
        begin = Valuation.of(self._symbols, self.frame(here), canonical)
        stack: list[tuple[Configuration, Valuation, tuple[Step, ...]]] = [(here, begin, ())]
        count, branched = 0, False
        while stack:
            here, valuation, path = stack.pop()
            count += 1
            if count % 256 == 0:
                self._tick()
            steps = self._maker.steps(here)
            found: list[tuple[Step, Valuation]] = []
            for number, step in enumerate(steps):
                after = self._after(step, valuation, number == len(steps) - 1)
                if after is not None:
                    found.append((step, after))
            branched = branched or len(found) > 1
            for step, after in found:
                whole = (*path, step)
                if step.kind is not TransitionKind.STEP or step.dst is None:
                    yield step.kind, whole
                elif self._maker.is_head(step.dst) or (
                    branched and self._maker.is_meeting(step.dst)
                ):
                    yield (step.dst, after.canonical(self.frame(step.dst), self._counters)), whole
                else:
                    stack.append((step.dst, after, whole))

    @staticmethod
    def _after(step: Step, valuation: Valuation, last: bool) -> Valuation | None:
        """The valuation after a step; that before it is used up if the step is the `last`."""
        guard = step.guard
        holds = False
        if guard is not None:
            said = valuation.constant(guard.cond)
            if said is FALSE:
                return None
            holds = said is not None
        after = valuation if last else valuation.copy()
        if guard is not None and not holds and not guard.apply(after):
            return None
        for action in step.actions:
            if not action.apply(after):
                return None
        return after

    def _path(self, state: State, end: tuple[Step, ...]) -> tuple[Transition, ...]:
        """The transitions to the state, and on."""
        parts = [end]
        child = state
        while (parent := self.parents[child]) is not None:
            parts.append(next(path for found, path in self._from(parent) if found == child))
            child = parent
        return tuple(
            transition
            for part in reversed(parts)
            for step in part
            for transition in step.transitions
        )

    # --- frames -----------------------------------------------------------------------------------

    def frame(self, configuration: Configuration) -> tuple[Var, ...]:
        """The variables that are followed and may be used."""
        known = self._frames.get(configuration)
        if known is None:
            known = self._frames[configuration] = tuple(
                var for var in self._followed if self._is_live(configuration, var)
            )
        return known

    def _is_live(self, configuration: Configuration, var: Var) -> bool:
        function, location = var.function, configuration.location
        if var in self._cells.lvalues:
            return not function or configuration.active(function)
        var = self._cells.codes.pointers.get(var, var)
        if not function or function == location.function:
            return var in self._live(location)
        call = next((c for c in configuration.calls if c.src.function == function), None)
        return call is not None and var in self._live(call.dst)

    def _live(self, location: Location) -> frozenset[Var]:
        known = self._live_at.get(location)
        if known is None:
            known = self._live_at[location] = self._facts.liveness.at(location)
        return known
