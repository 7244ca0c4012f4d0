"""Blocks of octagons: variables that are related, with the closed matrix of their bounds.

The operations of `octagon` work on the matrices of all blocks that a constraint or an assignment
touches, gathered into one, and split the result into blocks again. Soundness duty: a gathered
matrix, and the constraints of a block, have exactly the points of the blocks.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from math import inf

from ..records import dataclass
from . import octagon_matrix as matrix
from .linear import Comparison, Constraint, Linear, Variable, combination, normal
from .octagon_matrix import Rows


@dataclass(frozen=True, slots=True)
class VariableBlock:
    """Related variables, sorted, with their tightly closed matrix."""

    names: tuple[Variable, ...]
    rows: Rows


def without(
    blocks: Iterable[VariableBlock], others: Iterable[VariableBlock]
) -> tuple[VariableBlock, ...]:
    """The blocks that are not equal to any of the others."""
    known = {block.names: block.rows for block in others}
    return tuple(block for block in blocks if known.get(block.names) != block.rows)


def names_of(blocks: Iterable[VariableBlock]) -> set[Variable]:
    return {name for block in blocks for name in block.names}


def below(left: Rows, right: Rows) -> bool:
    return all(x <= y for a, b in zip(left, right, strict=True) for x, y in zip(a, b, strict=True))


def gather(blocks: Iterable[VariableBlock], names: Sequence[Variable]) -> Rows:
    """The matrix of these variables, some of which may be in no block."""
    wanted = frozenset(names)
    indices: dict[Variable, tuple[VariableBlock, int]] = {}
    for block in blocks:
        if block.names == names:
            return block.rows
        for k, name in enumerate(block.names):
            if name in wanted:
                indices[name] = (block, 2 * k)
    signed = [
        (indices[name][0], indices[name][1] + s) if name in indices else (None, s)
        for name in names
        for s in (0, 1)
    ]
    half = [inf if block is None else matrix.half(block.rows, i) for block, i in signed]
    return tuple(
        tuple(
            0
            if a == b
            else block.rows[i][j]
            if block is not None and block is other
            else half[a] + half[b ^ 1]
            for b, (other, j) in enumerate(signed)
        )
        for a, (block, i) in enumerate(signed)
    )


def split(names: Sequence[Variable], rows: Rows) -> list[VariableBlock]:
    """The blocks of a closed matrix."""
    found = matrix.groups(rows)
    if len(found) == 1 and len(found[0]) == len(names):
        return [VariableBlock(tuple(names), rows)]
    return [
        VariableBlock(tuple(names[k] for k in group), matrix.chosen(rows, group)) for group in found
    ]


def renamed(block: VariableBlock, names: Mapping[Variable, Variable]) -> VariableBlock:
    new = [names.get(name, name) for name in block.names]
    order = sorted(range(len(new)), key=new.__getitem__)
    return VariableBlock(tuple(new[k] for k in order), matrix.chosen(block.rows, order))


def signed_indices(linear: Linear, names: tuple[Variable, ...]) -> tuple[int, int]:
    """The indices of the signed variables of a sum of two, or twice that of a single one."""
    signed = [2 * names.index(name) + (factor < 0) for name, factor in linear.coefficients]
    return signed[0], signed[-1]


def upper_bound(rows: Rows, factors: Sequence[int]) -> float:
    """A greatest value of a sum, variable by variable or with one pair taken together."""
    signed = [2 * k + (factor < 0) for k, factor in enumerate(factors)]
    sizes = [abs(factor) for factor in factors]
    half = [matrix.half(rows, i) for i in signed]
    alone = [size * most for size, most in zip(sizes, half, strict=True)]
    best: float = sum(alone)
    for a, i in enumerate(signed):
        for b in range(a):
            entry = rows[i][signed[b] ^ 1]
            if entry == inf or (best != inf and entry >= half[a] + half[b]):
                continue
            times = min(sizes[a], sizes[b])
            parts = [x for c, x in enumerate(alone) if c not in (a, b)]
            parts += [(sizes[c] - times) * half[c] for c in (a, b) if sizes[c] != times]
            best = min(best, times * entry + sum(parts))
    return best


@lru_cache(maxsize=4096)
def constraints_of(block: VariableBlock) -> tuple[Constraint, ...]:
    """Few constraints that imply the whole block."""
    found = []
    for i, j, is_equal in matrix.reduced(block.rows):
        entry = int(block.rows[i][j])
        linear = combination([_term(block, i), _term(block, j ^ 1)], -entry)
        found.append(normal(linear, Comparison.EQUAL if is_equal else Comparison.AT_MOST))
    return tuple(found)


@lru_cache(maxsize=4096)
def sizes(block: VariableBlock) -> tuple[int, int, int, int]:
    most = matrix.halves(block.rows)
    tighter = sum(
        entry < most[i] + most[j ^ 1]
        for i, row in enumerate(block.rows)
        for j, entry in enumerate(row)
        if i // 2 != j // 2
    )
    found = constraints_of(block)
    equations = sum(constraint.relation is Comparison.EQUAL for constraint in found)
    return equations, sum(bound != inf for bound in most), tighter, len(found)


def _term(block: VariableBlock, signed: int) -> tuple[Variable, int]:
    return (block.names[signed // 2], -1 if signed % 2 else 1)
