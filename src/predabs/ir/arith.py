"""The arithmetic of C on machine integers, exactly: the one definition.

The interpreter, constant folding, the interval analysis and the tests of the solver encodings all
refer to these functions. Signed arithmetic wraps (as `gcc -fwrapv`), a shift amount counts modulo
the width (as the x86 instructions), and the most negative number divided by -1 is itself.
"""

from __future__ import annotations

from ..errors import InternalError
from .expr import Op
from .types import IntType, PointerType


class DivisionByZero(ArithmeticError):
    """A division or remainder whose divisor is zero: it has no value."""


def divide(left: int, right: int) -> int:
    """C's division: towards zero."""
    if right == 0:
        raise DivisionByZero
    quotient = abs(left) // abs(right)
    return quotient if (left < 0) == (right < 0) else -quotient


def remainder(left: int, right: int) -> int:
    """C's remainder: it has the sign of the dividend."""
    return left - right * divide(left, right)


def binary(op: Op, type_: IntType | PointerType, left: int, right: int) -> int:
    """The value of `left op right` computed in `type_` (for a shift: the type of `left`).

    >>> from .types import INT, UINT
    >>> binary(Op.ADD, INT, 2147483647, 1), binary(Op.SUB, UINT, 0, 1), binary(Op.REM, INT, -7, 2)
    (-2147483648, 4294967295, -1)
    """
    match op:
        case Op.ADD:
            value = left + right
        case Op.SUB:
            value = left - right
        case Op.MUL:
            value = left * right
        case Op.DIV:
            value = divide(left, right)
        case Op.REM:
            value = remainder(left, right)
        case Op.SHL:
            value = left << (right % type_.bits)
        case Op.SHR:
            value = left >> (right % type_.bits)
        case Op.AND:
            value = left & right
        case Op.OR:
            value = left | right
        case Op.XOR:
            value = left ^ right
        case Op.EQ | Op.LT | Op.LE:
            return int(compare(op, left, right))
        case _:
            raise InternalError(f"{op.value} of integers")
    return type_.wrap(value)


def compare(op: Op, left: int, right: int) -> bool:
    """The truth of `left op right`; both are values of one type, so signs are already right."""
    if op is Op.EQ:
        return left == right
    return left < right if op is Op.LT else left <= right
