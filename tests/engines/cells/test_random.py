"""Random programs with arrays and lists: nothing is proved that a run refutes."""

from __future__ import annotations

import pytest
from fuzz.cells import KINDS, tried

from predabs.options import Options

_FEW, _MANY = range(6), range(100, 250)
_SEARCHED = 50  # of so many programs one has predicates: searches that fail take long


@pytest.mark.parametrize("kind", KINDS)
def test_a_few(kind: str) -> None:
    options = [Options(cell_predicates=seed == 0) for seed in _FEW]  # what fails takes longer then
    found = [tried(kind, seed, 100, 60.0, options=options[seed]) for seed in _FEW]
    assert not [one.text for one in found if one.is_wrong]
    assert any(one.answer == "proved" for one in found)


@pytest.mark.long
@pytest.mark.parametrize("kind", KINDS)
def test_many(kind: str) -> None:
    options = {seed: Options(cell_predicates=seed % _SEARCHED == 0) for seed in _MANY}
    found = (tried(kind, seed, 400, 60.0, options=options[seed]) for seed in _MANY)
    assert not [one.text for one in found if one.is_wrong]
