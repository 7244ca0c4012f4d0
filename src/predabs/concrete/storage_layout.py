"""Where the variables of a program live while it runs.

A scalar whose address is never taken is a Python variable: a slot of the frame's list `r`, or a
global name of the generated code. All others have bytes. Soundness duty: every variable that a
pointer can reach has bytes, and a global has the same address in every run.

A frame is a list: `r[OBJECTS]` has the stack objects that end with it, `r[RESULT]` gets what a
called function returns, `r[SAVED]` has what a call must remember, and the variables follow.
"""

from __future__ import annotations

from typing import TypeAlias

from ..analysis.memory.views import View, Views
from ..errors import InternalError
from ..ir.address_space import FIRST_FUNCTION
from ..ir.cfa import ExternPointers, Function, Global, Program, is_string_literal
from ..ir.def_use import op_target, op_values
from ..ir.expr import (
    AddressOf,
    Const,
    Deref,
    Expr,
    Field,
    FunctionAddress,
    Index,
    Initialised,
    Lvalue,
    Var,
)
from ..ir.ops import Alloc, AllocKind
from ..ir.types import (
    ArrayType,
    Member,
    PointerType,
    RecordType,
    Type,
    is_scalar,
    size_of,
)
from ..ir.walk import children, root_of
from ..records import dataclass, field, replace
from .memory import ByteMemory, ObjectKind

OBJECTS, RESULT, SAVED, FIRST_SLOT = 0, 1, 2, 3
_FUNCTION_SPACING = 16


@dataclass(frozen=True, slots=True)
class Register:
    """A variable that generated code reads and writes as `text`."""

    var: Var
    text: str
    is_global: bool


@dataclass(frozen=True, slots=True)
class InBytes:
    """A variable with bytes: `data` is the text of its bytearray, `address` that of its address
    (a numeral for a global)."""

    var: Var
    data: str
    address: str
    size: int
    kind: ObjectKind

    @property
    def name(self) -> str:
        return f"'{self.var.short}'"


Home: TypeAlias = Register | InBytes


@dataclass(frozen=True, slots=True)
class FrameLayout:
    """The homes of a function's variables, parameters first, and whether objects end with it."""

    function: Function
    homes: tuple[Home, ...]
    has_objects: bool


class VariableLayout:
    """The homes of all variables, the members of all records, the addresses of all functions; and
    whether there is memory of the environment, and as what it is accessed, and whether it is asked
    what was written (`has_shadow`)."""

    def __init__(self, program: Program) -> None:
        self.bits = program.data_model.pointer_bits
        self.has_environment = program.extern_pointers is ExternPointers.FRESH
        self._members = {
            tag: {m.name: (m, m is record.members[-1]) for m in record.members}
            for tag, record in program.records.items()
        }
        self._pointers: dict[Type, tuple[int, ...]] = {}
        uses = _Uses()
        for function in program.functions.values():
            for edge in function.edges:
                uses.look_at(op_target(edge.op), *op_values(edge.op))
        for item in program.globals:
            for assign in item.init:
                uses.look_at(assign.target, assign.value)
        self.has_shadow = uses.initialised
        # without the functions: whoever keeps a layout must not keep the program
        self._views = Views(replace(program, functions={}, globals=()), uses.parts)
        self._view_of: dict[Lvalue, View] = {}
        names = dict.fromkeys((*program.functions, *program.externals, *uses.functions))
        self.functions = {
            name: FIRST_FUNCTION + _FUNCTION_SPACING * number for number, name in enumerate(names)
        }
        self._homes: dict[str, Home] = {}
        memory = ByteMemory(self.bits)
        self.globals = tuple(
            (item, self._global(item, number, uses, memory))
            for number, item in enumerate(program.globals)
        )
        self.frames = {
            name: self._frame(function, uses) for name, function in program.functions.items()
        }

    def home(self, var: Var) -> Home:
        found = self._homes.get(var.name)
        if found is None:
            raise InternalError(f"the variable {var.name} is not declared in the program")
        return found

    def member(self, record: Type, name: str) -> tuple[Member, bool]:
        """The member of that name, and whether it is the record's last."""
        if isinstance(record, RecordType) and (
            found := self._members.get(record.tag, {}).get(name)
        ):
            return found
        raise InternalError(f"the type {record} has no member {name}")

    def view(self, lvalue: Lvalue) -> View:
        """What a scalar lvalue is in memory of the environment."""
        found = self._view_of.get(lvalue)
        if found is None:
            found = self._view_of[lvalue] = self._views.of(lvalue)
        return found

    def pointers(self, type_: Type) -> tuple[int, ...]:
        """The offsets of the pointers in a type."""
        found = self._pointers.get(type_)
        if found is None:
            match type_:
                case PointerType():
                    found = (0,)
                case ArrayType(element, length):
                    inner, size = self.pointers(element), size_of(element)
                    found = tuple(
                        n * size + at for n in range(length if inner else 0) for at in inner
                    )
                case RecordType(tag, _):
                    members = [member for member, _ in self._members.get(tag, {}).values()]
                    found = tuple(m.offset + at for m in members for at in self.pointers(m.type))
                case _:
                    found = ()
            self._pointers[type_] = found
        return found

    def _global(self, item: Global, number: int, uses: _Uses, memory: ByteMemory) -> Home:
        var = item.var
        home: Home
        if uses.needs_bytes(var):
            size = max([size_of(var.type), *(self._end(assign.target) for assign in item.init)])
            kind = ObjectKind.LITERAL if is_string_literal(var) else ObjectKind.GLOBAL
            home = InBytes(var, f"d{number}", str(memory.reserve(size)), size, kind)
        else:
            home = Register(var, f"g{number}", True)
        self._homes[var.name] = home
        return home

    def _end(self, lvalue: Lvalue) -> int:
        """Where the lvalue ends in its object, if that is known: an initialiser of a flexible array
        member makes the object larger than its type."""
        end = size_of(lvalue.type)
        part: Expr = lvalue
        while not isinstance(part, Var):
            match part:
                case Field(base, name, _):
                    end += self.member(base.type, name)[0].offset
                    part = base
                case Index(base, Const(value, _), element):
                    end += value * size_of(element)
                    part = base
                case _:
                    return 0
        return end

    def _frame(self, function: Function, uses: _Uses) -> FrameLayout:
        homes: list[Home] = []
        slot = FIRST_SLOT
        for var in (*function.params, *function.locals):
            home: Home
            if uses.needs_bytes(var):
                home = InBytes(
                    var, f"r[{slot}]", f"r[{slot + 1}]", size_of(var.type), ObjectKind.STACK
                )
                slot += 2
            else:
                home = Register(var, f"r[{slot}]", False)
                slot += 1
            homes.append(home)
            self._homes[var.name] = home
        has_objects = any(isinstance(home, InBytes) for home in homes) or any(
            isinstance(edge.op, Alloc) and edge.op.kind is AllocKind.STACK
            for edge in function.edges
        )
        return FrameLayout(function, tuple(homes), has_objects)


@dataclass(slots=True)
class _Uses:
    """What the expressions of a program refer to."""

    addressed: set[str] = field(default_factory=set)
    types: dict[str, Type] = field(default_factory=dict)
    functions: dict[str, None] = field(default_factory=dict)
    parts: list[Lvalue] = field(default_factory=list)  # behind pointers, with addresses taken
    initialised: bool = False  # is it asked what was written?
    seen: set[Expr] = field(default_factory=set)

    def look_at(self, *expressions: Expr | None) -> None:
        stack = [e for e in expressions if e is not None]
        while stack:
            term = stack.pop()
            if term in self.seen:
                continue
            self.seen.add(term)
            match term:
                case Var(name, type_):
                    if self.types.setdefault(name, type_) is not type_:
                        self.addressed.add(name)  # seen as two types: only bytes can be both
                case AddressOf(Var(name, _), _):
                    self.addressed.add(name)
                case AddressOf(Field() | Index() as part, _) if isinstance(root_of(part), Deref):
                    self.parts.append(part)
                case FunctionAddress(name, _):
                    self.functions[name] = None
                case Initialised():
                    self.initialised = True
            stack.extend(reversed(children(term)))

    def needs_bytes(self, var: Var) -> bool:
        self.look_at(var)
        scalar = is_scalar(var.type)
        return not scalar or var.name in self.addressed
