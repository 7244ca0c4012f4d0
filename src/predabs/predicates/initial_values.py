"""The values of predicates in the initial states of a program.

Soundness duty: a definite value only if the predicate has it in every initial state.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from ..encode.environment import Environment, Formulas
from ..encode.initial_states import initial_environment
from ..encode.integer_encoding import NeedsBitVectors
from ..errors import UnsupportedFeature
from ..ir.expr import Expr
from ..records import dataclass
from ..smt import build
from ..smt.solver import Unknown, Unsat
from ..smt.term import Term
from .cube import Logic
from .quantifiers import Quantifiers


@dataclass(frozen=True, slots=True)
class InitialCondition:
    """A predicate about the initial states, as the first logic says it that can."""

    logic: Logic
    term: Term

    @property
    def facts(self) -> list[Term]:
        """What holds of the symbols in the term."""
        return list(self.logic.formulas.facts([self.term]))


@dataclass(frozen=True, slots=True)
class InitialTruth:
    """`always` or `never` true, or neither; `sure` if a solver has answered what was asked."""

    always: bool = False
    never: bool = False
    sure: bool = True

    @property
    def value(self) -> bool | None:
        return True if self.always else False if self.never else None


def initial_conditions(
    logics: tuple[Logic, ...], predicates: Iterable[Expr]
) -> Iterator[InitialCondition | None]:
    """Each predicate about the initial states; None if no logic can say it."""
    environments = [initial_environment(logic.formulas)[0] for logic in logics]
    for predicate in map(Quantifiers().exposed, predicates):
        found: InitialCondition | None = None
        for logic, environment in zip(logics, environments, strict=True):
            term = _term(logic.formulas, environment, predicate)
            if term is not None:
                found = InitialCondition(logic, term)
                break
        yield found


def _term(formulas: Formulas, environment: Environment, predicate: Expr) -> Term | None:
    try:
        return formulas.encoder(environment).condition(predicate)
    except (NeedsBitVectors, UnsupportedFeature):
        return None


def truth(asked: InitialCondition, seconds: Callable[[], float | None]) -> InitialTruth:
    """Whether the predicate holds in all initial states, or in none."""
    solver = asked.logic.solver.fresh()
    for fact in asked.facts:
        solver.add(fact)
    fails = solver.check([build.not_(asked.term)], seconds())
    if isinstance(fails, Unsat):
        return InitialTruth(always=True)
    holds = solver.check([asked.term], seconds())
    unsure = isinstance(fails, Unknown) or isinstance(holds, Unknown)
    return InitialTruth(never=isinstance(holds, Unsat), sure=not unsure)
