"""Precision: where a predicate is tracked."""

from __future__ import annotations

import pytest

from predabs.ir.cfa import Location
from predabs.predicates.precision import Precision

HERE, THERE, ELSEWHERE = Location("f", 1), Location("f", 2), Location("g", 1)


@pytest.mark.parametrize(
    ("scope", "where"),
    [
        ("location", [HERE]),
        ("function", [HERE, THERE]),
        ("global", [HERE, THERE, ELSEWHERE]),
    ],
)
def test_scopes(scope: str, where: list[Location]) -> None:
    precision = Precision(scope)
    assert precision.add(HERE, 4)
    found = [place for place in (HERE, THERE, ELSEWHERE) if precision.at(place) == {4}]
    assert found == where
    for place in (HERE, THERE, ELSEWHERE):
        assert precision.add(place, 4) == (place not in where)


def test_it_grows() -> None:
    precision = Precision("location")
    assert precision.at(HERE) == frozenset()
    assert precision.largest == 0
    before = precision.at(HERE)
    assert precision.add(HERE, 1)
    assert precision.add(HERE, 2)
    assert not precision.add(HERE, 1)
    precision.add(THERE, 3)
    assert precision.at(HERE) == {1, 2}
    assert before == frozenset()  # what was given out is a value
    assert precision.largest == 2
