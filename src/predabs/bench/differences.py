"""Differences of two benches, or of two configurations: regressions first.

A regression is worse than a slower answer: first verdicts that are wrong now, then those that are
lost, then tasks that take much longer; after them what was won.
"""

from __future__ import annotations

from collections.abc import Sequence
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
        if before.answered != now.answered:
            return Change.LOST if before.answered else Change.WON
        if before.verdict != now.verdict:
            return Change.OTHER
        if now.answered and max(before.cpu, now.cpu) - min(before.cpu, now.cpu) > _SECONDS:
            if now.cpu > before.cpu * _FACTOR:
                return Change.SLOWER
            if before.cpu > now.cpu * _FACTOR:
                return Change.FASTER
        return Change.SAME


@dataclass(frozen=True, slots=True)
class Differences:
    """What two benches, of these names, both have an answer to, the worst changes first; and how
    many answers only one of them has."""

    before: str
    now: str
    pairs: Sequence[Pair]
    only_before: int = 0
    only_now: int = 0


def differences(
    before: Sequence[Answer], now: Sequence[Answer], name: str, other: str
) -> Differences:
    """Configurations of the same name are compared; where there is only one each, these."""
    one_each = len({a.configuration for a in before}) == len({a.configuration for a in now}) == 1

    def key(answer: Answer) -> tuple[str, ...]:
        return answer.key if one_each else (*answer.key, answer.configuration)

    known = {key(answer): answer for answer in before}
    found = [Pair(known[key(answer)], answer) for answer in now if key(answer) in known]
    found.sort(key=lambda pair: (pair.change, pair.now.key, pair.now.configuration))
    return Differences(name, other, found, len(before) - len(found), len(now) - len(found))


def difference_tables(differences: Differences) -> list[Table]:
    """How many tasks changed, and which; with the configuration, if there are several."""
    found, before, now = differences.pairs, differences.before, differences.now
    several = len({pair.now.configuration for pair in found}) > 1
    counts = [
        (name, str(sum(pair.change is change for pair in found)))
        for change, name in _NAMES.items()
        if any(pair.change is change for pair in found)
    ]
    same = [pair for pair in found if pair.change is Change.SAME]
    both = [pair for pair in found if pair.before.solved and pair.now.solved]
    notes = [
        f"{len(found)} {'answers' if several else 'tasks have an answer'} in both; "
        f"{len(same)} are as they were",
        f"CPU seconds of the {len(both)} that both solve: "
        f"{sum(p.before.cpu for p in both):.1f} before, {sum(p.now.cpu for p in both):.1f} now",
    ]
    for count, where in ((differences.only_before, before), (differences.only_now, now)):
        if count:
            notes.insert(1, f"{count} {'is' if count == 1 else 'are'} only in {where}")
    title = f"differences: {before} before, {now} now"
    heads = ("change", "answers" if several else "tasks")
    summary = Table(title, heads, counts or [("none", "0")], notes=notes)
    rows = [
        (
            _NAMES[pair.change],
            pair.now.title,
            *([pair.now.configuration] if several else []),
            expected_text(pair.now),
            f"{verdict_mark(pair.before)}, {pair.before.cpu:.1f}",
            f"{verdict_mark(pair.now)}, {pair.now.cpu:.1f}",
        )
        for pair in found
        if pair.change is not Change.SAME
    ]
    columns = ("change", "task", *(["configuration"] if several else []), "expected", before, now)
    left = frozenset(range(len(columns)))
    return [summary, *([Table("tasks that changed", columns, rows, left)] if rows else [])]
