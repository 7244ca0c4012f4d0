"""How the harness's file comes to know the functions that it calls, and their types.

Through a header that declares them, by declarations of its own, or by inclusion of the file in
which they stand. The last always works, and is the only way to static functions. The members of a
struct that the module knows are to be known in the harness too: engines find fewer predicates about
objects that are opaque in one of the files.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from enum import Enum

from ..frontend.written_types import (
    Alias,
    ArrayOf,
    Basic,
    FunctionOf,
    Parameter,
    Pointer,
    Prototype,
    Tagged,
    WrittenType,
    declaration,
    parts,
    without_aliases,
)
from ..records import dataclass, replace
from .module_functions import ModuleFunction


class Style(Enum):
    """What is tried, from the first to the last."""

    HEADERS = "headers where there are some, else as the next"
    DECLARATIONS = "declarations where they are possible, else inclusion"
    INCLUSION = "inclusion of every file"


@dataclass(frozen=True, slots=True)
class Visibility:
    """`prototypes` are the functions as the harness's file knows them. `declared` are those that it
    declares itself; `included` the files of the module that it includes; `headers` the others."""

    prototypes: dict[ModuleFunction, Prototype]
    declared: tuple[Prototype, ...]
    included: tuple[str, ...]
    headers: tuple[str, ...]


def visibility(functions: Sequence[ModuleFunction], style: Style) -> Visibility:
    """How the functions can be seen in this style."""
    included = [f.file for f in functions if _needs_inclusion(f.prototype, style)]
    headers: list[str] = []
    prototypes: dict[ModuleFunction, Prototype] = {}
    declared: list[Prototype] = []
    for function in functions:
        prototype = function.prototype
        if function.file not in included:
            if style is Style.HEADERS and prototype.headers:
                headers.append(prototype.headers[0])
            else:
                prototype = _opaque(prototype)
                declared.append(prototype)
        prototypes[function] = prototype
    return Visibility(prototypes, tuple(declared), _unique(included), _unique(headers))


def _unique(names: list[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(names))


def _needs_inclusion(prototype: Prototype, style: Style) -> bool:
    if prototype.private or style is Style.INCLUSION:
        return True
    if style is Style.HEADERS and prototype.headers:
        return False
    return not _declarable(prototype.type)


def _declarable(type_: WrittenType) -> bool:
    """Can it be written without the definition of a struct or union that the module knows?"""
    match without_aliases(type_):
        case Tagged(_, _, _, number):
            return number is not None
        case Pointer(Tagged(_, tag, _, None, complete), _):
            return bool(tag) and not complete
        case Pointer(target, _):
            return _declarable(target)
        case ArrayOf(element, _):
            return _declarable(element)
        case FunctionOf(result, params, _):
            return all(_declarable(part) for part in (result, *params))
    return True


def _opaque(prototype: Prototype) -> Prototype:
    """The prototype with integers for enums, whose constants are not known then."""
    params = tuple(Parameter(p.name, _without_enums(p.type)) for p in prototype.params)
    return replace(prototype, result=_without_enums(prototype.result), params=params)


def _without_enums(type_: WrittenType) -> WrittenType:
    match type_:
        case Tagged(_, _, _, Basic(name, _), _, qualifiers):
            return Basic(name, qualifiers)
        case Alias(_, meaning, _):
            return replace(type_, meaning=_without_enums(meaning))
        case Pointer(target, _):
            return replace(type_, target=_without_enums(target))
        case ArrayOf(element, _):
            return replace(type_, element=_without_enums(element))
        case FunctionOf(result, params, variadic):
            known = tuple(_without_enums(param) for param in params)
            return FunctionOf(_without_enums(result), known, variadic)
    return type_


def declaration_lines(declared: Sequence[Prototype]) -> list[str]:
    """Structs and unions that stay opaque, typedef names and the functions."""
    tags: dict[str, None] = {}
    aliases: dict[str, None] = {}
    for prototype in declared:
        for part in parts(without_aliases(prototype.type)):
            if isinstance(part, Tagged):
                tags[f"{part.keyword} {part.tag};"] = None
        for part in parts(prototype.type):
            if isinstance(part, Alias):
                meant = declaration(without_aliases(part.meaning), part.name)
                aliases[f"typedef {meant};"] = None
    return [*tags, *aliases, *(f"extern {_written(prototype)};" for prototype in declared)]


def _written(prototype: Prototype) -> str:
    """The declaration with the names of the parameters."""
    params = [declaration(param.type, param.name) for param in prototype.params]
    params += ["..."] * prototype.variadic
    head = f"{prototype.name}({', '.join(params) or 'void'})"
    return declaration(prototype.result, head)


def member_probes(functions: Sequence[ModuleFunction]) -> str:
    """Declarations that a compiler refuses if members that the module knows are not known."""
    known = {
        f"{part.keyword} {part.tag}": None
        for function in functions
        for part in parts(without_aliases(function.prototype.type))
        if isinstance(part, Tagged) and part.tag and part.complete and part.number is None
    }
    return "".join(f'_Static_assert(sizeof({name}) + 1, "");\n' for name in known)


def include_name(file: str, output: str | None, folders: Sequence[str] = ()) -> str:
    """How the harness's file names another one: from one of the folders, or from its own folder."""
    folder, name = os.path.split(file)
    whole = os.path.join(os.path.realpath(folder or "."), name)
    for start in map(os.path.realpath, folders):
        if os.path.commonpath([start, whole]) == start:
            return os.path.relpath(whole, start)
    home = os.path.dirname(output) if output is not None and output != "-" else ""
    return os.path.relpath(whole, os.path.realpath(home or "."))
