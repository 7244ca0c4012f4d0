"""The table of predicates: numbers, terms, and regions as terms and expressions."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from predabs.bdd import Function
from predabs.encode.encoding import BitVectorEncoding
from predabs.encode.environment import Environment
from predabs.ir import make
from predabs.ir.expr import FALSE, TRUE, Expr, Op
from predabs.ir.show import show_expr
from predabs.ir.types import INT
from predabs.smt import build
from predabs.smt.evaluate import TermEvaluator
from predabs.smt.solver import Unsat
from predabs.smt.term import BOOL, Symbol, Term
from support.c_programs import program_of_c
from support.lazy_setup import Parts, equals

TEXT = """int x, y, z; unsigned u; int a[3]; int *p = &x; struct s { int f; } s;
int main(void) { L: x = x + 1; if (x < y) goto L; *p = a[z] + u + s.f; return 0; }"""


@pytest.fixture
def parts() -> Parts:
    return Parts(TEXT)


# --- numbers --------------------------------------------------------------------------------------


def test_a_predicate_has_one_number(parts: Parts) -> None:
    first = parts.number(equals(parts.program, "x", 3))
    assert parts.number(equals(parts.program, "x", 4)) == first + 1
    assert parts.number(equals(parts.program, "x", 3)) == first
    assert len(parts.predicates) == 2
    assert show_expr(parts.predicates.expr(first)) == "x == 3"


def test_a_predicate_and_its_negation_are_one(parts: Parts) -> None:
    small = make.less(parts.var("y"), parts.var("z"))
    first = parts.number(small)
    assert parts.number(make.negate(small)) == first
    assert parts.number(make.less_equal(parts.var("z"), parts.var("y"))) == first


def test_the_sides_of_an_equation_do_not_matter(parts: Parts) -> None:
    y, z = parts.var("y"), parts.var("z")
    assert parts.number(make.equal(y, z)) == parts.number(make.equal(z, y))
    assert parts.number(make.not_equal(z, y)) == parts.number(make.equal(y, z))


def test_what_is_always_true_is_no_predicate(parts: Parts) -> None:
    y = parts.var("y")
    for trivial in (TRUE, FALSE, make.equal(y, y), make.less(y, y)):
        assert parts.predicates.number(trivial) is None
    assert len(parts.predicates) == 0
    assert len(parts.manager.variables) == 0


def test_each_predicate_has_a_variable_of_the_diagrams(parts: Parts) -> None:
    for value in range(3):
        assert parts.number(equals(parts.program, "z", value)) == value
    assert list(parts.manager.variables) == [0, 1, 2]


# --- terms ----------------------------------------------------------------------------------------


def test_keys_are_the_storage_that_a_predicate_reads(parts: Parts) -> None:
    y, z = parts.var("y"), parts.var("z")
    number = parts.number(make.less(y, z))
    assert parts.predicates.keys(number) == {y, z}
    element = make.index(parts.var("a"), make.const(1, INT))
    other = parts.number(make.equal(element, make.const(2, INT)))
    (map_,) = parts.predicates.keys(other)
    assert type(map_).__name__ == "RegionId"
    assert parts.predicates.observed([number, other]) == {y, z, map_}


def test_a_predicate_after_a_block(parts: Parts) -> None:
    """Substituted for the storage, it is what the expression is there."""
    exit_ = parts.exit("L", "L")
    for predicate in (equals(parts.program, "x", 3), make.less(parts.var("x"), parts.var("y"))):
        number = parts.number(predicate)
        after = parts.predicates.after(number, exit_.environment)
        direct = parts.formulas.encoder(exit_.environment).condition(predicate)
        assert same(parts, after, direct)
        assert after is not parts.predicates.term(number)
    unchanged = parts.number(equals(parts.program, "y", 1))
    assert parts.predicates.after(unchanged, exit_.environment) is parts.predicates.term(unchanged)


def same(parts: Parts, one: Term, two: Term) -> bool:
    solver = parts.solver.fresh()
    differ = build.not_(build.eq(one, two))
    solver.add(parts.formulas.closed(differ))
    return isinstance(solver.check(), Unsat)


# --- regions --------------------------------------------------------------------------------------


def four(parts: Parts) -> list[Expr]:
    """Predicates that are numbered 0 to 3."""
    x, y, z = map(parts.var, "xyz")
    sum_ = make.binary(Op.ADD, x, y)
    found = [
        make.equal(x, y),
        make.less(y, z),
        equals(parts.program, "x", 0),
        make.less(sum_, make.const(9, INT)),
    ]
    assert [parts.number(predicate) for predicate in found] == [0, 1, 2, 3]
    return found


def region(parts: Parts, points: frozenset[tuple[bool, ...]]) -> Function:
    return parts.manager.disjunction(parts.manager.cube(dict(enumerate(point))) for point in points)


@pytest.fixture(scope="module")
def shared() -> dict[bool, Parts]:
    """By whether numbers are bit-vectors. Made when it is used: a check that is started beside a
    living BDD manager has none of its own."""
    program = program_of_c(TEXT)
    return {False: Parts(program), True: Parts(program, encoding=BitVectorEncoding())}


POINTS = st.frozensets(st.tuples(*[st.booleans()] * 4))


@given(POINTS)
def test_a_region_as_a_term(shared: dict[bool, Parts], points: frozenset[tuple[bool, ...]]) -> None:
    """It is true for exactly the combinations in the diagram."""
    parts = shared[False]
    four(parts)
    names = [Symbol(f"p{n}", BOOL) for n in range(4)]
    term = parts.predicates.region_term(region(parts, points), lambda n: names[n])
    for point in product((False, True), repeat=4):
        model = dict(zip(names, point, strict=True))
        assert TermEvaluator(model).holds(term) == (point in points)


@given(POINTS, st.booleans())
def test_a_region_as_an_expression(
    shared: dict[bool, Parts], points: frozenset[tuple[bool, ...]], vectors: bool
) -> None:
    """Encoded, it is the same condition as the term over the predicates' own terms."""
    parts = shared[vectors]
    four(parts)
    found = region(parts, points)
    expr = parts.predicates.region_expr(found)
    direct = parts.formulas.encoder(Environment("")).condition(expr)
    assert same(parts, direct, parts.predicates.region_term(found, parts.predicates.term))


def test_simple_regions_are_shown_simply(parts: Parts) -> None:
    a, b = (parts.number(equals(parts.program, name, 0)) for name in "xy")
    m = parts.manager
    shown = {
        "true": m.true,
        "false": m.false,
        "x == 0": m.var(a),
        "x != 0 && y == 0": ~m.var(a) & m.var(b),
    }
    for text, f in shown.items():
        assert show_expr(parts.predicates.region_expr(f)) == text
