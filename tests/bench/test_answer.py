"""What an answer is worth: the rules of SV-COMP, as BenchExec applies them."""

from __future__ import annotations

import pytest

from predabs.bench.answer import Answer
from predabs.bench.configuration import Configuration
from predabs.bench.execute import Ended, Limits
from predabs.bench.perform import Run, answer_of
from predabs.bench.tools.tool import Told
from predabs.records import replace
from support.bench_runs import answer, small_tasks

benchexec = pytest.importorskip("benchexec.result", reason="BenchExec is not installed")
RUN = Limits(10.0, 20.0, 1000)


@pytest.mark.parametrize(
    ("verdict", "expected", "score"),
    [
        ("TRUE", True, 2),
        ("FALSE", False, 1),
        ("TRUE", False, -32),
        ("FALSE", True, -16),
        ("UNKNOWN", True, 0),
        ("ERROR", False, 0),
        ("TRUE", None, 0),
        ("FALSE", None, 0),
    ],
)
def test_scores(verdict: str, expected: bool | None, score: int) -> None:
    one = answer("a/b", verdict, expected)
    assert (one.score, one.wrong, one.solved) == (score, score < 0, score > 0)


def benchexec_category(one: Answer) -> str:
    """What BenchExec says to the same answer."""
    result = benchexec
    status = {"TRUE": "true", "FALSE": "false", "UNKNOWN": "unknown", "ERROR": "ERROR"}
    text = status[one.verdict] + (f"({one.part})" if one.part else "")
    prop = result.Property("p.prp", True, "p")
    wanted = result.ExpectedResult(one.expected, one.expected_part or None)
    return str(result.get_result_category({"p.prp": wanted}, text, [prop]))


@pytest.mark.parametrize("verdict", ["TRUE", "FALSE", "UNKNOWN", "ERROR"])
@pytest.mark.parametrize("expected", [True, False])
@pytest.mark.parametrize("wanted", ["", "valid-deref"])
@pytest.mark.parametrize("part", ["", "valid-deref", "valid-free"])
def test_as_benchexec_judges(verdict: str, expected: bool, wanted: str, part: str) -> None:
    one = answer(
        "a/b",
        verdict,
        expected,
        expected_part=wanted if not expected else "",
        part=part if verdict == "FALSE" else "",
    )
    category = benchexec_category(one)
    assert one.solved == (category == "correct") and one.wrong == (category == "wrong")


@pytest.fixture
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    (task,) = small_tasks(tmp_path_factory.mktemp("t"), 1)
    return Run(task, Configuration("c"), RUN)


@pytest.mark.parametrize(
    ("ended", "told", "verdict", "limit"),
    [
        (Ended(0, 1.0, 1.0, 1), Told("TRUE"), "TRUE", ""),
        (Ended(0, 10.5, 11.0, 1), Told("TRUE"), "UNKNOWN", "cpu"),  # too late
        (Ended(0, 1.0, 20.5, 1), Told("FALSE"), "UNKNOWN", "wall"),
        (Ended(-9, 10.1, 11.0, 1, "cpu"), Told("ERROR", "no output"), "UNKNOWN", "cpu"),
        (Ended(-9, 1.0, 1.0, 1, "memory"), Told("TRUE"), "UNKNOWN", "memory"),
        (Ended(1, 1.0, 1.0, 1), Told("ERROR", "it broke"), "ERROR", ""),
        (
            Ended(3, 1.0, 1.0, 1),
            Told("UNKNOWN", "the limit of 10 s of CPU time was reached (x)"),
            "UNKNOWN",
            "cpu",
        ),
        (Ended(3, 1.0, 1.0, 1), Told("UNKNOWN", "the time limit was reached"), "UNKNOWN", "wall"),
        (
            Ended(3, 1.0, 1.0, 1),
            Told("UNKNOWN", "the memory limit of 9 MiB was reached"),
            "UNKNOWN",
            "memory",
        ),
    ],
)
def test_what_counts(ended: Ended, told: Told, verdict: str, limit: str, run: Run) -> None:
    found = answer_of(run, ended, told, "d")
    assert (found.verdict, found.limit) == (verdict, limit)
    assert found.reason or verdict == "TRUE"


def test_reasons_do_not_name_the_folder(run: Run) -> None:
    told = Told("UNKNOWN", f"{run.task.file}:3:1: so\n  it is")
    assert answer_of(run, Ended(3, 1.0, 1.0, 1), told, "").reason == "p000.c:3:1: so it is"


def test_what_more_time_may_help() -> None:
    late = answer("a/b", "UNKNOWN", limit="cpu", limits=RUN)
    assert late.may_go_on(Limits(11.0, 20.0, 1000)) and late.may_go_on(Limits(10.0, 21.0, 1000))
    assert not late.may_go_on(RUN)
    assert not replace(late, limit="memory").may_go_on(Limits(11.0, 20.0, 1000))
    assert replace(late, verdict="ERROR", limit="").may_go_on(RUN)
    assert not replace(late, verdict="TRUE").may_go_on(Limits(11.0, 20.0, 1000))
