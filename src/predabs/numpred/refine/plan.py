"""The precision of the next round, and the order of refinements [GC10, section 6.1, step 5].

In this order: cells as numbers, a more precise numeric domain, predicates, and at last a more
precise data structure. No soundness duty: at any precision, a fixpoint is right.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import get_args

from ...domains.factory import installed
from ...ir.expr import Expr, Var
from ...options import Numbers, Options
from ...records import replace
from ..domain.formula import Predicate
from ..program.numeric_variables import NumericVariable, NumericVariables
from ..program.precision import TrackedPrecision, first_cells
from ..program.predicate_meanings import PredicateMeanings
from .path_refinement import PathRefinement
from .sources import Sources

_FEW_NEW, _MOST_NEW = 6, 12  # predicates of one round: first, and at most
_STRUCTURES = ("nex", "ndd")  # if the option is not used: one after the other
_NUMERIC_DOMAINS: tuple[str, ...] = get_args(Numbers)  # the least precise first
_MANY_NEW = 40  # of one round, if rounds take long
_SOME, _SLOW_ROUND = 0.1, 1.0  # seconds of a fixpoint
_MOST_TESTS = 12  # of a flag variable
_FEW = 10  # cells, among which it does not matter how many are flag variables


class Plan:
    """The structure, the numeric domain and the precision of the next round; `report` is called
    with what had to be left out."""

    def __init__(
        self,
        options: Options,
        cells: NumericVariables,
        table: PredicateMeanings,
        flag_variables: Mapping[str, tuple[Expr, ...]],
        sources: Sources,
        live_at_heads: Collection[Var],
        report: Callable[[str], None] = lambda text: None,
    ) -> None:
        self._report = report
        self._cells = cells
        self._table = table
        self._flag_tests = {
            name: tests for name, tests in flag_variables.items() if len(tests) <= _MOST_TESTS
        }
        self._sources = sources
        self._dropped: set[str] = set()  # flag variables that predicates track completely
        self._structures: tuple[str, ...] = (
            _STRUCTURES if options.domain is None else (options.domain,)
        )
        self._numeric_domains: tuple[str, ...] = (
            _NUMERIC_DOMAINS if options.numeric is None else (options.numeric,)
        )
        self._level = 0  # which of the numeric domains is in use
        self._most_new = _FEW_NEW
        self.precision = TrackedPrecision()
        if self._tracks_numbers:
            first = sources.with_sources(first_cells(cells)).items()
            self.precision = TrackedPrecision({name: cell for name, cell in first if cell.scalar})
        self.flag_variables = frozenset(flag_variables)
        # Predicates before a more precise numeric domain: if one was slow and of no use, or if most
        # cells that are live at loop heads have no use for it.
        kept = [name for name, cell in self.precision.cells.items() if cell.var in live_at_heads]
        flags = sum(name in self.flag_variables for name in kept)
        self._predicates_first = 2 * flags > max(_FEW, len(kept))
        self._related = False  # does anything relate numbers?
        self._seconds = 0.0  # of the last fixpoint

    @property
    def structure(self) -> str:
        return self._structures[0]

    @property
    def numeric_domain(self) -> str:
        return self._numeric_domains[self._level]

    @property
    def _tracks_numbers(self) -> bool:
        return self.structure != "predicate"

    @property
    def _has_predicates(self) -> bool:
        return self.structure != "numeric"

    @property
    def may_be_slow(self) -> bool:
        """Is the next fixpoint only one of several possible refinements?"""
        return self._level > 0

    def solved(self, related: bool, seconds: float) -> None:
        """A fixpoint took so long; `related` says whether anything relates numbers."""
        self._related, self._seconds = related, seconds

    def too_slow(self) -> None:
        """The numeric domain takes too long: do without it."""
        self._numeric_domains = self._numeric_domains[: self._level]
        self._level -= 1

    # -- refinements: was there one? ---------------------------------------------------------------

    def refine(self, refinement: PathRefinement) -> bool:
        """Numbers first, then predicates."""
        if self._tracks_numbers:
            known = self.precision.cells
            if refinement.cells.keys() - known.keys() - self._dropped:
                cells = self._sources.with_sources({**known, **refinement.cells})
                self.precision = replace(self.precision, cells=self._kept(cells))
                return True
        return self.more(refinement.written, refinement.predicates)

    def more(self, *predicates: Iterable[Expr]) -> bool:
        """A more precise numeric domain, or else the first of the predicates of which some are
        new; or the other way round."""
        if not self._predicates_first and self._more_precise_domain():
            return True
        return any(map(self._more_predicates, predicates)) or self._more_precise_domain()

    def more_precise_structure(self) -> bool:
        if len(self._structures) == 1:
            return False
        self._structures = self._structures[1:]
        return True

    def _more_precise_domain(self) -> bool:
        if not self._related or self._level + 1 == len(self._numeric_domains):
            return False
        more_precise = self._numeric_domains[self._level + 1]
        if not installed(more_precise):
            self._numeric_domains = self._numeric_domains[: self._level + 1]
            self._report(f"{more_precise} left out, they are not installed")
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
                for name in self._flag_tests.keys() & self._cells.read_by([expr]).keys():
                    for test in self._flag_tests[name]:
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
