"""Intervals decide conditions on floating-point numbers as the solvers do."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from predabs.ir import float_intervals, ieee754
from predabs.ir.float_intervals import arithmetic
from predabs.ir.ieee754 import DOUBLE, Format
from predabs.smt import bitvectors, build, floats
from predabs.smt.branch_and_prune import BranchAndPrune
from predabs.smt.evaluate import evaluate
from predabs.smt.interval_rules import EITHER, FALSE, TRUE
from predabs.smt.interval_terms import Box, IntervalTerms
from predabs.smt.solver import Answer, Interpolant, Sat, Solver, Statistics, Unknown, Unsat
from predabs.smt.solvers import create
from predabs.smt.term import BitVecSort, Op, Symbol, Term, postorder
from smt.test_floats import STANDARD, conditions, interesting

X = Symbol("x", BitVecSort(64))
Y = Symbol("y", BitVecSort(64))


def number(value: float) -> Term:
    return floats.constant(DOUBLE, ieee754.from_float(value))


def combined(op: Op, left: Term, right: Term) -> Term:
    return floats.arithmetic(op, DOUBLE, left, right)


def between(low: float, term: Term, high: float) -> Term:
    return build.and_(
        floats.less_equal(DOUBLE, number(low), term), floats.less_equal(DOUBLE, term, number(high))
    )


@st.composite
def formulas(draw: st.DrawFn) -> Term:
    """Conditions, connected; also comparisons of bits."""
    form = draw(st.sampled_from(STANDARD))
    parts = [draw(conditions(form, 2, STANDARD)) for _ in range(draw(st.integers(1, 3)))]
    if draw(st.booleans()):
        parts.append(build.not_(parts.pop()))
    return draw(st.sampled_from((build.and_, build.or_)))(*parts)


def around(draw: Any, form: Format, value: int) -> Any:
    """An interval that has the number."""
    interval = arithmetic(form).constant(value)
    if draw(st.booleans()):
        interval = float_intervals.join(
            interval, arithmetic(form).constant(draw(interesting(form)))
        )
    return interval


@settings(max_examples=150)
@given(data=st.data())
def test_no_model_leaves_its_box(data: st.DataObject) -> None:
    """In any box around a model the conditions are not false, and narrowing keeps the model."""
    formula = data.draw(formulas())
    terms = IntervalTerms([formula])
    model, box = {}, Box()
    for place, symbol in enumerate(terms.symbols):
        assert isinstance(symbol.sort, BitVecSort)
        form = next(form for form in STANDARD if form.bits == symbol.sort.width)
        value = data.draw(interesting(form))
        model[symbol] = value
        if terms.form(place) is None:
            box.append((data.draw(st.integers(0, value)), value))
        else:
            box.append(around(data.draw, form, value))
    holds = bool(evaluate(formula, model))
    found = terms.evaluate(box)
    assert found == EITHER or found == (TRUE if holds else FALSE)
    if not holds:
        return
    narrowed = terms.narrowed(box)
    assert narrowed is not None
    for place, symbol in enumerate(terms.symbols):
        form = terms.form(place)
        if form is not None:
            low, high, nan = arithmetic(form).constant(model[symbol])
            bounds = narrowed[place]
            assert bounds[2] if nan else bounds[0] <= low and high <= bounds[1]


@settings(max_examples=30)
@given(formula=formulas())
def test_as_the_solver_says(formula: Term) -> None:
    solver = BranchAndPrune(create("bitwuzla", Statistics()))
    answer = solver.check([formula], 20)
    other = create("bitwuzla", Statistics()).check([formula], 20)
    if isinstance(answer, Sat):
        names = [term for term in postorder([formula]) if isinstance(term, Symbol)]
        assert evaluate(formula, {name: answer.model[name] for name in names})
        assert not isinstance(other, Unsat)
    elif isinstance(answer, Unsat):
        assert not isinstance(other, Sat)


class _NoSolver:
    """Nobody is asked but intervals."""

    name = "none"

    def __init__(self) -> None:
        self.statistics = Statistics()

    def add(self, term: Term) -> None: ...

    def push(self) -> None: ...

    def pop(self) -> None: ...

    def check(self, assumptions: Sequence[Term] = (), timeout: float | None = None) -> Answer:
        raise AssertionError("intervals did not find out")

    def interrupt(self) -> None: ...

    def fresh(self) -> Solver:
        return self

    def interpolate(
        self, left: Term, right: Term, timeout: float | None = None
    ) -> Interpolant | Unknown:
        raise AssertionError("intervals have no interpolants")


def alone() -> BranchAndPrune:
    return BranchAndPrune(_NoSolver())


def test_a_polynomial_is_decided_by_halving() -> None:
    """x^3 - x stays below 0.385 between 0 and 1, where its bounds alone say 1."""
    cube = combined(Op.FP_MUL, combined(Op.FP_MUL, X, X), X)
    value = combined(Op.FP_SUB, X, cube)
    solver = alone()
    solver.add(between(0.0, X, 1.0))
    beyond = build.not_(floats.less(DOUBLE, value, number(0.39)))
    assert solver.check([beyond]) == Unsat((beyond,))
    assert isinstance(solver.check([floats.less(DOUBLE, number(0.38), value)]), Sat)
    assert solver.statistics.calls == 2


def test_asserted_conditions_come_and_go() -> None:
    solver = alone()
    solver.add(between(1.0, X, 2.0))
    solver.push()
    solver.add(between(5.0, Y, 6.0))
    less = floats.less(DOUBLE, Y, X)
    assert isinstance(solver.check([less]), Unsat)
    solver.pop()
    assert isinstance(solver.check([less]), Sat)


def test_other_numbers_are_a_case() -> None:
    """What is not below is above, or NaN."""
    solver = alone()
    solver.add(build.not_(floats.less_equal(DOUBLE, X, number(1.0))))
    solver.add(build.not_(floats.less(DOUBLE, number(1.0), X)))
    answer = solver.check()
    assert isinstance(answer, Sat)
    value = answer.model[X]
    assert isinstance(value, int) and ieee754.is_nan(DOUBLE, value)
    solver.add(floats.equal(DOUBLE, X, X))
    assert isinstance(solver.check(), Unsat)


def test_formats_that_c_does_not_have_are_left_to_the_solver() -> None:
    tiny = Format(3, 5)
    symbol = Symbol("t", BitVecSort(8))
    solver = BranchAndPrune(create("bitwuzla", Statistics()))
    one = floats.constant(tiny, ieee754.from_integer(tiny, 1))
    assert isinstance(solver.check([floats.less(tiny, symbol, one)]), Sat)


def test_the_bits_of_a_choice_between_numbers() -> None:
    """A choice whose bits alone are looked at has bits, though its parts are numbers."""
    doubled = combined(Op.FP_ADD, X, X)
    chosen = build.ite(floats.less(DOUBLE, X, number(1.5)), doubled, X)
    large = bitvectors.ule(bitvectors.bits(100, 64), chosen)
    terms = IntervalTerms([between(1.0, X, 2.0), large])
    assert terms.evaluate([(1.0, 2.0, False)]) == TRUE
    shifted = build.eq(bitvectors.lshr(chosen, bitvectors.bits(52, 64)), bitvectors.bits(1024, 64))
    assert IntervalTerms([shifted]).evaluate([(1.0, 1.4, False)]) != FALSE
