"""Which of many positions, and pairs of them, say the same or nothing.

`i <= k` and `i < k + 1` are one position, `i <= k || k < i` holds anyway, and `i <= k || i < k` is
`i <= k`. Numbers count as unbounded here: this only chooses among candidates.

No soundness duty.

>>> from ...ir import make
>>> from ...ir.expr import Var
>>> from ...ir.types import INT
>>> i, k = Var("i", INT), Var("k", INT)
>>> one = half_plane(make.less_equal(i, k))
>>> one == half_plane(make.less(i, make.binary(Op.ADD, k, make.const(1, INT))))
True
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeAlias

from ...ir.expr import Binary, Cast, Const, Expr, Op
from ...ir.types import IntType
from ...ir.walk import variables

HalfPlane: TypeAlias = tuple[frozenset[tuple[Expr, int]], int]
"""The sum of these terms with these factors is at most the number."""


def half_plane(cond: Expr) -> HalfPlane | None:
    """What a comparison says; None if it is none of numbers."""
    match cond:
        case Binary(Op.LT | Op.LE as op, left, right, _) if isinstance(left.type, IntType):
            terms: dict[Expr, int] = {}
            number = _add(left, 1, terms) + _add(right, -1, terms)
            kept = frozenset((term, factor) for term, factor in terms.items() if factor)
            return kept, -number - (1 if op is Op.LT else 0)
    return None


def _add(e: Expr, factor: int, terms: dict[Expr, int]) -> int:
    """Add the terms of a sum to others; gives its number."""
    match e:
        case Const(value, IntType()):
            return factor * value
        case Cast(arg, IntType(bits, _)) if isinstance(arg.type, IntType) and arg.type.bits <= bits:
            return _add(arg, factor, terms)
        case Binary(Op.ADD, left, right, _):
            return _add(left, factor, terms) + _add(right, factor, terms)
        case Binary(Op.SUB, left, right, _):
            return _add(left, factor, terms) + _add(right, -factor, terms)
        case Binary(Op.MUL, Const(value, _), other, _) | Binary(Op.MUL, other, Const(value, _), _):
            return _add(other, factor * value, terms)
    terms[e] = terms.get(e, 0) + factor
    return 0


def distinct(positions: Iterable[Expr]) -> list[Expr]:
    """The first of those that say the same."""
    found: dict[object, Expr] = {}
    for position in positions:
        found.setdefault(half_plane(position) or position, position)
    return list(found.values())


def pairs(positions: Iterable[Expr]) -> Iterator[tuple[Expr, Expr]]:
    """Pairs of positions of which both count, those first that speak of different variables."""
    known = [(position, half_plane(position)) for position in positions]
    later = []
    for number, (one, first) in enumerate(known):
        for other, second in known[number + 1 :]:
            if first is not None and second is not None:
                if first[0] == second[0]:
                    continue  # the wider one alone says it
                opposite = frozenset((term, -factor) for term, factor in first[0])
                if second[0] == opposite and first[1] + second[1] >= -1:
                    continue  # one of them always holds
            if set(variables(one)) == set(variables(other)):
                later.append((one, other))
            else:
                yield one, other
    yield from later
