"""A few concrete runs find shallow bugs, also behind pointers from outside, and stop in time."""

from __future__ import annotations

import time

import pytest

from predabs.concrete.compared_constants import ComparedConstants
from predabs.concrete.inputs import RandomInputs
from predabs.concrete.interpreter import Run, execute
from predabs.concrete.outcome import ErrorReached, Outcome, StepLimit
from predabs.engines.concrete_runs import ConcreteRuns
from predabs.evidence.replay import Confirmed, replay
from predabs.ir.ops import Call, Havoc, Source
from predabs.ir.types import INT
from predabs.verdict import Unsafe
from support.c_programs import program_of_c

EVENTS = """int state;
int init(void) { int r = __VERIFIER_nondet_int(); return r; }
int main(void) {
  if (init() != 0) return 0;
  for (;;) {
    int event = __VERIFIER_nondet_int();
    switch (event) {
      case 1001: if (state == 0) state = 1; break;
      case 1002: if (state == 1) state = 2; break;
      case 1003: if (state == 2) reach_error(); break;
      default: while (1);
    }
  }
}"""

BEHIND = """struct dev { int kind; struct dev *next; int (*open)(struct dev *); };
struct dev *get(void);
int main(void) {
  struct dev *d = get();
  if (d && d->next && d->next != d && d->open(d) == 0) reach_error();
}"""

LONG = "int main(void) { for (int i = 0; i < 20000; i++); reach_error(); }"


BEFORE = """int main(void) {
  int x = __VERIFIER_nondet_int(), s = 0;
  for (int i = 0; i < 20000; i++) s += i & 3;
  if (x == 31337 && s) reach_error();
}"""

LATE = """int main(void) {
  int s = 0;
  for (int i = 0; i < 20000; i++) s += i & 3;
  if (__VERIFIER_nondet_int() == 31337 && s) reach_error();
}"""


@pytest.mark.parametrize(
    "text",
    [EVENTS, BEHIND, LONG, BEFORE, LATE],
    ids=["events", "behind", "long", "before", "late"],
)
def test_a_bug_that_a_few_runs_find_replays(text: str) -> None:
    program = program_of_c(text)
    found = ConcreteRuns(program).bug(30.0)
    assert isinstance(found, Unsafe)
    assert isinstance(replay(program, found.inputs), Confirmed)


def test_time_is_up() -> None:
    program = program_of_c("int main(void) { while (1); reach_error(); }")
    begun = time.process_time()
    assert ConcreteRuns(program).bug(0.2) is None
    assert time.process_time() - begun < 10


def test_inputs_are_compared_with_constants_wherever_they_are_copied() -> None:
    program = program_of_c(
        "struct s { int a; long b; } g;"
        "int one(void) { return __VERIFIER_nondet_int(); }"
        "int pass(int p) { if (p == 4) return 0; return p; }"
        "int get(void);"
        "int main(void) { int x = one(), y; g.b = get(); y = g.b; if (pass(x) == 5) return 1;"
        " if (x < 6) return 2; if (y != -7) return 3; }"
    )
    constants = ComparedConstants(program)
    edges = [e for f in program.functions.values() for e in f.edges]
    (nondet,) = (e for e in edges if isinstance(e.op, Havoc) and e.op.source is Source.NONDET)
    (get,) = (e for e in edges if isinstance(e.op, Call) and "name='get'" in repr(e.op.callee))
    assert {4, 5, 6} <= set(constants.of(nondet))
    assert constants.of(get) == (-7,)
    values = {
        RandomInputs(seed, compared=constants).scalar(Source.EXTERN, "get", INT, get)
        for seed in range(50)
    }
    assert -7 in values and len(values) > 2


def test_floating_point_inputs_lie_between_what_they_are_compared_with() -> None:
    program = program_of_c(
        "double __VERIFIER_nondet_double(void);"
        "int main(void) { double x = __VERIFIER_nondet_double();"
        " if (x >= 20.25 && x <= 20.75 && x * x > 420.0) reach_error(); return 0; }"
    )
    assert isinstance(ConcreteRuns(program).bug(60.0), Unsafe)


def test_runs_without_inputs_are_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """In each turn, one of them says what the others do."""
    program = program_of_c("int main(void) { int s = 0; for (;;) s++; }")
    asked: list[int | None] = []

    def go_on(run: Run, most: int | None, deadline: float | None) -> Outcome:
        asked.append(most)
        return StepLimit(most or 0)

    monkeypatch.setattr(Run, "go_on", go_on)
    assert ConcreteRuns(program).bug(600.0) is None
    assert asked.count(asked[0]) > 20 and len(asked) - asked.count(asked[0]) == 2


FAR = """int a[3000], b[3000];
int main(void) {
  for (int i = 0; i < 3000; i++) a[i] = __VERIFIER_nondet_int();
  for (int i = 0; i < 3000; i++) b[i] = a[i] & 0xfffffff;
  for (int i = 0; i < 3000; i++) if (a[i] != b[i]) reach_error();
}"""


def test_a_run_goes_on_when_there_is_more_time() -> None:
    """Zeros meet no error; in no time at all a long run does nothing but begin."""
    program = program_of_c(FAR)
    runs = ConcreteRuns(program)
    calls = next((n, bug) for n in range(1000) if (bug := runs.bug(0.0)) is not None)
    assert calls[0] > 0
    assert isinstance(replay(program, calls[1].inputs), Confirmed)


def test_a_run_that_is_taken_up_again_ends_as_one_that_is_not() -> None:
    program = program_of_c(FAR)
    whole = execute(program, RandomInputs(1))
    run = Run(program, RandomInputs(1))
    ends = [run.go_on(steps, None) for steps in range(1000, 80_000, 1000)]
    stopped = [end for end in ends if isinstance(end, StepLimit)]
    assert isinstance(whole, ErrorReached) and ends == [*stopped, *[whole] * (79 - len(stopped))]
    assert 10 < len(stopped) == (whole.steps - 1) // 1000
