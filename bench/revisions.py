"""CPU seconds of a check after a small change of one function, with the store and without it.

Each program is checked once with a store that is empty. Then it is changed in a function that its
errors depend on, and each change is checked against the store as that first check left it, and
without a store:

    same    nothing
    moved   an empty statement on a line of its own, which moves all lines after it
    state   an `if` on the global variable that most conditions look at, which assigns to it
    cut     a call that the errors depend on is removed, which may change the verdict

The table has the seconds of all processes, and the sum; a verdict that differs from the one without
a store makes the exit code 1 (UNKNOWN against another one is told, and no contradiction). Programs
whose first check is UNKNOWN are left out.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from predabs.bench.execute import Executor, Limits
from predabs.bench.perform import environment
from predabs.bench.task import STANDARD, Task
from predabs.bench.text_table import Table, print_tables
from predabs.frontend.load import load
from predabs.ir.cfa import Edge, Global, Program
from predabs.ir.expr import FunctionAddress, Var
from predabs.ir.ops import Assume, Call
from predabs.ir.types import DataModel, IntType
from predabs.ir.walk import subterms
from predabs.pipeline.preparation import prepared, sliced
from predabs.spec.properties import parse, restrict

from .growth import DRIVERS
from .tasks import add_task_arguments, chosen_tasks

KINDS = ("same", "moved", "state", "cut")
_VERDICTS = {0: "TRUE", 1: "FALSE", 3: "UNKNOWN"}
_PATIENCE = 4.0  # wall-clock seconds for each CPU second, on a busy machine
_STATEMENT_END = re.compile(r"[;{}]\s*$")
_CALL_LINE = re.compile(r"^\s*\w+\s*\([^;{}]*\)\s*;\s*$")


@dataclass(frozen=True, slots=True)
class Checked:
    """A verdict, and the CPU seconds that it took."""

    verdict: str
    seconds: float


@dataclass(frozen=True, slots=True)
class Compared:
    """A change of a program, checked with the store and without."""

    name: str
    kind: str
    stored: Checked
    fresh: Checked

    @property
    def contradicts(self) -> bool:
        return {self.stored.verdict, self.fresh.verdict} == {"TRUE", "FALSE"}


def main(words: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench revisions", description=__doc__)
    add_task_arguments(parser)
    parser.set_defaults(tasks=DRIVERS)
    parser.add_argument("--kind", action="append", choices=KINDS, help="only these changes")
    parser.add_argument("--limit", type=int, default=60, metavar="S", help="CPU seconds a check")
    parser.add_argument("--option", action="append", default=[], help="of each check")
    parser.add_argument("--markdown", action="store_true", help="a table for the documentation")
    args = parser.parse_args(words)
    found: list[Compared] = []
    for task in chosen_tasks(args):
        for one in compare(task, args.kind or KINDS, args.option, args.limit):
            stored, fresh = one.stored, one.fresh
            print(
                f"{one.kind:6} {stored.seconds:6.2f} {stored.verdict:8} "
                f"{fresh.seconds:6.2f} {fresh.verdict:8} {one.name}",
                file=sys.stderr,
            )
            found.append(one)
    print_tables([table(found)], args.markdown)
    return int(any(one.contradicts for one in found))


def compare(
    task: Task, kinds: Sequence[str], options: Sequence[str], limit: int
) -> Iterator[Compared]:
    """Check each change of a task with the store and without."""
    with tempfile.TemporaryDirectory(prefix="predabs-bench-") as name:
        folder = Path(name)
        file, store = folder / task.file.name, folder / "first.sqlite"
        wanted = folder / "wanted.prp"
        wanted.write_text(STANDARD["unreach-call"], "utf-8")
        text = task.file.read_text("utf-8", errors="surrogateescape")
        words = ["--property", str(wanted), "--data-model", task.data_model, *options]

        def check(changed: str, *more: str) -> Checked:
            file.write_text(changed, "utf-8", errors="surrogateescape")
            return checked([str(file), *words, *more], limit)

        first = check(text, "--store", str(store))
        if first.verdict == "UNKNOWN":
            print(f"left out, as it is UNKNOWN: {task.name}", file=sys.stderr)
            return
        versions = changed_texts(task, text)
        for kind in kinds:
            changed = versions.get(kind)
            if changed is None:
                print(f"no place for the change '{kind}': {task.name}", file=sys.stderr)
                continue
            own = folder / f"{kind}.sqlite"
            if store.exists():
                shutil.copy(store, own)
            stored = check(changed, "--store", str(own))
            yield Compared(task.name, kind, stored, check(changed, "--no-store"))


def checked(words: Sequence[str], limit: int) -> Checked:
    """Run a check; the seconds are those of all its processes."""
    nowhere = Path(os.devnull)
    command = [sys.executable, "-m", "predabs", "check", *words, f"--cpu-time={limit}"]
    limits = Limits(limit * 1.2, limit * _PATIENCE, 8192)
    ended = Executor().execute(command, limits, (nowhere, nowhere), environment())
    return Checked(_VERDICTS.get(ended.code, f"exit code {ended.code}"), ended.cpu)


# --- changes --------------------------------------------------------------------------------------


def changed_texts(task: Task, text: str) -> dict[str, str]:
    """The text with each kind of change that has a place in it.

    What the errors depend on is known from the slice; the changed function is the one of which it
    has the most, without the entry.
    """
    program = load([str(task.file)], DataModel[task.data_model])
    program = restrict(program, parse(STANDARD["unreach-call"], "unreach-call.prp"))
    part = sliced(prepared(program).whole).program
    versions = {"same": text}
    lines = text.split("\n")
    variable = _most_tested(part)
    for function in _by_size(part):
        edges = [edge for edge in function if _begins_statement(lines, edge)]
        for edge in edges:
            at = edge.coord.line - 1
            if "moved" not in versions:
                versions["moved"] = "\n".join([*lines[:at], "  ;", *lines[at:]])
            if "state" not in versions and variable is not None and variable.coord.line <= at:
                name = variable.var.name
                added = f"  if ({name} == 4711) {{ {name} = 4711; }}"
                versions["state"] = "\n".join([*lines[:at], added, *lines[at:]])
            if "cut" not in versions and isinstance(edge.op, Call) and _CALL_LINE.match(lines[at]):
                versions["cut"] = "\n".join([*lines[:at], "  ;", *lines[at + 1 :]])
    return versions


def _by_size(program: Program) -> list[list[Edge]]:
    """The edges of the functions that the file defines, the largest function first."""
    functions = [one for one in program.functions.values() if one.name != program.entry]
    functions.sort(key=lambda one: (-len(one.edges), one.name))
    return [sorted(one.edges, key=lambda edge: edge.coord.line) for one in functions]


def _most_tested(program: Program) -> Global | None:
    """The global integer that the most conditions look at."""
    known = {item.var: item for item in program.globals if item.var.name.isidentifier()}
    counted: Counter[Var] = Counter()
    for function in program.functions.values():
        for edge in function.edges:
            if isinstance(edge.op, Assume):
                seen = {term for term in subterms(edge.op.cond) if isinstance(term, Var)}
                counted.update(
                    var for var in seen if var in known and isinstance(var.type, IntType)
                )
    most = max(counted, key=lambda var: (counted[var], var.name), default=None)
    return None if most is None else known[most]


def _begins_statement(lines: Sequence[str], edge: Edge) -> bool:
    """Can a statement stand before the line of an edge? One that has ended or begun a block must be
    before it, and the line must be a call or an assignment."""
    at = edge.coord.line - 1
    if not 0 < at < len(lines) or not isinstance(edge.op, Call):
        return False
    if not isinstance(edge.op.callee, FunctionAddress) or "else" in lines[at].split():
        return False
    before = next((line for line in reversed(lines[:at]) if line.strip()), "")
    return bool(_STATEMENT_END.search(before)) and lines[at].rstrip().endswith(";")


# --- the table ------------------------------------------------------------------------------------


def table(found: Sequence[Compared]) -> Table:
    """A row for each change of each program, and one for the sum of each kind of change.

    >>> one = Compared("a", "moved", Checked("TRUE", 1.0), Checked("TRUE", 4.0))
    >>> print(table([one]).text().splitlines()[-1])
    all      moved             1.00     4.00    25%
    """
    rows = [_row(one.name, one.kind, [one]) for one in found]
    for kind in KINDS:
        alike = [one for one in found if one.kind == kind]
        if alike:
            rows.append(_row("all", kind, alike))
    heads = ("program", "change", "with the store", "without", "share")
    notes = [
        f"{one.name}, {one.kind}: {one.stored.verdict} with the store, {one.fresh.verdict} without"
        for one in found
        if one.stored.verdict != one.fresh.verdict
    ]
    title = "CPU seconds of a check after a change"
    return Table(title, heads, rows, frozenset({0, 1}), notes)


def _row(name: str, kind: str, found: Sequence[Compared]) -> tuple[str, ...]:
    stored = sum(one.stored.seconds for one in found)
    fresh = sum(one.fresh.seconds for one in found)
    return name, kind, f"{stored:.2f}", f"{fresh:.2f}", f"{stored / max(fresh, 0.01):.0%}"
