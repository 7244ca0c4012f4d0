"""A C file that, compiled together with the program, makes it run into the error.

It defines the functions that the program lacks: they give back the recorded inputs in the order of
the run, whichever function asks. All definitions are weak, so that one of the program's own wins.
What cannot be forced on a compiled program (values of uninitialised or volatile variables, say) is
told in a comment at the top.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

from ..ir.cfa import Program
from ..ir.expr import FunctionAddress
from ..ir.ops import Call, ErrorKind, Source
from ..ir.types import (
    ArrayType,
    DataModel,
    FloatType,
    IntType,
    PointerType,
    RecordType,
    Type,
    VoidType,
)
from ..records import dataclass, field
from ..verdict import Input
from . import test_pieces
from .environment_array import environment_array
from .given_inputs import content
from .preset_variables import Preset, is_heap, is_nonzero, is_uninitialised, presets
from .replay import Confirmed
from .sanitizers import is_seen, sanitizer_options, what_is_seen

_DEFINES_ERROR_CALL = re.compile(r"\b(__VERIFIER_error|reach_error)\s*\([^;{}]*\)\s*\{")
_C_LIBRARY = frozenset(["stdin", "stdout", "stderr", "environ", "errno"])
_LARGEST = 1 << 20  # bytes of one block of memory that are written out
_NOT_SET = frozenset([Source.VOLATILE, Source.LIBRARY, Source.ASM, Source.UNKNOWN])
_NAME = re.compile(r"[A-Za-z_]\w*")


@dataclass(frozen=True, slots=True)
class CTest:
    """The text of the file, and the compiler's options that it needs.

    `notes` tell what a compiled run may do differently; `presets` are changes to a copy of the
    program that give uninitialised variables their values; `observable` says whether one can see
    that a compiled run reaches the error, `sanitized` that a sanitizer shows it. `own` has the
    program's files with the options of each, if they are not the same.
    """

    text: str
    options: tuple[str, ...]
    notes: tuple[str, ...]
    presets: tuple[Preset, ...]
    observable: bool
    sanitized: bool = False
    own: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


def c_test(
    program: Program,
    run: Confirmed,
    options: Sequence[str] = (),
    own: Mapping[str, tuple[str, ...]] = MappingProxyType({}),
) -> CTest:
    """The test for a run of the program; `options` are those that its files are compiled with, and
    `own` those of each, if it has others."""
    writer = _Writer(program, run)
    body = writer.body()
    needed = (*options, *writer.options)
    notes = tuple(writer.notes)
    text = _comment(program, run, needed, notes, own) + body
    observable, sanitized = is_seen(run.error), run.error.kind is ErrorKind.CHECK
    return CTest(text, needed, notes, writer.presets, observable, sanitized, dict(own))


def _comment(
    program: Program,
    run: Confirmed,
    options: Sequence[str],
    notes: Sequence[str],
    own: Mapping[str, tuple[str, ...]],
) -> str:
    error = run.error
    files = shlex.join([] if own else program.files)
    lines = [
        f"A run that reaches an error: {error.edge.coord}: {error.text}",
        "",
        "Compile this file together with the program, then run the result:",
        *(f"    cc -c {shlex.join((*options, *more))} {shlex.quote(f)}" for f, more in own.items()),
        f"    cc {shlex.join(options)} {files} THIS_FILE.c {'-x none *.o ' if own else ''}-lm",
        what_is_seen(error),
    ]
    if notes:
        lines += ["", "A compiled run may differ:", *(f"  - {note}" for note in notes)]
    return "/*\n" + "".join(f" * {_safe(line)}".rstrip() + "\n" for line in lines) + " */\n"


def _safe(text: str) -> str:
    """The text as it can stand inside a comment."""
    return text.replace("*/", "* /").encode("ascii", "backslashreplace").decode()


class _Writer:
    """The file while it is written, with the options and notes that turn up on the way."""

    def __init__(self, program: Program, run: Confirmed) -> None:
        self._program = program
        self._run = run
        self.presets = presets(program.files, run.inputs)
        self._variables = {g.var.name: g for g in program.globals if g.external}
        wide = program.data_model is DataModel.LP64
        # with -fwrapv the sanitizer for signed overflows does not look
        wraps = ["-fwrapv"] if run.error.check != "signed-overflow" else []
        self.options = ["-x", "c", "-w", *wraps, "-m64" if wide else "-m32"]
        if run.error.kind is ErrorKind.CHECK:
            self.options += sanitizer_options(run.error.check) or ()
        self._environment = environment_array(run, program.data_model.pointer_bits)
        self._moves: list[str] = []
        self.notes: list[str] = list(self._environment.notes)

    def body(self) -> str:
        parts = [
            test_pieces.HEAD,
            self._memory_of_environment(),
            self._values(),
            *self._functions(),
            *self._functions_of_environment(),
            *self._globals(),
            self._memory(),
            self._uninitialised(),
            self._main(),
            self._moved(),
            self._errors(),
        ]
        self._note_the_rest()
        return "\n".join(part for part in parts if part)

    # --- results of functions ---------------------------------------------------------------------

    def _called(self) -> list[tuple[str, Input | None]]:
        """The calls of functions without a body in the order of the run, with what they gave."""
        calls: list[tuple[str, Input | None]] = []
        discarded = list(self._run.discarded)[::-1]
        for number, item in enumerate(self._run.inputs):
            while discarded and discarded[-1].inputs <= number:
                calls.append((discarded.pop().function, None))
            is_call = item.source is Source.NONDET or (
                item.source is Source.EXTERN and item.name not in self._variables
            )
            if is_call:
                calls.append((item.name, item))
        return calls

    def _values(self) -> str:
        """The table of results; functions that never give one that is used need no entry."""
        calls = self._called()
        used = {name for name, item in calls if item is not None}
        data = bytearray()
        rows = []
        for name, item in calls:
            if name in used:
                value = b"" if item is None else self._bytes(item, "predabs_bytes", len(data))
                shown = "not used" if item is None else _text(item)
                rows.append(f'    {{"{name}", {len(value)}}},  /* {shown} */')
                data += value
        return test_pieces.TABLE.substitute(
            rows="\n".join([*rows, "    {0, 0},"]), data=_array(data)
        )

    def _functions(self) -> Iterable[str]:
        types: dict[str, Type] = {}
        for name, item in self._called():
            if item is not None:
                types.setdefault(name, item.type)
        for name in sorted({*types, *self._program.externals}):
            if not _NAME.fullmatch(name):
                continue  # a static function of a file that does not define it
            yield self._function(name, types.get(name))

    def _function(self, name: str, type_: Type | None) -> str:
        if type_ is None:
            return f"PLAIN WEAK long long {name}() {{ return 0; }}"
        if not isinstance(type_, ArrayType):
            return _function(_c_type(type_), name, name)
        # a struct, as its bytes: integers of any size are passed alike, but not floats
        if any(self._has_floats(result) for result in self._results(name)):
            self.notes.append(f"{name} returns a struct with floating-point members: not given")
        struct = f"struct result_of_{name}"
        return (
            f"{struct} {{ unsigned char bytes[{type_.length}]; }};\n{_function(struct, name, name)}"
        )

    def _results(self, name: str) -> Iterable[Type]:
        """The types of what calls of the function give."""
        for function in self._program.functions.values():
            for edge in function.edges:
                match edge.op:
                    case Call(target, FunctionAddress(called, _), _) if called == name and target:
                        yield target.type

    def _has_floats(self, type_: Type) -> bool:
        todo = [type_]
        while todo:
            match todo.pop():
                case FloatType():
                    return True
                case ArrayType(element, _):
                    todo.append(element)
                case RecordType(tag, _):
                    todo += [member.type for member in self._program.records[tag].members]
        return False

    # --- the environment --------------------------------------------------------------------------

    def _bytes(self, item: Input, array: str, offset: int) -> bytes:
        """The value as it lies in memory, at the offset of an array of the test; the pointers in it
        are set when the test begins."""
        for move in self._environment.moves(item):
            self._moves.append(f"    {{{array} + {offset + move.offset}, {move.target}}},")
        return content(item)

    def _memory_of_environment(self) -> str:
        rows = []
        for offset, item in self._environment.initial(self._run.inputs):
            data = self._bytes(item, "predabs_environment", offset)
            rows.append(f"    [{offset}] = {_array(data)},  /* {item.name}: {_text(item)} */")
        if not self._environment.size:
            return ""
        text = "\n".join(rows) or "    0"
        return test_pieces.ENVIRONMENT.substitute(size=self._environment.size, rows=text)

    def _functions_of_environment(self) -> Iterable[str]:
        for name, type_ in self._environment.functions.values():
            if type_ is None:
                yield f"PLAIN WEAK long long {name}() {{ return 0; }}"
            elif isinstance(type_, RecordType):
                yield f"struct result_of_{name} {{ unsigned char bytes[{type_.size}]; }};"
                yield _function(f"struct result_of_{name}", name, "*")
            else:
                yield _function(_c_type(type_), name, "*")

    def _moved(self) -> str:
        if not self._moves:
            return ""
        return test_pieces.MOVES.substitute(moves="\n".join(self._moves))

    # --- other inputs -----------------------------------------------------------------------------

    def _globals(self) -> Iterable[str]:
        for item in self._run.inputs:
            if item.source is Source.EXTERN and item.name in self._variables:
                if item.name in _C_LIBRARY or not _NAME.fullmatch(item.name):
                    continue
                data = self._bytes(item, item.name, 0)
                yield (
                    f"WEAK __attribute__((aligned(16))) unsigned char {item.name}[{len(data)}] = "
                    f"{{{_array(data)}}};"
                )

    def _memory(self) -> str:
        """What malloc gives: the recorded bytes, in blocks of the recorded sizes."""
        blocks = [i for i in self._run.inputs if is_heap(i)]
        if not blocks:
            return ""
        self.options.append("-Dmalloc=predabs_malloc")
        rows = []
        data = bytearray()
        for block in blocks:
            value = content(block)
            kept = any(value) and len(value) <= _LARGEST
            rows.append(f"    {{{len(value)}, {int(kept)}}},")
            data += self._bytes(block, "predabs_contents", len(data)) if kept else b""
        return test_pieces.MALLOC.substitute(rows="\n".join(rows), data=_array(data))

    def _uninitialised(self) -> str:
        """The values for the copy of the program that asks for them."""
        coords = {preset.coord for preset in self.presets}
        asked = [i for i in self._run.inputs if is_uninitialised(i) and i.coord in coords]
        if not asked:
            return ""
        rows = [f'    {{"{i.coord.line}:{i.coord.column}", {len(content(i))}}},' for i in asked]
        data = bytearray()
        for item in asked:
            data += self._bytes(item, "predabs_held", len(data))
        return test_pieces.VALUES.substitute(rows="\n".join(rows), data=_array(data))

    def _main(self) -> str:
        """Where main is not what a run starts with, or has parameters: one that calls it."""
        entry = self._program.functions[self._program.entry]
        given = [i for i in self._run.inputs if i.source is Source.PARAMETER]
        if entry.name == "main" and not given:
            return ""
        self.options.append("-Dmain=predabs_main")
        name = "predabs_main" if entry.name == "main" else entry.name
        result = entry.type.result
        text = "void" if isinstance(result, VoidType) else _c_type(result)
        types = ", ".join(_c_type(i.type) for i in given) or "void"
        lines = [f"{text} {name}({types});"]
        for number, item in enumerate(given):
            data = self._bytes(item, f"predabs_parameter_{number}", 0)
            lines.append(f"static unsigned char predabs_parameter_{number}[] = {{{_array(data)}}};")
        lines += ["PLAIN int main(void)", "{"]
        for number, item in enumerate(given):
            lines.append(f"    {_c_type(item.type)} p{number};")
            lines.append(
                f"    predabs_copy(&p{number}, predabs_parameter_{number}, sizeof p{number});"
            )
        args = ", ".join(f"p{number}" for number in range(len(given)))
        strange = [i for i in given if not any(self._environment.moves(i)) and i.value]
        if any(isinstance(i.type, PointerType) for i in strange):
            self.notes.append("a pointer is given as a parameter: the address may mean nothing")
        return "\n".join([*lines, f"    {name}({args});", "    return 0;", "}"])

    def _errors(self) -> str:
        """The functions that stand for errors; those of the program itself are watched."""
        kind = self._run.error.kind
        text = test_pieces.ERRORS.substitute(
            call="predabs_reached()" if kind is ErrorKind.ERROR_CALL else "__builtin_abort()",
            assertion="predabs_reached()" if kind is ErrorKind.ASSERTION else "__builtin_abort()",
        )
        if kind is ErrorKind.ERROR_CALL and _defines_error_call(self._program.files):
            self.options.append("-finstrument-functions")
            text += test_pieces.WATCH
        return text

    def _note_the_rest(self) -> None:
        """Tell what is not forced."""
        local = [i for i in self._run.inputs if is_uninitialised(i)]
        if local:
            self.options.append("-ftrivial-auto-var-init=zero")
        coords = {preset.coord: preset for preset in self.presets}
        for item in {i.coord: i for i in local if is_nonzero(i)}.values():
            note = f"{item.coord}: {item.name} is not initialised; {_seen(item)}"
            if item.coord in coords:
                note += f"; insert after its declaration:{coords[item.coord].text}"
            self.notes.append(note)
        for item in self._run.inputs:
            if item.source in _NOT_SET and is_nonzero(item):
                what = f"{item.name} ({item.source.value})"
                self.notes.append(f"{item.coord}: {what} cannot be set; {_seen(item)}")
        if self._run.error.kind is ErrorKind.CHECK and not is_seen(self._run.error):
            self.notes.append("a compiled program does not show that this error happens")
        if self._run.error.kind is ErrorKind.RULE:
            self.notes.append("the rule is no part of a compiled program: nothing watches the run")
        if self._run.trace.unfinished:
            self.notes.append("the run is too long to know all calls whose results are not used")
        del self.notes[20:]


def _text(item: Input) -> str:
    match item.value:
        case bytes():
            return f"{len(item.value)} bytes"
        case int() if isinstance(item.type, PointerType):
            return hex(item.value)
        case number:
            return str(number)


def _seen(item: Input) -> str:
    return f"the run has {_text(item)} there"


def _function(type_: str, name: str, recorded: str) -> str:
    """A function that gives back what is recorded under a name."""
    return test_pieces.FUNCTION.substitute(type=type_, name=name, recorded=recorded)


def _array(data: bytes | bytearray) -> str:
    return ",".join(map(str, data)) or "0"


def _c_type(type_: Type) -> str:
    """A C type with the same values; the compiler passes it the same way."""
    match type_:
        case IntType(1, False):
            return "_Bool"
        case IntType(bits, signed):
            sign = "unsigned " if not signed else "signed " if bits == 8 else ""
            names = {8: "char", 16: "short", 32: "int", 64: "long long", 128: "__int128"}
            return sign + names[bits]
        case FloatType(bits, _):
            return {32: "float", 64: "double"}.get(bits, "long double")
        case PointerType():
            return "void *"
    return "int"


def _defines_error_call(files: Sequence[str]) -> bool:
    return any(_DEFINES_ERROR_CALL.search(Path(file).read_text(errors="replace")) for file in files)
