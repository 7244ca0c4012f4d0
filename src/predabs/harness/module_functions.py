"""What is known of the functions of a module: who calls whom, and which are stored in tables of
function pointers."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from difflib import get_close_matches
from typing import TypeAlias

from ..errors import InputError
from ..frontend import ast
from ..frontend.compiler_flags import NO_SOURCE_FLAGS, SourceFlags
from ..frontend.lower.side_effects import nodes_of
from ..frontend.parts import Unit
from ..frontend.read.module import Module, read_module
from ..frontend.symbols import StorageClass, Symbol
from ..frontend.written_types import Prototype
from ..ir.types import ArrayType, DataModel, PointerType, Record, RecordType, Type
from ..records import dataclass

Key: TypeAlias = tuple[str, str]
"""A function: its name, and its file if other files cannot mean it by that name."""

_LONGER = re.compile(r"\[\d+\]\Z")  # a record whose last array an initialiser fills
_IGNORED = re.compile(r"\b(const|volatile)\b")


@dataclass(frozen=True, slots=True)
class ModuleFunction:
    """A function with a body, and the file in which it stands."""

    file: str
    prototype: Prototype

    @property
    def name(self) -> str:
        return self.prototype.name


@dataclass(frozen=True, slots=True)
class ModuleFunctions:
    """All functions with bodies; those that another one calls; by struct or union, those that the
    module stores in objects of this type; all names of the module's functions and variables."""

    files: tuple[str, ...]
    functions: Mapping[Key, ModuleFunction]
    called: frozenset[Key]
    tables: Mapping[str, tuple[ModuleFunction, ...]]
    record_names: Mapping[str, str]
    names: frozenset[str]

    def named(self, name: str) -> ModuleFunction:
        """The function of this name; an error that helps if there is none, or more than one."""
        found = [function for (known, _), function in self.functions.items() if known == name]
        match found:
            case [function]:
                return function
            case [first, second, *_]:
                raise InputError(
                    f"{second.prototype.coord}: this is not the only static function {name}; "
                    f"another one is at {first.prototype.coord}; rename one"
                )
        if name in self.names:
            raise InputError(f"{self.files[0]}: {name} is no function with a body in these files")
        hint = _hint(name, [known for known, _ in self.functions])
        raise InputError(f"{self.files[0]}: there is no function {name}{hint}")

    def table(self, type_: str) -> tuple[ModuleFunction, ...]:
        """The functions stored in objects of a type, which is given by its tag, with `struct` or
        without, or by a typedef name."""
        bare = " ".join(_IGNORED.sub(" ", type_).split())
        tags = (bare, self.record_names.get(bare, ""), f"struct {bare}", f"union {bare}")
        for tag in tags:
            if tag in self.tables:
                return self.tables[tag]
        hint = _hint(bare, self.tables, "; there are functions in ")
        raise InputError(f"{self.files[0]}: no function is stored in an object of {type_}{hint}")


def _hint(word: str, known: Sequence[str] | Mapping[str, object], others: str = "") -> str:
    near = get_close_matches(word, known, n=1)
    if near:
        return f"; did you mean {near[0]}?"
    if not others:
        return ""
    return others + ", ".join(sorted(known)[:8]) if known else " (nor of any other struct)"


def read_functions(
    files: Sequence[str],
    data_model: DataModel,
    flags: SourceFlags = NO_SOURCE_FLAGS,
) -> ModuleFunctions:
    """Read C files as one module; raises InputError for what is no C."""
    modules = [read_module(file, data_model, flags.of(file)) for file in dict.fromkeys(files)]
    functions: dict[Key, ModuleFunction] = {}
    for module in modules:
        for name, prototype in module.prototypes.items():
            key = (name, module.unit.file if prototype.private else "")
            functions.setdefault(key, ModuleFunction(module.unit.file, prototype))
    stored: dict[str, dict[Key, ModuleFunction]] = {}
    called: set[Key] = set()
    for module in modules:
        called.update(_called(module.unit, functions))
        for tags, symbol in _stored(module.unit):
            meant = _key(symbol, module.unit, functions)
            if meant is not None:
                for tag in tags:
                    stored.setdefault(tag, {})[meant] = functions[meant]
    return ModuleFunctions(
        tuple(dict.fromkeys(files)),
        functions,
        frozenset(called),
        {tag: tuple(found.values()) for tag, found in stored.items()},
        {name: tag for module in modules for name, tag in module.record_names.items()},
        frozenset(name for module in modules for name in _names(module)),
    )


def _names(module: Module) -> Iterator[str]:
    yield from module.declared
    yield from (variable.symbol.name for variable in module.unit.variables)


def _key(symbol: Symbol, unit: Unit, functions: Mapping[Key, ModuleFunction]) -> Key | None:
    """The function that a symbol of the file means, if it has a body."""
    own = (symbol.name, unit.file)
    if own in functions:
        return own
    return (symbol.name, "") if symbol.external and (symbol.name, "") in functions else None


def _called(unit: Unit, functions: Mapping[Key, ModuleFunction]) -> Iterator[Key]:
    """The functions that another one calls by name."""
    for function in unit.functions:
        for node in nodes_of(function.body):
            if isinstance(node, ast.Call):
                for symbol in _meant(node.callee):
                    key = _key(symbol, unit, functions)
                    if key is not None and symbol is not function.symbol:
                        yield key


def _stored(unit: Unit) -> Iterator[tuple[frozenset[str], Symbol]]:
    """Functions that are stored in a member, with all structs and unions that it is inside of."""
    starts: list[ast.Expr | ast.Stmt] = [function.body for function in unit.functions]
    starts += [variable.init for variable in unit.variables if variable.init is not None]
    for start in starts:
        for node in nodes_of(start):
            match node:
                case ast.InitList(entries, type_, _):
                    for path, value in entries:
                        for symbol in _meant(value):
                            yield _along(type_, path, unit.records), symbol
                case ast.Assign("", left, right, _, _):
                    for symbol in _meant(right):
                        yield _around(left), symbol


def _meant(value: ast.Expr) -> Iterator[Symbol]:
    """The functions whose address a value may be, as far as it names them."""
    match value:
        case ast.Cast(arg, _, _) | ast.Unary("&" | "*", arg, _, _, _):
            yield from _meant(arg)
        case ast.Conditional(_, then, other, _, _):
            yield from () if then is None else _meant(then)
            yield from _meant(other)
        case ast.Ref(symbol, _, _, _) if symbol.storage is StorageClass.FUNCTION:
            yield symbol


def _along(
    type_: Type, path: tuple[str | int, ...], records: Mapping[str, Record]
) -> frozenset[str]:
    """The records that a path of members and indices goes through."""
    found = set()
    for step in path:
        if isinstance(type_, ArrayType):
            type_ = type_.element
        elif isinstance(type_, RecordType):
            found.add(_LONGER.sub("", type_.tag))
            type_ = records[type_.tag].member(str(step)).type
    return frozenset(found)


def _around(left: ast.Expr) -> frozenset[str]:
    """The records that an lvalue is a part of."""
    found = set()
    while isinstance(left, ast.Member | ast.Subscript | ast.Cast):
        if isinstance(left, ast.Member):
            base = left.base.type
            record = base.target if isinstance(base, PointerType) else base
            if isinstance(record, RecordType):
                found.add(_LONGER.sub("", record.tag))
        left = left.arg if isinstance(left, ast.Cast) else left.base
    return frozenset(found)
