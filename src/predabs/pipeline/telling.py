"""What a check tells while it runs and at its end: signs of life, and results as plain values."""

from __future__ import annotations

import time

from ..ir.cfa import Program
from ..records import dataclass
from ..statistics import EngineStatistics
from ..supervise import Send
from .check_record import check_record
from .counted_work import counts, engine_uses
from .engine_work import engine_work, solver_use
from .preparation import Product, Subject
from .result import Answer, CheckRecord, Result

_PROGRESS_SECONDS = 0.1


@dataclass(frozen=True, slots=True)
class Task(Subject):
    """What is to be checked, and how; `deadline` is when the engine, `last` when the replay must
    have ended (times of `time.monotonic`)."""

    begun: float
    deadline: float | None
    last: float | None
    product: Product | None = None


@dataclass(frozen=True, slots=True)
class Progress:
    """A sign of life: what is going on, and the result if the analysis ended now."""

    text: str
    so_far: Result


class Telling:
    """What is known of a check so far, and who is told."""

    def __init__(self, task: Task, send: Send) -> None:
        self._task = task
        self._send = send
        self._sent = 0.0
        self._statistics = EngineStatistics()
        self._program: Program | None = None  # in which violations replay
        self._assumed: tuple[str, ...] = ()  # about the environment
        self._checked: Program | None = None  # the program or the slice of it that engines get

    def _tell(self, text: str, at_once: bool = False) -> None:
        now = time.monotonic()
        if at_once or now - self._sent >= _PROGRESS_SECONDS:
            self._sent = now
            text += counts(self._statistics.engines.get(text, self._statistics))
            self._send(Progress(text, self._result(Answer.UNKNOWN, text)))

    def _assumptions(self) -> tuple[str, ...]:
        """What a verdict takes for granted, in words."""
        known = () if self._program is None else self._program.assumptions
        return (*known, *self._assumed)

    def _result(self, verdict: Answer, reason: str = "") -> Result:
        task, program = self._task, self._program
        total = self._statistics.total()
        return Result(
            verdict,
            reason,
            None,
            task.property.name,
            task.options.engine,
            time.monotonic() - task.begun,
            self._assumptions(),
            tuple(program.externals.items()) if program else (),
            solver_use(total),
            engine_work(total),
            tuple(total.tried),
            engines=engine_uses(self._statistics, total, task.options.engine),
            checks=tuple(sorted(task.checks())),
            language=task.language().value,
        )

    def _record(self) -> CheckRecord | None:
        """What a report shows beside the result, if one is wanted."""
        whole, checked, options = self._program, self._checked, self._task.options
        if not options.record or whole is None or checked is None:
            return None
        return check_record(options.engine, self._statistics, whole, checked)

    def _compiler_options(self) -> tuple[tuple[str, ...], dict[str, tuple[str, ...]]]:
        """Those for all files, or those of each."""
        flags = self._task.flags
        if not flags.differ:
            return flags.common.words, {}
        return (), {file: flags.of(file).words for file in self._task.files}
