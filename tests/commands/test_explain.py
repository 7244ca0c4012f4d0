"""`predabs explain`: three sentences about a result that was kept."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from predabs.cli import main
from support.c_programs import write_c

PROVED = "int main(void) { int x = 1; if (x != 1) reach_error(); return 0; }"
VIOLATED = (
    "int other(void); int main(void) { int x = __VERIFIER_nondet_int(); other();"
    " if (x == 7) reach_error(); return 0; }"
)
OPEN = "volatile int v; int main(void) { v = 1; if (v != 1) reach_error(); return 0; }"
NOTHING = "int main(void) { return 0; }"


def told(text: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> list[str]:
    """What the command says, and what `check -v` says at its end."""
    result = folder / "result.json"
    main(["check", str(write_c(folder, text)), "-v", "--json", str(result)])
    lines = capsys.readouterr().out.splitlines()
    assert main(["explain", str(result)]) == 0
    sentences = capsys.readouterr().out.splitlines()
    assert [f"in short: {sentence}" for sentence in sentences] == lines[-4:-1]
    return sentences


def test_a_proof(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    why, assumed, after = told(PROVED, tmp_path, capsys)
    assert why.startswith("No run violates the property `assert`")
    assert assumed == "Nothing was assumed."
    assert "--check memory" in after


def test_nothing_to_prove(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    why, _, after = told(NOTHING, tmp_path, capsys)
    assert "no place in the program" in why
    assert "assert()" in after


def test_a_violation(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    why, assumed, after = told(VIOLATED, tmp_path, capsys)
    assert "reach_error() is called" in why and "__VERIFIER_nondet_int = 7" in why
    assert "functions without a body" in assumed and "other" in assumed
    assert "--test" in after


def test_long_values_are_cut(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The content of an array may be an input."""
    text = "int main(void) { int a[500]; if (a[300] != 5 && a[499] != 7) reach_error(); return 0; }"
    why, _, _ = told(text, tmp_path, capsys)
    assert "; it gets a = " in why and " ...; the run was replayed" in why and len(why) < 400


def test_neither(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    why, _, after = told(OPEN, tmp_path, capsys)
    assert "neither proved nor violated" in why
    assert after.startswith("What to try: ") and "--volatile" in after


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "no JSON"),
        ("[1]", "no result"),
        ("{}", "no result"),
        (json.dumps({"verdict": "MAYBE"}), "no verdict 'MAYBE'"),
        (json.dumps({"verdict": "TRUE", "property": "assert"}), "no result"),
        (json.dumps({"verdict": "FALSE", "error": 3}), "no result"),
    ],
)
def test_bad_input_is_exit_code_2(
    text: str, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "result.json"
    file.write_text(text)
    assert main(["explain", str(file)]) == 2
    assert message in capsys.readouterr().err


def test_a_missing_file_is_exit_code_2(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", str(tmp_path / "none.json")]) == 2
    assert "cannot read" in capsys.readouterr().err
