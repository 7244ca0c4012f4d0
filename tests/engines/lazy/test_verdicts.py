"""The annotated programs with the lazy engine alone: no wrong verdict, and what it decides."""

from __future__ import annotations

import pytest

from predabs.pipeline.result import Result
from support.annotated import Annotated, programs
from support.counted_time import LONG
from support.engine_checks import LAZY_UNDECIDED, check_annotated, hold
from support.selection import mostly_long

PROGRAMS = programs("verdicts")
SHORT = 0.6  # where the engine is not expected to decide


def checked(program: Annotated) -> Result:
    soon = LAZY_UNDECIDED.get(program.name) in (None, "recursion")
    return check_annotated(program, "lazy", LONG if soon else SHORT)


COSTLY = ("library_line", "loop_unbounded")


@pytest.mark.parametrize("program", mostly_long(PROGRAMS, 14, lambda program: program.name, COSTLY))
def test_annotated_programs(program: Annotated) -> None:
    hold(program, checked(program), LAZY_UNDECIDED)


def test_recursion_is_told() -> None:
    for program in PROGRAMS:
        if LAZY_UNDECIDED.get(program.name) == "recursion":
            assert "a recursive call of" in checked(program).reason


def test_the_list_is_of_programs() -> None:
    assert {program.name for program in PROGRAMS} >= LAZY_UNDECIDED.keys()
