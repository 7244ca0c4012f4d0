"""Localization reduction [Kur94]: a part of the storage is tracked, all else may hold anything.

A program of many procedures is mostly about things that no error depends on. What writes nothing
that is tracked is passed over; a call is passed over as a whole if nothing that it does, with all
that it calls, can write tracked storage or end in an error. Counterexamples say what to track more.

Soundness duty: every run of the program is one of the localized program: storage that is not
tracked is read as any value, and a call that is passed over may always return.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from ..errors import UnsupportedFeature
from ..ir.cfa import Edge
from ..ir.configuration import Configuration, Transition, TransitionKind
from ..ir.expr import Var
from ..ir.ops import Alloc, Assume, Call, Error, Operation
from ..ir.order import strong_components
from .control_flow import ControlFlow
from .effects import Slot
from .facts import ProgramFacts
from .modref import ModRef


@dataclass(frozen=True, slots=True)
class Localization:
    """What is tracked, and the functions whose calls are not passed over in any case."""

    effects: ModRef
    tracked: frozenset[Slot] = frozenset()
    entered: frozenset[str] = frozenset()
    _needed: dict[Operation, frozenset[Slot]] = field(default_factory=dict)
    _left_out: dict[Transition, bool] = field(default_factory=dict)

    def more(self, slots: Iterable[Slot], functions: Iterable[str]) -> Localization:
        tracked, entered = self.tracked.union(slots), self.entered.union(functions)
        return Localization(self.effects, tracked, entered, self._needed)

    def needed_for(self, edge: Edge) -> frozenset[Slot]:
        """If nothing of this is tracked, the operation of an edge, without what it calls, is left
        out. An operation that has no say in anything at all needs nothing."""
        known = None if isinstance(edge.op, Alloc) else self._needed.get(edge.op)
        if known is None:
            own = self.effects.slots.effects(edge)
            known = own.reads if isinstance(edge.op, Assume) else own.writes
            self._needed[edge.op] = known
        return known

    def ignores(self, edge: Edge) -> bool:
        """Is the operation of an edge left out?"""
        needed = self.needed_for(edge)
        return bool(needed) and self.tracked.isdisjoint(needed)

    def leaves_out(self, transition: Transition) -> bool:
        """Are all operations of a transition left out? Asked often."""
        known = self._left_out.get(transition)
        if known is None:
            known = all(map(self.ignores, transition.steps))
            self._left_out[transition] = known
        return known


class LocalizedFlow(ControlFlow):
    """The transitions of a program, of which calls that are inert are one step each."""

    def __init__(self, facts: ProgramFacts, localization: Localization) -> None:
        super().__init__(facts.program, facts.points_to)
        self._whole = facts.flow
        self._localization = localization
        self._reaching = _reaching(facts.flow, localization.effects)
        self._steps: dict[Configuration, tuple[Transition, ...]] = {}
        self._inert: dict[Edge, bool] = {}

    def transitions(self, configuration: Configuration) -> tuple[Transition, ...]:
        known = self._steps.get(configuration)
        if known is None:
            found = self._whole.transitions(configuration)
            known = tuple(self._passed_over(step) for step in found if not self._is_end(step.edge))
            self._steps[configuration] = known
        return known

    def _is_end(self, edge: Edge) -> bool:
        """Is it a call that could be passed over, but from which no run comes back?"""
        return self._is_inert(edge) and not self._localization.effects.may_return(edge)

    def callees(self, edge: Edge) -> tuple[str, ...]:
        return () if self._is_inert(edge) else self._whole.callees(edge)

    def _passed_over(self, transition: Transition) -> Transition:
        edge, src = transition.edge, transition.src
        if not self._is_inert(edge):
            return transition
        chosen = tuple(op for op in transition.ops if isinstance(op, Assume))  # which callee
        after = Configuration(edge.dst, src.stack)
        return Transition(edge, src, after, TransitionKind.STEP, chosen)

    def _is_inert(self, edge: Edge) -> bool:
        """Is an edge a call of functions of the program that can be passed over?"""
        known = self._inert.get(edge)
        if known is None:
            known = self._inert[edge] = isinstance(edge.op, Call) and self._can_be_skipped(edge)
        return known

    def _can_be_skipped(self, edge: Edge) -> bool:
        here, callees = self._localization, self._whole.callees(edge)
        if not callees or not here.entered.isdisjoint(callees) or _is_limit(self._whole, edge):
            return False
        if not self._reaching.isdisjoint(callees):
            return False
        return here.tracked.isdisjoint(lasting_writes(here.effects, edge))


def is_passed_over(transition: Transition, effects: ModRef) -> bool:
    """Was a call with all that it does made one step?"""
    dst = transition.dst
    return (
        isinstance(transition.edge.op, Call)
        and dst is not None
        and dst.stack is transition.src.stack
        and bool(effects.callees(transition.edge))
    )


def lasting_writes(effects: ModRef, edge: Edge) -> frozenset[Slot]:
    """What a call may write, without the scalar variables of the functions that it calls."""
    return frozenset(
        slot
        for slot in effects.effects(edge).writes
        if not (isinstance(slot, Var) and slot.function and slot.function != edge.src.function)
    )


def _reaching(flow: ControlFlow, effects: ModRef) -> frozenset[str]:
    """The functions from which an error or the end of what is known may be reached."""
    found: set[str] = set()
    for group in strong_components(effects.calls):
        if any(
            not found.isdisjoint(effects.calls[name])
            or any(
                isinstance(edge.op, Error) or (isinstance(edge.op, Call) and _is_limit(flow, edge))
                for edge in flow.program.functions[name].edges
            )
            for name in group
        ):
            found.update(group)
    return frozenset(found)


def _is_limit(flow: ControlFlow, edge: Edge) -> bool:
    """May a call go where the control flow does not follow, apart from recursion?"""
    try:
        steps = flow.transitions(Configuration(edge.src, None))
    except UnsupportedFeature:
        return True
    name = edge.src.function
    return any(
        step.edge is edge and step.kind is TransitionKind.LIMIT and name not in flow.callees(edge)
        for step in steps
    )
