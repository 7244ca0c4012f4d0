"""C programs as abstract programs over predicates and numbers, and their runs as states of them."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from analysis_machine import End
from lazy_runs import Runner, _Inputs
from lazy_setup import Parts
from predabs.analysis.facts import ProgramFacts
from predabs.bdd import Manager
from predabs.domains.factory import create
from predabs.domains.linear import equal, variable
from predabs.domains.numpred.choose import make
from predabs.domains.numpred.counters import Counters
from predabs.domains.numpred.formula import (
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
from predabs.domains.numpred.lattice import NumPredDom
from predabs.ir.cfa import Program
from predabs.ir.expr import Expr, Var
from predabs.ir.ops import Assume
from predabs.ir.show import show_op
from predabs.ir.stack import Config, Kind
from predabs.ir.walk import variables
from predabs.logic.solver import Statistics
from predabs.numpred.cells import Cells
from predabs.numpred.graph import Control
from predabs.numpred.ground import ground
from predabs.numpred.precision import Precision
from predabs.numpred.solution import Subject
from predabs.numpred.table import Table
from predabs.numpred.translate import Translator
from predabs.refine.conditions import atoms

SECONDS = 10.0


class Abstracted:
    """A program with all that its abstraction is made of; nothing is tracked so far."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.ground = ground(ProgramFacts(program), lambda: SECONDS, Statistics())
        self.cells = Cells(self.ground.context)
        self.table = Table(self.ground, self.cells, lambda: SECONDS)
        self.control = Control(self.ground, lambda: None)

    def variable(self, name: str) -> Var:
        """The variable that the source calls so."""
        function = self.program.functions[self.program.entry]
        everywhere = [item.var for item in self.program.globals]
        own = (*function.params, *function.locals, *everywhere)
        return next(var for var in own if var.short == name)

    def atoms(self) -> list[Expr]:
        """The atoms of all conditions, in the order of the control flow."""
        found: dict[Expr, None] = {}
        for moves in self.control.moves.values():
            for move in moves:
                for op in move.ops:
                    if isinstance(op, Assume):
                        found.update(dict.fromkeys(atoms(op.cond)))
        return list(found)

    def precision(
        self, predicates: list[Expr], tracked: Callable[[str], bool] = lambda name: True
    ) -> Precision:
        """Predicates that differ from all before, and the cells whose names (in the source) are
        tracked."""
        added = [self.table.add(expr) for expr in predicates]
        cells = {name: c for name, c in self.cells.all.items() if tracked(c.var.short)}
        return Precision(cells, dict(one for one in added if one is not None))

    def translator(self, precision: Precision) -> Translator:
        return Translator(self.ground, self.cells, precision)

    def transformers(self, precision: Precision) -> dict[str, str]:
        """The transformers, by the operations of their moves."""
        translator = self.translator(precision)
        return {
            " ".join(show_op(op) for op in move.ops): str(translator.move(move))
            for moves in self.control.moves.values()
            for move in moves
        }

    def domain(self, structure: str, numbers: str, precision: Precision) -> NumPredDom[Any]:
        return make(
            structure,
            create(numbers),
            precision.predicates,
            precision.cells,
            manager=Manager(memory_mb=64),
        )

    def proves(self, structure: str, numbers: str, precision: Precision) -> bool:
        """Whether the fixpoint with this precision reaches no error."""
        subject = Subject(self.ground, self.cells, self.table, self.control)
        solved = subject.solve(precision, structure, numbers, Counters(), lambda: None)
        ends = [*self.control.ends(Kind.ERROR), *self.control.ends(Kind.LIMIT)]
        with solved.domain.domain.vocabulary.manager.bounded():
            return all(
                end not in solved.values or solved.domain.is_bot(solved.values[end]) for end in ends
            )


@dataclass(frozen=True)
class State:
    """A run at a control point: what cells hold and predicates are; what is missing is open."""

    config: Config
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

    def __init__(self, subject: Abstracted, precision: Precision, seed: int) -> None:
        self._subject = subject
        self._precision = precision
        self.states: list[State] = []
        parts = Parts(subject.program, is_cut=lambda config: True)
        super().__init__(parts, _Inputs(seed), lambda config: ())

    def _observe(self, config: Config) -> list[Any]:
        active = {"", config.location.function, *(call.src.function for call in config.calls)}
        cells: dict[str, int] = {}
        for name, cell in self._precision.cells.items():
            if cell.var.function in active:
                self._note(cells, name, self._subject.cells.places[name])
        predicates: dict[Predicate, bool] = {}
        for predicate, expr in self._precision.predicates.items():
            if all(var.function in active for var in variables(expr)):
                self._note(predicates, predicate, expr)
        self.states.append(State(config, cells, predicates))
        return []

    def _note(self, found: dict[Any, Any], key: object, expr: Expr) -> None:
        with suppress(End):  # it cannot be evaluated here
            found[key] = self.value(expr)


def states(subject: Abstracted, precision: Precision, seed: int, most: int = 100) -> list[State]:
    """The states of a run with random inputs."""
    watcher = _Watcher(subject, precision, seed)
    watcher.run(most)
    return watcher.states
