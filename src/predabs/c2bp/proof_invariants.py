"""What a proof by bebop says about the loops of the C program.

Soundness duty: whenever a run of the C program is at the location, in whatever calls, the condition
holds: the Boolean program reaches the values that the predicates have there.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..boolprog.bebop import Reached
from ..boolprog.invariant import formula, states_now
from ..boolprog.syntax import Binary, Const, Expr, Nary, Not, Var, fold
from ..errors import InternalError
from ..ir import make
from ..ir.cfa import Program as CProgram
from ..ir.expr import Expr as CExpr
from ..ir.order import loop_heads
from ..ir.walk import variables
from ..verdict import Invariant
from .boolean_graphs import BooleanGraphs
from .program import ProgramPredicates


def proved_invariants(
    program: CProgram, graphs: BooleanGraphs, predicates: ProgramPredicates, reached: Reached
) -> tuple[Invariant, ...]:
    """The invariants of all loop heads that can be read, over the variables of the program."""
    return tuple(_found(program, graphs, predicates, reached))


def _found(
    program: CProgram, graphs: BooleanGraphs, predicates: ProgramPredicates, reached: Reached
) -> Iterator[Invariant]:
    manager = reached.model.manager
    for function in program.functions.values():
        constants = predicates.constants.get(function.name, {})
        meaning = {
            variable.name: variable.expr
            for variable in (*predicates.shared, *predicates.own.get(function.name, ()))
            if not constants.keys() & set(variables(variable.expr))
        }
        for head in sorted(loop_heads(function), key=lambda location: location.index):
            node = graphs.nodes.get(head)
            if node is None:
                continue
            cells = reached.model.layout.scopes[node[0]].cells
            known = {cell.now: name for name, cell in cells.items() if name in meaning}
            with manager.bounded():
                hidden = {cell.now for cell in cells.values()} - known.keys()
                found = formula(manager, manager.exists(states_now(reached, node), hidden), known)
            if found is not None:
                yield Invariant(head, (), _as_c(found, meaning))


def _as_c(expr: Expr, meaning: dict[str, CExpr]) -> CExpr:
    """The Boolean expression with the predicates for its variables."""

    def combine(node: Expr, parts: list[CExpr]) -> CExpr:
        match node:
            case Const(value):
                return make.truth(value)
            case Var(name):
                return meaning[name]
            case Not():
                return make.negate(parts[0])
            case Nary("&", _):
                return make.conj(parts)
            case Nary("|", _):
                return make.disj(parts)
            case Binary("=" | "!=" as op, _, _):
                same = make.equal(parts[0], parts[1])
                return same if op == "=" else make.negate(same)
        raise InternalError(f"{node} is no condition about predicates")

    return fold(expr, combine)
