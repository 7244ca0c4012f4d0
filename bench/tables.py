"""Tables from the answers of `python -m bench check -o FILE`, one or several files (the last wins).

By category; the categories for which CPAchecker's predicate analysis has published results; the
classic families task by task; the share of native code in long runs; and why tasks stay unsolved.
"""

from __future__ import annotations

import argparse
import fnmatch
import statistics
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

from predabs.bench.text_table import Table, print_tables

from .answers import Answer, read
from .causes import causes

# the categories with published results (SV-COMP 2015 tasks, 60 s of CPU time)
PUBLISHED = (
    "bitvector*",
    "ddv-machzwd",
    "ldv-regression",
    "locks",
    "loop*",
    "ntdrivers*",
    "ssh*",
    "systemc",
)
PUBLISHED_NOTE = "published for CPAchecker's predicate analysis: 120 of 166 (72%), median 4.9 s"
FAMILIES = (
    "locks/test_locks_*",
    "ssh-simplified/*",
    "ntdrivers-simplified/*",
    "ntdrivers/*",
)
LONG_SECONDS = 5.0


def main(words: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench table", description=__doc__)
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE")
    parser.add_argument("--markdown", action="store_true", help="as in docs/performance.md")
    args = parser.parse_args(words)
    answers = [answer for one in read(args.files).values() for answer in one]
    print_tables(tables(answers), args.markdown)
    return 1 if any(answer.wrong for answer in answers) else 0


def tables(answers: Sequence[Answer]) -> list[Table]:
    """All tables that have a row."""
    found = [by_category(answers), published(answers)]
    found += [family(answers, pattern) for pattern in FAMILIES]
    found += [native_share(answers), causes(answers)]
    return [table for table in found if table.rows]


def _matching(answers: Sequence[Answer], pattern: str) -> list[Answer]:
    """The answers whose task, or its category, fits the pattern."""
    return [
        answer
        for answer in answers
        if fnmatch.fnmatchcase(answer.task if "/" in pattern else answer.category, pattern)
    ]


# --- verdicts -------------------------------------------------------------------------------------


def by_category(answers: Sequence[Answer]) -> Table:
    """The numbers by category, what was wrong, and what became of the C tests."""
    categories = sorted({answer.category for answer in answers})
    groups = [(name, [a for a in answers if a.category == name]) for name in categories]
    notes = [wrong_note(answer) for answer in answers if answer.wrong]
    tested = Counter(answer.test for answer in answers if answer.test)
    if tested:
        counts = ", ".join(f"{name} {count}" for name, count in tested.most_common())
        notes.append(f"native tests of FALSE verdicts: {counts}")
    heads = ("category", "tasks", "true", "false", "wrong", "unknown", "error", "cpu s", "median")
    rows = [_category_row(name, group) for name, group in [*groups, ("all", list(answers))]]
    return Table("verdicts by category", heads, rows, notes=notes)


def _category_row(name: str, answers: Sequence[Answer]) -> tuple[str, ...]:
    verdicts = Counter(answer.verdict for answer in answers)
    return (
        name,
        str(len(answers)),
        solved_of(answers, True),
        solved_of(answers, False),
        str(sum(answer.wrong for answer in answers)),
        str(verdicts["UNKNOWN"]),
        str(verdicts["ERROR"]),
        f"{sum(answer.cpu for answer in answers):.1f}",
        median(answers),
    )


def solved_of(answers: Iterable[Answer], safe: bool) -> str:
    """How many of the tasks of an expected verdict are solved."""
    kind = [answer.solved for answer in answers if answer.expected is safe]
    return f"{sum(kind)}/{len(kind)}"


def wrong_note(answer: Answer) -> str:
    return f"WRONG: {answer.task}: {answer.verdict}, expected {str(answer.expected).upper()}"


def median(answers: Iterable[Answer]) -> str:
    """Of the CPU seconds of those that are solved."""
    numbers = [answer.cpu for answer in answers if answer.solved]
    return f"{statistics.median(numbers):.1f}" if numbers else "-"


def published(answers: Sequence[Answer]) -> Table:
    """The categories that can be compared with published results."""
    groups = [(name, _matching(answers, name)) for name in PUBLISHED]
    groups = [(name, group) for name, group in groups if group]
    every = [answer for _, group in groups for answer in group]
    rows = []
    for name, group in [*groups, ("all", every)] if groups else []:
        solved = sum(answer.solved for answer in group)
        share = f"{100 * solved / len(group):.0f}%"
        rows.append((name, str(len(group)), str(solved), share, median(group)))
    heads = ("category", "tasks", "solved", "share", "median cpu s")
    return Table("categories with published results", heads, rows, notes=(PUBLISHED_NOTE,))


# --- costs ----------------------------------------------------------------------------------------


def family(answers: Sequence[Answer], pattern: str) -> Table:
    """A row for each task: the verdict and what it took."""
    heads = (
        "task",
        "verdict",
        "cpu s",
        "wall s",
        "predicates",
        "active",
        "calls",
        "cached",
        "solver s",
        "nodes",
        "refinements",
        "native",
    )
    rows = [_family_row(answer) for answer in sorted(_matching(answers, pattern), key=_by_name)]
    return Table(pattern, heads, rows, frozenset({0, 1}))


def _by_name(answer: Answer) -> str:
    return answer.task


def _family_row(answer: Answer) -> tuple[str, ...]:
    return (
        answer.task.partition("/")[2].removesuffix(".yml"),
        f"{answer.verdict} (wrong)" if answer.wrong else answer.verdict,
        f"{answer.cpu:.1f}",
        f"{answer.wall:.1f}",
        _count(answer.predicates),
        _count(answer.active),
        _count(answer.calls),
        _count(answer.cached),
        "-" if answer.solver is None else f"{answer.solver:.1f}",
        _count(answer.nodes),
        _count(answer.refinements),
        _share([answer]),
    )


def _count(number: int | None) -> str:
    return "-" if number is None else str(number)


def _share(answers: Sequence[Answer]) -> str:
    """The part of the wall-clock time that was spent in native code."""
    known = [(answer.native, answer.wall) for answer in answers if answer.native is not None]
    wall = sum(seconds for _, seconds in known)
    return f"{100 * sum(native for native, _ in known) / wall:.0f}%" if wall else "-"


def native_share(answers: Sequence[Answer]) -> Table:
    """How much of the time of long runs passes in native code."""
    long = [a for a in answers if a.wall > LONG_SECONDS and a.native is not None]
    groups = [(pattern, _matching(long, pattern)) for pattern in FAMILIES]
    if long:
        groups += [("solved, all categories", [answer for answer in long if answer.solved])]
        groups += [("all", long)]
    rows = [
        (
            name,
            str(len(group)),
            f"{sum(answer.wall for answer in group):.0f}",
            f"{sum(answer.native or 0.0 for answer in group):.0f}",
            _share(group),
        )
        for name, group in groups
        if group
    ]
    heads = ("tasks", "runs", "wall s", "native s", "share")
    return Table(f"native code in runs longer than {LONG_SECONDS:g} s", heads, rows)
