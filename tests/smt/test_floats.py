"""Floating point: our semantics, the machine's and the solvers' agree on random terms."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from predabs.ir import ieee754
from predabs.ir.ieee754 import DOUBLE, SINGLE, Format, Rounding
from predabs.smt import bitvectors, build, floats
from predabs.smt.evaluate import evaluate
from predabs.smt.solver import Sat, Statistics, Unsat
from predabs.smt.solvers import create
from predabs.smt.term import FP_BINARY, BitVecSort, Op, Symbol, Term, postorder

TINY = Format(3, 5)
# each has a wider exponent and a longer significand than the one before, as those of C: between
# others bitwuzla's conversions are wrong
FORMATS = (TINY, Format(5, 11), SINGLE, DOUBLE)
STANDARD = (SINGLE, DOUBLE)  # cvc5 refuses others
BINARY = sorted(FP_BINARY, key=lambda op: op.value)
Formats = tuple[Format, ...]
COMPARE = {Op.FP_EQ: floats.equal, Op.FP_LT: floats.less, Op.FP_LE: floats.less_equal}


def interesting(form: Format) -> st.SearchStrategy[int]:
    """Zeros, subnormals, ones, largest, infinities, NaNs of both signs, and anything."""
    one = ieee754.from_integer(form, 1)
    sizes = [0, 1, form.quiet, one, one + 1, form.infinity - 1, form.infinity, form.infinity + 1]
    sizes += [form.infinity | form.quiet, form.infinity | form.quiet | 1]
    picked = st.sampled_from(sizes + [size | form.sign for size in sizes])
    return st.one_of(picked, st.integers(0, (1 << form.bits) - 1))


@st.composite
def numbers(draw: st.DrawFn, form: Format, depth: int, formats: Formats = FORMATS) -> Term:
    """A term that is a number of the format, over the symbols a, b, c."""
    kind = draw(st.integers(0, 9)) if depth else 0
    inside = numbers(form, depth - 1, formats)
    mode = draw(st.sampled_from(list(Rounding)))
    match kind:
        case 0 | 1:
            name = draw(st.sampled_from("abc"))
            return Symbol(f"{name}{form.bits}", BitVecSort(form.bits))
        case 2:
            return floats.constant(form, draw(interesting(form)))
        case 3:
            return floats.neg(form, draw(inside))
        case 4:
            return floats.copy_sign(form, draw(inside), draw(inside))
        case 5:
            return floats.integral(form, draw(inside), mode)
        case 6:
            other = draw(st.sampled_from([each for each in formats if each is not form]))
            return floats.convert(other, form, draw(numbers(other, depth - 1, formats)), mode)
        case 7:
            return build.ite(draw(conditions(form, depth - 1, formats)), draw(inside), draw(inside))
        case 8 if form is TINY:
            return floats.sqrt(form, draw(inside), mode)
    return floats.arithmetic(draw(st.sampled_from(BINARY)), form, draw(inside), draw(inside), mode)


@st.composite
def conditions(draw: st.DrawFn, form: Format, depth: int, formats: Formats = FORMATS) -> Term:
    inside = numbers(form, depth, formats)
    return COMPARE[draw(st.sampled_from(list(COMPARE)))](form, draw(inside), draw(inside))


@st.composite
def terms(draw: st.DrawFn, formats: Formats) -> Term:
    form = draw(st.sampled_from(formats))
    number = draw(numbers(form, 2, formats))
    kind = draw(st.integers(0, 3))
    if kind == 0:
        return draw(conditions(form, 2, formats))
    if kind == 1:
        width = draw(st.integers(2, 9))
        return floats.to_signed(form, number, width, draw(st.sampled_from(list(Rounding))))
    if kind == 2:
        whole = Symbol("i6", BitVecSort(6))
        mode = draw(st.sampled_from(list(Rounding)))
        converted = floats.from_integer(form, whole, draw(st.booleans()), mode)
        return floats.arithmetic(Op.FP_ADD, form, converted, number)
    return number


@pytest.mark.parametrize("name", ["bitwuzla", "z3", "cvc5"])
@settings(max_examples=60)
@given(data=st.data())
def test_solvers_compute_what_the_semantics_says(name: str, data: st.DataObject) -> None:
    term = data.draw(terms(STANDARD if name == "cvc5" else FORMATS))
    model = {
        symbol: data.draw(
            interesting(next(form for form in FORMATS if form.bits == symbol.sort.width))
            if symbol.sort.width != 6
            else st.integers(0, 63)
        )
        for symbol in postorder([term])
        if isinstance(symbol, Symbol) and isinstance(symbol.sort, BitVecSort)
    }
    expected = evaluate(term, model)
    assert isinstance(expected, int)
    value = build.boolean(bool(expected))
    if isinstance(term.sort, BitVecSort):
        value = bitvectors.bits(expected, term.sort.width)
    solver = create(name, Statistics())
    for symbol, number in model.items():
        assert isinstance(symbol.sort, BitVecSort)
        solver.add(build.eq(symbol, bitvectors.bits(number, symbol.sort.width)))
    same = build.eq(term, value)
    solver.push()
    solver.add(build.not_(same))
    assert isinstance(solver.check(timeout=60), Unsat)
    solver.pop()
    assert isinstance(solver.check([same], timeout=60), Sat)


@settings(max_examples=40)
@given(data=st.data())
def test_models_satisfy(data: st.DataObject) -> None:
    """A model that a solver finds is one, in our semantics, and both solvers find one or none."""
    inside = conditions(TINY, 2, FORMATS[:2])
    condition = build.and_(data.draw(inside), data.draw(inside))
    answers = [create(name, Statistics()) for name in ("bitwuzla", "z3")]
    found = []
    for solver in answers:
        solver.add(condition)
        answer = solver.check(timeout=60)
        if isinstance(answer, Sat):
            names = [term for term in postorder([condition]) if isinstance(term, Symbol)]
            assert evaluate(condition, {name: answer.model[name] for name in names})
        found.append(type(answer))
    assert found[0] is found[1]
