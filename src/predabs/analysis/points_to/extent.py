"""How many bytes an operation touches, as far as the expression of its size tells."""

from __future__ import annotations

from ...ir.expr import Binary, Cast, Const, Expr, Ite, Op, Unary, UnaryOp
from ...ir.types import IntType, PointerType
from ...ir.walk import fold
from .access_paths import AccessPaths
from .offsets import Extent

_MOST = 1 << 16


def extent_of(size: Expr, places: AccessPaths) -> Extent:
    """The number of bytes that a size stands for, or what it is certainly a multiple of."""
    known = places.constant(size)
    return Extent(None, grain(size)) if known is None else Extent(known, 1)


def grain(size: Expr) -> int:
    """A power of two that divides the value, whatever the variables are.

    Arithmetic wraps around at powers of two, so other factors need not be kept.

    >>> from ...ir import make
    >>> from ...ir.expr import Var
    >>> from ...ir.types import UINT
    >>> n = Var("n", UINT)
    >>> grain(make.binary(Op.MUL, n, make.const(12, UINT)))
    4
    """
    return fold(size, _grain)


def _grain(term: Expr, parts: tuple[int, ...]) -> int:
    match term:
        case Const(value, _):
            return min(value & -value, _MOST) or _MOST
        case Cast(arg, IntType()) if isinstance(arg.type, IntType | PointerType):
            return parts[0]
        case Unary(UnaryOp.NEG, _, _):
            return parts[0]
        case Ite():
            return min(parts[1], parts[2])
        case Binary(Op.MUL, _, _, IntType()):
            return min(parts[0] * parts[1], _MOST)
        case Binary(Op.ADD | Op.SUB | Op.OR | Op.XOR, _, _, IntType()):
            return min(parts)
        case Binary(Op.AND, _, _, IntType()):
            return max(parts)
        case Binary(Op.SHL, _, Const(value, _), IntType(bits, _)):
            return min(parts[0] << (value % bits), _MOST)
    return 1
