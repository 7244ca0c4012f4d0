"""fesetround: the rounding mode as a variable of the run (C11 7.6.3, F.4; x86's modes).

In a program that may set another mode than to nearest, each operation that rounds becomes a choice
of four operators by that variable; all others keep their operators, and pay nothing. A constant is
rounded to nearest, by the compiler. Soundness duty: an operation is rounded as the mode says that
is set when it is evaluated; what a function of the library rounds by itself is refused where a run
comes to it with another mode.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...errors import UnsupportedFeature
from ...ir import make
from ...ir.cfa import Coord, Edge, Function, Global, Location, Program
from ...ir.def_use import map_op, op_values
from ...ir.expr import Binary, Cast, Const, Expr, FunctionAddress, Op, Unary, UnaryOp, Var
from ...ir.ieee754 import format_of
from ...ir.ops import Assign, Assume, Call, Error, ErrorKind, Skip
from ...ir.types import INT, FloatType, IntType
from ...ir.walk import Folding, rebuild, substitute, subterms
from ...records import replace
from .scopes import MODELS

ROUNDING = Var("rounding.mode", INT)
NEAREST, DOWNWARD, UPWARD, TOWARD_ZERO = 0, 0x400, 0x800, 0xC00
ROUNDING_MODES = (NEAREST, DOWNWARD, UPWARD, TOWARD_ZERO)

_ARITHMETIC = {op: op.name for op in (Op.ADD, Op.SUB, Op.MUL, Op.DIV)}
_INTEGRAL = {UPWARD: UnaryOp.CEIL, DOWNWARD: UnaryOp.FLOOR, TOWARD_ZERO: UnaryOp.TRUNC}
_DIRECTIONS = {UPWARD: "UP", DOWNWARD: "DOWN", TOWARD_ZERO: "ZERO"}
_WIDEST = 64  # bits of integers that a long double has exactly


def with_rounding_mode(program: Program) -> Program:
    """The program with the mode as a variable, if it can ever be another than to nearest."""
    if all(_sets_nearest(edge) for edge in _edges(program)):
        return _without(program)
    rounded, models = Folding(_rounded), _rounding_models(program)
    functions = {
        name: _guarded(function, models)
        if function.coord.file == MODELS
        else _changed(function, rounded, models)
        for name, function in program.functions.items()
    }
    coord = program.functions[program.entry].coord if program.entry in functions else None
    coord = coord or next(iter(functions.values())).coord
    mode = Global(ROUNDING, (Assign(ROUNDING, make.const(NEAREST, INT)),), False, coord)
    return replace(program, functions=functions, globals=(*program.globals, mode))


def _edges(program: Program) -> list[Edge]:
    return [edge for function in program.functions.values() for edge in function.edges]


def _sets_nearest(edge: Edge) -> bool:
    """Does the operation leave the mode to nearest?"""
    op = edge.op
    if not isinstance(op, Assign) or op.target is not ROUNDING:
        return True
    return isinstance(op.value, Const) and op.value.value == NEAREST


def _without(program: Program) -> Program:
    """The program without the variable."""
    nearest: dict[Expr, Expr] = {ROUNDING: make.const(NEAREST, INT)}

    def plain(edge: Edge) -> Edge:
        if isinstance(edge.op, Assign) and edge.op.target is ROUNDING:
            return replace(edge, op=Skip())
        if not any(term is ROUNDING for value in op_values(edge.op) for term in subterms(value)):
            return edge
        return replace(edge, op=map_op(edge.op, lambda term: substitute(term, nearest)))

    return replace(
        program,
        functions={
            name: replace(function, edges=tuple(map(plain, function.edges)))
            for name, function in program.functions.items()
        },
    )


def _changed(function: Function, rounded: Folding[Expr], models: frozenset[str]) -> Function:
    edges: list[Edge] = []
    fresh = _fresh(function)
    for edge in function.edges:
        new = replace(edge, op=map_op(edge.op, rounded))
        if _called(edge) in models:
            nearest = next(fresh)
            edges += _refusal(edge.src, nearest, edge.coord, _called(edge), fresh)
            new = replace(new, src=nearest)
        edges.append(new)
    return replace(function, edges=tuple(edges))


def _rounded(term: Expr, parts: tuple[Expr, ...]) -> Expr:
    """The term with operations that round as the mode says."""
    new = rebuild(term, parts)
    match new:
        case Binary(op, left, right, FloatType()) if op in _ARITHMETIC:
            return _by_mode(
                new,
                {
                    mode: Binary(Op[f"{op.name}_{name}"], left, right, new.type)
                    for mode, name in _DIRECTIONS.items()
                },
            )
        case Unary(UnaryOp.SQRT, arg, FloatType()):
            return _by_mode(
                new,
                {
                    mode: Unary(UnaryOp[f"SQRT_{name}"], arg, new.type)
                    for mode, name in _DIRECTIONS.items()
                },
            )
        case Unary(UnaryOp.RINT, arg, FloatType()):
            return _by_mode(new, {mode: Unary(op, arg, new.type) for mode, op in _INTEGRAL.items()})
        case Cast(arg, FloatType() as target) if not _is_exact(arg, target):
            return _converted(new, arg, target)
    return new


def _by_mode(nearest: Expr, others: dict[int, Expr]) -> Expr:
    chosen = others[TOWARD_ZERO]
    for mode, value in ((DOWNWARD, others[DOWNWARD]), (UPWARD, others[UPWARD]), (NEAREST, nearest)):
        chosen = make.ite(make.equal(ROUNDING, make.const(mode, INT)), value, chosen)
    return chosen


def _is_exact(arg: Expr, target: FloatType) -> bool:
    """Does every value of the argument fit the type?"""
    digits = format_of(target).precision
    match arg.type:
        case FloatType(bits, _):
            return bits <= target.bits
        case IntType(bits, signed):
            return bits - signed <= digits
    return True


def _converted(nearest: Expr, arg: Expr, target: FloatType) -> Expr:
    """The nearest number, or the one beside it if that is on the wrong side of the argument."""
    wide = FloatType(80, 16)
    if isinstance(arg.type, FloatType):
        wide = arg.type
    elif isinstance(arg.type, IntType) and arg.type.bits > _WIDEST:
        raise UnsupportedFeature(
            f"a conversion of {arg.type} to {target} in a program with other rounding modes"
        )
    exact, back = make.cast(arg, wide), make.cast(nearest, wide)
    above, below = (
        Unary(UnaryOp.NEXT_UP, nearest, target),
        Unary(UnaryOp.NEXT_DOWN, nearest, target),
    )
    up = make.ite(make.less(back, exact), above, nearest)
    down = make.ite(make.less(exact, back), below, nearest)
    positive = make.less(make.float_const(0.0, wide), exact)
    to_zero = make.ite(positive, down, up)
    return _by_mode(nearest, {UPWARD: up, DOWNWARD: down, TOWARD_ZERO: to_zero})


# --- models of library functions ------------------------------------------------------------------


def _rounding_models(program: Program) -> frozenset[str]:
    """The models that round, or call one that does."""
    models = [f for f in program.functions.values() if f.coord.file == MODELS]
    found: set[str] = set()
    while True:
        more = {
            function.name
            for function in models
            if function.name not in found
            and function.name not in _EXACT_MODELS
            and any(_rounds(edge) or _called(edge) in found for edge in function.edges)
        }
        if not more:
            return frozenset(found)
        found |= more


def _called(edge: Edge) -> str:
    """The function that is called by its name, if any."""
    match edge.op:
        case Call(_, FunctionAddress(name, _), _):
            return name
    return ""


def _guarded(function: Function, models: frozenset[str]) -> Function:
    """A model that rounds: it is entered with the mode to nearest only, also through a pointer."""
    if function.name not in models:
        return function
    fresh = _fresh(function)
    entry = next(fresh)
    refusal = _refusal(entry, function.entry, function.coord, function.name, fresh)
    return replace(function, edges=(*refusal, *function.edges), entry=entry)


def _refusal(
    src: Location, nearest: Location, coord: Coord, name: str, fresh: Iterator[Location]
) -> list[Edge]:
    """From a location to another one if the mode is to nearest; else nothing is known."""
    test = make.equal(ROUNDING, make.const(NEAREST, INT))
    refused, end = next(fresh), next(fresh)
    error = Error(ErrorKind.UNSUPPORTED, f"{name}: with another rounding mode it is not supported")
    return [
        Edge(src, Assume(test), nearest, coord),
        Edge(src, Assume(make.negate(test)), refused, coord),
        Edge(refused, error, end, coord),
    ]


def _fresh(function: Function) -> Iterator[Location]:
    index = 1 + max(location.index for location in function.locations)
    while True:
        yield Location(function.name, index)
        index += 1


def _rounds(edge: Edge) -> bool:
    for value in op_values(edge.op):
        for term in subterms(value):
            match term:
                case Binary(op, _, _, FloatType()) if op in _ARITHMETIC or op in _LIBRARY:
                    return True
                case Unary(op, _, FloatType()) if op not in _EXACT:
                    return True
                case Cast(arg, FloatType() as target) if not _is_exact(arg, target):
                    return True
    return False


# what is said there of exact results holds with every mode
_EXACT_MODELS = [f + type_ for f in ("fmod", "remainder", "drem") for type_ in ("", "f", "l")]
_LIBRARY = (Op.POW, Op.ATAN2, Op.HYPOT)
_EXACT = (
    *(UnaryOp.NEG, UnaryOp.ABS, UnaryOp.FLOOR, UnaryOp.CEIL, UnaryOp.TRUNC, UnaryOp.ROUND),
    *(UnaryOp.NEXT_UP, UnaryOp.NEXT_DOWN),
)
