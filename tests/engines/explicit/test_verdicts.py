"""The annotated programs with the explicit engine alone: no wrong verdict."""

from __future__ import annotations

import pytest

from support.annotated import Annotated, programs
from support.engine_checks import check_annotated
from support.selection import mostly_long


@pytest.mark.parametrize(
    "program", mostly_long(programs("verdicts"), 14, lambda program: program.name)
)
def test_annotated_programs(program: Annotated) -> None:
    found = check_annotated(program, "explicit", 2)
    assert found.verdict.name in (program.need("verdict").text, "UNKNOWN"), found.reason
