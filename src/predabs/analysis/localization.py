"""Localization reduction [Kur94]: a part of the storage is tracked, all else may hold anything.

A program of many procedures is mostly about things that no error depends on. What writes nothing
that is tracked is passed over; a call is passed over as a whole if nothing that it does, with all
that it calls, can write tracked storage or end in an error. Counterexamples say what to track more.
`localized_flow` has the control flow of the program that is left.

Soundness duty: every run of the program is one of the localized program: storage that is not
tracked is read as any value, and a call that is passed over may always return. Of a function that
is called while it is running, the variables in memory have `several` addresses.
"""

from __future__ import annotations

from collections.abc import Iterable

from ..ir.call_graph import recursive_functions
from ..ir.cfa import Edge, Program
from ..ir.configuration import Transition
from ..ir.def_use import op_target, op_values
from ..ir.expr import Lvalue, Var
from ..ir.ops import Alloc, Assume, Operation
from ..ir.walk import reads
from ..records import dataclass, field
from .effects import Slot
from .facts import ProgramFacts
from .memory.partition import lvalue_of
from .modref import ModRef


@dataclass(frozen=True, slots=True, eq=False)
class PassedOver(Transition):
    """A call or a loop with all that it does as one step: what outlives it and may have been
    written, and the edges of the loop."""

    writes: frozenset[Slot] = frozenset()
    inside: tuple[Edge, ...] = ()


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

    def forgotten(self, transition: Transition) -> list[Slot]:
        """What is tracked and holds anything after a transition, because a recursive call that
        has returned may have written it."""
        if not isinstance(transition, PassedOver):
            return []
        return sorted(self.tracked & transition.writes, key=str)

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


def lvalues_of(effects: ModRef, program: Program, slots: Iterable[Slot]) -> tuple[Lvalue, ...]:
    """For each slot an lvalue of the program that lies in it and in no other, if there is one: what
    the slot is, in words that another program may have too."""
    wanted = set(slots)
    found: dict[Slot, Lvalue] = {
        slot: lvalue_of(effects.slots.partition, slot) for slot in wanted if isinstance(slot, Var)
    }
    seen: set[Lvalue] = set()
    for function in program.functions.values():
        for edge in function.edges:
            if len(found) == len(wanted):
                break
            target = op_target(edge.op)
            inside = [lvalue for value in op_values(edge.op) for lvalue in reads(value)]
            for lvalue in inside if target is None else [target, *inside]:
                if lvalue not in seen:
                    seen.add(lvalue)
                    match tuple(effects.slots.of_target(lvalue)):
                        case (slot,) if slot in wanted:
                            found.setdefault(slot, lvalue)
    return tuple(found.values())


def lasting_writes(effects: ModRef, edge: Edge) -> frozenset[Slot]:
    """What a call may write, without the scalar variables of the functions that it calls."""
    return frozenset(
        slot
        for slot in effects.effects(edge).writes
        if not (isinstance(slot, Var) and slot.function and slot.function != edge.src.function)
    )


def several_addresses(facts: ProgramFacts) -> frozenset[Var]:
    """The variables in memory of functions that can be called while they are running."""
    functions = facts.program.functions
    return frozenset(
        var
        for name in recursive_functions(facts.call_graph)
        for var in (*functions[name].params, *functions[name].locals)
        if not facts.points_to.address_taken.scalar_variable(var)
    )
