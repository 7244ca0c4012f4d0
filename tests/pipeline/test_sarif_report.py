"""The SARIF log: it has the form of the standard, and says what the verdict says."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from sarif_pydantic import Sarif

import predabs
from predabs.cli import main
from predabs.pipeline.sarif_report import sarif_log
from support.c_programs import write_c

WRONG = """/* The value is read
   after it was freed. */
int get(int *p) { return *p; }
int main(void)
{
  int n = __VERIFIER_nondet_int();
  int *p = malloc(4);
  *p = n;
  free(p);
  if (n == 3)
    return get(p);
  return 0;
}
"""
RIGHT = "int main(void) { int x = 1; if (x != 1) reach_error(); return 0; }"
OPEN = "volatile int v; int main(void) { v = 1; if (v != 1) reach_error(); return 0; }"


def log(text: str, folder: Path, **options: Any) -> dict[str, Any]:
    file = write_c(folder, text)
    found = sarif_log(predabs.check([file], **options), (str(file),))
    parsed = Sarif.model_validate(json.loads(json.dumps(found)))  # raises if the form is wrong
    assert parsed.version == "2.1.0"
    return found


def result(found: dict[str, Any]) -> Any:
    (run,) = found["runs"]
    (only,) = run["results"]
    return only


def test_a_violation_has_its_trace(tmp_path: Path) -> None:
    found = log(WRONG, tmp_path, checks=("memory",))
    only = result(found)
    assert (only["kind"], only["level"], only["ruleId"]) == ("fail", "error", "deref")
    (place,) = only["locations"]
    assert place["physicalLocation"]["region"]["startLine"] == 3
    assert "freed" in only["message"]["text"]
    steps = only["codeFlows"][0]["threadFlows"][0]["locations"]
    lines = [s["location"]["physicalLocation"]["region"]["startLine"] for s in steps]
    assert lines[-1] == 3 and 9 in lines
    assert [step["executionOrder"] for step in steps] == list(range(1, len(steps) + 1))
    assert any(step["state"].get("n") == {"text": "3"} for step in steps)
    assert steps[-1]["nestingLevel"] == 1
    (given,) = only["relatedLocations"]
    assert "3" in given["message"]["text"]
    (invocation,) = found["runs"][0]["invocations"]
    assert (invocation["exitCode"], invocation["executionSuccessful"]) == (1, True)


def test_a_proof_passes(tmp_path: Path) -> None:
    only = result(log(RIGHT, tmp_path))
    assert (only["kind"], only["level"]) == ("pass", "none")
    assert "codeFlows" not in only


def test_unknown_is_open_and_says_why(tmp_path: Path) -> None:
    found = log(OPEN, tmp_path)
    only = result(found)
    assert (only["kind"], only["level"]) == ("open", "none")
    assert "--volatile any" in only["message"]["text"]
    notes = found["runs"][0]["invocations"][0]["toolExecutionNotifications"]
    assert any(note["message"]["text"].startswith("tried: ") for note in notes)


def test_assumptions_are_notes(tmp_path: Path) -> None:
    found = log("int other(void); int main(void) { assert(1 + other()); }", tmp_path)
    notes = found["runs"][0]["invocations"][0]["toolExecutionNotifications"]
    assert any("other has no body" in note["message"]["text"] for note in notes)


def test_the_rule_is_described(tmp_path: Path) -> None:
    (run,) = log(WRONG, tmp_path, checks=("memory",))["runs"]
    (rule,) = run["tool"]["driver"]["rules"]
    assert rule["id"] == "deref"
    assert "live object" in rule["shortDescription"]["text"]


@pytest.mark.parametrize(
    ("change", "same"),
    [
        (lambda text: "\n\n/* more */\n" + text, True),
        (lambda text: text.replace("int n =", "int m = 5; int n ="), True),
        (lambda text: text.replace("return *p", "return p[2]"), False),
        (lambda text: text.replace("get(", "fetch("), False),
    ],
)
def test_fingerprints_survive_shifts(change: Any, same: bool, tmp_path: Path) -> None:
    texts = [WRONG, change(WRONG)]
    prints = [result(log(t, tmp_path, checks=("memory",)))["partialFingerprints"] for t in texts]
    assert (prints[0] == prints[1]) is same


def test_the_command_writes_it_whole_or_not(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = write_c(tmp_path, RIGHT)
    assert main(["check", str(file), "--sarif", str(tmp_path / "out.sarif")]) == 0
    Sarif.model_validate_json((tmp_path / "out.sarif").read_text("utf-8"))
    assert main(["check", str(file), "--sarif", str(tmp_path / "none" / "out.sarif")]) == 2
    assert "cannot write" in capsys.readouterr().err
    assert main(["check", str(file), "--sarif", "-"]) == 0
    text, _, last = capsys.readouterr().out.rpartition("VERDICT:")
    assert last.strip() == "TRUE"
    Sarif.model_validate_json(text)
