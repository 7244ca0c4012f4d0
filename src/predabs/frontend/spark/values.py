"""Lower expressions of numbers and enumerations: an error edge stands before what may fail."""

from __future__ import annotations

from collections.abc import Sequence

from ...errors import InputError, UnsupportedFeature
from ...ir import make
from ...ir.cfa import Coord
from ...ir.expr import TRUE, Expr, Op
from ...ir.types import CBOOL
from . import arithmetic, syntax
from .arithmetic import Value, constant, outside
from .conditions import LowerConditions
from .entities import Number, Object, Subprogram
from .frame import DIVISION, OVERFLOW, RANGE
from .lowering import described
from .syntax import Association
from .text import show
from .types import BOOLEAN, AdaType, Class, Scalar

_OPS = {"+": Op.ADD, "-": Op.SUB, "*": Op.MUL}
_BITS = {"and": Op.AND, "or": Op.OR, "xor": Op.XOR}
_LARGEST_EXPONENT = 64


class LowerValues(LowerConditions):
    """Lowers the scalar expressions of one subprogram."""

    def value(self, expr: syntax.Expr, wanted: Scalar) -> Value:
        """The value of a scalar expression, of the base type that is wanted."""
        self.names.type(expr, wanted)
        known = self.names.static(expr, wanted)
        if known is not None:
            if not wanted.base.low <= known <= wanted.base.high:
                raise InputError(
                    f"{expr.coord}: {show(expr)} is {known}, which {wanted.base.name} cannot hold"
                )
            return constant(known, wanted.ir)
        match expr:
            case syntax.Name() | syntax.Select() | syntax.Apply():
                return self._named(expr, wanted)
            case syntax.Attribute():
                return self._attribute(expr, wanted)
            case syntax.Qualified(_, mark, inner):
                type_ = self.names.wanted_type(mark)
                assert isinstance(type_, Scalar)
                return self.checked(inner, type_)
            case syntax.Unary(_, op, arg) if op != "not" or wanted.base is not BOOLEAN.base:
                return self._unary(expr, op, arg, wanted)
            case syntax.Binary(_, op, left, right) if wanted.base is not BOOLEAN.base:
                return self._binary(expr, op, left, right, wanted)
            case syntax.If(_, cond, then, other) if other is not None and (
                wanted.base is not BOOLEAN.base
            ):
                chosen = other
                return self._within(
                    wanted,
                    self._conditional(
                        self.condition(cond),
                        lambda: self.value(then, wanted).expr,
                        lambda: self.value(chosen, wanted).expr,
                        expr.coord,
                    ),
                )
            case syntax.Case():
                return self._within(wanted, self._case(expr, wanted))
        if wanted.base is BOOLEAN.base:
            return Value(make.cast(self.condition(expr), CBOOL), 0, 1)
        raise InputError(f"{expr.coord}: {show(expr)} is no value of {wanted.name}")

    def _within(self, type_: Scalar, expr: Expr) -> Value:
        return Value(expr, type_.base.low, type_.base.high)

    def checked(self, expr: syntax.Expr, type_: Scalar) -> Value:
        """The value as one of the subtype: a range check if it may lie outside."""
        value = self.value(expr, type_)
        return self.in_range(value, type_, show(expr), expr.coord)

    def in_range(self, value: Value, type_: Scalar, what: str, coord: Coord) -> Value:
        bad = outside(value, type_.low, type_.high)
        self.frame.check(bad, f"range check: {what} is not in {described(type_)}", RANGE, coord)
        return Value(value.expr, max(value.low, type_.low), min(value.high, type_.high))

    def _named(self, expr: syntax.Expr, wanted: Scalar) -> Value:
        if isinstance(expr, syntax.Name | syntax.Select):
            for entity in self.names.entities(expr):
                if isinstance(entity, Object) and isinstance(entity.type, Scalar):
                    place = self.bindings.get(entity, entity.place)  # in a contract, any term
                    return self._read(place, entity.type, expr.coord)
                if isinstance(entity, Object | Number):
                    break
                if isinstance(entity, Subprogram):
                    return self._called(expr, (), wanted)
        if isinstance(expr, syntax.Apply):
            mark = self.names.type_mark(expr.prefix)
            if mark is not None:
                return self._conversion(expr, mark)
            if self.names.callable(expr.prefix):
                return self._called(expr, expr.args, wanted)
        place, type_ = self.place(expr)
        assert isinstance(type_, Scalar)
        return self._read(place, type_, expr.coord)

    def _called(self, expr: syntax.Expr, args: Sequence[Association], wanted: Scalar) -> Value:
        one = self.names.subprogram(expr, args, wanted, function=True)
        assert isinstance(one.result, Scalar)
        return Value(self.call_function(one, expr, args), one.result.low, one.result.high)

    def _conversion(self, expr: syntax.Apply, mark: AdaType) -> Value:
        given = expr.args[0].value if len(expr.args) == 1 else None
        if not isinstance(mark, Scalar) or given is None:
            raise UnsupportedFeature(f"{expr.coord}: conversions to {mark.name} are not supported")
        source = self.names.types(given)
        type_ = mark if not source else self.names.type(given)
        if not isinstance(type_, Scalar) or (
            Class.ENUMERATION in (type_.base.kind, mark.base.kind) and type_.base is not mark.base
        ):
            raise InputError(f"{expr.coord}: {type_.name} cannot be converted to {mark.name}")
        value = self.in_range(self.value(given, type_), mark, show(given), expr.coord)
        return Value(make.cast(value.expr, mark.ir), value.low, value.high)

    def _unary(self, expr: syntax.Expr, op: str, arg: syntax.Expr, wanted: Scalar) -> Value:
        base, value = wanted.base, self.value(arg, wanted)
        if base.kind is Class.MODULAR:
            if op == "-":
                return arithmetic.modular(Op.SUB, base, constant(0, base.ir), value)
            if op == "not":
                rest = make.binary(Op.SUB, make.const(base.high, base.ir), value.expr)
                return Value(rest, 0, base.high)
            return value
        if op == "+":
            return value
        if base.kind is not Class.SIGNED or op == "not":
            raise InputError(f"{expr.coord}: {wanted.name} has no operator '{op}'")
        made = arithmetic.negated if op == "-" else arithmetic.absolute
        result, bad = made(base, value)
        self._overflow(bad, expr)
        return result

    def _overflow(self, bad: Expr, expr: syntax.Expr) -> None:
        self.frame.check(bad, f"overflow check: {show(expr)}", OVERFLOW, expr.coord)

    def _binary(
        self, expr: syntax.Expr, op: str, left: syntax.Expr, right: syntax.Expr, wanted: Scalar
    ) -> Value:
        base = wanted.base
        if base.kind is Class.ENUMERATION:
            raise InputError(f"{expr.coord}: {wanted.name} has no operator '{op}'")
        if op == "**":
            return self._power(expr, left, right, wanted)
        one, two = self.value(left, wanted), self.value(right, wanted)
        if op in _OPS:
            if base.kind is Class.MODULAR:
                return arithmetic.modular(_OPS[op], base, one, two)
            result, bad = arithmetic.signed(_OPS[op], base, one, two)
            self._overflow(bad, expr)
            return result
        if op in _BITS and base.kind is Class.MODULAR:
            found = make.binary(_BITS[op], one.expr, two.expr)
            if base.modulus & base.high:
                found = make.binary(Op.REM, found, make.const(base.modulus, base.ir))
            return Value(found, 0, base.high)
        if op not in ("/", "mod", "rem"):
            raise InputError(f"{expr.coord}: {wanted.name} has no operator '{op}'")
        if two.low <= 0 <= two.high:
            zero = make.equal(two.expr, make.const(0, two.type))
            self.frame.check(zero, f"division by zero: {show(expr)}", DIVISION, expr.coord)
        if op == "/":
            result, bad = arithmetic.quotient(base, one, two)
            self._overflow(bad, expr)
            return result
        return arithmetic.rest(one, two) if op == "rem" else arithmetic.modulo(one, two)

    def _power(
        self, expr: syntax.Expr, left: syntax.Expr, right: syntax.Expr, wanted: Scalar
    ) -> Value:
        exponent = self.names.static(right)
        if exponent is None or exponent > _LARGEST_EXPONENT:
            raise UnsupportedFeature(
                f"{right.coord}: exponents must be static and at most {_LARGEST_EXPONENT}"
            )
        if exponent < 0:
            raise InputError(f"{right.coord}: the exponent of an integer must not be negative")
        one = self.value(left, wanted)
        result = constant(1, wanted.ir)
        for _ in range(exponent):
            if wanted.base.kind is Class.MODULAR:
                result = arithmetic.modular(Op.MUL, wanted.base, result, one)
            else:
                result, bad = arithmetic.signed(Op.MUL, wanted.base, result, one)
                self._overflow(bad, expr)
        return result

    def _case(self, expr: syntax.Case, wanted: Scalar) -> Expr:
        """A case expression: the first arm that has the value, as they exclude each other."""
        subject = self.names.type(expr.subject)
        assert isinstance(subject, Scalar)
        value = self.value(expr.subject, subject)

        def arm(at: int) -> Expr:
            found = expr.arms[at].value
            assert found is not None
            if at + 1 == len(expr.arms):
                return self.value(found, wanted).expr
            cond = self.chosen(value, expr.arms[at], subject)
            return self._conditional(
                cond, lambda: self.value(found, wanted).expr, lambda: arm(at + 1), expr.coord
            )

        return arm(0)

    def chosen(self, value: Value, arm: Association, type_: Scalar) -> Expr:
        """Does a value have one of the choices of an arm?"""
        if arm.others:
            return TRUE
        ranges = [self.choice_range(choice, type_) for choice in arm.choices]
        parts = [
            make.equal(value.expr, make.const(one.low, value.type))
            if one.low == one.high
            else make.negate(outside(value, one.low, one.high))
            for one in ranges
        ]
        return make.disj(parts)

    def choice_range(self, choice: syntax.Expr, type_: Scalar) -> Scalar:
        if self.names.is_range(choice):
            return self.names.static_range(choice, type_)
        self.names.type(choice, type_)
        known = self.names.static(choice, type_)
        if known is None:
            raise InputError(f"{choice.coord}: a choice must be static")
        return type_.within(known, known)

    # --- attributes -----------------------------------------------------------------------------

    def _attribute(self, expr: syntax.Attribute, wanted: Scalar) -> Value:
        match expr.name:
            case "old":
                if expr not in self.saved:
                    raise InputError(f"{expr.coord}: 'Old belongs to postconditions")
                type_ = self.names.type(expr.prefix, wanted)
                assert isinstance(type_, Scalar)
                return self._read(self.saved[expr], type_, expr.coord)
            case "loop_entry":
                type_ = self.names.type(expr.prefix, wanted)
                assert isinstance(type_, Scalar)
                return self._read(self.at_loop_entry(expr), type_, expr.coord)
            case "result":
                type_ = self.names.type(expr)
                assert self.result is not None and isinstance(type_, Scalar)
                return Value(self.result, type_.low, type_.high)
            case "pos" | "val" | "succ" | "pred" | "min" | "max":
                return self._of_type(expr, wanted)
        raise UnsupportedFeature(f"{expr.coord}: {show(expr)} is not supported")

    def _of_type(self, expr: syntax.Attribute, wanted: Scalar) -> Value:
        type_ = self.names.wanted_type(expr.prefix)
        if not isinstance(type_, Scalar) or not expr.args:
            raise InputError(f"{expr.coord}: {show(expr)} has no value")
        if expr.name in ("min", "max"):
            one, two = (self.value(arg, type_) for arg in expr.args)
            first = make.less_equal(
                *((one.expr, two.expr) if expr.name == "min" else (two.expr, one.expr))
            )
            found = make.ite(first, one.expr, two.expr)
            return Value(found, min(one.low, two.low), max(one.high, two.high))
        if expr.name == "pos":
            value = self.value(expr.args[0], type_)
            return Value(make.cast(value.expr, wanted.ir), value.low, value.high)
        if expr.name == "val":
            source = self.names.type(expr.args[0])
            assert isinstance(source, Scalar)
            value = self.in_range(
                self.value(expr.args[0], source),
                type_.within(type_.base.low, type_.base.high),
                show(expr.args[0]),
                expr.coord,
            )
            return Value(make.cast(value.expr, type_.ir), value.low, value.high)
        value = self.value(expr.args[0], type_)
        if type_.base.kind is Class.MODULAR:
            step = constant(1, type_.ir)
            return arithmetic.modular(
                Op.ADD if expr.name == "succ" else Op.SUB, type_.base, value, step
            )
        low, high = type_.base.low, type_.base.high
        if expr.name == "succ":
            bad = outside(value, low, high - 1)
            found = make.binary(Op.ADD, value.expr, make.const(1, type_.ir))
            bounds = value.low + 1, value.high + 1
        else:
            bad = outside(value, low + 1, high)
            found = make.binary(Op.SUB, value.expr, make.const(1, type_.ir))
            bounds = value.low - 1, value.high - 1
        check = RANGE if type_.base.kind is Class.ENUMERATION else OVERFLOW
        self.frame.check(bad, f"{check.split('-')[-1]} check: {show(expr)}", check, expr.coord)
        return Value(found, max(bounds[0], low), min(bounds[1], high))
