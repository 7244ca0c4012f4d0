"""Which terms are seen as floating-point numbers, and what kind of interval each has."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..ir.float_intervals import ANY
from ..ir.ieee754 import DOUBLE, EXTENDED, SINGLE, Format
from ..records import dataclass
from .interval_rules import EITHER
from .term import FP_COMPARE, FP_FROM_INTEGER, FP_RESULT, App, BitVecSort, BoolSort, Op, Term, Value

_FORMATS = (SINGLE, DOUBLE, EXTENDED)  # the others could be coarser than Python's numbers


@dataclass(frozen=True, slots=True)
class Shape:
    """What kind of interval a term has: a number's, if there is a format, or of its bits."""

    form: Format | None
    width: int  # 0: a condition; -1: no interval at all

    @property
    def top(self) -> Any:
        if self.width <= 0:
            return EITHER if self.width == 0 else None
        return ANY if self.form is not None else (0, (1 << self.width) - 1)


def has_floats(order: Sequence[Term]) -> bool | None:
    """Is there floating point among the terms? None if some of it is not of C's formats."""
    found = False
    for term in order:
        if isinstance(term, App) and (
            term.op in FP_COMPARE or term.op in FP_RESULT or term.op is Op.FP_TO_SBV
        ):
            found = True
            if not all(form in _FORMATS for form in formats(term) if form is not None):
                return None
    return found


# --- shapes ---------------------------------------------------------------------------------------


def conjuncts(roots: Sequence[Term]) -> list[Term]:
    found: list[Term] = []
    stack = list(reversed(roots))
    while stack:
        term = stack.pop()
        if isinstance(term, App) and term.op is Op.AND:
            stack += reversed(term.args)
        else:
            found.append(term)
    return found


def shapes_of(order: list[Term]) -> dict[Term, Shape]:
    """Which terms are seen as numbers: what floating-point operators give and take, also through
    choices and changes of sign."""
    numbers: dict[Term, Format] = {}
    for term in reversed(order):  # what uses a term comes before it
        if not isinstance(term, App):
            continue
        if term.op in FP_COMPARE or term.op in FP_RESULT or term.op is Op.FP_TO_SBV:
            result, operand = formats(term)
            if result is not None:
                numbers[term] = result
            if operand is not None:
                numbers.update(dict.fromkeys(term.args, operand))
        elif (form := numbers.get(term)) is not None:
            if term.op is Op.ITE:
                numbers.update(dict.fromkeys(term.args[1:], form))
            elif (signed_ := _sign_change(term, form)) is not None:
                numbers[signed_] = form
            else:
                del numbers[term]
    shapes = {}
    for term in order:
        sort = term.sort
        number = None if isinstance(term, Value) else numbers.get(term)
        if isinstance(sort, BitVecSort):
            shapes[term] = Shape(number, sort.width)
        else:
            shapes[term] = Shape(None, 0 if isinstance(sort, BoolSort) else -1)
    return shapes


def formats(term: App) -> tuple[Format | None, Format | None]:
    """Of an operator of floating point: the formats of its result and of its operands."""
    exponent, precision, *rest = (param for param in term.params if isinstance(param, int))
    form = Format(exponent, precision)
    if term.op is Op.FP_CONVERT:
        return Format(rest[1], rest[2]), form
    if term.op in FP_FROM_INTEGER:
        return form, None
    return (form if term.op in FP_RESULT else None), form


def _sign_change(term: App, form: Format) -> Term | None:
    """The operand, if the term is its negation or absolute value."""
    if term.op not in (Op.BV_XOR, Op.BV_AND):
        return None
    mask = form.sign if term.op is Op.BV_XOR else form.sign - 1
    left, right = term.args
    if isinstance(right, Value) and right.value == mask:
        return left
    return right if isinstance(left, Value) and left.value == mask else None
