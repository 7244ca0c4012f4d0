"""The tool-info module for BenchExec: BenchExec's own test, and what outputs mean."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest

pytest.importorskip("benchexec", reason="BenchExec is not installed")

from benchexec import test_tool_info as own_test
from benchexec import util
from benchexec.tools.template import BaseTool2, UnsupportedFeatureException

from predabs.benchexec import Tool
from support.places import ROOT

LIMITS = BaseTool2.ResourceLimits(cputime=100, walltime=200, memory=1 << 30)


def test_what_benchexec_itself_tests(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "bin").mkdir()
    program = tmp_path / "bin" / "predabs"
    program.write_text("#!/bin/sh\necho predabs 1.2.3\n")
    program.chmod(0o755)
    output = tmp_path / "output.txt"
    output.write_text("error: a.c:3:1: so\nVERDICT: FALSE (valid-deref)\n")
    words = ["predabs.benchexec", "--no-container", "--tool-directory", str(tmp_path)]
    own_test.main(["test_tool_info", *words, "--tool-output", str(output)])
    told = capsys.readouterr().err
    assert "false(valid-deref)" in told and "1.2.3" in told and "--svcomp" in told
    problems = [line for line in told.splitlines() if line.startswith("WARNING")]
    assert all("Path to executable is absolute" in line for line in problems), problems


def test_the_limits_are_handed_on() -> None:
    task = BaseTool2.Task.with_files(
        ["a.c"], property_file="p.prp", options={"language": "C", "data_model": "ILP32"}
    )
    words = Tool().cmdline("predabs", ["--engine", "lazy"], task, LIMITS)
    told = dict(pairwise(words))
    assert (told["--svcomp"], told["--data-model"], told["--memory"]) == ("p.prp", "ILP32", "993")
    assert (told["--cpu-time"], told["--timeout"], told["--jobs"]) == ("97", "194", "1")
    assert words[-3:] == ["--engine", "lazy", "a.c"]
    words = Tool().cmdline("predabs", ["--store=s.sqlite", "--jobs=2"], task, LIMITS)
    assert not {"--no-store", "--jobs"} & set(words)  # these options have another way to be written
    odd = BaseTool2.Task.with_files(["a.c"], options={"language": "C", "data_model": "LP128"})
    with pytest.raises(UnsupportedFeatureException):
        Tool().cmdline("predabs", [], odd, LIMITS)


@pytest.mark.parametrize(
    ("last", "code", "status"),
    [
        ("VERDICT: TRUE", 0, "true"),
        ("VERDICT: FALSE (unreach-call)", 1, "false"),
        ("VERDICT: FALSE (valid-memtrack)", 1, "false(valid-memtrack)"),
        ("VERDICT: FALSE", 1, "false"),
        ("VERDICT: UNKNOWN (loops)", 3, "unknown"),
        ("VERDICT: UNKNOWN (the time limit of 3 s was reached)", 3, "TIMEOUT"),
        ("VERDICT: UNKNOWN (the memory limit of 3 MiB was reached)", 3, "OUT OF MEMORY"),
        ("predabs: a.c: no such file", 2, "ERROR (input)"),
        ("predabs: internal error", 70, "ERROR (bug)"),
        ("it printed 'VERDICT: TRUE' somewhere", 0, "ERROR"),
    ],
)
def test_results(last: str, code: int, status: str) -> None:
    output = BaseTool2.RunOutput(["something\n", f"{last}\n"])
    run = BaseTool2.Run(["predabs"], util.ProcessExitCode(code << 8, code, None), output, None)
    assert Tool().determine_result(run) == status


def test_the_benchmark_definition_names_the_module() -> None:
    text = (ROOT / "examples" / "benchexec.xml").read_text("utf-8")
    assert 'tool="predabs.benchexec"' in text
