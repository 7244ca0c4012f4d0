"""Simplification of conditions: disjunctions of conjunctions as decision diagrams give them.

What other conjuncts say already is left out (`x >= 0 && x <= 9 && x == 3` is `x == 3`), cases that
differ in one condition only are put together, and what all cases share is written once. Soundness
duty: the result is equivalent to the condition.

>>> from .expr import Var
>>> from .show import show_expr
>>> from .types import INT
>>> x, y = Var("x", INT), Var("y", INT)
>>> p, q = make.less(x, make.const(3, INT)), make.equal(x, y)
>>> either = make.disj((make.conj((p, q)), make.conj((p, make.negate(q)))))
>>> show_expr(simplified(either))
'x < 3'
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import TypeAlias

from ..records import dataclass
from . import make
from .expr import FALSE, TRUE, And, Binary, Const, Expr, Not, Op, Or
from .types import IntType
from .walk import fold, rebuild

_MOST_CASES = 128  # of a disjunction that is looked at pairwise
_DEEPEST = 4  # disjunctions inside each other to which a conjunct is carried

_Case: TypeAlias = tuple[Expr, ...]  # what is joined by `&&`


def simplified(condition: Expr) -> Expr:
    """An equivalent condition, shorter if that is easily seen."""
    return fold(condition, _step)


def _step(term: Expr, parts: tuple[Expr, ...]) -> Expr:
    match term:
        case And():
            return _conjunction(make.conj(parts))
        case Or():
            return _disjunction(make.disj(parts))
    return rebuild(term, parts)


def _conjunction(condition: Expr) -> Expr:
    if not isinstance(condition, And):
        return condition
    needed = _needed(condition.args)
    if needed is None:
        return FALSE
    return _under(needed, (), _DEEPEST)


def _under(parts: _Case, sure: _Case, depth: int) -> Expr:
    """A conjunction, under further conditions that hold."""
    conditions = _Conditions(sure)
    left = [part for part in parts if not conditions.implies(part)]
    if any(conditions.implies(make.negate(part)) for part in left):
        return FALSE
    plain = (*sure, *(part for part in left if not isinstance(part, Or)))
    for number, part in enumerate(left):
        if isinstance(part, Or) and depth:
            cases = [_under(_case(case), plain, depth - 1) for case in part.args]
            left[number] = _disjunction(make.disj(cases))
    return make.conj(left)


def _disjunction(condition: Expr) -> Expr:
    if not isinstance(condition, Or):
        return condition
    cases = [case for case in (_needed(_case(part)) for part in condition.args) if case is not None]
    if len(cases) <= _MOST_CASES:
        cases = _merged(cases)
    if not cases:
        return FALSE
    unless = tuple(make.negate(case[0]) for case in cases if len(case) == 1)
    if () in cases or _needed(unless) is None:
        return TRUE
    # the longer cases matter only where the shortest do not hold
    shorter = [case if len(case) == 1 else _case(_under(case, unless, 0)) for case in cases]
    cases = [case for case in shorter if case != (FALSE,)]
    shared = [part for part in cases[0] if all(part in case for case in cases[1:])]
    rest = [make.conj(part for part in case if part not in shared) for case in cases]
    return make.conj((*shared, make.disj(rest)))


def _case(part: Expr) -> _Case:
    return part.args if isinstance(part, And) else (part,)


def _merged(cases: Iterable[_Case]) -> list[_Case]:
    """The cases without those inside others, and with those put together that differ in one
    condition."""
    conditions_of = {case: _Conditions(case) for case in cases}
    todo, done = list(conditions_of), list[_Case]()

    def inside(case: _Case, other: _Case) -> bool:
        return all(conditions_of[case].implies(part) for part in other)

    while todo:
        case = todo.pop(0)
        if any(inside(case, other) for other in (*todo, *done)):
            continue
        for other in (*todo, *done):
            common = _without_opposite(case, other)
            if common is not None:
                conditions_of[common] = _Conditions(common)
                todo = [one for one in todo if not inside(one, common)]
                done = [one for one in done if not inside(one, common)]
                todo.insert(0, common)
                break
        else:
            done.append(case)
    return done


def _without_opposite(case: _Case, other: _Case) -> _Case | None:
    """What both cases share, if they differ only in a condition and its opposite."""
    if len(case) != len(other):
        return None
    mine = [part for part in case if part not in other]
    match mine:
        case [one] if make.negate(one) in other:
            return tuple(part for part in case if part is not one)
        case _:
            return None


# --- what conjuncts say about one number ----------------------------------------------------------


@dataclass(slots=True)
class _Range:
    """The values that a number may have."""

    low: int
    high: int
    others: set[int]  # values in between that it does not have

    def tighten(self) -> None:
        while self.low in self.others and self.low <= self.high:
            self.low += 1
        while self.high in self.others and self.low <= self.high:
            self.high -= 1

    def restrict(self, op: Op, value: int, negated: bool) -> None:
        """Take it that it is (not) equal to, less than or at most a value."""
        match op:
            case Op.EQ if negated:
                self.others.add(value)
            case Op.EQ:
                self.low, self.high = max(self.low, value), min(self.high, value)
            case _:
                most = value - 1 if op is Op.LT else value
                if negated:
                    self.low = max(self.low, most + 1)
                else:
                    self.high = min(self.high, most)
        self.tighten()

    def implies(self, op: Op, value: int, negated: bool) -> bool:
        if self.low > self.high:
            return True
        if op is Op.EQ:
            if negated:
                return not self.low <= value <= self.high or value in self.others
            return self.low == self.high == value
        most = value - 1 if op is Op.LT else value
        return self.low > most if negated else self.high <= most


@dataclass(frozen=True, slots=True)
class _Bound:
    """`number op value`, or its negation."""

    number: Expr
    op: Op
    value: int
    negated: bool


@lru_cache(maxsize=4096)
def _bound(part: Expr) -> _Bound | None:
    """The condition as one about a number and a constant."""
    negated = isinstance(part, Not)
    match part.arg if isinstance(part, Not) else part:
        case Binary(op, number, Const(value, _), _) if isinstance(number.type, IntType):
            return _Bound(number, op, value, negated)
        case Binary(op, Const(value, _), number, _) if isinstance(number.type, IntType):
            if op is Op.EQ:
                return _Bound(number, op, value, negated)
            # value < number is: not number <= value
            return _Bound(number, Op.LE if op is Op.LT else Op.LT, value, not negated)
    return None


class _Conditions:
    """What holds together: conditions, and what they say about numbers."""

    def __init__(self, parts: Iterable[Expr]) -> None:
        self._parts = set(parts)
        self._ranges: dict[Expr, _Range] = {}
        for part in self._parts:
            bound = _bound(part)
            if bound is not None:
                self.range(bound.number).restrict(bound.op, bound.value, bound.negated)

    def range(self, number: Expr) -> _Range:
        assert isinstance(number.type, IntType)
        whole = _Range(number.type.low, number.type.high, set())
        return self._ranges.setdefault(number, whole)

    def implies(self, part: Expr) -> bool:
        """Does it follow, at a glance?"""
        if part in self._parts:
            return True
        bound = _bound(part)
        if bound is None or bound.number not in self._ranges:
            return False
        return self._ranges[bound.number].implies(bound.op, bound.value, bound.negated)


def _needed(parts: Sequence[Expr]) -> _Case | None:
    """The conjuncts that the others do not imply; None if they contradict each other."""
    kept = list(dict.fromkeys(parts))
    if any(make.negate(part) in kept for part in kept):
        return None
    for number in dict.fromkeys(b.number for b in map(_bound, kept) if b is not None):
        range_ = _Conditions(kept).range(number)
        if range_.low > range_.high:
            return None
        mine = [part for part in kept if (b := _bound(part)) is not None and b.number is number]
        if range_.low == range_.high and len(mine) > 1:
            assert isinstance(number.type, IntType)
            value = make.equal(number, make.const(range_.low, number.type))
            kept = [value if part is mine[0] else part for part in kept if part not in mine[1:]]
    kept = _with_equalities(kept)
    # equalities say most: they go last
    for part in sorted(kept, key=lambda p: isinstance(p, Binary) and p.op is Op.EQ):
        others = [other for other in kept if other is not part]
        if part is TRUE or _Conditions(others).implies(part):
            kept = others
    return tuple(kept)


def _with_equalities(parts: list[Expr]) -> list[Expr]:
    """x <= y && y <= x is x == y."""
    found = dict.fromkeys(parts)
    for part in parts:
        match part:
            case Binary(Op.LE, left, right, _) if part in found:
                other = make.less_equal(right, left)
                if other in found and other is not part:
                    equal = make.equal(left, right)
                    found = dict.fromkeys(
                        equal if p is part else p for p in found if p is not other
                    )
    return list(found)
