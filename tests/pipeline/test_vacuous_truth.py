"""A TRUE that says nothing is told as such, and no other."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import predabs
from predabs.pipeline import vacuous_truth
from predabs.pipeline.advice import advice
from predabs.pipeline.json_report import report
from predabs.pipeline.result import Result, Vacuity
from support.c_programs import write_c
from support.counted_time import PLENTY

ASSERT = "\n#define assert(e) ((e) ? (void)0 : __assert_fail(#e, __FILE__, __LINE__, __func__))\n"
CONTRADICTION = """int main(void) {
  int x = __VERIFIER_nondet_int();
  __VERIFIER_assume(x > 5);
  __VERIFIER_assume(x < 3);
  assert(x == 7);
}"""
ENDLESS = "int main(void) { int x = 0, y = 1; while (y) x++; assert(x == 7); }"
EXIT = """void exit(int);
static void fail(void) { reach_error(); }
int main(void) { int x = __VERIFIER_nondet_int(); if (x || !x) exit(0); if (x == 4) fail(); }"""
DEEP = """int main(void) {
  int x = __VERIFIER_nondet_int();
  if (x == 123456) assert(x > 0);
}"""
POINTER = """static void fail(void) { reach_error(); }
void (*handler)(void) = fail;
void exit(int);
int main(void) { exit(0); handler(); }"""


@pytest.fixture(autouse=True)
def plenty_of_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """The question has a short time, which a busy machine may be too slow for."""
    monkeypatch.setattr(vacuous_truth, "_LEAST", PLENTY)
    monkeypatch.setattr(vacuous_truth, "_MOST", PLENTY)


def checked(tmp_path: Path, text: str, **options: Any) -> Result:
    found = predabs.check([write_c(tmp_path, ASSERT + text)], **options)
    assert found.verdict is predabs.Answer.TRUE, found.reason
    return found


@pytest.mark.parametrize("text", [CONTRADICTION, ENDLESS, EXIT], ids=["assume", "loop", "exit"])
def test_no_run_comes_to_a_check(text: str, tmp_path: Path) -> None:
    found = checked(tmp_path, text)
    assert found.vacuity is Vacuity.UNREACHED
    assert advice(found)[0].startswith("note: it holds vacuously: ")
    assert report(found)["vacuous"] == "unreached"


@pytest.mark.parametrize(
    "text",
    [
        DEEP,
        CONTRADICTION.replace("x < 3", "x == 7"),
        EXIT.replace("exit(0)", "x = 2"),
    ],
)
def test_a_run_does(text: str, tmp_path: Path) -> None:
    found = checked(tmp_path, text)
    assert found.vacuity is None and not advice(found)
    assert report(found)["vacuous"] is None


def test_a_function_that_pointers_lead_to_is_not_judged(tmp_path: Path) -> None:
    assert checked(tmp_path, POINTER).vacuity is None


def test_nothing_to_check(tmp_path: Path) -> None:
    found = checked(tmp_path, "int main(void) { return 0; }")
    assert found.vacuity is Vacuity.NOTHING
    note, hint = advice(found)
    assert note.startswith("note: there was nothing to check: ")
    assert hint.startswith("try: --check memory")
    assert report(found)["vacuous"] == "nothing"


def test_what_plainly_holds_is_nothing(tmp_path: Path) -> None:
    text = "int main(void) { assert(1); for (;;); reach_error(); }"
    assert checked(tmp_path, text).vacuity is Vacuity.NOTHING


def test_nothing_that_the_checks_look_at(tmp_path: Path) -> None:
    found = checked(tmp_path, "int main(void) { return 0; }", checks=["div-by-zero"])
    assert found.vacuity is Vacuity.NOTHING
    (note,) = advice(found)
    assert "div-by-zero" in note


def test_a_check_is_something(tmp_path: Path) -> None:
    text = "int main(void) { int x = __VERIFIER_nondet_int(); return 1 / (x | 1); }"
    assert checked(tmp_path, text, checks=["div-by-zero"]).vacuity is None
