"""An annotated program, checked in this process by one engine, with a budget of work."""

from __future__ import annotations

from annotated import Annotated
from counted_time import counted_time
from predabs.analyse import Task, analyse
from predabs.ir.types import DataModel
from predabs.options import Options
from predabs.result import Result
from predabs.spec.checks import parse_checks
from predabs.spec.properties import property_of


def check_annotated(program: Annotated, engine: str, seconds: float) -> Result:
    """The result after at most so many seconds of the clock that counts looks at it."""
    checks = parse_checks(",".join(program.text("check").split()))
    options = Options(engine=engine, checks=checks)
    wanted = property_of("assert")
    with counted_time() as clock:
        now = clock()
        limit = now + seconds
        model = DataModel.LP64
        task = Task(program.files, wanted, "main", model, (), (), options, now, limit, limit)
        return analyse(task, lambda progress: None)
