"""Compare the answers of configurations in the files of `python -m bench configurations -o`.

What each one solves and what that takes, the numbers by category, what several together solve that
another does not, and seconds by operation of the abstract domains [GC10,
table 4]. Only tasks count that all configurations have an answer for. Of a task that several files
have an answer for, the last counts. A wrong verdict makes the exit code 1.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from predabs.bench.text_table import Table, print_tables

from .answers import Answer, read
from .tables import median, solved_of, wrong_note

Unions: TypeAlias = Mapping[str, Sequence[str]]  # names of configurations, by that of the union

COMBINED = ("nexpoint", "nex", "mtndd", "ndd")
_TABLE_4 = ("gamma", "join", "alpha post", "apply")  # the columns of [GC10, table 4]


def main(words: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench compare", description=__doc__)
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE")
    parser.add_argument("--markdown", action="store_true", help="as in the documentation")
    add_union_argument(parser)
    args = parser.parse_args(words)
    answers = read(args.files)
    return print_comparison(answers, unions_of(parser, args.union, answers), args.markdown)


def add_union_argument(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--union",
        action="append",
        default=[],
        metavar="NAME=A,B,...",
        help="configurations that are taken together and compared with each of the others; "
        f"several times (by itself: {'+'.join(COMBINED)}, if all are there)",
    )


def unions_of(
    parser: argparse.ArgumentParser, texts: Iterable[str], names: Iterable[str]
) -> dict[str, tuple[str, ...]]:
    """The unions that were asked for; their configurations must be there."""
    known = tuple(names)
    unions: dict[str, tuple[str, ...]] = {}
    if set(COMBINED) <= set(known):
        unions["+".join(COMBINED)] = COMBINED
    for text in texts:
        name, _, members = text.partition("=")
        unions[name] = tuple(members.split(","))
        for member in unions[name]:
            if member not in known:
                parser.error(f"--union {text}: no configuration is called '{member}'")
    return unions


def print_comparison(
    answers: Mapping[str, Iterable[Answer]], unions: Unions, markdown: bool = False
) -> int:
    """Print all tables; the exit code."""
    print_tables(comparison(answers, unions), markdown)
    return 1 if any(answer.wrong for found in answers.values() for answer in found) else 0


def comparison(answers: Mapping[str, Iterable[Answer]], unions: Unions) -> list[Table]:
    """All tables that have a row."""
    compared = Compared.of(answers)
    found = [_overview(compared), _categories(compared, unions), _unions(compared, unions)]
    found += _operations(compared)
    return [table for table in found if table.rows]


@dataclass(frozen=True, slots=True)
class Compared:
    """Answers by configuration and task: the same tasks for each; `left_out` are the others."""

    by_name: Mapping[str, Mapping[str, Answer]]
    tasks: Sequence[str]
    left_out: int

    @staticmethod
    def of(answers: Mapping[str, Iterable[Answer]]) -> Compared:
        every = {name: {item.task: item for item in found} for name, found in answers.items()}
        tasks = dict.fromkeys(task for found in every.values() for task in found)
        shared = [task for task in tasks if all(task in found for found in every.values())]
        same = {name: {task: found[task] for task in shared} for name, found in every.items()}
        return Compared(same, shared, len(tasks) - len(shared))

    def of_name(self, name: str) -> list[Answer]:
        return list(self.by_name[name].values())

    def category(self, task: str) -> str:
        return next(found[task].category for found in self.by_name.values())

    def solvers(self, task: str) -> list[str]:
        """The configurations that solve a task."""
        return [name for name, found in self.by_name.items() if found[task].solved]

    @property
    def common(self) -> list[str]:
        """The tasks that all configurations solve."""
        return [task for task in self.tasks if len(self.solvers(task)) == len(self.by_name)]

    def best(self, members: Iterable[str], task: str) -> Answer | None:
        """The fastest solution by one of the members."""
        found = [self.by_name[name][task] for name in members]
        return min((item for item in found if item.solved), key=lambda a: a.cpu, default=None)


# --- verdicts -------------------------------------------------------------------------------------


def _overview(compared: Compared) -> Table:
    """A row for each configuration."""
    common = compared.common
    rows = []
    notes = []
    for name, by_task in compared.by_name.items():
        answers = compared.of_name(name)
        alone = sum(compared.solvers(task) == [name] for task in compared.tasks)
        rows.append(
            (
                name,
                str(len(answers)),
                solved_of(answers, True),
                solved_of(answers, False),
                str(sum(answer.wrong for answer in answers)),
                str(sum(answer.verdict == "ERROR" for answer in answers)),
                _seconds(answers),
                _seconds(by_task[task] for task in common),
                median(answers),
                str(alone),
            )
        )
        notes += [f"{name}: {wrong_note(answer)}" for answer in answers if answer.wrong]
    every = [answer for name in compared.by_name for answer in compared.of_name(name)]
    limits = sorted({answer.limit for answer in every if answer.limit is not None})
    if limits:
        notes.append(f"limit of CPU time: {', '.join(f'{limit:g}' for limit in limits)} s")
    notes.append(f"common: the CPU seconds of the {len(common)} tasks that all of them solve")
    if compared.left_out:
        notes.append(f"left out: {compared.left_out} tasks that not all have an answer for")
    heads = ("configuration", "tasks", "true", "false", "wrong", "error", "cpu s", "common")
    return Table("configurations", (*heads, "median", "alone"), rows, notes=notes)


def _seconds(answers: Iterable[Answer]) -> str:
    return f"{sum(answer.cpu for answer in answers):.1f}"


def _categories(compared: Compared, unions: Unions) -> Table:
    """How many tasks are solved, by category."""
    groups: dict[str, list[str]] = {}
    for task in compared.tasks:
        groups.setdefault(compared.category(task), []).append(task)
    columns = {**{name: (name,) for name in compared.by_name}, **unions}
    rows = [
        (
            category,
            str(len(tasks)),
            *(
                str(sum(compared.best(members, task) is not None for task in tasks))
                for members in columns.values()
            ),
        )
        for category, tasks in [*sorted(groups.items()), ("all", list(compared.tasks))]
    ]
    return Table("solved by category", ("category", "tasks", *columns), rows)


def _unions(compared: Compared, unions: Unions) -> Table:
    """Each union beside each configuration outside it, with the seconds of what both solve."""
    rows = []
    for union, members in unions.items():
        for other in compared.by_name:
            if other not in members:
                rows.append((union, other, *_versus(compared, members, other)))
    heads = ("union", "other", "union solves", "other solves", "only union", "only other", "both")
    heads_of_both = ("union cpu s", "other cpu s")
    notes = ("union cpu s: of tasks that both solve, with the fastest of the union for each",)
    return Table("unions", (*heads, *heads_of_both), rows, frozenset({0, 1}), notes)


def _versus(compared: Compared, members: Sequence[str], other: str) -> tuple[str, ...]:
    pairs = [(compared.best(members, t), compared.best((other,), t)) for t in compared.tasks]
    both = [(one, two) for one, two in pairs if one and two]
    first = sum(one is not None for one, _ in pairs)
    second = sum(two is not None for _, two in pairs)
    return (
        str(first),
        str(second),
        str(first - len(both)),
        str(second - len(both)),
        str(len(both)),
        _seconds(one for one, _ in both),
        _seconds(two for _, two in both),
    )


# --- operations -----------------------------------------------------------------------------------


def _operations(compared: Compared) -> list[Table]:
    """Seconds by operation, of the tasks that a configuration solves, of those that all solve, and
    of all tasks; and how long a call takes. Seconds are of wall-clock time here."""
    names = list(compared.by_name)
    every = {name: compared.of_name(name) for name in names}
    solved = {name: [a for a in every[name] if a.solved] for name in names}
    common = {name: [compared.by_name[name][task] for task in compared.common] for name in names}

    def share(seconds: float, calls: int, wall: float) -> str:
        return f"{seconds:.2f} ({100 * seconds / wall:.0f}%)" if wall else f"{seconds:.2f}"

    def each(seconds: float, calls: int, wall: float) -> str:
        return f"{1e6 * seconds / calls:.0f}"

    return [
        _operation_table("wall-clock seconds by operation, tasks that it solves", solved, share),
        _operation_table("wall-clock seconds by operation, tasks that all solve", common, share),
        _operation_table("wall-clock seconds by operation, all tasks", every, share),
        _operation_table("microseconds a call, all tasks", every, each),
    ]


def _operation_table(
    title: str,
    answers: Mapping[str, Sequence[Answer]],
    cell: Callable[[float, int, float], str],
) -> Table:
    """A row for each configuration, a column for each operation: those of [GC10], then the
    others, the longest first. A cell is made of seconds, calls, and the seconds of the whole."""
    used = {name: _use(found) for name, found in answers.items()}
    total: dict[str, float] = {}
    for use in used.values():
        for operation, (seconds, _) in use.items():
            total[operation] = total.get(operation, 0.0) + seconds
    others = sorted(set(total) - set(_TABLE_4), key=lambda name: -total[name])
    columns = [*(name for name in _TABLE_4 if name in total), *others]
    rows = []
    for name, use in used.items():
        wall = sum(answer.wall for answer in answers[name])
        cells = [cell(*use[column], wall) if column in use else "-" for column in columns]
        rows.append((name, str(len(answers[name])), f"{wall:.1f}", *cells))
    return Table(title, ("configuration", "num", "total", *columns), rows if total else [])


def _use(answers: Iterable[Answer]) -> dict[str, tuple[float, int]]:
    """Seconds and calls of all answers together."""
    found: dict[str, tuple[float, int]] = {}
    for answer in answers:
        for name, (seconds, calls) in answer.operation_use.items():
            before = found.get(name, (0.0, 0))
            found[name] = (before[0] + seconds, before[1] + calls)
    return found
