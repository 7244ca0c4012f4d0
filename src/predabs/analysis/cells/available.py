"""Available reads: which values that were read from memory, or written to it, are still there.

The classic analysis of available expressions, for accesses of memory: between two reads of a[i]
nothing has changed i or any a[j], on any path, so both give the same value. Without it, reads that
miss the distinguished cells would forget that.

Soundness duty: an lvalue is available at a location only if, on each path there, it was read or
written since anything that its place or its content depends on may have changed.
"""

from __future__ import annotations

from ...ir.cfa import Edge, Function, Location
from ...ir.expr import Lvalue
from ...ir.ops import Assign, Assume, Call, Havoc, Return
from ..effects import Slot
from ..facts import ProgramFacts
from .memory_accesses import MemoryAccesses, memory_reads, memory_write


class AvailableReads:
    """The available reads of one function."""

    def __init__(self, facts: ProgramFacts, accesses: MemoryAccesses, function: Function) -> None:
        self._facts = facts
        self._accesses = accesses
        self._slots: dict[Lvalue, frozenset[Slot]] = {}
        everything = frozenset(
            lvalue for edge in function.edges for lvalue in self._generated(edge)
        )
        self.at: dict[Location, frozenset[Lvalue]] = dict.fromkeys(function.locations, everything)
        self.at[function.entry] = frozenset()
        if not everything:
            return
        todo = dict.fromkeys(function.locations)
        while todo:
            here = next(iter(todo))
            del todo[here]
            for edge in function.outgoing.get(here, ()):
                after = self.at[edge.dst] & self._after(edge, self.at[here])
                if after != self.at[edge.dst]:
                    self.at[edge.dst] = after
                    todo[edge.dst] = None

    def _generated(self, edge: Edge) -> list[Lvalue]:
        """What is known after an edge, if nothing that it writes changes it."""
        if not isinstance(edge.op, Assign | Assume | Havoc | Call | Return):
            return []
        target = memory_write(self._accesses, edge)
        return [*memory_reads(self._accesses, edge), *(() if target is None else (target,))]

    def _after(self, edge: Edge, before: frozenset[Lvalue]) -> frozenset[Lvalue]:
        writes = self._facts.modref.effects(edge).writes
        known = before.union(self._generated(edge))
        kept = {lvalue for lvalue in known if writes.isdisjoint(self._depends(lvalue))}
        target = memory_write(self._accesses, edge)
        if target is not None and isinstance(edge.op, Assign | Havoc | Call):
            place = self._facts.modref.slots.of_address(target)
            if writes.isdisjoint(place):
                kept.add(target)
        return frozenset(kept)

    def _depends(self, lvalue: Lvalue) -> frozenset[Slot]:
        """The slots of a read, and of its place."""
        if lvalue not in self._slots:
            self._slots[lvalue] = self._facts.modref.slots.of_value(lvalue)
        return self._slots[lvalue]
