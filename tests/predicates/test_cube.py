"""The F function: against all states of small types, against another solver, and examples."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from predabs.encode.encoding import BitVectorEncoding, Encoding
from predabs.encode.environment import Environment
from predabs.encode.integer_encoding import IntegerEncoding
from predabs.encode.optimistic_encoding import OptimisticEncoding
from predabs.ir import make
from predabs.ir.cfa import Program
from predabs.ir.expr import FALSE, TRUE, Expr, Op, Var
from predabs.ir.types import INT, IntType
from predabs.ir.walk import substitute
from predabs.predicates.cube import Cover, Cube, Cubes, Decision, Logic
from predabs.predicates.implicants import Tactics
from predabs.predicates.syntax.file import read_predicates
from predabs.smt.solver import Unsat
from support.c_programs import program_of_c
from support.logics import PROGRAM, logic
from support.small_conditions import cube_expr


def cubes(max_cube: int = 3, tactics: Tactics | None = None, *encodings: Encoding) -> Cubes:
    chosen = encodings or (IntegerEncoding(), BitVectorEncoding())
    return Cubes([logic(encoding) for encoding in chosen], max_cube, tactics=tactics)


def conditions(*lines: str, program: Program = PROGRAM, section: str = "main") -> list[Expr]:
    found = read_predicates(f"{section}:\n" + "\n".join(lines), program, "text")
    return [predicate.expr for predicate in found.procedures[section]]


def literals(cover: Cover) -> list[dict[int, bool]]:
    return [dict(cube) for cube in cover]


# --- cubes ----------------------------------------------------------------------------------------


def test_a_cube_is_a_value_and_a_mapping() -> None:
    cube = Cube(((1, True), (4, False)))
    assert cube == Cube(((1, True), (4, False)))
    assert len({cube, Cube(((1, True), (4, False))), Cube(())}) == 2
    assert dict(cube) == {1: True, 4: False}
    assert (len(cube), list(cube), cube[4]) == (2, [1, 4], False)
    with pytest.raises(KeyError):
        cube[0]


# --- against all states ---------------------------------------------------------------------------

SMALL = IntType(3, True)
A, B = Var("a!", SMALL), Var("b!", SMALL)  # the program does not have them
STATES = [(a, b) for a in range(-4, 4) for b in range(-4, 4)]

VALUES = st.recursive(
    st.sampled_from([A, B]) | st.integers(-4, 3).map(lambda n: make.const(n, SMALL)),
    lambda inner: st.builds(make.binary, st.sampled_from([Op.ADD, Op.SUB, Op.AND]), inner, inner),
    max_leaves=3,
)
ATOMS = st.builds(make.compare, st.sampled_from([Op.EQ, Op.LT, Op.LE]), VALUES, VALUES)
FORMULAS = st.one_of(
    ATOMS,
    ATOMS.map(make.negate),
    st.lists(ATOMS, min_size=2, max_size=3).map(make.conj),
    st.lists(ATOMS, min_size=2, max_size=3).map(make.disj),
)


def truths(cond: Expr) -> list[bool]:
    """The truth of a condition in each state."""
    found = []
    for a, b in STATES:
        value = substitute(cond, {A: make.const(a, SMALL), B: make.const(b, SMALL)})
        assert value in (TRUE, FALSE)
        found.append(value is TRUE)
    return found


def brute_force(
    phi: Sequence[bool], predicates: Sequence[Sequence[bool]], longest: int
) -> tuple[set[Cube], set[Cube]]:
    """The shortest cubes that have states, all of them in phi; and the shortest without states."""
    implicants: list[Cube] = []
    impossible: list[Cube] = []
    for length in range(longest + 1):
        for numbers in combinations(range(len(predicates)), length):
            for values in product((False, True), repeat=length):
                cube = Cube(tuple(zip(numbers, values, strict=True)))
                inside = [
                    holds
                    for place, holds in enumerate(phi)
                    if all(predicates[n][place] == v for n, v in cube.items())
                ]
                if not inside:
                    if not any(contains(cube, other) for other in impossible):
                        impossible.append(cube)
                elif all(inside) and not any(contains(cube, other) for other in implicants):
                    implicants.append(cube)
    return set(implicants), set(impossible)


def contains(cube: Cube, other: Cube) -> bool:
    return set(other.literals) <= set(cube.literals)


@settings(max_examples=60)
@given(st.lists(ATOMS, min_size=1, max_size=4), FORMULAS, st.integers(0, 3), st.booleans())
def test_exactly_the_shortest_implicants(
    predicates: list[Expr], phi: Expr, max_cube: int, vectors: bool
) -> None:
    predicates = list(dict.fromkeys(predicates))
    table = [truths(predicate) for predicate in predicates]
    values = truths(phi)
    longest = max_cube or len(predicates)
    implied, impossible = brute_force(values, table, longest)
    refuted, _ = brute_force([not value for value in values], table, longest)
    encodings: tuple[Encoding, ...] = (
        (BitVectorEncoding(),) if vectors else (IntegerEncoding(), BitVectorEncoding())
    )
    abstract = cubes(max_cube, None, *encodings)
    assert set(abstract.F(phi, predicates)) == implied
    assert set(abstract.G(phi, predicates)) == refuted
    assert set(abstract.F(make.negate(phi), predicates)) == refuted  # G is the dual of F
    assert set(abstract.enforce(predicates)) == impossible
    assert abstract.counts.unknown == 0


@settings(max_examples=30)
@given(
    st.lists(ATOMS, min_size=1, max_size=4, unique=True),
    FORMULAS,
    st.sampled_from(["priming", "pruning", "models", "cone"]),
)
def test_tactics_only_spare_questions(predicates: list[Expr], phi: Expr, without: str) -> None:
    full, less = cubes(), cubes(3, replace(Tactics(), **{without: False}))
    assert full.decide(phi, predicates) == less.decide(phi, predicates)
    assert set(full.enforce(predicates)) == set(less.enforce(predicates))
    if without != "cone":
        assert full.counts.calls <= less.counts.calls


# --- against another solver -----------------------------------------------------------------------

X, Y, Z = (Var(name, INT) for name in "xyz")
NUMBERS = st.one_of(
    st.sampled_from([X, Y, Z]),
    st.integers(-3, 9).map(lambda n: make.const(n, INT)),
    st.builds(
        lambda v, n: make.binary(Op.ADD, v, make.const(n, INT)),
        st.sampled_from([X, Y, Z]),
        st.integers(-2, 2),
    ),
)
PREDICATES = st.builds(make.compare, st.sampled_from([Op.EQ, Op.LT, Op.LE]), NUMBERS, NUMBERS)


def unsatisfiable(judge: Logic, *parts: Expr) -> bool:
    solver = judge.solver.fresh()
    encoder = judge.formulas.encoder(Environment(""))
    solver.add(judge.formulas.closed(*(encoder.condition(part) for part in parts)))
    return isinstance(solver.check(), Unsat)


@settings(max_examples=15)
@given(st.lists(PREDICATES, min_size=2, max_size=6, unique=True), PREDICATES)
def test_every_cube_implies_the_formula(predicates: list[Expr], phi: Expr) -> None:
    judge = logic(BitVectorEncoding())
    abstract = cubes(3, None, IntegerEncoding())
    decision = abstract.decide(phi, predicates)
    for cover, formula in ((decision.implied, phi), (decision.refuted, make.negate(phi))):
        for cube in cover:
            whole = cube_expr(cube, predicates)
            assert unsatisfiable(judge, whole, make.negate(formula))
            assert not unsatisfiable(judge, whole)
            for number in cube:
                rest = Cube(tuple(part for part in cube.literals if part[0] != number))
                assert not unsatisfiable(judge, cube_expr(rest, predicates), make.negate(formula))
    for cube in abstract.enforce(predicates):
        assert unsatisfiable(judge, cube_expr(cube, predicates))


# --- the examples of [BMR05], [Mir13] and [BPR01] -------------------------------------------------


def test_the_examples_of_section_4_of_bmr05() -> None:
    """Over integers that do not wrap, as [BMR05] has them."""
    predicates = conditions("x < 5", "x == 2")
    abstract = cubes(3, None, OptimisticEncoding())
    assert literals(abstract.F(*conditions("x < 4"), predicates)) == [{1: True}]
    # assume(x < 2) is assume({x < 5} && !{x == 2})
    assert literals(abstract.G(*conditions("x < 2"), predicates)) == [{0: False}, {1: True}]
    # x := x + 1
    less, equal = (abstract.decide(c, predicates) for c in conditions("x + 1 < 5", "x + 1 == 2"))
    assert (literals(less.implied), literals(less.refuted)) == ([{1: True}], [{0: False}])
    assert literals(equal.implied) == []
    assert literals(equal.refuted) == [{0: False}, {1: True}]
    assert literals(abstract.enforce(predicates)) == [{0: False, 1: True}]


def test_wrapping_integers_know_less() -> None:
    """With the largest int, x + 1 < 5 holds although x < 5 does not."""
    predicates = conditions("x < 5", "x == 2")
    decision = cubes().decide(*conditions("x + 1 < 5"), predicates)
    assert literals(decision.implied) == [{1: True}]
    assert decision.refuted == ()


def test_figure_2_of_bmr05() -> None:
    """inc: {x == 3} becomes choose({x == 2}, !{x == 2}), up to what `enforce` says."""
    predicates = conditions("x == 2", "x == 3", "x == 4")
    abstract = cubes()
    two, three, four = (
        abstract.decide(phi, predicates)
        for phi in conditions("x + 1 == 2", "x + 1 == 3", "x + 1 == 4")
    )
    assert literals(two.implied) == []
    assert literals(two.refuted) == [{0: True}, {1: True}, {2: True}]
    assert literals(three.implied) == [{0: True}]
    assert literals(three.refuted) == [{0: False}, {1: True}, {2: True}]
    assert literals(four.implied) == [{1: True}]
    assert literals(abstract.enforce(predicates)) == [
        {0: True, 1: True},
        {0: True, 2: True},
        {1: True, 2: True},
    ]


def test_the_alias_example_of_section_5_of_bmr05() -> None:
    """wp(x := 5, *p > 6), by Morris' axiom."""
    predicates = conditions("&x == p", "*p > 6")
    (phi,) = conditions("&x != p && *p > 6")
    decision = cubes().decide(phi, predicates)
    assert literals(decision.implied) == [{0: False, 1: True}]
    assert literals(decision.refuted) == [{0: True}, {1: False}]


def test_figure_6_of_bmr05() -> None:
    """swap's `*p := *q`: which predicates decide `*'p == '*q` afterwards."""
    program = program_of_c(
        "void swap(int *p, int *q) { int t = *p; *p = *q; *q = t; } "
        "int main(void) { int x = 5, y = 4; swap(&x, &y); return x + y; }"
    )
    text = "p == 'p\nq == 'q\n*'p == '*p\n*'q == '*q\n*'p == '*q\n*'q == '*p\nt == '*p\n"
    after = "p == 'p && *q == '*q || p != 'p && *'p == '*q"
    found = read_predicates(f"swap:\n{text}{after}\n", program, "swap")
    *predicates, phi = (predicate.expr for predicate in found.procedures["swap"])
    asked = logic(IntegerEncoding(), program)
    for var, place in found.constants.items():
        asked.formulas.names.made[var] = place
    decision = Cubes([asked]).decide(phi, predicates)
    assert {0: True, 1: True, 3: True} in literals(decision.implied)
    assert {0: True, 1: True, 3: False} in literals(decision.refuted)


def test_the_examples_of_mir13() -> None:
    """x := -x, and x := 10 which needs no state before."""
    predicates = conditions("x >= 0", "x <= 100")
    abstract = cubes(3, None, OptimisticEncoding())
    low, high = (abstract.decide(c, predicates) for c in conditions("0 - x >= 0", "0 - x <= 100"))
    assert (literals(low.implied), literals(low.refuted)) == ([{0: False}], [{1: False}])
    assert (literals(high.implied), literals(high.refuted)) == ([{0: True}, {1: False}], [])
    assert literals(abstract.enforce(predicates)) == [{0: False, 1: False}]
    assert abstract.decide(TRUE, predicates) == Decision((Cube(()),), ())
    assert abstract.decide(FALSE, predicates) == Decision((), (Cube(()),))


def test_longer_cubes_than_allowed_are_not_looked_for() -> None:
    """[BPR01, section 7]: at most three literals, which approximates."""
    predicates = conditions("x > 1", "y > 1", "z > 1", "p == 0")
    phi = make.conj(predicates)
    assert cubes().F(phi, predicates) == ()
    assert literals(cubes(0).F(phi, predicates)) == [dict.fromkeys(range(4), True)]
    assert literals(cubes().G(phi, predicates)) == [{n: False} for n in range(4)]


# --- what spares work -----------------------------------------------------------------------------


def test_the_cone_of_influence() -> None:
    """Predicates about other storage are not asked about, those that are linked to it are."""
    predicates = conditions("x == 1", "y == 2", "x == z", "z == 1", "y < 7")
    abstract = cubes()
    (phi,) = conditions("x < 2")
    found = abstract.F(phi, predicates)
    assert literals(found) == [{0: True}, {2: True, 3: True}]
    calls = abstract.counts.calls
    assert literals(abstract.F(phi, [predicates[i] for i in (2, 3, 0)])) == [
        {2: True},
        {0: True, 1: True},
    ]
    assert (abstract.counts.calls, abstract.counts.cached) == (calls, 1)


def test_results_are_remembered() -> None:
    abstract = cubes()
    predicates = conditions("x == 1", "x < y")
    (phi,) = conditions("y > 1")
    first = abstract.decide(phi, predicates)
    calls = abstract.counts.calls
    assert abstract.decide(phi, predicates) == first
    assert (abstract.counts.calls, abstract.counts.cached, abstract.counts.formulas) == (
        calls,
        1,
        1,
    )
    abstract.enforce(predicates)
    calls = abstract.counts.calls
    abstract.enforce(predicates)
    assert abstract.counts.calls == calls


def many() -> list[Expr]:
    lines = ["x == 0", "x == 1", "y == 1", "z == 0", "x < y", "y < z", "x < 5", "z == y + 1"]
    return conditions(*lines)


def test_each_tactic_spares_many_questions() -> None:
    """8 predicates that all hang together, cubes of up to 3."""
    (phi,) = conditions("x < 2")
    counts: dict[str, int] = {}
    answers: list[Decision] = []
    for name in ("all", "priming", "pruning", "models"):
        tactics = Tactics() if name == "all" else replace(Tactics(), **{name: False})
        abstract = cubes(3, tactics)
        answers.append(abstract.decide(phi, many()))
        counts[name] = abstract.counts.calls
        assert abstract.counts.spared > 0 or name == "models"
    assert all(answer == answers[0] for answer in answers)
    assert counts["all"] * 3 < counts["models"]
    assert counts["all"] < counts["priming"]
    assert counts["all"] < counts["pruning"]


def test_states_serve_the_next_formula() -> None:
    first, second = conditions("x + 1 < y", "x + 2 < y")
    alone, after = cubes(), cubes()
    after.decide(first, many())
    before = after.counts.calls
    assert after.decide(second, many()) == alone.decide(second, many())
    assert after.counts.calls - before < alone.counts.calls
    assert after.counts.reused > 0


# --- what is not known ----------------------------------------------------------------------------


def test_a_solver_without_an_answer_implies_nothing() -> None:
    predicates = conditions("x == 1", "x < y")
    abstract = Cubes([logic(IntegerEncoding())], seconds=lambda: 0.0)
    assert abstract.decide(conditions("x < 3")[0], predicates) == Decision((), ())
    assert abstract.enforce(predicates) == ()
    assert abstract.counts.unknown == abstract.counts.calls > 0


def test_bit_vectors_where_integers_have_no_formula() -> None:
    predicates = conditions("x * y == 6", "x == 2", "y == 3")
    (phi,) = conditions("x * y > 5")
    assert literals(cubes().F(phi, predicates)) == [{0: True}, {1: True, 2: True}]
    alone = cubes(3, None, IntegerEncoding())
    assert alone.F(phi, predicates) == ()
    assert alone.counts.without == 2


def test_a_predicate_without_a_formula_takes_no_part() -> None:
    program = program_of_c("int x; int *p; int main(void) { x = *p; return x; }")
    predicates = conditions("*p > 1", "x == 1", program=program)
    abstract = Cubes([logic(IntegerEncoding(), program), logic(BitVectorEncoding(), program)])
    (phi,) = conditions("x > 0", program=program)
    assert literals(abstract.F(phi, predicates)) == [{1: True}]
    assert abstract.F(predicates[0], predicates) == ()
    assert abstract.enforce(predicates) == ()
