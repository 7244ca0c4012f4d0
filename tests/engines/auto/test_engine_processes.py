"""Engines in processes of their own: what becomes of one that crashes, hangs or eats memory, who
answers first, and that nothing is left behind."""

from __future__ import annotations

import faulthandler
import os
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest

from predabs.engines import engine as table
from predabs.engines.auto import engine_processes, plan
from predabs.engines.auto.engine import AutoEngine
from predabs.engines.auto.engine_processes import EngineProcesses
from predabs.engines.auto.time_slice import TimeSlice
from predabs.engines.engine import Engine, EngineTask
from predabs.errors import InternalError
from predabs.ir import make
from predabs.ir.types import INT
from predabs.options import PROVERS, Budget, Options, TimeOver
from predabs.statistics import EngineStatistics
from predabs.supervise import cpu_seconds, own_bytes
from predabs.verdict import Invariant, Safe, Unknown, Unsafe, Verdict
from support.c_programs import program_of_c
from support.engine_checks import task_of
from support.processes import PATIENCE, is_alive, soon

# lazy, slam and numpred prove it, and smg is asked, because memory is allocated
LOOP = program_of_c(
    """int main(void) {
  int i = __VERIFIER_nondet_int() > 0, *p = malloc(4);
  *p = 0;
  while (__VERIFIER_nondet_int()) i = !i;
  if (i > 1) reach_error();
  free(p);
  return 0;
}"""
)
BUG = program_of_c("int main(void) { if (__VERIFIER_nondet_int() == 77) reach_error(); return 0; }")
ENGINES = tuple(name for name in ("bounded", *PROVERS) if name != "fuzz")  # of a small program
# who proves it when the other has crashed
HELPERS = {
    "bounded": "lazy",
    "lazy": "slam",
    "slam": "numpred",
    "numpred": "bounded",
    "smg": "lazy",
    "kinduction": "lazy",
    "cells": "lazy",
    "explicit": "bounded",
    "fuzz": "lazy",
}
CRASHES = (signal.SIGKILL, signal.SIGSEGV, signal.SIGABRT)

Behaviour = Callable[[EngineTask, Budget], Verdict]


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plan, "_SHARE", 0.005)
    monkeypatch.setattr(engine_processes, "_POLL_SECONDS", 0.005)


class Played:
    """An engine that does what a test says."""

    so_far = "nothing yet"

    def __init__(self, task: EngineTask, behave: Behaviour) -> None:
        self._task = task
        self._behave = behave

    def run(self, budget: Budget) -> Verdict:
        return self._behave(self._task, budget)


@pytest.fixture
def play(monkeypatch: pytest.MonkeyPatch) -> Callable[[dict[str, Behaviour]], None]:
    """Replaces engines."""

    def replace_them(behaviours: dict[str, Behaviour]) -> None:
        def create(name: str, task: EngineTask) -> Engine:
            if name in behaviours:
                return Played(task, behaviours[name])
            return table.create(name, task)

        monkeypatch.setattr(engine_processes, "create", create)

    return replace_them


def checked(
    jobs: int = 1, seconds: float | None = PATIENCE, memory: int | None = None, bug: bool = False
) -> tuple[Verdict, list[str]]:
    """The verdict, and who was tried and how it ended."""
    counted = EngineStatistics()
    options = Options(jobs=jobs, memory=memory)
    task = task_of(BUG if bug else LOOP, options, counted)
    verdict = AutoEngine(task).run(Budget.of(seconds))
    assert not children()
    return verdict, [f"{line.split()[0]}: {line.partition(' s: ')[2]}" for line in counted.tried]


EARLIER: set[int] = set()  # children that other tests have left to this process


def all_children() -> list[int]:
    return [int(word) for word in Path("/proc/thread-self/children").read_text().split()]


def children() -> list[int]:
    return [pid for pid in all_children() if pid not in EARLIER]


@pytest.fixture(autouse=True)
def earlier_children() -> None:
    EARLIER.clear()
    EARLIER.update(all_children())


def forever(task: EngineTask, budget: Budget) -> Verdict:
    while True:
        time.sleep(0.01)
        budget.check()


def give_up(task: EngineTask, budget: Budget) -> Verdict:
    return Unknown("no idea")


# --- one that fails -------------------------------------------------------------------------------


@pytest.mark.parametrize("number", CRASHES)
@pytest.mark.parametrize("victim", [*ENGINES, "fuzz"])
def test_a_crash_is_one_engines_own(
    victim: str,
    number: signal.Signals,
    play: Callable[[dict[str, Behaviour]], None],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    if victim == "fuzz":
        monkeypatch.setattr(plan, "_MANY_FUNCTIONS", 1)

    def crash(task: EngineTask, budget: Budget) -> Verdict:
        faulthandler.disable()  # pytest's would print the stack
        with suppress(TimeOver):
            table.create(victim, task).run(Budget.of(0.01))
        os.kill(os.getpid(), number)
        return Safe()

    asked: list[Budget] = []

    def later(task: EngineTask, budget: Budget) -> Verdict:
        asked.append(budget)
        return Safe() if len(asked) > 1 else forever(task, budget)

    helper = HELPERS[victim]
    play(
        {name: give_up for name in ENGINES if name != helper}
        | ({"bounded": later} if helper == "bounded" else {})
        | {victim: crash}
    )
    verdict, tried = checked()
    assert isinstance(verdict, Safe)
    how = {
        signal.SIGKILL: "there was not enough memory for it, or somebody killed it",
        signal.SIGSEGV: "it crashed, probably inside a solver: it was ended by SIGSEGV",
        signal.SIGABRT: "it crashed, probably inside a solver: it was ended by SIGABRT",
    }
    assert f"{victim}: {how[number]}" in tried
    assert tried[-1] == f"{helper}: proved"


def test_if_all_crash_that_is_the_reason(play: Callable[[dict[str, Behaviour]], None]) -> None:
    def crash(task: EngineTask, budget: Budget) -> Verdict:
        os.abort()

    faulthandler.disable()
    play(dict.fromkeys(ENGINES, crash))
    verdict, tried = checked()
    assert isinstance(verdict, Unknown)
    for name in ENGINES:
        said = "it crashed, probably inside a solver: it was ended by SIGABRT"
        assert f"{name}: {said}" in tried and f"{name}: {said}" in verdict.reason


def test_a_bug_of_ours_is_told_if_nobody_makes_up_for_it(
    play: Callable[[dict[str, Behaviour]], None],
) -> None:
    def broken(task: EngineTask, budget: Budget) -> Verdict:
        raise ValueError("oops")

    play({"bounded": broken})
    verdict, tried = checked()
    assert isinstance(verdict, Safe) and tried[0] == "bounded: internal error: ValueError: oops"
    play(dict.fromkeys(ENGINES, give_up) | {"lazy": broken})
    with pytest.raises(InternalError, match="ValueError: oops"):
        checked()
    assert not children()


def test_only_the_one_that_needs_too_much_memory_is_ended(
    play: Callable[[dict[str, Behaviour]], None],
) -> None:
    def eat(task: EngineTask, budget: Budget) -> Verdict:
        block = bytearray(b"x") * (600 << 20)
        time.sleep(PATIENCE)
        return Unknown(str(len(block)))

    play({"bounded": eat})
    most = (own_bytes(os.getpid()) >> 20) + 500
    verdict, tried = checked(memory=most)
    assert isinstance(verdict, Safe)
    assert tried[0] == f"bounded: the memory limit of {most} MiB was reached"
    assert tried[-1] == "kinduction: proved"


def test_an_engine_that_hangs_is_suspended(
    play: Callable[[dict[str, Behaviour]], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine_processes, "_LATE_SECONDS", 0.05)

    def hang(task: EngineTask, budget: Budget) -> Verdict:
        while True:
            pass

    play({"bounded": hang})
    verdict, tried = checked()
    assert isinstance(verdict, Safe)
    assert tried[0] == "bounded: it did not stop at the end of its time"
    assert "kinduction: proved" in tried


def test_what_a_suspended_engine_finds_later_counts(
    play: Callable[[dict[str, Behaviour]], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It answers in its next time slice what it was asked in the one before."""
    monkeypatch.setattr(engine_processes, "_LATE_SECONDS", 0.02)
    reading, writing = os.pipe()

    def slow(task: EngineTask, budget: Budget) -> Verdict:
        os.read(reading, 1)
        return Safe()

    def ready(task: EngineTask, budget: Budget) -> Verdict:
        os.write(writing, b"!")
        return Unknown("no idea")

    play(dict.fromkeys(PROVERS, ready) | {"bounded": slow})
    verdict, tried = checked()
    assert isinstance(verdict, Safe)
    assert tried[0] == "bounded: it did not stop at the end of its time"
    assert tried[-1] == "bounded: proved"
    os.close(reading)
    os.close(writing)


# --- facts ----------------------------------------------------------------------------------------


def head() -> Invariant:
    main = LOOP.functions["main"]
    at = next(at for at in main.locations if len(main.incoming[at]) > 1)
    return Invariant(at, (), make.equal(make.const(1, INT), make.const(1, INT)))


@pytest.mark.parametrize("jobs", [1, 5])
def test_what_one_engine_has_proved_others_know(
    play: Callable[[dict[str, Behaviour]], None], jobs: int
) -> None:
    """At the same time, or when it is their turn; but not those that have no use for it."""

    def prove(task: EngineTask, budget: Budget) -> Verdict:
        task.shared.offer("octagon", [head()])
        return forever(task, budget)

    def wait(task: EngineTask, budget: Budget) -> Verdict:
        while not task.shared.has("octagon"):
            budget.check()
            time.sleep(0.001)
        return Safe(task.shared.all())

    def ask(task: EngineTask, budget: Budget) -> Verdict:
        assert not task.shared.all()
        return forever(task, budget)

    play(dict.fromkeys(ENGINES, ask) | {"lazy": prove, "kinduction": wait})
    verdict, _ = checked(jobs, seconds=PATIENCE if jobs > 1 else 4.0)
    assert verdict == Safe((head(),))


def test_facts_that_do_not_fit_are_left_out(
    play: Callable[[dict[str, Behaviour]], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody waits for an engine that does not read them."""
    monkeypatch.setattr(engine_processes, "_MOST_BYTES", 2000)
    many = [
        replace(head(), expr=make.equal(make.const(number, INT), make.const(number, INT)))
        for number in range(400)
    ]

    def prove(task: EngineTask, budget: Budget) -> Verdict:
        for number in range(0, len(many), 20):
            task.shared.offer("octagon", many[number : number + 20])
        task.shared.offer("numpred", [])
        return forever(task, budget)

    def wait(task: EngineTask, budget: Budget) -> Verdict:
        while not task.shared.has("numpred"):
            budget.check()
            time.sleep(0.001)
        return Safe(task.shared.all())

    play(dict.fromkeys(ENGINES, forever) | {"lazy": prove, "kinduction": wait})
    verdict, _ = checked(jobs=5)
    assert isinstance(verdict, Safe)
    assert len(verdict.invariants) < len(many)


# --- side by side ---------------------------------------------------------------------------------


def test_the_first_verdict_ends_the_others(play: Callable[[dict[str, Behaviour]], None]) -> None:
    def proved(task: EngineTask, budget: Budget) -> Verdict:
        return Safe()

    play(dict.fromkeys(ENGINES, forever) | {"numpred": proved})
    verdict, tried = checked(jobs=5)
    assert verdict == Safe()
    assert "numpred: proved" in tried
    assert "lazy: ended, as numpred has the answer" in tried


def test_a_verdict_does_not_wait_for_facts(
    play: Callable[[dict[str, Behaviour]], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The other engines begin when the program facts are there."""

    def endless(name: str, task: EngineTask) -> None:
        while name != "bounded":
            time.sleep(0.01)

    monkeypatch.setattr(engine_processes, "compute_facts", endless)
    play({"bounded": lambda task, budget: Safe()})
    verdict, _ = checked(jobs=2)
    assert verdict == Safe()


def test_a_violation_is_replayed_first(play: Callable[[dict[str, Behaviour]], None]) -> None:
    """With one that is none, the search goes on."""
    play({"lazy": lambda task, budget: Unsafe((), "an error"), "kinduction": give_up})
    verdict, tried = checked(jobs=2, bug=True)
    assert isinstance(verdict, Unsafe) and [item.value for item in verdict.inputs] == [77]
    assert "bounded: reach_error() is called" in tried


def test_counters_and_signs_of_life_come_from_all_processes() -> None:
    heard: list[str] = []
    counted = EngineStatistics()
    task = task_of(LOOP, Options(jobs=1, provers=("lazy",)), counted, heard.append)
    assert isinstance(AutoEngine(task).run(Budget()), Safe)
    assert counted.engines["lazy"].nodes and counted.engines["lazy"].solver.calls
    assert counted.total().solver.calls >= counted.engines["lazy"].solver.calls
    assert heard


# --- limits and the end ---------------------------------------------------------------------------


@pytest.fixture
def processes(play: Callable[[dict[str, Behaviour]], None]) -> Iterator[EngineProcesses]:
    def busy(task: EngineTask, budget: Budget) -> Verdict:
        while True:
            pass

    play(dict.fromkeys(ENGINES, busy))
    made = EngineProcesses(task_of(LOOP))
    for name in ("bounded", "lazy"):
        assert made.start(name, TimeSlice(None, Budget())) is None
    yield made
    made.end()


def test_cpu_time_is_that_of_all_processes(processes: EngineProcesses) -> None:
    begun = processes.cpu_seconds()
    running = children()
    assert len(running) == 2
    assert soon(lambda: all(cpu_seconds(pid) > 0.05 for pid in running))
    assert processes.cpu_seconds() >= begun + 0.1
    processes.end()
    assert processes.cpu_seconds() >= begun + 0.1  # also of those that have ended


def test_nothing_is_left_behind(processes: EngineProcesses) -> None:
    running = children()
    processes.end()
    assert not any(is_alive(pid) for pid in running)
    before = signal.getsignal(signal.SIGUSR1)
    EngineProcesses(task_of(LOOP)).end()
    assert signal.getsignal(signal.SIGUSR1) == before
