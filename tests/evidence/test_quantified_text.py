"""Clauses about any element as ranges: both bounds belong to them."""

from __future__ import annotations

import pytest

from predabs.evidence.quantified_text import quantified_text
from predabs.ir import make
from predabs.ir.expr import Expr, Var
from predabs.ir.show import show_expr
from predabs.ir.types import INT, UINT

K, A, INDEX, N = (Var(name, INT) for name in ("any k", "a[any k]", "i", "n"))
ZERO, TEN = make.const(0, INT), make.const(10, INT)
IS_ZERO, IS_POSITIVE = make.equal(A, ZERO), make.less(ZERO, A)
BEHIND = make.less_equal(INDEX, K)


@pytest.mark.parametrize(
    ("expr", "text"),
    [
        (IS_ZERO, "forall k: a[k] == 0"),
        (make.disj((BEHIND, IS_ZERO)), "forall k in 0 .. i - 1: a[k] == 0"),
        (make.disj((make.less(INDEX, K), IS_ZERO)), "forall k in 0 .. i: a[k] == 0"),
        (
            make.disj((make.less(K, INDEX), make.less_equal(N, K), IS_ZERO)),
            "forall k in i .. n - 1: a[k] == 0",
        ),
        (
            make.disj((make.less_equal(K, INDEX), make.less_equal(TEN, K), IS_ZERO)),
            "forall k in i + 1 .. 9: a[k] == 0",
        ),
        (
            make.conj((make.disj((BEHIND, IS_ZERO)), make.disj((BEHIND, IS_POSITIVE)))),
            "forall k in 0 .. i - 1: a[k] == 0 && a[k] > 0",
        ),
        (
            make.conj((make.less(INDEX, N), make.disj((BEHIND, IS_ZERO)))),
            "(i < n) && (forall k in 0 .. i - 1: a[k] == 0)",
        ),
        (make.disj((make.less(K, INDEX), IS_ZERO)), "forall k: k < i || a[k] == 0"),
    ],
)
def test_ranges(expr: Expr, text: str) -> None:
    assert quantified_text(expr, show_expr) == text


def test_nothing_lies_below_an_unsigned_zero() -> None:
    index, bound = Var("any k", UINT), Var("n", UINT)
    expr = make.disj((make.less_equal(bound, index), IS_ZERO))
    assert quantified_text(expr, show_expr).startswith("forall k: ")
