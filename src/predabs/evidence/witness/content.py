"""What a witness says, as plain values: invariants for TRUE, segments of waypoints for FALSE.

The words are those of the format 2.0 [ABL+24]. A segment is a sequence of waypoints to avoid and
one to follow; a run that the witness stands for can be cut into one part for each segment. In the
format 1.0 a witness is an automaton, which `automaton` says in these words when the source is
known.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import TypeAlias

from ...records import dataclass

FORMAT_VERSION = "2.0"
READ_VERSIONS = (FORMAT_VERSION, "2.1")  # of the newer one what the older has, too


class InvariantType(Enum):
    LOOP = "loop_invariant"  # holds whenever the loop's condition is about to be evaluated
    LOCATION = "location_invariant"  # holds whenever a run is about to execute the statement


class WaypointType(Enum):
    ASSUMPTION = "assumption"  # an expression holds before a statement
    BRANCHING = "branching"  # the outcome of a controlling expression
    FUNCTION_ENTER = "function_enter"
    FUNCTION_RETURN = "function_return"
    TARGET = "target"  # the statement or expression that violates the specification


class Action(Enum):
    FOLLOW = "follow"
    AVOID = "avoid"


@dataclass(frozen=True, slots=True)
class WitnessLocation:
    """Where in the source, as the witness says it; `None` for what it leaves open."""

    file: str
    line: int
    column: int | None = None
    function: str | None = None

    def __str__(self) -> str:
        column = "" if self.column is None else f":{self.column}"
        return f"{self.file}:{self.line}{column}"


@dataclass(frozen=True, slots=True)
class WitnessInvariant:
    """`entry_line` is the line of the witness that it stands in. One that holds `behind` the
    statement, and not before it, is of the format 1.0."""

    type: InvariantType
    location: WitnessLocation
    value: str
    entry_line: int = 0
    behind: bool = False


@dataclass(frozen=True, slots=True)
class Waypoint:
    """Of the format 1.0 are assumptions that hold `behind` the statement, and an expression that
    `also` holds when a branch is taken."""

    type: WaypointType
    action: Action
    location: WitnessLocation
    value: str | None = None
    entry_line: int = 0
    behind: bool = False
    also: str | None = None


@dataclass(frozen=True, slots=True)
class Segment:
    """Waypoints to avoid, and then the one to follow."""

    avoided: tuple[Waypoint, ...]
    followed: Waypoint


@dataclass(frozen=True, slots=True)
class CorrectnessContent:
    """The content of an `invariant_set`."""

    invariants: tuple[WitnessInvariant, ...]


@dataclass(frozen=True, slots=True)
class ViolationContent:
    """The content of a `violation_sequence`; the last segment follows the target. The format 1.0
    does not say where that is: any violation counts (`anywhere`)."""

    segments: tuple[Segment, ...]
    anywhere: bool = False


Content: TypeAlias = CorrectnessContent | ViolationContent


@dataclass(frozen=True, slots=True)
class AutomatonNode:
    """A state of an automaton; `line` is that of its invariant in the witness."""

    name: str
    violation: bool = False
    sink: bool = False
    invariant: str | None = None
    scope: str | None = None
    line: int = 0


@dataclass(frozen=True, slots=True)
class AutomatonEdge:
    """A step of an automaton, and which step of the program it goes with: one that begins at
    `startline` (and `offset`) of the file, takes a branch (`control`), enters or leaves a function,
    or comes to the head of a loop. Behind it, or about the result of `result_of`, the `assumption`
    holds. `line` is that in the witness."""

    source: str
    target: str
    file: str = ""
    startline: int | None = None
    offset: int | None = None
    control: bool | None = None
    enters: str = ""
    returns_from: str = ""
    loop_head: bool = False
    assumption: str = ""
    result_of: str = ""
    line: int = 0


@dataclass(frozen=True, slots=True)
class Automaton:
    """The content of a witness in the format 1.0."""

    correctness: bool
    nodes: Mapping[str, AutomatonNode]
    edges: tuple[AutomatonEdge, ...]
    entry: str
    line: int


@dataclass(frozen=True, slots=True)
class WitnessTask:
    """The verification task that a witness is about; the hashes are of SHA-256. The format 1.0 has
    no hash of `every_file`, and older producers take SHA-1."""

    files: tuple[str, ...]
    hashes: tuple[tuple[str, str], ...]
    specification: str
    data_model: str
    specification_line: int = 0
    hashes_line: int = 0
    every_file: bool = True


@dataclass(frozen=True, slots=True)
class Witness:
    """A witness file that was read."""

    file: str
    producer: str
    task: WitnessTask
    content: Content | Automaton
