"""Conditions over boxes: each symbol has an interval, and so has every term.

A condition is true, false, or either in a box. A term of bit-vectors has bounds of its bits as a
number without a sign, or if floating-point operators use it, of the number [BDG+14].

Soundness duty: in every model whose values lie in the box, each term has a value in its interval;
`narrowed` removes no model of the conditions from the box.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from ..ir import float_intervals
from ..ir.float_intervals import FloatArithmetic, FloatInterval, arithmetic
from ..ir.ieee754 import RNE, Format, Rounding
from .interval_narrowing import Narrowing
from .interval_rules import (
    ARITHMETIC,
    BIT_COMPARE,
    BITS,
    COMPARE,
    EITHER,
    FALSE,
    TRUE,
    BitsInterval,
    conjunction,
    disjunction,
    either_truth,
    hull,
    negation,
    same,
    same_bits,
    same_truth,
    signed_bounds,
    square,
    to_signed,
)
from .interval_shapes import Shape, conjuncts, shapes_of
from .semantics import compute_scalar
from .term import (
    FP_BINARY,
    FP_COMPARE,
    FP_FROM_INTEGER,
    FP_RESULT,
    App,
    BoolSort,
    Op,
    Symbol,
    Term,
    Value,
    postorder,
)

Box: TypeAlias = list[Any]  # for each symbol a truth value, a FloatInterval or a BitsInterval
_Step: TypeAlias = tuple[int, Callable[..., Any], tuple[int, ...]]


class IntervalTerms:
    """Evaluates a conjunction of conditions over boxes."""

    def __init__(self, roots: Sequence[Term]) -> None:
        self.roots = list(dict.fromkeys(conjuncts(roots)))
        order = list(postorder(self.roots))
        self._number = {term: number for number, term in enumerate(order)}
        self._shapes = shapes_of(order)
        self.symbols = [term for term in order if isinstance(term, Symbol)]
        self._places = [self._number[symbol] for symbol in self.symbols]
        self._values: list[Any] = [None] * len(order)
        self._steps: list[_Step] = []
        self._asked = {self._number[root] for root in self.roots}
        self._refuted = any(isinstance(root, Value) and not root.value for root in self.roots)
        for term in order:
            self._prepare(term)

    def whole(self) -> Box:
        """The box of all models."""
        return [self._shapes[symbol].top for symbol in self.symbols]

    def form(self, place: int) -> Format | None:
        """The format of a symbol that is a number."""
        return self._shapes[self.symbols[place]].form

    def evaluate(self, box: Box) -> int:
        """May all conditions hold in the box? `TRUE` if they do for all of it."""
        if self._refuted:
            return FALSE
        values, asked, result = self._values, self._asked, TRUE
        for place, value in zip(self._places, box, strict=True):
            values[place] = value
        for number, compute, args in self._steps:
            found = values[number] = compute(*[values[arg] for arg in args])
            if number in asked and found != TRUE:
                if found == FALSE:
                    return FALSE
                result = EITHER
        if any(values[place] != TRUE for place in self._places if place in asked):
            return EITHER if all(values[p] for p in self._places if p in asked) else FALSE
        return result

    def open_symbols(self) -> set[int]:
        """The symbols on which the conditions that were open in the last box depend."""
        roots = [root for root in self.roots if self._values[self._number[root]] == EITHER]
        found = {term for term in postorder(roots) if isinstance(term, Symbol)}
        return {place for place, symbol in enumerate(self.symbols) if symbol in found}

    # --- preparation ------------------------------------------------------------------------------

    def _prepare(self, term: Term) -> None:
        number, shape = self._number[term], self._shapes[term]
        match term:
            case Symbol():
                return
            case Value(value, sort):
                if isinstance(sort, BoolSort):
                    self._values[number] = value
                elif shape.width > 0:
                    self._values[number] = value, value
            case App():
                made = self._operator(term, shape)
                if made is None:
                    self._values[number] = shape.top
                else:
                    compute, operands = made
                    args = tuple(self._number[operand] for operand in operands)
                    self._steps.append((number, compute, args))

    def _operator(
        self, term: App, shape: Shape
    ) -> tuple[Callable[..., Any], tuple[Term, ...]] | None:
        """How the interval follows from those of some terms; None if nothing is known of it."""
        op, args, params = term.op, term.args, term.params
        if op in FP_COMPARE or op in FP_RESULT or op is Op.FP_TO_SBV:
            return self._float_operator(term)
        match op:
            case Op.NOT:
                return negation, args
            case Op.AND:
                return conjunction, args
            case Op.OR:
                return disjunction, args
            case Op.ITE if shape.width >= 0:
                return self._choice(args, shape), args
            case Op.EQ if self._shapes[args[0]].width >= 0:
                if self._shapes[args[0]].width == 0:
                    return same_truth, args
                return self._of_bits(same_bits, args), args
        if shape.form is not None:  # the sign is changed, or dropped
            arg = args[0] if isinstance(args[1], Value) else args[1]
            read = self._as_number(arg, shape.form)
            change = float_intervals.negate if op is Op.BV_XOR else float_intervals.absolute
            return (lambda a: change(read(a))), (arg,)
        if any(self._shapes[arg].width <= 0 for arg in args):
            return None
        width = self._shapes[args[0]].width
        if op in BIT_COMPARE:
            return self._of_bits(BIT_COMPARE[op](width), args), args
        rule = BITS.get(op)
        if rule is None or shape.width <= 0:
            return None
        numbers = tuple(param for param in params if isinstance(param, int))
        made = rule(width, self._shapes[args[-1]].width, numbers)
        most = (1 << shape.width) - 1

        def compute(*values: BitsInterval) -> BitsInterval:
            if all(low == high for low, high in values):
                exact = compute_scalar(term, [low for low, _ in values])
                return exact, exact
            found = made(*values)
            return found if found is not None and found[0] >= 0 and found[1] <= most else (0, most)

        return self._of_bits(compute, args), args

    def _of_bits(self, compute: Callable[..., Any], args: tuple[Term, ...]) -> Callable[..., Any]:
        """An operator on the bits of terms, of which some are seen as numbers."""
        if not any(self._shapes[arg].form for arg in args):
            return compute
        reads = [self._as_bits(arg) for arg in args]
        return lambda *values: compute(
            *(read(value) for read, value in zip(reads, values, strict=True))
        )

    def _as_bits(self, term: Term) -> Callable[[Any], Any]:
        """How the bits of a term, or its truth, are read from its interval."""
        form = self._shapes[term].form
        return same if form is None else arithmetic(form).to_bits

    def _as_number(self, term: Term, form: Format) -> Callable[[Any], FloatInterval]:
        """How the number of a term is read from its interval."""
        if self._shapes[term].form is not None:
            return same
        numbers = arithmetic(form)
        if isinstance(term, Value):
            constant = numbers.constant(term.value)
            return lambda bits: constant
        return lambda bits: numbers.of_bits(*bits)

    def _choice(self, args: tuple[Term, ...], shape: Shape) -> Callable[..., Any]:
        if shape.form is not None:
            then, other = (self._as_number(arg, shape.form) for arg in args[1:])
            join: Callable[[Any, Any], Any] = float_intervals.join
        else:
            then, other = (self._as_bits(arg) for arg in args[1:])
            join = either_truth if shape.width == 0 else hull

        def compute(cond: int, one: Any, two: Any) -> Any:
            if cond == TRUE:
                return then(one)
            return other(two) if cond == FALSE else join(then(one), other(two))

        return compute

    def _float_operator(self, term: App) -> tuple[Callable[..., Any], tuple[Term, ...]]:
        op, args = term.op, term.args
        exponent, precision, *rest = (param for param in term.params if isinstance(param, int))
        form = Format(exponent, precision)
        mode = Rounding(rest[0]) if rest else RNE
        if op in FP_FROM_INTEGER:
            return self._from_integer(term, arithmetic(form, mode)), args
        reads = [self._as_number(arg, form) for arg in args]
        first, last = reads[0], reads[-1]
        numbers = arithmetic(form, mode)
        if op in FP_BINARY or op in FP_COMPARE:
            binary = COMPARE[op] if op in FP_COMPARE else getattr(numbers, ARITHMETIC[op])
            if op is Op.FP_MUL and args[0] is args[1]:
                return (lambda a: square(numbers, first(a))), args[:1]
            if first is same and last is same:
                return binary, args
            return (lambda a, b: binary(first(a), last(b))), args
        unary: Callable[[FloatInterval], Any]
        match op:
            case Op.FP_INTEGRAL:
                return (lambda a: numbers.integral(first(a), mode)), args
            case Op.FP_SQRT:
                unary = numbers.square_root
            case Op.FP_CONVERT:
                unary = arithmetic(Format(rest[1], rest[2]), mode).converted
            case _:
                unary = to_signed(mode, rest[1])
        return (lambda a: unary(first(a))), args

    def _from_integer(self, term: App, numbers: FloatArithmetic) -> Callable[..., Any]:
        width = self._shapes[term.args[0]].width
        if term.op is Op.FP_FROM_UBV:
            return self._of_bits(lambda bits: numbers.of_integers(*bits), term.args)

        def compute(bits: BitsInterval) -> FloatInterval:
            return numbers.of_integers(*signed_bounds(bits, width))

        return self._of_bits(compute, term.args)

    # --- narrowing --------------------------------------------------------------------------------

    def narrowed(self, box: Box) -> Box | None:
        """The box without values that the conditions exclude, as the last evaluation, of this very
        box, tells; None if nothing is left."""
        narrow = Narrowing(self._number, self._shapes, self._values, list(box), self.symbols)
        for root in self.roots:
            if not narrow.assume(root, True):
                return None
        return narrow.box
