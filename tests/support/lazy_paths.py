"""Abstract paths for tests of the refinement: programs with points of abstraction at labels."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from predabs.bdd import Function
from predabs.encode.blocks import Exit
from predabs.encode.encoding import Encoding
from predabs.encode.initial_states import initial_environment
from predabs.ir.configuration import Configuration
from predabs.ir.expr import Expr
from predabs.ir.show import show_expr
from predabs.predicates.precision import Precision
from predabs.refine.interpolators.interpolation_problem import (
    FoundPredicates,
    InterpolationProblem,
    Interpolator,
)
from predabs.refine.refiner import PathOutcome, PathRefiner
from predabs.smt.solver import Answer, Reason, Solver, Unknown
from predabs.smt.term import Term
from support.c_programs import program_of_c
from support.lazy_setup import Parts, equals


@dataclass
class Told:
    """An interpolator that finds what it is told, and remembers what it was asked."""

    predicates: Callable[[InterpolationProblem], Sequence[tuple[Configuration, Expr]]] = (
        lambda problem: ()
    )
    name: str = "told"
    asked: list[InterpolationProblem] = field(default_factory=list)

    def find(self, problem: InterpolationProblem, seconds: float) -> FoundPredicates | None:
        self.asked.append(problem)
        found = self.predicates(problem)
        return FoundPredicates(found) if found else None


class Case:
    """A path from the start to an error, by way of labels."""

    def __init__(
        self,
        text: str,
        labels: Sequence[str],
        *interpolators: Interpolator,
        encoding: Encoding | None = None,
    ) -> None:
        program = program_of_c(text)
        places = {
            place: name
            for function in program.functions.values()
            for name, place in function.labels.items()
        }
        self.names = places
        self.parts = parts = Parts(
            program,
            encoding=encoding,
            is_cut_point=lambda configuration: configuration.location in places,
        )
        self.precision = Precision("location")
        self.refiner = PathRefiner(
            parts.blocks,
            parts.predicates,
            parts.post,
            self.precision,
            interpolators,
            parts.solver,
            parts.statistics,
            lambda: 60.0,
        )
        start, _ = initial_environment(parts.formulas)
        block = parts.blocks.make(parts.flow.entry, start)
        self.exits: list[Exit] = []
        for label in (*labels, None):
            (exit_,) = [e for e in block.exits if self._label(e.target) == label]
            self.exits.append(exit_)
            if exit_.target is not None:
                block = parts.blocks.at(exit_.target)
        self.true = parts.manager.true

    def _label(self, configuration: Configuration | None) -> str | None:
        return None if configuration is None else self.names[configuration.location]

    def zero(self, name: str) -> Function:
        """The region in which a variable is zero."""
        return self.parts.manager.var(self.parts.number(equals(self.parts.program, name, 0)))

    def refine(self, regions: Sequence[Function] | None = None) -> PathOutcome:
        """Refine for the path; nothing is known about its nodes, unless regions are given."""
        return self.refiner.refine(regions or [self.true] * len(self.exits), self.exits)

    def problem(self) -> InterpolationProblem:
        """The path as an interpolator gets it."""
        told = Told()
        interpolators, self.refiner.interpolators = self.refiner.interpolators, (told,)
        self.refine()
        self.refiner.interpolators = interpolators
        return told.asked[0]

    def shown(self, found: FoundPredicates | None) -> dict[str, set[str]]:
        """Predicates by label."""
        shown: dict[str, set[str]] = {}
        for configuration, predicate in found.predicates if found is not None else ():
            shown.setdefault(self.names[configuration.location], set()).add(show_expr(predicate))
        return shown


class Forgetful:
    """A solver that answers so many questions, and no more."""

    def __init__(self, inner: Solver, answers: int) -> None:
        self._inner = inner
        self._left = answers

    def __getattr__(self, name: str) -> object:
        return getattr(self._inner, name)

    def fresh(self) -> Forgetful:
        return Forgetful(self._inner.fresh(), self._left)

    def check(self, assumptions: Sequence[Term] = (), timeout: float | None = None) -> Answer:
        self._left -= 1
        if self._left < 0:
            return Unknown(Reason.TIMEOUT)
        return self._inner.check(assumptions, timeout)
