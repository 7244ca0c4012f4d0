"""Nested reads one by one: no place is found by memory any more, and runs do the same."""

from __future__ import annotations

from random import Random

import pytest
from fuzz.idiom_programs import idiom_program

from predabs.analysis.cells.memory_accesses import MemoryAccesses, edges_of
from predabs.analysis.cells.nested_reads import flattened
from predabs.analysis.facts import ProgramFacts
from predabs.concrete.inputs import RandomInputs
from predabs.concrete.interpreter import execute
from predabs.ir.def_use import op_reads, op_target
from predabs.ir.ops import Assign, Assume
from predabs.ir.walk import operands, reads_of
from support.c_programs import program_of_c


@pytest.mark.parametrize("seed", range(12))
def test_runs_do_the_same(seed: int) -> None:
    facts = ProgramFacts(program_of_c(idiom_program(Random(seed), seed))).in_regions
    flat = flattened(facts)
    accesses = MemoryAccesses(flat)
    for edge in edges_of(flat.program):
        if isinstance(edge.op, Assign | Assume):
            target = op_target(edge.op)
            for lvalue in (*op_reads(edge.op), *((target,) if target is not None else ())):
                if accesses.region(lvalue) is not None:
                    leading = reads_of(operands(lvalue))
                    assert all(accesses.region(inner) is None for inner in leading)
    for number in range(10):
        runs = [
            execute(program, RandomInputs(number, True), max_steps=3000)
            for program in (facts.program, flat.program)
        ]
        assert type(runs[0]) is type(runs[1])
