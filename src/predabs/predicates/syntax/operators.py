"""What the operators of C mean in predicates: terms of the IR, with C's conversions.

Integer promotions and the usual arithmetic conversions are made, arrays decay, a null pointer
constant takes the type of the other side. Operands of `&&` and `||` are all evaluated: a formula
cannot go wrong. Soundness duty: the term means what C means; whatever does not fit is a
`PredicateSyntaxError`.
"""

from __future__ import annotations

from collections.abc import Callable

from ...frontend.conversions import common, convert, promoted
from ...ir import make
from ...ir.cfa import Program
from ...ir.expr import Const, Expr, Field, FunctionAddress, Lvalue, Op, UnaryOp, Var
from ...ir.show import show_type
from ...ir.types import (
    INT,
    LLONG,
    ULLONG,
    VOID,
    ArrayType,
    FloatType,
    FunctionType,
    IntType,
    Member,
    PointerType,
    RecordType,
    Type,
)
from .tokens import PredicateSyntaxError, Token

_COMPARISONS: dict[str, Callable[[Expr, Expr], Expr]] = {
    "==": make.equal,
    "!=": make.not_equal,
    "<": make.less,
    "<=": make.less_equal,
    ">": lambda left, right: make.less(right, left),
    ">=": lambda left, right: make.less_equal(right, left),
}
_ARITHMETIC = {op.value: op for op in Op if op.is_arithmetic}
_INTEGERS_ONLY = ("%", "&", "|", "^", "<<", ">>")


class TermOperators:
    """Makes the terms for one program; each token is named where its operands do not fit."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._model = program.data_model

    def value(self, lvalue: Expr, token: Token) -> Expr:
        """The scalar that an operand stands for: arrays decay, a long bit-field is widened."""
        match lvalue.type:
            case ArrayType():
                assert isinstance(lvalue, Lvalue)
                return make.decay(lvalue, self._model.pointer_bits)
            case IntType(bits, signed) if bits > INT.bits and bits != LLONG.bits:
                return make.cast(lvalue, LLONG if signed else ULLONG)
            case IntType() | FloatType() | PointerType():
                return lvalue
        raise PredicateSyntaxError(
            token.column, f"a {show_type(lvalue.type)} cannot be used as a value here"
        )

    def condition(self, operand: Expr, token: Token) -> Expr:
        return make.as_condition(self.value(operand, token))

    def _truth(self, operand: Expr, token: Token) -> Expr:
        """The truth of an operand, which is promoted first."""
        value = self.value(operand, token)
        return make.as_condition(convert(value, promoted(value.type)))

    def lvalue(self, operand: Expr, token: Token) -> Lvalue:
        if isinstance(operand, Lvalue):
            return operand
        raise PredicateSyntaxError(
            token.column, f"what stands before {token} has no place in memory"
        )

    def unary(self, op: Token, operand: Expr) -> Expr:
        if op.text == "*":
            return self.deref(operand, op)
        if op.text == "&":
            return self._address(op, operand)
        if op.text == "!":
            return make.cast(make.negate(self._truth(operand, op)), INT)
        value = self.value(operand, op)
        if isinstance(value.type, PointerType) or (
            op.text == "~" and isinstance(value.type, FloatType)
        ):
            raise PredicateSyntaxError(
                op.column, f"{op} cannot be applied to a {show_type(value.type)}"
            )
        value = convert(value, promoted(value.type))
        if op.text == "+":
            return value
        return make.unary(UnaryOp.NEG if op.text == "-" else UnaryOp.INVERT, value)

    def _address(self, op: Token, operand: Expr) -> Expr:
        if isinstance(operand, FunctionAddress):
            return operand
        if not isinstance(operand, Lvalue) or (
            isinstance(operand, Var) and operand.short.startswith("'")
        ):
            raise PredicateSyntaxError(op.column, "`&` needs a variable or another place in memory")
        if isinstance(operand, Field) and self._is_bitfield(operand):
            raise PredicateSyntaxError(op.column, f"the bit-field {operand.name} has no address")
        return make.address_of(operand, self._model.pointer(operand.type))

    def _is_bitfield(self, lvalue: Field) -> bool:
        assert isinstance(lvalue.base.type, RecordType)
        return self._program.records[lvalue.base.type.tag].member(lvalue.name).bitfield

    def deref(self, operand: Expr, token: Token) -> Expr:
        pointer = self.value(operand, token)
        match pointer.type:
            case PointerType(target, _):
                if isinstance(target, FunctionType):
                    return pointer  # a function designator is its address
                if target is VOID:
                    raise PredicateSyntaxError(
                        token.column, f"{token} needs to know what the pointer points to"
                    )
                return make.deref(pointer)
        raise PredicateSyntaxError(
            token.column, f"{token} needs a pointer, not a {show_type(pointer.type)}"
        )

    def _members(self, type_: Type, token: Token) -> dict[str, tuple[Member, ...]]:
        """How to get to each member of a record; those of anonymous members are its own."""
        if not isinstance(type_, RecordType):
            raise PredicateSyntaxError(
                token.column, f"{token} needs a struct or union, not a {show_type(type_)}"
            )
        found: dict[str, tuple[Member, ...]] = {}
        waiting: list[tuple[RecordType, tuple[Member, ...]]] = [(type_, ())]
        while waiting:
            inside, before = waiting.pop()
            record = self._program.records.get(inside.tag)
            if record is None:
                raise PredicateSyntaxError(
                    token.column, f"the members of {inside.tag} are not known"
                )
            for member in record.members:
                path = (*before, member)
                if member.name.startswith("#") and isinstance(member.type, RecordType):
                    waiting.append((member.type, path))
                else:
                    found[member.name] = path
        return found

    def member(self, base: Expr, token: Token, name: Token) -> Expr:
        """`base.name`; `token` stands between the two."""
        members = self._members(base.type, token)
        if name.text not in members:
            shown, has = show_type(base.type), ", ".join(members) or "none"
            raise PredicateSyntaxError(
                name.column, f"{shown} has no member {name.text} (it has: {has})"
            )
        lvalue = self.lvalue(base, token)
        for member in members[name.text]:
            lvalue = make.field(lvalue, member.name, member.type)
        return lvalue

    def index(self, token: Token, base: Expr, index: Expr) -> Expr:
        left, right = self.value(base, token), self.value(index, token)
        if isinstance(right.type, PointerType):
            left, right = right, left
        if not isinstance(left.type, PointerType) or not isinstance(right.type, IntType):
            raise PredicateSyntaxError(
                token.column, "`[` needs an array or pointer, and a number inside"
            )
        return self.deref(make.pointer_add(left, right), token)

    def cast(self, token: Token, operand: Expr, type_: Type) -> Expr:
        value = self.value(operand, token)
        scalars = isinstance(type_, IntType | FloatType | PointerType)
        floats = {type(value.type), type(type_)} == {FloatType, PointerType}
        if not scalars or floats:
            raise PredicateSyntaxError(
                token.column, f"a {show_type(value.type)} is not cast to {show_type(type_)}"
            )
        return convert(value, type_)

    def binary(self, op: Token, left: Expr, right: Expr) -> Expr:
        if op.text in ("&&", "||"):
            both = (self._truth(left, op), self._truth(right, op))
            return make.cast(make.conj(both) if op.text == "&&" else make.disj(both), INT)
        left, right = self.value(left, op), self.value(right, op)
        if isinstance(left.type, PointerType) or isinstance(right.type, PointerType):
            return self._with_pointers(op, left, right)
        if op.text in _INTEGERS_ONLY and not (
            isinstance(left.type, IntType) and isinstance(right.type, IntType)
        ):
            raise PredicateSyntaxError(op.column, f"{op} needs integers")
        if op.text in ("<<", ">>"):
            return make.binary(
                _ARITHMETIC[op.text],
                convert(left, promoted(left.type)),
                convert(right, promoted(right.type)),
            )
        type_ = common(left.type, right.type)
        left, right = convert(left, type_), convert(right, type_)
        if op.text in _COMPARISONS:
            return make.cast(_COMPARISONS[op.text](left, right), INT)
        return make.binary(_ARITHMETIC[op.text], left, right)

    def _with_pointers(self, op: Token, left: Expr, right: Expr) -> Expr:
        pointers = isinstance(left.type, PointerType) + isinstance(right.type, PointerType)
        if op.text in _COMPARISONS:
            left, right = self._same(op, left, right), self._same(op, right, left)
            if isinstance(left, Const):
                left = make.cast(left, right.type)  # NULL takes the type of the other side
            right = make.cast(right, left.type)
            return make.cast(_COMPARISONS[op.text](left, right), INT)
        if op.text == "-" and pointers == 2 and left.type is right.type:
            return make.pointer_diff(left, right, self._model.diff_type)
        if op.text in ("+", "-") and pointers == 1:
            if isinstance(right.type, PointerType) and op.text == "+":
                left, right = right, left
            if isinstance(left.type, PointerType) and isinstance(right.type, IntType):
                if left.type.target is VOID or isinstance(left.type.target, FunctionType):
                    raise PredicateSyntaxError(
                        op.column, "arithmetic needs a pointer to objects of a size"
                    )
                index = convert(right, promoted(right.type))
                if op.text == "-":
                    index = make.unary(UnaryOp.NEG, make.cast(index, self._model.diff_type))
                return make.pointer_add(left, index)
        shown = f"{show_type(left.type)} and {show_type(right.type)}"
        raise PredicateSyntaxError(op.column, f"{op} cannot be applied to {shown}")

    def _same(self, op: Token, operand: Expr, other: Expr) -> Expr:
        """The operand as a pointer, if the other one is one: only 0 is a pointer by itself."""
        if isinstance(operand.type, PointerType):
            return operand
        if isinstance(operand, Const) and operand.value == 0:
            return make.cast(operand, other.type)
        raise PredicateSyntaxError(
            op.column, "a pointer is compared with a number; cast one of them"
        )
