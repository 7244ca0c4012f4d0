"""A condition of the IR as a C expression that means the same, for a witness.

Unlike the text for people (`evidence/invariant_text`), literals have their types and conversions
are written out. What C cannot say at that place (a temporary, a variable that is out of scope, a
number of 200 bits), or what could go wrong when it is evaluated, has no text.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from ...ir.expr import (
    And,
    Binary,
    Cast,
    Const,
    Expr,
    Field,
    FloatConst,
    Index,
    Ite,
    Not,
    Op,
    Or,
    Unary,
    UnaryOp,
    Var,
)
from ...ir.types import BOOL, INT, ArrayType, FloatType, IntType, PointerType, Type

Naming: TypeAlias = Callable[[Var], str | None]
"""How the source calls a variable at a place; None if it cannot."""

_DEEPEST = 300
_TYPES = {
    (8, True): "signed char",
    (8, False): "unsigned char",
    (16, True): "short",
    (16, False): "unsigned short",
    (32, True): "int",
    (32, False): "unsigned int",
    (64, True): "long long",
    (64, False): "unsigned long long",
    (128, True): "__int128",
    (128, False): "unsigned __int128",
}
_ARITHMETIC = (Op.ADD, Op.SUB, Op.MUL, Op.DIV)
_SUFFIXES = {(32, True): "", (32, False): "U", (64, True): "LL", (64, False): "ULL"}


class _NoText(Exception):
    """C cannot say it here."""


def conjuncts(condition: Expr) -> list[Expr]:
    """The parts of a conjunction."""
    if isinstance(condition, And):
        return [part for arg in condition.args for part in conjuncts(arg)]
    return [condition]


def c_condition(condition: Expr, name: Naming) -> str | None:
    """The condition in C; None if there is no text for it."""
    try:
        return _condition(condition, name, 0)
    except _NoText:
        return None


def _condition(e: Expr, name: Naming, depth: int) -> str:
    if depth > _DEEPEST:
        raise _NoText
    inner = depth + 1
    match e:
        case Const(value, _):
            return "1" if value else "0"
        case Not(Binary(Op.EQ, left, right, _)):
            return _compared(left, "!=", right, name, inner)
        case Not(Binary(Op.LT, left, right, _)) if not isinstance(left.type, FloatType):
            return _compared(left, ">=", right, name, inner)
        case Not(Binary(Op.LE, left, right, _)) if not isinstance(left.type, FloatType):
            return _compared(left, ">", right, name, inner)
        case Not(arg):
            return f"!({_condition(arg, name, inner)})"
        case And(args) | Or(args) if args:
            sign = " && " if isinstance(e, And) else " || "
            return sign.join(f"({_condition(arg, name, inner)})" for arg in args)
        case And():
            return "1"
        case Or():
            return "0"
        case Binary(op, left, right, _) if op.is_comparison:
            return _compared(left, op.value, right, name, inner)
        case Ite(cond, then, other, _):
            parts = (_condition(part, name, inner) for part in (cond, then, other))
            return "({}) ? ({}) : ({})".format(*parts)
    raise _NoText


def _compared(left: Expr, sign: str, right: Expr, name: Naming, depth: int) -> str:
    """Both sides have one type of the IR; C compares in a type that holds all its values."""
    return f"{_value(left, name, depth)} {sign} {_value(right, name, depth)}"


def _value(e: Expr, name: Naming, depth: int) -> str:
    """A text of C whose value is that of the term, and its type too, but for types smaller than
    int: C computes with those in int."""
    if depth > _DEEPEST:
        raise _NoText
    inner = depth + 1
    match e:
        case Var() | Field() | Index():
            return _lvalue(e, name, inner)
        case Const(value, type_):
            return _constant(value, type_)
        case Cast(arg, IntType() as type_):
            if arg.type is BOOL:
                return f"({_type(type_)})({_condition(arg, name, inner)})"
            if not isinstance(arg.type, IntType):
                raise _NoText
            return f"({_type(type_)})({_value(arg, name, inner)})"
        case Unary(op, arg, IntType() as type_):
            text = f"{'-' if op is UnaryOp.NEG else '~'}({_value(arg, name, inner)})"
            return f"({_type(type_)})({text})"
        case Binary(op, left, right, IntType() as type_) if op not in (Op.DIV, Op.REM):
            sides = f"({_value(left, name, inner)}) {op.value} ({_value(right, name, inner)})"
            if op in (Op.SHL, Op.SHR) and not isinstance(right, Const):
                raise _NoText
            return f"({_type(type_)})({sides})" if type_.bits < INT.bits else f"({sides})"
        case FloatConst(text, type_):
            return _floating(text, type_)
        case Cast(arg, FloatType() as type_) if isinstance(arg.type, IntType | FloatType):
            return f"({type_})({_value(arg, name, inner)})"
        case Unary(UnaryOp.NEG, arg, FloatType()):
            return f"-({_value(arg, name, inner)})"
        case Binary(op, left, right, FloatType()) if op in _ARITHMETIC:
            return f"(({_value(left, name, inner)}) {op.value} ({_value(right, name, inner)}))"
        case Ite(cond, then, other, IntType() | FloatType()):
            first, second = _value(then, name, inner), _value(other, name, inner)
            return f"(({_condition(cond, name, inner)}) ? {first} : {second})"
    raise _NoText


def _lvalue(e: Expr, name: Naming, depth: int) -> str:
    if depth > _DEEPEST:
        raise _NoText
    match e:
        case Var():
            text = name(e)
            if text is None:
                raise _NoText
            return text
        case Field(base, member, _) if member.isidentifier():
            return f"{_lvalue(base, name, depth + 1)}.{member}"
        case Index(base, Const(value, _), _) if isinstance(base.type, ArrayType):
            if not 0 <= value < base.type.length:
                raise _NoText
            return f"{_lvalue(base, name, depth + 1)}[{value}]"
    raise _NoText


def _floating(text: str, type_: FloatType) -> str:
    """
    >>> from ...ir.types import DOUBLE, FLOAT
    >>> _floating("0x1.8p+1", DOUBLE), _floating("-0x1p-1", FLOAT)
    ('3.0', '(-0.5f)')
    """
    if text.lstrip("-").startswith(("inf", "nan")):
        raise _NoText
    if type_.bits == 80:
        number = f"{text}L"
    else:
        number = f"{float.fromhex(text)!r}{'f' if type_.bits == 32 else ''}"
    return f"({number})" if text.startswith("-") else number


def _type(type_: IntType) -> str:
    text = _TYPES.get((type_.bits, type_.signed))
    if text is None:
        raise _NoText
    return text


def _constant(value: int, type_: Type) -> str:
    """
    >>> _constant(-(2**31), INT), _constant(3, IntType(64, False)), _constant(7, IntType(8, True))
    ('(-2147483647 - 1)', '3ULL', '7')
    """
    if isinstance(type_, PointerType):
        if value:
            raise _NoText
        return "(void *)0"
    if type_ is BOOL:
        return "1" if value else "0"
    if not isinstance(type_, IntType):
        raise _NoText
    if type_.bits == 128:
        if not -(2**63) < value < 2**63:
            raise _NoText
        return f"({_type(type_)})({value}LL)"
    suffix = _SUFFIXES.get((max(type_.bits, 32), type_.signed or type_.bits < 32))
    if suffix is None:
        raise _NoText
    if value < 0 and value == type_.low and type_.bits >= 32:
        return f"({value + 1}{suffix} - 1)"
    return f"({value}{suffix})" if value < 0 else f"{value}{suffix}"
