"""Houdini [FL01]: of many candidates, the largest set that is inductive together.

Soundness duty: what is left at a cut point holds whenever a run is there, up to a limit. A
candidate that a solver cannot decide is dropped. `instances` of a clause must hold wherever it does
for all values of its ghosts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TypeAlias

from ...encode.block_graph import BlockGraph
from ...encode.blocks import Exit
from ...encode.entry_conditions import EntryCondition, entry_condition
from ...encode.environment import Formulas, Key
from ...encode.location_facts import LocationFacts
from ...errors import UnsupportedFeature
from ...ir.configuration import Configuration
from ...ir.expr import Expr
from ...smt import build
from ...smt.evaluate import TermEvaluator
from ...smt.solver import Sat, Solver, Unsat
from ...smt.term import BOOL, FALSE, Symbol, Term

Clause: TypeAlias = tuple[Expr, ...]  # one of these conditions holds


class Houdini:
    """Candidates at the cut points of one graph of blocks, fewer and fewer."""

    def __init__(
        self,
        formulas: Formulas,
        graph: BlockGraph,
        location_facts: LocationFacts,
        solver: Solver,
        seconds: Callable[[], float],
        instances: Callable[[Clause], Iterable[Clause]] = lambda clause: (),
    ) -> None:
        self._formulas = formulas
        self._graph = graph
        self._instances = instances
        self._location_facts = location_facts
        self._solver = solver
        self._seconds = seconds
        self.at: dict[Configuration, dict[Clause, Term]] = {c: {} for c in graph.blocks}
        self._keys: dict[Configuration, dict[Key, None]] = {c: {} for c in graph.blocks}
        self._conditions: dict[Expr, EntryCondition | None] = {}
        self._exits: dict[Exit, _ExitCheck] = {}
        self._with_instances: dict[Clause, Term] = {}

    def add(self, candidates: Mapping[Configuration, Iterable[Clause]]) -> None:
        """More candidates; those that are known to hold stay candidates."""
        for configuration, clauses in candidates.items():
            here, keys = self.at[configuration], self._keys[configuration]
            for clause in clauses:
                parts = [self._condition(literal) for literal in clause]
                known = [part for part in parts if part is not None]
                if clause not in here and len(known) == len(parts):
                    here[clause] = build.or_(*(part.term for part in known))
                    for part in known:
                        keys.update(dict.fromkeys(part.keys))
        self._exits.clear()

    def _condition(self, literal: Expr) -> EntryCondition | None:
        if literal not in self._conditions:
            self._conditions[literal] = entry_condition(self._formulas, literal)
        return self._conditions[literal]

    def run(self) -> None:
        """Drop candidates until all that are left are inductive."""
        todo: dict[Exit, None] = {}
        for block in (self._graph.root, *self._graph.blocks.values()):
            todo.update((exit_, None) for exit_ in block.exits if exit_.target is not None)
        while todo:
            exit_ = next(iter(todo))
            del todo[exit_]
            assert exit_.target is not None
            if self._check(exit_).drop(self.at[exit_.target]):
                again = self._graph.blocks[exit_.target].exits
                todo.update((e, None) for e in again if e.target is not None)

    def excludes(self, bad: Exit) -> tuple[Clause, ...] | None:
        """The facts that exclude an exit to an error; None if they do not."""
        return self._check(bad).excluded()

    def needed(self, bad: Iterable[Exit]) -> dict[Configuration, dict[Clause, None]]:
        """Some of the facts with which all these exits are excluded, and which hold because of each
        other; all facts of a cut point where a solver does not say which."""
        found: dict[Configuration, dict[Clause, None]] = {c: {} for c in self._graph.blocks}
        todo: list[tuple[Configuration, Clause]] = []

        def need(exit_: Exit, clauses: tuple[Clause, ...] | None) -> None:
            start = exit_.block.start
            if exit_.block is self._graph.root:
                return
            for clause in self.at[start] if clauses is None else clauses:
                if clause not in found[start]:
                    found[start][clause] = None
                    todo.append((start, clause))

        for exit_ in bad:
            need(exit_, self.excludes(exit_))
        entering: dict[Configuration, list[Exit]] = {}
        for block in (self._graph.root, *self._graph.blocks.values()):
            for exit_ in block.exits:
                if exit_.target is not None:
                    entering.setdefault(exit_.target, []).append(exit_)
        while todo:
            there, clause = todo.pop()
            for exit_ in entering.get(there, ()):
                need(exit_, self._check(exit_).reasons(clause))
        return found

    def _check(self, exit_: Exit) -> _ExitCheck:
        if exit_ not in self._exits:
            start = exit_.block.start
            is_root = exit_.block is self._graph.root
            known = {} if is_root else self.at[start]
            solver = self._solver.fresh()
            solver.add(exit_.formula)
            if not is_root:  # intervals of what candidates speak of
                keys = dict(self._keys[start])
                if exit_.target is not None:
                    keys.update(self._keys[exit_.target])
                for fact in self._location_facts.facts(start, keys, exit_.block.before):
                    solver.add(fact)
            given = {clause: self._given(clause, term) for clause, term in known.items()}
            self._exits[exit_] = _ExitCheck(
                self._formulas, exit_, known, given, solver, self._seconds
            )
        return self._exits[exit_]

    def _given(self, clause: Clause, term: Term) -> Term:
        """What a clause says at the start of a block, with what follows from it for other values of
        its ghosts."""
        if clause not in self._with_instances:
            terms = [term]
            for instance in self._instances(clause):
                parts = [self._condition(literal) for literal in instance]
                known = [part.term for part in parts if part is not None]
                if len(known) == len(parts):
                    terms.append(build.or_(*known))
            self._with_instances[clause] = build.and_(*terms)
        return self._with_instances[clause]


class _ExitCheck:
    """Questions about one exit; `known` are the candidates at its start, as long as they are, and
    `given` what each of them says."""

    def __init__(
        self,
        formulas: Formulas,
        exit_: Exit,
        known: dict[Clause, Term],
        given: Mapping[Clause, Term],
        solver: Solver,
        seconds: Callable[[], float],
    ) -> None:
        self._formulas = formulas
        self._exit = exit_
        self._known = known
        self._solver = solver
        self._seconds = seconds
        self._switches: dict[Clause, Symbol] = {}
        self._rounds = 0
        self._after: dict[Clause, Term | None] = {}
        self._literals: dict[Expr, Term | None] = {}
        self._encoder = formulas.encoder(exit_.environment)
        for number, (clause, term) in enumerate(given.items()):
            switch = self._switches[clause] = Symbol(f"given~{number}", BOOL)
            solver.add(build.implies(switch, formulas.closed(term)))

    def drop(self, wanted: dict[Clause, Term]) -> bool:
        """Drop what need not hold after the exit; was there any?"""
        found = False
        for expr in [expr for expr in wanted if self._end(expr) is None]:
            del wanted[expr]
            found = True
        while wanted:
            ends = {expr: end for expr in wanted if (end := self._end(expr)) is not None}
            model = self._counterexample(list(ends.values()))
            if model is None:
                return found
            if isinstance(model, TermEvaluator):
                false = [expr for expr, end in ends.items() if not model.holds(end)]
            else:  # undecided: one by one
                false = [e for e, end in ends.items() if self._counterexample([end]) is not None]
            if not false:
                false = list(ends)
            for expr in false:
                del wanted[expr]
            found = True
        return found

    def _end(self, clause: Clause) -> Term | None:
        """The clause in terms of the storage at the exit."""
        if clause not in self._after:
            parts = [self._literal(literal) for literal in clause]
            known = [part for part in parts if part is not None]
            self._after[clause] = build.or_(*known) if len(known) == len(parts) else None
        return self._after[clause]

    def _literal(self, literal: Expr) -> Term | None:
        if literal not in self._literals:
            try:
                self._literals[literal] = self._encoder.condition(literal)
            except UnsupportedFeature:
                self._literals[literal] = None
        return self._literals[literal]

    def _assumed(self) -> list[Term]:
        return [switch for expr, switch in self._switches.items() if expr in self._known]

    def _counterexample(self, ends: list[Term]) -> TermEvaluator | bool | None:
        """A state after which one of the conditions is false; None if there is none, False if the
        solver does not say."""
        self._rounds += 1
        asked = Symbol(f"asked~{self._rounds}", BOOL)
        self._solver.add(build.implies(asked, build.or_(*map(build.not_, ends))))
        for fact in self._formulas.facts(ends):
            self._solver.add(fact)
        match self._solver.check([asked, *self._assumed()], self._seconds()):
            case Unsat():
                return None
            case Sat(model):
                return TermEvaluator(model)
        return False

    def reasons(self, clause: Clause) -> tuple[Clause, ...] | None:
        """The facts with which the clause holds after the exit."""
        end = self._end(clause)
        if end is None:
            return None
        self._rounds += 1
        asked = Symbol(f"asked~{self._rounds}", BOOL)
        self._solver.add(build.implies(asked, build.not_(end)))
        for fact in self._formulas.facts([end]):
            self._solver.add(fact)
        match self._solver.check([asked, *self._assumed()], self._seconds()):
            case Unsat(core):
                used = set(core)
                return tuple(e for e, switch in self._switches.items() if switch in used)
        return None

    def excluded(self) -> tuple[Clause, ...] | None:
        """The facts with which the exit is impossible."""
        if self._exit.formula is FALSE:
            return ()
        match self._solver.check(self._assumed(), self._seconds()):
            case Unsat(core):
                used = set(core)
                return tuple(e for e, switch in self._switches.items() if switch in used)
        return None
