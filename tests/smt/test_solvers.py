"""All back ends: their models satisfy, their cores contradict, and none contradicts another."""

from __future__ import annotations

import gc
import os
import signal
import threading
import weakref

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from predabs.errors import InputError, InternalError, UnsupportedFeature
from predabs.smt import bitvectors, build
from predabs.smt.cores import independent, minimise
from predabs.smt.evaluate import TermEvaluator, evaluate
from predabs.smt.interpolation import verify
from predabs.smt.solver import Answer, Interpolant, Reason, Sat, Solver, Statistics, Unknown, Unsat
from predabs.smt.solvers import create
from predabs.smt.term import BOOL, FALSE, INT, TRUE, ArraySort, BitVecSort, Symbol, Term, symbols
from predabs.supervise import ChildFinished, ProcessLimits, supervise
from support.counted_time import PLENTY
from support.logic_terms import Generator

NAMES = ["z3", "bitwuzla", "cvc5"]
B, C = Symbol("b", BitVecSort(8)), Symbol("c", BitVecSort(8))
P, Q, R = (Symbol(name, BOOL) for name in "pqr")
X, Y = Symbol("x", INT), Symbol("y", INT)


def num(value: int) -> Term:
    return bitvectors.bits(value, 8)


def verified(solver: Solver, asserted: list[Term], assumed: list[Term], limit: float) -> Answer:
    """An answer whose model or core was checked."""
    answer = solver.check(assumed, limit)
    match answer:
        case Sat(model):
            assert all(map(TermEvaluator(model).holds, asserted + assumed))
            assert all(symbol in model for symbol in model)
        case Unsat(core):
            assert set(core) <= set(assumed)
            assert not isinstance(solver.check(core, limit), Sat)
        case Unknown():
            pass
    return answer


@pytest.mark.parametrize("integers", [False, True])
@settings(max_examples=30, deadline=None)
@given(st.integers(1, 60), st.integers(0, 2**32))
def test_the_solvers_agree(integers: bool, steps: int, seed: int) -> None:
    generator = Generator(seed, integers, gentle=True)
    generator.grow(steps)
    pairs = generator.conditions(9)
    asserted = [pair.built for pair in pairs[:3]]
    assumed = [pair.built for pair in pairs[3:6]]
    raw = [pair.raw for pair in pairs[6:]]
    kinds = set()
    for name in NAMES:
        if integers and name == "bitwuzla":
            continue
        solver = create(name, Statistics())
        for term in asserted:
            solver.add(term)
        kinds.add(type(verified(solver, asserted, assumed, 0.5)))
        solver.push()
        for term in raw:
            solver.add(term)
        verified(solver, asserted + raw, assumed, 0.5)
        solver.pop()
        kinds.add(type(verified(solver, asserted, assumed, 0.5)))
    assert not kinds >= {Sat, Unsat}


@pytest.mark.parametrize("name", NAMES)
def test_every_operator_has_its_meaning(name: str) -> None:
    """x = value and term != evaluate(term) is unsat: term by term, so no operator hides."""
    for seed in range(12):
        generator = Generator(seed, integers=name != "bitwuzla", gentle=True)
        generator.grow(80)
        model = generator.model()
        solver = create(name, Statistics())
        for symbol, value in model.items():
            if isinstance(value, int):
                solver.add(build.eq(symbol, _value(symbol, value)))
        for pairs in generator.pool.values():
            for pair in pairs:
                if isinstance(pair.raw.sort, ArraySort) or _has_map(pair.raw):
                    continue
                result = evaluate(pair.raw, model)
                assert isinstance(result, int)
                differs = build.not_(build.eq(pair.raw, _value(pair.raw, result)))
                answer = solver.check([differs], 5)
                assert isinstance(answer, Unsat), str(pair.raw)


def _value(term: Term, value: int) -> Term:
    sort = term.sort
    assert not isinstance(sort, ArraySort)
    return build.boolean(bool(value)) if sort is BOOL else type(TRUE)(value, sort)


def _has_map(term: Term) -> bool:
    return any(isinstance(symbol.sort, ArraySort) for symbol in symbols([term]))


@pytest.fixture(params=NAMES)
def solver(request: pytest.FixtureRequest) -> Solver:
    return create(request.param, Statistics())


def test_push_and_pop(solver: Solver) -> None:
    solver.add(bitvectors.ult(B, num(10)))
    solver.push()
    solver.add(bitvectors.ult(num(20), B))
    assert solver.check() == Unsat(())
    solver.push()
    solver.pop()
    assert solver.check() == Unsat(())
    solver.pop()
    assert isinstance(solver.check(), Sat)
    with pytest.raises(InternalError):
        solver.pop()


def test_assumptions_hold_for_one_check(solver: Solver) -> None:
    solver.add(build.or_(P, Q))
    assert isinstance(solver.check([build.not_(P)]), Sat)
    answer = solver.check([R, build.not_(P), build.not_(Q)])
    assert isinstance(answer, Unsat)
    assert set(answer.core) == {build.not_(P), build.not_(Q)}
    assert isinstance(solver.check([P, build.not_(Q), R]), Sat)


def test_constants_and_repeated_assumptions(solver: Solver) -> None:
    assert isinstance(solver.check([TRUE, P, P]), Sat)
    answer = solver.check([P, FALSE, P])
    assert isinstance(answer, Unsat) and set(answer.core) <= {P, FALSE}
    answer = solver.check([P, P, build.not_(P)])
    assert isinstance(answer, Unsat) and set(answer.core) == {P, build.not_(P)}
    solver.add(TRUE)
    assert isinstance(solver.check(), Sat)
    solver.add(FALSE)
    assert solver.check([P]) == Unsat(())


def test_a_model_stays_what_it_was(solver: Solver) -> None:
    solver.add(bitvectors.ult(num(5), B))
    first = solver.check([build.eq(B, num(7)), build.eq(C, num(1))])
    solver.push()
    solver.add(build.eq(B, num(9)))
    second = solver.check()
    assert isinstance(first, Sat) and isinstance(second, Sat)
    assert first.model[B] == 7 and first.model[C] == 1 and set(first.model) == {B, C}
    assert second.model[B] == 9
    other = Symbol("never asserted", BitVecSort(3))
    assert other not in second.model and isinstance(second.model[other], int)


def test_maps_in_models(solver: Solver) -> None:
    array = Symbol("a", ArraySort(BitVecSort(8), BitVecSort(8)))
    conditions = [
        build.eq(build.select(array, B), num(3)),
        build.eq(build.select(array, C), num(4)),
        build.eq(build.store(array, num(0), num(1)), build.store(array, num(1), num(2))),
    ]
    for term in conditions:
        solver.add(term)
    answer = solver.check()
    assert isinstance(answer, Sat) and all(map(TermEvaluator(answer.model).holds, conditions))


def test_an_answer_is_no_truth_value(solver: Solver) -> None:
    for answer in (solver.check(), solver.check([FALSE]), solver.check([P], timeout=0.0)):
        with pytest.raises(TypeError):
            bool(answer)


def test_only_conditions_are_asserted() -> None:
    solver = create("z3", Statistics())
    with pytest.raises(InternalError):
        solver.add(B)
    with pytest.raises(InternalError):
        solver.check([B])


def factoring(width: int = 62) -> list[Term]:
    """A product of two primes: hard for every solver here."""
    left, right = Symbol("left", BitVecSort(width)), Symbol("right", BitVecSort(width))
    small = bitvectors.bits(1 << (width // 2), width)
    return [
        build.eq(bitvectors.mul(left, right), bitvectors.bits(1500450271 * 2038074743, width)),
        bitvectors.ult(left, small),
        bitvectors.ult(right, small),
        bitvectors.ult(bitvectors.bits(1, width), left),
        bitvectors.ult(left, right),
    ]


@pytest.mark.parametrize("name", NAMES)
def test_a_time_limit_ends_as_unknown(name: str) -> None:
    solver = create(name, Statistics())
    for term in factoring():
        solver.add(term)
    answer = solver.check(timeout=0.3)  # it would take hours
    assert isinstance(answer, Unknown) and answer.reason is Reason.TIMEOUT
    assert solver.statistics.unknown == 1
    no_time = solver.check(timeout=0.0)
    assert isinstance(no_time, Unknown) and no_time.reason is Reason.TIMEOUT
    solver.push()
    solver.add(FALSE)
    assert isinstance(solver.check(timeout=PLENTY), Unsat)


@pytest.mark.parametrize("name", NAMES)
def test_a_solver_beside_a_stopped_one_forgets_nothing(name: str) -> None:
    """z3 has been seen to, when its own time limit and ours came at the same moment."""
    solver = create(name, Statistics())
    for term in factoring():
        solver.add(term)
    for _ in range(20):
        assert isinstance(solver.check(timeout=0.03), Unknown)
        beside = solver.fresh()
        beside.add(build.and_(bitvectors.ule(B, C), P))
        beside.add(bitvectors.ult(C, B))
        assert isinstance(beside.check([Q], PLENTY), Unsat)


@pytest.mark.parametrize("name", NAMES)
def test_a_forked_process_has_solvers_too(name: str) -> None:
    """With time limits of their own, also if the parent's threads for those are not there."""

    def hopeless() -> bool:
        solver = create(name, Statistics())
        for term in factoring():
            solver.add(term)
        answer = solver.check((), 0.2)
        return isinstance(answer, Unknown) and answer.reason is Reason.TIMEOUT

    assert hopeless()
    assert supervise(lambda send: hopeless(), ProcessLimits(PLENTY)) == ChildFinished(True)


@pytest.mark.parametrize("name", ["z3", "bitwuzla"])
def test_interrupt(name: str) -> None:
    solver = create(name, Statistics())
    for term in factoring():
        solver.add(term)
    answered = threading.Event()

    def interrupt() -> None:  # more than once: nobody knows when the solver has begun
        while not answered.wait(0.2):
            solver.interrupt()

    thread = threading.Thread(target=interrupt)
    thread.start()
    answer = solver.check(timeout=PLENTY)
    answered.set()
    thread.join()
    assert isinstance(answer, Unknown) and answer.reason is Reason.INTERRUPTED
    solver.interrupt()  # nothing runs: no effect
    assert isinstance(create(name, Statistics()).check([P]), Sat)


@pytest.mark.parametrize("name", ["z3", "bitwuzla"])
def test_the_interrupt_key_is_heard(name: str) -> None:
    """Also where those who started the tests ignore it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    solver = create(name, Statistics())
    for term in factoring():
        solver.add(term)
    timer = threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT))
    try:
        with pytest.raises(KeyboardInterrupt):
            timer.start()
            solver.check(timeout=PLENTY)
    finally:
        signal.signal(signal.SIGINT, before)


def test_bitwuzla_refuses_integers() -> None:
    with pytest.raises(UnsupportedFeature):
        create("bitwuzla", Statistics()).add(build.lt(X, Y))


def test_an_unknown_name_is_the_users_fault() -> None:
    with pytest.raises(InputError, match="choose one of z3"):
        create("zzz", Statistics())


@pytest.mark.parametrize("name", ["z3", "cvc5"])
def test_division_by_zero_is_fixed(name: str) -> None:
    solver = create(name, Statistics())
    zero, five = build.integer(0), build.integer(5)
    solver.add(build.eq(Y, zero))
    assert isinstance(solver.check([build.not_(build.eq(build.div(X, Y), zero))], 5), Unsat)
    assert isinstance(solver.check([build.not_(build.eq(build.mod(X, Y), X))], 5), Unsat)
    answer = solver.check([build.eq(build.mod(X, build.integer(-7)), five), build.lt(X, zero)], 5)
    assert isinstance(answer, Sat) and isinstance(value := answer.model[X], int)
    assert value % 7 == 5


@pytest.mark.parametrize("name", NAMES)
def test_large_numbers(name: str) -> None:
    wide = Symbol("wide", BitVecSort(200))
    solver = create(name, Statistics())
    solver.add(build.eq(bitvectors.not_(wide), bitvectors.bits(5, 200)))
    answer = solver.check()
    assert isinstance(answer, Sat) and answer.model[wide] == 2**200 - 6
    if name != "bitwuzla":  # it knows no integers
        solver.add(build.eq(X, build.integer(-(10**40))))
        answer = solver.check()
        assert isinstance(answer, Sat) and answer.model[X] == -(10**40)


def test_independent(solver: Solver) -> None:
    """What others, or the asserted terms, imply is left out; without time all is kept."""
    a, b, c, d = (Symbol(name, BOOL) for name in "abcd")
    solver.add(build.implies(a, d))
    terms = [build.or_(a, b), a, build.and_(b, c), c, d]
    assert independent(solver, terms, 60.0) == [a, build.and_(b, c)]
    assert independent(solver, terms, 0.0) == terms


def test_minimise(solver: Solver) -> None:
    limits = [bitvectors.ult(B, num(bound)) for bound in (200, 100, 50)]
    assumptions = [*limits, P, bitvectors.ult(num(150), B), Q]
    answer = minimise(solver, assumptions)
    assert isinstance(answer, Unsat) and len(answer.core) == 2
    assert answer.core[1] is assumptions[4]
    assert isinstance(solver.check(answer.core), Unsat)
    assert isinstance(minimise(solver, assumptions[:4]), Sat)
    cut = minimise(solver, assumptions, checks=0)
    assert isinstance(cut, Unsat) and isinstance(solver.check(cut.core), Unsat)


@pytest.mark.parametrize("name", NAMES)
def test_a_fresh_solver_shares_only_terms(name: str) -> None:
    statistics = Statistics()
    solver = create(name, statistics)
    solver.add(bitvectors.ult(B, num(10)))
    before = statistics.translated
    other = solver.fresh()
    other.add(build.not_(bitvectors.ult(B, num(10))))
    assert statistics.translated == before + 1
    assert isinstance(solver.check(), Sat) and isinstance(other.check(), Sat)
    assert statistics.calls == 2 and statistics.sat == 2 and statistics.seconds > 0


@pytest.mark.parametrize("name", NAMES)
def test_nothing_keeps_a_solver_alive(name: str) -> None:
    solver = create(name, Statistics())
    solver.add(bitvectors.ult(B, num(10)))
    answer = solver.check([build.eq(B, num(4))], timeout=PLENTY)
    core = solver.check([build.eq(B, num(40))], timeout=PLENTY)
    alive = weakref.ref(solver)
    assert isinstance(answer, Sat) and isinstance(core, Unsat)
    answer.model.complete()
    del solver
    gc.collect()
    assert alive() is None
    assert answer.model[B] == 4


def deep(levels: int) -> Term:
    condition: Term = P
    for i in range(levels):
        other = build.or_(condition, Symbol(f"p{i}", BOOL))
        condition = build.ite(Symbol(f"q{i % 3}", BOOL), other, Symbol(f"r{i}", BOOL))
    return condition


@pytest.mark.parametrize("name", NAMES)
def test_deep_terms(name: str) -> None:
    solver = create(name, Statistics())
    solver.add(deep(1_500))
    assert isinstance(solver.check(timeout=PLENTY), Sat)


@pytest.fixture(scope="module")
def very_deep() -> Term:
    return deep(25_000)


@pytest.mark.parametrize("name", NAMES)
def test_very_deep_terms_are_translated(name: str, very_deep: Term) -> None:
    solver = create(name, Statistics())
    solver.add(very_deep)
    assert solver.statistics.translated > 75_000
    if name == "z3":
        assert isinstance(solver.check(timeout=PLENTY), Sat)
    if name == "cvc5":
        answer = solver.check(timeout=PLENTY)
        assert isinstance(answer, Unknown) and "levels" in answer.detail


def test_interpolants() -> None:
    solver = create("bitwuzla", Statistics())
    y = Symbol("y", BitVecSort(8))
    left = build.and_(build.eq(y, bitvectors.add(B, num(1))), bitvectors.ult(B, num(10)))
    right = build.and_(build.eq(C, y), bitvectors.ult(num(20), C))
    found = solver.interpolate(left, right, timeout=PLENTY)
    assert isinstance(found, Interpolant)
    assert set(symbols([found.term])) <= {y}
    assert isinstance(solver.check([left, build.not_(found.term)]), Unsat)
    assert isinstance(solver.check([found.term, right]), Unsat)
    assert isinstance(solver.interpolate(left, build.eq(y, num(5))), Unknown)
    assert isinstance(solver.interpolate(FALSE, FALSE), Unknown)
    z3 = create("z3", Statistics())
    assert isinstance(z3.interpolate(left, right), Unknown)


def test_random_interpolants() -> None:
    found = 0

    @settings(max_examples=40)
    @given(st.integers(5, 60), st.integers(0, 2**32))
    def law(steps: int, seed: int) -> None:
        nonlocal found
        generator = Generator(seed, integers=False, gentle=True)
        generator.grow(steps)
        left, right = (pair.built for pair in generator.conditions(2))
        solver = create("bitwuzla", Statistics())
        for second in (build.not_(left), build.and_(build.not_(left), right)):
            between = solver.interpolate(build.and_(left, right), second, timeout=60)
            if isinstance(between, Interpolant):
                assert isinstance(solver.check([between.term, second], PLENTY), Unsat)
                found += 1

    law()
    assert found >= 60, found


@pytest.mark.parametrize(
    "wrong", [TRUE, FALSE, bitvectors.ult(C, num(3)), bitvectors.ult(B, num(5))]
)
def test_a_wrong_interpolant_is_refused(wrong: Term) -> None:
    solver = create("z3", Statistics())
    left = build.and_(bitvectors.ult(B, num(10)), build.eq(C, C))
    right = bitvectors.ult(num(20), B)
    assert isinstance(verify(solver, left, wrong, right, PLENTY), Unknown)
    assert isinstance(verify(solver, left, bitvectors.ult(B, num(15)), right, PLENTY), Interpolant)
