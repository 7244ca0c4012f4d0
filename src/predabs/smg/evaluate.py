"""Expressions in a symbolic memory graph: what they are, and whether conditions hold.

Soundness duty: a value that is known is the expression's value in every memory of the graph; a
condition that is decided holds, or fails, in every one of them. Where that depends on a segment,
`NeedsNode` or `NeedsSplit` asks for other graphs.
"""

from __future__ import annotations

from ..concrete.memory import ObjectKind
from ..ir import make
from ..ir.cfa import Program
from ..ir.expr import (
    FALSE,
    TRUE,
    AddressOf,
    And,
    Binary,
    Cast,
    Const,
    Deref,
    Expr,
    Field,
    FunctionAddress,
    Index,
    Ite,
    Lvalue,
    NoLeak,
    Not,
    Op,
    Or,
    PointerAdd,
    PointerDiff,
    Unary,
    ValidAccess,
    ValidFree,
    Var,
)
from ..ir.types import BOOL, FloatType, IntType, PointerType, RecordType, Type, size_of
from ..records import dataclass, replace
from .graph import (
    Address,
    FunctionName,
    MemoryGraph,
    MemoryObject,
    Number,
    Opaque,
    Untold,
    Value,
    opaque,
)
from .segments import NeedsNode, NeedsSplit
from .validity import no_leak, see_filled, valid_access, valid_free


@dataclass(slots=True)
class Evaluator:
    """Evaluates in one graph, in a function."""

    program: Program
    graph: MemoryGraph
    function: str

    # --- lvalues ----------------------------------------------------------------------------------

    def home(self, var: Var) -> int:
        """The object of a variable; that of a local one begins when it is first used."""
        number = self.graph.variables.get(var)
        if number is None:
            made = MemoryObject(ObjectKind.STACK, size_of(var.type), owner=var.function)
            number = self.graph.variables[var] = self.graph.add(made)
        return number

    def address(self, lvalue: Expr) -> Value:
        """Where an lvalue lies: an address, or something that is not known."""
        match lvalue:
            case Var():
                return Address(self.home(lvalue), 0)
            case Deref(pointer, _):
                return self.value(pointer)
            case Field(base, name, _):
                assert isinstance(base.type, RecordType)
                member = self.program.records[base.type.tag].member(name)
                start = self.address(base)
                self._note_record(start, base.type)
                return self._moved(start, member.bit // 8)
            case Index(base, index, type_):
                return self._shifted(self.address(base), index, size_of(type_))
        raise Untold("an lvalue of another kind")

    def _note_record(self, start: Value, type_: RecordType) -> None:
        """An object as large as the struct that begins there is used as one."""
        if not isinstance(start, Address) or start.offset != 0:
            return
        made = self.graph.objects[start.object]
        if made.kind is ObjectKind.HEAP and made.size == size_of(type_):
            self.graph.objects[start.object] = replace(made, record=type_.tag)

    def _shifted(self, start: Value, index: Expr, size: int) -> Value:
        position = self.value(index)
        if isinstance(position, Number):
            assert isinstance(index.type, IntType)
            return self._moved(start, index.type.wrap(position.bits) * size)
        if isinstance(start, Address):
            return Address(start.object, None, start.last)
        return opaque()

    def _moved(self, start: Value, distance: int) -> Value:
        """A sum wraps around at the end of the address space."""
        width = 8 * self.graph.pointer_bytes
        match start:
            case Address(to, offset, last):
                if offset is not None:
                    offset = _signed((offset + distance) % (1 << width), width)
                return Address(to, offset, last)
            case Number(bits):
                return Number((bits + distance) % (1 << width))
            case Opaque() if distance == 0:
                return start
        return opaque()

    def place(self, address: Value, size: int) -> tuple[int, int | None] | None:
        """The object and the offset of an access; None if nothing is known about them.

        A run ends at a fault, but no proof rests on that where no check looks for it.
        """
        match address:
            case Address(to, offset, last):
                made = self.graph.objects[to]
                if not made.live:
                    raise Untold("an object that has ended is accessed")
                if made.optional:
                    raise NeedsSplit(to)
                if made.segment is not None:
                    raise NeedsNode(to, last)
                if offset is None:
                    return to, None
                if made.size is None:
                    raise Untold("an object of unknown size is accessed")
                if offset < 0 or offset + size > made.size:
                    raise Untold("an access out of bounds")
                return to, offset
            case Number():
                raise Untold("an access through null, or at a constant address")
            case FunctionName():
                raise Untold("a function is accessed")
        return None

    def load(self, lvalue: Lvalue) -> Value:
        if isinstance(lvalue, Field) and self._is_bitfield(lvalue):
            self.place(self.address(lvalue), 1)
            return opaque()
        size = size_of(lvalue.type)
        place = self.place(self.address(lvalue), size)
        if place is None or place[1] is None:
            return opaque()
        return self.graph.read(place[0], place[1], size)

    def _is_bitfield(self, lvalue: Field) -> bool:
        assert isinstance(lvalue.base.type, RecordType)
        return self.program.records[lvalue.base.type.tag].member(lvalue.name).bitfield

    # --- values -----------------------------------------------------------------------------------

    def value(self, expr: Expr) -> Value:
        """The bits of a scalar."""
        match expr:
            case Const(value, type_):
                return Number(value % (1 << _bits(type_)))
            case FunctionAddress(name, _):
                return FunctionName(name)
            case Var() | Deref() | Field() | Index():
                return self.load(expr)
            case AddressOf(target, _):
                return self.address(target)
            case PointerAdd(pointer, index, type_):
                return self._shifted(self.value(pointer), index, size_of(type_.target))
            case Cast(arg, type_):
                return self._cast(arg, type_)
            case Unary(_, arg, type_):
                return self._folded(expr, (arg,), type_)
            case Binary(op, left, right, type_) if type_ is not BOOL:
                return self._binary(expr, op, left, right, type_)
            case PointerDiff(left, right, type_):
                return self._difference(left, right, type_)
            case Ite(cond, then, other, _):
                holds = self.holds(cond)
                if holds is None:
                    one, two = self.value(then), self.value(other)
                    return one if one == two else opaque()
                return self.value(then if holds else other)
        if expr.type is BOOL:
            holds = self.holds(expr)
            return opaque() if holds is None else Number(int(holds))
        return opaque()

    def _cast(self, arg: Expr, type_: Type) -> Value:
        value = self.value(arg)
        if isinstance(value, Number):
            return self._folded(Cast(arg, type_), (arg,), type_)
        if arg.type is BOOL or type_ is BOOL:
            return opaque()
        if not isinstance(arg.type, IntType | PointerType):
            return opaque()
        if not isinstance(type_, IntType | PointerType) or type_.bits != arg.type.bits:
            return opaque()
        return value

    def _binary(self, expr: Expr, op: Op, left: Expr, right: Expr, type_: Type) -> Value:
        if isinstance(type_, IntType) and type_.bits == 8 * self.graph.pointer_bytes:
            one, two = self.value(left), self.value(right)
            if op is Op.ADD and isinstance(one, Address) and isinstance(two, Number):
                return self._moved(one, _signed(two.bits, type_.bits))
            if op is Op.ADD and isinstance(two, Address) and isinstance(one, Number):
                return self._moved(two, _signed(one.bits, type_.bits))
            if op is Op.SUB and isinstance(one, Address) and isinstance(two, Number):
                return self._moved(one, -_signed(two.bits, type_.bits))
        return self._folded(expr, (left, right), type_)

    def _folded(self, expr: Expr, args: tuple[Expr, ...], type_: Type) -> Value:
        """An operation on constants, computed by the rules of `make`."""
        constants: list[Expr] = []
        for arg in args:
            value = self.value(arg)
            if not isinstance(value, Number):
                return opaque()
            if arg.type is BOOL:
                constants.append(TRUE if value.bits else FALSE)
            elif isinstance(arg.type, IntType | PointerType):
                constants.append(make.const(arg.type.wrap(value.bits), arg.type))
            else:
                return opaque()
        match expr:
            case Unary(op, _, _):
                result = make.unary(op, constants[0])
            case Binary(op, _, _, _):
                result = make.binary(op, constants[0], constants[1])
            case _:
                result = make.cast(constants[0], type_)
        if isinstance(result, Const):
            return Number(result.value % (1 << _bits(result.type)))
        return opaque()

    def _difference(self, left: Expr, right: Expr, type_: IntType) -> Value:
        one, two = self.value(left), self.value(right)
        match one, two:
            case Address(a, x, s), Address(b, y, t) if a == b and s is t:
                assert isinstance(left.type, PointerType)
                if x is not None and y is not None and self._is_single(one):
                    size = max(1, size_of(left.type.target))
                    if (x - y) % size == 0:
                        return Number((x - y) // size % (1 << type_.bits))
        return opaque()

    def _is_single(self, address: Address) -> bool:
        return self.graph.objects[address.object].segment is None

    # --- conditions -------------------------------------------------------------------------------

    def holds(self, cond: Expr) -> bool | None:
        """Whether a condition holds in all memories of the graph, or in none; None if neither is
        known."""
        match cond:
            case Const(value, _):
                return bool(value)
            case Not(arg):
                found = self.holds(arg)
                return None if found is None else not found
            case And(args):
                return self._all([self.holds(arg) for arg in args])
            case Or(args):
                found = self._all([_negated(self.holds(arg)) for arg in args])
                return _negated(found)
            case Binary(Op.EQ, left, right, _):
                one, two = self.value(left), self.value(right)
                if isinstance(left.type, FloatType):  # -0.0 is 0.0, and NaN is not itself
                    return True if one == two == Number(0) else None
                return self.equal(one, two)
            case Binary(Op.LT | Op.LE as op, left, right, _):
                return self._less(op, left, right)
            case Cast(arg, _):
                return _negated(self.equal(self.value(arg), Number(0)))
            case ValidAccess(pointer, size, writes):
                return valid_access(self.graph, self.value(pointer), self.value(size), writes)
            case ValidFree(pointer):
                return valid_free(self.graph, self.value(pointer))
            case NoLeak(roots):
                return no_leak(self.graph, roots)
            case Ite(test, then, other, _):
                found = self.holds(test)
                if found is None:
                    first, second = self.holds(then), self.holds(other)
                    return first if first is second else None
                return self.holds(then if found else other)
        return None

    def _all(self, found: list[bool | None]) -> bool | None:
        if any(one is False for one in found):
            return False
        return True if all(one is True for one in found) else None

    def equal(self, one: Value, two: Value) -> bool | None:
        """Whether two values are the same."""
        for value in (one, two):
            see_filled(self.graph, value)
        match one, two:
            case Number(a), Number(b):
                return a == b
            case Opaque(a), Opaque(b):
                return True if a == b else None
            case (Opaque(a), Number(0)) | (Number(0), Opaque(a)):
                return False if a in self.graph.nonzero else None
            case (Address() as a, Number(b)) | (Number(b), Address() as a):
                return None if self._may_be(a, b) else False
            case Address(), Address():
                return self._same_address(one, two)
            case FunctionName(a), FunctionName(b):
                return a == b
            case (FunctionName(), Number(0)) | (Number(0), FunctionName()):
                return False
            case (FunctionName(), Address()) | (Address(), FunctionName()):
                return False
        return None

    def _may_be(self, address: Address, number: int) -> bool:
        """Null is no address in an object, nor just behind it; other numbers may be."""
        made, offset = self.graph.objects[address.object], address.offset
        inside = offset == 0 or (
            offset is not None and made.size is not None and 0 <= offset <= made.size
        )
        return number != 0 or not inside

    def _same_address(self, one: Address, two: Address) -> bool | None:
        a, b = self.graph.objects[one.object], self.graph.objects[two.object]
        if one.object == two.object:
            if a.segment is not None and one.last is not two.last:
                if a.segment.least > 1 and _inside(a, one) and _inside(b, two):
                    return False
                raise NeedsNode(one.object, one.last)
            if one.offset is None or two.offset is None:
                return None
            return one.offset == two.offset
        if a.live and b.live and _inside(a, one) and _inside(b, two):
            return False
        return None

    def _less(self, op: Op, left: Expr, right: Expr) -> bool | None:
        one, two = self.value(left), self.value(right)
        type_ = left.type
        if isinstance(one, Number) and isinstance(two, Number):
            if isinstance(type_, IntType | PointerType):
                a, b = type_.wrap(one.bits), type_.wrap(two.bits)
                return a < b if op is Op.LT else a <= b
            return None
        match one, two:
            case Address(a, x, s), Address(b, y, t) if a == b and s is t and self._is_single(one):
                if x is not None and y is not None and self._in_order(a, x, y):
                    return x < y if op is Op.LT else x <= y
        return None

    def _in_order(self, number: int, *offsets: int) -> bool:
        """Do these places lie in the address space as they do in the object?"""
        size = self.graph.objects[number].size
        return size is not None and all(0 <= offset <= size for offset in offsets)


def _inside(made: MemoryObject, address: Address) -> bool:
    """Is it an address of one of the object's bytes? Just behind it another may begin."""
    if address.offset is None or made.size is None:
        return False
    return 0 <= address.offset < max(1, made.size)


def _negated(found: bool | None) -> bool | None:
    return None if found is None else not found


def _signed(bits: int, width: int) -> int:
    return bits - (1 << width) if bits >> (width - 1) else bits


def _bits(type_: Type) -> int:
    if isinstance(type_, IntType | PointerType):
        return type_.bits
    return 1 if type_ is BOOL else 8 * size_of(type_)
