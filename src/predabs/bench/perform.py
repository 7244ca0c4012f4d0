"""One run: a tool on a task, in a folder of its own, under limits; the answer.

Soundness duty: a verdict counts only if the tool gave it itself, and within the limits.
"""

from __future__ import annotations

import os
import re
import shutil
import socket
import sys
from collections.abc import Callable
from pathlib import Path
from typing import get_args

from ..errors import InputError
from ..records import dataclass
from .answer import Answer
from .configuration import Configuration, blamed
from .execute import Ended, Executor, Limits
from .task import Task, printable
from .tools.tool import Output, Request, Told, Verdict

FOLDER = "{folder}"  # in the words of a configuration: the folder of the run
_OUTPUT_BYTES = 1 << 20  # of the end of what a tool prints
_REASON_LETTERS = 1000
_GRACE_SECONDS, _GRACE_SHARE = 5.0, 0.1  # before a tool that keeps limits is ended by force
_NO_BYTECODE = "PYTHONDONTWRITEBYTECODE"  # each run would compile hundreds of modules again
_OUT_OF_TIME = re.compile(r"time limit.* was reached|limit of CPU time was reached|of CPU time was")
_OUT_OF_MEMORY = re.compile(r"the memory limit of .* was reached|not enough memory")
_TOLD = {
    "cpu": "the limit of CPU time was reached",
    "wall": "the limit of wall-clock time was reached",
    "memory": "the memory limit was reached",
}


@dataclass(frozen=True, slots=True)
class Run:
    """A task, a configuration, and the limits for both."""

    task: Task
    configuration: Configuration
    limits: Limits


class Stopped(Exception):
    """The run was stopped: there is no answer."""


def environment(**more: str) -> dict[str, str]:
    """Ours, as for a user whose predabs is compiled to bytecode. It finds its modules wherever it
    is started, and tells all about a bug."""
    kept = {name: value for name, value in os.environ.items() if name != _NO_BYTECODE}
    path = os.pathsep.join(os.path.abspath(word) for word in sys.path if word)
    return kept | {"PYTHONPATH": path, "PREDABS_DEBUG": "1"} | more


def perform(
    run: Run, executor: Executor, folder: Path, stopped: Callable[[], bool] = lambda: False
) -> Answer:
    """Run it in the folder, which is removed. Raises `Stopped` if somebody wants an end."""
    folder.mkdir(parents=True)
    try:
        return _performed(run, executor, folder, stopped)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _performed(run: Run, executor: Executor, folder: Path, stopped: Callable[[], bool]) -> Answer:
    tool = run.configuration.load()
    task = run.task
    property_file = None
    if task.wanted.text:
        property_file = folder / task.wanted.file_name
        property_file.write_text(task.wanted.text, "utf-8")
    outputs = folder / "stdout", folder / "stderr"
    words = [word.replace(FOLDER, str(folder)) for word in run.configuration.words]
    request = Request(task, property_file, run.limits, folder, words)
    try:
        digest = task.digest()
        with blamed(run.configuration, "command"):
            command = [str(word) for word in tool.command(request)]
        ended = executor.execute(
            command,
            run.limits.looser(_GRACE_SECONDS, _GRACE_SHARE) if tool.keeps_limits else run.limits,
            outputs,
            environment() if tool.own_modules else dict(os.environ),
            stopped,
        )
    except (InputError, OSError) as problem:
        return answer_of(run, Ended(127, 0.0, 0.0, 0), Told("ERROR", str(problem)), "")
    if ended.limit == "stopped":
        raise Stopped
    out, err = map(_end_of, outputs)
    try:
        with blamed(run.configuration, "told"):
            told = _checked(tool.told(Output(ended, out, err, folder)))
    except (InputError, OSError) as problem:
        told = Told("ERROR", str(problem))
    return answer_of(run, ended, told, digest)


def _checked(told: Told) -> Told:
    """What a tool has told, if it can be told at all."""
    if not isinstance(told, Told) or told.verdict not in get_args(Verdict):
        raise TypeError(f"{told!r} has no verdict of {', '.join(get_args(Verdict))}")
    return told


def answer_of(run: Run, ended: Ended, told: Told, digest: str) -> Answer:
    """What the tool told, as far as it counts: an answer that came too late is none."""
    task = run.task
    limit = ended.limit or _limit_of(told)
    over = ended.cpu > run.limits.cpu or ended.wall > run.limits.wall
    if not limit and over:
        limit = "cpu" if ended.cpu > run.limits.cpu else "wall"
    verdict, reason = told.verdict, told.reason
    if ended.limit or (over and verdict in ("TRUE", "FALSE")):
        verdict = "UNKNOWN"
        more = f" ({reason})" if reason and told.verdict == "UNKNOWN" else ""
        reason = f"{_TOLD[limit]}{more}"
    return Answer(
        task.name,
        task.wanted.name,
        task.category,
        task.expected,
        run.configuration.name,
        verdict,
        _shortened(reason, task)[:_REASON_LETTERS],
        task.subproperty,
        told.subproperty if verdict == "FALSE" else "",
        ended.cpu,
        ended.wall,
        ended.memory,
        limit,
        run.limits,
        socket.gethostname(),
        digest,
        told.details,
    )


def _limit_of(told: Told) -> str:
    """A tool that keeps the limits itself says so in its reason."""
    if told.verdict == "UNKNOWN":
        if _OUT_OF_TIME.search(told.reason):
            return "cpu" if "CPU" in told.reason else "wall"
        if _OUT_OF_MEMORY.search(told.reason):
            return "memory"
    return ""


def _shortened(reason: str, task: Task) -> str:
    """In one line, and files without the folder of the task."""
    for folder in sorted({str(file.parent) for file in task.files}, key=len, reverse=True):
        reason = reason.replace(f"{folder}/", "")
    return printable(" ".join(reason.split()))


def _end_of(path: Path) -> str:
    with path.open("rb") as stream:
        size = stream.seek(0, os.SEEK_END)
        stream.seek(max(0, size - _OUTPUT_BYTES))
        return stream.read().decode("utf-8", "replace")
