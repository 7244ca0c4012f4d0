"""`predabs abstract`, from the files to what bebop says, and how it refuses."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from predabs.cli import main
from support.places import ROOT
from support.sessions import matches

PROGRAM = """extern void reach_error(void);
int g;
void end(int lock) { g = lock; }
int main(void) { end(1); if (g != 1) goto T; return 0; T: reach_error(); return 1; }
"""


def files(folder: Path, predicates: str) -> list[str]:
    (folder / "a.c").write_text(PROGRAM)
    (folder / "a.preds").write_text(predicates)
    return ["abstract", str(folder / "a.c"), "--predicates", str(folder / "a.preds")]


def test_abstract_then_bebop(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Also with names that mean something else in Boolean programs."""
    out = str(tmp_path / "a.bp")
    words = files(tmp_path, "global:\ng == 1\nend:\nlock == 1\n")
    assert main([*words, "-o", out]) == 0
    assert main(["bebop", out]) == 0
    assert capsys.readouterr().out == "VERDICT: TRUE\n"
    assert main(words) == 0
    text = capsys.readouterr().out
    assert text == Path(out).read_text()
    assert f"// {tmp_path / 'a.c'}:3  g = lock;\n  {{g == 1}} := {{lock == 1}};" in text


def test_too_few_predicates(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = str(tmp_path / "a.bp")
    assert main([*files(tmp_path, "main:\ng == 2\n"), "-o", out]) == 0
    assert main(["bebop", out]) == 1
    assert "can fail" in capsys.readouterr().out


@pytest.mark.parametrize(
    "predicates, message",
    [
        ("global:\ng ==\n", r"a\.preds:2:\d+: "),
        ("g == 1\n", r"a\.preds:1:1: "),
        ("nothing:\ng == 1\n", r"a\.preds:1:1: nothing is no procedure"),
        ("main:\nlock == 1\n", r"a\.preds:2:1: no variable lock"),
    ],
)
def test_mistakes_are_told_with_their_place(
    predicates: str, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(files(tmp_path, predicates)) == 2
    told = capsys.readouterr().err
    assert re.search(message, told) and "Traceback" not in told


def test_a_negative_length_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*files(tmp_path, "global:\ng == 1\n"), "--max-cube", "-1"]) == 2
    assert "must not be negative" in capsys.readouterr().err


def test_the_example_of_the_page(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """docs/abstract.md shows what the command prints."""
    monkeypatch.chdir(ROOT)
    page = (ROOT / "docs" / "abstract.md").read_text()
    shown = re.findall(r"```console\n\$ predabs (abstract [^\n]*)\n(.*?)```", page, re.DOTALL)
    assert shown
    for command, output in shown:
        assert main(command.split()) == 0
        assert matches(output, capsys.readouterr().out)
