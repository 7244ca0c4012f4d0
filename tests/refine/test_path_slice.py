"""Path slices: what of a path has a say in whether its end is reached."""

from __future__ import annotations

from predabs.analysis.facts import ProgramFacts
from predabs.ir.configuration import Transition, TransitionKind
from predabs.ir.show import show_op
from predabs.refine.path_slice import PathSlicer
from support.c_programs import program_of_c


def error_path(facts: ProgramFacts) -> list[Transition]:
    """The first path to an error, branches in source order."""
    flow = facts.flow
    todo: list[list[Transition]] = [[step] for step in reversed(flow.transitions(flow.entry))]
    while todo:
        path = todo.pop()
        if path[-1].kind is TransitionKind.ERROR:
            return path
        if path[-1].dst is not None and len(path) < 60:
            todo += [[*path, step] for step in reversed(flow.transitions(path[-1].dst))]
    raise AssertionError("no error")


def kept(text: str, whole: bool = False) -> str:
    facts = ProgramFacts(program_of_c(text))
    path = error_path(facts)
    found = PathSlicer(facts.program, facts.modref).slice(path, whole)
    return " ".join(show_op(op) for number in found.kept for op in path[number].ops)


def test_what_bypasses_nothing_and_writes_nothing_is_left_out() -> None:
    text = """int x, y; int main(void) { x = __VERIFIER_nondet_int(); y = 1;
  if (y > 2) y = 3; if (x) reach_error(); return 0; }"""
    assert "y" not in kept(text)
    assert "[x != 0]" in kept(text)
    assert "[y > 2]" in kept(text, whole=True)


def test_a_branch_that_may_write_what_is_read_is_kept() -> None:
    text = """int x, y; int main(void) { y = __VERIFIER_nondet_int();
  if (y > 2) y = 3; else x = 1; if (!x) reach_error(); return 0; }"""
    assert "[y > 2]" in kept(text)


def test_a_branch_that_bypasses_the_error_is_kept() -> None:
    text = """int x, y; static void stop(void) { while (1) ; }
int main(void) { y = __VERIFIER_nondet_int(); x = 1; if (%s; if (x) reach_error(); return 0; }"""
    assert "[y <= 2]" in kept(text % "y > 2) return 0")
    assert "[y <= 2]" in kept(text % "y > 2) stop()")
    assert "[y" not in kept(text % "y > 2) y = 1")


def test_calls_that_write_nothing_live_are_left_out() -> None:
    text = """int x, y, z; static void f(int n) { if (n > 3) %s = n; }
int main(void) { x = __VERIFIER_nondet_int(); f(y); if (x) reach_error(); return 0; }"""
    assert "[n > 3]" in kept(text % "x")
    assert "n" not in kept(text % "z").replace("nondet_int", "")
