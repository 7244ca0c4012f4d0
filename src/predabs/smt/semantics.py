"""What the operators mean, on Python values: the one place, for folding, evaluating and testing.

A scalar is an `int` (Bool: 0 or 1; BitVec: without a sign), an array an `ArrayValue`. Soundness
duty: this is SMT-LIB's meaning, where that leaves nothing open; division of integers by zero, which
it leaves open, is fixed here (x div 0 = 0, x mod 0 = x) and the back ends translate it so. For
floating point the bits of NaN and conversions out of range, which it leaves open too, are those of
`ir.ieee754`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

from ..errors import InternalError
from ..ir import ieee754
from ..ir.ieee754 import Format, Rounding
from ..records import dataclass, field
from .term import FP_OPS, App, ArraySort, BitVecSort, BoolSort, Op, Sort, Value


@dataclass(frozen=True, slots=True)
class ArrayValue:
    """An array that is `default` everywhere but at `entries`; make it with `array_value`, which
    sees to it that equal arrays are equal objects in the sense of `==`."""

    default: ModelValue
    entries: Mapping[int, ModelValue] = field(hash=False)

    def __getitem__(self, index: int) -> ModelValue:
        return self.entries.get(index, self.default)


ModelValue: TypeAlias = int | ArrayValue


def array_value(default: ModelValue, entries: Mapping[int, ModelValue], index: Sort) -> ArrayValue:
    """The array in its only form: no entry equals the default, and where indices are so few that
    another default would do as well, the default is the most frequent element (of several, the one
    at the lowest index)."""
    entries = {at: value for at, value in entries.items() if value != default}
    size = domain_size(index)
    if size is None or 2 * len(entries) < size:
        return ArrayValue(default, entries)
    table = [entries.get(at, default) for at in range(size)]
    counts = Counter(table)
    best = max(table, key=lambda value: counts[value])
    return ArrayValue(best, {at: value for at, value in enumerate(table) if value != best})


def domain_size(sort: Sort) -> int | None:
    """How many values the sort has; None if infinitely many."""
    match sort:
        case BoolSort():
            return 2
        case BitVecSort(width):
            return 1 << width
        case _:
            return None


def default_value(sort: Sort) -> ModelValue:
    """Some value of the sort: zero, or the array of zeros."""
    if isinstance(sort, ArraySort):
        return ArrayValue(default_value(sort.element), {})
    return 0


def signed(value: int, width: int) -> int:
    """The number that the bits are in two's complement."""
    return value - (1 << width) if value >> (width - 1) else value


def euclid(left: int, right: int) -> tuple[int, int]:
    """Quotient and remainder with 0 <= remainder < |right|; by zero, 0 and the dividend."""
    if right == 0:
        return 0, left
    remainder = left % abs(right)
    return (left - remainder) // right, remainder


def _sdiv(left: int, right: int, width: int) -> int:
    a, b = signed(left, width), signed(right, width)
    if b == 0:
        return 1 if a < 0 else -1
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


def _srem(left: int, right: int, width: int) -> int:
    a, b = signed(left, width), signed(right, width)
    if b == 0:
        return a
    return abs(a) % abs(b) * (1 if a >= 0 else -1)


# the results are cut to the width by the caller
_BITVEC: dict[Op, Callable[[int, int, int], int]] = {
    Op.BV_ADD: lambda a, b, w: a + b,
    Op.BV_SUB: lambda a, b, w: a - b,
    Op.BV_MUL: lambda a, b, w: a * b,
    Op.BV_UDIV: lambda a, b, w: a // b if b else -1,
    Op.BV_UREM: lambda a, b, w: a % b if b else a,
    Op.BV_SDIV: _sdiv,
    Op.BV_SREM: _srem,
    Op.BV_SHL: lambda a, b, w: a << b if b < w else 0,
    Op.BV_LSHR: lambda a, b, w: a >> b if b < w else 0,
    Op.BV_ASHR: lambda a, b, w: signed(a, w) >> min(b, w),
    Op.BV_AND: lambda a, b, w: a & b,
    Op.BV_OR: lambda a, b, w: a | b,
    Op.BV_XOR: lambda a, b, w: a ^ b,
}
_COMPARE: dict[Op, Callable[[int, int, int], bool]] = {
    Op.BV_ULT: lambda a, b, w: a < b,
    Op.BV_ULE: lambda a, b, w: a <= b,
    Op.BV_SLT: lambda a, b, w: signed(a, w) < signed(b, w),
    Op.BV_SLE: lambda a, b, w: signed(a, w) <= signed(b, w),
}


def compute(term: App, values: Sequence[ModelValue]) -> ModelValue:
    """The value of the application when its arguments have these values."""
    if term.op is Op.EQ:
        return int(values[0] == values[1])
    if term.op is Op.ITE:
        return values[1] if values[0] else values[2]
    if isinstance(term.args[0].sort, ArraySort) or term.op is Op.CONST_ARRAY:
        return _compute_array(term, values)
    return compute_scalar(term, values)  # type: ignore[arg-type]


def _compute_array(term: App, values: Sequence[ModelValue]) -> ModelValue:
    match term.op, values:
        case Op.SELECT, [ArrayValue() as array, int(at)]:
            return array[at]
        case Op.STORE, [ArrayValue(default, entries), int(at), new]:
            assert isinstance(term.sort, ArraySort)
            return array_value(default, {**entries, at: new}, term.sort.index)
        case Op.CONST_ARRAY, [element]:
            return ArrayValue(element, {})
        case _:
            raise InternalError(f"no meaning for {term!r}")


def compute_scalar(term: App, values: Sequence[int]) -> int:
    """The same where all arguments are scalars, and the operator is neither `=` nor `ite`."""
    first = term.args[0].sort
    if term.op in FP_OPS:
        return _compute_float(term, values)
    if isinstance(first, BitVecSort):
        width = first.width
        if (bitvec := _BITVEC.get(term.op)) is not None:
            return bitvec(values[0], values[1], width) & ((1 << width) - 1)
        if (compare := _COMPARE.get(term.op)) is not None:
            return int(compare(values[0], values[1], width))
    match term.op, values, term.params:
        case Op.NOT, [a], ():
            return 1 - a
        case Op.AND, _, ():
            return int(all(values))
        case Op.OR, _, ():
            return int(any(values))
        case Op.ADD, _, ():
            return sum(values)
        case Op.MUL, _, ():
            product = 1
            for value in values:
                product *= value
            return product
        case Op.DIV, [a, b], ():
            return euclid(a, b)[0]
        case Op.MOD, [a, b], ():
            return euclid(a, b)[1]
        case Op.LE, [a, b], ():
            return int(a <= b)
        case Op.LT, [a, b], ():
            return int(a < b)
        case Op.BV_NOT, [a], ():
            return a ^ ((1 << width) - 1)
        case Op.BV_NEG, [a], ():
            return -a & ((1 << width) - 1)
        case Op.CONCAT, [a, b], ():
            low = term.args[1].sort
            assert isinstance(low, BitVecSort)
            return a << low.width | b
        case Op.EXTRACT, [a], (int(high), int(low_bit)):
            return a >> low_bit & ((1 << (high - low_bit + 1)) - 1)
        case Op.ZERO_EXTEND, [a], _:
            return a
        case Op.SIGN_EXTEND, [a], (int(more),):
            return signed(a, width) & ((1 << (width + more)) - 1)
        case _:
            raise InternalError(f"no meaning for {term!r}")


_FLOAT_BINARY: dict[Op, Callable[[Format, int, int, Rounding], int]] = {
    Op.FP_ADD: ieee754.add,
    Op.FP_SUB: ieee754.sub,
    Op.FP_MUL: ieee754.mul,
    Op.FP_DIV: ieee754.div,
}
_FLOAT_COMPARE: dict[Op, Callable[[Format, int, int], bool]] = {
    Op.FP_EQ: ieee754.equal,
    Op.FP_LT: ieee754.less,
    Op.FP_LE: ieee754.less_equal,
}


def _compute_float(term: App, values: Sequence[int]) -> int:
    exponent, precision, *rest = (param for param in term.params if isinstance(param, int))
    form, op, a = Format(exponent, precision), term.op, values[0]
    if (compare := _FLOAT_COMPARE.get(op)) is not None:
        return int(compare(form, a, values[1]))
    mode = Rounding(rest[0])
    if (binary := _FLOAT_BINARY.get(op)) is not None:
        return binary(form, a, values[1], mode)
    match op, rest:
        case Op.FP_SQRT, _:
            return ieee754.sqrt(form, a, mode)
        case Op.FP_INTEGRAL, _:
            return ieee754.integral(form, a, mode)
        case Op.FP_CONVERT, [_, exponent, precision]:
            return ieee754.convert(form, Format(exponent, precision), a, mode)
        case Op.FP_FROM_UBV, _:
            return ieee754.from_integer(form, a, mode)
        case Op.FP_FROM_SBV, _:
            source = term.args[0].sort
            assert isinstance(source, BitVecSort)
            return ieee754.from_integer(form, signed(a, source.width), mode)
        case Op.FP_TO_SBV, [_, width]:
            return ieee754.to_signed(form, a, width, mode) & ((1 << width) - 1)
        case _:
            raise InternalError(f"no meaning for {term!r}")


def fold(term: App) -> Value | App:
    """The value of the application if its arguments are values; else the application itself."""
    values = []
    for arg in term.args:
        if not isinstance(arg, Value):
            return term
        values.append(arg.value)
    if isinstance(term.sort, ArraySort):
        return term
    result = compute(term, values)
    assert isinstance(result, int)
    return Value(result, term.sort)
