"""The measurements of certificates and witnesses, on one small program that holds."""

from __future__ import annotations

from pathlib import Path

import pytest
from bench.__main__ import main
from bench.certificates import measured

from predabs.records import replace
from support.bench_runs import answer, kept
from support.c_programs import write_c

HOLDS = """
int main(void) { int x = 0; while (__VERIFIER_nondet_int()) x = 1 - x;
  if (x > 1) __VERIFIER_error(); return 0; }
"""


@pytest.fixture
def tasks(tmp_path: Path) -> str:
    (tmp_path / "one").mkdir()
    write_c(tmp_path / "one", HOLDS)
    path = tmp_path / "tasks.csv"
    path.write_text("task,file,expected,data_model,lines\none/a.yml,one/a.c,true,64,3\n")
    return str(path)


def test_certificates(tasks: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """They are kept, and go on, as all answers of a bench."""
    out = tmp_path / "out.sqlite"
    words = ["certificates", "--tasks", tasks, "-o", str(out), "--wall-factor", "30"]
    assert main(words) == 0
    told = capsys.readouterr()
    assert told.out.splitlines()[2].split()[:3] == ["1", "1", "1"] and "[1/1]" in told.err
    (row,) = kept(out)
    assert row.details["certificate"]["certified"] and measured(row) is not None
    assert measured(replace(row, verdict="UNKNOWN")) is None
    assert main(words) == 0
    again = capsys.readouterr()
    assert "[1/1]" not in again.err and again.out == told.out


def test_a_refuted_certificate_is_an_alarm(
    tasks: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    alarm = answer("one/a.yml", "UNKNOWN", reason="the certificate of lazy is refuted: there")
    monkeypatch.setattr("bench.certificates.run_answers", lambda *_: [alarm])
    assert main(["certificates", "--tasks", tasks]) == 1
    assert "ALARM one/a.yml" in capsys.readouterr().err


def test_witnesses(tasks: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["witnesses", "--tasks", tasks, "--limit", "30"]) == 0
    assert capsys.readouterr().out.splitlines()[2].split()[:3] == ["TRUE", "1", "1"]
