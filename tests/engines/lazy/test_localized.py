"""Localized programs: verdicts are those of the whole program, whatever is passed over."""

from __future__ import annotations

from dataclasses import replace

import pytest

from predabs.analysis import localized_flow
from predabs.analysis.facts import ProgramFacts
from predabs.concrete.inputs import RandomInputs, ZeroInputs
from predabs.concrete.interpreter import execute
from predabs.concrete.outcome import ErrorReached
from predabs.engines.engine import EngineTask, create
from predabs.engines.lazy import program_size
from predabs.engines.learned import Learned
from predabs.errors import ResourceExhausted, UnsupportedFeature
from predabs.evidence.certificate import CertificateRefuted, certify
from predabs.evidence.replay import NotReplayed, replay
from predabs.ir.cfa import Program
from predabs.options import Budget, Options
from predabs.verdict import Safe, Unknown, Unsafe, Verdict
from support.c_programs import program_of_c
from support.counted_time import counted_time
from support.engine_checks import checked
from support.procedures_random import many_procedures
from support.selection import mostly_long

SECONDS = 2.0


@pytest.fixture(autouse=True)
def localized(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every program is large, and the localized search is the first."""
    for name in ("_LARGE", "_VAST", "_PROCEDURES"):
        monkeypatch.setattr(program_size, name, 0)


def decide(name: str, subject: Program, seconds: float = SECONDS) -> Verdict:
    try:
        with counted_time():
            return checked(name, subject, Options(), Budget.of(seconds))
    except (ResourceExhausted, UnsupportedFeature) as problem:
        return Unknown(str(problem))


@pytest.mark.parametrize("seed", mostly_long(range(40), 10))
def test_nobody_contradicts_the_verdict(seed: int) -> None:
    nobody_contradicts(program_of_c(many_procedures(seed)))


@pytest.mark.parametrize("seed", mostly_long(range(40), 10))
def test_nobody_contradicts_the_verdict_of_a_recursive_program(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(localized_flow, "_LARGE", seed % 2 * 50)
    nobody_contradicts(program_of_c(many_procedures(seed, recursive=True)))


def nobody_contradicts(subject: Program) -> None:
    match decide("lazy", subject):
        case Safe():
            runs = (ZeroInputs(), *map(RandomInputs, range(12)))
            ends = [execute(subject, inputs, max_steps=400) for inputs in runs]
            assert not any(isinstance(end, ErrorReached) for end in ends)
            assert not isinstance(decide("bounded", subject, 1.0), Unsafe)
        case Unsafe(inputs, _):
            assert not isinstance(replay(subject, inputs), NotReplayed)
            assert not isinstance(decide("bounded", subject, 1.0), Safe)


NOISE = """int noise(int n) { int i, s = 0; for (i = 0; i < n; i++) s += i * i; return s; }
int locked; struct s { int a; struct s *next; } *list;
static void walk(void) { struct s *e; for (e = list; e; e = e->next) e->a = noise(e->a); }
static void stop(void) { while (1) ; }
static void lock(void) { walk(); if (locked) reach_error(); locked = 1; }
static void unlock(void) { if (!locked) reach_error(); locked = 0; walk(); }
"""


def test_what_has_no_say_is_passed_over() -> None:
    verdict = decide(
        "lazy",
        program_of_c(
            NOISE + "int main(void) { while (__VERIFIER_nondet_int()) { lock(); walk(); unlock(); }"
            " return noise(3); }"
        ),
    )
    assert isinstance(verdict, Safe)
    assert {item.location.function for item in verdict.invariants} == {"main"}


def test_what_a_proof_tracked_is_where_the_next_one_begins() -> None:
    """Storage in memory is found again by an lvalue, in this program or in a changed one."""
    text = NOISE.replace("int locked;", "struct l { int on; } *l;").replace("locked", "l->on")
    body = "l = malloc(4); l->on = 0; while (__VERIFIER_nondet_int()) { lock(); walk(); unlock(); }"
    program = program_of_c(f"{text} int main(void) {{ {body} return 0; }}")
    facts = ProgramFacts(program, single=False)
    first, precision = EngineTask(facts), None
    for task in (first, EngineTask(facts)):
        learned = None if precision is None else Learned("lazy", 1.0, (), precision)
        verdict = create("lazy", replace(task, learned=learned)).run(Budget.of(100.0))
        assert isinstance(verdict, Safe) and verdict.precision is not None
        if precision is not None:
            assert set(precision.storage) <= set(verdict.precision.storage)
            assert task.statistics.refinements < first.statistics.refinements
        precision = verdict.precision
        assert precision.localized and precision.predicates and precision.storage


def test_a_call_that_never_returns_is_no_way_to_the_error() -> None:
    body = (
        "int n = __VERIFIER_nondet_int(); lock(); if (n > 5) stop(); if (n > 7) lock(); return 0;"
    )
    assert isinstance(decide("lazy", program_of_c(NOISE + f"int main(void) {{ {body} }}")), Safe)


def test_a_violation_behind_passed_calls_is_made_whole() -> None:
    body = "if (noise(2) == 1) lock(); walk(); lock(); return 0;"
    subject = program_of_c(NOISE + f"int main(void) {{ {body} }}")
    verdict = decide("lazy", subject)
    assert isinstance(verdict, Unsafe)
    assert not isinstance(replay(subject, verdict.inputs), NotReplayed)


def test_invariants_of_a_localized_proof_are_certified() -> None:
    subject = program_of_c(
        """int x, y, z; static void other(void) { if (y < 100) y += z; }
int main(void) { x = 0; z = __VERIFIER_nondet_int();
  while (__VERIFIER_nondet_int()) { x = 1 - x; other(); if (x != 0 && x != 1) reach_error(); }
  return 0; }"""
    )
    verdict = decide("lazy", subject)
    assert isinstance(verdict, Safe)
    assert not isinstance(certify(subject, verdict.invariants), CertificateRefuted)


RECURSIVE = """int locked, depth; static void visit(int n) {
  if (locked) reach_error(); locked = 1; depth = n; locked = 0; if (n < 100) visit(n + 1); }
int main(void) { visit(__VERIFIER_nondet_int()); return 0; }"""


def test_what_holds_in_every_recursive_call_is_proved() -> None:
    assert isinstance(decide("lazy", program_of_c(RECURSIVE)), Safe)


def test_a_violation_in_a_recursive_call_is_found() -> None:
    subject = program_of_c(RECURSIVE.replace("locked = 0;", "locked = n == 7;"))
    verdict = decide("lazy", subject)
    assert isinstance(verdict, Unsafe)
    assert not isinstance(replay(subject, verdict.inputs), NotReplayed)


TWO = """int *p; static void f(int n) { int x = 0; if (n == 0) { p = &x; f(1); }
  else { x = 1; *p = 2; if (CONDITION) reach_error(); } }
int main(void) { f(0); return 0; }"""


@pytest.mark.parametrize("condition", ["x == 1", "p != &x", "*p == 2 && x != 2"])
def test_each_call_has_variables_of_its_own(condition: str) -> None:
    assert not isinstance(decide("lazy", program_of_c(TWO.replace("CONDITION", condition))), Safe)


def test_a_call_that_writes_nothing_tracked_may_still_fail() -> None:
    text = """int x;
static void look(int n) { while (n < 2) n++; if (x == LIMIT) reach_error(); }
int main(void) { while (x < 5) { look(x); x++; } look(x); return 0; }"""
    assert isinstance(decide("lazy", program_of_c(text.replace("LIMIT", "6"))), Safe)
    assert isinstance(decide("lazy", program_of_c(text.replace("LIMIT", "1"))), Unsafe)


def test_a_search_that_has_given_up_leaves_the_time_to_the_other(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(
        program_size, "_VAST", 1000
    )  # the whole program first: recursion is a limit there
    assert isinstance(decide("lazy", program_of_c(RECURSIVE)), Safe)
