"""Pieces of one object, found by the bytes that they touch."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

from .offsets import Offsets, overlap

_BLOCK = 8

Key: TypeAlias = tuple[Offsets, int]  # where, and how many bytes


@dataclass(slots=True)
class KeyIndex:
    """A table of pieces, each with a number of the owner's.

    Soundness duty: `touching` leaves out no piece that may have a byte in common with the given.

    >>> from .offsets import at
    >>> index = KeyIndex()
    >>> index.add((at(4), 4), 0)
    >>> index.touching((at(6), 1)), index.touching((at(8), 4))
    ([(Offsets(first=4, step=0, count=1), 4)], [])
    """

    nodes: dict[Key, int] = field(default_factory=dict)
    _blocks: dict[int, list[Key]] = field(default_factory=dict)
    _spread: list[Key] = field(default_factory=list)

    def add(self, key: Key, node: int) -> None:
        self.nodes[key] = node
        offsets, size = key
        if offsets.step == 0:
            for block in _blocks(offsets.first, size):
                self._blocks.setdefault(block, []).append(key)
        else:
            self._spread.append(key)

    def touching(self, key: Key) -> list[Key]:
        """The pieces that may have a byte in common with this one."""
        offsets, size = key
        if offsets.step:
            return [k for k in self.nodes if overlap(*k, offsets, size)]
        near = dict.fromkeys(self._spread)
        for block in _blocks(offsets.first, size):
            near.update(dict.fromkeys(self._blocks.get(block, ())))
        return [k for k in near if overlap(*k, offsets, size)]


def _blocks(first: int, size: int) -> range:
    return range(first // _BLOCK, (first + max(size, 1) - 1) // _BLOCK + 1)
