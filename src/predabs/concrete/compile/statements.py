"""Operations as generated Python: the statements that one edge becomes.

The generated code finds these names: `r` the frame, `S` the stack of calls as pairs (where to go
on, frame), and functions of the machine. A piece of code ends with `return next, frame, steps`, or
raises `Finished` at the end of the run. With `tracing`, all that is written is appended to `W`, and
what is read behind a pointer is read by `seen`, which looks whether it is an input.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Protocol, assert_never

from ...errors import InternalError
from ...ir.cfa import Edge, Function, Location
from ...ir.expr import Expr, FunctionAddress, Lvalue, Var
from ...ir.ops import (
    Alloc,
    AllocKind,
    Assign,
    Assume,
    Call,
    Copy,
    Error,
    Fill,
    Free,
    Halt,
    Havoc,
    Print,
    Return,
    Skip,
    Source,
    Sweep,
)
from ...ir.types import FloatType, IntType, PointerType, Type, VoidType
from ...records import dataclass
from ..outcome import ErrorReached, Stopped
from ..storage_layout import OBJECTS, RESULT, SAVED, FrameLayout, Register, VariableLayout
from .code import Constants, PythonCode, fit, of_type
from .expressions import PythonExpressions
from .lvalues import lvalue_operands

MOST_FRAMES = 100_000


@dataclass(frozen=True, slots=True)
class WantedInput:
    """An input that generated code asks for."""

    source: Source
    name: str
    type: Type
    edge: Edge | None


@dataclass(frozen=True, slots=True)
class PointerCall:
    """A call whose callee is only known when it happens; `after` is where it goes on."""

    edge: Edge
    call: Call
    after: str


class PythonNames(Protocol):
    """How generated code refers to other pieces of code."""

    def location(self, location: Location) -> str: ...

    def after(self, edge: Edge) -> str: ...

    def frame(self, function: str) -> str: ...


class CodeLines:
    """Generated lines, each with the edge it belongs to and that edge's number in the piece, and
    the names of the global registers that they assign."""

    def __init__(self) -> None:
        self.texts: list[str] = []
        self.edges: list[tuple[Edge | None, int]] = []
        self.globals: set[str] = set()
        self.indent = 1
        self.edge: Edge | None = None
        self.steps = 0

    def add(self, text: str) -> None:
        self.texts.append(f"{' ' * self.indent}{text}")
        self.edges.append((self.edge, self.steps))


class PythonStatements:
    """Generates the statements of operations."""

    def __init__(
        self,
        layout: VariableLayout,
        functions: Mapping[str, Function],
        names: PythonNames,
        tracing: bool,
    ) -> None:
        self.layout = layout
        self._functions = functions
        self._names = names
        self._tracing = tracing
        self.constants = Constants()
        self.evaluator = PythonExpressions(layout, self.constants, tracing)

    def condition(self, edge: Edge, lines: CodeLines) -> str:
        """The text of the condition that an Assume edge tests."""
        assert isinstance(edge.op, Assume)
        return self._values(lines, edge.op.cond)[0].text

    def emit(self, edge: Edge, lines: CodeLines) -> bool:
        """Execute the operation; whether the run goes on at the edge's end in the same piece."""
        op = edge.op
        match op:
            case Skip():
                pass
            case Assume():
                lines.add(f"if not {self.condition(edge, lines)}: return None")
            case Assign():
                self.assign(op, lines)
            case Havoc(target, Source.FORMATTED, _, extent):
                if extent is not None:  # no bytes here: the Print that follows writes them
                    self._store(lines, target, PythonCode("0", 0, 0))
            case Havoc(target, source, name):
                if source is Source.VOLATILE:
                    (held,) = self._values(lines, target, target=target)
                    code = self._input(source, name, target.type, edge, held)
                else:
                    self._values(lines, target=target)
                    code = self._input(source, name, target.type, edge)
                self._store(lines, target, code, written=source is not Source.UNINITIALIZED)
            case Call():
                return self._call(op, edge, lines)
            case Return(value):
                result = self._values(lines, value)[0].text if value is not None else "None"
                self.leave(edge.src.function, result, lines)
                return False
            case Alloc(target, size, kind, _):
                (amount,) = self._values(lines, size, target=target)
                objects = f"r[{OBJECTS}]" if kind is AllocKind.STACK else "None"
                name = self.constants.name(edge)
                text = f"allocate({self._count(amount)}, {name}, {objects})"
                self._store(lines, target, of_type(text, target.type))
            case Free(pointer):
                (code,) = self._values(lines, pointer)
                lines.add(f"free({code.text})")
            case Fill(pointer, byte, size):
                start, value_code, amount = self._values(lines, pointer, byte, size)
                if self.layout.has_shadow:
                    lines.add(f"shadow_write({start.text}, {self._count(amount)})")
                lines.add(f"fill({start.text}, {value_code.text}, {self._count(amount)})")
            case Copy(pointer, origin, size):
                start, source_code, amount = self._values(lines, pointer, origin, size)
                texts = f"{start.text}, {source_code.text}, {self._count(amount)}"
                if self.layout.has_shadow:
                    lines.add(f"shadow_copy({texts})")
                lines.add(f"copy({texts})")
            case Sweep(target, value, index, count):
                self._sweep(Assign(target, value), index, count, lines)
            case Print():
                self._print(op, edge, lines)
            case Error(kind, text):
                outcome = self.constants.name(ErrorReached(kind, text, edge))
                lines.add(f"raise Finished({outcome}, {lines.steps})")
                return False
            case Halt(text, status):
                if status is None:
                    ending = self.constants.name(Stopped(text, edge))
                else:
                    ending = f"Exited({self._values(lines, status)[0].text})"
                lines.add(f"raise Finished({ending}, {lines.steps})")
                return False
            case _:
                assert_never(op)
        return True

    def assign(self, op: Assign, lines: CodeLines) -> None:
        if not _alike(op.target.type, op.value.type):
            what = f"a {op.value.type} is assigned to a {op.target.type}"
            raise InternalError(f"{lines.edge.coord if lines.edge else 'at the start'}: {what}")
        (code,) = self._values(lines, op.value, target=op.target)
        self._store(lines, op.target, code, op.value)

    def _sweep(self, each: Assign, index: Var, count: Expr, lines: CodeLines) -> None:
        """Assign for each value of the index, one after the other."""
        home = self.layout.home(index)
        assert isinstance(home, Register)
        (code,) = self._values(lines, count)
        lines.add(f"for {home.text} in range({code.text}):")
        lines.indent += 1
        self.assign(each, lines)
        lines.indent -= 1

    def leave(self, function: str, result: str, lines: CodeLines) -> None:
        """Return to the caller with the result (the text `None` if there is none)."""
        if self.layout.frames[function].has_objects:
            lines.add(f"v = {result}")
            lines.add(f"end_all(r[{OBJECTS}])")
            result = "v"
        lines.add("a, q = S.pop()")
        lines.add(f"q[{RESULT}] = {result}")
        lines.add(f"return a, q, {lines.steps}")

    def after_call(self, edge: Edge, lines: CodeLines) -> None:
        """Take over the result of a call, back in the caller."""
        assert isinstance(edge.op, Call)
        target = edge.op.target
        if target is None:
            return
        result = f"r[{RESULT}]"
        missing = self._input(Source.UNINITIALIZED, "a call's result", target.type, edge)
        lines.add(f"if {result} is None: {result} = {missing.text}")
        self.evaluator.codes = {
            operand: of_type(f"r[{SAVED}][{number}]", operand.type)
            for number, operand in enumerate(lvalue_operands(target))
        }
        code, type_ = of_type(result, target.type), self._result_type(edge.op)
        if type_ is not None and type_ is not target.type:
            code = self.evaluator.convert(of_type(result, type_), type_, target.type)
        self._store(lines, target, code)

    def _result_type(self, call: Call) -> Type | None:
        """The type of the value that arrives, if it may differ from the target's."""
        if not isinstance(call.callee, FunctionAddress):
            return None  # converted where the callee is known
        type_ = self._functions[call.callee.name].type.result
        return None if isinstance(type_, VoidType) else type_

    def frame(self, frame: FrameLayout, lines: CodeLines) -> str:
        """Make a frame from the arguments; gives the text of the parameters. Registers are zero at
        first: those that may be read before they are written have a Havoc of their own."""
        params = [f"a{number}" for number in range(len(frame.function.params))]
        slots: list[str] = []
        objects: list[str] = []
        stores: list[str] = []
        for number, home in enumerate(frame.homes):
            value = params[number] if number < len(params) else None
            if isinstance(home, Register):
                slots.append(value or _zero(home.var.type))
                continue
            objects.append(f"o{number}")
            slots += [f"o{number}.data", f"o{number}.base"]
            lines.add(f"o{number} = local({home.size}, {home.name!r})")
            if value:
                lvalues = self.evaluator.lvalues
                stores.append(
                    lvalues.store(lvalues.resolve(home.var, "write", {}), PythonCode(value))
                )
        kept = f"[{', '.join(objects)}]" if frame.has_objects else "None"
        lines.add(f"r = [{', '.join([kept, 'None', 'None', *slots])}]")
        for store in stores:
            lines.add(store)
        lines.add("return r")
        return ", ".join(params)

    # --- parts ----------------------------------------------------------------------------------

    def _values(
        self, lines: CodeLines, *values: Expr, target: Lvalue | None = None
    ) -> list[PythonCode]:
        """The texts of the values; what decides the target's address is computed with them."""
        roots: Iterable[Expr] = values
        if target is not None:
            roots = (*values, *lvalue_operands(target))
        self.evaluator.prepare(roots, lines.add)
        return [self.evaluator.codes[value] for value in values]

    def _store(
        self,
        lines: CodeLines,
        target: Lvalue,
        code: PythonCode,
        value: Expr | None = None,
        written: bool = True,
    ) -> None:
        """Store a value in the target, whose operands have been prepared; `value` is what it is
        assigned, and `written` is False if it comes to life and holds nothing."""
        if self.layout.has_shadow:
            self._shadow(lines, target, value, written)
        if self._tracing:
            lines.add(f"v = {code.text}")
            code = of_type("v", target.type)
        lvalues = self.evaluator.lvalues
        lvalue = lvalues.resolve(target, "write", self.evaluator.codes)
        lines.add(lvalues.store(lvalue, code))
        if isinstance(lvalue, Register) and lvalue.is_global:
            lines.globals.add(lvalue.text)
        if self._tracing:
            lines.add(f"W.append(({self.constants.name(target)}, v))")

    def _shadow(self, lines: CodeLines, target: Lvalue, value: Expr | None, written: bool) -> None:
        """Mark the bytes of the target, before it is stored: where it lies may depend on it."""
        lvalues, codes = self.evaluator.lvalues, self.evaluator.codes
        there = lvalues.resolve(target, "write", codes)
        if isinstance(there, Register):
            return
        first, size = lvalues.bytes_of(there)
        if isinstance(value, Lvalue):
            here = lvalues.resolve(value, "read", codes)
            if not isinstance(here, Register) and not here.bits and not there.bits:
                lines.add(f"shadow_copy({first}, {lvalues.bytes_of(here)[0]}, {size})")
                return
        lines.add(f"{'shadow_write' if written else 'shadow_forget'}({first}, {size})")

    def _input(
        self, source: Source, name: str, type_: Type, edge: Edge, held: PythonCode | None = None
    ) -> PythonCode:
        """An input; `held` is what a volatile object holds before."""
        wanted = self.constants.name(WantedInput(source, name, type_, edge))
        return of_type(f"renew({wanted}, {held.text})" if held else f"ask({wanted})", type_)

    def _count(self, amount: PythonCode) -> str:
        """A number of bytes: never negative."""
        return fit(IntType(self.layout.bits, False), amount).text

    def _print(self, op: Print, edge: Edge, lines: CodeLines) -> None:
        args = self._values(lines, *op.args, target=op.target)
        texts = "".join(f"{arg.text}, " for arg in args)
        text = f"output({self.constants.name(edge)}, ({texts}))"
        if op.target is None:
            lines.add(text)
        elif isinstance(op.target.type, IntType | PointerType):
            code = PythonCode(text, -(1 << 31), (1 << 31) - 1)
            self._store(lines, op.target, fit(op.target.type, code))
        else:
            raise InternalError(f"{edge.coord}: output has no result of type {op.target.type}")

    def _call(self, op: Call, edge: Edge, lines: CodeLines) -> bool:
        if isinstance(op.callee, FunctionAddress):
            function = self._functions.get(op.callee.name)
            if function is None:
                return self._call_external(op.callee.name, op, edge, lines)
            return self._call_directly(function, op, edge, lines)
        callee, *args = self._values(lines, op.callee, *op.args, target=op.target)
        self._save(op, lines)
        call = self.constants.name(PointerCall(edge, op, self._names.after(edge)))
        texts = "".join(f"{arg.text}, " for arg in args)
        lines.add(f"return call_pointer({call}, {callee.text}, ({texts}), r, {lines.steps})")
        return False

    def _call_external(self, name: str, op: Call, edge: Edge, lines: CodeLines) -> bool:
        """No body: the result is an input, and nothing else happens."""
        self._values(lines, *op.args, target=op.target)
        if op.target is not None:
            self._store(lines, op.target, self._input(Source.EXTERN, name, op.target.type, edge))
        return True

    def _call_directly(self, function: Function, op: Call, edge: Edge, lines: CodeLines) -> bool:
        used = op.args[: len(function.params)]
        codes = self._values(lines, *op.args, target=op.target)
        texts: list[str] = []
        for arg, code, param in zip(used, codes, function.params, strict=False):
            texts.append(self.evaluator.convert(code, arg.type, param.type).text)
        for param in function.params[len(used) :]:
            texts.append(self._input(Source.UNINITIALIZED, param.short, param.type, edge).text)
        self._save(op, lines)
        if self._tracing:
            pairs = zip(function.params, texts, strict=True)
            texts = [self._traced(param, text, lines) for param, text in pairs]
        lines.add(f"if len(S) > {MOST_FRAMES}: too_deep()")
        lines.add(f"S.append(({self._names.after(edge)}, r))")
        entry = self._names.location(function.entry)
        frame = f"{self._names.frame(function.name)}({', '.join(texts)})"
        lines.add(f"return {entry}, {frame}, {lines.steps}")
        return False

    def _traced(self, param: Var, text: str, lines: CodeLines) -> str:
        name = f"p{len(lines.texts)}"
        lines.add(f"{name} = {text}")
        lines.add(f"W.append(({self.constants.name(param)}, {name}))")
        return name

    def _save(self, op: Call, lines: CodeLines) -> None:
        """Keep what decides the address of the result: the state before the call counts."""
        if op.target is not None and (saved := list(lvalue_operands(op.target))):
            texts = "".join(f"{self.evaluator.codes[operand].text}, " for operand in saved)
            lines.add(f"r[{SAVED}] = ({texts})")


def _alike(left: Type, right: Type) -> bool:
    """Whether the values of two types are the same; all pointers are alike."""
    if isinstance(left, PointerType) and isinstance(right, PointerType):
        return left.bits == right.bits
    return left is right


def _zero(type_: Type) -> str:
    """What a variable in a register holds before it is written."""
    if not isinstance(type_, FloatType):
        return "0"
    return "extended(0)" if type_.bits == 80 else "0.0"
