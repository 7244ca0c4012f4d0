"""Sums inside terms: what a number is a linear combination of, and what was wrapped into a type.

`integer_encoding.wrap` writes a conversion as case distinctions and remainders; here they are found
again. The summands are solver terms, any terms at all; `domains/linear` has constraints over named
variables, which numeric domains compute with. Soundness duty: `unwrapped` and `summands` are right
for all values of the symbols.

>>> from ..encode.integer_encoding import wrap
>>> from ..encode.encoding import BoundedTerm
>>> from ..ir.types import INT as C_INT
>>> x = build.symbol("x", INT)
>>> sum_ = build.add(x, build.integer(1))
>>> found = unwrapped(wrap(BoundedTerm(sum_, *(C_INT.low + 1, C_INT.high + 1)), C_INT).term)
>>> found is not None and found.term is sum_ and str(found.type)
'int'
"""

from __future__ import annotations

from ..ir.types import IntType
from ..records import dataclass
from . import build
from .term import INT, App, BitVecSort, Op, Term, Value

_WIDEST = 128
_MOST_STEPS = 500


@dataclass(frozen=True, slots=True)
class Wrapped:
    """A number that was converted to a type: the value of the type that is congruent to it."""

    term: Term
    type: IntType


def unwrapped(term: Term) -> Wrapped | None:
    """The integer that was wrapped, if the term is one that was."""
    if not isinstance(term, App) or term.sort is not INT:
        return None
    match term.op, term.args:
        case Op.ITE, (cond, then, other):
            return _cases(cond, then, other)
        case Op.MOD, (inner, Value(size, _)):
            return _remainder(inner, size, 0)
        case Op.ADD, (App(Op.MOD, (inner, Value(size, _)), _, _), Value(low, _)):
            return _remainder(inner, size, low)
        case _:
            return None


def _remainder(inner: Term, size: int, low: int) -> Wrapped | None:
    """(inner mod size) + low"""
    bits = size.bit_length() - 1
    if size <= 1 or size != 1 << bits or bits > _WIDEST:
        return None
    for signed in (False, True):
        if IntType(bits, signed).low == low:
            return Wrapped(build.add(inner, build.integer(low)), IntType(bits, signed))
    return None


def _cases(cond: Term, then: Term, other: Term) -> Wrapped | None:
    inner = other
    if isinstance(other, App) and other.op is Op.ITE:  # below and above: two choices, never more
        test, inner_then, inner_other = other.args
        found = _choice(test, inner_then, inner_other, inner_other)
        if found is not None:
            inner = found.term
    return _choice(cond, then, other, inner)


def _choice(cond: Term, then: Term, other: Term, inner: Term) -> Wrapped | None:
    """The choice as `inner` that was wrapped."""
    shift = build.sub(then, inner)
    if not isinstance(shift, Value) or not shift.value:
        return None
    size = abs(shift.value)
    bits = size.bit_length() - 1
    if size != 1 << bits or not 0 < bits <= _WIDEST:
        return None
    for type_ in (IntType(bits, True), IntType(bits, False)):
        above = build.lt(build.integer(type_.high), inner)
        below = build.lt(inner, build.integer(type_.low))
        if cond is above and shift.value < 0 and inner is other:
            return Wrapped(inner, type_)
        if cond is below and shift.value > 0:
            lower = build.ite(above, build.add(inner, build.integer(-size)), inner)
            if other in (inner, lower):
                return Wrapped(inner, type_)
    return None


@dataclass(frozen=True, slots=True)
class Combination:
    """The sum of `constant` and of the terms, each times its factor."""

    factors: dict[Term, int]
    constant: int


def summands(root: Term, bits: int | None = None) -> Combination:
    """The sum that a term is; modulo 2 ** bits, if they are given, so that what was wrapped into
    that many bits or more is seen through. A bit-vector is always a sum modulo its own range."""
    modulus = None
    if isinstance(root.sort, BitVecSort):
        modulus = 1 << root.sort.width
    elif bits is not None:
        modulus = 1 << bits
    factors: dict[Term, int] = {}
    constant = 0
    stack = [(root, 1)]
    steps = 0
    while stack:
        term, factor = stack.pop()
        steps += 1
        if steps > _MOST_STEPS:  # shared parts are seen each time, so there might be no end
            factors[term] = factors.get(term, 0) + factor
            continue
        match term:
            case Value(value, _):
                constant += factor * value
            case App(Op.ADD | Op.BV_ADD, args, _, _):
                stack += [(arg, factor) for arg in reversed(args)]
            case App(Op.MUL | Op.BV_MUL, (Value(value, _), arg), _, _):
                stack.append((arg, factor * value))
            case App(Op.BV_MUL, (arg, Value(value, _)), _, _):
                stack.append((arg, factor * value))
            case App(Op.BV_SUB, (left, right), _, _):
                stack += [(right, -factor), (left, factor)]
            case App(Op.BV_NEG, (arg,), _, _):
                stack.append((arg, -factor))
            case _:
                wrapped = unwrapped(term) if bits is not None else None
                if wrapped is not None and bits is not None and wrapped.type.bits >= bits:
                    stack.append((wrapped.term, factor))
                else:
                    factors[term] = factors.get(term, 0) + factor
    if modulus is not None:
        half = modulus >> 1
        factors = {term: (f + half) % modulus - half for term, f in factors.items()}
        constant %= modulus
    return Combination({term: f for term, f in factors.items() if f}, constant)
