"""Terms as JSON and back: a list in which each term refers to those before it.

Shared subterms are written once, and a term may be as deep as it likes. Soundness duty: what is
read is what was written, or `Damaged`; nothing but terms of the IR is ever made.

>>> from .types import INT
>>> from . import make
>>> x = expr.Var("x", INT)
>>> [again] = unflattened(flattened([make.less(x, make.const(3, INT))]))
>>> again is make.less(x, make.const(3, INT))
True
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum
from typing import Any, get_args

from . import expr, types
from .expr import Expr
from .intern import Term

_CLASSES: dict[str, type] = {
    class_.__name__: class_ for class_ in (*get_args(expr.Expr), *get_args(types.Type))
}
_ENUMS: dict[str, type[Enum]] = {
    name: found
    for name, found in vars(expr).items()
    if isinstance(found, type) and issubclass(found, Enum)
}


class Damaged(Exception):
    """This was not written by `flattened`."""


def flattened(terms: Iterable[Expr]) -> dict[str, Any]:
    """Terms as JSON."""
    numbers: dict[Term, int] = {}
    nodes: list[list[Any]] = []
    roots = list(terms)
    todo: list[Term] = list(reversed(roots))
    while todo:
        term = todo[-1]
        if term in numbers:
            todo.pop()
            continue
        parts = [getattr(term, name) for name in type(term).__match_args__]  # type: ignore[attr-defined]
        below = [
            item
            for part in parts
            for item in (part if isinstance(part, tuple) else (part,))
            if isinstance(item, Term) and item not in numbers
        ]
        if below:
            todo += reversed(below)
            continue
        numbers[term] = len(nodes)
        nodes.append([type(term).__name__, *(_part(part, numbers) for part in parts)])
        todo.pop()
    return {"nodes": nodes, "roots": [numbers[root] for root in roots]}


def _part(part: Any, numbers: dict[Term, int]) -> Any:
    if isinstance(part, Term):
        return ["#", numbers[part]]
    if isinstance(part, tuple):
        return ["", *(_part(item, numbers) for item in part)]
    if isinstance(part, Enum):
        return ["enum", type(part).__name__, part.name]
    return part


def unflattened(data: Any) -> list[Expr]:
    """The terms that were flattened."""
    made: list[Any] = []
    try:
        for name, *parts in data["nodes"]:
            made.append(_CLASSES[name](*(_read(part, made) for part in parts)))
        return [made[_number(root, made)] for root in data["roots"]]
    except (AttributeError, KeyError, IndexError, TypeError, ValueError) as problem:
        raise Damaged(f"{type(problem).__name__}: {problem}") from None


def _read(part: Any, made: list[Any]) -> Any:
    match part:
        case ["#", number]:
            return made[_number(number, made)]
        case ["", *items]:
            return tuple(_read(item, made) for item in items)
        case ["enum", name, member]:
            return _ENUMS[name][member]
        case None | bool() | int() | str():
            return part
    raise Damaged(f"no part of a term: {part!r}")


def _number(number: Any, made: list[Any]) -> int:
    if not isinstance(number, int) or not 0 <= number < len(made):
        raise Damaged(f"there is no term {number!r}")
    return number
