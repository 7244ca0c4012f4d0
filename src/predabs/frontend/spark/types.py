"""The types of SPARK: what values they have, and how the IR holds them.

A *base type* says which operators there are and in which range they compute; a *subtype* has bounds
inside it (Ada RM 3.2 to 3.8). As gnat does it, a signed type has the smallest base of 8,
16, 32, 64 or 128 bits around its bounds: that range decides when an operation overflows.
"""

from __future__ import annotations

from enum import Enum
from typing import TypeAlias

from ...ir.types import CBOOL, ArrayType, IntType, RecordType, Type
from ...records import dataclass


class Class(Enum):
    SIGNED = "signed integer"
    MODULAR = "modular"
    ENUMERATION = "enumeration"


@dataclass(frozen=True, slots=True, eq=False)
class Base:
    """A scalar type without constraint; compared by identity: two alike declarations are two
    types."""

    name: str
    kind: Class
    low: int
    high: int
    ir: IntType
    literals: tuple[str, ...] = ()  # of an enumeration, as they are spelled

    @property
    def modulus(self) -> int:
        return self.high + 1


@dataclass(frozen=True, slots=True)
class Scalar:
    """A subtype of a scalar type: the values from `low` to `high`."""

    name: str
    base: Base
    low: int
    high: int

    @property
    def ir(self) -> IntType:
        return self.base.ir

    @property
    def constrains(self) -> bool:
        """Are there bit patterns of the IR's type that are no values of the subtype?"""
        return self.low > self.ir.low or self.high < self.ir.high

    def within(self, low: int, high: int, name: str | None = None) -> Scalar:
        return Scalar(name or self.name, self.base, low, high)


@dataclass(frozen=True, slots=True)
class Array:
    """An array; `origin` is the name and place of the type that it is a subtype of. The bounds of
    an unconstrained one are those of its index subtypes."""

    name: str
    origin: object
    indices: tuple[Scalar, ...]
    element: AdaType
    constrained: bool

    @property
    def ir(self) -> ArrayType:
        found: Type = self.element.ir
        for index in reversed(self.indices):
            found = ArrayType(found, length(index))
        assert isinstance(found, ArrayType)
        return found


@dataclass(frozen=True, slots=True, eq=False)
class Component:
    name: str  # in lower case
    spelling: str
    type: AdaType
    default: int | None  # static


@dataclass(frozen=True, slots=True, eq=False)
class RecordOf:
    """A record without discriminants."""

    name: str
    components: tuple[Component, ...]
    ir: RecordType

    def component(self, name: str) -> Component | None:
        return next((one for one in self.components if one.name == name), None)


AdaType: TypeAlias = Scalar | Array | RecordOf


def length(index: Scalar) -> int:
    """How many values a subtype has."""
    return max(0, index.high - index.low + 1)


def signed_base(name: str, low: int, high: int) -> Base | None:
    """The signed type that gnat takes for a range; None if there is none."""
    for bits in (8, 16, 32, 64, 128):
        ir = IntType(bits, True)
        if ir.low <= low and high <= ir.high:
            return Base(name, Class.SIGNED, ir.low, ir.high, ir)
    return None


def unsigned_ir(high: int) -> IntType | None:
    """The smallest type of bytes that holds the numbers up to `high`."""
    for bits in (8, 16, 32, 64):
        if high < 1 << bits:
            return IntType(bits, False)
    return None


def _standard(name: str, bits: int) -> Scalar:
    ir = IntType(bits, True)
    return Scalar(name, Base(name, Class.SIGNED, ir.low, ir.high, ir), ir.low, ir.high)


BOOLEAN = Scalar(
    "Boolean", Base("Boolean", Class.ENUMERATION, 0, 1, CBOOL, ("False", "True")), 0, 1
)
_CHARACTERS = tuple(
    f"'{chr(code)}'" if 32 <= code < 127 else f"Character'Val ({code})" for code in range(256)
)
CHARACTER = Scalar(
    "Character",
    Base("Character", Class.ENUMERATION, 0, 255, IntType(8, False), _CHARACTERS),
    0,
    255,
)
INTEGER = _standard("Integer", 32)
NATURAL = INTEGER.within(0, INTEGER.high, "Natural")
POSITIVE = INTEGER.within(1, INTEGER.high, "Positive")
STANDARD: dict[str, Scalar] = {
    found.name.lower(): found
    for found in (
        BOOLEAN,
        CHARACTER,
        INTEGER,
        NATURAL,
        POSITIVE,
        _standard("Short_Short_Integer", 8),
        _standard("Short_Integer", 16),
        _standard("Long_Integer", 64),
        _standard("Long_Long_Integer", 64),
    )
}
UNIVERSAL = Scalar(
    "an integer literal", Base("universal integer", Class.SIGNED, 0, 0, IntType(128, True)), 0, 0
)
"""The type of literals and named numbers; they take the type that the context wants."""
for _bits in (8, 16, 32, 64):
    for _sign, _prefix in ((True, "Integer"), (False, "Unsigned")):
        _ir = IntType(_bits, _sign)
        _kind = Class.SIGNED if _sign else Class.MODULAR
        _name = f"{_prefix}_{_bits}"
        STANDARD[f"interfaces.{_name.lower()}"] = Scalar(
            _name, Base(_name, _kind, _ir.low, _ir.high, _ir), _ir.low, _ir.high
        )


def same_type(left: AdaType, right: AdaType) -> bool:
    """May a value of one be taken for one of the other, without a conversion?"""
    match left, right:
        case Scalar(_, base), Scalar(_, other):
            return base is other
        case Array(_, origin), Array(_, other_origin):
            return origin is other_origin
    return left is right
