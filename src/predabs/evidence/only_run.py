"""A program that asks for no input has one run, and the interpreter can make it to its end.

That is a million steps in a second, where the unrolling has some ten thousand nodes. Values that
were never written may be anything: they are no inputs as long as nothing is decided by them, which
a second run with the check `uninit` tells.

Soundness duty: `Safe` only if the run ended in order and everything that another run could do
otherwise is excluded: inputs, unwritten values that decide something, addresses that are looked at
as numbers, and locations where two edges may be taken.
"""

from __future__ import annotations

import time
from collections.abc import Iterator

from ..concrete.inputs import RecordingInputs, ZeroInputs, as_input
from ..concrete.interpreter import execute
from ..concrete.outcome import (
    AssumeFailed,
    ErrorReached,
    Exhausted,
    Exited,
    Outcome,
    Stopped,
    Value,
)
from ..errors import ResourceExhausted, UnsupportedFeature
from ..ir import make
from ..ir.cfa import Edge, Program
from ..ir.def_use import op_target, op_values
from ..ir.expr import Binary, Cast, Expr, Field, Op
from ..ir.ops import Assume, Call, Error, Havoc, Print, Return, Source
from ..ir.types import IntType, PointerType, RecordType, ScalarType, Type
from ..ir.walk import unseen
from ..spec.checks import add_checks
from ..verdict import Method, Proof, Safe, Unsafe, Verdict

_UNINIT = "uninit"
_PROVED = Safe((), Proof("bounded", Method.EXECUTION, "", whole=False))
_WATCHED = 10  # so much longer a run may take if it is watched


class OnlyRun:
    """The run of a program, as long as it asks for no input. A run that is not over when its time
    is begins anew when it has more. `quick` is the program whose loops do many rounds at once."""

    def __init__(self, program: Program, quick: Program | None = None) -> None:
        self._program = program
        self._quick = program if quick is None else quick
        self._over = False

    def verdict(self, seconds: float) -> Verdict | None:
        """What the run shows within so many seconds; None if it shows nothing."""
        if self._over:
            return None
        begun = time.monotonic()
        taken = RecordingInputs(_Unwritten())
        outcome = _ended(self._quick, taken, begun + seconds)
        if isinstance(outcome, Exhausted) and outcome.edge is None:
            return None  # it was only a lack of time
        self._over = True
        match outcome:
            case ErrorReached():
                start = self._program.functions[self._program.entry].coord
                inputs = tuple(as_input(item, start) for item in taken.taken)
                return Unsafe(inputs, outcome.text)
            case Exited() | Stopped() | AssumeFailed():
                more = 1.0 + _WATCHED * (time.monotonic() - begun)
                sure = not taken.taken or self._decides_nothing(outcome, more)
                return _PROVED if sure and is_deterministic(self._program) else None
        return None

    def _decides_nothing(self, outcome: Outcome, seconds: float) -> bool:
        """Is nothing in this run decided by what was never written?"""
        watched = self._program
        if not any(_is_uninit(edge) for edge in _edges(watched)):
            try:
                watched = add_checks(watched, frozenset([_UNINIT]))
            except UnsupportedFeature:
                return False
        again = _ended(watched, _Unwritten(), time.monotonic() + seconds)
        if type(again) is not type(outcome):
            return False
        return not _has_bit_fields(self._program) and not _passes_records(self._program)


def is_deterministic(program: Program) -> bool:
    """Does a run of the program follow from its inputs, wherever its objects lie in memory?"""
    for function in program.functions.values():
        for edges in function.outgoing.values():
            if len(edges) > 1 and not _are_opposite(edges):
                return False
    if any(map(_prints_a_list, _edges(program))) or not _texts_are_written(program):
        return False
    return not any(map(_sees_addresses, _terms(program)))


def _prints_a_list(edge: Edge) -> bool:
    """Is text made from a `va_list`? A slice may lack the strings that it leads to."""
    op = edge.op
    return isinstance(op, Havoc) and op.source is Source.FORMATTED and op.name.startswith("v")


def _texts_are_written(program: Program) -> bool:
    """Is each text that sprintf or its kin write through a pointer computed? A slice may have left
    that out, but not the check of the write, for which the interpreter then knows no length."""
    printed = {(e.src.function, e.coord) for e in _edges(program) if isinstance(e.op, Print)}
    return all(
        (edge.src.function, edge.coord) in printed
        for edge in _edges(program)
        if isinstance(edge.op, Havoc)
        and edge.op.source is Source.FORMATTED
        and edge.op.extent is not None
    )


class _Asked(Exception):
    """The run asks for an input."""


class _Unwritten(ZeroInputs):
    """Zeros for what was never written, and nothing else."""

    def scalar(
        self, source: Source, name: str, type_: ScalarType, edge: Edge | None
    ) -> int | float:
        _refuse(source)
        return 0

    def memory(self, source: Source, name: str, size: int, edge: Edge | None) -> bytes:
        _refuse(source)
        return bytes(size)

    def volatile(self, name: str, held: Value, type_: Type, edge: Edge) -> Value:
        raise _Asked


def _refuse(source: Source) -> None:
    if source is not Source.UNINITIALIZED:
        raise _Asked


def _ended(
    program: Program, inputs: RecordingInputs | _Unwritten, deadline: float
) -> Outcome | None:
    """How the run ends; None if it asks for an input, or needs what is not modelled."""
    try:
        return execute(program, inputs, max_steps=None, deadline=deadline)
    except (_Asked, UnsupportedFeature, ResourceExhausted):
        return None


def _edges(program: Program) -> Iterator[Edge]:
    for function in program.functions.values():
        yield from function.edges


def _is_uninit(edge: Edge) -> bool:
    return isinstance(edge.op, Error) and edge.op.check == _UNINIT


def _are_opposite(edges: tuple[Edge, ...]) -> bool:
    """Is it a condition and its negation?"""
    conds = [edge.op.cond for edge in edges if isinstance(edge.op, Assume)]
    return len(conds) == len(edges) == 2 and conds[0] is make.negate(conds[1])


def _terms(program: Program) -> Iterator[Expr]:
    """All terms, each once."""
    seen: set[Expr] = set()
    for edge in _edges(program):
        target = op_target(edge.op)
        yield from unseen((*op_values(edge.op), *(() if target is None else (target,))), seen)


def _sees_addresses(term: Expr) -> bool:
    match term:
        case Cast(arg, IntType()):
            return isinstance(arg.type, PointerType)
        case Binary(Op.LT | Op.LE, left, _, _):
            return isinstance(left.type, PointerType)
    return False


def _has_bit_fields(program: Program) -> bool:
    """Are there bit-fields, which the check for unwritten values does not look at?"""
    for term in _terms(program):
        if isinstance(term, Field):
            base = term.base.type
            assert isinstance(base, RecordType)
            if program.records[base.tag].member(term.name).bitfield:
                return True
    return False


def _passes_records(program: Program) -> bool:
    """Are records passed or returned? As far as the interpreter tells, all of these is written."""
    for edge in _edges(program):
        match edge.op:
            case Call(target, _, args):
                passed = (*args, *(() if target is None else (target,)))
            case Return(value) if value is not None:
                passed = (value,)
            case _:
                continue
        if any(isinstance(item.type, RecordType) for item in passed):
            return True
    return False
