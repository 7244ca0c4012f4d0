"""Rebuilding interned terms in a solver's own representation: once each, iteratively.

A back end fills in three functions for the three kinds of terms. The cache lives as long as the
solvers that share it (`Solver.fresh`), and knows the terms, never a solver.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Generic, TypeVar

from ..solver import Statistics
from ..term import App, Symbol, Term, Value

Native = TypeVar("Native")


class TermTranslator(ABC, Generic[Native]):
    """Our terms -> native terms."""

    def __init__(self, statistics: Statistics) -> None:
        self.statistics = statistics
        self._translated: dict[Term, Native] = {}

    @abstractmethod
    def symbol(self, symbol: Symbol) -> Native: ...

    @abstractmethod
    def value(self, value: Value) -> Native: ...

    @abstractmethod
    def app(self, term: App, args: Sequence[Native]) -> Native:
        """The application of the operator to the translated arguments."""

    def __call__(self, root: Term) -> Native:
        translated = self._translated
        found = translated.get(root)
        if found is not None:
            return found
        before = len(translated)
        stack = [root]
        try:
            while stack:
                term = stack[-1]
                if term in translated:
                    stack.pop()
                    continue
                if isinstance(term, App):
                    missing = [arg for arg in term.args if arg not in translated]
                    if missing:
                        stack.extend(missing)
                        continue
                    translated[term] = self.app(term, [translated[arg] for arg in term.args])
                elif isinstance(term, Symbol):
                    translated[term] = self.symbol(term)
                else:
                    translated[term] = self.value(term)
                stack.pop()
        finally:
            self.statistics.translated += len(translated) - before
        return translated[root]
