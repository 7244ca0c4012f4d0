"""Random conditions over two variables of three bits, whose states can all be tried."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from hypothesis import strategies as st

from predabs.ir import make
from predabs.ir.expr import FALSE, TRUE, Expr, Op, Var
from predabs.ir.types import IntType
from predabs.ir.walk import substitute
from predabs.predicates.cube import Cube

SMALL = IntType(3, True)
A, B = Var("a!", SMALL), Var("b!", SMALL)  # no program has them
STATES = [(a, b) for a in range(-4, 4) for b in range(-4, 4)]

VALUES = st.recursive(
    st.sampled_from([A, B]) | st.integers(-4, 3).map(lambda n: make.const(n, SMALL)),
    lambda inner: st.builds(make.binary, st.sampled_from([Op.ADD, Op.SUB, Op.AND]), inner, inner),
    max_leaves=3,
)
ATOMS = st.builds(make.compare, st.sampled_from([Op.EQ, Op.LT, Op.LE]), VALUES, VALUES)
LITERALS = st.lists(st.tuples(ATOMS, st.booleans()), min_size=1, max_size=5)


def holds(condition: Expr, state: tuple[int, int]) -> bool:
    values = {A: make.const(state[0], SMALL), B: make.const(state[1], SMALL)}
    found = substitute(condition, values)
    assert found in (TRUE, FALSE)
    return found is TRUE


def possible(literals: Iterable[tuple[Expr, bool]]) -> bool:
    """Is there a state in which all conditions have their values?"""
    asked = list(literals)
    return any(all(holds(c, state) is value for c, value in asked) for state in STATES)


def cube_expr(cube: Cube, predicates: Sequence[Expr]) -> Expr:
    """The conjunction of the literals."""
    return make.conj(
        predicates[n] if value else make.negate(predicates[n]) for n, value in cube.literals
    )
