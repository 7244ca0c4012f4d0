"""The start of a check: all commands run, and what they use is counted."""

from __future__ import annotations

import subprocess
import sys

import pytest
from bench.startup import cpu_seconds, main

from predabs.bench.perform import environment


def test_a_row_for_each_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--runs", "1"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split("  ")[0] for line in lines[2:5]] == [
        "python",
        "import predabs",
        "predabs check",
    ]
    assert 0.0 < float(lines[2].split()[-1]) < float(lines[4].split()[-1])


def test_a_command_that_fails_is_told() -> None:
    with pytest.raises(subprocess.CalledProcessError):
        cpu_seconds([sys.executable, "-c", "raise SystemExit(3)"])


def test_what_is_measured_keeps_its_bytecode(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    monkeypatch.setenv("OTHER", "here")
    given = environment(PYTHONPATH="src")
    assert "PYTHONDONTWRITEBYTECODE" not in given
    assert (given["OTHER"], given["PYTHONPATH"]) == ("here", "src")
