"""Benches in tests: a tool that is a line of shell, small tasks, answers that are made up."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from predabs.bench.answer import Answer
from predabs.bench.configuration import Configuration
from predabs.bench.database import Database
from predabs.bench.execute import Limits
from predabs.bench.task import Task, property_named

# a tool that says what a line of shell prints; $1 is the program
SCRIPT_TOOL = """
from predabs.bench.tools.tool import Output, Request, Told, Tool

class Script(Tool):
    name = "script"

    def version(self):
        return "script 1"

    def command(self, request):
        return ["/bin/sh", "-c", request.words[0], "sh", str(request.task.file)]

    def told(self, output):
        words = output.stdout.split()
        if words and words[-1] in ("TRUE", "FALSE", "UNKNOWN"):
            return Told(words[-1])
        return Told("ERROR", output.last_line)
"""
LIMITS = Limits(20.0, 60.0, 1000)


def script(line: str, name: str = "script") -> Configuration:
    return Configuration(name, "script.py:Script", (line,), SCRIPT_TOOL)


def write_tool(folder: Path) -> str:
    """The tool as a file; how it is named on the command line."""
    path = folder / "script.py"
    path.write_text(SCRIPT_TOOL)
    return f"{path}:Script"


def small_tasks(folder: Path, count: int) -> list[Task]:
    """So many programs that all hold."""
    folder.mkdir(parents=True, exist_ok=True)
    found = []
    for number in range(count):
        file = folder / f"p{number:03}.c"
        file.write_text(f"int main(void) {{ return {number} - {number}; }}\n")
        wanted = property_named("unreach-call")
        found.append(Task(f"small/{file.name}", "small", (file,), wanted, True))
    return found


def write_table(folder: Path, count: int) -> Path:
    """The same as a table of tasks."""
    rows = [f"{task.name},{task.file.name},true,64,1" for task in small_tasks(folder, count)]
    path = folder / "tasks.csv"
    path.write_text("task,file,expected,data_model,lines\n" + "\n".join(rows) + "\n")
    return path


def answer(task: str, verdict: str, expected: bool | None = True, **more: Any) -> Answer:
    """A row for a task such as `loops/a`."""
    values = {"configuration": "now", "cpu": 1.0, "wall": 1.0} | more
    name = values.pop("configuration")
    return Answer(task, "unreach-call", task.partition("/")[0], expected, name, verdict, **values)


def keep(path: Path, answers: Iterable[Answer]) -> Path:
    """Write answers to a file."""
    with Database(path, write=True) as database:
        for one in answers:
            database.add_configuration(Configuration(one.configuration), "1")
            database.add(one, instead=True)
    return path


def kept(path: Path) -> list[Answer]:
    with Database(path) as database:
        return database.answers()


def predabs_words(*words: str) -> Sequence[str]:
    return [sys.executable, "-m", "predabs", *words]


def own_environment() -> dict[str, str]:
    return os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
