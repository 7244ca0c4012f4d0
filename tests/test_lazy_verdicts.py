"""The annotated programs with the lazy engine alone: no wrong verdict, and what it decides."""

from __future__ import annotations

from functools import cache

import pytest

from annotated import Annotated, programs
from counted_time import LONG
from engine_checks import check_annotated
from predabs.result import Result

PROGRAMS = programs("verdicts")
SHORT = 0.6  # where the engine is not expected to decide

# what it does not decide soon, and why
UNKNOWN = {
    "argument_strings": "the exact semantics reads outside of all objects",
    "array_symbolic": "the invariant needs a quantifier",
    "dangling_local_ends": "a dangling pointer ends a run; the formulas do not see it",
    "endless": "the slice has no endless loop, and the replay of its error takes the time",
    "floats_nan": "floating-point numbers are open",
    "floats_symbolic": "floating-point numbers are open",
    "fresh_memory": "the bounds of objects are not part of the formulas",
    "heap_list": "the invariant is about a list",
    "loop_bounded": "the loop has to be unrolled",
    "loop_long": "the error is a thousand rounds away",
    "loop_symbolic_wrong": "the error is many rounds away",
    "memcpy_wrong": "a copy of unknown size",
    "memset_memcpy": "a copy of unknown size",
    "nested_loops": "the error is many rounds away",
    "pointer_from_outside": "the exact semantics writes outside of all objects",
    "pointer_order": "the solver takes long",
    "recursion_bounded": "recursion",
    "recursion_unbounded": "recursion",
    "recursion_wrong": "recursion",
    "strings_symbolic": "the invariant needs a quantifier",
    "strings_wrong": "the error is many rounds away",
    "use_after_free_ends": "a use after free ends a run; the formulas do not see it",
    "variadic": "the loop has to be unrolled",
    "vla_symbolic": "the bounds of objects are not part of the formulas",
}


@cache
def checked(number: int) -> Result:
    program = PROGRAMS[number]
    soon = UNKNOWN.get(program.name) in (None, "recursion")
    return check_annotated(program, "lazy", LONG if soon else SHORT)


def cases() -> list[object]:
    return [pytest.param(number, id=program.name) for number, program in enumerate(PROGRAMS)]


@pytest.mark.parametrize("number", cases())
def test_soundness(number: int) -> None:
    program: Annotated = PROGRAMS[number]
    found = checked(number)
    assert found.verdict.name in (program.need("verdict").text, "UNKNOWN"), found.reason


@pytest.mark.parametrize("number", cases())
def test_precision(number: int) -> None:
    found = checked(number)
    if found.verdict.name == "UNKNOWN":
        assert PROGRAMS[number].name in UNKNOWN, found.reason
        assert found.reason


def test_recursion_is_told() -> None:
    for number, program in enumerate(PROGRAMS):
        if UNKNOWN.get(program.name) == "recursion":
            assert "a recursive call of" in checked(number).reason


def test_the_list_is_of_programs() -> None:
    assert {program.name for program in PROGRAMS} >= UNKNOWN.keys()
