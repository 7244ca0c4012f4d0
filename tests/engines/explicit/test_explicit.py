"""The explicit engine: what it follows, what it proves, and how its proofs are certified."""

from __future__ import annotations

import pytest

from predabs.engines.engine import EngineTask
from predabs.engines.explicit import engine as explicit
from predabs.engines.explicit.aptness import is_machine
from predabs.engines.explicit.engine import ExplicitEngine
from predabs.evidence.certificate import Certified, certify
from predabs.evidence.replay import NotReplayed, replay
from predabs.ir.show import show_expr
from predabs.options import Budget, TimeOver
from predabs.verdict import Safe, Unknown, Unsafe, Verdict
from support.c_programs import program_of_c
from support.counted_time import counted_time
from support.engine_checks import task_of

RING = """
int sender, receiver, event, token, local, other;
static void send(void) {
  if (sender == 0) { token = __VERIFIER_nondet_int(); local = token; event = 1; sender = 1; }
  else if (sender == 1 && event == 2) { if (token != local + 1) reach_error(); sender = 0; }
}
static void receive(void) {
  if (receiver == 0 && event == 1) receiver = 1;
  else if (receiver == 1) { token++; event = 2; receiver = 0; }
}
int main(void) {
  while (__VERIFIER_nondet_int()) {
    if (__VERIFIER_nondet_int()) send();
    if (__VERIFIER_nondet_int()) receive();
    other++;
  }
  return 0;
}
"""
# written and read in turns, for ever
QUEUE = """
int turn, written, seen;
int main(void) {
  for (;;) {
    if (turn == 0) { written++; turn = 1; }
    else { seen++; turn = 0; if (seen != written) reach_error(); }
  }
}
"""
# the bound of the counter matters
BOUND = """
int main(void) {
  int i, state = 0;
  for (i = 0; i < 150; i++) state = !state;
  if (state || i != 150) reach_error();
  return 0;
}
"""
LARGER = """
extern char __VERIFIER_nondet_char(void);
int main(void) {
  char a = __VERIFIER_nondet_char(), b = __VERIFIER_nondet_char(), c = __VERIFIER_nondet_char();
  int state = 0;
  __VERIFIER_assume(a < b && b <= c);
  while (__VERIFIER_nondet_int()) {
    char most = a > b ? a : b;
    if (state == 0 && most >= c && most != c) reach_error();
    if (state == 1 && a == c) reach_error();
    state = !state;
  }
  return 0;
}
"""
NARROW = """
extern unsigned char __VERIFIER_nondet_uchar(void);
int main(void) {
  unsigned char a = __VERIFIER_nondet_uchar(), b = a;
  while (__VERIFIER_nondet_int()) { a++; b++; if (a != b) reach_error(); }
  if (a + 1 != b + 1) reach_error();
  if (a == 255 && (unsigned char)(b + 1) != 0) reach_error();
  if (a == 300) reach_error();
  return 0;
}
"""
PROVED = {"ring": RING, "queue": QUEUE, "bound": BOUND, "larger": LARGER, "narrow": NARROW}
WRONG = {
    "ring": RING.replace("token != local + 1", "token == local + 1"),
    "queue": QUEUE.replace("seen++;", "seen++; if (__VERIFIER_nondet_int() == 5) seen--;"),
    "bound": BOUND.replace("i != 150", "i != 151"),
    "larger": LARGER.replace("a < b &&", "a <= b &&"),
    "narrow": NARROW.replace("a++; b++;", "a++;"),
    "widens": NARROW.replace("(unsigned char)(b + 1)", "(b + 1)"),
}
DATA = """
int data[4];
int main(void) {
  int i = __VERIFIER_nondet_int() & 3;
  data[i] = 1;
  if (data[i] != 1) reach_error();
  return 0;
}
"""
RECURSIVE = """
int f(int n) { return n == 0 ? 0 : f(n - 1); }
int main(void) { if (f(__VERIFIER_nondet_int())) reach_error(); return 0; }
"""


def verdict_of(text: str) -> tuple[Verdict, EngineTask]:
    task = task_of(program_of_c(text))
    with counted_time():
        return ExplicitEngine(task).run(Budget.of(200.0)), task


@pytest.mark.parametrize("name", PROVED)
def test_proved(name: str) -> None:
    verdict, _ = verdict_of(PROVED[name])
    assert isinstance(verdict, Safe)


@pytest.mark.parametrize("name", WRONG)
def test_violated(name: str) -> None:
    verdict, task = verdict_of(WRONG[name])
    assert isinstance(verdict, Unsafe)
    assert not isinstance(replay(task.program, verdict.inputs), NotReplayed)


@pytest.mark.parametrize("text", [DATA, RECURSIVE], ids=["memory", "recursion"])
def test_no_verdict(text: str) -> None:
    verdict, _ = verdict_of(text)
    assert isinstance(verdict, Unknown)


def test_only_what_matters_is_followed() -> None:
    verdict, task = verdict_of(RING)
    assert isinstance(verdict, Safe)
    assert task.statistics.predicates_total == 5, "not the variable `other`"
    (invariant,) = verdict.invariants
    text = show_expr(invariant.expr)
    assert "sender == 1 && event == 2 && receiver == 0 && token == local + 1" in text
    assert "other" not in text


@pytest.mark.parametrize("name", ["ring", "queue", "narrow"])
def test_invariants_are_certified(name: str) -> None:
    verdict, task = verdict_of(PROVED[name])
    assert isinstance(verdict, Safe)
    assert isinstance(certify(task.program, verdict.invariants), Certified)


def test_it_goes_on_where_it_was() -> None:
    task = task_of(program_of_c(RING))
    engine = ExplicitEngine(task)
    slices = 0
    with counted_time():
        while True:
            try:
                verdict = engine.run(Budget.of(0.01))
                break
            except TimeOver:
                slices += 1
    assert isinstance(verdict, Safe) and slices > 3


def test_several_reasons_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    _, one = verdict_of(RING)
    monkeypatch.setattr(explicit, "_MANY_STATES", 0)
    verdict, all_of_them = verdict_of(RING)
    assert isinstance(verdict, Safe)
    assert all_of_them.statistics.refinements <= one.statistics.refinements
    assert isinstance(verdict_of(WRONG["ring"])[0], Unsafe)


def test_which_programs_are_machines() -> None:
    assert is_machine(program_of_c(RING))
    assert not is_machine(program_of_c(BOUND))
    assert not is_machine(program_of_c(NARROW))
    jump = (
        "typedef void F(void); void g(void) {} void h(void) {} F *f = g; int main(void) { f(); %s }"
    )
    assert is_machine(program_of_c(jump % "f = h;"))
    assert not is_machine(program_of_c(jump % "f = 0;"))
    table = "void g(void) {} void h(void) {} void (*const t[2])(void) = { g, %s };"
    call = "int main(void) { t[__VERIFIER_nondet_int() & 1](); }"
    assert is_machine(program_of_c(table % "h" + call))
    assert not is_machine(program_of_c(table % "g" + call))
