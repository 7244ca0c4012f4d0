"""What conditions leave of a symbol: of one of eight bits or less the set of its values, as bits;
of a wider one an interval whose ends are none of the numbers that it is not.

Soundness duty: a value that the conditions allow is in the set.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from ...ir import make
from ...ir.expr import FALSE, Binary, Const, Expr, Not, Op, Var
from ...ir.types import IntType
from ...ir.walk import substitute

_FEW, _NARROW = 8, 8  # values, bits


class SmallSets:
    """The sets of values of narrow symbols that conditions allow."""

    def __init__(self, symbols: Callable[[Expr], tuple[Var, ...]]) -> None:
        self._symbols = symbols
        self._set_of: dict[Expr, int] = {}
        self._sets: dict[Expr, int] = {}

    def narrow(self, cond: Expr) -> Var | None:
        """The symbol of the condition, if it has one only, of few bits."""
        found = self._symbols(cond)
        if len(found) != 1 or not isinstance(found[0].type, IntType):
            return None
        return found[0] if found[0].type.bits <= _NARROW else None

    def of(self, cond: Expr, unknown: Var) -> int:
        """The values for which a condition over one symbol holds, or may."""
        found = self._set_of.get(cond)
        if found is None:
            found = self._set_of[cond] = self._find(cond, unknown)
        return found

    def _find(self, cond: Expr, unknown: Var) -> int:
        type_ = unknown.type
        assert isinstance(type_, IntType)
        same = substitute(cond, {unknown: Var("#", type_)})
        known = self._sets.get(same)
        if known is None:
            known = 0
            for bit, value in enumerate(range(type_.low, type_.high + 1)):
                if substitute(cond, {unknown: make.const(value, type_)}) is not FALSE:
                    known |= 1 << bit
            self._sets[same] = known
        return known

    def left(self, unknown: Var, conditions: Iterable[Expr]) -> int:
        """The values that the conditions allow together."""
        assert isinstance(unknown.type, IntType)
        found = (1 << (1 << unknown.type.bits)) - 1
        for cond in conditions:
            if self._symbols(cond) == (unknown,):
                found &= self.of(cond, unknown)
        return found

    def only_symbol(self, cond: Expr) -> Var | None:
        """The symbol of the condition, if it has one only: conditions may leave nothing of it."""
        narrow = self.narrow(cond)
        return narrow if narrow is not None else _compared(cond)

    def leave_nothing(self, cond: Expr, unknown: Var, conditions: Iterable[Expr]) -> bool:
        """Is there no value of the only symbol that the condition and these others allow?"""
        type_ = unknown.type
        assert isinstance(type_, IntType)
        if type_.bits <= _NARROW:
            found = self.of(cond, unknown)
            return not found or not found & self.left(unknown, conditions)
        low, high = _between(unknown, type_, (cond, *conditions))
        return low > high

    def span(self, unknown: Var, conditions: Iterable[Expr]) -> tuple[int, int] | None:
        """Between which numbers a symbol lies, if they are few."""
        type_ = unknown.type
        if not isinstance(type_, IntType):
            return None
        if type_.bits <= _NARROW:
            left = self.left(unknown, conditions)
            if not left:
                return None
            low = type_.low + (left & -left).bit_length() - 1
            high = type_.low + left.bit_length() - 1
        else:
            low, high = _between(unknown, type_, conditions)
        return (low, high) if 0 <= high - low < _FEW else None


def _compared(cond: Expr) -> Var | None:
    """The symbol that a condition compares with a number."""
    match cond:
        case Binary(Op.LT | Op.LE, Const(), Var() as unknown, _):
            return unknown if isinstance(unknown.type, IntType) else None
        case Binary(Op.LT | Op.LE, Var() as unknown, Const(), _):
            return unknown if isinstance(unknown.type, IntType) else None
        case Not(Binary(Op.EQ, Var() as unknown, Const(), _)):
            return unknown if isinstance(unknown.type, IntType) else None
        case Not(Binary(Op.EQ, Const(), Var() as unknown, _)):
            return unknown if isinstance(unknown.type, IntType) else None
    return None


def _between(unknown: Var, type_: IntType, conditions: Iterable[Expr]) -> tuple[int, int]:
    """The numbers between which a symbol lies by its comparisons with numbers."""
    low, high = type_.low, type_.high
    others: set[int] = set()  # which it is not
    for cond in conditions:
        match cond:
            case Not(Binary(Op.EQ, left, Const(value, _), _)) if left is unknown:
                others.add(value)
            case Not(Binary(Op.EQ, Const(value, _), right, _)) if right is unknown:
                others.add(value)
            case Binary(Op.LT | Op.LE as op, Const(value, _), right, _) if right is unknown:
                low = max(low, value + (op is Op.LT))
            case Binary(Op.LT | Op.LE as op, left, Const(value, _), _) if left is unknown:
                high = min(high, value - (op is Op.LT))
    while low in others:
        low += 1
    while high in others:
        high -= 1
    return low, high
