"""Predicates from the weakest precondition, with floating-point inputs at their extremes.

Nothing projects an input away from arithmetic on floating point. But rounding is monotone: if
`v <= 1` and `x + v > 10` are all that is said of the input v, some v leads to the error just where
`x + 1 > 10` does. So what contains an input is asked of the bounds that the core gives it, and a
condition on one number x, such as `x + 1 > 10`, is solved for x by bisection: `x > 9`. Bounds of
variables are the interpolants of floating point in [BDGK13]. Where functions are not monotone the
predicates are guesses, which the refiner tries out like any others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import product

from ...encode.environment import Formulas
from ...errors import UnsupportedFeature
from ...ir.configuration import Configuration
from ...ir.expr import Expr
from ...ir.ieee754 import DOUBLE, EXTENDED, SINGLE, Format
from ...smt import floats
from ...smt.evaluate import TermEvaluator
from ...smt.substitution import substitute
from ...smt.term import (
    BV_COMPARE,
    FP_COMPARE,
    FP_FROM_INTEGER,
    FP_OPS,
    App,
    BitVecSort,
    Op,
    Symbol,
    Term,
    Value,
    postorder,
    symbols,
)
from .interpolation_problem import FoundPredicates, InterpolationProblem
from .phrase import atoms, phrase

_MOST_INPUTS = 3  # of one condition, of which all combinations of bounds are tried
_MOST_BOUNDS = 4  # of one input
_LARGEST = 200  # condition that is solved, in terms
_MOST_FOUND = 24  # at one cut point
_FORMATS = {form.bits: form for form in (SINGLE, DOUBLE, EXTENDED)}


class ExtremeInputs:
    """The conditions of the core, with inputs replaced by their bounds there."""

    name = "extreme inputs"

    def find(self, problem: InterpolationProblem, seconds: float) -> FoundPredicates | None:
        if problem.formulas.encoding.name != "bv":
            return None
        found: list[tuple[Configuration, Expr]] = []
        for number, configuration in enumerate(problem.configurations):
            conditions = problem.conditions(number + 1)
            for predicate in _predicates(problem.formulas, conditions):
                found.append((configuration, predicate))
        return FoundPredicates(found) if found else None


def _predicates(formulas: Formulas, conditions: Sequence[Term]) -> list[Expr]:
    found: dict[Expr, None] = {}
    for atom in extremes(conditions, lambda symbol: symbol not in formulas.origins):
        for term in (solved(atom), atom):
            if term is None or len(found) >= _MOST_FOUND:
                continue
            try:
                found[phrase(formulas, term)] = None
            except UnsupportedFeature:
                continue
            break
    return list(found)


# --- bounds of inputs -----------------------------------------------------------------------------


def extremes(conditions: Sequence[Term], is_input: Callable[[Symbol], bool]) -> Iterator[Term]:
    """The conditions on inputs, once for each choice of bounds that the others give them."""
    parts = [atom for condition in conditions for atom in atoms(condition)]
    bounds: dict[Symbol, dict[Term, None]] = {}
    for part in parts:
        for symbol, bound in _bounds(part, is_input):
            bounds.setdefault(symbol, {})[bound] = None
    for part in parts:
        inputs = [symbol for symbol in symbols([part]) if is_input(symbol)]
        if not inputs or any(_bounds(part, is_input)):
            continue
        for values in _choices([list(bounds.get(symbol, ())) for symbol in inputs]):
            (found,) = substitute([part], dict(zip(inputs, values, strict=True)))
            if not isinstance(found, Value):
                yield found


def _choices(bounds: Sequence[Sequence[Term]]) -> Iterable[tuple[Term, ...]]:
    """Bounds for all inputs; of many inputs the first of each, or the second."""
    if not all(bounds) or len(bounds) <= _MOST_INPUTS:
        return product(*(values[:_MOST_BOUNDS] for values in bounds))
    return [tuple(values[n % len(values)] for values in bounds) for n in range(_MOST_BOUNDS)]


def _bounds(part: Term, is_input: Callable[[Symbol], bool]) -> Iterator[tuple[Symbol, Term]]:
    """What a comparison says of an input alone: it is compared with something without inputs."""
    match part:
        case App(op, (left, right)) if op in FP_COMPARE or op in BV_COMPARE:
            for one, other in ((left, right), (right, left)):
                if any(map(is_input, symbols([other]))):
                    continue
                match one:
                    case Symbol() if is_input(one):
                        yield one, other
                    case App(Op.FP_CONVERT, (Symbol() as symbol,)) if is_input(symbol):
                        wide, narrow = (_FORMATS[_width(term)] for term in (one, symbol))
                        yield symbol, floats.convert(wide, narrow, other)
                    case _:
                        pass


def _width(term: Term) -> int:
    assert isinstance(term.sort, BitVecSort)
    return term.sort.width


# --- conditions on one number ---------------------------------------------------------------------


def solved(atom: Term) -> Term | None:
    """A condition on one number as a bound of it, if it holds at one end of all numbers and not at
    the other, and changes once.

    >>> from ...ir.ieee754 import from_float
    >>> from ...smt.term import Op
    >>> x, one, ten = Symbol("x", BitVecSort(64)), *map(from_float, (1.0, 10.0))
    >>> more = floats.arithmetic(Op.FP_ADD, DOUBLE, x, floats.constant(DOUBLE, one))
    >>> found = solved(floats.less_equal(DOUBLE, floats.constant(DOUBLE, ten), more))
    >>> found is floats.less_equal(DOUBLE, floats.constant(DOUBLE, from_float(9.0)), x)
    True
    """
    number = _number(atom)
    if number is None:
        return None
    symbol, form = number

    def holds(place: int) -> bool:
        return TermEvaluator({symbol: _bits(form, place)}).holds(atom)

    low, high = -form.infinity, form.infinity
    at_low = holds(low)
    if at_low == holds(high):
        return None
    while high - low > 1:
        middle = (low + high) // 2
        if holds(middle) == at_low:
            low = middle
        else:
            high = middle
    bound = floats.constant(form, _bits(form, low if at_low else high))
    sides = (symbol, bound) if at_low else (bound, symbol)
    return floats.less_equal(form, *sides)


def _bits(form: Format, place: int) -> int:
    """The number at a place in the order of all."""
    return place if place >= 0 else form.sign - place


def _number(atom: Term) -> tuple[Symbol, Format] | None:
    """The only symbol of a condition, if it is a number that is computed with."""
    terms = list(postorder([atom]))
    found = [term for term in terms if isinstance(term, Symbol)]
    if len(found) != 1 or len(terms) > _LARGEST:
        return None
    match atom:
        case App(op, (Symbol(), Value()) | (Value(), Symbol())) if op in FP_COMPARE:
            return None  # a bound already
    for term in terms:
        match term:
            case App(op, args) if op in FP_OPS - FP_FROM_INTEGER and found[0] in args:
                return found[0], _FORMATS[_width(found[0])]
    return None
