"""Facts that were proved, as relations at configurations: they need no predicates.

Soundness duty: a relation is at the configuration where its fact holds.
"""

from __future__ import annotations

from collections.abc import Iterable

from ...encode.entry_conditions import entry_condition
from ...encode.environment import Formulas
from ...encode.location_facts import NumericRelation, NumericRelations
from ...ir.cfa import Edge
from ...ir.configuration import CallStack, Configuration
from ...ir.expr import Var
from ...verdict import Invariant


def with_facts(
    formulas: Formulas, relations: NumericRelations, facts: Iterable[Invariant]
) -> NumericRelations:
    """The relations, and the facts that speak of scalar variables and that formulas can say."""
    found = {configuration: list(known) for configuration, known in relations.items()}
    for fact in facts:
        condition = entry_condition(formulas, fact.expr)
        variables = frozenset(
            key for key in (condition.keys if condition is not None else ()) if isinstance(key, Var)
        )
        relation = NumericRelation(variables, fact.expr)
        here = found.setdefault(Configuration(fact.location, _stack(fact.stack)), [])
        if variables and relation not in here:
            here.append(relation)
    return found


def _stack(calls: tuple[Edge, ...]) -> CallStack | None:
    stack: CallStack | None = None
    for call in calls:
        stack = CallStack(call, stack)
    return stack
