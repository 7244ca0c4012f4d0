"""Which functions a harness calls: one at the beginning, any of some in a loop, one at the end."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from ..errors import InputError
from ..frontend.written_types import VA_LIST, Basic, Parameter, Tagged, resolved
from .module_functions import Key, ModuleFunction, ModuleFunctions

NONE = "-"  # in place of a function's name: there shall be none

# how functions are called that are meant to be the first and the last one
_INIT = re.compile(r"(init|initiali[sz]e|setup)_module|(\w*_)?(init|initiali[sz]e|setup)", re.I)
_EXIT = re.compile(
    r"(cleanup|exit)_module|\w*_(exit|cleanup|fini|finish|deinit|uninit|shutdown|destroy)", re.I
)


@dataclass(frozen=True, slots=True)
class Plan:
    """The functions, and remarks on how they were found."""

    init: ModuleFunction | None
    entry_points: tuple[ModuleFunction, ...]
    exit: ModuleFunction | None
    remarks: tuple[str, ...]

    @property
    def functions(self) -> tuple[ModuleFunction, ...]:
        """All of them, in the order of their calls, each once."""
        chosen = (self.init, *self.entry_points, self.exit)
        return tuple(dict.fromkeys(function for function in chosen if function is not None))


def choose(
    module: ModuleFunctions,
    init: str | None = None,
    exit_: str | None = None,
    calls: Sequence[str] = (),
    tables: Sequence[str] = (),
) -> Plan:
    """The plan that was asked for. The first and the last function are found by their names if they
    are not given, and so are the entry points: all functions that another file could call, and that
    the module itself does not. Raises InputError for functions that there are not."""
    remarks: list[str] = []
    asked = [module.named(name) for name in calls]
    asked += [function for table in tables for function in module.table(table)]
    first = _end(module, init, _INIT, "init", asked, remarks)
    last = _end(module, exit_, _EXIT, "exit", asked, remarks)
    if asked:
        entry_points = tuple(dict.fromkeys(asked))
    else:
        entry_points = _open_functions(module, (first, last), remarks)
    for function in (first, *entry_points, last):
        if function is not None and (problem := _problem(function)):
            raise InputError(f"{function.prototype.coord}: {problem}")
    return Plan(first, entry_points, last, tuple(remarks))


def _end(
    module: ModuleFunctions,
    name: str | None,
    pattern: re.Pattern[str],
    option: str,
    asked: Sequence[ModuleFunction],
    remarks: list[str],
) -> ModuleFunction | None:
    """The function of this name, or else the only one that is called like a first or last one."""
    if name == NONE:
        return None
    if name is not None:
        return module.named(name)
    stored = {function for table in module.tables.values() for function in table}
    found = [
        function
        for key, function in module.functions.items()
        if pattern.fullmatch(function.name)
        and _is_unused(module, key)
        and function not in stored
        and function not in asked
        and not _problem(function)
    ]
    if len(found) == 1:
        remarks.append(f"{found[0].name} is the {option} function by its name (--{option}).")
        return found[0]
    if found:
        names = ", ".join(function.name for function in found[:8])
        remarks.append(f"One of these may be the {option} function (--{option}): {names}.")
    return None


def _is_unused(module: ModuleFunctions, key: Key) -> bool:
    """Does nothing in the module call it, and is it no inline function of a header?"""
    function = module.functions[key]
    inside = function.prototype.coord.file == function.file
    return key not in module.called and (inside or not function.prototype.private)


def _open_functions(
    module: ModuleFunctions, ends: Sequence[ModuleFunction | None], remarks: list[str]
) -> tuple[ModuleFunction, ...]:
    found = []
    for key, function in module.functions.items():
        if function.prototype.private or key in module.called or function in ends:
            continue
        if problem := _problem(function):
            remarks.append(f"Not called: {problem}.")
        else:
            found.append(function)
    if not found and not any(ends):
        tables = sorted(module.tables, key=lambda tag: (-len(module.tables[tag]), tag))
        more = f"; functions are stored in {', '.join(tables[:8])}" if tables else ""
        raise InputError(
            f"{module.files[0]}: there is no function that another file could call and that this "
            f"one does not; name entry points with --call F or --table TYPE{more}"
        )
    return tuple(found)


def _problem(function: ModuleFunction) -> str:
    """Why no harness can call the function; nothing if one can."""
    for number, param in enumerate(function.prototype.params, 1):
        if what := _no_argument(param):
            return f"{function.name} has {what} as its parameter {param.name or number}"
    return ""


def _no_argument(param: Parameter) -> str:
    match resolved(param.type):
        case Basic(name, _) if name == VA_LIST:
            return "a va_list"
        case Tagged("struct" | "union", "") if resolved(param.type) is param.type:
            return "a struct without a name"
    return ""
