"""An invariant as a person reads it: in C, short, without conversions that C makes by itself.

The text means what the condition means, but for its numbers: a literal has no suffix. A sum that
is computed in a type that C does not have, because it must not overflow, is written in `__int128`;
one that may be too large even for that as if its numbers had no limit.
"""

from __future__ import annotations

from ..ir.ada_text import AdaNames, ada_expr
from ..ir.expr import Binary, Cast, Const, Expr, Op, Unary
from ..ir.show import Naming, short_name
from ..ir.simplify import simplified
from ..ir.types import INT, LLONG, IntType, Type
from ..ir.walk import fold, rebuild

_WIDEST = 128


def invariant_text(condition: Expr, name: Naming = short_name, ada: AdaNames | None = None) -> str:
    """The condition in C syntax, or in that of Ada.

    >>> from ..ir import make
    >>> from ..ir.expr import Var
    >>> from ..ir.types import CHAR
    >>> c, x = Var("main::c", CHAR), Var("x", INT)
    >>> invariant_text(make.less(make.cast(c, INT), x))
    'c < x'
    """
    return ada_expr(fold(in_c_types(condition), _step), ada, name)


def in_c_types(condition: Expr) -> Expr:
    """The condition, simplified, in types that C has, but for some that are too large."""
    return fold(simplified(condition), _in_c)


def _in_c(term: Expr, parts: tuple[Expr, ...]) -> Expr:
    """The term in types that C has. Only domains of numbers make wider ones, for sums that have
    room in them, so that one more bit makes no difference."""
    wide = _type_in_c(term.type)
    match term:
        case Const(value, _) if isinstance(wide, IntType):
            return Const(value, wide)
        case Cast(_, IntType(bits, _)) if bits > _WIDEST:
            return parts[0]
        case Cast():
            return Cast(parts[0], wide)
        case Binary(op, _, _, _):
            return Binary(op, parts[0], parts[1], wide)
        case Unary(op, _, _):
            return Unary(op, parts[0], wide)
    return rebuild(term, parts)


def _type_in_c(type_: Type) -> Type:
    if isinstance(type_, IntType) and type_.bits > LLONG.bits:
        return IntType(_WIDEST, type_.signed)
    return type_


def _step(term: Expr, parts: tuple[Expr, ...]) -> Expr:
    """The term with operands that need not have its own type any more: only for the text."""
    match term:
        case Binary(op, _, _, type_) if op not in (Op.SHL, Op.SHR):
            right = _bare(op, parts[1], parts[0])
            left = _bare(op, parts[0], right)
            return (
                term if (left, right) == (term.left, term.right) else Binary(op, left, right, type_)
            )
    return rebuild(term, parts)


def _bare(op: Op, operand: Expr, other: Expr) -> Expr:
    """The operand without a conversion that C makes by itself, next to this other operand."""
    match operand:
        case Cast(arg, IntType() as type_) if isinstance(arg.type, IntType):
            if isinstance(arg, Const) or not _holds(type_, arg.type):
                return operand
            beside = _written_type(other)
            if beside is None:
                return operand
            common = _common_type(arg.type, beside)
            if op.is_comparison and isinstance(other, Const):
                fine = _holds(common, arg.type) and common.low <= other.value <= common.high
            elif op.is_comparison:
                fine = _holds(common, arg.type) and _holds(common, beside)
            else:
                fine = common is type_
            return arg if fine else operand
    return operand


def _written_type(operand: Expr) -> IntType | None:
    """The type that an operand has in C; a literal's is int, if that is enough."""
    if isinstance(operand, Const) and INT.low <= operand.value <= INT.high:
        return INT
    return operand.type if isinstance(operand.type, IntType) else None


def _holds(wide: IntType, narrow: IntType) -> bool:
    return wide.low <= narrow.low and narrow.high <= wide.high


def _common_type(one: IntType, two: IntType) -> IntType:
    """The type in which C computes with operands of these types."""
    a, b = (INT if type_.bits < INT.bits else type_ for type_ in (one, two))
    bits = max(a.bits, b.bits)
    return IntType(bits, all(type_.signed for type_ in (a, b) if type_.bits == bits))
