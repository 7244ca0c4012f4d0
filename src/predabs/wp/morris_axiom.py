"""Morris' axiom of assignment [Mor82]: a formula after an assignment as one about the
state before.

Each lvalue that the formula reads is either the one that is assigned, and then has the new value,
or it is not [BMR05, section 5.2; HJMS02, section 5.2.1]. The lvalues inside an lvalue (the
`p` of `*p`) come first. Soundness duty: the result has, before the assignment, the value that the
formula has after it, in every state for which the aliasing is right.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ..analysis.updates import Update
from ..errors import UnsupportedFeature
from ..ir import make
from ..ir.expr import FALSE, TRUE, Deref, Expr, Field, Forall, Index, Ite, Lvalue
from ..ir.show import show_expr
from ..ir.types import IntType, PointerType, Type, size_of
from ..ir.walk import children, reads, rebuild, substitute, subterms
from ..records import dataclass, field
from .aliasing import APART, SAME, Aliasing, Always

# a formula is written as a disjunction of cases if it has few alias conditions and is small: along
# a path the cases multiply
_MOST_CONDITIONS = 4
_LARGEST = 300


@dataclass(slots=True)
class _Assigned:
    """The lvalues that a formula reads: what they hold after the updates."""

    updates: Sequence[Update]
    aliasing: Aliasing
    values: dict[Expr, Expr] = field(default_factory=dict)
    conditions: dict[Expr, None] = field(default_factory=dict)

    def apply(self, formula: Expr) -> Expr:
        read = set(reads(formula))
        for lvalue in subterms(formula):  # inner lvalues first
            if lvalue in read and lvalue not in self.values:
                assert isinstance(lvalue, Lvalue)
                self.values[lvalue] = self._value(lvalue)
        return substitute(formula, self.values)

    def _value(self, lvalue: Lvalue) -> Expr:
        before = substitute(lvalue, self.values)
        assert isinstance(before, Lvalue)
        return _by_cases(before, self._held)

    def _held(self, before: Lvalue) -> Expr:
        """What an lvalue holds after the updates; its address is in terms of the state before."""
        result: Expr = before
        for update in self.updates:
            relation = self.aliasing.relation(update.target, before)
            if relation is APART:
                continue
            value = seen_as(update.value, update.target, before.type)
            if relation is SAME:
                return value
            assert not isinstance(relation, Always)
            self.conditions[relation] = None
            result = make.ite(relation, value, result)
        return result


def _by_cases(lvalue: Lvalue, held: Callable[[Lvalue], Expr]) -> Expr:
    """What is held where a pointer that is one of several points to, for each of them."""
    root: Expr = lvalue
    while isinstance(root, Field | Index):
        root = root.base
    if not isinstance(root, Deref) or not isinstance(root.pointer, Ite):
        return held(lvalue)
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
                results[pointer] = held(_behind(pointer, lvalue))
        stack.pop()
    return results[root.pointer]


def _behind(pointer: Expr, lvalue: Lvalue) -> Lvalue:
    """The same part of what another pointer of the same type points to."""
    links: list[Field | Index] = []
    here: Expr = lvalue
    while isinstance(here, Field | Index):
        links.append(here)
        here = here.base
    here = rebuild(here, (pointer,))
    for link in reversed(links):
        here = rebuild(link, (here, *children(link)[1:]))
    assert isinstance(here, Lvalue)
    return here


def seen_as(value: Expr, lvalue: Lvalue, type_: Type) -> Expr:
    """The value that was written to an lvalue, when it is read as another type of the same size."""
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
    raise UnsupportedFeature(f"{show_expr(lvalue)} is written as {source} and read as {what}")


def alias_scenarios(formula: Expr, updates: Sequence[Update], aliasing: Aliasing) -> Expr:
    """The condition after the updates, which happen at the same time: a disjunction with one case
    for each way in which the lvalues can be the same. If they are too many, or it is large, it
    stays in one piece, and the lvalues are told apart inside it, by `Ite`.

    As each case has its alias conditions as conjuncts, they can serve as predicates.
    """
    work = _Assigned(updates, aliasing)
    result = work.apply(formula)
    conditions = list(work.conditions)
    if len(conditions) > _MOST_CONDITIONS or sum(1 for _ in subterms(result)) > _LARGEST:
        return result
    if any(isinstance(term, Forall) for term in subterms(formula)):
        return result  # conditions about bound variables stay inside of the quantifier
    return _split(result, conditions)


def _split(formula: Expr, conditions: Sequence[Expr]) -> Expr:
    if not conditions:
        return formula
    first, *rest = conditions
    if first is TRUE or first is FALSE:
        return _split(formula, rest)
    cases = []
    for truth, guard in ((TRUE, first), (FALSE, make.negate(first))):
        decided = {first: truth}
        inside = substitute(formula, decided)
        cases.append((guard, inside, [substitute(cond, decided) for cond in rest]))
    if all(inside is formula for _, inside, _ in cases):
        return _split(formula, rest)
    return make.disj(make.conj((guard, _split(inside, left))) for guard, inside, left in cases)
