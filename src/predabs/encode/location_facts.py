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

from ..analysis.memory.scalar_lvalues import lvalue_of
from ..errors import UnsupportedFeature
from ..ir import make
from ..ir.cfa import Location
from ..ir.configuration import Configuration
from ..ir.expr import Expr, Var
from ..ir.types import IntType
from ..smt.term import Term
from .environment import Environment, Formulas, Key


@dataclass(frozen=True, slots=True)
class NumericRelation:
    """A condition that holds whenever a run is at a control point, and the plain variables that it
    speaks of."""

    variables: frozenset[Var]
    expr: Expr


NumericRelations: TypeAlias = Mapping[Configuration, Sequence[NumericRelation]]


class LocationFacts:
    """The facts of one program, in one encoding."""

    def __init__(self, formulas: Formulas, relations: NumericRelations) -> None:
        self._formulas = formulas
        self.relations = relations
        self._limits: dict[tuple[Configuration, Var], tuple[int, int] | None] = {}
        self._groups: dict[Configuration, list[tuple[set[Var], list[NumericRelation]]]] = {}

    def facts(
        self, configuration: Configuration, keys: Iterable[Key | None], environment: Environment
    ) -> list[Term]:
        """What is known about storage at a control point."""
        found = []
        variables = {key: None for key in keys if isinstance(key, Var)}
        for key in variables:
            if (limit := self._limit(configuration, key)) is not None:
                value = self._formulas.get(environment, key)
                found.append(self._formulas.encoding.within(value.term, *limit, key.type))
        for group, relations in self._related(configuration):
            if not group.isdisjoint(variables):
                encoder = self._formulas.encoder(environment)
                said = [encoder.condition(relation.expr) for relation in relations]
                found += [*said, *self._formulas.facts(said)]
        return found

    def _related(
        self, configuration: Configuration
    ) -> list[tuple[set[Var], list[NumericRelation]]]:
        """The relations of a control point, by groups of variables that hang together: what is
        said of some follows from all of their group."""
        known = self._groups.get(configuration)
        if known is None:
            known = []
            for relation in self.relations.get(configuration, ()):
                variables, relations = set(relation.variables), [relation]
                for group in [group for group in known if not group[0].isdisjoint(variables)]:
                    known.remove(group)
                    variables |= group[0]
                    relations = group[1] + relations
                known.append((variables, relations))
            self._groups[configuration] = known
        return known

    def bounds(self, configuration: Configuration, keys: Iterable[Key | None]) -> list[Expr]:
        """The same as expressions, for these keys and for all that the terms have relied on; all
        relations, because they are inductive together."""
        found: list[Expr] = [relation.expr for relation in self.relations.get(configuration, ())]
        for key in dict.fromkeys((*keys, *self._formulas.relied)):
            if isinstance(key, Var) and (limit := self._limit(configuration, key)) is not None:
                found += self._written(key, *limit)
        return found

    def _limit(self, configuration: Configuration, var: Var) -> tuple[int, int] | None:
        """Between which numbers a variable lies, if that is less than its type says."""
        place = (configuration, var)
        if place not in self._limits:
            self._limits[place] = self._found(configuration, var)
        return self._limits[place]

    def _found(self, configuration: Configuration, var: Var) -> tuple[int, int] | None:
        limits, location = self._formulas.interval_facts, _where(configuration, var)
        if limits is None or location is None or not isinstance(var.type, IntType):
            return None
        found = limits(location, var)
        if found is None or (found[0] <= var.type.low and found[1] >= var.type.high):
            return None
        return found

    def _written(self, var: Var, low: int, high: int) -> list[Expr]:
        assert isinstance(var.type, IntType)
        try:
            place = lvalue_of(self._formulas.partition, var)
        except UnsupportedFeature:
            return []
        least, most = make.const(low, var.type), make.const(high, var.type)
        if low == high:
            return [make.equal(place, least)]
        found = [make.less_equal(least, place)] if low > var.type.low else []
        return found + ([make.less_equal(place, most)] if high < var.type.high else [])


def _where(configuration: Configuration, var: Var) -> Location | None:
    """The location whose intervals tell about a variable: where its function is now."""
    if not var.function or var.function == configuration.location.function:
        return configuration.location
    return next((c.src for c in configuration.calls if c.src.function == var.function), None)
