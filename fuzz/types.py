"""The C types a random program uses, and the paths that lead from an object to its parts.

Nothing here depends on the data model: one program text must be well defined with a `long` of 32
and of 64 bits, so only the rank of an integer type is known, never its exact width.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache


@dataclass(frozen=True, slots=True)
class Int:
    """An integer type as it is spelled; `kind` is the type it stands for, typedefs removed."""

    name: str
    kind: str
    rank: int
    signed: bool


@dataclass(frozen=True, slots=True)
class Array:
    """`size` objects of one type."""

    item: CType
    size: int


@dataclass(frozen=True, slots=True)
class Pointer:
    """A pointer that is valid as long as it is in scope; `const` forbids writing through it."""

    target: CType
    const: bool = False


@dataclass(frozen=True, slots=True)
class Member:
    """A member of a structure; `bits` is the width of a bit-field."""

    name: str
    type: CType
    bits: int | None = None


@dataclass(frozen=True, slots=True)
class Struct:
    """A structure, known by its tag."""

    tag: str
    members: tuple[Member, ...]


CType = Int | Array | Pointer | Struct


def _pair(name: str, rank: int) -> tuple[Int, Int]:
    unsigned = f"unsigned {name}"
    return Int(name, name, rank, True), Int(unsigned, unsigned, rank, False)


BOOL = Int("_Bool", "_Bool", 0, False)
CHAR = Int("char", "char", 1, True)
SCHAR = Int("signed char", "signed char", 1, True)
UCHAR = Int("unsigned char", "unsigned char", 1, False)
SHORT, USHORT = _pair("short", 2)
INT, UINT = _pair("int", 3)
LONG, ULONG = _pair("long", 4)
LLONG, ULLONG = _pair("long long", 5)
STANDARD = (
    *(BOOL, CHAR, SCHAR, UCHAR, SHORT, USHORT, INT, UINT),
    *(LONG, ULONG, LLONG, ULLONG),
)
BY_RANK = {3: (INT, UINT), 4: (LONG, ULONG), 5: (LLONG, ULLONG)}


def promoted(type: Int) -> Int:
    """The type after the integer promotions."""
    if type.rank < INT.rank:
        return INT
    return BY_RANK[type.rank][0 if type.signed else 1]


def common(a: Int, b: Int) -> Int:
    """The usual arithmetic conversions; the rank is exact, the sign where the models agree."""
    a, b = promoted(a), promoted(b)
    if a.rank == b.rank:
        return a if not a.signed else b
    return a if a.rank > b.rank else b


def shift_mask(type: Int) -> int:
    """The largest shift amount that is defined for the promoted type in every data model."""
    return 63 if type.rank == LLONG.rank else 31


def declare(type: CType, name: str) -> str:
    """The declaration of `name`, without a semicolon.

    >>> declare(Pointer(Array(INT, 3)), "row")
    'int (*row)[3]'
    """
    match type:
        case Int():
            return f"{type.name} {name}".rstrip()
        case Struct():
            return f"struct {type.tag} {name}".rstrip()
        case Array():
            inner = f"({name})" if name.startswith("*") else name
            return declare(type.item, f"{inner}[{type.size}]")
        case Pointer():
            return ("const " if type.const else "") + declare(type.target, f"*{name}")


def spell(type: CType) -> str:
    """The type alone, as in a cast or in sizeof."""
    return declare(type, "")


def same(a: CType, b: CType) -> bool:
    """Whether two types are one type once typedefs are removed."""
    match a, b:
        case Int(), Int():
            return a.kind == b.kind
        case Array(), Array():
            return a.size == b.size and same(a.item, b.item)
        case Pointer(), Pointer():
            return a.const == b.const and same(a.target, b.target)
        case Struct(), Struct():
            return a.tag == b.tag
    return False


def has_pointer(type: CType) -> bool:
    """Whether an object of the type holds a pointer anywhere."""
    match type:
        case Int():
            return False
        case Array():
            return has_pointer(type.item)
        case Pointer():
            return True
        case Struct():
            return any(has_pointer(m.type) for m in type.members)


@dataclass(frozen=True, slots=True)
class Field:
    """The step `.name`."""

    name: str


@dataclass(frozen=True, slots=True)
class Index:
    """The step `[i]` with 0 <= i < size."""

    size: int


@dataclass(frozen=True, slots=True)
class Deref:
    """The step from a pointer to what it points at."""


Step = Field | Index | Deref


@dataclass(frozen=True, slots=True)
class Path:
    """The steps from an object to one of its parts, and what is known about that part."""

    steps: tuple[Step, ...]
    type: CType
    bits: int | None = None
    const: bool = False

    @property
    def through_pointer(self) -> bool:
        """Whether the part lies outside the object the path starts at."""
        return any(isinstance(s, Deref) for s in self.steps)

    def after(self, step: Step, const: bool) -> Path:
        """The same path, taken after one more step at the front."""
        return Path((step, *self.steps), self.type, self.bits, self.const or const)


@cache
def paths(type: CType) -> tuple[Path, ...]:
    """All parts of an object, itself included, and what its pointers lead to."""
    own = Path((), type)
    match type:
        case Int():
            return (own,)
        case Array():
            return (own, *(p.after(Index(type.size), False) for p in paths(type.item)))
        case Pointer():
            return (own, *(p.after(Deref(), type.const) for p in paths(type.target)))
        case Struct():
            parts = [own]
            for m in type.members:
                if m.bits is not None:
                    parts.append(Path((Field(m.name),), m.type, m.bits))
                else:
                    parts += [p.after(Field(m.name), False) for p in paths(m.type)]
            return tuple(parts)
