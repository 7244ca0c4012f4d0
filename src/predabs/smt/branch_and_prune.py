"""Branch and prune: conditions over floating-point numbers decided with intervals.

A box in which a condition is false for sure is pruned; another one is halved. If nothing is left,
the conditions contradict each other; if the middle of a box makes all of them true, it is a model
[HMV97; BDG+14]. That decides in a moment what is hard to bit-blast: polynomials, quotients and
Newton's method over a few inputs. Where it does not look as if it could, it gives up early.

Soundness duty: `Unsat` only if every model of the conditions was in a box that was pruned; `Sat`
only with values that `evaluate` confirms.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from ctypes import c_float
from itertools import islice
from math import inf
from time import perf_counter
from typing import Any

from ..ir import ieee754
from ..ir.float_intervals import FloatInterval, arithmetic, has_number
from ..ir.ieee754 import DOUBLE, SINGLE, Format
from .evaluate import TermEvaluator
from .interval_rules import EITHER, FALSE
from .interval_shapes import has_floats
from .interval_terms import Box, IntervalTerms
from .semantics import ModelValue, default_value
from .solver import Answer, Interpolant, Model, Sat, Solver, Statistics, Unknown, Unsat
from .term import Symbol, Term, postorder

_MOST_TERMS = 4000
_MOST_SYMBOLS = 12
_NARROWINGS = 3  # of one box
_FIRST = 0.1  # seconds, before it is asked how far it has come
_SHARE = 0.4  # of the time there is
_SECONDS = 4.0  # if there is no limit
_WASTE = 2.0  # seconds without an answer, in all
_DIRECT = 2.0**20  # numbers below this are halved by value, others by exponent


BRANCH_AND_PRUNE = "branch and prune"


class BranchAndPrune:
    """A solver that tries intervals first, as long as that pays, and then asks another one."""

    def __init__(self, solver: Solver) -> None:
        self._solver = solver
        self._asserted: list[Term] = []
        self._frames: list[int] = []
        self._wasted = 0.0
        self._stopped = False

    @property
    def name(self) -> str:
        return self._solver.name

    @property
    def statistics(self) -> Statistics:
        return self._solver.statistics

    def add(self, term: Term) -> None:
        self._solver.add(term)
        self._asserted.append(term)

    def push(self) -> None:
        self._solver.push()
        self._frames.append(len(self._asserted))

    def pop(self) -> None:
        self._solver.pop()
        del self._asserted[self._frames.pop() :]

    def check(self, assumptions: Sequence[Term] = (), timeout: float | None = None) -> Answer:
        self._stopped = False
        begun = perf_counter()
        found = self._tried(assumptions, timeout) if self._wasted < _WASTE else None
        if found is not None:
            self._count(found, perf_counter() - begun)
            return found
        if timeout is not None:
            timeout = max(0.05, timeout - (perf_counter() - begun))
        return self._solver.check(assumptions, timeout)

    def interrupt(self) -> None:
        self._stopped = True
        self._solver.interrupt()

    def fresh(self) -> BranchAndPrune:
        return BranchAndPrune(self._solver.fresh())

    def interpolate(
        self, left: Term, right: Term, timeout: float | None = None
    ) -> Interpolant | Unknown:
        return self._solver.interpolate(left, right, timeout)

    def _count(self, answer: Answer, seconds: float) -> None:
        statistics = self.statistics
        statistics.calls += 1
        statistics.pruned += 1
        statistics.seconds += seconds
        if isinstance(answer, Sat):
            statistics.sat += 1
        else:
            statistics.unsat += 1

    def _tried(self, assumptions: Sequence[Term], timeout: float | None) -> Answer | None:
        """The answer, if intervals tell."""
        begun = perf_counter()
        roots = [*self._asserted, *assumptions]
        order = list(islice(postorder(roots), _MOST_TERMS + 1))
        few = len(order) <= _MOST_TERMS and has_floats(order)
        found = None
        if few and sum(isinstance(term, Symbol) for term in order) <= _MOST_SYMBOLS:
            most = _SECONDS if timeout is None else min(_SECONDS, _SHARE * timeout)
            found = _Search(roots, begun + most, lambda: self._stopped).run()
        if found is None:
            self._wasted += perf_counter() - begun
        return Unsat(tuple(assumptions)) if isinstance(found, Unsat) else found


class _Search:
    def __init__(self, roots: Sequence[Term], deadline: float, stopped: Callable[[], bool]) -> None:
        self.terms = IntervalTerms(roots)
        self._roots = roots
        self._begun = perf_counter()
        self._deadline = deadline
        self._stopped = stopped

    def run(self) -> Answer | None:
        terms = self.terms
        pending: list[tuple[Box, float]] = [(terms.whole(), 1.0)]  # and the share of the whole
        first: Box | None = None
        done, looks = 0.0, 0
        while pending:
            looks += 1
            if looks % 16 == 0 and self._is_hopeless(done):
                return None
            box, share = pending.pop()
            left = self._pruned(box)
            if left is None:
                done += share
                continue
            found = self._point(left)
            if found is not None:
                return found
            if first is None:
                first = left
            halves = self._halves(left, first)
            if halves is None:
                return None
            pending += [(half, share / 2) for half in halves]
        return Unsat(())

    def _is_hopeless(self, done: float) -> bool:
        """Will it take longer than there is time?"""
        now = perf_counter()
        if now > self._deadline or self._stopped():
            return True
        spent = now - self._begun
        if spent < _FIRST:
            return False
        return done <= 0 or spent * (1 - done) / done > self._deadline - now

    def _pruned(self, box: Box) -> Box | None:
        """The box without parts that cannot have a model; None if nothing is left."""
        for _ in range(_NARROWINGS):
            if self.terms.evaluate(box) == FALSE:
                return None
            narrowed = self.terms.narrowed(box)
            if narrowed is None:
                return None
            if narrowed == box:
                break
            box = narrowed
        return box

    def _point(self, box: Box) -> Answer | None:
        """A model in the middle of the box, if it is one."""
        terms = self.terms
        point: Box = []
        values: dict[Symbol, ModelValue] = {}
        for place, (symbol, bounds) in enumerate(zip(terms.symbols, box, strict=True)):
            form = terms.form(place)
            if form is not None and bounds is not None:
                number = _middle(bounds, form)
                values[symbol] = number
                bounds = _number(form, number) if has_number(bounds) else bounds
            elif isinstance(bounds, tuple):
                middle = (bounds[0] + bounds[1]) // 2
                values[symbol], bounds = middle, (middle, middle)
            elif isinstance(bounds, int):
                values[symbol] = bounds = bounds if bounds != EITHER else 0
            else:
                values[symbol] = default_value(symbol.sort)
            point.append(bounds)
        if terms.evaluate(point) == FALSE:
            return None
        evaluator = TermEvaluator(values)
        if not all(evaluator.holds(root) for root in terms.roots):
            return None
        return Sat(
            Model(lambda symbol: values.get(symbol, default_value(symbol.sort)), tuple(self._roots))
        )

    def _halves(self, box: Box, first: Box) -> list[Box] | None:
        """Two boxes that are the box together, of which the first is to be looked at later; None if
        it cannot be halved."""
        terms = self.terms
        terms.evaluate(box)
        best, width = -1, 0.0
        for place in sorted(terms.open_symbols()):
            bounds, form = box[place], terms.form(place)
            if form is not None:
                size = inf if bounds[2] and has_number(bounds) else _width(bounds, first[place])
            elif isinstance(bounds, tuple):
                size = (bounds[1] - bounds[0]) / max(1, first[place][1] - first[place][0])
            else:
                size = float(bounds == EITHER)
            if size > width:
                best, width = place, size
        if best < 0:
            return None
        parts = _split(box[best], terms.form(best))
        return None if parts is None else [[*box[:best], part, *box[best + 1 :]] for part in parts]


def _number(form: Format, bits: int) -> FloatInterval:
    value = ieee754.to_float(ieee754.convert(form, DOUBLE, bits))
    return value, value, False


def _middle(bounds: FloatInterval, form: Format) -> int:
    """The bits of a number in the middle."""
    low, high, _ = bounds
    if low > high:
        return form.infinity | form.quiet
    value = ieee754.from_float(_between(low, high))
    return ieee754.convert(DOUBLE, form, value)


def _between(low: float, high: float) -> float:
    if low < 0 < high:
        return 0.0
    if max(-low, high) <= _DIRECT:
        return low + (high - low) / 2
    size, top = sorted((abs(low), abs(high)))
    middle = (ieee754.from_float(size) + ieee754.from_float(top)) // 2
    return ieee754.to_float(middle) * (1 if high > 0 else -1)


def _width(bounds: FloatInterval, first: FloatInterval) -> float:
    """How wide, as a part of what it was at first."""
    low, high, _ = bounds
    if low >= high:
        return 0.0
    if max(-low, high) <= _DIRECT and has_number(first) and first[1] - first[0] < inf:
        return (high - low) / (first[1] - first[0])
    return 1.0


def _split(bounds: Any, form: Format | None) -> list[Any] | None:
    """The two halves of an interval."""
    if isinstance(bounds, int):
        return [0, 1]
    if form is None:
        low, high = bounds
        middle = (low + high) // 2
        return [(low, middle), (middle + 1, high)]
    low, high, nan = bounds
    if nan and low <= high:
        return [(inf, -inf, True), (low, high, False)]
    numbers = arithmetic(form)
    middle = _between(low, high)
    if form == SINGLE:
        middle = c_float(middle).value
    if not low <= middle < high:
        middle = numbers.below(high)
    if not low <= middle < high or (middle == low and numbers.above(low) == low):
        return None
    return [(low, middle, False), (numbers.above(middle), high, False)]
