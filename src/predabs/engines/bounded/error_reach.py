"""Which loops may come to an error before they are left: by themselves, or in what they call.

No soundness duty: it decides what is explored first.
"""

from __future__ import annotations

from ...analysis.points_to.address_taken import address_taken
from ...ir.cfa import Edge, Location, Program
from ...ir.expr import FunctionAddress
from ...ir.ops import Call, Error
from .unrolling import Unrolling


class ErrorReach:
    """The functions that may come to an error, and the loops that do."""

    def __init__(self, program: Program) -> None:
        self._program = program
        taken = address_taken(program).functions
        callers: dict[str, set[str]] = {}
        for name, function in program.functions.items():
            for edge in function.edges:
                match edge.op:
                    case Call(_, FunctionAddress(callee, _), _):
                        callers.setdefault(callee, set()).add(name)
                    case Call():
                        for callee in taken:
                            callers.setdefault(callee, set()).add(name)
        todo = [
            name
            for name, function in program.functions.items()
            if any(isinstance(edge.op, Error) for edge in function.edges)
        ]
        self._functions: set[str] = set()
        while todo:
            name = todo.pop()
            if name not in self._functions:
                self._functions.add(name)
                todo += callers.get(name, ())
        self._indirect = bool(taken & self._functions)
        self._loops: dict[Location, bool] = {}

    def in_loop(self, head: Location, unrolling: Unrolling) -> bool:
        """May an iteration of the loop come to an error?"""
        known = self._loops.get(head)
        if known is None:
            function = self._program.functions[head.function]
            known = self._loops[head] = any(
                self._leads_there(edge) and head in unrolling.loops(edge.src)
                for edge in function.edges
            )
        return known

    def _leads_there(self, edge: Edge) -> bool:
        match edge.op:
            case Error():
                return True
            case Call(_, FunctionAddress(name, _), _):
                return name in self._functions
            case Call():
                return self._indirect
        return False
