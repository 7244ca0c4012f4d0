"""What is said about one step of a run: its statement, and the values that it wrote or saw."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from ...analysis.points_to.address_taken import address_taken
from ...concrete.codec import codec
from ...concrete.memory import ObjectKind
from ...concrete.outcome import Failure, FoundValue, Overrun, Refusal, Value
from ...concrete.state_view import ByteRange, Place, StateView
from ...frontend.lower.scopes import MODEL_PREFIX
from ...ir import make
from ...ir.ada_text import ada_expr, ada_op
from ...ir.cfa import Edge, Program, whose_life
from ...ir.def_use import op_target, op_values
from ...ir.expr import (
    Binary,
    Const,
    Deref,
    Expr,
    Field,
    FunctionAddress,
    Index,
    Lvalue,
    Op,
    PointerAdd,
    Var,
)
from ...ir.listing import literal_text, naming
from ...ir.ops import Alloc, AllocKind, Assign, Call, Copy, Fill, Havoc, Operation, Source
from ...ir.types import FloatType, IntType, PointerType, Type
from ...ir.walk import reads_of, root_of, variables
from ...records import replace
from .addresses import AddressNames, source_name
from .steps import ShownValue
from .temporaries import Temporaries, is_temporary
from .terms import SourceTerms
from .values import ValueTexts, bytes_text

_FAULTS = (Failure, Refusal, Overrun, ZeroDivisionError)
_MOST_PARTS = 3  # of memory that a library function has written
_MOST_BYTES = 4096
_ALLOCATORS = {AllocKind.HEAP: "malloc", AllocKind.STACK: "alloca"}


def plain_name(function: str) -> str:
    """The name of a function as the source has it.

    >>> plain_name("__predabs_malloc"), plain_name("helper@a.c")
    ('malloc', 'helper')
    """
    return function.removeprefix(MODEL_PREFIX).partition("@")[0]


class StepTexts:
    """Names, values and statements at one point of a run."""

    def __init__(self, program: Program) -> None:
        functions = program.functions.values()
        self._program = program
        self._locals = {
            function.name: frozenset(
                source_name(var) for var in (*function.params, *function.locals)
            )
            for function in functions
        }
        bits = program.data_model.pointer_bits
        self.names = AddressNames(program.records, bits, self._locals)
        self.values = ValueTexts(program.records, self.names)
        self.temporaries = Temporaries(address_taken(program).scalar_variable)
        self._terms = SourceTerms()
        self._name = naming(program, source_name)
        self.is_unset: Callable[[Place], bool] = lambda place: False
        self._statements: dict[Edge, str] = {}  # of edges whose statement is always the same

    def begin(self, view: StateView) -> None:
        """The run begins: where are the globals?"""
        for item in self._program.globals:
            address = view.address(item.var)
            if address is not None:
                self.names.variable(item.var, address, literal_text(item))

    # --- statements -------------------------------------------------------------------------------

    def name(self, var: Var) -> str:
        """A variable, or what a temporary stands for."""
        meaning = self.temporaries.text(var) if is_temporary(var) else None
        if meaning is None:
            return self._name(var)
        return f"({meaning})" if has_operator(meaning) else meaning

    def temporaries_in(self, op: Operation) -> dict[str, str]:
        """The temporaries that an operation reads, with what they stand for."""
        used = {var for value in op_values(op) for var in variables(value)}
        return {var.short: self.name(var) for var in used if is_temporary(var)}

    def is_size_limit(self, cond: Expr) -> bool:
        """Is it the limit that malloc has for a size, and no condition of the program?"""
        most = make.const((1 << self.names.bits - 1) - 1, IntType(self.names.bits, False))
        match cond:
            case Binary(Op.LE, _, limit, _):
                return limit is most
        return False

    def term(self, e: Expr) -> str:
        """The term as the source would have it."""
        if isinstance(e, Var) and is_temporary(e):
            return self.temporaries.text(e) or self._name(e)
        return ada_expr(self._terms.term(e), self._program.ada, self.name)

    def statement(self, edge: Edge, op: Operation) -> str:
        """The operation `op` of the edge, or a part of it."""
        known = self._statements.get(edge) if op is edge.op else None
        if known is not None:
            return known
        shown = self._terms.operation(op)
        if isinstance(shown, Call) and isinstance(shown.callee, FunctionAddress):
            callee = FunctionAddress(plain_name(shown.callee.name), shown.callee.type)
            shown = Call(shown.target, callee, shown.args)
        text = ada_op(shown, self._program.ada, self.name)
        target = op_target(op)
        parts = [*op_values(op), *([] if target is None else [target])]
        if op is edge.op and not any(is_temporary(v) for part in parts for v in variables(part)):
            self._statements[edge] = text
        return text

    def taken(self, edge: Edge, op: Havoc) -> str:
        """The statement that takes an input."""
        match op.source:
            case Source.UNKNOWN:
                return f"{self.term(op.target)} = {op.name}(...);  // not computed"
            case Source.UNINITIALIZED:
                return f"{self.term(op.target)};  // not initialised"
        return self.statement(edge, op)

    # --- values -----------------------------------------------------------------------------------

    def shown(
        self, name: str, type_: Type, value: Value, view: StateView, function: str
    ) -> ShownValue:
        return self.values.shown(name, type_, value, view, function)

    def written(self, lvalue: Lvalue, value: Value, view: StateView, function: str) -> ShownValue:
        """What an lvalue has got; where an object is named for the first time, that tells more."""
        shown = self.shown(self.term(lvalue), lvalue.type, value, view, function)
        if isinstance(lvalue.type, PointerType) and isinstance(value, int):
            born = self.names.introduced(value)
            if born is not None:
                return ShownValue(shown.name, shown.value, born)
        return shown

    def seen(self, terms: Sequence[Expr], view: StateView, function: str) -> tuple[ShownValue, ...]:
        """The values that the terms use, of variables and other lvalues."""
        found: dict[str, ShownValue] = {}
        for lvalue in reads_of(terms):
            if isinstance(lvalue, Var) and is_temporary(lvalue):
                for item in self.temporaries.seen(lvalue):
                    found.setdefault(item.name, item)
            value = self.value(lvalue, view)
            if value is None:
                continue
            name = self.term(lvalue)
            item = self.shown(name, lvalue.type, value, view, function)
            if value and isinstance(root_of(lvalue), Deref) and self._is_garbage(lvalue, view):
                item = replace(item, note=f"{item.note} (not initialised)".strip())
            if name != str(item.value) and _says_something(name) and not has_operator(name):
                found.setdefault(name, item)
        return tuple(found.values())

    def _is_garbage(self, lvalue: Lvalue, view: StateView) -> bool:
        """Is it a part of an object of the heap that was never written?"""
        place = view.place(lvalue)
        if not isinstance(place, ByteRange) or not self.is_unset(place):
            return False
        found = view.object_near(place.address)
        return found is not None and found.live and found.kind is ObjectKind.HEAP

    def value(self, e: Expr, view: StateView) -> Value | None:
        """The value of a term, if it has one."""
        try:
            return view.value(e)
        except _FAULTS:
            return None

    def with_found(
        self,
        values: tuple[ShownValue, ...],
        found: Iterable[FoundValue],
        view: StateView,
        function: str,
    ) -> tuple[ShownValue, ...]:
        """The values, and what memory of the environment holds when it is first read."""
        shown = {value.name: value for value in values}
        for item in found:
            lvalue = item.lvalue
            seen = self.shown(self.term(lvalue), lvalue.type, item.value, view, function)
            note = f"{seen.note} (from outside)".strip()
            shown[seen.name] = ShownValue(seen.name, seen.value, note)
        return tuple(shown.values())

    # --- memory -----------------------------------------------------------------------------------

    def allocated(self, op: Alloc, address: int, view: StateView, line: int) -> None:
        """An object was allocated: it has a name from now on."""
        if (variable := whose_life(op.target)) is not None:
            self.names.variable(variable, address)
            return
        found = view.object_near(address)
        size = 0 if found is None else found.size
        function = "calloc" if op.zeroed and op.kind is AllocKind.HEAP else _ALLOCATORS[op.kind]
        self.names.allocated(address, size, function, line)

    def range_of(self, op: Operation, view: StateView) -> ByteRange | None:
        """The bytes that an operation writes, if it writes to memory."""
        try:
            match op:
                case Fill(pointer, _, size) | Copy(pointer, _, size):
                    start, count = view.value(pointer), view.value(size)
                    assert isinstance(start, int) and isinstance(count, int)
                    return ByteRange(start, count)
            target = op_target(op)
            place = None if target is None else view.place(target)
            return place if isinstance(place, ByteRange) else None
        except _FAULTS:
            return None

    def part(self, where: ByteRange, function: str) -> str | None:
        """The name of the part of an object that is there, if it is one as a whole."""
        part = self.names.part(where.address, where.size, function)
        whole = part is not None and part.type is not None and part.size == where.size
        return part.name if part is not None and whole and not where.partly else None

    def contents(
        self, ranges: Iterable[ByteRange], view: StateView, function: str
    ) -> tuple[ShownValue, ...]:
        """What the parts of objects hold now in which these bytes lie."""
        found: dict[str, ShownValue] = {}
        for item in ranges:
            held = view.object_near(item.address)
            part = self.names.part(item.address, item.size, function) if item.size else None
            if held is None or not held.live or part is None:
                continue
            start = part.address - held.base
            data = bytes(held.data[start : start + min(part.size, _MOST_BYTES)])
            type_ = part.type
            value: Value = data
            if isinstance(type_, IntType | PointerType | FloatType):
                value = codec(type_).read(data, 0)[0]
            found[part.name] = (
                ShownValue(part.name, bytes_text(data))
                if type_ is None
                else self.shown(part.name, type_, value, view, function)
            )
            if len(found) == _MOST_PARTS:
                break
        return tuple(found.values())

    def remember(
        self, op: Operation, value: Value | None, seen: tuple[ShownValue, ...], view: StateView,
        function: str,
    ) -> None:  # fmt: skip
        """What temporaries stand for after an operation that has given this value."""
        target, temporaries = op_target(op), self.temporaries
        if target is None:
            if isinstance(op, Fill | Copy):
                temporaries.written(None)
            return
        shown = "" if value is None else _told(self.shown("", target.type, value, view, function))
        if not (isinstance(target, Var) and is_temporary(target)):
            source = _copied(op)
            temporaries.written(target, keep=source)
            if source is not None:
                temporaries.assigned(source, target, self.term(target), shown)
            return
        match op:
            case Assign(_, term):
                temporaries.computed(target, self.term(term), [term], shown, seen)
            case Alloc(_, size, kind):
                temporaries.constant(target, f"{_ALLOCATORS[kind]}({self.term(size)})")
            case Havoc(_, Source.NONDET | Source.EXTERN, name):
                temporaries.constant(target, f"{name}()")
            case Havoc(_, Source.UNKNOWN, name):
                temporaries.constant(target, f"{name}(...)")
            case _:
                temporaries.constant(target, shown)


def joined(ranges: list[ByteRange]) -> list[ByteRange]:
    """The same bytes in as few ranges as possible."""
    found: list[ByteRange] = []
    for item in sorted(ranges, key=lambda r: r.address):
        if found and item.address <= found[-1].address + found[-1].size:
            last = found[-1]
            end = max(last.address + last.size, item.address + item.size)
            found[-1] = ByteRange(last.address, end - last.address)
        else:
            found.append(item)
    return found


def is_indexed(lvalue: Lvalue) -> bool:
    """Does it depend on a number which part of an object this is?"""
    while True:
        match lvalue:
            case Index(_, index, _) if not isinstance(index, Const):
                return True
            case Index(base, _, _) | Field(base, _, _):
                lvalue = base
            case Deref(pointer, _):
                return isinstance(pointer, PointerAdd)
            case _:
                return False


def _copied(op: Operation) -> Var | None:
    """The temporary that an operation copies to a variable."""
    match op:
        case Assign(_, Var() as source) if is_temporary(source):
            return source
    return None


def _told(item: ShownValue) -> str:
    return str(item.value)


def has_operator(text: str) -> bool:
    """Does the text of a term need parentheses where it is an operand?

    >>> has_operator("a & 7"), has_operator("f(a, b)"), has_operator('(char *)p[i + 1]')
    (True, False, False)
    """
    depth, quote = 0, ""
    for before, character in zip(" " + text, text, strict=False):
        if quote:
            quote = "" if character == quote and before != "\\" else quote
        elif character in "\"'":
            quote = character
        elif character in "([":
            depth += 1
        elif character in ")]":
            depth -= 1
        elif character == " " and depth == 0:
            return True
    return False


def _says_something(name: str) -> bool:
    """Is it more than numbers? Temporaries may stand for those."""
    return any(character.isalpha() for character in name)
