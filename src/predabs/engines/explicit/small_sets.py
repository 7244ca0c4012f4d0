"""What conditions leave of a symbol: of one of eight bits or less the set of its values, as bits;
of a wider one, and of any term, an interval whose ends are none of the numbers that it is not.

Soundness duty: a value that the conditions allow is in the set.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from ...ir import make
from ...ir.expr import FALSE, Binary, Cast, Const, Expr, Not, Op, Var
from ...ir.types import IntType
from ...ir.walk import substitute
from ...records import dataclass

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

    def subject(self, cond: Expr) -> Expr | None:
        """What a condition is about, if it says which numbers that may be: its only symbol, if that
        is narrow, or else a term that it compares with a number."""
        narrow = self.narrow(cond)
        if narrow is not None:
            return narrow
        compared = _comparison(cond)
        return None if compared is None else compared.term

    def leave_nothing(self, cond: Expr, subject: Expr, conditions: Iterable[Expr]) -> bool:
        """Is there no number for the subject that the condition and these others allow?"""
        type_ = subject.type
        assert isinstance(type_, IntType)
        if isinstance(subject, Var) and type_.bits <= _NARROW:
            found = self.of(cond, subject)
            return not found or not found & self.left(subject, conditions)
        low, high = _between(subject, type_, (cond, *conditions))
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


@dataclass(frozen=True, slots=True)
class _Comparison:
    """A term lies between two numbers (None: no bound), or it is none of them (`differs`)."""

    term: Expr
    low: int | None = None
    high: int | None = None
    differs: int | None = None


def _comparison(cond: Expr) -> _Comparison | None:
    """What a condition says of a term by comparing it with a number."""
    match cond:
        case Binary(Op.LT | Op.LE as op, Const(value, _), term, _):
            found = _Comparison(_same_number(term), low=value + (op is Op.LT))
        case Binary(Op.LT | Op.LE as op, term, Const(value, _), _):
            found = _Comparison(_same_number(term), high=value - (op is Op.LT))
        case Not(Binary(Op.EQ, term, Const(value, _), _) | Binary(Op.EQ, Const(value, _), term, _)):
            found = _Comparison(_same_number(term), differs=value)
        case _:
            return None
    return found if isinstance(found.term.type, IntType) else None


def _same_number(e: Expr) -> Expr:
    """The term without conversions that keep all its values."""
    while isinstance(e, Cast):
        wide, narrow = e.type, e.arg.type
        if not (isinstance(wide, IntType) and isinstance(narrow, IntType)):
            break
        if not wide.low <= narrow.low <= narrow.high <= wide.high:
            break
        e = e.arg
    return e


def _between(term: Expr, type_: IntType, conditions: Iterable[Expr]) -> tuple[int, int]:
    """The numbers between which a term lies by its comparisons with numbers."""
    low, high = type_.low, type_.high
    others: set[int] = set()  # which it is not
    for cond in conditions:
        said = _comparison(cond)
        if said is None or said.term is not term:
            continue
        if said.low is not None:
            low = max(low, said.low)
        if said.high is not None:
            high = min(high, said.high)
        if said.differs is not None:
            others.add(said.differs)
    while low in others:
        low += 1
    while high in others:
        high -= 1
    return low, high
