"""Conditions of the logic in the words of the program."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from predabs.analysis.memory.partition import partition
from predabs.analysis.memory.regions import InRegion
from predabs.analysis.points_to.sets import points_to
from predabs.encode.encoding import BitVectorEncoding
from predabs.encode.environment import Environment, Formulas
from predabs.encode.integer_encoding import IntegerEncoding, NeedsBitVectors
from predabs.errors import UnsupportedFeature
from predabs.ir.cfa import Program
from predabs.ir.expr import Expr
from predabs.ir.ops import Assume
from predabs.ir.show import show_expr
from predabs.ir.types import INT as C_INT
from predabs.ir.types import DataModel
from predabs.refine.interpolators.alias_cases import told_apart
from predabs.refine.interpolators.phrase import atoms, phrase
from predabs.smt import bitvectors, build
from predabs.smt.evaluate import TermEvaluator
from predabs.smt.semantics import ModelValue, array_value
from predabs.smt.term import BOOL, INT, ArraySort, Symbol, Term, symbols
from support.c_programs import program_of_c
from support.decided import refuted
from support.path_formulas import path_formula
from support.straight_programs import formula, middle, straight_program

X, Y, Z = (Symbol(name, INT) for name in "xyz")
P, Q = (Symbol(name, BOOL) for name in "pq")
START = Environment("")


def formulas_of(program: Program, encoding: str) -> Formulas:
    chosen = BitVectorEncoding() if encoding == "bv" else IntegerEncoding()
    return Formulas(partition(program, points_to(program)), chosen)


def encoded(formulas: Formulas, expr: Expr) -> Term:
    return formulas.encoder(START).condition(expr)


def equivalent(formulas: Formulas, one: Term, two: Term) -> bool:
    """By the solver, where all numbers are in the range of their types."""
    if one is two:
        return True
    solvers = ("z3", "bitwuzla") if formulas.encoding.name == "bv" else ("z3", "cvc5")
    return refuted(formulas.closed(build.xor(one, two)), solvers)


# --- atoms ----------------------------------------------------------------------------------------


def test_atoms_are_what_connectives_join() -> None:
    small, same = build.lt(X, build.integer(3)), build.eq(X, Y)
    term = build.or_(build.and_(P, build.not_(small)), build.and_(build.eq(Q, same), P))
    assert atoms(term) == [P, build.not_(small), Q, same]
    assert atoms(build.ite(P, small, same)) == [P, small, same]
    assert atoms(build.boolean(True)) == []


def test_a_choice_between_numbers_stays_in_its_atom() -> None:
    choice = build.lt(build.ite(P, X, Y), build.integer(3))
    assert atoms(build.and_(Q, choice)) == [Q, choice]


def test_writes_that_a_read_may_see_are_told_apart() -> None:
    array = Symbol("m", ArraySort(INT, INT))
    written = build.store(build.store(array, X, build.integer(1)), Y, build.integer(2))
    term = build.lt(build.select(written, Z), build.integer(2))
    held = build.lt(build.select(array, Z), build.integer(2))
    assert atoms(term) == [build.eq(Y, Z), build.eq(X, Z), held]
    either = build.select(build.ite(P, written, array), Z)
    assert P in atoms(build.eq(either, build.select(array, X)))


@settings(max_examples=60)
@given(st.integers(0, 2**32))
def test_telling_apart_keeps_the_meaning(seed: int) -> None:
    pick = random.Random(seed)
    arrays: list[Term] = [Symbol("m", ArraySort(INT, INT))]
    numbers: list[Term] = [X, Y, Z, build.integer(1)]
    for _ in range(6):
        arrays.append(build.store(pick.choice(arrays), pick.choice(numbers), pick.choice(numbers)))
        if pick.random() < 0.3:
            arrays.append(build.ite(P, pick.choice(arrays), pick.choice(arrays)))
        numbers.append(build.select(pick.choice(arrays), pick.choice(numbers)))
        numbers.append(build.add(pick.choice(numbers), pick.choice(numbers)))
    term = build.and_(
        *(build.le(pick.choice(numbers), pick.choice(numbers)) for _ in range(2)),
        build.or_(P, build.eq(numbers[-1], numbers[-2])),
    )
    apart = told_apart(term)
    for _ in range(20):
        cells = {number: pick.randint(-1, 3) for number in range(-3, 8)}
        model = {symbol: pick.randint(-1, 3) for symbol in (X, Y, Z)}
        values: dict[Symbol, ModelValue] = {**model, P: pick.randint(0, 1)}
        values[arrays[0]] = array_value(0, cells, INT)
        assert TermEvaluator(values).holds(apart) == TermEvaluator(values).holds(term)


# --- the words of the program ---------------------------------------------------------------------

_RECORDS = """
struct in { int a; int b; };
struct s { int f; struct s *n; char c; struct in i; int arr[3]; unsigned m : 3; };
struct s g, *head, plain, table[5];
int x, a[10], m[3][4], *p; unsigned u; char c, *cp; long long l; short h;
void f(void) {} void (*fp)(void);
int main(void) {
  int i = __VERIFIER_nondet_int(), j = i, n = __VERIFIER_nondet_int();
  struct s *q = malloc(sizeof *q); head = q; if (n) q = &g; fp = f;
  p = &x; if (n) p = &a[2]; cp = malloc(10); if (q->n) q->n = &g;
  %s
  return 0; }
"""
_SAME = """x == 0|x != n|n == x|i + 1 < n|i <= n|-x < i|5 - x < i|2 * i <= n + 3|u < 5|u + 1 < 5
plain.f == 3|a[3] == 1|a[i] == 3|a[i + 1] < a[i]|a[i - 1] < a[j]|m[i][j] == 1|m[1][j] == 1
table[i].f == 1|table[i].arr[j] == 1|g.i.b == 2|q->f == 0|q->n == 0|q->n == &g|q->i.b == 2
q->arr[i] == 1|*p == 1|p[1] == 1|p == &x|p == &a[2]|fp == f|l < i|l + 1 < i|x % 2 == 0|x / 2 == 5
u % 2 == 0|u == (unsigned)i|x & 4|(x & 7) == 5|(unsigned)x >> 3 == 0u"""
_OTHERWISE = {
    "c == 97": "c == 97",
    "c + 1 < 0": "c < -1",
    "q->n->c == 97": "q->n->c == 97",
    "cp[i] == 2": "cp[i] == 2",
    "plain.m == 5": "plain.m == 5",
    "i + 1ll <= n": "i < n",
    "x >= 1": "x > 0",
    "x < 1": "x <= 0",
    "x > -1": "x >= 0",
    "u > 0": "u != 0",
    "u <= 0": "u == 0",
    "3ll * x == 6": "x == 2",
    "2ll * x < 7": "x < 4",
    "2ll * x - 2ll * i == 1": "false",
    "x + 3ll == i - 2ll": "(long long)i == (long long)x + 5",
}


def conditions(source: list[str], encoding: str, model: DataModel) -> tuple[Formulas, list[Expr]]:
    body = "\n".join(f"if ({text}) x = 7;" for text in source)
    program = program_of_c(_RECORDS % f"start: ; {body}", data_model=model)
    main = program.functions["main"]
    found, here = [], main.labels["start"]
    while len(found) < len(source):
        edge = main.outgoing[here][0]
        here = main.outgoing[here][-1].dst
        if isinstance(edge.op, Assume):
            found.append(edge.op.cond)
    return formulas_of(program, encoding), found


@pytest.mark.parametrize("encoding", ["int", "bv"])
@pytest.mark.parametrize("model", list(DataModel))
def test_what_the_program_says_comes_back(encoding: str, model: DataModel) -> None:
    source = [text for line in _SAME.splitlines() for text in line.split("|")]
    formulas, found = conditions(source, encoding, model)
    for cond in found:
        term = encoded(formulas, cond)
        again = phrase(formulas, term)
        assert encoded(formulas, again) is term, (show_expr(cond), show_expr(again))
    assert not formulas.adopted


@pytest.mark.parametrize("text", _OTHERWISE)
def test_numbers_are_compared_as_a_person_would(text: str) -> None:
    formulas, (cond,) = conditions([text], "int", DataModel.LP64)
    term = encoded(formulas, cond)
    found = phrase(formulas, term)
    assert show_expr(found) == _OTHERWISE[text]
    assert equivalent(formulas, encoded(formulas, found), term)
    other = phrase(formulas, build.not_(term))
    assert equivalent(formulas, encoded(formulas, other), build.not_(term))


def test_flags_and_bytes() -> None:
    formulas, found = conditions(["x & 8", "(char)x == 3", "q->m == 5"], "bv", DataModel.LP64)
    shown = [show_expr(phrase(formulas, encoded(formulas, cond))) for cond in found]
    assert shown == [
        "(x & 8) != 0",
        "(char)x == 3",
        "(*(unsigned char *)((char *)q + 40) & 7) == 5",
    ]


def test_a_place_that_the_program_does_not_have_is_adopted() -> None:
    """Nobody reads an int through q, so its type does not tell in which map that would be."""
    program = program_of_c(
        """int x, y, *p; void *q;
        int main(void) { p = __VERIFIER_nondet_int() ? &x : &y; q = p; *p = 3; return q != 0; }"""
    )
    formulas = formulas_of(program, "int")
    [info] = formulas.partition.regions[1:]
    q = next(item.var for item in program.globals if item.var.name == "q")
    held = build.select(formulas.get(START, info.id).term, formulas.get(START, q).term)
    term = build.eq(held, build.integer(3))
    found = phrase(formulas, term)
    assert show_expr(found) == "*(int *)q == 3"
    assert encoded(formulas, found) is term


def test_an_unknown_address_is_adopted() -> None:
    program = program_of_c(
        """int a[4]; unsigned long u;
        int main(void) { a[__VERIFIER_nondet_int() & 3] = 1; return a[u & 3]; }"""
    )
    formulas = formulas_of(program, "bv")
    [info] = formulas.partition.regions[1:]
    u = next(item.var for item in program.globals if item.var.name == "u")
    held = build.select(formulas.get(START, info.id).term, formulas.get(START, u).term)
    term = build.eq(held, bitvectors.bits(3, 32))
    found = phrase(formulas, term)
    assert show_expr(found) == "*(int *)u == 3"
    assert list(formulas.adopted.values()) == [InRegion(info.id)]
    assert encoded(formulas, found) is term
    assert phrase(formulas, term) is found


def test_a_place_is_adopted_by_one_map_only() -> None:
    program = program_of_c(
        """int a[4], b[4]; unsigned long u;
        int main(void) { unsigned i = u & 3; a[i] = 1; b[i] = 2; return a[i] + b[i]; }"""
    )
    formulas = formulas_of(program, "bv")
    u = next(item.var for item in program.globals if item.var.name == "u")
    one, two = (
        build.select(formulas.get(START, info.id).term, formulas.get(START, u).term)
        for info in formulas.partition.regions[1:]
    )
    found = phrase(formulas, build.eq(one, bitvectors.bits(3, 32)))
    with pytest.raises(UnsupportedFeature):
        phrase(formulas, build.eq(two, bitvectors.bits(3, 32)))
    assert encoded(formulas, found) is build.eq(one, bitvectors.bits(3, 32))


def test_what_has_no_words_is_refused() -> None:
    formulas, (cond,) = conditions(["a[i] == 3"], "int", DataModel.LP64)
    term = encoded(formulas, cond)
    assert phrase(formulas, term)
    array = next(part for part in symbols([term]) if isinstance(part.sort, ArraySort))
    fresh = formulas.fresh("input", C_INT).term
    with pytest.raises(UnsupportedFeature):
        phrase(formulas, build.eq(fresh, build.integer(3)))
    with pytest.raises(UnsupportedFeature):
        phrase(formulas, build.lt(formulas.heap_end(START).term, build.integer(3)))
    with pytest.raises(UnsupportedFeature):
        phrase(formulas, build.eq(array, build.store(array, fresh, fresh)))


# --- the law --------------------------------------------------------------------------------------


def phrased(seed: int, other: int, encoding: str, plain: bool) -> tuple[Formulas, Term] | None:
    """A condition at the start of some statements, or what it is before them, if it has words."""
    program = straight_program(seed, 3, records=encoding == "bv", division=False)
    formulas = formulas_of(program, encoding)
    try:
        environment = START
        if not plain:
            environment = path_formula(formulas, middle(program), START).environment
        term = formulas.encoder(environment).condition(formula(other, program))
        phrase(formulas, term)
    except (UnsupportedFeature, NeedsBitVectors):
        return None
    return formulas, term


def test_the_words_mean_the_condition() -> None:
    compared = 0

    @settings(max_examples=60)
    @given(
        st.integers(0, 2**32), st.integers(0, 2**32), st.sampled_from(["bv", "int"]), st.booleans()
    )
    def law(seed: int, other: int, encoding: str, plain: bool) -> None:
        nonlocal compared
        found = phrased(seed, other, encoding, plain)
        if found is None:
            return
        formulas, term = found
        for part in (term, *atoms(term)):
            assert equivalent(formulas, encoded(formulas, phrase(formulas, part)), part)
        compared += 1

    law()
    assert compared >= 50, compared
