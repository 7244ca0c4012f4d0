"""Each feature of C in a small program: the interpreter runs it as it says, and as gcc does."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest

from fuzz import native
from predabs.concrete.inputs import ZeroInputs
from predabs.concrete.interpreter import execute
from predabs.concrete.outcome import Exited, Outcome
from predabs.frontend.load import load
from predabs.ir.types import DataModel
from support.annotated import Annotated, for_each_model, programs

PROGRAMS = for_each_model(programs("c"))
NAMES = [f"{program.name}-{model}" for program, model in PROGRAMS]
MAX_STEPS = 10_000_000
EXACT = ["-msse2", "-mfpmath=sse"]  # else -m32 computes a double with more bits than it has
LIBRARIES = ["-Wl,--no-as-needed", "-lm"]  # before the file, so needed or not


@dataclass(frozen=True)
class Run:
    """A program, how the interpreter's run of it ends, and what it prints."""

    program: Annotated
    model: str
    outcome: Outcome
    printed: str


@pytest.fixture(scope="module", params=PROGRAMS, ids=NAMES)
def run(request: pytest.FixtureRequest) -> Run:
    program, model = request.param
    printed: list[bytes] = []
    outcome = execute(
        load(program.files, DataModel[model]),
        ZeroInputs(),
        max_steps=MAX_STEPS,
        output=printed.append,
    )
    text = b"".join(printed).decode("utf-8", "backslashreplace")
    return Run(program, model, outcome, text)


def status(program: Annotated) -> int:
    kind, number = program.need("expect").text.split()
    assert kind == "exit"
    return int(number)


def test_it_runs_as_annotated(run: Run) -> None:
    assert run.outcome == Exited(status(run.program))


def test_it_prints_what_gcc_prints(run: Run) -> None:
    if native.compiler() is None:
        pytest.skip("no gcc here")
    if not native.builds(run.model):
        pytest.skip(f"no native build for {run.model} works here")
    if run.program.note("native") is not None:
        return  # it says why gcc is no judge of it; the other test has run it
    first, *others = run.program.files
    expected = native.execute(Path(first), run.model, ["-O0", *EXACT, *others, *LIBRARIES])
    assert expected.status == status(run.program), expected.stderr
    assert run.printed == expected.stdout
