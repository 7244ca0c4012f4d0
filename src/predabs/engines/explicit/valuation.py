"""A valuation: what variables hold on a path, as terms over symbols, and conditions on symbols.

A variable without a term may hold anything. So a valuation stands for the states in which, for some
values of the symbols, each variable holds its term and all conditions hold: the abstract states of
an explicit-value analysis [BL13] whose values are symbolic [BL16].

Soundness duty: `assign`, `forget` and `assume` leave a valuation that stands for all states that
the operation leads to; a condition is excluded only if no state allows it. The canonical form of a
valuation stands for the same states, or more.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TypeAlias

from ...ir import make
from ...ir.expr import FALSE, TRUE, Const, Expr, Op, Var
from ...ir.types import IntType, Type
from ...records import dataclass, field
from .orders import equal_by, follows
from .symbolic_terms import (
    Symbols,
    binding,
    decided,
    is_canonical,
    is_large,
    parts_of,
    replaced,
    solved_for,
    symbol,
    symbol_of,
    tidied,
)

Needs: TypeAlias = frozenset[object]
"""What of a precision a condition rests on; nothing while states are explored."""

_NOTHING: Needs = frozenset()
# the terms of a frame, and what is known of their symbols
Canonical: TypeAlias = tuple[tuple[Expr | None, ...], frozenset[Expr]]


@dataclass(frozen=True, slots=True, eq=False)
class Prepared:
    """An expression of the program over variables that are followed, and `open` placeholders for
    what is not known of it."""

    expr: Expr
    reads: tuple[Var, ...]
    open: tuple[Var, ...]
    memo: dict[tuple[Expr | None, ...], Expr] = field(default_factory=dict)

    @property
    def is_unknown(self) -> bool:
        """Has nothing that is followed a say in it?"""
        return not self.reads and bool(self.open)


class Valuation:
    """What is known of the variables; changed in place."""

    __slots__ = ("_fresh", "_symbols", "known", "values")

    def __init__(
        self,
        symbols: Symbols,
        values: Mapping[Var, Expr] | None = None,
        known: Mapping[Expr, Needs] | None = None,
        fresh: int = 0,
    ) -> None:
        self.values: dict[Var, Expr] = dict(values or {})
        self.known: dict[Expr, Needs] = dict(known or {})
        self._symbols = symbols
        self._fresh = fresh

    @classmethod
    def of(cls, symbols: Symbols, frame: Sequence[Var], state: Canonical) -> Valuation:
        """The valuation of a state: its symbols get names that are none of the canonical form."""
        terms, known = state
        values = {
            var: term if isinstance(term, Const) else symbols.renamed(term)
            for var, term in zip(frame, terms, strict=True)
            if term is not None
        }
        return cls(symbols, values, {symbols.renamed(one): _NOTHING for one in known})

    def copy(self) -> Valuation:
        return Valuation(self._symbols, self.values, self.known, self._fresh)

    def evaluate(self, e: Prepared) -> Expr:
        """The term of an expression; a variable that may hold anything gets a symbol of its own."""
        if not e.reads and not e.open:
            return e.expr
        values = self.values
        found: list[Expr] = []
        for var in e.reads:
            value = values.get(var)
            if value is None:
                value = values[var] = self._symbol(var)
            found.append(value)
        key = tuple(found)
        if e.open:
            mapping: dict[Expr, Expr] = dict(zip(e.reads, key, strict=True))
            mapping.update((var, self._symbol(var)) for var in e.open)
            return replaced(e.expr, mapping)
        known = e.memo.get(key)
        if known is None:
            known = e.memo[key] = replaced(e.expr, dict(zip(e.reads, key, strict=True)))
        return known

    def constant(self, e: Prepared) -> Expr | None:
        """The value of an expression if it is a constant, without a new symbol."""
        if e.open:
            return None
        values = self.values
        key = tuple([values.get(var) for var in e.reads])
        known = e.memo.get(key)
        if known is None:
            for value in key:
                if type(value) is not Const:
                    return None
            known = self.evaluate(e)
        return known if type(known) is Const else None

    def assign(self, var: Var, e: Prepared) -> None:
        """`var = e`."""
        if e.is_unknown:
            self.values.pop(var, None)
            return
        value = self.evaluate(e)
        if not isinstance(value, Const) and is_large(value):
            self.values.pop(var, None)
        else:
            self.values[var] = value

    def forget(self, variables: Iterable[Var]) -> None:
        """The variables may hold anything."""
        for var in variables:
            self.values.pop(var, None)

    def assume(self, e: Prepared, keeps: bool, needs: Needs = _NOTHING) -> bool:
        """The condition holds; False if no state allows it. If it `keeps` it, it is remembered
        where it says more than the value of a symbol."""
        if e.is_unknown:
            return True
        return self.hold(self.evaluate(e), keeps, needs)

    def hold(self, cond: Expr, keeps: bool, needs: Needs = _NOTHING) -> bool:
        """The same for a term. Its conjuncts are known together, whether they are kept or not."""
        added: list[Expr] = []
        todo = list(reversed(parts_of(cond)))
        while todo:
            part = todo.pop()
            if part is FALSE:
                return False
            if part is TRUE:
                continue
            said = self._said(part) if self.known else None
            if said is False or self._leaves_nothing(part):
                return False
            if said:
                continue
            bound = binding(part)
            if bound is None and self.known and (same := equal_by(part, self.known)) is not None:
                bound = binding(tidied(make.equal(*same)))
            if bound is None:
                self.known[part] = needs
                added.append(part)
                continue
            if not self._bind(*bound, needs):
                return False
            unknown, value = bound
            todo = [replaced(one, {unknown: value}) for one in todo]
        for part in added if not keeps else ():
            self.known.pop(part, None)
        return True

    def _said(self, cond: Expr) -> bool | None:
        """Is a condition true or false by what is known?"""
        said = decided(cond, self.known)
        return said[0] if said is not None else follows(cond, self.known)

    def _leaves_nothing(self, cond: Expr) -> bool:
        """Is there no number for what it is about that all conditions on that allow?"""
        sets = self._symbols.sets
        subject = sets.subject(cond)
        return subject is not None and sets.leave_nothing(cond, subject, self.known)

    def why(self, cond: Expr) -> Needs:
        """What the conditions rest on that exclude this one."""
        for part in parts_of(cond):
            said = decided(part, self.known)
            if said is not None and not said[0]:
                return self.known[said[1]]
            subject = self._symbols.sets.subject(part)
            if subject is not None and self._leaves_nothing(part):
                alike = (n for one, n in self.known.items() if self._is_about(one, subject))
                return frozenset[object]().union(*alike)
        return frozenset[object]().union(*self.known.values())

    def _is_about(self, cond: Expr, subject: Expr) -> bool:
        return self._symbols(cond) == (subject,) or self._symbols.sets.subject(cond) is subject

    def _symbol(self, var: Var) -> Var:
        self._fresh += 1
        return symbol(self._fresh, var.type)

    def _bind(self, unknown: Var, value: Expr, needs: Needs) -> bool:
        """A symbol has this value; False if that contradicts what is known."""
        mapping: dict[Expr, Expr] = {unknown: value}
        symbols = self._symbols
        for var, term in self.values.items():
            if not isinstance(term, Const) and unknown in symbols(term):
                self.values[var] = replaced(term, mapping)
        changed = [one for one in self.known if unknown in symbols(one)]
        for one in changed:
            if one not in self.known:
                continue  # replaced because of another one
            rests = self.known.pop(one) | needs
            if not self.hold(replaced(one, mapping), True, rests):
                return False
        return True

    # --- the canonical form -----------------------------------------------------------------------

    def canonical(self, frame: Sequence[Var], counters: Collection[Var] = ()) -> Canonical:
        """The terms of these variables. Each symbol that can be is the value of a variable of the
        frame itself, so that states which are the same have the same terms. Of constants of
        `counters` only the differences are kept."""
        values = self.values
        found: list[Expr | None] = [values.get(var) for var in frame]
        if counters:
            self._relate(frame, counters, found)
        for value in found:
            if value is not None and type(value) is not Const:
                break
        else:
            return tuple(found), frozenset()
        mapping: dict[Expr, Expr] = {}
        for place, value in enumerate(found):
            if value is None or type(value) is Const:
                continue
            term = replaced(value, mapping) if mapping else value
            if is_large(term):
                found[place] = None
                continue
            found[place] = self._named(place, term, mapping)
        known = self._kept(mapping)
        uses: dict[Var, int] = {}
        for term in (*(value for value in found if value is not None), *known):
            for one in self._symbols(term):
                uses[one] = uses.get(one, 0) + 1
        for place, value in enumerate(found):
            if isinstance(value, Var) and uses[value] == 1:
                found[place] = None
        return tuple(found), known

    def _relate(
        self, frame: Sequence[Var], counters: Collection[Var], found: list[Expr | None]
    ) -> None:
        """Put sums with a symbol in place of the constants of counters."""
        leaders: dict[Type, tuple[Var, int]] = {}
        for place, (var, value) in enumerate(zip(frame, found, strict=True)):
            type_ = var.type
            if var in counters and isinstance(value, Const) and isinstance(type_, IntType):
                if type_ not in leaders:
                    leaders[type_] = self._symbol(var), value.value
                unknown, first = leaders[type_]
                more = make.const(value.value - first, type_)
                found[place] = tidied(make.binary(Op.ADD, unknown, more))

    def _named(self, place: int, term: Expr, mapping: dict[Expr, Expr]) -> Expr:
        """The term with canonical symbols; those that are new are added."""
        new = [one for one in self._symbols(term) if not is_canonical(one)]
        if isinstance(term.type, IntType) and new:
            own = symbol_of(place, term.type)
            for one in new:
                value = own if term is one else solved_for(term, one, own)
                if value is not None:
                    self._extend(mapping, one, value)
                    return own
        for number, one in enumerate(new):
            self._extend(mapping, one, symbol_of(place, one.type, number + 1))
        return replaced(term, mapping) if new else term

    @staticmethod
    def _extend(mapping: dict[Expr, Expr], one: Var, value: Expr) -> None:
        for key, term in mapping.items():
            mapping[key] = replaced(term, {one: value})
        mapping[one] = value

    def _kept(self, mapping: Mapping[Expr, Expr]) -> frozenset[Expr]:
        """What is known of symbols that are still there."""
        kept: set[Expr] = set()
        for cond in self.known:
            if (term := self._symbols.named(cond, mapping)) is not None:
                kept.add(term)
        return frozenset(kept - {TRUE})
