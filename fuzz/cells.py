"""`python -m fuzz.cells`: what the cells engine proves, against runs of the interpreter.

Soundness: nothing is proved of a program that a run refutes. Runs take small random inputs, and
what was never written holds anything.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from random import Random

from fuzz.cell_programs import array_program, list_program
from fuzz.idiom_programs import idiom_program
from fuzz.reducer_programs import reducer_program
from predabs.analysis.facts import ProgramFacts
from predabs.concrete.inputs import ListInputs, RandomInputs
from predabs.concrete.interpreter import execute
from predabs.concrete.outcome import ErrorReached, RunFault
from predabs.engines.engine import EngineTask, decide
from predabs.errors import PredabsError
from predabs.frontend.load import load
from predabs.ir.cfa import Program
from predabs.ir.types import DataModel
from predabs.options import Budget, Options
from predabs.pipeline.preparation import sliced
from predabs.verdict import Safe

KINDS: dict[str, Callable[[Random, int], str]] = {
    "arrays": array_program,
    "lists": list_program,
    "reducers": reducer_program,
    "idioms": idiom_program,
}
_FEW, _MOST_STEPS = 12, 3000
_WIDE = (-1, 1 << 30, (1 << 30) + 1, -(1 << 31), (1 << 31) - 1, 1 << 29, -(1 << 30))


@dataclass(frozen=True, slots=True)
class Tried:
    """A program, how often runs reached its error, and whether it was proved."""

    seed: int
    text: str
    errors: int
    faults: int
    answer: str

    @property
    def is_wrong(self) -> bool:
        return self.answer == "proved" and self.errors > 0


def _loaded(text: str, model: DataModel) -> Program:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "program.c"
        path.write_text(text)
        return load([str(path)], model, "main")


def _runs(program: Program, seed: int, count: int) -> tuple[int, int]:
    """How many of so many runs reach the error, and how many fault."""
    errors = faults = 0
    for number in range(count):
        random = Random(seed * 1000 + number)
        values = [
            random.choice(_WIDE) if random.random() < 0.05 else random.randint(-1, 3)
            for _ in range(60)
        ]
        # no endless input: lists end
        outcome = execute(
            program, ListInputs(values, RandomInputs(number, True)), max_steps=_MOST_STEPS
        )
        errors += isinstance(outcome, ErrorReached)
        faults += isinstance(outcome, RunFault)
    return errors, faults


def tried(
    kind: str,
    seed: int,
    runs: int,
    seconds: float,
    engine: str = "cells",
    options: Options | None = None,
) -> Tried:
    """The program of a seed: the assertion that fails least in a few runs, then many runs, and the
    engine."""
    model = DataModel.ILP32 if seed % 3 else DataModel.LP64
    best: tuple[int, str, Program] | None = None
    for asserted in range(8):
        text = KINDS[kind](Random(seed), asserted)
        program = _loaded(text, model)
        errors, _ = _runs(program, seed, _FEW)
        if best is None or errors < best[0]:
            best = errors, text, program
        if errors == 0 and asserted >= seed % 3:
            break
    assert best is not None
    _, text, program = best
    try:
        task = EngineTask(sliced(ProgramFacts(program)), options or Options())
        verdict = decide(engine, task, Budget.of(seconds))
        answer = "proved" if isinstance(verdict, Safe) else getattr(verdict, "reason", "FALSE")
    except PredabsError as problem:
        answer = str(problem)
    errors, faults = _runs(program, seed, runs if answer == "proved" else _FEW)
    return Tried(seed, text, errors, faults, answer)


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m fuzz.cells", description=__doc__)
    parser.add_argument("--kind", choices=sorted(KINDS), action="append")
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--runs", type=int, default=400, help="of each program that is proved")
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("--engine", default="cells")
    given = parser.parse_args(arguments)
    wrong = 0
    for kind in given.kind or sorted(KINDS):
        answers: Counter[str] = Counter()
        for seed in range(given.seed, given.seed + given.count):
            found = tried(kind, seed, given.runs, given.seconds, given.engine)
            text = found.answer.partition(":")[2].partition(":")[2] or found.answer
            answers[text.strip("0123456789: ")] += 1
            if found.is_wrong:
                wrong += 1
                print(f"{kind} {seed}: proved, but {found.errors} runs reach the error")
                print(found.text)
        print(f"{kind}: {dict(answers.most_common())}")
    print(f"wrong: {wrong}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
