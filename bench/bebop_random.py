"""bebop against the explicit reference of the tests on many random programs.

    python -m bench.bebop_random [FIRST] [LAST]      (default: 0 2500)

Each program is asked for failed assertions and, where it has one, for its first label. Verdict and
length of the shortest run must agree; the first difference ends the run with exit code 1.
"""

from __future__ import annotations

import sys
from collections import Counter

from tests.support.boolprog_random import random_program
from tests.support.boolprog_reference import Reference

from predabs.boolprog import CheckLimits, Violated, check, parse, show
from predabs.boolprog.syntax import statements


def main(argv: list[str]) -> int:
    first, last = (int(argv[0]), int(argv[1])) if len(argv) == 2 else (0, 2500)
    counts: Counter[str] = Counter()
    longest = 0
    for seed in range(first, last):
        program = random_program(seed)
        text = show(program)
        if parse(text) != program:
            print(f"program {seed} does not read back:\n{text}")
            return 1
        labels = {x for p in program.procedures for s in statements(p.body) for x in s.labels}
        for label in (None, *sorted(labels)[:1]):
            result = check(program, label, CheckLimits(memory_mb=16))
            length = result.run.length if isinstance(result, Violated) else None
            expected = Reference(program, label).shortest()
            if length != expected:
                print(f"program {seed}, label {label}: {length}, expected {expected}\n{text}")
                return 1
            kind = "assert" if label is None else "label"
            counts[f"{kind} {'TRUE' if length is None else 'FALSE'}"] += 1
            longest = max(longest, length or 0)
    print(f"programs {first} to {last - 1} agree: {dict(counts)}, longest run {longest} steps")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
