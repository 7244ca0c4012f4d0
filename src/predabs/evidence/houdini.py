"""Invariants that may be wrong: which part of them holds, and is that a proof? (Houdini [FL01])

The candidates come from an earlier check, of this program or of another version of it, or they are
predicates of a search that is under way.

Soundness duty: what is left of the candidates is inductive, and as a proof it excludes every error
and every limit, all of that proved by a solver, as `certificate` does it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ..analysis.facts import ProgramFacts
from ..encode.encoding import BitVectorEncoding, Encoding
from ..encode.environment import Formulas
from ..encode.integer_encoding import IntegerEncoding, NeedsBitVectors
from ..errors import UnsupportedFeature
from ..ir.cfa import Edge, Location
from ..ir.configuration import Configuration
from ..ir.expr import TRUE, And, Expr
from ..verdict import Invariant
from .certificate import (
    Candidates,
    CertificateRefuted,
    Certified,
    Claims,
    Effort,
    InductionCheck,
    Unchecked,
    interval_candidates,
)
from .obligations import ANY
from .summaries import SummarizedFacts, summarized_facts


def reproved(
    facts: ProgramFacts, candidates: Iterable[Invariant], effort: Effort
) -> tuple[Invariant, ...] | CertificateRefuted | Unchecked:
    """The part of these candidates that is inductive, if it proves the program. Those that are not
    preserved are dropped, until all that are left are (Houdini [FL01]); they may come from
    anywhere. Where functions are recursive, they are proved as summaries of these."""
    try:
        summarized = summarized_facts(facts)
    except UnsupportedFeature as problem:
        return Unchecked(str(problem))
    facts = summarized or facts
    offered: dict[tuple[Location, tuple[Edge, ...]], dict[Expr, None]] = {}
    for item in candidates:
        parts = item.expr.args if isinstance(item.expr, And) else (item.expr,)
        offered.setdefault((item.location, item.stack), {}).update(dict.fromkeys(parts))
    # those of one configuration are cut points, also where no loop begins
    entry = facts.program.entry
    points = [
        Invariant(where, calls, TRUE)
        for where, calls in offered
        if calls or where.function == entry
    ]
    claims = Claims(facts.program, points)
    encodings: tuple[Encoding, ...] = (IntegerEncoding(), BitVectorEncoding())
    for encoding in encodings:
        formulas = Formulas(facts.partition, encoding)

        def own(here: Configuration, formulas: Formulas = formulas) -> list[Expr]:
            found = {
                **offered.get((here.location, here.calls), {}),
                **offered.get((here.location, ()), {}),
            }
            return [expr for expr in found if _can_say(formulas, expr)]

        try:
            answer = InductionCheck(facts, formulas, claims, own, effort).run()
            if isinstance(answer, CertificateRefuted):
                more = _with_bounds(facts, own)
                answer = InductionCheck(facts, formulas, claims, more, effort).run()
        except NeedsBitVectors:
            continue
        except UnsupportedFeature as problem:
            return Unchecked(str(problem))
        return answer.invariants if isinstance(answer, Certified) else answer
    return Unchecked("bit-vectors are not enough")


def _with_bounds(facts: ProgramFacts, own: Candidates) -> Candidates:
    """These candidates, interval facts, and what often holds at the exits of functions that have
    summaries."""
    bounds = interval_candidates(facts)
    ends = facts.exit_candidates() if isinstance(facts, SummarizedFacts) else {}

    def at(here: Configuration) -> list[Expr]:
        return list(dict.fromkeys([*own(here), *bounds(here), *ends.get(here, ())]))

    return at


def inductive_part(
    facts: ProgramFacts,
    encoding: Encoding,
    candidates: Mapping[Location, Iterable[Expr]],
    effort: Effort,
    drops_open: bool = False,
) -> tuple[Invariant, ...]:
    """The largest part of these candidates that is inductive, each by itself, whether or not it
    proves the program: it holds in all runs, up to the first limit that they reach. Nothing, if it
    is not found with so much effort; with `drops_open`, one about which the solver gives no answer
    is left out."""
    formulas = Formulas(facts.partition, encoding)

    def own(here: Configuration) -> list[Expr]:
        return [expr for expr in candidates.get(here.location, ()) if _can_say(formulas, expr)]

    check = InductionCheck(
        facts, formulas, Claims(facts.program, ()), own, effort, errors=False, drops_open=drops_open
    )
    try:
        answer = check.run()
    except (NeedsBitVectors, UnsupportedFeature):
        return ()
    if not isinstance(answer, Certified):
        return ()
    return tuple(
        Invariant(here.location, here.calls, expr)
        for here, kept in check.kept.items()
        for expr in kept
    )


def _can_say(formulas: Formulas, expr: Expr) -> bool:
    """Can formulas express a condition? Else it is no candidate."""
    try:
        formulas.encoder(ANY).condition(expr)
    except UnsupportedFeature:
        return False
    return True
