"""The automaton of a witness in the format 1.0 [BDD+15], in the words of the format 2.0.

A violation witness becomes the waypoints of a shortest way to a violation node: branches, calls and
assumptions where the source has such a place on the line. A correctness witness becomes the
invariants of its nodes, at the loop heads and statements that the edges into them name. What has no
place in the source is left out and counted; that makes a witness say less, and never more.

An automaton speaks of the operands of `&&` and `||` one by one. A branch on such a condition is
therefore left out.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Mapping, Sequence
from pathlib import PurePath

from ...errors import InputError
from ...frontend.place import Place, PlaceKind
from ...frontend.places import FilePlaces
from ...records import dataclass
from .content import (
    Action,
    Automaton,
    AutomatonEdge,
    AutomatonNode,
    Content,
    CorrectnessContent,
    InvariantType,
    Segment,
    ViolationContent,
    Waypoint,
    WaypointType,
    Witness,
    WitnessInvariant,
    WitnessLocation,
)

_SPLIT = re.compile(rb"&&|\|\||\?")  # conditions of which an automaton tells the parts
_JUMP = re.compile(rb"(?:return|goto|break|continue)\b")
_TRIVIAL = frozenset(["", "true", "1", "(1)", "(true)"])


def placed(witness: Witness, sources: Mapping[str, FilePlaces]) -> tuple[Content, tuple[str, ...]]:
    """What the witness says about these sources, and notes on what was left out."""
    content = witness.content
    if not isinstance(content, Automaton):
        return content, ()
    placing = _Placing(witness, content, sources)
    return placing.invariants() if content.correctness else placing.waypoints()


@dataclass(frozen=True, slots=True)
class _Placing:
    witness: Witness
    automaton: Automaton
    sources: Mapping[str, FilePlaces]

    # --- violations -------------------------------------------------------------------------------

    def waypoints(self) -> tuple[ViolationContent, tuple[str, ...]]:
        path, others = self._path()
        leaving: dict[str, list[AutomatonEdge]] = {}
        for edge in self.automaton.edges:
            leaving.setdefault(edge.source, []).append(edge)
        dead = self._dead()
        segments: list[Segment] = []
        silent = 0
        for edge in path:
            points = self._points(edge, Action.FOLLOW)
            silent += not points and edge.startline is not None
            avoided = [
                point
                for other in leaving[edge.source]
                if other.target in dead
                for point in self._points(other, Action.AVOID)[:1]
            ]
            for point in points:
                segments.append(Segment(tuple(avoided), point))
                avoided = []
        last = path[-1] if path else None
        goal = WitnessLocation(*self._somewhere(last))
        line = self.automaton.line if last is None else last.line
        target = Waypoint(WaypointType.TARGET, Action.FOLLOW, goal, None, line)
        notes = []
        if silent:
            notes.append(
                f"{silent} of {len(path)} edges of the automaton have no place of their own"
            )
        if others:
            notes.append("the automaton has several ways to a violation; a shortest one was taken")
        return ViolationContent((*segments, Segment((), target)), True), tuple(notes)

    def _somewhere(self, edge: AutomatonEdge | None) -> tuple[str, int]:
        source = self._source(edge) if edge is not None else None
        file = source.file if source is not None else next(iter(self.sources))
        return file, (edge.startline if edge is not None else None) or 1

    def _path(self) -> tuple[tuple[AutomatonEdge, ...], bool]:
        """A shortest way from the entry to a violation, and whether there are others."""
        automaton = self.automaton
        if not any(node.violation for node in automaton.nodes.values()):
            where = f"{self.witness.file}:{automaton.line}"
            raise InputError(f"{where}: a violation witness has a node with the data violation")
        leaving: dict[str, list[AutomatonEdge]] = {}
        for edge in automaton.edges:
            leaving.setdefault(edge.source, []).append(edge)
        came: dict[str, AutomatonEdge | None] = {automaton.entry: None}
        todo = deque([automaton.entry])
        while todo:
            name = todo.popleft()
            if automaton.nodes[name].violation:
                path: list[AutomatonEdge] = []
                at: str = name
                while (step := came[at]) is not None:
                    path.append(step)
                    at = step.source
                return tuple(reversed(path)), self._branches(path)
            for edge in leaving.get(name, ()):
                if edge.target not in came and not automaton.nodes[edge.target].sink:
                    came[edge.target] = edge
                    todo.append(edge.target)
        where = f"{self.witness.file}:{automaton.line}"
        raise InputError(f"{where}: no violation node can be reached from the entry")

    def _branches(self, path: Sequence[AutomatonEdge]) -> bool:
        """Does another edge leave the path for a violation?"""
        dead = self._dead()
        chosen = {edge.source: edge for edge in path}
        return any(
            edge.source in chosen
            and edge is not chosen[edge.source]
            and edge.source != edge.target
            and edge.target not in dead
            for edge in self.automaton.edges
        )

    def _dead(self) -> frozenset[str]:
        """The nodes from which no violation can be reached."""
        entering: dict[str, list[str]] = {}
        for edge in self.automaton.edges:
            entering.setdefault(edge.target, []).append(edge.source)
        alive = {name for name, node in self.automaton.nodes.items() if node.violation}
        todo = list(alive)
        while todo:
            for name in entering.get(todo.pop(), ()):
                if name not in alive:
                    alive.add(name)
                    todo.append(name)
        return frozenset(self.automaton.nodes) - alive

    def _points(self, edge: AutomatonEdge, action: Action) -> list[Waypoint]:
        """The waypoints that an edge stands for, in the order in which a run passes them."""
        source = self._source(edge)
        if source is None or edge.startline is None:
            return []
        assumed = edge.assumption or None
        if edge.control is not None:
            branch = self._branch(source, edge)
            if branch is None:
                return []
            value = "true" if edge.control else "false"
            return [
                self._point(WaypointType.BRANCHING, action, source, branch, edge, value, assumed)
            ]
        found: list[Waypoint] = []
        name = edge.result_of or edge.enters or edge.returns_from
        call = self._call(source, edge, name) if name else None
        if edge.result_of:
            if call is not None and assumed is not None and "\\result" in assumed:
                kind = WaypointType.FUNCTION_RETURN
                return [self._point(kind, action, source, call, edge, assumed)]
            return []
        if edge.enters and call is not None:
            return [self._point(WaypointType.FUNCTION_ENTER, action, source, call, edge)]
        if edge.returns_from and call is not None:
            found.append(self._point(WaypointType.FUNCTION_RETURN, action, source, call, edge))
        statement = self._statement(source, edge)
        if assumed is not None and statement is not None and "\\result" not in assumed:
            text = source.text[statement.begin : statement.end]
            point = self._point(WaypointType.ASSUMPTION, action, source, statement, edge, assumed)
            found.append(_behind(point) if not _JUMP.match(text) else point)
        return found

    def _point(
        self,
        kind: WaypointType,
        action: Action,
        source: FilePlaces,
        place: Place,
        edge: AutomatonEdge,
        value: str | None = None,
        also: str | None = None,
    ) -> Waypoint:
        where = WitnessLocation(source.file, place.line, place.column, place.function)
        return Waypoint(kind, action, where, value, edge.line, also=also)

    # --- proofs -----------------------------------------------------------------------------------

    def invariants(self) -> tuple[CorrectnessContent, tuple[str, ...]]:
        """Several nodes may be at one place: then a run is in one of them."""
        entering: dict[str, list[AutomatonEdge]] = {}
        for edge in self.automaton.edges:
            entering.setdefault(edge.target, []).append(edge)
        at: dict[tuple[InvariantType, WitnessLocation, bool], dict[str, int]] = {}
        open_: set[tuple[InvariantType, WitnessLocation, bool]] = set()
        homeless = 0
        for name, node in self.automaton.nodes.items():
            text = (node.invariant or "").strip()
            edges = [edge for edge in entering.get(name, ()) if edge.source != name]
            spots = {spot for edge in edges if (spot := self._spot(edge, node)) is not None}
            if text in _TRIVIAL:
                open_ |= spots
                continue
            homeless += not spots
            for spot in spots:
                at.setdefault(spot, {}).setdefault(text, node.line)
        found = tuple(
            WitnessInvariant(kind, where, _either(texts), min(texts.values()), behind)
            for (kind, where, behind), texts in at.items()
            if (kind, where, behind) not in open_
        )
        notes = []
        if homeless:
            count = f"{homeless} invariant{'s' * (homeless != 1)}"
            notes.append(f"not looked at: {count} of nodes without a place in the source")
        return CorrectnessContent(found), tuple(notes)

    def _spot(
        self, edge: AutomatonEdge, node: AutomatonNode
    ) -> tuple[InvariantType, WitnessLocation, bool] | None:
        """Where a run is after the edge: at the head of a loop, or behind a statement."""
        source = self._source(edge)
        if source is None or edge.startline is None:
            return None
        if edge.loop_head:
            loop = self._loop(source, edge, node.scope)
            if loop is not None:
                where = WitnessLocation(source.file, loop.line, loop.column, loop.function)
                return InvariantType.LOOP, where, False
            return None
        if edge.control is not None or edge.enters or edge.returns_from:
            return None
        statement = self._statement(source, edge)
        if statement is None or _JUMP.match(source.text[statement.begin : statement.end]):
            return None
        where = WitnessLocation(source.file, statement.line, statement.column, statement.function)
        return InvariantType.LOCATION, where, True

    def _loop(self, source: FilePlaces, edge: AutomatonEdge, scope: str | None) -> Place | None:
        """The loop that begins on the line, else the one behind its statement, else the innermost
        one around it."""
        loops = [
            place
            for place in source.places
            if place.kind is PlaceKind.LOOP and scope in (None, place.function)
        ]
        here = [place for place in loops if place.line == edge.startline]
        if here:
            return here[0] if len(here) == 1 else self._exact(here, edge)
        statement = self._statement(source, edge)
        if statement is None:
            return None
        behind = [
            place.begin
            for place in source.places
            if place.kind is PlaceKind.STATEMENT and place.begin >= statement.end
        ]
        following = [place for place in loops if behind and place.begin == min(behind)]
        around = [place for place in loops if place.begin <= statement.begin < place.end]
        inner = min(around, key=lambda place: place.end - place.begin, default=None)
        if following and (inner is None or following[0].end <= inner.end):
            return following[0]
        return inner

    # --- places -----------------------------------------------------------------------------------

    def _source(self, edge: AutomatonEdge) -> FilePlaces | None:
        """The file that an edge speaks of: producers have their own paths."""
        if len(self.sources) == 1:
            (only,) = self.sources.values()
            return only
        name = PurePath(edge.file or self.witness.task.files[0]).name
        fitting = [one for file, one in self.sources.items() if PurePath(file).name == name]
        return fitting[0] if len(fitting) == 1 else None

    def _on_line(self, source: FilePlaces, edge: AutomatonEdge, kind: PlaceKind) -> list[Place]:
        return [p for p in source.places if p.kind is kind and p.line == edge.startline]

    def _exact(self, places: Sequence[Place], edge: AutomatonEdge) -> Place | None:
        """The only place, or the smallest one that the offset of the edge is in."""
        if len(places) == 1:
            return places[0]
        if edge.offset is None:
            return None
        around = [place for place in places if place.begin <= edge.offset < place.end]
        return min(around, key=lambda place: place.end - place.begin, default=None)

    def _branch(self, source: FilePlaces, edge: AutomatonEdge) -> Place | None:
        branches = [
            place
            for place in self._on_line(source, edge, PlaceKind.BRANCH)
            if place.form not in ("?", "switch")
        ]
        found = self._exact(branches, edge)
        if found is None or found.head is None:
            return None
        begin, end = found.head
        return None if _SPLIT.search(source.text, begin, end) else found

    def _call(self, source: FilePlaces, edge: AutomatonEdge, name: str) -> Place | None:
        calls = self._on_line(source, edge, PlaceKind.CALL)
        return self._exact([place for place in calls if place.form == name], edge)

    def _statement(self, source: FilePlaces, edge: AutomatonEdge) -> Place | None:
        """The statement without parts on the line, if there is only one that can be meant."""
        branching = {p.begin for p in source.places if p.kind is PlaceKind.BRANCH and p.form != "?"}
        simple = {
            place.begin: place
            for place in self._on_line(source, edge, PlaceKind.STATEMENT)
            if place.form != "{" and place.begin not in branching
        }
        return self._exact(list(simple.values()), edge)


def _behind(point: Waypoint) -> Waypoint:
    kind, action, where = point.type, point.action, point.location
    return Waypoint(kind, action, where, point.value, point.entry_line, behind=True)


def _either(texts: Mapping[str, int]) -> str:
    """
    >>> _either({"x == 1": 3}), _either({"x == 1": 3, "x == 2": 5})
    ('x == 1', '(x == 1) || (x == 2)')
    """
    return next(iter(texts)) if len(texts) == 1 else " || ".join(f"({text})" for text in texts)
