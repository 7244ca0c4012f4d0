"""What predabs said about a task and what that took, as a row of a CSV file.

A run writes each row as soon as it is known, so that one that was stopped can be taken up again. A
row that is not whole is forgotten; a column that a file lacks has its default. Of a task that has
more than one row, the last one counts.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from .tasks import NoTasks, Task

_OUT_OF_TIME = re.compile(r"time limit.* was reached|limit of CPU time was reached")


@dataclass(frozen=True, slots=True)
class Answer:
    """A verdict with its costs; a number that the engine does not tell is None."""

    task: str
    category: str
    expected: bool  # is the error unreachable?
    verdict: str  # TRUE, FALSE, UNKNOWN, or ERROR if it failed
    reason: str = ""
    cpu: float = 0.0
    wall: float = 0.0
    test: str = ""  # what became of the C test: reached, not reached, not run; empty without one
    engine: str = ""
    tried: str = ""  # the engines that were tried, and how each ended
    predicates: int | None = None
    active: int | None = None  # the most predicates that one node has
    calls: int | None = None  # of the solver
    cached: int | None = None
    solver: float | None = None  # seconds in it
    refinements: int | None = None
    nodes: int | None = None
    native: float | None = None  # seconds in solvers, BDDs and the parser
    phases: str = ""  # seconds by phase, the longest first: 'abstraction 3.1; bdd 0.2'
    operations: str = ""  # seconds and calls by operation of a domain: 'apply 2.145/310; join ...'
    limit: int | None = None  # seconds of CPU time that it was given

    @property
    def solved(self) -> bool:
        return self.verdict == ("TRUE" if self.expected else "FALSE")

    @property
    def wrong(self) -> bool:
        return self.verdict == ("FALSE" if self.expected else "TRUE")

    @property
    def seconds_by_phase(self) -> dict[str, float]:
        """The phases as numbers.

        >>> Answer("a", "b", True, "TRUE", phases="front end 1.5; bdd 0.25").seconds_by_phase
        {'front end': 1.5, 'bdd': 0.25}
        """
        pairs = (part.rpartition(" ") for part in self.phases.split("; ") if part)
        return {name: float(seconds) for name, _, seconds in pairs}

    @property
    def operation_use(self) -> dict[str, tuple[float, int]]:
        """The operations as numbers: seconds and calls.

        >>> answer = Answer("a", "b", True, "TRUE", operations="alpha post 0.250/31; join 0.015/4")
        >>> answer.operation_use
        {'alpha post': (0.25, 31), 'join': (0.015, 4)}
        """
        found = {}
        for part in filter(None, self.operations.split("; ")):
            name, _, numbers = part.rpartition(" ")
            seconds, _, calls = numbers.partition("/")
            found[name] = (float(seconds), int(calls))
        return found

    def may_go_on(self, limit: int) -> bool:
        """Was there no verdict because time was over, and is there more of it now?

        >>> answer = Answer("a", "b", True, "UNKNOWN", "the time limit was reached", limit=5)
        >>> answer.may_go_on(60), answer.may_go_on(5)
        (True, False)
        """
        ended = self.verdict == "UNKNOWN" and _OUT_OF_TIME.search(self.reason) is not None
        return ended and (self.limit is None or self.limit < limit)


def answer_of(task: Task, report: Mapping[str, Any], cpu: float, wall: float) -> Answer:
    """The answer in the object that `predabs check --json` has written."""
    test = _part(report, "test")
    stats, solver, predicates = (_part(report, key) for key in ("stats", "solver", "predicates"))
    longest = sorted(_part(stats, "seconds").items(), key=lambda item: -float(item[1]))
    operations = _part(stats, "operations").items()
    native = stats.get("native", solver.get("seconds"))  # at least that
    if isinstance(native, Mapping):
        native = sum(native.values())
    tried = stats.get("tried") or report.get("tried") or ()
    return Answer(
        task.name,
        task.category,
        task.safe,
        str(report["verdict"]),
        _one_line(report.get("reason")),
        cpu,
        wall,
        {True: "reached", False: "not reached", None: "not run"}[test.get("reached")]
        if test
        else "",
        str(report.get("engine") or ""),
        _one_line("; ".join(tried)),
        predicates.get("total"),
        predicates.get("active"),
        solver.get("calls"),
        solver.get("cached"),
        solver.get("seconds"),
        stats.get("refinements", report.get("iterations")),
        stats.get("nodes"),
        native,
        "; ".join(f"{name} {spent:.2f}" for name, spent in longest),
        "; ".join(f"{name} {use['seconds']:.3f}/{use['calls']}" for name, use in operations),
    )


def failed(task: Task, error: str, cpu: float, wall: float) -> Answer:
    """The answer about a task for which there is no report."""
    return Answer(task.name, task.category, task.safe, "ERROR", _one_line(error), cpu, wall)


def _part(report: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    found = report.get(key)
    return found if isinstance(found, Mapping) else {}


def _one_line(text: object) -> str:
    return " ".join(str(text or "").split())


# --- files ----------------------------------------------------------------------------------------

_COLUMNS = tuple(field.name for field in fields(Answer))
_NEEDED = frozenset(("task", "category", "expected", "verdict"))


def _optional(read: Callable[[str], Any]) -> Callable[[str], Any]:
    return lambda text: read(text) if text else None


# how a text becomes a value of a field, by the field's type
_READ: Mapping[str, Callable[[str], Any]] = {
    "str": str,
    "bool": lambda text: text == "true",
    "float": float,
    "int | None": _optional(int),
    "float | None": _optional(float),
}


def _cell(value: object) -> str:
    match value:
        case None:
            return ""
        case bool():
            return str(value).lower()
        case float():
            return f"{value:.2f}"
    return str(value)


class Record:
    """Answers by task, and the CSV file (if there is one) that grows as they come."""

    def __init__(self, path: Path | None = None, resume: bool = False) -> None:
        """Begin a new file, or go on with the one that is there."""
        self._path = path
        self.answers: dict[str, Answer] = {}
        if path is None:
            return
        if resume and path.exists():
            text = path.read_bytes()
            whole = text[: text.rfind(b"\n") + 1]  # a run that was stopped may have cut off a row
            if whole:
                self.answers = {answer.task: answer for answer in _parsed(whole, path)}
        # with the columns of today; all at once, so that nothing is lost if this is stopped too
        new = path.with_name(f"{path.name}.new")
        rows = [_line(_COLUMNS), *map(_row, self.answers.values())]
        new.write_text("".join(rows), encoding="utf-8")
        new.replace(path)

    def add(self, answer: Answer) -> None:
        """One more row, which is written at once."""
        self.answers[answer.task] = answer
        if self._path is not None:
            with self._path.open("a", encoding="utf-8", newline="") as stream:
                stream.write(_row(answer))


def _row(answer: Answer) -> str:
    return _line([_cell(getattr(answer, name)) for name in _COLUMNS])


def _line(cells: Iterable[str]) -> str:
    buffer = io.StringIO()
    csv.writer(buffer, lineterminator="\n").writerow(cells)
    return buffer.getvalue()


def read(paths: Iterable[Path]) -> list[Answer]:
    """The answers of several files; of a task that is in more than one, the last."""
    found: dict[str, Answer] = {}
    for path in paths:
        try:
            text = path.read_bytes()
        except OSError as problem:
            raise NoTasks(f"{path}: cannot read the answers ({problem.strerror})") from problem
        found |= {answer.task: answer for answer in _parsed(text, path)}
    return list(found.values())


def _parsed(text: bytes, path: Path) -> Iterator[Answer]:
    rows = csv.DictReader(io.StringIO(text.decode("utf-8"), newline=""))
    missing = _NEEDED - set(rows.fieldnames or ())
    if missing:
        raise NoTasks(f"{path}: no table of answers: no column {min(missing)}")
    return map(_answer, rows)


def _answer(row: Mapping[str, str | None]) -> Answer:
    values = {
        field.name: _READ[str(field.type)](text)
        for field in fields(Answer)
        if (text := row.get(field.name)) is not None
    }
    return Answer(**values)
