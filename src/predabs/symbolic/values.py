"""Evaluate expressions of the IR in a symbolic state.

What an expression needs in order not to go wrong (a divisor that is not zero, an access inside a
live object) is added to the state's guard: where it does go wrong, the run has no next state. What
cannot be expressed raises `SymbolicLimit`, and the explorer notes that it did not go on there; what
is left out otherwise is noted in a `Notebook`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeAlias

from ..concrete.storage_layout import Register, VariableLayout
from ..encode import bitvector_encoding as encode
from ..encode import float_encoding
from ..errors import InternalError
from ..ir.expr import (
    AddressOf,
    And,
    Binary,
    Bound,
    Cast,
    Const,
    Deref,
    Expr,
    Field,
    FloatConst,
    Forall,
    FunctionAddress,
    Index,
    Initialised,
    Ite,
    Lvalue,
    NoLeak,
    Not,
    ObjectSize,
    Op,
    Or,
    PointerAdd,
    PointerDiff,
    Roots,
    Unary,
    UnaryOp,
    ValidAccess,
    ValidFree,
    Var,
)
from ..ir.types import ArrayType, FloatType, IntType, PointerType, RecordType, Type, size_of
from ..ir.walk import evaluated, operands
from ..smt import bitvectors, build
from ..smt.term import FALSE, TRUE, BitVecSort, Term
from . import outside
from .content import inserted
from .leaks import UntoldPointers, lost
from .memory import AccessTarget, Reach, SymbolicObject
from .notebook import Notebook
from .pointers import advanced, anchored
from .state import SymbolicState
from .unwritten import initialised
from .validity import needed_bytes, object_size, valid_access, valid_free

OperandValues: TypeAlias = dict[Expr, Term]
"""The values of subexpressions in a state."""


class SymbolicLimit(Exception):
    """The exploration does not go on here; the text says why."""


class SymbolicValues:
    """Evaluates in one state. `objects` has the memory of the variables that have any."""

    def __init__(
        self,
        layout: VariableLayout,
        state: SymbolicState,
        objects: Callable[[Var], SymbolicObject],
        notebook: Notebook,
    ) -> None:
        self._layout = layout
        self._bits = layout.bits
        self.state = state
        self._objects = objects
        self._notebook = notebook
        self._fresh = notebook.fresh

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

    def _computed(self, terms: Iterable[Expr]) -> OperandValues:
        """The values of some terms; each stands behind its operands, so that nothing recurses."""
        operand_values: OperandValues = {}
        for term in terms:
            if term not in operand_values:
                operand_values[term] = self._value(term, operand_values)
        return operand_values

    def _value(self, expr: Expr, operand_values: OperandValues) -> Term:
        """The term for an expression from the values of its operands."""
        match expr:
            case Const(value, type_):
                return encode.constant(value, type_)
            case FloatConst():
                return float_encoding.constant(expr)
            case FunctionAddress(name, _):
                return bitvectors.bits(self._layout.functions[name], self._bits)
            case Var() if isinstance(self._layout.home(expr), Register):
                return self._register(expr)
            case Var() | Deref() | Field() | Index():
                return self._load(expr, operand_values)
            case Unary(op, arg, type_):
                return self._unary(op, operand_values[arg], type_)
            case Binary(op, left, right, _):
                return self._binary(op, left, right, operand_values)
            case Cast(arg, type_):
                return encode.cast(operand_values[arg], arg.type, type_)
            case PointerAdd(pointer, index, type_):
                more = self._scaled(index, size_of(type_.target), operand_values)
                return self._moved(operand_values[pointer], more)
            case PointerDiff(left, right, type_):
                return self._difference(left, right, type_, operand_values)
            case AddressOf(target, _):
                return self._address(target, operand_values)
            case ObjectSize(pointer, type_):
                return self._object_size(operand_values[pointer], type_)
            case ValidAccess(pointer, size, writes):
                return self._valid_access(operand_values[pointer], operand_values[size], writes)
            case ValidFree(pointer):
                term = operand_values[pointer]
                return valid_free(self.state.memory, self.freed(term), term)
            case Initialised(pointer):
                assert isinstance(pointer.type, PointerType)
                return self._initialised(operand_values[pointer], size_of(pointer.type.target))
            case Bound() | Forall():
                raise InternalError("a program has no quantifiers")
            case NoLeak(roots):
                return self._no_leak(roots)
            case Ite(cond, then, other, _):
                return build.ite(operand_values[cond], operand_values[then], operand_values[other])
            case Not(arg):
                return build.not_(operand_values[arg])
            case And(args):
                return build.and_(*(operand_values[arg] for arg in args))
            case Or(args):
                return build.or_(*(operand_values[arg] for arg in args))

    def _register(self, var: Var) -> Term:
        values = self.state.locals if var.function else self.state.globals
        found = values.get(var)
        if found is None:  # jumped over its declaration: it holds anything
            found = values[var] = self._fresh(f"{var.name}?", encode.sort(var.type))
            self.assume_outside(found, var.type)
        return found

    def _approximate(self, type_: Type) -> Term:
        """A number that predabs does not compute symbolically: any value."""
        return self._fresh("approx", encode.sort(type_))

    def _unary(self, op: UnaryOp, arg: Term, type_: Type) -> Term:
        if isinstance(type_, FloatType):
            exact = float_encoding.unary(op, type_, arg)
            return self._approximate(type_) if exact is None else exact
        return bitvectors.neg(arg) if op is UnaryOp.NEG else bitvectors.not_(arg)

    def _binary(self, op: Op, left: Expr, right: Expr, operand_values: OperandValues) -> Term:
        type_ = left.type
        a, b = operand_values[left], operand_values[right]
        if isinstance(type_, FloatType):
            exact = float_encoding.binary(op, type_, a, b)
            return self._approximate(type_) if exact is None else exact
        if op in (Op.SHL, Op.SHR):
            b = encode.resize(b, encode.signed(right.type), encode.width(type_))
        elif op in (Op.DIV, Op.REM):
            self.require(build.not_(build.eq(b, encode.constant(0, type_))))
        home = self.state.memory.space.home
        if op is Op.ADD and encode.width(type_) == self._bits:  # an address as a number
            for number, more in ((a, b), (b, a)):
                if anchored(number, home):
                    return advanced(number, more, home)
        return encode.arithmetic(op, type_, a, b)

    def _scaled(self, index: Expr, size: int, operand_values: OperandValues) -> Term:
        position = encode.resize(operand_values[index], encode.signed(index.type), self._bits)
        return bitvectors.mul(position, bitvectors.bits(size, self._bits))

    def _moved(self, pointer: Term, more: Term) -> Term:
        return advanced(pointer, more, self.state.memory.space.home)

    def _difference(
        self, left: Expr, right: Expr, type_: IntType, operand_values: OperandValues
    ) -> Term:
        pointer = left.type
        assert isinstance(pointer, PointerType)
        bytes_ = bitvectors.sub(operand_values[left], operand_values[right])
        size = bitvectors.bits(max(1, size_of(pointer.target)), self._bits)
        return encode.resize(bitvectors.sdiv(bytes_, size), True, type_.bits)

    def _object_size(self, pointer: Term, type_: IntType) -> Term:
        found = self.reach(pointer, 0, "the size of an object behind an unknown pointer is needed")
        self._require_inside(found)
        if any(target.object is self.state.memory.space.outside for target in found.targets):
            raise SymbolicLimit("the size of an object of the environment is needed")
        return object_size(found, type_.bits)

    # --- validity ---------------------------------------------------------------------------------

    def _valid_access(self, pointer: Term, size: Term, writes: bool) -> Term:
        reason = "an access through a pointer that may point anywhere"
        found = self.reach(pointer, needed_bytes(size), reason)
        return valid_access(self.state.memory, found, pointer, size, writes)

    def _initialised(self, pointer: Term, size: int) -> Term:
        found = self.reach(pointer, size, "an access through a pointer that may point anywhere")
        return initialised(self.state.memory, found, size)

    def freed(self, pointer: Term) -> Reach:
        """The objects that a pointer may free."""
        return self.reach(pointer, 0, "a pointer that may point anywhere is freed")

    def _no_leak(self, roots: Roots) -> Term:
        """Only its negation says something: that there is a set of lost objects."""
        try:
            return build.not_(lost(self.state, self._notebook.outer_locals(), roots, self._fresh))
        except UntoldPointers:
            raise SymbolicLimit("bytes of a pointer are stored one by one") from None

    # --- lvalues ----------------------------------------------------------------------------------

    def address(self, lvalue: Lvalue) -> Term:
        """The address of an lvalue."""
        return self._address(lvalue, self._located(lvalue))

    def _located(self, lvalue: Lvalue) -> OperandValues:
        """The values that the address of an lvalue depends on: its pointer and its indices."""
        return self._computed(term for part in operands(lvalue) for term in evaluated(part))

    def _address(self, lvalue: Lvalue, operand_values: OperandValues) -> Term:
        links: list[Field | Index] = []
        while isinstance(lvalue, Field | Index):
            links.append(lvalue)
            lvalue = lvalue.base
        match lvalue:
            case Var():
                address: Term = bitvectors.bits(self._objects(lvalue).base, self._bits)
            case Deref(pointer, _):
                address = operand_values[pointer]
        for link in reversed(links):
            match link:
                case Field(base, name, _):
                    member, _ = self._layout.member(base.type, name)
                    address = self._moved(address, bitvectors.bits(member.offset, self._bits))
                case Index(_, index, type_):
                    address = self._moved(
                        address, self._scaled(index, size_of(type_), operand_values)
                    )
        return address

    def _reach(self, lvalue: Lvalue, size: int, operand_values: OperandValues) -> Reach:
        self._check_indices(lvalue, operand_values)
        address = self._address(lvalue, operand_values)
        return self.reach(address, size, "an access through a pointer that may point anywhere")

    def reach(self, pointer: Term, size: int, reason: str) -> Reach:
        """Where an access may go; the reason is for the case that this cannot be told."""
        found = self.state.memory.targets(pointer, size)
        if found is None:
            raise SymbolicLimit(reason)
        if found.undecided is not FALSE:
            self._notebook.leave_out(
                self.state.guard,
                found.undecided,
                "a number that is computed from inputs may be any address",
            )
        return found

    def _require_inside(self, found: Reach) -> None:
        if found.unknown_object is not FALSE:
            raise SymbolicLimit("a block of memory behind a pointer that is an input")
        self.require(found.inside)

    def _check_indices(self, lvalue: Expr, operand_values: OperandValues) -> None:
        """An index must lie in its array, unless that is the open end of a record."""
        while isinstance(lvalue, Field | Index):
            if isinstance(lvalue, Index):
                length = lvalue.base.type.length if isinstance(lvalue.base.type, ArrayType) else 0
                if length and not self._open_ended(lvalue.base):
                    signed = encode.signed(lvalue.index.type)
                    index = encode.resize(operand_values[lvalue.index], signed, 65)
                    self.require(bitvectors.ult(index, bitvectors.bits(length, 65)))
            lvalue = lvalue.base

    def _open_ended(self, array: Expr) -> bool:
        return isinstance(array, Field) and self._layout.member(array.base.type, array.name)[1]

    def _load(self, lvalue: Lvalue, operand_values: OperandValues) -> Term:
        type_ = lvalue.type
        _, size, shift = self._extent(lvalue)
        found = self._reach(lvalue, size, operand_values)
        self.require(build.or_(found.inside, found.unknown_object))
        targets = found.targets
        if not targets and found.unknown_object is FALSE:
            return bitvectors.bits(0, encode.width(type_))  # no run comes here
        if found.unknown_object is FALSE:
            whole = self.load(targets[-1], size, len(targets) == 1, lvalue)
            targets = targets[:-1]
        else:
            whole = self._fresh("outside", BitVecSort(8 * size))
        for target in reversed(targets):
            whole = build.ite(target.cond, self.load(target, size, of=lvalue), whole)
        if isinstance(type_, PointerType):
            self.require(outside.possible_contents(self.state, whole, type_))
        whole = float_encoding.from_memory(whole, type_)
        return bitvectors.extract(whole, shift + encode.width(type_) - 1, shift)

    def load(
        self, target: AccessTarget, size: int, only: bool = False, of: Lvalue | None = None
    ) -> Term:
        """The bytes at a target, the first lowest: those of a scalar, or any. Is it the only
        target?"""
        memory = self.state.memory
        if target.object is not memory.space.outside:
            return memory.load(target, size)
        view = None if of is None else self._notebook.view(of)
        value, needed = outside.read(self.state, self._notebook, target, size, only, view)
        self.require(needed)
        return value

    def assume_outside(self, value: Term, type_: Type) -> None:
        """The value is an input of this type; go on where it can be."""
        self.require(outside.possible(self.state, value, type_))

    def _extent(self, lvalue: Lvalue) -> tuple[bool, int, int]:
        """Is the lvalue a bit-field, how many bytes hold it, and where its bits begin in them."""
        if isinstance(lvalue, Field):
            member, _ = self._layout.member(lvalue.base.type, lvalue.name)
            if member.bitfield:
                assert isinstance(member.type, IntType)
                shift = member.bit % 8
                return True, (shift + member.type.bits + 7) // 8, shift
        if isinstance(lvalue.type, RecordType | ArrayType):
            raise InternalError("a record is no scalar")
        return False, size_of(lvalue.type), 0

    def store(self, lvalue: Lvalue, value: Term) -> None:
        """Write a scalar."""
        if isinstance(lvalue, Var) and isinstance(self._layout.home(lvalue), Register):
            values = self.state.locals if lvalue.function else self.state.globals
            values[lvalue] = value
            return
        bitfield, size, shift = self._extent(lvalue)
        found = self._reach(lvalue, size, self._located(lvalue))
        self.require(build.or_(found.inside, found.unknown_object))
        only = len(found.targets) == 1 and found.unknown_object is FALSE
        value = float_encoding.in_memory(value, lvalue.type)
        bits = bitvectors.width_of(value)
        if not bitfield and bits < 8 * size:
            value = bitvectors.zero_extend(value, 8 * size - bits)  # _Bool, long double
        for target in found.targets:
            if not target.object.writable:
                self.require(build.not_(target.cond))
                continue
            whole = value
            if bitfield:
                whole = inserted(self.load(target, size, of=lvalue), value, shift)
            self.put(target, size, whole, only, lvalue)

    def put(
        self, target: AccessTarget, size: int, value: Term, only: bool, of: Lvalue | None = None
    ) -> None:
        """Write bytes at a target, of a scalar or any; is it the only target?"""
        memory = self.state.memory
        view = None
        if target.object is memory.space.outside:
            view = None if of is None else self._notebook.view(of)
            guard = self.state.guard.also(target.cond)
            self._notebook.note_access(guard, target.offset, size, view, writes=True)
        memory.store(target, size, value, TRUE if only else target.cond, view)

    def reached(self, lvalue: Lvalue) -> Reach:
        """Where it may lie, and on what condition it lies there as a whole."""
        return self._reach(lvalue, size_of(lvalue.type), self._located(lvalue))

    def whole(self, lvalue: Lvalue) -> list[AccessTarget]:
        """Where a record or array lies, as a whole; the state goes on only where it does."""
        found = self.reached(lvalue)
        self._require_inside(found)
        return found.targets
