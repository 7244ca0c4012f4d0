"""The terms of a certificate as JSON: one table, in which a term refers to earlier ones by number.

Terms share parts and may be thousands of levels deep; the table has each part once and is flat.
Soundness duty: what is read is a term over variables, members and functions of the program, of
types that fit each other, or an `InputError`; a certificate may have been written by anybody.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, TypeAlias

from ..errors import InputError, UnsupportedFeature
from ..ir import float_text, ieee754, make
from ..ir.cfa import Program
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
from ..ir.types import (
    BOOL,
    VOID,
    ArrayType,
    BoolType,
    FloatType,
    FunctionType,
    IntType,
    PointerType,
    RecordType,
    Type,
    VoidType,
)
from ..ir.walk import children, subterms

Json: TypeAlias = Any
_SHIFTS = (Op.SHL, Op.SHR)
_OF_FLOATS = frozenset((Op.ADD, Op.SUB, Op.MUL, Op.DIV))
_FLOATS = {(32, 4), (64, 8), (80, 12), (80, 16)}
_FLOAT = re.compile(r"-?(inf|nan(:[0-9a-f]{1,20})?|0x[01]\.[0-9a-f]{1,20}p[+-][0-9]{1,5})")
_WIDEST = 4096  # bits of an integer
_DEEPEST = 200  # levels of a type


class TermWriter:
    """Fills a table of terms."""

    def __init__(self) -> None:
        self.table: list[Json] = []
        self._numbers: dict[Expr, int] = {}

    def number(self, expr: Expr) -> int:
        """The number of a term, which is in the table afterwards."""
        for term in subterms(expr):
            if term not in self._numbers:
                parts = [self._numbers[part] for part in children(term)]
                self.table.append(_written(term, parts))
                self._numbers[term] = len(self.table) - 1
        return self._numbers[expr]


def _written(term: Expr, parts: Sequence[int]) -> Json:
    match term:
        case Var(name, _):
            return ["var", name]
        case Const(value, type_):
            return ["const", value, written_type(type_)]
        case FloatConst(text, type_):
            form = ieee754.format_of(type_)
            shown = float_text.show(form, float_text.parse(text, form))
            return ["float", shown, written_type(type_)]
        case FunctionAddress(name, type_):
            return ["function", name, written_type(type_)]
        case Unary(op, _, _):
            return [op.name.lower(), *parts]
        case Binary(op, _, _, _):
            return [op.value, *parts]
        case Cast(_, type_):
            return ["cast", *parts, written_type(type_)]
        case PointerAdd(_, _, type_):
            return ["pointer +", *parts, written_type(type_)]
        case PointerDiff(_, _, type_):
            return ["pointer -", *parts, written_type(type_)]
        case Deref():
            return ["deref", *parts]
        case Field(_, name, _):
            return ["member", *parts, name]
        case Index():
            return ["element", *parts]
        case AddressOf(_, type_):
            return ["address", *parts, written_type(type_)]
        case ObjectSize(_, type_):
            return ["size", *parts, written_type(type_)]
        case Ite():
            return ["ite", *parts]
        case Not():
            return ["not", *parts]
        case And():
            return ["and", *parts]
        case Or():
            return ["or", *parts]
    raise UnsupportedFeature(f"a certificate has no word for {type(term).__name__}")


def written_type(type_: Type) -> Json:
    """A type as JSON.

    >>> written_type(PointerType(IntType(32, True), 64))
    ['pointer', 64, ['int', 32]]
    """
    match type_:
        case VoidType():
            return ["void"]
        case BoolType():
            return ["bool"]
        case IntType(bits, signed):
            return ["int" if signed else "unsigned", bits]
        case FloatType(bits, size):
            return ["float", bits, size]
        case PointerType(target, bits):
            return ["pointer", bits, written_type(target)]
        case ArrayType(element, length):
            return ["array", length, written_type(element)]
        case RecordType(tag, size):
            return ["record", tag, size]
        case FunctionType(result, params, variadic):
            return ["function", variadic, written_type(result), *map(written_type, params)]


class TermReader:
    """Reads a table of terms over the variables of a program."""

    def __init__(self, program: Program, table: Json) -> None:
        if not isinstance(table, list):
            raise InputError("'terms' is no list")
        self._program = program
        self._vars = {item.var.name: item.var for item in program.globals}
        for function in program.functions.values():
            self._vars |= {var.name: var for var in (*function.params, *function.locals)}
        self._terms: list[Expr] = []
        for number, row in enumerate(table):
            try:
                self._terms.append(self._read(row))
            except (_Bad, IndexError, TypeError, ValueError, KeyError) as problem:
                raise InputError(f"term {number}: {problem or 'it does not fit'}") from None

    def condition(self, number: Json) -> Expr:
        """The term with a number, which must be a condition."""
        if not isinstance(number, int) or isinstance(number, bool):
            raise InputError(f"{number!r} is no number of a term")
        if not 0 <= number < len(self._terms):
            raise InputError(f"there is no term {number}")
        term = self._terms[number]
        if term.type is not BOOL:
            raise InputError(f"term {number} is no condition")
        return term

    def _part(self, number: Json) -> Expr:
        _need(isinstance(number, int) and not isinstance(number, bool), "a part is no number")
        _need(0 <= number < len(self._terms), "a part does not come before it")
        return self._terms[number]

    def _lvalue(self, number: Json) -> Lvalue:
        part = self._part(number)
        if not isinstance(part, Lvalue):
            raise _Bad("a part is no lvalue")
        return part

    def _condition(self, number: Json) -> Expr:
        part = self._part(number)
        _need(part.type is BOOL, "a part is no condition")
        return part

    def _pointer(self, number: Json) -> tuple[Expr, PointerType]:
        part = self._part(number)
        if not isinstance(part.type, PointerType):
            raise _Bad("a part is no pointer")
        return part, part.type

    def _read(self, row: Json) -> Expr:
        match row:
            case ["var", str(name)]:
                _need(name in self._vars, f"the program has no variable {name}")
                return self._vars[name]
            case ["const", int(value), type_]:
                return _constant(value, self._type(type_))
            case ["function", str(name), type_]:
                made = self._type(type_)
                known = name in self._program.functions or name in self._program.externals
                _need(known, f"the program has no function {name}")
                if isinstance(made, PointerType):
                    return FunctionAddress(name, made)
            case ["float", str(text), type_]:
                return _float(text, self._type(type_))
            case [str(word), arg] if word.upper() in UnaryOp.__members__:
                return _unary(UnaryOp[word.upper()], self._part(arg))
            case ["cast", arg, type_]:
                return _cast(self._part(arg), self._type(type_))
            case ["pointer +", pointer_, index, type_]:
                pointer, own = self._pointer(pointer_)
                offset = self._part(index)
                _need(isinstance(offset.type, IntType), "an index is no integer")
                _need(self._type(type_) is own, "the types differ")
                return PointerAdd(pointer, offset, own)
            case ["pointer -", one, two, type_]:
                (left, left_type), (right, right_type) = self._pointer(one), self._pointer(two)
                _need(left_type is right_type, "the types differ")
                result = self._type(type_)
                if isinstance(result, IntType):
                    return PointerDiff(left, right, result)
            case ["deref", pointer_]:
                pointer, own = self._pointer(pointer_)
                return Deref(pointer, own.target)
            case ["member", base, str(name)]:
                return self._member(self._lvalue(base), name)
            case ["element", base, index]:
                array, position = self._lvalue(base), self._part(index)
                _need(isinstance(position.type, IntType), "an index is no integer")
                if isinstance(array.type, ArrayType):
                    return Index(array, position, array.type.element)
            case ["address", target, type_]:
                lvalue, pointer_type = self._lvalue(target), self._type(type_)
                if isinstance(pointer_type, PointerType):
                    return AddressOf(lvalue, pointer_type)
            case ["size", pointer_, type_]:
                pointer, _ = self._pointer(pointer_)
                number_type = self._type(type_)
                if isinstance(number_type, IntType):
                    return ObjectSize(pointer, number_type)
            case ["ite", cond, then, other]:
                yes, no = self._part(then), self._part(other)
                _need(yes.type is no.type, "the types differ")
                return Ite(self._condition(cond), yes, no, yes.type)
            case ["not", arg]:
                return Not(self._condition(arg))
            case ["and", *args]:
                return And(tuple(map(self._condition, args)))
            case ["or", *args]:
                return Or(tuple(map(self._condition, args)))
            case [str(word), left_, right_]:
                return _binary(Op(word), self._part(left_), self._part(right_))
        raise _Bad("it is none that there is")

    def _member(self, base: Lvalue, name: str) -> Expr:
        if not isinstance(base.type, RecordType):
            raise _Bad("it has no members")
        return make.field(base, name, self._program.records[base.type.tag].member(name).type)

    def _type(self, data: Json, depth: int = 0) -> Type:
        _need(depth < _DEEPEST, "a type is nested too deeply")
        match data:
            case ["void"]:
                return VOID
            case ["bool"]:
                return BOOL
            case [("int" | "unsigned") as word, int(bits)] if 0 < bits <= _WIDEST:
                return IntType(bits, word == "int")
            case ["float", int(bits), int(size)] if (bits, size) in _FLOATS:
                return FloatType(bits, size)
            case ["pointer", int(bits), target] if bits == self._program.data_model.pointer_bits:
                return PointerType(self._type(target, depth + 1), bits)
            case ["array", int(length), element] if length >= 0:
                return ArrayType(self._type(element, depth + 1), length)
            case ["record", str(tag), int(size)]:
                known = self._program.records.get(tag)
                if known is None or known.type.size == size:
                    return RecordType(tag, size)
            case ["function", bool(variadic), result, *params]:
                inner = [self._type(param, depth + 1) for param in params]
                return FunctionType(self._type(result, depth + 1), tuple(inner), variadic)
        raise _Bad("there is no such type")


class _Bad(Exception):
    """This is no term."""


def _need(fine: bool, otherwise: str) -> None:
    if not fine:
        raise _Bad(otherwise)


def _constant(value: int, type_: Type) -> Expr:
    match type_:
        case BoolType() if value in (0, 1):
            return Const(int(value), type_)
        case IntType() | PointerType() if type_.wrap(value) == value:
            return Const(value, type_)
    raise _Bad(f"{value} has not this type")


def _float(text: str, type_: Type) -> Expr:
    """A number that is written as `float_text.show` writes it, and in no other way."""
    if not isinstance(type_, FloatType):
        raise _Bad("it is no type of floating point")
    form = ieee754.format_of(type_)
    bits = float_text.parse(text, form) if _FLOAT.fullmatch(text) else -1
    _need(0 <= bits < 1 << form.bits, "it is no number of its type")
    _need(float_text.show(form, bits) == text, "such a number is written in another way")
    return FloatConst(text, type_)


def _cast(arg: Expr, type_: Type) -> Expr:
    match arg.type, type_:
        case (IntType() | PointerType() | BoolType(), IntType() | PointerType()):
            return Cast(arg, type_)
        case (IntType() | BoolType() | FloatType(), FloatType()) | (FloatType(), IntType()):
            return Cast(arg, type_)
    raise _Bad("it cannot be converted to that")


def _unary(op: UnaryOp, arg: Expr) -> Expr:
    integer = isinstance(arg.type, IntType) and not op.is_function
    floating = isinstance(arg.type, FloatType) and op is not UnaryOp.INVERT
    _need(integer or floating, "it is no number")
    return Unary(op, arg, arg.type)


def _binary(op: Op, left: Expr, right: Expr) -> Expr:
    if op.is_comparison:
        same = left.type is right.type and isinstance(left.type, IntType | PointerType | FloatType)
        equal = op is Op.EQ and left.type is BOOL and right.type is BOOL
        pointers = isinstance(left.type, PointerType) and isinstance(right.type, PointerType)
        _need(same or equal or pointers, "the types differ")
        return Binary(op, left, right, BOOL)
    if isinstance(left.type, FloatType):
        _need(right.type is left.type, "the types differ")
        _need(op.is_function or op in _OF_FLOATS, "no operator of floating point")
        return Binary(op, left, right, left.type)
    _need(isinstance(left.type, IntType) and not op.is_function, "it is no integer")
    _need(right.type is left.type or (op in _SHIFTS and isinstance(right.type, IntType)), "types")
    return Binary(op, left, right, left.type)
