"""Predicates for a whole proof at once: invariants of all points of abstraction, from Spacer.

The graph of blocks becomes a system of Horn clauses: one relation for each point, a rule for each
exit, errors and limits as what must not happen. If Spacer solves it, the conjuncts of its relations
are predicates. A conjunct may be a disjunction: tracked as one predicate it is simply true at its
point, so that the abstraction needs no enumeration to see that the error is excluded.

No soundness duty: the tree of the engine decides what the predicates prove.
"""

from __future__ import annotations

from time import monotonic

from ...encode.blocks import Block, Blocks
from ...errors import UnsupportedFeature
from ...ir.configuration import Configuration
from ...ir.expr import Expr
from ...records import dataclass
from ...smt.horn import HornRefuted, Solved, conjuncts
from ...smt.solver import Statistics
from ...smt.term import Term
from ..interpolators.interpolation_problem import FoundPredicates
from ..interpolators.phrase import atoms, phrase
from ..interpolators.spacer_interpolants import Link, System, reachable

_MOST_CONJUNCTS = 400  # in all; more would be no help to anybody


@dataclass(frozen=True, slots=True)
class Way:
    """A block of which there is a clause: from a cut point, or (None) from the beginning, to the
    next, or (None) to what must not happen."""

    source: Configuration | None
    target: Configuration | None
    kind: str


class BlockClauses:
    """Asks about one program again and again, with more time each time."""

    def __init__(self, blocks: Blocks, root: Block, statistics: Statistics) -> None:
        self._blocks = blocks
        self._root = root
        self._statistics = statistics
        self._system: System[Configuration] | None = None
        self.ways: tuple[Way, ...] = ()  # one for each clause
        self.hopeless = False  # it cannot be solved, or has been

    def find(self, seconds: float) -> FoundPredicates | None:
        """The predicates, or None if the time was not enough."""
        deadline = monotonic() + seconds
        if self._system is None:
            self.build(seconds)
        if self._system is None:
            return None
        solution = self._system.solve(self._statistics, max(0.1, deadline - monotonic()))
        if solution is None or isinstance(solution, Solved | HornRefuted):
            self.hopeless = True
        if not isinstance(solution, Solved):
            return None
        found: list[tuple[Configuration, Expr]] = []
        for configuration, relation in self._system.relations.items():
            for part in conjuncts(solution.relations[relation]):
                found += [(configuration, predicate) for predicate in self._phrased(part)]
        return FoundPredicates(found) if 0 < len(found) <= _MOST_CONJUNCTS else None

    def build(self, seconds: float) -> None:
        """Make the clauses, if that is possible in the time given."""
        known = reachable(self._blocks, self._root, monotonic() + seconds)
        if known is None:
            self.hopeless = True
            return
        links: list[Link[Configuration]] = [Link(None, e, e.target) for e in self._root.exits]
        for configuration, block in known.items():
            links += [Link(configuration, e, e.target) for e in block.exits]
        self._system = System(self._blocks.formulas, links)
        self.ways = tuple(Way(link.source, link.target, link.exit.kind.value) for link in links)

    def _phrased(self, part: Term) -> list[Expr]:
        """A conjunct as one predicate, or else those of its atoms that C can express."""
        formulas = self._blocks.formulas
        try:
            return [phrase(formulas, part)]
        except UnsupportedFeature:
            pass
        found = []
        for atom in atoms(part):
            try:
                found.append(phrase(formulas, atom))
            except UnsupportedFeature:
                continue
        return found
