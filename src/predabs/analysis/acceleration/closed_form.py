"""What many rounds along a path do, in closed form.

After k rounds a counter x has become x + k * d, and what else is assigned is what the last round
assigned. An element of an array that is written in each round has its index from a counter, so that
the rounds write different elements.

Soundness duty: the operations have the effect of that many rounds, where the conditions of `Round`
hold in each of them.
"""

from __future__ import annotations

from collections.abc import Collection

from ...ir import make
from ...ir.cfa import Edge, Function, Program
from ...ir.expr import (
    TRUE,
    And,
    Binary,
    Cast,
    Const,
    Expr,
    Op,
    Var,
)
from ...ir.ops import Assign, Assume, Operation, Sweep
from ...ir.types import IntType, is_scalar
from ...ir.walk import as_lvalue, substitute, variables
from .elements import Element, element, is_plain, read_elements
from .rounds import Counting, Round, Write


def round_of(
    program: Program, function: Function, path: list[Edge], taken: Collection[Var]
) -> Round | None:
    """The effect of a path in terms of the values at its start; None if it has no closed form that
    is known. The address of the variables in `taken` is a value somewhere."""
    if not all(_is_decided(function.outgoing[edge.src]) for edge in path):
        return None  # the run could have gone elsewhere
    values: dict[Expr, Expr] = {}
    guards: dict[Expr, None] = {}
    stored: list[tuple[Expr, Expr]] = []
    for edge in path:
        match edge.op:
            case Assume(cond):
                cond = substitute(cond, values)
                guards.update(dict.fromkeys(cond.args if isinstance(cond, And) else (cond,)))
            case Assign(Var() as var, value):
                if var in taken:
                    return None
                values[var] = substitute(value, values)
            case Assign(target, value):
                stored.append((substitute(target, values), substitute(value, values)))
    guards.pop(TRUE, None)
    written = {var: value for var, value in values.items() if isinstance(var, Var)}
    steps: dict[Var, int] = {}
    others: dict[Var, Expr] = {}
    for var, value in written.items():
        step = _step(var, value)
        if step is None:
            others[var] = value
        elif step:
            steps[var] = step
    used = [*guards, *others.values()]
    if not steps or not all(map(is_plain, used)):
        return None
    writes = _writes(program, stored, steps)
    if writes is None:
        return None
    mentioned = [*used, *(part for write in writes for part in (write.target, write.value))]
    names = {var for term in mentioned for var in variables(term) if is_scalar(var.type)}
    if not names.isdisjoint(others):
        return None  # a value of the round before counts
    if any(write.anywhere for write in writes) and not names.isdisjoint(taken):
        return None  # it may be written through the pointer
    return Round(steps, others, tuple(guards), tuple(writes))


def _is_decided(edges: tuple[Edge, ...]) -> bool:
    """Do conditions decide where the run goes on? It may also end there."""
    conds = [edge.op.cond for edge in edges if isinstance(edge.op, Assume)]
    return len(edges) == 1 or (len(conds) == len(edges) == 2 and conds[0] is make.negate(conds[1]))


def _step(var: Var, value: Expr) -> int | None:
    """How much the variable grows, if its new value is that much more."""
    total = 0
    type_ = var.type
    assert isinstance(type_, IntType)
    while value is not var:
        match value:
            case Binary(Op.ADD, left, Const(number, _), value_type) if value_type is type_:
                total, value = total + number, left
            case Binary(Op.ADD, Const(number, _), right, value_type) if value_type is type_:
                total, value = total + number, right
            case Binary(Op.SUB, left, Const(number, _), value_type) if value_type is type_:
                total, value = total - number, left
            case Cast(Binary(op, Cast(inner, wide), Const(number, _), _), narrow) if (
                # (char)((int)c + 1): the low bits do not mind
                narrow is type_
                and inner.type is type_
                and op in (Op.ADD, Op.SUB)
                and isinstance(wide, IntType)
                and wide.bits >= type_.bits
            ):
                total, value = total + (number if op is Op.ADD else -number), inner
            case Cast(inner, narrow) if (
                narrow is type_ and isinstance(inner.type, IntType) and _is_cast_of(inner, type_)
            ):
                assert isinstance(inner, Cast)
                value = inner.arg
            case _:
                return None
    return total


def _is_cast_of(term: Expr, type_: IntType) -> bool:
    return (
        isinstance(term, Cast)
        and term.arg.type is type_
        and isinstance(term.type, IntType)
        and term.type.bits >= type_.bits
    )


# --- elements that are written --------------------------------------------------------------------


def _writes(
    program: Program, stored: list[tuple[Expr, Expr]], steps: Collection[Var]
) -> list[Write] | None:
    """The elements that each round writes; None if one may be read or written in another round, or
    twice in one."""
    targets: list[Element] = []
    for target, _ in stored:
        found = element(program, target, steps)
        if found is None or not found.moving or not found.is_number:
            return None
        targets.append(found)
    writes = []
    for at, (there, (_, value)) in enumerate(zip(targets, stored, strict=True)):
        if not all(there.is_apart(other, program) for other in targets[:at]):
            return None
        reads = read_elements(program, value, steps)
        if reads is None:
            return None
        for read in reads:
            for other in targets:
                own = read.lvalue is other.lvalue and other is there
                if not own and not read.is_elsewhere(other):
                    return None
        position = there.moving[0]
        fixed = [line for read in reads for line in read.moving]
        writes.append(
            Write(
                as_lvalue(there.lvalue),
                value,
                position.index,
                position.size,
                tuple(line.index for line in fixed),
                there.root is None,
            )
        )
    return writes


# --- the operations -------------------------------------------------------------------------------


def operations(round_: Round, counting: Counting, rounds: Var, index: Var) -> list[Operation]:
    """What so many rounds do; first what is made from the values of counters at the start."""
    assert isinstance(rounds.type, IntType)
    found: list[Operation] = []
    for write in round_.writes:
        each: dict[Expr, Expr] = {var: _after(var, d, index) for var, d in round_.steps.items()}
        target, value = as_lvalue(substitute(write.target, each)), substitute(write.value, each)
        stride = counting.step(write.position) * write.size
        found.append(Sweep(target, value, index, rounds, stride))
    zero, one = (make.const(number, rounds.type) for number in (0, 1))
    any_ = make.less(zero, rounds)
    before: dict[Expr, Expr] = {
        var: _after(var, step, make.binary(Op.SUB, rounds, one))
        for var, step in round_.steps.items()
    }
    for var, value in round_.others.items():
        found.append(Assign(var, make.ite(any_, substitute(value, before), var)))
    for var, step in round_.steps.items():
        found.append(Assign(var, _after(var, step, rounds)))
    return found


def _after(var: Var, step: int, rounds: Expr) -> Expr:
    """A counter after some rounds, in its own type, where it wraps as it does in the loop."""
    type_ = var.type
    assert isinstance(type_, IntType)
    grown = make.binary(Op.MUL, make.cast(rounds, type_), make.const(step, type_))
    return make.binary(Op.ADD, var, grown)
