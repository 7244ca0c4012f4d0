"""predabs' interpreter and gcc print the same on random programs: a small fixed number of them.

`make fuzz` runs many more.
"""

from __future__ import annotations

import pytest
from fuzz.compare import Agreement, compare_text
from fuzz.generate import program

from fuzz import native
from support.selection import mostly_long

SEEDS = range(40)


@pytest.mark.skipif(native.compiler() is None, reason="no gcc here")
@pytest.mark.parametrize("model", native.DATA_MODELS)
@pytest.mark.parametrize("seed", mostly_long(SEEDS, 8))
def test_interpreter_agrees_with_gcc(seed: int, model: str) -> None:
    if not native.builds(model):
        pytest.skip(f"no native build for {model} works here")
    assert compare_text(program(seed), model) == Agreement()
