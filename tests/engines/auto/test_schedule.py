"""The engine `auto`: who gets a turn, what becomes of an engine that fails, and what is told."""

from __future__ import annotations

import resource
from collections.abc import Callable, Iterator, Mapping
from typing import Any
from unittest.mock import patch

import pytest

from predabs.engines.auto import plan
from predabs.engines.auto.engine import AutoEngine
from predabs.engines.auto.engine_processes import Ended
from predabs.engines.auto.plan import Features, features_of, provers_of, slices_of
from predabs.engines.auto.schedule import Schedule
from predabs.engines.auto.time_left import TimeLeft
from predabs.engines.auto.time_slice import Report, TimeSlice
from predabs.engines.bounded import engine as bounded
from predabs.engines.engine import Engine, EngineTask
from predabs.errors import ResourceExhausted, UnsupportedFeature
from predabs.ir.cfa import Program
from predabs.options import PROVERS, Budget, Options, TimeOver
from predabs.statistics import EngineStatistics
from predabs.verdict import Safe, Unknown, Unsafe, Verdict
from support.c_programs import program_of_c
from support.counted_time import LONG, Clock, Patient, counted_time
from support.engine_checks import task_of
from support.inline_engines import InlineEngines

# an error that is never reached, behind a loop without a bound
ENDLESS = program_of_c(
    """int main(void) {
  int i = 0;
  while (__VERIFIER_nondet_int()) i = !i;
  if (i > 1) reach_error();
  return 0;
}"""
)
# an error that is reached in the given round of the loop
DEEP = """int main(void) {
  unsigned i = 0;
  while (__VERIFIER_nondet_int()) i++;
  if (i == %d) reach_error();
  return 0;
}"""
RECURSIVE = """int f(int n) { return n > 0 ? f(n - 1) + 1 : 0; }
int main(void) {
  if (f(%s) > 3) reach_error();
  return 0;
}"""


STEP = 0.02  # seconds between two looks at the clock


@pytest.fixture(autouse=True)
def clock() -> Iterator[Clock]:
    """Schedule are so much work, and have the same length each time."""
    with counted_time(STEP) as clock:
        yield clock


class Prover:
    """Stands for the lazy engine: does what it is told, and remembers the time it was given."""

    def __init__(self, behave: Callable[[], Verdict]) -> None:
        self._behave = behave
        self.given: list[float | None] = []

    so_far = "no proof yet"

    def run(self, budget: Budget) -> Verdict:
        self.given.append(budget.left)
        return self._behave()


def fail(problem: Exception) -> Callable[[], Verdict]:
    def behave() -> Verdict:
        raise problem

    return behave


def in_turns(task: EngineTask, provers: Mapping[str, Engine], seconds: float | None) -> Verdict:
    """The verdict of the bounded engine and these, in turns."""
    engines = InlineEngines(task, provers)
    return AutoEngine(task, list(provers), engines).run(Budget.of(seconds))


def check(
    program: Program, prover: Prover, seconds: float | None
) -> tuple[Verdict, list[str], EngineStatistics]:
    """The verdict, who was tried and how it ended (without the times), and all counters."""
    counted = EngineStatistics()
    create = bounded.create
    with patch.object(bounded, "create", lambda *args: Patient(create(*args))):
        verdict = in_turns(task_of(program, statistics=counted), {"lazy": prover}, seconds)
    tried = [
        f"{line.partition(' ')[0]}: {line.partition(' s: ')[2]}" if " s: " in line else line
        for line in counted.tried
    ]
    return verdict, tried, counted


def test_shallow_bugs_need_no_proof() -> None:
    prover = Prover(lambda: Safe())
    verdict, tried, _ = check(program_of_c(DEEP % 2), prover, 60)
    assert isinstance(verdict, Unsafe) and not prover.given
    assert tried == ["bounded: reach_error() is called"]


def test_a_proof_has_two_glances_two_turns_and_most_of_the_time() -> None:
    turns: list[Verdict] = [Safe()]

    def later() -> Verdict:
        if len(prover.given) < 4:
            raise TimeOver("not yet")
        return turns.pop()

    prover = Prover(later)
    verdict, tried, counted = check(ENDLESS, prover, 10)
    assert verdict == Safe()
    # a twentieth of 10 s for the search, a tenth of the rest for a glance that takes no time, both
    # once more; then of the other 9 a fifth, and 0.35
    assert prover.given == pytest.approx([0.95, 0.9, 1.75, 3.0], abs=0.15)
    names = ["bounded", "lazy", "bounded", "lazy", "lazy", "bounded", "lazy"]
    assert [line.partition(":")[0] for line in tried] == names
    assert tried[-1] == "lazy: proved"
    begin, _, rest = counted.tried[0].partition(", short loops), ")
    assert begin == "bounded (shallow bugs"
    assert float(rest.partition(" s: ")[0]) == pytest.approx(0.6, abs=0.16)  # one digit is shown


def test_numpred_has_turns_of_its_own_and_stands_in_when_the_others_have_given_up() -> None:
    late = Prover(fail(TimeOver("not yet")))
    given_up = Prover(lambda: Unknown("no predicate helps"))
    for lazy, expected in ((late, [0.5]), (given_up, [0.25, 0.25, 0.4, 0.4, 0.7])):
        counted, numpred = EngineStatistics(), Prover(fail(TimeOver("not yet")))
        provers = {"lazy": lazy, "numpred": numpred}
        in_turns(task_of(ENDLESS, statistics=counted), provers, 3)
        given = [seconds or 0.0 for seconds in numpred.given]
        assert given == pytest.approx(expected, abs=0.15)


@pytest.mark.parametrize(
    ("text", "names", "first"),
    [
        ("", ["lazy", "slam", "numpred", "kinduction", "explicit"], ["kinduction"]),
        (
            "static int a[9]; if (a[x % 9]) x++;",
            ["lazy", "slam", "numpred", "kinduction", "cells", "explicit"],
            ["kinduction", "cells"],
        ),
        ("if (x) main();", ["slam", "lazy"], []),
    ],
)
def test_who_is_asked_for_proofs(text: str, names: list[str], first: list[str]) -> None:
    """Where functions call themselves, slam comes first, and numpred and kinduction have nothing to
    say; else kinduction is asked before the others, and stands in for them at last."""
    program = program_of_c(
        "int main(void) { for (int x = 0;; x += __VERIFIER_nondet_int() & 1) {"
        f" {text} if (x < 0) reach_error(); }} }}"
    )
    assert provers_of(features_of(program), PROVERS) == names
    assert provers_of(features_of(program), ("slam",)) == ["slam"]
    unable: Mapping[str, Engine] = {name: Prover(lambda: Unknown("no idea")) for name in names}
    task = task_of(program)
    engines = InlineEngines(task, unable)
    AutoEngine(task, None, engines).run(Budget.of(3))
    asked = [name for name in engines.started if name != "bounded"]
    assert asked == [*first, *(name for name in names if name not in first)]


def test_machines_are_for_the_explicit_engine_soon() -> None:
    program = program_of_c(
        "int main(void) { int s = 0; for (;;) { if (s == 0) s = 1; else if (s == 1) s = 2;"
        " else if (s == 2) s = 0; else reach_error(); } }"
    )
    slices = [piece.who for piece in slices_of(features_of(program), lanes=1)]
    assert slices[:6] == ["bounded", "kinduction", "provers", "bounded", "explicit", "provers"]
    assert slices.count("explicit") == 2
    assert "explicit" in [piece.who for piece in slices_of(features_of(program), lanes=2)][:4]
    assert all(piece.who != "explicit" for piece in slices_of(Features(), lanes=1))
    recursive = Features(machine=True, recursive=True)
    assert all(piece.who != "explicit" for piece in slices_of(recursive, lanes=1))


def test_events_are_fuzzed_in_programs_of_many_functions() -> None:
    def features(place: str, value: str) -> Features:
        functions = "".join(f"void f{n}(void) {{ {place} += {n}; }}\n" for n in range(40))
        calls = " ".join(f"f{n}();" for n in range(40))
        text = f"int v, *x = &v;\n{functions}int main(void) {{ {place} = {value}; {calls} }}"
        return features_of(program_of_c(text))

    eventful = features("*x", "__VERIFIER_nondet_int()")
    others = [features("*x", "3"), features("v", "__VERIFIER_nondet_int()")]
    assert eventful.eventful and not any(other.eventful for other in others)
    assert "fuzz" in provers_of(eventful, PROVERS)
    for lanes in (1, 2):
        order = [piece.who for piece in slices_of(eventful, lanes)]
        assert order[:2] == ["bounded", "fuzz"]
        assert order.count("fuzz") == (4 if lanes == 1 else 3)
    assert [piece.who for piece in slices_of(Features(eventful=True, vast=True), 1)][1] == "fuzz"
    assert all(piece.who != "fuzz" for piece in slices_of(others[0], lanes=1))
    assert "fuzz" not in provers_of(others[0], PROVERS)


def test_recursion_in_a_vast_program_is_lazys() -> None:
    assert provers_of(features_of(program_of_c(_vast("f0"))), PROVERS) == ["lazy", "slam"]
    assert provers_of(features_of(program_of_c(_vast(""))), PROVERS) == ["lazy", "slam", "numpred"]


def test_the_turns_in_a_vast_program() -> None:
    late: Mapping[str, Engine] = {name: Prover(fail(TimeOver("not yet"))) for name in PROVERS}
    task = task_of(program_of_c(_vast("")))
    engines = InlineEngines(task, late)
    AutoEngine(task, None, engines).run(Budget.of(3))
    assert [name for name in engines.started if name != "bounded"] == ["lazy", "lazy"]


@pytest.mark.parametrize(
    ("features", "names"),
    [
        (Features(), ["bounded", "kinduction", "lazy", "bounded", "lazy"]),
        (
            Features(allocates=True),
            ["bounded", "smg", "kinduction", "lazy", "bounded", "lazy"],
        ),
        (
            Features(memory=True),
            ["bounded", "kinduction", "cells", "lazy", "bounded", "lazy"],
        ),
        (Features(recursive=True, allocates=True, memory=True), ["bounded", "smg"]),
        (Features(vast=True, allocates=True), ["bounded"]),
    ],
)
def test_who_has_a_glance(features: Features, names: list[str]) -> None:
    """Before the lazy or slam engine has a fifth of the time, or a quarter of it."""
    turns = Schedule(provers_of(features, PROVERS), slices_of(features, 1), 1)
    begun = []
    while (turn := turns.next(100.0, ())) and turn.seconds and turn.seconds <= 2.5:
        begun.append(turn.name)
        turns.end(turn.name)
    assert begun == names
    next_ = [name for name in ("smg", "cells") if name in names]
    assert turn is not None
    assert turn.name == [*next_, provers_of(features, PROVERS)[0]][0]


def _vast(called: str) -> str:
    """A program of 12 functions, each with 100 steps."""
    steps = "x++; " * 100
    last = f"if (x == 3) {called}();" if called else ""
    functions = " ".join(f"static void f{n}(void) {{ {steps} {last} }}" for n in range(12))
    calls = " ".join(f"f{n}();" for n in range(12))
    last = "if (x == -7) reach_error();"
    return f"int x; {functions} int main(void) {{ for (;;) {{ {calls} {last} }} }}"


def test_without_a_limit_the_turns_are_limited_too() -> None:
    prover = Prover(lambda: Safe() if prover.given[2:] else fail(TimeOver("not yet"))())
    assert check(ENDLESS, prover, None)[0] == Safe()
    assert prover.given == pytest.approx([1.0, 2.5, 0.2 * (1000 - 1.5)], abs=1.0)


@pytest.mark.parametrize("slowdown", [1.0, 3.0])
def test_a_limit_of_cpu_time_is_shared_out(
    monkeypatch: pytest.MonkeyPatch, clock: Clock, slowdown: float
) -> None:
    """On a machine that is busy with other things, a turn is longer by the clock on the wall."""
    monkeypatch.setattr(TimeLeft, "slowdown", slowdown)
    allowed = clock() + 20
    monkeypatch.setattr(resource, "getrlimit", lambda what: (allowed, allowed))
    prover = Prover(lambda: Safe() if prover.given[2:] else fail(TimeOver("not yet"))())
    check(ENDLESS, prover, 100)
    *_, given = prover.given
    assert given is not None
    looks = 0.7 + 1.2  # of the bounded engine, in which concrete runs go on
    assert given / slowdown == pytest.approx(0.2 * (20 - looks - 0.5), abs=0.2)


@pytest.mark.parametrize(
    ("behave", "said"),
    [
        (lambda: Unknown("no predicate helps"), "no predicate helps"),
        (fail(UnsupportedFeature("a.c:1:1: threads")), "a.c:1:1: threads"),
        (fail(ResourceExhausted("the BDDs are too large")), "the BDDs are too large"),
        (fail(TimeOver("over")), "no proof yet"),
    ],
)
def test_when_the_proof_fails_the_search_goes_on(behave: Callable[[], Verdict], said: str) -> None:
    verdict, tried, _ = check(ENDLESS, Prover(behave), 2)
    assert isinstance(verdict, Unknown)
    assert verdict.reason.startswith("the time limit was reached; bounded: loops were followed for")
    assert verdict.reason.endswith(f"rounds; lazy: {said}")
    assert [line.partition(":")[0] for line in tried][:3] == ["bounded", "lazy", "bounded"]
    assert len(tried) == (8 if said == "no proof yet" else 3)
    assert tried[1] == f"lazy: {said}"


def test_the_bounded_search_goes_on_where_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    begun: list[int] = []

    class Counted(bounded.UnrollingExplorer):
        def __init__(self, *args: Any) -> None:
            begun.append(1)
            super().__init__(*args)

    monkeypatch.setattr(bounded, "UnrollingExplorer", Counted)
    monkeypatch.setattr(plan, "_SHARE", 0.0005)
    verdict, tried, _ = check(program_of_c(DEEP % 300), Prover(lambda: Unknown("no")), 60)
    assert isinstance(verdict, Unsafe) and len(begun) == 1
    assert tried[1:] == ["lazy: no", "bounded: reach_error() is called"]


def test_if_the_bounded_engine_has_given_up_the_proof_gets_all_the_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(bounded.BoundedEngine, "look", lambda *_: Unknown("too hard"))
    prover = Prover(lambda: Unknown("no proof"))
    verdict, tried, _ = check(ENDLESS, prover, 60)
    assert prover.given == pytest.approx([60], abs=0.5)
    assert verdict == Unknown("bounded: too hard; lazy: no proof")
    assert tried == ["bounded: too hard", "lazy: no proof"]


def test_a_violation_that_does_not_replay_is_not_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plan, "_SHARE", 0.0005)
    prover = Prover(lambda: Unsafe((), "reach_error() is called"))
    verdict, tried, _ = check(program_of_c(DEEP % 300), prover, 60)
    assert isinstance(verdict, Unsafe) and verdict.inputs
    assert tried[1] == (
        "lazy: a possible violation (reach_error() is called) did not replay: "
        "the program ends, with status 0"
    )
    assert tried[2] == "bounded: reach_error() is called"


def test_a_violation_that_does_not_replay_is_kept_for_the_whole_program() -> None:
    doubtful = Unsafe((), "reach_error() is called")
    assert check(ENDLESS, Prover(lambda: doubtful), 2)[0] is doubtful


def test_a_violation_of_the_last_moment_is_replayed_by_others(clock: Clock) -> None:
    def late() -> Verdict:
        clock.now += 2.1
        return bug

    bug = Unsafe((), "reach_error() is called")
    verdict, tried, _ = check(ENDLESS, Prover(late), 2)
    assert verdict is bug and tried[-1] == "lazy: reach_error() is called"


def decided(text: str) -> tuple[Verdict, EngineStatistics]:
    """With the engines themselves."""
    counted = EngineStatistics()
    task = task_of(program_of_c(text), statistics=counted)
    with counted_time():
        return AutoEngine(task, None, InlineEngines(task)).run(Budget.of(LONG)), counted


@pytest.mark.parametrize(("depth", "kind"), [("3", Safe), ("__VERIFIER_nondet_int()", Unsafe)])
def test_recursion_is_the_bounded_engines(depth: str, kind: type) -> None:
    assert isinstance(decided(RECURSIVE % depth)[0], kind)


def test_recursion_that_is_never_reached_is_no_obstacle() -> None:
    text = """int f(int n) { return n > 0 ? f(n - 1) + 1 : 0; }
    int main(void) {
      int i = 0;
      while (__VERIFIER_nondet_int()) i = !i;
      if (i > 1) f(i);
      if (i > 1) reach_error();
      return 0;
    }"""
    verdict, counted = decided(text)
    assert isinstance(verdict, Safe)
    assert counted.tried[-1].startswith("slam")


def test_recursion_without_a_bound_is_slams() -> None:
    text = """int id(int n) { return n == 0 ? 0 : id(n - 1) + 1; }
    int main(void) {
      int n = __VERIFIER_nondet_int();
      if (id(n) != n) reach_error();
      return 0;
    }"""
    verdict, counted = decided(text)
    assert isinstance(verdict, Safe)
    assert counted.tried[-1].startswith("slam") and counted.of("slam").rounds


@pytest.mark.long
def test_slam_stands_in_when_the_lazy_engine_gives_up() -> None:
    """A recursion through a pointer, which only the search finds."""
    text = """int f(int n);
    int (*next)(int) = f;
    int f(int n) { return n <= 0 ? 0 : next(n - 1); }
    int main(void) {
      if (f(__VERIFIER_nondet_int()) != 0) reach_error();
      return 0;
    }"""
    verdict, counted = decided(text)
    assert isinstance(verdict, Safe)
    names = [line.partition(" ")[0] for line in counted.tried]
    assert names == ["bounded", "kinduction", "lazy", "slam"]


def test_no_time_is_no_verdict() -> None:
    prover = Prover(lambda: Safe())
    verdict, tried, _ = check(ENDLESS, prover, 0)
    assert verdict == Unknown("the time limit was reached") and not tried and not prover.given


# --- side by side ---------------------------------------------------------------------------------


def names(turns: Schedule, lanes: int, running: set[str]) -> list[str]:
    """Who begins while lanes are free."""
    found = []
    while len(running) < lanes and (turn := turns.next(100.0, running)) is not None:
        running.add(turn.name)
        found.append(turn.name)
    return found


def test_so_many_engines_run_at_the_same_time() -> None:
    plan = Schedule(("lazy", "slam", "numpred"), slices_of(Features(), 4), 4)
    running: set[str] = set()
    assert names(plan, 4, running) == ["bounded", "lazy", "numpred", "slam"]
    running.remove("bounded")  # after its look
    plan.end("bounded")
    assert names(plan, 4, running) == ["bounded"]


def test_two_lanes_go_through_the_same_turns() -> None:
    plan = Schedule(("lazy", "slam", "numpred"), slices_of(Features(), 2), 2)
    running: set[str] = set()
    assert names(plan, 2, running) == ["bounded", "lazy"]
    running.remove("bounded")
    plan.end("bounded")
    assert names(plan, 2, running) == ["bounded"]
    running.remove("lazy")
    plan.give_up("lazy")
    assert names(plan, 2, running) == ["slam"]  # it takes over what lazy has left


def test_if_there_is_a_lane_for_each_nobody_is_interrupted() -> None:
    plan = Schedule(("lazy",), slices_of(Features(), 2), 2)
    assert plan.next(100.0, set())
    turn = plan.next(100.0, {"bounded"})
    assert turn is not None and (turn.name, turn.seconds) == ("lazy", None)


def test_a_second_is_longer_on_a_busy_machine(clock: Clock) -> None:
    used = 10.0
    clock.step = 0.0
    begun = clock()
    left = TimeLeft(Budget(), 30.0, lambda: used)
    used = 12.0
    for passed, slowdown in ((1.0, 1.0), (2.0, 1.0), (6.0, 3.0), (1000.0, 8.0)):
        clock.now = begun + passed
        assert left.slowdown == slowdown
        assert left.seconds == 18.0 * slowdown
    used = 10.01
    assert left.slowdown == 1.0  # too early to tell


class _Answering(InlineEngines):
    """The bounded engine has an answer while the others are being loaded."""

    def start(self, name: str, given: TimeSlice) -> Report | None:
        self.started.append(name)
        if name != "bounded":
            return Report(None, "another engine was faster")
        self._ended.append(Ended(name, Report(Safe(), "proved")))
        return None


def test_an_answer_that_comes_while_others_are_loaded_is_taken_at_once() -> None:
    task = task_of(ENDLESS, Options(jobs=3))
    engines = _Answering(task)
    with patch("predabs.engines.auto.engine._HEAD_START", 0.0):
        assert isinstance(AutoEngine(task, None, engines).run(Budget()), Safe)
    assert len(engines.started) == 2
