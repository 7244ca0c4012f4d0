"""The public Python functions.

import predabs
result = predabs.check(["driver.c"], timeout=60)
if result.verdict is predabs.Answer.FALSE:
    print(result.violation.trace.text())
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from functools import wraps
from importlib import import_module
from inspect import Signature, signature
from typing import Concatenate, ParamSpec, TypeAlias

from .frontend.compile_commands import sources_of
from .ir.types import DataModel
from .options import Options, cpu_limit
from .options.option import rows
from .pipeline.check_pipeline import analyse
from .pipeline.judgement import Progress, Task
from .pipeline.preparation import Product, entry_of
from .pipeline.result import Answer, Result
from .records import dataclass, replace
from .spec.checks import refuse_unsupported
from .spec.properties import Property, property_of
from .supervise import (
    ChildFinished,
    Crashed,
    OutOfMemory,
    OutOfTime,
    ProcessLimits,
    supervise,
)

P = ParamSpec("P")
Files: TypeAlias = Sequence[str | os.PathLike[str]]
Progressing: TypeAlias = Callable[[str], None]

_RESERVE = 0.03  # of the time: the engine stops that much earlier, so that a bug can be replayed
_OVERTIME = 0.05  # of the time: the process is ended that much later


class Interrupted(KeyboardInterrupt):
    """Somebody has interrupted a check; `so_far` is its result up to then."""

    def __init__(self, so_far: Result) -> None:
        super().__init__()
        self.so_far = so_far


@dataclass(frozen=True, slots=True, kw_only=True)
class _Arguments(Options):
    """The keyword arguments of `check`: the options, and who is told how it goes."""

    progress: Progressing | None = None


_Arguments()  # writes its constructor, which `signature` looks at


def _keywords_of(
    arguments: Callable[P, _Arguments],
) -> Callable[[Callable[[Files, _Arguments], Result]], Callable[Concatenate[Files, P], Result]]:
    """Gives a function the keyword arguments that the table of options has: their types for a type
    checker, their names and defaults for `inspect`, their meaning for `help`."""

    def with_keywords(
        run: Callable[[Files, _Arguments], Result],
    ) -> Callable[Concatenate[Files, P], Result]:
        @wraps(run)
        def called(files: Files, /, *args: P.args, **kwargs: P.kwargs) -> Result:
            try:
                asked = arguments(*args, **kwargs)
            except TypeError as problem:  # the constructor's; the caller knows nothing of it
                raise TypeError(f"check(): {str(problem).partition('() ')[2]}") from None
            return run(files, asked)

        first, *_ = signature(run).parameters.values()
        keywords = signature(arguments).parameters.values()
        whole = Signature([first, *keywords], return_annotation="Result")
        called.__signature__ = whole  # type: ignore[attr-defined]
        meanings = [f"    {row.keyword}: {row.option.help}" for row in rows(Options)]
        called.__doc__ = "\n".join([run.__doc__ or "", *meanings])
        return called

    return with_keywords


@_keywords_of(_Arguments)
def check(files: Files, asked: _Arguments) -> Result:
    """Check that no run of the C program violates the property.

    The keyword arguments are the options of the command line, and `progress`, which is called with
    a line of text now and then. `checks`, `provers`, `include` and `define` are lists of words.

    The work is done in a child process, so a crash or a limit gives an UNKNOWN verdict. Raises
    `InputError` if the files or arguments cannot be used, and `UnsupportedFeature` for a property
    or a check that predabs does not have; C that it does not support is an UNKNOWN verdict.
    """
    return check_with(files, asked, asked.progress)


def check_with(
    files: Files,
    options: Options,
    progress: Progressing | None = None,
    wanted: Property | None = None,
    product: Product | None = None,
) -> Result:
    """`check` for options that are an object already; maybe for a property that is one, too, and
    for a product of the program."""
    begun = time.monotonic()
    wanted = wanted or property_of(options.property)
    read = sources_of([os.fspath(file) for file in files], options)
    timeout = options.timeout
    end = None if timeout is None else begun + timeout * (1 + _OVERTIME)
    task = Task(
        files=read.files,
        property=wanted,
        entry=entry_of(wanted, options.entry),
        data_model=DataModel[options.data_model],
        flags=read.flags,
        options=options,
        begun=begun,
        deadline=None if timeout is None else begun + timeout * (1 - _RESERVE),
        last=end,
        product=product,
    )
    refuse_unsupported(task.checks(), task.language())
    if options.numeric is not None:
        import_module("predabs.domains.factory").need(options.numeric)
    left = None if end is None else end - time.monotonic()
    limits = ProcessLimits(left, options.memory, cpu_limit(options.cpu_time))
    return _supervised(task, limits, progress)


def _supervised(task: Task, limits: ProcessLimits, progress: Progressing | None) -> Result:
    """Run the analysis in a child; what stops it becomes a reason."""
    empty = Result(
        Answer.UNKNOWN,
        "",
        None,
        task.property.name,
        task.options.engine,
        0.0,
        (),
        (),
        checks=tuple(sorted(task.checks())),
        language=task.language().value,
    )
    latest = Progress("it had not begun", empty)

    def receive(message: Progress) -> None:
        nonlocal latest
        record = latest.so_far.record  # it is large, and only sent when it is complete
        if record is not None and message.so_far.record is None:
            message = replace(message, so_far=replace(message.so_far, record=record))
        latest = message
        if progress is not None:
            progress(message.text)

    try:
        ended = supervise(lambda send: analyse(task, send), limits, receive)
    except KeyboardInterrupt:
        raise Interrupted(_stopped(task, latest, "it was interrupted")) from None
    if latest.so_far.verdict is not Answer.UNKNOWN and not isinstance(ended, ChildFinished):
        return latest.so_far  # what followed the verdict was not worth so much
    match ended:
        case ChildFinished(result):
            return result
        case OutOfTime():
            reason = "a limit of CPU time was reached"
            if task.options.cpu_time is not None:
                reason = f"the limit of {task.options.cpu_time:g} s of CPU time was reached"
            if task.last is not None and time.monotonic() >= task.last:
                reason = f"the time limit of {task.options.timeout:g} s was reached"
        case OutOfMemory():
            reason = "there is not enough memory"
            if limits.megabytes is not None:
                reason = f"the memory limit of {limits.megabytes} MiB was reached"
        case Crashed(text):
            reason = f"the analysis crashed, probably inside a solver: {text}"
    return _stopped(task, latest, reason)


def _stopped(task: Task, latest: Progress, reason: str) -> Result:
    """What is known of a check that was stopped."""
    return replace(
        latest.so_far,
        reason=f"{reason} ({latest.text})",
        seconds=time.monotonic() - task.begun,
    )
