"""The abstract successor: what a block makes of a region, over the predicates at its end.

Cartesian abstraction first [HJMS02, section 3.2]: which predicates have one value in all
successors. It takes one large question for all predicates together, and one more for each that
turns out to have both values. Over those that stay open the successor is Boolean: all combinations
of values are enumerated. A predicate whose storage the block leaves alone keeps its value, and
takes part in the enumeration only if the block looks at that storage, or runs begin in it.

Soundness duty: every state that a run through the exit leads to, from a state of the region, is in
the image. What a solver does not know, and what takes too long, stays open.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TypeAlias

from ..bdd import Function
from ..encode.blocks import Exit
from ..encode.environment import Environment, Key
from ..ir.configuration import Configuration
from ..records import dataclass, field
from ..smt import build
from ..smt.query_cache import QueryCache
from ..smt.solver import Answer, Model, Sat, Solver, Unsat
from ..smt.term import BOOL, Symbol, Term
from .table import PredicateTable

FactsAt: TypeAlias = Callable[[Configuration, Iterable[Key | None], Environment], list[Term]]

_MOST_MODELS = 600  # of one image, before it is left Cartesian


@dataclass(slots=True)
class _Query:
    """What is asked about one exit: a solver with its formula, and names for predicates."""

    exit: Exit
    solver: Solver
    before: dict[int, Term] = field(default_factory=dict)
    after: dict[int, Term] = field(default_factory=dict)


@dataclass(slots=True)
class PostCounts:
    """How often an image was computed, and how often it was remembered."""

    computed: int = 0
    cached: int = 0
    cartesian: int = 0  # images that were left Cartesian, because they had too many models


class AbstractPost:
    """Computes images, and remembers them. `facts_at` has what holds of some storage whenever a
    run is at a configuration, `seconds` how long one question may take."""

    def __init__(
        self,
        predicates: PredicateTable,
        facts_at: FactsAt,
        solver: Solver,
        seconds: Callable[[], float],
    ) -> None:
        self.predicates = predicates
        self.counts = PostCounts()
        self._facts_at = facts_at
        self._fresh = solver
        self._seconds = seconds
        self._queries: dict[Exit, _Query] = {}
        self._images: QueryCache[tuple[Exit, Function, frozenset[int]], Function] = QueryCache(
            solver.statistics
        )
        self._sharp: set[Exit] = set()

    # --- questions --------------------------------------------------------------------------------

    def reaches(self, exit_: Exit, region: Function) -> Answer:
        """Can a state of the region leave the block by the exit?"""
        query = self._query(exit_)
        return self._check(query, [self._region(query, region)])

    def passes(
        self, exit_: Exit, region: Function, end: Mapping[int, bool], watched: Iterable[int]
    ) -> tuple[Answer, dict[int, bool]]:
        """Can a state of the region leave the block by the exit, with these values of predicates
        at the end? If so, also the values of the watched predicates at the start."""
        query = self._query(exit_)
        assumed = [self._region(query, region)]
        assumed += [_literal(self._after(query, number), value) for number, value in end.items()]
        names = {number: self._before(query, number) for number in watched}
        answer = self._check(query, assumed)
        return answer, _values(answer.model, names) if isinstance(answer, Sat) else {}

    def image(self, exit_: Exit, region: Function, wanted: frozenset[int]) -> Function:
        """The successor of a region."""
        key = (exit_, region, wanted)
        known = self._images.get(key)
        if known is None:
            self.counts.computed += 1
            known = self._images.make(key, lambda: self._image(self._query(exit_), region, wanted))
        else:
            self.counts.cached += 1
        return known

    def sharpen(self, exit_: Exit) -> bool:
        """From now on keep all that relates the predicates at this exit, at any cost; whether it
        was otherwise before."""
        if exit_ in self._sharp:
            return False
        self._sharp.add(exit_)
        self._images.forget(lambda key: key[0] is exit_)
        return True

    # --- how --------------------------------------------------------------------------------------

    def _query(self, exit_: Exit) -> _Query:
        known = self._queries.get(exit_)
        if known is None:
            solver = self._fresh.fresh()
            solver.add(exit_.formula)
            known = self._queries[exit_] = _Query(exit_, solver)
        return known

    def _check(self, query: _Query, assumed: Sequence[Term]) -> Answer:
        return query.solver.check(assumed, self._seconds())

    def _model(
        self, query: _Query, assumed: Sequence[Term], names: Mapping[int, Term]
    ) -> dict[int, bool] | Unsat | None:
        """The values of the names in some model; None if the solver does not know. The model itself
        ends here: one that is live at the next question is read as a whole before."""
        answer = self._check(query, assumed)
        match answer:
            case Sat(model):
                return _values(model, names)
            case Unsat():
                return answer
        return None

    def _name(self, query: _Query, name: str, term: Term, facts: Sequence[Term]) -> Term:
        symbol = Symbol(name, BOOL)
        query.solver.add(build.eq(symbol, term))
        for fact in (*facts, *self.predicates.formulas.facts([term])):
            query.solver.add(fact)
        return symbol

    def _before(self, query: _Query, number: int) -> Term:
        known = query.before.get(number)
        if known is None:
            block = query.exit.block
            term = self.predicates.after(number, block.before)
            facts = self._facts_at(block.start, self.predicates.keys(number), block.before)
            known = query.before[number] = self._name(query, f"before {number}", term, facts)
        return known

    def _after(self, query: _Query, number: int) -> Term:
        known = query.after.get(number)
        if known is None:
            target, end = query.exit.target, query.exit.environment
            term = self.predicates.after(number, end)
            if term is self.predicates.after(number, query.exit.block.before):
                known = self._before(query, number)
            else:
                keys = self.predicates.keys(number)
                facts = [] if target is None else self._facts_at(target, keys, end)
                known = self._name(query, f"after {number}", term, facts)
            query.after[number] = known
        return known

    def _region(self, query: _Query, region: Function) -> Term:
        return self.predicates.region_term(region, lambda number: self._before(query, number))

    def _image(self, query: _Query, region: Function, wanted: frozenset[int]) -> Function:
        manager = self.predicates.manager
        support = manager.support(region)
        names = {number: self._after(query, number) for number in sorted(wanted)}
        kept = {n for n, name in names.items() if name is query.before.get(n)}
        frame = manager.exists(region, support - kept)
        asked = list(names)
        if query.exit not in self._sharp:
            # what the block looks at, or what is known of the storage before it
            read = {*query.exit.entry.values(), *query.exit.block.before.changed}
            told = self.predicates.observed(support)
            asked = [
                number
                for number in names
                if number not in kept
                or not read.isdisjoint(self.predicates.keys(number))
                or (number not in support and self.predicates.keys(number) & told)
            ]
        assumption = self._region(query, region)
        literals = {number: names[number] for number in asked}
        first = self._model(query, [assumption], literals)
        if isinstance(first, Unsat):
            return manager.false
        if first is None or not asked:
            return frame
        return frame & self._values(query, assumption, literals, first)

    def _values(
        self, query: _Query, assumption: Term, names: dict[int, Term], first: dict[int, bool]
    ) -> Function:
        """All combinations of values that the named predicates have, or more; `first` is one."""
        manager = self.predicates.manager
        waiting = dict.fromkeys(names)
        models = [first]
        free: list[int] = []
        while waiting:
            other = build.or_(*(_literal(names[n], not first[n]) for n in waiting))
            found = self._model(query, [assumption, other], names)
            if isinstance(found, Unsat):
                break
            if found is None:
                free += waiting
                waiting = {}
                break
            models.append(found)
            for number in [n for n in waiting if found[n] != first[n]]:
                del waiting[number]
                free.append(number)
        fixed = manager.cube({number: first[number] for number in waiting})
        if len(free) < 2:
            return fixed
        combinations = self._combinations(query, assumption, names, free, models)
        return fixed if combinations is None else fixed & combinations

    def _combinations(
        self,
        query: _Query,
        assumption: Term,
        names: dict[int, Term],
        free: Sequence[int],
        models: Sequence[dict[int, bool]],
    ) -> Function | None:
        """The combinations of values of the free predicates; None if they are too many."""
        manager = self.predicates.manager
        seen = {tuple(model[number] for number in free) for model in models}
        most = _MOST_MODELS * (8 if query.exit in self._sharp else 1)
        open_ = {number: names[number] for number in free}
        solver = query.solver
        solver.push()
        try:
            for point in seen:
                solver.add(_excluded(names, free, point))
            while True:
                found = self._model(query, [assumption], open_)
                if isinstance(found, Unsat):
                    break
                if found is None or len(seen) > most:
                    self.counts.cartesian += 1
                    return None
                point = tuple(found[number] for number in free)
                seen.add(point)
                solver.add(_excluded(names, free, point))
        finally:
            solver.pop()
        return manager.disjunction(
            manager.cube(dict(zip(free, point, strict=True))) for point in sorted(seen)
        )


def _literal(name: Term, value: bool) -> Term:
    return name if value else build.not_(name)


def _values(model: Model, names: Mapping[int, Term]) -> dict[int, bool]:
    found = {}
    for number, name in names.items():
        assert isinstance(name, Symbol)
        found[number] = bool(model[name])
    return found


def _excluded(names: dict[int, Term], free: Sequence[int], point: Sequence[bool]) -> Term:
    """Not this combination."""
    return build.or_(*(_literal(names[n], not v) for n, v in zip(free, point, strict=True)))
