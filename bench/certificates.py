"""How many TRUEs are certified, why the others are not, and how long that takes beside the check.

Each of the chosen tasks that are expected to hold is checked with `--certify`; `--option` has more
words for the check, as for `python -m bench check`.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from predabs.bench.task import ASSERT, Task
from predabs.bench.text_table import Table, print_tables

from .tasks import add_task_arguments, chosen_tasks

_TIMES = 2.0  # the time of the check: a certificate should not take more
_LEAST = 0.5  # seconds that nobody counts


@dataclass(frozen=True, slots=True)
class Measured:
    """A TRUE: seconds of the check and of its certificate, and why there is none."""

    task: Task
    check: float
    certificate: float
    certified: bool
    note: str

    @property
    def in_time(self) -> bool:
        return self.certified and self.certificate <= max(_LEAST, _TIMES * self.check)


def main(words: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench certificates", description=__doc__)
    add_task_arguments(parser)
    parser.add_argument("--limit", type=float, default=20.0, metavar="S", help="seconds in all")
    parser.add_argument("--option", action="append", default=[], metavar="WORD")
    parser.add_argument("--markdown", action="store_true")
    args = parser.parse_args(words)
    args.only = args.only or "true"
    tasks = chosen_tasks(args)
    found: list[Measured] = []
    with tempfile.TemporaryDirectory(prefix="predabs-bench-") as folder:
        for task in tasks:
            measured = _measure(task, Path(folder) / "result.json", args.limit, args.option)
            if measured is None:
                print(f"-     {task.name}", file=sys.stderr, flush=True)
                continue
            found.append(measured)
            print(_line(measured), file=sys.stderr, flush=True)
    certified = [item for item in found if item.certified]
    row = (
        str(len(tasks)),
        str(len(found)),
        str(len(certified)),
        str(sum(item.in_time for item in found)),
        f"{sum(item.check for item in found):.0f}",
        f"{sum(item.certificate for item in found):.0f}",
    )
    heads = ("tasks", "TRUE", "certified", "in twice the time", "check s", "certificate s")
    print_tables([Table("certificates", heads, [row])], args.markdown)
    return 0


def _measure(task: Task, out: Path, limit: float, words: Sequence[str]) -> Measured | None:
    out.unlink(missing_ok=True)
    command = [sys.executable, "-m", "predabs", "check", str(task.file), "--certify"]
    command += ["--data-model", task.data_model, "--jobs", "1", "--timeout", str(limit)]
    command += ["--json", str(out), *words]
    if task.wanted.suffix:
        asked = out.with_name(task.wanted.file_name)
        asked.write_text(task.wanted.text, "utf-8")
        command += ["--property", str(asked)]
    elif task.wanted.name != ASSERT:
        command += ["--check", task.wanted.name]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if not out.exists():
        return None
    result = json.loads(out.read_text("utf-8"))
    made = result.get("certificate")
    if result["verdict"] != "TRUE" or made is None:
        if "refuted" in done.stdout:
            print(f"ALARM {task.name}: {done.stdout.splitlines()[-1]}", file=sys.stderr)
        return None
    seconds = float(made["seconds"])
    tried = " ".join(result["stats"]["tried"][-1:])
    note = f"{made['reason']} [{tried}]" if made["reason"] else " ".join(made["solvers"])
    check = float(result["seconds"]) - seconds
    return Measured(task, check, seconds, bool(made["certified"]), note)


def _line(item: Measured) -> str:
    word = ("yes" if item.in_time else "late") if item.certified else "NO"
    return f"{word:5} {item.check:5.1f} s {item.certificate:5.1f} s {item.task.name}  {item.note}"
