"""What an engine did, as plain values that travel with the result: the automata it worked on, its
rounds of refinement, its predicates, its tree, its Boolean program, its domain elements.

An engine fills its `EngineRecord` in while it works, and only if somebody wants a report
(`Options.record`): else there is none, and nothing is computed for it. Texts are those of C, and
places those of the source. All of it is bounded: what is left out is counted.

No soundness duty: a record shows a verdict and never makes one.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum

from .ir.cfa import Coord
from .records import dataclass, field

MOST_ROUNDS = 200
MOST_STEPS = 400  # of a path
MOST_NODES = 2_000  # of a tree
MOST_CLAUSES = 60  # that a round shows
FEW_NODES = 60  # of a tree that each round shows
_MOST_TEXT = 2_000


def clipped(text: str) -> str:
    """A text that a person may still read.

    >>> len(clipped("x" * 5000))
    2004
    """
    return text if len(text) <= _MOST_TEXT else f"{text[:_MOST_TEXT]} ..."


@dataclass(frozen=True, slots=True)
class Place:
    """A location of an automaton inside of calls (the callers, the outermost first), and the source
    that begins there."""

    function: str
    index: int
    coord: Coord
    calls: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class AutomatonEdge:
    """A step of an automaton; `kind` is the word for its operation: assign, assume, call ..."""

    src: int
    dst: int
    text: str
    kind: str
    coord: Coord


@dataclass(frozen=True, slots=True)
class Automaton:
    """The control flow automaton of a function."""

    function: str
    coord: Coord
    entry: int
    exit: int
    heads: tuple[int, ...]
    edges: tuple[AutomatonEdge, ...]


@dataclass(frozen=True, slots=True)
class PathStep:
    """A step of an abstract path; those of the `core` contradict each other."""

    function: str
    coord: Coord
    text: str
    core: bool = False


@dataclass(frozen=True, slots=True)
class PredicatesAt:
    """What is tracked at a place (or in all of a function: the place is its beginning)."""

    where: str
    coord: Coord | None
    texts: tuple[str, ...]


class NodeState(Enum):
    """What became of a node of the tree."""

    EXPANDED = "expanded"
    COVERED = "covered"
    OPEN = "open"
    ERROR = "error"  # its region allows a step to an error


@dataclass(frozen=True, slots=True)
class TreeNode:
    """A node of the abstract reachability tree; the root has the parent 0."""

    number: int
    parent: int
    place: Place
    region: str
    state: NodeState
    predicates: tuple[str, ...] = ()
    covered_by: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Tree:
    """The first nodes of a tree, and how many more there are. `path` are those that lead to the
    counterexample, `pivot` is where it was refined."""

    nodes: tuple[TreeNode, ...]
    left_out: int = 0
    path: tuple[int, ...] = ()
    pivot: int = 0


@dataclass(frozen=True, slots=True)
class RefinementRound:
    """One round: a counterexample of the abstraction as a path with its core, what was done about
    it (`notes`), and what is tracked since. `left_out` counts steps of the path. A round that
    settles all loops together has no path; its Horn `clauses` have what is new as solution."""

    title: str
    path: tuple[PathStep, ...] = ()
    left_out: int = 0
    notes: tuple[str, ...] = ()
    new: tuple[PredicatesAt, ...] = ()
    tree: Tree | None = None
    boolean_program: str = ""
    clauses: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ShapeNode:
    """A variable, an object or a list segment of a shape; `lines` say what it holds."""

    number: int
    kind: str
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class MemoryShape:
    """A symbolic memory graph at a place: what there is, and the pointers: from, to, and where in
    both. `left_out` counts objects that are not shown."""

    place: Place
    nodes: tuple[ShapeNode, ...]
    pointers: tuple[tuple[int, int, str], ...]
    left_out: int = 0


@dataclass(frozen=True, slots=True)
class DomainElement:
    """The abstract value at a place: its cases, one of which holds in each state."""

    place: Place
    head: bool
    cases: tuple[str, ...]


@dataclass(slots=True)
class EngineRecord:
    """What one engine has to show; it adds to it as it goes. `reached` are places (file and line)
    to which its abstraction, or its search, comes; `facts` are sentences."""

    automata: tuple[Automaton, ...] = ()
    rounds: list[RefinementRound] = field(default_factory=list)
    rounds_left_out: int = 0
    predicates: tuple[PredicatesAt, ...] = ()
    tree: Tree | None = None
    boolean_program: str = ""
    elements: tuple[DomainElement, ...] = ()
    shapes: tuple[MemoryShape, ...] = ()
    facts: list[str] = field(default_factory=list)
    reached: set[tuple[str, int]] = field(default_factory=set)

    def add(self, done: RefinementRound) -> None:
        """Note a round, unless there are very many."""
        if len(self.rounds) < MOST_ROUNDS:
            self.rounds.append(done)
        else:
            self.rounds_left_out += 1

    def reach(self, coord: Coord) -> None:
        self.reached.add((coord.file, coord.line))


def shortened_path(steps: Sequence[PathStep]) -> tuple[tuple[PathStep, ...], int]:
    """A path as it is shown, and how many of its steps are not: the core stays, and the end."""
    if len(steps) <= MOST_STEPS:
        return tuple(steps), 0
    core = [n for n, step in enumerate(steps) if step.core][-MOST_STEPS // 2 :]
    end = range(len(steps) - MOST_STEPS // 2, len(steps))
    kept = sorted({*core, *end})
    return tuple(steps[n] for n in kept), len(steps) - len(kept)
