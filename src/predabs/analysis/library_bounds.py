"""What functions of math.h give beside their models' ranges: monotonicity, and bounds at constants.

A formula has any number for `exp(x)`. Here assumptions follow the operation in the function's
model. *At constants*: for constants c of the program, `x >= c` gives `exp(x) >= exp(c)`, and
`x <= c` gives `exp(x) <= exp(c)`. *Monotonicity*: of the last applications of the function in a
run, which ghost variables keep, those at smaller arguments have no larger results. Both hold up to
16 numbers: the C library does not round correctly, so its functions need not be monotone, but the
true ones are, and each result is as near to the true one as glibc's manual admits (a few numbers).

Soundness duty: each assumption holds in every run if the C library keeps to that; the program's own
variables are untouched.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import inf

from ..ir import float_text, ieee754, make
from ..ir.cfa import Edge, Function, Global, Location, Program
from ..ir.def_use import op_values
from ..ir.expansion import expanded
from ..ir.expr import Const, Expr, FloatConst, FunctionAddress, Unary, UnaryOp, Var
from ..ir.ieee754 import DOUBLE, format_of
from ..ir.ops import Assign, Assume, Call, Operation
from ..ir.order import strong_components
from ..ir.types import FloatType, IntType
from ..ir.walk import subterms
from ..records import dataclass, replace
from .intervals import float_bounds
from .intervals.float_bounds import ERROR, number, rank

_RISING = frozenset(
    {
        *(UnaryOp.EXP, UnaryOp.EXP2, UnaryOp.EXPM1, UnaryOp.SINH, UnaryOp.TANH, UnaryOp.ATAN),
        *(UnaryOp.CBRT, UnaryOp.ASIN),
        *(UnaryOp.LOG, UnaryOp.LOG2, UnaryOp.LOG10, UnaryOp.LOG1P),
    }
)
_FALLING = frozenset({UnaryOp.ACOS})
_MOST_CONSTANTS = 12
_LARGEST = 1000  # integer that is taken for a constant
_MOST_KEPT = 2  # applications
# an argument and its result, to begin with: they are exact
_KNOWN = {
    **dict.fromkeys((UnaryOp.EXP, UnaryOp.EXP2), (0.0, 1.0)),
    **dict.fromkeys((UnaryOp.LOG, UnaryOp.LOG2, UnaryOp.LOG10, UnaryOp.ACOS), (1.0, 0.0)),
}


@dataclass(frozen=True, slots=True)
class _Application:
    """Where a model calls the library: `result = op(argument)`."""

    edge: Edge
    op: UnaryOp
    type: FloatType
    argument: Var
    result: Var


def with_library_bounds(program: Program) -> Program:
    """The program with these assumptions; the same one if it calls no such function."""
    found = {
        name: application
        for name, function in program.functions.items()
        if (application := _application(function)) is not None
    }
    if not found:
        return program
    functions, ghosts = dict(program.functions), list(program.globals)
    others = [function for name, function in program.functions.items() if name not in found]
    constants = _constants(others)
    calls = _calls(others)
    for name, application in found.items():
        kept = _ghosts(name, application, min(calls.get(name, 0) - 1, _MOST_KEPT))
        ops = _bounded_at(application, constants) + _monotone(application, kept)
        if ops:
            chain = (application.edge.op, *ops)
            functions[name] = expanded(functions[name], {application.edge: chain})
        ghosts += _globals(application, kept)
    return replace(program, functions=functions, globals=tuple(ghosts))


def _application(function: Function) -> _Application | None:
    for edge in function.edges:
        match edge.op:
            case Assign(Var() as result, Unary(op, Var() as argument, FloatType() as type_)):
                if op in _RISING or op in _FALLING:
                    return _Application(edge, op, type_, argument, result)
    return None


# --- at constants ---------------------------------------------------------------------------------


def _constants(functions: Iterable[Function]) -> tuple[float, ...]:
    """Constants of a program, those of its conditions first."""
    values = [value for function in functions for edge in function.edges for value in _read(edge)]
    found: dict[float, None] = {}
    for _, value in sorted(values, key=lambda pair: not pair[0]):
        for term in subterms(value):
            match term:
                case FloatConst(text, type_) if type_.bits <= float_bounds.BITS:
                    form = format_of(type_)
                    bits = ieee754.convert(form, DOUBLE, float_text.parse(text, form))
                    value_ = ieee754.to_float(bits)
                    if value_ - value_ == 0:
                        found[value_] = None
                case Const(number_, IntType()) if abs(number_) <= _LARGEST:
                    found[float(number_)] = None
    return tuple(found)[:_MOST_CONSTANTS]


def _read(edge: Edge) -> Iterator[tuple[bool, Expr]]:
    """The values of an operation, and whether it is a condition."""
    for value in op_values(edge.op):
        yield isinstance(edge.op, Assume), value


def _bounded_at(application: _Application, constants: Iterable[float]) -> list[Operation]:
    parts: list[Expr] = []
    falls = application.op in _FALLING
    x, y, type_ = application.argument, application.result, application.type
    for constant in constants:
        at = rank(constant)
        form = format_of(type_)
        exact = ieee754.convert(DOUBLE, form, ieee754.from_float(constant))
        if ieee754.to_float(ieee754.convert(form, DOUBLE, exact)) != constant:
            continue
        bounds = float_bounds.unary(application.op, type_, (at, at))
        if bounds is None:
            continue
        here = make.float_const(constant, type_)
        low, high = (make.float_const(number(bound), type_) for bound in bounds)
        above, below = make.less_equal(here, x), make.less_equal(x, here)
        if number(bounds[0]) > -inf:
            parts.append(_implies(below if falls else above, make.negate(make.less(y, low))))
        if number(bounds[1]) < inf:
            parts.append(_implies(above if falls else below, make.negate(make.less(high, y))))
    return [Assume(make.conj(parts))] if parts else []


def _implies(one: Expr, two: Expr) -> Expr:
    return make.disj((make.negate(one), two))


# --- monotonicity ---------------------------------------------------------------------------------


def _calls(functions: Iterable[Function]) -> dict[str, int]:
    """How often each function is called, in the text; a loop counts twice."""
    found: dict[str, int] = {}
    for function in functions:
        cyclic = _cyclic(function)
        for edge in function.edges:
            if isinstance(edge.op, Call) and isinstance(edge.op.callee, FunctionAddress):
                name = edge.op.callee.name
                found[name] = found.get(name, 0) + (2 if edge.src in cyclic else 1)
    return found


def _cyclic(function: Function) -> frozenset[Location]:
    """The locations on loops."""
    graph = {at: [edge.dst for edge in edges] for at, edges in function.outgoing.items()}
    return frozenset(
        at for component in strong_components(graph) if len(component) > 1 for at in component
    )


def _ghosts(name: str, application: _Application, count: int) -> list[tuple[Var, Var]]:
    """The arguments and results of the last applications, the last one first."""
    type_ = application.type
    return [
        (Var(f"{name}.argument.{number_}", type_), Var(f"{name}.result.{number_}", type_))
        for number_ in range(1, count + 1)
    ]


def _globals(application: _Application, kept: Iterable[tuple[Var, Var]]) -> Iterator[Global]:
    begin = _KNOWN.get(application.op, (0.0, 0.0))
    for pair in kept:
        for var, value in zip(pair, begin, strict=True):
            init = Assign(var, make.float_const(value, application.type))
            yield Global(var, (init,), False, application.edge.coord)


def _monotone(application: _Application, kept: list[tuple[Var, Var]]) -> list[Operation]:
    """Compare with the applications that are kept, and keep this one."""
    x, y = application.argument, application.result
    falls = application.op in _FALLING
    parts: list[Expr] = []
    for argument, result in kept:
        low, high = (x, argument) if falls else (argument, x)
        parts.append(_implies(make.less_equal(low, high), _not_above(result, y)))
        parts.append(_implies(make.less_equal(high, low), _not_above(y, result)))
    moved: list[Operation] = []
    for older, newer in reversed(list(zip(kept[1:], kept, strict=False))):
        moved += [Assign(one, two) for one, two in zip(older, newer, strict=True)]
    if kept:
        moved += [Assign(kept[0][0], x), Assign(kept[0][1], y)]
    return [Assume(make.conj(parts)), *moved] if kept else []


def _not_above(one: Expr, two: Expr) -> Expr:
    """`one <= two`, up to the errors of both, or there is a NaN."""
    limit = two
    for _ in range(ERROR):
        limit = make.unary(UnaryOp.NEXT_UP, limit)
    return make.negate(make.less(limit, one))
