"""Expressions of the IR as terms, in either encoding.

What an lvalue holds, and where a variable lies, is asked of a `StateSource`. Soundness duty: in a
state in which the expression does not go wrong, `requires` holds and the term has the expression's
value.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Protocol, assert_never

from ..errors import InternalError, UnsupportedFeature
from ..ir.cfa import Program
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
    Unary,
    ValidAccess,
    ValidFree,
    Var,
)
from ..ir.types import (
    BOOL,
    INT,
    ArrayType,
    FloatType,
    IntType,
    PointerType,
    RecordType,
    Type,
    size_of,
)
from ..ir.walk import children
from ..records import replace
from ..smt import build
from ..smt.term import TRUE, Term
from . import float_encoding
from .encoding import BoundedTerm, Encoding
from .integer_encoding import NeedsBitVectors

FIRST_ADDRESS = 4096  # neither an object nor a function lies below


class StateSource(Protocol):
    """What expressions need to know about a state."""

    def load(self, lvalue: Lvalue, encoder: Encoder) -> BoundedTerm:
        """What a scalar lvalue holds; `encoder.accessed(lvalue)` is its address."""

    def address(self, var: Var) -> BoundedTerm: ...

    def function(self, name: str) -> BoundedTerm:
        """The address of a function."""

    def size(self, pointer: Expr, type_: IntType) -> BoundedTerm | None:
        """The size of the object that a pointer points into, if that is always the same."""

    def unknown(self, type_: Type) -> BoundedTerm | None:
        """Any value of the type, to stand for one that has no formula; None to give up instead."""


class Encoder:
    """Encodes expressions in one state."""

    def __init__(self, program: Program, encoding: Encoding, source: StateSource) -> None:
        self.program = program
        self.encoding = encoding
        self.bits = program.data_model.pointer_bits
        self._source = source
        self.exact = True  # no value was replaced by an unknown one
        self._terms: dict[Expr, BoundedTerm] = {}
        self._required: dict[Term, None] = {}

    @property
    def requires(self) -> Term:
        """What must hold so that nothing that was encoded goes wrong, as far as formulas tell:
        divisors, indices and pointers that are null."""
        return build.and_(*self._required)

    def condition(self, cond: Expr) -> Term:
        assert cond.type is BOOL
        return self.value(cond).term

    def value(self, expr: Expr) -> BoundedTerm:
        terms = self._terms
        stack = [expr]
        while stack:
            term = stack[-1]
            if term in terms:
                stack.pop()
                continue
            missing = [part for part in _parts(term) if part not in terms]
            if missing:
                stack.extend(missing)
                continue
            terms[term] = self._encode(term)
            stack.pop()
        return terms[expr]

    def require(self, cond: Term) -> None:
        if cond is not TRUE:
            self._required[cond] = None

    def _encode(self, expr: Expr) -> BoundedTerm:
        """The value, or an unknown one if it has no formula; the parts are known."""
        try:
            return self._value(expr)
        except UnsupportedFeature:
            unknown = self._source.unknown(expr.type)
            if unknown is None:
                raise
            self.exact = False
            return unknown

    def _value(self, expr: Expr) -> BoundedTerm:
        encoding, terms = self.encoding, self._terms
        match expr:
            case Const(value, type_):
                return encoding.constant(value, type_)
            case FloatConst():
                if encoding.name == "int":
                    raise NeedsBitVectors("a floating-point number")
                return BoundedTerm(float_encoding.constant(expr), 0, 0)
            case FunctionAddress(name, _):
                return self._source.function(name)
            case Var() | Deref() | Field() | Index():
                self._check(expr)
                return self._source.load(expr, self)
            case Unary(op, arg, type_):
                return encoding.unary(op, type_, terms[arg])
            case Binary(op, left, right, _):
                return self._binary(op, left, right)
            case Cast(arg, type_):
                return encoding.cast(terms[arg], arg.type, type_)
            case PointerAdd(pointer, index, type_):
                size = size_of(type_.target)
                return encoding.advance(terms[pointer], terms[index], index.type, size, self.bits)
            case PointerDiff(left, right, type_):
                return self._difference(left, right, type_)
            case AddressOf(target, _):
                assert isinstance(target, Lvalue)
                return self.address(target)
            case Ite(cond, then, other, _):
                return encoding.choice(terms[cond].term, terms[then], terms[other])
            case Not(arg):
                return _truth(build.not_(terms[arg].term))
            case And(args):
                return _truth(build.and_(*(terms[arg].term for arg in args)))
            case Or(args):
                return _truth(build.or_(*(terms[arg].term for arg in args)))
            case ObjectSize(pointer, type_):
                whole = self._source.size(pointer, type_)
                if whole is None:
                    raise UnsupportedFeature("the size of an object has no formula")
                return whole
            case ValidAccess() | ValidFree() | NoLeak():
                raise UnsupportedFeature("which objects are live has no formula")
            case Initialised():
                raise UnsupportedFeature("which memory has been written has no formula")
            case Bound() | Forall():
                raise UnsupportedFeature("a quantifier has no formula")
        assert_never(expr)

    def _binary(self, op: Op, left: Expr, right: Expr) -> BoundedTerm:
        if op is Op.EQ:
            left, right = _uncast(left, right)
            if isinstance(right, Const) and right not in self._terms:
                self._terms[right] = self._encode(right)
        a, b, type_ = self._terms[left], self._terms[right], left.type
        if op.is_comparison:
            if type_ is BOOL:
                return _truth(_compare_truth(op, a.term, b.term))
            return _truth(self.encoding.compare(op, type_, a, b))
        if op in (Op.DIV, Op.REM) and not isinstance(type_, FloatType):
            zero = self.encoding.constant(0, type_)
            self.require(build.not_(self.encoding.compare(Op.EQ, type_, b, zero)))
        return self.encoding.binary(op, type_, a, b, right.type)

    def _difference(self, left: Expr, right: Expr, type_: IntType) -> BoundedTerm:
        assert isinstance(left.type, PointerType)
        encoding, signed = self.encoding, IntType(self.bits, True)
        a = encoding.cast(self._terms[left], left.type, signed)
        b = encoding.cast(self._terms[right], right.type, signed)
        distance = encoding.binary(Op.SUB, signed, a, b, signed)
        size = encoding.constant(max(1, size_of(left.type.target)), signed)
        return encoding.cast(encoding.binary(Op.DIV, signed, distance, size, signed), signed, type_)

    # --- lvalues ----------------------------------------------------------------------------------

    def address(self, lvalue: Lvalue) -> BoundedTerm:
        """The address of an lvalue whose pointers and indices are known."""
        here, links = _path(lvalue)
        return self._along(self._start(here), links)

    def accessed(self, lvalue: Lvalue) -> BoundedTerm:
        """The address of an lvalue that a run reads or writes, so that its bytes lie in an object.

        Nothing lies in the first page, so a sum that would wrap around to there needs no term; an
        index is one of its array.
        """
        here, links = _path(lvalue)
        start = self._start(here)
        if any(isinstance(link, Index) and self._open_ended(link.base) for link in links):
            return self._along(start, links)
        indices = {link: self._bounded(link) for link in links if isinstance(link, Index)}
        if isinstance(here, Deref):
            start = below_top(start, size_of(here.type), self.bits)
        return self._along(start, links, indices)

    def _start(self, here: Var | Deref) -> BoundedTerm:
        return self._source.address(here) if isinstance(here, Var) else self.value(here.pointer)

    def _along(
        self,
        result: BoundedTerm,
        links: Iterable[Field | Index],
        indices: Mapping[Index, BoundedTerm] | None = None,
    ) -> BoundedTerm:
        """The address of the member or element that the links lead to."""
        encoding = self.encoding
        for link in links:
            if isinstance(link, Field):
                offset, index_type = encoding.constant(self.offset(link) // 8, INT), INT
                result = encoding.advance(result, offset, index_type, 1, self.bits)
            else:
                index = self.value(link.index) if indices is None else indices[link]
                result = encoding.advance(
                    result, index, link.index.type, size_of(link.type), self.bits
                )
        return result

    def _bounded(self, lvalue: Index) -> BoundedTerm:
        """An index that is in bounds."""
        array, index = lvalue.base.type, self.value(lvalue.index)
        assert isinstance(array, ArrayType)
        low, high = max(0, index.low), min(array.length - 1, index.high)
        return replace(index, low=low, high=high) if low <= high else index

    def locate(self, lvalue: Lvalue) -> None:
        """Encode the pointers and indices of an lvalue that is accessed; they must be in order."""
        for part in _parts(lvalue):
            self.value(part)
        self._check(lvalue)

    def offset(self, lvalue: Field) -> int:
        """Where a member starts in its record, in bits."""
        if not isinstance(lvalue.base.type, RecordType):
            raise InternalError(f"{lvalue.name} is a member of no record")
        return self.program.records[lvalue.base.type.tag].member(lvalue.name).bit

    def _check(self, lvalue: Lvalue) -> None:
        """An access needs indices inside their arrays and a pointer that is not null."""
        here: Expr = lvalue
        while isinstance(here, Field | Index):
            if isinstance(here, Index) and not self._open_ended(here.base):
                self._in_bounds(here)
            here = here.base
        if isinstance(here, Deref):
            pointer, type_ = self.value(here.pointer), here.pointer.type
            null = self.encoding.constant(0, type_)
            self.require(build.not_(self.encoding.compare(Op.EQ, type_, pointer, null)))

    def _in_bounds(self, lvalue: Index) -> None:
        array, type_ = lvalue.base.type, lvalue.index.type
        assert isinstance(array, ArrayType)
        assert isinstance(type_, IntType)
        index = self.value(lvalue.index)
        low, high = max(0, type_.low), min(array.length - 1, type_.high)
        if index.low < low or index.high > high:
            self.require(self.encoding.within(index.term, low, high, type_))

    def _open_ended(self, array: Expr) -> bool:
        if isinstance(array.type, ArrayType) and array.type.length == 0:
            return True
        if not isinstance(array, Field) or not isinstance(array.base.type, RecordType):
            return False
        return self.program.records[array.base.type.tag].members[-1].name == array.name


def below_top(start: BoundedTerm, size: int, bits: int) -> BoundedTerm:
    """The address from which on some of so many bytes are accessed: it may be treated as if all lay
    before the end of the address space, because those behind it would lie in the first page."""
    top = (1 << bits) - size
    if size > FIRST_ADDRESS or not start.low <= top < start.high:
        return start
    return replace(start, high=top)


def _path(lvalue: Lvalue) -> tuple[Var | Deref, list[Field | Index]]:
    """What an lvalue is a part of, and how members and indices lead there."""
    links: list[Field | Index] = []
    here: Expr = lvalue
    while isinstance(here, Field | Index):
        links.append(here)
        here = here.base
    assert isinstance(here, Var | Deref)
    links.reverse()
    return here, links


def _uncast(left: Expr, right: Expr) -> tuple[Expr, Expr]:
    """Two sides that are equal if and only if these are, without conversions between types of the
    same width: those lose nothing, but make integers wrap around."""
    if isinstance(left, Const):
        left, right = right, left
    one, two = _inside(left), _inside(right)
    if one.type is two.type:
        return one, two
    if isinstance(one.type, IntType | PointerType) and isinstance(right, Const):
        return one, Const(one.type.wrap(right.value), one.type)
    return left, right


def _inside(expr: Expr) -> Expr:
    """What an expression is when conversions that keep the width are left out."""
    while isinstance(expr, Cast):
        inner, outer = expr.arg.type, expr.type
        if not isinstance(inner, IntType | PointerType) or not isinstance(
            outer, IntType | PointerType
        ):
            break
        if inner.bits != outer.bits:
            break
        expr = expr.arg
    return expr


def _compare_truth(op: Op, left: Term, right: Term) -> Term:
    """Conditions are ordered too: false is less than true."""
    if op is Op.EQ:
        return build.eq(left, right)
    if op is Op.LT:
        return build.and_(build.not_(left), right)
    return build.implies(left, right)


def _truth(term: Term) -> BoundedTerm:
    return BoundedTerm(term, 0, 1)


def _parts(expr: Expr) -> Iterable[Expr]:
    """The expressions whose values decide this one's."""
    match expr:
        case Var() | Deref() | Field() | Index():
            here: Expr = expr
        case AddressOf(target, _):
            here = target
        case _:
            return children(expr)
    parts = []
    while isinstance(here, Field | Index):
        if isinstance(here, Index):
            parts.append(here.index)
        here = here.base
    if isinstance(here, Deref):
        parts.append(here.pointer)
    return parts
