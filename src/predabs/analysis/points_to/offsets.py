"""Sets of byte offsets inside an object, each described by one arithmetic progression; an index of
byte ranges by what they touch.

Soundness duty: every operation gives a set that has all offsets it should have, and may have more.

>>> field = Offsets(4, 0, 1)
>>> print(field, spread(field, 8, 3), spread(field, 8, None))
4 4+8k,k<3 4+8k
>>> overlap(spread(field, 8, None), 4, Offsets(0, 0, 1), 4)
False
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from math import gcd
from typing import TypeAlias

from ...ir.intern import Term
from ...records import dataclass, field

_BLOCK = 8  # bytes that share an entry of a `ByteRangeIndex`


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class Offsets(Term):
    """`first + k * step` for 0 <= k < count, or for every integer k if there is no count.

    A single offset has step 0 and count 1; without a count, 0 <= first < step.
    """

    first: int
    step: int
    count: int | None

    @property
    def single(self) -> int | None:
        """The offset, if there is only one."""
        return self.first if self.step == 0 else None

    @property
    def last(self) -> int | None:
        """The largest offset, if there is one."""
        return None if self.count is None else self.first + self.step * (self.count - 1)

    def __str__(self) -> str:
        if self.step == 0:
            return str(self.first)
        return f"{self.first}+{self.step}k" + (f",k<{self.count}" if self.count else "")


ANY = Offsets(0, 1, None)


@cache
def at(offset: int) -> Offsets:
    return Offsets(offset, 0, 1)


def progression(first: int, step: int, count: int | None) -> Offsets:
    """The progression in its normal form."""
    if count == 1 or step == 0:
        return at(first)
    if count is None:
        return Offsets(first % step, step, None)
    return Offsets(first, step, count)


def shift(offsets: Offsets, by: int) -> Offsets:
    """Every offset plus `by`."""
    return progression(offsets.first + by, offsets.step, offsets.count)


def spread(offsets: Offsets, size: int, count: int | None) -> Offsets:
    """Every offset plus `k * size`, for 0 <= k < count, or any integer k without a count."""
    if size == 0 or count == 1:
        return offsets
    step = gcd(offsets.step, size)
    if count is None or offsets.count is None:
        return progression(offsets.first, step, None)
    reach = offsets.step * (offsets.count - 1) + size * (count - 1)
    return progression(offsets.first, step, reach // step + 1)


def join(sets: Iterable[Offsets]) -> Offsets:
    """One progression without bounds that covers all of the sets."""
    first, step, several = None, 0, False
    for offsets in sets:
        several = several or offsets.step != 0
        if first is None:
            first = offsets.first
        step = gcd(step, offsets.step, offsets.first - first)
    assert first is not None
    return progression(first, step, None) if several or step else at(first)


def covers(large: Offsets, small: Offsets) -> bool:
    """Is the second set certainly a part of the first?"""
    if large == small:
        return True
    if large.step == 0 or large.count is not None:
        return False
    return gcd(small.step, small.first - large.first) % large.step == 0


def overlap(one: Offsets, one_size: int, two: Offsets, two_size: int) -> bool:
    """May pieces of these sizes at these offsets have a byte in common?"""
    if one.step == 0 == two.step:
        return one.first < two.first + two_size and two.first < one.first + one_size
    one_last, two_last = one.last, two.last
    if one_last is not None and two.count is not None and two.first >= one_last + one_size:
        return False
    if two_last is not None and one.count is not None and one.first >= two_last + two_size:
        return False
    step = gcd(one.step, two.step)
    apart = (two.first - one.first) % step
    return apart < one_size or step - apart < two_size


def aligned(one: Offsets, two: Offsets, size: int) -> bool:
    """Are two pieces of this size at these offsets either the same or apart?"""
    step = gcd(one.step, two.step)
    if step == 0:
        return one.first == two.first or abs(one.first - two.first) >= size
    return step >= size and (two.first - one.first) % step == 0


def total(one: Offsets, two: Offsets) -> Offsets:
    """All sums of an offset of each."""
    return spread(shift(one, two.first), two.step, two.count)


@dataclass(frozen=True, slots=True)
class Extent:
    """How many bytes an operation touches: exactly `size`, or some multiple of `grain`."""

    size: int | None
    grain: int


def distance(
    piece: Offsets, piece_size: int, start: Offsets, extent: Extent
) -> tuple[Offsets, bool] | None:
    """How far behind the start of a range of bytes the pieces in that range lie.

    The flag says that every piece lies in the range as a whole or not at all; None that none does.

    >>> print(*distance(at(12), 4, at(8), Extent(8, 1)))
    4 True
    >>> print(*distance(Offsets(4, 16, None), 4, Offsets(0, 16, None), Extent(16, 1)))
    4 True
    >>> print(*distance(at(12), 4, at(8), Extent(6, 1)))
    0+1k False
    """
    step = gcd(piece.step, start.step)
    end = extent.size
    if step == 0:
        apart = piece.first - start.first
        if apart + piece_size <= 0 or (end is not None and apart >= end):
            return None
        if apart < 0 or (end is not None and apart + piece_size > end):
            return ANY, False
        return at(apart), end is not None or apart % extent.grain + piece_size <= extent.grain
    apart = (piece.first - start.first) % step
    if apart + piece_size > step:
        return ANY, False
    if end is None:
        whole = extent.grain % step == 0
    else:
        whole = end % step <= apart or end % step >= apart + piece_size
    low, high = 0, None if end is None else end - 1
    piece_last, start_last = piece.last, start.last
    if piece_last is not None and start_last is not None:
        low = max(low, piece.first - start_last)
        reach = piece_last - start.first
        high = reach if high is None else min(high, reach)
    low += (apart - low) % step
    if high is None:
        return progression(apart, step, None), whole
    if high < low:
        return None
    return progression(low, step, (high - low) // step + 1), whole


ByteRange: TypeAlias = tuple[Offsets, int]  # where, and how many bytes


@dataclass(slots=True)
class ByteRangeIndex:
    """A table of byte ranges, each with a node: a number that its owner gives it.

    Soundness duty: `touching` leaves out no range that may have a byte in common with another.

    >>> index = ByteRangeIndex()
    >>> index.add((at(4), 4), 0)
    >>> index.touching((at(6), 1)), index.touching((at(8), 4))
    ([(Offsets(first=4, step=0, count=1), 4)], [])
    """

    nodes: dict[ByteRange, int] = field(default_factory=dict)
    _blocks: dict[int, list[ByteRange]] = field(default_factory=dict)
    _spread: list[ByteRange] = field(default_factory=list)

    def add(self, key: ByteRange, node: int) -> None:
        self.nodes[key] = node
        offsets, size = key
        if offsets.step == 0:
            for block in _blocks(offsets.first, size):
                self._blocks.setdefault(block, []).append(key)
        else:
            self._spread.append(key)

    @property
    def spread_count(self) -> int:
        """How many ranges are not at a constant offset."""
        return len(self._spread)

    def touching(self, key: ByteRange) -> list[ByteRange]:
        """The ranges that may have a byte in common with this one."""
        offsets, size = key
        if offsets.step == 1 and (last := offsets.last) is not None:
            low, high = offsets.first, last + size  # one piece, without gaps
            return [
                k
                for k in self.nodes
                if (
                    k[0].first < high and low < k[0].first + k[1]
                    if k[0].step == 0 and k[1]
                    else overlap(*k, offsets, size)
                )
            ]
        if offsets.step:
            return [k for k in self.nodes if overlap(*k, offsets, size)]
        near = dict.fromkeys(self._spread)
        for block in _blocks(offsets.first, size):
            near.update(dict.fromkeys(self._blocks.get(block, ())))
        return [k for k in near if overlap(*k, offsets, size)]


def _blocks(first: int, size: int) -> range:
    return range(first // _BLOCK, (first + max(size, 1) - 1) // _BLOCK + 1)
