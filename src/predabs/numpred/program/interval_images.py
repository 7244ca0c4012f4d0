"""Images of floating-point arithmetic: what the interval analysis makes of the bounds of a numeric
element, with its transfer functions [Min04].

Soundness duty: that of `intervals.bounds`, and of `domain.image`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias

from ...analysis.intervals import float_bounds, interval
from ...analysis.intervals.bounds import Bounds
from ...analysis.intervals.interval import Interval
from ...analysis.intervals.state import State, StateSpace
from ...domains import numeric_domain
from ...domains.linear import Variable
from ...ir.expr import Expr, Var
from ...ir.types import FloatType
from ...ir.walk import subterms
from ..domain.image import Image
from .numeric_variables import NumericVariable

_Cells: TypeAlias = Mapping[str, NumericVariable]
_Before: TypeAlias = Mapping[Variable, numeric_domain.Bounds]


def has_floats(e: Expr) -> bool:
    return any(isinstance(term.type, FloatType) for term in subterms(e))


def assigned_image(
    bounds: Bounds,
    known: Mapping[Var, Interval],
    read: _Cells,
    target: NumericVariable,
    value: Expr,
) -> Image | None:
    """The image of `target := value`, given the cells that the value reads; None if it has no
    floating point. `known` holds before it anyway."""
    if not has_floats(value):
        return None
    before = _states(known, read)

    def compute(numbers: _Before) -> Mapping[Variable, numeric_domain.Bounds] | None:
        state = before(numbers)
        if state is None:
            return None
        found = bounds.of(value, state)
        if found is not None and value.type is not target.type:
            return {}  # it is converted, which the linear cases tell
        return {} if found is None else {target.name: found}

    return Image(f"{target.name} := intervals", tuple(read), compute)


def assumed_image(
    bounds: Bounds, known: Mapping[Var, Interval], read: _Cells, cond: Expr
) -> Image | None:
    """The image of `[cond]`, as `assigned_image`."""
    if not read or not has_floats(cond):
        return None
    before = _states(known, read)

    def compute(numbers: _Before) -> Mapping[Variable, numeric_domain.Bounds] | None:
        state = before(numbers)
        after = None if state is None else bounds.assume(cond, state)
        if after is None:
            return None
        cells = ((name, cell.var) for name, cell in read.items())
        return {name: after[var] for name, var in cells if var in after}

    return Image("intervals", tuple(read), compute)


def _states(known: Mapping[Var, Interval], read: _Cells) -> Callable[[_Before], State | None]:
    """From bounds of numeric variables to a state of the interval analysis; to None if there is no
    such state."""
    variables = [cell.var for cell in read.values()]
    space = StateSpace({var: number for number, var in enumerate(variables)}, variables)

    def state(numbers: _Before) -> State | None:
        found = space.empty
        for name, cell in read.items():
            low, high = numbers[name]
            least, most = cell.limits
            both: Interval | None = (
                least if low is None else max(low, least),
                most if high is None else min(high, most),
            )
            own = known.get(cell.var)
            if own is not None and both is not None:
                both = interval.meet(both, own)
            if both is None or both[0] > both[1]:
                return None
            if both[1] <= float_bounds.ALL[1] or not isinstance(cell.type, FloatType):
                found = found.updated(cell.var, both)
        return found

    return state
