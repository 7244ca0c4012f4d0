"""What the analysis of intervals knows about the storage at a control point.

The terms of blocks rely on it (`limits`), so it is stated at both ends of each block, and it is a
part of every invariant: without it the invariants would not be inductive.

Soundness duty: whenever a run is at a control point, the facts hold of the storage there. A plain
variable of a function that waits for a call keeps its value until the call returns.
"""

from __future__ import annotations

from collections.abc import Iterable

from ..analysis.members import place_of
from ..errors import UnsupportedFeature
from ..ir import make
from ..ir.cfa import Location
from ..ir.expr import Expr, Var
from ..ir.stack import Config
from ..ir.types import IntType
from .environment import Environment, Formulas, Key
from .term import Term


class Known:
    """The facts of one program, in one encoding."""

    def __init__(self, formulas: Formulas) -> None:
        self._formulas = formulas
        self._limits: dict[tuple[Config, Var], tuple[int, int] | None] = {}

    def facts(
        self, config: Config, keys: Iterable[Key | None], environment: Environment
    ) -> list[Term]:
        """What is known about storage at a control point."""
        found = []
        for key in keys:
            if isinstance(key, Var) and (limit := self._limit(config, key)) is not None:
                value = self._formulas.get(environment, key)
                found.append(self._formulas.encoding.within(value.term, *limit, key.type))
        return found

    def bounds(self, config: Config, keys: Iterable[Key | None]) -> list[Expr]:
        """The same as expressions, for these keys and for all that the terms have relied on."""
        found: list[Expr] = []
        for key in dict.fromkeys((*keys, *self._formulas.relied)):
            if isinstance(key, Var) and (limit := self._limit(config, key)) is not None:
                found += self._written(key, *limit)
        return found

    def _limit(self, config: Config, var: Var) -> tuple[int, int] | None:
        """Between which numbers a variable lies, if that is less than its type says."""
        place = (config, var)
        if place not in self._limits:
            self._limits[place] = self._found(config, var)
        return self._limits[place]

    def _found(self, config: Config, var: Var) -> tuple[int, int] | None:
        limits, location = self._formulas.limits, _where(config, var)
        if limits is None or location is None or not isinstance(var.type, IntType):
            return None
        found = limits(location, var)
        if found is None or (found[0] <= var.type.low and found[1] >= var.type.high):
            return None
        return found

    def _written(self, var: Var, low: int, high: int) -> list[Expr]:
        assert isinstance(var.type, IntType)
        try:
            place = place_of(self._formulas.partition, var)
        except UnsupportedFeature:
            return []
        least, most = make.const(low, var.type), make.const(high, var.type)
        if low == high:
            return [make.equal(place, least)]
        found = [make.less_equal(least, place)] if low > var.type.low else []
        return found + ([make.less_equal(place, most)] if high < var.type.high else [])


def _where(config: Config, var: Var) -> Location | None:
    """The location whose intervals tell about a variable: where its function is now."""
    if not var.function or var.function == config.location.function:
        return config.location
    return next((c.src for c in config.calls if c.src.function == var.function), None)
