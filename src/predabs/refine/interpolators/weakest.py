"""Predicates from the weakest precondition of the core [HJMS02, sections 2.2 and 5.3].

At each cut point the conditions of the core that lie ahead are written over the storage there:
their conjunction is the bad region, as far as the core needs it. Inputs that are taken on the way
are projected away. The atoms of the result exclude the path, if they are tracked at all cut points.
"""

from __future__ import annotations

from ...errors import UnsupportedFeature
from ...ir.configuration import Configuration
from ...ir.expr import Expr
from ...smt import build
from ...smt.projection import project
from ...smt.term import Term, symbols
from .interpolation_problem import FoundPredicates, InterpolationProblem
from .phrase import atoms, phrase


class Weakest:
    """The atoms of the bad regions."""

    name = "weakest preconditions"

    def find(self, problem: InterpolationProblem, seconds: float) -> FoundPredicates | None:
        found: list[tuple[Configuration, Expr]] = []
        share = seconds / max(1, len(problem.configurations))
        for number, configuration in enumerate(problem.configurations):
            bad = self._bad(problem, number + 1, share)
            for atom in atoms(bad) if bad is not None else ():
                try:
                    found.append((configuration, phrase(problem.formulas, atom)))
                except UnsupportedFeature:
                    continue
        return FoundPredicates(found) if found else None

    def _bad(self, problem: InterpolationProblem, cut: int, seconds: float) -> Term | None:
        formulas = problem.formulas
        conditions = problem.conditions(cut)
        inputs = [s for s in symbols(conditions) if s not in formulas.origins]
        if not inputs:
            return build.and_(*conditions)
        clean = [c for c in conditions if not symbols([c]).keys() & set(inputs)]
        rest = [c for c in conditions if symbols([c]).keys() & set(inputs)]
        closed = build.and_(*rest, *formulas.facts(rest))
        projected = project(closed, inputs, problem.statistics, seconds)
        return build.and_(*clean, *(() if projected is None else (projected,)))
