"""The numeric domains: microseconds of processor time per operation.

    python -m bench domains [--domain NAME]... [--variables N]... [--seconds S]

Two kinds of values, at 5, 10 and 20 variables: *loose*, where each variable has bounds and every
fifth is related to its neighbour, as in most programs; and *chain*, where each is related to the
next, so that everything hangs together. `assign` is `x := y + 1`, `sum` is `x := x + y + z`,
`same` is a join of two values that differ in one variable only, `join` of two that differ in all.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Callable, Sequence
from typing import Any

from predabs.domains.factory import NAMES, create, installed
from predabs.domains.linear import Constraint, at_most, variable
from predabs.domains.numeric_domain import NumericDomain

SIZES = (5, 10, 20)


def conjunction(count: int, shape: str, seed: int) -> list[Constraint]:
    """Constraints of a value of one of the two kinds."""
    rng = random.Random(seed)
    forms = [variable(f"v{k:02}") for k in range(count)]
    found = []
    for k, form in enumerate(forms):
        if shape == "loose" or not k:
            found += [at_most(-rng.randint(0, 9), form), at_most(form, rng.randint(10, 99))]
        if k and (shape == "chain" or not k % 5):
            found.append(at_most(forms[k - 1], form + rng.randint(0, 9)))
    return found


def operations(domain: NumericDomain[Any], count: int, shape: str) -> dict[str, Callable[[], Any]]:
    """What is measured, by name."""
    known = conjunction(count, shape, 1)
    a = domain.alpha(known)
    b = domain.alpha(conjunction(count, shape, 2))
    x, y, z = (variable(f"v{k:02}") for k in range(3))
    near = domain.assign(a, "v01", y + 1)
    condition = at_most(x, y + 3)
    return {
        "alpha": lambda: domain.alpha(known),
        "gamma": lambda: domain.gamma(a),
        "assume": lambda: domain.assume(a, condition),
        "assign": lambda: domain.assign(a, "v00", y + 1),
        "sum": lambda: domain.assign(a, "v00", x + y + z),
        "forget": lambda: domain.forget(a, ["v01"]),
        "meet": lambda: domain.meet(a, b),
        "same": lambda: domain.join(a, near),
        "join": lambda: domain.join(a, b),
        "widen": lambda: domain.widen(a, near),
        "leq": lambda: domain.leq(a, b),
        "bounds": lambda: domain.bounds(a, x - y),
    }


def microseconds(call: Callable[[], Any], seconds: float) -> float:
    """Of one call, repeated for about so long."""
    call()
    times, spent = 0, 0.0
    begin = time.process_time()
    while spent < seconds:
        call()
        times += 1
        spent = time.process_time() - begin
    return spent / times * 1e6


def main(words: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="bench domains", description=__doc__.split("\n")[0])
    parser.add_argument("--domain", action="append", choices=NAMES)
    parser.add_argument("--variables", action="append", type=int)
    parser.add_argument("--seconds", type=float, default=0.05, help="for each number")
    options = parser.parse_args(list(words))
    names = options.domain or [name for name in NAMES if installed(name)]
    if not options.domain and len(names) < len(NAMES):
        print(f"not installed: {', '.join(sorted(set(NAMES) - set(names)))}", file=sys.stderr)
    for shape in ("loose", "chain"):
        head = None
        for name in names:
            for count in options.variables or SIZES:
                calls = operations(create(name), count, shape)
                if head is None:
                    head = f"{shape:10} {'n':>3}" + "".join(f"{word:>8}" for word in calls)
                    print(head)
                row = [f"{microseconds(call, options.seconds):8.0f}" for call in calls.values()]
                print(f"{name:10} {count:3}" + "".join(row), flush=True)
    return 0
