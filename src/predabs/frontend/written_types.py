"""C types as the program writes them: with typedef names, qualifiers and enums.

`ir.types` has none of them. For whoever writes C that is compiled together with the program.

>>> char = Basic("char", ("const",))
>>> declaration(FunctionOf(Basic("int"), (Pointer(char),), False), "puts")
'int puts(const char *)'
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from ..ir.cfa import Coord
from ..records import dataclass, replace

Qualifiers: TypeAlias = tuple[str, ...]
"""Of `const`, `volatile` and `restrict` those that are there."""

VA_LIST = "__builtin_va_list"  # the compiler's own, whatever its headers make of it


@dataclass(frozen=True, slots=True)
class Basic:
    """A type of the language itself: `void`, `unsigned long`, `_Bool`."""

    name: str
    qualifiers: Qualifiers = ()


@dataclass(frozen=True, slots=True)
class Tagged:
    """A struct, union or enum; one without a tag has the place of its declaration instead. `number`
    is the integer type of an enum; `complete` says whether the members are known."""

    keyword: str
    tag: str
    place: Coord | None = None
    number: Basic | None = None
    complete: bool = False
    qualifiers: Qualifiers = ()


@dataclass(frozen=True, slots=True)
class Alias:
    """The name of a typedef, and what it stands for."""

    name: str
    meaning: WrittenType
    qualifiers: Qualifiers = ()


@dataclass(frozen=True, slots=True)
class Pointer:
    target: WrittenType
    qualifiers: Qualifiers = ()


@dataclass(frozen=True, slots=True)
class ArrayOf:
    """An array; without a length it is of unknown length."""

    element: WrittenType
    length: int | None


@dataclass(frozen=True, slots=True)
class FunctionOf:
    result: WrittenType
    params: tuple[WrittenType, ...]
    variadic: bool


WrittenType: TypeAlias = Basic | Tagged | Alias | Pointer | ArrayOf | FunctionOf


@dataclass(frozen=True, slots=True)
class Parameter:
    name: str  # empty if it has none
    type: WrittenType


@dataclass(frozen=True, slots=True)
class Prototype:
    """A function with a body, as another file has to declare it.

    `private` functions cannot be called from another file: they are static, or inline without an
    external definition. `headers` are the other files that declare the function. `must_use` says
    that compilers warn if its result is not used.
    """

    name: str
    result: WrittenType
    params: tuple[Parameter, ...]
    variadic: bool
    private: bool
    headers: tuple[str, ...]
    must_use: bool
    coord: Coord

    @property
    def type(self) -> FunctionOf:
        return FunctionOf(self.result, tuple(p.type for p in self.params), self.variadic)


def declaration(type_: WrittenType, name: str = "") -> str:
    """The C declaration of `name` with this type, or the type alone."""
    while True:
        match type_:
            case Pointer(target, qualifiers):
                inner = " ".join((*qualifiers, name)) if name else " ".join(qualifiers)
                wrapped = isinstance(target, ArrayOf | FunctionOf)
                name = f"(*{inner})" if wrapped else f"*{inner}"
                type_ = target
            case ArrayOf(element, length):
                name = f"{name}[{'' if length is None else length}]"
                type_ = element
            case FunctionOf(result, params, variadic):
                texts = [declaration(param) for param in params] + ["..."] * variadic
                name = f"{name}({', '.join(texts) or 'void'})"
                type_ = result
            case Basic() | Tagged() | Alias():
                words = [*type_.qualifiers, _specifier(type_)]
                return " ".join([*words, name] if name else words)


def _specifier(type_: Basic | Tagged | Alias) -> str:
    return f"{type_.keyword} {type_.tag}" if isinstance(type_, Tagged) else type_.name


def unqualified(type_: WrittenType) -> WrittenType:
    """The type of a value of this type."""
    return type_ if isinstance(type_, ArrayOf | FunctionOf) else replace(type_, qualifiers=())


def resolved(type_: WrittenType) -> WrittenType:
    """The type with what it stands for in place of a typedef name, at the top only."""
    while isinstance(type_, Alias):
        type_ = qualified(type_.meaning, type_.qualifiers)
    return type_


def qualified(type_: WrittenType, qualifiers: Qualifiers) -> WrittenType:
    """The type with more qualifiers; those of an array are its elements'."""
    match type_:
        case ArrayOf(element, length):
            return ArrayOf(qualified(element, qualifiers), length)
        case FunctionOf():
            return type_
    return replace(type_, qualifiers=tuple(dict.fromkeys((*type_.qualifiers, *qualifiers))))


def without_aliases(type_: WrittenType) -> WrittenType:
    """The type with no typedef name anywhere: types that are the same are equal then."""
    match resolved(type_):
        case Pointer(target, qualifiers):
            return Pointer(without_aliases(target), qualifiers)
        case ArrayOf(element, length):
            return ArrayOf(without_aliases(element), length)
        case FunctionOf(result, params, variadic):
            bare = tuple(without_aliases(param) for param in params)
            return FunctionOf(without_aliases(result), bare, variadic)
        case other:
            return other


def parts(type_: WrittenType) -> Iterator[WrittenType]:
    """The type and all that its text mentions; not what typedef names stand for."""
    yield type_
    match type_:
        case Pointer(target, _):
            yield from parts(target)
        case ArrayOf(element, _):
            yield from parts(element)
        case FunctionOf(result, params, _):
            for part in (result, *params):
                yield from parts(part)
