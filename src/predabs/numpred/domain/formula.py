"""Formulas over predicates and linear constraints: what transformers test and values mean.

They are in negation normal form by construction [GC10, section 4.2]: `negate` pushes a
negation down to the atoms at once, and integers have no negated constraints. A predicate is a
Boolean variable that may have a meaning as a constraint; it can be primed, for its value after a
transformer. Formulas are interned, so a formula that is used twice is worked on once.

>>> from ...domains.linear import at_most, variable
>>> p = Predicate("p", at_most(variable("x"), 3))
>>> print(conj(literal(p, False), disj(compare(at_most(variable("y"), 0)), FALSE)))
!p & y <= 0
>>> print(negate(conj(literal(p), compare(at_most(variable("y"), 0)))))
!p | -y <= -1
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias, assert_never

from ...domains.linear import FALSE as NEVER
from ...domains.linear import TRUE as ALWAYS
from ...domains.linear import Constraint
from ...ir.intern import Term
from ...records import dataclass


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class Predicate(Term):
    """A predicate: a name of its own, and its meaning where that is a linear constraint."""

    name: str
    meaning: Constraint | None

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class Literal(Term):
    """A predicate, or its negation; primed, it speaks of the state after the transformer."""

    predicate: Predicate
    value: bool
    primed: bool

    def __str__(self) -> str:
        return f"{'' if self.value else '!'}{self.predicate}{chr(39) if self.primed else ''}"


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class Compare(Term):
    """A constraint on the numeric variables, none of which is ever primed."""

    constraint: Constraint

    def __str__(self) -> str:
        return str(self.constraint)


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class And(Term):
    """All of them; `TRUE` is the one without parts."""

    parts: tuple[Formula, ...]

    def __str__(self) -> str:
        texts = (f"({part})" if isinstance(part, Or) else str(part) for part in self.parts)
        return " & ".join(texts) or "true"


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class Or(Term):
    """One of them; `FALSE` is the one without parts."""

    parts: tuple[Formula, ...]

    def __str__(self) -> str:
        texts = (f"({part})" if isinstance(part, And) else str(part) for part in self.parts)
        return " | ".join(texts) or "false"


Formula: TypeAlias = Literal | Compare | And | Or

TRUE: Formula = And(())
FALSE: Formula = Or(())


def literal(predicate: Predicate, value: bool = True, primed: bool = False) -> Formula:
    return Literal(predicate, value, primed)


def compare(constraint: Constraint) -> Formula:
    if constraint == ALWAYS:
        return TRUE
    return FALSE if constraint == NEVER else Compare(constraint)


def conj(*parts: Formula) -> Formula:
    """All parts, without repetitions and nested conjunctions."""
    flat: dict[Formula, None] = {}
    for part in parts:
        if part is FALSE:
            return FALSE
        flat.update(dict.fromkeys(part.parts if isinstance(part, And) else (part,)))
    return next(iter(flat)) if len(flat) == 1 else And(tuple(flat))


def disj(*parts: Formula) -> Formula:
    """One of the parts, without repetitions and nested disjunctions."""
    flat: dict[Formula, None] = {}
    for part in parts:
        if part is TRUE:
            return TRUE
        flat.update(dict.fromkeys(part.parts if isinstance(part, Or) else (part,)))
    return next(iter(flat)) if len(flat) == 1 else Or(tuple(flat))


def constraints(parts: Iterable[Constraint]) -> Formula:
    """The conjunction of constraints, as `gamma` of a numeric domain gives them."""
    return conj(*map(compare, parts))


def negate(formula: Formula) -> Formula:
    """The complement, in negation normal form; exact, because numbers are integers."""
    made: dict[Formula, Formula] = {}
    for node in children_first(formula):
        match node:
            case Literal(predicate, value, primed):
                made[node] = Literal(predicate, not value, primed)
            case Compare(constraint):
                made[node] = disj(*map(compare, constraint.negation()))
            case And(parts):
                made[node] = disj(*(made[part] for part in parts))
            case Or(parts):
                made[node] = conj(*(made[part] for part in parts))
            case _:
                assert_never(node)
    return made[formula]


def children_first(formula: Formula) -> list[Formula]:
    """Each part of the formula once, after its own parts."""
    order: dict[Formula, None] = {}
    stack: list[tuple[Formula, bool]] = [(formula, False)]
    while stack:
        node, ready = stack.pop()
        if node in order:
            continue
        if ready or isinstance(node, Literal | Compare):
            order[node] = None
        else:
            stack.append((node, True))
            stack.extend((part, False) for part in reversed(node.parts))
    return list(order)
