"""Points-to and partition against runs: hand-written programs for each hazard, and random ones."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest
from fuzz.generate import program as random_program

from predabs.analysis.memory.partition import Partition, partition
from predabs.analysis.points_to.sets import points_to
from predabs.frontend.load import load
from predabs.ir.cfa import ExternPointers
from predabs.ir.types import DataModel
from support.analysis_machine import Inputs, Machine
from support.analysis_programs import FILES
from support.selection import mostly_long

BOTH = (ExternPointers.FRESH, ExternPointers.ANY)


@cache
def split(file: Path, model: DataModel, extern_pointers: ExternPointers) -> Partition:
    program = load([str(file)], model, extern_pointers=extern_pointers)
    return partition(program, points_to(program))


@pytest.mark.parametrize("extern_pointers", BOTH)
@pytest.mark.parametrize("model", DataModel)
@pytest.mark.parametrize("file", mostly_long(FILES, 8, lambda file: file.stem))
def test_a_program_for_each_hazard(
    file: Path, model: DataModel, extern_pointers: ExternPointers
) -> None:
    division = split(file, model, extern_pointers)
    accesses = 0
    for seed in range(40):
        accesses += Machine(division.program, division, Inputs(seed)).run(3000)
    assert accesses > 100


@pytest.mark.parametrize("extern_pointers", BOTH)
@pytest.mark.parametrize("model", DataModel)
def test_random_programs(model: DataModel, extern_pointers: ExternPointers, tmp_path: Path) -> None:
    for seed in range(6):
        file = tmp_path / f"random{seed}.c"
        file.write_text(random_program(seed))
        division = split(file, model, extern_pointers)
        assert Machine(division.program, division, Inputs(seed)).run(4000) > 100
