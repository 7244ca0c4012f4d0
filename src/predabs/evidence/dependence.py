"""Does a run depend on a value that only the C library or inline assembly can compute?

Dynamic taint analysis: the run is repeated, and variables and bytes are marked that hold what was
computed from such values. A mark decides about the run if it comes to a condition, to an address,
size or divisor (the run might fault), or to the choice of a function that is called.

Soundness duty: if `decisive` says None, the run takes the same edges whatever the values are, but
for loops over the bytes that one library call writes (`ir.ops.Extent`). As all conditions and
addresses up to a step are the same, what is overwritten there is no longer marked. Output is
assumed to come to an end: a string that the library made has a terminating zero.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from ..concrete.interpreter import execute
from ..concrete.outcome import ErrorReached, Failure, Overrun, Refusal
from ..concrete.state_view import ByteRange, Place, StateView
from ..concrete.storage_layout import Register
from ..ir.address_space import FIRST_FUNCTION
from ..ir.cfa import Edge, Program
from ..ir.def_use import op_target
from ..ir.expr import (
    And,
    Binary,
    Deref,
    Expr,
    Field,
    FunctionAddress,
    Index,
    Ite,
    Lvalue,
    ObjectSize,
    Op,
    Or,
    Var,
)
from ..ir.ops import (
    Alloc,
    Assign,
    Assume,
    Call,
    Copy,
    Extent,
    Fill,
    Free,
    Havoc,
    Print,
    Return,
    Source,
)
from ..ir.types import FloatType, PointerType, is_scalar
from ..ir.walk import evaluated, operands, reads, reads_of
from ..records import dataclass, field
from ..verdict import Input
from .given_inputs import GivenInputs, words_of

# inputs that stand for what a real run computes, and predabs does not
COMPUTED = frozenset([Source.UNKNOWN, Source.ASM])
Cause: TypeAlias = tuple[Source, str]  # whose values: the source, and the name of the function

_MOST_WRITTEN = 1 << 20  # bytes of one library call
_WHOLE = -1
_Marks: TypeAlias = dict[int, Cause]  # of the bytes of a value, by their place in it, or _WHOLE


def decisive(
    program: Program, inputs: Sequence[Input], deadline: float | None = None
) -> Cause | None:
    """The first function whose results or writes may decide about the run that takes these inputs
    and comes to an error; if the run cannot be followed, one that it calls."""
    taint = _Taint(program, inputs)
    try:
        outcome = execute(program, GivenInputs(inputs), deadline=deadline, before=taint.before)
    except _Decided as found:
        return found.cause
    if isinstance(outcome, ErrorReached):
        return taint.writing  # an error in there is one of a number that nobody knows
    called = ((item.source, item.name) for item in inputs if item.source in COMPUTED)
    return next(called, (Source.UNKNOWN, "a library function"))


class _Decided(Exception):
    """The run would go another way with other values."""

    def __init__(self, cause: Cause) -> None:
        self.cause = cause


@dataclass(slots=True)
class _Frame:
    """The marked registers of an open call, and where its result goes in the caller."""

    registers: dict[str, Cause] = field(default_factory=dict)
    result: Place | None = None


@dataclass(frozen=True, slots=True)
class _Passed:
    """A call that is about to happen: the marks of the arguments, and where the result goes."""

    args: tuple[_Marks, ...]
    result: Place | None


@dataclass(frozen=True, slots=True)
class _Uses:
    """What a term reads: all lvalues, and those that decide whether it has a value; `lazily` if a
    part that may have none is evaluated only sometimes."""

    all: tuple[Lvalue, ...]
    decisive: tuple[Lvalue, ...]
    lazily: bool


class _Taint:
    """The marks at one point of a run."""

    def __init__(self, program: Program, inputs: Sequence[Input]) -> None:
        self._functions = program.functions
        bits = program.data_model.pointer_bits
        self._low = next(  # a number that may have made the lower addresses accessible
            (
                (item.source, item.name)
                for item in inputs
                if item.source in COMPUTED
                and any(0 < n < FIRST_FUNCTION for n in words_of(item, bits))
            ),
            None,
        )
        self._globals: dict[str, Cause] = {}
        self._frames = [_Frame()]
        self._bytes: dict[int, Cause] = {}
        self._uses: dict[Expr, _Uses] = {}
        self._passed: _Passed | None = None
        self._result: _Marks = {}
        self._last: Cause | None = None  # the last that has computed something
        self._counts: dict[Var, Cause] = {}  # how many bytes a library function writes
        self.writing: Cause | None = None  # whose bytes are being written

    def before(self, edge: Edge, view: StateView) -> None:
        """Follow one step, which happens next."""
        self._follow_writing(edge)
        self._settle(edge, view)
        try:
            self._step(edge, view)
        except (Failure, Refusal, Overrun, ZeroDivisionError):
            # the run ends here, or this is a part of a term that it does not evaluate
            if self._last is not None:
                raise _Decided(self._last) from None

    def _follow_writing(self, edge: Edge) -> None:
        """Is this in a loop over the bytes that a library function writes?"""
        match edge.op:
            case Havoc(Var() as count, source, name, Extent()) if source in COMPUTED:
                self._counts[count] = source, name
            case Assume(Binary(Op.LT, _, Var() as count, _)) if count in self._counts:
                self.writing = self._counts[count]
            case Assume(Binary(Op.LE, Var() as count, _, _)) if count in self._counts:
                self.writing = None

    # --- calls ------------------------------------------------------------------------------------

    def _settle(self, edge: Edge, view: StateView) -> None:
        """Calls and returns: has the last step begun or ended some?"""
        if (passed := self._passed) is not None:
            self._passed = None
            if view.depth > len(self._frames):
                self._frames.append(_Frame(result=passed.result))
                params = self._functions[edge.src.function].params
                for param, marks in zip(params, passed.args, strict=False):
                    if marks:
                        self._mark(view.place(param), marks)
            elif passed.result is not None:
                self._mark(passed.result, {})  # no body: an input
        while len(self._frames) > view.depth:
            place = self._frames.pop().result
            if place is not None:
                self._mark(place, self._result)
            self._result = {}

    # --- one step ---------------------------------------------------------------------------------

    def _step(self, edge: Edge, view: StateView) -> None:
        op = edge.op
        if self._is_clean() and not isinstance(op, Havoc | Call | Return):
            return
        target = op_target(op)
        place = None
        if target is not None:
            self._settled(reads_of(operands(target)), view)
            place = self._place(target, view)
        match op:
            case Assume(cond, promised):
                cause = self._cause(cond, view)
                if cause is not None and not promised:
                    raise _Decided(cause)
            case Assign(_, value):
                self._mark(place, self._marks(value, view))
            case Havoc(_, source, name, extent):
                self._havoc(place, (source, name), extent, view)
            case Call(_, callee, args):
                if not isinstance(callee, FunctionAddress):
                    self._require(callee, view)
                    self._touch(_number(view, callee))
                self._passed = _Passed(tuple(self._marks(arg, view) for arg in args), place)
            case Return(value):
                self._result = {} if value is None else self._marks(value, view)
            case Alloc(_, size):
                self._require(size, view)
                self._mark(place, {})
            case Free(pointer):
                self._require(pointer, view)
                self._touch(_number(view, pointer))
            case Fill(pointer, byte, size):
                self._fill(pointer, byte, size, view)
            case Copy(pointer, source, size):
                self._copy(pointer, source, size, view)
            case Print(_, function, args):
                self._print(place, function, args, view)

    def _havoc(
        self, place: Place | None, cause: Cause, extent: Extent | None, view: StateView
    ) -> None:
        if cause[0] not in COMPUTED:
            if cause[0] not in (Source.VOLATILE, Source.FORMATTED):  # which keep what they held
                self._mark(place, {})
            return
        self._last = cause
        if extent is None:
            self._mark(place, {_WHOLE: cause})
        else:
            # whatever the number of bytes is, these are all that are written
            self._mark(place, {})
            start, size = self._extent(extent, cause, view)
            self._mark(ByteRange(start, size), {_WHOLE: cause})

    def _extent(self, extent: Extent, cause: Cause, view: StateView) -> tuple[int, int]:
        """The bytes that a library function may write, within the object that it writes to."""
        self._require(extent.pointer, view)
        start = _number(view, extent.pointer)
        ends = [view.end_of_object(start)]
        if extent.most is not None:
            self._require(extent.most, view)
            ends.append(start + _number(view, extent.most))
        known = [end for end in ends if end is not None]
        if not known or min(known) - start > _MOST_WRITTEN:
            raise _Decided(cause)
        return start, min(known) - start

    def _fill(self, pointer: Expr, byte: Expr, size: Expr, view: StateView) -> None:
        for value in (pointer, size):
            self._require(value, view)
        cause = self._cause(byte, view)
        start, count = _number(view, pointer), _number(view, size)
        self._touch(start)
        self._mark(ByteRange(start, count), {} if cause is None else {_WHOLE: cause})

    def _copy(self, pointer: Expr, source: Expr, size: Expr, view: StateView) -> None:
        for value in (pointer, source, size):
            self._require(value, view)
        start, origin, count = (_number(view, value) for value in (pointer, source, size))
        self._touch(start)
        self._touch(origin)
        self._mark(ByteRange(start, count), self._found(origin, count))

    def _print(
        self, place: Place | None, function: str, args: tuple[Expr, ...], view: StateView
    ) -> None:
        causes = [self._cause(arg, view) for arg in args]
        for arg, cause in zip(args, causes, strict=True):
            if cause is not None and isinstance(arg.type, PointerType):
                raise _Decided(cause)
        found = next((cause for cause in (*causes, *self._bytes.values()) if cause), None)
        if found is not None and function.removeprefix("v") in ("sprintf", "snprintf"):
            most = args[1] if "sn" in function else None
            start, size = self._extent(Extent(args[0], most), found, view)
            self._mark(ByteRange(start, size), {_WHOLE: found})
        self._mark(place, {} if found is None else {_WHOLE: found})

    # --- what is marked ---------------------------------------------------------------------------

    def _require(self, term: Expr, view: StateView) -> None:
        """The value of the term must not depend on the library."""
        cause = self._cause(term, view)
        if cause is not None:
            raise _Decided(cause)

    def _settled(self, lvalues: Sequence[Lvalue], view: StateView) -> None:
        for lvalue in lvalues:
            cause = self._held(lvalue, view)
            if cause is not None:
                raise _Decided(cause)

    def _is_clean(self) -> bool:
        """Whether nothing is marked that the function at hand can read."""
        marked = self._bytes or self._globals or self._frames[-1].registers
        return not marked and self._low is None

    def _cause(self, term: Expr, view: StateView) -> Cause | None:
        """What the value of the term depends on; that it has one must not."""
        if self._is_clean():
            return None
        uses = self._used(term)
        self._settled(uses.decisive, view)
        for lvalue in uses.all:
            cause = self._held(lvalue, view)
            if cause is not None:
                if uses.lazily:
                    raise _Decided(cause)
                return cause
        return None

    def _marks(self, term: Expr, view: StateView) -> _Marks:
        """The marks of the bytes of a value."""
        if isinstance(term, Lvalue) and not is_scalar(term.type):
            self._settled(self._used(term).decisive, view)
            place = self._place(term, view)
            assert isinstance(place, ByteRange)  # only scalars are registers
            return self._found(place.address, place.size)
        cause = self._cause(term, view)
        return {} if cause is None else {_WHOLE: cause}

    def _held(self, lvalue: Lvalue, view: StateView) -> Cause | None:
        place = self._place(lvalue, view)
        if isinstance(place, Register):
            return self._registers(place).get(place.var.name)
        return next(iter(self._found(place.address, place.size).values()), None)

    def _found(self, start: int, size: int) -> _Marks:
        marked = self._bytes
        if not marked:
            return {}
        if size < len(marked):
            return {at - start: marked[at] for at in range(start, start + size) if at in marked}
        return {at - start: cause for at, cause in marked.items() if start <= at < start + size}

    def _mark(self, place: Place | None, marks: Mapping[int, Cause]) -> None:
        """Something is written there: it has these marks, and no others."""
        if isinstance(place, Register):
            registers = self._registers(place)
            if marks:
                registers[place.var.name] = next(iter(marks.values()))
            else:
                registers.pop(place.var.name, None)
        elif isinstance(place, ByteRange):
            if self._bytes and not place.partly:
                for at in self._found(place.address, place.size):
                    del self._bytes[place.address + at]
            if (whole := marks.get(_WHOLE)) is not None:
                marks = dict.fromkeys(range(place.size), whole)
            for at, cause in marks.items():
                self._bytes[place.address + at] = cause

    def _registers(self, place: Register) -> dict[str, Cause]:
        return self._globals if place.is_global else self._frames[-1].registers

    def _place(self, lvalue: Lvalue, view: StateView) -> Place:
        place = view.place(lvalue)
        if isinstance(place, ByteRange):
            self._touch(place.address)
        return place

    def _touch(self, address: int) -> None:
        if self._low is not None and 0 < address < FIRST_FUNCTION:
            raise _Decided(self._low)

    def _used(self, term: Expr) -> _Uses:
        found = self._uses.get(term)
        if found is None:
            parts = tuple(evaluated(term))
            risky = [value for part in parts for value in _risky(part)]
            sometimes = any(isinstance(part, And | Or | Ite) for part in parts)
            found = self._uses[term] = _Uses(
                reads(term), reads_of(risky), sometimes and bool(risky)
            )
        return found


def _risky(part: Expr) -> tuple[Expr, ...]:
    """The values on which it depends whether the term has one."""
    match part:
        case Var() | Deref() | Field() | Index():
            return operands(part)
        case ObjectSize(pointer, _):
            return (pointer,)
        case Binary(Op.DIV | Op.REM, _, right, type_) if not isinstance(type_, FloatType):
            return (right,)
    return ()


def _number(view: StateView, term: Expr) -> int:
    value = view.value(term)
    assert isinstance(value, int)  # an address, or a number of bytes
    return value
