"""Mod/ref sets: which storage a function may read or write, directly or in what it calls.

Soundness duty: a scalar global or a memory region that is not named as written has the
same contents after any call of the function as before. A function's own scalar variables are not
named: each call has new ones. A function without a body changes nothing but the lvalue that gets
its result.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from ..ir.call_graph import call_graph
from ..ir.cfa import Edge, Function, Program
from ..ir.expr import Var
from ..ir.ops import Call, Error, Halt, Return
from ..ir.order import strong_components
from ..records import dataclass
from .effects import Effects, Slot, Slots
from .memory.partition import Partition, RegionId

_FEW = 32  # bits that are found one by one


@dataclass(frozen=True, slots=True)
class _SlotBits:
    """A set of slots, as bits of numbers: so many functions with large sets take little room."""

    variables: int = 0
    regions: int = 0

    def __or__(self, other: _SlotBits) -> _SlotBits:
        return _SlotBits(self.variables | other.variables, self.regions | other.regions)


class ModRef:
    """The effects of the functions of a program, and of its edges with all that they call.

    All scalar variables that an operation reads or writes have numbers; those that outlive a
    function are `globals`, as bits.
    """

    def __init__(
        self, program: Program, partition: Partition, calls: Mapping[str, tuple[str, ...]]
    ) -> None:
        self.slots = Slots(partition)
        self.calls = calls  # the call graph
        self._points_to = partition.points_to
        self._program = program
        self.numbers: dict[Var, int] = {}
        self.variables: list[Var] = []  # by their numbers
        self.globals = 0
        self._masks: dict[frozenset[Slot], int] = {}
        self._params: dict[str, frozenset[Slot]] = {}
        self._sets: dict[_SlotBits, frozenset[Slot]] = {}
        self._reads: dict[str, _SlotBits] = {}
        self._writes: dict[str, _SlotBits] = {}
        for group in strong_components(calls):
            reads, writes = _SlotBits(), _SlotBits()
            for name in group:
                own = self._own(program.functions[name])
                reads, writes = reads | own[0], writes | own[1]
                for callee in calls[name]:
                    reads |= self._reads.get(callee, _SlotBits())
                    writes |= self._writes.get(callee, _SlotBits())
            for name in group:
                self._reads[name] = reads
                self._writes[name] = writes
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

    def _own(self, function: Function) -> tuple[_SlotBits, _SlotBits]:
        """What outlives a function and its own operations read and write."""
        reads: set[Slot] = set()
        writes: set[Slot] = set()
        for edge in function.edges:
            effects = self.slots.effects(edge)
            reads |= effects.reads
            writes |= self.written(edge)
        self._number(reads | writes)
        return self._outliving(reads), self._outliving(writes)

    def _number(self, slots: set[Slot]) -> None:
        new = [slot for slot in slots if isinstance(slot, Var) and slot not in self.numbers]
        for var in sorted(new, key=lambda var: var.name):  # the same in each run
            number = self.numbers[var] = len(self.variables)
            self.variables.append(var)
            if not var.function:
                self.globals |= 1 << number

    def _outliving(self, slots: set[Slot]) -> _SlotBits:
        """Those that are more than a scalar variable of one function."""
        regions = 0
        for slot in slots:
            if isinstance(slot, RegionId):
                regions |= 1 << slot.number
        outliving = {slot for slot in slots if isinstance(slot, Var) and not slot.function}
        return _SlotBits(_bits(map(self.numbers.__getitem__, outliving)), regions)

    def mask(self, slots: frozenset[Slot]) -> int:
        """The variables among slots that operations read or write, as bits."""
        known = self._masks.get(slots)
        if known is None:
            numbers = [self.numbers.get(slot) for slot in slots if isinstance(slot, Var)]
            known = _bits(number for number in numbers if number is not None)
            self._masks[slots] = known
        return known

    def written(self, edge: Edge) -> frozenset[Slot]:
        """What an edge itself may write, with the parameters of what it calls."""
        return self.slots.effects(edge).writes | self._passed(edge)

    def _passed(self, edge: Edge) -> frozenset[Slot]:
        """The slots of the parameters that a call writes."""
        found: frozenset[Slot] = frozenset()
        if isinstance(edge.op, Call):
            for callee in self.callees(edge):
                known = self._params.get(callee)
                if known is None:
                    params = self._program.functions[callee].params
                    known = frozenset().union(*map(self.slots.of_target, params))
                    self._params[callee] = known
                found |= known
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

    def may_return(self, edge: Edge) -> bool:
        """May a run come to the end of an edge? Not if it is a call of functions whose ends are not
        connected with their beginnings, as of one that loops for ever."""
        if not isinstance(edge.op, Call) or self.may_leave(edge):
            return not isinstance(edge.op, Halt | Error)
        return not self._returning.isdisjoint(self.callees(edge))

    def reads(self, function: str) -> frozenset[Slot]:
        """The scalar globals and memory regions that a call of the function may read."""
        return self._set(self._reads[function])

    def writes(self, function: str) -> frozenset[Slot]:
        """The scalar globals and memory regions that a call of the function may write."""
        return self._set(self._writes[function])

    def read_variables(self, function: str) -> int:
        """The scalar globals that a call of the function may read, as bits."""
        return self._reads[function].variables

    def written_variables(self, function: str) -> int:
        """The scalar globals that a call of the function may write, as bits."""
        return self._writes[function].variables

    def _set(self, bits: _SlotBits) -> frozenset[Slot]:
        known = self._sets.get(bits)
        if known is None:
            variables = [self.variables[number] for number in ones(bits.variables)]
            regions = [RegionId(number) for number in ones(bits.regions)]
            known = self._sets[bits] = frozenset((*variables, *regions))
        return known

    def effects(self, edge: Edge) -> Effects:
        """What an edge may read and write, with all that it calls; a call kills its target."""
        own = self.slots.effects(edge)
        if not isinstance(edge.op, Call):
            return own
        reads, writes = own.reads, self.written(edge)
        for callee in self.callees(edge):
            reads |= self.reads(callee)
            writes |= self.writes(callee)
        return Effects(reads, writes, own.kills)


def ones(bits: int) -> Iterator[int]:
    """The numbers of the bits that are set, the lowest first."""
    if bits.bit_count() <= _FEW:
        numbers: list[int] = []
        while bits:
            numbers.append(bits.bit_length() - 1)
            bits ^= 1 << numbers[-1]
        yield from reversed(numbers)
        return
    text = f"{bits:b}"
    last = len(text) - 1
    place = text.rfind("1")
    while place >= 0:
        yield last - place
        place = text.rfind("1", 0, place)


def _bits(numbers: Iterable[int]) -> int:
    """The number with these bits set."""
    found = bytearray()
    for number in numbers:
        place = number >> 3
        if place >= len(found):
            found.extend(bytes(place + 1 - len(found)))
        found[place] |= 1 << (number & 7)
    return int.from_bytes(found, "little")


def modref(
    program: Program, partition: Partition, calls: Mapping[str, tuple[str, ...]] | None = None
) -> ModRef:
    """Find out what each function reads and writes; `calls` is the call graph, if it is known."""
    if calls is None:
        calls = call_graph(program, partition.points_to.call_targets)
    return ModRef(program, partition, calls)
