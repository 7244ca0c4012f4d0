"""What generated code runs on: the state of one run, and the functions that the code calls.

Pieces of code are compiled once per program; here they are bound to the names of one run, when
they are first reached.
"""

from __future__ import annotations

import builtins
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from types import CodeType, FunctionType
from typing import Any, NoReturn

from ..errors import InternalError
from ..ir.cfa import Edge, Function, Location, whose_life
from ..ir.expr import Lvalue
from ..ir.ops import Alloc, Print, Source
from ..ir.types import FloatType, IntType, PointerType, ScalarType, VoidType, size_of
from . import libm, numbers
from .bounds import beyond, literal, within
from .codec import codec
from .compile.functions import Translation
from .compile.statements import MOST_FRAMES, PointerCall, WantedInput
from .conversions import Frame, Piece, converted, converting
from .environment import EnvironmentMemory, EnvironmentUse
from .extended import Extended, directed, next_double, next_single
from .initial_globals import InitialGlobals
from .inputs import Inputs, fitted
from .memory import ByteMemory, ByteObject, ObjectKind, count_of, get_bits, set_bits
from .outcome import Exited, Failure, FoundValue, Overrun, RunFinished, Value
from .printf import print_bytes
from .shadow_memory import ShadowMemory
from .storage_layout import RESULT, Register
from .validity import Validity

_GENERATED = re.compile(r"[ABEFKLV]\d+|(ld|st|rd|wr)_\w+")


class Runtime:
    """The state of one run."""

    def __init__(
        self,
        translation: Translation,
        globals_: InitialGlobals,
        inputs: Inputs,
        output: Callable[[bytes], None],
        names: Mapping[str, object] | None = None,
    ) -> None:
        self.translation = translation
        self.written: list[tuple[Lvalue, Value]] = []
        self.found: list[FoundValue] = []
        self._inputs, self._output = inputs, output
        self._layout = translation.layout
        self._environment = (
            EnvironmentMemory(self._layout.bits, self._initial_content)
            if self._layout.has_environment
            else None
        )
        self._memory = ByteMemory(self._layout.bits, self._environment)
        self.shadow = ShadowMemory(self._memory, self._layout.has_shadow)
        self._stack: list[tuple[Piece, Frame]] = []
        self.function_at = {a: name for name, a in self._layout.functions.items()}
        self.validity = Validity(self._memory, self._layout.bits, self._registers)
        self._names = {**self._helpers(), **(names or {})}
        self._make_globals(globals_)

    def _helpers(self) -> dict[str, Any]:
        """The names that all generated code may use."""
        memory, environment = self._memory, self._environment
        return {
            **self.shadow.functions(),
            **({"as_pointer": environment.as_pointer} if environment is not None else {}),
            "__builtins__": builtins,
            "S": self._stack,
            "W": self.written,
            "Exited": Exited,
            "Finished": RunFinished,
            "allocate": self._allocate,
            "ask": self._ask,
            "beyond": beyond,
            "call_pointer": self._call_pointer,
            "copy": memory.copy,
            "end_all": memory.end_all,
            "fill": memory.fill,
            "float_quotient": numbers.float_quotient,
            "extended": Extended.of,
            "libm": libm.call,
            "directed": directed,
            "next_single": next_single,
            "next_double": next_double,
            **{f"float_{name}": call for name, call in numbers.FLOAT_FUNCTIONS.items()},
            "free": memory.free,
            "get_bits": get_bits,
            "int_to_single": numbers.int_to_single,
            "literal": literal,
            "load_bits": memory.load_bits,
            "no_leak": self.validity.no_leak,
            "local": self._local,
            "output": self._print,
            "put": _put,
            "quotient": numbers.quotient,
            "read": memory.read,
            "remainder": numbers.remainder,
            "renew": self._renew,
            "seen": self._seen,
            "set_bits": set_bits,
            "signed": numbers.signed,
            "size_at": memory.size_at,
            "store_bits": memory.store_bits,
            "stuck": _stuck,
            "take": _take,
            "to_integer": numbers.to_integer,
            "to_single": numbers.to_single,
            "too_deep": _too_deep,
            "valid_access": self.validity.access,
            "valid_free": self.validity.free,
            "within": within,
            "write": memory.write,
        }

    # --- the initial state ----------------------------------------------------------------------

    def _make_globals(self, initial: InitialGlobals) -> None:
        for (item, home), value in zip(self._layout.globals, initial.values, strict=True):
            if item.external:
                value = self._ask(WantedInput(Source.EXTERN, item.var.name, item.var.type, None))
            if isinstance(home, Register):
                self._names[home.text] = value
                continue
            made = self._memory.allocate(home.size, home.kind, home.name)
            if made.base != int(home.address):
                raise InternalError(f"{home.name} lies at {made.base}, not at {home.address}")
            self._names[home.data] = made.data
            if isinstance(value, bytes):
                made.data[:] = value
            elif isinstance(item.var.type, IntType | PointerType | FloatType):
                codec(item.var.type).write(made.data, 0, value)
        if initial.rest:
            code = self.translation.initialiser(initial.rest)
            self._bound(code)()
            self.written.clear()

    def enter(self, function: Function) -> tuple[Any, Frame]:
        """Begin with a function whose arguments are inputs: what to run first, and its frame."""
        args = [
            self._ask(WantedInput(Source.PARAMETER, param.short, param.type, None))
            for param in function.params
        ]
        self._stack.append((_exit, [None, None, None]))
        return self._entry(function), self.name(self.translation.frame(function.name))(*args)

    def _entry(self, function: Function) -> Any:
        return self.name(self.translation.location(function.entry))

    @property
    def depth(self) -> int:
        """How many calls are open."""
        return len(self._stack)

    @property
    def memory(self) -> ByteMemory:
        """The objects of the run."""
        return self._memory

    def _registers(self, frames: bool, frame: Frame) -> Iterator[int]:
        """The integers in variables that have no bytes: global ones, and those of calls under way
        if `frames` is set, of which `frame` is the last."""
        for _, home in self._layout.globals:
            if isinstance(home, Register) and isinstance(value := self._names[home.text], int):
                yield value
        for one in [*(frame for _, frame in self._stack), frame] if frames else ():
            yield from (value for value in one if isinstance(value, int))

    # --- code -----------------------------------------------------------------------------------

    def name(self, name: str) -> Any:
        """What generated code finds under a name."""
        found = self._names.get(name)
        if found is None:
            found = self._names[name] = self._provide(name)
        return found

    def _bound(self, code: CodeType) -> Piece:
        """The code as a function of this run; all names that it uses are provided."""
        names = self._names
        for name in code.co_names:
            if name not in names and _GENERATED.fullmatch(name):
                names[name] = self._provide(name)
        return FunctionType(code, names)

    def _provide(self, name: str) -> Any:
        match name[0]:
            case "K":
                return self.translation.statements.constants.objects[name]
            case "A" | "B":
                return self._when_reached(name)
            case "E" | "F" | "L" | "V":
                return self._bound(self.translation.code(name))
        what, _, form = name.partition("_")
        found = self.translation.statements.evaluator.lvalues.codecs[form]
        match what:
            case "ld":
                return self._memory.loader(found)
            case "st":
                return self._memory.storer(found)
            case "rd":
                return found.read
            case "wr":
                return found.write
        raise InternalError(f"generated code uses the unknown name {name}")

    def _when_reached(self, name: str) -> Piece:
        """A stand-in for a piece that is not translated before it is needed."""

        def first_time(frame: Frame) -> tuple[Piece, Frame, int]:
            piece = self._names[name] = self._bound(self.translation.code(name))
            return piece, frame, 0

        return first_time

    # --- what generated code calls --------------------------------------------------------------

    def _ask(self, wanted: WantedInput) -> Value:
        """An input, as a value of its type."""
        source, name, type_, edge = wanted.source, wanted.name, wanted.type, wanted.edge
        if isinstance(type_, IntType | PointerType | FloatType):
            value = fitted(type_, self._inputs.scalar(source, name, type_, edge))
            self._take(value, type_)
            return value
        data = self._bytes(source, name, size_of(type_), edge)
        if self._environment is not None and any(data):
            size = self._layout.bits // 8
            for at in self._layout.pointers(type_):
                self._environment.take_low(int.from_bytes(data[at : at + size], "little"))
        return data

    def _take(self, value: int | float, type_: ScalarType) -> None:
        """Tell the environment about an input."""
        if self._environment is not None and isinstance(value, int):
            self._environment.take(value, type_)

    def _initial_content(self, address: int, size: int, type_: ScalarType | None) -> bytes:
        """What memory of the environment holds at first."""
        name, edge = hex(address), self._edge_now()
        if type_ is None:
            return self._bytes(Source.ENVIRONMENT, name, size, edge)
        value = fitted(type_, self._inputs.scalar(Source.ENVIRONMENT, name, type_, edge))
        if self._environment is not None and isinstance(type_, PointerType):
            assert isinstance(value, int)
            self._environment.take_pointer(value)  # maybe to a function: all pointers lie alike
        else:
            self._take(value, type_)
        data = bytearray(size)
        codec(type_).write(data, 0, value)
        return bytes(data)

    def _edge_now(self) -> Edge | None:
        """The edge whose code is being executed: slow, for what happens seldom."""
        frame = sys._getframe()
        while frame.f_back is not None:
            frame = frame.f_back
            found = self.translation.blamed(frame.f_code, frame.f_lineno)
            if found is not None:
                return found[0]
        return None

    def _seen(self, lvalue: Lvalue, load: Callable[..., Any], address: int, *more: int) -> Any:
        """Read behind a pointer, and keep what is found there first in the environment."""
        assert self._environment is not None
        asked = self._environment.asked
        value = load(address, *more)
        if self._environment.asked > asked:
            kept = lvalue.type.wrap(value) if isinstance(lvalue.type, IntType) else value
            self.found.append(FoundValue(lvalue, address, kept))
        return value

    def environment_use(self) -> EnvironmentUse:
        """What the run has used of the environment so far."""
        return EnvironmentUse() if self._environment is None else self._environment.use()

    def _renew(self, wanted: WantedInput, held: Value) -> Value:
        """What a volatile object that has held this value holds now."""
        assert wanted.edge is not None
        value = self._inputs.volatile(wanted.name, held, wanted.type, wanted.edge)
        if isinstance(held, bytes):
            return _checked(value, len(held))
        assert isinstance(wanted.type, IntType | PointerType | FloatType)
        assert not isinstance(value, bytes)
        value = fitted(wanted.type, value)
        if value != held:  # else it is the program's own
            self._take(value, wanted.type)
        return value

    def _bytes(self, source: Source, name: str, size: int, edge: Edge | None) -> bytes:
        return _checked(self._inputs.memory(source, name, size, edge) if size else b"", size)

    def _local(self, size: int, name: str) -> ByteObject:
        return self._memory.allocate(size, ObjectKind.STACK, name)

    def _allocate(self, size: int, edge: Edge, objects: list[ByteObject] | None) -> int:
        """A new object, on the heap or among the objects of a frame; gives its address."""
        assert isinstance(edge.op, Alloc)
        kind = ObjectKind.HEAP if objects is None else ObjectKind.STACK
        name = f"the {count_of(size)} allocated at {edge.coord}"
        if (variable := whose_life(edge.op.target)) is not None:
            name = f"'{variable.short}' of an inner block"
        made = self._memory.allocate(size, kind, name)
        if not edge.op.zeroed:
            what = "malloc" if objects is None else "alloca"
            made.data[:] = self._bytes(Source.UNINITIALIZED, what, size, edge)
            self.shadow.made(made)
        if objects is not None:
            objects.append(made)
        return made.base

    def _print(self, edge: Edge, args: tuple[Value, ...]) -> int:
        """Output; gives the C function's result."""
        assert isinstance(edge.op, Print)
        printed = print_bytes(edge.op, args, self._memory, self._layout.bits)
        if printed.address is not None:
            self._memory.write(printed.address, printed.data)
            self.shadow.write(printed.address, len(printed.data))
        elif printed.visible:
            self._output(printed.data)
        return printed.result

    def _is_environments(self, address: int, call: PointerCall) -> bool:
        """Whether a function of the environment is called."""
        environment = self._environment
        if environment is None or not environment.has(address, 1):
            return False
        environment.called(address, None if call.call.target is None else call.call.target.type)
        return True

    def _call_pointer(
        self, call: PointerCall, address: int, args: tuple[Value, ...], frame: Frame, steps: int
    ) -> tuple[Any, Frame, int]:
        """Call the function at the address, whatever its type: C's conversions apply."""
        name = self.function_at.get(address)
        if name is None and self._is_environments(address, call):
            name = "*"
        if name is None:
            where = "null" if address == 0 else f"address {address:#x}, where no function is"
            raise Failure(f"call of {where}")
        target, after = call.call.target, self.name(call.after)
        function = self.translation.functions.get(name)
        if function is None:
            if target is not None:
                frame[RESULT] = self._ask(WantedInput(Source.EXTERN, name, target.type, call.edge))
            return after, frame, steps
        result = function.type.result
        if target is not None and target.type is not result and not isinstance(result, VoidType):
            after = converting(after, name, result, target.type)
        passed: list[Value] = []
        for number, param in enumerate(function.params):
            if number < len(args):
                type_ = call.call.args[number].type
                passed.append(converted(args[number], type_, param.type, name))
            else:
                wanted = WantedInput(Source.UNINITIALIZED, param.short, param.type, call.edge)
                passed.append(self._ask(wanted))
        if self.translation.stepwise:
            self.written.extend(zip(function.params, passed, strict=True))
        if len(self._stack) > MOST_FRAMES:
            _too_deep()
        self._stack.append((after, frame))
        made = self.name(self.translation.frame(name))(*passed)
        return self._entry(function), made, steps


def _exit(frame: Frame) -> NoReturn:
    """Where the entry function returns to."""
    status = frame[RESULT]
    raise RunFinished(Exited(status if isinstance(status, int) else 0), 0)


def _checked(given: Value, size: int) -> bytes:
    """Bytes of an input; a wrong number of them would change the size of an object."""
    if isinstance(given, bytes) and len(given) == size:
        return given
    raise InternalError(f"the input {given!r} is given where {size} bytes are needed")


def _take(data: bytearray, start: int, size: int) -> bytes:
    return bytes(data[start : start + size])


def _put(data: bytearray, start: int, value: bytes) -> None:
    data[start : start + len(value)] = value


def _too_deep() -> NoReturn:
    raise Overrun(f"more than {MOST_FRAMES} calls are open")


def _stuck(location: Location) -> NoReturn:
    raise InternalError(f"no edge leaves {location}")
