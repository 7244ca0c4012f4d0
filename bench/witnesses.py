"""How many of predabs' own witnesses it confirms, how long that takes beside the check, and what
becomes of witnesses that were changed.

A random sample of the tasks: each is checked with a small limit of CPU time. The witness of each
verdict is then validated, with twice the limit. With `--mutants`, so many changes are made to each
witness (an invariant is negated, a number or a comparison is changed; a branch is turned, a number
changed, a waypoint dropped), one at a time. A mutant that is confirmed is listed: it may still be
right, but nobody knows that before.
"""

from __future__ import annotations

import argparse
import random
import re
import shutil
import statistics
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatch
from pathlib import Path

from predabs.bench.execute import Executor, Limits
from predabs.bench.perform import environment
from predabs.bench.series import machine
from predabs.bench.task import Task
from predabs.bench.task_files import read_tasks
from predabs.bench.text_table import Table, print_tables

from .tasks import DEFAULT

_VALUE = re.compile(r'^( *value: ")(.*)("\n)$')
_NUMBER = re.compile(r"(?<![\w.])\d+")
_COMPARISON = re.compile(r"<=|>=|==|!=|(?<![<>])[<>](?![<>=])")
_TURNED = {"<=": "<", ">=": ">", "==": "!=", "!=": "==", "<": ">=", ">": "<="}
_NET, _MEGABYTES = 10.0, 4096
_BRANCHES = {"true": "false", "false": "true"}


@dataclass(frozen=True, slots=True)
class Mutant:
    """A change to a witness, and the verdict about it."""

    kind: str
    change: str
    verdict: str
    last_line: str


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
    mutants: list[Mutant] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Commands:
    """Runs predabs, in a folder; each command is told its own limit, so that ours is only a net."""

    executor: Executor
    folder: Path
    limit: float

    def run(self, *words: str) -> tuple[str, float, str]:
        """The verdict, the CPU seconds, and the last line."""
        out, err = self.folder / "stdout", self.folder / "stderr"
        seconds = _NET * self.limit
        ended = self.executor.execute(
            [sys.executable, "-m", "predabs", *words],
            Limits(seconds, _NET * seconds, _MEGABYTES),
            (out, err),
            environment(),
        )
        lines = out.read_text("utf-8").splitlines()
        last = lines[-1] if lines else err.read_text("utf-8").strip()
        verdict = (
            last.removeprefix("VERDICT: ").split(" ")[0] if last.startswith("VERDICT") else "?"
        )
        return verdict.split("(")[0], ended.cpu, last


def main(words: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench witnesses", description=__doc__)
    parser.add_argument("--tasks", type=Path, default=DEFAULT, metavar="CSV")
    parser.add_argument("--category", default="*", metavar="PATTERN", help="folders of tasks")
    parser.add_argument("--each", type=int, default=40, metavar="N", help="TRUE and FALSE verdicts")
    parser.add_argument("--limit", type=float, default=5.0, metavar="S", help="CPU seconds")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--mutants", type=int, default=0, metavar="N", help="of each witness")
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="keep the witnesses there")
    parser.add_argument("--markdown", action="store_true")
    args = parser.parse_args(words)
    tasks = [
        task
        for task in read_tasks([str(args.tasks)])
        if fnmatch(task.category, args.category) and task.expected is not None
    ]
    chosen = random.Random(args.seed)
    chosen.shuffle(tasks)
    found: dict[str, list[Measured]] = {"TRUE": [], "FALSE": []}
    with machine() as (executor, folder):
        for task in tasks:
            wanted = str(task.expected).upper()
            if len(found[wanted]) >= args.each:
                continue
            measured = _measure(task, _Commands(executor, folder, args.limit), args.mutants, chosen)
            if measured is None:
                continue
            found[measured.verdict].append(measured)
            if args.keep is not None:
                args.keep.mkdir(parents=True, exist_ok=True)
                kept = args.keep / f"{task.name.replace('/', '_')}.{measured.verdict}.yml"
                shutil.copy(folder / "witness.yml", kept)
            print(_line(measured), file=sys.stderr, flush=True)
    rows = [_row(verdict, items) for verdict, items in found.items() if items]
    heads = ("verdict", "witnesses", "confirmed", "with invariants", "median ratio", "sum ratio")
    tables = [Table("own witnesses", heads, rows)]
    if args.mutants:
        tables.append(_mutants([item for items in found.values() for item in items]))
    print_tables(tables, args.markdown)
    return 0


def _measure(
    task: Task, commands: _Commands, mutants: int, chosen: random.Random
) -> Measured | None:
    folder, limit = commands.folder, commands.limit
    witness = folder / "witness.yml"
    witness.unlink(missing_ok=True)
    file = str(task.file)
    common = ["--jobs", "1", "--no-store"]
    asked = task.wanted
    if asked.text:
        path = folder / asked.file_name
        path.write_text(asked.text, "utf-8")
        common += ["--property", str(path)]
    check = ["check", file, "--data-model", task.data_model, "--witness", str(witness), *common]
    verdict, seconds, _ = commands.run(*check, "--cpu-time", str(limit))
    if verdict not in ("TRUE", "FALSE") or not witness.exists():
        return None
    validate = ["validate", str(witness), file, "--jobs", "1", "--cpu-time", str(2 * limit)]
    confirmed, again, line = commands.run(*validate)
    text = witness.read_text("utf-8")
    made = []
    for _ in range(mutants):
        mutated = _mutated(text, verdict, chosen)
        if mutated is not None:
            kind, change, changed = mutated
            path = folder / "mutant.yml"
            path.write_text(changed, "utf-8")
            answer, _, last = commands.run("validate", str(path), *validate[2:])
            made.append(Mutant(kind, change, answer, last))
    count = text.count("- invariant:")
    return Measured(task, verdict, confirmed, seconds, again, count, line, made)


def _mutated(text: str, verdict: str, chosen: random.Random) -> tuple[str, str, str] | None:
    """A kind of change, the change, and the changed witness; None if there is nothing to change."""
    lines = text.splitlines(keepends=True)
    values = [n for n, line in enumerate(lines) if _VALUE.match(line)]
    if not values:
        return None
    at = chosen.choice(values)
    found = _VALUE.match(lines[at])
    assert found is not None
    lead, value, end = found.groups()
    if verdict == "TRUE":
        kind = chosen.choice(["negated", "number", "comparison"])
        new = f"!({value})" if kind == "negated" else _changed(value, kind, chosen)
    elif chosen.random() < 0.25:
        kind, new = "dropped", ""
    elif value in _BRANCHES:
        kind, new = "turned", _BRANCHES[value]
    else:
        kind = "number"
        new = _changed(value, kind, chosen)
    if kind == "dropped":
        begin = max(n for n in range(at) if "- segment:" in lines[n])
        behind = [n for n in range(begin + 1, len(lines)) if "- segment:" in lines[n]]
        del lines[begin : behind[0] if behind else len(lines)]
    elif new == value:
        return None
    else:
        lines[at] = f"{lead}{new}{end}"
    return kind, f"{value} -> {new or 'nothing'}", "".join(lines)


def _changed(value: str, kind: str, chosen: random.Random) -> str:
    places = list((_NUMBER if kind == "number" else _COMPARISON).finditer(value))
    if not places:
        return value
    place = chosen.choice(places)
    by = chosen.choice([-1, 1])
    new = str(abs(int(place[0]) + by)) if kind == "number" else _TURNED[place[0]]
    return value[: place.start()] + new + value[place.end() :]


def _mutants(items: Sequence[Measured]) -> Table:
    rows = []
    for verdict in ("TRUE", "FALSE"):
        made = [m for item in items if item.verdict == verdict for m in item.mutants]
        for kind in sorted({m.kind for m in made}):
            mine = [m for m in made if m.kind == kind]
            confirmed = sum(m.verdict == verdict for m in mine)
            rows.append((verdict, kind, str(len(mine)), str(len(mine) - confirmed), str(confirmed)))
    heads = ("verdict", "change", "mutants", "rejected", "confirmed")
    return Table("changed witnesses", heads, rows)


def _line(item: Measured) -> str:
    times = f"{item.check_seconds:5.1f} s {item.validate_seconds:5.1f} s"
    right = "" if item.verdict == item.confirmed else f"  {item.last_line}"
    text = (
        f"{item.verdict:5} {item.confirmed:7} {times} {item.invariants:3} {item.task.name}{right}"
    )
    for mutant in item.mutants:
        if mutant.verdict in (item.verdict, "?"):
            text += f"\n    {mutant.verdict} {mutant.kind}: {mutant.change[:300]}"
            text += f" {mutant.last_line}" if mutant.verdict == "?" else ""
    return text


def _row(verdict: str, items: list[Measured]) -> tuple[str, ...]:
    confirmed = [item for item in items if item.confirmed == verdict]
    ratios = [item.validate_seconds / item.check_seconds for item in confirmed]
    total = sum(item.validate_seconds for item in confirmed)
    ratio = total / max(0.01, sum(item.check_seconds for item in confirmed))
    said = sum(item.invariants > 0 for item in items)
    median = f"{statistics.median(ratios):.2f}" if ratios else "-"
    return verdict, str(len(items)), str(len(confirmed)), str(said), median, f"{ratio:.2f}"
