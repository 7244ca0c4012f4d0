"""The reachable states of a location as a compact formula.

Values that never vary come first, then variables that are always equal or always different, then
what is left as a sum of cubes or a product of clauses, whichever is shorter.
"""

from __future__ import annotations

from collections.abc import Mapping

from ..bdd import Cube, Function, Manager
from ..errors import ResourceExhausted
from .bebop import Node, Reached
from .syntax import FALSE, TRUE, Binary, BinaryOp, Expr, NaryOp, Not, Var, nary

_MAX_CUBES = 200


def states_now(reached: Reached, node: Node) -> Function:
    """The reachable values at a location, whatever the entry they belong to.

    At a procedure's exit the locals are gone; only globals are shown.
    """
    model = reached.model
    scope = model.layout.scopes[node[0]]
    hidden = {c.entry for c in scope.remembered}
    if node[1] == model.graphs[node[0]].exit:
        hidden |= set(model.layout.results)
    return model.manager.exists(reached.at(node), hidden)


def invariant(reached: Reached, node: Node) -> Expr | None:
    """The formula, or None if it is too large to be read."""
    scope = reached.model.layout.scopes[node[0]]
    variables = {cell.now: name for name, cell in scope.cells.items()}
    manager = reached.model.manager
    with manager.bounded():
        # A global that is hidden by a local of the same name cannot be written down.
        unnamed = {c.now for c in scope.globals.values()} - set(variables)
        return formula(manager, manager.exists(states_now(reached, node), unnamed), variables)


def formula(manager: Manager, f: Function, variables: Mapping[int, str]) -> Expr | None:
    """An expression for a set over these variables, or None if it needs too many cubes."""
    if not f.satisfiable():
        return FALSE
    parts: list[Expr] = []
    # In the order of declaration, which is that of `variables`, not of the BDD.
    for number in _support(manager, f, variables):
        for value in (True, False):
            literal = manager.literal(number, value)
            if f.imp(literal).valid():
                parts.append(_literal(variables[number], value))
                f = manager.exists(f, (number,))
    f = _take_equalities(manager, f, variables, parts)
    try:
        rest = _smaller(manager, f, variables)
    except ResourceExhausted:
        return None
    if rest != TRUE or not parts:
        parts.append(rest)
    return nary("&", parts)


def _support(manager: Manager, f: Function, variables: Mapping[int, str]) -> list[int]:
    needed = manager.support(f)
    return [number for number in variables if number in needed]


def _literal(name: str, value: bool) -> Expr:
    return Var(name) if value else Not(Var(name))


def _take_equalities(
    manager: Manager, f: Function, variables: Mapping[int, str], parts: list[Expr]
) -> Function:
    """Take out variables that always equal, or never equal, one before them."""
    kept: list[int] = []
    for number in _support(manager, f, variables):
        for other in kept:
            same = manager.var(number).equiv(manager.var(other))
            always = f.imp(same).valid()
            if always or not (f & same).satisfiable():
                op: BinaryOp = "=" if always else "!="
                parts.append(Binary(op, Var(variables[other]), Var(variables[number])))
                f = manager.exists(f, (number,))
                break
        else:
            kept.append(number)
    return f


def _smaller(manager: Manager, f: Function, variables: Mapping[int, str]) -> Expr:
    cubes = _try_cover(manager, f)
    clauses = _try_cover(manager, ~f)
    if cubes is None and clauses is None:
        raise ResourceExhausted(f"a formula of more than {_MAX_CUBES} cubes")
    if clauses is None or (cubes is not None and _size(cubes) <= _size(clauses)):
        assert cubes is not None
        return _join("|", cubes, variables)
    return _join("&", clauses, variables)


def _try_cover(manager: Manager, f: Function) -> list[Cube] | None:
    try:
        return manager.cover(f, _MAX_CUBES)
    except ResourceExhausted:
        return None


def _size(cubes: list[Cube]) -> int:
    return sum(map(len, cubes)) + len(cubes)


def _join(outer: NaryOp, cubes: list[Cube], variables: Mapping[int, str]) -> Expr:
    """With `|` the sum of the cubes, with `&` the product of their negations."""
    sum_ = outer == "|"
    inner: NaryOp = "&" if sum_ else "|"
    items: list[Expr] = []
    for cube in cubes:
        literals = [_literal(variables[i], cube[i] == sum_) for i in variables if i in cube]
        if not literals:
            return TRUE if sum_ else FALSE
        items.append(nary(inner, literals))
    if not items:
        return FALSE if sum_ else TRUE
    return nary(outer, items)
