"""The slam engine on random programs, recursive ones for the most part: against runs, against the
bounded engine, and each violation against a replay."""

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
from predabs.options import Budget
from predabs.verdict import Safe, Unknown, Unsafe, Verdict
from support.c_programs import program_of_c
from support.counted_time import counted_time
from support.engine_checks import task_of
from support.lazy_random import random_program
from support.selection import mostly_long
from support.slam_random import Features, Subject, random_subject
from support.slam_setup import searched

SECONDS = 1.0
KINDS = {
    "recursion": Features(),
    "pointers": Features(pointers=True),
    "through pointers": Features(pointers=True, through=True),
    "no recursion": Features(recursion=False, pointers=True, through=True),
    "loops": Features(pointers=True, loops=True),
}
CASES = [(kind, seed) for kind in KINDS for seed in range(6)]
OTHERS = range(200, 210)


@cache
def subject(kind: str, seed: int) -> Subject | None:
    return random_subject(seed, KINDS[kind])


@cache
def decided(kind: str, seed: int) -> Verdict:
    one = subject(kind, seed)
    if one is None:
        return Unknown("it is not known soon what its runs end with")
    return searched(one.program, SECONDS).verdict


def hold(program: Program, verdict: Verdict) -> None:
    """Nobody contradicts the verdict."""
    match verdict:
        case Safe():
            assert not isinstance(by_unrolling(program), Unsafe)
            inputs: list[Inputs] = [ZeroInputs(), *(RandomInputs(seed) for seed in range(12))]
            ends = (execute(program, one, max_steps=2000) for one in inputs)
            assert not any(isinstance(end, ErrorReached) for end in ends)
        case Unsafe(inputs, _):
            assert not isinstance(replay(program, inputs), NotReplayed)


def by_unrolling(program: Program) -> Verdict:
    try:
        with counted_time():
            return decide("bounded", task_of(program), Budget.of(SECONDS))
    except (ResourceExhausted, UnsupportedFeature) as problem:
        return Unknown(str(problem))


@pytest.mark.parametrize(("kind", "seed"), mostly_long(CASES, 5))
def test_procedures(kind: str, seed: int) -> None:
    one, verdict = subject(kind, seed), decided(kind, seed)
    if one is not None:
        assert not (one.reachable and isinstance(verdict, Safe)), one.text
        hold(one.program, verdict)


@pytest.mark.parametrize("seed", mostly_long(OTHERS, 2))
def test_loops_and_memory(seed: int) -> None:
    heap, bits = seed % 2 == 0, seed % 3 == 0
    program = program_of_c(random_program(seed, heap=heap, bits=bits, size=6 + seed % 5))
    hold(program, searched(program, SECONDS).verdict)


@pytest.mark.long
def test_both_verdicts_occur() -> None:
    """So that the comparison says something."""
    kinds: Counter[str] = Counter()
    for seed in range(40):
        for kind in KINDS:
            kinds[type(decided(kind, seed)).__name__] += 1
            if kinds["Safe"] > 2 and kinds["Unsafe"] > 2:
                return
    raise AssertionError(kinds)
