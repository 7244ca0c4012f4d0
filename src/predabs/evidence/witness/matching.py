"""Which place in the source a location of a witness means."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import PurePath

from ...errors import InputError
from ...frontend.place import Place, PlaceKind
from ...frontend.places import FilePlaces
from .content import (
    Automaton,
    CorrectnessContent,
    InvariantType,
    ViolationContent,
    WaypointType,
    Witness,
    WitnessLocation,
)

_KINDS: Mapping[InvariantType | WaypointType, tuple[PlaceKind, str]] = {
    InvariantType.LOOP: (PlaceKind.LOOP, "loop begins"),
    InvariantType.LOCATION: (PlaceKind.STATEMENT, "statement begins"),
    WaypointType.ASSUMPTION: (PlaceKind.STATEMENT, "statement begins"),
    WaypointType.BRANCHING: (PlaceKind.BRANCH, "branching statement begins"),
    WaypointType.FUNCTION_ENTER: (PlaceKind.CALL, "call ends with a parenthesis"),
    WaypointType.FUNCTION_RETURN: (PlaceKind.CALL, "call ends with a parenthesis"),
}


def own_file(location: WitnessLocation, files: Sequence[str], where: str) -> str:
    """The file of the task that the location is in: producers have their own paths."""
    if location.file in files:
        return location.file
    name = PurePath(location.file).name
    fitting = [file for file in files if PurePath(file).name == name]
    if len(fitting) != 1:
        raise InputError(f"{where}: {location.file} is no file of the task")
    return fitting[0]


def place_of(
    source: FilePlaces, location: WitnessLocation, type_: InvariantType | WaypointType, where: str
) -> Place:
    """The place. Without a column it is the leftmost on the line; with one that does not fit, the
    only one on the line, if there is only one."""
    kind, words = _KINDS[type_]
    on_line = [
        place
        for place in source.places
        if place.kind is kind and place.line == location.line and _fits(place, location)
    ]
    if location.column is None and on_line:
        return min(on_line, key=lambda place: place.column)
    exact = [place for place in on_line if place.column == location.column]
    if exact:
        return exact[0]
    if len(on_line) == 1:
        return on_line[0]
    inside = f" of {location.function}" if location.function is not None else ""
    raise InputError(f"{where}: no {words} at {location}{inside}")


def _fits(place: Place, location: WitnessLocation) -> bool:
    return location.function is None or place.function == location.function


def target_range(source: FilePlaces, location: WitnessLocation, where: str) -> tuple[int, int]:
    """From where to where the statement goes that the target means: the one that begins there, or
    the smallest one around it."""
    if location.column is None:
        begin, end = source.offset(location.line, 1), source.offset(location.line + 1, 1)
        if begin >= len(source.text):
            raise InputError(f"{where}: there is no line {location.line} in {source.file}")
        return begin, end
    at = source.offset(location.line, location.column)
    around = [p for p in source.places if p.begin <= at < p.end and p.kind is PlaceKind.STATEMENT]
    named = [p for p in source.places if (p.line, p.column) == (location.line, location.column)]
    statements = [p for p in named if p.kind is PlaceKind.STATEMENT]
    chosen = statements or around or named
    if not chosen:
        raise InputError(f"{where}: no statement begins at {location}")
    smallest = min(chosen, key=lambda place: place.end - place.begin)
    return smallest.begin, smallest.end


def locations_of(witness: Witness) -> list[WitnessLocation]:
    """All that the witness speaks of."""
    match witness.content:
        case CorrectnessContent(invariants):
            return [invariant.location for invariant in invariants]
        case ViolationContent(segments, _):
            return [
                point.location
                for segment in segments
                for point in (*segment.avoided, segment.followed)
            ]
        case Automaton(_, _, edges):
            name = witness.task.files[0]
            lines = [(edge.file or name, edge.startline) for edge in edges]
            return [WitnessLocation(file, line) for file, line in lines if line is not None]


def lines_of(
    locations: Iterable[WitnessLocation], files: Sequence[str], file: str
) -> Collection[int]:
    """The lines of one file that are spoken of."""
    name = PurePath(file).name
    return {
        location.line
        for location in locations
        if location.file == file or PurePath(location.file).name == name
    }
