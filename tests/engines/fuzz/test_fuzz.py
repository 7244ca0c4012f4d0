"""The fuzz engine finds sequences of events, in the whole program of a slice, and no others."""

from __future__ import annotations

import random

import pytest

from predabs.analysis.facts import ProgramFacts
from predabs.concrete.inputs import RecordingInputs, ZeroInputs
from predabs.concrete.outcome import Exited
from predabs.engines.engine import EngineTask, create, replayed_in
from predabs.engines.fuzz import engine as fuzz
from predabs.engines.fuzz.corpus import Corpus
from predabs.engines.fuzz.coverage import Coverage, Covered
from predabs.evidence.replay import Confirmed, NotReplayed, replay
from predabs.ir.cfa import Program
from predabs.options import Budget
from predabs.pipeline.preparation import sliced
from predabs.verdict import Unknown, Unsafe, Verdict
from support.c_programs import program_of_c
from support.counted_time import counted_time

# a lock that is taken twice, after a device was found, opened and left in a certain way
DRIVER = """int opened, locked;
void lock(void) { if (locked == 2) reach_error(); locked = 2; }
void unlock(void) { if (locked == 1) abort(); locked = 1; }
int probe(void) {
  int id = __VERIFIER_nondet_int();
  if (id != 4711) return -1;
  if (__VERIFIER_nondet_int() < 0) return -2;
  return 0;
}
void transfer(int kind) {
  lock();
  if (kind == 17) { if (__VERIFIER_nondet_int() == 3) return; }
  unlock();
}
int main(void) {
  locked = 1;
  for (;;) switch (__VERIFIER_nondet_int()) {
    case 0: if (opened == 0 && probe() == 0) opened = 1; break;
    case 1: if (opened == 1) { opened = 2; } break;
    case 2: if (opened == 2) transfer(__VERIFIER_nondet_int()); break;
    case 3: if (opened == 0) return 0; opened = opened - 1; break;
    default: abort();
  }
}"""

CORRECT = DRIVER.replace("== 3) return; }", "== 3) { unlock(); return; } }")

# in a slice without the access, the error can be reached at once
FAULT = """int *get(void);
int state;
int main(void) {
  int *p = __VERIFIER_nondet_int() == 5 ? &state : 0, other;
  other = *p;
  if (__VERIFIER_nondet_int() == 9) reach_error();
  return other;
}"""


def found(program: Program, part: ProgramFacts | None = None, seconds: float = 60.0) -> Verdict:
    task = EngineTask(part or ProgramFacts(program), whole=program)
    with counted_time(0.001):
        return create("fuzz", task).run(Budget.of(seconds))


def test_it_finds_a_sequence_of_events() -> None:
    program = program_of_c(DRIVER)
    bug = found(program)
    assert isinstance(bug, Unsafe)
    assert isinstance(replay(program, bug.inputs), Confirmed)


def test_the_whole_program_is_run() -> None:
    program = program_of_c(FAULT)
    part = sliced(ProgramFacts(program))
    bug = found(program, part)
    assert isinstance(bug, Unsafe) and isinstance(replay(program, bug.inputs), Confirmed)
    task = EngineTask(part, whole=program)
    assert replayed_in("fuzz", task) is program
    assert replayed_in("bounded", task) is part.program


def test_it_gives_up_where_nothing_is_new(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fuzz, "_ENOUGH", 300)
    monkeypatch.setattr(fuzz, "_IN_VAIN", 2)
    verdict = found(program_of_c(CORRECT))
    assert isinstance(verdict, Unknown) and "runs came to" in verdict.reason


@pytest.mark.parametrize("failing", [3, 1000])
def test_what_does_not_replay_is_no_violation(
    failing: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It goes on, but not for ever."""
    asked: list[object] = []

    def refuted(*args: object) -> NotReplayed | None:
        asked.append(args)
        return NotReplayed("the program ends") if len(asked) <= failing else None

    monkeypatch.setattr(fuzz, "refuted", refuted)
    verdict = found(program_of_c(DRIVER))
    if failing == 3:
        assert isinstance(verdict, Unsafe) and len(asked) == 4
    else:
        assert isinstance(verdict, Unknown) and verdict.reason.endswith("the program ends")


def test_states_count_like_branches() -> None:
    text = """int state;
void look(void) {}
int main(void) {
  look(); state = __VERIFIER_nondet_int() & 3; look();
  if (state == 9) reach_error();
  return 0;
}"""
    coverage = Coverage(program_of_c(text))
    assert [var.name for var in coverage.variables] == ["state"]
    runs = [coverage.run(Fixed(value), 1000).features for value in (1, 2, 1)]
    # main and the first look begin with 0; what a run before it had is not new
    assert [sum(isinstance(one, tuple) for one in run) for run in runs] == [3, 1, 0]


def test_branches_outside_of_the_slice_do_not_count() -> None:
    program = program_of_c(DRIVER)
    everything, nothing = Coverage(program), Coverage(program, ())
    all_, none = everything.run(ZeroInputs(), 100), nothing.run(ZeroInputs(), 100)
    assert all_.outcome == none.outcome
    assert any(isinstance(feature, int) for feature in all_.features)
    assert not any(isinstance(feature, int) for feature in none.features)


class Fixed(ZeroInputs):
    """One value for all."""

    def __init__(self, value: int) -> None:
        self._value = value

    def scalar(self, *asked: object) -> int:
        return self._value


def test_the_corpus_has_the_shortest_run_for_each_feature() -> None:
    program = program_of_c(DRIVER)
    inputs = RecordingInputs(ZeroInputs())
    Coverage(program).run(inputs, 100)
    long, short = tuple(inputs.taken), tuple(inputs.taken[:1])
    corpus = Corpus(random.Random(1))
    assert corpus.chosen() == ((), 0)
    assert corpus.add(long, Covered(Exited(0), 100, frozenset([1, 2])))
    assert not corpus.add(short, Covered(Exited(0), 5, frozenset([1])))
    assert {corpus.chosen() for _ in range(50)} == {(long, 100), (short, 5)}
    assert len(corpus) == 2
