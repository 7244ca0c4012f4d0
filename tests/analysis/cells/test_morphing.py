"""The scalar program: no memory is left, and an error counts only if all ghosts are met."""

from __future__ import annotations

from random import Random

import pytest
from fuzz.cell_programs import array_program, list_program
from fuzz.reducer_programs import reducer_program

from predabs.analysis.cells.bags import Bags
from predabs.analysis.cells.choice import Chooser
from predabs.analysis.cells.cursors import Cursors
from predabs.analysis.cells.memory_accesses import MemoryAccesses, edges_of
from predabs.analysis.cells.morphing import morphed
from predabs.analysis.cells.prefix_sums import PrefixSums
from predabs.analysis.facts import ProgramFacts
from predabs.concrete.inputs import ListInputs, RandomInputs
from predabs.concrete.interpreter import execute
from predabs.concrete.outcome import ErrorReached
from predabs.errors import UnsupportedFeature
from predabs.ir.cfa import Program
from predabs.ir.def_use import op_reads, op_writes
from predabs.ir.expr import Var
from predabs.ir.ops import Assume, Error, Havoc, Source
from predabs.ir.types import DataModel
from support.c_programs import program_of_c


def scalar_program(program: Program, *, moving: bool = False) -> Program | None:
    facts = ProgramFacts(program)
    accesses = MemoryAccesses(facts)
    cells = Chooser(facts, accesses).choose()
    sums, bags = PrefixSums(facts, accesses), Bags(facts, accesses, wanted=moving)
    regions = [region.id for region in facts.partition.regions] if moving else []
    cursors = Cursors(facts, accesses, regions)
    if not cells.cells and not sums.sums and not bags.all:
        return None
    return morphed(facts, accesses, cells, sums, cursors, bags)


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("make", [array_program, list_program, reducer_program])
def test_no_memory_is_left(make, seed: int) -> None:  # type: ignore[no-untyped-def]
    program = program_of_c(make(Random(seed), seed), data_model=DataModel.ILP32)
    try:
        scalar = scalar_program(program, moving=seed % 2 == 1)
    except UnsupportedFeature:
        return
    for edge in edges_of(scalar) if scalar is not None else ():
        assert all(isinstance(lvalue, Var) for lvalue in (*op_reads(edge.op), *op_writes(edge.op)))


class Chosen(ListInputs):
    """Ghosts and what is read outside of cells, as a run of the program has them."""

    def __init__(self, ghosts: dict[str, int], other: int) -> None:
        super().__init__((), RandomInputs(0))
        self._ghosts = ghosts
        self._other = other

    def scalar(self, source, name, type_, edge):  # type: ignore[no-untyped-def]
        return 1 if name.startswith("&") else self._ghosts.get(name, self._other)


def test_a_run_to_an_error_is_one_of_the_scalar_program() -> None:
    """With the ghost that the last read is bound to; with another, the error does not count."""
    program = program_of_c(
        "int main(void) { int i, a[5]; for (i = 0; i < 5; i++) a[i] = i;"
        " for (i = 0; i < 5; i++) if (a[i] == 3) reach_error(); return 0; }"
    )
    scalar = scalar_program(program)
    assert scalar is not None
    unknown = {
        edge.op.name
        for edge in edges_of(scalar)
        if isinstance(edge.op, Havoc) and edge.op.source is Source.UNKNOWN
    }
    assert "any k" in unknown
    # what misses the cell is anything: 0 never fails the test
    for ghost, reached in ((3, True), (2, False), (4, False)):
        outcome = execute(scalar, Chosen({"any k": ghost}, 0), max_steps=10_000)
        assert isinstance(outcome, ErrorReached) == reached
    # the flag keeps out errors that rest on a read elsewhere
    outcome = execute(scalar, Chosen({"any k": 2}, 3), max_steps=10_000)
    assert not isinstance(outcome, ErrorReached)


def test_errors_ask_for_the_flags() -> None:
    program = program_of_c(
        "int main(void) { int i, a[5]; for (i = 0; i < 5; i++) if (a[i]) reach_error(); return 0; }"
    )
    scalar = scalar_program(program)
    assert scalar is not None
    before = {edge.dst: edge.op for edge in edges_of(scalar)}
    for edge in edges_of(scalar):
        if isinstance(edge.op, Error):
            guard = before[edge.src]
            assert isinstance(guard, Assume)
            assert [lvalue.name for lvalue in op_reads(guard) if isinstance(lvalue, Var)] == [
                "met any k"
            ]
