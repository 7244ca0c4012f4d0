"""What is tracked, and what comes next [GC10, section 6.1, step 5].

In this order: cells as numbers, a numeric domain that relates more, predicates, and at last a
structure that tells more apart. No soundness duty: whatever is tracked, a fixpoint is right.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import replace
from typing import get_args

from ...domains.factory import installed
from ...ir.expr import Expr, Var
from ...options import Numbers, Options
from ..domain.formula import Predicate
from ..program.numeric_variables import NumericVariable, NumericVariables
from ..program.precision import TrackedPrecision, first_cells
from ..program.predicate_meanings import PredicateMeanings
from .path_refinement import PathRefinement
from .sources import Sources

_FEW_NEW, _MOST_NEW = 6, 12  # predicates of one round: first, and at most
_STRUCTURES = ("nex", "ndd")  # if the user has no wish: one after the other
_NUMBERS: tuple[str, ...] = get_args(Numbers)  # from little to much
_MANY_NEW = 40  # of one round, if rounds take long
_SOME, _SLOW_ROUND = 0.1, 1.0  # seconds of a fixpoint
_MOST_TESTS = 12  # of a switch
_FEW = 10  # cells, among which it does not matter how many are switches


class Plan:
    """The structure, the numeric domain and the precision of the next round; `tell` hears of what
    had to be left out."""

    def __init__(
        self,
        options: Options,
        cells: NumericVariables,
        table: PredicateMeanings,
        switches: Mapping[str, tuple[Expr, ...]],
        sources: Sources,
        held: Collection[Var],
        tell: Callable[[str], None] = lambda text: None,
    ) -> None:
        self._tell = tell
        self._cells = cells
        self._table = table
        self._switches = {
            name: tests for name, tests in switches.items() if len(tests) <= _MOST_TESTS
        }
        self._sources = sources
        self._dropped: set[str] = set()  # switches that predicates tell all about
        self._structures: tuple[str, ...] = (
            _STRUCTURES if options.domain is None else (options.domain,)
        )
        self._numbers: tuple[str, ...] = _NUMBERS if options.numeric is None else (options.numeric,)
        self._level = 0  # which of the numeric domains is in use
        self._most_new = _FEW_NEW
        self.precision = TrackedPrecision()
        if self._has_numbers:
            first = sources.with_sources(first_cells(cells)).items()
            self.precision = TrackedPrecision({name: cell for name, cell in first if cell.plain})
        self.switches = frozenset(switches)
        # Predicates before a better numeric domain: if one was slow and of no use, or if most cells
        # that loops hold have no use for it.
        kept = [name for name, cell in self.precision.cells.items() if cell.var in held]
        flags = sum(name in self.switches for name in kept)
        self._predicates_first = 2 * flags > max(_FEW, len(kept))
        self._related = False  # does anything relate numbers?
        self._seconds = 0.0  # of the last fixpoint

    @property
    def structure(self) -> str:
        return self._structures[0]

    @property
    def numbers(self) -> str:
        return self._numbers[self._level]

    @property
    def _has_numbers(self) -> bool:
        return self.structure != "predicate"

    @property
    def _has_predicates(self) -> bool:
        return self.structure != "numeric"

    @property
    def may_be_slow(self) -> bool:
        """Whether the next fixpoint is only one of several ways to go on."""
        return self._level > 0

    def solved(self, related: bool, seconds: float) -> None:
        """A fixpoint took so long; `related` says whether anything relates numbers."""
        self._related, self._seconds = related, seconds

    def too_slow(self) -> None:
        """The numeric domain takes too long: do without it."""
        self._numbers = self._numbers[: self._level]
        self._level -= 1

    # -- what comes next: each says whether there is anything --------------------------------------

    def learn(self, learned: PathRefinement) -> bool:
        """Numbers first, then predicates."""
        if self._has_numbers:
            known = self.precision.cells
            if learned.cells.keys() - known.keys() - self._dropped:
                cells = self._sources.with_sources({**known, **learned.cells})
                self.precision = replace(self.precision, cells=self._kept(cells))
                return True
        return self.more(learned.written, learned.predicates)

    def more(self, *predicates: Iterable[Expr]) -> bool:
        """A better numeric domain, or else the first of the predicates of which some are new; or
        the other way round."""
        if not self._predicates_first and self._better_numbers():
            return True
        return any(map(self._more_predicates, predicates)) or self._better_numbers()

    def better_structure(self) -> bool:
        if len(self._structures) == 1:
            return False
        self._structures = self._structures[1:]
        return True

    def _better_numbers(self) -> bool:
        if not self._related or self._level + 1 == len(self._numbers):
            return False
        better = self._numbers[self._level + 1]
        if not installed(better):
            self._numbers = self._numbers[: self._level + 1]
            self._tell(f"{better} left out, they are not installed")
            return False
        self._level += 1
        return True

    def _more_predicates(self, found: Iterable[Expr]) -> bool:
        if not self._has_predicates:
            return False
        new: dict[Predicate, Expr] = {}
        # Rounds that take long should be few; and half of the flags tell less than all or none.
        most = _MANY_NEW if self._predicates_first and self._seconds > _SOME else self._most_new
        for expr in found:
            if self._add(expr, new):
                for name in self._switches.keys() & self._cells.read_by([expr]).keys():
                    for test in self._switches[name]:
                        self._add(test, new)
                    self._dropped.add(name)
            if len(new) >= most:
                self._most_new = min(2 * self._most_new, _MOST_NEW)
                break
        known = self.precision
        self.precision = TrackedPrecision(self._kept(known.cells), {**known.predicates, **new})
        if new and self._level and self._seconds > _SLOW_ROUND:
            self._predicates_first, self._level = True, 0
        return bool(new)

    def _kept(self, cells: Mapping[str, NumericVariable]) -> dict[str, NumericVariable]:
        return {name: cell for name, cell in cells.items() if name not in self._dropped}

    def _add(self, expr: Expr, new: dict[Predicate, Expr]) -> bool:
        added = self._table.add(expr)
        if added is not None:
            new[added[0]] = added[1]
        return added is not None
