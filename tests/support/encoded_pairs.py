"""A state of two variables, for encoders."""

from __future__ import annotations

from predabs.encode.encoding import BoundedTerm, Encoding, value_range
from predabs.encode.expressions import Encoder
from predabs.ir.expr import Expr, Lvalue, Var
from predabs.ir.types import IntType, Type
from predabs.smt.term import Symbol
from support.concrete_builder import program
from support.ir_terms import RECORD

PROGRAM = program(records=[RECORD])


class Pairs:
    """Two variables with given values."""

    def __init__(self, encoding: Encoding, values: dict[Var, int], near: int) -> None:
        self.encoding, self.values, self.near = encoding, values, near
        self.model: dict[Symbol, int] = {}

    def load(self, place: Lvalue, encoder: Encoder) -> BoundedTerm:
        assert isinstance(place, Var)
        value = self.values[place]
        low, high = value_range(place.type)
        low, high = max(low, value - self.near), min(high, value + self.near)
        symbol = Symbol(place.name, self.encoding.sort(place.type))
        width = getattr(symbol.sort, "width", None)
        self.model[symbol] = value if width is None else value & ((1 << width) - 1)
        return self.encoding.bounded(symbol, place.type, low, high)

    def address(self, var: Var) -> BoundedTerm:
        raise AssertionError

    def function(self, name: str) -> BoundedTerm:
        raise AssertionError

    def size(self, pointer: Expr, type_: IntType) -> None:
        raise AssertionError

    def unknown(self, type_: Type) -> None:
        return None
