"""Which variables tell where a run stands: they lead to addresses, or decide how long loops go on.

Pointers do, and numbers that are computed with to find an address, a size or the end of a loop.
Their values decide what is accessed and what is executed; a merged state has neither in one piece
[KKBC12]. No soundness duty: it decides which states are merged.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ...ir.cfa import Edge, Function, Location, Program
from ...ir.def_use import op_target, op_values
from ...ir.expr import Expr, FunctionAddress, Index, PointerAdd, Var
from ...ir.ops import Alloc, Assign, Assume, Call, Copy, Fill, Return
from ...ir.order import location_graph, strong_components
from ...ir.types import PointerType
from ...ir.walk import subterms, variables


class Positions:
    """The position variables of a program."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._sources: dict[Var | str, set[Var | str]] = {}  # of a variable, a function's result
        found: set[Var | str] = set()
        for function in program.functions.values():
            found.update(self._directly(function))
            self._link(function)
        todo = list(found)
        while todo:
            for var in self._sources.get(todo.pop(), ()):
                if var not in found:
                    found.add(var)
                    todo.append(var)
        self._found = found

    def __contains__(self, var: object) -> bool:
        return isinstance(var, Var) and (isinstance(var.type, PointerType) or var in self._found)

    def _directly(self, function: Function) -> Iterator[Var]:
        loops = _loops(function)
        for edge in function.edges:
            match edge.op:
                case Alloc(_, size) | Fill(_, _, size) | Copy(_, _, size):
                    yield from variables(size)
                case Assume(cond) if _leaves(edge, function, loops):
                    yield from variables(cond)
            target = op_target(edge.op)
            for value in (*op_values(edge.op), *(() if target is None else (target,))):
                for term in subterms(value):
                    if isinstance(term, PointerAdd | Index):
                        yield from variables(term.index)

    def _link(self, function: Function) -> None:
        """Note what the values of variables and the results of functions are made from."""
        for edge in function.edges:
            match edge.op:
                case Assign(Var() as target, value):
                    self._made_from(target, (value,))
                case Return(value) if value is not None:
                    self._made_from(function.name, (value,))
                case Call(target, FunctionAddress(name, _), args):
                    callee = self._program.functions.get(name)
                    if callee is not None:
                        for param, arg in zip(callee.params, args, strict=False):
                            self._made_from(param, (arg,))
                        if isinstance(target, Var):
                            self._sources.setdefault(target, set()).add(name)

    def _made_from(self, target: Var | str, values: Iterable[Expr]) -> None:
        sources = self._sources.setdefault(target, set())
        for value in values:
            sources.update(variables(value))


def _loops(function: Function) -> dict[Location, int]:
    """The locations in loops, each with a number of its outermost loop."""
    loops = {}
    for number, group in enumerate(strong_components(location_graph(function))):
        if len(group) > 1:
            loops.update(dict.fromkeys(group, number))
    return loops


def _leaves(edge: Edge, function: Function, loops: dict[Location, int]) -> bool:
    """Does one of the branches at the start of this edge leave a loop?"""
    here = loops.get(edge.src)
    return here is not None and any(
        loops.get(other.dst) != here for other in function.outgoing[edge.src]
    )
