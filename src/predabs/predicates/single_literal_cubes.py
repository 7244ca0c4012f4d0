"""Single predicates that imply a formula: F with cubes of one literal, made for many rounds.

Whether one predicate implies another condition depends on no other predicate. So the answers are
kept for each pair, and a new predicate costs questions about itself alone; most of those are
answered by states that solvers have shown before. `enforce` has the pairs that exclude each other.

Soundness duty: that of `Cubes`.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence
from typing import Protocol, TypeAlias

from ..ir.expr import Expr
from ..records import dataclass, field
from ..smt import build
from ..smt.evaluate import TermEvaluator
from ..smt.query_cache import QueryCache
from ..smt.semantics import ModelValue, default_value
from ..smt.solver import Sat, Solver, Unsat
from ..smt.term import FALSE, TRUE, Symbol, Term, symbols
from .cube import Cover, Cube, Cubes, Decision, Logic

# which values of the condition and of the predicate no state has together
Excluded: TypeAlias = frozenset[tuple[bool, bool]]
_NOTHING: Excluded = frozenset()
_OPPOSITE: Excluded = frozenset(((True, False), (False, True)))
_FOUR = tuple((one, other) for one in (True, False) for other in (True, False))
_MOST_STATES = 40  # that are kept for a condition
_MOST_CHECKS = 100  # by one solver: one that has seen much makes large models


@dataclass(slots=True)
class _Asked:
    """A condition: states in which it holds and in which not, and what was found about it."""

    term: Term
    pairs: QueryCache[Expr, Excluded]
    states: dict[bool, list[dict[Symbol, ModelValue]]] = field(
        default_factory=lambda: {True: [], False: []}
    )
    never: set[bool] = field(default_factory=set)  # values that it has in no state


class PairStore(Protocol):
    """What an earlier check has found about conditions and pairs of them."""

    def key(self, encoding: str, terms: Sequence[Term], facts: Sequence[Term]) -> str: ...

    def candidates(self, key: str) -> Excluded | None:
        """The values that may be excluded, None if nothing is known; the others are possible."""

    def keep(self, key: str, excluded: Excluded) -> None: ...


class SingleLiteralCubes(Cubes):
    """`Cubes` with a limit of one literal, or of two for what is enforced. Of what an earlier check
    has `known`, only the excluded values are asked about again."""

    def __init__(
        self,
        logics: Sequence[Logic],
        seconds: Callable[[], float | None],
        known: PairStore | None = None,
    ) -> None:
        super().__init__(logics, 1, seconds)
        self._known = known
        self._asked_about: list[dict[Expr, _Asked]] = [{} for _ in logics]
        self._solvers: list[Solver] = [logic.solver.fresh() for logic in logics]
        self._facts: list[set[Term]] = [set() for _ in logics]
        self._checks = 0
        self._indexed: tuple[tuple[Expr, ...], dict[str, list[int]]] = ((), {})

    def decide(
        self, phi: Expr, predicates: Sequence[Expr], without: Container[int] = ()
    ) -> Decision:
        """As `Cubes` has it; predicates may be left out by their places."""
        logic = self._able((phi,))
        term = None if logic is None else self._term(logic, phi)
        if term is None:
            return Decision((), ())
        always: Cover = (Cube(()),)
        if term is TRUE or term is FALSE:
            return Decision(always, ()) if term is TRUE else Decision((), always)
        implied, refuted = [], []
        for number in self._near(phi, tuple(predicates)):
            if number in without:
                continue
            excluded = self._related(phi, predicates[number])
            for value in (True, False):
                cube = Cube(((number, value),))
                if (False, value) in excluded and (True, value) in excluded:
                    continue  # the predicate never has this value
                if (False, value) in excluded:
                    implied.append(cube)
                elif (True, value) in excluded:
                    refuted.append(cube)
        never = self._about(logic, phi).never if logic is not None else set[bool]()
        if False in never:
            return Decision(always, ())
        return Decision((), always) if True in never else Decision(tuple(implied), tuple(refuted))

    def enforce(self, predicates: Sequence[Expr]) -> Cover:
        found: list[Cube] = []
        for number, one in enumerate(predicates):
            for place in self._near(one, tuple(predicates)):
                if place < number:
                    for mine, yours in self._related(one, predicates[place]):
                        found.append(Cube(((place, yours), (number, mine))))
        return tuple(sorted(found, key=lambda cube: cube.literals))

    def _near(self, phi: Expr, predicates: tuple[Expr, ...]) -> list[int]:
        """The positions of the predicates that share storage with a condition."""
        if self._indexed[0] != predicates:
            index: dict[str, list[int]] = {}
            for number, predicate in enumerate(predicates):
                for name in self._names(predicate):
                    index.setdefault(name, []).append(number)
            self._indexed = predicates, index
        index = self._indexed[1]
        return sorted({n for name in self._names(phi) for n in index.get(name, ())})

    # --- pairs ------------------------------------------------------------------------------------

    def _related(self, phi: Expr, predicate: Expr) -> Excluded:
        if phi is predicate:
            return _OPPOSITE
        logic = self._able((phi, predicate))
        if logic is None:
            return _NOTHING
        asked = self._about(logic, phi)
        known = asked.pairs.get(predicate)
        if known is None:
            self.counts.formulas += 1
            known = asked.pairs.make(predicate, lambda: self._excluded(logic, asked, predicate))
        else:
            self.counts.cached += 1
        return known

    def _about(self, logic: int, phi: Expr) -> _Asked:
        known = self._asked_about[logic].get(phi)
        if known is None:
            term = self._term(logic, phi)
            assert term is not None
            known = self._asked_about[logic][phi] = _Asked(term, self._remembered())
            wanted = [(value, True) for value in (True, False)]
            found = self._never_together(logic, known, TRUE, wanted)
            known.never.update(value for value, _ in found)
        return known

    def _excluded(self, logic: int, asked: _Asked, predicate: Expr) -> Excluded:
        term = self._term(logic, predicate)
        assert term is not None
        seen = {
            (value, holds)
            for value, states in asked.states.items()
            for holds in self._values(logic, term, states)
        }
        wanted = [pair for pair in _FOUR if pair[0] not in asked.never and pair not in seen]
        self.counts.spared += len(_FOUR) - len(wanted)
        return self._never_together(logic, asked, term, wanted)

    def _never_together(
        self, logic: int, asked: _Asked, other: Term, wanted: Sequence[tuple[bool, bool]]
    ) -> Excluded:
        """Which of these values of the condition and of another term no state has together."""
        key, candidates = "", None
        if self._known is not None:
            formulas, terms = self._logics[logic].formulas, [asked.term, other]
            key = self._known.key(formulas.encoding.name, terms, list(formulas.facts(terms)))
            candidates = self._known.candidates(key)
        unknown = self.counts.unknown
        found = set()
        for value, holds in wanted:
            if candidates is not None and (value, holds) not in candidates:
                self.counts.spared += 1
                continue
            term = other if holds else build.not_(other)
            if self._possible(logic, asked, value, term) is False:
                found.add((value, holds))
        if self._known is not None and self.counts.unknown == unknown:
            self._known.keep(key, frozenset(found))
        return frozenset(found)

    def _values(self, logic: int, term: Term, states: list[dict[Symbol, ModelValue]]) -> set[bool]:
        """The values that a term has in some states; in those where its facts hold."""
        needed = symbols([term])
        facts = self._logics[logic].formulas.facts([term])
        found: set[bool] = set()
        for state in states:
            values = {s: state[s] if s in state else default_value(s.sort) for s in needed}
            evaluator = TermEvaluator(values)
            if all(evaluator.holds(fact) for fact in facts):
                found.add(evaluator.holds(term))
                self.counts.reused += 1
                if len(found) == 2:
                    break
        return found

    def _possible(self, logic: int, asked: _Asked, value: bool, other: Term) -> bool | None:
        """Can the condition have the value where the other term holds? None: the solver cannot
        decide."""
        self._checks += 1
        if self._checks % _MOST_CHECKS == 0:
            self._solvers[logic], self._facts[logic] = self._solvers[logic].fresh(), set()
        solver, asserted = self._solvers[logic], self._facts[logic]
        for fact in self._logics[logic].formulas.facts([asked.term, other]):
            if fact not in asserted:
                asserted.add(fact)
                solver.add(fact)
        self.counts.calls += 1
        assumed = [asked.term if value else build.not_(asked.term), other]
        match solver.check([term for term in assumed if term is not TRUE], self.seconds()):
            case Unsat():
                return False
            case Sat(model):
                states = asked.states[value]
                if len(states) < _MOST_STATES:
                    states.append({s: model[s] for s in symbols([asked.term, other])})
                return True
        self.counts.unknown += 1
        return None
