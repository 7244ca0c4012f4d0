"""A shortest run to a target, read backwards out of the layers of `distances`.

Layer by layer, with concrete values: some state one step before must be in the layer that is one
nearer, and for a call the caller's and the summary's distances must add up.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from ..bdd import Cube, Function
from ..errors import InternalError
from ..records import dataclass
from .bebop import Node, Reached
from .distances import Distances, Meeting
from .flow_graph import EnterCall, FlowEdge, LeaveProcedure
from .limits import CheckLimits
from .syntax import DISCARD, Assign
from .trace import Run, RunState, RunStep, run_of


def shortest_run(reached: Reached, targets: Iterable[Node], limits: CheckLimits) -> Run:
    """A run of the fewest steps to one of the targets, at least one of which must be reached."""
    with reached.model.manager.bounded():
        distances = Distances(reached, frozenset(targets), limits)
        return _Reader(distances, limits).read(distances.run())


@dataclass(frozen=True, slots=True)
class _Frame:
    """An activation that has not ended: its values at a location, and the call it waits for."""

    node: Node
    values: Cube
    distance: int
    call: FlowEdge | None


@dataclass(frozen=True, slots=True)
class _Request:
    """A finished run that is wanted: from entry to exit with these values, this long."""

    procedure: str
    globals: tuple[bool, ...]
    params: tuple[bool, ...]
    globals_after: tuple[bool, ...]
    results: tuple[bool, ...]
    distance: int


@dataclass(frozen=True, slots=True)
class _Piece:
    """A step to be: the run of a finished call is still to be found."""

    edge: FlowEdge
    before: RunState
    after: RunState
    inside: _Request | None


class _Reader:
    """Reads a run backwards out of the layers: first the open calls, then the finished ones."""

    def __init__(self, search: Distances, limits: CheckLimits) -> None:
        self._search = search
        self._limits = limits
        self._model = search.model
        self._manager = search.model.manager
        self._globals = search.model.program.globals

    def read(self, meeting: Meeting) -> Run:
        frames = self._frames(meeting)
        # From the outside in: a procedure does not carry the globals that it cannot see.
        background = (False,) * len(self._globals)
        ends: list[RunState] = []
        parts: list[list[_Piece]] = []
        for frame in reversed(frames):
            parts.append(self._path(frame.node, frame.values, frame.distance, background))
            end = self._state(frame.node, frame.values, background)
            ends.append(end)
            background = end.globals
        runs = self._finished(p.inside for part in parts for p in part if p.inside)
        inner: Run | None = None
        for frame, part, end in zip(frames, reversed(parts), reversed(ends), strict=True):
            steps = self._steps(part, runs)
            start = steps[0].before if steps else end
            if frame.call is not None:
                steps = (*steps, RunStep(frame.call, end, None, inner))
            inner = run_of(self._model.graphs[frame.node[0]].procedure, start, steps)
        assert inner is not None
        return inner

    # -- open calls -----------------------------------------------------------------------------

    def _frames(self, meeting: Meeting) -> list[_Frame]:
        """From the target outwards to the start of the program."""
        node, before, inside = meeting.node, meeting.before, meeting.inside
        values = self._pick(meeting.states, self._visible(node))
        assert values is not None
        frames = [_Frame(node, values, inside, None)]
        while before > 0 or node[0] != self._model.root:
            self._limits.check()
            node, before, inside, values, edge = self._caller(node[0], values, before)
            frames.append(_Frame(node, values, inside, edge))
        return frames

    def _caller(
        self, name: str, values: Cube, distance: int
    ) -> tuple[Node, int, int, Cube, FlowEdge]:
        """A call that gives these entry values at this distance from the start."""
        callee = self._model.layout.scopes[name]
        actuals = {c.now: values[c.entry] for c in callee.globals.values()}
        actuals |= {c.next: values[c.entry] for c in callee.params}
        wanted = self._manager.cube(actuals)
        for caller, edge in self._search.sites[name]:
            node = (caller, edge.src)
            site = self._model.transfer.site(caller, edge)
            entries = self._search.entries[caller]
            paths = self._search.paths.get(node, {})
            for inside, before in _pairs(paths, entries, distance - 1):
                states = paths[inside] & entries[before] & wanted & site.arguments
                found = self._pick(states, self._visible(node))
                if found is not None:
                    return node, before, inside, found, edge
        raise InternalError(f"no call leads to the entry of `{name}`")

    # -- finished calls -------------------------------------------------------------------------

    def _finished(self, wanted: Iterable[_Request]) -> dict[_Request, Run]:
        parts: dict[_Request, list[_Piece]] = {}
        work = list(wanted)
        while work:
            request = work.pop()
            if request not in parts:
                parts[request] = part = self._inside(request)
                work += [p.inside for p in part if p.inside]
        runs: dict[_Request, Run] = {}
        for request in sorted(parts, key=lambda r: r.distance):
            # Shorter ones first: a run only holds runs that are shorter than itself.
            procedure = self._model.graphs[request.procedure].procedure
            steps = self._steps(parts[request], runs)
            runs[request] = run_of(procedure, steps[0].before, steps, request.results)
        return runs

    def _inside(self, request: _Request) -> list[_Piece]:
        scope = self._model.layout.scopes[request.procedure]
        values: Cube = {}
        for name, old, new in zip(
            self._globals, request.globals, request.globals_after, strict=True
        ):
            if name in scope.globals:
                values[scope.globals[name].entry] = old
                values[scope.globals[name].now] = new
        values |= {c.entry: v for c, v in zip(scope.params, request.params, strict=True)}
        values |= dict(zip(self._model.layout.results, request.results, strict=False))
        node = (request.procedure, self._model.graphs[request.procedure].exit)
        return self._path(node, values, request.distance, request.globals)

    def _steps(self, part: list[_Piece], runs: Mapping[_Request, Run]) -> tuple[RunStep, ...]:
        return tuple(
            RunStep(p.edge, p.before, p.after, runs[p.inside] if p.inside else None) for p in part
        )

    # -- inside one activation ------------------------------------------------------------------

    def _path(
        self, node: Node, values: Cube, distance: int, background: tuple[bool, ...]
    ) -> list[_Piece]:
        """The steps from the entry to these values, which are known to be this far from it."""
        name = node[0]
        scope = self._model.layout.scopes[name]
        entry = self._manager.cube({c.entry: values[c.entry] for c in scope.remembered})
        pieces: list[_Piece] = []
        while distance > 0:
            self._limits.check()
            for edge in self._model.graphs[name].incoming[node[1]]:
                found = self._back(name, edge, entry, values, distance)
                if found is not None:
                    break
            else:
                raise InternalError(f"the run breaks off in `{name}`")
            earlier, steps, inside = found
            source = (name, edge.src)
            before = self._state(source, earlier, background)
            after = self._state(node, values, background)
            request = None
            if isinstance(edge.op, EnterCall):
                request = self._request(name, edge, earlier, before, inside)
            pieces.append(_Piece(edge, before, after, request))
            node, values, distance = source, earlier, steps
        pieces.reverse()
        return pieces

    def _back(
        self, name: str, edge: FlowEdge, entry: Function, values: Cube, distance: int
    ) -> tuple[Cube, int, int] | None:
        """Values before an edge, their distance, and for a call the distance of its summary."""
        source = (name, edge.src)
        layers = self._search.paths.get(source, {})
        if not isinstance(edge.op, EnterCall):
            states = layers.get(distance - 1)
            if states is None:
                return None
            found = self._pick(
                self._before(name, edge, values, states & entry), self._visible(source)
            )
            return None if found is None else (found, distance - 1, 0)
        site = self._model.transfer.site(name, edge)
        visible = self._visible(source) + self._call_variables(edge)
        wanted = self._manager.cube(self._after_call(name, edge, values))
        summaries = self._search.summaries[site.callee]
        for steps, inside in _pairs(layers, summaries, distance - 1):
            states = layers[steps] & entry & wanted & site.arguments & summaries[inside]
            found = self._pick(states, visible)
            if found is not None:
                return found, steps, inside
        return None

    def _before(self, name: str, edge: FlowEdge, values: Cube, states: Function) -> Function:
        """Those of the states from which the edge leads to the values."""
        scope, transfer = self._model.layout.scopes[name], self._model.transfer
        cells = {*scope.globals.values(), *scope.locals}
        match edge.op:
            case Assign(targets, _, _):
                changed = {scope.cells[t] for t in targets if t != DISCARD}
                fixed = {c.now: values[c.now] for c in cells - changed}
                fixed |= {c.next: values[c.now] for c in changed}
                states = states & self._manager.cube(fixed)
                for factor, _ in transfer.update(name, edge).factors:
                    states = states & factor
                return states
            case LeaveProcedure(results):
                fixed = {c.now: values[c.now] for c in scope.globals.values()}
                fixed |= {r: values[r] for r in self._model.layout.results[: len(results)]}
                return states & self._manager.cube(fixed) & transfer.results(name, edge)
            case _:
                here = self._manager.cube({c.now: values[c.now] for c in cells})
                return transfer.post(name, edge, states & here)

    def _after_call(self, name: str, edge: FlowEdge, values: Cube) -> Cube:
        """What the values behind a call say about the state before it and the summary."""
        assert isinstance(edge.op, EnterCall)
        call = edge.op.call
        caller = self._model.layout.scopes[name]
        callee = self._model.layout.scopes[call.procedure]
        taken = {
            r: caller.cells[t]
            for r, t in zip(self._model.layout.results, call.targets, strict=False)
            if t != DISCARD
        }
        kept = {*caller.globals.values(), *caller.locals} - set(taken.values())
        shared = set(callee.globals.values())
        wanted = {(c.next if c in shared else c.now): values[c.now] for c in kept}
        return wanted | {r: values[c.now] for r, c in taken.items()}

    def _call_variables(self, edge: FlowEdge) -> list[int]:
        assert isinstance(edge.op, EnterCall)
        callee = self._model.layout.scopes[edge.op.call.procedure]
        variables = [c.next for c in (*callee.globals.values(), *callee.params)]
        return variables + list(self._model.layout.results[: callee.procedure.returns])

    def _request(
        self, name: str, edge: FlowEdge, values: Cube, before: RunState, distance: int
    ) -> _Request:
        assert isinstance(edge.op, EnterCall)
        callee = self._model.layout.scopes[edge.op.call.procedure]
        results = self._model.layout.results[: callee.procedure.returns]
        return _Request(
            edge.op.call.procedure,
            before.globals,
            tuple(values[c.next] for c in callee.params),
            tuple(
                values[callee.globals[g].next] if g in callee.globals else old
                for g, old in zip(self._globals, before.globals, strict=True)
            ),
            tuple(values[r] for r in results),
            distance,
        )

    # -- values ---------------------------------------------------------------------------------

    def _visible(self, node: Node) -> list[int]:
        """The BDD variables that are visible at a location."""
        scope = self._model.layout.scopes[node[0]]
        variables = [c.entry for c in scope.remembered] + [c.now for c in scope.globals.values()]
        return variables + [c.now for c in scope.locals]

    def _pick(self, states: Function, variables: list[int]) -> Cube | None:
        return self._manager.pick(states, variables)

    def _state(self, node: Node, values: Cube, background: tuple[bool, ...]) -> RunState:
        scope = self._model.layout.scopes[node[0]]
        globals_ = tuple(
            values[scope.globals[g].now] if g in scope.globals else old
            for g, old in zip(self._globals, background, strict=True)
        )
        if node[1] == self._model.graphs[node[0]].exit:
            return RunState(globals_, ())
        return RunState(globals_, tuple(values[c.now] for c in scope.locals))


def _pairs(
    left: Mapping[int, object], right: Mapping[int, object], total: int
) -> Iterator[tuple[int, int]]:
    """The keys of both that add up to `total`, found from the smaller side."""
    if len(left) <= len(right):
        yield from ((a, total - a) for a in left if total - a in right)
    else:
        yield from ((total - b, b) for b in right if total - b in left)
