"""A replayed run as the content of a violation witness.

The run is repeated in the program with marks at all branches and calls, and the marks that it comes
to are its waypoints. If it cannot be repeated so, only the target is left: less, but right.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from ...concrete.inputs import RecordingInputs
from ...concrete.interpreter import execute
from ...concrete.outcome import ErrorReached, ExecutedStep, Value
from ...frontend.place import Place, PlaceKind
from ...frontend.places import FilePlaces
from ...ir.cfa import Coord, ExternPointers, Program
from ...ir.expr import Const, Var
from ...ir.ops import Assign, Source
from ...ir.types import IntType
from ...records import dataclass, field, replace
from ...verdict import Input
from ..given_inputs import GivenInputs, MissingPointers
from .content import (
    Action,
    Segment,
    ViolationContent,
    Waypoint,
    WaypointType,
    WitnessLocation,
)
from .expressions import RESULT
from .insertions import Inserted, Insertions
from .instrument import AT, at_choice, at_entry, at_outcome, at_return

MOST_WAYPOINTS = 2000
_RESULT = "\\result"
_MOST_STEPS = 2_000_000
_ESSENTIAL = (WaypointType.FUNCTION_RETURN, WaypointType.ASSUMPTION)


@dataclass(frozen=True, slots=True)
class _Mark:
    """A waypoint that a run may come to, but for the value."""

    type: WaypointType
    location: WitnessLocation
    value: str | None = None
    variable: str | None = None  # whose value is to be told
    cases: tuple[int, ...] | None = None  # of a switch: one of them, or none


@dataclass(slots=True)
class MarkedFiles:
    """The files with marks; each sets the variable `AT` to its number."""

    files: dict[str, Inserted] = field(default_factory=dict)
    marks: list[_Mark] = field(default_factory=list)

    @property
    def texts(self) -> dict[str, str]:
        return {file: item.text.decode("utf-8", "replace") for file, item in self.files.items()}

    def moved(self, item: Input) -> Input:
        """The input where the marked program asks for it."""
        inserted = self.files.get(item.coord.file)
        return item if inserted is None else replace(item, coord=inserted.moved(item.coord))


def marked(
    sources: Mapping[str, FilePlaces], bodies: Collection[str], inputs: Sequence[Input]
) -> MarkedFiles:
    """The files with marks at what the functions do, of which `bodies` have one."""
    result = MarkedFiles()
    unset = {(i.coord.file, i.name) for i in inputs if i.source is Source.UNINITIALIZED}
    for file, source in sources.items():
        marking = _Marking(result, source, Insertions(file, source.text), bodies)
        for place in source.places:
            marking.place(place)
        for name in sorted({name for where, name in unset if where == file}):
            marking.unset(name)
        for begin, end in source.functions.values():
            marking.insertions.add(begin, end, f"int {AT}; ", "", 0)
        result.files[file] = marking.insertions.applied()
    return result


@dataclass(slots=True)
class _Marking:
    result: MarkedFiles
    source: FilePlaces
    insertions: Insertions
    bodies: Collection[str]

    def _mark(
        self, type_: WaypointType, place: Place, value: str | None = None, var: str | None = None
    ) -> str:
        where = WitnessLocation(self.source.file, place.line, place.column, place.function)
        self.result.marks.append(_Mark(type_, where, value, var))
        return f"{AT} = {len(self.result.marks)};"

    def place(self, place: Place) -> None:
        if place.kind is PlaceKind.BRANCH and place.head is not None and place.form != "?":
            begin, end = place.head
            if place.form == "switch":
                where = WitnessLocation(self.source.file, place.line, place.column, place.function)
                self.result.marks.append(_Mark(WaypointType.BRANCHING, where, cases=place.cases))
                at_choice(self.insertions, place, f"{AT} = {len(self.result.marks)};", RESULT, 0)
                return
            if not self.source.text[begin:end].strip():
                return
            yes = self._mark(WaypointType.BRANCHING, place, "true")
            no = self._mark(WaypointType.BRANCHING, place, "false")
            at_outcome(self.insertions, place, yes, no, 0)
        elif place.kind is PlaceKind.CALL and place.form:
            if place.form in self.bodies:
                enter = self._mark(WaypointType.FUNCTION_ENTER, place)
                at_entry(self.insertions, place, enter, 0)
            elif not place.is_void:
                back = self._mark(WaypointType.FUNCTION_RETURN, place)
                at_return(self.insertions, place, back, 0)

    def unset(self, name: str) -> None:
        """Mark the statements behind declarations of a variable that nothing has written to."""
        statements = [p for p in self.source.places if p.kind is PlaceKind.STATEMENT and p.braced]
        for declared in self.source.declarations:
            if declared.name != name or declared.number == 0:
                continue
            behind = [p for p in statements if declared.begin <= p.begin < declared.end]
            first = min(behind, key=lambda p: p.begin, default=None)
            if first is None or first.begin <= declared.begin - 1:
                continue
            told = self._mark(WaypointType.ASSUMPTION, first, None, name)
            text = f"{{ __auto_type {RESULT} = {name}; {told} }} "
            self.insertions.add(first.begin, first.end, text, "", 0)


def violation_content(
    program: Program,
    marks: MarkedFiles,
    inputs: Sequence[Input],
    target: WitnessLocation,
    deadline: float | None,
) -> ViolationContent:
    """The waypoints of the run of the marked program that takes these inputs."""
    points: list[Waypoint] = []
    latest: list[Value | None] = [None]

    def follow(step: ExecutedStep) -> None:
        match step.edge.op:
            case Assign(Var(name, _), Const(number, _)) if name == AT:
                waypoint = _waypoint(marks.marks[number - 1], latest[0])
                if waypoint is not None:
                    points.append(waypoint)
                return
        for lvalue, value in step.values:
            if isinstance(lvalue, Var) and lvalue.short.partition("#")[0] == RESULT:
                latest[0] = value if isinstance(lvalue.type, IntType) else None

    fresh = program.extern_pointers is ExternPointers.FRESH
    missing = MissingPointers.FRESH if fresh else MissingPointers.NULL
    given = RecordingInputs(GivenInputs([marks.moved(item) for item in inputs], missing))
    outcome = execute(program, given, max_steps=_MOST_STEPS, trace=follow, deadline=deadline)
    if not isinstance(outcome, ErrorReached):
        points = []
    if len(points) > MOST_WAYPOINTS:
        points = [point for point in points if point.type in _ESSENTIAL]
    kept = points[:MOST_WAYPOINTS]
    followed = tuple(Segment((), point) for point in kept)
    return ViolationContent(followed + only_target(target).segments)


def only_target(target: WitnessLocation) -> ViolationContent:
    """The witness that says where the violation is, and no more."""
    goal = Waypoint(WaypointType.TARGET, Action.FOLLOW, target)
    return ViolationContent((Segment((), goal),))


def _waypoint(mark: _Mark, value: Value | None) -> Waypoint | None:
    told = mark.value
    if mark.cases is not None:
        told = str(value) if value in mark.cases else "default"
    elif mark.type is WaypointType.FUNCTION_RETURN or mark.variable is not None:
        if not isinstance(value, int):
            return None
        told = f"{mark.variable or _RESULT} == {_number(value)}"
    return Waypoint(mark.type, Action.FOLLOW, mark.location, told)


def _number(value: int) -> str:
    """
    >>> _number(-5), _number(2**31), _number(-(2**63)), _number(2**63)
    ('-5', '2147483648LL', '(-9223372036854775807LL - 1)', '9223372036854775808ULL')
    """
    if value == -(2**63):
        return f"({value + 1}LL - 1)"
    if -(2**31) < value < 2**31:
        return str(value)
    return f"{value}LL" if value < 2**63 else f"{value}ULL"


def target_location(
    sources: Mapping[str, FilePlaces], coord: Coord, function: str
) -> WitnessLocation:
    """Where the statement begins in which the error is."""
    source = sources.get(coord.file)
    if source is None:
        return WitnessLocation(coord.file, coord.line, coord.column, function)
    at = source.offset(coord.line, coord.column)
    around = [p for p in source.places if p.kind is PlaceKind.STATEMENT and p.begin <= at < p.end]
    smallest = min(around, key=lambda p: p.end - p.begin, default=None)
    if smallest is None:
        return WitnessLocation(coord.file, coord.line, coord.column, function)
    line, column = source.position(smallest.begin)
    return WitnessLocation(coord.file, line, column, smallest.function)
