"""Operators of floating point back as expressions.

A term of bits is seen as a number where an operator of floating point uses it. What C writes as an
operator on numbers and the formulas as one on bits (negation, absolute value, copysign) is found by
its mask. Soundness duty: as in `terms`; a NaN's payload is part of the value.

>>> from ...ir.expr import Var
>>> from ...ir.ieee754 import DOUBLE
>>> from ...ir.show import show_expr
>>> from ...ir.types import DOUBLE as C_DOUBLE
>>> from ...smt import build, floats
>>> from ...smt.term import BitVecSort
>>> x = build.symbol("x", BitVecSort(64))
>>> seen = NumberOf(floats.neg(DOUBLE, x), DOUBLE)
>>> show_expr(number(seen, {NumberOf(x, DOUBLE): Var("x", C_DOUBLE)}.__getitem__, C_DOUBLE))
'-x'
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias

from ...errors import UnsupportedFeature
from ...ir import float_text, make
from ...ir.expr import DIRECTED, Expr, FloatConst, UnaryOp
from ...ir.expr import Op as IrOp
from ...ir.ieee754 import DOUBLE, EXTENDED, SINGLE, Format, Rounding, format_of, is_nan
from ...ir.types import DOUBLE as C_DOUBLE
from ...ir.types import FLOAT as C_FLOAT
from ...ir.types import FloatType, IntType
from ...records import dataclass
from ...smt.term import (
    FP_BINARY,
    FP_COMPARE,
    FP_FROM_INTEGER,
    FP_RESULT,
    FP_UNARY,
    App,
    BitVecSort,
    Op,
    Term,
    Value,
)
from ..float_encoding import ARITHMETIC, DIRECTIONS, INTEGRAL, ROOTS

_BINARY = {(op, Rounding.RNE): ir for ir, op in ARITHMETIC.items()} | {
    DIRECTIONS[ir]: ir for ir in DIRECTED
}
_ROOTS = {mode: op for op, mode in ROOTS.items()}
_INTEGRAL = {mode: op for op, mode in INTEGRAL.items()}
_UNKNOWN_SIZE = "no variable tells how many bytes a long double has"
_BY_BITS = {form.bits: form for form in (SINGLE, DOUBLE, EXTENDED)}
_COMPARISONS = {Op.FP_EQ: IrOp.EQ, Op.FP_LT: IrOp.LT, Op.FP_LE: IrOp.LE}


@dataclass(frozen=True, slots=True)
class NumberOf:
    """The number of a format whose bits a term has."""

    bits: Term
    form: Format


Part: TypeAlias = Term | NumberOf


def types_of(names: Mapping[Term, Expr]) -> dict[Format, FloatType]:
    """The types of the formats; how many bytes a long double has, a variable must tell."""
    types = {SINGLE: C_FLOAT, DOUBLE: C_DOUBLE}
    for expr in names.values():
        if isinstance(expr.type, FloatType):
            types[format_of(expr.type)] = expr.type
    return types


# --- numbers --------------------------------------------------------------------------------------


def needs_of_number(seen: NumberOf) -> tuple[Part, ...]:
    """What `number` must know, for a term that has no name."""
    form = seen.form
    match seen.bits:
        case App(op) as result if op in FP_RESULT:
            return (result,)
        case App(Op.ITE, (cond, then, other)):
            return cond, NumberOf(then, form), NumberOf(other, form)
        case App() as term:
            _, parts = _signs(term, form)
            return tuple(NumberOf(part, form) for part in parts)
    return ()


def number(seen: NumberOf, known: Callable[[Part], Expr], type_: FloatType | None) -> Expr:
    """The expression of a number; `known` has those of `needs_of_number`."""
    form = seen.form
    match seen.bits:
        case Value(bits, _):
            if type_ is None:
                raise UnsupportedFeature(_UNKNOWN_SIZE)
            return FloatConst(float_text.show(form, bits), type_)
        case App(op) as result if op in FP_RESULT:
            return known(result)
        case App(Op.ITE, (cond, then, other)):
            parts = known(NumberOf(then, form)), known(NumberOf(other, form))
            return make.ite(known(cond), *parts)
        case App() as term:
            change, operands = _signs(term, form)
            args = [known(NumberOf(operand, form)) for operand in operands]
            if isinstance(change, UnaryOp):
                return make.unary(change, *args)
            return make.binary(change, *args)
    raise UnsupportedFeature(f"no number for {seen.bits}")


def _signs(term: App, form: Format) -> tuple[UnaryOp | IrOp, tuple[Term, ...]]:
    """An operator on the bits of numbers that changes signs, and its operands."""
    match term:
        case App(Op.BV_XOR, (arg, Value(form.sign, _)) | (Value(form.sign, _), arg)):
            return UnaryOp.NEG, (arg,)
        case App(Op.BV_AND, (arg, Value(mask, _)) | (Value(mask, _), arg)) if mask == form.sign - 1:
            return UnaryOp.ABS, (arg,)
        case App(Op.BV_OR, (one, two)):
            for size, sign in ((one, two), (two, one)):
                kept, taken = _size(size, form), _sign(sign, form)
                if kept is not None and taken is not None:
                    return IrOp.COPYSIGN, (kept, taken)
    raise UnsupportedFeature(f"no number for {term}")


def _size(term: Term, form: Format) -> Term | None:
    """The number of which these are the bits without the sign."""
    match term:
        case Value(bits, _) if bits < form.sign:
            return term
        case App(Op.BV_AND, (arg, Value(mask, _)) | (Value(mask, _), arg)) if mask == form.sign - 1:
            return arg
    return None


def _sign(term: Term, form: Format) -> Term | None:
    """The number of which this is the sign."""
    match term:
        case App(Op.BV_AND, (arg, Value(form.sign, _)) | (Value(form.sign, _), arg)):
            return arg
    return None


# --- applications ---------------------------------------------------------------------------------


def needs(term: App) -> tuple[Part, ...]:
    """What `operator` must know, for an operator of floating point."""
    if term.op in FP_FROM_INTEGER:
        return term.args
    form = _form(term)
    return tuple(NumberOf(arg, form) for arg in term.args)


def operator(term: App, known: Callable[[Part], Expr], types: Mapping[Format, FloatType]) -> Expr:
    """The application of an operator of floating point."""
    args = [known(part) for part in needs(term)]
    op, params = term.op, [param for param in term.params if isinstance(param, int)]
    if op in FP_COMPARE:
        return make.compare(_COMPARISONS[op], *args)
    mode = Rounding(params[2])
    if op in FP_BINARY and (op, mode) in _BINARY:
        return make.binary(_BINARY[op, mode], *args)
    if op in FP_UNARY:
        table = _ROOTS if op is Op.FP_SQRT else _INTEGRAL
        if mode in table:
            return make.unary(table[mode], args[0])
    if op is Op.FP_TO_SBV and mode is Rounding.RTZ and params[3] in (32, 64):
        return make.cast(args[0], IntType(params[3], True))
    if op is Op.FP_CONVERT and mode is Rounding.RNE:
        return make.cast(args[0], _type(types, Format(params[3], params[4])))
    if op in FP_FROM_INTEGER and mode is Rounding.RNE and isinstance(args[0].type, IntType):
        whole = IntType(args[0].type.bits, op is Op.FP_FROM_SBV)
        return make.cast(make.cast(args[0], whole), _type(types, _form(term)))
    raise UnsupportedFeature(f"no expression for {op.value}")


def _form(term: App) -> Format:
    exponent, precision, *_ = term.params
    assert isinstance(exponent, int)
    assert isinstance(precision, int)
    return Format(exponent, precision)


def _type(types: Mapping[Format, FloatType], form: Format) -> FloatType:
    if form not in types:
        raise UnsupportedFeature(_UNKNOWN_SIZE)
    return types[form]


def is_result(term: Term) -> bool:
    """Does it have the bits of a number, because an operator gives one?"""
    return isinstance(term, App) and term.op in FP_RESULT


def form_of_bits(term: Term) -> Format:
    """The format of a number, by how many bits it has."""
    assert isinstance(term.sort, BitVecSort)
    return _BY_BITS[term.sort.width]


def same_bits(value: Expr, bits: int) -> Expr:
    """Does a number have these bits? No NaN has, as an expression."""
    assert isinstance(value.type, FloatType)
    form = format_of(value.type)
    if is_nan(form, bits):
        raise UnsupportedFeature("no expression for the payload of a NaN")
    if bits & ~form.sign:
        return make.equal(value, FloatConst(float_text.show(form, bits), value.type))
    zero = make.float_const(0.0, value.type)
    equal = make.equal(value, zero)
    one = make.float_const(1.0, value.type)
    negative = make.less(make.binary(IrOp.COPYSIGN, one, value), zero)
    return make.conj((equal, negative if bits else make.negate(negative)))
