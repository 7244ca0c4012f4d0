"""State variables: what a program keeps the state of a machine in.

A state variable is a scalar that is only given constants, or copies of others of its kind, and that
a loop compares with several constants: the variable of a `switch` in a loop, and those in which the
next state waits. Such variables take few values, so these can be told apart one by one.

Soundness duty: none; whoever follows their values has to see to what else may be written.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..ir.cfa import Edge, Location
from ..ir.expr import Binary, Cast, Const, Deref, Expr, Field, Index, Op, Var
from ..ir.ops import Assign, Assume, Call, Return
from ..ir.order import location_graph, strong_components
from ..ir.types import IntType, is_scalar
from ..ir.walk import subterms
from .facts import ProgramFacts
from .memory.partition import Scalar

_FEWEST_CONSTANTS = 3  # fewer are a flag, which a predicate is as good for
_MOST_VARIABLES = 8


def state_variables(facts: ProgramFacts) -> tuple[Var, ...]:
    """The state variables of a program: those that are compared with most constants first, each
    with those that it is copied from."""
    flows = _Flows(facts)
    wanted = {
        var: len(numbers)
        for var, numbers in flows.compared.items()
        if len(numbers) >= _FEWEST_CONSTANTS and var not in flows.others
    }
    found: dict[Var, None] = {}
    for var in sorted(wanted, key=lambda var: (-wanted[var], var.name)):
        group = flows.origins(var)
        if len(found.keys() | group.keys()) <= _MOST_VARIABLES:
            found.update(group)
    return tuple(found)


class _Flows:
    """Which scalar variables get what, and what they are compared with."""

    def __init__(self, facts: ProgramFacts) -> None:
        self._facts = facts
        self._copies: dict[Var, dict[Var, None]] = {}  # from which others
        self.others: set[Var] = set()  # that also get what is computed
        self.compared: dict[Var, set[int]] = {}  # in loops
        loops = _on_cycles(facts)
        for function in facts.program.functions.values():
            for edge in function.edges:
                match edge.op:
                    case Assign(target, value):
                        self._given(target, value)
                    case Call(target, _, args):
                        for name in facts.points_to.call_targets(edge):
                            self._call(name, target, args)
                    case Assume(cond) if edge.src in loops:
                        self._compare(cond)
        self._close()

    def _call(self, name: str, target: Expr | None, args: tuple[Expr, ...]) -> None:
        callee = self._facts.program.functions.get(name)
        if callee is None:
            return
        for param, arg in zip(callee.params, args, strict=False):
            self._given(param, arg)
        for value in _returned(callee.edges) if target is not None else ():
            assert target is not None
            self._given(target, value)

    def _given(self, target: Expr, value: Expr) -> None:
        var = self._variable(target)
        if var is None or isinstance(value, Const):
            return
        origin = self._variable(value)
        if origin is None or origin is var:
            self.others.add(var)
        else:
            self._copies.setdefault(var, {})[origin] = None

    def _compare(self, cond: Expr) -> None:
        for term in subterms(cond):
            match term:
                case Binary(Op.EQ, Const(value, _), other, _) | Binary(
                    Op.EQ, other, Const(value, _), _
                ):
                    var = self._variable(other)
                    if var is not None:
                        self.compared.setdefault(var, set()).add(value)

    def _close(self) -> None:
        """A copy of something computed is no better."""
        changed = True
        while changed:
            new = {
                var
                for var, origins in self._copies.items()
                if var not in self.others and not self.others.isdisjoint(origins)
            }
            self.others |= new
            changed = bool(new)

    def origins(self, var: Var) -> dict[Var, None]:
        """The variable, and all that it is copied from."""
        found, todo = {var: None}, [var]
        while todo:
            for origin in self._copies.get(todo.pop(), ()):
                if origin not in found:
                    found[origin] = None
                    todo.append(origin)
        return found

    def _variable(self, e: Expr) -> Var | None:
        while isinstance(e, Cast):
            e = e.arg
        if not isinstance(e, Var | Deref | Field | Index) or not isinstance(e.type, IntType):
            return None
        storage = self._facts.partition.storage(e) if is_scalar(e.type) else None
        return storage.var if isinstance(storage, Scalar) else None


def _returned(edges: tuple[Edge, ...]) -> Iterator[Expr]:
    for edge in edges:
        if isinstance(edge.op, Return) and edge.op.value is not None:
            yield edge.op.value


def _on_cycles(facts: ProgramFacts) -> frozenset[Location]:
    """The locations in loops, and those of all functions that are called there."""
    functions = facts.program.functions
    found: set[Location] = set()
    for function in functions.values():
        graph = location_graph(function)
        for group in strong_components(graph):
            if len(group) > 1 or group[0] in graph[group[0]]:
                found.update(group)
    called = {
        name
        for function in functions.values()
        for edge in function.edges
        if isinstance(edge.op, Call) and edge.src in found
        for name in facts.points_to.call_targets(edge)
    }
    todo = list(called)
    while todo:
        for name in facts.call_graph.get(todo.pop(), ()):
            if name not in called:
                called.add(name)
                todo.append(name)
    for name in called & functions.keys():
        found.update(functions[name].locations)
    return frozenset(found)
