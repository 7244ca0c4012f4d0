"""Faults: what a finder of faults gives, and the terms of an operation that it looks at.

Soundness duty of all finders: each condition is exact (it holds in a state if and only if the fault
happens there) and can itself be evaluated wherever no fault listed before it happens. `checks` has
the table of finders.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeAlias

from ..ir.cfa import Edge, Program
from ..ir.def_use import op_target, op_values
from ..ir.expr import AddressOf, Deref, Expr, Field, Index, Lvalue, PointerAdd, Unary, UnaryOp
from ..ir.ops import Operation
from ..ir.show import show_expr
from ..ir.walk import children
from ..records import dataclass

_SHOWN = 60  # characters of an expression in a message


@dataclass(frozen=True, slots=True)
class Fault:
    """Something goes wrong in the states where `cond` holds."""

    cond: Expr
    text: str


# of a subterm (that is accessed, or of which only the address is computed)
TermFinder: TypeAlias = Callable[[Program, Expr, bool], Iterator[Fault]]
# of an lvalue that is read or, if that is so, written as a whole
LvalueFinder: TypeAlias = Callable[[Program, Lvalue, bool], Iterator[Fault]]
# of an operation as a whole, whose subterms are without fault
OperationFinder: TypeAlias = Callable[[Program, Edge], Iterator[Fault]]


def occurrences(op: Operation) -> list[tuple[Expr, bool]]:
    """The subterms that an operation evaluates, inner ones first, and whether each is accessed.

    An lvalue whose address alone is computed (`&p->next`) is not accessed, but what its address
    depends on is.
    """
    roots = [(value, True) for value in op_values(op)]
    target = op_target(op)
    if target is not None:
        roots.append((target, True))
    found: dict[tuple[Expr, bool], None] = {}
    entered: set[tuple[Expr, bool]] = set()
    stack = roots[::-1]
    while stack:
        item = stack[-1]
        if item in entered:
            stack.pop()
            found.setdefault(item)
        else:
            entered.add(item)
            stack.extend(part for part in reversed(_parts(*item)) if part not in entered)
    return list(found)


def _parts(term: Expr, accessed: bool) -> list[tuple[Expr, bool]]:
    match term:
        case AddressOf(target, _):
            return [(target, False)]
        case Field(base, _, _):
            return [(base, accessed)]
        case Index(base, Unary(UnaryOp.NEG, position, _), _):  # a subtraction
            return [(base, accessed), (position, True)]
        case Index(base, position, _):
            return [(base, accessed), (position, True)]
        case Deref(pointer, _):
            return [(pointer, True)]
        case PointerAdd(pointer, Unary(UnaryOp.NEG, index, _), _):  # a subtraction
            return [(pointer, True), (index, True)]
    return [(child, True) for child in children(term)]


def shown(term: Expr) -> str:
    text = show_expr(term)
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 3]}..."
