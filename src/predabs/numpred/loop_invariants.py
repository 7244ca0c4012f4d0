"""Formulas of a fixpoint as conditions of C: the invariants of loop heads.

Soundness duty: a condition holds wherever its formula does; sums are computed in a type that is
wide enough for them.

>>> from ..domains.linear import at_most, variable
>>> from .domain.formula import compare
>>> from ..ir.show import show_expr
>>> from ..ir.expr import Var
>>> from ..ir.types import INT
>>> x, y = Var("x", INT), Var("y", INT)
>>> both = at_most(variable("x") + 2 * variable("y"), 3)
>>> show_expr(condition(compare(both), {"x": x, "y": y}, {}))
'(long long)x + (long long)y * 2 <= 3'
"""

from __future__ import annotations

from collections.abc import Mapping

from ..domains.linear import Comparison, Constraint
from ..ir import make
from ..ir.expr import TRUE, Expr, Lvalue, Op
from ..ir.types import FloatType, IntType
from .compared_places import compared_places
from .domain.formula import And, Compare, Formula, Literal, Or, Predicate, children_first

_MOST_PARTS = 2000  # of a formula that is shown


def condition(
    formula: Formula, lvalues: Mapping[str, Lvalue], predicates: Mapping[Predicate, Expr]
) -> Expr:
    """The formula, given what numeric variables and predicates stand for; true if it is large."""
    parts = children_first(formula)
    if len(parts) > _MOST_PARTS:
        return TRUE
    made: dict[Formula, Expr] = {}
    for node in parts:
        match node:
            case Literal(predicate, value, _):
                expr = predicates[predicate]
                made[node] = expr if value else make.negate(expr)
            case Compare(constraint):
                made[node] = _compared(constraint, lvalues)
            case And(args):
                said = [arg.constraint for arg in args if isinstance(arg, Compare)]
                made[node] = make.conj(made[arg] for arg in args if not _follows(arg, said))
            case Or(args):
                made[node] = make.disj(made[arg] for arg in args)
    return made[formula]


def _follows(part: Formula, said: list[Constraint]) -> bool:
    """Whether a literal's meaning follows from one of the constraints beside it, by its form."""
    meaning = part.predicate.meaning if isinstance(part, Literal) else None
    if not isinstance(part, Literal) or meaning is None:
        return False
    wanted = (meaning,) if part.value else meaning.negation()
    return any(_implies(one, other) for one in said for other in wanted)


def _implies(one: Constraint, other: Constraint) -> bool:
    if one == other:
        return True
    halves = [half.linear for half in one.halves()]
    return other.relation is Comparison.AT_MOST and any(
        half.coefficients == other.linear.coefficients and half.constant >= other.linear.constant
        for half in halves
    )


def _compared(constraint: Constraint, lvalues: Mapping[str, Lvalue]) -> Expr:
    """The terms with positive factors on the left, the others and the constant on the right."""
    linear = constraint.linear
    if any(isinstance(lvalues[name].type, FloatType) for name in linear.variables):
        return compared_places(constraint, lvalues)
    most, upper = abs(linear.constant), linear.constant
    for name, factor in linear.coefficients:
        type_ = lvalues[name].type
        assert isinstance(type_, IntType)
        most += abs(factor) << type_.bits
        upper += factor * (type_.high if factor > 0 else type_.low)
    if constraint.relation is Comparison.AT_MOST and upper <= 0:
        return TRUE  # for all values of the types
    left, right = _sides(constraint, lvalues, IntType(max(64, most.bit_length() + 1), True))
    same = constraint.relation is Comparison.EQUAL
    return make.equal(left, right) if same else make.less_equal(left, right)


def _sides(
    constraint: Constraint, lvalues: Mapping[str, Lvalue], type_: IntType
) -> tuple[Expr, Expr]:
    left: Expr | None = None
    right: Expr | None = None
    for name, factor in constraint.linear.coefficients:
        number = make.cast(lvalues[name], type_)
        scaled = make.binary(Op.MUL, number, make.const(abs(factor), type_))
        if factor > 0:
            left = scaled if left is None else make.binary(Op.ADD, left, scaled)
        else:
            right = scaled if right is None else make.binary(Op.ADD, right, scaled)
    rest = constraint.linear.constant
    if left is None or (rest > 0 and right is not None):
        constant = make.const(rest, type_)
        left = constant if left is None else make.binary(Op.ADD, left, constant)
    elif rest or right is None:
        constant = make.const(-rest, type_)
        right = constant if right is None else make.binary(Op.ADD, right, constant)
    return left, make.const(0, type_) if right is None else right
