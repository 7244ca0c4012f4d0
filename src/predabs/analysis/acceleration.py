"""Acceleration of loops: many rounds along one path of the body as one step, in closed form.

A path from a loop head back to it that only assigns to integer variables changes each of them by a
constant amount, or gives it a value that follows from the others: after k rounds a counter x has
become x + k * d. Its conditions compare values that move evenly, so they hold for a number of
rounds that can be computed [KLW13, section 3; BFLP03]. Each arrival at the head first does that
many rounds at once, for each path, and then goes on as before.

Soundness duty: the program with these steps has exactly the runs of the original one, but for how
often locations of loops are visited: k is never more than the number of rounds that the run would
take along the path, and arithmetic wraps as that of the program does. No input is asked for and no
memory is written on such a path, and whatever cannot be computed is left to the loop itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from ..ir import make
from ..ir.cfa import Edge, Function, Location, Program
from ..ir.def_use import op_values
from ..ir.expr import (
    TRUE,
    AddressOf,
    And,
    Binary,
    Cast,
    Const,
    Deref,
    Expr,
    Field,
    Index,
    Initialised,
    NoLeak,
    ObjectSize,
    Op,
    ValidAccess,
    ValidFree,
    Var,
)
from ..ir.ops import Assign, Assume, Skip
from ..ir.types import IntType
from ..ir.walk import substitute, subterms, variables
from .rounds import MOST_BITS, Counting, Round

_MOST_PATHS = 4  # of one loop
_MOST_EDGES = 40  # of one path


def accelerated(program: Program) -> Program:
    """The program whose loops do many rounds at once; the same object if it has none that can."""
    taken: frozenset[Var] | None = None
    functions: dict[str, Function] = {}
    for name, function in program.functions.items():
        loops = _loops(function)
        if loops and taken is None:
            taken = _address_taken(program)
        functions[name] = (
            _changed(function, loops, taken) if loops and taken is not None else function
        )
    if all(
        new is old for new, old in zip(functions.values(), program.functions.values(), strict=True)
    ):
        return program
    return replace(program, functions=functions)


# --- loops and their paths ------------------------------------------------------------------------


def _loops(function: Function) -> dict[Location, list[list[Edge]]]:
    """Paths from heads of loops back to them, on which integers are assigned, and nothing else."""
    heads = _heads(function)
    found: dict[Location, list[list[Edge]]] = {}
    for head in heads:
        paths = [path for path in _cycles(function, head) if path is not None]
        if paths:
            found[head] = paths
    return found


def _heads(function: Function) -> list[Location]:
    """Where edges lead back to, as a search in depth from the entry meets them."""
    outgoing = function.outgoing
    state: dict[Location, int] = {function.entry: 1}
    stack = [(function.entry, iter(outgoing[function.entry]))]
    heads: dict[Location, None] = {}
    while stack:
        location, edges = stack[-1]
        for edge in edges:
            known = state.get(edge.dst)
            if known is None:
                state[edge.dst] = 1
                stack.append((edge.dst, iter(outgoing[edge.dst])))
                break
            if known == 1:
                heads[edge.dst] = None
        else:
            state[location] = 2
            stack.pop()
    return list(heads)


def _cycles(function: Function, head: Location) -> Iterator[list[Edge]]:
    """A few paths from the head back to it, with allowed operations only, no location twice."""
    count = 0
    stack: list[list[Edge]] = [[edge] for edge in function.outgoing[head]]
    steps = 0
    while stack and count < _MOST_PATHS and steps < _MOST_EDGES * _MOST_PATHS:
        path = stack.pop()
        steps += 1
        last = path[-1]
        if not _is_allowed(last) or len(path) > _MOST_EDGES:
            continue
        if last.dst is head:
            count += 1
            yield path
            continue
        if all(last.dst is not edge.src for edge in path):
            stack += [[*path, edge] for edge in function.outgoing[last.dst]]


def _is_allowed(edge: Edge) -> bool:
    match edge.op:
        case Skip() | Assume():
            return True
        case Assign(Var(_, IntType(bits, _)), _):
            return bits <= MOST_BITS
    return False


def _address_taken(program: Program) -> frozenset[Var]:
    """The variables whose address is a value somewhere."""
    found: set[Var] = set()
    seen: set[Expr] = set()

    def look(values: tuple[Expr, ...]) -> None:
        for value in values:
            for term in subterms(value):
                if term in seen:
                    continue
                seen.add(term)
                if isinstance(term, AddressOf):
                    base: Expr = term.target
                    while isinstance(base, Field | Index):
                        base = base.base
                    if isinstance(base, Var):
                        found.add(base)

    for function in program.functions.values():
        for edge in function.edges:
            look(op_values(edge.op))
            target = getattr(edge.op, "target", None)
            if target is not None and not isinstance(target, Var):
                look((target,))
    for item in program.globals:
        for assign in item.init:
            look((assign.value,))
    return frozenset(found)


# --- one round ------------------------------------------------------------------------------------


def _round(function: Function, path: list[Edge], taken: frozenset[Var]) -> Round | None:
    """The effect of a path in terms of the values at its start; None if it is none of ours."""
    if not all(_is_decided(function.outgoing[edge.src]) for edge in path):
        return None  # the run could have gone elsewhere
    values: dict[Expr, Expr] = {}
    guards: dict[Expr, None] = {}
    for edge in path:
        match edge.op:
            case Assume(cond):
                cond = substitute(cond, values)
                guards.update(dict.fromkeys(cond.args if isinstance(cond, And) else (cond,)))
            case Assign(Var() as var, value):
                if var in taken:
                    return None
                values[var] = substitute(value, values)
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
    if any(var in others for term in used for var in variables(term)):
        return None  # a value of the round before counts
    if not steps or not all(map(_is_plain, used)):
        return None
    return Round(steps, others, tuple(guards))


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


def _is_plain(term: Expr) -> bool:
    """Is its value a number that follows from variables alone? What lies in memory could lie
    elsewhere in the next round."""
    memory = Deref | Field | Index | ValidAccess | ValidFree | Initialised | NoLeak | ObjectSize
    return not any(isinstance(part, memory) or _may_fault(part) for part in subterms(term))


def _may_fault(term: Expr) -> bool:
    """Could it have no value? Then a run would end there."""
    return (
        isinstance(term, Binary)
        and term.op in (Op.DIV, Op.REM)
        and isinstance(term.type, IntType)
        and not (isinstance(term.right, Const) and term.right.value not in (0, -1))
    )


# --- the program ----------------------------------------------------------------------------------


def _changed(
    function: Function, loops: Mapping[Location, list[list[Edge]]], taken: frozenset[Var]
) -> Function:
    index = 1 + max(location.index for location in function.locations)
    added: list[Edge] = []
    starts: dict[Location, Location] = {}  # of what comes before a head
    fresh: list[Var] = []
    for head, paths in loops.items():
        steps: list[Assign] = []
        for path in paths:
            round_ = _round(function, path, taken)
            if round_ is None:
                continue
            counting = Counting(round_)
            count = counting.rounds()
            if count is None:
                continue
            rounds = Var(f"{function.name}::rounds.{len(fresh)}", counting.wide)
            fresh.append(rounds)
            steps += [Assign(rounds, count), *_assigned(round_, rounds)]
        if not steps:
            continue
        starts[head] = at = Location(function.name, index)
        coord = paths[0][0].coord
        for step in steps:
            index += 1
            last = step is steps[-1]
            added.append(Edge(at, step, head if last else Location(function.name, index), coord))
            at = Location(function.name, index)
        index += 1
    if not fresh:
        return function
    old = [replace(e, dst=starts[e.dst]) if e.dst in starts else e for e in function.edges]
    return replace(
        function,
        edges=(*old, *added),
        entry=starts.get(function.entry, function.entry),
        locals=(*function.locals, *fresh),
    )


def _assigned(round_: Round, rounds: Var) -> list[Assign]:
    """The values after so many rounds; those of other variables first, in terms of counters."""
    assert isinstance(rounds.type, IntType)
    zero, one = (make.const(number, rounds.type) for number in (0, 1))
    any_ = make.less(zero, rounds)
    before: dict[Expr, Expr] = {
        var: _after(var, step, make.binary(Op.SUB, rounds, one))
        for var, step in round_.steps.items()
    }
    found = []
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
