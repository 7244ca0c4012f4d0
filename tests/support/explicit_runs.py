"""The explicit engine on small programs, and against the bounded engine."""

from __future__ import annotations

from predabs.engines.engine import create
from predabs.errors import ResourceExhausted, UnsupportedFeature
from predabs.evidence.replay import NotReplayed, replay
from predabs.ir.cfa import Program
from predabs.options import Budget, TimeOver
from predabs.verdict import Safe, Unknown, Unsafe, Verdict
from support.c_programs import program_of_c
from support.counted_time import counted_time
from support.engine_checks import task_of


def decide(engine: str, program: Program, seconds: float = 4.0) -> Verdict:
    try:
        with counted_time():
            return create(engine, task_of(program)).run(Budget.of(seconds))
    except (ResourceExhausted, UnsupportedFeature, TimeOver) as problem:
        return Unknown(str(problem))


def agree(text: str) -> Verdict:
    """The verdict of the explicit engine, which the bounded engine does not contradict."""
    program = program_of_c(text)
    verdict = decide("explicit", program)
    match verdict:
        case Safe():
            assert not isinstance(decide("bounded", program), Unsafe)
        case Unsafe(inputs, _):
            assert not isinstance(replay(program, inputs), NotReplayed)
            assert not isinstance(decide("bounded", program), Safe)
    return verdict
