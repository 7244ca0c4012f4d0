"""The inputs of a run, one line for each place that takes some."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from ...ir.cfa import Coord
from ...ir.ops import Source
from ...ir.types import IntType, PointerType
from ...records import replace
from ...verdict import Input
from .addresses import AddressNames
from .steps import ShownValue, StepKind, TraceStep
from .values import bytes_text, character

_MOST_VALUES = 8  # of one place
# that these are zero is the least surprising
_MEMORY = frozenset([Source.UNINITIALIZED, Source.ENVIRONMENT, Source.VOLATILE])


def input_steps(
    inputs: Sequence[Input],
    names: AddressNames,
    externals: Collection[str],
    relevant: Collection[Coord],
    called_from: Mapping[Coord, Coord],
) -> tuple[TraceStep, ...]:
    """What was taken, with the values in the order of the run; `externals` are the functions
    without a body, `relevant` the places that the error depends on, and `called_from` has the
    places in the program for those in the library."""
    found: dict[tuple[str, Coord], TraceStep] = {}
    for item in inputs:
        if _is_zero(item) and (item.source in _MEMORY or isinstance(item.value, bytes)):
            continue
        what, at = _what(item, names, externals), called_from.get(item.coord, item.coord)
        step = found.get((what, at))
        if step is None:
            step = TraceStep(at.file, at.line, at.column, "", what, (), StepKind.INPUT)
        if len(step.values) < _MOST_VALUES:
            step = replace(step, values=(*step.values, _value(item, names)))
        else:
            step = replace(step, omitted=step.omitted + 1)
        found[what, at] = replace(step, marked=step.marked or item.coord in relevant)
    return tuple(found.values())


def _is_zero(item: Input) -> bool:
    return not any(item.value) if isinstance(item.value, bytes) else item.value == 0


def _what(item: Input, names: AddressNames, externals: Collection[str]) -> str:
    """What takes the input."""
    match item.source:
        case Source.NONDET:
            return f"{item.name}()"
        case Source.EXTERN if item.name in externals:
            return f"{item.name}() (no body)"
        case Source.EXTERN:
            return f"{item.name} (not defined here)"
        case Source.UNINITIALIZED:
            return f"{item.name} (not initialised)"
        case Source.VOLATILE:
            return f"{item.name} (volatile)"
        case Source.PARAMETER:
            return f"{item.name} (parameter)"
        case Source.LIBRARY:
            return f"{item.name} (from outside, by the C library)"
        case Source.ENVIRONMENT:
            pointer = names.pointer(int(item.name, 16), PointerType(item.type, names.bits), "")
            where = pointer[1:] if pointer.startswith("&") else f"*({pointer})"
            return f"{where} (memory of the environment)"
        case Source.ASM:
            return "inline assembly"
        case Source.UNKNOWN | Source.FORMATTED:
            return f"{item.name} (not computed)"


def _value(item: Input, names: AddressNames) -> ShownValue:
    if isinstance(item.value, bytes):
        return ShownValue("", bytes_text(item.value))
    if isinstance(item.value, int):
        if isinstance(item.type, PointerType):
            return ShownValue("", names.pointer(item.value, item.type, ""))
        if isinstance(item.type, IntType) and item.type.bits == 8:
            return ShownValue("", item.value, character(item.value) or "")
    return ShownValue("", item.value)
