"""The types of C, reduced to what their values and their bytes are.

Qualifiers, typedef names and enums are gone; a bit-field of three bits has the type `IntType(3, …)`
and `_Bool` is `IntType(1, False)`: whoever converts to it writes the comparison with zero.
`BOOL` is not a C type: it is the type of conditions and formulas.

>>> INT = IntType(32, True)
>>> IntType(32, True) is INT
True
>>> size_of(ArrayType(INT, 10)), INT.low, INT.high
(40, -2147483648, 2147483647)
"""

from __future__ import annotations

from enum import Enum
from typing import TypeAlias

from ..records import dataclass, field
from .intern import Term


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class VoidType(Term):
    """No value; also what an unknown object behind a `void *` is."""

    def __str__(self) -> str:
        return "void"


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class BoolType(Term):
    """The type of conditions: true or false, never stored in memory."""

    def __str__(self) -> str:
        return "bool"


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class IntType(Term):
    """Integers of exactly `bits` bits, in two's complement if signed."""

    bits: int
    signed: bool

    @property
    def low(self) -> int:
        return -(1 << (self.bits - 1)) if self.signed else 0

    @property
    def high(self) -> int:
        return (1 << (self.bits - self.signed)) - 1

    def wrap(self, value: int) -> int:
        """The value of this type that is congruent to `value`: what C's conversion gives."""
        value &= (1 << self.bits) - 1
        if self.signed and value >> (self.bits - 1):
            value -= 1 << self.bits
        return value

    def __str__(self) -> str:
        return (
            _INT_NAMES.get((self.bits, self.signed))
            or f"{'' if self.signed else 'u'}int{self.bits}"
        )


_INT_NAMES = {
    (1, False): "_Bool",
    (8, True): "char",
    (8, False): "unsigned char",
    (16, True): "short",
    (16, False): "unsigned short",
    (32, True): "int",
    (32, False): "unsigned int",
    (64, True): "long long",
    (64, False): "unsigned long long",
    (128, True): "__int128",
    (128, False): "unsigned __int128",
}


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class FloatType(Term):
    """Binary floating point; `bits` is 32, 64, or 80 for long double (stored in `size` bytes)."""

    bits: int
    size: int

    def __str__(self) -> str:
        return {32: "float", 64: "double"}.get(self.bits, "long double")


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class PointerType(Term):
    """The address of an object or function, an unsigned number of `bits` bits."""

    target: Type
    bits: int

    def wrap(self, value: int) -> int:
        return value & ((1 << self.bits) - 1)

    def __str__(self) -> str:
        return f"{self.target} *"


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class ArrayType(Term):
    """`length` elements side by side; length 0 stands for an array of unknown length too."""

    element: Type
    length: int

    def __str__(self) -> str:
        return f"{self.element}[{self.length}]"


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class RecordType(Term):
    """A struct or union by its unique tag; its members stand in `Program.records`."""

    tag: str
    size: int

    def __str__(self) -> str:
        return self.tag


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class FunctionType(Term):
    """A function's result and parameters; `variadic` also for one declared without a prototype."""

    result: Type
    params: tuple[Type, ...]
    variadic: bool

    def __str__(self) -> str:
        params = [str(p) for p in self.params] + ["..."] * self.variadic
        return f"{self.result} ({', '.join(params)})"


Type: TypeAlias = (
    VoidType | BoolType | IntType | FloatType | PointerType | ArrayType | RecordType | FunctionType
)
ScalarType: TypeAlias = IntType | PointerType | FloatType

VOID = VoidType()
BOOL = BoolType()
CBOOL = IntType(1, False)
CHAR = IntType(8, True)
UCHAR = IntType(8, False)
INT = IntType(32, True)
UINT = IntType(32, False)
LLONG = IntType(64, True)
ULLONG = IntType(64, False)
FLOAT = FloatType(32, 4)
DOUBLE = FloatType(64, 8)


class DataModel(Enum):
    """How wide `long` and pointers are."""

    ILP32 = 32
    LP64 = 64

    @property
    def pointer_bits(self) -> int:
        return self.value

    def pointer(self, target: Type) -> PointerType:
        return PointerType(target, self.value)

    @property
    def size_type(self) -> IntType:
        return IntType(self.value, False)

    @property
    def diff_type(self) -> IntType:
        return IntType(self.value, True)


@dataclass(frozen=True, slots=True)
class Member:
    """A member of a record: where its bits start, and whether it is a bit-field.

    Any other member starts at a byte boundary; a bit-field holds `type.bits` bits from `bit` on, in
    little-endian order.
    """

    name: str
    type: Type
    bit: int
    bitfield: bool

    @property
    def offset(self) -> int:
        return self.bit // 8


@dataclass(frozen=True, slots=True)
class Record:
    """The layout of a struct or union, as the compiler lays it out."""

    type: RecordType
    members: tuple[Member, ...]
    union: bool
    _named: dict[str, Member] = field(init=False, repr=False, compare=False, default_factory=dict)

    def member(self, name: str) -> Member:
        if not self._named:
            self._named.update((member.name, member) for member in self.members)
        found = self._named.get(name)
        if found is None:
            raise KeyError(f"{self.type.tag} has no member {name}")
        return found


def is_scalar(type_: Type) -> bool:
    """Is a value of the type one number or address?"""
    return isinstance(type_, IntType | PointerType | FloatType)


def size_of(type_: Type) -> int:
    """C's sizeof in bytes; 1 for void and functions, as GNU C has it."""
    count = 1
    while isinstance(type_, ArrayType):  # there may be a thousand dimensions
        count *= type_.length
        type_ = type_.element
    match type_:
        case IntType(bits, _):
            return count * ((bits + 7) // 8)
        case PointerType(_, bits):
            return count * (bits // 8)
        case RecordType(_, size) | FloatType(_, size):
            return count * size
        case VoidType() | FunctionType() | BoolType():
            return count
