"""Machine integers over any numeric domain: a value that leaves its type's range wraps around.

The domains compute with unbounded integers; a C variable holds `(n - low) mod size + low`, where
`low..high` is the range of its type and `size` the number of values in it. If that is always the
same number of turns away from n, the assignment is linear again; if there are few possible
numbers of turns, each is a case of its own; else only the range is known.

Soundness duty: for each point of [value], the point with the wrapped result is in [result].

>>> from .box import BoxDomain
>>> from .linear import at_most, equal
>>> domain, x = BoxDomain(), variable("x")
>>> value = domain.alpha([at_most(250, x), at_most(x, 255)])
>>> print(assign_wrapped(domain, value, "x", x + 6, 0, 255))
{0 <= x <= 5}
>>> print(assign_wrapped(domain, value, "x", x + 1, 0, 255))
{0 <= x <= 255}
"""

from __future__ import annotations

from typing import Final

from .lattice import Domain, V
from .linear import Linear, Variable, at_most, variable

_MOST_CASES: Final = 2


def assume_range(domain: Domain[V], value: V, name: Variable, low: int, high: int) -> V:
    """Duty: a point of [value] where the variable is in `low..high` is in the result."""
    form = variable(name)
    return domain.assume(domain.assume(value, at_most(low, form)), at_most(form, high))


def wrapped(domain: Domain[V], value: V, source: Linear, low: int, high: int) -> Linear | None:
    """A form that at every point of [value] is the source wrapped into `low..high`, if one is
    known."""
    turns = _turns(domain, value, source, low, high)
    if turns is None or len(turns) > 1:
        return None
    return source - turns.start * (high - low + 1) if turns else source


def assign_wrapped(
    domain: Domain[V], value: V, target: Variable, source: Linear | None, low: int, high: int
) -> V:
    """The target gets the source wrapped into `low..high`; with None, any value of the range."""
    turns = None if source is None else _turns(domain, value, source, low, high)
    if source is None or turns is None or len(turns) > _MOST_CASES:
        return assume_range(domain, domain.forget(value, [target]), target, low, high)
    size = high - low + 1
    result = domain.bottom()
    for turn in turns:
        case = domain.assign(value, target, source - turn * size)
        result = domain.join(result, assume_range(domain, case, target, low, high))
    return result


def _turns(domain: Domain[V], value: V, source: Linear, low: int, high: int) -> range | None:
    """How often the source may have gone around the range; None if no bounds are known."""
    least, most = domain.bounds(value, source)
    if least is None or most is None:
        return None
    size = high - low + 1
    return range((least - low) // size, (most - low) // size + 1) if least <= most else range(0)
