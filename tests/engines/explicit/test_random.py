"""Random schedulers and other programs: the explicit engine against the bounded engine."""

from __future__ import annotations

import pytest

from predabs.engines.engine import create
from predabs.errors import ResourceExhausted, UnsupportedFeature
from predabs.evidence.replay import NotReplayed, replay
from predabs.ir.cfa import Program
from predabs.options import Budget, TimeOver
from predabs.verdict import Safe, Unknown, Unsafe, Verdict
from support.c_programs import program_of_c
from support.counted_time import counted_time
from support.engine_checks import task_of
from support.lazy_random import Maker
from support.machine_random import random_machine
from support.scheduler_random import random_scheduler
from support.selection import mostly_long


def decide(engine: str, program: Program) -> Verdict:
    try:
        with counted_time():
            return create(engine, task_of(program)).run(Budget.of(4.0))
    except (ResourceExhausted, UnsupportedFeature, TimeOver) as problem:
        return Unknown(str(problem))


def agree(text: str) -> Verdict:
    program = program_of_c(text)
    verdict = decide("explicit", program)
    match verdict:
        case Safe():
            assert not isinstance(decide("bounded", program), Unsafe)
        case Unsafe(inputs, _):
            assert not isinstance(replay(program, inputs), NotReplayed)
            assert not isinstance(decide("bounded", program), Safe)
    return verdict


@pytest.mark.parametrize("seed", mostly_long(range(80), 12))
def test_random_schedulers(seed: int) -> None:
    agree(random_scheduler(seed))


@pytest.mark.parametrize("seed", mostly_long(range(80, 120), 5))
def test_schedulers_without_a_bound(seed: int) -> None:
    text = random_scheduler(seed)
    for rounds in ("i < 2", "i < 3", "i < 4"):
        text = text.replace(rounds, "__VERIFIER_nondet_int()")
    agree(text)


@pytest.mark.parametrize("seed", mostly_long(range(40), 5))
def test_random_machines(seed: int) -> None:
    agree(random_machine(seed))


@pytest.mark.parametrize("seed", mostly_long(range(40), 5))
def test_other_programs(seed: int) -> None:
    agree(Maker(seed, memory=seed % 3 > 0, heap=seed % 3 == 2, bits=seed % 2 == 1).program())


def test_both_verdicts_occur() -> None:
    kinds = {type(decide("explicit", program_of_c(random_scheduler(seed)))) for seed in range(8)}
    assert {Safe, Unsafe} <= kinds
