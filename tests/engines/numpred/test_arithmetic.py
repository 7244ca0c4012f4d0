"""The numpred engine on random arithmetic of small numbers, against all runs."""

from __future__ import annotations

import random
from collections import Counter
from functools import cache

import pytest

from predabs.concrete.inputs import ListInputs
from predabs.concrete.interpreter import execute
from predabs.concrete.outcome import ErrorReached
from predabs.errors import ResourceExhausted
from predabs.ir.cfa import Program
from predabs.numpred.domain.structures import STRUCTURES
from predabs.options import Budget, Options
from predabs.verdict import Safe, Unknown, Unsafe, Verdict
from support.c_programs import program_of_c
from support.counted_time import counted_time
from support.engine_checks import checked
from support.selection import mostly_long

SEEDS = range(40)
TYPES = ("int", "unsigned", "signed char", "unsigned char", "short", "long long")
NUMBERS = ("box", "octagon", "polyhedra")


def expression(pick: random.Random, names: list[str], depth: int) -> str:
    if depth == 0 or pick.random() < 0.2:
        return pick.choice([*names, *names, str(pick.randint(-9, 9))])
    inner = expression(pick, names, depth - 1)
    match pick.randrange(8):
        case 0:
            return f"({inner}) / {pick.choice([-5, -3, -2, 2, 3, 4, 5, 8])}"
        case 1 | 2:
            return f"({inner}) % {pick.choice([-5, -3, 2, 3, 4, 5, 8])}"
        case 3:
            return f"({inner}) & {pick.choice([1, 3, 7, 15])}"
        case 4:
            return f"(({inner}) + 8) >> {pick.randint(0, 3)}"
        case 5:
            return f"({inner}) * {pick.randint(-4, 4)}"
        case 6:
            return f"({pick.choice(TYPES)})({inner})"
    return f"({inner}) {pick.choice('+-')} ({expression(pick, names, depth - 1)})"


def condition(pick: random.Random, names: list[str]) -> str:
    sign = pick.choice(["==", "!=", "<", "<=", ">", ">="])
    return f"{expression(pick, names, 2)} {sign} {pick.randint(-12, 12)}"


def text(seed: int) -> tuple[str, int, int]:
    """A program that reads one number, and between which numbers that must lie."""
    pick = random.Random(seed)
    low = pick.randint(-16, 8)
    high = low + pick.randint(0, 24)
    names = ["x"]
    lines = []
    for name in "abc"[: pick.randint(1, 3)]:
        lines.append(f"  {pick.choice(TYPES)} {name} = {expression(pick, names, 3)};")
        names.append(name)
        if pick.random() < 0.5:
            other = expression(pick, names, 2)
            lines.append(f"  if ({condition(pick, names)}) {name} = {other};")
        if pick.random() < 0.3:
            step = f"{name} = ({name} + {pick.randint(-3, 3)}) % {pick.choice([3, 5, 8])};"
            lines.append(f"  for (int i = 0; i < {pick.randint(1, 4)}; i++) {step}")
    body = "\n".join(lines)
    return (
        f"""int main(void) {{
  int x = __VERIFIER_nondet_int();
  if (x < {low} || x > {high}) return 0;
{body}
  if ({condition(pick, names)} && {condition(pick, names)}) reach_error();
  return 0;
}}""",
        low,
        high,
    )


@cache
def program(seed: int) -> Program:
    return program_of_c(text(seed)[0])


@cache
def can_fail(seed: int) -> bool:
    _, low, high = text(seed)
    ends = (execute(program(seed), ListInputs([n]), max_steps=400) for n in range(low, high + 1))
    return any(isinstance(end, ErrorReached) for end in ends)


@cache
def decided(seed: int) -> Verdict:
    options = Options(
        domain=list(STRUCTURES)[seed % len(STRUCTURES)], numeric=NUMBERS[seed // 6 % 3]
    )
    try:
        with counted_time():
            return checked("numpred", program(seed), options, Budget.of(2.0))
    except ResourceExhausted as problem:
        return Unknown(str(problem))


@pytest.mark.parametrize("seed", mostly_long(SEEDS, 10))
def test_against_all_runs(seed: int) -> None:
    match decided(seed):
        case Safe():
            assert not can_fail(seed), text(seed)[0]
        case Unsafe():
            assert can_fail(seed), text(seed)[0]


@pytest.mark.long
def test_both_verdicts_occur() -> None:
    kinds = Counter(type(decided(seed)).__name__ for seed in SEEDS)
    assert min(kinds["Safe"], kinds["Unsafe"]) > 4, kinds
