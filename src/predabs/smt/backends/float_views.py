"""Floating point for the back ends: the views of a term that the theory needs.

Our operators take and give bits, the theory of floating point has numbers (Brain, Tinelli, Rümmer,
Wahl, "An automatable formal semantics for IEEE-754 floating-point arithmetic", ARITH 2015), whose
NaN has no bits. So a term has up to three translations: its *bits*, the *number* that they are, and
the bits that it has if it is a *NaN* (`ir.ieee754` says which). Arithmetic goes from number to
number, also through conditionals, negation and absolute value; bits are only made where somebody
looks at them.
"""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple, TypeAlias

from ...ir.ieee754 import Format, from_integer
from ..term import (
    FP_COMPARE,
    FP_FROM_INTEGER,
    FP_OPS,
    FP_RESULT,
    App,
    BitVecSort,
    Op,
    Term,
    Value,
)


class View(Enum):
    NUMBER = 0
    NAN = 1

    __hash__ = object.__hash__


class FloatView(NamedTuple):
    """The number, or the bits of NaN, of a term."""

    view: View
    term: Term
    form: Format


Key: TypeAlias = Term | FloatView
"""What is translated: a term alone stands for its bits, its truth value or its array."""


def format_of(term: App) -> Format:
    """The format of the operands, or if those are integers of the result."""
    exponent, precision = term.params[:2]
    assert isinstance(exponent, int) and isinstance(precision, int)
    return Format(exponent, precision)


def result_format(term: App) -> Format:
    if term.op is Op.FP_CONVERT:
        exponent, precision = term.params[3:]
        assert isinstance(exponent, int) and isinstance(precision, int)
        return Format(exponent, precision)
    return format_of(term)


def number(term: Term, form: Format) -> FloatView:
    return FloatView(View.NUMBER, term, form)


def nan(term: Term, form: Format) -> FloatView:
    return FloatView(View.NAN, term, form)


def changes_sign(term: App, form: Format) -> bool:
    """Is it the operation on bits that negates a number, or takes its absolute value?"""
    last = term.args[-1]
    if not isinstance(last, Value):
        return False
    negates = term.op is Op.BV_XOR and last.value == form.sign
    return negates or (term.op is Op.BV_AND and last.value == form.sign - 1)


def needed(key: Key) -> list[Key]:
    """What must be translated first; the view is made from these."""
    if not isinstance(key, FloatView):
        assert isinstance(key, App)
        return _needed_for_bits(key) if key.op in FP_OPS else list(key.args)
    view, term, form = key
    if not isinstance(term, App):
        return [term]
    if term.op is Op.ITE:
        cond, then, other = term.args
        return [cond, FloatView(view, then, form), FloatView(view, other, form)]
    if changes_sign(term, form):
        return [FloatView(view, term.args[0], form)]
    if term.op not in FP_RESULT or result_format(term) != form:
        return [term]
    if term.op in FP_FROM_INTEGER:
        return [term.args[0]] if view is View.NUMBER else []
    source = format_of(term)
    if view is View.NUMBER:
        return [number(arg, source) for arg in term.args]
    if term.op is Op.FP_CONVERT or term.op is Op.FP_INTEGRAL:
        return [nan(arg, source) for arg in term.args]
    return [part for arg in term.args for part in (number(arg, source), nan(arg, source))]


def _needed_for_bits(term: App) -> list[Key]:
    if term.op in FP_COMPARE or term.op is Op.FP_TO_SBV:
        return [number(arg, format_of(term)) for arg in term.args]
    form = result_format(term)
    if term.op in FP_FROM_INTEGER:
        return [number(term, form)]
    return [number(term, form), nan(term, form)]


def float_constant(form: Format, value: int) -> Value:
    """The bits of an integer as a number."""
    return Value(from_integer(form, value), BitVecSort(form.bits))
