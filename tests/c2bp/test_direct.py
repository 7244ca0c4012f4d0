"""Assignment tables: the examples of [Mir13], its lemma and theorem on random blocks, and how
many questions each saving spares."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from functools import cache
from itertools import combinations, pairwise, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from predabs.c2bp.direct import assignment_tables as tables
from predabs.c2bp.direct.assignment_tables import Assignment, AssignmentTable, TableQuery, split
from predabs.c2bp.direct.table_rows import ALGORITHM_1, NOTHING_SPARED, RowCounts, Savings
from predabs.encode.encoding import BitVectorEncoding
from predabs.encode.environment import Environment
from predabs.encode.integer_encoding import IntegerEncoding
from predabs.ir import make
from predabs.ir.expr import TRUE, Expr, Op, Var
from predabs.ir.types import IntType
from predabs.ir.walk import substitute
from predabs.predicates.cube import Cover, Cube, Cubes, Logic
from predabs.smt import build
from predabs.smt.solver import Answer, Reason, Solver, Statistics, Unknown
from predabs.smt.solvers import create
from predabs.smt.term import INT, Symbol, Term
from support.logics import logic as new_logic

X, Y = Symbol("x", INT), Symbol("y", INT)


def number(value: int) -> Term:
    return build.integer(value)


def question(
    before: Sequence[Term],
    after: Sequence[Term],
    savings: Savings | None = None,
    counts: RowCounts | None = None,
    solver: Solver | None = None,
) -> TableQuery:
    solver = solver or create("z3", Statistics())
    numbered = dict(enumerate(before)), dict(enumerate(after))
    return TableQuery(*numbered, solver, savings=savings, counts=counts)


def allowed(found: Assignment, start: int, numbers: Sequence[int]) -> set[int]:
    """The values after that an assignment allows, by its meaning as a parallel assignment."""

    def some(cover: Cover) -> bool:
        return any(inside(cube, start) for cube in cover)

    def inside(cube: Cube, state: int) -> bool:
        return all(bool(state >> n & 1) == value for n, value in cube.literals)

    choices = []
    for n in numbers:
        value = found.values[n]
        if not value.open:
            choices.append([some(value.on) << n])
        else:
            choices.append([1 << n] if some(value.on) else [0] if some(value.off) else [0, 1 << n])
    ends = {sum(parts) for parts in product(*choices)}
    return {
        end
        for end in ends
        if not any(inside(before, start) and inside(after, end) for before, after in found.never)
    }


# --- the examples of [Mir13] ----------------------------------------------------------------------

# x := x + 10; y := y + 1 with x >= 0 and even(y), over all integers
SECTION_6 = (
    [build.ge(X, number(0)), build.eq(build.mod(Y, number(2)), number(0))],
    [
        build.ge(build.add(X, number(10)), number(0)),
        build.eq(build.mod(build.add(Y, number(1)), number(2)), number(0)),
    ],
)
# the same bits as in [Mir13]: b1 is 1, b2 is 2
ROWS_6 = {(0, 2), (0, 3), (2, 0), (2, 1), (1, 3), (3, 1)}


@pytest.mark.parametrize(
    "savings", [NOTHING_SPARED, ALGORITHM_1, replace(Savings(), components=False)]
)
def test_the_table_of_section_6(savings: Savings) -> None:
    table = question(*SECTION_6, savings).table((0, 1))
    assert table is not None and table.rows == ROWS_6


def test_the_tables_of_section_9() -> None:
    """ON, OFF and UNDET, and the parallel assignment (b1 ? T : *), (!b2 ? T : F)."""
    table = AssignmentTable((0, 1), (0, 1), frozenset(ROWS_6))
    first, second = split(table, 0), split(table, 1)
    assert (first.on, first.off, first.undet) == ({1, 3}, set(), {0, 2})
    assert (second.on, second.off, second.undet) == ({0, 1}, {2, 3}, set())
    for savings in (NOTHING_SPARED, ALGORITHM_1, Savings()):
        found = question(*SECTION_6, savings).assignment()
        assert found.values[0].on == (Cube(((0, True),)),)
        assert found.values[0].off == () and found.values[0].open
        assert found.values[1].on == (Cube(((1, False),)),)
        assert found.values[1].off == (Cube(((1, True),)),) and not found.values[1].open
        assert found.never == ()


def test_negation() -> None:
    """x := -x swaps x < 0 and x > 0. [Mir13] has x <= 0 and x > 0: those do not swap, as x may be
    0; but one of the two holds after, as the table knows."""

    def negated(one: Term, two: Term, new: Term, newer: Term) -> Assignment:
        return question([one, two], [new, newer]).assignment()

    minus, zero = build.neg(X), number(0)
    found = negated(
        build.lt(X, zero), build.gt(X, zero), build.lt(minus, zero), build.gt(minus, zero)
    )
    assert [found.values[n].on for n in (0, 1)] == [(Cube(((1, True),)),), (Cube(((0, True),)),)]
    assert not found.values[0].open and not found.values[1].open and found.never == ()
    found = negated(
        build.le(X, zero), build.gt(X, zero), build.le(minus, zero), build.gt(minus, zero)
    )
    assert found.values[0].open
    assert [allowed(found, start, (0, 1)) for start in (1, 2)] == [{1, 2}, {1}]


# x := 10 with x >= 0 and x <= 100
INITIAL = (
    [build.ge(X, number(0)), build.le(X, number(100))],
    [build.ge(number(10), number(0)), build.le(number(10), number(100))],
)


@pytest.mark.parametrize("savings", [NOTHING_SPARED, ALGORITHM_1, Savings()])
def test_initialisation(savings: Savings) -> None:
    """b1, b2 := T, T, though no state has both predicates false."""
    found = question(*INITIAL, savings).assignment()
    assert all(found.values[n].on == (Cube(()),) and not found.values[n].open for n in (0, 1))
    assert found.never == ()


def test_no_transition_into_or_out_of_an_impossible_state() -> None:
    """x >= 0 and x <= 100 [Mir13, end of section 7]: whatever x becomes, one of them holds."""
    before = INITIAL[0]
    after = [build.ge(Y, number(0)), build.le(Y, number(100))]
    found = question(before, after).assignment()
    assert [v.open for v in found.values.values()] == [True, True]
    assert found.never == ((Cube(()), Cube(((0, False), (1, False)))),)


# --- random blocks, against all states ------------------------------------------------------------

SMALL = IntType(3, True)
A, B, INPUT = Var("a!", SMALL), Var("b!", SMALL), Var("input!", SMALL)
STATES = list(product(range(-4, 4), repeat=3))

VALUES = st.recursive(
    st.sampled_from([A, B]) | st.integers(-4, 3).map(lambda n: make.const(n, SMALL)),
    lambda inner: st.builds(make.binary, st.sampled_from([Op.ADD, Op.SUB, Op.AND]), inner, inner),
    max_leaves=3,
)
PREDICATES = st.lists(
    st.builds(make.compare, st.sampled_from([Op.EQ, Op.LT, Op.LE]), VALUES, VALUES),
    min_size=1,
    max_size=4,
    unique=True,
)
# a block is what a and b become; one of them may become anything
BLOCKS = st.tuples(VALUES, VALUES | st.just(INPUT))


@cache
def logics() -> tuple[Logic, ...]:
    return new_logic(IntegerEncoding()), new_logic(BitVectorEncoding())


@cache
def truths(cond: Expr) -> list[bool]:
    found = []
    for state in STATES:
        mapping = {v: make.const(n, SMALL) for v, n in zip((A, B, INPUT), state, strict=True)}
        found.append(substitute(cond, mapping) is TRUE)
    return found


class Block:
    """A random block, and its assignment table by [Mir13, definition 2]."""

    def __init__(self, predicates: list[Expr], values: tuple[Expr, Expr]) -> None:
        self.before = predicates
        becomes: dict[Expr, Expr] = dict(zip((A, B), values, strict=True))
        self.after = [substitute(predicate, becomes) for predicate in predicates]
        starts = zip(*map(truths, self.before), strict=True)
        ends = zip(*map(truths, self.after), strict=True)
        self.table = {
            (sum(v << n for n, v in enumerate(one)), sum(v << n for n, v in enumerate(two)))
            for one, two in zip(starts, ends, strict=True)
        }
        self.numbers = range(len(predicates))

    def jointly(self, joint: int) -> set[tuple[int, int]]:
        """What is left of the table if only so many predicates after are looked at together."""
        sets = list(combinations(self.numbers, min(joint, len(self.before)) or len(self.before)))
        found = set()
        for start in {start for start, _ in self.table}:
            ends = [end for first, end in self.table if first == start]
            for end in range(1 << len(self.before)):
                masks = (sum(1 << n for n in chosen) for chosen in sets)
                if all(any((end ^ other) & mask == 0 for other in ends) for mask in masks):
                    found.add((start, end))
        return found

    def terms(self, logic: Logic) -> tuple[list[Term], list[Term]]:
        encoder = logic.formulas.encoder(Environment(""))
        both = [[encoder.condition(c) for c in conds] for conds in (self.before, self.after)]
        return both[0], both[1]

    def question(self, logic: Logic, savings: Savings | None = None) -> TableQuery:
        before, after = self.terms(logic)
        return TableQuery(
            dict(enumerate(before)),
            dict(enumerate(after)),
            logic.solver.fresh(),
            logic.formulas.facts,
            savings=savings,
        )

    def relation(self, found: Assignment) -> set[tuple[int, int]]:
        starts = {start for start, _ in self.table}
        return {(s, end) for s in starts for end in allowed(found, s, self.numbers)}


@settings(max_examples=40, deadline=None)
@given(PREDICATES, BLOCKS, st.integers(0, 4), st.booleans())
def test_assignments_are_as_precise_as_can_be(
    predicates: list[Expr], values: tuple[Expr, Expr], joint: int, vectors: bool
) -> None:
    """The relation is the table, or what is left of it if fewer predicates are looked at."""
    block = Block(predicates, values)
    found = block.question(logics()[vectors]).assignment(joint)
    assert found.whole and block.relation(found) == block.jointly(joint)


@settings(max_examples=15, deadline=None)
@given(PREDICATES, BLOCKS)
def test_precision_grows_with_the_predicates_looked_at(
    predicates: list[Expr], values: tuple[Expr, Expr]
) -> None:
    block = Block(predicates, values)
    relations = [
        block.relation(block.question(logics()[1]).assignment(joint))
        for joint in range(1, len(predicates) + 1)
    ]
    assert all(two <= one for one, two in pairwise(relations))
    assert relations[-1] == block.table


@settings(max_examples=15, deadline=None)
@given(PREDICATES, BLOCKS, st.lists(st.booleans(), min_size=6, max_size=6))
def test_savings_change_nothing(
    predicates: list[Expr], values: tuple[Expr, Expr], chosen: list[bool]
) -> None:
    block = Block(predicates, values)
    found = block.question(logics()[0], Savings(*chosen)).assignment()
    assert block.relation(found) == block.table


@settings(max_examples=15, deadline=None)
@given(PREDICATES, BLOCKS)
def test_lemma_1_and_theorem_1(predicates: list[Expr], values: tuple[Expr, Expr]) -> None:
    """S(wp(P, k)) has the states from which no row of the table leads to !k: for each literal k
    [Mir13, lemma 1], and for each complete disjunction [Mir13, theorem 1]."""
    block = Block(predicates, values)
    cubes = Cubes(logics(), max_cube=0)
    starts = {start for start, _ in block.table}

    def implied(condition: Expr) -> set[int]:
        """The possible states that S covers."""
        cover = cubes.F(condition, predicates)
        holding = [dict(cube) for cube in cover]
        return {
            start
            for start in starts
            if any(all(bool(start >> n & 1) == v for n, v in cube.items()) for cube in holding)
        }

    for n, value in product(block.numbers, (False, True)):
        literal = block.after[n] if value else make.negate(block.after[n])
        projected = {start for start, end in block.table if bool(end >> n & 1) != value}
        assert implied(literal) == starts - projected
    for end in range(1 << len(predicates)):
        literals = [
            make.negate(cond) if end >> n & 1 else cond for n, cond in enumerate(block.after)
        ]
        projected = {start for start, other in block.table if other == end}
        assert implied(make.disj(literals)) == starts - projected


@settings(max_examples=15, deadline=None)
@given(PREDICATES, BLOCKS, st.integers(1, 4), st.integers(0, 2))
def test_short_cubes_are_sound(
    predicates: list[Expr], values: tuple[Expr, Expr], longest: int, joint: int
) -> None:
    """What stands in for a table that is too large lies between it and the Cartesian product."""
    block = Block(predicates, values)
    found = block.question(logics()[1]).by_short_cubes(joint, longest)
    relation = block.relation(found)
    assert relation >= block.table
    if longest == 4:
        assert relation <= block.jointly(1)
        assert joint != 1 or relation == block.jointly(1)


# --- what solvers do not know ---------------------------------------------------------------------


class Doubtful:
    """A solver that has no answer to some questions."""

    def __init__(self, solver: Solver, period: int) -> None:
        self._solver = solver
        self._period = period
        self._asked = 0

    def __getattr__(self, name: str) -> object:
        return getattr(self._solver, name)

    def check(self, assumptions: Sequence[Term] = (), timeout: float | None = None) -> Answer:
        self._asked += 1
        if self._asked % self._period == 0:
            return Unknown(Reason.TIMEOUT)
        return self._solver.check(assumptions, timeout)


@settings(max_examples=15, deadline=None)
@given(PREDICATES, BLOCKS, st.integers(1, 5), st.integers(0, 2), st.booleans())
def test_what_a_solver_does_not_know_stays_open(
    predicates: list[Expr], values: tuple[Expr, Expr], period: int, joint: int, short: bool
) -> None:
    block = Block(predicates, values)
    before, after = block.terms(logics()[0])
    solver: Solver = Doubtful(logics()[0].solver.fresh(), period)
    asked = TableQuery(
        dict(enumerate(before)), dict(enumerate(after)), solver, logics()[0].formulas.facts
    )
    found = asked.by_short_cubes(joint, 3) if short else asked.assignment(joint)
    assert block.relation(found) >= block.table
    if period == 1:
        assert all(value.open and not value.on for value in found.values.values())
        assert not found.never


def test_a_table_that_is_too_large(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is not begun again for a block that has the same predicates before."""
    monkeypatch.setattr(tables, "MOST_ROWS", 3)
    crowded: list[frozenset[int]] = []
    counts = RowCounts()
    before = [build.lt(Symbol(f"v{n}", INT), number(0)) for n in range(3)]
    some = build.lt(build.add(*(Symbol(f"v{n}", INT) for n in range(3))), number(5))

    def asked() -> Assignment:
        solver = create("z3", Statistics())
        numbered = dict(enumerate(before)), {0: some}
        return TableQuery(*numbered, solver, counts=counts, too_many_states=crowded).assignment()

    assert asked() == Assignment({}, (), False)
    assert crowded == [frozenset({0, 1, 2})] and counts.large == 1
    calls = counts.calls
    assert asked() == Assignment({}, (), False) and counts.calls == calls


# --- how many questions ---------------------------------------------------------------------------

# how many questions the two tables take with these savings
CALLS: Mapping[str, tuple[Savings, int, int]] = {
    "none": (NOTHING_SPARED, 16, 16),
    "attainable": (replace(NOTHING_SPARED, attainable=True), 20, 8),
    "dependent": (replace(NOTHING_SPARED, dependent=True), 16, 4),
    "[Mir13, algorithm 1]": (ALGORITHM_1, 20, 4),
    "apart": (replace(ALGORITHM_1, components=True), 12, 4),
    "stepwise": (replace(ALGORITHM_1, stepwise=True), 26, 4),
}


@pytest.mark.parametrize("name", CALLS)
def test_questions_spared(name: str) -> None:
    """[Mir13, section 9]: without savings 2^2n; with algorithm 1 one for each state after, and for
    each that is possible one for each state before of what it depends on."""
    savings, many, few = CALLS[name]
    for example, expected in ((SECTION_6, many), (INITIAL, few)):
        counts = RowCounts()
        question(*example, savings, counts).assignment()
        assert counts.calls == expected


def test_models_and_contradictions_spare_questions() -> None:
    """Each question that is left found a row or a contradiction that was new."""
    for example in (SECTION_6, INITIAL):
        counts = RowCounts()
        table = question(*example, replace(Savings(), components=False), counts).table((0, 1))
        fewest = RowCounts()
        question(*example, Savings(), fewest).assignment()
        assert (
            table is not None and fewest.calls <= counts.calls <= CALLS["[Mir13, algorithm 1]"][1]
        )
    assert len(fields(Savings)) == 6  # each is measured here or above
