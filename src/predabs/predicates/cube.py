"""The F function: all shortest cubes over some predicates that imply a formula.

F(phi) is the weakest condition over the predicates that implies phi, as a disjunction of cubes;
G(phi) = !F(!phi) the strongest that phi implies [BMR05, section 4.2; BPR01, section 7]. Cartesian
abstraction gives each predicate p its value after an operation by F alone, independently of the
others: `choose(F(wp(p)), F(wp(!p)))`. Cubes have
at most `max_cube` literals, and no cube is listed that no state satisfies: those imply everything
and are excluded by `enforce`, once for all formulas.

Soundness duty: every cube of F(phi) implies phi, in every state in which the facts of `Formulas`
hold. What a solver cannot decide, or has no formula, implies nothing.
"""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from ..encode.environment import Environment, Formulas
from ..encode.integer_encoding import NeedsBitVectors
from ..errors import UnsupportedFeature
from ..ir.expr import Expr
from ..records import dataclass, field
from ..smt import build
from ..smt.evaluate import TermEvaluator
from ..smt.query_cache import QueryCache
from ..smt.semantics import ModelValue, default_value
from ..smt.solver import Model, Sat, Solver, Statistics, Unsat
from ..smt.term import BOOL, FALSE, TRUE, Symbol, Term, symbols
from .implicants import ImplicantSearch, Literals, No, Reply, Tactics, shortest
from .quantifiers import Quantifiers, is_quantified

_MOST_CONES = 32  # sets of predicates that have a solver of their own at a time
_MOST_STATES = 1000  # that are tried on the next formula


@dataclass(frozen=True, slots=True)
class Cube(Mapping[int, bool]):
    """A conjunction: the number of each predicate that takes part, and its value."""

    literals: tuple[tuple[int, bool], ...]  # by ascending number

    def __getitem__(self, number: int) -> bool:
        return dict(self.literals)[number]

    def __iter__(self) -> Iterator[int]:
        return (number for number, _ in self.literals)

    def __len__(self) -> int:
        return len(self.literals)


Cover: TypeAlias = tuple[Cube, ...]  # a disjunction, shorter cubes first


@dataclass(frozen=True, slots=True)
class Decision:
    """What the predicates say about a formula: the cubes that imply it, and those that refute it;
    the arguments of `choose`."""

    implied: Cover
    refuted: Cover


@dataclass(slots=True)
class CubeCounts:
    """How much work it was."""

    formulas: int = 0  # that were searched for
    cached: int = 0  # that had been searched for before
    calls: int = 0  # questions to a solver
    reused: int = 0  # states that were found for one formula and served another one
    spared: int = 0  # cubes that needed no question
    unknown: int = 0  # questions that a solver had no answer to
    without: int = 0  # formulas and predicates that no formula can express


@dataclass(frozen=True, slots=True)
class Logic:
    """One encoding of formulas, and a solver for them."""

    formulas: Formulas
    solver: Solver


def term_of(logics: Iterable[Logic], condition: Expr) -> Term | None:
    """A condition of any storage in the first logic that can say it; None if there is none, or if
    it says nothing because it is always true or never."""
    for logic in logics:
        try:
            term = logic.formulas.encoder(Environment("")).condition(condition)
        except (NeedsBitVectors, UnsupportedFeature):
            continue
        return None if term is TRUE or term is FALSE else term
    return None


@dataclass(slots=True)
class _Cone:
    """Predicates that are asked about together."""

    numbers: tuple[int, ...]
    solver: Solver
    names: list[Symbol]
    symbols: dict[Symbol, None]
    asserted: set[Term] = field(default_factory=set)  # facts that the solver has
    quantified: bool = False  # states may violate instances that are asked for later
    states: deque[tuple[int, dict[Symbol, ModelValue]]] = field(
        default_factory=lambda: deque(maxlen=_MOST_STATES)
    )  # that a solver showed: the point of each, and what the storage holds


class Cubes:
    """Computes F and G, and remembers them.

    `logics` are tried in this order for each formula with the predicates that matter to it: first
    one with `Integers`, then one with `Vectors` for what only bit-vectors can express. `seconds`
    tells how long the next question may take.
    """

    def __init__(
        self,
        logics: Sequence[Logic],
        max_cube: int = 3,
        seconds: Callable[[], float | None] = lambda: None,
        tactics: Tactics | None = None,
    ) -> None:
        self.counts = CubeCounts()
        self._logics = logics
        self._max_cube = max_cube
        self.seconds = seconds
        self._tactics = tactics or Tactics()
        self._numbers: dict[Expr, int] = {}  # of all predicates there ever were
        self._exprs: list[Expr] = []
        self._terms: list[dict[Expr, Term | None]] = [{} for _ in logics]
        self._quantifiers = Quantifiers()
        self._storage: dict[Expr, frozenset[str]] = {}
        self._cones: OrderedDict[tuple[int, tuple[int, ...]], _Cone] = OrderedDict()
        self._decisions: QueryCache[tuple[Expr, tuple[int, ...]], Decision] = self._remembered()
        self._enforced: QueryCache[tuple[int, ...], Cover] = self._remembered()
        self._impossible: set[frozenset[tuple[int, bool]]] = set()

    # --- the functions of [BMR05, section 4.2] ----------------------------------------------------

    def F(self, phi: Expr, predicates: Sequence[Expr]) -> Cover:
        """The shortest cubes that imply phi; the empty one if it is always true."""
        return self.decide(phi, predicates).implied

    def G(self, phi: Expr, predicates: Sequence[Expr]) -> Cover:
        """The cubes that phi excludes: the dual of F is that none of them holds."""
        return self.decide(phi, predicates).refuted

    def decide(self, phi: Expr, predicates: Sequence[Expr]) -> Decision:
        """F of phi and of its negation, in one search."""
        numbers = self._numbered(predicates)
        cone = self._cone(self._names(phi), numbers)
        key = phi, cone
        known = self._decisions.get(key)
        if known is None:
            self.counts.formulas += 1
            known = self._decisions.make(key, lambda: self._decided(phi, cone))
        else:
            self.counts.cached += 1
        return Decision(_renumbered(known.implied, numbers), _renumbered(known.refuted, numbers))

    def enforce(self, predicates: Sequence[Expr]) -> Cover:
        """The shortest cubes that no state satisfies: none of them ever holds."""
        numbers = self._numbered(predicates)
        waiting = dict.fromkeys(numbers)
        found: list[Cube] = []
        while waiting:
            first = next(iter(waiting))
            near = self._cone(self._names(self._exprs[first]), tuple(waiting))
            cone = tuple(sorted({first, *near}))
            for number in cone:
                del waiting[number]
            known = self._enforced.get(cone)
            found += self._enforced_in(cone) if known is None else known
        return _renumbered(tuple(found), numbers)

    def _enforced_in(self, cone: tuple[int, ...]) -> Cover:
        return self._enforced.make(cone, lambda: self._contradictions(cone))

    def _remembered(self) -> QueryCache[Any, Any]:
        return QueryCache(self._logics[0].solver.statistics if self._logics else Statistics())

    # --- predicates -------------------------------------------------------------------------------

    def _numbered(self, predicates: Sequence[Expr]) -> tuple[int, ...]:
        for predicate in predicates:
            if predicate not in self._numbers:
                self._numbers[predicate] = len(self._exprs)
                self._exprs.append(predicate)
        return tuple(self._numbers[predicate] for predicate in predicates)

    def _term(self, logic: int, condition: Expr) -> Term | None:
        """The condition as a term; None if this logic cannot express it."""
        known = self._terms[logic]
        if condition not in known:
            formulas = self._logics[logic].formulas
            try:
                plain = self._quantifiers.exposed(condition)
                known[condition] = formulas.encoder(Environment("")).condition(plain)
            except (NeedsBitVectors, UnsupportedFeature):
                known[condition] = None
        return known[condition]

    def _names(self, condition: Expr) -> frozenset[str]:
        """The storage that a condition speaks of, by the names that all logics give it."""
        known = self._storage.get(condition)
        if known is None:
            terms = (self._term(number, condition) for number in range(len(self._logics)))
            term = next((term for term in terms if term is not None), None)
            if term is None:
                self.counts.without += 1
                term = TRUE  # it has no formula, so it says nothing
            known = frozenset(s.name for s in symbols([term]))
            known = self._storage[condition] = known - self._quantifiers.names(condition)
        return known

    def _cone(self, reached: frozenset[str], numbers: Iterable[int]) -> tuple[int, ...]:
        """The predicates that share storage with the reached one, or with each other in turn.

        Nothing is lost: whatever holds of other storage tells nothing about this one, unless it is
        impossible by itself.
        """
        waiting = dict.fromkeys(n for n in sorted(numbers) if self._names(self._exprs[n]))
        if not self._tactics.cone:
            return tuple(waiting)
        found: list[int] = []
        while near := [n for n in waiting if self._names(self._exprs[n]) & reached]:
            found += near
            reached = reached.union(*(self._names(self._exprs[n]) for n in near))
            for number in near:
                del waiting[number]
        return tuple(sorted(found))

    # --- searches ---------------------------------------------------------------------------------

    def _decided(self, phi: Expr, numbers: tuple[int, ...]) -> Decision:
        logic = self._able((phi, *(self._exprs[n] for n in numbers)))
        term = None if logic is None else self._term(logic, phi)
        if logic is None or term is None:
            return Decision((), ())
        if term is TRUE or term is FALSE:
            always = (Cube(()),)
            return Decision(always, ()) if term is TRUE else Decision((), always)
        cone = self._asked(logic, numbers)
        self._assert_facts(cone, logic, term)
        self._assert_instances(cone, logic, (phi, *(self._exprs[n] for n in numbers)))
        search = self._search(cone, (build.not_(term), term))
        if self._tactics.models and not is_quantified(phi):
            self._seed(search, cone, term, self._logics[logic].formulas)
        search.run(self._max_cube or len(numbers))
        self.counts.spared += search.spared
        self._note(search.decided.get((False, False), []), numbers)
        return Decision(
            _cover(search.decided.get((False, True), []), numbers),
            _cover(search.decided.get((True, False), []), numbers),
        )

    def _contradictions(self, numbers: tuple[int, ...]) -> Cover:
        logic = self._able([self._exprs[n] for n in numbers])
        if logic is None:
            return ()
        cone = self._asked(logic, numbers)
        search = self._search(cone, (TRUE,))
        for point in {point for point, _ in cone.states}:
            search.add(point, 0)
        search.run(self._max_cube or len(numbers))
        self.counts.spared += search.spared
        found = search.decided.get((False,), [])
        self._note(found, numbers)
        return _cover(found, numbers)

    def _able(self, conditions: Sequence[Expr]) -> int | None:
        """The first logic that can express all of them."""
        for logic in range(len(self._logics)):
            if all(self._term(logic, condition) is not None for condition in conditions):
                return logic
        return None

    def _asked(self, logic: int, numbers: tuple[int, ...]) -> _Cone:
        """The solver for some predicates, which has a name for each."""
        key = logic, numbers
        known = self._cones.get(key)
        if known is None:
            terms = [self._term(logic, self._exprs[number]) or TRUE for number in numbers]
            names = [Symbol(f"predicate {number}", BOOL) for number in numbers]
            solver = self._logics[logic].solver.fresh()
            known = self._cones[key] = _Cone(numbers, solver, names, symbols(terms))
            for name, term in zip(names, terms, strict=True):
                solver.add(build.eq(name, term))
                self._assert_facts(known, logic, term)
            exprs = [self._exprs[number] for number in numbers]
            known.quantified = any(map(is_quantified, exprs))
            self._assert_instances(known, logic, exprs)
            if len(self._cones) > _MOST_CONES:
                self._cones.popitem(last=False)
        self._cones.move_to_end(key)
        return known

    def _assert_facts(self, cone: _Cone, logic: int, term: Term) -> None:
        """Assert the facts about what occurs in a term."""
        for fact in self._logics[logic].formulas.facts([term]):
            if fact not in cone.asserted:
                cone.asserted.add(fact)
                cone.solver.add(fact)
        cone.symbols.update(symbols([term]))

    def _assert_instances(self, cone: _Cone, logic: int, exprs: Sequence[Expr]) -> None:
        """Assert what quantified predicates say where the formulas look."""
        for instance in self._quantifiers.instances(exprs):
            term = self._term(logic, instance)
            if term is not None and term not in cone.asserted:
                cone.asserted.add(term)
                cone.solver.add(term)
                self._assert_facts(cone, logic, term)

    def _search(self, cone: _Cone, sides: tuple[Term, ...]) -> ImplicantSearch:
        def ask(cube: Literals, side: int) -> Reply:
            literals = [(literal // 2, bool(literal & 1)) for literal in cube]
            if frozenset((cone.numbers[i], value) for i, value in literals) in self._impossible:
                return No.NEVER
            self.counts.calls += 1
            assumed = [_literal(cone.names[position], value) for position, value in literals]
            if sides[side] is not TRUE:
                assumed.append(sides[side])
            match cone.solver.check(assumed, self.seconds()):
                case Unsat():
                    return No.NEVER
                case Sat(model):
                    return self._point(cone, model)
            self.counts.unknown += 1
            return No.UNKNOWN

        return ImplicantSearch(len(cone.numbers), len(sides), ask, self._tactics)

    def _point(self, cone: _Cone, model: Model) -> int:
        point = sum(bool(model[name]) << position for position, name in enumerate(cone.names))
        if self._tactics.models and not cone.quantified:
            cone.states.append((point, {symbol: model[symbol] for symbol in cone.symbols}))
        return point

    def _seed(self, search: ImplicantSearch, cone: _Cone, term: Term, formulas: Formulas) -> None:
        """Start with states that were found for other formulas."""
        needed = symbols([term])
        facts = formulas.facts([term])
        for point, state in cone.states:
            values = {s: state[s] if s in state else default_value(s.sort) for s in needed}
            evaluator = TermEvaluator(values)
            if all(evaluator.holds(fact) for fact in facts):
                search.add(point, int(evaluator.holds(term)))
                self.counts.reused += 1

    def _note(self, contradictions: list[Literals], numbers: tuple[int, ...]) -> None:
        for cube in shortest(contradictions):
            self._impossible.add(frozenset((numbers[p // 2], bool(p & 1)) for p in cube))


def _literal(name: Term, value: bool) -> Term:
    return name if value else build.not_(name)


def _cover(cubes: list[Literals], numbers: tuple[int, ...]) -> Cover:
    return tuple(
        Cube(tuple((numbers[literal // 2], bool(literal & 1)) for literal in cube))
        for cube in shortest(cubes)
    )


def _renumbered(cover: Cover, numbers: tuple[int, ...]) -> Cover:
    """The cubes with the positions that predicates have in `numbers`, in the order of these."""
    positions: dict[int, int] = {}
    for position, number in enumerate(numbers):
        positions.setdefault(number, position)
    cubes = (Cube(tuple(sorted((positions[n], value) for n, value in c.literals))) for c in cover)
    return tuple(sorted(cubes, key=lambda c: (len(c), [(n, not v) for n, v in c.literals])))
