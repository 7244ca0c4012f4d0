"""Newton: predicates out of paths that no run follows, and conditions taken apart."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from predabs.analysis.facts import ProgramFacts
from predabs.c2bp.abstraction_context import abstraction_context
from predabs.ir import make
from predabs.ir.cfa import Program
from predabs.ir.expr import FALSE, TRUE, Binary, Const, Expr, Op, Var
from predabs.ir.ops import Error
from predabs.ir.path import Path
from predabs.ir.result_variables import with_results
from predabs.ir.show import show_expr
from predabs.ir.types import IntType
from predabs.ir.walk import substitute, variables
from predabs.refine.atoms import atoms, conjuncts, eliminated, equal_to
from predabs.refine.feasible import Infeasible, check_path
from predabs.refine.newton.newton import Newton
from predabs.smt.solver import Statistics
from support.c2bp_examples import INC, SWAP
from support.c_programs import program_of_c
from support.slam_setup import Searched, searched

ID = """int id(int x) { return x; }
int main(void) { int n = __VERIFIER_nondet_int(); int a = id(n), b = id(n + 1);
  if (a != n) reach_error(); if (b != n + 1) reach_error(); return 0; }"""
CONSTANTS = """int id(int x) { return x; }
int main(void) { int a = id(3), b = id(5);
  if (a != 3) reach_error(); if (b != 5) reach_error(); return 0; }"""
GLOBAL = """int g; void inc(void) { g = g + 1; }
int main(void) { g = __VERIFIER_nondet_int(); int old = g; inc(); inc();
  if (g != old + 2) reach_error(); return 0; }"""
COUNT = """int f(int n) { if (n == 0) return 0; return f(n - 1) + 1; }
int main(void) { int n = __VERIFIER_nondet_int(); int r = f(n);
  if (r != n) reach_error(); return 0; }"""
THROUGH = """int one(void) { return 1; } int two(void) { return 2; } int (*f)(void);
int main(void) { f = one; if (__VERIFIER_nondet_int()) f = two; int r = f();
  if (f == two) if (r != 2) reach_error(); return 0; }"""
POINTER = """void inc(int *p) { *p = *p + 1; }
int main(void) { int x = 1; inc(&x); if (x != 2) reach_error(); return 0; }"""
BETWEEN = """int main(void) { int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
  int v = __VERIFIER_nondet_int(); if (x < v) if (v <= y) if (y < x) reach_error(); return 0; }"""


def proved(source: str, entry: str = "main") -> Searched:
    found = searched(program_of_c(source, entry))
    assert found.kind == "Safe", found.verdict
    return found


def sections(found: Searched) -> dict[str, set[str]]:
    """The predicates of each section of the predicates files."""
    named: dict[str, set[str]] = {}
    name = ""
    for line in found.found:
        if line.endswith(":"):
            name = line[:-1]
        else:
            named.setdefault(name, set()).add(line)
    return named


def test_inc_and_foo() -> None:
    """[BMR05, figure 1]: what inc returns is said about its argument, for both calls."""
    found = proved(INC, "foo")
    named = sections(found)
    assert "x == 'x + 1" in named["inc"]
    assert {"a == 2", "c == 4"} <= named["foo"]


def test_one_polymorphic_predicate_serves_two_calls() -> None:
    assert sections(proved(ID))["id"] == {"x == 'x"}


def test_two_constants() -> None:
    """`x == 3` and `x == 5` would do too; `x == 'x` does for all."""
    assert "x == 'x" in sections(proved(CONSTANTS))["id"]


def test_a_global_that_a_callee_changes() -> None:
    """The value of a global at the entry has a symbolic constant as well."""
    assert "g == 'g + 1" in sections(proved(GLOBAL))["inc"]


def test_recursion() -> None:
    """Single paths tell what the shortest ones return; summaries tell the rest."""
    named = sections(proved(COUNT))
    assert any("'n" in line and "return" in line for line in named["f"])


def test_a_call_through_a_pointer() -> None:
    named = sections(proved(THROUGH))
    assert "f == two" in named["global"]
    assert named["two"] == {"return == 2"} and "one" not in named


@pytest.mark.parametrize("source", [POINTER, SWAP], ids=["inc", "swap"])
def test_variables_of_the_caller(source: str) -> None:
    """Where the callee has a pointer to one, it is `*'p` there [BMR05, section 5]."""
    named = sections(proved(source))
    function = "swap" if source is SWAP else "inc"
    assert any("*'p ==" in line for line in named[function]), named


def test_inputs_are_eliminated() -> None:
    named = sections(proved(BETWEEN))
    assert named == {"main": {"x < v", "v <= y", "y < x"}}


def test_only_the_core_tells_predicates() -> None:
    """And what has nothing to do with it does not occur."""
    source = """int x, y; int main(void) { x = 1; y = 2; __VERIFIER_assume(y > 0);
      __VERIFIER_assume(x == 2); reach_error(); return 0; }"""
    program = with_results(program_of_c(source))
    here = abstraction_context(ProgramFacts(program), {}, 1, lambda: None, Statistics())
    newton = Newton(program, here.effects, here.aliasing)
    path = straight(program)
    found = check_path(program, path, Statistics())
    assert isinstance(found, Infeasible)
    shown = {show_expr(one.expr) for one in newton.predicates(path, found.core)}
    assert shown == {"x == 2"}
    assert newton.predicates(path, ()) == []


def straight(program: Program) -> Path:
    """From the start to the error of a function, where there is one way; what is assumed holds."""
    function = program.functions["main"]
    taken = [function.outgoing[function.entry][0]]
    while not isinstance(taken[-1].op, Error):
        taken.append(function.outgoing[taken[-1].dst][0])
    return Path(tuple(taken))


# --- conditions -----------------------------------------------------------------------------------

SMALL = IntType(2, True)
A, B, C, V = (Var(name, SMALL) for name in "abcv")
RANGE = range(-2, 2)
TERMS = st.sampled_from([A, B, C, V]) | st.integers(-2, 1).map(lambda n: make.const(n, SMALL))
SUMS = TERMS | st.builds(make.binary, st.sampled_from([Op.ADD, Op.SUB]), TERMS, TERMS)
ATOMS = st.builds(make.compare, st.sampled_from([Op.EQ, Op.LT, Op.LE]), SUMS, SUMS)
LITERALS = ATOMS | ATOMS.map(make.negate)
CONDITIONS = st.recursive(
    LITERALS,
    lambda inner: st.one_of(
        st.lists(inner, min_size=2, max_size=3).map(make.conj),
        st.lists(inner, min_size=2, max_size=3).map(make.disj),
        inner.map(make.negate),
    ),
    max_leaves=5,
)


def truth(condition: Expr, values: tuple[int, ...]) -> bool:
    names = {var: make.const(n, SMALL) for var, n in zip((A, B, C, V), values, strict=True)}
    found = substitute(condition, names)
    assert found in (TRUE, FALSE)
    return found is TRUE


@settings(max_examples=60, deadline=None)
@given(st.lists(LITERALS, min_size=1, max_size=4))
def test_what_is_eliminated_is_implied(conditions: list[Expr]) -> None:
    """For each value of the name that all conditions allow, what is left holds."""
    left = eliminated(conditions, [V])
    assert not any(V in variables(condition) for condition in left)
    for values in product(RANGE, repeat=4):
        if all(truth(condition, values) for condition in conditions):
            assert all(truth(condition, values) for condition in left)


@settings(max_examples=60, deadline=None)
@given(CONDITIONS)
def test_conjuncts_are_the_condition(condition: Expr) -> None:
    parts = conjuncts(condition)
    for values in product(RANGE, repeat=4):
        assert all(truth(part, values) for part in parts) is truth(condition, values)


@settings(max_examples=60, deadline=None)
@given(CONDITIONS)
def test_atoms_decide_the_condition(condition: Expr) -> None:
    """Where all atoms have the same values, so has the condition."""
    parts = atoms(condition)
    assert not any(isinstance(part, Const) for part in parts)
    seen: dict[tuple[bool, ...], bool] = {}
    for values in product(RANGE, repeat=4):
        key = tuple(truth(part, values) for part in parts)
        assert seen.setdefault(key, truth(condition, values)) is truth(condition, values)


@settings(max_examples=60, deadline=None)
@given(ATOMS)
def test_what_a_name_is_equal_to(condition: Expr) -> None:
    for other in equal_to(condition, V):
        assert isinstance(condition, Binary)
        assert V not in variables(other)
        for values in product(RANGE, repeat=4):
            if truth(condition, values):
                assert truth(make.equal(V, other), values)


def test_bounds_meet() -> None:
    below, above = make.less(A, V), make.less_equal(V, B)
    assert eliminated([below, above, make.less(B, C)], [V]) == [make.less(B, C), make.less(A, B)]
    assert eliminated([make.equal(V, A), above], [V]) == [make.less_equal(A, B)]
    assert eliminated([make.negate(make.equal(V, A))], [V]) == []
