"""Quotients, remainders and shifts of values against the arithmetic of C, for all small numbers."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations_with_replacement, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from predabs.domains.linear import constant, variable
from predabs.ir import arith
from predabs.ir.expr import Op
from predabs.ir.types import IntType
from predabs.numpred.domain.formula import And, Compare, Formula, Or, children_first
from predabs.numpred.program.linear_cases import (
    LinearCase,
    Value,
    compared,
    congruent,
    exactly,
    plus,
    settled,
    times,
)
from predabs.numpred.program.quotients import divided, remainder, shifted
from support.c_programs import program_of_c
from support.numpred_runs import Abstracted

LOW, HIGH = -8, 7
TYPE = IntType(4, True)
POINTS = [dict(zip("xy", point, strict=True)) for point in product(range(LOW, HIGH + 1), repeat=2)]


def ranges(name: str) -> tuple[int, int]:
    return LOW, HIGH


def true(formula: Formula, point: dict[str, int]) -> bool:
    made: dict[Formula, bool] = {}
    for node in children_first(formula):
        match node:
            case Compare(constraint):
                made[node] = constraint.holds(point)
            case And(parts):
                made[node] = all(made[part] for part in parts)
            case Or(parts):
                made[node] = any(made[part] for part in parts)
    return made[formula]


def fits(case: LinearCase, point: dict[str, int], number: int) -> bool:
    low, high = case.linear.at(point) + case.low, case.linear.at(point) + case.high
    return true(case.condition, point) and low <= case.divisor * number <= high


def wrapped(number: int) -> int:
    return (number - LOW) % 16 + LOW


@st.composite
def values(draw: st.DrawFn) -> tuple[Value, dict[int, int]]:
    """A settled value, and its number at each point."""
    value: Value = exactly(variable("x"))
    numbers = {n: point["x"] for n, point in enumerate(POINTS)}
    for _ in range(draw(st.integers(1, 3))):
        by = draw(st.integers(1, 5) | st.integers(-3, -1))
        match draw(st.sampled_from(["/", "%", ">>", "&", "+", "+y", "*"])):
            case "/":
                new: Value | None = divided(value, by, ranges)
                found = {n: arith.divide(x, by) for n, x in numbers.items()}
            case "%":
                new = remainder(value, abs(by), ranges, down=False)
                found = {n: arith.remainder(x, by) for n, x in numbers.items()}
            case ">>":
                new = shifted(value, abs(by))
                found = {n: x >> abs(by) for n, x in numbers.items()}
            case "&":
                new = remainder(value, 4, ranges, down=True)
                found = {n: x & 3 for n, x in numbers.items()}
            case "+":
                new = plus(value, exactly(constant(by)))
                found = {n: x + by for n, x in numbers.items()}
            case "+y":
                new = plus(value, exactly(variable("y")))
                found = {n: x + POINTS[n]["y"] for n, x in numbers.items()}
            case _:
                new = times(value, by)
                found = {n: x * by for n, x in numbers.items()}
        again = None if new is None else settled(new, TYPE, ranges)
        if again:
            value, numbers = again, {n: wrapped(x) for n, x in found.items()}
    return value, numbers


@settings(max_examples=150)
@given(values())
def test_a_case_has_the_number(found: tuple[Value, dict[int, int]]) -> None:
    value, numbers = found
    for n, point in enumerate(POINTS):
        assert any(fits(case, point, numbers[n]) for case in value), point


@settings(max_examples=150)
@given(values(), values(), st.sampled_from([Op.LT, Op.LE, Op.EQ]))
def test_comparisons(
    one: tuple[Value, dict[int, int]], two: tuple[Value, dict[int, int]], op: Op
) -> None:
    truth = compared(op, one[0], two[0])
    modular = congruent(one[0], two[0], 2, ranges)
    for n, point in enumerate(POINTS):
        left, right = one[1][n], two[1][n]
        assert true(truth.holds if arith.compare(op, left, right) else truth.fails, point)
        assert true(modular.holds if (left - right) % 4 == 0 else modular.fails, point)


@pytest.mark.parametrize("size", range(1, 7))
def test_quotients_and_remainders_of_all_ranges(size: int) -> None:
    """One case at least is right at each number, whatever the range."""
    x = exactly(variable("x"))
    for low, high in combinations_with_replacement(range(-14, 15), 2):
        near = (low, high)
        found: list[tuple[Value | None, Callable[[int], int]]] = [
            (divided(x, size, lambda _, near=near: near), lambda n: arith.divide(n, size)),
            (divided(x, -size, lambda _, near=near: near), lambda n: arith.divide(n, -size)),
            (
                remainder(x, size, lambda _, near=near: near, down=False),
                lambda n: arith.remainder(n, size),
            ),
            (remainder(x, size, lambda _, near=near: near, down=True), lambda n: n % size),
        ]
        for value, number in found:
            for n in range(low, high + 1) if value is not None else ():
                assert any(fits(case, {"x": n}, number(n)) for case in value), (near, n)
        if high - low < size:
            assert all(value is not None for value, _ in found)


def test_quotients_are_compared_exactly() -> None:
    """With one dividend, nothing is lost."""
    for by, op in product((2, 3, -3), (Op.LT, Op.LE)):
        truth = compared(op, divided(exactly(variable("x")), by, ranges), exactly(variable("y")))
        for point in POINTS:
            holds = arith.compare(op, arith.divide(point["x"], by), point["y"])
            assert true(truth.fails, point) is not holds or point["x"] == 0
            assert true(truth.holds, point) is holds or point["x"] == 0


def proved(text: str) -> bool:
    subject = Abstracted(program_of_c(f"int main(void) {{ {text} return 0; }}"))
    return subject.proves("numeric", "polyhedra", subject.precision([]))


def test_programs() -> None:
    half = "int n = __VERIFIER_nondet_int(), h = n {}; if (n > 0 && {}) reach_error();"
    assert proved(half.format("/ 2", "2 * h > n"))
    assert proved(half.format(">> 1", "2 * h < n - 1"))
    assert not proved(half.format("/ 2", "2 * h > n - 1"))
    ring = """unsigned i = 0; while (__VERIFIER_nondet_int()) {{ i = (i + 1) {};
      if (i >= 8) reach_error(); }}"""
    assert proved(ring.format("% 8"))
    assert proved(ring.format("& 7"))
    assert not proved(ring.format("% 9"))
