"""Assignment tables: what a basic block does to predicates, as a parallel assignment [Mir13,
sections 6, 8, 9].

For each predicate there is the condition that it is before the code, and one on the same state that
says what it will be after it. The assignment table has all pairs of values before and after that
some run has. It is divided for each predicate into the values before that make it true, those that
make it false, and those that leave it open. What is left open for several predicates may still
depend on each other: combinations that the table does not have are listed beside the values, so
that nothing of it is lost. With `joint` predicates at a time only combinations of so many of
them are looked at [Mir13, section 13]: 1 is the Cartesian abstraction, all is the direct method.

Soundness duty: every pair of values that a run can have is a pair that the assignment allows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import combinations
from typing import TypeAlias

from ...predicates.cube import Cover, Cube
from ...records import dataclass
from ...smt import build
from ...smt.solver import Sat, Solver, Unsat
from ...smt.term import BOOL, Symbol, Term, symbols
from .prime_implicants import Bits, columns_of, cover, holds
from .short_cubes import ShortCubeSearch
from .table_rows import Never, Reply, RowCounts, Rows, Savings

MOST_ROWS = 512  # of one table
_MOST_LEFT_OUT = 1 << 13  # combinations of one table that are told one by one


@dataclass(frozen=True, slots=True)
class AssignmentTable:
    """An assignment table [Mir13, definition 2] over some predicates before and some after.

    A row has the set of predicates that hold before and the set of those that hold after, as bit
    masks. Predicates that `before` leaves out make no difference.
    """

    before: tuple[int, ...]
    after: tuple[int, ...]
    rows: frozenset[tuple[int, int]]

    def ends(self) -> dict[int, tuple[int, int]]:
        """For each state before, the predicates that surely and that possibly hold after."""
        found: dict[int, tuple[int, int]] = {}
        for start, end in self.rows:
            sure, possible = found.get(start, (end, end))
            found[start] = sure & end, possible | end
        return found


@dataclass(frozen=True, slots=True)
class Split:
    """States before that make a predicate true, false, or leave it open [Mir13, definition 4]."""

    on: frozenset[int]
    off: frozenset[int]
    undet: frozenset[int]


def split(table: AssignmentTable, number: int) -> Split:
    """Divide the table for one predicate after."""
    bit = 1 << number
    ends = table.ends()
    on = frozenset(start for start, (sure, _) in ends.items() if sure & bit)
    off = frozenset(start for start, (_, possible) in ends.items() if not possible & bit)
    return Split(on, off, frozenset(ends) - on - off)


@dataclass(frozen=True, slots=True)
class PredicateValue:
    """A predicate after: true where a cube of `on` holds before, false where one of `off` does,
    and if it is not `open`, one of the two is the case."""

    on: Cover
    off: Cover
    open: bool


Exclusion: TypeAlias = tuple[Cube, Cube]  # values before and values after that no run has together


@dataclass(frozen=True, slots=True)
class Assignment:
    """The values of predicates after, and what they cannot be together; `whole`: no table was too
    large. If one was, what only that could tell is missing."""

    values: Mapping[int, PredicateValue]
    never: tuple[Exclusion, ...]
    whole: bool


class TableQuery:
    """Some predicates, by number: `before` and `after` are conditions on one and the same state.

    `facts` tells what holds of all that occurs in terms, `seconds` how long one question may take;
    `too_many_states` collects sets of predicates that have too many states for any table.
    """

    def __init__(
        self,
        before: Mapping[int, Term],
        after: Mapping[int, Term],
        solver: Solver,
        facts: Callable[[Sequence[Term]], Iterable[Term]] = lambda terms: (),
        seconds: Callable[[], float | None] = lambda: None,
        savings: Savings | None = None,
        counts: RowCounts | None = None,
        too_many_states: list[frozenset[int]] | None = None,
    ) -> None:
        self._before = {number: storage_of(term) for number, term in before.items()}
        self._after = {number: storage_of(term) for number, term in after.items()}
        self._solver = solver
        self._seconds = seconds
        self._savings = savings or Savings()
        self._counts = RowCounts() if counts is None else counts
        self._too_many_states = [] if too_many_states is None else too_many_states
        self._width = 1 + max((*before, *after))
        self._names: dict[int, Symbol] = {}
        for column, term in (
            *before.items(),
            *((self._width + number, term) for number, term in after.items()),
        ):
            name = self._names[column] = Symbol(f"column {column}", BOOL)
            solver.add(build.eq(name, term))
        for fact in facts([*before.values(), *after.values()]):
            solver.add(fact)
        self._rows = Rows(self._ask, self._savings, self._counts)

    def _ask(self, care: int, value: int) -> Reply:
        names = [(self._names[column], bool(value >> column & 1)) for column in columns_of(care)]
        assumed = [name if truth else build.not_(name) for name, truth in names]
        match self._solver.check(assumed, self._seconds()):
            case Sat(model):
                return sum(bool(model[name]) << column for column, name in self._names.items())
            case Unsat(core):
                if not self._savings.cores:
                    return Never(care)
                columns = zip(columns_of(care), assumed, strict=True)
                return Never(sum(1 << column for column, term in columns if term in core))
        return None

    # --- tables -----------------------------------------------------------------------------------

    def table(self, numbers: Sequence[int]) -> AssignmentTable | None:
        """The table of some predicates after; None if it is too large."""
        before = tuple(self._before)
        if self._savings.dependent:
            parts = components(self._before, {n: self._after[n] for n in numbers})
            before = tuple(sorted(number for part, _ in parts for number in part))
        if self._has_too_many_states(before):
            return None
        rows = self._rows.find(before, [self._width + n for n in numbers], MOST_ROWS)
        if rows is None:
            self._counts.large += 1
            return None
        self._counts.tables += 1
        self._counts.rows += len(rows)
        starts = (1 << self._width) - 1
        pairs = frozenset((row & starts, row >> self._width) for row in rows)
        return AssignmentTable(before, tuple(numbers), pairs)

    def _has_too_many_states(self, before: Sequence[int]) -> bool:
        """Do these predicates alone have more states than a table may have rows?"""
        if any(large <= frozenset(before) for large in self._too_many_states):
            return True
        if 1 << len(before) <= MOST_ROWS or self._rows.find(before, (), MOST_ROWS) is not None:
            return False
        self._counts.large += 1
        self._too_many_states.append(frozenset(before))
        return True

    def assignment(self, joint: int = 0) -> Assignment:
        """The values after, with so many predicates looked at together; 0 for all."""
        values: dict[int, PredicateValue] = {}
        never: list[Bits] = []
        whole = True
        for numbers in self._together(joint):
            table = self.table(numbers)
            if table is None or not self._exclude(table, never):
                whole = False
                continue
            for number in table.after:
                if number not in values:
                    values[number] = _value(table, number)
        return Assignment(values, tuple(self._exclusion(cube) for cube in never), whole)

    def by_short_cubes(self, joint: int, longest: int) -> Assignment:
        """The same without tables, for predicates that have too many states: cubes of up to
        `longest` predicates, and after the code at most two together."""
        search = ShortCubeSearch(self._rows, tuple(self._before), longest or len(self._before))
        values: dict[int, PredicateValue] = {}
        never: list[Bits] = []
        for number in self._after:
            on, off = search.value(self._width + number)
            values[number] = PredicateValue(as_cover(on), as_cover(off), True)
        for one, two in combinations(self._after, 2) if joint != 1 else ():
            if self._after[one] & self._after[two]:
                never += search.pair(self._width + one, self._width + two)
        return Assignment(values, tuple(self._exclusion(cube) for cube in never), False)

    def _together(self, joint: int) -> list[tuple[int, ...]]:
        """The predicates of each table; those that do not depend on each other need none."""
        every = tuple(self._after)
        sets = list(combinations(every, joint)) if 0 < joint < len(every) else [every]
        if not self._savings.components:
            return sets
        parts: dict[tuple[int, ...], None] = {}
        for numbers in sets:
            found = components(self._before, {n: self._after[n] for n in numbers})
            parts.update((after, None) for _, after in found if after)
        return [part for part in parts if not any(set(part) < set(other) for other in parts)]

    def _exclude(self, table: AssignmentTable, never: list[Bits]) -> bool:
        """Add the combinations that the values alone would allow, and the table does not have;
        False if they are too many."""
        ends = table.ends()
        if sum(1 << (s ^ p).bit_count() for s, p in ends.values()) > _MOST_LEFT_OUT:
            self._counts.large += 1
            return False
        columns = [*table.before, *(self._width + number for number in table.after)]
        whole = sum(1 << column for column in columns)
        told = [cube for cube in never if not cube[0] & ~whole]
        rows = {start | end << self._width for start, end in table.rows}
        missing: set[int] = set()
        for start, (sure, possible) in ends.items():
            for end in _between(sure, possible):
                row = start | end << self._width
                if row not in rows and not any(holds(cube, row) for cube in told):
                    missing.add(row)
        never += cover(missing, rows, columns)
        return True

    def _exclusion(self, cube: Bits) -> Exclusion:
        care, value = cube
        starts = (1 << self._width) - 1
        before = as_cube((care & starts, value & starts))
        return before, as_cube((care >> self._width, value >> self._width))


def _value(table: AssignmentTable, number: int) -> PredicateValue:
    found = split(table, number)
    on = cover(found.on, found.off | found.undet, table.before)
    off = cover(found.off, found.on | found.undet, table.before)
    return PredicateValue(as_cover(on), as_cover(off), bool(found.undet))


def _between(sure: int, possible: int) -> list[int]:
    """All sets between the two."""
    found = [sure]
    for column in columns_of(possible & ~sure):
        found += [value | 1 << column for value in found]
    return found


def as_cube(bits: Bits) -> Cube:
    care, value = bits
    return Cube(tuple((column, bool(value >> column & 1)) for column in columns_of(care)))


def as_cover(cubes: Iterable[Bits]) -> Cover:
    return tuple(map(as_cube, cubes))


def storage_of(term: Term) -> frozenset[str]:
    """What a condition speaks of."""
    return frozenset(symbol.name for symbol in symbols([term]))


Part: TypeAlias = tuple[tuple[int, ...], tuple[int, ...]]


def components(
    before: Mapping[int, frozenset[str]], after: Mapping[int, frozenset[str]]
) -> list[Part]:
    """The predicates before and after that speak of the same storage, or do so through others.
    Parts without a predicate after are left out: they tell nothing about those.

    >>> components({0: frozenset("x"), 1: frozenset("y")}, {0: frozenset("x"), 2: frozenset("z")})
    [((0,), (0,)), ((), (2,))]
    """
    parts: list[tuple[frozenset[str], list[int], list[int]]] = []
    nodes = [(number, False, names) for number, names in before.items()]
    nodes += [(number, True, names) for number, names in after.items()]
    for number, later, names in nodes:
        near = [part for part in parts if part[0] & names]
        parts = [part for part in parts if not part[0] & names]
        starts = [n for _, found, _ in near for n in found] + [number] * (not later)
        ends = [n for _, _, found in near for n in found] + [number] * later
        parts.append((names.union(*(part[0] for part in near)), starts, ends))
    found = [(tuple(sorted(starts)), tuple(sorted(ends))) for _, starts, ends in parts if ends]
    return sorted(found, key=lambda part: part[1])
