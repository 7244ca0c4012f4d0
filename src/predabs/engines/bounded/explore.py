"""Unroll a program up to a bound, all paths together: one symbolic state per node.

A node of the unrolling is a call chain, a location and the number of iterations of each loop around
it. States that meet at a node are merged. What goes on beyond the bound is deferred, and can be
taken up later. Soundness duty: every state is followed to its end, deferred, recorded as an error,
or noted as a limit with its condition; none is lost.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from dataclasses import dataclass

from ...concrete.storage_layout import VariableLayout
from ...ir.cfa import Coord, Edge, Function, Location, Program
from ...ir.expr import Var
from ...ir.ops import Assume, Call, Error, Halt, Return, Source
from ...smt import build
from ...smt.term import FALSE, TRUE, Term
from ...symbolic.callees import OUTSIDE, FunctionPointers
from ...symbolic.execute import SymbolicFrame, SymbolicMachine
from ...symbolic.frames import arguments, bind, deliver
from ...symbolic.memory import SymbolicObject
from ...symbolic.state import Guard, SymbolicState, merge
from ...symbolic.values import SymbolicLimit
from .error_reach import ErrorReach
from .unrolling import Counts, Unrolling

# for each iteration that is counted, so many more that all states make, and so many if conditions
# are added on the way
_FREE_ITERATIONS, _FREE_WITH_CONDITIONS = 256, 8


@dataclass(frozen=True, slots=True, eq=False)
class CallContext:
    """A call under way: its caller, and what its return restores."""

    caller: CallContext | None
    call: Edge | None
    counts: Counts  # of the caller's loops
    locals: dict[Var, Term]  # of the caller
    stack: tuple[SymbolicObject, ...]  # of the caller
    frame: SymbolicFrame
    unrolling: Unrolling
    key: tuple[int, ...]
    depth: int  # how many calls of this function are under way

    def rank(self, location: Location, counts: Counts) -> tuple[int, ...]:
        """Where a node of this call stands in the order of the unrolling."""
        return self.key + self.unrolling.key(location, counts)


UnrollingNode = tuple[CallContext, Location, Counts]


class StateWaitlist:
    """States that wait to be followed, one per node, in the order of the unrolling."""

    def __init__(self) -> None:
        self._states: dict[UnrollingNode, SymbolicState] = {}
        self._heap: list[tuple[tuple[int, ...], int, UnrollingNode]] = []
        self._count = 0

    def __bool__(self) -> bool:
        return bool(self._states)

    def add(self, node: UnrollingNode, state: SymbolicState) -> None:
        old = self._states.get(node)
        if old is not None:
            self._states[node] = merge(old, state)
            return
        self._states[node] = state
        self._count += 1
        heapq.heappush(self._heap, (node[0].rank(node[1], node[2]), self._count, node))

    def pop(self) -> tuple[UnrollingNode, SymbolicState, tuple[int, ...]]:
        """The first node with its state and its key."""
        while True:
            key, _, node = heapq.heappop(self._heap)
            state = self._states.pop(node, None)
            if state is not None:  # else it was dropped
                return node, state, key

    def drop(self, node: UnrollingNode) -> None:
        """Forget a state: no run gets there."""
        del self._states[node]

    def nodes(self) -> list[tuple[UnrollingNode, SymbolicState]]:
        return list(self._states.items())


@dataclass(frozen=True, slots=True)
class ErrorFound:
    """An error or a limit that some path leads to, if both conditions can hold."""

    guard: Guard
    cond: Term
    text: str
    coord: Coord

    @property
    def whole(self) -> Term:
        return build.and_(self.guard.term, self.cond)


class UnrollingExplorer:
    """An exploration under way; `bound` is how many iterations of a loop are followed."""

    def __init__(self, program: Program, bound: int) -> None:
        self.bound = bound
        self.open = StateWaitlist()
        self.deferred = StateWaitlist()
        self.errors: list[ErrorFound] = []
        self.limits: list[ErrorFound] = []
        self._program = program
        layout = VariableLayout(program)
        self.machine = SymbolicMachine(program, layout, self._limit)
        self._unrollings: dict[str, Unrolling] = {}
        self._functions = FunctionPointers(program, layout)
        self._exits: dict[Location, bool] = {}
        self._heads: dict[UnrollingNode, Guard] = {}  # where iterations begin
        self._distances = ErrorReach(program)
        self._exited: set[tuple[CallContext, Location, Counts]] = set()
        self._context: CallContext | None = None  # in which an edge is followed
        self.machine.outer_locals = self._outer_locals
        self._begin()

    def visit_next(self) -> None:
        """Expand the first node of the waitlist."""
        node, state, key = self.open.pop()
        self._visit(node, state, key)

    def deepen(self) -> None:
        """Take up what was deferred, with twice the bound."""
        self.bound *= 2
        self.open, self.deferred = self.deferred, StateWaitlist()

    def _begin(self) -> None:
        function = self._program.functions[self._program.entry]
        state = self.machine.start()
        frame = self.machine.enter(state, function)
        for number, param in enumerate(function.params):
            self.machine.parameter(state, frame, param, number)
        context = CallContext(None, None, (), {}, (), frame, self._unrolling(function), (2,), 1)
        self.open.add((context, function.entry, self._zero(context, function.entry)), state)

    def _limit(self, guard: Guard, cond: Term, reason: str, coord: Coord) -> None:
        if cond is not FALSE:
            self.limits.append(ErrorFound(guard, cond, reason, coord))

    def _outer_locals(self) -> Iterator[dict[Var, Term]]:
        """The variables of the callers of the function in which an edge is followed."""
        at = self._context
        while at is not None and at.caller is not None:
            yield at.locals
            at = at.caller

    # --- nodes ------------------------------------------------------------------------------------

    def _unrolling(self, function: Function) -> Unrolling:
        if function.name not in self._unrollings:
            self._unrollings[function.name] = Unrolling(function)
        return self._unrollings[function.name]

    def _zero(self, context: CallContext, location: Location) -> Counts:
        return (0,) * len(context.unrolling.loops(location))

    def _visit(self, node: UnrollingNode, state: SymbolicState, key: tuple[int, ...]) -> None:
        """Follow all edges of a node."""
        context, location, _ = node
        edges = context.frame.function.outgoing[location]
        for number, edge in enumerate(edges):
            mine = state if number == len(edges) - 1 else state.fork()
            before = mine.guard
            try:
                self._follow(node, mine, edge, key)
            except SymbolicLimit as limit:
                self._limit(before, TRUE, str(limit), edge.coord)

    def _follow(
        self, node: UnrollingNode, state: SymbolicState, edge: Edge, key: tuple[int, ...]
    ) -> None:
        context, _, counts = node
        self.machine.coord = edge.coord
        self._context = context
        match edge.op:
            case Error(_, text):
                self.errors.append(ErrorFound(state.guard, TRUE, text, edge.coord))
            case Halt():
                pass
            case Call():
                self._call(node, state, edge, edge.op, key)
            case Return():
                self._return(context, state, edge.op, edge.coord)
            case op:
                self.machine.step(state, context.frame, op, edge.coord, key)
                if not state.dead:
                    self._arrive(context, state, edge, counts)

    def _arrive(
        self, context: CallContext, state: SymbolicState, edge: Edge, counts: Counts
    ) -> None:
        """Go on at the end of an edge, or defer that."""
        step = context.unrolling.step(edge.src, counts, edge.dst)
        loops = context.unrolling.loops(edge.src)
        if step.left and context.frame.function.outgoing[edge.dst]:
            for depth in range(len(loops) - step.left, len(loops)):
                self._exited.add((context, loops[depth], counts[: depth + 1]))
        node = (context, edge.dst, step.counts)
        if step.next_iteration and self._too_far(context, edge.dst, step.counts, state.guard):
            self.deferred.add(node, state)
        else:
            self.open.add(node, state)

    def _too_far(self, context: CallContext, head: Location, counts: Counts, guard: Guard) -> bool:
        """Is another iteration beyond the bound? One that all states have to make is not counted,
        if the loop can end at all. An iteration that cannot come to an error is worth less."""
        count = counts[-1]
        bound = self.bound if self._distances.in_loop(head, context.unrolling) else self.bound // 2
        self._heads[context, head, counts] = guard
        if count <= bound:
            return False
        before = (*counts[:-1], count - 1)
        same = self._heads.get((context, head, before)) is guard
        free = _FREE_ITERATIONS if same else _FREE_WITH_CONDITIONS
        if count > self.bound * free or not self._can_exit(context, head):
            return True
        return (context, head, before) in self._exited

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
        self, node: UnrollingNode, state: SymbolicState, edge: Edge, op: Call, key: tuple[int, ...]
    ) -> None:
        context, _, counts = node
        values = self.machine.values(state, context.frame)
        callee = values.value(op.callee)
        found = self._functions.callees(op.callee, callee, state.memory.space)
        if found is None:
            raise SymbolicLimit("a call through a pointer that may be any function")
        reason = "a pointer from outside may be a function of the program"
        self._limit(state.guard, found.undecided, reason, edge.coord)
        known = found.named
        if found.outside is not FALSE:
            known = [*known, (found.outside, OUTSIDE)]
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
        node = (inner, function.entry, self._zero(inner, function.entry))
        if depth > self.bound + 1:
            self.deferred.add(node, state)
        else:
            self.open.add(node, state)

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
