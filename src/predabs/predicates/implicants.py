"""Which cubes decide a question, found by increasing length: the search behind the F function.

A cube is a conjunction of literals over n predicates; literal 2i + 1 says that predicate i holds,
2i that it does not. There are one or more *sides* (for F: the states where the formula is false,
and those where it is true), and an oracle that finds a state of a cube on a side. A cube is
undecided as long as it has states on all sides; the search lists the shortest ones that have not.

Every state that the oracle shows is a *point*: its values of all predicates. A cube with known
points on all sides needs no question, so only the few that the points do not rule out are asked
about. A cube inside a decided one is not looked at [Mir13, section 10].

Soundness duty: a cube is listed with a missing side only if the oracle said so for this very cube.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from enum import Enum
from typing import TypeAlias

from ..records import dataclass

Literals: TypeAlias = tuple[int, ...]


class No(Enum):
    """The oracle shows no state: there is none, or it cannot tell."""

    NEVER = "never"
    UNKNOWN = "unknown"


Reply: TypeAlias = int | No  # a point has bit i set if predicate i holds
Oracle: TypeAlias = Callable[[Literals, int], Reply]


@dataclass(frozen=True, slots=True)
class Tactics:
    """What spares questions. All of it by default: one is switched off only to measure it."""

    priming: bool = True  # nothing longer than a cube that has its last side only
    pruning: bool = True  # nothing longer than a cube that has no state on its last side
    models: bool = True  # points rule out questions
    cone: bool = True  # only predicates that share storage with the formula


class ImplicantSearch:
    """One search. `decided` maps which sides a cube has states on to the cubes, shortest first."""

    def __init__(self, predicates: int, sides: int, oracle: Oracle, tactics: Tactics) -> None:
        self.decided: dict[tuple[bool, ...], list[Literals]] = {}
        self.spared = 0  # longer cubes that no question was needed for
        self._predicates = predicates
        self._oracle = oracle
        self._tactics = tactics
        self._true: list[int] = []  # for each point, the set of literals that hold there
        self._holds = [0] * (2 * predicates)  # for each literal, the set of points where it does
        self._sides = [0] * sides  # for each side, the set of its points

    def add(self, point: int, side: int) -> None:
        """Note a state: the values of the predicates, and its side."""
        bit = 1 << len(self._true)
        literals = 0
        for predicate in range(self._predicates):
            literal = 2 * predicate + (point >> predicate & 1)
            literals |= 1 << literal
            self._holds[literal] |= bit
        self._true.append(literals)
        self._sides[side] |= bit

    def run(self, longest: int) -> None:
        """Look at all cubes of up to `longest` literals, the empty one too."""
        undecided: list[Literals] = [()] if self._judge(()) else []
        for length in range(1, min(longest, self._predicates) + 1):
            last = length == longest
            undecided = self._longer(undecided, last)

    def _longer(self, cubes: list[Literals], last: bool) -> list[Literals]:
        """Judge the cubes with one literal more, and return those that stay undecided."""
        shorter = set(cubes)
        found = []
        for cube in cubes:
            first = (cube[-1] // 2 + 1) * 2 if cube else 0
            asked = self._open(cube, first)
            # at full length, only those cubes matter that points do not rule out
            tried = _members(asked) if last else range(first, 2 * self._predicates)
            for literal in tried:
                longer = (*cube, literal)
                if not all(_without(longer, position) in shorter for position in range(len(cube))):
                    continue
                if asked >> literal & 1 and not self._judge(longer):
                    continue
                if not last:
                    found.append(longer)
            self.spared += 2 * self._predicates - first - asked.bit_count()
        return found

    def _open(self, cube: Literals, first: int) -> int:
        """The literals from `first` on that leave the cube without a known point on some side."""
        points = self._points(cube)
        every = (1 << (2 * self._predicates)) - (1 << first)
        found = 0
        for side in self._sides:
            left = every
            for point in _members(points & side):
                left &= ~self._true[point]
                if not left:
                    break
            found |= left
        return found

    def _points(self, cube: Literals) -> int:
        points = (1 << len(self._true)) - 1
        for literal in cube:
            points &= self._holds[literal]
        return points

    def _judge(self, cube: Literals) -> bool:
        """Ask about the sides where the cube has no point; whether to look at longer cubes."""
        has = []
        for side, members in enumerate(self._sides):
            possible = bool(self._points(cube) & members)
            if not possible:
                reply = self._oracle(cube, side)
                possible = reply is not No.NEVER
                if not isinstance(reply, No) and self._tactics.models:
                    self.add(reply, side)
            has.append(possible)
        if all(has):
            return True
        self.decided.setdefault(tuple(has), []).append(cube)
        return not (self._tactics.priming if has[-1] else self._tactics.pruning)


def _members(bits: int) -> Iterator[int]:
    """The numbers of the bits that are set."""
    while bits:
        low = bits & -bits
        yield low.bit_length() - 1
        bits ^= low


def _without(cube: Literals, position: int) -> Literals:
    return cube[:position] + cube[position + 1 :]


def shortest(cubes: list[Literals]) -> list[Literals]:
    """The cubes, in order of length, that contain no other one.

    >>> shortest([(1,), (1, 2), (0, 3)])
    [(1,), (0, 3)]
    """
    found: list[frozenset[int]] = []
    kept = []
    for cube in cubes:
        literals = frozenset(cube)
        if not any(one <= literals for one in found):
            found.append(literals)
            kept.append(cube)
    return kept
