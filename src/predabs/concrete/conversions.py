"""Arguments and results of a call through a pointer whose type is not that of the function called.

Soundness duty: a value is converted as C converts it; where C has no conversion, the call fails.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from ..ir.types import FloatType, IntType, PointerType, Type
from . import numbers
from .extended import Extended
from .outcome import Failure
from .storage_layout import RESULT

Frame: TypeAlias = list[Any]
Piece: TypeAlias = Callable[..., Any]


def converting(after: Piece, name: str, source: Type, target: Type) -> Piece:
    """The continuation after a call whose result has another type than is expected."""

    def convert_first(frame: Frame) -> tuple[Piece, Frame, int]:
        if frame[RESULT] is not None:
            frame[RESULT] = converted(frame[RESULT], source, target, name)
        return after, frame, 0

    return convert_first


def converted(value: Any, source: Type, target: Type, name: str) -> Any:
    """C's conversion, as far as the two types have one."""
    if source is target:
        return value
    match source, target:
        case (IntType() | PointerType(), IntType() | PointerType()):
            return target.wrap(value)
        case (IntType() | PointerType() | FloatType(), FloatType(80, _)):
            return Extended.of(value)
        case (FloatType(80, _), FloatType(bits, _)):
            return value.to_single() if bits == 32 else value.to_double()
        case (IntType() | PointerType() | FloatType(), FloatType(bits, _)):
            if bits != 32:
                return float(value)
            to_float = numbers.to_single if isinstance(value, float) else numbers.int_to_single
            return to_float(value)
        case (FloatType(), IntType() | PointerType()):
            return numbers.to_integer(value, target)
    what = f"a value of type {source} stands for one of type {target}"
    raise Failure(f"call of '{name}' through a pointer: {what}")
