"""Evaluate static expressions exactly (Ada RM 4.9)."""

from __future__ import annotations

from ...errors import InputError
from ...ir.arith import divide, remainder
from . import syntax
from .entities import Literal, Number, Object
from .syntax import Association, Expr
from .type_resolution import RELATIONS, TypeResolution
from .types import (
    BOOLEAN,
    INTEGER,
    AdaType,
    Class,
    Scalar,
    length,
    same_type,
)

_LARGEST_POWER = 4096


class Resolver(TypeResolution):
    """Reads expressions in one scope: names, types, and static values."""

    # --- static expressions ---------------------------------------------------------------------

    def static(self, expr: Expr, wanted: AdaType | None = None) -> int | None:
        """The value of a static scalar expression, of a literal its position; None for others."""
        match expr:
            case syntax.Integer(_, value):
                return value
            case syntax.Character(_, text):
                return ord(text) if ord(text) < 256 else None
            case syntax.Name() | syntax.Select():
                return self._static_name(expr, wanted)
            case syntax.Unary(_, op, arg):
                operand = self.static(arg, wanted)
                return None if operand is None else self._static_unary(expr, op, operand, wanted)
            case syntax.Binary(_, op, left, right):
                return self._static_binary(expr, op, left, right, wanted)
            case syntax.Attribute():
                return self._static_attribute(expr)
            case syntax.Qualified(_, mark, inner_expr):
                type_ = self.wanted_type(mark)
                held = self.static(inner_expr, type_) if isinstance(type_, Scalar) else None
                return held if held is not None and _inside(held, type_) else None
            case syntax.Apply(_, prefix, (Association(_, (), False, syntax_value),)):
                mark_type = self.type_mark(prefix)
                if isinstance(mark_type, Scalar) and syntax_value is not None:
                    held = self.static(syntax_value)
                    return held if held is not None and _inside(held, mark_type) else None
        return None

    def _static_name(self, expr: syntax.Name | syntax.Select, wanted: AdaType | None) -> int | None:
        try:
            found = self.entities(expr)
        except InputError:
            if isinstance(expr, syntax.Select):
                return None
            raise
        literals = [one for one in found if isinstance(one, Literal)]
        if literals and wanted is not None:
            literals = [one for one in literals if same_type(one.type, wanted)] or literals
        for entity in [*literals, *found]:
            match entity:
                case Number(_, value) | Literal(_, _, value):
                    return value
                case Object(value=known):
                    return known
        return None

    def _static_type(self, expr: Expr, wanted: AdaType | None) -> Scalar | None:
        possible = [one for one in self.types(expr) if isinstance(one, Scalar)]
        if isinstance(wanted, Scalar) and any(self._fits(one, wanted) for one in possible):
            return wanted
        return possible[0] if possible else None

    def _static_unary(self, expr: Expr, op: str, arg: int, wanted: AdaType | None) -> int | None:
        type_ = self._static_type(expr, wanted)
        if type_ is None:
            return None
        if op == "not":
            if type_.base is BOOLEAN.base:
                return 1 - arg
            return type_.base.high - arg if type_.base.kind is Class.MODULAR else None
        value = {"-": -arg, "+": arg, "abs": abs(arg)}[op]
        return value % type_.base.modulus if type_.base.kind is Class.MODULAR else value

    def _static_binary(
        self, expr: Expr, op: str, left: Expr, right: Expr, wanted: AdaType | None
    ) -> int | None:
        if op in RELATIONS:
            possible = self.meet(self.types(left), self.types(right))
            type_ = possible[0] if possible else None
            if not isinstance(type_, Scalar):
                return None
            first, second = self.static(left, type_), self.static(right, type_)
            if first is None or second is None:
                return None
            return int(_RELATION[op](first, second))
        scalar = BOOLEAN if op in ("and then", "or else", "->", "<->") else None
        scalar = scalar or self._static_type(expr, wanted)
        if scalar is None:
            return None
        one = self.static(left, scalar)
        two = self.static(right, INTEGER if op == "**" else scalar)
        if one is None or two is None:
            return None
        if scalar.base is BOOLEAN.base:
            return _TRUTH[op](one, two) if op in _TRUTH else None
        value = self._arithmetic(expr, op, one, two)
        if value is not None and scalar.base.kind is Class.MODULAR:
            return value % scalar.base.modulus
        return value

    def _arithmetic(self, expr: Expr, op: str, left: int, right: int) -> int | None:
        if op in ("/", "mod", "rem") and right == 0:
            raise InputError(f"{expr.coord}: division by zero in a static expression")
        match op:
            case "+":
                return left + right
            case "-":
                return left - right
            case "*":
                return left * right
            case "/":
                return divide(left, right)
            case "mod":
                return left % right
            case "rem":
                return remainder(left, right)
            case "**":
                if not 0 <= right <= _LARGEST_POWER:
                    raise InputError(f"{expr.coord}: no exponent of a static expression: {right}")
                return int(left**right)
            case "and":
                return left & right
            case "or":
                return left | right
            case "xor":
                return left ^ right
        return None

    def _static_attribute(self, expr: syntax.Attribute) -> int | None:
        match expr.name:
            case "first":
                return self.index_of(expr.prefix, expr.args).low
            case "last":
                return self.index_of(expr.prefix, expr.args).high
            case "length":
                return length(self.index_of(expr.prefix, expr.args))
            case "modulus":
                type_ = self.wanted_type(expr.prefix)
                if isinstance(type_, Scalar) and type_.base.kind is Class.MODULAR:
                    return type_.base.modulus
                raise InputError(f"{expr.coord}: {type_.name} is no modular type")
            case "pos" | "val" | "succ" | "pred" | "min" | "max":
                type_ = self.wanted_type(expr.prefix)
                if not isinstance(type_, Scalar):
                    raise InputError(f"{expr.coord}: {type_.name} is no scalar type")
                args = [
                    self.static(arg, None if expr.name == "val" else type_) for arg in expr.args
                ]
                values = [arg for arg in args if arg is not None]
                if len(values) != len(args) or not values:
                    return None
                return _of_values(expr.name, values, type_)
        return None


def _of_values(name: str, values: list[int], type_: Scalar) -> int | None:
    match name:
        case "succ":
            value = values[0] + 1
        case "pred":
            value = values[0] - 1
        case "min":
            return min(values)
        case "max":
            return max(values)
        case _:
            value = values[0]
    return value if type_.base.low <= value <= type_.base.high else None


def _inside(value: int, type_: AdaType) -> bool:
    return isinstance(type_, Scalar) and type_.low <= value <= type_.high


_RELATION = {
    "=": lambda one, two: one == two,
    "/=": lambda one, two: one != two,
    "<": lambda one, two: one < two,
    "<=": lambda one, two: one <= two,
    ">": lambda one, two: one > two,
    ">=": lambda one, two: one >= two,
}
_TRUTH = {
    "and": lambda one, two: one & two,
    "and then": lambda one, two: one & two,
    "or": lambda one, two: one | two,
    "or else": lambda one, two: one | two,
    "xor": lambda one, two: one ^ two,
    "->": lambda one, two: (1 - one) | two,
    "<->": lambda one, two: 1 - (one ^ two),
}
