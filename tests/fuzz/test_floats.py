"""Floating point of random programs: the interpreter and gcc agree bit for bit, and so do formulas.

`python -m fuzz --floats N` compares many more.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from fuzz.compare import Agreement, compare_text, interpret
from fuzz.floats import checked, program

import predabs
from fuzz import native
from support.selection import mostly_long


@pytest.mark.skipif(native.compiler() is None, reason="no gcc here")
@pytest.mark.parametrize("model", native.DATA_MODELS)
@pytest.mark.parametrize("seed", mostly_long(range(60), 6))
def test_interpreter_agrees_with_gcc(seed: int, model: str) -> None:
    if not native.builds(model):
        pytest.skip(f"no native build for {model} works here")
    assert compare_text(program(seed), model) == Agreement()


@pytest.mark.parametrize("seed", mostly_long(range(40), 4))
def test_formulas_agree_with_the_interpreter(seed: int, tmp_path: Path) -> None:
    """What the interpreter computes, the bounded engine proves; that one bit is another it refutes
    with inputs."""
    text = program(seed, long_double=False, plain=True)
    source = tmp_path / "plain.c"
    source.write_text(text)
    printed = interpret(source, "LP64", (), 60).stdout
    bits = {}
    for line in printed.splitlines():
        name, _, value = line.partition(" = ")
        if name[0] in "fd":
            bits[name] = int(value, 16)
    source.write_text(checked(text, bits))
    options = {"engine": "bounded", "data_model": "LP64", "timeout": 120.0}
    assert predabs.check([source], **options).verdict is predabs.Answer.TRUE
    wrong = sorted(bits)[seed % len(bits)]
    source.write_text(checked(text, {**bits, wrong: bits[wrong] ^ 1}))
    assert predabs.check([source], **options).verdict is predabs.Answer.FALSE
