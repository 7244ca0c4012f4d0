"""C programs as abstract programs over predicates and numbers, and their runs as states of them."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from predabs.analysis.facts import ProgramFacts
from predabs.bdd import Manager
from predabs.domains.factory import create
from predabs.domains.linear import equal, variable
from predabs.ir.cfa import Program
from predabs.ir.configuration import Configuration, TransitionKind
from predabs.ir.expr import Expr, Var
from predabs.ir.ops import Assume
from predabs.ir.show import show_op
from predabs.ir.walk import variables
from predabs.numpred.domain.counters import Counters
from predabs.numpred.domain.formula import (
    And,
    Compare,
    Formula,
    Literal,
    Or,
    Predicate,
    children_first,
    compare,
    conj,
    literal,
)
from predabs.numpred.domain.numpred_domain import NumPredDom
from predabs.numpred.domain.structures import make
from predabs.numpred.program.abstract_program import ConfigurationGraph
from predabs.numpred.program.numeric_variables import NumericVariables
from predabs.numpred.program.numpred_facts import numpred_facts
from predabs.numpred.program.precision import TrackedPrecision
from predabs.numpred.program.predicate_meanings import PredicateMeanings
from predabs.numpred.program.solution import ProgramAbstraction
from predabs.numpred.program.translation import TransformerTranslation
from predabs.refine.atoms import atoms
from predabs.smt.solver import Statistics
from support.analysis_machine import End
from support.lazy_runs import Runner, _Inputs
from support.lazy_setup import Parts

SECONDS = 10.0


class Abstracted:
    """A program with all that its abstraction is made of; nothing is tracked so far."""

    def __init__(self, program: Program, floats: bool = False) -> None:
        self.program = program
        self.facts = numpred_facts(ProgramFacts(program), lambda: SECONDS, Statistics())
        self.cells = NumericVariables(self.facts.context, floats)
        self.table = PredicateMeanings(self.facts, self.cells, lambda: SECONDS)
        self.control = ConfigurationGraph(self.facts, lambda: None)

    def variable(self, name: str) -> Var:
        """The variable that the source calls so."""
        function = self.program.functions[self.program.entry]
        everywhere = [item.var for item in self.program.globals]
        own = (*function.params, *function.locals, *everywhere)
        return next(var for var in own if var.short == name)

    def atoms(self) -> list[Expr]:
        """The atoms of all conditions, in the order of the control flow."""
        found: dict[Expr, None] = {}
        for transitions in self.control.transitions.values():
            for transition in transitions:
                for op in transition.ops:
                    if isinstance(op, Assume):
                        found.update(dict.fromkeys(atoms(op.cond)))
        return list(found)

    def precision(
        self, predicates: list[Expr], tracked: Callable[[str], bool] = lambda name: True
    ) -> TrackedPrecision:
        """Predicates that differ from all before, and the cells whose names (in the source) are
        tracked."""
        added = [self.table.add(expr) for expr in predicates]
        cells = {name: c for name, c in self.cells.all.items() if tracked(c.var.short)}
        return TrackedPrecision(cells, dict(one for one in added if one is not None))

    def translator(self, precision: TrackedPrecision) -> TransformerTranslation:
        return TransformerTranslation(self.facts, self.cells, precision)

    def transformers(self, precision: TrackedPrecision) -> dict[str, str]:
        """The transformers, by the operations of their moves."""
        translator = self.translator(precision)
        return {
            " ".join(show_op(op) for op in transition.ops): str(translator.transition(transition))
            for transitions in self.control.transitions.values()
            for transition in transitions
        }

    def domain(self, structure: str, numbers: str, precision: TrackedPrecision) -> NumPredDom[Any]:
        return make(
            structure,
            create(numbers),
            precision.predicates,
            precision.cells,
            manager=Manager(memory_mb=64),
        )

    def proves(self, structure: str, numbers: str, precision: TrackedPrecision) -> bool:
        """Whether the fixpoint with this precision reaches no error."""
        subject = ProgramAbstraction(self.facts, self.cells, self.table, self.control)
        solved = subject.solve(precision, structure, numbers, Counters(), lambda: None)
        ends = [
            *self.control.transitions_of(TransitionKind.ERROR),
            *self.control.transitions_of(TransitionKind.LIMIT),
        ]
        with solved.domain.domain.vocabulary.manager.bounded():
            return all(
                end not in solved.values or solved.domain.is_bot(solved.values[end]) for end in ends
            )


@dataclass(frozen=True)
class State:
    """A run at a control point: what cells hold and predicates are; what is missing is open."""

    configuration: Configuration
    cells: dict[str, int]
    predicates: dict[Predicate, bool]

    def formula(self) -> Formula:
        numbers = (compare(equal(variable(name), n)) for name, n in self.cells.items())
        truths = (literal(p, value) for p, value in self.predicates.items())
        return conj(*numbers, *truths)

    def satisfies(self, formula: Formula) -> bool:
        """Whether the formula may be true of the state."""
        known: dict[Formula, bool] = {}
        for node in children_first(formula):
            match node:
                case Literal(predicate, value, _):
                    known[node] = self.predicates.get(predicate, value) == value
                case Compare(constraint):
                    missing = not self.cells.keys() >= set(constraint.variables)
                    known[node] = missing or constraint.holds(self.cells)
                case And(parts):
                    known[node] = all(known[part] for part in parts)
                case Or(parts):
                    known[node] = any(known[part] for part in parts)
        return known[formula]


class _Watcher(Runner):
    """A run that remembers its states at all control points."""

    def __init__(self, subject: Abstracted, precision: TrackedPrecision, seed: int) -> None:
        self._subject = subject
        self._precision = precision
        self.states: list[State] = []
        parts = Parts(subject.program, is_cut_point=lambda configuration: True)
        super().__init__(parts, _Inputs(seed), lambda configuration: ())

    def _observe(self, configuration: Configuration) -> list[Any]:
        active = {
            "",
            configuration.location.function,
            *(call.src.function for call in configuration.calls),
        }
        cells: dict[str, int] = {}
        for name, cell in self._precision.cells.items():
            if cell.var.function in active:
                self._note(cells, name, self._subject.cells.lvalues[name])
        predicates: dict[Predicate, bool] = {}
        for predicate, expr in self._precision.predicates.items():
            if all(var.function in active for var in variables(expr)):
                self._note(predicates, predicate, expr)
        self.states.append(State(configuration, cells, predicates))
        return []

    def _note(self, found: dict[Any, Any], key: object, expr: Expr) -> None:
        with suppress(End):  # it cannot be evaluated here
            found[key] = self.value(expr)


def states(
    subject: Abstracted, precision: TrackedPrecision, seed: int, most: int = 100
) -> list[State]:
    """The states of a run with random inputs."""
    watcher = _Watcher(subject, precision, seed)
    watcher.run(most)
    return watcher.states
