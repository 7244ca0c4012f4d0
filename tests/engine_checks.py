"""An annotated program, checked in this process by one engine for so many seconds."""

from __future__ import annotations

import time

from annotated import Annotated
from predabs.analyse import Task, analyse
from predabs.ir.types import DataModel
from predabs.options import Options
from predabs.result import Result
from predabs.spec.properties import property_of


def check_annotated(program: Annotated, engine: str, seconds: float) -> Result:
    now = time.monotonic()
    limit = now + seconds
    checks = program.text("check").split()
    options = Options(engine=engine, checks=checks)
    wanted = property_of("assert")
    task = Task(program.files, wanted, "main", DataModel.LP64, (), (), options, now, limit, limit)
    return analyse(task, lambda progress: None)
