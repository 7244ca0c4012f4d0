"""Invariants made short: the same states, fewer words, and types that C has."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from predabs.evidence.invariant_text import invariant_text
from predabs.evidence.shorten import shortened, shorter
from predabs.ir import make
from predabs.ir.expr import Expr, Index, Op, Var
from predabs.ir.order import loop_heads
from predabs.ir.types import INT, LLONG, UINT, ArrayType, IntType
from predabs.verdict import Invariant
from support.c_programs import program_of_c
from support.small_conditions import ATOMS, STATES, holds

PROGRAM = program_of_c("int main(void) { int i = 0; while (i < 9) i++; return 0; }")
x, y, z = (Var(name, INT) for name in "xyz")
u = Var("u", UINT)


def const(value: int, type_: IntType = INT) -> Expr:
    return make.const(value, type_)


def short(condition: Expr) -> str:
    return invariant_text(shorter(PROGRAM, condition))


def test_what_follows_by_arithmetic_goes() -> None:
    both = [make.less(x, y), make.less(y, z), make.less(x, z)]
    assert short(make.conj(both)) == "x < y && y < z"


def test_predicates_of_a_loop_that_was_unrolled() -> None:
    """Unsigned sums wrap around, so this is a matter of bit-vectors."""
    most = make.less_equal(u, const(4, UINT))
    steps = [
        make.equal(
            make.equal(u, const(4, UINT)),
            make.less(const(4, UINT), make.binary(Op.ADD, u, const(1, UINT))),
        ),
        make.disj([make.equal(u, const(k, UINT)) for k in range(5)]),
    ]
    assert short(make.conj([*steps, most])) == "u <= 4"


def test_cases_inside_others_go() -> None:
    one = make.conj([make.less(x, y), make.less(y, z)])
    two = make.less(x, z)
    assert short(make.disj([one, two])) == "x < z"


def test_a_case_is_written_where_no_other_holds() -> None:
    zero = make.equal(x, const(0))
    other = make.conj([make.negate(zero), make.less(y, z)])
    assert short(make.disj([zero, other])) == "x == 0 || y < z"


def test_places_in_memory_are_any_numbers() -> None:
    """The same place has the same value; nothing is known about two places."""
    array, i, j = Var("a", ArrayType(INT, 9)), Var("i", INT), Var("j", INT)
    one, two = Index(array, i, INT), Index(array, j, INT)
    small, smaller = make.less(one, const(20)), make.less(one, const(9))
    assert short(make.conj([make.less(one, two), small, smaller])) == "a[i] < a[j] && a[i] < 9"


def test_without_questions_nothing_is_left_out() -> None:
    (head,) = loop_heads(PROGRAM.functions["main"])
    both = make.conj([make.less(x, y), make.less(y, z), make.less(x, z)])
    (same,) = shortened(PROGRAM, [Invariant(head, (), both)], calls=0)
    assert same.expr is both
    (same,) = shortened(PROGRAM, [Invariant(head, (), both)], until=0.0)  # long ago
    assert same.expr is both
    (less,) = shortened(PROGRAM, [Invariant(head, (), both)])
    assert less.expr is make.conj([make.less(x, y), make.less(y, z)])


LITERAL = st.builds(lambda atom, sign: atom if sign else make.negate(atom), ATOMS, st.booleans())
CONDITIONS = st.recursive(
    LITERAL,
    lambda inner: st.builds(
        lambda parts, both: make.conj(parts) if both else make.disj(parts),
        st.lists(inner, min_size=2, max_size=4),
        st.booleans(),
    ),
    max_leaves=10,
)


@settings(max_examples=80)
@given(condition=CONDITIONS)
def test_the_same_states(condition: Expr) -> None:
    """Numbers wrap around here, and all states are tried."""
    found = shorter(PROGRAM, condition)
    assert [holds(found, state) for state in STATES] == [holds(condition, s) for s in STATES]


# --- types ----------------------------------------------------------------------------------------


def test_types_that_c_does_not_have() -> None:
    wide = IntType(66, True)
    m, n = Var("m", LLONG), Var("n", LLONG)
    total = make.binary(Op.ADD, make.cast(m, wide), make.cast(n, wide))
    text = invariant_text(make.less_equal(total, make.const(3, wide)))
    assert text == "(__int128)m + n <= 3"
    huge = IntType(200, True)
    total = make.binary(Op.ADD, make.cast(m, huge), make.cast(n, huge))
    assert invariant_text(make.less_equal(total, make.const(3, huge))) == "m + n <= 3"


def test_a_literal_that_the_common_type_has() -> None:
    compared = make.less_equal(make.cast(u, LLONG), make.const(4, LLONG))
    assert invariant_text(compared) == "u <= 4"
    negative = make.less_equal(make.const(-1, LLONG), make.cast(u, LLONG))
    assert "(long long)" in invariant_text(negative)
