"""Mod/ref sets: which storage a function may read or write, directly or in what it calls.

Soundness duty: a scalar global or a memory region that is not named as written has the
same contents after any call of the function as before. A function's own scalar variables are not
named: each call has new ones. A function without a body changes nothing but the lvalue that gets
its result.
"""

from __future__ import annotations

from collections.abc import Mapping

from ..ir.call_graph import call_graph
from ..ir.cfa import Edge, Program
from ..ir.expr import Var
from ..ir.ops import Call, Error, Halt, Return
from ..ir.order import strong_components
from .effects import Effects, Slot, Slots
from .memory.partition import Partition


class ModRef:
    """The effects of the functions of a program, and of its edges with all that they call."""

    def __init__(
        self, program: Program, partition: Partition, calls: Mapping[str, tuple[str, ...]]
    ) -> None:
        self.slots = Slots(partition)
        self.calls = calls  # the call graph
        self._points_to = partition.points_to
        self._program = program
        self._reads: dict[str, frozenset[Slot]] = {}
        self._writes: dict[str, frozenset[Slot]] = {}
        for group in strong_components(calls):
            reads: set[Slot] = set()
            writes: set[Slot] = set()
            for name in group:
                for edge in program.functions[name].edges:
                    effects = self.slots.effects(edge)
                    reads |= effects.reads
                    writes |= effects.writes | self._passed(edge)
                for callee in calls[name]:
                    reads |= self._reads.get(callee, frozenset())
                    writes |= self._writes.get(callee, frozenset())
            for name in group:
                self._reads[name] = frozenset(filter(_outlives, reads))
                self._writes[name] = frozenset(filter(_outlives, writes))
        self._returning: set[str] = set()
        self._find_returning()

    def _find_returning(self) -> None:
        """The functions whose calls may end: the least solution, in which a recursive function is
        only if it has a way to end."""
        changed = True
        while changed:
            changed = False
            for group in strong_components(self.calls):
                for name in group:
                    if name not in self._returning and self._reaches_return(name):
                        self._returning.add(name)
                        changed = len(group) > 1 or name in self.calls[name] or changed

    def _reaches_return(self, name: str) -> bool:
        function = self._program.functions[name]
        seen, todo = {function.entry}, [function.entry]
        while todo:
            for edge in function.outgoing[todo.pop()]:
                if isinstance(edge.op, Return):
                    return True
                if edge.dst not in seen and self.may_return(edge):
                    seen.add(edge.dst)
                    todo.append(edge.dst)
        return False

    def _passed(self, edge: Edge) -> set[Slot]:
        """The slots of the parameters that a call writes."""
        found: set[Slot] = set()
        if isinstance(edge.op, Call):
            for callee in self.callees(edge):
                for param in self._program.functions[callee].params:
                    found |= self.slots.of_target(param)
        return found

    def callees(self, edge: Edge) -> tuple[str, ...]:
        """The functions with a body that a call may reach."""
        targets = self._points_to.call_targets(edge)
        return tuple(name for name in targets if name in self._program.functions)

    def may_leave(self, edge: Edge) -> bool:
        """May a call reach a function without a body?"""
        targets = self._points_to.call_targets(edge)
        return self._points_to.may_be_unknown(edge) or any(
            name not in self._program.functions for name in targets
        )

    def may_be_unknown(self, edge: Edge) -> bool:
        """May a call reach a function of which nothing is known?"""
        return self._points_to.may_be_unknown(edge)

    def may_return(self, edge: Edge) -> bool:
        """May a run come to the end of an edge? Not if it is a call of functions whose ends are not
        connected with their beginnings, as of one that loops for ever."""
        if not isinstance(edge.op, Call) or self.may_leave(edge):
            return not isinstance(edge.op, Halt | Error)
        return not self._returning.isdisjoint(self.callees(edge))

    def reads(self, function: str) -> frozenset[Slot]:
        """The scalar globals and memory regions that a call of the function may read."""
        return self._reads[function]

    def writes(self, function: str) -> frozenset[Slot]:
        """The scalar globals and memory regions that a call of the function may write."""
        return self._writes[function]

    def effects(self, edge: Edge) -> Effects:
        """What an edge may read and write, with all that it calls; a call kills its target."""
        own = self.slots.effects(edge)
        if not isinstance(edge.op, Call):
            return own
        reads, writes = set(own.reads), own.writes | self._passed(edge)
        for callee in self.callees(edge):
            reads |= self._reads[callee]
            writes |= self._writes[callee]
        return Effects(frozenset(reads), frozenset(writes), own.kills)


def _outlives(slot: Slot) -> bool:
    """Is it more than a scalar variable of one function?"""
    return not (isinstance(slot, Var) and slot.function)


def modref(
    program: Program, partition: Partition, calls: Mapping[str, tuple[str, ...]] | None = None
) -> ModRef:
    """Find out what each function reads and writes; `calls` is the call graph, if it is known."""
    if calls is None:
        calls = call_graph(program, partition.points_to.call_targets)
    return ModRef(program, partition, calls)
