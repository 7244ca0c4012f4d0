"""From C to a Boolean program: time and questions to solvers as the predicates grow.

    python -m bench abstract [--name TEXT]... [--sizes 5,15,25,35] [--max-cube K]

The slam engine finds the predicates of a task; the first N of them, in the order they were found,
are then given to the abstraction alone, as `predabs abstract` does it.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence

import predabs
from predabs.bench.task import Task
from predabs.bench.task_files import read_tasks
from predabs.c2bp.boolean_code import text
from predabs.c2bp.file_predicates import predicates_of_file, with_used_results
from predabs.c2bp.program import abstract
from predabs.frontend.load import load
from predabs.ir.result_variables import with_results
from predabs.ir.types import DataModel
from predabs.predicates.syntax.file import read_predicates
from predabs.smt.solver import Statistics

from .tasks import DEFAULT

NAMES = ("ssh-simplified/s3_clnt_1.cil-1", "ntdrivers-simplified/diskperf_simpl1")


def main(words: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="bench abstract", description=__doc__)
    parser.add_argument("--name", action="append", metavar="TEXT", help="a part of a task's name")
    parser.add_argument("--sizes", default="5,15,25,35", metavar="N,N", help="how many predicates")
    parser.add_argument("--max-cube", type=int, default=3, metavar="K")
    parser.add_argument("--limit", type=float, default=60.0, help="seconds for the slam engine")
    args = parser.parse_args(words)
    tasks = read_tasks([str(DEFAULT)])
    print("task                                   C lines  predicates  seconds  questions  lines")
    for name in args.name or NAMES:
        for task in tasks:
            if name in task.name:
                _measure(task, [int(size) for size in args.sizes.split(",")], args)
    return 0


def _measure(task: Task, sizes: list[int], args: argparse.Namespace) -> None:
    found = _found(task, args.limit)
    for size in sizes:
        if size > len(found):
            print(f"{task.name:38} {task.lines:7}  only {len(found)} predicates were found")
            return
        program = load((str(task.file),), DataModel[task.data_model], "main")
        file = read_predicates(_file(found[:size]), with_results(program))
        program = with_used_results(program, file)
        predicates = predicates_of_file(file)
        count = len(predicates.shared) + sum(map(len, predicates.own.values()))
        statistics, begun = Statistics(), time.process_time()
        result = abstract(program, predicates, args.max_cube, lambda: 10.0, statistics)
        seconds = time.process_time() - begun
        lines = text(result.code).count("\n")
        print(
            f"{task.name:38} {task.lines:7}  {count:10}  {seconds:7.1f}  {statistics.calls:9}"
            f"  {lines:5}",
            flush=True,
        )


def _found(task: Task, limit: float) -> list[tuple[str, str]]:
    """The predicates that the slam engine finds, each with its section."""
    result = predabs.check([task.file], engine="slam", data_model=task.data_model, timeout=limit)
    found: list[tuple[str, str]] = []
    section = ""
    for line in (line for item in result.work.rounds for line in item.new):
        if line.endswith(":"):
            section = line
        else:
            found.append((section, line))
    return found


def _file(found: list[tuple[str, str]]) -> str:
    return "".join(f"{section}\n{predicate}\n" for section, predicate in found)
