"""Differences of two benches, or of two configurations: regressions first.

A regression is worse than a slower answer: first verdicts that are wrong now, then those that are
lost, then tasks that take much longer; after them what was won.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import IntEnum

from ..records import dataclass
from .answer import Answer
from .tables import expected_text, verdict_mark
from .text_table import Table

_FACTOR, _SECONDS = 1.5, 1.0  # a change of the time that is worth a row: so much and so many


class Change(IntEnum):
    """What became of a task, the worst first."""

    WRONG_NOW = 0
    LOST = 1
    SLOWER = 2
    OTHER = 3  # another way of not knowing
    FASTER = 4
    WON = 5
    RIGHT_NOW = 6  # what was wrong before is not any more
    SAME = 7


_NAMES = {
    Change.WRONG_NOW: "wrong now",
    Change.LOST: "lost",
    Change.SLOWER: "slower",
    Change.OTHER: "other verdict",
    Change.FASTER: "faster",
    Change.WON: "won",
    Change.RIGHT_NOW: "no longer wrong",
}


@dataclass(frozen=True, slots=True)
class Pair:
    """The answers to one task, before and now."""

    before: Answer
    now: Answer

    @property
    def change(self) -> Change:
        before, now = self.before, self.now
        if now.wrong or before.wrong:
            if before.wrong == now.wrong:
                return Change.SAME
            return Change.WRONG_NOW if now.wrong else Change.RIGHT_NOW
        if _answered(before) != _answered(now):
            return Change.LOST if _answered(before) else Change.WON
        if before.verdict != now.verdict:
            return Change.OTHER
        if _answered(now) and max(before.cpu, now.cpu) - min(before.cpu, now.cpu) > _SECONDS:
            if now.cpu > before.cpu * _FACTOR:
                return Change.SLOWER
            if before.cpu > now.cpu * _FACTOR:
                return Change.FASTER
        return Change.SAME


def _answered(answer: Answer) -> bool:
    """Is it solved, or has it a verdict that nobody can judge?"""
    return answer.solved or (answer.expected is None and answer.verdict in ("TRUE", "FALSE"))


def pairs(before: Iterable[Answer], now: Iterable[Answer]) -> list[Pair]:
    """The tasks that both have an answer to, the worst changes first."""
    known = {answer.key: answer for answer in before}
    found = [Pair(known[answer.key], answer) for answer in now if answer.key in known]
    return sorted(found, key=lambda pair: (pair.change, pair.now.key))


def difference_tables(found: Sequence[Pair], before: str, now: str) -> list[Table]:
    """How many tasks changed, and which."""
    counts = [
        (name, str(sum(pair.change is change for pair in found)))
        for change, name in _NAMES.items()
        if any(pair.change is change for pair in found)
    ]
    same = [pair for pair in found if pair.change is Change.SAME]
    both = [pair for pair in found if pair.before.solved and pair.now.solved]
    notes = [
        f"{len(found)} tasks have an answer in both; {len(same)} are as they were",
        f"CPU seconds of the {len(both)} that both solve: "
        f"{sum(p.before.cpu for p in both):.1f} before, {sum(p.now.cpu for p in both):.1f} now",
    ]
    title = f"differences: {before} before, {now} now"
    summary = Table(title, ("change", "tasks"), counts or [("none", "0")], notes=notes)
    rows = [
        (
            _NAMES[pair.change],
            pair.now.title,
            expected_text(pair.now),
            f"{verdict_mark(pair.before)}, {pair.before.cpu:.1f}",
            f"{verdict_mark(pair.now)}, {pair.now.cpu:.1f}",
        )
        for pair in found
        if pair.change is not Change.SAME
    ]
    heads = ("change", "task", "expected", before, now)
    return [
        summary,
        *([Table("tasks that changed", heads, rows, frozenset(range(5)))] if rows else []),
    ]
