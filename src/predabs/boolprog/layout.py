"""Which BDD variables stand for what: the layout shared by all procedures of a program.

Each variable of the program is a cell of up to three BDD variables side by side: its value at the
procedure's entry, now, and next. Globals have a cell each; the local variables of all procedures
share a row of slots, so the number of BDD variables (and the cost of renaming) does not grow with
the number of procedures. A procedure only carries the globals that it or its callees mention: a
call relates what the callee can see, and everything else passes by untouched.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ..bdd import Manager
from ..records import dataclass
from .flow_graph import EnterCall, FlowGraph, LeaveProcedure, Test
from .syntax import DISCARD, Assign, Expr, Procedure, Program, names
from .variable_order import arrange


@dataclass(frozen=True, slots=True)
class VariableBits:
    """The BDD variables of one variable of the program."""

    entry: int
    now: int
    next: int


@dataclass(frozen=True, slots=True)
class ProcedureScope:
    """What one procedure can see.

    `remembered` are the cells whose value at the entry is kept: the visible globals and the
    parameters; none for an entry procedure that nobody calls, as no one asks for its summary.
    """

    procedure: Procedure
    cells: Mapping[str, VariableBits]
    globals: Mapping[str, VariableBits]
    params: tuple[VariableBits, ...]
    locals: tuple[VariableBits, ...]
    remembered: tuple[VariableBits, ...]


@dataclass(frozen=True, slots=True)
class BddLayout:
    scopes: Mapping[str, ProcedureScope]
    results: tuple[int, ...]
    """The BDD variables that carry a procedure's results back to the caller."""


def lay_out(
    manager: Manager,
    program: Program,
    graphs: Mapping[str, FlowGraph],
    root: str,
    see_all: bool,
) -> BddLayout:
    """Order and create the BDD variables. With `see_all` every procedure carries every global."""
    seen = {name: frozenset(program.globals) for name in graphs} if see_all else visible(graphs)
    called = {c for graph in graphs.values() for c in callees(graph)}
    slots = max(len(p.variables) for p in program.procedures)
    results = max(p.returns for p in program.procedures)
    keys = [f"g{name}" for name in program.globals]
    keys += [f"s{i}" for i in range(slots)] + [f"r{i}" for i in range(results)]
    groups = [group for graph in graphs.values() for group in _groups(graph)]
    cells: dict[str, VariableBits] = {}
    result_variables: dict[str, int] = {}
    for key in arrange(keys, groups):
        if key[0] == "r":
            result_variables[key] = manager.add_variables(1)[0]
        else:
            cells[key] = VariableBits(*manager.add_variables(3))
    scopes = {}
    for procedure in program.procedures:
        own = {name: cells[f"s{i}"] for i, name in enumerate(procedure.variables)}
        visible_globals = {g: cells[f"g{g}"] for g in program.globals if g in seen[procedure.name]}
        params = tuple(own[name] for name in procedure.params)
        forgets = procedure.name == root and root not in called
        scopes[procedure.name] = ProcedureScope(
            procedure,
            {**visible_globals, **own},
            visible_globals,
            params,
            tuple(own.values()),
            () if forgets else (*visible_globals.values(), *params),
        )
    return BddLayout(scopes, tuple(result_variables[f"r{i}"] for i in range(results)))


def callees(graph: FlowGraph) -> Iterable[str]:
    """The procedures called, in the order of the text."""
    return dict.fromkeys(e.op.call.procedure for e in graph.edges if isinstance(e.op, EnterCall))


def visible(graphs: Mapping[str, FlowGraph]) -> dict[str, frozenset[str]]:
    """For each procedure the names that it or a callee mentions and does not declare itself."""
    seen: dict[str, set[str]] = {}
    callers: dict[str, list[str]] = {name: [] for name in graphs}
    for name, graph in graphs.items():
        mentioned = set(names(graph.procedure.enforce)) if graph.procedure.enforce else set()
        for edge in graph.edges:
            expressions, targets = mentions(edge.op)
            mentioned |= set(targets).union(*map(names, expressions))
        seen[name] = mentioned - set(graph.procedure.variables) - {DISCARD}
        for callee in callees(graph):
            callers[callee].append(name)
    work = list(graphs)
    while work:
        name = work.pop()
        for caller in callers[name]:
            # What the callee sees is global, even where the caller hides it by its own variable.
            if not seen[name] <= seen[caller]:
                seen[caller] |= seen[name]
                work.append(caller)
    return {name: frozenset(found) for name, found in seen.items()}


def mentions(op: object) -> tuple[tuple[Expr, ...], tuple[str, ...]]:
    """The expressions that an operation evaluates and the variables that it changes."""
    match op:
        case Test(condition, _):
            return (condition,), ()
        case Assign(targets, values, constrain):
            return (values if constrain is None else (*values, constrain)), targets
        case EnterCall(call):
            return call.args, call.targets
        case LeaveProcedure(values):
            return values, ()
        case _:
            return (), ()


def _groups(graph: FlowGraph) -> Iterable[list[str]]:
    """What should stand together: the variables of each statement, arguments with parameters."""
    slot = {name: f"s{i}" for i, name in enumerate(graph.procedure.variables)}

    def key(name: str) -> str:
        return slot.get(name, f"g{name}")

    for edge in graph.edges:
        match edge.op:
            case Assign(targets, values, constrain):
                for target, value in zip(targets, values, strict=True):
                    if target != DISCARD:
                        yield [key(n) for n in (target, *sorted(names(value)))]
                if constrain is not None:
                    yield [key(n) for n in sorted(names(constrain))]
            case Test(condition, _):
                yield [key(n) for n in sorted(names(condition))]
            case EnterCall(call):
                for i, arg in enumerate(call.args):
                    yield [f"s{i}", *(key(n) for n in sorted(names(arg)))]
                for i, target in enumerate(call.targets):
                    if target != DISCARD:
                        yield [f"r{i}", key(target)]
            case LeaveProcedure(values):
                for i, value in enumerate(values):
                    yield [f"r{i}", *(key(n) for n in sorted(names(value)))]
