"""Reading a C file as a module: its syntax tree, and its functions as other files declare them."""

from __future__ import annotations

from collections.abc import Mapping

from ...ir.types import DataModel
from ...records import dataclass
from ..compiler_flags import NO_FLAGS, CompilerFlags
from ..parts import Unit
from ..written_types import Prototype
from . import clang
from .ctype import Types
from .declarations import Symbols
from .prototypes import PrototypeReader
from .source import SourceFile
from .translation_unit import read_unit


@dataclass(frozen=True, slots=True)
class Module:
    """A file, its functions by name, the typedef names of structs and unions with what these are
    called in the syntax tree, and the names of all functions that it declares."""

    unit: Unit
    prototypes: Mapping[str, Prototype]
    record_names: Mapping[str, str]
    declared: frozenset[str]


def read_module(path: str, data_model: DataModel, flags: CompilerFlags = NO_FLAGS) -> Module:
    """Read a file with everything it includes; raises what `read_unit` does."""
    unit = read_unit(path, data_model, flags)
    with SourceFile(path, data_model, flags) as source, clang.watched_callbacks():
        declarations = clang.children(source.root)
        symbols = Symbols(source, Types(source, data_model))
        symbols.declare_all(declarations)
        reader = PrototypeReader(source, symbols, declarations)
        declared = frozenset(symbols.declared)
        return Module(unit, reader.prototypes(), reader.record_names(), declared)


def check_text(
    path: str,
    text: str,
    data_model: DataModel,
    flags: CompilerFlags = NO_FLAGS,
) -> None:
    """Raise InputError if the text, as the content of this file, is no C for clang."""
    SourceFile(path, data_model, flags, text).close()
