"""Substitution of terms for symbols against evaluation."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from predabs.errors import InternalError
from predabs.smt import build
from predabs.smt.evaluate import TermEvaluator
from predabs.smt.substitution import substitute
from predabs.smt.term import FALSE, INT, App, BitVecSort, Op, Symbol, Term, Value, is_app, postorder
from support.logic_terms import Generator


@settings(max_examples=200)
@given(st.integers(5, 120), st.integers(0, 2**32), st.booleans())
def test_the_value_is_that_with_other_values_of_the_symbols(
    steps: int, seed: int, only_names: bool
) -> None:
    generator = Generator(seed)
    generator.grow(steps)
    pick = generator.random
    mapping: dict[Symbol, Term] = {}
    for symbol in generator.symbols:
        terms: list[Term] = [pair.built for pair in generator.pool[symbol.sort]]
        if only_names:
            terms = [term for term in terms if isinstance(term, Symbol)]
        if pick.random() < 0.7:
            mapping[symbol] = pick.choice(terms)
    model = generator.model()
    there = TermEvaluator(model)
    here = TermEvaluator(
        {**model, **{symbol: there.value(term) for symbol, term in mapping.items()}}
    )
    roots = [pair.built for pair in generator.made] + [pair.raw for pair in generator.made]
    for root, new in zip(roots, substitute(roots, mapping), strict=True):
        assert new.sort is root.sort
        assert there.value(new) == here.value(root), str(root)[:2000]


X, Y = Symbol("x", INT), Symbol("y", INT)


def test_the_replacement_is_simultaneous() -> None:
    assert substitute([build.lt(X, Y)], {X: Y, Y: X}) == [build.lt(Y, X)]


def test_what_is_not_concerned_stays_the_same_object() -> None:
    kept = build.le(Y, build.integer(7))
    whole = build.and_(build.le(X, build.integer(3)), kept)
    (new,) = substitute([whole], {X: build.add(Y, build.integer(1))})
    assert isinstance(new, App) and kept in new.args
    assert substitute([whole], {Symbol("z", INT): Y}) == [whole]


def test_constants_are_propagated() -> None:
    inner = build.lt(build.integer(4), X)
    choice = build.ite(inner, build.add(X, Y), build.mul(build.integer(3), Y))
    (new,) = substitute([build.eq(choice, Y)], {X: build.integer(5), Y: build.integer(1)})
    assert new is FALSE


def test_new_names_keep_the_form() -> None:
    generator = Generator(7)
    generator.grow(100)
    roots = [pair.built for pair in generator.made]
    names = {s: Symbol(f"{s.name}@1", s.sort) for s in generator.symbols}
    back = {new: old for old, new in names.items()}
    renamed = substitute(roots, names)
    assert substitute(renamed, back) == roots
    assert not any(term in names for term in postorder(renamed))


def test_deep_terms() -> None:
    term: Term = X
    for number in range(30_000):
        term = build.ite(build.lt(Y, build.integer(number)), build.mul(build.integer(3), term), Y)
    (new,) = substitute([term], {X: build.integer(1)})
    assert sum(is_app(part, Op.ITE) for part in postorder([new])) == 30_000


def test_other_sorts_are_refused() -> None:
    with pytest.raises(InternalError, match="x is no"):
        substitute([X], {X: Value(1, BitVecSort(8))})
