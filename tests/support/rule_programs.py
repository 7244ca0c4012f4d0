"""Programs with rules for tests: both from texts."""

from __future__ import annotations

import tempfile
from pathlib import Path

from predabs.concrete.inputs import ListInputs
from predabs.concrete.interpreter import execute
from predabs.concrete.outcome import Outcome
from predabs.frontend.load import load
from predabs.ir.cfa import Edge, Program
from predabs.ir.ops import ErrorKind, Source
from predabs.ir.types import DataModel, ScalarType
from predabs.spec.properties import Property, restrict
from predabs.spec.rules import parse
from predabs.spec.rules_events import compile_rule
from predabs.spec.rules_product import with_rule
from support.c_programs import write_c


def product(rule: str, *files: str) -> Program:
    """The product of a program and a rule; the rule's file is called r.rule."""
    reading = parse(rule, "r.rule")
    wanted = Property("r.rule", frozenset([ErrorKind.RULE]), rule=reading)
    with tempfile.TemporaryDirectory() as folder:
        paths = [write_c(Path(folder), c, f"{number}.c") for number, c in enumerate(files)]
        program = load(paths, watched=reading.watched)
    texts = {reading.file: reading.text}
    events = compile_rule(reading, load([reading.file], DataModel.LP64, None, texts=texts))
    return with_rule(restrict(program, wanted), events)


def outcome(rule: str, *files: str, inputs: tuple[int, ...] = ()) -> Outcome:
    """How the run with these inputs ends."""
    return execute(product(rule, *files), _Given(inputs), max_steps=10_000)


class _Given(ListInputs):
    """The given values, also for functions without a body."""

    def scalar(
        self, source: Source, name: str, type_: ScalarType, edge: Edge | None
    ) -> int | float:
        given = Source.NONDET if source is Source.EXTERN else source
        return super().scalar(given, name, type_, edge)
