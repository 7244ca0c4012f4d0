"""Facts of numeric analyses about the storage at a configuration: intervals, and relations.

The terms of blocks rely on interval facts: these are stated at both ends of each block, and
are a part of every invariant: without them the invariants would not be inductive. Relations, if
there are any, come with them and spare the search for predicates.

Soundness duty: whenever a run is at a configuration, the facts hold of the storage there. A scalar
variable of a function that waits for a call keeps its value until the call returns.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias

from ..analysis.explicit_values import plain, values_of
from ..analysis.memory.partition import lvalue_of
from ..errors import UnsupportedFeature
from ..ir import make
from ..ir.cfa import Location
from ..ir.configuration import Configuration
from ..ir.expr import Expr, Var
from ..ir.types import FloatType, IntType
from ..records import dataclass
from ..smt.term import Term
from .environment import Environment, Formulas, Key


@dataclass(frozen=True, slots=True)
class NumericRelation:
    """A condition that holds whenever a run is at a configuration, and the scalar variables that it
    speaks of."""

    variables: frozenset[Var]
    expr: Expr


NumericRelations: TypeAlias = Mapping[Configuration, Sequence[NumericRelation]]


class LocationFacts:
    """The facts of one program, in one encoding."""

    def __init__(self, formulas: Formulas, relations: NumericRelations) -> None:
        self._formulas = formulas
        self.relations = relations
        self._intervals: dict[tuple[Configuration, Var], tuple[int, int] | None] = {}
        self._groups: dict[Configuration, list[tuple[set[Var], list[NumericRelation]]]] = {}

    def facts(
        self, configuration: Configuration, keys: Iterable[Key | None], environment: Environment
    ) -> list[Term]:
        """The facts about storage at a configuration."""
        found = []
        variables = {key: None for key in keys if isinstance(key, Var)}
        for var, number in values_of(configuration):
            if var in variables:
                value = self._formulas.get(environment, var)
                found.append(self._formulas.encoding.within(value.term, number, number, var.type))
        for key in variables:
            if (interval := self._interval(configuration, key)) is not None:
                value = self._formulas.get(environment, key)
                found.append(self._formulas.encoding.within(value.term, *interval, key.type))
            if isinstance(key.type, FloatType) and (
                bounds := self._float_bounds(configuration, key)
            ):
                encoder = self._formulas.encoder(environment)
                found += [encoder.condition(condition) for condition in bounds]
        for group, relations in self._related(configuration):
            if not group.isdisjoint(variables):
                encoder = self._formulas.encoder(environment)
                said = [encoder.condition(relation.expr) for relation in relations]
                found += [*said, *self._formulas.facts(said)]
        return found

    def _related(
        self, configuration: Configuration
    ) -> list[tuple[set[Var], list[NumericRelation]]]:
        """The relations of a configuration, by groups of variables that hang together: what is
        said of some follows from all of their group."""
        groups = self._groups.get(configuration)
        if groups is None:
            groups = []
            for relation in self.relations.get(plain(configuration), ()):
                variables, relations = set(relation.variables), [relation]
                for group in [group for group in groups if not group[0].isdisjoint(variables)]:
                    groups.remove(group)
                    variables |= group[0]
                    relations = group[1] + relations
                groups.append((variables, relations))
            self._groups[configuration] = groups
        return groups

    def bounds(self, configuration: Configuration, keys: Iterable[Key | None]) -> list[Expr]:
        """The same as expressions, for these keys and for all that the terms have relied on; all
        relations, because they are inductive together."""
        here = plain(configuration)
        found: list[Expr] = [relation.expr for relation in self.relations.get(here, ())]
        for key in dict.fromkeys((*keys, *self._formulas.relied)):
            if (
                isinstance(key, Var)
                and (interval := self._interval(configuration, key)) is not None
            ):
                found += self._written(key, *interval)
            elif isinstance(key, Var) and isinstance(key.type, FloatType):
                found += self._float_bounds(configuration, key)
        return found

    def _float_bounds(self, configuration: Configuration, var: Var) -> list[Expr]:
        """What is known of a floating-point variable: it is no NaN, and lies between bounds."""
        float_facts, location = self._formulas.float_facts, _where(configuration, var)
        known = None if float_facts is None or location is None else float_facts(location, var)
        if known is None or self._formulas.encoding.name != "bv":
            return []
        assert isinstance(var.type, FloatType)
        try:
            lvalue = lvalue_of(self._formulas.partition, var)
        except UnsupportedFeature:
            return []
        low, high = (make.float_const(bound, var.type) for bound in known)
        return [make.less_equal(low, lvalue), make.less_equal(lvalue, high)]

    def values(self, configuration: Configuration) -> list[Expr]:
        """The values that tell a configuration from others of its location."""
        return [
            make.equal(lvalue_of(self._formulas.partition, var), make.const(value, var.type))
            for var, value in values_of(configuration)
            if isinstance(var.type, IntType)
        ]

    def _interval(self, configuration: Configuration, var: Var) -> tuple[int, int] | None:
        """The bounds of a variable, if they are tighter than those of its type."""
        key = (configuration, var)
        if key not in self._intervals:
            self._intervals[key] = self._found(configuration, var)
        return self._intervals[key]

    def _found(self, configuration: Configuration, var: Var) -> tuple[int, int] | None:
        interval_facts, location = self._formulas.interval_facts, _where(configuration, var)
        if interval_facts is None or location is None or not isinstance(var.type, IntType):
            return None
        found = interval_facts(location, var)
        if found is None or (found[0] <= var.type.low and found[1] >= var.type.high):
            return None
        return found

    def _written(self, var: Var, low: int, high: int) -> list[Expr]:
        assert isinstance(var.type, IntType)
        try:
            lvalue = lvalue_of(self._formulas.partition, var)
        except UnsupportedFeature:
            return []
        least, most = make.const(low, var.type), make.const(high, var.type)
        if low == high:
            return [make.equal(lvalue, least)]
        found = [make.less_equal(least, lvalue)] if low > var.type.low else []
        return found + ([make.less_equal(lvalue, most)] if high < var.type.high else [])


def _where(configuration: Configuration, var: Var) -> Location | None:
    """The location whose interval facts hold of a variable: where its function is now."""
    if not var.function or var.function == configuration.location.function:
        return configuration.location
    return next((c.src for c in configuration.calls if c.src.function == var.function), None)
