"""Which functions a harness calls: one at the beginning, any of some in a loop, one at the end.

This is the model of the kernel with which [HJMS02, section 6.2] checks drivers.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from ..errors import InputError
from ..frontend.written_types import VA_LIST, Basic, Parameter, Tagged, resolved
from ..records import dataclass
from .module_functions import Key, ModuleFunction, ModuleFunctions

NONE = "-"  # in place of a function's name: there shall be none

# how functions are called that are meant to be the first and the last one
_INIT = re.compile(r"init_module|(?:(\w*)_)?init(?:iali[sz]e)?", re.I)
_EXIT = re.compile(r"cleanup_module|\w*_(?:exit|cleanup)", re.I)
_EXIT_OF = r"{}_(?:exit|cleanup|fini|finish|done|deinit|uninit|shutdown|destroy)"  # of F_init


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
    first = _end(module, init, [_INIT], "init", asked, remarks)
    last = _end(module, exit_, [*_partner(first), _EXIT], "exit", asked, remarks)
    if asked:
        entry_points = tuple(dict.fromkeys(asked))
    else:
        entry_points = _open_functions(module, (first, last), remarks)
    for function in (first, *entry_points, last):
        if function is not None and (problem := _problem(function)):
            raise InputError(f"{function.prototype.coord}: {problem}")
    return Plan(first, entry_points, last, tuple(remarks))


def _partner(first: ModuleFunction | None) -> list[re.Pattern[str]]:
    """How the last function is called that belongs to the first one."""
    match = None if first is None else _INIT.fullmatch(first.name)
    if match is None or not match[1]:
        return []
    return [re.compile(_EXIT_OF.format(re.escape(match[1])), re.I)]


def _end(
    module: ModuleFunctions,
    name: str | None,
    patterns: Sequence[re.Pattern[str]],
    option: str,
    asked: Sequence[ModuleFunction],
    remarks: list[str],
) -> ModuleFunction | None:
    """The function of this name, or else the only one that is called like a first or last one; of
    several the only one without parameters. The first pattern that fits any function counts."""
    if name == NONE:
        return None
    if name is not None:
        return module.named(name)
    stored = {function for table in module.tables.values() for function in table}
    possible = [
        function
        for key, function in module.functions.items()
        if _is_unused(module, key)
        and function not in stored
        and function not in asked
        and not _problem(function)
    ]
    fits = ([f for f in possible if pattern.fullmatch(f.name)] for pattern in patterns)
    found = next((some for some in fits if some), [])
    bare = [function for function in found if not function.prototype.params]
    found = bare if len(bare) == 1 else found
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
