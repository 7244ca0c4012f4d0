"""Farkas interpolants [RS07]: one linear inequality for each cut point, from a proof by addition.

If linear conditions contradict each other, some multiples of them add up to 0 <= -1. At each cut
point, the sum of those multiples that lie ahead, written over the storage there, is the reason why
the error cannot be reached; inputs taken on the way cancel out. Such sums often hold in every
iteration of a loop, where single conditions speak of one unrolling only.

A linear condition here is a sum of solver terms (`smt/linear_terms`) that is compared with 0: its
parts may be inputs and reads of memory, which have no name that a numeric domain would know.
Wrap-around is left out of account, and so is what is not linear: a predicate may be useless.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from enum import Enum
from itertools import product
from math import gcd
from time import monotonic

from ...encode.blocks import execute
from ...encode.environment import Environment
from ...errors import UnsupportedFeature
from ...ir.configuration import Configuration
from ...ir.expr import Expr
from ...records import dataclass, field, replace
from ...smt import build
from ...smt.horn import conjuncts
from ...smt.linear_terms import Combination, summands, unwrapped
from ...smt.solver import Sat, Statistics
from ...smt.solvers import create
from ...smt.substitution import substitute
from ...smt.term import INT, App, Op, Symbol, Term, symbols
from .interpolation_problem import FoundPredicates, InterpolationProblem
from .phrase import phrase

_MOST_SIDES = 3  # of disequalities, each of which has two cases
_MOST_CONDITIONS = 100
_MOST_SUMMANDS = 200
_WORD = 32  # bits: what is wrapped into fewer is more than an overflow that does not happen
_BOUNDS = (1, 4, None)  # of multipliers; the small ones make the general inequalities


class _Kind(Enum):
    """What is said of a linear form."""

    AT_LEAST = "at least 0"
    EQUAL = "equal to 0"
    DIFFERENT = "different from 0"


@dataclass(frozen=True, slots=True)
class _Condition:
    """A linear condition of the path. `forms[i]` is its form over the storage at cut point i; `cut`
    is the last cut point that it is ahead of, or -1 for the region at cut point 0."""

    kind: _Kind
    cut: int
    forms: dict[int, Combination] = field(default_factory=dict)
    is_limit: bool = False  # that a type has


class Farkas:
    """Sums of the conditions ahead, for linear integers."""

    name = "farkas"

    def find(self, problem: InterpolationProblem, seconds: float) -> FoundPredicates | None:
        if problem.formulas.encoding.name != "int":
            return None
        deadline = monotonic() + seconds
        conditions = _Path(problem).conditions()
        if len(conditions) > _MOST_CONDITIONS:
            return None
        found: dict[tuple[Configuration, Expr], None] = {}
        for chosen in _sides(conditions):
            multipliers = _Proof(chosen, problem.statistics, deadline).multipliers()
            if multipliers is not None:
                for number, configuration in enumerate(problem.configurations):
                    term = _sum_ahead(chosen, multipliers, number + 1)
                    if term is not None:
                        try:
                            found[configuration, phrase(problem.formulas, term)] = None
                        except UnsupportedFeature:
                            continue
        return FoundPredicates(tuple(found)) if found else None


# --- the conditions of the path -------------------------------------------------------------------


class _Path:
    """Executes the blocks one by one, each over the storage at its start."""

    def __init__(self, problem: InterpolationProblem) -> None:
        self._problem = problem
        self._formulas = problem.formulas
        self._ends: list[Environment] = []
        self._inputs: dict[Symbol, int] = {}  # by block

    def conditions(self) -> list[_Condition]:
        """All linear ones: of the core, of the region, and then the ranges of types."""
        found = list(self._of_core())
        for condition in found:
            for cut in range(condition.cut - 1, -1, -1):
                condition.forms[cut] = self._before(condition.forms[cut + 1], cut)
        for part in conjuncts(self._problem.region):
            found += _linear_condition(part, -1)
        bases = dict.fromkeys(base for c in found for base in c.forms[0].factors)
        for fact in self._formulas.facts(list(bases)):
            found += self._fact(fact)
        return found

    def _of_core(self) -> Iterator[_Condition]:
        problem = self._problem
        for block, transitions in enumerate(problem.transitions):
            environment = Environment("") if block else problem.exits[0].block.before
            for number, transition in enumerate(transitions):
                guard, environment, _ = execute(self._formulas, transition, environment)
                self._note_inputs([guard], block)
                if (block, number) in problem.core:
                    for part in conjuncts(guard):
                        yield from _linear_condition(part, block)
            self._note_inputs([value.term for value in environment.changed.values()], block)
            self._ends.append(environment)

    def _note_inputs(self, terms: Sequence[Term], block: int) -> None:
        for symbol in symbols(terms):
            if symbol not in self._formulas.origins:
                self._inputs.setdefault(symbol, block)

    def _before(self, form: Combination, cut: int) -> Combination:
        """A form at cut point `cut + 1`, over the storage at `cut`."""
        end, formulas = self._ends[cut], self._formulas
        mapping: dict[Symbol, Term] = {}
        for symbol in symbols(form.factors):
            if symbol in formulas.origins:
                key = formulas.origins[symbol][1]
                value = formulas.heap_end(end) if key is None else formulas.get(end, key)
                mapping[symbol] = value.term
        terms = substitute(list(form.factors), mapping)
        parts = zip(form.factors.values(), map(linear, terms), strict=True)
        return combine([(1, Combination({}, form.constant)), *parts])

    def _fact(self, fact: Term) -> Iterator[_Condition]:
        """The range of a term's type; of an input, from its block on backwards."""
        block = max((self._inputs.get(symbol, -1) for symbol in symbols([fact])), default=-1)
        for part in conjuncts(fact):
            for condition in _linear_condition(part, block):
                forms = {cut: condition.forms[max(block, 0)] for cut in range(block + 1)}
                yield replace(condition, forms={**condition.forms, **forms}, is_limit=True)


def _linear_condition(term: Term, block: int) -> Iterator[_Condition]:
    """The condition over the storage at the start of a block, if it is linear."""
    kind = _Kind.DIFFERENT if isinstance(term, App) and term.op is Op.NOT else _Kind.EQUAL
    if isinstance(term, App) and term.op is Op.NOT:
        term = term.args[0]
    if not isinstance(term, App) or term.args[0].sort is not INT:
        return
    if term.op in (Op.LE, Op.LT) and kind is _Kind.EQUAL:
        kind = _Kind.AT_LEAST
    elif term.op is not Op.EQ:
        return
    left, right = map(linear, term.args)
    strict = Combination({}, -1 if term.op is Op.LT else 0)
    yield _Condition(kind, block, {max(block, 0): combine([(1, right), (-1, left), (1, strict)])})


def linear(root: Term) -> Combination:
    """A number as a sum, under the assumption that nothing overflows; what is no sum stays.

    >>> x, y = build.symbol("x", INT), build.symbol("y", INT)
    >>> found = linear(build.add(x, build.mul(build.integer(2), y), build.integer(7)))
    >>> [(str(term), factor) for term, factor in found.factors.items()], found.constant
    ([('x', 1), ('y', 2)], 7)
    """
    factors: dict[Term, int] = {}
    constant = 0
    todo = [(root, 1)]
    for term, factor in todo:
        sum_ = summands(term)
        constant += factor * sum_.constant
        for base, count in sum_.factors.items():
            inner = unwrapped(base) if len(todo) < _MOST_SUMMANDS else None
            if inner is not None and inner.type.bits >= _WORD:
                todo.append((inner.term, factor * count))
            else:
                factors[base] = factors.get(base, 0) + factor * count
    return Combination({base: f for base, f in factors.items() if f}, constant)


def combine(parts: Iterable[tuple[int, Combination]]) -> Combination:
    """The sum of multiples."""
    factors: dict[Term, int] = {}
    constant = 0
    for multiple, form in parts:
        constant += multiple * form.constant
        for base, factor in form.factors.items():
            factors[base] = factors.get(base, 0) + multiple * factor
    return Combination({base: f for base, f in factors.items() if f}, constant)


def _sides(conditions: Sequence[_Condition]) -> Iterator[list[_Condition]]:
    """The conditions with each disequality as one strict inequality or the other."""
    different = [c for c in conditions if c.kind is _Kind.DIFFERENT][:_MOST_SIDES]
    others = [c for c in conditions if c.kind is not _Kind.DIFFERENT]
    for signs in product((1, -1), repeat=len(different)):
        chosen = [_strictly(c, sign) for c, sign in zip(different, signs, strict=True)]
        yield [*chosen, *others]


def _strictly(condition: _Condition, sign: int) -> _Condition:
    minus_one = Combination({}, -1)
    forms = {cut: combine([(sign, form), (1, minus_one)]) for cut, form in condition.forms.items()}
    return _Condition(_Kind.AT_LEAST, condition.cut, forms)


# --- the proof ------------------------------------------------------------------------------------


class _Proof:
    """Looks for multipliers with which the forms at cut point 0 add up to a negative number.
    Integers are enough, as a proof may be multiplied by its common denominator."""

    def __init__(
        self, conditions: Sequence[_Condition], statistics: Statistics, deadline: float
    ) -> None:
        self._deadline = deadline
        self._conditions = conditions
        self._unknowns = [Symbol(f"m{number}", INT) for number in range(len(conditions))]
        self._solver = create("z3", statistics)
        zero = build.integer(0)
        parts: dict[Term | None, list[Term]] = {}
        for unknown, condition in zip(self._unknowns, conditions, strict=True):
            if condition.kind is _Kind.AT_LEAST:
                self._solver.add(build.le(zero, unknown))
            form = condition.forms[0]
            for base, factor in form.factors.items():
                parts.setdefault(base, []).append(build.mul(build.integer(factor), unknown))
            constant = build.mul(build.integer(form.constant), unknown)
            parts.setdefault(None, []).append(constant)
        for key, summed in parts.items():
            whole = build.add(*summed)
            self._solver.add(build.lt(whole, zero) if key is None else build.eq(whole, zero))

    def multipliers(self) -> list[int] | None:
        """Small ones, and few that are not 0; ranges of types only if they are needed."""
        limits = [n for n, condition in enumerate(self._conditions) if condition.is_limit]
        everything = range(len(self._unknowns))
        for without in (limits, []):
            for bound in _BOUNDS:
                assumed = [self._is_zero(number) for number in without]
                if bound is not None:
                    assumed += [self._within(number, bound) for number in everything]
                found = self._values(assumed)
                if found is not None:
                    return self._fewer(found, assumed)
        return None

    def _fewer(self, found: list[int], assumed: list[Term]) -> list[int]:
        """Leave out one after the other, the last ones first."""
        for number in range(len(found) - 1, -1, -1):
            if found[number]:
                smaller = self._values([*assumed, self._is_zero(number)])
                if smaller is not None:
                    found = smaller
            if not found[number]:
                assumed = [*assumed, self._is_zero(number)]
        return found

    def _values(self, assumed: Sequence[Term]) -> list[int] | None:
        answer = self._solver.check(assumed, self._deadline - monotonic())
        if not isinstance(answer, Sat):
            return None
        values = [answer.model[unknown] for unknown in self._unknowns]
        return [value for value in values if isinstance(value, int)]

    def _is_zero(self, number: int) -> Term:
        return build.eq(self._unknowns[number], build.integer(0))

    def _within(self, number: int, bound: int) -> Term:
        unknown = self._unknowns[number]
        low = build.le(build.integer(-bound), unknown)
        return build.and_(low, build.le(unknown, build.integer(bound)))


def _sum_ahead(
    conditions: Sequence[_Condition], multipliers: Sequence[int], cut: int
) -> Term | None:
    """The sum of the conditions ahead of a cut point; None if there are none."""
    ahead = [
        (multiplier, condition)
        for multiplier, condition in zip(multipliers, conditions, strict=True)
        if multiplier and condition.cut >= cut
    ]
    total = combine((multiplier, condition.forms[cut]) for multiplier, condition in ahead)
    if not total.factors:
        return None
    common = gcd(*total.factors.values())
    sides: list[list[Term]] = [[], []]
    for base, factor in total.factors.items():
        sides[factor > 0].append(build.mul(build.integer(abs(factor) // common), base))
    left, right = (build.add(*side) for side in sides)
    if all(condition.kind is _Kind.EQUAL for _, condition in ahead):
        if total.constant % common:
            return None
        return build.eq(left, build.add(right, build.integer(total.constant // common)))
    return build.le(left, build.add(right, build.integer(total.constant // common)))
