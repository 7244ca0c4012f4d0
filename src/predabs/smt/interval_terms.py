"""Conditions over boxes: each symbol has an interval, and so has every term.

A condition is true, false, or either in a box. A term of bit-vectors has bounds of its bits as a
number without a sign, or if floating-point operators use it, of the number [BDG+14].

Soundness duty: in every model whose values lie in the box, each term has a value in its interval;
`narrowed` removes no model of the conditions from the box.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import inf
from typing import Any, TypeAlias

from ..ir import float_intervals
from ..ir.float_intervals import ANY, FloatArithmetic, FloatInterval, arithmetic
from ..ir.ieee754 import DOUBLE, EXTENDED, RNE, SINGLE, Format, Rounding
from ..records import dataclass
from .semantics import compute_scalar, signed
from .term import (
    FP_BINARY,
    FP_COMPARE,
    FP_FROM_INTEGER,
    FP_RESULT,
    App,
    BitVecSort,
    BoolSort,
    Op,
    Symbol,
    Term,
    Value,
    postorder,
)

FALSE, TRUE, EITHER = 0, 1, 2
BitsInterval: TypeAlias = tuple[int, int]
Box: TypeAlias = list[Any]  # for each symbol a truth value, a FloatInterval or a BitsInterval
_FORMATS = (SINGLE, DOUBLE, EXTENDED)  # the others could be coarser than Python's numbers
_Step: TypeAlias = tuple[int, Callable[..., Any], tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class _Shape:
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
            if not all(form in _FORMATS for form in _formats(term) if form is not None):
                return None
    return found


class IntervalTerms:
    """Evaluates a conjunction of conditions over boxes."""

    def __init__(self, roots: Sequence[Term]) -> None:
        self.roots = list(dict.fromkeys(_conjuncts(roots)))
        order = list(postorder(self.roots))
        self._number = {term: number for number, term in enumerate(order)}
        self._shapes = _shapes(order)
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
        self, term: App, shape: _Shape
    ) -> tuple[Callable[..., Any], tuple[Term, ...]] | None:
        """How the interval follows from those of some terms; None if nothing is known of it."""
        op, args, params = term.op, term.args, term.params
        if op in FP_COMPARE or op in FP_RESULT or op is Op.FP_TO_SBV:
            return self._float_operator(term)
        match op:
            case Op.NOT:
                return _not, args
            case Op.AND:
                return _and, args
            case Op.OR:
                return _or, args
            case Op.ITE if shape.width >= 0:
                return self._choice(args, shape), args
            case Op.EQ if self._shapes[args[0]].width >= 0:
                if self._shapes[args[0]].width == 0:
                    return _same_truth, args
                return self._of_bits(_same_bits, args), args
        if shape.form is not None:  # the sign is changed, or dropped
            arg = args[0] if isinstance(args[1], Value) else args[1]
            read = self._as_number(arg, shape.form)
            change = float_intervals.negate if op is Op.BV_XOR else float_intervals.absolute
            return (lambda a: change(read(a))), (arg,)
        if any(self._shapes[arg].width <= 0 for arg in args):
            return None
        width = self._shapes[args[0]].width
        if op in _BIT_COMPARE:
            return self._of_bits(_BIT_COMPARE[op](width), args), args
        rule = _BITS.get(op)
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
        forms = [self._shapes[arg].form for arg in args]
        if not any(forms):
            return compute

        def seen(*values: Any) -> Any:
            bits = [
                value if form is None else arithmetic(form).to_bits(value)
                for form, value in zip(forms, values, strict=True)
            ]
            return compute(*bits)

        return seen

    def _as_number(self, term: Term, form: Format) -> Callable[[Any], FloatInterval]:
        """How the number of a term is read from its interval."""
        if self._shapes[term].form is not None:
            return _same
        numbers = arithmetic(form)
        if isinstance(term, Value):
            constant = numbers.constant(term.value)
            return lambda bits: constant
        return lambda bits: numbers.of_bits(*bits)

    def _choice(self, args: tuple[Term, ...], shape: _Shape) -> Callable[..., Any]:
        if shape.form is not None:
            then, other = (self._as_number(arg, shape.form) for arg in args[1:])
            join: Callable[[Any, Any], Any] = float_intervals.join
        else:
            then = other = _same
            join = _either_truth if shape.width == 0 else _hull

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
            binary = _COMPARE[op] if op in FP_COMPARE else getattr(numbers, _ARITHMETIC[op])
            if op is Op.FP_MUL and args[0] is args[1]:
                return (lambda a: _square(numbers, first(a))), args[:1]
            if first is _same and last is _same:
                return binary, args
            return (lambda a, b: binary(first(a), last(b))), args
        unary: Callable[[FloatInterval], Any]
        match op:
            case Op.FP_SQRT:
                unary = numbers.square_root
            case Op.FP_INTEGRAL:
                unary = lambda a: numbers.integral(a, mode)  # noqa: E731
            case Op.FP_CONVERT:
                unary = arithmetic(Format(rest[1], rest[2]), mode).converted
            case _:
                unary = _to_signed(mode, rest[1])
        return (lambda a: unary(first(a))), args

    def _from_integer(self, term: App, numbers: FloatArithmetic) -> Callable[..., Any]:
        width = self._shapes[term.args[0]].width
        if term.op is Op.FP_FROM_UBV:
            return self._of_bits(lambda bits: numbers.of_integers(*bits), term.args)

        def compute(bits: BitsInterval) -> FloatInterval:
            return numbers.of_integers(*_signed_bounds(bits, width))

        return self._of_bits(compute, term.args)

    # --- narrowing --------------------------------------------------------------------------------

    def narrowed(self, box: Box) -> Box | None:
        """The box without values that the conditions exclude, as the last evaluation, of this very
        box, tells; None if nothing is left."""
        narrow = _Narrowing(self._number, self._shapes, self._values, list(box), self.symbols)
        for root in self.roots:
            if not narrow.assume(root, True):
                return None
        return narrow.box


class _Narrowing:
    """What conditions say about symbols that they compare."""

    def __init__(
        self,
        number: dict[Term, int],
        shapes: dict[Term, _Shape],
        values: list[Any],
        box: Box,
        symbols: list[Symbol],
    ) -> None:
        self._number, self._shapes, self._values, self.box = number, shapes, values, box
        self._place = {symbol: place for place, symbol in enumerate(symbols)}

    def assume(self, root: Term, wanted: bool) -> bool:
        """The condition has this truth value; False if it cannot."""
        pending = [(root, wanted)]
        while pending:
            term, truth = pending.pop()
            if isinstance(term, Symbol):
                place = self._place[term]
                if self.box[place] == (not truth):
                    return False
                self.box[place] = int(truth)
            if not isinstance(term, App):
                continue
            op, args = term.op, term.args
            if op is Op.NOT:
                pending.append((args[0], not truth))
            elif op in (Op.AND, Op.OR):
                if truth is (op is Op.AND):
                    pending += [(arg, truth) for arg in args]
                else:  # one of them: which, if there is only one left
                    left = [arg for arg in args if self._values[self._number[arg]] != (not truth)]
                    if len(left) == 1:
                        pending.append((left[0], truth))
            elif op in FP_COMPARE and not self._compared(term, truth):
                return False
        return True

    def _compared(self, term: App, truth: bool) -> bool:
        exponent, precision = (param for param in term.params if isinstance(param, int))
        numbers = arithmetic(Format(exponent, precision))
        left, right = term.args
        one, two = self._interval(left, numbers), self._interval(right, numbers)
        match term.op, truth:
            case Op.FP_EQ, True:
                return self._meet(left, (two[0], two[1], False)) and self._meet(
                    right, (one[0], one[1], False)
                )
            case Op.FP_LT | Op.FP_LE, True:
                strict = term.op is Op.FP_LT
                high = numbers.below(two[1]) if strict else two[1]
                low = numbers.above(one[0]) if strict else one[0]
                return self._meet(left, (-inf, high, False)) and self._meet(
                    right, (low, inf, False)
                )
            case Op.FP_LT | Op.FP_LE, False if not one[2] and not two[2]:
                strict = term.op is Op.FP_LE
                low = numbers.above(two[0]) if strict else two[0]
                high = numbers.below(one[1]) if strict else one[1]
                return self._meet(left, (low, inf, False)) and self._meet(
                    right, (-inf, high, False)
                )
        return True

    def _interval(self, term: Term, numbers: FloatArithmetic) -> FloatInterval:
        value: Any = self._values[self._number[term]]
        if self._shapes[term].form is None:
            return numbers.of_bits(*value)
        return value  # type: ignore[no-any-return]

    def _meet(self, term: Term, bounds: FloatInterval) -> bool:
        """The number lies in an interval."""
        while True:
            match term:
                case Symbol() if self._shapes[term].form is not None:
                    place = self._place[term]
                    self.box[place] = float_intervals.meet(self.box[place], bounds)
                    return not float_intervals.is_empty(self.box[place])
                case App(Op.BV_XOR, (arg, Value()) | (Value(), arg)) if (
                    self._shapes[term].form is not None and self._shapes[arg].form is not None
                ):
                    term, bounds = arg, float_intervals.negate(bounds)
                case App(Op.FP_CONVERT, (arg,), (exponent, precision, _, more, digits)) if _wider(
                    exponent, precision, more, digits
                ):
                    term = arg  # exact: the same number
                case _:
                    return True


def _wider(exponent: Any, precision: Any, more: Any, digits: Any) -> bool:
    return bool(exponent <= more and precision <= digits)


# --- shapes ---------------------------------------------------------------------------------------


def _conjuncts(roots: Sequence[Term]) -> list[Term]:
    found: list[Term] = []
    stack = list(reversed(roots))
    while stack:
        term = stack.pop()
        if isinstance(term, App) and term.op is Op.AND:
            stack += reversed(term.args)
        else:
            found.append(term)
    return found


def _shapes(order: list[Term]) -> dict[Term, _Shape]:
    """Which terms are seen as numbers: what floating-point operators give and take, also through
    choices and changes of sign."""
    numbers: dict[Term, Format] = {}
    for term in reversed(order):  # what uses a term comes before it
        if not isinstance(term, App):
            continue
        if term.op in FP_COMPARE or term.op in FP_RESULT or term.op is Op.FP_TO_SBV:
            result, operand = _formats(term)
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
            shapes[term] = _Shape(number, sort.width)
        else:
            shapes[term] = _Shape(None, 0 if isinstance(sort, BoolSort) else -1)
    return shapes


def _formats(term: App) -> tuple[Format | None, Format | None]:
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


# --- conditions -----------------------------------------------------------------------------------


def _same(value: Any) -> Any:
    return value


def _not(a: int) -> int:
    return a if a == EITHER else 1 - a


def _and(*args: int) -> int:
    return FALSE if FALSE in args else EITHER if EITHER in args else TRUE


def _or(*args: int) -> int:
    return TRUE if TRUE in args else EITHER if EITHER in args else FALSE


def _same_truth(a: int, b: int) -> int:
    return EITHER if EITHER in (a, b) else int(a == b)


def _either_truth(a: int, b: int) -> int:
    return a if a == b else EITHER


def _truth(may_be_false: bool, may_be_true: bool) -> int:
    return EITHER if may_be_false and may_be_true else int(may_be_true)


def _square(numbers: FloatArithmetic, a: FloatInterval) -> FloatInterval:
    size = float_intervals.absolute(a)
    return numbers.multiply(size, size)


_COMPARE: dict[Op, Callable[[FloatInterval, FloatInterval], int]] = {
    Op.FP_LT: lambda a, b: _truth(*float_intervals.less(a, b)),
    Op.FP_LE: lambda a, b: _truth(*float_intervals.less_equal(a, b)),
    Op.FP_EQ: lambda a, b: _truth(*float_intervals.equal(a, b)),
}
_ARITHMETIC = {
    Op.FP_ADD: "add",
    Op.FP_SUB: "subtract",
    Op.FP_MUL: "multiply",
    Op.FP_DIV: "divide",
}


# --- bits -----------------------------------------------------------------------------------------


def _hull(a: BitsInterval, b: BitsInterval) -> BitsInterval:
    return min(a[0], b[0]), max(a[1], b[1])


def _same_bits(a: BitsInterval, b: BitsInterval) -> int:
    if a[1] < b[0] or b[1] < a[0]:
        return FALSE
    return TRUE if a[0] == a[1] == b[0] == b[1] else EITHER


def _signed_bounds(a: BitsInterval, width: int) -> tuple[int, int]:
    half = 1 << (width - 1)
    if a[1] < half or a[0] >= half:
        return signed(a[0], width), signed(a[1], width)
    return -half, half - 1


def _order(strict: bool, is_signed: bool) -> Callable[[int], Callable[..., int]]:
    def of_width(width: int) -> Callable[..., int]:
        def compute(a: BitsInterval, b: BitsInterval) -> int:
            if is_signed:
                a, b = _signed_bounds(a, width), _signed_bounds(b, width)
            if strict:
                return TRUE if a[1] < b[0] else FALSE if a[0] >= b[1] else EITHER
            return TRUE if a[1] <= b[0] else FALSE if a[0] > b[1] else EITHER

        return compute

    return of_width


_BIT_COMPARE = {
    Op.BV_ULT: _order(True, False),
    Op.BV_ULE: _order(False, False),
    Op.BV_SLT: _order(True, True),
    Op.BV_SLE: _order(False, True),
}


def _to_signed(mode: Rounding, width: int) -> Callable[[FloatInterval], BitsInterval]:
    """The integer, as bits; out of range the most negative one."""
    half = 1 << (width - 1)

    def compute(a: FloatInterval) -> BitsInterval:
        low, high, nan = a
        if nan or low > high or not (-half <= low and high < half):
            return 0, 2 * half - 1
        low, high, _ = arithmetic(DOUBLE).integral(a, mode)
        least, most = int(low), int(high)
        if least >= 0:
            return (least, most) if most < half else (0, 2 * half - 1)
        if most < 0:
            return least + 2 * half, most + 2 * half
        return 0, 2 * half - 1

    return compute


_Rule: TypeAlias = Callable[[int, int, tuple[int, ...]], Callable[..., BitsInterval | None]]
"""Of the widths of the first and last operand and the params: what the operator does."""


def _shift_right(a: BitsInterval, b: BitsInterval) -> BitsInterval:
    return (a[0] >> b[1], a[1] >> b[0]) if b[1] < 4096 else (0, a[1])


def _arithmetic_shift(width: int) -> Callable[..., BitsInterval | None]:
    def compute(a: BitsInterval, b: BitsInterval) -> BitsInterval | None:
        return _shift_right(a, b) if a[1] < 1 << (width - 1) else None

    return compute


def _extract(params: tuple[int, ...]) -> Callable[..., BitsInterval | None]:
    high, low = params

    def compute(a: BitsInterval) -> BitsInterval | None:
        if a[1] >> (high + 1) != a[0] >> (high + 1):
            return None
        mask = (1 << (high - low + 1)) - 1
        return a[0] >> low & mask, a[1] >> low & mask

    return compute


def _masked(a: BitsInterval, b: BitsInterval) -> BitsInterval:
    return 0, min(a[1], b[1])


def _sign_extended(width: int, more: int) -> Callable[..., BitsInterval | None]:
    def compute(a: BitsInterval) -> BitsInterval | None:
        half, added = 1 << (width - 1), ((1 << more) - 1) << width
        if a[1] < half:
            return a
        return (a[0] | added, a[1] | added) if a[0] >= half else None

    return compute


_BITS: dict[Op, _Rule] = {
    Op.BV_ADD: lambda w, v, p: lambda a, b: (a[0] + b[0], a[1] + b[1]),
    Op.BV_SUB: lambda w, v, p: lambda a, b: (a[0] - b[1], a[1] - b[0]),
    Op.BV_MUL: lambda w, v, p: lambda a, b: (a[0] * b[0], a[1] * b[1]),
    Op.BV_AND: lambda w, v, p: _masked,
    Op.BV_LSHR: lambda w, v, p: _shift_right,
    Op.BV_ASHR: lambda w, v, p: _arithmetic_shift(w),
    Op.CONCAT: lambda w, v, p: lambda a, b: (a[0] << v | b[0], a[1] << v | b[1]),
    Op.EXTRACT: lambda w, v, p: _extract(p),
    Op.ZERO_EXTEND: lambda w, v, p: lambda a: a,
    Op.SIGN_EXTEND: lambda w, v, p: _sign_extended(w, p[0]),
}
