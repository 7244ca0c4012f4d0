"""An independent check of proofs by unrolling: all runs to their ends, or the last k pieces.

Pieces of the control flow between loop heads follow each other (`piece_formulas`); where several
lead to one cut point, they are joined there. So a layer, all runs after the same number of pieces,
has each cut point once, and formulas grow with the number of pieces and not of paths.

Soundness duty: `Certified` for an unrolling only if no error or limit is reached in any piece, and
no run has more pieces; for k-induction [SSS00] only if none is reached in the first k + 1 pieces of
a run, nor in the last of k + 1 pieces from a cut point on, in whatever state the invariants allow.
"""

from __future__ import annotations

from collections.abc import Callable

from ..analysis.facts import ProgramFacts
from ..encode.environment import Environment, Formulas
from ..encode.initial_states import initial_environment
from ..ir.configuration import Configuration
from ..ir.expr import Expr
from ..records import dataclass, field
from ..smt import build
from ..smt.term import FALSE, TRUE
from .certificate import InductionCheck
from .obligations import (
    ANY,
    START,
    Certificate,
    Certified,
    Effort,
    Obligations,
    Stop,
)
from .piece_formulas import Arrival, PieceFormulas, Pieces

_FIRST_QUESTION = 4  # pieces; the next one comes after twice as many


def _nowhere(configuration: Configuration) -> bool:
    """Loop heads are cut points, nothing else."""
    return False


def _nothing(configuration: Configuration) -> list[Expr]:
    """No invariants."""
    return []


@dataclass(slots=True)
class _Layers:
    """The runs from some arrival on, one piece more at a time. `known` holds at each cut point."""

    asked: Obligations
    pieces: Pieces
    piece: PieceFormulas
    layer: dict[Configuration, Arrival]
    known: Callable[[Configuration], list[Expr] | None]
    depth: int = 0
    bad: list[Arrival] = field(default_factory=list)
    """Errors and limits that the last piece leads to."""

    def deepen(self) -> None:
        """Follow all runs through one more piece."""
        arrivals: dict[Configuration, list[Arrival]] = {}
        self.bad = []
        for configuration, arrival in self.layer.items():
            reached = self.pieces.follow(self.piece, configuration, arrival)
            self.bad += reached.bad
            for target, found in reached.leaving.items():
                arrivals.setdefault(target, []).extend(found)
        self.layer = {}
        self.depth += 1
        for target, found in arrivals.items():
            known = self.known(target)
            if known is None:
                continue  # no run comes there
            joined = self.piece.joined(found, str(target.location))
            said = self.asked.terms(known, joined.environment)
            guard = build.and_(joined.guard, *said)
            if guard is not FALSE:
                whole = Arrival(guard, joined.environment)
                self.layer[target] = self.piece.named(whole, str(target.location))


def check_unrolling(
    facts: ProgramFacts, formulas: Formulas, effort: Effort, most: int | None = None
) -> Certificate:
    """Follow all runs to their ends: none has more pieces than `most`, if that is given."""
    asked = Obligations(formulas, effort)
    try:
        layers = _from_start(facts, asked, Pieces(facts.flow, _nowhere, asked.step), _nothing)
        errors: list[Arrival] = []
        question = _FIRST_QUESTION
        while layers.layer:
            layers.deepen()
            errors += layers.bad
            if layers.depth == most or layers.depth >= question or not layers.layer:
                question = 2 * layers.depth
                asked.exclude(layers.piece, START, TRUE, errors)
                errors = []
                for point, arrival in tuple(layers.layer.items()):
                    if asked.model(layers.piece, arrival.guard) is None:
                        del layers.layer[point]
                if layers.layer and layers.depth == most:
                    goes_on = next(iter(layers.layer))
                    asked.refute(
                        layers.piece, str(goes_on), f"a run goes on after {most} pieces", limit=True
                    )
    except Stop as end:
        return end.answer
    return Certified(tuple(effort.used), (), layers.depth)


def check_induction(proved: InductionCheck, depth: int) -> Certificate:
    """k-induction, with the invariants that were proved before: `depth` is k."""
    facts, asked = proved.facts, Obligations(proved.formulas, proved.effort)

    def known(point: Configuration) -> list[Expr] | None:
        return proved.known(point) if point in proved.kept else None

    try:
        pieces = Pieces(facts.flow, proved.claims.__contains__, asked.step)
        layers = _from_start(facts, asked, pieces, known)
        for _ in range(depth + 1):
            layers.deepen()
            asked.exclude(layers.piece, START, TRUE, layers.bad)
        for point in proved.kept:
            piece = PieceFormulas(proved.formulas, {}, True)
            said = asked.terms(proved.known(point), ANY)
            start = {point: Arrival(build.and_(*said), Environment(ANY.tag))}
            layers = _Layers(asked, pieces, piece, start, known)
            for _ in range(depth + 1):
                layers.deepen()
            asked.exclude(piece, f"{depth + 1} pieces from {point} on", TRUE, layers.bad)
    except Stop as end:
        return end.answer
    return Certified(tuple(proved.effort.used), proved.proved(), depth)


def _from_start(
    facts: ProgramFacts,
    asked: Obligations,
    pieces: Pieces,
    known: Callable[[Configuration], list[Expr] | None],
) -> _Layers:
    environment, exact = initial_environment(asked.formulas)
    piece = PieceFormulas(asked.formulas, {}, exact)
    start = {facts.flow.entry: Arrival(TRUE, environment)}
    return _Layers(asked, pieces, piece, start, known)
