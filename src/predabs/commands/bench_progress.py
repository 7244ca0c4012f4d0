"""How a bench goes, live on a terminal, with the library rich: what is done, right and wrong, what
runs now, and how long it may still take."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Iterator

from rich.console import Console, Group
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from ..bench.answer import Answer
from ..bench.perform import Run
from .bench_lines import line

_MOST_RUNNING = 8  # rows for what runs now
_A_SECOND = 4  # times that it is drawn


class Display:
    """What is shown; it is told of runs by several threads."""

    def __init__(self, count: int, console: Console) -> None:
        self._count = count
        self._console = console
        self._lock = threading.Lock()
        self._begun = time.monotonic()
        self._running: dict[tuple[str, str, str], float] = {}
        self._done = self._right = self._wrong = 0

    def begun(self, run: Run) -> None:
        with self._lock:
            self._running[(*run.task.key, run.configuration.name)] = time.monotonic()

    def ended(self, run: Run, answer: Answer) -> None:
        with self._lock:
            self._running.pop((*run.task.key, run.configuration.name), None)
            self._done += 1
            self._right += answer.solved
            self._wrong += answer.wrong
        if answer.wrong:
            self._console.print(Text(line(answer), "bold red"), soft_wrap=True)

    def told(self, text: str) -> None:
        self._console.print(Text(f"predabs: {text}"), soft_wrap=True)

    def __rich__(self) -> Group:
        with self._lock:
            running = list(self._running.items())
            done, right, wrong = self._done, self._right, self._wrong
        now = time.monotonic()
        counts = Text.assemble(
            f" {done}/{self._count}  ",
            (f"{right} right", "green"),
            "  ",
            (f"{wrong} wrong", "bold red" if wrong else "dim"),
            f"  {len(running)} running  {self._estimate(done, now)}",
        )
        head = Table.grid()
        head.add_row(ProgressBar(self._count, done, width=30), counts)
        rows = Table.grid(padding=(0, 2))
        for (task, asked, name), begun in running[:_MOST_RUNNING]:
            task = f"{task} ({asked})"
            rows.add_row(Text(f"{now - begun:7.0f} s", "dim"), Text(name, "cyan"), Text(task))
        return Group(head, rows)

    def _estimate(self, done: int, now: float) -> str:
        """As if the rest were like what is done."""
        if not done:
            return ""
        left = (now - self._begun) / done * (self._count - done)
        minutes, seconds = divmod(round(left), 60)
        hours, minutes = divmod(minutes, 60)
        return f"about {hours}:{minutes:02}:{seconds:02} left"


@contextlib.contextmanager
def shown(count: int) -> Iterator[Display]:
    """The display, on standard error."""
    console = Console(stderr=True)
    display = Display(count, console)
    with Live(
        get_renderable=display.__rich__,
        console=console,
        refresh_per_second=_A_SECOND,
        transient=True,
    ):
        yield display
