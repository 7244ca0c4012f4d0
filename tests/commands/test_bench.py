"""`predabs bench` as at a prompt: running, tables, reports, differences, and what is refused."""

from __future__ import annotations

import io
import os
import pty
import subprocess
from pathlib import Path

import pytest

from predabs.cli import main
from predabs.records import replace
from support.bench_runs import (
    answer,
    keep,
    kept,
    own_environment,
    predabs_words,
    write_table,
    write_tool,
)

SAFE = "int main(void) { return 0; }\n"
BUG = "extern void reach_error(void);\nint main(void) { reach_error(); return 0; }\n"


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_c_files_with_two_configurations(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One answer is known at once; the file is the same for all commands."""
    (here / "safe.c").write_text(SAFE)
    (here / "bug.c").write_text(BUG)
    tool = write_tool(here)
    words = ["bench", "safe.c", "bug.c", "--property", "unreach-call", "-v", "--limit", "30"]
    words += ["--run", "lazy=--engine lazy", "--run", f"other={tool} 'echo TRUE'"]
    assert main(words) == 0
    told = capsys.readouterr()
    assert "[4/4]" in told.err and "scores" in told.out
    found = {(one.task, one.configuration): one.told for one in kept(here / "bench.sqlite")}
    assert found == {
        ("safe.c", "lazy"): "TRUE",
        ("safe.c", "other"): "TRUE",
        ("bug.c", "lazy"): "FALSE (unreach-call)",
        ("bug.c", "other"): "TRUE",
    }
    assert main(words) == 0
    assert "[" not in capsys.readouterr().err  # nothing is run twice
    assert main(["bench", "table", "--against", "lazy"]) == 0
    assert "differences: lazy before, other now" in capsys.readouterr().out
    assert main(["bench", "report", "out.html"]) == 0
    assert "<svg" in (here / "out.html").read_text()


def test_wrong_verdicts_are_told(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = write_table(here / "tasks", 1)
    words = ["bench", str(table), "--run", f"liar={write_tool(here)} 'echo FALSE'"]
    assert main(words) == 1
    out = capsys.readouterr().out
    assert out.startswith("wrong verdicts\n") and "-16" in out
    assert main(["bench", "table"]) == 1 and main(["bench", "report", "x.html"]) == 1


def test_against_another_file(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = [answer("loops/a", "TRUE"), answer("loops/b", "UNKNOWN")]
    keep(here / "old.sqlite", rows)
    keep(here / "new.sqlite", [replace(rows[0], verdict="UNKNOWN", configuration="x"), rows[1]])
    words = ["bench", "table", "-o", "new.sqlite", "--against", "old.sqlite", "--markdown"]
    assert main(words) == 0  # of the configurations of the same name
    assert "| none | 0 |" in capsys.readouterr().out
    keep(here / "third.sqlite", [replace(rows[0], verdict="ERROR"), rows[1]])
    assert main([*words[:3], "third.sqlite", *words[4:]]) == 0
    out = capsys.readouterr().out
    assert "| lost | 1 |" in out and "| lost | loops/a (unreach-call) | TRUE |" in out


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["none.c"], "none.c: no such file"),
        (["table"], "bench.sqlite: there are no answers: no such file"),
        (["report"], "write `predabs bench table` or"),
        (["table", "a", "b"], "write `predabs bench table` or"),
        (["a.c", "--run", "x=nonsense"], "no tool is called nonsense"),
        (["a.c", "--run", "x=esbmc"], "esbmc: this tool is not installed"),
        (["a.c", "--cluster", "x", "--workers", "2"], "give only one"),
        (["a.c", "--property", "nonsense"], "no such property"),
        (["a.c", "-o", "a.c"], "a.c: no answers of a bench"),
        (["a.c", "-o", "none/x"], "cannot write"),
        (["table", "-o", "empty.sqlite"], "empty.sqlite: there are no answers yet"),
        (["report", "old.sqlite", "-o", "old.sqlite"], "this is a file with answers"),
        (["report", "old.sqlite", "-o", "new.sqlite", "--against", "old.sqlite"], "with answers"),
    ],
)
def test_what_is_refused(
    words: list[str],
    told: str,
    here: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (here / "a.c").write_text(SAFE)
    keep(here / "empty.sqlite", [])
    for name in ("old.sqlite", "new.sqlite"):
        keep(here / name, [answer("loops/a", "TRUE")])
    monkeypatch.setenv("PATH", "")
    assert main(["bench", *words]) == 2
    assert kept(here / "old.sqlite") and not (here / "bench.sqlite").exists()
    err = capsys.readouterr().err
    assert told in err and "Traceback" not in err
    assert (here / "a.c").read_text() == SAFE


def test_without_the_library_for_clusters(
    here: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (here / "a.c").write_text(SAFE)
    monkeypatch.setitem(__import__("sys").modules, "distributed", None)
    monkeypatch.delitem(__import__("sys").modules, "predabs.bench.cluster", raising=False)
    assert main(["bench", "a.c", "--workers", "1"]) == 2
    assert "pip install 'predabs[cluster]'" in capsys.readouterr().err


def on_a_terminal(words: list[str], folder: Path) -> str:
    """What a bench prints to a terminal as its standard error."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        predabs_words(*words),
        cwd=folder,
        env=own_environment() | {"TERM": "xterm", "COLUMNS": "100"},
        stdout=subprocess.DEVNULL,
        stderr=theirs,
    )
    os.close(theirs)
    found = io.BytesIO()
    while True:
        try:
            data = os.read(ours, 4096)
        except OSError:  # the other side is closed
            break
        if not data:
            break
        found.write(data)
    os.close(ours)
    process.wait()
    return found.getvalue().decode(errors="replace")


def test_the_display(tmp_path: Path) -> None:
    table = write_table(tmp_path / "tasks", 3)
    words = ["bench", str(table), "--run", f"slow={write_tool(tmp_path)} 'sleep 0.5; echo TRUE'"]
    shown = on_a_terminal(words, tmp_path)
    assert "/3" in shown and "right" in shown and "running" in shown and "p001.c" in shown
