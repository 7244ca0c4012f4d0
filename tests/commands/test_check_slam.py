"""`predabs check --engine slam` on the command line: the files of `--keep`, the rounds in JSON, and
what docs/slam.md shows."""

from __future__ import annotations

import json
import re
from itertools import pairwise
from pathlib import Path

import pytest

from predabs.cli import main
from support.places import ROOT

CLIMB = "examples/climb.c"
PAGE = (ROOT / "docs" / "slam.md").read_text("utf-8")


@pytest.fixture(autouse=True)
def _at_the_root(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What a proof has left; the folder was not there before."""
    folder = tmp_path_factory.mktemp("slam") / "new" / "kept"
    words = [str(ROOT / CLIMB), "--engine", "slam", "--keep", str(folder)]
    assert main(["check", *words, "--json", str(folder.parent / "result.json")]) == 0
    return folder


def rounds(kept: Path) -> list[dict[str, object]]:
    data = json.loads((kept.parent / "result.json").read_text())
    assert data["engine"] == "slam" and data["verdict"] == "TRUE"
    found = data["stats"]["rounds"]
    assert isinstance(found, list)
    return found


def test_each_round_has_its_files(kept: Path) -> None:
    found = rounds(kept)
    assert len(found) > 2
    names = []
    for number, item in enumerate(found, 1):
        names.append(f"round-{number:02}.bp")
        names += [f"round-{number:02}.preds"] * bool(item["new"])
        names += [f"round-{number:02}.trace"] * bool(item["trace"])
    assert sorted(path.name for path in kept.iterdir()) == names


def test_rounds_in_json(kept: Path) -> None:
    found = rounds(kept)
    keys = {"predicates", "excluded", "solver_calls", "bdd_nodes", "trace", "new"}
    assert all(item.keys() == keys for item in found)
    assert (found[0]["predicates"], found[0]["excluded"]) == (0, 0)
    assert (found[-1]["trace"], found[-1]["new"]) == (0, [])
    for before, after in pairwise(found):
        new = before["new"]
        assert isinstance(new, list)
        lines = [line for line in new if not line.endswith(":")]
        assert after["predicates"] == int(str(before["predicates"])) + len(lines)
        assert int(str(after["solver_calls"])) >= int(str(before["solver_calls"]))
        assert before["trace"]


def test_bebop_reads_each_round(kept: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """There is an error in all but the last."""
    files = sorted(kept.glob("*.bp"))
    for path in files:
        code = main(["bebop", str(path)])
        assert code == (0 if path == files[-1] else 1)
        verdict = capsys.readouterr().out.splitlines()[-1]
        assert verdict == f"VERDICT: {'TRUE' if path == files[-1] else 'FALSE'}"


def test_abstract_reads_the_predicates(kept: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for path in sorted(kept.glob("*.preds")):
        words = ["abstract", CLIMB, "--predicates", str(path), "--max-cube", "1"]
        assert main([*words, "-o", str(kept.parent / "again.bp")]) == 0, capsys.readouterr().err
    again = (kept.parent / "again.bp").read_text()
    assert "bool" in again and "climb(" in again


def test_a_trace_is_a_path(kept: Path) -> None:
    lines = (kept / "round-01.trace").read_text().splitlines()
    assert [line.split(": ", 1)[0].rsplit("/", 1)[1] for line in lines] == [
        "climb.c:15:15",
        "climb.c:16:17",
        "climb.c:8:7",
        "climb.c:9:5",
        "climb.c:9:5",
        "climb.c:17:7",
        "climb.c:18:5",
    ]
    assert lines[-1].endswith("ERROR: reach_error() is called")


def test_a_violation_keeps_its_rounds(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The last of them has the path that a run follows."""
    file = tmp_path / "a.c"
    file.write_text(
        "extern int __VERIFIER_nondet_int(void); extern void reach_error(void);\n"
        "int id(int x) { return x; }\n"
        "int main(void) {\n"
        "    int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();\n"
        "    if (b > 77 && b < 1000 && id(a) == b + 12345) reach_error();\n"
        "    return 0;\n"
        "}\n"
    )
    folder = tmp_path / "kept"
    assert main(["check", str(file), "--engine", "slam", "--keep", str(folder)]) == 1
    assert capsys.readouterr().out.splitlines()[-1] == "VERDICT: FALSE"
    last = max(folder.glob("*.trace"))
    assert "ERROR" in last.read_text()
    assert not last.with_suffix(".preds").exists()


def test_without_keep_there_are_no_texts(capsys: pytest.CaptureFixture[str]) -> None:
    """JSON on the standard output has the rounds all the same."""
    assert main(["check", CLIMB, "--engine", "slam", "--json", "-"]) == 0
    data = json.loads(capsys.readouterr().out.splitlines()[0])
    assert data["stats"]["rounds"]
    assert "decl" not in json.dumps(data)


def test_a_folder_that_cannot_be_made(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It is told before the work begins, so there is no verdict."""
    (tmp_path / "file").write_text("")
    for folder in (tmp_path / "file", tmp_path / "file" / "inside"):
        assert main(["check", CLIMB, "--engine", "slam", "--keep", str(folder)]) == 2
        told = capsys.readouterr()
        assert f"{folder}: cannot be made" in told.err and "Traceback" not in told.err
        assert "VERDICT" not in told.out


def test_another_engine_has_nothing_to_keep(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "kept"
    words = ["check", "examples/ring.c", "--engine", "bounded", "--keep", str(folder)]
    assert main(words) == 1
    told = capsys.readouterr()
    assert "the slam engine was not used" in told.err
    assert told.out.splitlines()[-1] == "VERDICT: FALSE"
    assert not list(folder.iterdir())


def test_no_rounds_of_other_engines_in_json(tmp_path: Path) -> None:
    report = tmp_path / "r.json"
    words = ["check", "examples/ring.c", "--engine", "bounded", "--json", str(report)]
    assert main(words) == 1
    assert "rounds" not in json.loads(report.read_text())["stats"]


# --- the page -------------------------------------------------------------------------------------

SESSIONS = re.findall(r"```console\n\$ predabs (.*)\n((?:.*\n)*?)```", PAGE)


@pytest.mark.parametrize(("words", "expected"), SESSIONS, ids=[words for words, _ in SESSIONS])
def test_sessions(words: str, expected: str, capsys: pytest.CaptureFixture[str]) -> None:
    main(words.split())
    assert without_figures(capsys.readouterr().out) == without_figures(expected)


def without_figures(text: str) -> str:
    """What depends on the machine and on the solver's mood is left out."""
    return re.sub(r"\d+\.\d s|\d+ calls|\d+ more", "*", text)


def test_the_program_of_the_page() -> None:
    ((text),) = re.findall(r"```c\n((?:.*\n)*?)```", PAGE)
    assert text in (ROOT / CLIMB).read_text("utf-8")
    assert SESSIONS


def test_files_that_the_page_shows(kept: Path) -> None:
    """With the names of the example, as they are when the command is run at the root."""
    shown = re.findall(r"`kept/(round-\d\d\.\w+)`[^`]*?```\n((?:.*\n)*?)```", PAGE)
    assert {name for name, _ in shown} >= {"round-01.trace", "round-01.preds"}
    for name, text in shown:
        assert (kept / name).read_text().replace(f"{ROOT}/", "") == text
