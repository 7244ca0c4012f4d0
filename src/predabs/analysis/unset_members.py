"""Pointers in zeroed memory that nothing in the program sets, although it follows them.

A program that calls functions of others is a part of a larger one: the others may set what they are
given. The model of a module's environment allocates the objects that the rest of the system would
pass to the module, and zeroes them. By the letter of C the pointers in them are null and every run
that follows one ends there, so that a proof would say little. A member of pointer type that no
operation of the program writes is taken to come from outside when such an object is made; what kind
of record that is, is seen from the number of bytes: where else that number is asked for, a cast
says it.

Soundness duty: a pointer from outside may be null, so every run of the program is still one; each
member is named among the assumptions. Bytes that the program reads as anything else stay zero.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from ..ir import make
from ..ir.cfa import Edge, ExternPointers, Function, Location, Program
from ..ir.def_use import op_target, op_values
from ..ir.expr import (
    AddressOf,
    Cast,
    Const,
    Deref,
    Expr,
    Field,
    FunctionAddress,
    Ite,
    Lvalue,
    PointerAdd,
    Var,
)
from ..ir.ops import Alloc, Assign, Assume, Call, Havoc, Return, Source
from ..ir.types import FunctionType, IntType, PointerType, RecordType, Type, size_of
from ..ir.walk import unseen
from ..records import dataclass, replace

_MOST_LEAVES = 2048  # of a record
_MOST_SIZES = 32

Name: TypeAlias = tuple[str, str]  # of a member: the record's tag, and its own
Carrier: TypeAlias = Name | Var | str  # what holds a value: a member, a variable, a result


def with_unset_members(program: Program) -> Program:
    """The program in which such pointers are inputs."""
    zeroed = [e for e in _edges(program) if isinstance(e.op, Alloc) and e.op.zeroed]
    if not zeroed or program.extern_pointers is ExternPointers.NULL or not _is_part(program):
        return program
    uses = _Uses(program)
    unset = uses.followed() - uses.written
    if not unset:
        return program
    shapes = _Shapes(program, uses, unset)
    by_size = {size: shapes.leaves(size) for size in sorted(uses.made)}
    by_size = {size: leaves for size, leaves in by_size.items() if leaves}
    if not by_size or len(by_size) > _MOST_SIZES:
        return program
    named = sorted({leaf.name for leaves in by_size.values() for leaf in leaves})
    notes = (
        f"`{name}` of {tag} in zeroed memory, which nothing here sets, comes from outside"
        for tag, name in named
    )
    functions = {name: _changed(function, by_size) for name, function in program.functions.items()}
    return replace(program, functions=functions, assumptions=(*program.assumptions, *notes))


def _is_part(program: Program) -> bool:
    """Does the program call functions that are defined elsewhere, with pointers? Then others may
    set what they are given; in a whole program, nobody does."""
    stubs = {name for name, function in program.functions.items() if _is_stub(program, function)}
    return any(
        isinstance(edge.op, Call)
        and isinstance(edge.op.callee, FunctionAddress)
        and (edge.op.callee.name not in program.functions or edge.op.callee.name in stubs)
        and any(isinstance(arg.type, PointerType) for arg in edge.op.args)
        for edge in _edges(program)
    )


def _is_stub(program: Program, function: Function) -> bool:
    """Does a function only stand for one that is defined elsewhere? It looks at nothing that it is
    given, and returns any value: an input, or what a function without parameters returns."""
    if not function.params or _mentions_params(function):
        return False
    calls = [edge.op for edge in function.edges if isinstance(edge.op, Call)]
    if any(call.args or not isinstance(call.callee, FunctionAddress) for call in calls):
        return False
    return any(call.target is not None for call in calls) or any(
        isinstance(edge.op, Havoc) and edge.op.source is Source.NONDET for edge in function.edges
    )


def _mentions_params(function: Function) -> bool:
    """Does a function read or write a parameter?"""
    seen: set[Expr] = set()
    for edge in function.edges:
        target = op_target(edge.op)
        terms = [*op_values(edge.op), *([target] if target is not None else [])]
        if any(term in function.params for term in unseen(terms, seen)):
            return True
    return False


def _edges(program: Program) -> Iterator[Edge]:
    return (edge for function in program.functions.values() for edge in function.edges)


def _points_to_data(type_: Type) -> bool:
    return isinstance(type_, PointerType) and not isinstance(type_.target, FunctionType)


def _member(term: Expr) -> Name | None:
    """The member that an lvalue is."""
    if isinstance(term, Field) and isinstance(term.base.type, RecordType):
        return term.base.type.tag, term.name
    return None


class _Uses:
    """What the program does with members."""

    def __init__(self, program: Program) -> None:
        self.written: set[Name] = set()  # or their addresses are taken
        self.used: set[Name] = set()
        self.made: dict[int, set[RecordType]] = {}  # of a number of bytes
        self._deref: set[Carrier] = set()
        self._moves: dict[Carrier, set[Carrier]] = {}
        self._seen: set[Expr] = set()
        for item in program.globals:
            for assign in item.init:
                self._look(assign.target)
                self._look(assign.value)
                if not (isinstance(assign.value, Const) and assign.value.value == 0):
                    self._write(assign.target)
        for name, function in program.functions.items():
            for edge in function.edges:
                self._edge(program, name, edge)
            self._allocations(function)

    def _allocations(self, function: Function) -> None:
        """What is made of the results of calls with a number: `(struct s *) alloc(64)`."""
        numbers: dict[Var, set[int]] = {}
        for edge in function.edges:
            match edge.op:
                case Call(Var() as result, FunctionAddress(), args):
                    sizes = {arg.value for arg in args if isinstance(arg, Const)}
                    numbers.setdefault(result, set()).update(sizes)
                case Alloc(Var() as result, Const(size, _)):
                    numbers.setdefault(result, set()).add(size)
        for edge in function.edges:
            match edge.op:
                case Assign(_, Cast(Var() as result, PointerType(RecordType() as record, _))):
                    for size in numbers.get(result, ()):
                        self.made.setdefault(size, set()).add(record)

    def _edge(self, program: Program, name: str, edge: Edge) -> None:
        op = edge.op
        target = op_target(op)
        if target is not None:
            self._look(target)
            self._write(target)
        for value in op_values(op):
            self._look(value)
        match op:
            case Assign(Var() as var, value):
                self._move(value, var)
            case Return(result) if result is not None:
                self._move(result, name)
            case Call(target, FunctionAddress(callee, _), args):
                function = program.functions.get(callee)
                for param, arg in zip(function.params if function else (), args, strict=False):
                    self._move(arg, param)
                if isinstance(target, Var):
                    self._moves.setdefault(callee, set()).add(target)

    def _write(self, target: Lvalue) -> None:
        name = _member(target)
        if name is not None:
            self.written.add(name)

    def _look(self, value: Expr) -> None:
        for term in unseen((value,), self._seen):
            match term:
                case AddressOf(target, _):
                    self._write(target)
                case Deref(pointer, _):
                    self._deref.update(_carriers(pointer))
                case Field():
                    name = _member(term)
                    if name is not None:
                        self.used.add(name)

    def _move(self, value: Expr, to: Carrier) -> None:
        for carrier in _carriers(value):
            self._moves.setdefault(carrier, set()).add(to)

    def followed(self) -> set[Name]:
        """The members whose values come to be followed, as far as variables and results carry
        them."""
        back: dict[Carrier, set[Carrier]] = {}
        for source, targets in self._moves.items():
            for target in targets:
                back.setdefault(target, set()).add(source)
        todo = list(self._deref)
        found: set[Carrier] = set()
        while todo:
            carrier = todo.pop()
            if carrier not in found:
                found.add(carrier)
                todo += back.get(carrier, ())
        return {carrier for carrier in found if isinstance(carrier, tuple)}


def _carriers(value: Expr) -> Iterator[Carrier]:
    """Where the address comes from that a value is."""
    match value:
        case Var():
            yield value
        case Field():
            name = _member(value)
            if name is not None and _points_to_data(value.type):
                yield name
        case Cast(arg, _):
            yield from _carriers(arg)
        case PointerAdd(pointer, _, _):
            yield from _carriers(pointer)
        case Ite(_, then, other, _):
            yield from _carriers(then)
            yield from _carriers(other)


@dataclass(frozen=True, slots=True)
class _Leaf:
    """A member somewhere in a record: the names that lead there from the whole."""

    whole: RecordType
    path: tuple[tuple[str, Type], ...]
    name: Name
    offset: int

    def lvalue(self, pointer: Expr) -> Lvalue:
        assert isinstance(pointer.type, PointerType)
        bits = pointer.type.bits
        found = make.deref(make.cast(pointer, PointerType(self.whole, bits)))
        for name, type_ in self.path:
            found = make.field(found, name, type_)
        return found


@dataclass(slots=True)
class _Shapes:
    """The records by the sizes they are allocated with, and where unset members lie in them."""

    program: Program
    uses: _Uses
    unset: set[Name]

    def leaves(self, size: int) -> list[_Leaf]:
        """The pointers from outside in an object of this size; none, where a record of the same
        size has something else that the program uses."""
        pointer = self.program.data_model.pointer_bits // 8
        found: dict[int, _Leaf] = {}
        others: set[int] = set()
        for whole in sorted(self.uses.made[size], key=lambda record: record.tag):
            for leaf in self._parts(whole):
                if leaf.name in self.unset:
                    found.setdefault(leaf.offset, leaf)
                elif leaf.name in self.uses.used:
                    others.update(range(leaf.offset, leaf.offset + size_of(leaf.path[-1][1])))
        return [
            leaf
            for offset, leaf in sorted(found.items())
            if offset + pointer <= size and others.isdisjoint(range(offset, offset + pointer))
        ]

    def _parts(self, whole: RecordType) -> Iterator[_Leaf]:
        """The members of a record and of the records in it."""
        todo: list[tuple[RecordType, tuple[tuple[str, Type], ...], int]] = [(whole, (), 0)]
        count = 0
        while todo:
            record, path, start = todo.pop()
            known = self.program.records.get(record.tag)
            for member in () if known is None or known.union else known.members:
                count += 1
                if count > _MOST_LEAVES:
                    return
                here = (*path, (member.name, member.type))
                type_ = member.type
                if isinstance(type_, RecordType):
                    todo.append((type_, here, start + member.offset))
                else:
                    yield _Leaf(whole, here, (record.tag, member.name), start + member.offset)


def _changed(function: Function, by_size: dict[int, list[_Leaf]]) -> Function:
    """The function in which zeroed memory of such a size gets inputs."""
    edges: list[Edge] = []
    free = max((location.index for location in function.locations), default=0)

    def fresh() -> Location:
        nonlocal free
        free += 1
        return Location(function.name, free)

    for edge in function.edges:
        op = edge.op
        if not isinstance(op, Alloc) or not op.zeroed or not isinstance(op.target, Var):
            edges.append(edge)
            continue
        here = edge.src
        for size, leaves in by_size.items():
            assert isinstance(op.size.type, IntType)
            same = make.equal(op.size, make.const(size, op.size.type))
            if isinstance(same, Const) and not same.value:
                continue
            there, after = fresh(), fresh()
            edges.append(Edge(here, Assume(same), there, edge.coord))
            edges.append(Edge(here, Assume(make.negate(same)), after, edge.coord))
            at = fresh()
            edges.append(Edge(there, op, at, edge.coord))
            for number, leaf in enumerate(leaves):
                then = edge.dst if number == len(leaves) - 1 else fresh()
                havoc = Havoc(leaf.lvalue(op.target), Source.UNINITIALIZED, leaf.name[1])
                edges.append(Edge(at, havoc, then, edge.coord))
                at = then
            here = after
        edges.append(Edge(here, op, edge.dst, edge.coord))
    if len(edges) == len(function.edges):
        return function
    return replace(function, edges=tuple(edges))
