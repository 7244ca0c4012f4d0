"""Definitions of pointer registers: all that a pointer variable may be given.

A *register* is a scalar variable that only its name reaches. Soundness duty: no definition of a
register is left out; a register that may be read before it was written is among the `unset` ones.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeAlias, TypeGuard

from ...ir import make
from ...ir.cfa import Edge, Function, Location, Program
from ...ir.def_use import op_reads
from ...ir.expr import Expr, Var
from ...ir.ops import Alloc, Assign, Call, Havoc, Print, Return, Source
from ...ir.types import PointerType
from ...records import dataclass
from ..points_to.sets import PointsTo


@dataclass(frozen=True, slots=True)
class Value:
    """The value of an expression of this function (empty: of an initialiser), which the function
    may have `returned`."""

    expr: Expr
    function: str
    returned: bool = False


@dataclass(frozen=True, slots=True)
class Made:
    """The address of the new object of an `Alloc`."""

    edge: Edge


@dataclass(frozen=True, slots=True)
class Unknown:
    """Anything: an input, or the result of code that is not there."""


@dataclass(frozen=True, slots=True)
class Unset:
    """Nothing has been written yet."""


Definition: TypeAlias = Value | Made | Unknown | Unset


class Definitions:
    """The definitions of all pointer registers of a program, as far as runs come to them."""

    def __init__(
        self, program: Program, points_to: PointsTo, reachable: Callable[[Location], bool]
    ) -> None:
        self._program = program
        self._points_to = points_to
        self._found: dict[Var, dict[Definition, None]] = {}
        for item in program.globals:
            if self.is_register(item.var):
                self._add(item.var, Unknown() if item.external else _initial(item.var))
                for assign in item.init:
                    self._add(item.var, Value(assign.value, ""))
        for function in program.functions.values():
            for var in _unset(function):
                if self.is_register(var):
                    self._add(var, Unset())
            for edge in function.edges:
                if reachable(edge.src):
                    self._edge(edge)
        entry = program.functions.get(program.entry)
        for param in entry.params if entry is not None else ():
            self._add(param, Unknown())

    def is_register(self, var: object) -> TypeGuard[Var]:
        """Is it a pointer variable that only its name reaches?"""
        return (
            isinstance(var, Var)
            and isinstance(var.type, PointerType)
            and self._points_to.address_taken.scalar_variable(var)
        )

    def of(self, register: Var) -> tuple[Definition, ...]:
        return tuple(self._found.get(register, ()))

    @property
    def registers(self) -> tuple[Var, ...]:
        return tuple(self._found)

    def _add(self, var: Expr | None, definition: Definition) -> None:
        if self.is_register(var):
            self._found.setdefault(var, {})[definition] = None

    def _edge(self, edge: Edge) -> None:
        match edge.op:
            case Assign(target, value):
                self._add(target, Value(value, edge.src.function))
            case Alloc(target):
                self._add(target, Made(edge))
            case Havoc(target, source):  # one that is not written yet is `Unset` where it is read
                if source is not Source.UNINITIALIZED:
                    self._add(target, Unknown())
            case Print(target):
                self._add(target, Unknown())
            case Call(target, _, args):
                self._call(edge, target, args)

    def _call(self, edge: Edge, target: Expr | None, args: tuple[Expr, ...]) -> None:
        for function in self.callees(edge):
            if function is None:
                self._add(target, Unknown())
                continue
            for number, param in enumerate(function.params):
                given = args[number] if number < len(args) else None
                self._add(param, _passed(given, edge.src.function, returned=False))
            for value in results(function):
                self._add(target, _passed(value, function.name, returned=True))

    def callees(self, edge: Edge) -> Iterator[Function | None]:
        """The functions that a call may enter; None stands for those without a body."""
        names = self._points_to.call_targets(edge)
        unknown = self._points_to.may_be_unknown(edge)
        for name in names:
            if name in self._program.functions:
                yield self._program.functions[name]
            else:
                unknown = True
        if unknown or not names:
            yield None


def results(function: Function) -> Iterator[Expr | None]:
    """What a function may return; None for nothing."""
    for edge in function.edges:
        if isinstance(edge.op, Return):
            yield edge.op.value


def _passed(value: Expr | None, function: str, *, returned: bool) -> Definition:
    """An argument or a result; one that is missing, or no pointer, may be anything."""
    if value is None or not isinstance(value.type, PointerType):
        return Unknown()
    return Value(value, function, returned)


def _initial(var: Var) -> Definition:
    assert isinstance(var.type, PointerType)
    return Value(make.const(0, var.type), "")


def _unset(function: Function) -> set[Var]:
    """The variables of a function that may be read before they were written."""
    numbers = {var: number for number, var in enumerate(function.locals)}
    unset: dict[Location, int] = {function.entry: (1 << len(numbers)) - 1}
    todo = [function.entry]
    while todo:
        location = todo.pop()
        for edge in function.outgoing[location]:
            after = _after(edge, unset[location], numbers)
            before = unset.get(edge.dst)
            if before is None or after & ~before:
                unset[edge.dst] = after | (before or 0)
                todo.append(edge.dst)
    found: set[Var] = set()
    for edge in function.edges:
        if open_ := unset.get(edge.src, 0):
            for lvalue in op_reads(edge.op):
                if isinstance(lvalue, Var) and open_ >> numbers.get(lvalue, len(numbers)) & 1:
                    found.add(lvalue)
    return found


def _after(edge: Edge, unset: int, numbers: dict[Var, int]) -> int:
    match edge.op:
        case Havoc(Var() as target, Source.UNINITIALIZED) if target in numbers:
            return unset | 1 << numbers[target]
        case Assign(Var() as target) | Alloc(Var() as target) | Havoc(Var() as target):
            return unset & ~(1 << numbers[target]) if target in numbers else unset
        case Call(Var() as target) | Print(Var() as target) if target in numbers:
            return unset & ~(1 << numbers[target])
    return unset
