"""Predicates as the program writes them: the focus operator of [HJMS02, section 5.3].

The conditions of the core, and the assignments that they depend on, are taken with their
substitutions left explicit, and then the primes are dropped: from `old' = new`, `new' = new + 1`
and `new' = old'` stays `new == old`. Nothing promises that this excludes the path, but what it
finds is simple, and speaks of no particular unrolling of a loop.
"""

from __future__ import annotations

from ...ir import make
from ...ir.configuration import Configuration
from ...ir.expr import Expr, Ite, Lvalue, Var
from ...ir.ops import Assign, Assume
from ...ir.types import FloatType, RecordType
from ...ir.walk import variables
from ..atoms import atoms
from .interpolation_problem import FoundPredicates, InterpolationProblem

_MOST = 40  # at one cut point


class FocusInterpolator:
    """Conditions and assignments of the core, at all cut points where their variables matter."""

    name = "focus"

    def find(self, problem: InterpolationProblem, seconds: float) -> FoundPredicates | None:
        relevant: set[Var] = set()
        candidates: dict[Expr, None] = {}
        wanted: list[frozenset[Var]] = [frozenset()] * len(problem.transitions)
        for block in range(len(problem.transitions) - 1, -1, -1):
            transitions = problem.transitions[block]
            for number in range(len(transitions) - 1, -1, -1):
                for op in reversed(transitions[number].ops):
                    match op:
                        case Assume(cond) if (block, number) in problem.core:
                            candidates.update(dict.fromkeys(atoms(cond)))
                            relevant.update(variables(cond))
                        case Assign(Var() as target, value) if target in relevant:
                            relevant.discard(target)
                            relevant.update(variables(value))
                            candidates.update(dict.fromkeys(_equality(target, value)))
            wanted[block] = frozenset(relevant)
        found: list[tuple[Configuration, Expr]] = []
        for number, configuration in enumerate(problem.configurations):
            here = [c for c in candidates if _fits(c, configuration, wanted[number + 1])]
            found += [(configuration, predicate) for predicate in here[:_MOST]]
        return FoundPredicates(found) if found else None


def _fits(predicate: Expr, configuration: Configuration, wanted: frozenset[Var]) -> bool:
    """Does it speak of what matters from there on, and of nothing that does not exist there?"""
    used = variables(predicate)
    in_scope = all(not var.function or configuration.active(var.function) for var in used)
    return in_scope and not wanted.isdisjoint(used)


def _equality(target: Lvalue, value: Expr) -> list[Expr]:
    if isinstance(target.type, FloatType | RecordType) or target in variables(value):
        return []
    return [] if isinstance(value, Ite) else [make.equal(target, value)]
