"""`predabs check` from outside: verdicts, exit codes, reports, limits, what it leaves behind."""

from __future__ import annotations

import faulthandler
import io
import json
import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import predabs
from predabs import options
from predabs.cli import main
from predabs.commands import check
from predabs.engines.engine import ENGINES, EngineEntry
from predabs.errors import InputError, ResourceExhausted, UnsupportedFeature
from predabs.ir import make
from predabs.ir.cfa import Program
from predabs.ir.expr import Var
from predabs.ir.ops import Assume, Call, Error, Havoc
from predabs.ir.types import INT
from predabs.numpred.domain.counters import Operation
from predabs.options import Budget
from predabs.pipeline import judgement
from predabs.statistics import EngineStatistics, Phase
from predabs.verdict import Input, Invariant, Safe, Unknown, Unsafe, Verdict
from support import fake_engine
from support.c_programs import write_c
from support.counted_time import counted_time
from support.places import ROOT
from support.processes import PATIENCE, environment, hear_signals, is_alive, predabs_process, soon

PROGRAM = """int get(void);
int main(void) {
  int x = __VERIFIER_nondet_int();
  int y = get();
  if (x == 3)
    __VERIFIER_error();
  return y;
}
"""
Answering = Callable[..., Verdict]


@pytest.fixture
def file(tmp_path: Path) -> str:
    return write_c(tmp_path, PROGRAM)


@pytest.fixture
def engine(monkeypatch: pytest.MonkeyPatch) -> Callable[[Answering], None]:
    """Makes the engine `fake` behave as given."""
    entry = EngineEntry("support.fake_engine", "FakeEngine")
    monkeypatch.setitem(ENGINES, "fake", entry)
    monkeypatch.setitem(options.ENGINES, "fake", "does what it is told")

    def set_behaviour(behaviour: Answering) -> None:
        monkeypatch.setattr(fake_engine, "behaviour", behaviour)

    return set_behaviour


def unsafe(value: int) -> Answering:
    """An engine that finds the error with this input."""

    def behave(
        program: Program,
        budget: Budget,
        statistics: EngineStatistics,
        progress: Callable[[str], None],
    ) -> Verdict:
        statistics.solver.calls = 4
        (edge,) = [e for e in program.functions["main"].edges if isinstance(e.op, Havoc)]
        given = Input(edge.op.source, edge.op.name, INT, value, edge.coord)
        return Unsafe((given,), "error")

    return behave


def run(*words: str, capsys: pytest.CaptureFixture[str]) -> tuple[int, list[str], str]:
    """The exit code, the lines of standard output, and standard error."""
    capsys.readouterr()
    code = main(["check", "--engine", "fake", *words])
    captured = capsys.readouterr()
    return code, captured.out.splitlines(), captured.err


# --- verdicts and exit codes ----------------------------------------------------------------------


def test_true(engine: Any, file: str, capsys: pytest.CaptureFixture[str]) -> None:
    engine(fake_engine.safe)
    code, out, err = run(file, capsys=capsys)
    assert (code, out[-1], err) == (0, "VERDICT: TRUE", "")
    assert out[0] == "assumed: functions without a body return anything and do nothing: get"


def test_false_with_its_trace(engine: Any, file: str, capsys: pytest.CaptureFixture[str]) -> None:
    engine(unsafe(3))
    code, out, err = run(file, "-v", capsys=capsys)
    assert (code, out[-1], err) == (1, "VERDICT: FALSE", "")
    text = "\n".join(out)
    assert "a.c:3  x = __VERIFIER_nondet_int();  " in text and "x = 3" in text
    assert f"error: {file}:6:5: __VERIFIER_error() is called" in text
    assert "solver: 4 calls" in out[-5]


def test_a_violation_that_does_not_replay_is_unknown(
    engine: Any, file: str, capsys: pytest.CaptureFixture[str]
) -> None:
    engine(unsafe(4))
    code, out, _ = run(file, capsys=capsys)
    assert code == 3
    assert out[-1] == (
        "VERDICT: UNKNOWN (a possible violation (error) did not replay: "
        "the program ends, with status 0)"
    )


def test_a_run_that_is_not_confirmed_is_shown_as_such(
    engine: Any, file: str, capsys: pytest.CaptureFixture[str]
) -> None:
    engine(unsafe(4))
    out = run(file, capsys=capsys)[1]
    begin = next(n for n, line in enumerate(out) if line.startswith("unconfirmed: "))
    assert out[begin + 1] == "inputs:" and "__VERIFIER_nondet_int() = 4" in out[begin + 2]
    assert not [line for line in out if line.startswith("error:")]
    data = json.loads(run(file, "--json", "-", capsys=capsys)[1][0])
    assert data["unconfirmed"][0]["values"] == {"x": 4}
    assert "trace" not in data


def test_unknown_with_its_reason_on_one_line(
    engine: Any, file: str, capsys: pytest.CaptureFixture[str]
) -> None:
    engine(lambda *_: Unknown("too\nhard"))
    code, out, _ = run(file, capsys=capsys)
    assert (code, out[-1]) == (3, "VERDICT: UNKNOWN (too hard)")


@pytest.mark.parametrize(
    "problem", [UnsupportedFeature("a.c:1:1: threads"), ResourceExhausted("too deep")]
)
def test_what_the_engine_gives_up_is_unknown(
    engine: Any, file: str, capsys: pytest.CaptureFixture[str], problem: Exception
) -> None:
    def behave(*_: object) -> Verdict:
        raise problem

    engine(behave)
    code, out, _ = run(file, capsys=capsys)
    assert (code, out[-1]) == (3, f"VERDICT: UNKNOWN ({problem})")


def test_a_stack_that_is_too_small_is_unknown(
    engine: Any, file: str, capsys: pytest.CaptureFixture[str]
) -> None:
    def endless(*_: object) -> Verdict:
        return endless()

    engine(endless)
    code, out, _ = run(file, capsys=capsys)
    assert code == 3 and "nested too deeply" in out[-1]


def test_unsupported_c_is_unknown(
    engine: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    engine(fake_engine.safe)
    file = write_c(tmp_path, "int main(void) { _Complex double z = 1; return z != 1; }")
    code, out, _ = run(file, capsys=capsys)
    assert code == 3 and "complex" in out[-1] and f"{file}:1:" in out[-1]


def test_a_bug_of_ours_is_no_verdict(
    engine: Any, file: str, capsys: pytest.CaptureFixture[str]
) -> None:
    def behave(*_: object) -> Verdict:
        raise ValueError("a slip")

    engine(behave)
    code, out, err = run(file, capsys=capsys)
    assert code == 70 and not out
    assert "internal error" in err and "a slip" in err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["no-such-file.c"], "no-such-file.c"),
        (["{file}", "--property", "none"], "no such property"),
        (["{file}", "--property", "{folder}/race.prp"], "data-race"),
        (["{file}", "--check", "null,oops"], "no such check: oops"),
        (["{file}", "--provers", "lazy,oops"], "no such prover: oops; there is lazy"),
        (["{file}", "--entry", "start"], "start"),
        (["{file}", "--property", "{folder}/main.prp", "--entry", "get"], "starts in main"),
        (["{folder}/broken.c"], "broken.c:1:"),
        (["{file}", "--timeout", "0"], "greater than 0"),
        (["{file}", "--memory", "-3"], "greater than 0"),
        (["{file}", "--json", "{folder}/none/out.json"], "cannot write"),
        (["{file}", "--engine", "magic"], "invalid choice"),
        ([], "no FILE was given"),
    ],
)
def test_bad_input_is_exit_code_2(
    engine: Any,
    file: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    words: list[str],
    message: str,
) -> None:
    engine(fake_engine.safe)
    check = "CHECK( init(main()), LTL(G ! {}) )"
    (tmp_path / "race.prp").write_text(check.format("data-race"))
    (tmp_path / "main.prp").write_text(check.format("call(reach_error())"))
    (tmp_path / "broken.c").write_text("int main(void) { return ; ) }")
    code, out, err = run(*(w.format(file=file, folder=tmp_path) for w in words), capsys=capsys)
    assert code == 2 and message in err
    assert not any(line.startswith("VERDICT") for line in out)


# --- properties and checks ------------------------------------------------------------------------


def errors_seen(
    engine: Any, capsys: pytest.CaptureFixture[str], *words: str
) -> tuple[list[str], str]:
    """The errors of the program that the engine gets, and its entry."""

    def behave(program: Program, *_: object) -> Verdict:
        ops = [e.op for f in program.functions.values() for e in f.edges]
        kinds = sorted(op.kind.value for op in ops if isinstance(op, Error))
        return Unknown(f"{'|'.join(kinds)}@{program.entry}")

    engine(behave)
    _, out, _ = run(*words, capsys=capsys)
    seen, _, entry = out[-1].removeprefix("VERDICT: UNKNOWN (").removesuffix(")").rpartition("@")
    return seen.split("|") if seen else [], entry


def test_the_engine_gets_the_errors_that_count(
    engine: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = write_c(
        tmp_path,
        'int go(int x) { if (x > 7) __assert_fail("x", "a.c", 1, "go"); if (x > 5) reach_error();'
        "return 1 / x; } int main(void) { return go(__VERIFIER_nondet_int()); }",
    )
    prp = tmp_path / "u.prp"
    prp.write_text("CHECK( init(go()), LTL(G ! call(reach_error())) )")
    assert errors_seen(engine, capsys, file) == (["assertion", "error call"], "main")
    assert errors_seen(engine, capsys, file, "--property", str(prp)) == (["error call"], "go")
    words = (file, "--property", str(prp), "--check", "div-by-zero")
    assert errors_seen(engine, capsys, *words) == (["check", "error call"], "go")


def test_a_fault_is_named_in_verdict_and_report(
    engine: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = "int main(void) { int x = __VERIFIER_nondet_int(); return x < 0 ? -x : 5 / x; }"
    file, target = write_c(tmp_path, text), tmp_path / "result.json"
    prp = tmp_path / "no-overflow.prp"
    prp.write_text("CHECK( init(main()), LTL(G ! overflow) )")
    asked = ("--property", str(prp), "--check", "div-by-zero", "--json", str(target))
    for value, violated in ((-(1 << 31), "no-overflow"), (0, "div-by-zero")):
        engine(unsafe(value))
        code, out, _ = run(file, *asked, capsys=capsys)
        data = json.loads(target.read_text())
        assert (code, out[-1]) == (1, f"VERDICT: FALSE ({violated})")
        assert data["error"]["subproperty"] == violated
        assert data["checks"] == ["div-by-zero", "signed-overflow"]
    engine(unsafe(-(1 << 31)))
    _, out, _ = run(file, "--check", "signed-overflow", capsys=capsys)
    assert out[-1] == "VERDICT: FALSE (signed-overflow)"


def test_an_error_call_only_ends_the_run_if_the_property_is_another(
    engine: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = (
        "int main(void) { int x = __VERIFIER_nondet_int(); if (x == 5) reach_error();"
        " return x + 1; }"
    )
    prp = tmp_path / "no-overflow.prp"
    prp.write_text("CHECK( init(main()), LTL(G ! overflow) )")
    file = write_c(tmp_path, text)
    assert errors_seen(engine, capsys, file, "--property", str(prp)) == (["check"], "main")


# --- reports --------------------------------------------------------------------------------------


def test_json_in_a_file(
    engine: Any, file: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    engine(unsafe(3))
    target = tmp_path / "result.json"
    code, out, _ = run(file, "--json", str(target), capsys=capsys)
    data = json.loads(target.read_text())
    assert code == 1 and out[-1] == "VERDICT: FALSE"
    assert (data["verdict"], data["reason"], data["property"]) == ("FALSE", "", "assert")
    assert data["engine"] == "fake" and data["seconds"] > 0
    assert data["solver"]["calls"] == 4 and set(data["solver"]) == {"calls", "cached", "seconds"}
    assert data["predicates"] == {"total": 0, "active": 0} and data["iterations"] == 0
    assert "invariants" not in data
    (assumption,) = data["assumptions"]
    assert assumption.startswith("get has no body: it returns any value")
    first, last = data["trace"][0], data["trace"][-1]
    assert (first["file"], first["line"], first["values"]) == (file, 3, {"x": 3})
    assert first["statement"] == "x = __VERIFIER_nondet_int();"
    assert last["statement"] == "__VERIFIER_error() is called" and data["trace_omitted"] == 0
    assert [(i["name"], i["value"]) for i in data["inputs"]] == [
        ("__VERIFIER_nondet_int", 3),
        ("get", 0),
    ]
    assert sorted(os.listdir(tmp_path)) == ["a.c", "result.json"]


def test_json_on_standard_output(
    engine: Any, file: str, capsys: pytest.CaptureFixture[str]
) -> None:
    engine(lambda *_: Unknown("why"))
    _, out, _ = run(file, "--json", "-", capsys=capsys)
    assert len(out) == 2 and out[1] == "VERDICT: UNKNOWN (why)"
    assert json.loads(out[0])["reason"] == "why"


def test_a_test_is_written_and_run(
    engine: Any, file: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    engine(unsafe(3))
    out_c, target = tmp_path / "out.c", tmp_path / "result.json"
    _, out, _ = run(file, "--test", str(out_c), "--json", str(target), capsys=capsys)
    assert "__VERIFIER_nondet_int" in out_c.read_text()
    test = json.loads(target.read_text())["test"]
    assert test["file"] == str(out_c)
    if "no C compiler" not in test["text"]:
        assert test["reached"] is True
        assert f"test: {out_c}: reached" in out


def test_no_test_without_a_violation(
    engine: Any, file: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    engine(fake_engine.safe)
    out_c = tmp_path / "out.c"
    run(file, "--test", str(out_c), capsys=capsys)
    assert not out_c.exists()


PROOF = """int f(int n) {
  int i = 0;
  while (i < n)
    i++;
  return i;
}
int main(void) {
  return f(__VERIFIER_nondet_int());
}
"""


def proof(
    program: Program,
    budget: Budget,
    statistics: EngineStatistics,
    progress: Callable[[str], None],
) -> Verdict:
    """An engine that has an invariant and has counted."""
    statistics.predicates_total, statistics.predicates_active = 4, 3
    statistics.solver.calls, statistics.solver.cached = 158, 182
    statistics.nodes, statistics.refinements = 12, 2
    statistics.abstractions, statistics.abstractions_cached = 30, 9
    statistics.tried.append("fake: proved")
    statistics.operations.calls.update({Operation.GAMMA: 4, Operation.JOIN: 7})
    statistics.operations.seconds.update({Operation.GAMMA: 0.25, Operation.JOIN: 1.5})
    statistics.seconds.update({Phase.ABSTRACTION: 0.25, Phase.BDD: 0.05})
    (call,) = [e for e in program.functions["main"].edges if isinstance(e.op, Call)]
    i = Var("f::i", INT)
    head = next(e.src for e in program.functions["f"].edges if isinstance(e.op, Assume))
    return Safe((Invariant(head, (call,), make.less(i, Var("f::n", INT))),))


def test_invariants_in_text(
    engine: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    engine(proof)
    file = write_c(tmp_path, PROOF)
    line = f"invariant: {file}:3 (f, called by main at {file}:8): i < n"
    assert line in run(file, "--no-slice", "-v", capsys=capsys)[1]
    assert line not in run(file, "--no-slice", capsys=capsys)[1]


def test_invariants_and_counts_in_json(
    engine: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    engine(proof)
    file = write_c(tmp_path, PROOF)
    data = json.loads(run(file, "--no-slice", "--json", "-", capsys=capsys)[1][0])
    assert data["invariants"] == [
        {"place": f"{file}:3", "function": "f", "calls": [f"main at {file}:8"], "text": "i < n"}
    ]
    assert data["predicates"] == {"total": 4, "active": 3} and data["iterations"] == 2
    stats = data["stats"]
    assert (stats["nodes"], stats["refinements"]) == (12, 2)
    assert (stats["abstractions"], stats["abstractions_cached"]) == (30, 9)
    assert list(stats["seconds"]) == ["front end", "clang", "abstraction", "bdd"]
    assert (stats["seconds"]["abstraction"], stats["seconds"]["bdd"]) == (0.25, 0.05)
    assert stats["native"] > 0.05 and data["seconds"] > stats["seconds"]["clang"] > 0
    assert stats["tried"] == ["fake: proved"]
    (used,) = data["engines"].items()
    assert used[0] == "fake" and used[1]["predicates"] == data["predicates"]
    assert stats["operations"] == {
        "gamma": {"calls": 4, "seconds": 0.25},
        "join": {"calls": 7, "seconds": 1.5},
    }


def test_statistics_in_text(
    engine: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    engine(proof)
    _, out, _ = run(write_c(tmp_path, PROOF), "--no-slice", "--stats", capsys=capsys)
    assert out[0].startswith("note: there was nothing to check: ")
    assert out[1].startswith("try: ")
    assert out[2:7] == [
        "predicates:   4 total, 3 active",
        "solver calls: 340 total, 182 cached",
        "nodes:        12",
        "refinements:  2",
        "abstractions: 30 total, 9 cached",
    ]
    assert out[7].startswith("seconds:      ") and ", abstraction 0.25, bdd 0.05" in out[7]
    assert out[8].startswith("native code:  ") and ", bdd 0.05" in out[8]
    assert out[9:] == ["operations:   join 1.50 (7), gamma 0.25 (4)", "VERDICT: TRUE"]


def test_operations_are_told_if_there_are_any(
    engine: Any, file: str, capsys: pytest.CaptureFixture[str]
) -> None:
    engine(lambda *args: Unknown("hard"))
    assert not [line for line in run(file, "--stats", capsys=capsys)[1] if "operations" in line]
    data = json.loads(run(file, "--json", "-", capsys=capsys)[1][0])
    assert "operations" not in data["stats"]


def test_what_was_tried_is_told_if_it_did_not_help(
    engine: Any, file: str, capsys: pytest.CaptureFixture[str]
) -> None:
    def behave(
        program: Program,
        budget: Budget,
        statistics: EngineStatistics,
        progress: Callable[[str], None],
    ) -> Verdict:
        statistics.tried += ["magic: no wand", "luck: none"]
        return Unknown("hard")

    engine(behave)
    out = run(file, capsys=capsys)[1]
    assert out[-3:] == ["tried: magic: no wand", "tried: luck: none", "VERDICT: UNKNOWN (hard)"]


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_progress_on_a_terminal(
    engine: Any, file: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def behave(
        program: Program,
        budget: Budget,
        statistics: EngineStatistics,
        progress: Callable[[str], None],
    ) -> Verdict:
        statistics.nodes, statistics.refinements, statistics.predicates_total = 40, 2, 5
        with statistics.phase(Phase.REFINEMENT):
            progress("lazy")
        return Unknown("hard")

    engine(behave)
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setattr(judgement, "_PROGRESS_SECONDS", 0.0)
    main(["check", "--engine", "fake", file])
    shown = terminal.getvalue().split("\r\x1b[K")
    told = [line.partition(" s: ")[2] for line in shown]
    assert "lazy: refinement, round 3, 40 nodes, 5 predicates" in told
    assert shown[-1] == ""
    assert "lazy" not in capsys.readouterr().out


# --- options --------------------------------------------------------------------------------------


def options_seen(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *words: str
) -> str:
    """What the options look like to the engine."""

    def run_(self: fake_engine.FakeEngine, budget: Budget) -> Verdict:
        options = self._task.options
        mine = (options.block, options.traversal, options.keep_subtree, options.predicates_at)
        return Unknown(" ".join(map(str, mine)))

    monkeypatch.setattr(fake_engine.FakeEngine, "run", run_)
    out = run(*words, capsys=capsys)[1]
    return out[-1].removeprefix("VERDICT: UNKNOWN (").removesuffix(")")


def test_the_lazy_engine_gets_its_options(
    engine: Any, file: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert options_seen(monkeypatch, capsys, file) == "loop wto False location"
    words = [
        "--block",
        "basic",
        "--traversal",
        "bfs",
        "--keep-subtree",
        "--predicates-at",
        "global",
    ]
    assert options_seen(monkeypatch, capsys, file, *words) == "basic bfs True global"
    result = predabs.check(
        [file],
        engine="fake",
        block="edge",
        traversal="dfs",
        keep_subtree=True,
        predicates_at="function",
    )
    assert result.reason == "edge dfs True function"


# --- limits ---------------------------------------------------------------------------------------


def test_a_time_limit_that_the_engine_ignores(
    engine: Any,
    file: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The limit is as long as it takes on this machine to come to round 7."""

    def behave(
        program: Program,
        budget: Budget,
        statistics: EngineStatistics,
        progress: Callable[[str], None],
    ) -> Verdict:
        progress("round 7")
        time.sleep(PATIENCE)
        return Unknown("never")

    engine(behave)
    monkeypatch.setattr(judgement, "_PROGRESS_SECONDS", 0.0)
    target = tmp_path / "result.json"
    for seconds in ("1", "10", "100"):
        code, out, _ = run(file, "--timeout", seconds, "--json", str(target), capsys=capsys)
        reason = f"the time limit of {seconds} s was reached (round 7)"
        if "round 7" in out[-1]:
            break
    assert (code, out[-1]) == (3, f"VERDICT: UNKNOWN ({reason})")
    data = json.loads(target.read_text())
    assert data["reason"] == reason and "get has no body" in data["assumptions"][0]


def test_the_engine_is_told_when_to_stop(
    engine: Any, file: str, capsys: pytest.CaptureFixture[str]
) -> None:
    def behave(program: Program, budget: Budget, *_: object) -> Verdict:
        return Unknown("in time" if 5000 < (budget.left or 0) < 6000 else "no")

    engine(behave)
    assert run(file, "--timeout", "6000", capsys=capsys)[1][-1] == "VERDICT: UNKNOWN (in time)"


def test_a_memory_limit(engine: Any, file: str, capsys: pytest.CaptureFixture[str]) -> None:
    def behave(*_: object) -> Verdict:
        kept = bytearray(b"x") * (600 << 20)
        time.sleep(PATIENCE)
        return Unknown(str(len(kept)))

    engine(behave)
    code, out, _ = run(file, "--memory", "300", capsys=capsys)
    assert code == 3 and "the memory limit of 300 MiB was reached" in out[-1]


def test_a_crash_is_unknown(engine: Any, file: str, capsys: pytest.CaptureFixture[str]) -> None:
    def behave(*_: object) -> Verdict:
        faulthandler.disable()  # pytest's would print the stack
        os.kill(os.getpid(), signal.SIGABRT)
        return Unknown("never")

    engine(behave)
    code, out, _ = run(file, capsys=capsys)
    assert code == 3 and "crashed" in out[-1] and "SIGABRT" in out[-1]


ENDLESS = """int main(void)
{
  unsigned i = 0;
  while (__VERIFIER_nondet_int())
    i += 2;
  if (i == 12345)
    __VERIFIER_error();
  return 0;
}
"""


def soon_children(pid: int, number: int) -> list[int]:
    """The children of a process, when it has so many."""
    listed = Path(f"/proc/{pid}/task/{pid}/children")
    assert soon(lambda: len(listed.read_text().split()) >= number)
    return [int(word) for word in listed.read_text().split()]


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL, signal.SIGINT])
def test_killing_it_leaves_no_process_and_no_file(tmp_path: Path, number: signal.Signals) -> None:
    file = write_c(tmp_path, ENDLESS)
    words = ["--jobs", "2", "--json", "out.json", "--test", "t.c"]
    with subprocess.Popen(
        [sys.executable, "-m", "predabs", "check", file, *words],
        cwd=tmp_path,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env=environment(),
        preexec_fn=hear_signals,
    ) as process:
        (child,) = soon_children(process.pid, 1)
        children = [child, *soon_children(child, 2)]  # two engines
        time.sleep(0.2)  # whatever they are doing then
        process.send_signal(number)
        process.wait(PATIENCE)
    assert soon(lambda: not any(is_alive(child) for child in children)), "a child is left"
    assert os.listdir(tmp_path) == ["a.c"]


def test_an_interrupt_tells_what_was_tried(
    engine: Any, file: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def behave(
        program: Program,
        budget: Budget,
        statistics: EngineStatistics,
        progress: Callable[[str], None],
    ) -> Verdict:
        statistics.tried.append("magic: no wand")
        while True:
            progress("magic")

    def interrupt(text: str) -> None:
        if text.startswith("magic"):
            raise KeyboardInterrupt

    engine(behave)
    monkeypatch.setattr(check, "progress_line", lambda: interrupt)
    code, out, _ = run(file, capsys=capsys)
    assert (code, out) == (130, ["tried: magic: no wand"])


def test_a_limit_of_cpu_time(engine: Any, file: str, capsys: pytest.CaptureFixture[str]) -> None:
    def behave(*_: object) -> Verdict:
        while True:
            pass

    engine(behave)
    code, out, _ = run(file, "--cpu-time", "0.2", capsys=capsys)
    assert code == 3 and "the limit of 0.2 s of CPU time was reached" in out[-1]


@pytest.mark.parametrize("name", ["lazy", "slam", "numpred"])
def test_two_gigabytes_of_address_space_are_enough(name: str) -> None:
    """Those that have BDDs."""
    most = 2_000_000 << 10

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (most, most))

    locking = str(ROOT / "examples" / "locking.c")
    done = predabs_process("check", locking, "--engine", name, preexec_fn=limit)
    assert (done.returncode, done.stderr) == (0, "")


def test_an_endless_replay_leaves_time_for_the_whole_program(
    engine: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """In the slice the loop ends, so there is a violation; in the program it does not."""
    searched: list[Program] = []

    def behave(program: Program, *_: object) -> Verdict:
        searched.append(program)
        return Unsafe((), "error") if len(searched) == 1 else Safe()

    engine(behave)
    file = write_c(tmp_path, "int main(void) { for (;;); reach_error(); return 0; }")
    with counted_time(1.0):
        code, out, _ = run(file, "--timeout", str(PATIENCE), "-v", capsys=capsys)
    assert (code, out[-1]) == (0, "VERDICT: TRUE")
    assert out[0] == (
        "tried: a possible violation (error) did not replay: the time is up; "
        "so the whole program was searched"
    )


# --- from Python ----------------------------------------------------------------------------------


def test_the_python_interface(engine: Any, file: str) -> None:
    engine(unsafe(3))
    heard: list[str] = []
    result = predabs.check([Path(file)], engine="fake", timeout=PATIENCE, progress=heard.append)
    assert result.verdict is predabs.Answer.FALSE
    assert result.violation is not None
    assert result.violation.coord.line == 6
    assert [i.value for i in result.violation.inputs] == [3, 0]
    assert result.violation.inputs[0].type is INT  # terms are interned again on this side
    assert [name for name, _ in result.externals] == ["get"]
    assert heard


def test_the_example_of_the_manual() -> None:
    """A loop that only an invariant proves, so the lazy engine had its turn."""
    lazy = ("lazy",)
    result = predabs.check([ROOT / "examples" / "locking.c"], timeout=PATIENCE, provers=lazy)
    assert result.verdict is predabs.Answer.TRUE
    assert [(i.coord.line, i.function, i.text) for i in result.invariants] == [
        (25, "main", "locked == 0")
    ]
    assert result.work.refinements and result.tried[1].startswith("lazy (")


def test_wrong_arguments_from_python(file: str) -> None:
    with pytest.raises(InputError, match="no such engine"):
        predabs.check([file], engine="magic")
    with pytest.raises(InputError, match="no such traversal: random; there is wto, dfs, bfs"):
        predabs.check([file], traversal="random")
    with pytest.raises(InputError, match="no such data model"):
        predabs.check([file], data_model="LP65")
    with pytest.raises(AttributeError):
        predabs.nothing  # noqa: B018


SUM = """int main(void) {
  unsigned n = __VERIFIER_nondet_uint(), s = 0;
  if (n > 3) return 0;
  for (unsigned i = 0; i <= n; i++) s += i;
  if (s > LIMIT) reach_error();
  return 0;
}"""


@pytest.mark.parametrize(("limit", "code", "verdict"), [("5", 1, "FALSE"), ("6", 0, "TRUE")])
@pytest.mark.parametrize("words", [[], ["--engine", "bounded"]])
def test_a_small_loop_is_decided(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    limit: str,
    code: int,
    verdict: str,
    words: list[str],
) -> None:
    file = write_c(tmp_path, SUM)
    assert main(["check", file, "--timeout", str(PATIENCE), "-D", f"LIMIT={limit}", *words]) == code
    assert capsys.readouterr().out.endswith(f"VERDICT: {verdict}\n")
