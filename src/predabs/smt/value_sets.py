"""Conditions on one byte as sets of values, so that many of them are decided without a solver.

A condition whose only symbol is a vector of at most eight bits is the set of the values for which
it holds, written as the bits of a number. Programs that read text compare each byte with many
constants; what earlier comparisons leave of it decides most of the later ones. Soundness duty: a
value is in the set if and only if the condition holds for it.

>>> from .build import eq, not_
>>> from .bitvectors import bits, ult
>>> from .term import Symbol
>>> x = Symbol("x", BitVecSort(8))
>>> cond, known = ValueSets(ValueTables(), {}).narrowed(ult(x, bits(3, 8)))
>>> print(cond, bin(known.sets[x]))
(bvult x (_ bv3 8)) 0b111
>>> print(known.narrowed(eq(x, bits(7, 8)))[0], known.narrowed(not_(eq(x, bits(9, 8))))[0])
false true
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ..records import dataclass
from . import build
from .semantics import compute
from .term import FALSE, TRUE, App, BitVecSort, BoolSort, Op, Symbol, Term, Value

_WIDEST = 8
_MOST_PARTS = 24  # of a condition that are looked at


@dataclass(frozen=True, slots=True)
class ValueTable:
    """The value of a term for each value of the only symbol in it; as a set, where it is true."""

    symbol: Symbol
    values: tuple[int, ...]
    set: int


class ValueTables:
    """The tables of the terms that have one; each term is looked at once."""

    def __init__(self) -> None:
        self._tables: dict[Term, ValueTable | None] = {}

    def table(self, root: Term) -> ValueTable | None:
        """The table of a term, or None if it has not exactly one symbol, or a wide one."""
        tables = self._tables
        todo = [root]
        while todo:
            term = todo[-1]
            if term in tables:
                todo.pop()
                continue
            if not isinstance(term, App):
                tables[term] = _of_symbol(term) if isinstance(term, Symbol) else None
                continue
            args = [arg for arg in term.args if not isinstance(arg, Value)]
            if any(arg in tables and tables[arg] is None for arg in args):
                tables[term] = None
                continue
            missing = next((arg for arg in args if arg not in tables), None)
            if missing is None:
                tables[term] = self._of_application(term)
            else:
                todo.append(missing)
        return tables[root]

    def _of_application(self, term: App) -> ValueTable | None:
        """The table of an application whose arguments have tables, or are constants."""
        found = [None if isinstance(arg, Value) else self._tables[arg] for arg in term.args]
        symbols = {table.symbol for table in found if table is not None}
        if len(symbols) != 1 or not isinstance(term.sort, BitVecSort | BoolSort):
            return None
        (symbol,) = symbols
        columns: list[Sequence[int]] = []
        for arg, table in zip(term.args, found, strict=True):
            if table is not None:
                columns.append(table.values)
            else:
                assert isinstance(arg, Value)
                columns.append((arg.value,) * _count(symbol))
        values = []
        for row in zip(*columns, strict=True):
            value = compute(term, row)
            assert isinstance(value, int)
            values.append(value)
        return _table(symbol, tuple(values))


def _of_symbol(symbol: Symbol) -> ValueTable | None:
    match symbol.sort:
        case BitVecSort(width) if width <= _WIDEST:
            return _table(symbol, tuple(range(1 << width)))
    return None


def _table(symbol: Symbol, values: tuple[int, ...]) -> ValueTable:
    return ValueTable(symbol, values, sum(1 << at for at, value in enumerate(values) if value))


def _count(symbol: Symbol) -> int:
    """How many values a symbol with a table has."""
    assert isinstance(symbol.sort, BitVecSort)
    return 1 << symbol.sort.width


@dataclass(frozen=True, slots=True)
class ValueSets:
    """By symbol: the values that it can have, as bits; one without an entry can have all."""

    tables: ValueTables
    sets: Mapping[Symbol, int]

    def _of(self, symbol: Symbol) -> int:
        known = self.sets.get(symbol)
        return (1 << _count(symbol)) - 1 if known is None else known

    def decided(self, cond: Term) -> bool | None:
        """Is the condition true, or false, wherever the symbols have values of the sets? None if
        that is not seen: only a few parts of a large condition are looked at."""
        known: dict[Term, bool | None] = {}
        todo = [cond]
        looked = 0
        while todo:
            term = todo[-1]
            if term in known:
                todo.pop()
                continue
            if isinstance(term, Value):
                known[term] = bool(term.value)
                continue
            table = self.tables.table(term)
            if table is not None:
                here = self._of(table.symbol)
                meet = here & table.set
                known[term] = False if meet == 0 else True if meet == here else None
                continue
            if not isinstance(term, App) or term.op not in (Op.AND, Op.OR, Op.NOT):
                known[term] = None
                continue
            missing = [arg for arg in term.args if arg not in known]
            if missing and looked + len(missing) <= _MOST_PARTS:
                looked += len(missing)
                todo += missing
            else:
                known[term] = _combined(term.op, [known.get(arg) for arg in term.args])
        return known[cond]

    def narrowed(self, cond: Term) -> tuple[Term, ValueSets]:
        """What the condition says beyond the sets, and the sets where it holds."""
        kept = []
        after = ValueSets(self.tables, dict(self.sets))
        parts = cond.args if isinstance(cond, App) and cond.op is Op.AND else (cond,)
        for part in parts:
            answer = after.decided(part)
            if answer is False:
                return FALSE, self
            if answer is None:
                kept.append(after._remaining(part))
                after = after._where(part)
        left = build.and_(*kept)
        return (left, self) if left is TRUE else (left, after)

    def _remaining(self, cond: Term) -> Term:
        """The condition without the cases that cannot be."""
        if not isinstance(cond, App) or cond.op is not Op.OR or len(cond.args) > _MOST_PARTS:
            return cond
        if self.tables.table(cond) is not None:
            return cond
        return build.or_(*(case for case in cond.args if self.decided(case) is not False))

    def _where(self, cond: Term) -> ValueSets:
        table = self.tables.table(cond)
        if table is None:
            return self
        return ValueSets(
            self.tables, {**self.sets, table.symbol: self._of(table.symbol) & table.set}
        )

    def joined(self, other: ValueSets) -> ValueSets:
        """The sets of those that have values of one or the other."""
        sets = {}
        for symbol, mask in self.sets.items():
            either = mask | other._of(symbol)
            if either != (1 << _count(symbol)) - 1:
                sets[symbol] = either
        return ValueSets(self.tables, sets)


def _combined(op: Op, parts: Sequence[bool | None]) -> bool | None:
    if op is Op.NOT:
        return None if parts[0] is None else not parts[0]
    absorbing = op is Op.OR
    if absorbing in parts:
        return absorbing
    return None if None in parts else not absorbing
