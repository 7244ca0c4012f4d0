"""The harness as C text.

Soundness duty: within the limits that its comments name, a run of the harness can make any sequence
of calls of the entry points, after a successful init, with any numbers as arguments.
"""

from __future__ import annotations

import re
import shlex

from ..errors import InputError
from ..frontend.compiler_flags import NO_FLAGS, CompilerFlags
from ..frontend.read.module import check_text
from ..frontend.written_types import (
    Alias,
    Basic,
    Pointer,
    Prototype,
    Tagged,
    declaration,
    parts,
    resolved,
    without_aliases,
)
from ..ir.types import DataModel
from ..records import dataclass
from .arguments import INTEGERS, Kept, New, Sources, stub_lines
from .module_functions import ModuleFunction, ModuleFunctions
from .plan import Plan
from .visibility import (
    Style,
    Visibility,
    declaration_lines,
    include_name,
    member_probes,
    visibility,
)

DEFAULT_NAME = "harness.c"  # of a harness that goes to standard output
_ASSUME = "__VERIFIER_assume"
_WIDTH = 100

# what the comments in the text say
_INSIDE = "/* Static functions and types of a file are known in the file itself only. */"
_ANYTHING = (
    "/* Without bodies: they return anything. A pointer is null or leads to memory that is no",
    " * object of the program and holds anything. */",
)
_CALLED_BACK = "/* For pointers to functions: returns anything, does nothing. */"
_KEPT = (
    "    /* One for each type, the same in all calls. If these lines are moved into the loop,",
    "     * each round has new ones. */",
)


@dataclass(frozen=True, slots=True)
class Request:
    """What is asked for beside the functions: the name of the function that is written, whether it
    has objects of its own, whether other pointers are not null, where the text goes, and how the
    module is read."""

    entry: str = "main"
    objects: bool = True
    non_null: bool = False
    output: str | None = None
    data_model: DataModel = DataModel.LP64
    flags: CompilerFlags = NO_FLAGS
    compile_commands: str | None = None

    @property
    def path(self) -> str:
        return DEFAULT_NAME if self.output is None or self.output == "-" else self.output


@dataclass(frozen=True, slots=True)
class Harness:
    """The text, and the command that checks it with the module."""

    text: str
    command: str


def write_harness(module: ModuleFunctions, plan: Plan, request: Request) -> Harness:
    """A text that clang can read, in the first style in which it can."""
    _refuse_second_entry(module, plan, request)
    problem = InputError("")
    for style in Style:
        seen = visibility(plan.functions, style)
        harness = _Writer(module, plan, request, seen).harness()
        text = harness.text + member_probes(plan.functions)
        try:
            check_text(request.path, text, request.data_model, request.flags)
        except InputError as error:
            problem = error
        else:
            return harness
    raise InputError(
        f"{module.files[0]}: no harness can be written that clang reads; name other functions with "
        f"--call, or give fewer files; the last attempt:\n{problem}"
    )


def _refuse_second_entry(module: ModuleFunctions, plan: Plan, request: Request) -> None:
    taken = module.functions.get((request.entry, ""))
    private = [f for f in plan.functions if f.name == request.entry]
    for function in (*([taken] if taken else []), *private):
        raise InputError(
            f"{function.prototype.coord}: there is a function {request.entry} already; "
            "give the harness's function another name with --entry"
        )


class _Writer:
    """Writes one harness."""

    def __init__(
        self, module: ModuleFunctions, plan: Plan, request: Request, seen: Visibility
    ) -> None:
        self._module = module
        self._plan = plan
        self._request = request
        self._seen = seen
        aliases = (name for p in seen.prototypes.values() for name in _aliases(p))
        names = {*module.names, *aliases, request.entry}
        self._sources = Sources(names, objects=request.objects, null=not request.non_null)
        self._made_by_init: Kept | None = None

    def harness(self) -> Harness:
        main = self._main()
        stubs = [stub_lines(stub, self._sources) for stub in self._sources.stubs.values()]
        if stubs:
            stubs[0].insert(0, _CALLED_BACK)
        command = self._command()
        pieces = [
            self._comment(command),
            self._includes(),
            declaration_lines(self._seen.declared),
            self._inputs("\n".join([*main, *(line for stub in stubs for line in stub)])),
            *stubs,
            main,
        ]
        lines = [[part for line in piece for part in _folded(line)] for piece in pieces if piece]
        return Harness("\n\n".join("\n".join(piece) for piece in lines) + "\n", command)

    # --- the parts of the file ---

    def _comment(self, command: str) -> list[str]:
        files = ", ".join(self._module.files)
        head = f"Calls the functions of {files} in any order, with any arguments."
        limits = "Written by `predabs harness`, to be edited. Check it with"
        lines = [head, limits, "", f"  {command}", *([""] if self._plan.remarks else [])]
        lines += self._plan.remarks
        lines = [line.replace("*/", "* /") for line in lines]
        return [f"/* {lines[0]}", *(f" * {line}".rstrip() for line in lines[1:]), " */"]

    def _includes(self) -> list[str]:
        request = self._request
        folders = request.flags.folders
        names = [include_name(name, request.output, folders) for name in self._seen.headers]
        lines = [f'#include "{name}"' for name in names]
        if self._seen.included:
            lines.append(_INSIDE)
            for file in self._seen.included:
                lines.append(f'#include "{include_name(file, request.output)}"')
        return lines

    def _inputs(self, code: str) -> list[str]:
        """The declarations of the functions without bodies that the code calls."""
        sources = self._sources
        lines = [f"extern {result} {name}(void);" for name, result in sources.nondets.items()]
        if f"{_ASSUME}(" in code:
            lines.append(f"extern void {_ASSUME}(int condition);")
        makers = [m for m in sources.makers.values() if f" {m.name}()" in code]
        if makers:
            lines += [*([""] if lines else []), *_ANYTHING]
        lines += [f"extern {declaration(m.type, f'{m.name}(void)')};" for m in makers]
        return lines

    def _command(self) -> str:
        """The included files are not given again."""
        request = self._request
        files = [file for file in self._module.files if file not in self._seen.included]
        words = ["predabs", "check", *files, request.path]
        if request.entry != "main":
            words += ["--entry", request.entry]
        if request.data_model is not DataModel.LP64:
            words += ["--data-model", request.data_model.name]
        flags = request.flags
        words += [word for folder in flags.include for word in ("-I", folder)]
        words += [word for macro in flags.define for word in ("-D", macro)]
        words += [word for macro in flags.undefine for word in ("-U", macro)]
        words += [word for file in flags.force_include for word in ("-include", file)]
        words += [f"-std={flags.std}"] if flags.std else []
        if request.compile_commands is not None:
            words += ["--compile-commands", request.compile_commands]
        return shlex.join(words)

    # --- the function ---

    def _main(self) -> list[str]:
        plan = self._plan
        for function in plan.functions:  # so that all kept pointers have their names
            self._arguments(function)
        self._made_by_init = self._kept_result()
        start = self._init() if plan.init is not None else []
        loop = self._loop() if plan.entry_points else []
        end = [f"    {line}" for line in self._call(plan.exit)] if plan.exit is not None else []
        lines = [*self._kept(), *start, *loop, *end]
        return [f"int {self._request.entry}(void)", "{", *lines, "    return 0;", "}"]

    def _kept(self) -> list[str]:
        if not self._sources.kept:
            return []
        lines = [*_KEPT]
        given = []
        for pointer in self._sources.kept.values():
            variable = declaration(pointer.type, pointer.name)
            if pointer is self._made_by_init:
                lines.append(f"    {variable};")
            elif pointer.object:
                target = resolved(pointer.type)
                assert isinstance(target, Pointer)
                thing = declaration(target.target, pointer.object)
                lines.append(f"    {thing} = {pointer.maker.name}();")
                lines.append(f"    {variable} = &{pointer.object};")
            else:
                lines.append(f"    {variable} = {pointer.maker.name}();")
                given.append(pointer)
        if self._request.non_null:
            lines += [f"    {_ASSUME}({pointer.name} != 0);" for pointer in given]
        return [*lines, ""]

    def _kept_result(self) -> Kept | None:
        """The pointer that init makes, if it does not want one of the kind itself."""
        if self._plan.init is None:
            return None
        prototype = self._seen.prototypes[self._plan.init]
        kept = self._sources.kept_pointer(prototype.result)
        used = set(self._arguments(self._plan.init))
        return kept if kept is not None and not used & {kept.name, f"&{kept.name}"} else None

    def _init(self) -> list[str]:
        """The call of init, and the end of the run if it fails: if an integer is not zero, a truth
        value is false, or a pointer is null."""
        assert self._plan.init is not None
        prototype = self._seen.prototypes[self._plan.init]
        *values, call = self._call(self._plan.init)
        call = call.removesuffix(";")
        match resolved(prototype.result):
            case Basic("_Bool", _):
                failed = f"!{call}"
            case Basic(name, _) if name in INTEGERS:
                failed = f"{call} != 0"
            case Tagged(_, _, _, Basic()):
                failed = f"{call} != 0"
            case Pointer():
                kept = self._sources.kept_pointer(prototype.result)
                if kept is not None:
                    values.append(f"{kept.name} = {self._cast(prototype, kept)}{call};")
                    call = kept.name
                failed = f"{call} == 0"
            case _:
                return [*(f"    {line}" for line in (*values, f"{call};")), ""]
        return [*(f"    {line}" for line in values), f"    if ({failed})", "        return 0;", ""]

    def _cast(self, prototype: Prototype, kept: Kept) -> str:
        """Takes a const away."""
        same = without_aliases(prototype.result) == without_aliases(kept.type)
        return "" if same else f"({declaration(kept.type)})"

    def _loop(self) -> list[str]:
        lines = [
            f"    while ({self._sources.nondet()}) {{",
            f"        switch ({self._sources.nondet()}) {{",
        ]
        for number, function in enumerate(self._plan.entry_points):
            calls = [f"            {line}" for line in self._call(function)]
            if len(calls) > 1:
                lines += [f"        case {number}: {{", *calls, "            break;", "        }"]
            else:
                lines += [f"        case {number}:", *calls, "            break;"]
        return [*lines, "        }", "    }", ""]

    def _call(self, function: ModuleFunction) -> list[str]:
        """The new values as variables of their own, so that their order is clear, and the call."""
        prototype = self._seen.prototypes[function]
        names = set(self._sources.taken)
        lines, words = [], []
        for param, argument in zip(prototype.params, self._arguments(function), strict=True):
            if isinstance(argument, New):
                name = self._sources.unique(param.name or "value", f"the_{param.name or 'value'}")
                lines.append(f"{declaration(argument.type, name)} = {argument.text};")
                words.append(name)
            else:
                words.append(argument)
        if function is not self._plan.init:  # its variables stay for the whole function
            self._sources.taken = names
        call = f"{prototype.name}({', '.join(words)})"
        unused = prototype.must_use and function is not self._plan.init
        if unused and not isinstance(resolved(prototype.result), Tagged):
            call = f"(void)!{call}"  # for gcc, (void) alone is no use
        return [*lines, f"{call};"]

    def _arguments(self, function: ModuleFunction) -> list[New | str]:
        prototype = self._seen.prototypes[function]
        return [self._sources.argument(param.type, param.name) for param in prototype.params]


def _folded(line: str) -> list[str]:
    """A line of C, after commas in several lines if it is too long; comments stay as they are."""
    code = line.lstrip()
    if len(line) <= _WIDTH or code.startswith(("#", "*", "/*")):
        return [line]
    indent = " " * (len(line) - len(code) + 8)
    lines = [""]
    for part in re.split(r"(?<=,) ", line):
        if len(lines[-1]) + len(part) >= _WIDTH:
            lines.append("")
        lines[-1] += f" {part}" if lines[-1].strip() else part if len(lines) == 1 else indent + part
    return [text for text in lines if text]


def _aliases(prototype: Prototype) -> set[str]:
    return {part.name for part in parts(prototype.type) if isinstance(part, Alias)}
