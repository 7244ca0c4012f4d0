"""Which values some conditions can have together: the rows of an assignment table.

The conditions are numbered columns; a cube says which columns it speaks of and which of these are
true, a row has a value for each. [Mir13] asks about complete cubes: all of them in section 6,
those after the code first in algorithm 1. Here cubes grow column by column, every state that a
solver shows is remembered, and so is every contradiction: both answer later questions.

Soundness duty: a row is missing only if a solver said that a part of it is impossible. Where the
solver does not know, all rows are there.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from ...records import dataclass
from .prime_implicants import Bits, columns_of, holds


@dataclass(frozen=True, slots=True)
class Savings:
    """What spares questions. All of it by default: one is switched off only to measure it."""

    attainable: bool = True  # first what can hold afterwards, then what can hold before
    dependent: bool = True  # before, only conditions that tell about those afterwards
    components: bool = (
        True  # conditions that have nothing to do with each other, in tables of their own
    )
    stepwise: bool = True  # cubes grow column by column, and none grows that is impossible
    models: bool = True  # the states that solvers show
    cores: bool = True  # the contradictions that solvers find


NOTHING_SPARED = Savings(False, False, False, False, False, False)
ALGORITHM_1 = Savings(True, True, False, False, False, False)


@dataclass(slots=True)
class RowCounts:
    """How much work it was."""

    tables: int = 0
    rows: int = 0
    calls: int = 0  # questions to a solver
    unknown: int = 0  # those without an answer
    large: int = 0  # tables that were too large, and combinations that were too many


@dataclass(frozen=True, slots=True)
class Never:
    """There is no state, and these columns are reason enough."""

    columns: int


Reply: TypeAlias = int | Never | None  # all columns of a state; None: no answer
Oracle: TypeAlias = Callable[[int, int], Reply]  # is asked for a state of a cube


class Rows:
    """Finds rows over columns of one oracle, and remembers what it said."""

    def __init__(self, oracle: Oracle, savings: Savings, counts: RowCounts) -> None:
        self._oracle = oracle
        self._savings = savings
        self._counts = counts
        self.points: list[int] = []  # the states that were shown
        self._never: list[Bits] = []

    def find(self, before: Sequence[int], after: Sequence[int], most: int) -> frozenset[int] | None:
        """All values that the columns can have; None if they are more than `most`."""
        found = {0: True}  # each cube, and whether the solver knows that it is possible
        care = 0
        for level in self._levels(before, after):
            care |= level
            found = self._longer(found, care, level, most)
            if len(found) > most:
                return None
        return frozenset(found)

    def _levels(self, before: Sequence[int], after: Sequence[int]) -> list[int]:
        """The columns that are looked at together, as masks."""
        first, then = _mask(after), _mask(before)
        levels = [first, then] if self._savings.attainable else [first | then]
        if self._savings.stepwise:
            levels = [1 << column for level in levels for column in columns_of(level)]
        return [level for level in levels if level]

    def _longer(self, cubes: dict[int, bool], care: int, level: int, most: int) -> dict[int, bool]:
        """The cubes with all values of one more level."""
        known = {point & care for point in self.points}
        never = [cube for cube in self._never if cube[0] & level and not cube[0] & ~care]
        found: dict[int, bool] = {}
        for value, sure in cubes.items():
            for bits in _values(level):
                longer = value | bits
                if longer in known or not sure:
                    found[longer] = sure
                elif not any(holds(cube, longer) for cube in never):
                    reply = self.ask(care, longer)
                    if isinstance(reply, Never):
                        if self._savings.cores:
                            never.append(self._never[-1])
                        continue
                    found[longer] = reply is not None
                    if reply is not None and self._savings.models:
                        known.add(reply & care)
            if len(found) > most:
                break
        return found

    def ask(self, care: int, value: int) -> Reply:
        """A state of the cube, from the oracle."""
        self._counts.calls += 1
        reply = self._oracle(care, value)
        if reply is None:
            self._counts.unknown += 1
        elif isinstance(reply, Never):
            if self._savings.cores:
                self._never.append((reply.columns, value & reply.columns))
        elif self._savings.models:
            self.points.append(reply)
        return reply


def _mask(columns: Sequence[int]) -> int:
    return sum(1 << column for column in columns)


def _values(mask: int) -> list[int]:
    """All values of the columns of a mask.

    >>> _values(0b101)
    [0, 1, 4, 5]
    """
    found = [0]
    for column in columns_of(mask):
        found += [value | 1 << column for value in found]
    return found
