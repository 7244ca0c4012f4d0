"""Boolean variables that stand for predicates, and what solvers say as expressions over them.

Soundness duty: `value` is a definite value only where the predicates' values force the formula to
have it; everything else is `*`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import product

from ..boolprog.syntax import FALSE, STAR, TRUE, Choose, Expr, Not, Var, nary
from ..ir import make
from ..ir.expr import Expr as CExpr
from ..predicates.cube import Cover, Cube, Cubes
from ..records import dataclass, field

_MOST_TESTED = 8  # variables of an expression that is simplified by its truth table


@dataclass(frozen=True, slots=True)
class Boolean:
    """A variable of the Boolean program, and the predicate whose value it holds."""

    name: str
    expr: CExpr


@dataclass(slots=True, eq=False)
class VisibleBooleans:
    """The variables that a statement sees; `as_literals`: a formula that
    is one of their predicates, or its negation, becomes that variable without a query."""

    cubes: Cubes
    variables: tuple[Boolean, ...]
    as_literals: bool = False
    _literals: dict[CExpr, Expr] = field(default_factory=dict)

    def value(self, formula: CExpr) -> Expr:
        """`choose(F(formula), F(!formula))`, simplified."""
        variable = self._literal_of(formula) if self.as_literals else None
        if variable is not None:
            return variable
        found = self.cubes.decide(formula, self._exprs())
        return choose(found.implied, found.refuted, self._names())

    def values(self, formulas: Mapping[str, CExpr | None]) -> dict[str, Expr]:
        """The value of each formula; what has none may be anything."""
        return {
            name: STAR if formula is None else self.value(formula)
            for name, formula in formulas.items()
        }

    def assumed(self, formula: CExpr) -> Expr:
        """G(formula): what is known of the variables if the formula holds."""
        variable = self._literal_of(formula) if self.as_literals else None
        if variable is not None:
            return variable
        return none_holds(self.cubes.G(formula, self._exprs()), self._names())

    def invariant(self, mixed: Callable[[Iterable[str]], bool]) -> Expr | None:
        """That impossible combinations do not occur (`enforce`), if that says anything; those of
        which `mixed` says that they may speak of different times are left out."""
        names = self._names()
        found = self.cubes.enforce(self._exprs())
        cubes = tuple(cube for cube in found if not mixed(names[n] for n in cube))
        return none_holds(cubes, names) if cubes else None

    def _literal_of(self, formula: CExpr) -> Expr | None:
        """The variable that holds the value of the formula, or of its negation."""
        if not self._literals:
            for variable in self.variables:
                self._literals[make.negate(variable.expr)] = _literal(variable.name, False)
                self._literals[variable.expr] = _literal(variable.name, True)
        return self._literals.get(formula)

    def _exprs(self) -> list[CExpr]:
        return [variable.expr for variable in self.variables]

    def _names(self) -> list[str]:
        return [variable.name for variable in self.variables]


def some_holds(cover: Cover, names: Sequence[str]) -> Expr:
    """The disjunction of the cubes.

    >>> some_holds((Cube(()),), []) is TRUE, some_holds((), []) is FALSE
    (True, True)
    """
    cubes = [_cube(cube, names) for cube in cover]
    if not cubes:
        return FALSE
    return TRUE if TRUE in cubes else nary("|", cubes)


def none_holds(cover: Cover, names: Sequence[str]) -> Expr:
    """That each cube is false."""
    if not cover:
        return TRUE
    clauses = [nary("|", [_literal(names[n], not value) for n, value in c.literals]) for c in cover]
    return FALSE if any(not cube for cube in cover) else nary("&", clauses)


def _cube(cube: Cube, names: Sequence[str]) -> Expr:
    if not cube:
        return TRUE
    return nary("&", [_literal(names[n], value) for n, value in cube.literals])


def _literal(name: str, value: bool) -> Expr:
    return Var(name) if value else Not(Var(name))


def choose(positive: Cover, negative: Cover, names: Sequence[str]) -> Expr:
    """`choose` of the two covers; simpler where they leave nothing open."""
    pos, neg = some_holds(positive, names), some_holds(negative, names)
    if pos is TRUE or (neg is FALSE and pos is FALSE):
        return TRUE if pos is TRUE else STAR
    if neg is TRUE:
        return FALSE
    return pos if _complete((*positive, *negative)) else Choose(pos, neg)


def _complete(cover: Cover) -> bool:
    """Is some cube true, whatever the variables are?"""
    numbers = sorted({number for cube in cover for number in cube})
    if len(numbers) > _MOST_TESTED:
        return False
    for values in product((False, True), repeat=len(numbers)):
        point = dict(zip(numbers, values, strict=True))
        if not any(all(point[n] == value for n, value in cube.literals) for cube in cover):
            return False
    return True
