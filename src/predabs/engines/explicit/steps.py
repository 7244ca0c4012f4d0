"""Transitions as steps of valuations: what they do to the variables that are followed.

Soundness duty: a step leads to all states that its transitions lead to.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from itertools import chain
from typing import TypeAlias

from ...analysis.facts import ProgramFacts
from ...ir.cfa import Edge, Location
from ...ir.configuration import Configuration, Transition, TransitionKind
from ...ir.def_use import op_target
from ...ir.expr import Index, Var
from ...ir.ops import Assign, Assume, Call, Havoc, Operation, Return, Sweep
from ...ir.order import loop_heads, strong_components
from ...ir.types import is_scalar
from ...records import dataclass
from .array_cells import ArrayCells
from .cases import cases_of
from .followed import Followed
from .small_inputs import Splits, cases_of_condition
from .valuation import Prepared, Valuation

_LONGEST = 400  # operations of a step


@dataclass(frozen=True, slots=True, eq=False)
class Holds:
    """A condition of an edge; `keeps` if it is remembered."""

    cond: Prepared
    edge: Edge
    keeps: bool

    def apply(self, valuation: Valuation) -> bool:
        return valuation.assume(self.cond, self.keeps)


@dataclass(frozen=True, slots=True, eq=False)
class Becomes:
    """A variable gets a value."""

    var: Var
    value: Prepared

    def apply(self, valuation: Valuation) -> bool:
        valuation.assign(self.var, self.value)
        return True


@dataclass(frozen=True, slots=True, eq=False)
class Loses:
    """Variables may hold anything."""

    variables: tuple[Var, ...]

    def apply(self, valuation: Valuation) -> bool:
        valuation.forget(self.variables)
        return True


Action: TypeAlias = Holds | Becomes | Loses


@dataclass(frozen=True, slots=True, eq=False)
class Step:
    """Transitions one after the other, without a choice and without a place where others meet
    them; `guard` is the condition of the first one. It ends at `dst`, or is an error or a limit."""

    guard: Holds | None
    actions: tuple[Action, ...]
    transitions: tuple[Transition, ...]
    dst: Configuration | None
    kind: TransitionKind


class StepMaker:
    """The steps of a program for variables that are followed, and conditions of edges that are
    remembered."""

    def __init__(
        self,
        facts: ProgramFacts,
        cells: ArrayCells,
        followed: Callable[[Var], bool],
        kept: Collection[Edge] | None,
        splits: Splits | None = None,
    ) -> None:
        self._facts = facts
        self._cells = cells
        self._followed = followed
        self.places = Followed(facts, cells, followed)
        self._kept = kept  # None: all
        self._splits = splits or {}
        self._computed: dict[Var, dict[Var, bool]] = {}
        """What each variable gets its values from, and whether they are more than a copy."""
        self._counting: frozenset[Var] | None = None
        self._steps: dict[Configuration, tuple[Step, ...]] = {}
        self._ended: dict[str, tuple[Var, ...]] = {}
        self._meeting: dict[str, frozenset[Location]] = {}
        self._heads: dict[str, frozenset[Location]] = {}

    def steps(self, configuration: Configuration) -> tuple[Step, ...]:
        """All steps that begin here."""
        known = self._steps.get(configuration)
        if known is None:
            known = self._steps[configuration] = tuple(map(self._step, self._next(configuration)))
        return known

    def _next(self, configuration: Configuration) -> list[Transition]:
        transitions = self._facts.flow.transitions(configuration)
        cases = [case for one in transitions for case in cases_of(one, self.open_index)]
        if not self._splits:
            return cases
        return [value for case in cases for value in self._values(case)]

    def _values(self, case: Transition) -> list[Transition]:
        split = self._splits.get(case.edge)
        return [case] if split is None else cases_of_condition(case, split)

    def open_index(self, op: Operation) -> Index | None:
        """An index of an array of which cells are followed, if it is no constant."""
        return self._cells.open_index(op, self._followed)

    def _step(self, first: Transition) -> Step:
        actions = self.actions(first)
        guard: Holds | None = None
        if actions and isinstance(actions[0], Holds):
            guard, actions = actions[0], actions[1:]
        transitions, last = [first], first
        while last.dst is not None and not self.is_meeting(last.dst) and len(actions) < _LONGEST:
            following = self._next(last.dst)
            if len(following) != 1 or following[0].kind is not TransitionKind.STEP:
                break
            last = following[0]
            transitions.append(last)
            actions += self.actions(last)
        return Step(guard, tuple(actions), tuple(transitions), last.dst, last.kind)

    def is_meeting(self, configuration: Configuration) -> bool:
        """Do several paths meet here? Every cycle has such a place."""
        location = configuration.location
        known = self._meeting.get(location.function)
        if known is None:
            known = self._meeting[location.function] = self._meetings(location.function)
        return location in known

    def is_head(self, configuration: Configuration) -> bool:
        """Is it the head of a loop? Every cycle has one."""
        location = configuration.location
        known = self._heads.get(location.function)
        if known is None:
            function = self._facts.program.functions[location.function]
            known = self._heads[location.function] = loop_heads(function)
        return location in known

    def _meetings(self, name: str) -> frozenset[Location]:
        function = self._facts.program.functions[name]
        found = {place for place, edges in function.incoming.items() if len(edges) > 1}
        if function.incoming[function.entry]:
            found.add(function.entry)
        for edge in function.edges:
            if isinstance(edge.op, Call) and self._several(edge):
                found.add(edge.dst)
        return frozenset(found)

    def _several(self, edge: Edge) -> bool:
        """Can a call return in several ways?"""
        names = self._facts.points_to.call_targets(edge)
        functions = [self._facts.program.functions.get(name) for name in names]
        ends = [
            sum(isinstance(one.op, Return) for one in function.edges) if function is not None else 1
            for function in functions
        ]
        return sum(ends) > 1 or self._facts.points_to.may_be_unknown(edge)

    @property
    def counting(self) -> frozenset[Var]:
        """The variables that steps so far add something to, maybe by way of others
        (`t = n + 1; n = t`)."""
        if self._counting is None:
            found: set[Var] = set()
            graph = {var: tuple(known) for var, known in self._computed.items()}
            for group in map(frozenset, strong_components(graph)):
                sources = (self._computed[var].items() for var in group)
                if any(more and var in group for var, more in chain.from_iterable(sources)):
                    found |= group
            self._counting = frozenset(found)
        return self._counting

    # --- operations -------------------------------------------------------------------------------

    def actions(self, transition: Transition) -> list[Action]:
        """What a transition does."""
        found: list[Action] = []
        edge = transition.edge
        for op in chain.from_iterable(map(self._cells.copied, transition.ops)):
            if isinstance(op, Assume):
                cond = self.places.prepared(op.cond)
                if not cond.is_unknown:
                    found.append(Holds(cond, edge, self._kept is None or edge in self._kept))
            else:
                found += self._written(edge, op)
        if isinstance(edge.op, Return):
            ended = self._locals(edge.src.function)
            if ended:
                found.append(Loses(ended))
        return found

    def _locals(self, name: str) -> tuple[Var, ...]:
        """The variables of a function that are followed: with its call they end."""
        known = self._ended.get(name)
        if known is None:
            function = self._facts.program.functions[name]
            cells = (cell for cell in self._cells.lvalues if cell.function == name)
            own = (*map(self._cells.codes.of, (*function.params, *function.locals)), *cells)
            known = tuple(filter(self._followed, own))
            self._ended[name] = known
        return known

    def _written(self, edge: Edge, op: Operation) -> list[Action]:
        target = op.target if isinstance(op, Assign) else None
        if isinstance(op, Assign | Havoc) and is_scalar(op.target.type):
            cell = self._cells.cell(op.target)
            if cell is not None:  # and no other one
                if not self._followed(cell):
                    return []
                if target is None:
                    return [Loses((cell,))]
        var = self.places.variable(target) if target is not None else None
        lost = () if var in self._cells.lvalues else tuple(self._writes(edge, op))
        lost = tuple(one for one in lost if one is not var)
        found: list[Action] = []
        if isinstance(op, Assign) and var is not None:
            value = self.places.prepared(op.value)
            self._note_computed(var, value)
            found.append(Becomes(var, value))
        if lost:
            found.append(Loses(lost))
        return found

    def _note_computed(self, var: Var, value: Prepared) -> None:
        if value.reads:
            self._counting = None
        known = self._computed.setdefault(var, {})
        for source in value.reads:
            self._computed.setdefault(source, {})
            known[source] = known.get(source, False) or value.expr is not source

    def _writes(self, edge: Edge, op: Operation) -> list[Var]:
        """The variables that are followed and may be written."""
        slots = self._facts.modref.slots
        if op is edge.op:
            written = slots.effects(edge).writes
        else:
            target = op_target(op)  # of a call or return, which only assigns
            written = frozenset() if target is None else slots.of_target(target)
        # these write nothing but their target
        target = op.target if isinstance(op, Assign | Havoc | Sweep) else None
        cells = self._cells.affected(written, target)
        codes = self._cells.codes
        found = (*(codes.of(slot) for slot in written if isinstance(slot, Var)), *cells)
        return list(filter(self._followed, found))
