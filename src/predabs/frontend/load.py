"""From C files to a linked `Program`: read, link, and lower what the entry can reach.

Soundness duty: everything that the entry function can call or refer to is in the program, is named
among its externals, or the build fails; nothing is dropped silently.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import ExitStack, nullcontext
from difflib import get_close_matches
from functools import cache
from importlib import import_module, resources
from pathlib import Path
from types import MappingProxyType
from typing import Any

from ..errors import InputError, NotInstalled, UnsupportedFeature
from ..ir.cfa import Coord, ExternPointers, Function, Global, Language, Program
from ..ir.ops import Assign
from ..ir.types import DataModel, FunctionType
from ..records import replace
from . import ast
from .compiler_flags import NO_SOURCE_FLAGS, SourceFlags
from .language import language_of
from .lower import library
from .lower.calls import call
from .lower.cfa_builder import CfaBuilder
from .lower.expressions import LowerExpressions
from .lower.failing_malloc import with_failing_malloc
from .lower.heap_reuse import with_reuse
from .lower.initializers import constants, initialise
from .lower.libc import may_be
from .lower.null_pointers import with_null_pointers
from .lower.plain_volatile import with_plain_volatile
from .lower.rounding_modes import with_rounding_mode
from .lower.scopes import MODEL_PREFIX, MODELS, FunctionScope, ProgramNames
from .lower.sources import VariableSource
from .lower.statements import LowerStatements
from .lower.static_values import resolved
from .nesting import room_for_nesting
from .parts import FoundFunction
from .read.linked_records import link_records
from .read.source import Watch
from .read.translation_unit import UnitReader
from .symbols import Symbol


def load(
    files: Sequence[str],
    data_model: DataModel = DataModel.LP64,
    entry: str | None = "main",
    flags: SourceFlags = NO_SOURCE_FLAGS,
    parsing: Watch = nullcontext,
    texts: Mapping[str, str] = MappingProxyType({}),
    watched: Mapping[str, Coord] = MappingProxyType({}),
    extern_pointers: ExternPointers = ExternPointers.FRESH,
    *,
    conversions: bool = False,
    block_lifetimes: bool = False,
    malloc_may_fail: bool = False,
    volatile: str = "any",
) -> Program:
    """Read and link C files, or those of SPARK: most arguments say nothing to those. Without an
    entry every function is built, and the program has none.

    While clang parses a file, the context that `parsing` gives is open. A text stands in for the
    content of its file. Calls of `watched` functions stay calls, whatever predabs knows about these
    functions; each was named somewhere, and must be declared or be one of the library's. With
    `conversions`, every conversion of integers that may change the value is in the program, with
    `block_lifetimes` marks of where variables of inner blocks begin and end. The last arguments say
    what the environment may do.
    """
    if language_of(files) is Language.SPARK:
        if watched:
            raise UnsupportedFeature("usage rules are supported for C only")
        program: Program = spark_module().load(files, entry, texts).program
        return program
    with room_for_nesting(files), ExitStack() as stack:
        units = [
            stack.enter_context(
                UnitReader(file, data_model, flags.of(file), texts.get(file), parsing)
            )
            for file in files
        ]
        if len(units) > 1:
            _link_records(units)
        _check_watched(units, watched, data_model)
        _ask_for(units, entry)
        names = ProgramNames(
            data_model,
            lambda: [(unit.file, unit.found()) for unit in units],
            lambda name: _model(name, data_model),
            lambda: _model_unit(data_model).records,
            lambda symbol, defined: _is_special(symbol, defined, data_model),
            several=len(units) > 1,
            watched=watched,
            conversions=conversions,
            block_lifetimes=block_lifetimes,
        )
        names.assumptions.update(dict.fromkeys(flags.notes))
        names.learn()
        for name in _roots(names, units, entry):
            names.wanted_functions.setdefault(name, names.functions[name].found.symbol.coord)
        functions, globals_ = _close(names)
        functions = with_reuse(functions)
    program = Program(
        functions,
        globals_,
        names.records,
        entry or "",
        data_model,
        dict(sorted(names.externals.items())),
        tuple(names.assumptions),
        tuple(files),
        extern_pointers,
    )
    if names.has_rounding_mode:
        program = with_rounding_mode(program)
    if extern_pointers is ExternPointers.NULL:
        program = with_null_pointers(program)
    if malloc_may_fail:
        program = with_failing_malloc(program)
    if volatile == "plain":
        return with_plain_volatile(program)
    return replace(program, steady_volatile=True) if volatile == "doubt" else program


def spark_module() -> Any:
    """The front end of SPARK, which few runs need: loaded by name when one does."""
    try:
        return import_module(".spark.load", __package__)
    except ImportError as problem:
        raise NotInstalled(
            f"SPARK is read with tree-sitter, which is not installed ({problem}); "
            "pip install tree-sitter tree-sitter-ada"
        ) from problem


def _link_records(units: Sequence[UnitReader]) -> None:
    """Let the files agree on structs and unions, before any type is read."""
    names = [Path(unit.file).name for unit in units]
    if len(set(names)) < len(names):
        names = [unit.file for unit in units]
    definitions = (unit.record_definitions() for unit in units)
    links = link_records(list(zip(names, definitions, strict=True)))
    for unit, known in zip(units, links, strict=True):
        unit.link(known)


def _ask_for(units: Sequence[UnitReader], entry: str | None) -> None:
    """Find what the program begins with; what other files define is found by its name."""
    if entry is None or len(units) > 1:
        for unit in units:
            unit.ask_for_all()
        return
    units[0].ask_for(entry)


def _roots(names: ProgramNames, units: Sequence[UnitReader], entry: str | None) -> list[str]:
    if entry is None:
        return list(names.functions)
    if entry not in names.functions:
        defined = names.functions if len(units) > 1 else units[0].defined()
        raise InputError(
            f"{units[0].file}: there is no function {entry} to start from; name one with --entry "
            f"(defined here: {', '.join(sorted(defined)[:10]) or 'none at all'})"
        )
    return [entry]


def _check_watched(
    units: Sequence[UnitReader], watched: Mapping[str, Coord], data_model: DataModel
) -> None:
    """A name that nobody has declared is a slip of the pen."""
    for name, coord in watched.items():
        declared = {function for unit in units for function in unit.declared}
        known = name in declared or library.handler(name, defined=False) is not None
        if not known and _model(name, data_model) is None:
            near = get_close_matches(name, declared, n=1)
            hint = f"did you mean {near[0]}?" if near else "correct its name, or declare it"
            raise InputError(f"{coord}: the program has no function {name}; {hint}")


def _close(names: ProgramNames) -> tuple[dict[str, Function], tuple[Global, ...]]:
    """Lower functions and initialisers until nothing new is referred to."""
    functions: dict[str, Function] = {}
    globals_: dict[str, Global] = {}
    doubtful: list[str] = []  # lowered as if nothing in the program were volatile
    while True:
        new_functions = [name for name in names.wanted_functions if name not in functions]
        if not new_functions and names.declares_volatile:
            new_functions, doubtful = doubtful, []
        for name in new_functions:
            names.took_none_for_volatile = False
            functions[name] = LowerStatements(names, names.functions[name]).function()
            if names.took_none_for_volatile:
                doubtful.append(name)
        names.want_holders()
        new_globals = [name for name in names.wanted_variables if name not in globals_]
        for name in new_globals:
            globals_[name] = _global(names, names.wanted_variables[name])
        if not new_functions and not new_globals:
            return functions, resolved(names, globals_.values())


def _global(names: ProgramNames, source: VariableSource) -> Global:
    init: tuple[Assign, ...] = ()
    if source.init is not None:
        scope = FunctionScope(names, "")
        low = LowerExpressions(CfaBuilder(""), scope, call, _no_statement, initialise)
        init = constants(low, source.var, source.init)
    return Global(source.var, init, source.external, source.coord, source.linked)


def _no_statement(stmt: ast.Stmt) -> None:
    raise UnsupportedFeature(f"{stmt.coord}: a statement inside an initialiser of a static object")


@cache
def _model_unit(data_model: DataModel) -> UnitReader:
    return UnitReader(MODELS, data_model, text=_model_text())  # open from now on


@cache
def _models(data_model: DataModel) -> dict[str, FoundFunction]:
    unit = _model_unit(data_model)
    unit.ask_for_all()
    return {found.symbol.name: found for found in unit.found().functions}


@cache
def _model_text() -> str:
    return resources.files(f"{__package__}.lower").joinpath("models.c").read_text(encoding="utf-8")


@cache
def _model(name: str, data_model: DataModel) -> FoundFunction | None:
    """The model of a library function or compiler builtin, if there is one."""
    in_library = library.library_name(name)
    own = [f"{MODEL_PREFIX}{in_library}"] if in_library != name else []
    for candidate in (in_library, *own):
        if f"{candidate}(" in _model_text():  # saves reading the models for most programs
            found = _models(data_model).get(candidate)
            if found is not None:
                return found
    return None


def _is_special(symbol: Symbol, defined: bool, data_model: DataModel) -> bool:
    """Is a call of the function, with a body or not, no ordinary call?"""
    if library.handler(symbol.name, defined=defined) is not None:
        return True
    assert isinstance(symbol.type, FunctionType)
    model = _model(symbol.name, data_model)
    if defined or (model is not None and may_be(symbol.name, symbol.type, model.symbol)):
        return False
    known = library.contract(symbol.name, symbol.type)
    return known is not None or symbol.system or library.is_builtin(symbol.name)
