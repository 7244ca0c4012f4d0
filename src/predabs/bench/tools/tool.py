"""What a tool is: how it is started on a task, and how its answer is read.

A tool of your own is a class with these members, in a module or a file:
`predabs bench --run "mine=my_tool.py:MyTool --some option" tasks.yml`.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar, Literal, TypeAlias

from ...errors import InputError
from ...records import dataclass, field
from ..execute import Ended, Limits
from ..task import Task

Verdict: TypeAlias = Literal["TRUE", "FALSE", "UNKNOWN", "ERROR"]

_VERSION_SECONDS = 60


@dataclass(frozen=True, slots=True)
class Request:
    """What is asked of a tool: a task, with limits that it may keep itself (others do that too).
    `property_file` is there unless the property is `assert`; the folder is empty and its own."""

    task: Task
    property_file: Path | None
    limits: Limits
    folder: Path
    words: Sequence[str]  # those that the user has for the tool


@dataclass(frozen=True, slots=True)
class Output:
    """What a tool has printed (the end of it, if it was much), and how it ended."""

    ended: Ended
    stdout: str
    stderr: str
    folder: Path

    @property
    def last_line(self) -> str:
        lines = self.stderr.strip().splitlines() or self.stdout.strip().splitlines()
        return lines[-1].strip() if lines else "no output"


@dataclass(frozen=True, slots=True)
class Told:
    """What a tool says: TRUE and FALSE only if it says so; ERROR if it failed. `subproperty` is the
    part of the property that is violated, `details` what else is worth keeping (as for JSON)."""

    verdict: Verdict
    reason: str = ""
    subproperty: str = ""
    details: Mapping[str, Any] = field(default_factory=dict)


class Tool:
    """The base of all tools. `keeps_limits` is for those that end by themselves at the limits, and
    say something then: they are ended by force only a little later. `own_modules` is for those that
    are predabs: they find the modules of this process, which another Python could not use."""

    name: ClassVar[str]
    keeps_limits: ClassVar[bool] = False
    own_modules: ClassVar[bool] = False

    def executable(self) -> str:
        """The program to start; the one called like the tool, unless a tool knows better."""
        found = shutil.which(self.name)
        if found is None:
            raise InputError(f"{self.name}: this tool is not installed (not found in PATH)")
        return found

    def version(self) -> str:
        """What it calls itself, in one line."""
        return first_line([self.executable(), "--version"])

    def command(self, request: Request) -> list[str]:
        """The words that start it on the task."""
        raise NotImplementedError

    def told(self, output: Output) -> Told:
        """What its output means."""
        raise NotImplementedError


def first_line(words: Sequence[str]) -> str:
    """The first line that a command prints."""
    try:
        done = subprocess.run(
            words, capture_output=True, text=True, timeout=_VERSION_SECONDS, check=False
        )
    except (OSError, subprocess.SubprocessError) as problem:
        raise InputError(f"{words[0]}: it cannot be started: {problem}") from problem
    lines = (done.stdout.strip() or done.stderr.strip()).splitlines()
    return lines[0].strip() if lines else "unknown version"


def defines(task: Task, function: str) -> bool:
    """Does a file of the task have a body for the function? By the look of its text."""
    body = re.compile(rf"\b{re.escape(function)}\s*\([^()]*\)\s*\{{")
    return any(body.search(file.read_text("utf-8", "replace")) for file in task.files)


def known_checks(tool: Tool, checks: Mapping[str, list[str]], task: Task) -> list[str]:
    """The words for the property of a task. Soundness duty: a property that has none is refused, as
    a tool that checks nothing would call everything TRUE."""
    if task.wanted.name not in checks:
        raise InputError(f"{tool.name} is not told how to check the property {task.wanted.name}")
    return checks[task.wanted.name]
