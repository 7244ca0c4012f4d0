"""Every way in which `predabs run` ends, each in a program of its own, at the exact line."""

from __future__ import annotations

import pytest

from predabs.commands.run import parse_inputs
from predabs.concrete.interpreter import execute
from predabs.concrete.outcome import (
    AssumeFailed,
    ErrorReached,
    Exited,
    Outcome,
    RunFault,
    StepLimit,
    Stopped,
)
from predabs.frontend.load import load
from predabs.ir.cfa import Edge
from predabs.ir.types import DataModel
from support.annotated import Annotated, for_each_model, programs

PROGRAMS = for_each_model(programs("faults"))
NAMES = [f"{program.name}-{model}" for program, model in PROGRAMS]
MAX_STEPS = 100_000


@pytest.mark.parametrize(("program", "model"), PROGRAMS, ids=NAMES)
def test_the_run_ends_as_annotated(program: Annotated, model: str) -> None:
    expected = program.need("expect")
    outcome = execute(
        load(program.files, DataModel[model]),
        parse_inputs(program.text("inputs"), None),
        max_steps=int(program.text("steps", str(MAX_STEPS))),
    )
    kind, _, text = expected.text.partition(" ")
    assert _kind(outcome) == kind, outcome
    if isinstance(outcome, Exited):
        assert outcome.status == int(text)
    elif not isinstance(outcome, StepLimit):
        coord = _edge(outcome).coord
        assert (coord.file, coord.line) == (expected.file, expected.line)
    if isinstance(outcome, RunFault | ErrorReached | Stopped):
        assert text in outcome.text


def _kind(outcome: Outcome) -> str:
    kinds = {
        Exited: "exit",
        Stopped: "stop",
        AssumeFailed: "assume",
        ErrorReached: "error",
        RunFault: "fault",
        StepLimit: "limit",
    }
    return kinds.get(type(outcome), "exhausted")


def _edge(outcome: Outcome) -> Edge:
    assert isinstance(outcome, Stopped | AssumeFailed | ErrorReached | RunFault)
    return outcome.edge
