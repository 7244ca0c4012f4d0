"""The bounded engine against the interpreter, on random C programs without inputs.

The interpreter says what a program's checksum is; then no run may reach an error that is guarded by
another checksum, and one must reach an error that is guarded by this one.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from fuzz.generate import program as random_program

from predabs.concrete.inputs import ZeroInputs
from predabs.concrete.interpreter import execute
from predabs.concrete.outcome import Exited
from predabs.engines.engine import decide
from predabs.frontend.load import load
from predabs.ir.types import DataModel
from predabs.options import Budget
from predabs.verdict import Safe, Unsafe, Verdict
from support.counted_time import LONG, counted_time
from support.engine_checks import searching, task_of
from support.selection import mostly_long

END = 'printf("end %llx\\n", check);'
PRELUDE = "void __VERIFIER_error(void);\n"


def checksum(file: Path, model: DataModel) -> str:
    printed: list[bytes] = []
    assert isinstance(
        execute(load([str(file)], model), ZeroInputs(), output=printed.append), Exited
    )
    found = re.search(r"end ([0-9a-f]+)", b"".join(printed).decode())
    assert found is not None
    return found[1]


def verdict(file: Path, model: DataModel) -> Verdict:
    program = load([str(file)], model)
    with searching(), counted_time():  # no short cut
        return decide("bounded", task_of(program), Budget.of(LONG))


@pytest.mark.parametrize("seed", mostly_long(range(12), 3))
def test_checksums(seed: int, tmp_path: Path) -> None:
    model = (DataModel.LP64, DataModel.ILP32)[seed % 2]
    text = PRELUDE + random_program(seed, size=1)
    assert text.count(END) == 1
    file = tmp_path / "program.c"
    file.write_text(text)
    value = checksum(file, model)
    for test, expected in (("!=", Safe), ("==", Unsafe)):
        file.write_text(text.replace(END, f"if (check {test} 0x{value}ULL) __VERIFIER_error();"))
        assert isinstance(verdict(file, model), expected)
