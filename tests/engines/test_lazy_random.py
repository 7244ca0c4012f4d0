"""The lazy engine on random programs: against the bounded engine, against runs, and its own
invariants against runs."""

from __future__ import annotations

from collections import Counter
from functools import cache

import pytest

from predabs.concrete.inputs import Inputs, RandomInputs, ZeroInputs
from predabs.concrete.interpreter import execute
from predabs.concrete.outcome import ErrorReached
from predabs.errors import ResourceExhausted, UnsupportedFeature
from predabs.evidence.replay import NotReplayed, replay
from predabs.ir.cfa import Program
from predabs.ir.configuration import Configuration, Stack
from predabs.ir.expr import Expr
from predabs.ir.show import show_expr
from predabs.ir.walk import variables
from predabs.options import Budget, Options
from predabs.verdict import Safe, Unknown, Unsafe, Verdict
from support.c_programs import program_of_c
from support.counted_time import counted_time
from support.engine_checks import checked
from support.lazy_random import random_program
from support.lazy_runs import visits
from support.lazy_setup import Parts
from support.selection import mostly_long

SECONDS = 2.0
SEEDS = range(30)
OTHERS = [
    *[(seed, {"block": "basic"}) for seed in range(100, 110)],
    *[(seed, {"block": "edge"}) for seed in range(110, 118)],
    *[(seed, {"block": "basic", "keep_subtree": True}) for seed in range(118, 124)],
    *[(seed, {"block": "basic", "traversal": "dfs"}) for seed in range(124, 128)],
    *[(seed, {"block": "basic", "traversal": "bfs"}) for seed in range(128, 132)],
    *[(seed, {"predicates_at": "function"}) for seed in range(132, 136)],
    *[(seed, {"predicates_at": "global", "block": "basic"}) for seed in range(136, 140)],
    *[(seed, {"numeric": "octagon"}) for seed in range(140, 152)],
    *[(seed, {"numeric": "polyhedra", "block": "basic"}) for seed in range(152, 156)],
]


@cache
def program(seed: int) -> Program:
    """Every second has a heap, every third operations that take bit-vectors."""
    heap, bits = seed % 2 == 0, seed % 3 == 0
    return program_of_c(random_program(seed, heap=heap, bits=bits, size=6 + seed % 5))


@cache
def by_unrolling(seed: int) -> Verdict:
    return decide("bounded", seed, Options(), 1.0)


@cache
def by_abstraction(seed: int, **options: object) -> Verdict:
    return decide("lazy", seed, Options(**options), SECONDS)


def decide(engine: str, seed: int, options: Options, seconds: float) -> Verdict:
    try:
        with counted_time():
            return checked(engine, program(seed), options, Budget.of(seconds))
    except (ResourceExhausted, UnsupportedFeature) as problem:
        return Unknown(str(problem))


def runs_into_error(subject: Program) -> bool:
    inputs: list[Inputs] = [ZeroInputs(), *(RandomInputs(seed) for seed in range(12))]
    ends = (execute(subject, one, max_steps=400) for one in inputs)
    return any(isinstance(end, ErrorReached) for end in ends)


def hold(seed: int, **options: object) -> None:
    """Nobody contradicts the verdict."""
    subject = program(seed)
    verdict, other = by_abstraction(seed, **options), by_unrolling(seed)
    match verdict:
        case Safe():
            assert not isinstance(other, Unsafe)
            assert not runs_into_error(subject)
            hold_invariants(subject, verdict)
        case Unsafe(inputs, _):
            assert not isinstance(other, Safe)
            assert not isinstance(replay(subject, inputs), NotReplayed)


def hold_invariants(subject: Program, verdict: Safe) -> None:
    """What is said to hold at a control point holds whenever a run is there."""
    invariants: dict[Configuration, Expr] = {}
    for item in verdict.invariants:
        stack: Stack | None = None
        for call in item.stack:
            stack = Stack(call, stack)
        invariants[Configuration(item.location, stack)] = item.expr
    parts = Parts(subject, is_cut_point=lambda configuration: configuration in invariants)

    def conditions(configuration: Configuration) -> list[Expr]:
        expr = invariants.get(configuration)
        if expr is None or any(parts.blocks.is_dead(configuration, var) for var in variables(expr)):
            return []
        return [expr]

    for seed in range(4):
        for visit in visits(parts, seed, 100, conditions).visits:
            for expr, holds in visit.conditions:
                assert holds, f"{visit.configuration}: {show_expr(expr)}"


@pytest.mark.parametrize("seed", mostly_long(SEEDS, 8))
def test_large_blocks(seed: int) -> None:
    hold(seed)


@pytest.mark.parametrize(("seed", "options"), mostly_long(OTHERS, 9))
def test_other_strategies(seed: int, options: dict[str, object]) -> None:
    hold(seed, **options)


def test_both_verdicts_occur() -> None:
    """So that the comparison says something."""
    kinds: Counter[str] = Counter()
    for seed in range(60):
        kinds[type(by_abstraction(seed)).__name__] += 1
        if kinds["Safe"] > 2 and kinds["Unsafe"] > 2:
            return
    raise AssertionError(kinds)
