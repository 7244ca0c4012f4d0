"""Where the inputs of a run come from: a list, random numbers or zeros; and which a run has taken.

Soundness duty: the same inputs object, made anew, gives the same values in the same order, so that
a run can be repeated exactly.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterable
from typing import Protocol

from ..errors import InputError
from ..ir.address_space import fresh_address
from ..ir.cfa import Coord, Edge
from ..ir.ops import Source
from ..ir.types import CBOOL, UCHAR, ArrayType, FloatType, IntType, PointerType, ScalarType, Type
from ..records import dataclass
from ..verdict import Input
from .compared_constants import ComparedConstants
from .extended import Extended
from .numbers import to_single
from .outcome import Value

_CHUNK = 1 << 20
_WORD = 8
_SAME_SHARE = 0.1  # of the random pointers
_OTHER_SHARE = 0.2  # of the places that take constants of the program, and something else
_COMPARED_SHARE = 0.8  # of floating-point numbers, if they are compared
_INVENTED_SHARE = 0.1  # of the places that take none of them


class Inputs(Protocol):
    """What the interpreter asks. `edge` is None for what is taken before the first step: values of
    external globals and the entry function's parameters. The name of what lies in memory of the
    environment is its address; pointers there are all asked for as `void *`."""

    def scalar(
        self, source: Source, name: str, type_: ScalarType, edge: Edge | None
    ) -> int | float: ...

    def memory(self, source: Source, name: str, size: int, edge: Edge | None) -> bytes: ...

    def volatile(self, name: str, held: Value, type_: Type, edge: Edge) -> Value:
        """What a read of a volatile object gives; `held` is what the program last wrote there."""
        ...


def fitted(type_: ScalarType, value: int | float) -> int | float:
    """The input as a value of its type; any number but zero is a true `_Bool`.

    >>> from ..ir.types import CHAR
    >>> fitted(CHAR, 300), fitted(CBOOL, 2)
    (44, 1)
    """
    match type_:
        case FloatType(80, _):
            return Extended.of(value)
        case FloatType(bits, _):
            return to_single(float(value)) if bits == 32 else float(value)
        case IntType() | PointerType():
            if isinstance(value, float):
                raise InputError(f"the input {value} is given where an integer is needed")
            return int(value != 0) if type_ is CBOOL else type_.wrap(value)


class ZeroInputs:
    """Zero, always; volatile objects are like others."""

    def scalar(
        self, source: Source, name: str, type_: ScalarType, edge: Edge | None
    ) -> int | float:
        return 0

    def memory(self, source: Source, name: str, size: int, edge: Edge | None) -> bytes:
        return bytes(size)

    def volatile(self, name: str, held: Value, type_: Type, edge: Edge) -> Value:
        return held


@dataclass(frozen=True, slots=True)
class _Habit:
    """How the random values of one place are distributed: what share of the numbers is zero, what
    share of the others is anything (those that are left are constants that the program compares
    with, or not larger than `small`), and what share of the pointers is null."""

    zero: float
    wide: float
    small: int
    null: float
    constants: tuple[int, ...] = ()


_FLOATS = (0.0, 1.0, -1.0, 0.5, -0.0, 1e30, 1e-310, math.inf, -math.inf, math.nan)
_PLAIN = _Habit(0.0, 0.5, 16, 0.2)
_PLAIN_CONTENT = _Habit(0.5, 0.5, 16, 0.2)


class RandomInputs:
    """Random values, the same for the same seed; half of the integers are small.

    With the constants that a program compares inputs with, each place has its own habit, also
    random: one function always succeeds, another one never, a choice among events is any of a few
    numbers. Runs so differ more than if all places were alike. Pointers are null or, if `fresh`,
    lead to memory of the environment: to a place of their own, or to where one has led before.
    Volatile objects are like others: few programs expect a variable to change by itself.
    """

    def __init__(
        self, seed: int, fresh: bool = False, compared: ComparedConstants | None = None
    ) -> None:
        self._random = random.Random(seed)
        self._fresh = fresh
        self._compared = compared
        self._habits: dict[tuple[str, Coord | None], _Habit] = {}
        self._pointers = 0  # how many places in the environment have been given

    def scalar(
        self, source: Source, name: str, type_: ScalarType, edge: Edge | None
    ) -> int | float:
        match type_:
            case IntType():
                return self._integer(self._habit(source, name, edge), type_)
            case FloatType():
                return self._float(edge)
            case PointerType(_, bits):
                return self._pointer(self._habit(source, name, edge), bits) if self._fresh else 0

    def _float(self, edge: Edge | None) -> float:
        """A special number, or one near or between those that it is compared with."""
        choose, uniform = self._random.choice, self._random.uniform
        known = self._compared.floats_of(edge) if self._compared is not None and edge else ()
        finite = [number for number in known if math.isfinite(number)]
        if finite and self._random.random() < _COMPARED_SHARE:
            one, two = choose(finite), choose(finite)
            if one == two:
                return choose((one, math.nextafter(one, -math.inf), math.nextafter(one, math.inf)))
            return uniform(one, two)
        return choose((*_FLOATS, uniform(-1.0, 1.0), uniform(-1e6, 1e6)))

    def _habit(self, source: Source, name: str, edge: Edge | None) -> _Habit:
        in_memory = source is Source.ENVIRONMENT
        if self._compared is None:
            return _PLAIN_CONTENT if in_memory else _PLAIN
        place = ("" if in_memory else name, edge.coord if edge else None)
        found = self._habits.get(place)
        if found is None:
            choose = self._random.choice
            found = self._habits[place] = _Habit(
                choose((0.0, 0.0, 0.1, 0.5, 0.9, 1.0)),
                choose((0.0, 0.0, 0.0, 0.0, 0.1, 0.5)),
                choose((1, 3, 7, 15)),
                choose((0.0, 0.0, 0.0, 0.02, 0.1, 0.5)),
                self._constants(self._compared.of(edge) if edge else ()),
            )
        return found

    def _constants(self, found: tuple[int, ...]) -> tuple[int, ...]:
        """Those that are taken: mostly all, sometimes with another number."""
        if not found or self._random.random() < _INVENTED_SHARE:
            return ()
        return (*found, found[-1] + 1) if self._random.random() < _OTHER_SHARE else found

    def _integer(self, habit: _Habit, type_: IntType) -> int:
        if habit.zero and self._random.random() < habit.zero:
            return 0
        if habit.wide and self._random.random() >= 1 - habit.wide:
            return self._random.randint(type_.low, type_.high)
        if habit.constants:
            return self._random.choice(habit.constants)
        return self._random.randint(max(type_.low, -4), min(type_.high, habit.small))

    def _pointer(self, habit: _Habit, bits: int) -> int:
        if self._random.random() < habit.null:
            return 0
        if self._pointers and self._random.random() < _SAME_SHARE:
            return fresh_address(bits, self._random.randrange(self._pointers))
        self._pointers += 1
        return fresh_address(bits, self._pointers - 1)

    def memory(self, source: Source, name: str, size: int, edge: Edge | None) -> bytes:
        if source is Source.ENVIRONMENT and (size > _WORD or self._random.random() < 0.5):
            return bytes(size)  # there may be pointers among many bytes
        whole, rest = divmod(size, _CHUNK)  # Python cannot make very many at a time
        chunks = [self._random.randbytes(length) for length in [_CHUNK] * whole + [rest]]
        return b"".join(chunks)

    def volatile(self, name: str, held: Value, type_: Type, edge: Edge) -> Value:
        return held


class ListInputs:
    """The given values for the `__VERIFIER_nondet_*` calls in order; all else comes from `rest`."""

    def __init__(self, values: Iterable[int | float], rest: Inputs | None = None) -> None:
        self._values = iter(tuple(values))
        self._rest: Inputs = rest or ZeroInputs()

    def scalar(
        self, source: Source, name: str, type_: ScalarType, edge: Edge | None
    ) -> int | float:
        if source is Source.NONDET:
            for value in self._values:
                return value
        return self._rest.scalar(source, name, type_, edge)

    def memory(self, source: Source, name: str, size: int, edge: Edge | None) -> bytes:
        return self._rest.memory(source, name, size, edge)

    def volatile(self, name: str, held: Value, type_: Type, edge: Edge) -> Value:
        return self._rest.volatile(name, held, type_, edge)


@dataclass(frozen=True, slots=True)
class TakenInput:
    """An input that a run has taken; `type` is None for the bytes of an allocated block."""

    source: Source
    name: str
    type: Type | None
    value: Value
    coord: Coord | None


def as_input(taken: TakenInput, entry: Coord) -> Input:
    """The input as a part of a verdict; one that is taken before the first step belongs to the
    position `entry`."""
    value = taken.value
    size = len(value) if isinstance(value, bytes) else 0
    type_ = taken.type or ArrayType(UCHAR, size)
    return Input(taken.source, taken.name, type_, value, taken.coord or entry)


class RecordingInputs:
    """Passes on what `inner` gives and keeps it in `taken`, as the run has used it."""

    def __init__(self, inner: Inputs) -> None:
        self._inner = inner
        self.taken: list[TakenInput] = []

    def scalar(
        self, source: Source, name: str, type_: ScalarType, edge: Edge | None
    ) -> int | float:
        value = fitted(type_, self._inner.scalar(source, name, type_, edge))
        self.taken.append(TakenInput(source, name, type_, value, edge.coord if edge else None))
        return value

    def memory(self, source: Source, name: str, size: int, edge: Edge | None) -> bytes:
        value = self._inner.memory(source, name, size, edge)
        self.taken.append(TakenInput(source, name, None, value, edge.coord if edge else None))
        return value

    def volatile(self, name: str, held: Value, type_: Type, edge: Edge) -> Value:
        value = self._inner.volatile(name, held, type_, edge)
        self.taken.append(TakenInput(Source.VOLATILE, name, type_, value, edge.coord))
        return value
