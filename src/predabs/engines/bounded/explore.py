"""Unroll a program up to a bound, all paths together: one symbolic state per node.

A node of the unrolling is a call chain, a location and the number of iterations of each loop around
it. States that meet at a node are merged, or wait side by side (`waitlist`). What goes on beyond
the bound is deferred, and can be taken up later. Soundness duty: every state is followed to its
end, deferred, recorded as an error, or noted as a limit with its condition; none is lost.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...analysis.local_liveness import LocalLiveness
from ...concrete.storage_layout import VariableLayout
from ...ir.cfa import Coord, Edge, Function, Location, Program
from ...ir.expr import Var
from ...ir.ops import Assume, Call, Error, Halt, Return, Source
from ...obstacles import Obstacle, ObstacleKind, at_location, loops_of
from ...records import dataclass
from ...smt import build
from ...smt.term import FALSE, TRUE, Term
from ...symbolic.callees import OUTSIDE, FunctionPointers
from ...symbolic.execute import SymbolicMachine
from ...symbolic.frames import arguments, bind, deliver
from ...symbolic.state import Guard, SymbolicState
from ...symbolic.values import SymbolicLimit
from .error_reach import ErrorReach
from .positions import Positions
from .unrolling import Counts, Unrolling
from .waitlist import CallContext, StateWaitlist, UnrollingNode

_FEW = 3  # recursive functions that are told if there is no verdict
# for each iteration that is counted, so many more that all states make, and so many if conditions
# are added on the way
_FREE_ITERATIONS, _FREE_WITH_CONDITIONS = 256, 8


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
        self.visited: set[Location] | None = None  # filled in if it is a set
        self._program = program
        layout = VariableLayout(program)
        self.machine = SymbolicMachine(program, layout, self._limit)
        self._unrollings: dict[str, Unrolling] = {}
        self._live: dict[str, LocalLiveness] = {}
        self._functions = FunctionPointers(program, layout)
        self._exits: dict[Location, bool] = {}
        self._heads: dict[UnrollingNode, Guard] = {}  # where iterations begin
        self._distances = ErrorReach(program)
        self._positions = Positions(program)
        self._exited: set[tuple[CallContext, Location, Counts]] = set()
        self._context: CallContext | None = None  # in which an edge is followed
        self.machine.outer_locals = self._outer_locals
        self._begin()

    def visit_next(self) -> None:
        """Expand the first node of the waitlist."""
        node, state, key = self.open.pop()
        if self.visited is not None:
            self.visited.add(node[1])
        self._visit(node, state, key)

    def deepen(self) -> None:
        """Take up what was deferred, with twice the bound."""
        self.bound *= 2
        self.open, self.deferred = self.deferred, StateWaitlist()

    def goes_on(self) -> list[Obstacle]:
        """The loops and recursive functions that something waits in, and how far they were
        followed."""
        loops: list[tuple[Location, int]] = []
        calls: dict[Location, int] = {}
        for (context, location, counts), _ in (*self.open.nodes(), *self.deferred.nodes()):
            heads = context.unrolling.loops(location)
            loops += [pair for pair in zip(heads, counts, strict=True) if pair[1]]
            if context.depth > 1:
                entry = context.frame.function.entry
                calls[entry] = max(context.depth, calls.get(entry, 0))
        recursive = [
            at_location(ObstacleKind.RECURSION, self._program, entry, depth)
            for entry, depth in calls.items()
        ]
        return [*loops_of(loops, self._program), *recursive[:_FEW]]

    def _begin(self) -> None:
        function = self._program.functions[self._program.entry]
        state = self.machine.start()
        state.guard = state.guard.tracking()
        frame = self.machine.enter(state, function, ())
        for number, param in enumerate(function.params):
            self.machine.parameter(state, frame, param, number)
        context = CallContext(
            None,
            None,
            (),
            {},
            (),
            frame,
            self._unrolling(function),
            self._liveness(function),
            (2,),
            1,
        )
        node = (context, function.entry, self._zero(context, function.entry))
        self._wait(self.open, node, state)

    def _wait(self, waitlist: StateWaitlist, node: UnrollingNode, state: SymbolicState) -> None:
        live = node[0].liveness.at(node[1])

        def tells(var: Var) -> bool:
            return (var in live or not var.function) and var in self._positions

        waitlist.add(node, state, tells)

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

    def _liveness(self, function: Function) -> LocalLiveness:
        if function.name not in self._live:
            self._live[function.name] = LocalLiveness(function)
        return self._live[function.name]

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
            self._wait(self.deferred, node, state)
        else:
            self._wait(self.open, node, state)

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
        frame = self.machine.enter(state, function, key)
        inner = CallContext(
            context,
            edge,
            counts,
            state.locals,
            state.stack,
            frame,
            self._unrolling(function),
            self._liveness(function),
            key,
            depth,
        )
        state.locals, state.stack = {}, ()
        bind(self.machine, state, frame, args, edge.coord, key)
        node = (inner, function.entry, self._zero(inner, function.entry))
        if depth > self.bound + 1:
            self._wait(self.deferred, node, state)
        else:
            self._wait(self.open, node, state)

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
