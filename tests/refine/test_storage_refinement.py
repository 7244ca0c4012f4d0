"""What must be tracked to exclude a path, and when a path is feasible as it is."""

from __future__ import annotations

from predabs.analysis.facts import ProgramFacts
from predabs.analysis.localization import Localization
from predabs.analysis.localized_flow import LocalizedFlow
from predabs.encode.environment import Formulas
from predabs.encode.integer_encoding import IntegerEncoding
from predabs.ir.configuration import Transition, TransitionKind
from predabs.ir.expr import Var
from predabs.refine.storage_refinement import StorageRefiner
from predabs.smt.solver import Statistics
from support.c_programs import program_of_c


def refined(text: str, *tracked: Var) -> tuple[set[str], set[str]] | None:
    """What is tracked and entered more because of the first path to an error."""
    facts = ProgramFacts(program_of_c(text))
    here = Localization(facts.modref, frozenset(tracked))
    flow = LocalizedFlow(facts, here)
    todo: list[list[Transition]] = [[step] for step in reversed(flow.transitions(flow.entry))]
    path = todo.pop()
    while path[-1].kind is not TransitionKind.ERROR:
        if path[-1].dst is not None:
            todo += [[*path, step] for step in reversed(flow.transitions(path[-1].dst))]
        path = todo.pop()
    formulas = Formulas(facts.partition, IntegerEncoding(), None)
    found = StorageRefiner(formulas, here, Statistics(), lambda: 10.0).refine(flow.whole_path(path))
    if found is None:
        return None
    names = {slot.name if isinstance(slot, Var) else "memory" for slot in found.tracked}
    return names, set(found.entered)


def test_the_variables_of_a_contradiction() -> None:
    text = """int x, y, z; int main(void) { x = 1; z = __VERIFIER_nondet_int(); y = x + 1;
  if (z > 0) if (y != 2) reach_error(); return 0; }"""
    assert refined(text) == ({"x", "y"}, set())


def test_variables_rather_than_memory() -> None:
    text = """int t[3], x; int main(void) { t[__VERIFIER_nondet_int() & 1] = 1; x = 0;
  if (t[2] && x) reach_error(); return 0; }"""
    assert refined(text) == ({"x"}, set())
    assert refined(text.replace("&& x", "== 7")) == ({"memory"}, set())


def test_what_a_passed_call_may_have_written() -> None:
    text = """int x; static void f(void) { x = 0; }
int main(void) { x = 1; f(); if (x) reach_error(); return 0; }"""
    assert refined(text) == ({"x"}, set())


def test_a_feasible_path_is_made_whole() -> None:
    text = """int x, y; static void g(void) { y = 2; } static void f(void) { g(); }
int main(void) { x = 1; f(); if (x) reach_error(); return 0; }"""
    assert refined(text) == (set(), {"f", "g"})
    assert refined(text.replace("f();", "")) is None


def test_what_is_near_the_error_comes_first() -> None:
    text = """int x, y, z; int main(void) { x = 0; y = 0; z = 0;
  if (x) if (y) if (z) reach_error(); return 0; }"""
    assert refined(text) == ({"z"}, set())


LOOP = """int x, t[9]; int main(void) { int i, k = 0; x = 1;
  for (i = 0; i < 5; i++) t[i] = 2; if (x) reach_error(); return 0; }"""


def test_a_loop_that_is_passed_over_is_no_reason_to_track_its_counter() -> None:
    assert refined(LOOP.replace("x = 1", "x = 0")) == ({"x"}, set())
    assert refined(LOOP) == ({"main::i"}, set())  # nothing else is left to see


def test_what_a_passed_loop_may_have_written_first_variables_then_memory() -> None:
    both = LOOP.replace("t[i] = 2;", "{ t[i] = 2; k++; }").replace("if (x)", "if (k > 9 && t[2])")
    assert refined(both) == ({"main::i", "main::k"}, set())
    assert refined(LOOP.replace("if (x)", "if (t[2])")) == ({"main::i"}, set())
