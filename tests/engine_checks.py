"""Programs checked in this process by one engine, with and without all that surrounds it."""

from __future__ import annotations

import time
from collections.abc import Callable

from annotated import Annotated
from predabs.analyse import Task, analyse
from predabs.analysis.facts import ProgramFacts
from predabs.engines.engine import EngineTask, create
from predabs.ir.cfa import Program
from predabs.ir.types import DataModel
from predabs.options import Budget, Options
from predabs.result import Result
from predabs.spec.checks import parse_checks
from predabs.spec.properties import property_of
from predabs.statistics import EngineStatistics
from predabs.verdict import Verdict


def check_annotated(program: Annotated, engine: str, seconds: float) -> Result:
    """Check an annotated program for so many seconds."""
    now = time.monotonic()
    limit = now + seconds
    checks = parse_checks(",".join(program.text("check").split()))
    options = Options(engine=engine, checks=checks)
    wanted = property_of("assert")
    task = Task(program.files, wanted, "main", DataModel.LP64, (), (), options, now, limit, limit)
    return analyse(task, lambda progress: None)


def task_of(
    program: Program,
    options: Options | None = None,
    statistics: EngineStatistics | None = None,
    progress: Callable[[str], None] = lambda text: None,
) -> EngineTask:
    """What an engine is made from."""
    counted = statistics or EngineStatistics()
    return EngineTask(ProgramFacts(program), options or Options(), counted, progress)


def checked(
    engine: str,
    program: Program,
    options: Options,
    budget: Budget,
    statistics: EngineStatistics | None = None,
    progress: Callable[[str], None] = lambda text: None,
) -> Verdict:
    """An engine's own verdict; what it raises is raised."""
    return create(engine, task_of(program, options, statistics, progress)).run(budget)
