"""What predabs said about a task and what that took, as a row of a CSV file.

A run writes each row as soon as it is known, so that one that was stopped can be taken up again. A
row that is not whole is forgotten; a column that a file lacks has its default.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from .tasks import NoTasks, Task


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


def answer_of(task: Task, report: Mapping[str, Any], cpu: float, wall: float) -> Answer:
    """The answer in the object that `predabs check --json` has written."""
    test = _part(report, "test")
    stats, solver, predicates = (_part(report, key) for key in ("stats", "solver", "predicates"))
    longest = sorted(_part(stats, "seconds").items(), key=lambda item: -float(item[1]))
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
    """A CSV file of answers that grows as they come."""

    def __init__(self, path: Path, resume: bool) -> None:
        """Begin a new file, or go on with the one that is there."""
        self._path = path
        if resume and path.exists():
            text = path.read_bytes()
            whole = text.rfind(b"\n") + 1
            if whole < len(text):  # the last row was cut off when the run was stopped
                path.write_bytes(text[:whole])
            self.known = frozenset(answer.task for answer in read([path])) if whole else frozenset()
        else:
            whole = 0
            self.known = frozenset()
        if not whole:
            path.write_text(_line(_COLUMNS), encoding="utf-8")

    def add(self, answer: Answer) -> None:
        """Write one more row, at once."""
        with self._path.open("a", encoding="utf-8", newline="") as stream:
            stream.write(_line([_cell(getattr(answer, name)) for name in _COLUMNS]))


def _line(cells: Iterable[str]) -> str:
    buffer = io.StringIO()
    csv.writer(buffer, lineterminator="\n").writerow(cells)
    return buffer.getvalue()


def read(paths: Iterable[Path]) -> list[Answer]:
    """The answers of several files; of a task that is in more than one, the last."""
    found: dict[str, Answer] = {}
    for path in paths:
        try:
            with path.open(newline="", encoding="utf-8") as stream:
                rows = csv.DictReader(stream)
                missing = _NEEDED - set(rows.fieldnames or ())
                if missing:
                    raise NoTasks(f"{path}: no table of answers: no column {min(missing)}")
                for row in rows:
                    found[row["task"]] = _answer(row)
        except OSError as problem:
            raise NoTasks(f"{path}: cannot read the answers ({problem.strerror})") from problem
    return list(found.values())


def _answer(row: Mapping[str, str | None]) -> Answer:
    values = {
        field.name: _READ[str(field.type)](text)
        for field in fields(Answer)
        if (text := row.get(field.name)) is not None
    }
    return Answer(**values)
