"""What analyses of numbers know about the storage at a control point: intervals, and relations.

The terms of blocks rely on intervals (`limits`): these are stated at both ends of each block, and
are a part of every invariant: without them the invariants would not be inductive. Relations, if
there are any, come with them and spare the search for predicates.

Soundness duty: whenever a run is at a control point, the facts hold of the storage there. A plain
variable of a function that waits for a call keeps its value until the call returns.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from ..analysis.members import place_of
from ..errors import UnsupportedFeature
from ..ir import make
from ..ir.cfa import Location
from ..ir.expr import Expr, Var
from ..ir.stack import Config
from ..ir.types import IntType
from .environment import Environment, Formulas, Key
from .term import Term


@dataclass(frozen=True, slots=True)
class Relation:
    """A condition that holds whenever a run is at a control point, and the plain variables that it
    speaks of."""

    variables: frozenset[Var]
    expr: Expr


Relations: TypeAlias = Mapping[Config, Sequence[Relation]]


class Known:
    """The facts of one program, in one encoding."""

    def __init__(self, formulas: Formulas, relations: Relations) -> None:
        self._formulas = formulas
        self.relations = relations
        self._limits: dict[tuple[Config, Var], tuple[int, int] | None] = {}
        self._groups: dict[Config, list[tuple[set[Var], list[Relation]]]] = {}

    def facts(
        self, config: Config, keys: Iterable[Key | None], environment: Environment
    ) -> list[Term]:
        """What is known about storage at a control point."""
        found = []
        variables = {key: None for key in keys if isinstance(key, Var)}
        for key in variables:
            if (limit := self._limit(config, key)) is not None:
                value = self._formulas.get(environment, key)
                found.append(self._formulas.encoding.within(value.term, *limit, key.type))
        for group, relations in self._related(config):
            if not group.isdisjoint(variables):
                encoder = self._formulas.encoder(environment)
                said = [encoder.condition(relation.expr) for relation in relations]
                found += [*said, *self._formulas.facts(said)]
        return found

    def _related(self, config: Config) -> list[tuple[set[Var], list[Relation]]]:
        """The relations of a control point, by groups of variables that hang together: what is
        said of some follows from all of their group."""
        known = self._groups.get(config)
        if known is None:
            known = []
            for relation in self.relations.get(config, ()):
                variables, relations = set(relation.variables), [relation]
                for group in [group for group in known if not group[0].isdisjoint(variables)]:
                    known.remove(group)
                    variables |= group[0]
                    relations = group[1] + relations
                known.append((variables, relations))
            self._groups[config] = known
        return known

    def bounds(self, config: Config, keys: Iterable[Key | None]) -> list[Expr]:
        """The same as expressions, for these keys and for all that the terms have relied on; all
        relations, because they are inductive together."""
        found: list[Expr] = [relation.expr for relation in self.relations.get(config, ())]
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
