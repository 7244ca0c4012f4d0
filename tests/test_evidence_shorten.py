"""Invariants made short: the same states, fewer words, and types that C has."""

from __future__ import annotations

import random

import pytest

from c_programs import program_of_c
from predabs.evidence.invariant_text import invariant_text
from predabs.evidence.shorten import shortened, shorter
from predabs.ir import make
from predabs.ir.expr import Expr, Op, Var
from predabs.ir.order import loop_heads
from predabs.ir.types import INT, LLONG, UCHAR, UINT, IntType
from predabs.verdict import Invariant

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
    program = program_of_c(
        "int a[9]; int main(void) { int i = 0; while (a[i] < 9) a[i]++; return 0; }"
    )
    (condition,) = (
        edge.op.cond
        for edge in program.functions["main"].edges
        if hasattr(edge.op, "cond") and "9" in str(invariant_text(edge.op.cond))
        and "<" in invariant_text(edge.op.cond)
    )
    weaker = make.negate(make.less(const(20), condition.left))  # type: ignore[attr-defined]
    assert invariant_text(shorter(program, make.conj([weaker, condition]))) == "a[i] < 9"


def test_without_questions_nothing_is_left_out() -> None:
    (head,) = loop_heads(PROGRAM.functions["main"])
    both = make.conj([make.less(x, y), make.less(y, z), make.less(x, z)])
    (same,) = shortened(PROGRAM, [Invariant(head, (), both)], questions=0)
    assert same.expr is both
    (less,) = shortened(PROGRAM, [Invariant(head, (), both)])
    assert less.expr is make.conj([make.less(x, y), make.less(y, z)])


SMALL = tuple(Var(name, UCHAR) for name in "abc")


def condition_of(rng: random.Random, depth: int) -> Expr:
    if depth and rng.random() < 0.8:
        parts = [condition_of(rng, depth - 1) for _ in range(rng.randint(2, 3))]
        return make.conj(parts) if rng.random() < 0.5 else make.disj(parts)
    left, right = rng.sample(SMALL, 2)
    side: Expr = rng.choice((right, make.const(rng.randint(0, 3), UCHAR)))
    if rng.random() < 0.3:
        side = make.binary(Op.ADD, side, make.const(rng.choice((1, 2, 255)), UCHAR))
    found = rng.choice((make.less, make.less_equal, make.equal))(left, side)
    return make.negate(found) if rng.random() < 0.3 else found


@pytest.mark.parametrize("seed", range(40))
def test_the_same_states(seed: int) -> None:
    """Against all values near the ends of the type."""
    rng = random.Random(seed)
    condition = condition_of(rng, 3)
    found = shorter(PROGRAM, condition)
    assert len(invariant_text(found)) <= len(invariant_text(condition)) + 2
    values = (0, 1, 2, 3, 4, 254, 255)
    for a in values:
        for b in values:
            for c in values:
                state = dict(zip(SMALL, (a, b, c), strict=True))
                assert holds(found, state) == holds(condition, state)


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
