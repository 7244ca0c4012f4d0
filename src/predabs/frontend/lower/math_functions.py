"""The functions of math.h that are operators of the IR, and the compiler's builtins for them.

What is here is exact, for float, double and long double (C11 7.12, F.10): absolute value and sign,
rounding to integers, square root, remainders, comparisons, kinds of numbers. `models.c` has what
can be written with these. Where C leaves a choice, such as which of two zeros fmax gives, it is
that of glibc on x86. fesetround and fegetround write and read a variable (`rounding_modes`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from ...errors import UnsupportedFeature
from ...ir import float_text, ieee754, make
from ...ir.expr import Expr, FloatConst, Op, UnaryOp, Var
from ...ir.ops import Assign
from ...ir.types import DOUBLE, FLOAT, INT, DataModel, FloatType, IntType
from .. import ast
from .expressions import LowerExpressions
from .rounding_modes import ROUNDING, ROUNDING_MODES

Handler = Callable[[LowerExpressions, ast.Call, Var | None, bool], Expr | None]

_UNARY = {
    "fabs": UnaryOp.ABS,
    "sqrt": UnaryOp.SQRT,
    "floor": UnaryOp.FLOOR,
    "ceil": UnaryOp.CEIL,
    "trunc": UnaryOp.TRUNC,
    "rint": UnaryOp.RINT,
    "nearbyint": UnaryOp.RINT,
    "round": UnaryOp.ROUND,
    "nextup": UnaryOp.NEXT_UP,
    "nextdown": UnaryOp.NEXT_DOWN,
}
_FROM_LIBRARY = {
    op.value: op
    for op in (
        *(UnaryOp.SIN, UnaryOp.COS, UnaryOp.TAN, UnaryOp.ASIN, UnaryOp.ACOS, UnaryOp.ATAN),
        *(UnaryOp.SINH, UnaryOp.COSH, UnaryOp.TANH, UnaryOp.EXP, UnaryOp.EXP2, UnaryOp.EXPM1),
        *(UnaryOp.LOG, UnaryOp.LOG2, UnaryOp.LOG10, UnaryOp.LOG1P, UnaryOp.CBRT),
    )
}
_REMAINDERS = (Op.FMOD, Op.REMAINDER)  # exact, but no formula has them
_TWO_FROM_LIBRARY = {op.value: op for op in (Op.POW, Op.ATAN2, Op.HYPOT, *_REMAINDERS)}


def _args(low: LowerExpressions, expr: ast.Call) -> list[Expr]:
    """The arguments, each in a variable if it is more than that: they are used several times."""
    return [low.saved(arg, expr.coord) for arg in low.operands(*expr.args)]


def _number(value: Expr, type_: FloatType | None, expr: ast.Call) -> Expr:
    if not isinstance(value.type, FloatType | IntType):
        raise UnsupportedFeature(f"{expr.coord}: a {value.type} is no number")
    if type_ is None:
        return value if isinstance(value.type, FloatType) else make.cast(value, DOUBLE)
    return make.cast(value, type_)


def _unary(
    op: UnaryOp,
    type_: FloatType | None,
    low: LowerExpressions,
    expr: ast.Call,
    target: Var | None,
    wanted: bool,
) -> Expr | None:
    """A function of one number whose result has the type that is called for."""
    value = _number(low.operands(*expr.args)[0], type_, expr)
    return make.cast(make.unary(op, value), expr.type)


def _inexact(
    op: UnaryOp,
    type_: FloatType | None,
    low: LowerExpressions,
    expr: ast.Call,
    target: Var | None,
    wanted: bool,
) -> Expr | None:
    """A function that the C library computes up to an error, on which bounds rest."""
    low.scope.names.assume(
        "results of exp, log, atan ... of the C library are at most 8 numbers from the true ones"
    )
    return _unary(op, type_, low, expr, target, wanted)


def _binary(
    op: Op,
    type_: FloatType | None,
    low: LowerExpressions,
    expr: ast.Call,
    target: Var | None,
    wanted: bool,
) -> Expr | None:
    left, right = (_number(arg, type_, expr) for arg in low.operands(*expr.args))
    return make.cast(make.binary(op, left, right), expr.type)


def _larger(
    least: bool,
    type_: FloatType | None,
    low: LowerExpressions,
    expr: ast.Call,
    target: Var | None,
    wanted: bool,
) -> Expr | None:
    """fmax and fmin: a NaN counts as missing."""
    left, right = (_number(arg, type_, expr) for arg in _args(low, expr))
    assert isinstance(left.type, FloatType)
    low.scope.names.assume("of two zeros fmax and fmin give the one that glibc gives on x86")
    first = not least if left.type.bits == 80 else low.model is DataModel.LP64
    smaller, larger = (left, right) if least else (right, left)
    keep = (make.less_equal if first else make.less)(smaller, larger)
    number = make.ite(make.disj((keep, _is_nan(right))), left, right)
    return make.cast(number, expr.type)


def _difference(
    what: None,
    type_: FloatType | None,
    low: LowerExpressions,
    expr: ast.Call,
    target: Var | None,
    wanted: bool,
) -> Expr | None:
    """fdim: what the first is larger than the second."""
    left, right = (_number(arg, type_, expr) for arg in _args(low, expr))
    assert isinstance(left.type, FloatType)
    none = make.float_const(0.0, left.type)
    result = make.ite(make.less_equal(left, right), none, make.binary(Op.SUB, left, right))
    return make.cast(result, expr.type)


# --- kinds of numbers and comparisons -------------------------------------------------------------


def _is_nan(value: Expr) -> Expr:
    return make.negate(make.equal(value, value))


def _size(value: Expr) -> Expr:
    return make.unary(UnaryOp.ABS, value)


def _special(value: Expr, bits: Callable[[ieee754.Format], int]) -> Expr:
    """A number of the value's type, by the bits that it has in its format."""
    assert isinstance(value.type, FloatType)
    form = ieee754.format_of(value.type)
    return FloatConst(float_text.show(form, bits(form)), value.type)


def _infinity(value: Expr) -> Expr:
    return _special(value, lambda form: form.infinity)


def _is_infinite(value: Expr) -> Expr:
    return make.equal(_size(value), _infinity(value))


def _is_finite(value: Expr) -> Expr:
    return make.less(_size(value), _infinity(value))


def _is_normal(value: Expr) -> Expr:
    least = _special(value, lambda form: 1 << (form.precision - 1))
    return make.conj((make.less_equal(least, _size(value)), _is_finite(value)))


def _sign_bit(value: Expr) -> Expr:
    assert isinstance(value.type, FloatType)
    one = make.float_const(1.0, value.type)
    return make.less(make.binary(Op.COPYSIGN, one, value), make.float_const(0.0, value.type))


def _test(
    condition: Callable[..., Expr],
    low: LowerExpressions,
    expr: ast.Call,
    target: Var | None,
    wanted: bool,
) -> Expr | None:
    values = [_number(arg, None, expr) for arg in _args(low, expr)]
    return make.cast(condition(*values), expr.type)


def _infinite_sign(value: Expr) -> Expr:
    """1 or -1 for an infinity, else 0."""
    zero = make.float_const(0.0, value.type) if isinstance(value.type, FloatType) else value
    sign = make.ite(make.less(zero, value), make.const(1, INT), make.const(-1, INT))
    return make.ite(_is_infinite(value), sign, make.const(0, INT))


def _kind(value: Expr, kinds: tuple[Expr, ...]) -> Expr:
    """One of: NaN, infinite, normal, subnormal, zero."""
    assert isinstance(value.type, FloatType)
    nan, infinite, normal, subnormal, zero = kinds
    is_zero = make.equal(value, make.float_const(0.0, value.type))
    kind = make.ite(_is_normal(value), normal, make.ite(is_zero, zero, subnormal))
    return make.ite(_is_nan(value), nan, make.ite(_is_infinite(value), infinite, kind))


def _classify(
    low: LowerExpressions, expr: ast.Call, target: Var | None, wanted: bool
) -> Expr | None:
    """__builtin_fpclassify: one of the first arguments, by the kind of the last."""
    *kinds, value = _args(low, expr)
    return make.cast(_kind(_number(value, None, expr), tuple(kinds)), expr.type)


def _glibc_kind(value: Expr) -> Expr:
    return _kind(value, tuple(make.const(n, INT) for n in (0, 1, 4, 3, 2)))


_COMPARISONS: dict[str, Callable[[Expr, Expr], Expr]] = {
    "isless": make.less,
    "islessequal": make.less_equal,
    "isgreater": lambda a, b: make.less(b, a),
    "isgreaterequal": lambda a, b: make.less_equal(b, a),
    "islessgreater": lambda a, b: make.disj((make.less(a, b), make.less(b, a))),
    "isunordered": lambda a, b: make.disj((_is_nan(a), _is_nan(b))),
}
_KINDS: dict[str, Callable[[Expr], Expr]] = {
    "isnan": _is_nan,
    "isinf": _is_infinite,
    "isinf_sign": _infinite_sign,
    "isfinite": _is_finite,
    "finite": _is_finite,
    "isnormal": _is_normal,
    "signbit": _sign_bit,
}


# --- rounding mode --------------------------------------------------------------------------------


def _set_rounding(
    low: LowerExpressions, expr: ast.Call, target: Var | None, wanted: bool
) -> Expr | None:
    """The mode is what is asked for, if there is such a mode; 0 if there is."""
    low.scope.names.has_rounding_mode = True
    asked = low.saved(make.cast(low.operands(*expr.args)[0], INT), expr.coord)
    valid = make.disj(make.equal(asked, make.const(mode, INT)) for mode in ROUNDING_MODES)
    low.graph.emit(Assign(ROUNDING, make.ite(valid, asked, ROUNDING)), expr.coord)
    return make.ite(valid, make.const(0, INT), make.const(1, INT))


def _get_rounding(
    low: LowerExpressions, expr: ast.Call, target: Var | None, wanted: bool
) -> Expr | None:
    low.scope.names.has_rounding_mode = True
    low.operands(*expr.args)
    return ROUNDING


_SUFFIXES: tuple[tuple[str, FloatType | None], ...] = (("", DOUBLE), ("f", FLOAT), ("l", None))
"""The functions for double, float and long double; the last is what its argument is."""


def _family(handler: Callable[..., Expr | None], names: Mapping[str, object]) -> dict[str, Handler]:
    """Handlers of the functions with these names, and of those for the other types."""
    return {
        name + suffix: partial(handler, what, type_)
        for name, what in names.items()
        for suffix, type_ in _SUFFIXES
    }


def _tests(conditions: Mapping[str, Callable[..., Expr]]) -> dict[str, Handler]:
    return {
        name + suffix: partial(_test, condition)
        for name, condition in conditions.items()
        for suffix, _ in _SUFFIXES
    }


_TO_INTEGERS = {
    "lrint": UnaryOp.RINT,
    "llrint": UnaryOp.RINT,
    "lround": UnaryOp.ROUND,
    "llround": UnaryOp.ROUND,
}

LIBRARY: dict[str, Handler] = {
    **_family(_unary, _UNARY | _TO_INTEGERS),
    **_family(_binary, {"copysign": Op.COPYSIGN}),
    **_family(_larger, {"fmax": False, "fmin": True}),
    **_family(_difference, {"fdim": None}),
    **_tests(
        {
            "__isnan": _is_nan,
            "__isinf": _infinite_sign,
            "__finite": _is_finite,
            "__signbit": _sign_bit,
            "__fpclassify": _glibc_kind,
        }
    ),
    # for the models of the functions, which say what is known of the results
    **_family(_inexact, {f"__libm_{name}": op for name, op in _FROM_LIBRARY.items()}),
    **_family(_binary, {f"__libm_{name}": op for name, op in _TWO_FROM_LIBRARY.items()}),
    "fesetround": _set_rounding,
    "fegetround": _get_rounding,
}
BUILTIN: dict[str, Handler] = {
    **{name: partial(_test, test) for name, test in _COMPARISONS.items()},
    **_tests(_KINDS),
    "fpclassify": _classify,
}
