"""How a bench goes, as lines: one for each answer, or none."""

from __future__ import annotations

import sys
from collections.abc import Callable

from ..bench.answer import Answer
from ..bench.perform import Run


def plain(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


class Lines:
    """Tells of each answer when it is there."""

    def __init__(self, count: int, show: Callable[[str], None] | None) -> None:
        self._count = count
        self._show = show
        self._ended = 0

    def begun(self, run: Run) -> None:
        pass

    def ended(self, run: Run, answer: Answer) -> None:
        self._ended += 1
        if self._show is not None:
            self._show(f"[{self._ended}/{self._count}] {line(answer)}")

    def told(self, text: str) -> None:
        plain(f"predabs: {text}")


def line(answer: Answer) -> str:
    """The verdict, what it is worth, the CPU seconds, and the reason if there is one."""
    mark = "WRONG" if answer.wrong else "ok" if answer.solved else "-"
    reason = f"  {answer.reason}" if answer.reason else ""
    return (
        f"{mark:5} {answer.told:7} {answer.cpu:6.1f} s  "
        f"{answer.configuration}: {answer.title}{reason}"
    )
