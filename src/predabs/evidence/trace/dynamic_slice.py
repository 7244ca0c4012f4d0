"""Dynamic slicing [AH90]: which steps of a run its error depends on.

Each step depends on those that wrote what it reads, on the branch that decided that it happens, and
on the call around it. Assumptions that only end other runs, and faults that were looked for and did
not happen, decide nothing here. The result is for people: a run that is too long is given up.
"""

from __future__ import annotations

from typing import TypeAlias

from ...analysis.control_dependence import blocks, controllers
from ...concrete.outcome import Failure, Overrun, Refusal
from ...concrete.state_view import ByteRange, Place, StateView
from ...concrete.storage_layout import Register
from ...ir.cfa import Edge, Function, Location, Program
from ...ir.def_use import op_target, op_values
from ...ir.expr import Expr, ValidAccess, ValidFree
from ...ir.ops import Assume, Call, Copy, Error, Fill, Free, Operation, Return
from ...ir.walk import operands, reads_of, subterms
from ...records import dataclass, field

_MOST_NODES = 300_000
_MOST_BYTES = 1 << 16  # of one access
_FAULTS = (Failure, Refusal, Overrun, ZeroDivisionError)

_Node: TypeAlias = int  # a step of the run, or one argument of a call


@dataclass(slots=True)
class _Frame:
    """A call: its node, the last writers of its registers, the last branches by location, and where
    its result goes."""

    call: _Node
    registers: dict[str, _Node] = field(default_factory=dict)
    branches: dict[Location, _Node] = field(default_factory=dict)
    target: Place | None = None


@dataclass(slots=True)
class _Uses:
    """What an operation is about to read and write; `ended` is the address that it frees."""

    nodes: tuple[_Node, ...] = ()
    args: tuple[tuple[_Node, ...], ...] = ()
    target: Place | None = None
    ended: int | None = None


class DynamicSlice:
    """The dependences of a run so far."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._controllers: dict[str, dict[Location, frozenset[Location]]] = {}
        self._nodes: list[tuple[_Node, ...]] = []  # what each depends on
        self._steps: list[int] = []  # the step of each node
        self._count = 0  # of steps
        self._globals: dict[str, _Node] = {}
        self._bytes: dict[int, _Node] = {}
        self._ended: dict[int, _Node] = {}  # what has freed an object, by address
        self._frames = [_Frame(-1)]
        self._uses = _Uses()
        self._called: tuple[_Node, _Uses] | None = None
        self._result: _Node = -1
        self._error: _Node | None = None
        self._given_up = False

    def marks(self) -> frozenset[int] | None:
        """The numbers of the steps that the error depends on, if it was reached and is known."""
        if self._error is None or self._given_up:
            return None
        seen = {self._error}
        todo = [self._error]
        while todo:
            for node in self._nodes[todo.pop()]:
                if node >= 0 and node not in seen:
                    seen.add(node)
                    todo.append(node)
        return frozenset(self._steps[node] for node in seen)

    def is_unset(self, place: Place) -> bool:
        """Whether no step has written any of these bytes; unknown if the run was given up."""
        if self._given_up or not isinstance(place, ByteRange) or place.size > _MOST_BYTES:
            return False
        return not any(
            byte in self._bytes for byte in range(place.address, place.address + place.size)
        )

    # --- one step ---------------------------------------------------------------------------------

    def before(self, edge: Edge, view: StateView) -> None:
        """What the edge will read and write, if it is taken."""
        if self._given_up:
            return
        self._settle(edge, view)
        try:
            self._uses = self._look(edge.op, view)
        except _FAULTS:
            self._uses = _Uses()

    def after(self, edge: Edge) -> None:
        """The edge was taken."""
        number, self._count = self._count, self._count + 1
        if self._given_up:
            return
        if len(self._nodes) > _MOST_NODES:
            self._given_up = True
            return
        frame, uses, op = self._frames[-1], self._uses, edge.op
        self._uses = _Uses()
        node = self._node((*uses.nodes, self._decider(edge, frame)), number)
        match op:
            case Assume():
                frame.branches[edge.src] = node
            case Call():
                self._called = node, uses
            case Return():
                self._result = node
            case Error():
                self._error = node
            case _:
                self._write(uses.target, node)
                if uses.ended is not None:
                    self._ended[uses.ended] = node

    def _node(self, depends: tuple[_Node, ...], step: int) -> _Node:
        self._nodes.append(depends)
        self._steps.append(step)
        return len(self._nodes) - 1

    def _settle(self, edge: Edge, view: StateView) -> None:
        """Calls and returns: has the last step begun or ended some?"""
        if (called := self._called) is not None:
            node, uses = called
            self._called = None
            if view.depth > len(self._frames):
                self._frames.append(_Frame(node, target=uses.target))
                params = self._program.functions[edge.src.function].params
                for param, depends in zip(params, uses.args, strict=False):
                    passed = self._node((*depends, node), self._steps[node])
                    self._write(view.place(param), passed)
            else:
                given = (*uses.nodes, *(n for arg in uses.args for n in arg), node)
                self._write(uses.target, self._node(given, self._steps[node]))
        while len(self._frames) > max(view.depth, 1):
            self._write_result(self._frames.pop())

    def _write_result(self, frame: _Frame) -> None:
        if frame.target is not None and self._result >= 0:
            self._write(frame.target, self._result)

    def _decider(self, edge: Edge, frame: _Frame) -> _Node:
        """The branch that decided that this happens, or the call."""
        by = self._control(self._program.functions[edge.src.function]).get(edge.src, ())
        taken = [frame.branches[location] for location in by if location in frame.branches]
        return max(taken, default=frame.call)

    def _control(self, function: Function) -> dict[Location, frozenset[Location]]:
        found = self._controllers.get(function.name)
        if found is None:
            found = self._controllers[function.name] = _deciding(function)
        return found

    # --- reading and writing ----------------------------------------------------------------------

    def _look(self, op: Operation, view: StateView) -> _Uses:
        target = op_target(op)
        where: list[Expr] = [] if target is None else list(operands(target))
        place = None if target is None else view.place(target)
        match op:
            case Call(_, callee, args):
                read = tuple(self._read([arg], view) for arg in args)
                return _Uses(self._read([callee, *where], view), read, place)
            case Fill(pointer, _, size) | Copy(pointer, _, size):
                place = _range(pointer, size, view)
        nodes = self._read([*op_values(op), *where], view)
        if isinstance(op, Free):
            freed = view.value(op.pointer)
            assert isinstance(freed, int)
            return _Uses(nodes, ended=freed)
        if isinstance(op, Assume) and self._ended:
            nodes += self._ends(op.cond, view)
        if isinstance(op, Copy):
            nodes += self._held(_range(op.source, op.size, view))
        return _Uses(nodes, (), place)

    def _read(self, terms: list[Expr], view: StateView) -> tuple[_Node, ...]:
        """The last writers of all that the terms read."""
        found: set[_Node] = set()
        for lvalue in reads_of(terms):
            found.update(self._held(view.place(lvalue)))
        return tuple(found)

    def _ends(self, cond: Expr, view: StateView) -> tuple[_Node, ...]:
        """What has freed the objects whose validity is asked for."""
        found: list[_Node] = []
        for part in subterms(cond):
            if isinstance(part, ValidAccess | ValidFree):
                address = view.value(part.pointer)
                assert isinstance(address, int)
                item = view.object_near(address)
                if item is not None and not item.live and item.base in self._ended:
                    found.append(self._ended[item.base])
        return tuple(found)

    def _held(self, place: Place) -> tuple[_Node, ...]:
        if isinstance(place, Register):
            known = self._globals if place.is_global else self._frames[-1].registers
            node = known.get(place.var.name)
            return () if node is None else (node,)
        if place.size > _MOST_BYTES:
            return ()
        at = range(place.address, place.address + place.size)
        return tuple({self._bytes[byte] for byte in at if byte in self._bytes})

    def _write(self, place: Place | None, node: _Node) -> None:
        if isinstance(place, Register):
            known = self._globals if place.is_global else self._frames[-1].registers
            known[place.var.name] = node
        elif isinstance(place, ByteRange) and place.size <= _MOST_BYTES:
            for byte in range(place.address, place.address + place.size):
                self._bytes[byte] = node


def _range(pointer: Expr, size: Expr, view: StateView) -> ByteRange:
    start, count = view.value(pointer), view.value(size)
    assert isinstance(start, int) and isinstance(count, int)
    return ByteRange(start, count)


def _deciding(function: Function) -> dict[Location, frozenset[Location]]:
    """For each location, the branches that decide whether it is reached: where one of them decides
    nothing by itself, those that decide about it. An error is decided about by all."""
    direct = controllers(function, lambda edge: False)
    idle = {
        location
        for location, edges in function.outgoing.items()
        if _decides_nothing(edges, function)
    }
    found: dict[Location, frozenset[Location]] = {}
    for location in direct:
        if _is_error(location, function):
            found[location] = direct[location]
            continue
        seen: set[Location] = set()
        todo = [*direct[location]]
        real: set[Location] = set()
        while todo:
            by = todo.pop()
            if by in seen:
                continue
            seen.add(by)
            if by in idle:
                todo.extend(direct.get(by, ()))
            else:
                real.add(by)
        found[location] = frozenset(real)
    return found


def _decides_nothing(edges: tuple[Edge, ...], function: Function) -> bool:
    """Is this an assumption, or a check for a fault?"""
    if blocks(edges):
        return True
    ends = [_is_error(edge.dst, function) for edge in edges]
    return any(ends) and not all(ends) and all(isinstance(edge.op, Assume) for edge in edges)


def _is_error(location: Location, function: Function) -> bool:
    after = function.outgoing[location]
    return len(after) == 1 and isinstance(after[0].op, Error)
