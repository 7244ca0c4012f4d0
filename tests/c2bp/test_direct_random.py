"""Soundness of the direct method on random programs and predicates: every concrete run is a run of
the Boolean program [BMR05, theorem 1], however many predicates are looked at together; and the
more they are, the fewer states it has."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from predabs.boolprog.invariant import states_now
from predabs.boolprog.layout import VariableBits
from predabs.c2bp.boolean_code import BooleanProgram
from predabs.c2bp.branch_predicates import with_conditions
from predabs.c2bp.direct.basic_blocks import blocks, inner
from predabs.c2bp.direct.method import DirectMethod
from predabs.c2bp.program import ProgramPredicates, abstract
from predabs.ir.cfa import Location, Program
from support.c2bp_random import random_calls
from support.c2bp_runs import follow, random_predicates, reached
from support.c_programs import program_of_c
from support.lazy_random import random_program
from support.selection import mostly_long


def hidden(program: Program) -> frozenset[Location]:
    """The locations inside blocks."""
    found = [inner(blocks(function)) for function in program.functions.values()]
    return frozenset(edge.src for edges in found for edge in edges)


def coded(
    program: Program, predicates: ProgramPredicates, joint: int, max_cube: int
) -> BooleanProgram:
    method = DirectMethod(joint)
    return abstract(program, predicates, max_cube, lambda: 0.5, method=method).code


JOINTLY = [(seed, joint) for seed in range(6) for joint in (0, seed % 2 + 1)]


@pytest.mark.parametrize("seed, joint", mostly_long(JOINTLY, 4))
def test_runs_are_runs_of_the_abstraction(seed: int, joint: int) -> None:
    heap, bits = seed % 2 == 0, seed % 5 == 0
    program = program_of_c(random_program(seed, heap=heap, bits=bits, size=5 + seed % 4))
    predicates = random_predicates(program, seed, 4)
    if seed % 3 == 1:
        predicates = with_conditions(program, predicates)
    code = coded(program, predicates, joint, 2 + seed % 2)
    assert follow(program, predicates, code, 5, hidden(program)) > 0


@pytest.mark.parametrize("seed, joint", mostly_long([(12, 0), (15, 2), (16, 0), (17, 2)], 1))
def test_runs_through_calls_are_runs_of_the_abstraction(seed: int, joint: int) -> None:
    program = program_of_c(random_calls(seed))
    predicates = random_predicates(program, seed, 4)
    code = coded(program, predicates, joint, 1 + seed % 3)
    assert follow(program, predicates, code, 5, hidden(program)) > 0


def states(program: Program, code: BooleanProgram) -> dict[tuple[str, str], set[int]]:
    """The values of the predicates that the Boolean program has at each location."""
    found: dict[tuple[str, str], set[int]] = {}
    everything = reached(code)
    model = everything.model
    for function in program.functions.values():
        cells = list(model.layout.scopes[function.name].cells.values())
        for location in function.locations:
            label = f"L{location.index}"
            for node in model.graphs[function.name].labelled(label):
                here = states_now(everything, (function.name, node))
                found[function.name, label] = {
                    point
                    for point in range(1 << len(cells))
                    if (here & model.manager.cube(values(cells, point))).satisfiable()
                }
    return found


def values(cells: Sequence[VariableBits], point: int) -> dict[int, bool]:
    return {cell.now: bool(point >> n & 1) for n, cell in enumerate(cells)}


@pytest.mark.parametrize("seed", mostly_long([31, 32, 33, 37, 38, 45], 2))
def test_the_more_predicates_together_the_fewer_states(seed: int) -> None:
    """And the direct method is never less precise than the Cartesian one."""
    program = program_of_c(random_program(seed, heap=seed % 3 == 0, size=5))
    predicates = random_predicates(program, seed, 4)
    cartesian = states(program, abstract(program, predicates, 0, lambda: 5.0).code)
    found = {j: states(program, coded(program, predicates, j, 0)) for j in (1, 2, 0)}
    inside = {(location.function, f"L{location.index}") for location in hidden(program)}
    for label in cartesian.keys() - inside:
        assert found[0][label] <= cartesian[label]
        assert found[0][label] <= found[2][label] <= found[1][label]
