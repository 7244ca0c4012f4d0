"""What a proof by bebop says about the loops and procedures of the C program.

Soundness duty: whenever a run of the C program is at the location, in whatever calls, the condition
holds: the Boolean program reaches the values that the predicates have there.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from ..boolprog.bebop import Node, Reached
from ..boolprog.invariant import formula, states_now
from ..boolprog.syntax import Binary, Const, Expr, Nary, Not, Var, fold
from ..errors import InternalError
from ..ir import make
from ..ir.cfa import Program as CProgram
from ..ir.expr import AddressOf, Lvalue
from ..ir.expr import Expr as CExpr
from ..ir.expr import Var as CVar
from ..ir.ops import Return
from ..ir.order import loop_heads
from ..ir.walk import substitute, subterms, variables
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


def proved_summaries(
    program: CProgram,
    names: Iterable[str],
    graphs: BooleanGraphs,
    predicates: ProgramPredicates,
    reached: Reached,
) -> tuple[Invariant, ...]:
    """What holds at the entries, loop heads and exits of these functions, over the variables of the
    program and symbolic constants: what a predicate was at the entry is said with them."""
    globals_ = frozenset(item.var for item in program.globals)
    found: list[Invariant] = []
    for name in sorted(names):
        function = program.functions[name]
        inputs = globals_ | set(function.params)
        fixed = {
            constant: place
            for constant, place in predicates.constants.get(name, {}).items()
            if place in inputs
        }
        others = predicates.constants.get(name, {}).keys() - fixed.keys()
        meaning = {
            variable.name: variable.expr
            for variable in (*predicates.shared, *predicates.own.get(name, ()))
            if not others & set(variables(variable.expr))
        }
        at_entry: dict[CExpr, CExpr] = {
            var: CVar(f"{name}::'{var.short}", var.type) for var in inputs
        }
        before = {
            what: substitute(expr, at_entry)
            for what, expr in meaning.items()
            if inputs.issuperset(variables(expr)) and not any(map(_is_memory, subterms(expr)))
        }
        returns = {edge.src for edge in function.edges if isinstance(edge.op, Return)}
        places = [(function.entry, {function.entry}), (function.exit, returns)]
        places += [(head, {head}) for head in loop_heads(function)]
        for place, nodes in places:
            known = [graphs.nodes[node] for node in nodes if node in graphs.nodes]
            expr = _relation(reached, known, meaning, before)
            if expr is not None:
                found.append(Invariant(place, (), expr))
    return tuple(found)


def _is_memory(term: CExpr) -> bool:
    return isinstance(term, AddressOf) or (isinstance(term, Lvalue) and not isinstance(term, CVar))


def _relation(
    reached: Reached,
    nodes: Sequence[Node],
    meaning: Mapping[str, CExpr],
    before: Mapping[str, CExpr],
) -> CExpr | None:
    """The path edges at one of these nodes of a procedure, as a condition: how the values now are
    related to those at the entry."""
    if not nodes:
        return None
    manager, scope = reached.model.manager, reached.model.layout.scopes[nodes[0][0]]
    remembered = set(scope.remembered)
    known: dict[int, str] = {}
    said: dict[str, CExpr] = {}
    hidden: set[int] = set()
    for name, cell in scope.cells.items():
        for number, text, table in ((cell.now, name, meaning), (cell.entry, f"'{name}", before)):
            if number == cell.entry and cell not in remembered:
                continue
            if name in table:
                known[number], said[text] = text, table[name]
            else:
                hidden.add(number)
    hidden |= {cell.entry for cell in remembered} - known.keys()
    with manager.bounded():
        states = manager.false
        for node in nodes:
            states |= reached.at(node)
        found = formula(manager, manager.exists(states, hidden), known)
    return None if found is None else _as_c(found, said)


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
