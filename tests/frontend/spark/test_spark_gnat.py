"""Random SPARK programs: the interpreter does what gnat's programs do."""

from __future__ import annotations

import pytest
from fuzz.spark import compare, has_gnat, interpreted
from fuzz.spark_programs import program

needs_gnat = pytest.mark.skipif(not has_gnat(), reason="gnat is not installed")


@needs_gnat
def test_some_programs() -> None:
    assert list(compare(range(12))) == []


@needs_gnat
@pytest.mark.long
@pytest.mark.parametrize("first", range(100, 400, 50))
def test_many_programs(first: int) -> None:
    assert list(compare(range(first, first + 50))) == []


def test_programs_end_in_all_ways() -> None:
    """The comparison is of use only if runs end, and fail, in several ways."""
    endings = [interpreted(program(seed)) for seed in range(40)]
    kinds = {ending.kind for ending in endings if ending is not None}
    assert kinds >= {"end", "check", "assertion"}
