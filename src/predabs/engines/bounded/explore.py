"""Follow all paths of a program together, up to a bound: one symbolic state per place.

A place is a call chain, a location and the number of rounds of each loop around it. States that
meet at a place are merged. What goes on beyond the bound is put aside, and can be taken up later.
Soundness duty: every state is followed to its end, put aside, recorded as an error, or noted as a
cut with its condition; none is lost.
"""

from __future__ import annotations

import heapq
from dataclasses import dataclass

from ...concrete.storage_layout import VariableLayout
from ...ir.cfa import Coord, Edge, Function, Location, Program
from ...ir.expr import Var
from ...ir.ops import Assume, Call, Error, Halt, Return, Source
from ...smt.term import FALSE, Term, Value
from ...symbolic.execute import SymbolicFrame, SymbolicMachine
from ...symbolic.frames import arguments, bind, deliver
from ...symbolic.memory import SymbolicObject
from ...symbolic.pointers import cases
from ...symbolic.state import SymbolicState, merge
from ...symbolic.values import SymbolicLimit
from .unrolling import Counts, Unrolling

_FREE_ROUNDS = 256  # for each round that is counted, so many more that all states make


@dataclass(frozen=True, slots=True, eq=False)
class CallContext:
    """A call that is being explored: who called, from where, and what is to be done at the end."""

    caller: CallContext | None
    call: Edge | None
    counts: Counts  # of the caller's loops
    locals: dict[Var, Term]  # of the caller
    stack: tuple[SymbolicObject, ...]  # of the caller
    frame: SymbolicFrame
    unrolling: Unrolling
    key: tuple[int, ...]
    depth: int  # how many calls of this function are under way

    def place(self, location: Location, counts: Counts) -> tuple[int, ...]:
        return self.key + self.unrolling.key(location, counts)


Place = tuple[CallContext, Location, Counts]


class Open:
    """States that wait to be followed, one per place, in the order of the unrolling."""

    def __init__(self) -> None:
        self._states: dict[Place, SymbolicState] = {}
        self._heap: list[tuple[tuple[int, ...], int, Place]] = []
        self._count = 0

    def __bool__(self) -> bool:
        return bool(self._states)

    def add(self, place: Place, state: SymbolicState) -> None:
        old = self._states.get(place)
        if old is not None:
            self._states[place] = merge(old, state)
            return
        self._states[place] = state
        self._count += 1
        heapq.heappush(self._heap, (place[0].place(place[1], place[2]), self._count, place))

    def pop(self) -> tuple[Place, SymbolicState, tuple[int, ...]]:
        """The first place with its state and its key."""
        while True:
            key, _, place = heapq.heappop(self._heap)
            state = self._states.pop(place, None)
            if state is not None:  # else it was dropped
                return place, state, key

    def drop(self, place: Place) -> None:
        """Forget a state: no run gets there."""
        del self._states[place]

    def waiting(self) -> list[tuple[Place, SymbolicState]]:
        return list(self._states.items())


@dataclass(frozen=True, slots=True)
class ErrorFound:
    """An error that some path leads to, if its condition can hold."""

    cond: Term
    text: str
    coord: Coord


class Explorer:
    """An exploration under way; `bound` is how many rounds of a loop are followed."""

    def __init__(self, program: Program, bound: int) -> None:
        self.bound = bound
        self.open = Open()
        self.deferred = Open()
        self.errors: list[ErrorFound] = []
        self.cuts: list[ErrorFound] = []
        self._program = program
        layout = VariableLayout(program)
        self.machine = SymbolicMachine(program, layout, self._cut)
        self._unrollings: dict[str, Unrolling] = {}
        self._functions = {address: name for name, address in layout.functions.items()}
        self._exits: dict[Location, bool] = {}
        self._exited: set[tuple[CallContext, Location, Counts]] = set()
        self._begin()

    def visit_next(self) -> None:
        """Follow the first place that is open."""
        place, state, key = self.open.pop()
        self._visit(place, state, key)

    def deepen(self) -> None:
        """Take up what was put aside, with twice the bound."""
        self.bound *= 2
        self.open, self.deferred = self.deferred, Open()

    def _begin(self) -> None:
        function = self._program.functions[self._program.entry]
        state = self.machine.start()
        frame = self.machine.enter(state, function)
        for number, param in enumerate(function.params):
            self.machine.parameter(state, frame, param, number)
        context = CallContext(None, None, (), {}, (), frame, self._unrolling(function), (2,), 1)
        self.open.add((context, function.entry, self._zero(context, function.entry)), state)

    def _cut(self, cond: Term, reason: str, coord: Coord) -> None:
        if cond is not FALSE:
            self.cuts.append(ErrorFound(cond, reason, coord))

    # --- places -----------------------------------------------------------------------------------

    def _unrolling(self, function: Function) -> Unrolling:
        if function.name not in self._unrollings:
            self._unrollings[function.name] = Unrolling(function)
        return self._unrollings[function.name]

    def _zero(self, context: CallContext, location: Location) -> Counts:
        return (0,) * len(context.unrolling.loops(location))

    def _visit(self, place: Place, state: SymbolicState, key: tuple[int, ...]) -> None:
        """Follow all edges of a place."""
        context, location, _ = place
        edges = context.frame.function.outgoing[location]
        for number, edge in enumerate(edges):
            mine = state if number == len(edges) - 1 else state.fork()
            before = mine.guard
            try:
                self._follow(place, mine, edge, key)
            except SymbolicLimit as cut:
                self._cut(before.term, str(cut), edge.coord)

    def _follow(self, place: Place, state: SymbolicState, edge: Edge, key: tuple[int, ...]) -> None:
        context, _, counts = place
        match edge.op:
            case Error(_, text):
                self.errors.append(ErrorFound(state.guard.term, text, edge.coord))
            case Halt():
                pass
            case Call():
                self._call(place, state, edge, edge.op, key)
            case Return():
                self._return(context, state, edge.op, edge.coord)
            case op:
                self.machine.step(state, context.frame, op, edge.coord, key)
                if not state.dead:
                    self._arrive(context, state, edge, counts)

    def _arrive(
        self, context: CallContext, state: SymbolicState, edge: Edge, counts: Counts
    ) -> None:
        """Go on at the end of an edge, now or in a later round."""
        move = context.unrolling.move(edge.src, counts, edge.dst)
        loops = context.unrolling.loops(edge.src)
        if move.left and context.frame.function.outgoing[edge.dst]:
            for depth in range(len(loops) - move.left, len(loops)):
                self._exited.add((context, loops[depth], counts[: depth + 1]))
        place = (context, edge.dst, move.counts)
        if move.again and self._too_far(context, edge.dst, move.counts):
            self.deferred.add(place, state)
        else:
            self.open.add(place, state)

    def _too_far(self, context: CallContext, head: Location, counts: Counts) -> bool:
        """Is another round beyond the bound? A round that all states have to make is not counted,
        if the loop can end at all."""
        count = counts[-1]
        if count <= self.bound:
            return False
        if count > self.bound * _FREE_ROUNDS or not self._can_exit(context, head):
            return True
        return (context, head, (*counts[:-1], count - 1)) in self._exited

    def _can_exit(self, context: CallContext, head: Location) -> bool:
        """Has the loop a condition that leaves it?"""
        known = self._exits.get(head)
        if known is None:
            unrolling = context.unrolling
            depth = len(unrolling.loops(head)) - 1
            known = self._exits[head] = any(
                isinstance(edge.op, Assume)
                and self._inside(unrolling, edge.src, head, depth)
                and not self._inside(unrolling, edge.dst, head, depth)
                for edge in context.frame.function.edges
            )
        return known

    def _inside(self, unrolling: Unrolling, location: Location, head: Location, depth: int) -> bool:
        loops = unrolling.loops(location)
        return len(loops) > depth and loops[depth] is head

    # --- calls ------------------------------------------------------------------------------------

    def _call(
        self, place: Place, state: SymbolicState, edge: Edge, op: Call, key: tuple[int, ...]
    ) -> None:
        context, _, counts = place
        values = self.machine.values(state, context.frame)
        callee = values.value(op.callee)
        found = cases(callee)
        if found is None:
            raise SymbolicLimit("a call through a pointer that may be any function")
        known = []
        for case in found:
            name = self._functions.get(case.base)
            if name is not None and isinstance(case.offset, Value) and case.offset.value == 0:
                known.append((case.cond, name))
        for number, (cond, name) in enumerate(known):
            mine = state if number == len(known) - 1 else state.fork()
            mine.guard = mine.guard.also(cond)
            if mine.dead:
                continue
            function = self._program.functions.get(name)
            if function is None:
                self._external(context, mine, edge, op, counts, name, key)
            else:
                self._enter(context, mine, edge, op, counts, function, (*key, number))

    def _external(
        self,
        context: CallContext,
        state: SymbolicState,
        edge: Edge,
        op: Call,
        counts: Counts,
        name: str,
        key: tuple[int, ...],
    ) -> None:
        """A function without a body returns any value."""
        if op.target is not None:
            self.machine.havoc(
                state, context.frame, op.target, Source.EXTERN, name, edge.coord, key
            )
        self._arrive(context, state, edge, counts)

    def _enter(
        self,
        context: CallContext,
        state: SymbolicState,
        edge: Edge,
        op: Call,
        counts: Counts,
        function: Function,
        key: tuple[int, ...],
    ) -> None:
        args = arguments(self.machine.values(state, context.frame), op)
        depth = 1
        above: CallContext | None = context
        while above is not None:
            if above.frame.function is function:
                depth = above.depth + 1
                break
            above = above.caller
        frame = self.machine.enter(state, function)
        inner = CallContext(
            context,
            edge,
            counts,
            state.locals,
            state.stack,
            frame,
            self._unrolling(function),
            key,
            depth,
        )
        state.locals, state.stack = {}, ()
        bind(self.machine, state, frame, args, edge.coord, key)
        place = (inner, function.entry, self._zero(inner, function.entry))
        if depth > self.bound + 1:
            self.deferred.add(place, state)
        else:
            self.open.add(place, state)

    def _return(self, context: CallContext, state: SymbolicState, op: Return, coord: Coord) -> None:
        if context.caller is None or context.call is None:
            return  # the program ends
        call = context.call.op
        assert isinstance(call, Call)
        caller = context.caller

        def back() -> None:
            self.machine.leave(state, context.frame)
            state.locals, state.stack = dict(context.locals), context.stack

        inner, outer = context.frame, caller.frame
        deliver(self.machine, state, inner, outer, op.value, call.target, back, coord, context.key)
        if not state.dead:
            self._arrive(caller, state, context.call, context.counts)
