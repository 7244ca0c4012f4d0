"""Text put into a source file, without a new line: what is on which line stays the same.

What is put around a smaller piece of the source stands inside of what is put around a larger one,
and for the same piece `Nesting` decides.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from enum import Enum
from functools import cached_property
from itertools import accumulate

from ...ir.cfa import Coord
from ...records import dataclass, field


class Nesting(Enum):
    """What stands around what, if both are put around the same piece."""

    STATEMENT = 0
    CONDITION = 1  # of a branch, or one side of a conditional expression
    ARGUMENT = 2
    RESULT = 3  # of a call
    CALL = 4


@dataclass(frozen=True, slots=True)
class Around:
    """Texts before and behind a piece of the source; `owner` is the line of the witness that they
    are there for."""

    begin: int
    end: int
    before: str
    behind: str
    owner: int
    nesting: Nesting


@dataclass(slots=True)
class Insertions:
    """What is put into one file."""

    file: str
    text: bytes
    pieces: list[Around] = field(default_factory=list)

    def add(
        self,
        begin: int,
        end: int,
        before: str,
        behind: str,
        owner: int,
        nesting: Nesting = Nesting.STATEMENT,
    ) -> None:
        self.pieces.append(Around(begin, end, before, behind, owner, nesting))

    def applied(self) -> Inserted:
        """The text with all of them."""
        parts: list[tuple[tuple[int, ...], bytes, int]] = []
        for number, piece in enumerate(self.pieces):
            before, behind = piece.before.encode(), piece.behind.encode()
            level = piece.nesting.value
            parts.append(((piece.begin, 1, -piece.end, level, number), before, piece.owner))
            parts.append(((piece.end, 0, -piece.begin, -level, -number), behind, piece.owner))
        parts.sort(key=lambda part: part[0])
        out: list[bytes] = []
        new: list[tuple[int, int, int]] = []  # where inserted texts begin and end, and owners
        at = length = 0
        for (offset, *_), text, owner in parts:
            out.append(self.text[at:offset])
            length += offset - at
            at = offset
            if text:
                out.append(text)
                new.append((length, length + len(text), owner))
                length += len(text)
        out.append(self.text[at:])
        return Inserted(self.file, b"".join(out), tuple(new))


@dataclass(frozen=True)
class Inserted:
    """A file with insertions: what stands where in the text as it was."""

    file: str
    text: bytes
    new: tuple[tuple[int, int, int], ...]

    @cached_property
    def _lines(self) -> list[int]:
        return [0, *(match.end() for match in re.finditer(rb"\n", self.text))]

    @cached_property
    def _begins(self) -> list[int]:
        return [begin for begin, _, _ in self.new]

    @cached_property
    def _added(self) -> list[int]:
        """How much was put in before each of the texts."""
        return [0, *accumulate(end - begin for begin, end, _ in self.new)]

    def _offset(self, coord: Coord) -> int:
        if not 1 <= coord.line <= len(self._lines):
            return len(self.text)
        return self._lines[coord.line - 1] + coord.column - 1

    def owner(self, coord: Coord) -> int | None:
        """The line of the witness for which something was put in there; None if that is the
        program's own text."""
        at = self._offset(coord)
        number = bisect_right(self._begins, at) - 1
        if number >= 0 and self.new[number][0] <= at < self.new[number][1]:
            return self.new[number][2]
        return None

    def original_offset(self, coord: Coord) -> int:
        """Where it is in the text as it was; what was put in is where it was put in."""
        at = self._offset(coord)
        number = bisect_right(self._begins, at) - 1
        if number < 0:
            return at
        begin, end, _ = self.new[number]
        return at - self._added[number] - (min(end, at) - begin)

    def original(self, coord: Coord) -> Coord:
        """The coordinate in the text as it was."""
        start = self.original_offset(Coord(coord.file, coord.line, 1))
        return Coord(coord.file, coord.line, self.original_offset(coord) - start + 1)

    def moved(self, coord: Coord) -> Coord:
        """Where it is now what was at the coordinate before."""
        at, start = self.unchanged_offset(coord), self._lines[min(coord.line, len(self._lines)) - 1]
        number = bisect_right(self._places, at)
        return Coord(coord.file, coord.line, at + self._added[number] - start + 1)

    def unchanged_offset(self, coord: Coord) -> int:
        """The offset of a coordinate in the text as it was."""
        return self._lines_before[min(coord.line, len(self._lines_before)) - 1] + coord.column - 1

    @cached_property
    def _places(self) -> list[int]:
        """Where the texts were put in."""
        return [begin - before for begin, before in zip(self._begins, self._added, strict=False)]

    @cached_property
    def _lines_before(self) -> list[int]:
        return [self.original_offset(Coord(self.file, n + 1, 1)) for n in range(len(self._lines))]
