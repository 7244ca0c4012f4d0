"""Small programs with known verdicts: never a wrong one, and the bounded engine decides its share.

Soundness and precision are two tests: UNKNOWN is never wrong, but it may be a loss.
"""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from predabs.pipeline.result import Answer, Result
from support.annotated import Annotated, Note, programs
from support.counted_time import LONG
from support.engine_checks import check_annotated

PROGRAMS = programs("verdicts")
NAMES = [program.name for program in PROGRAMS]
SHORT = 0.4  # where the engine is not expected to decide


@dataclass(frozen=True)
class Checked:
    """A program and what the check says about it."""

    program: Annotated
    result: Result


@pytest.fixture(scope="module", params=PROGRAMS, ids=NAMES)
def checked(request: pytest.FixtureRequest) -> Checked:
    program: Annotated = request.param
    seconds = SHORT if program.need("bounded").text == "UNKNOWN" else LONG
    return Checked(program, check_annotated(program, "bounded", seconds))


def errors(program: Annotated) -> list[Note]:
    return [note for note in program.notes if note.key == "error"]


@pytest.mark.parametrize("program", PROGRAMS, ids=NAMES)
def test_annotations_are_complete(program: Annotated) -> None:
    verdict = program.need("verdict").text
    assert verdict in ("TRUE", "FALSE")
    assert program.need("bounded").text in (verdict, "UNKNOWN")
    assert bool(errors(program)) == (verdict == "FALSE")


def test_soundness(checked: Checked) -> None:
    found = checked.result
    assert found.verdict.name in (checked.program.need("verdict").text, "UNKNOWN"), found
    if found.verdict is not Answer.FALSE:
        return
    violation = found.violation
    assert violation is not None
    steps = violation.trace.steps
    assert (steps[-1].file, steps[-1].line) == (violation.coord.file, violation.coord.line)
    # the last step of the program's own: a model of a library function may follow
    last = [step for step in steps if step.file in checked.program.files][-1]
    where = {(note.file, note.line): note.text for note in errors(checked.program)}
    assert (last.file, last.line) in where, f"an error at {violation.coord}: {violation.text}"
    assert where[last.file, last.line] in violation.text


def test_precision(checked: Checked) -> None:
    expected = checked.program.need("bounded").text
    assert expected in (checked.result.verdict.name, "UNKNOWN"), checked.result.reason
