"""What predabs said about a task and what that took: the answers of a bench, with the figures that
`predabs check --json` tells."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from predabs.bench import answer as kept
from predabs.bench.database import read_answers


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
    limit: float | None = None  # seconds of CPU time that it was given

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


def answer_of(row: kept.Answer) -> Answer:
    """The answer with the figures of its report."""
    report = row.details
    test = _part(report, "test")
    stats, solver, predicates = (_part(report, key) for key in ("stats", "solver", "predicates"))
    longest = sorted(_part(stats, "seconds").items(), key=lambda item: -float(item[1]))
    operations = _part(stats, "operations").items()
    native = stats.get("native", solver.get("seconds"))  # at least that
    if isinstance(native, Mapping):
        native = sum(native.values())
    tried = stats.get("tried") or report.get("tried") or ()
    return Answer(
        row.task,
        row.category,
        row.expected is True,
        row.verdict,
        row.reason,
        row.cpu,
        row.wall,
        {True: "reached", False: "not reached", None: "not run"}[test.get("reached")]
        if test
        else "",
        str(report.get("engine") or ""),
        " ".join("; ".join(tried).split()),
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
        row.limits.cpu or None,
    )


def _part(report: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    found = report.get(key)
    return found if isinstance(found, Mapping) else {}


def read(paths: Iterable[Path]) -> dict[str, list[Answer]]:
    """The answers of several files by configuration; of a task in more than one, the last."""
    found: dict[str, list[Answer]] = {}
    for row in read_answers(paths):
        found.setdefault(row.configuration, []).append(answer_of(row))
    return found
