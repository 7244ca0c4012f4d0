"""What predicates are after some code, by short cubes instead of a table that would be too large.

For one predicate after, the shortest cubes before that rule a value out: those of the F function
[BPR01, section 7; Mir13, section 8]. For two of them, the shortest cubes that rule out a pair of
values though they allow each: the weakest precondition of a disjunction of two literals.

Soundness duty: a cube rules values out only if the oracle said so for this very cube.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ...predicates.implicants import ImplicantSearch, Literals, No, Tactics
from ...predicates.implicants import Reply as Found
from .prime_implicants import Bits, contains, holds, largest
from .table_rows import Never, Rows

_LONGEST_BESIDE_PAIRS = 2


class ShortCubeSearch:
    """Looks for cubes over the columns `before` of up to `longest` literals."""

    def __init__(self, rows: Rows, before: Sequence[int], longest: int) -> None:
        self._rows = rows
        self._before = before
        self._longest = longest
        self._alone: dict[Bits, list[Bits]] = {}

    def value(self, column: int) -> tuple[list[Bits], list[Bits]]:
        """The cubes that make a condition after true, and those that make it false; cubes without
        any state are in neither."""
        bit = 1 << column
        off, on = self._excluding((bit, bit)), self._excluding((bit, 0))
        return _not_covered(on, off), _not_covered(off, on)

    def pair(self, one: int, two: int) -> list[Bits]:
        """The cubes that no state has and that speak of both conditions after."""
        first, second = 1 << one, 1 << two
        found: list[Bits] = []
        for a in (0, first):
            for b in (0, second):
                ends = (first | second, a | b)
                known = [*self._excluding((first, a)), *self._excluding((second, b))]
                longest = min(self._longest, _LONGEST_BESIDE_PAIRS)
                cubes = _not_covered(self._search(ends, longest), known)
                found += [(care | ends[0], value | ends[1]) for care, value in cubes]
        return found

    def _excluding(self, ends: Bits) -> list[Bits]:
        if ends not in self._alone:
            self._alone[ends] = self._search(ends, self._longest)
        return self._alone[ends]

    def _search(self, ends: Bits, longest: int) -> list[Bits]:
        """The shortest cubes before that rule out these values after."""

        def ask(cube: Literals, side: int) -> Found:
            care, value = self._bits(cube)
            reply = self._rows.ask(care | ends[0], value | ends[1])
            if reply is None:
                return No.UNKNOWN
            return No.NEVER if isinstance(reply, Never) else self._point(reply)

        search = ImplicantSearch(len(self._before), 1, ask, Tactics())
        for point in {self._point(row) for row in self._rows.points if holds(ends, row)}:
            search.add(point, 0)
        search.run(longest)
        return largest(self._bits(cube) for cube in search.decided.get((False,), []))

    def _point(self, row: int) -> int:
        return sum((row >> column & 1) << position for position, column in enumerate(self._before))

    def _bits(self, cube: Literals) -> Bits:
        care = sum(1 << self._before[literal // 2] for literal in cube)
        value = sum(1 << self._before[literal // 2] for literal in cube if literal & 1)
        return care, value


def _not_covered(cubes: Iterable[Bits], others: Sequence[Bits]) -> list[Bits]:
    return [cube for cube in cubes if not any(contains(other, cube) for other in others)]
