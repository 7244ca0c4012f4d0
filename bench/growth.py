"""How the phases before an engine starts grow with the lines of a program.

Each task goes through clang, the front end, the analyses of the program, the slice and the analyses
of the slice, in a process of its own with limits of CPU time and memory. The first table has the
CPU seconds by task and phase; a phase that was cut by a limit has no number, and those after it
have none. The second has, for each phase, the exponent k of `seconds = c * lines ** k` (least
squares of the logarithms, tasks of 5,000 to 39,000 lines), the slowest task, and how many take more
than 5 s.
"""

from __future__ import annotations

import argparse
import csv
import json
import math
import os
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from pathlib import Path

from predabs.bench.execute import Executor, Limits
from predabs.bench.perform import environment
from predabs.bench.task import Task
from predabs.bench.text_table import Table, print_tables

from .phases import PHASES
from .tasks import DEFAULT, add_task_arguments, chosen_tasks

DRIVERS = DEFAULT.parent.parent / "drivers" / "tasks.csv"
TOTAL = "total"
FIRST_LINES, LAST_LINES = 5_000, 39_000  # of the tasks whose growth is fitted
LONG_SECONDS = 5.0
_LEAST_SECONDS = 0.01  # what the clock tells apart: less than that counts as that
_PATIENCE = 4.0  # wall-clock seconds for each CPU second, on a busy machine


@dataclass(frozen=True, slots=True)
class Measured:
    """The CPU seconds of the phases that ended; `cut` is the one that did not, and `why`."""

    name: str
    lines: int
    functions: int | None = None
    edges: int | None = None
    seconds: Mapping[str, float] = field(default_factory=dict)
    cut: str = ""
    why: str = ""

    def of(self, phase: str) -> float | None:
        """The seconds of a phase or of all; None if it was cut or not reached."""
        if phase == TOTAL:
            return None if self.cut else sum(self.seconds.values())
        return self.seconds.get(phase)


def main(words: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench growth", description=__doc__)
    add_task_arguments(parser)
    parser.set_defaults(tasks=DRIVERS)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, metavar="N")
    parser.add_argument(
        "--limit", type=int, default=60, metavar="S", help="CPU seconds a task (default: 60)"
    )
    parser.add_argument(
        "--memory", type=int, default=4096, metavar="MB", help="memory a task (default: 4096)"
    )
    parser.add_argument("--markdown", action="store_true", help="tables for the documentation")
    parser.add_argument("-o", "--output", type=Path, metavar="CSV", help="write the seconds here")
    args = parser.parse_args(words)
    tasks = sorted(chosen_tasks(args), key=lambda task: task.lines)

    def run(task: Task) -> Measured:
        found = measure(task, args.limit, args.memory)
        end = f"{found.cut}: {found.why}" if found.cut else "ok"
        print(f"{found.lines:6} lines  {end}  {found.name}", file=sys.stderr)
        return found

    with ThreadPoolExecutor(args.jobs) as pool:
        measured = list(pool.map(run, tasks))
    if args.output is not None:
        write(args.output, measured)
    print_tables([by_task(measured), growth(measured)], args.markdown)
    return 0


# --- measurements ---------------------------------------------------------------------------------


def measure(task: Task, limit: int, memory: int) -> Measured:
    """Run the phases of one task in a process of its own."""
    command = [sys.executable, "-m", f"{__package__}.phases", str(task.file), task.data_model]
    limits = Limits(limit, limit * _PATIENCE, memory)
    with tempfile.TemporaryDirectory(prefix="predabs-bench-") as folder:
        out = Path(folder, "out")
        Executor().execute(command, limits, (out, Path(os.devnull)), environment())
        return measured_of(task.name, task.lines, out.read_text("utf-8").splitlines())


def measured_of(name: str, lines: int, told: Iterable[str]) -> Measured:
    """What the lines that `bench.phases` has printed say, if all or only the first of them came."""
    seconds: dict[str, float] = {}
    sizes: dict[str, int] = {}
    begun, why = PHASES[0], "a limit was reached"
    for what in map(json.loads, told):
        match what:
            case {"begin": phase}:
                begun = phase
            case {"end": phase, "seconds": spent}:
                seconds[phase] = spent
            case {"failure": text}:
                why = text
            case _:
                sizes = what
    found = Measured(name, lines, sizes.get("functions"), sizes.get("edges"), seconds)
    return found if len(seconds) == len(PHASES) else replace(found, cut=begun, why=why)


def write(path: Path, measured: Sequence[Measured]) -> None:
    """All seconds as a CSV file."""
    with path.open("w", newline="", encoding="utf-8") as stream:
        rows = csv.writer(stream)
        rows.writerow(["task", "lines", "functions", "edges", *PHASES, TOTAL, "cut", "why"])
        for item in measured:
            numbers = [_number(item.of(phase), ".3f", "") for phase in (*PHASES, TOTAL)]
            rows.writerow([item.name, *_sizes(item, ""), *numbers, item.cut, item.why])


# --- tables ---------------------------------------------------------------------------------------


def exponent(points: Iterable[tuple[float, float]]) -> float | None:
    """The k of `y = c * x ** k` that fits best, by least squares of the logarithms; None if the
    points are too few.

    >>> exponent([(10, 3), (20, 12), (40, 48)])
    2.0
    """
    logs = [(math.log(x), math.log(y)) for x, y in points]
    if len({x for x, _ in logs}) < 2:
        return None
    middle_x = sum(x for x, _ in logs) / len(logs)
    middle_y = sum(y for _, y in logs) / len(logs)
    slope = sum((x - middle_x) * (y - middle_y) for x, y in logs)
    return round(slope / sum((x - middle_x) ** 2 for x, _ in logs), 6)


def by_task(measured: Sequence[Measured]) -> Table:
    """CPU seconds by task and phase."""
    rows = [
        [
            *_sizes(item, "-"),
            *(_number(item.of(phase), ".2f", "-") for phase in (*PHASES, TOTAL)),
            item.name,
        ]
        for item in measured
    ]
    notes = [f"{item.name}: {item.cut}: {item.why}" for item in measured if item.cut]
    heads = ("lines", "functions", "edges", *PHASES, TOTAL, "task")
    return Table("CPU seconds by phase", heads, rows, frozenset({len(heads) - 1}), notes)


def growth(measured: Sequence[Measured]) -> Table:
    """By phase: the exponent, the slowest task, and how many take long."""
    fitted = [item for item in measured if FIRST_LINES <= item.lines <= LAST_LINES]
    rows = []
    notes = []
    for phase in (*PHASES, TOTAL):
        known = list(_known(measured, phase))
        points = [(item.lines, max(spent, _LEAST_SECONDS)) for item, spent in _known(fitted, phase)]
        slowest = max(known, key=lambda pair: pair[1], default=None)
        long = [item for item, spent in known if spent > LONG_SECONDS]
        cut = [item for item in measured if item.cut == phase]
        rows.append(
            [
                phase,
                str(len(points)),
                _number(exponent(points), ".2f", "-"),
                "-" if slowest is None else f"{slowest[1]:.2f}",
                "-" if slowest is None else str(slowest[0].lines),
                str(len(long)),
                "-" if slowest is None else slowest[0].name,
            ]
        )
        if long and phase != TOTAL:
            notes.append(f"more than {LONG_SECONDS:g} s in {phase}: {_names(long)}")
        if cut:
            notes.append(f"cut in {phase}, and not counted: {_names(cut)}")
    heads = ("phase", "tasks", "exponent", "most s", "its lines", "over 5 s", "the slowest task")
    title = f"growth from {FIRST_LINES:,} to {LAST_LINES:,} lines"
    return Table(title, heads, rows, frozenset({0, len(heads) - 1}), notes)


def _known(measured: Iterable[Measured], phase: str) -> Iterator[tuple[Measured, float]]:
    for item in measured:
        spent = item.of(phase)
        if spent is not None:
            yield item, spent


def _sizes(item: Measured, missing: str) -> list[str]:
    sizes = (item.lines, item.functions, item.edges)
    return [missing if size is None else str(size) for size in sizes]


def _names(items: Iterable[Measured]) -> str:
    return ", ".join(f"{item.name} ({item.lines} lines)" for item in items)


def _number(value: float | None, form: str, missing: str) -> str:
    return missing if value is None else format(value, form)
