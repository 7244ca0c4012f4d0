"""`python -m fuzz.memory`: the memory checks against gcc's sanitizers, on many random programs.

All runs of each program on small inputs are made natively. Soundness: no TRUE if one of them
faults; precision of a violation: no FALSE if none does, and neither does the run with the inputs
of the violation.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import predabs
from fuzz import memory_programs, structures
from fuzz.sanitizers import NativeRun, all_runs, one_run
from predabs.ir.ops import Source

_TOGETHER = 25  # programs in one executable
_NOT_REPEATED = "FALSE, by what memory holds that was never written"  # natively it holds one value


@dataclass(frozen=True, slots=True)
class Kind:
    """Programs of one kind: the text for a seed, how many inputs they take, what is checked."""

    program: Callable[[int], str]
    inputs: int
    checks: tuple[str, ...]

    def faults(self, runs: Sequence[NativeRun]) -> bool:
        """Does one of the runs do what is checked?"""
        return any(run.fault or (run.lost and "leak" in self.checks) for run in runs)


KINDS = {
    "statements": Kind(memory_programs.program, memory_programs.INPUTS, ("deref", "free")),
    "structures": Kind(
        structures.program,
        structures.INPUTS,
        ("deref", "free", "leak", "signed-overflow", "div-by-zero", "shift"),
    ),
}


@dataclass(frozen=True, slots=True)
class Comparison:
    """The verdict of an engine about the program of a seed, and whether a native run faults."""

    seed: int
    engine: str
    answer: str
    fault: bool

    @property
    def contradicts(self) -> bool:
        """
        >>> Comparison(1, "smg", "TRUE", True).contradicts
        True
        >>> Comparison(1, "smg", "UNKNOWN", False).contradicts
        False
        """
        return self.answer == ("TRUE" if self.fault else "FALSE")


def compared(
    kind: Kind, seeds: range, engines: Sequence[str], seconds: float
) -> Iterator[Comparison]:
    """For each seed, the verdict of one of the engines, one after the other."""
    for start in range(seeds.start, seeds.stop, _TOGETHER):
        some = range(start, min(start + _TOGETHER, seeds.stop))
        texts = [kind.program(seed) for seed in some]
        with tempfile.TemporaryDirectory() as scratch:
            folder = Path(scratch)
            natively = all_runs(texts, folder, kind.inputs)
            for number, (seed, runs) in enumerate(zip(some, natively, strict=True)):
                engine = engines[seed % len(engines)]
                source = folder / f"seed{seed}.c"
                source.write_text(texts[number])
                result = predabs.check([source], checks=kind.checks, engine=engine, timeout=seconds)
                answer = result.verdict.name
                if result.violation is not None and not kind.faults(runs):
                    inputs = result.violation.inputs
                    taken = [i.value for i in inputs if i.source is Source.NONDET]
                    numbers = [value for value in taken if isinstance(value, int)]
                    runs = [one_run(number, numbers, folder)]
                    if len(taken) < len(inputs) and not kind.faults(runs):
                        answer = _NOT_REPEATED
                yield Comparison(seed, engine, answer, kind.faults(runs))


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m fuzz.memory", description=__doc__)
    parser.add_argument("--kind", choices=KINDS, default="structures")
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument("--count", type=int, default=100, help="how many programs")
    parser.add_argument("--engine", default="auto", help="one, or several, one for each program")
    parser.add_argument("--timeout", type=float, default=20.0, help="seconds for each program")
    given = parser.parse_args()
    counts: Counter[tuple[str, str, bool]] = Counter()
    wrong = []
    seeds = range(given.first, given.first + given.count)
    engines = given.engine.split(",")
    for found in compared(KINDS[given.kind], seeds, engines, given.timeout):
        counts[found.engine, found.answer, found.fault] += 1
        if found.answer == _NOT_REPEATED:
            print(f"seed {found.seed}: {found.engine} says {found.answer}", flush=True)
        if found.contradicts:
            wrong.append(found)
            print(
                f"seed {found.seed}: {found.engine} says {found.answer}, "
                "but the native runs say otherwise",
                flush=True,
            )
    for (engine, answer, fault), number in sorted(counts.items()):
        print(f"{engine:8} {answer}, {'with' if fault else 'without'} a fault: {number}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
