"""The invariants of a proof as text: where, inside which calls, and what holds there, in C.

A variable of another function than the loop's own, or one of two that the source calls alike, is
shown with its function, as `main::x`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from ..ir.cfa import Coord, Program
from ..ir.expr import Var
from ..ir.listing import literal_texts
from ..ir.show import Naming
from ..ir.walk import variables
from ..records import dataclass
from ..verdict import Invariant
from .invariant_text import invariant_text
from .quantified_text import quantified_text


@dataclass(frozen=True, slots=True)
class LoopInvariant:
    """What holds whenever a run is at a loop head of `function`, inside these calls: the callers
    and where they call, the outermost first."""

    coord: Coord
    function: str
    calls: tuple[tuple[str, Coord], ...]
    text: str

    @property
    def place(self) -> str:
        return _line(self.coord)

    @property
    def call_texts(self) -> list[str]:
        """The calls, as `main at a.c:7`."""
        return [f"{caller} at {_line(coord)}" for caller, coord in self.calls]

    def __str__(self) -> str:
        inside = "".join(f", called by {text}" for text in reversed(self.call_texts))
        return f"{self.place} ({self.function}{inside}): {self.text}"


def loop_invariants(program: Program, invariants: Iterable[Invariant]) -> tuple[LoopInvariant, ...]:
    """The invariants in the order of the source."""
    literals = literal_texts(program)
    found = [shown_invariant(program, invariant, literals) for invariant in invariants]
    return tuple(sorted(found, key=lambda item: (item.coord, item.calls)))


def shown_invariant(
    program: Program, invariant: Invariant, literals: Mapping[Var, str]
) -> LoopInvariant:
    """One of them; `literals` are the texts of those in the program."""
    function = program.functions[invariant.location.function]
    leaving = function.outgoing.get(invariant.location, ())
    naming = _naming(invariant, literals)
    return LoopInvariant(
        leaving[0].coord if leaving else function.coord,
        function.name,
        tuple((edge.src.function, edge.coord) for edge in invariant.stack),
        quantified_text(invariant.expr, lambda part: invariant_text(part, naming, program.ada)),
    )


def _naming(invariant: Invariant, literals: Mapping[Var, str]) -> Naming:
    known = Counter(var.short for var in variables(invariant.expr))

    def name(var: Var) -> str:
        if var in literals:
            return literals[var]
        own = var.function in ("", invariant.location.function)
        return var.short if own and known[var.short] == 1 else var.name

    return name


def _line(coord: Coord) -> str:
    return f"{coord.file}:{coord.line}"
