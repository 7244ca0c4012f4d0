"""The annotated programs that violate their property, with the cells engine alone: no proof."""

from __future__ import annotations

import pytest

from predabs.pipeline.result import Answer
from support.annotated import Annotated, programs
from support.engine_checks import check_annotated
from support.selection import mostly_long

WRONG = [program for program in programs("verdicts") if program.text("verdict") == "FALSE"]


@pytest.mark.parametrize("program", mostly_long(WRONG, 10, lambda program: program.name))
def test_no_proof_of_what_is_violated(program: Annotated) -> None:
    assert check_annotated(program, "cells", 2).verdict is Answer.UNKNOWN
