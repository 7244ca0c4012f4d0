"""`predabs check` with rules: the examples, what a person sees, and what docs/rules.md shows."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import predabs
from predabs.cli import main
from support.c_programs import write_c
from support.counted_time import PLENTY
from support.places import ROOT

RULES = sorted(path.stem for path in (ROOT / "examples" / "rules").glob("*.rule"))
SESSIONS = re.findall(
    r"```console\n\$ predabs (.*)\n((?:.*\n)*?)```", (ROOT / "docs" / "rules.md").read_text("utf-8")
)
LOCKING = "examples/rules/locking.rule"


@pytest.fixture(autouse=True)
def _at_the_root(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)


def example(name: str, kind: str, **options: object) -> predabs.Result:
    rule = f"examples/rules/{name}.rule"
    file = f"examples/rules/{name}_{kind}.c"
    return predabs.check([file], property=rule, timeout=PLENTY, **options)


def test_the_examples_were_found() -> None:
    assert RULES == ["double_free", "interrupt_level", "locking", "open_close"]


@pytest.mark.parametrize("name", RULES)
def test_safe_examples(name: str) -> None:
    result = example(name, "safe")
    assert result.verdict is predabs.Answer.TRUE, result.reason
    assert result.property == f"examples/rules/{name}.rule"


@pytest.mark.parametrize("name", RULES)
def test_unsafe_examples(name: str) -> None:
    result = example(name, "unsafe")
    assert result.verdict is predabs.Answer.FALSE, result.reason
    assert result.violation is not None
    rule = f"examples/rules/{name}.rule"
    assert result.violation.coord.file == rule
    steps = result.violation.trace.steps
    events = [step for step in steps if step.file == rule]
    assert len(events) >= 2
    assert all(step.statement.startswith("event ") for step in events)
    assert steps[-1].statement.endswith(f": {result.violation.text}")
    assert not any("predabs" in f"{step.file} {step.statement}" for step in steps)


@pytest.mark.parametrize("options", [{"engine": "lazy"}, {"engine": "bounded", "slice": False}])
def test_other_engines(options: dict[str, object]) -> None:
    assert example("locking", "unsafe", **options).verdict is predabs.Answer.FALSE


def test_json_and_test(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    report, test = tmp_path / "r.json", tmp_path / "t.c"
    file = "examples/rules/locking_unsafe.c"
    words = [file, "--property", LOCKING, "--json", str(report), "--test", str(test)]
    assert main(["check", *words]) == 1
    data = json.loads(report.read_text())
    assert data["property"] == LOCKING
    place, text = f"{LOCKING}:8:9", "the lock is taken twice"
    assert data["error"] == {"place": place, "text": text, "subproperty": None}
    assert data["trace"][-1]["function"] == "lock.entry"
    assert data["test"]["reached"] is None
    assert "does not show this kind of error" in capsys.readouterr().out
    assert "the rule is no part of a compiled program" in test.read_text()
    assert "does not see that the error is reached" in test.read_text()


@pytest.mark.parametrize(
    ("rule", "message"),
    [
        ("event lokc.entry() { }", ":1:1: the program has no function lokc; did you mean lock?"),
        ("event lock.entry() { x = 1; }", ":1:22: use of undeclared identifier 'x'"),
        ("event lock.entry() {\n", ":1:20: this { is never closed; add a }"),
        ("event lock.entry(int n) { }", ":1:1: lock has no parameters, but the event has 1"),
    ],
)
def test_mistakes_end_with_exit_code_2(
    rule: str, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = write_c(tmp_path, "void lock(void); int main(void) { lock(); }")
    path = tmp_path / "r.rule"
    path.write_text(rule)
    assert main(["check", file, "--property", str(path)]) == 2
    assert f"{path}{message}" in capsys.readouterr().err


def test_what_never_happens_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = "void lock(void); void unlock(void); int main(void) { lock(); %s }"
    assert main(["check", write_c(tmp_path, text % "unlock();"), "--property", LOCKING]) == 0
    assert "never happens" not in capsys.readouterr().out
    assert main(["check", write_c(tmp_path, text % ""), "--property", LOCKING]) == 1
    assert "unlock.entry never happens: unlock is not called" in capsys.readouterr().out


@pytest.mark.parametrize(("words", "expected"), SESSIONS, ids=[words for words, _ in SESSIONS])
def test_sessions(words: str, expected: str, capsys: pytest.CaptureFixture[str]) -> None:
    main(words.split())
    assert capsys.readouterr().out == expected


def test_there_are_sessions() -> None:
    assert len(SESSIONS) >= 2
