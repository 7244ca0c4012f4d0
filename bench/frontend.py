"""How many of the tasks become control flow automata, and how long that takes.

Each task is read in a process of its own, so that nothing is shared between measurements.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from predabs.bench.task import Task
from predabs.errors import PredabsError
from predabs.frontend.load import load
from predabs.ir.types import DataModel
from predabs.supervise import (
    ChildFinished,
    Crashed,
    OutOfMemory,
    OutOfTime,
    ProcessLimits,
    Send,
    supervise,
)

from .tasks import add_task_arguments, chosen_tasks


@dataclass(frozen=True, slots=True)
class Reading:
    """What came of one task: the seconds it took, or why it failed."""

    task: Task
    seconds: float
    functions: int
    edges: int
    failure: str | None


def main(words: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench frontend", description=__doc__)
    add_task_arguments(parser)
    parser.add_argument(
        "--limit", type=float, default=60, metavar="S", help="seconds a task (default: 60)"
    )
    return run(parser.parse_args(words))


def run(args: argparse.Namespace) -> int:
    readings = [measure(task, args.limit) for task in chosen_tasks(args)]
    good = [reading for reading in readings if reading.failure is None]
    for reading in readings:
        if reading.failure is not None:
            print(f"failed  {reading.task.name}: {reading.failure}")
    print(f"\n{len(good)} of {len(readings)} tasks became automata")
    if good:
        _times(good)
    return 0 if len(good) == len(readings) else 1


def measure(task: Task, limit: float) -> Reading:
    """Read one task in a child process; the time is that of reading alone."""

    def work(send: Send) -> Reading:
        start = time.process_time()
        try:
            program = load([str(task.file)], DataModel[task.data_model])
        except PredabsError as problem:
            return Reading(task, 0.0, 0, 0, str(problem))
        seconds = time.process_time() - start
        edges = sum(len(function.edges) for function in program.functions.values())
        return Reading(task, seconds, len(program.functions), edges, None)

    match supervise(work, ProcessLimits(limit)):
        case ChildFinished(reading):
            return reading
        case OutOfTime():
            failure = f"not read in {limit:g} s"
        case OutOfMemory():
            failure = "out of memory"
        case Crashed(text):
            failure = f"crashed: {text}"
    return Reading(task, 0.0, 0, 0, failure)


def _times(good: list[Reading]) -> None:
    lines = sum(reading.task.lines for reading in good)
    seconds = sum(reading.seconds for reading in good)
    print(f"{seconds:.1f} s for {lines} lines: {1000 * seconds / lines:.3f} s per 1,000 lines")
    print("slowest:")
    for reading in sorted(good, key=lambda reading: -reading.seconds)[:5]:
        task = reading.task
        print(
            f"  {reading.seconds:6.2f} s  {task.lines:6} lines  {reading.functions:4} functions  "
            f"{reading.edges:6} edges  {task.name}"
        )
    models = Counter(reading.task.data_model for reading in good)
    print(", ".join(f"{count} as {model}" for model, count in sorted(models.items())))
