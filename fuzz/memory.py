"""`python -m fuzz.memory`: the memory checks against gcc's sanitizers, on many random programs.

All runs of each program are made natively. Soundness: no TRUE if one of them faults; precision of a
violation: no FALSE if none does.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import predabs
from fuzz.memory_programs import program
from fuzz.sanitizers import NativeRun, all_runs

_TOGETHER = 25  # programs in one executable
_CHECKS = ("deref", "free")


def compared(seeds: range, engine: str, seconds: float) -> Iterator[tuple[int, str, bool]]:
    """For each seed: the verdict, and whether a native run of the program faults."""
    for start in range(seeds.start, seeds.stop, _TOGETHER):
        some = range(start, min(start + _TOGETHER, seeds.stop))
        texts = [program(seed) for seed in some]
        with tempfile.TemporaryDirectory() as scratch:
            folder = Path(scratch)
            for seed, text, runs in zip(some, texts, all_runs(texts, folder), strict=True):
                source = folder / f"seed{seed}.c"
                source.write_text(text)
                yield seed, verdict(source, engine, seconds), faults(runs)


def verdict(source: Path, engine: str, seconds: float) -> str:
    result = predabs.check([source], checks=_CHECKS, engine=engine, timeout=seconds)
    return result.verdict.name


def faults(runs: list[NativeRun]) -> bool:
    return any(run.fault for run in runs)


def contradicts(answer: str, fault: bool) -> bool:
    """
    >>> contradicts("TRUE", True), contradicts("FALSE", True), contradicts("UNKNOWN", False)
    (True, False, False)
    """
    return answer == ("TRUE" if fault else "FALSE")


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m fuzz.memory", description=__doc__)
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument("--count", type=int, default=100, help="how many programs")
    parser.add_argument("--engine", default="auto")
    parser.add_argument("--timeout", type=float, default=20.0, help="seconds for each program")
    given = parser.parse_args()
    counts: Counter[tuple[str, bool]] = Counter()
    wrong = []
    seeds = range(given.first, given.first + given.count)
    for seed, answer, fault in compared(seeds, given.engine, given.timeout):
        counts[answer, fault] += 1
        if contradicts(answer, fault):
            wrong.append(seed)
            print(f"seed {seed}: {answer}, but the native runs say otherwise", flush=True)
    for (answer, fault), number in sorted(counts.items()):
        print(f"{answer:8} {'with' if fault else 'without'} a fault: {number}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
