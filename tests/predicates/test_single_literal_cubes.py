"""Single predicates that imply a condition: against `Cubes` with cubes of one literal, against all
states, and what is asked of solvers."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from predabs.analysis.memory.partition import partition
from predabs.analysis.points_to.sets import points_to
from predabs.c2bp.store.known_pairs import KnownPairs
from predabs.encode.encoding import BitVectorEncoding
from predabs.encode.environment import Formulas
from predabs.encode.integer_encoding import IntegerEncoding
from predabs.ir import make
from predabs.ir.expr import Expr
from predabs.predicates.cube import Cubes, Logic
from predabs.predicates.single_literal_cubes import SingleLiteralCubes
from predabs.smt.solver import Statistics
from predabs.smt.solvers import create
from support.c_programs import program_of_c
from support.small_conditions import ATOMS, SMALL, STATES, A, B, cube_expr, holds

PROGRAM = program_of_c("int main(void) { return 0; }")
SPLIT = partition(PROGRAM, points_to(PROGRAM))
PREDICATES = st.lists(ATOMS, max_size=4, unique=True)
CONDITIONS = ATOMS | ATOMS.map(make.negate) | st.lists(ATOMS, min_size=2, max_size=3).map(make.conj)


def logics() -> list[Logic]:
    return [
        Logic(Formulas(SPLIT, encoding), create(solver, Statistics()))
        for encoding, solver in ((IntegerEncoding(), "z3"), (BitVectorEncoding(), "bitwuzla"))
    ]


@settings(max_examples=40, deadline=None)
@given(CONDITIONS, PREDICATES)
def test_the_same_as_cubes_of_one_literal(phi: Expr, predicates: list[Expr]) -> None:
    mine = SingleLiteralCubes(logics(), lambda: None).decide(phi, predicates)
    yours = Cubes(logics(), 1).decide(phi, predicates)
    assert set(mine.implied) == set(yours.implied)
    assert set(mine.refuted) == set(yours.refuted)


@settings(max_examples=40, deadline=None)
@given(PREDICATES)
def test_what_is_enforced(predicates: list[Expr]) -> None:
    """All pairs that exclude each other, and nothing else."""
    mine = set(SingleLiteralCubes(logics(), lambda: None).enforce(predicates))
    yours = {cube for cube in Cubes(logics(), 2).enforce(predicates) if len(cube) == 2}
    assert mine >= yours
    for cube in mine:
        assert not any(holds(cube_expr(cube, predicates), state) for state in STATES)


def test_one_object_for_many_rounds() -> None:
    """A predicate more costs questions about itself; one that was there before costs none."""
    made = logics()
    pairs = SingleLiteralCubes(made, lambda: None)
    zero, two = make.const(0, SMALL), make.const(2, SMALL)
    phi, first, second = make.less(A, two), make.equal(A, zero), make.less(B, A)
    assert len(pairs.decide(phi, [first]).implied) == 1
    calls = pairs.counts.calls
    again = pairs.decide(phi, [first])
    assert (len(again.implied), pairs.counts.calls) == (1, calls)
    assert 0 < made[0].solver.statistics.cached <= calls
    more = pairs.decide(phi, [second, first])
    assert [dict(cube) for cube in more.implied] == [{1: True}]
    assert pairs.counts.calls - calls <= 4


def test_a_predicate_is_its_own_reason() -> None:
    pairs = SingleLiteralCubes(logics(), lambda: None)
    phi = make.less(A, B)
    found = pairs.decide(phi, [phi])
    assert [dict(cube) for cube in found.implied] == [{0: True}]
    assert [dict(cube) for cube in found.refuted] == [{0: False}]


@settings(max_examples=25, deadline=None)
@given(CONDITIONS, PREDICATES, st.integers(0, 15))
def test_known_pairs_are_asked_about_again(phi: Expr, predicates: list[Expr], lie: int) -> None:
    """The same covers from what was right before; and sound ones, whatever was said before."""
    first = KnownPairs()
    found = SingleLiteralCubes(logics(), lambda: None, first).decide(phi, predicates)
    second = KnownPairs(first.used)
    again = SingleLiteralCubes(logics(), lambda: None, second)
    assert again.decide(phi, predicates) == found
    assert second.used == first.used
    lies = KnownPairs(dict.fromkeys(first.used, lie))
    less = SingleLiteralCubes(logics(), lambda: None, lies).decide(phi, predicates)
    for cubes, value in ((less.implied, True), (less.refuted, False)):
        for cube in cubes:
            assert all(
                holds(phi, state) is value
                for state in STATES
                if holds(cube_expr(cube, predicates), state)
            )
