"""Where each weaker operator loses precision against the BDDs, location by location."""

from __future__ import annotations

from collections.abc import Iterator

from ..bdd import Function
from ..records import dataclass
from .bebop import Node, Reached
from .invariant import states_now
from .limits import CheckLimits
from .trivectors import Focus, Trivector, TrivectorDomain, TrivectorTable, explore

OPERATORS = tuple((domain, focus) for domain in TrivectorDomain for focus in Focus)


@dataclass(frozen=True, slots=True)
class PrecisionRow:
    """A location with the number of states that the BDDs and then each operator reach there."""

    node: Node
    exact: int
    counts: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class PrecisionComparison:
    rows: tuple[PrecisionRow, ...]
    may_fail: tuple[bool, ...]
    """For each operator: does it leave an assertion open?"""

    def lost(self, operator: int) -> int:
        """At how many locations the operator reaches more than the BDDs."""
        return sum(row.counts[operator] > row.exact for row in self.rows)


def compare(reached: Reached, limits: CheckLimits) -> PrecisionComparison:
    """`reached` must have been computed with all globals in sight."""
    tables = [explore(reached.model.program, d, f, limits) for d, f in OPERATORS]
    with reached.model.manager.bounded():
        return PrecisionComparison(tuple(_rows(reached, tables)), tuple(t.may_fail for t in tables))


def _rows(reached: Reached, tables: list[TrivectorTable]) -> Iterator[PrecisionRow]:
    model = reached.model
    for name, graph in model.graphs.items():
        scope = model.layout.scopes[name]
        inner = [c.now for c in scope.globals.values()]
        everything = inner + [c.now for c in scope.locals]
        for location in range(len(graph.locations)):
            node = (name, location)
            variables = inner if location == graph.exit else everything
            counts = [
                model.manager.count(_union(reached, table, node, variables), variables)
                for table in tables
            ]
            if any(counts):
                exact = model.manager.count(states_now(reached, node), variables)
                yield PrecisionRow(node, exact, tuple(counts))


def _union(reached: Reached, table: TrivectorTable, node: Node, variables: list[int]) -> Function:
    manager = reached.model.manager

    def cube(vector: Trivector) -> Function:
        # At an exit the results follow the globals; they are not part of the state.
        pairs = zip(variables, vector, strict=False)
        return manager.cube({i: value for i, value in pairs if value is not None})

    return manager.disjunction(map(cube, table.states.get(node, ())))
