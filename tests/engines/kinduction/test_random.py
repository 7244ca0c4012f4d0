"""The kinduction engine on random programs: against the bounded engine and against runs."""

from __future__ import annotations

from collections import Counter
from functools import cache

import pytest

from predabs.concrete.inputs import Inputs, RandomInputs, ZeroInputs
from predabs.concrete.interpreter import execute
from predabs.concrete.outcome import ErrorReached
from predabs.engines.engine import decide
from predabs.errors import ResourceExhausted, UnsupportedFeature
from predabs.evidence.replay import NotReplayed, replay
from predabs.ir.cfa import Program
from predabs.options import Budget, Options
from predabs.verdict import Safe, Unknown, Unsafe, Verdict
from support.c_programs import program_of_c
from support.counted_time import counted_time
from support.engine_checks import checked, task_of
from support.lazy_random import random_program
from support.procedures_random import many_procedures
from support.selection import mostly_long

SEEDS = range(700, 760)


@cache
def random(seed: int) -> Program:
    if seed % 5 == 4:
        return program_of_c(many_procedures(seed))
    heap, bits = seed % 2 == 0, seed % 3 == 0
    return program_of_c(random_program(seed, heap=heap, bits=bits, size=6 + seed % 5))


@cache
def decided(seed: int) -> Verdict:
    try:
        with counted_time():
            return checked("kinduction", random(seed), Options(), Budget.of(2.0))
    except (ResourceExhausted, UnsupportedFeature) as problem:
        return Unknown(str(problem))


def unrolled(subject: Program) -> Verdict | None:
    try:
        with counted_time():
            return decide("bounded", task_of(subject), Budget.of(1.0))
    except (ResourceExhausted, UnsupportedFeature):
        return None


@pytest.mark.parametrize("seed", mostly_long(SEEDS, 10))
def test_random_programs(seed: int) -> None:
    """Nobody contradicts the verdict."""
    subject, verdict = random(seed), decided(seed)
    match verdict:
        case Safe():
            inputs: list[Inputs] = [ZeroInputs(), *(RandomInputs(one) for one in range(12))]
            ends = [execute(subject, one, max_steps=400) for one in inputs]
            assert not any(isinstance(end, ErrorReached) for end in ends)
            assert not isinstance(unrolled(subject), Unsafe)
        case Unsafe(inputs_, _):
            assert not isinstance(replay(subject, inputs_), NotReplayed)


@pytest.mark.long
def test_both_verdicts_occur() -> None:
    kinds = Counter(type(decided(seed)).__name__ for seed in SEEDS)
    assert min(kinds["Safe"], kinds["Unsafe"]) > 5, kinds
