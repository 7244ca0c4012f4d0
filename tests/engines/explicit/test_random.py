"""Random schedulers and other programs: the explicit engine against the bounded engine."""

from __future__ import annotations

import pytest

from predabs.verdict import Safe, Unsafe
from support.c_programs import program_of_c
from support.explicit_runs import agree, decide
from support.lazy_random import Maker
from support.machine_random import random_machine
from support.scheduler_random import random_scheduler
from support.selection import mostly_long


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
