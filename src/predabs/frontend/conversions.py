"""C's conversions, for where the compiler's tree does not show them.

The tree has casts for ordinary operators; what it leaves out is the type in which a compound
assignment or an increment computes, and the truncation into a bit-field.
"""

from __future__ import annotations

from ..ir import make
from ..ir.expr import Expr
from ..ir.types import BOOL, CBOOL, INT, FloatType, IntType, PointerType, Type


def convert(value: Expr, type_: Type) -> Expr:
    """The value converted to a C type: to `_Bool` by comparison with zero, else as `make.cast`."""
    if type_ is CBOOL:
        return value if value.type is CBOOL else make.cast(make.as_condition(value), CBOOL)
    if value.type is BOOL and not isinstance(type_, IntType):
        value = make.cast(value, INT)
    return make.cast(value, type_)


def promoted(type_: Type) -> Type:
    """C's integer promotion; a bit-field narrower than int becomes int."""
    return INT if isinstance(type_, IntType) and type_.bits < INT.bits else type_


def common(left: Type, right: Type) -> Type:
    """The type of the usual arithmetic conversions.

    Types of one width differ by sign only, and unsigned wins; that `long` and `long long` may have
    one width makes no difference to values.
    """
    left, right = promoted(left), promoted(right)
    match left, right:
        case FloatType(), FloatType():
            return left if left.bits >= right.bits else right
        case FloatType(), _:
            return left
        case _, FloatType():
            return right
        case IntType(), IntType():
            if left.bits != right.bits:
                return left if left.bits > right.bits else right
            return right if left.signed else left
    assert isinstance(left, PointerType) or isinstance(right, PointerType), (left, right)
    return left if isinstance(left, PointerType) else right
