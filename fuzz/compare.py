"""Runs one program natively and in predabs' interpreter, and compares what they print."""

from __future__ import annotations

import re
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from fuzz import native
from fuzz.native import Outcome
from predabs.concrete.inputs import ZeroInputs
from predabs.concrete.interpreter import execute
from predabs.concrete.outcome import Exhausted, Exited, StepLimit, Stopped
from predabs.errors import PredabsError
from predabs.frontend.compiler_flags import CompilerFlags, SourceFlags
from predabs.frontend.load import load
from predabs.ir.types import DataModel

INTERPRETER_SECONDS = 60.0


@dataclass(frozen=True, slots=True)
class Agreement:
    """Both sides ended normally and printed the same."""


@dataclass(frozen=True, slots=True)
class Skipped:
    """Nothing was compared: the program did not end in time, or could not be built."""

    reason: str


@dataclass(frozen=True, slots=True)
class Difference:
    """The two sides disagree; `detail` is for a person, `kind` tells differences apart."""

    kind: str
    detail: str


Result = Agreement | Skipped | Difference


def interpret(source: Path, model: str, includes: Sequence[str], seconds: float) -> Outcome:
    """What predabs prints for a program, and how it ends, as `predabs run` would."""
    printed: list[bytes] = []
    try:
        program = load(
            [str(source)], DataModel[model], flags=SourceFlags(CompilerFlags(tuple(includes)))
        )
        deadline = time.monotonic() + seconds
        outcome = execute(program, ZeroInputs(), output=printed.append, deadline=deadline)
    except PredabsError as error:
        return Outcome("", str(error), 2)
    except Exception as error:
        return Outcome("", f"{type(error).__name__}: {error}", 70)
    text = b"".join(printed).decode(errors="replace")
    match outcome:
        case Exited() | Stopped():
            return Outcome(text, "", 0)
        case StepLimit() | Exhausted():
            return Outcome(text, str(outcome), None)
    return Outcome(text, f"{outcome.edge.coord}: {outcome}", 1)


def compare(
    source: Path,
    model: str,
    includes: Sequence[str] = (),
    optimise: str = "-O0",
    seconds: float = INTERPRETER_SECONDS,
    native_seconds: float = 5,
) -> Result:
    """Compare the two sides on one file; `includes` are folders for `#include`."""
    options = [word for folder in includes for word in ("-I", folder)]
    expected = native.execute(source, model, [optimise, *options], native_seconds)
    if expected.status is None:
        return Skipped("too long for the native run")
    if expected.status == -1:
        return Skipped(f"does not compile: {_first_line(expected.stderr)}")
    if expected.status < 0 or expected.stderr:
        return Skipped(f"the native run failed: {_first_line(expected.stderr)}")
    found = interpret(source, model, includes, seconds)
    if found.status is None:
        return Skipped("too long for the interpreter")
    return verdict(expected.stdout, found)


def verdict(expected: str, found: Outcome) -> Result:
    """Judge the interpreter's run by the text that a native run printed.

    >>> verdict("a\\nb\\n", Outcome("a\\nc\\n", "", 0)).detail
    "line 2: native 'b', predabs 'c'"
    >>> verdict("a\\n", Outcome("a\\n", "", 0))
    Agreement()
    """
    if found.status != 0:
        message = _tail(found.stderr)
        kind = f"failure {found.status} {_without_places(message)}"
        return Difference(kind, f"predabs ended with {found.status}: {message}")
    if found.stdout == expected:
        return Agreement()
    left, right = expected.splitlines(), found.stdout.splitlines()
    same = 0
    while same < min(len(left), len(right)) and left[same] == right[same]:
        same += 1
    a, b = (repr(side[same]) if same < len(side) else "nothing" for side in (left, right))
    return Difference("output", f"line {same + 1}: native {a}, predabs {b}")


def compare_text(text: str, model: str, optimise: str = "-O0") -> Result:
    """Compare the two sides on a program given as text."""
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "program.c")
        source.write_text(text)
        return compare(source, model, optimise=optimise)


def _first_line(text: str) -> str:
    lines = text.strip().splitlines()
    return next((line for line in lines if "error" in line), lines[0] if lines else "no message")


def _without_places(message: str) -> str:
    """A message without file, line and numbers: the same for the same cause."""
    return re.sub(r"\d+", "#", re.sub(r"\S*:\d+:(\d+:)?", "", message))


def _tail(text: str) -> str:
    """The line of an error output that says most: the exception of a traceback, or the last."""
    lines = text.strip().splitlines()
    raised = [line.strip() for line in lines if re.match(r"\s*[\w.]*(Error|Exception)\b", line)]
    return (raised or lines or ["no message"])[-1][:500]
