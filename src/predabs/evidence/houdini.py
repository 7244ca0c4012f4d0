"""Invariants that may be wrong: is some part of them a proof? (Houdini [FL01])

The candidates come from an earlier check, of this program or of another version of it.

Soundness duty: what is left of the candidates is inductive and excludes every error and every
limit, all of that proved by a solver, as `certificate` does it.
"""

from __future__ import annotations

from collections.abc import Iterable

from ..analysis.facts import ProgramFacts
from ..encode.encoding import BitVectorEncoding, Encoding
from ..encode.environment import Formulas
from ..encode.integer_encoding import IntegerEncoding, NeedsBitVectors
from ..errors import UnsupportedFeature
from ..ir import make
from ..ir.cfa import Location
from ..ir.configuration import Configuration
from ..ir.expr import And, Expr
from ..verdict import Invariant
from .certificate import (
    ANY_STORAGE,
    Candidates,
    CertificateRefuted,
    Certified,
    Effort,
    InductiveCheck,
    Unchecked,
    configuration_of,
    interval_candidates,
)


def reproved(
    facts: ProgramFacts, candidates: Iterable[Invariant], effort: Effort
) -> tuple[Invariant, ...] | CertificateRefuted | Unchecked:
    """The part of these candidates that is inductive, if it proves the program. Those that are not
    preserved are dropped, until all that are left are (Houdini [FL01]); they may come from
    anywhere."""
    offered: dict[Configuration, dict[Expr, None]] = {}
    anywhere: dict[Location, dict[Expr, None]] = {}
    entry = facts.program.entry
    for item in candidates:
        parts = item.expr.args if isinstance(item.expr, And) else (item.expr,)
        if item.stack or item.location.function == entry:
            offered.setdefault(configuration_of(item), {}).update(dict.fromkeys(parts))
        else:  # whatever the calls are
            anywhere.setdefault(item.location, {}).update(dict.fromkeys(parts))
    points: dict[Configuration, list[Expr]] = {configuration: [] for configuration in offered}
    encodings: tuple[Encoding, ...] = (IntegerEncoding(), BitVectorEncoding())
    for encoding in encodings:
        formulas = Formulas(facts.partition, encoding)

        def own(here: Configuration, formulas: Formulas = formulas) -> list[Expr]:
            found = {**offered.get(here, {}), **anywhere.get(here.location, {})}
            return [expr for expr in found if _can_say(formulas, expr)]

        def with_bounds(here: Configuration, own: Candidates = own) -> list[Expr]:
            return list(dict.fromkeys([*own(here), *interval_candidates(facts)(here)]))

        try:
            check = InductiveCheck(formulas, facts.flow, points, own, effort)
            answer = check.run()
            if isinstance(answer, CertificateRefuted):
                check = InductiveCheck(formulas, facts.flow, points, with_bounds, effort)
                answer = check.run()
        except NeedsBitVectors:
            continue
        except UnsupportedFeature as problem:
            return Unchecked(str(problem))
        if not isinstance(answer, Certified):
            return answer
        return tuple(
            Invariant(configuration.location, configuration.calls, make.conj(kept))
            for configuration, kept in check.kept.items()
        )
    return Unchecked("bit-vectors are not enough")


def _can_say(formulas: Formulas, expr: Expr) -> bool:
    """Can formulas express a condition? Else it is no candidate."""
    try:
        formulas.encoder(ANY_STORAGE).condition(expr)
    except UnsupportedFeature:
        return False
    return True
