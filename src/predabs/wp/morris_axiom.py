"""Morris' axiom of assignment [Mor82]: a formula after an assignment, said about the state before.

Each place that the formula reads is either the one that is assigned, and then has the new value,
or it is not [BMR05, section 5.2; HJMS02, section 5.2.1]. The places inside a place (the
`p` of `*p`) come first. Soundness duty: the result has, before the assignment, the value that the
formula has after it, in every state for which the aliasing is right.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from ..analysis.updates import Update
from ..errors import UnsupportedFeature
from ..ir import make
from ..ir.expr import FALSE, TRUE, Deref, Expr, Field, Index, Ite, Lvalue
from ..ir.show import show_expr
from ..ir.types import IntType, PointerType, Type, size_of
from ..ir.walk import children, reads, rebuild, substitute, subterms
from .aliasing import APART, SAME, Aliasing, Always

# a formula is written as a disjunction of cases if it has few alias conditions and is small: along
# a path the cases multiply
_MOST_CONDITIONS = 4
_LARGEST = 300


@dataclass(slots=True)
class _Assigned:
    """The places that were looked at: what they hold after the updates."""

    updates: Sequence[Update]
    aliasing: Aliasing
    values: dict[Expr, Expr] = field(default_factory=dict)
    conditions: dict[Expr, None] = field(default_factory=dict)

    def apply(self, formula: Expr) -> Expr:
        read = set(reads(formula))
        for place in subterms(formula):  # inner places first
            if place in read and place not in self.values:
                assert isinstance(place, Lvalue)
                self.values[place] = self._value(place)
        return substitute(formula, self.values)

    def _value(self, place: Lvalue) -> Expr:
        moved = substitute(place, self.values)
        assert isinstance(moved, Lvalue)
        return _by_cases(moved, self._held)

    def _held(self, moved: Lvalue) -> Expr:
        """What a place holds after the updates; its address is in terms of the state before."""
        result: Expr = moved
        for update in self.updates:
            relation = self.aliasing.relation(update.target, moved)
            if relation is APART:
                continue
            value = seen_as(update.value, update.target, moved.type)
            if relation is SAME:
                return value
            assert not isinstance(relation, Always)
            self.conditions[relation] = None
            result = make.ite(relation, value, result)
        return result


def _by_cases(place: Lvalue, held: Callable[[Lvalue], Expr]) -> Expr:
    """What is held where a pointer that is one of several points to, for each of them."""
    root: Expr = place
    while isinstance(root, Field | Index):
        root = root.base
    if not isinstance(root, Deref) or not isinstance(root.pointer, Ite):
        return held(place)
    results: dict[Expr, Expr] = {}
    stack: list[Expr] = [root.pointer]
    while stack:
        pointer = stack[-1]
        if pointer not in results:
            if isinstance(pointer, Ite):
                sides = (pointer.then, pointer.other)
                missing = [side for side in sides if side not in results]
                if missing:
                    stack.extend(missing)
                    continue
                results[pointer] = make.ite(pointer.cond, *map(results.__getitem__, sides))
            else:
                results[pointer] = held(_behind(pointer, place))
        stack.pop()
    return results[root.pointer]


def _behind(pointer: Expr, place: Lvalue) -> Lvalue:
    """The same part of what another pointer of the same type points to."""
    links: list[Field | Index] = []
    here: Expr = place
    while isinstance(here, Field | Index):
        links.append(here)
        here = here.base
    here = rebuild(here, (pointer,))
    for link in reversed(links):
        here = rebuild(link, (here, *children(link)[1:]))
    assert isinstance(here, Lvalue)
    return here


def seen_as(value: Expr, place: Lvalue, type_: Type) -> Expr:
    """The value that was written to a place, when it is read as another type of the same size."""
    source = value.type
    if source is type_:
        return value
    if (
        isinstance(source, IntType | PointerType)
        and isinstance(type_, IntType | PointerType)
        and source.bits == type_.bits
    ):
        return make.cast(value, type_)
    what = "a part of it" if size_of(source) != size_of(type_) else f"{type_}"
    raise UnsupportedFeature(f"{show_expr(place)} is written as {source} and read as {what}")


def alias_scenarios(formula: Expr, updates: Sequence[Update], aliasing: Aliasing) -> Expr:
    """The condition after the updates, which happen at the same time: a disjunction with one case
    for each way in which the places can be the same. If they are too many, or it is large, it stays
    in one piece, and the places are told apart inside it, by `Ite`.

    As each case has its alias conditions as conjuncts, they can serve as predicates.
    """
    work = _Assigned(updates, aliasing)
    result = work.apply(formula)
    conditions = list(work.conditions)
    if len(conditions) > _MOST_CONDITIONS or sum(1 for _ in subterms(result)) > _LARGEST:
        return result
    return _split(result, conditions)


def _split(formula: Expr, conditions: Sequence[Expr]) -> Expr:
    if not conditions:
        return formula
    first, *rest = conditions
    if first is TRUE or first is FALSE:
        return _split(formula, rest)
    cases = []
    for truth, guard in ((TRUE, first), (FALSE, make.negate(first))):
        known = {first: truth}
        inside = substitute(formula, known)
        cases.append((guard, inside, [substitute(cond, known) for cond in rest]))
    if all(inside is formula for _, inside, _ in cases):
        return _split(formula, rest)
    return make.disj(make.conj((guard, _split(inside, left))) for guard, inside, left in cases)
