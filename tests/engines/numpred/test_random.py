"""The numpred engine on random programs: against the bounded engine, against runs, and its proofs
against the check of certificates."""

from __future__ import annotations

from collections import Counter
from functools import cache

import pytest

from predabs.concrete.inputs import Inputs, RandomInputs, ZeroInputs
from predabs.concrete.interpreter import execute
from predabs.concrete.outcome import ErrorReached
from predabs.engines.engine import decide
from predabs.errors import ResourceExhausted, UnsupportedFeature
from predabs.evidence.certificate import Certified, certify
from predabs.evidence.replay import NotReplayed, replay
from predabs.ir.cfa import Program
from predabs.numpred.domain.structures import STRUCTURES
from predabs.options import Budget, Options
from predabs.verdict import Safe, Unknown, Unsafe, Verdict
from support.c_programs import program_of_c
from support.counted_time import counted_time
from support.engine_checks import checked, task_of
from support.lazy_random import random_program
from support.selection import mostly_long


def check(subject: Program, seconds: float, **options: object) -> Verdict:
    try:
        with counted_time():
            return checked("numpred", subject, Options(**options), Budget.of(seconds))
    except (ResourceExhausted, UnsupportedFeature) as problem:
        return Unknown(str(problem))


WISHES: list[dict[str, object]] = [{}, *({"domain": structure} for structure in STRUCTURES)]
SEEDS = range(200, 235)
NUMBERS = ("box", "octagon", "polyhedra")


@cache
def random(seed: int) -> Program:
    heap, bits = seed % 2 == 0, seed % 3 == 0
    return program_of_c(random_program(seed, heap=heap, bits=bits, size=6 + seed % 5))


@cache
def decided(seed: int) -> Verdict:
    wish = dict(WISHES[seed % len(WISHES)])
    if seed % 4:
        wish["numeric"] = NUMBERS[seed % 3]
    return check(random(seed), 2.0, **wish)


def unrolled(subject: Program) -> Verdict | None:
    try:
        with counted_time():
            return decide("bounded", task_of(subject), Budget.of(1.0))
    except (ResourceExhausted, UnsupportedFeature):
        return None


@pytest.mark.parametrize("seed", mostly_long(SEEDS, 7))
def test_random_programs(seed: int) -> None:
    """Nobody contradicts the verdict, and a proof passes the other check."""
    subject, verdict = random(seed), decided(seed)
    match verdict:
        case Safe(invariants):
            inputs: list[Inputs] = [ZeroInputs(), *(RandomInputs(one) for one in range(12))]
            ends = [execute(subject, one, max_steps=400) for one in inputs]
            assert not any(isinstance(end, ErrorReached) for end in ends)
            assert not isinstance(unrolled(subject), Unsafe)
            assert certify(subject, invariants) == Certified()
        case Unsafe(inputs_, _):
            assert not isinstance(replay(subject, inputs_), NotReplayed)


@pytest.mark.long
def test_both_verdicts_occur() -> None:
    kinds = Counter(type(decided(seed)).__name__ for seed in SEEDS)
    assert min(kinds["Safe"], kinds["Unsafe"]) > 2, kinds
