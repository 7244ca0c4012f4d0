"""The annotated programs with the kinduction engine alone: no wrong verdict, and most of them
decided."""

from __future__ import annotations

import pytest

from predabs.pipeline.result import Answer
from support.annotated import Annotated, programs
from support.engine_checks import check_annotated
from support.selection import mostly_long

PROGRAMS = programs("verdicts")
SHORT = 0.3
MOST = 0.7  # of the programs are decided


def answer(program: Annotated) -> Answer:
    found = check_annotated(program, "kinduction", SHORT)
    assert found.verdict.name in (program.need("verdict").text, "UNKNOWN"), found.reason
    return found.verdict


@pytest.mark.parametrize("program", mostly_long(PROGRAMS, 12, lambda program: program.name))
def test_annotated_programs(program: Annotated) -> None:
    answer(program)


@pytest.mark.long
def test_most_are_decided() -> None:
    decided = [program for program in PROGRAMS if answer(program) is not Answer.UNKNOWN]
    assert len(decided) > MOST * len(PROGRAMS)
