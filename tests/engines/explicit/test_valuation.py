"""Valuations: what they say of random states is true of them, before and after each operation."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest

from predabs.engines.explicit.orders import follows
from predabs.engines.explicit.symbolic_terms import Symbols, binding, tidied
from predabs.engines.explicit.valuation import Canonical, Prepared, Valuation
from predabs.ir import make
from predabs.ir.expr import FALSE, TRUE, Const, Expr, Op, UnaryOp, Var
from predabs.ir.types import IntType
from predabs.ir.walk import substitute, subterms, variables

BIT, NARROW, WIDE = IntType(1, False), IntType(3, True), IntType(4, False)
VARIABLES = (Var("a", NARROW), Var("b", NARROW), Var("w", WIDE), Var("f", BIT), Var("g", BIT))
ALL = {
    BIT: range(2),
    NARROW: range(-4, 4),
    WIDE: range(16),
}


def number(random: Random, type_: IntType, depth: int) -> Expr:
    choices = [one for one in VARIABLES if one.type is type_]
    if depth == 0 or random.random() < 0.3:
        if random.random() < 0.3:
            return make.const(random.choice(ALL[type_]), type_)
        return random.choice(choices)
    match random.randrange(5):
        case 0 | 1:
            op = random.choice([Op.ADD, Op.SUB, Op.MUL, Op.AND])
            return make.binary(op, *(number(random, type_, depth - 1) for _ in range(2)))
        case 2:
            return make.unary(UnaryOp.NEG, number(random, type_, depth - 1))
        case 3:
            inner = random.choice(list(ALL))
            return make.cast(number(random, inner, depth - 1), type_)
    return make.cast(condition(random, depth - 1), type_)


def condition(random: Random, depth: int) -> Expr:
    if depth > 0 and random.random() < 0.3:
        parts = [condition(random, depth - 1) for _ in range(2)]
        return random.choice([make.conj, make.disj])(parts)
    type_ = random.choice(list(ALL))
    op = random.choice([Op.EQ, Op.LT, Op.LE])
    found = make.compare(op, *(number(random, type_, depth) for _ in range(2)))
    return make.negate(found) if random.random() < 0.4 else found


def prepared(e: Expr) -> Prepared:
    return Prepared(tidied(e), variables(tidied(e)), ())


def value(e: Expr, state: dict[Var, int]) -> int:
    found = substitute(e, {var: Const(number, var.type) for var, number in state.items()})
    assert isinstance(found, Const)
    return found.value


def stands_for(canonical: Canonical, state: dict[Var, int]) -> bool:
    """Is a state one of those that a valuation stands for? All values of the symbols are tried."""
    terms, known = canonical
    said = [
        make.equal(term, Const(state[var], var.type))
        for var, term in zip(VARIABLES, terms, strict=True)
        if term is not None
    ]
    wanted = make.conj((*said, *known))
    symbols = list(dict.fromkeys(one for one in subterms(wanted) if isinstance(one, Var)))
    return any(
        substitute(wanted, {s: Const(n, s.type) for s, n in zip(symbols, numbers, strict=True)})
        is TRUE
        for numbers in product(*(ALL[s.type] for s in symbols if isinstance(s.type, IntType)))
    )


def random_state(random: Random) -> dict[Var, int]:
    return {var: random.choice(ALL[var.type]) for var in VARIABLES if isinstance(var.type, IntType)}


@pytest.mark.parametrize("seed", range(40))
def test_states_are_in_their_valuation(seed: int) -> None:
    random, symbols = Random(seed), Symbols()
    states = [random_state(random) for _ in range(30)]
    valuation = Valuation(symbols)
    for _ in range(8):
        if random.random() < 0.5:
            var = random.choice(VARIABLES)
            assert isinstance(var.type, IntType)
            term = number(random, var.type, 2)
            valuation.assign(var, prepared(term))
            states = [{**state, var: value(term, state)} for state in states]
        elif random.random() < 0.2:
            lost = random.choice(VARIABLES)
            assert isinstance(lost.type, IntType)
            valuation.forget([lost])
            states = [{**state, lost: random.choice(ALL[lost.type])} for state in states]
        else:
            cond = condition(random, 1)
            holding = [state for state in states if value(cond, state)]
            if not holding:
                continue
            assert valuation.assume(prepared(cond), keeps=random.random() < 0.8)
            states = holding
        canonical = valuation.canonical(VARIABLES)
        assert all(stands_for(canonical, state) for state in states[:6])
        if random.random() < 0.5:
            valuation = Valuation.of(symbols, VARIABLES, canonical)


@pytest.mark.parametrize("seed", range(60))
def test_tidied_terms_are_equal(seed: int) -> None:
    random = Random(seed)
    for _ in range(20):
        e = condition(random, 2)
        for _ in range(5):
            state = random_state(random)
            assert value(tidied(e), state) == value(e, state)


@pytest.mark.parametrize("seed", range(60))
def test_a_binding_says_the_same(seed: int) -> None:
    random = Random(seed)
    for _ in range(20):
        cond = tidied(condition(random, 1))
        found = binding(cond)
        if found is None or cond in (TRUE, FALSE):
            continue
        unknown, term = found
        for _ in range(6):
            state = random_state(random)
            holds = value(cond, state)
            assert bool(holds) == (value(term, state) == state[unknown])


@pytest.mark.parametrize("seed", range(40))
def test_what_follows_holds(seed: int) -> None:
    random, numbers = Random(seed), [*VARIABLES[:2], Var("c", NARROW), make.const(1, NARROW)]
    known = [
        make.compare(random.choice([Op.LT, Op.LE]), *random.sample(numbers, 2)) for _ in range(3)
    ]
    known += [make.negate(make.equal(*random.sample(numbers, 2))) for _ in range(seed % 3)]
    known = [cond for cond in known if not isinstance(cond, Const)]
    for _ in range(10):
        cond = make.compare(random.choice([Op.EQ, Op.LT, Op.LE]), *random.sample(numbers, 2))
        said = follows(cond, known)
        for a, b, c in product(ALL[NARROW], repeat=3):
            state = {VARIABLES[0]: a, VARIABLES[1]: b, Var("c", NARROW): c}
            if said is not None and all(value(one, state) for one in known):
                assert bool(value(cond, state)) == said


def test_equal_states_have_one_form() -> None:
    symbols, (a, b, *_) = Symbols(), VARIABLES
    one, other = Valuation(symbols), Valuation(symbols)
    one.assign(a, prepared(b))
    one.assign(b, prepared(make.binary(Op.ADD, b, make.const(1, NARROW))))
    other.assign(b, prepared(make.binary(Op.ADD, a, make.const(1, NARROW))))
    assert one.canonical([a, b]) == other.canonical([a, b])
    other.forget([a])
    assert other.canonical([a, b]) == Valuation(symbols).canonical([a, b])


def test_counters_keep_differences() -> None:
    symbols, (a, b, *_) = Symbols(), VARIABLES
    forms = set()
    for first in range(-4, 4):
        valuation = Valuation(symbols, {a: make.const(first, NARROW)})
        valuation.assign(b, prepared(make.binary(Op.ADD, a, make.const(2, NARROW))))
        forms.add(valuation.canonical([a, b], [a, b]))
    assert len(forms) == 1


def order(op: Op, *sides: Expr) -> Prepared:
    return prepared(make.compare(op, *sides))


def test_both_ways_is_equal() -> None:
    a, b, *_ = VARIABLES
    valuation = Valuation(Symbols())
    assert valuation.assume(order(Op.LE, a, b), keeps=True)
    assert valuation.assume(order(Op.LE, b, a), keeps=True)
    assert valuation.values[a] is valuation.values[b]
    assert not valuation.assume(order(Op.LT, a, b), keeps=False)


def test_what_is_unequal_is_less() -> None:
    a, b, *_ = VARIABLES
    valuation = Valuation(Symbols())
    assert valuation.assume(prepared(make.negate(make.equal(a, b))), keeps=True)
    assert valuation.assume(order(Op.LE, a, b), keeps=True)
    assert not valuation.assume(order(Op.LE, b, a), keeps=False)
