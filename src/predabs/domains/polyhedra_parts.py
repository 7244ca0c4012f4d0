"""Polyhedra between our constraints and the library ppl: one canonical form for each set.

A part is a polyhedron over related variables, written as its irredundant constraints in a normal
form: the equations solved for the last variables possible, the inequalities without those
variables. Equal sets have equal parts. The constraints are exact over the rationals, so here (and
in what `gamma` gives of polyhedra) `2*x <= 1` is not rounded.

Soundness duty: a conversion loses no integer point; None stands for polyhedra without any, which is
found where there is no rational point or where the equations alone have no integer solution.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import lru_cache
from math import gcd
from typing import Any

from ..records import dataclass
from .linear import Comparison, Constraint, Linear, Variable, combination
from .ppl_library import ppl


@dataclass(frozen=True, slots=True)
class Part:
    """Related variables, sorted, with their constraints."""

    names: tuple[Variable, ...]
    constraints: tuple[Constraint, ...]


def expression(linear: Linear, names: Sequence[Variable]) -> Any:
    """A form for ppl, over the variables in this order."""
    factors = dict(linear.coefficients)
    return ppl.Linear_Expression([factors.get(name, 0) for name in names], linear.constant)


def restrict(shape: Any, constraints: Iterable[Constraint], names: Sequence[Variable]) -> None:
    """Add constraints to a polyhedron of ppl."""
    for constraint in constraints:
        form = expression(constraint.linear, names)
        shape.add_constraint(form <= 0 if constraint.relation is Comparison.AT_MOST else form == 0)


def product(parts: Sequence[Part], names: Sequence[Variable]) -> Any:
    """The polyhedron of all parts over these variables, for the caller to change."""
    if len(parts) == 1 and parts[0].names == names:
        return ppl.C_Polyhedron(_polyhedron(parts[0]))
    shape = ppl.C_Polyhedron(len(names), "universe")
    for part in parts:
        restrict(shape, part.constraints, names)
    return shape


@lru_cache(maxsize=1024)
def _polyhedron(part: Part) -> Any:
    """For reading only."""
    shape = ppl.C_Polyhedron(len(part.names), "universe")
    restrict(shape, part.constraints, part.names)
    return shape


@lru_cache(maxsize=8192)
def supremum(part: Part, linear: Linear) -> Fraction | None:
    """The least upper bound of a form without other variables than the part's."""
    found = _polyhedron(part).maximize(expression(linear, part.names))
    return Fraction(int(found["sup_n"]), int(found["sup_d"])) if found["bounded"] else None


def split(shape: Any, names: Sequence[Variable]) -> list[Part] | None:
    """The parts of a polyhedron of ppl over these variables."""
    if shape.is_empty():
        return None
    equations: list[Linear] = []
    others: list[Linear] = []
    for found in shape.minimized_constraints():
        pairs = zip(names, (-int(factor) for factor in found.coefficients()), strict=False)
        form = combination(pairs, -int(found.inhomogeneous_term()))
        (equations if found.is_equality() else others).append(form)
    if not _integral(equations, names):
        return None
    solved = _solve(equations)
    constraints = [Constraint(form, Comparison.EQUAL) for form in solved.values()]
    for form in others:
        for pivot, row in solved.items():
            form = _eliminate(form, pivot, row)
        constraints.append(Constraint(form))
    return _groups(constraints)


def _solve(equations: Iterable[Linear]) -> dict[Variable, Linear]:
    """Equations in reduced echelon form, each under its last variable, which no other one has."""
    solved: dict[Variable, Linear] = {}
    for form in equations:
        for pivot, row in solved.items():
            form = _eliminate(form, pivot, row)
        if not form.coefficients:
            continue
        last = form.variables[-1]
        solved = {pivot: _eliminate(row, last, form) for pivot, row in solved.items()}
        solved[last] = form
    return {
        pivot: _primitive(row if row.coefficients[0][1] > 0 else -row)
        for pivot, row in solved.items()
    }


def _eliminate(form: Linear, pivot: Variable, row: Linear) -> Linear:
    """A positive multiple of the form, plus one of the row, without the pivot."""
    factor, own = form.coefficient(pivot), row.coefficient(pivot)
    if not factor:
        return form
    return _primitive(abs(own) * form - (factor if own > 0 else -factor) * row)


def _primitive(form: Linear) -> Linear:
    divisor = gcd(form.constant, *(factor for _, factor in form.coefficients))
    if divisor <= 1:
        return form
    pairs = tuple((name, factor // divisor) for name, factor in form.coefficients)
    return Linear(pairs, form.constant // divisor)


def _integral(equations: Sequence[Linear], names: Sequence[Variable]) -> bool:
    """Have the equations an integer solution? Columns are combined until each row has one entry,
    which decides the value of a new variable."""
    rows = [[form.coefficient(name) for name in names] for form in equations]
    values = [-form.constant for form in equations]
    for i, row in enumerate(rows):
        while True:
            used = sorted((abs(factor), k) for k, factor in enumerate(row) if factor)
            if len(used) <= 1:
                break
            pivot = used[0][1]
            for _, k in used[1:]:
                times = row[k] // row[pivot]
                for other in rows[i:]:
                    other[k] -= times * other[pivot]
        if not used:
            if values[i]:
                return False
            continue
        size, pivot = used[0]
        if values[i] % size:
            return False
        number = values[i] // row[pivot]
        for k in range(i + 1, len(rows)):
            values[k] -= rows[k][pivot] * number
            rows[k][pivot] = 0
    return True


def _groups(constraints: Iterable[Constraint]) -> list[Part]:
    """Constraints that share variables, directly or through others, together."""
    groups: list[tuple[set[Variable], list[Constraint]]] = []
    for constraint in constraints:
        names, members = set(constraint.variables), [constraint]
        apart = []
        for group in groups:
            if names.isdisjoint(group[0]):
                apart.append(group)
            else:
                names |= group[0]
                members += group[1]
        groups = [*apart, (names, members)]
    return [Part(tuple(sorted(names)), tuple(sorted(m, key=_order))) for names, m in groups]


def _order(constraint: Constraint) -> tuple[bool, tuple[Variable, ...], tuple[int, ...]]:
    form = constraint.linear
    factors = tuple(-factor for _, factor in form.coefficients)
    return (constraint.relation is Comparison.AT_MOST, form.variables, (*factors, form.constant))
