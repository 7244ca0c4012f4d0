"""Rebuilding interned terms in a solver's own representation: once each, iteratively.

A back end fills in functions for the kinds of terms, and for the operators of floating point. The
cache lives as long as the solvers that share it (`Solver.fresh`), and knows the terms, never a
solver.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Generic, TypeVar

from ...ir.ieee754 import Format
from ..solver import Statistics
from ..term import (
    FP_BINARY,
    FP_FROM_INTEGER,
    FP_OPS,
    FP_RESULT,
    App,
    BitVecSort,
    Op,
    Sort,
    Symbol,
    Term,
    Value,
)
from .float_views import FloatView, Key, View, changes_sign, format_of, needed, result_format

Native = TypeVar("Native")


class TermTranslator(ABC, Generic[Native]):
    """Our terms -> native terms."""

    def __init__(self, statistics: Statistics) -> None:
        self.statistics = statistics
        self._translated: dict[Key, Native] = {}
        # for each term whose bits a symbol stands for, the condition that they do
        self._meanings: dict[Term, Native] = {}
        self._without: set[Key] = set()  # below which there is no such term
        self._defined: dict[Term, Native] = {}

    @abstractmethod
    def symbol(self, symbol: Symbol) -> Native: ...

    @abstractmethod
    def value(self, value: Value) -> Native: ...

    @abstractmethod
    def app(
        self, op: Op, params: Sequence[int | Sort], sort: Sort, args: Sequence[Native]
    ) -> Native:
        """The application of the operator to the translated arguments; none of floating point."""

    def __call__(self, root: Term) -> Native:
        translated = self._translated
        found = translated.get(root)
        if found is not None:
            return found
        before = len(translated)
        stack: list[Key] = [root]
        try:
            while stack:
                key = stack[-1]
                if key in translated:
                    stack.pop()
                    continue
                if isinstance(key, App) and key.op not in FP_OPS:
                    missing: list[Key] = [arg for arg in key.args if arg not in translated]
                    if missing:
                        stack.extend(missing)
                        continue
                    args = [translated[arg] for arg in key.args]
                    translated[key] = self.app(key.op, key.params, key.sort, args)
                elif isinstance(key, Symbol):
                    translated[key] = self.symbol(key)
                elif isinstance(key, Value):
                    translated[key] = self.value(key)
                else:
                    parts = needed(key)
                    missing = [part for part in parts if part not in translated]
                    if missing:
                        stack.extend(missing)
                        continue
                    translated[key] = self._floating(key, [translated[part] for part in parts])
                stack.pop()
        finally:
            self.statistics.translated += len(translated) - before
        return translated[root]

    # --- floating point ---------------------------------------------------------------------------

    @abstractmethod
    def number(self, bits: Native, form: Format) -> Native:
        """The number that the bits are."""

    @abstractmethod
    def float_app(
        self, op: Op, form: Format, params: Sequence[int], args: Sequence[Native]
    ) -> Native:
        """An operator on numbers (of integers: FP_FROM_SBV and FP_FROM_UBV); `form` is that of the
        operands, or if those are integers of the result."""

    @abstractmethod
    def float_sign(self, op: Op, arg: Native) -> Native:
        """BV_XOR: the number negated; BV_AND: its absolute value."""

    @abstractmethod
    def is_nan(self, number: Native) -> Native: ...

    @abstractmethod
    def bits(self, term: App, number: Native, form: Format) -> Native:
        """The bits of a number, the value of the term, if it is no NaN; any bits otherwise."""

    def _floating(self, key: Key, parts: Sequence[Native]) -> Native:
        """A view of a term, or an operator of floating point, from what it needs."""
        if not isinstance(key, FloatView):
            assert isinstance(key, App)
            return self._float_result(key, parts)
        view, term, form = key
        if isinstance(term, App):
            if term.op is Op.ITE:
                return self.app(Op.ITE, (), term.sort, parts)
            if changes_sign(term, form):
                if view is View.NUMBER:
                    return self.float_sign(term.op, parts[0])
                return self.app(term.op, (), term.sort, [parts[0], self(term.args[1])])
            if term.op in FP_RESULT and result_format(term) == form:
                if view is View.NUMBER:
                    return self.float_app(term.op, format_of(term), _rest(term), parts)
                return self._nan(term, form, parts)
        return self.number(parts[0], form) if view is View.NUMBER else parts[0]

    def _float_result(self, term: App, parts: Sequence[Native]) -> Native:
        if term.op not in FP_RESULT:
            return self.float_app(term.op, format_of(term), _rest(term), parts)
        bits = self.bits(term, parts[0], result_format(term))
        if term.op in FP_FROM_INTEGER:
            return bits
        return self.app(Op.ITE, (), term.sort, [self.is_nan(parts[0]), parts[1], bits])

    def _nan(self, term: App, form: Format, parts: Sequence[Native]) -> Native:
        """The bits of the operation's result where that is a NaN."""
        sort, default = term.sort, self(Value(form.nan, BitVecSort(form.bits)))
        quiet = self(Value(form.quiet, BitVecSort(form.bits)))
        if term.op is Op.FP_INTEGRAL:
            return self.app(Op.BV_OR, (), sort, [parts[0], quiet])
        if term.op is Op.FP_CONVERT:
            return self._converted_nan(format_of(term), form, parts[0])
        if term.op not in FP_BINARY and term.op is not Op.FP_SQRT:
            return default
        result = default
        for i in range(len(parts) - 2, -1, -2):  # the first NaN counts
            kept = self.app(Op.BV_OR, (), sort, [parts[i + 1], quiet])
            result = self.app(Op.ITE, (), sort, [self.is_nan(parts[i]), kept, result])
        return result

    def _converted_nan(self, source: Format, target: Format, bits: Native) -> Native:
        """Sign, infinity's exponent, the quiet bit, and as much of the payload as there is room."""
        width = source.bits - 1
        sign = self.app(Op.EXTRACT, (width, width), BitVecSort(1), [bits])
        kept = min(source.precision, target.precision) - 2
        low = source.precision - 2 - kept
        payload = self.app(Op.EXTRACT, (low + kept - 1, low), BitVecSort(kept), [bits])
        ones = self(Value((2 << target.exponent) - 1, BitVecSort(target.exponent + 1)))
        head = self.app(Op.CONCAT, (), BitVecSort(target.exponent + 2), [sign, ones])
        result = self.app(Op.CONCAT, (), BitVecSort(target.exponent + 2 + kept), [head, payload])
        more = target.precision - 2 - kept
        if more == 0:
            return result
        zeros = self(Value(0, BitVecSort(more)))
        return self.app(Op.CONCAT, (), BitVecSort(target.bits), [result, zeros])

    # --- symbols that stand for bits --------------------------------------------------------------

    def defined(self, root: Term) -> Native:
        """The translated condition, together with what says which bits symbols stand for that the
        back end made up (`bits`): such a symbol has exactly one value that matters."""
        native = self(root)
        if not self._meanings:
            return native
        found = self._defined.get(root)
        if found is None:
            found = native
            for meaning in self._used_meanings(root):
                found = self.app(Op.AND, (), root.sort, [found, meaning])
            self._defined[root] = found
        return found

    def _used_meanings(self, root: Term) -> list[Native]:
        found: list[Native] = []
        seen: set[Key] = set()
        stack: list[Key] = [root]
        while stack:
            key = stack.pop()
            if key in seen or key in self._without:
                continue
            seen.add(key)
            if not isinstance(key, FloatView):
                if key in self._meanings:
                    found.append(self._meanings[key])
                if not isinstance(key, App):
                    continue
            stack.extend(needed(key))
        if not found:
            self._without |= seen
        return found


def _rest(term: App) -> tuple[int, ...]:
    """The params behind the format."""
    return tuple(param for param in term.params[2:] if isinstance(param, int))
