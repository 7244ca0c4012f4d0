"""Linear forms of floating-point terms, with the error of their rounding.

What a program computes from variables x with sums, differences and products with constants is
c0 + c1 * x1 + ... up to an error: each operation adds what it may be off by rounding
[Min04, section 4]. A term that is not linear is a new input, as large as its interval.

Soundness duty: in every state whose variables and inputs lie in their ranges, the value of the term
is a number, no farther from the value of its form over the real numbers than the form's error.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from math import inf
from typing import TypeAlias

from ...ir import float_text, ieee754
from ...ir.expr import (
    DIRECTED,
    Binary,
    Cast,
    Deref,
    Expr,
    Field,
    FloatConst,
    Index,
    Op,
    Unary,
    UnaryOp,
    Var,
)
from ...ir.ieee754 import DOUBLE, Format, format_of
from ...ir.types import FloatType
from ...records import dataclass

Key: TypeAlias = Var | int
"""A variable at the loop's head, or the number of an input."""
Range: TypeAlias = tuple[float, float]
Ranges: TypeAlias = Mapping[Key, Range]

_MOST_BITS = 64  # of long double, intervals alone are known
_ZERO = Fraction(0)
_SUMS = (Op.ADD, Op.ADD_UP, Op.ADD_DOWN, Op.ADD_ZERO)
_DIFFERENCES = (Op.SUB, Op.SUB_UP, Op.SUB_DOWN, Op.SUB_ZERO)
_PRODUCTS = (Op.MUL, Op.MUL_UP, Op.MUL_DOWN, Op.MUL_ZERO)
_QUOTIENTS = (Op.DIV, Op.DIV_UP, Op.DIV_DOWN, Op.DIV_ZERO)


@dataclass(frozen=True, slots=True)
class Linear:
    """The sum of a constant and of keys times coefficients, off by the error at most."""

    coefficients: Mapping[Key, Fraction]
    constant: Fraction = _ZERO
    error: Fraction = _ZERO

    def plus(self, other: Linear) -> Linear:
        found = dict(self.coefficients)
        for key, value in other.coefficients.items():
            found[key] = found.get(key, _ZERO) + value
        kept = {key: value for key, value in found.items() if value}
        return Linear(kept, self.constant + other.constant, self.error + other.error)

    def times(self, factor: Fraction) -> Linear:
        if not factor:
            return Linear({})
        parts = {key: value * factor for key, value in self.coefficients.items()}
        return Linear(parts, self.constant * factor, self.error * abs(factor))

    def size(self, ranges: Ranges) -> Fraction | None:
        """No value of it is larger, whatever its sign; None if it has no bounds."""
        low = high = self.constant
        for key, factor in self.coefficients.items():
            one, two = ranges[key]
            if one == -inf or two == inf:
                return None
            ends = factor * Fraction(one), factor * Fraction(two)
            low, high = low + min(ends), high + max(ends)
        return max(abs(low), abs(high)) + self.error


def unit(key: Key) -> Linear:
    return Linear({key: Fraction(1)})


def rounded(form: Format, exact: Linear, ranges: Ranges, directed: bool = False) -> Linear | None:
    """The form after one rounding to a format; None if the number may be too large for it."""
    size = exact.size(ranges)
    if size is None or size >= _largest(form):
        return None
    error = size / (1 << form.precision) + _half_of_smallest(form)
    return Linear(exact.coefficients, exact.constant, exact.error + error * (1 + directed))


def _largest(form: Format) -> int:
    """Less than the largest number of the format."""
    return 1 << form.bias


def _half_of_smallest(form: Format) -> Fraction:
    return Fraction(1, 1 << (form.bias + form.precision - 1))


class Linearisation:
    """Gives terms their forms. `variable` knows those of lvalues, `other` makes an input of a term
    that is not linear; each says None if the value may be no number."""

    def __init__(
        self,
        variable: Callable[[Expr], Linear | None],
        other: Callable[[Expr], Linear | None],
        ranges: Ranges,
    ) -> None:
        self._variable = variable
        self._other = other
        self._ranges = ranges
        self._known: dict[Expr, Linear | None] = {}

    def of(self, e: Expr) -> Linear | None:
        known, stack = self._known, [e]
        while stack:
            term = stack[-1]
            missing = [part for part in _operands(term) if part not in known]
            if term not in known and missing:
                stack += missing
                continue
            stack.pop()
            if term not in known:
                known[term] = self._form(term)
        return known[e]

    def _form(self, e: Expr) -> Linear | None:
        type_ = e.type
        if not isinstance(type_, FloatType) or type_.bits > _MOST_BITS:
            return None
        form, found = format_of(type_), None
        match e:
            case FloatConst():
                return _constant(e, form)
            case Var() | Deref() | Field() | Index():
                return self._variable(e)
            case Unary(UnaryOp.NEG, arg, _):
                known = self._known[arg]
                return None if known is None else known.times(Fraction(-1))
            case Binary(op, left, right, _):
                exact = self._exact(op, self._known[left], self._known[right])
                if exact is not None:
                    found = rounded(form, exact, self._ranges, op in DIRECTED)
            case Cast(arg, _) if isinstance(arg.type, FloatType) and arg.type.bits <= _MOST_BITS:
                known = self._known[arg]
                if known is not None and arg.type.bits <= type_.bits:
                    return known
                if known is not None:  # in any rounding mode
                    found = rounded(form, known, self._ranges, directed=True)
        return self._other(e) if found is None else found

    def _exact(self, op: Op, left: Linear | None, right: Linear | None) -> Linear | None:
        """The result over the real numbers; None if it is not linear."""
        if left is None or right is None:
            return None
        if left.size(self._ranges) is None or right.size(self._ranges) is None:
            return None  # an infinity may be left over where terms cancel each other
        if op in _SUMS:
            return left.plus(right)
        if op in _DIFFERENCES:
            return left.plus(right.times(Fraction(-1)))
        if op in _PRODUCTS and _is_constant(left):
            return right.times(left.constant)
        if op in _PRODUCTS and _is_constant(right):
            return left.times(right.constant)
        if op in _QUOTIENTS and _is_constant(right) and right.constant:
            return left.times(1 / right.constant)
        return None


def _is_constant(form: Linear) -> bool:
    return not form.coefficients and not form.error


def _constant(e: FloatConst, form: Format) -> Linear | None:
    bits = float_text.parse(e.hex, form)
    if ieee754.is_nan(form, bits) or ieee754.is_infinite(form, bits):
        return None
    return Linear({}, Fraction(ieee754.to_float(ieee754.convert(form, DOUBLE, bits))))


def _operands(e: Expr) -> tuple[Expr, ...]:
    match e:
        case Unary(UnaryOp.NEG, arg, FloatType()):
            return (arg,)
        case Binary(_, left, right, FloatType()):
            return (left, right)
        case Cast(arg, FloatType()) if isinstance(arg.type, FloatType):
            return (arg,)
    return ()
