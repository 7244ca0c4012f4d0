"""What stands in an engine's way, as plain values: which loop goes on, which path comes back, which
error is not excluded. Engines note it while they work, so that an UNKNOWN can name it.

No soundness duty: an obstacle explains why there is no verdict and never makes one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from enum import Enum
from pathlib import PurePath

from .frontend.lower.scopes import MODELS
from .ir.cfa import Coord, Edge, Location, Program
from .ir.ops import Call, Error, ErrorKind, Return
from .ir.path import Path
from .records import dataclass

_FEW = 3


class ObstacleKind(Enum):
    """What it is, and what its `count` counts."""

    LOOP = "loop"  # followed for so many rounds, and it goes on
    RECURSION = "recursion"  # followed for so many calls, and it goes on
    PATH = "path"  # spurious paths to an error take the loop so many times
    ERROR = "error"  # spurious paths come to it without a loop
    INDUCTION = "induction"  # an error that the last so many blocks before it do not exclude
    SHAPES = "shapes"  # so many shapes of the memory at this place


@dataclass(frozen=True, slots=True)
class Obstacle:
    """One of them: at a place of a function. That of a library function is named with its caller's
    place, as the source has no other. `text` says what the error would be, if it is one."""

    kind: ObstacleKind
    coord: Coord
    function: str
    count: int
    text: str = ""


def words(kind: str, place: str, function: str, count: int, text: str = "") -> str:
    """An obstacle in words, from its fields as a report has them.

    >>> words("loop", "a.c:7", "main", 8)
    'the loop at a.c:7 (main) goes on after 8 rounds'
    >>> words("path", f"{MODELS}:3", "strlen", 1)
    'paths to the error take a loop inside of strlen once'
    """
    inside = place.startswith(f"{MODELS}:")
    loop = f"a loop inside of {function}" if inside else f"the loop at {place} ({function})"
    at = f"inside of {function}" if inside else f"at {place} ({function})"
    error = f"error {at}" if not text else f"error {at}, {text},"
    times = "once" if count == 1 else f"{count} times"
    match ObstacleKind(kind):
        case ObstacleKind.LOOP:
            return f"{loop} goes on after {count} round{'s' * (count != 1)}"
        case ObstacleKind.RECURSION:
            return f"the recursion of {function} goes on after {count} call{'s' * (count != 1)}"
        case ObstacleKind.PATH:
            return f"paths to the error take {loop} {times}"
        case ObstacleKind.ERROR:
            return f"paths to the {error} are excluded one by one"
        case ObstacleKind.INDUCTION:
            return f"induction with k = {count} does not exclude the {error}".rstrip(",")
        case ObstacleKind.SHAPES:
            return f"memory has more than {count} shapes {at}"


def obstacle_text(obstacle: Obstacle) -> str:
    """An obstacle in words; the file is named without its folder."""
    place = f"{PurePath(obstacle.coord.file).name}:{obstacle.coord.line}"
    return words(obstacle.kind.value, place, obstacle.function, obstacle.count, obstacle.text)


def loops_of(counts: Iterable[tuple[Location, int]], program: Program) -> list[Obstacle]:
    """The loops that go on: heads with the rounds that were followed, the longest first."""
    most: dict[Location, int] = {}
    for head, count in counts:
        most[head] = max(count, most.get(head, 0))
    order = sorted(most, key=lambda head: -most[head])
    found = [at_location(ObstacleKind.LOOP, program, head, most[head]) for head in order]
    own = [one for one in found if one.coord.file != MODELS]
    return (own or found)[:_FEW]


def at_location(kind: ObstacleKind, program: Program, place: Location, count: int) -> Obstacle:
    """An obstacle at a location of an automaton."""
    function = program.functions[place.function]
    leaving = function.outgoing.get(place) or function.incoming.get(place) or ()
    coord = leaving[0].coord if leaving else function.coord
    return Obstacle(kind, coord, place.function, count)


def of_cut_points(
    program: Program, places: Sequence[Location], last: Edge | None
) -> list[Obstacle]:
    """The same for a path of which only the cut points and the edge to the error are known."""
    counts = Counter(places)
    own = [p for p in counts if program.functions[p.function].coord.file != MODELS]
    place = max(own, key=lambda p: counts[p], default=None)
    if place is not None and counts[place] > 1:
        return [at_location(ObstacleKind.PATH, program, place, counts[place] - 1)]
    return [] if last is None else [at_edge(ObstacleKind.ERROR, last)]


def at_edge(kind: ObstacleKind, edge: Edge, count: int = 0) -> Obstacle:
    """An obstacle at a step to an error."""
    match edge.op:
        case Error(ErrorKind.CHECK, text):
            pass
        case _:
            text = ""
    return Obstacle(kind, edge.coord, edge.src.function, count, text)


def of_path(program: Program, path: Path) -> list[Obstacle]:
    """What a spurious path says: the loop that it takes most often, or the error itself. A place
    that comes again in the same call is one of a loop, and the first of its places the head."""
    if not path.edges:
        return []
    best: tuple[Location, int] | None = None
    frames: list[Counter[Location]] = [Counter()]
    done: list[Counter[Location]] = []
    for edge, following in zip(path.edges, (*path.edges[1:], path.edges[-1]), strict=True):
        frames[-1][edge.src] += 1
        if isinstance(edge.op, Call) and following.src is not edge.dst:
            frames.append(Counter())
        elif isinstance(edge.op, Return) and len(frames) > 1:
            done.append(frames.pop())
    for visits in (*frames, *done):
        for place, count in visits.items():  # in the order of the path
            own = program.functions[place.function].coord.file != MODELS
            if own and count > (1 if best is None else best[1]):
                best = place, count
    if best is not None:
        return [at_location(ObstacleKind.PATH, program, best[0], best[1] - 1)]
    return [at_edge(ObstacleKind.ERROR, path.edges[-1])]
