"""The numpred engine: what it proves, how it learns, how it ends, and its proofs on trial."""

from __future__ import annotations

import pytest

from predabs.engines.numpred.engine import NumPredEngine
from predabs.evidence.certificate import Certified, certify
from predabs.evidence.invariants import loop_invariants
from predabs.ir.cfa import Program
from predabs.numpred.domain.structures import STRUCTURES
from predabs.numpred.program import precision
from predabs.options import Budget, Options, TimeOver
from predabs.statistics import EngineStatistics
from predabs.verdict import Safe, Unknown, Unsafe, Verdict
from support.c_programs import program_of_c
from support.counted_time import LONG, counted_time
from support.engine_checks import checked, task_of


def check(program: Program | str, seconds: float = LONG, **options: object) -> Verdict:
    """The verdict; a second is so much work."""
    subject = program_of_c(program) if isinstance(program, str) else program
    with counted_time():
        return checked("numpred", subject, Options(**options), Budget.of(seconds))


COUNT = (
    "int main(void) { int x = 0; while (x < 1000) x++; if (x != 1000) reach_error(); return 0; }"
)
TWICE = """int main(void) { int a = 0;
  for (int i = 0; i < 10; i++) a += 2;
  if (a != 20) reach_error(); return 0; }"""
FLAG = """int main(void) { int locked = 0, n = 0;
  while (__VERIFIER_nondet_int()) {
    if (locked) { n--; locked = 0; } else { n++; locked = 1; } }
  if (locked && n != 1) reach_error();
  if (!locked && n != 0) reach_error();
  return 0; }"""


def shown(text: str, **options: object) -> list[str]:
    """The invariants of a proof."""
    program = program_of_c(text)
    verdict = check(program, **options)
    assert isinstance(verdict, Safe)
    assert certify(program, verdict.invariants) == Certified()
    return [invariant.text for invariant in loop_invariants(program, verdict.invariants)]


def test_intervals_with_narrowing() -> None:
    assert shown(COUNT, numeric="box") == ["x >= 0 && x <= 1000"]


@pytest.mark.needs_polyhedra
def test_a_relation_needs_polyhedra() -> None:
    for numbers in ("box", "octagon"):
        assert isinstance(check(TWICE, numeric=numbers), Unknown)
    assert shown(TWICE)[0].startswith("a == (long long)i * 2")


@pytest.mark.parametrize("structure", STRUCTURES)
def test_predicates_and_numbers(structure: str) -> None:
    """Here a flag and a counter go together."""
    found = check(FLAG, domain=structure, numeric="box", seconds=20)
    if structure in ("nex", "mtndd"):
        assert isinstance(found, Safe)
    assert not isinstance(found, Unsafe)


def test_widening_stops_at_conditions() -> None:
    text = """int main(void) { int x = 0;
      while (__VERIFIER_nondet_int()) if (x < 100) x++;
      if (x > 100) reach_error(); return 0; }"""
    assert shown(text, numeric="box") == ["x >= 0 && x <= 100"]


def test_overflow_is_part_of_the_semantics() -> None:
    text = """int main(void) { unsigned char c = 0;
      while (__VERIFIER_nondet_int()) c = c + %s;
      if (c %s) reach_error(); return 0; }"""
    assert isinstance(check(text % ("100", "> 255")), Safe)
    assert isinstance(check(text % ("100", "== 44")), Unsafe)


def test_cells_are_learned_one_by_one() -> None:
    """With more variables than are tracked from the start."""
    names = [f"v{n}" for n in range(precision._MOST_CELLS + 1)]
    steps = " ".join(f"if ({name} > 5) {name} = 5;" for name in names)
    text = f"""int {", ".join(names)}; int main(void) {{
      v7 = __VERIFIER_nondet_int(); v8 = __VERIFIER_nondet_int(); {steps}
      if (v8 > 5) reach_error(); return 0; }}"""
    assert isinstance(check(text), Safe)


def test_calls_and_pointers() -> None:
    text = """static int total;
      static void add(int *to, int what) { if (what > 0) *to += what; else total++; }
      int main(void) { int x = 0, y = 0;
        for (int i = 0; i < 10; i++) { add(&x, 1); add(&y, 0); }
        if (y != 0 || total > 10) reach_error(); return 0; }"""
    assert isinstance(check(text), Safe)


def test_a_limit_is_told() -> None:
    text = """static int f(int n) { return n > 3 ? 1 : f(n + 1); }
      int main(void) { if (f(%s) > 1) reach_error(); return 0; }"""
    found = check(text % "__VERIFIER_nondet_int()")
    assert isinstance(found, Unknown)
    assert "a recursive call of f" in found.reason
    assert isinstance(check(text % "4"), Safe)


def test_nothing_new_is_told() -> None:
    """A product of variables is no linear form, and no predicates are allowed."""
    text = """int main(void) { unsigned x = 2 * __VERIFIER_nondet_uint() + 1, y = x;
      if (x * y == 4) reach_error(); return 0; }"""
    found = check(text, domain="numeric")
    assert isinstance(found, Unknown)
    assert "nothing new excludes it" in found.reason


@pytest.mark.parametrize(
    "text", [COUNT, pytest.param(TWICE, marks=pytest.mark.needs_polyhedra), FLAG]
)
def test_goes_on_after_the_time_is_over(text: str) -> None:
    """Each turn is short; what was learned in one is known in the next."""
    statistics = EngineStatistics()
    search = NumPredEngine(task_of(program_of_c(text), statistics=statistics))
    with counted_time():
        with pytest.raises(TimeOver):
            search.run(Budget.of(0.0))
        seconds, stopped, found = 0.01, 0, None
        while found is None:
            try:
                found = search.run(Budget.of(seconds))
            except TimeOver:
                seconds *= 1.3
                stopped += 1
    assert isinstance(found, Safe) and stopped > 3
    assert statistics.operations.calls


def test_a_switch_beside_related_numbers() -> None:
    """The input is no number once it is a predicate, so it does not blur what octagons relate."""
    text = """int main(void) { int up = __VERIFIER_nondet_int(), x = 0;
      for (int i = 0; i < 1000; i++) if (up) x++; else x--;
      if (up ? x != 1000 : x != -1000) reach_error(); return 0; }"""
    assert isinstance(check(text, domain="nex", numeric="octagon"), Safe)


@pytest.mark.needs_polyhedra
def test_conditions_are_carried_backwards_where_joins_are_to_blame() -> None:
    """Only `y > 0`, which the assertion says in other words, tells the ways through the loop
    apart."""
    text = """int main(void) { int x = -50, y = __VERIFIER_nondet_int();
      if (!(-1000 < y && y < 1000000)) return 0;
      while (x < 0) { x = x + y; y++; }
      int good = y > 0; if (!good) reach_error(); return 0; }"""
    assert isinstance(check(text), Safe)


def test_two_functions_are_not_the_same_term() -> None:
    """A table of functions read at equal indices: what one entry is says nothing about another
    function. The loop keeps the real path out of sight, so the abstraction alone must not prove
    it."""
    text = """static void f(void) {} static void g(void) {} static void h(void) {}
    void (*table[4])(void);
    int main(void) {
      int i = __VERIFIER_nondet_int(), j = __VERIFIER_nondet_int(), n = __VERIFIER_nondet_int();
      if (i < 0 || i > 3 || j != i) return 0;
      int sum = 0;
      for (int k = 0; k < 1000; k++) sum += 2;
      table[i] = n == 123456 ? f : h;
      if (sum == 2000 && table[i] == f && table[j] != g) reach_error();
      return 0; }"""
    assert not isinstance(check(text, domain="nex"), Safe)


def test_a_member_that_nobody_uses() -> None:
    """The bytes of s are in two maps, and only memset touches the member."""
    text = """struct S { int a; };
    int main(void) {
      struct S s; char ch = 0, *p = __VERIFIER_nondet_int() ? (char *)&s : &ch;
      memset(&s, 0, sizeof s);
      ((char *)&s)[1] = 1;
      *p = 2;
      if (ch != 0 && ch != 2) reach_error();
      if (((char *)&s)[1] != 1) reach_error();
      return 0; }"""
    assert not isinstance(check(text, seconds=5.0), Unsafe)
