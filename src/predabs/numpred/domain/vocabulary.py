"""What the values of one domain speak of: predicates, their primed copies, numeric variables.

Formulas and transformers may speak of more: what is not tracked is projected away, so one abstract
program serves for all sets of predicates and variables.

Each predicate has a variable of the decision diagrams and a primed one right below it. Predicates
whose meanings are the same constraint, or complements, share a variable: they are one fact. The two
projections of [GC10, section 4.1] are here too: what a constraint says about predicates, and a
literal about numbers. Their duty: what they give is implied. They compare constraints on the same
linear form, which costs next to nothing; `reduce` is there for the rest.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import assert_never

from ...bdd import Function, Manager
from ...domains.linear import Comparison, Constraint, Variable
from ...errors import InternalError
from ...records import dataclass
from .formula import And, Compare, Formula, Literal, Or, Predicate, children_first, literal

Alternatives = tuple[Constraint, ...]
"""Constraints of which one holds."""

Direction = tuple[tuple[Variable, int], ...]
Interval = tuple[int | None, int | None]


@dataclass(frozen=True, slots=True, eq=False)
class Guarded:
    """A formula made ready: a BDD, constraints, and for each of `splits` one of its options.

    The duty of the whole: implied by the formula, and weaker only by what projections lose. The
    guard alone is the propositional projection of the whole formula.
    """

    guard: Function
    constraints: tuple[Constraint, ...] = ()
    splits: tuple[tuple[Guarded, ...], ...] = ()


class Vocabulary:
    """The predicates and numeric variables of a domain, fixed when it is made."""

    def __init__(
        self,
        predicates: Iterable[Predicate],
        variables: Iterable[Variable],
        manager: Manager | None = None,
    ) -> None:
        self.predicates = tuple(dict.fromkeys(predicates))
        self.variables = frozenset(variables)
        self.manager = manager or Manager()
        self._indices: dict[Predicate, tuple[int, bool]] = {}  # the variable, and its phase
        self._readings: dict[int, Predicate] = {}
        self._meanings: dict[int, tuple[Alternatives, Alternatives]] = {}  # if true, if false
        self._ranges: dict[Direction, list[tuple[Interval, int]]] = {}
        self._guarded: dict[Formula, Guarded] = {}
        for predicate in self.predicates:
            self._add(predicate)
        self.current = tuple(self._readings)
        self.size = 2 * len(self.current)  # variables from here on are not of predicates
        self.unprimed = self.manager.renaming({index + 1: index for index in self.current})

    def _add(self, predicate: Predicate) -> None:
        meaning = predicate.meaning
        same = None if meaning is None else self.same(meaning)
        if same is not None:
            self._indices[predicate] = same
            return
        index = self.manager.add_variables(2)[0]
        if index != 2 * len(self._readings):
            raise InternalError("the variables of predicates must be the first of the BDDs")
        self._readings[index] = predicate
        self._indices[predicate] = index, True
        if meaning is None:
            return
        direction, interval = _range(meaning)
        self._ranges.setdefault(direction, []).append((interval, index))
        if self.is_numeric(meaning):
            self._meanings[index] = (meaning,), meaning.negation()

    def same(self, meaning: Constraint) -> tuple[int, bool] | None:
        """The variable and phase of an earlier predicate that is the same fact."""
        for wanted, phase in ((meaning, True), *((c, False) for c in meaning.negation())):
            if meaning.relation is Comparison.AT_MOST or phase:
                direction, interval = _range(wanted)
                for known, index in self._ranges.get(direction, ()):
                    if known == interval:
                        return index, phase
        return None

    # -- variables ------------------------------------------------------------------------------

    def bdd_variables(self, predicates: Iterable[Predicate]) -> frozenset[int]:
        """The BDD variables of those predicates that are tracked."""
        return frozenset(self._indices[p][0] for p in predicates if p in self._indices)

    def literal_bdd(self, atom: Literal) -> Function:
        """A literal, with the predicates that follow from it; true if it is not tracked."""
        found = self._indices.get(atom.predicate)
        if found is None:
            return self.manager.true
        cube: dict[int, bool] = {}
        if atom.predicate.meaning is not None and not atom.primed:
            meaning = atom.predicate.meaning
            parts = (meaning,) if atom.value else meaning.negation()
            cube = self.predicates_of(parts[0]) if len(parts) == 1 else {}
        cube[found[0] + atom.primed] = atom.value == found[1]
        return self.manager.cube(cube)

    def reading(self, index: int, value: bool) -> Formula:
        """What a predicate's BDD variable stands for."""
        return literal(self._readings[index & ~1], value, bool(index & 1))

    # -- projections [GC10, section 4.1] --------------------------------------------------------

    def is_numeric(self, constraint: Constraint) -> bool:
        """Whether a constraint speaks of numeric variables only; the others have no projection."""
        return self.variables.issuperset(constraint.variables)

    @property
    def interpreted(self) -> Iterable[int]:
        """The BDD variables of predicates that are constraints on the numeric variables."""
        return self._meanings

    def numeric_of(self, index: int, value: bool) -> Alternatives | None:
        """What a BDD variable with this value says about the numeric variables, if anything."""
        meaning = self._meanings.get(index)
        return None if meaning is None else meaning[0 if value else 1]

    def meant(self, atom: Literal) -> Alternatives | None:
        """What a literal says about the numeric variables, if anything; a primed one does not."""
        meaning = None if atom.primed else atom.predicate.meaning
        if meaning is None or not self.is_numeric(meaning):
            return None
        return (meaning,) if atom.value else meaning.negation()

    def predicates_of(self, constraint: Constraint) -> dict[int, bool]:
        """The BDD variables whose value follows from a constraint, by its linear form."""
        direction, (low, high) = _range(constraint)
        found: dict[int, bool] = {}
        for (least, most), index in self._ranges.get(direction, ()):
            above = least is None or (low is not None and low >= least)
            below = most is None or (high is not None and high <= most)
            if above and below:
                found[index] = True
            elif _before(high, least) or _before(most, low):
                found[index] = False
        return found

    # -- formulas -------------------------------------------------------------------------------

    def guarded(self, formula: Formula) -> Guarded:
        """The formula made ready for `assume`, remembered."""
        known = self._guarded
        if formula not in known:
            for node in children_first(formula):
                if node not in known:
                    known[node] = self._ready(node)
        return known[formula]

    def _ready(self, node: Formula) -> Guarded:
        match node:
            case Literal():
                guard, meant = self.literal_bdd(node), self.meant(node)
                if meant is None:
                    return Guarded(guard)
                if len(meant) == 1:
                    return Guarded(guard, meant)
                return Guarded(guard, (), (tuple(Guarded(guard, (part,)) for part in meant),))
            case Compare(constraint):
                guard = self.manager.cube(self.predicates_of(constraint))
                return Guarded(guard, (constraint,) if self.is_numeric(constraint) else ())
            case And(parts):
                ready = [self._guarded[part] for part in parts]
                return Guarded(
                    self.manager.conjunction(one.guard for one in ready),
                    tuple(dict.fromkeys(c for one in ready for c in one.constraints)),
                    tuple(split for one in ready for split in one.splits),
                )
            case Or(parts):
                return self._option([self._guarded[part] for part in parts])
            case _:
                assert_never(node)

    def _option(self, ready: list[Guarded]) -> Guarded:
        """A disjunction; options that differ in their guards only are one."""
        merged: dict[tuple[object, object], Guarded] = {}
        for one in ready:
            if not one.guard.satisfiable():
                continue
            key = one.constraints, one.splits
            old = merged.get(key)
            guard = one.guard if old is None else old.guard | one.guard
            merged[key] = Guarded(guard, one.constraints, one.splits)
        options = tuple(merged.values())
        if len(options) == 1:
            return options[0]
        guard = self.manager.disjunction(one.guard for one in options)
        return Guarded(guard, (), (options,) if options else ())


def _range(constraint: Constraint) -> tuple[Direction, Interval]:
    """A constraint as bounds of a linear form without a constant; its first factor is positive."""
    linear = constraint.linear
    constant = linear.constant
    if constraint.relation is Comparison.EQUAL:
        return linear.coefficients, (-constant, -constant)
    if not linear.coefficients or linear.coefficients[0][1] > 0:
        return linear.coefficients, (None, -constant)
    return tuple((name, -factor) for name, factor in linear.coefficients), (constant, None)


def _before(high: int | None, low: int | None) -> bool:
    """Whether what ends at `high` lies before what begins at `low`."""
    return high is not None and low is not None and high < low
