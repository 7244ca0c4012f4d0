"""An evaluator of terms made for tests alone: plain recursion, arithmetic of its own.

It shares no code with predabs but the term classes. Memory is a function from addresses to bytes,
so that every dereference has a value; variables live at given addresses.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction

from predabs.ir.expr import (
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
from predabs.ir.types import (
    BOOL,
    ArrayType,
    IntType,
    PointerType,
    Record,
    RecordType,
    Type,
    VoidType,
)

POINTER_BITS = 64


class Undefined(Exception):
    """The term has no value: a division by zero."""


def into(type_: Type, value: int) -> int:
    """The number modulo 2 to the width, in the range of the type."""
    assert isinstance(type_, IntType | PointerType)
    modulus = 2**type_.bits
    value = value % modulus
    if isinstance(type_, IntType) and type_.signed and value >= modulus // 2:
        value -= modulus
    return value


def width(type_: Type) -> int:
    match type_:
        case IntType(bits, _) | PointerType(_, bits):
            return -(-bits // 8)
        case ArrayType(element, length):
            return width(element) * length
        case RecordType(_, size):
            return size
    return 1


class State:
    """Where the variables are, and what the bytes of memory are (a number decides them all)."""

    def __init__(self, places: Mapping[Var, int], records: Mapping[str, Record], seed: int) -> None:
        self.places = places
        self.records = records
        self.seed = seed

    def byte(self, address: int) -> int:
        mixed = (address * 0x9E3779B97F4A7C15 + self.seed * 0xBF58476D1CE4E5B9) % 2**64
        return (mixed ^ (mixed >> 31)) * 0x94D049BB133111EB % 2**64 >> 56

    def load(self, address: int, bit: int, type_: Type) -> int:
        bits = type_.bits if isinstance(type_, IntType | PointerType) else 8
        whole = sum(self.byte((address + n) % 2**64) << (8 * n) for n in range(-(-bits // 8) + 1))
        return into(type_, whole >> bit)

    def place(self, e: Expr) -> tuple[int, int]:
        """The address of an lvalue, and the bit it starts at there."""
        match e:
            case Var():
                return self.places[e], 0
            case Deref(pointer, _):
                return self.value(pointer), 0
            case Field(base, name, _):
                assert isinstance(base.type, RecordType)
                (member,) = (m for m in self.records[base.type.tag].members if m.name == name)
                return self.place(base)[0] + member.bit // 8, member.bit % 8
            case Index(base, index, type_):
                return self.place(base)[0] + self.value(index) * width(type_), 0
        raise AssertionError(e)

    def value(self, e: Expr) -> int:
        match e:
            case Const(value, _):
                return value
            case Var() | Deref() | Field() | Index():
                address, bit = self.place(e)
                return self.load(address % 2**64, bit, e.type)
            case FunctionAddress(name, _):
                return 16 * len(name)
            case Unary(op, arg, type_):
                value = self.value(arg)
                return into(type_, -value if op is UnaryOp.NEG else -value - 1)
            case Binary(op, left, right, type_):
                return self.binary(op, self.value(left), self.value(right), type_)
            case Cast(arg, type_):
                return into(type_, self.value(arg))
            case PointerAdd(pointer, index, type_):
                step = 1 if isinstance(type_.target, VoidType) else width(type_.target)
                return into(type_, self.value(pointer) + step * self.value(index))
            case PointerDiff(left, right, type_):
                assert isinstance(left.type, PointerType)
                distance = self.value(left) - self.value(right)
                return into(type_, math.trunc(Fraction(distance, width(left.type.target))))
            case AddressOf(target, type_):
                return into(type_, self.place(target)[0])
            case ObjectSize(pointer, type_):
                return into(type_, self.value(pointer) * 7)
            case Ite(cond, then, other, _):
                values = self.value(cond), self.value(then), self.value(other)
                return values[1] if values[0] else values[2]
            case Not(arg):
                return 1 - self.value(arg)
            case And(args):
                return min([1, *map(self.value, args)])
            case Or(args):
                return max([0, *map(self.value, args)])
        raise AssertionError(e)

    def binary(self, op: Op, left: int, right: int, type_: Type) -> int:
        match op:
            case Op.EQ:
                return int(left == right)
            case Op.LT:
                return int(left < right)
            case Op.LE:
                return int(left <= right)
        assert isinstance(type_, IntType | PointerType) and type_ is not BOOL
        match op:
            case Op.ADD:
                result = left + right
            case Op.SUB:
                result = left - right
            case Op.MUL:
                result = left * right
            case Op.DIV | Op.REM:
                if right == 0:
                    raise Undefined
                quotient = math.trunc(Fraction(left, right))
                result = quotient if op is Op.DIV else left - quotient * right
            case Op.SHL:
                result = left * 2 ** (right % type_.bits)
            case Op.SHR:
                result = math.floor(Fraction(left, 2 ** (right % type_.bits)))
            case Op.AND | Op.OR | Op.XOR:
                result = self.bitwise(op, left, right, type_.bits)
        return into(type_, result)

    def bitwise(self, op: Op, left: int, right: int, bits: int) -> int:
        def digits(number: int) -> list[bool]:
            return [number // 2**n % 2 == 1 for n in range(bits)]

        join = {
            Op.AND: lambda a, b: a and b,
            Op.OR: lambda a, b: a or b,
            Op.XOR: lambda a, b: a != b,
        }[op]
        pairs = zip(digits(left), digits(right), strict=True)
        return sum(2**n for n, (a, b) in enumerate(pairs) if join(a, b))
