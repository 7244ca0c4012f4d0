"""Basic blocks: straight-line operations, and what they do to predicates.

Soundness duty: control comes to a block only at its first operation and leaves it only behind its
last one; and a predicate after the block has the value that its condition has before, for some
values of the variables that stand for inputs.
"""

from __future__ import annotations

from collections.abc import Mapping

from ...analysis.updates import Update, updates_of
from ...errors import UnsupportedFeature
from ...ir import ops
from ...ir.cfa import Edge, Function
from ...ir.expr import Expr
from ...records import dataclass, field
from ...wp.morris_axiom import alias_scenarios
from ...wp.weakest_precondition import Preconditions
from ..abstraction_context import AbstractionContext

_LONGEST = 20  # operations of one block: formulas grow with each that writes through a pointer


def blocks(function: Function) -> dict[Edge, tuple[Edge, ...]]:
    """The block that each edge which is no control flow begins; edges inside one begin none."""
    named = frozenset(function.labels.values())

    def successor(edge: Edge) -> Edge | None:
        """The edge that alone follows, if nothing else leads there."""
        leaving = function.outgoing[edge.dst]
        if len(leaving) != 1 or len(function.incoming[edge.dst]) != 1 or edge.dst in named:
            return None
        if edge.dst is function.entry:
            return None  # callers lead there too
        return leaving[0] if in_block(leaving[0]) else None

    inside = {successor(edge) for edge in function.edges if in_block(edge)}
    found: dict[Edge, tuple[Edge, ...]] = {}
    for edge in function.edges:
        if not in_block(edge) or edge in inside:
            continue
        block = [edge]
        while (following := successor(block[-1])) is not None:
            if len(block) == _LONGEST:
                found[block[0]] = tuple(block)
                block = []
            block.append(following)
        found[block[0]] = tuple(block)
    return found


def in_block(edge: Edge) -> bool:
    """Is the operation an assignment, or something like it?"""
    return isinstance(
        edge.op,
        ops.Skip | ops.Assign | ops.Havoc | ops.Alloc | ops.Free | ops.Fill | ops.Copy | ops.Print,
    )


@dataclass(slots=True)
class BlockPreconditions:
    """Weakest preconditions of one block. All predicates see the same inputs: what an operation
    makes of them is known by one name."""

    context: AbstractionContext
    block: tuple[Edge, ...]
    _updates: dict[Edge, tuple[Update, ...]] = field(default_factory=dict)

    def before(self, predicate: Expr) -> Expr | None:
        """What the predicate is after the block, said of the state before; None if there is no
        formula for that."""
        formula = predicate
        for edge in reversed(self.block):
            if self.context.touched(formula, self.context.written(edge)):
                try:
                    formula = self._before(edge, formula)
                except UnsupportedFeature:
                    return None
        return formula

    def _before(self, edge: Edge, formula: Expr) -> Expr:
        aliasing = self.context.aliasing
        if isinstance(edge.op, ops.Alloc):
            return Preconditions(aliasing).wp(edge.op, formula)
        if edge not in self._updates:
            self._updates[edge] = updates_of(edge.op, self.context.program, aliasing.names)
        updates = self._updates[edge]
        return alias_scenarios(formula, updates, aliasing) if updates else formula


def inner(found: Mapping[Edge, tuple[Edge, ...]]) -> frozenset[Edge]:
    """The edges that are no block's first one."""
    return frozenset(edge for block in found.values() for edge in block[1:])
