"""Relevance: the edges and slots that can influence whether an error is reached.

A flow-insensitive closure over slots (scalar variables and memory regions), with control
dependence. An edge is relevant if it is an error, if it writes a relevant slot, if it decides
whether a relevant edge is taken, or if it calls a function with a relevant edge; all that a
relevant edge reads is relevant.

What is irrelevant and decides how a loop is left is kept too if it reads nothing but relevant
slots: nothing else has to be kept for it, and no error is looked for behind a loop that never ends.

Soundness duty: a run of the program whose irrelevant operations are left out takes the same
relevant edges with the same values in relevant slots, or it goes on where the original run ended
(by a fault, or in an endless loop).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ..ir.cfa import Edge, Location, Program
from ..ir.def_use import op_target, op_values
from ..ir.expr import (
    AddressOf,
    Expr,
    FunctionAddress,
    Initialised,
    NoLeak,
    ObjectSize,
    Roots,
    ValidAccess,
    ValidFree,
)
from ..ir.ops import Alloc, Assume, Call, Error, Free, Halt, Return
from ..ir.walk import Folding, subterms, unseen
from .control_dependence import blocks, controllers, endless_loops, loop_exits
from .effects import Slot
from .memory.partition import Partition, RegionId
from .modref import ModRef
from .points_to.address_taken import taken_by
from .points_to.objects import UNKNOWN, Allocated, Object, Variable

# terms whose value depends on more than the lvalues they read
_ABOUT_OBJECTS = (
    ObjectSize | ValidAccess | ValidFree | Initialised | NoLeak | AddressOf | FunctionAddress
)


class Relevance:
    """The relevant edges, slots, functions, and functions whose result is relevant."""

    def __init__(self, program: Program, partition: Partition, effects: ModRef) -> None:
        self._program = program
        self._partition = partition
        self._points_to = partition.points_to
        self._effects = effects
        self.edges: set[Edge] = set()
        self.slots: set[Slot] = set()
        self.functions: set[str] = set()
        self.results: set[str] = set()
        self._ending: set[str] = set()  # functions of which it matters whether they return
        self._controllers: dict[str, dict[Location, frozenset[Location]]] = {}
        self._writers: dict[Slot, list[Edge]] = {}
        self._callers: dict[str, list[Edge]] = {name: [] for name in program.functions}
        self._owners: dict[Slot, dict[str, None]] = {}
        self._takers: dict[str, list[Edge]] = {}
        self._holders: dict[str, list[str]] = {}  # the globals that an address initialises
        self.addresses: set[str] = set()  # what must be seen to have its address taken
        self.globals: set[str] = set()  # the globals whose initialisers show it
        self._left: set[Location] = set()  # where it matters by which edge a run leaves
        self._reached: set[Location] = set()  # where it matters whether a run comes
        self._sized: set[Expr] = set()  # pointers to objects whose size matters
        self._searched: set[Expr] = set()  # for such pointers
        self._passed: set[Expr] = set()  # arguments whose values matter
        self._taken = Folding(taken_by)
        self._allocations: list[Edge] = []
        self._lives: set[frozenset[Object]] = set()  # whose makers and ends are kept
        self._frees: list[tuple[Edge, Free]] = []
        self._todo_edges: list[Edge] = []
        self._todo_slots: list[Slot] = []
        self._index()
        self._may_end = self._ends()
        for edge in self._all_edges():
            if isinstance(edge.op, Error):
                self._need_edge(edge)
        self._close()
        self._keep_loop_exits()

    def _all_edges(self) -> Iterable[Edge]:
        for function in self._program.functions.values():
            yield from function.edges

    def takes(self, arg: Expr) -> bool:
        """Does an argument take an address that must be seen to be taken?"""
        return not self.addresses.isdisjoint(self._taken(arg))

    def _index(self) -> None:
        for item in self._program.globals:
            for assign in item.init:
                for name in self._taken(assign.value):
                    self._holders.setdefault(name, []).append(item.var.name)
        for edge in self._all_edges():
            for slot in self._effects.slots.effects(edge).writes:
                self._writers.setdefault(slot, []).append(edge)
            for name in self._addresses(edge):
                self._takers.setdefault(name, []).append(edge)
            match edge.op:
                case Call():
                    for callee in self._effects.callees(edge):
                        self._callers[callee].append(edge)
                case Alloc():
                    self._allocations.append(edge)
                case Free() as free:
                    self._frees.append((edge, free))
        for name, function in self._program.functions.items():
            for param in function.params:
                for slot in self._effects.slots.of_target(param):
                    self._owners.setdefault(slot, {})[name] = None

    def _addresses(self, edge: Edge) -> frozenset[str]:
        """The variables and functions whose address an edge takes."""
        values = op_values(edge.op)
        if isinstance(edge.op, Call) and isinstance(edge.op.callee, FunctionAddress):
            values = edge.op.args
        target = op_target(edge.op)
        if target is not None:
            values = (*values, target)
        return frozenset().union(*map(self._taken, values))

    def _ends(self) -> set[str]:
        """The functions that may end the run, or never return."""
        found = {
            name
            for name, function in self._program.functions.items()
            if endless_loops(function)
            or any(
                blocks(edges) or any(isinstance(edge.op, Halt) for edge in edges)
                for edges in function.outgoing.values()
            )
        }
        todo = list(found)
        while todo:
            for edge in self._callers[todo.pop()]:
                if edge.src.function not in found:
                    found.add(edge.src.function)
                    todo.append(edge.src.function)
        return found

    # --- the closure ------------------------------------------------------------------------------

    def _close(self) -> None:
        while self._todo_edges or self._todo_slots:
            if self._todo_edges:
                self._edge_is_needed(self._todo_edges.pop())
            else:
                self._slot_is_needed(self._todo_slots.pop())

    def _need_edge(self, edge: Edge) -> None:
        if edge not in self.edges:
            self.edges.add(edge)
            self._todo_edges.append(edge)

    def _need_slots(self, slots: Iterable[Slot]) -> None:
        for slot in slots:
            if slot not in self.slots:
                self.slots.add(slot)
                self._todo_slots.append(slot)

    def _need_function(self, name: str) -> None:
        if name not in self.functions:
            self.functions.add(name)
            for edge in self._callers[name]:
                self._need_edge(edge)

    def _need_result(self, name: str) -> None:
        """The value that the function returns matters."""
        if name not in self.results:
            self.results.add(name)
            for edge in self._program.functions[name].edges:
                if isinstance(edge.op, Return):
                    self._need_edge(edge)

    def _need_end(self, name: str) -> None:
        """It matters whether the function returns."""
        if name in self._ending or name not in self._may_end:
            return
        self._ending.add(name)
        function = self._program.functions[name]
        for location in endless_loops(function):
            self._need_function(name)
            for controller in self._controlling(location) - {location}:
                self._need_branches(controller)
        for edges in function.outgoing.values():
            for edge in edges:
                if isinstance(edge.op, Halt) or blocks(edges):
                    self._need_edge(edge)
                elif isinstance(edge.op, Call) and self._may_not_return(edge):
                    self._need_edge(edge)
                    self._decides(edge)

    def _may_not_return(self, edge: Edge) -> bool:
        return any(callee in self._may_end for callee in self._effects.callees(edge))

    def _decides(self, edge: Edge) -> None:
        """It matters where the edge's location is left to."""
        self._need_edge(edge)
        if isinstance(edge.op, Call):
            for callee in self._effects.callees(edge):
                self._need_end(callee)

    def _controlling(self, location: Location) -> frozenset[Location]:
        table = self._controllers.get(location.function)
        if table is None:
            function = self._program.functions[location.function]
            table = controllers(function, self._may_not_return)
            self._controllers[function.name] = table
        return table.get(location, frozenset())

    def _need_branches(self, location: Location) -> None:
        """It matters by which edge a run leaves the location, and whether it does."""
        if location in self._left:
            return
        self._left.add(location)
        for edge in self._program.functions[location.function].outgoing[location]:
            self._decides(edge)

    def _keep_loop_exits(self) -> None:
        """Keep the branches by which loops are left, with all those that decide whether a run comes
        there, where none of them needs more than is relevant already."""
        exits = [
            location
            for name in self.functions
            for location in loop_exits(self._program.functions[name])
        ]
        deciding: dict[Location, frozenset[Location]] = {}  # by location that is not relevant yet
        decided: dict[Location, list[Location]] = {}
        needs_more: list[Location] = []
        todo = list(exits)
        while todo:
            here = todo.pop()
            edges = self._program.functions[here.function].outgoing[here]
            if here in deciding or all(edge in self.edges for edge in edges):
                continue
            deciding[here] = self._controlling(here)
            if not all(isinstance(edge.op, Assume) and self._is_free(edge) for edge in edges):
                needs_more.append(here)
                continue
            for controller in deciding[here]:
                decided.setdefault(controller, []).append(here)
                todo.append(controller)
        dropped = set(needs_more)
        while needs_more:
            new = [at for at in decided.get(needs_more.pop(), ()) if at not in dropped]
            dropped.update(new)
            needs_more += new
        self._keep(deciding, [location for location in exits if location not in dropped])

    def _keep(self, deciding: Mapping[Location, frozenset[Location]], todo: list[Location]) -> None:
        """The edges of the locations, and of those that decide about them."""
        seen: set[Location] = set()
        while todo:
            here = todo.pop()
            if here not in seen and here in deciding:
                seen.add(here)
                self.edges.update(self._program.functions[here.function].outgoing[here])
                todo += deciding[here]

    def _is_free(self, edge: Edge) -> bool:
        """Is all that the edge reads relevant already?"""
        terms = [term for value in op_values(edge.op) for term in subterms(value)]
        if any(isinstance(term, _ABOUT_OBJECTS) for term in terms):
            return False
        return self._effects.slots.effects(edge).reads <= self.slots

    def _edge_is_needed(self, edge: Edge) -> None:
        self._need_location(edge.src)
        op = edge.op
        if isinstance(op, Call):
            self._call_is_needed(edge, op)
            return
        self._need_slots(self._effects.slots.effects(edge).reads)
        for value in op_values(op):
            self._need_sizes(value)
        target = op_target(op)
        if target is not None:
            self._need_sizes(target)

    def _need_location(self, location: Location) -> None:
        """It matters whether a run comes to the location, and which condition holds there."""
        if location in self._reached:
            return
        self._reached.add(location)
        self._need_function(location.function)
        for controller in self._controlling(location):
            self._need_branches(controller)
        for edge in self._program.functions[location.function].outgoing[location]:
            if isinstance(edge.op, Assume):
                self._decides(edge)

    def _call_is_needed(self, edge: Edge, call: Call) -> None:
        """The callee matters; of the arguments only those whose parameters do."""
        slots = self._effects.slots
        self._need_slots(slots.of_value(call.callee))
        if self._points_to.may_be_unknown(edge):
            for callee in self._effects.callees(edge):
                self._need_address(callee)
        if call.target is not None and slots.of_target(call.target) & self.slots:
            self._need_slots(slots.of_address(call.target))
            for callee in self._effects.callees(edge):
                self._need_result(callee)
        for arg in call.args:
            if arg not in self._passed and self.takes(arg):
                self._need_argument(arg)
        for callee in self._effects.callees(edge):
            self._need_arguments(call, callee)

    def _need_arguments(self, call: Call, callee: str) -> None:
        """The arguments whose parameters matter."""
        slots = self._effects.slots
        params = self._program.functions[callee].params
        for param, arg in zip(params, call.args, strict=False):
            if arg not in self._passed and not slots.of_target(param).isdisjoint(self.slots):
                self._need_argument(arg)

    def _need_argument(self, arg: Expr) -> None:
        self._passed.add(arg)
        self._need_slots(self._effects.slots.of_value(arg))
        self._need_sizes(arg)

    def _need_address(self, name: str) -> None:
        """That an unknown address may be this one must be seen in what remains of the program."""
        if name in self.addresses:
            return
        self.addresses.add(name)
        self.globals.update(self._holders.get(name, ()))
        for edge in self._takers.get(name, ()):
            self._need_edge(edge)
            if isinstance(edge.op, Call):
                self._todo_edges.append(edge)  # its argument matters now

    def _slot_is_needed(self, slot: Slot) -> None:
        for edge in self._writers.get(slot, ()):
            self._need_edge(edge)
            if isinstance(edge.op, Call):
                self._todo_edges.append(edge)  # its target matters now
        for name in self._owners.get(slot, ()):
            for edge in self._callers[name]:  # the arguments matter wherever the call does
                if edge in self.edges and isinstance(edge.op, Call):
                    self._need_arguments(edge.op, name)
        if isinstance(slot, RegionId) and self._partition.region(slot).unknown:
            for object_ in self._partition.region(slot).objects:
                if isinstance(object_, Variable):
                    self._need_address(object_.var.name)

    def _need_sizes(self, expr: Expr) -> None:
        """Where it is asked for the size or the life of an object, all that makes or ends such
        objects matters; where it is asked whether one is lost, everything does."""
        for term in unseen((expr,), self._searched):
            match term:
                case ObjectSize() | ValidAccess() | ValidFree() | Initialised():
                    if term.pointer not in self._sized:
                        self._sized.add(term.pointer)
                        self._need_life(term.pointer)
                case NoLeak(roots):
                    for edge in self._all_edges():
                        if roots is not Roots.NONE or isinstance(edge.op, Alloc | Free):
                            self._need_edge(edge)

    def _need_life(self, pointer: Expr) -> None:
        objects = self._objects(pointer)
        if objects in self._lives:
            return
        self._lives.add(objects)
        for edge in self._allocations:
            if Allocated(edge) in objects or UNKNOWN in objects:
                self._need_edge(edge)
        for edge, free in self._frees:
            freed = self._objects(free.pointer)
            if UNKNOWN in objects or UNKNOWN in freed or not objects.isdisjoint(freed):
                self._need_edge(edge)

    def _objects(self, pointer: Expr) -> frozenset[Object]:
        return frozenset(target.object for target in self._points_to.targets(pointer))
