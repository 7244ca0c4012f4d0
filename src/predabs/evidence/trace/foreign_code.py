"""Whose code a step belongs to: the program's own, a model of the library, or from outside."""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum

from ...frontend.lower.scopes import MODEL_PREFIX, MODELS
from ...ir.cfa import Edge, Program
from ...ir.expr import FunctionAddress
from ...ir.ops import Assume, Call, Error, ErrorKind, Operation
from ...spec.rules import is_event


class Code(Enum):
    """Whose code a function is."""

    OWN = "the program's"
    MODEL = "a library function: told as one step"
    OUTSIDE = "from outside, for rules"


def called_event(op: Operation) -> str | None:
    """The event of a rule that is called, if it is a call of one."""
    match op:
        case Call(_, FunctionAddress(name, _), _) if is_event(name):
            return name
    return None


def code_of_functions(program: Program) -> dict[str, Code]:
    """The functions that are not the program's own: models, and those that stand for code from
    outside, only so that a rule can watch them, with what models have to help them."""
    models = [f for f in program.functions.values() if f.coord.file == MODELS]
    watched = {f.name for f in models if any(called_event(edge.op) for edge in f.edges)}
    helpers = {f.name for f in models if watched and f.name.startswith(MODEL_PREFIX)}
    outside = {*watched, *helpers, *(program.functions.keys() & program.externals.keys())}
    return {f.name: Code.MODEL for f in models} | dict.fromkeys(outside, Code.OUTSIDE)


def passed_checks(program: Program) -> Iterator[Edge]:
    """The branches that say that a fault did not happen (see `spec.checks`)."""
    for function in program.functions.values():
        faults = {e.src for e in function.edges if _is_fault(e.op)}
        branches = {e.src for e in function.edges if e.dst in faults and isinstance(e.op, Assume)}
        yield from (e for e in function.edges if e.src in branches and e.dst not in faults)


def failed_checks(program: Program) -> Iterator[Edge]:
    """The branches that say that a fault happens."""
    for function in program.functions.values():
        faults = {e.src for e in function.edges if _is_fault(e.op)}
        yield from (e for e in function.edges if e.dst in faults and isinstance(e.op, Assume))


def _is_fault(op: Operation) -> bool:
    return isinstance(op, Error) and op.kind is ErrorKind.CHECK
