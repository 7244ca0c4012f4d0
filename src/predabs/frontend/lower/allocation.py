"""New objects of a size that the program computes: what becomes of a request that is too large.

No object is larger than half of the address space (`PTRDIFF_MAX`), as with every C library: malloc
and calloc give null then, and calloc also if its product wraps around. An array of variable length,
or alloca, has no such exit: C leaves it undefined, so the run ends there. That there is room for
all that lives at one time is noted among the assumptions.

Soundness duty: on every path on which an `Alloc` is executed its size is at most `PTRDIFF_MAX`,
and no run is left out but those that are noted.
"""

from __future__ import annotations

from ...ir import make
from ...ir.cfa import Coord
from ...ir.expr import FALSE, TRUE, Binary, Cast, Const, Expr, Op, Var
from ...ir.ops import VLA_BOUND, Alloc, AllocKind, Assign, Assume, Halt
from ...ir.types import DataModel, IntType, PointerType
from ...ir.walk import fold
from .cfa_builder import CfaBuilder
from .scopes import ProgramNames

ROOM = (
    "malloc fails only if asked for more than half of the address space, "
    "and what lives at one time has room there"
)
ON_STACK = "there is room on the stack for each array of variable length and each alloca"


def allocate(
    names: ProgramNames,
    graph: CfaBuilder,
    target: Var,
    factors: tuple[Expr, ...],
    kind: AllocKind,
    coord: Coord,
    *,
    size: Expr | None = None,
    zeroed: bool = False,
) -> None:
    """`target` gets the address of a new object, or null. Its size is the product of one or two
    factors of the size type; `size` is where that was computed already."""
    assert isinstance(target.type, PointerType)
    if size is None:
        size = factors[0] if len(factors) == 1 else make.binary(Op.MUL, *factors)
    large = too_large(names.data_model, factors)
    made = Alloc(target, size, kind, zeroed)
    if kind is AllocKind.STACK:
        names.assume(ON_STACK)
        if large is not FALSE:
            graph.end_if(large, Halt(VLA_BOUND, None), coord)
        graph.emit(made, coord)
        return
    names.assume(ROOM)
    null = Assign(target, make.const(0, target.type))
    if large is FALSE or large is TRUE:
        graph.emit(made if large is FALSE else null, coord)
        return
    here, graph.here = graph.here, None
    if here is None:
        return
    after = graph.fresh()
    for cond, op in ((make.negate(large), made), (large, null)):
        graph.here = graph.fresh()
        graph.add(here, Assume(cond), graph.here, coord)
        graph.jump(after, coord, op)
    graph.here = after


def too_large(model: DataModel, factors: tuple[Expr, ...]) -> Expr:
    """The condition under which the product, which does not wrap around here, is too large."""
    most = model.diff_type.high
    ranges = [_range(factor) for factor in factors]
    high = 1
    for _, factor_high in ranges:
        high *= factor_high
    if high <= most:
        return FALSE
    variable = [factor for factor in factors if not isinstance(factor, Const)]
    constant = 1
    for factor in factors:
        constant *= factor.value if isinstance(factor, Const) else 1
    if not variable:
        return make.truth(constant > most)
    if len(variable) == 1:
        bound = make.const(most // constant, model.size_type)
        return make.less(bound, variable[0])
    wide = IntType(2 * model.pointer_bits, False)
    product = make.binary(Op.MUL, *(make.cast(factor, wide) for factor in variable))
    return make.less(make.const(most, wide), product)


def _range(expr: Expr) -> tuple[int, int]:
    """Between which numbers an integer lies, as its types and constants tell."""
    found = fold(expr, _range_of)
    assert found is not None
    return found


def _range_of(expr: Expr, parts: tuple[tuple[int, int] | None, ...]) -> tuple[int, int] | None:
    """The range of an expression from those of its parts; None if it is no integer."""
    if not isinstance(expr.type, IntType):
        return None
    low, high = expr.type.low, expr.type.high
    match expr, parts:
        case Const(value, _), _:
            return value, value
        case Cast(), ((_, _) as found,):
            pass
        case Binary(Op.ADD | Op.MUL as op, _, _, _), ((a, b), (c, d)) if a >= 0 and c >= 0:
            found = (a + c, b + d) if op is Op.ADD else (a * c, b * d)
        case Binary(Op.REM, _, Const(value, _), _), _ if low == 0 and value > 0:
            found = 0, value - 1
        case Binary(Op.AND, _, Const(value, _), _), _ if low == 0:
            found = 0, value
        case _:
            return low, high
    return found if low <= found[0] and found[1] <= high else (low, high)
