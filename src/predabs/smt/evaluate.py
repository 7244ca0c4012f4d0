"""The value of a term under a model, in plain Python.

This is the reference: simplification, translation and every model that a solver returns are tested
against it, and it needs nothing but `semantics`. Terms may be deep and share much: the walk is
iterative and each subterm is computed once for as long as the `TermEvaluator` lives.

>>> from .build import add, integer, symbol
>>> from .term import INT
>>> x = symbol("x", INT)
>>> evaluate(add(x, integer(1)), {x: 41})
42
"""

from __future__ import annotations

from collections.abc import Mapping

from ..errors import InternalError
from .semantics import ModelValue, compute
from .term import BOOL, App, Symbol, Term, Value


class TermEvaluator:
    """Evaluates many terms under one model."""

    __slots__ = ("_model", "_values")

    def __init__(self, model: Mapping[Symbol, ModelValue]) -> None:
        self._model = model
        self._values: dict[Term, ModelValue] = {}

    def value(self, root: Term) -> ModelValue:
        values = self._values
        stack = [root]
        while stack:
            term = stack[-1]
            if term in values:
                stack.pop()
                continue
            match term:
                case Value(value, _):
                    values[term] = value
                case Symbol():
                    values[term] = self._symbol(term)
                case App():
                    missing = [arg for arg in term.args if arg not in values]
                    if missing:
                        stack.extend(missing)
                        continue
                    values[term] = compute(term, [values[arg] for arg in term.args])
            stack.pop()
        return values[root]

    def holds(self, root: Term) -> bool:
        """Whether the condition is true."""
        if root.sort is not BOOL:
            raise InternalError(f"not a condition: {root!r}")
        return bool(self.value(root))

    def _symbol(self, symbol: Symbol) -> ModelValue:
        value = self._model.get(symbol)
        if value is None:
            raise InternalError(f"the model has no value for {symbol.name}")
        return value


def evaluate(term: Term, model: Mapping[Symbol, ModelValue]) -> ModelValue:
    return TermEvaluator(model).value(term)
