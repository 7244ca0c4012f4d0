"""Evaluate expressions of the IR in a symbolic state.

What an expression needs in order not to go wrong (a divisor that is not zero, an access inside a
live object) is added to the state's guard: where it does go wrong, the run has no next state. What
cannot be expressed raises `ValueCut`, and the explorer notes that it did not go on there. A pointer
that is an input may lead out of the program's own objects: what is read there is any value.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeAlias

from ..concrete.storage_layout import Register, VariableLayout
from ..encode import bitvector_encoding as encode
from ..errors import InternalError
from ..ir.expr import (
    AddressOf,
    And,
    Binary,
    Cast,
    Const,
    Deref,
    Expr,
    Field,
    FloatConst,
    FunctionAddress,
    Index,
    Ite,
    Lvalue,
    Not,
    ObjectSize,
    Op,
    Or,
    PointerAdd,
    PointerDiff,
    Unary,
    UnaryOp,
    Var,
)
from ..ir.types import ArrayType, FloatType, IntType, PointerType, RecordType, Type, size_of
from ..ir.walk import evaluated, operands
from ..smt import bitvectors, build
from ..smt.term import BOOL, FALSE, TRUE, BitVecSort, Sort, Term
from .memory import AccessTarget, Reach, SymbolicObject
from .pointers import anchored, moved
from .state import SymbolicState

Known: TypeAlias = dict[Expr, Term]
"""The values of expressions in a state."""


class ValueCut(Exception):
    """The exploration does not go on here; the text says why."""


class SymbolicValues:
    """Evaluates in one state. `objects` has the memory of the variables that have any."""

    def __init__(
        self,
        layout: VariableLayout,
        state: SymbolicState,
        objects: Callable[[Var], SymbolicObject],
        fresh: Callable[[str, Sort], Term],
    ) -> None:
        self._layout = layout
        self._bits = layout.bits
        self.state = state
        self._objects = objects
        self._fresh = fresh

    def require(self, cond: Term) -> None:
        """Go on only where `cond` holds."""
        self.state.guard = self.state.guard.also(cond)

    # --- values -----------------------------------------------------------------------------------

    def value(self, expr: Expr) -> Term:
        """The term for a scalar or a condition."""
        match expr:
            case Const(value, type_):
                return encode.constant(value, type_)
            case Var() if isinstance(self._layout.home(expr), Register):
                return self._register(expr)
        return self._computed(evaluated(expr))[expr]

    def _computed(self, terms: Iterable[Expr]) -> Known:
        """The values of some terms; each stands behind its operands, so that nothing recurses."""
        known: Known = {}
        for term in terms:
            if term not in known:
                known[term] = self._value(term, known)
        return known

    def _value(self, expr: Expr, known: Known) -> Term:
        """The term for an expression of which the values of the operands are known."""
        match expr:
            case Const(value, type_):
                return encode.constant(value, type_)
            case FloatConst(text, type_):
                return encode.float_bits(float.fromhex(text), type_)
            case FunctionAddress(name, _):
                return bitvectors.bits(self._layout.functions[name], self._bits)
            case Var() if isinstance(self._layout.home(expr), Register):
                return self._register(expr)
            case Var() | Deref() | Field() | Index():
                return self._load(expr, known)
            case Unary(op, arg, type_):
                return self._unary(op, known[arg], type_)
            case Binary(op, left, right, _):
                return self._binary(op, left, right, known)
            case Cast(arg, type_):
                term = encode.cast(known[arg], arg.type, type_)
                return self._approximate(type_) if term is None else term
            case PointerAdd(pointer, index, type_):
                return self._moved(
                    known[pointer], self._scaled(index, size_of(type_.target), known)
                )
            case PointerDiff(left, right, type_):
                return self._difference(left, right, type_, known)
            case AddressOf(target, _):
                return self._address(target, known)
            case ObjectSize(pointer, type_):
                return self._object_size(known[pointer], type_)
            case Ite(cond, then, other, _):
                return build.ite(known[cond], known[then], known[other])
            case Not(arg):
                return build.not_(known[arg])
            case And(args):
                return build.and_(*(known[arg] for arg in args))
            case Or(args):
                return build.or_(*(known[arg] for arg in args))

    def _register(self, var: Var) -> Term:
        values = self.state.locals if var.function else self.state.globals
        found = values.get(var)
        if found is None:  # jumped over its declaration: it holds anything
            found = values[var] = self._fresh(f"{var.name}?", encode.sort(var.type))
        return found

    def _approximate(self, type_: Type) -> Term:
        """A number that predabs does not compute symbolically: any value."""
        return self._fresh("approx", encode.sort(type_))

    def _unary(self, op: UnaryOp, arg: Term, type_: Type) -> Term:
        if isinstance(type_, FloatType):
            return bitvectors.xor(
                arg, bitvectors.bits(1 << (encode.width(type_) - 1), encode.width(type_))
            )
        return bitvectors.neg(arg) if op is UnaryOp.NEG else bitvectors.not_(arg)

    def _binary(self, op: Op, left: Expr, right: Expr, known: Known) -> Term:
        type_ = left.type
        a, b = known[left], known[right]
        if isinstance(type_, FloatType):
            exact = encode.float_arithmetic(op, type_, a, b)
            if exact is not None:
                return exact
            result = BOOL if op.is_comparison else encode.sort(type_)
            return self._fresh("approx", result)
        if op in (Op.SHL, Op.SHR):
            b = encode.resize(b, encode.signed(right.type), encode.width(type_))
        elif op in (Op.DIV, Op.REM):
            self.require(build.not_(build.eq(b, encode.constant(0, type_))))
        home = self.state.memory.space.home
        if op is Op.ADD and encode.width(type_) == self._bits:  # an address as a number
            for number, more in ((a, b), (b, a)):
                if anchored(number, home):
                    return moved(number, more, home)
        return encode.arithmetic(op, type_, a, b)

    def _scaled(self, index: Expr, size: int, known: Known) -> Term:
        position = encode.resize(known[index], encode.signed(index.type), self._bits)
        return bitvectors.mul(position, bitvectors.bits(size, self._bits))

    def _moved(self, pointer: Term, more: Term) -> Term:
        return moved(pointer, more, self.state.memory.space.home)

    def _difference(self, left: Expr, right: Expr, type_: IntType, known: Known) -> Term:
        pointer = left.type
        assert isinstance(pointer, PointerType)
        bytes_ = bitvectors.sub(known[left], known[right])
        size = bitvectors.bits(max(1, size_of(pointer.target)), self._bits)
        return encode.resize(bitvectors.sdiv(bytes_, size), True, type_.bits)

    def _object_size(self, pointer: Term, type_: IntType) -> Term:
        found = self.state.memory.targets(pointer, 0)
        if found is None:
            raise ValueCut("the size of an object behind an unknown pointer is needed")
        self._require_inside(found)
        size: Term = bitvectors.bits(0, type_.bits)
        for target in found.targets:
            mine = target.object.size
            term = bitvectors.bits(mine, type_.bits) if isinstance(mine, int) else mine
            size = build.ite(target.cond, term, size)
        return size

    # --- places -----------------------------------------------------------------------------------

    def address(self, place: Lvalue) -> Term:
        """The address of an lvalue."""
        return self._address(place, self._located(place))

    def _located(self, place: Lvalue) -> Known:
        """The values that tell where a place is: its pointer and its indices."""
        return self._computed(term for part in operands(place) for term in evaluated(part))

    def _address(self, place: Lvalue, known: Known) -> Term:
        links: list[Field | Index] = []
        while isinstance(place, Field | Index):
            links.append(place)
            place = place.base
        match place:
            case Var():
                address: Term = bitvectors.bits(self._objects(place).base, self._bits)
            case Deref(pointer, _):
                address = known[pointer]
        for link in reversed(links):
            match link:
                case Field(base, name, _):
                    member, _ = self._layout.member(base.type, name)
                    address = self._moved(address, bitvectors.bits(member.offset, self._bits))
                case Index(_, index, type_):
                    address = self._moved(address, self._scaled(index, size_of(type_), known))
        return address

    def _reach(self, place: Lvalue, size: int, known: Known) -> Reach:
        self._check_indices(place, known)
        found = self.state.memory.targets(self._address(place, known), size)
        if found is None:
            raise ValueCut("an access through a pointer that may point anywhere")
        return found

    def _require_inside(self, found: Reach) -> None:
        if found.outside is not FALSE:
            raise ValueCut("a block of memory behind a pointer that comes from outside")
        self.require(found.inside)

    def _check_indices(self, place: Expr, known: Known) -> None:
        """An index must lie in its array, unless that is the open end of a record."""
        while isinstance(place, Field | Index):
            if isinstance(place, Index):
                length = place.base.type.length if isinstance(place.base.type, ArrayType) else 0
                if length and not self._open_ended(place.base):
                    signed = encode.signed(place.index.type)
                    index = encode.resize(known[place.index], signed, 65)
                    self.require(bitvectors.ult(index, bitvectors.bits(length, 65)))
            place = place.base

    def _open_ended(self, array: Expr) -> bool:
        return isinstance(array, Field) and self._layout.member(array.base.type, array.name)[1]

    def _load(self, place: Lvalue, known: Known) -> Term:
        type_ = place.type
        _, size, shift = self._extent(place)
        found = self._reach(place, size, known)
        self.require(build.or_(found.inside, found.outside))
        targets = found.targets
        if not targets and found.outside is FALSE:
            return bitvectors.bits(0, encode.width(type_))  # no run comes here
        if found.outside is FALSE:
            whole = self.state.memory.load(targets[-1], size)
            targets = targets[:-1]
        else:
            whole = self._fresh("outside", BitVecSort(8 * size))
        for target in reversed(targets):
            whole = build.ite(target.cond, self.state.memory.load(target, size), whole)
        return bitvectors.extract(whole, shift + encode.width(type_) - 1, shift)

    def _extent(self, place: Lvalue) -> tuple[bool, int, int]:
        """Is the place a bit-field, how many bytes hold it, and where its bits begin in them."""
        if isinstance(place, Field):
            member, _ = self._layout.member(place.base.type, place.name)
            if member.bitfield:
                assert isinstance(member.type, IntType)
                shift = member.bit % 8
                return True, (shift + member.type.bits + 7) // 8, shift
        if isinstance(place.type, RecordType | ArrayType):
            raise InternalError("a record is no scalar")
        return False, size_of(place.type), 0

    def store(self, place: Lvalue, value: Term) -> None:
        """Write a scalar."""
        if isinstance(place, Var) and isinstance(self._layout.home(place), Register):
            values = self.state.locals if place.function else self.state.globals
            values[place] = value
            return
        bitfield, size, shift = self._extent(place)
        found = self._reach(place, size, self._located(place))
        self.require(build.or_(found.inside, found.outside))
        only = len(found.targets) == 1 and found.outside is FALSE
        bits = bitvectors.width_of(value)
        if not bitfield and bits < 8 * size:
            value = bitvectors.zero_extend(value, 8 * size - bits)  # _Bool, long double
        for target in found.targets:
            if not target.object.writable:
                self.require(build.not_(target.cond))
                continue
            whole = value
            if bitfield:
                whole = _inserted(self.state.memory.load(target, size), value, shift)
            self.state.memory.store(target, size, whole, TRUE if only else target.cond)

    def whole(self, place: Lvalue) -> list[AccessTarget]:
        """Where a record or array lies, as a whole; the state goes on only where it does."""
        found = self._reach(place, size_of(place.type), self._located(place))
        self._require_inside(found)
        return found.targets


def _inserted(old: Term, bits: Term, shift: int) -> Term:
    """The vector with some of its bits replaced."""
    width, count = bitvectors.width_of(old), bitvectors.width_of(bits)
    parts = bits
    if shift:
        parts = bitvectors.concat(parts, bitvectors.extract(old, shift - 1, 0))
    if shift + count < width:
        parts = bitvectors.concat(bitvectors.extract(old, width - 1, shift + count), parts)
    return parts
