"""Terminators: where in an array of characters a zero certainly stands.

A loop over a string ends at its terminator, which no condition on numbers tells. So an array of
characters has a ghost number, the index of an element that is zero, or -1: a store of zero sets it,
another store at that place resets it. What a read gives at that index is zero, which is stated as
an assumption at each read.

Soundness duty: whenever the number is not negative, the element is zero; so the assumptions exclude
no run. All writes are looked at, by points-to sets; where the place of a write is not known, the
number becomes -1. It rests on each access being checked before: a pointer that is followed then
points into its object.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...ir import make
from ...ir.cfa import Edge, Function, Global, Program
from ...ir.def_use import op_reads, op_target
from ...ir.expr import And, Binary, Cast, Const, Expr, Index, Lvalue, Not, Op, Var
from ...ir.ops import Alloc, Assign, Assume, Call, Copy, Fill, Havoc, Print
from ...ir.types import UCHAR, ArrayType, IntType, PointerType, Type
from ...ir.walk import variables
from ..points_to.objects import UNKNOWN, Allocated, Object, Variable
from ..points_to.sets import PointsTo
from .numbers import UNKNOWN_LENGTH, GhostNumbers, object_name
from .places import Anchor


class Terminators:
    """The terminators of one program's arrays; what is asked of shapes here must be asked before
    the ghost variables are listed."""

    def __init__(self, program: Program, points_to: PointsTo, numbers: GhostNumbers) -> None:
        self._program = program
        self._points_to = points_to
        self._numbers = numbers
        self._bits = program.data_model.pointer_bits
        self._unknown = numbers.constant(UNKNOWN_LENGTH)
        self._objects: dict[Object, Var] = {}
        for function in program.functions.values():
            for edge in function.edges:
                for lvalue in op_reads(edge.op):
                    self._look_at(lvalue)
        for function in program.functions.values():
            for edge in function.edges:
                target = op_target(edge.op)
                if target is not None and _is_character(target.type):
                    self._numbers.shapes.use(self._address(target))
                elif isinstance(edge.op, Fill):
                    self._numbers.shapes.use(edge.op.pointer)

    def _look_at(self, lvalue: Lvalue) -> None:
        found = self._object(lvalue)
        if found is not None and found not in self._objects:
            name = str(found).replace("::", ".")
            if isinstance(found, Allocated):
                name = object_name(found)
            var = Var(f"{name}.zero", self._numbers.number)
            self._objects[found] = var
        if found is not None:
            self._numbers.shapes.use(self._address(lvalue))

    # --- places -----------------------------------------------------------------------------------

    def _address(self, lvalue: Lvalue) -> Expr:
        return make.address_of(lvalue, PointerType(lvalue.type, self._bits))

    def _object(self, lvalue: Lvalue) -> Object | None:
        """The array that an lvalue is a character of, if there is only one it can be."""
        if not _is_character(lvalue.type) or isinstance(lvalue, Var):
            return None
        pointer = self._address(lvalue)
        root = self._numbers.facts.place(pointer).root
        is_traced = isinstance(root, Var) and self._numbers.facts.traced(root)
        objects = self._numbers.facts.objects(pointer)
        if len(objects) != 1 or not (isinstance(root, Anchor) or is_traced):
            return None
        (object_,) = objects
        return object_ if _is_text(object_) and self._numbers.facts.single(object_) else None

    def _index(self, lvalue: Lvalue) -> Expr:
        index = self._numbers.index(self._address(lvalue), 1)
        assert index is not None  # its root is a variable, or one that is followed
        return index

    # --- values -----------------------------------------------------------------------------------

    def globals(self) -> Iterator[Assign]:
        """The ghost variables with their first values."""
        items = {item.var: item for item in self._program.globals}
        for object_, var in self._objects.items():
            item = items.get(object_.var) if isinstance(object_, Variable) else None
            first = self._unknown if item is None else self._initial(item)
            yield Assign(var, first)

    def _initial(self, item: Global) -> Expr:
        """A global is zero where its initialiser does not write: look at the last character."""
        assert isinstance(item.var.type, ArrayType)
        last = item.var.type.length - 1
        if item.external or last < 0:
            return self._unknown
        for assign in item.init:
            match assign:
                case Assign(Index(Var(), Const(at), _), Const(value)):
                    if at == last and value:
                        return self._unknown
                case _:
                    return self._unknown
        return self._numbers.constant(last)

    def entered(self, function: Function) -> Iterator[Assign]:
        """The arrays of a function hold anything when it is entered."""
        for object_, var in self._objects.items():
            if isinstance(object_, Variable) and object_.var.function == function.name:
                yield Assign(var, self._unknown)

    def before(self, edge: Edge) -> Iterator[Assign]:
        """What an operation does to terminators, in terms of the state before it."""
        op = edge.op
        match op:
            case Fill(pointer) | Copy(pointer):
                written = {target.object for target in self._points_to.targets(pointer)}
                yield from self._lost(written)
                if isinstance(op, Fill):
                    yield from self._filled(op)
            case Assign(target, value):
                mine = self._object(target)
                if mine is not None and mine in self._objects:
                    yield self._stored(mine, target, value)
                else:
                    yield from self._overwritten(target)
            case Havoc(target) | Alloc(target):
                yield from self._overwritten(target)
        if isinstance(op, Alloc) and (made := Allocated(edge)) in self._objects:
            length = self._numbers.made(op.size, 1)
            last = make.binary(Op.SUB, length, self._numbers.constant(1))
            yield Assign(self._objects[made], last if op.zeroed else self._unknown)

    def after(self, edge: Edge) -> Iterator[Assign]:
        """What the result of a call overwrites when it has returned."""
        if isinstance(edge.op, Call | Print) and edge.op.target is not None:
            yield from self._overwritten(edge.op.target)

    def _overwritten(self, target: Lvalue) -> Iterator[Assign]:
        if not self._is_register(target):
            yield from self._lost({found.object for found in self._points_to.reached(target)})

    def _is_register(self, target: Lvalue) -> bool:
        return isinstance(target, Var) and self._points_to.address_taken.scalar_variable(target)

    def _lost(self, written: set[Object]) -> Iterator[Assign]:
        for object_, var in self._objects.items():
            unknown = UNKNOWN in written and self._points_to.escaped(object_)
            if object_ in written or unknown:
                yield Assign(var, self._unknown)

    def _filled(self, fill: Fill) -> Iterator[Assign]:
        """The last byte that is set to zero."""
        character = make.deref(make.cast(fill.pointer, PointerType(UCHAR, self._bits)))
        object_ = self._object(character)
        if object_ is None or object_ not in self._objects or _number(fill.byte) != 0:
            return
        size = make.cast(fill.size, self._numbers.number)
        last = make.binary(Op.SUB, size, self._numbers.constant(1))
        end = make.binary(Op.ADD, self._index(character), last)
        some = make.less(self._numbers.constant(0), size)
        yield Assign(self._objects[object_], make.ite(some, end, self._unknown))

    def _stored(self, object_: Object, target: Lvalue, value: Expr) -> Assign:
        """A zero that the program writes as such is taken for the end of a string; one that it
        computes only if no other is known."""
        zero, index = self._objects[object_], self._index(target)
        at_it = make.equal(index, zero)
        if isinstance(value, Const):
            other = make.ite(at_it, self._unknown, zero)
            return Assign(zero, index if value.value == 0 else other)
        none = make.equal(zero, self._unknown)
        is_zero = make.equal(value, Const(0, _integer(value.type)))
        other = make.ite(make.conj((at_it, make.negate(is_zero))), self._unknown, zero)
        return Assign(zero, make.ite(make.conj((none, is_zero)), index, other))

    # --- facts ------------------------------------------------------------------------------------

    def facts(self, edge: Edge) -> Iterator[Expr]:
        """What holds, before the operation, of the characters that it reads."""
        known = _conjuncts(edge.op.cond) if isinstance(edge.op, Assume) else ()
        for lvalue, differs in self._read(edge):
            if any(_says(cond, lvalue, zero=False) for cond in known):
                yield differs
            elif not any(_says(cond, lvalue, zero=True) for cond in known):
                yield make.disj((differs, _is_zero(lvalue)))

    def result(self, edge: Edge) -> Expr | None:
        """The fact about a character that a variable gets, after that: then it needs no memory."""
        match edge.op:
            case Assign(Var() as target, value):
                for lvalue, differs in self._read(edge):
                    if _uncast(value) is lvalue and target not in variables(differs):
                        return make.disj((differs, _is_zero(target)))
        return None

    def _read(self, edge: Edge) -> Iterator[tuple[Lvalue, Expr]]:
        """The characters that an operation reads, and the condition that each is not the one that
        is known to be zero."""
        for lvalue in op_reads(edge.op):
            found = self._object(lvalue)
            if found is not None and found in self._objects:
                yield lvalue, make.not_equal(self._index(lvalue), self._objects[found])


def _is_zero(value: Lvalue) -> Expr:
    return make.equal(value, Const(0, _integer(value.type)))


def _number(value: Expr) -> int | None:
    return value.value if isinstance(value, Const) else None


def _is_text(object_: Object) -> bool:
    """May it be an array of characters?"""
    if not isinstance(object_, Variable):
        return isinstance(object_, Allocated)
    type_ = object_.var.type
    return isinstance(type_, ArrayType) and _is_character(type_.element)


def _is_character(type_: Type) -> bool:
    return isinstance(type_, IntType) and type_.bits == 8


def _integer(type_: Type) -> IntType:
    assert isinstance(type_, IntType)
    return type_


def _conjuncts(cond: Expr) -> tuple[Expr, ...]:
    return cond.args if isinstance(cond, And) else (cond,)


def _says(cond: Expr, lvalue: Lvalue, *, zero: bool) -> bool:
    """Does the condition say that the lvalue is zero, or that it is not?"""
    match cond:
        case Not(arg):
            return _says(arg, lvalue, zero=not zero)
        case Binary(Op.EQ, value, Const(0), _) if zero:
            return _uncast(value) is lvalue
    return False


def _uncast(value: Expr) -> Expr:
    """What is zero if and only if the value is, without conversions to numbers as wide."""
    while isinstance(value, Cast) and isinstance(value.type, IntType) and value.type.bits >= 8:
        if not isinstance(value.arg.type, IntType) or value.arg.type.bits > value.type.bits:
            break
        value = value.arg
    return value
