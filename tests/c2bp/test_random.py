"""Soundness on random programs and predicates: every concrete run is a run of the Boolean program
[BMR05, theorem 1]."""

from __future__ import annotations

import pytest

from predabs.c2bp.program import abstract
from support.c2bp_random import random_calls
from support.c2bp_runs import follow, random_predicates
from support.c_programs import program_of_c
from support.lazy_random import random_program
from support.selection import mostly_long


@pytest.mark.parametrize("seed", mostly_long(range(24), 6))
def test_runs_are_runs_of_the_abstraction(seed: int) -> None:
    heap, bits = seed % 2 == 0, seed % 5 == 0
    program = program_of_c(random_program(seed, heap=heap, bits=bits, size=5 + seed % 4))
    predicates = random_predicates(program, seed)
    coded = abstract(program, predicates, max_cube=2 + seed % 2, seconds=lambda: 0.5).code
    assert follow(program, predicates, coded) > 0


@pytest.mark.parametrize("seed", mostly_long(range(12, 20), 2))
def test_runs_through_calls_are_runs_of_the_abstraction(seed: int) -> None:
    """Recursion, calls through pointers, and pointers to the variables of the caller."""
    program = program_of_c(random_calls(seed))
    predicates = random_predicates(program, seed, 4 + seed % 6)
    coded = abstract(program, predicates, max_cube=1 + seed % 3, seconds=lambda: 0.5).code
    assert follow(program, predicates, coded, runs=5) > 0
