"""Conditions that follow from the order of terms: `a < c` from `a < b` and `b <= c`.

Terms of one type are the nodes of a graph, with an edge for each `<` and `<=` that is known, and
between constants; `<=` between what is known to be unequal is `<`. A comparison follows if there is
a path; it is a theory of difference logic [NO05] whose differences are 0 and 1.

Soundness duty: what is said to follow does, for all values of the symbols.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import pairwise

from ...ir.expr import Binary, Const, Expr, Not, Op
from ...ir.types import IntType


def follows(cond: Expr, known: Iterable[Expr]) -> bool | None:
    """Is a comparison of integers true or false by those that are known? None: neither."""
    match cond:
        case Not(Binary(Op.EQ, left, right, _)):
            said = _equal(left, right, known)
            return None if said is None else not said
        case Binary(Op.EQ, left, right, _):
            return _equal(left, right, known)
        case Binary(Op.LT | Op.LE as op, left, right, _) if isinstance(left.type, IntType):
            graph = _graph(known, left, right)
            there, strictly = _path(graph, left, right)
            if there and (strictly or op is Op.LE):
                return True
            back, strictly = _path(graph, right, left)
            if back and (strictly or op is Op.LT):
                return False
    return None


def _equal(left: Expr, right: Expr, known: Iterable[Expr]) -> bool | None:
    if not isinstance(left.type, IntType):
        return None
    graph = _graph(known, left, right)
    there, strictly = _path(graph, left, right)
    back, strictly_back = _path(graph, right, left)
    if strictly or strictly_back:
        return False
    return True if there and back else None


def equal_by(cond: Expr, known: Iterable[Expr]) -> tuple[Expr, Expr] | None:
    """The two sides of `a <= b` if `b <= a` is known: then they are equal."""
    match cond:
        case Binary(Op.LE, left, right, _) if isinstance(left.type, IntType):
            if _path(_graph(known, left, right), right, left)[0]:
                return left, right
    return None


def _graph(known: Iterable[Expr], *more: Expr) -> dict[Expr, dict[Expr, bool]]:
    """What each term is at most; True if it is less."""
    graph: dict[Expr, dict[Expr, bool]] = {}
    apart: list[tuple[Expr, Expr]] = []
    for cond in known:
        match cond:
            case Binary(Op.LT | Op.LE as op, left, right, _) if left.type is more[0].type:
                after = graph.setdefault(left, {})
                after[right] = after.get(right, False) or op is Op.LT
            case Not(Binary(Op.EQ, left, right, _)) if left.type is more[0].type:
                apart.append((left, right))
    nodes = dict.fromkeys((*graph, *(one for after in graph.values() for one in after), *more))
    numbers = sorted((one for one in nodes if isinstance(one, Const)), key=lambda one: one.value)
    for low, high in pairwise(numbers):
        graph.setdefault(low, {})[high] = True
    for one, other in apart:
        for less, more_ in ((one, other), (other, one)):
            if more_ in graph.get(less, {}):
                graph[less][more_] = True
    return graph


def _path(graph: Mapping[Expr, Mapping[Expr, bool]], start: Expr, end: Expr) -> tuple[bool, bool]:
    """Is there a path, and is there one with a strict edge?"""
    found = {(start, False)}
    todo = [(start, False)]
    while todo:
        here, strict = todo.pop()
        for after, less in graph.get(here, {}).items():
            node = after, strict or less
            if node not in found:
                found.add(node)
                todo.append(node)
    strictly = (end, True) in found
    return strictly or (end, False) in found, strictly
