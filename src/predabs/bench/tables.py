"""Tables of answers: what is wrong, the scores, the numbers by category, each task.

Only tasks that all configurations have an answer for are compared; a wrong verdict is always told.
"""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias

from ..records import dataclass
from .answer import CORRECT_FALSE, CORRECT_TRUE, Answer
from .text_table import Table

ByName: TypeAlias = Mapping[str, Sequence[Answer]]  # answers by configuration


@dataclass(frozen=True, slots=True)
class Compared:
    """Answers by configuration, of the same tasks for each; `left_out` counts the other tasks.
    `wrong` has the wrong verdicts on all tasks."""

    by_name: ByName
    left_out: int
    wrong: Sequence[Answer]

    @staticmethod
    def of(answers: Iterable[Answer]) -> Compared:
        found: dict[str, dict[tuple[str, str], Answer]] = {}
        answers = list(answers)
        for answer in answers:
            found.setdefault(answer.configuration, {})[answer.key] = answer
        every = dict.fromkeys(key for one in found.values() for key in one)
        shared = [key for key in every if all(key in one for one in found.values())]
        same = {name: [one[key] for key in shared] for name, one in found.items()}
        wrong = [answer for answer in answers if answer.wrong]
        return Compared(same, len(every) - len(shared), wrong)

    @property
    def every(self) -> list[Answer]:
        return [answer for one in self.by_name.values() for answer in one]


def all_tables(compared: Compared) -> list[Table]:
    """Those that have a row."""
    found = [wrong_table(compared), score_table(compared), category_table(compared)]
    return [table for table in found if table.rows]


def wrong_table(compared: Compared) -> Table:
    """The wrong verdicts: nothing matters more."""
    rows = [
        (
            answer.title,
            answer.configuration,
            answer.told,
            expected_text(answer),
            f"{answer.cpu:.1f}",
        )
        for answer in sorted(compared.wrong, key=lambda answer: (answer.configuration, answer.key))
    ]
    heads = ("task", "configuration", "verdict", "expected", "cpu s")
    return Table("wrong verdicts", heads, rows, frozenset({0, 1, 2, 3}))


def expected_text(answer: Answer) -> str:
    match answer.expected:
        case None:
            return "-"
        case True:
            return "TRUE"
    return f"FALSE ({answer.expected_part})" if answer.expected_part else "FALSE"


def score_table(compared: Compared) -> Table:
    """A row for each configuration: the score of SV-COMP, and what it took."""
    notes = []
    if compared.left_out:
        notes.append(f"left out: {compared.left_out} tasks that not all have an answer for")
    notes += [_limits_note(compared.every)] if compared.every else []
    best = max((_best_score(one) for one in compared.by_name.values()), default=0)
    notes.append(f"score: the rules of SV-COMP; at most {best}")
    rows = [(name, *_numbers(answers)) for name, answers in compared.by_name.items()]
    heads = ("configuration", *_HEADS)
    return Table("scores", heads, rows, notes=notes)


def _limits_note(answers: Sequence[Answer]) -> str:
    limits = sorted({(a.limits.cpu, a.limits.wall, a.limits.memory) for a in answers})
    texts = [f"{cpu:g} s of CPU time, {wall:g} s, {memory} MiB" for cpu, wall, memory in limits]
    return f"limits of a run: {'; '.join(texts)}"


_HEADS = (
    "tasks",
    "score",
    "true",
    "false",
    "wrong",
    "unknown",
    "error",
    "cpu s",
    "median",
    "max MiB",
)


def _numbers(answers: Sequence[Answer]) -> tuple[str, ...]:
    """The cells of `_HEADS`."""
    return (
        str(len(answers)),
        str(sum(answer.score for answer in answers)),
        solved_of(answers, True),
        solved_of(answers, False),
        str(sum(answer.wrong for answer in answers)),
        str(sum(answer.verdict == "UNKNOWN" for answer in answers)),
        str(sum(answer.verdict == "ERROR" for answer in answers)),
        f"{sum(answer.cpu for answer in answers):.1f}",
        median(answers),
        str(max((answer.memory for answer in answers), default=0) >> 20),
    )


def _best_score(answers: Iterable[Answer]) -> int:
    worth = {True: CORRECT_TRUE, False: CORRECT_FALSE, None: 0}
    return sum(worth[answer.expected] for answer in answers)


def solved_of(answers: Iterable[Answer], expected: bool) -> str:
    """How many of the tasks of an expected verdict are solved; without expectations, how many
    verdicts of the kind there are."""
    every = list(answers)
    if all(answer.expected is None for answer in every):
        word = "TRUE" if expected else "FALSE"
        return str(sum(answer.verdict == word for answer in every))
    kind = [answer.solved for answer in every if answer.expected is expected]
    return f"{sum(kind)}/{len(kind)}"


def median(answers: Iterable[Answer]) -> str:
    """Of the CPU seconds of those that are solved."""
    numbers = [answer.cpu for answer in answers if answer.solved]
    return f"{statistics.median(numbers):.1f}" if numbers else "-"


def category_table(compared: Compared) -> Table:
    """A row for each category and configuration, and one for all."""
    categories = sorted({answer.category for answer in compared.every})
    rows = []
    for category in [*categories, "all"]:
        for name, answers in compared.by_name.items():
            group = [a for a in answers if category in (a.category, "all")]
            rows.append((category, name, *_numbers(group)))
    heads = ("category", "configuration", *_HEADS)
    return Table("by category", heads, rows if categories else [], frozenset({0, 1}))


def task_table(compared: Compared) -> Table:
    """A row for each task, by name: the verdicts of all configurations, with their CPU seconds."""
    names = list(compared.by_name)
    rows = []
    for answers in sorted(zip(*compared.by_name.values(), strict=True), key=_name):
        cells = [f"{verdict_mark(answer)}, {answer.cpu:.1f}" for answer in answers]
        rows.append((answers[0].title, expected_text(answers[0]), *cells))
    return Table("tasks", ("task", "expected", *names), rows, frozenset(range(len(names) + 2)))


def _name(answers: Sequence[Answer]) -> tuple[str, str, str]:
    return answers[0].category, *answers[0].key


def verdict_mark(answer: Answer) -> str:
    """The verdict; a wrong one says so."""
    return f"WRONG {answer.told}" if answer.wrong else answer.told
