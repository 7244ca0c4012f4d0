"""Terms of the solvers back as expressions of the IR.

Comparisons of integers are brought into a normal form: `small sum OP other sum` without negative
factors, a condition and its negation being each other's negation as expressions too. Sums are
computed in a signed type wide enough for every value that occurs, unless the term itself wraps
them into a type. Soundness duty: the expression has the value of the term wherever each symbol has
the value of its expression, or it is an `UnsupportedFeature`.

>>> from ...ir.expr import Var
>>> from ...ir.show import show_expr
>>> from ...ir.types import INT as C_INT
>>> x, y = build.symbol("x", INT), build.symbol("y", INT)
>>> sum_ = build.add(x, build.mul(build.integer(-1), y), build.integer(1))
>>> show_expr(to_expr(build.le(sum_, build.integer(0)), {x: Var("x", C_INT), y: Var("y", C_INT)}))
'x < y'
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Protocol, TypeAlias

from ...errors import UnsupportedFeature
from ...ir import make
from ...ir.expr import Binary, Const, Expr
from ...ir.expr import Op as IrOp
from ...ir.ieee754 import Format
from ...ir.types import INT as C_INT
from ...ir.types import FloatType, IntType, PointerType
from ...records import dataclass, field
from ...smt import build
from ...smt.linear_terms import Combination, Wrapped, summands, unwrapped
from ...smt.term import FP_OPS, INT, App, BitVecSort, BoolSort, IntSort, Op, Term, Value
from ..bitvector_encoding import width
from ..encoding import value_range
from . import floating_point
from .arithmetic import bits_of, divided, euclid, product
from .bitvector_operators import alike, operands, vector
from .comparisons import compare
from .floating_point import NumberOf, Part
from .sums import Integer, Sum, constant, exact, modular, pointer_sum, wide


class AddressDecoder(Protocol):
    """What lies at an address, as a pointer to it."""

    def pointer_to(self, address: int, type_: PointerType) -> Expr | None: ...

    def element(self, distance: Combination, bits: int) -> Expr | None:
        """For an address of so many bits that is a sum."""


_Made: TypeAlias = Expr | Integer
_USUAL = (8, 16, 32, 64)  # bits of C's types


def to_expr(
    root: Term,
    names: Mapping[Term, Expr],
    addresses: AddressDecoder | None = None,
    numbers: Mapping[NumberOf, Expr] | None = None,
) -> Expr:
    """The condition or number as an expression; `names` has those of the symbols, or of other
    terms that stand for lvalues, `numbers` lvalues of floating point in bytes."""
    made: dict[Part, _Made] = {term: _named(term, expr) for term, expr in names.items()}
    made.update((seen, expr) for seen, expr in (numbers or {}).items())
    work = _Make(made, addresses, floating_point.types_of(names))
    stack: list[Part] = [root]
    while stack:
        term = stack[-1]
        if term not in made:
            missing = [part for part in work.needs(term) if part not in made]
            if missing:
                stack.extend(missing)
                continue
            made[term] = work.make(term)
        stack.pop()
    result = made[root]
    return result.expr if isinstance(result, Integer) else result


def _named(term: Term, expr: Expr) -> _Made:
    match term.sort:
        case BoolSort():
            return expr
        case IntSort():
            return Integer(expr, *value_range(expr.type))
        case BitVecSort(bits):
            if not isinstance(expr.type, IntType | PointerType | FloatType):
                pass
            elif bits == width(expr.type):
                return expr
    raise UnsupportedFeature(f"{term} is no value of an expression")


@dataclass(frozen=True, slots=True)
class _Divided:
    """C's quotient of a number, which may be negative, by a constant."""

    number: Term
    divisor: int


@dataclass(frozen=True, slots=True)
class _Masked:
    """Some bits of a number: what lies between two of its remainders."""

    number: Term
    mask: int


_Shape: TypeAlias = Combination | Wrapped | _Divided | None
_Unit: TypeAlias = Term | _Masked | _Divided  # in a sum, `_Divided` stands for the remainder


@dataclass(frozen=True, slots=True)
class _Make:
    made: Mapping[Part, _Made]
    addresses: AddressDecoder | None
    float_types: Mapping[Format, FloatType]
    shapes: dict[Term, _Shape] = field(default_factory=dict)

    def needs(self, term: Part) -> Iterable[Part]:
        """The terms of which `make` must know the expressions."""
        if isinstance(term, NumberOf):
            named = self._is_number(term.bits)
            return () if named else floating_point.needs_of_number(term)
        if not isinstance(term, App):
            return ()
        if term.op in FP_OPS:
            return floating_point.needs(term)
        test = self._bits_test(term)
        if test is not None:
            return (test[0],)
        match self._shape(term):
            case Combination(factors, _):
                return factors
            case Wrapped(inner, _):
                return self._sum_of(inner).factors
            case _Divided(number, _):
                return (number,)
            case None:
                return operands(term)

    def make(self, term: Part) -> _Made:
        match term:
            case NumberOf(bits, form):
                if self._is_number(bits):
                    return self.made[bits]
                return floating_point.number(term, self._known, self.float_types.get(form))
            case Value(value, BoolSort()):
                return make.truth(bool(value))
            case Value(value, IntSort()):
                return constant(value)
            case Value(value, BitVecSort(width)):
                return make.const(value, IntType(width, False))
            case App():
                return self._app(term)
        raise UnsupportedFeature(f"no expression for {term}")

    # --- shapes of integer terms ------------------------------------------------------------------

    def _shape(self, term: App) -> _Shape:
        if term not in self.shapes:
            self.shapes[term] = self._find_shape(term)
        return self.shapes[term]

    def _find_shape(self, term: App) -> _Shape:
        if term.op in (Op.EQ, Op.LE, Op.LT):
            left, right = term.args
            return self._sum_of(build.sub(left, right)) if left.sort is INT else None
        if isinstance(term.sort, BitVecSort):
            found = self._sum_of(term)
            return None if term in found.factors else found
        if term.sort is not INT:
            return None
        wrapped = unwrapped(term)
        if wrapped is not None and wrapped.type.bits in _USUAL:
            return wrapped
        if term.op is Op.ITE:
            return _quotient(term)
        found = self._sum_of(term)
        return None if term in found.factors else found

    def _sum_of(self, term: Term) -> Combination:
        """The sum that a term is; one that has a name is not looked into."""
        if term in self.made:
            return Combination({term: 1}, 0)
        return summands(term)

    def _sum(self, combination: Combination) -> Sum:
        factors = _with_masks(combination.factors)
        for term in combination.factors:
            self._find_remainder(term, factors)
        parts = [(f, self._number(term)) for term, f in factors.items()]
        return Sum(tuple(parts), combination.constant)

    def _find_remainder(self, term: Term, factors: dict[_Unit, int]) -> None:
        """Write t - 3 * (t / 3) as t % 3."""
        found: _Divided | None = None
        match term:
            case App(Op.ITE, _, _, _) if term.sort is INT:
                found = _quotient(term)
            case App(Op.DIV, (number, Value(divisor, _)), _, _) if divisor:
                if number in self.made and self._number(number).low >= 0:
                    found = _Divided(number, divisor)
            case _:
                pass
        if found is None or factors.get(term, 0) % found.divisor:
            return
        factor = -factors[term] // found.divisor
        whole = self._sum_of(found.number)
        if whole.constant or any(factors.get(t) != factor * f for t, f in whole.factors.items()):
            return
        for part in (term, *whole.factors):
            del factors[part]
        factors[found] = factor

    # --- applications -----------------------------------------------------------------------------

    def _known(self, part: Part) -> Expr:
        found = self.made[part]
        return found.expr if isinstance(found, Integer) else found

    def _expr(self, term: Term) -> Expr:
        found = self._known(term)
        if isinstance(found.type, FloatType):
            raise UnsupportedFeature("no expression for single bits of a number")
        return found

    def _is_number(self, term: Term) -> bool:
        return term in self.made and isinstance(self._known(term).type, FloatType)

    def _bits_test(self, term: App) -> tuple[NumberOf, int] | None:
        """A floating-point number, and the bits that it is compared with."""
        match term:
            case App(
                Op.EQ, (Value(bits, BitVecSort()), number) | (number, Value(bits, BitVecSort()))
            ):
                if floating_point.is_result(number) or self._is_number(number):
                    return NumberOf(number, floating_point.form_of_bits(number)), bits
        return None

    def _number(self, term: _Unit) -> Integer:
        if isinstance(term, _Masked):
            return bits_of(self._number(term.number), term.mask)
        if isinstance(term, _Divided):
            return divided(IrOp.REM, self._number(term.number), term.divisor)
        found = self.made[term]
        if isinstance(found, Integer):
            return found
        return Integer(self._expr(term), *value_range(found.type))

    def _app(self, term: App) -> _Made:
        if term.op in FP_OPS:
            return floating_point.operator(term, self._known, self.float_types)
        test = self._bits_test(term)
        if test is not None:
            return floating_point.same_bits(self._known(test[0]), test[1])
        args, shape = term.args, self._shape(term)
        match term.op:
            case Op.NOT:
                return make.negate(self._expr(args[0]))
            case Op.AND:
                return make.conj(map(self._expr, args))
            case Op.OR:
                return make.disj(map(self._expr, args))
            case Op.EQ | Op.LE | Op.LT if isinstance(shape, Combination):
                return compare(term.op, self._sum(shape), self._pointer)
            case Op.EQ if args[0].sort is not INT and not isinstance(args[0].sort, BitVecSort):
                return make.compare(IrOp.EQ, self._expr(args[0]), self._expr(args[1]))
        if isinstance(shape, Combination) and isinstance(term.sort, BitVecSort):
            return self._vector_sum(shape, term.sort.width)
        match shape:
            case Combination():
                return exact(self._sum(shape))
            case Wrapped(inner, type_):
                return self._wrapped(self._sum_of(inner), type_)
            case _Divided(number, divisor):
                return divided(IrOp.DIV, self._number(number), divisor)
        if term.op is Op.ITE:
            return self._choice(*args)
        if term.sort is INT:
            return self._arithmetic(term)
        return self._vector(term)

    def _choice(self, cond: Term, then: Term, other: Term) -> _Made:
        test, a, b = self._expr(cond), self.made[then], self.made[other]
        if isinstance(a, Integer) and isinstance(b, Integer):
            low, high = min(a.low, b.low), max(a.high, b.high)
            match a.expr, b.expr:
                case Const(1, _), Const(0, _):
                    return Integer(make.cast(test, C_INT), 0, 1)
                case Const(0, _), Const(1, _):
                    return Integer(make.cast(make.negate(test), C_INT), 0, 1)
            type_ = wide(low, high)
            return Integer(make.ite(test, a.as_type(type_), b.as_type(type_)), low, high)
        if not isinstance(then.sort, BitVecSort):
            return make.ite(test, self._expr(then), self._expr(other))
        match then, other:
            case Value(1, _), Value(0, _) if then.sort.width > 1:
                return make.cast(test, IntType(then.sort.width, True))
            case Value(0, _), Value(1, _) if then.sort.width > 1:
                return make.cast(make.negate(test), IntType(then.sort.width, True))
        return make.ite(test, *alike([self._expr(then), self._expr(other)], pointers=True))

    def _wrapped(self, shape: Combination, type_: IntType) -> Integer:
        low, high = value_range(type_)
        sum_ = self._sum(shape)
        address = None if type_.signed else self._address(shape, sum_, type_.bits)
        return Integer(address or modular(sum_, type_), low, high)

    def _address(self, shape: Combination, sum_: Sum, bits: int) -> Expr | None:
        """The sum as a pointer, if it is one."""
        pointer = pointer_sum(sum_, bits)
        if pointer is None and self.addresses is not None and shape.constant:
            pointer = self.addresses.element(shape, bits)
        return pointer

    def _arithmetic(self, term: App) -> Integer:
        args = [self._number(arg) for arg in term.args]
        match term.op:
            case Op.MUL:
                result = args[0]
                for arg in args[1:]:
                    result = product(result, arg)
                return result
            case Op.DIV | Op.MOD:
                number, divisor = args
                if divisor.low == divisor.high and divisor.low:
                    return euclid(term.op, number, divisor.low)
        raise UnsupportedFeature(f"no expression for {term.op.value}")

    # --- vectors ----------------------------------------------------------------------------------

    def _vector_sum(self, shape: Combination, width: int) -> Expr:
        half = 1 << (width - 1)
        value = shape.constant - (1 << width) if shape.constant > half else shape.constant
        sum_ = Sum(tuple((f, self._number(term)) for term, f in shape.factors.items()), value)
        pointer = self._address(shape, sum_, width)
        if pointer is not None:
            return pointer
        if not sum_.parts:
            return make.const(value, IntType(width, False))
        type_ = alike([part.expr for _, part in sum_.parts])[0].type
        assert isinstance(type_, IntType)
        return modular(sum_, type_)

    def _vector(self, term: App) -> Expr:
        made = vector(term, [self._expr(arg) for arg in operands(term)])
        if term.op in (Op.EQ, Op.BV_ULT, Op.BV_ULE):
            return self._with_address(made)
        return made

    def _with_address(self, comparison: Expr) -> Expr:
        """The comparison with what lies at an address instead of the number."""
        match comparison:
            case Binary(op, left, right, _):
                return make.compare(op, self._pointer(left), self._pointer(right))
        return comparison

    def _pointer(self, expr: Expr) -> Expr:
        if isinstance(expr, Const) and isinstance(expr.type, PointerType) and self.addresses:
            return self.addresses.pointer_to(expr.value, expr.type) or expr
        return expr


def _quotient(term: App) -> _Divided | None:
    """C's division as `encode_int` writes it: by the sign of the number."""
    cond, then, other = term.args
    match then:
        case App(Op.DIV, (number, Value(divisor, _)), _, _) if divisor:
            below = build.neg(build.div(build.neg(number), build.integer(divisor)))
            if cond is build.le(build.integer(0), number) and other is below:
                return _Divided(number, divisor)
        case _:
            pass
    return None


def _with_masks(coefficients: Mapping[Term, int]) -> dict[_Unit, int]:
    """The factors; t mod 8 - t mod 4 is t & 4."""
    factors = dict[_Unit, int](coefficients.items())
    remainders: dict[Term, dict[int, Term]] = {}
    for term in coefficients:
        match term:
            case App(Op.MOD, (number, Value(size, _)), _, _) if size > 0 and not size & (size - 1):
                remainders.setdefault(number, {})[size] = term
            case _:
                pass
    for number, sizes in remainders.items():
        for small, large in zip(sorted(sizes), sorted(sizes)[1:], strict=False):
            one, two = sizes[small], sizes[large]
            if factors.get(two) and factors.get(one) == -factors[two]:
                factors[_Masked(number, large - small)] = factors.pop(two)
                del factors[one]
    return factors
