"""How many of predabs' own witnesses it confirms, and how long that takes beside the check.

A random sample of the tasks: each is checked with a small limit of CPU time. The witness of each
verdict is then validated, with twice the limit.
"""

from __future__ import annotations

import argparse
import os
import random
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from predabs.bench.task import Task
from predabs.bench.task_files import read_tasks
from predabs.bench.text_table import Table, print_tables

from .tasks import DEFAULT


@dataclass(frozen=True, slots=True)
class Measured:
    """One task: the verdict of the check and of the validation, with CPU seconds of each."""

    task: Task
    verdict: str
    confirmed: str
    check_seconds: float
    validate_seconds: float
    invariants: int
    last_line: str


def main(words: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench witnesses", description=__doc__)
    parser.add_argument("--tasks", type=Path, default=DEFAULT, metavar="CSV")
    parser.add_argument("--each", type=int, default=40, metavar="N", help="TRUE and FALSE verdicts")
    parser.add_argument("--limit", type=float, default=5.0, metavar="S", help="CPU seconds")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--markdown", action="store_true")
    args = parser.parse_args(words)
    tasks = list(read_tasks([str(args.tasks)]))
    random.Random(args.seed).shuffle(tasks)
    found: dict[str, list[Measured]] = {"TRUE": [], "FALSE": []}
    with tempfile.TemporaryDirectory(prefix="predabs-bench-") as folder:
        for task in tasks:
            wanted = str(task.expected).upper()
            if len(found[wanted]) >= args.each:
                continue
            measured = _measure(task, Path(folder), args.limit)
            if measured is None:
                continue
            found[measured.verdict].append(measured)
            print(_line(measured), file=sys.stderr, flush=True)
    rows = [_row(verdict, items) for verdict, items in found.items() if items]
    heads = ("verdict", "witnesses", "confirmed", "with invariants", "median ratio", "sum ratio")
    print_tables([Table("own witnesses", heads, rows)], args.markdown)
    return 0


def _measure(task: Task, folder: Path, limit: float) -> Measured | None:
    witness = folder / "witness.yml"
    witness.unlink(missing_ok=True)
    base = [sys.executable, "-m", "predabs"]
    file = str(task.file)
    common = ["--jobs", "1"]
    check = ["check", file, "--data-model", task.data_model, "--witness", str(witness), *common]
    verdict, seconds, _ = _run([*base, *check, "--cpu-time", str(limit)])
    if verdict not in ("TRUE", "FALSE") or not witness.exists():
        return None
    validate = ["validate", str(witness), file, *common, "--cpu-time", str(2 * limit)]
    confirmed, again, line = _run([*base, *validate])
    count = witness.read_text("utf-8").count("- invariant:")
    return Measured(task, verdict, confirmed, seconds, again, count, line)


def _run(command: list[str]) -> tuple[str, float, str]:
    """The verdict, the CPU seconds, and the last line."""
    before = os.times()
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    after = os.times()
    spent = after.children_user + after.children_system
    spent -= before.children_user + before.children_system
    lines = done.stdout.splitlines()
    last = lines[-1] if lines else done.stderr.strip()
    verdict = last.removeprefix("VERDICT: ").split(" ")[0] if last.startswith("VERDICT") else "?"
    return verdict, spent, last


def _line(item: Measured) -> str:
    times = f"{item.check_seconds:5.1f} s {item.validate_seconds:5.1f} s"
    right = "" if item.verdict == item.confirmed else f"  {item.last_line}"
    return (
        f"{item.verdict:5} {item.confirmed:7} {times} {item.invariants:3} {item.task.name}{right}"
    )


def _row(verdict: str, items: list[Measured]) -> tuple[str, ...]:
    confirmed = [item for item in items if item.confirmed == verdict]
    ratios = [item.validate_seconds / item.check_seconds for item in confirmed]
    total = sum(item.validate_seconds for item in confirmed)
    ratio = total / max(0.01, sum(item.check_seconds for item in confirmed))
    said = sum(item.invariants > 0 for item in items)
    median = f"{statistics.median(ratios):.2f}" if ratios else "-"
    return verdict, str(len(items)), str(len(confirmed)), str(said), median, f"{ratio:.2f}"
