"""The verdict of an analysis: safe, unsafe with the inputs of a run, or unknown with a reason.

Soundness duty: `Safe` only from a completed exploration in which nothing was dropped; `Unsafe` only
with inputs with which the concrete interpreter reached the error. Everything else, a solver's
'unknown' included, is `Unknown`.
"""

from __future__ import annotations

from enum import Enum
from typing import TypeAlias

from .ir.cfa import Coord, Edge, Location
from .ir.expr import Expr, Lvalue
from .ir.ops import Source
from .ir.types import Type
from .records import dataclass, field


@dataclass(frozen=True, slots=True)
class Input:
    """One input that a run consumed, in the order of consumption.

    `value` is a number for a scalar, the bytes for an aggregate or for allocated memory.
    """

    source: Source
    name: str
    type: Type
    value: int | float | bytes
    coord: Coord


@dataclass(frozen=True, slots=True)
class Invariant:
    """`expr` holds whenever a run is at the location inside these calls, the outermost first. No
    calls around a function that is not the entry: it holds whatever the calls are."""

    location: Location
    stack: tuple[Edge, ...]
    expr: Expr


@dataclass(frozen=True, slots=True)
class ShapesAt:
    """Whenever a run is at the location inside these calls, memory is one of those that some
    symbolic memory graphs stand for; each graph is a text in JSON."""

    location: Location
    stack: tuple[Edge, ...]
    graphs: tuple[str, ...]


class Method(Enum):
    """How a proof goes, so that somebody else can go through it again."""

    INVARIANTS = "invariants"  # they are inductive, and exclude every error
    SUMMARIES = "summaries"  # invariants, with entries and exits of recursive functions among them
    INDUCTION = "k-induction"  # they hold in all runs; with them the last k blocks exclude an error
    CELLS = "cells"  # invariants of the program with distinguished cells in place of memory
    CURSORS = "cursors"  # the same, also with cells that move, and bags of elements
    UNROLLING = "unrolling"  # all runs were followed to their ends
    EXECUTION = "execution"  # there is one run, and the interpreter has made it
    SHAPES = "shapes"  # symbolic memory graphs at cut points


@dataclass(frozen=True, slots=True)
class Proof:
    """Who has proved it, how, and with which solver. `whole`: if the invariants do not prove the
    program then they are wrong; else the engine has more than it hands on."""

    engine: str
    method: Method
    solver: str
    depth: int = 0
    """The k of a k-induction, in blocks before the one with the error."""
    whole: bool = True


@dataclass(frozen=True, slots=True)
class ProofPrecision:
    """What a proof had to track: predicates at locations (of slam, at the entries of functions,
    with what was found about `pairs` of conditions, and `lemmas` about more of them); and if it is
    one of a localized program, the storage and the functions that count there, and whether sparse
    interval facts were not enough. Whoever tracks the same from the beginning finds the proof again
    without refinements, or one of a similar program (precision reuse [BLN+13]).

    Soundness duty: none. It is where a search begins, whatever it says."""

    predicates: tuple[tuple[Location, Expr], ...] = ()
    localized: bool = False
    storage: tuple[Lvalue, ...] = ()
    entered: tuple[str, ...] = ()
    all_intervals: bool = False
    pairs: tuple[tuple[str, int], ...] = ()
    lemmas: tuple[tuple[tuple[Expr, bool], ...], ...] = ()

    @property
    def sparse(self) -> bool:
        """Is the proof to be looked for with sparse interval facts first?"""
        return self.localized and not self.all_intervals


@dataclass(frozen=True, slots=True)
class Safe:
    """The property holds; for loop heads, an invariant where the engine has one. `support` are
    facts without which the invariants may not be inductive."""

    invariants: tuple[Invariant, ...] = ()
    proof: Proof | None = field(default=None, compare=False)
    support: tuple[Invariant, ...] = field(default=(), compare=False)
    precision: ProofPrecision | None = field(default=None, compare=False)
    shapes: tuple[ShapesAt, ...] = field(default=(), compare=False)


@dataclass(frozen=True, slots=True)
class Unsafe:
    """The property is violated: a run with these inputs reaches the error."""

    inputs: tuple[Input, ...]
    text: str


@dataclass(frozen=True, slots=True)
class Unknown:
    """No verdict; `reason` says why, and what one can do."""

    reason: str


Verdict: TypeAlias = Safe | Unsafe | Unknown
