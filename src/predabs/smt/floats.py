"""Smart constructors for floating point, on the bits of numbers; the same duty as `build`.

Negation and absolute value are operations on bits, in C as on the machine, and have no operators.

>>> from ..ir.ieee754 import DOUBLE, from_float
>>> from .term import BitVecSort
>>> x = Value(from_float(0.5), BitVecSort(64))
>>> print(less(DOUBLE, x, arithmetic(Op.FP_ADD, DOUBLE, x, x)))
true
"""

from __future__ import annotations

from ..ir.ieee754 import RNE, Format, Rounding
from . import bitvectors, build
from .semantics import fold
from .term import App, Op, Symbol, Term, Value, apply


def constant(form: Format, bits: int) -> Value:
    return bitvectors.bits(bits, form.bits)


def arithmetic(op: Op, form: Format, left: Term, right: Term, mode: Rounding = RNE) -> Term:
    """FP_ADD, FP_SUB, FP_MUL or FP_DIV."""
    return fold(apply(op, (left, right), (form.exponent, form.precision, mode.value)))


def sqrt(form: Format, arg: Term, mode: Rounding = RNE) -> Term:
    return fold(apply(Op.FP_SQRT, (arg,), (form.exponent, form.precision, mode.value)))


def integral(form: Format, arg: Term, mode: Rounding) -> Term:
    """Rounded to an integer, which stays a number of the format."""
    return fold(apply(Op.FP_INTEGRAL, (arg,), (form.exponent, form.precision, mode.value)))


def neg(form: Format, arg: Term) -> Term:
    return bitvectors.xor(arg, constant(form, form.sign))


def absolute(form: Format, arg: Term) -> Term:
    return bitvectors.and_(arg, constant(form, form.sign - 1))


def copy_sign(form: Format, size: Term, sign: Term) -> Term:
    """The size of one number with the sign of the other."""
    kept = bitvectors.and_(sign, constant(form, form.sign))
    return bitvectors.or_(absolute(form, size), kept)


def next_up(form: Format, arg: Term) -> Term:
    """The least number above, as `ieee754.next_up` has it."""
    one = constant(form, 1)
    size = absolute(form, arg)
    nan = bitvectors.ult(constant(form, form.infinity), size)
    zero = build.eq(size, constant(form, 0))
    negative = bitvectors.ule(constant(form, form.sign), arg)
    moved = build.ite(negative, bitvectors.sub(arg, one), bitvectors.add(arg, one))
    moved = build.ite(build.eq(arg, constant(form, form.infinity)), arg, moved)
    quiet = bitvectors.or_(arg, constant(form, form.quiet))
    return build.ite(nan, quiet, build.ite(zero, one, moved))


def next_down(form: Format, arg: Term) -> Term:
    nan = bitvectors.ult(constant(form, form.infinity), absolute(form, arg))
    quiet = bitvectors.or_(arg, constant(form, form.quiet))
    return build.ite(nan, quiet, neg(form, next_up(form, neg(form, arg))))


def equal(form: Format, left: Term, right: Term) -> Term:
    return _compare(Op.FP_EQ, form, left, right)


def less(form: Format, left: Term, right: Term) -> Term:
    return _compare(Op.FP_LT, form, left, right)


def less_equal(form: Format, left: Term, right: Term) -> Term:
    return _compare(Op.FP_LE, form, left, right)


def _compare(op: Op, form: Format, left: Term, right: Term) -> Term:
    return fold(apply(op, (left, right), (form.exponent, form.precision)))


def convert(source: Format, target: Format, arg: Term, mode: Rounding = RNE) -> Term:
    if source == target:
        return arg
    params = (source.exponent, source.precision, mode.value, target.exponent, target.precision)
    return fold(apply(Op.FP_CONVERT, (arg,), params))


def from_integer(form: Format, arg: Term, signed: bool, mode: Rounding = RNE) -> Term:
    op = Op.FP_FROM_SBV if signed else Op.FP_FROM_UBV
    return fold(apply(op, (arg,), (form.exponent, form.precision, mode.value)))


def to_signed(form: Format, arg: Term, width: int, mode: Rounding = Rounding.RTZ) -> Term:
    """The integer; the most negative one if there is none."""
    params = (form.exponent, form.precision, mode.value, width)
    return fold(apply(Op.FP_TO_SBV, (arg,), params))


def operator(op: Op, *parts: Term | int) -> Term:
    """Any operator of floating point, applied to its arguments and then its params."""
    args = tuple(part for part in parts if isinstance(part, Symbol | Value | App))
    params = tuple(part for part in parts if isinstance(part, int))
    return fold(apply(op, args, params))
