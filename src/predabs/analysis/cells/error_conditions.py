"""Conditions under which errors are reached from the loop before them, along single paths.

They say which reads of memory an error depends on, and which facts about cells would exclude it.
No soundness duty: cells and candidates for invariants come from here, and both may be any.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ...ir import make
from ...ir.cfa import Edge, Location, Program
from ...ir.expr import Cast, Const, Expr, FunctionAddress, Lvalue, Var
from ...ir.ops import Assign, Assume, Call, Error, Return
from ...ir.order import loop_heads
from ...ir.walk import evaluated, operands, reads, substitute
from ...records import dataclass
from .memory_accesses import MemoryAccesses, edges_of

_MOST_PATHS = 24  # for one error
_MOST_EDGES = 60  # on one path
_MOST_FLAGS = 8


@dataclass(frozen=True, slots=True)
class ErrorCondition:
    """What holds together when the error is reached, and the reads of memory, by their edges, that
    these conditions speak of."""

    parts: tuple[Expr, ...]
    reads: tuple[tuple[Edge, Lvalue], ...]


def error_conditions(accesses: MemoryAccesses) -> list[ErrorCondition]:
    """The conditions of all errors of a program."""
    return list(_Conditions(accesses).all())


class _Conditions:
    def __init__(self, accesses: MemoryAccesses) -> None:
        self._accesses = accesses
        self._program: Program = accesses.program
        self._heads: dict[str, frozenset[Location]] = {}
        self._callers: dict[str, list[Edge]] = {}
        for edge in edges_of(self._program):
            if isinstance(edge.op, Call) and isinstance(edge.op.callee, FunctionAddress):
                self._callers.setdefault(edge.op.callee.name, []).append(edge)

    def all(self) -> Iterator[ErrorCondition]:
        flags: dict[Var, None] = {}
        for edge in edges_of(self._program):
            if isinstance(edge.op, Error):
                for path in self._paths(edge):
                    condition = self._condition(path)
                    yield condition
                    flags.update(dict.fromkeys(_scalars(condition.parts)))
        yield from self._of_flags(flags)

    def _of_flags(self, flags: dict[Var, None]) -> Iterator[ErrorCondition]:
        """Why flags have their values: `if (a[i] != b[i]) same = 0;`. What is read there counts as
        read where the flag is set, since a later round does not change that."""
        todo, seen = list(flags), set(flags)
        while todo and len(seen) <= _MOST_FLAGS:  # each takes a walk over the program
            var = todo.pop()
            for edge, value in self._settings(var):
                if isinstance(value, Var) and value not in seen:
                    seen.add(value)
                    todo.append(value)
                for path in self._paths(edge) if isinstance(value, Const) else ():
                    condition = self._condition(path)
                    reads = dict.fromkeys((edge, lvalue) for _, lvalue in condition.reads)
                    if reads and len(seen) <= _MOST_FLAGS:
                        yield ErrorCondition(condition.parts, tuple(reads))

    def _settings(self, var: Var) -> Iterator[tuple[Edge, Expr]]:
        """The edges that give a variable a value, also at the end of a call."""
        for edge in edges_of(self._program):
            match edge.op:
                case Assign(target, value) if target is var:
                    yield edge, _unconverted(value)
                case Call(target, FunctionAddress(name, _), _) if target is var:
                    function = self._program.functions.get(name)
                    for back in function.edges if function is not None else ():
                        if isinstance(back.op, Return) and back.op.value is not None:
                            yield back, _unconverted(back.op.value)

    def _paths(self, error: Edge) -> list[tuple[Edge, ...]]:
        """Paths to the error, backwards, from the loop head or the start before it."""
        found: list[tuple[Edge, ...]] = []
        todo: list[tuple[Location, tuple[Edge, ...]]] = [(error.src, ())]
        while todo and len(found) < _MOST_PATHS:
            here, path = todo.pop()
            function = self._program.functions[here.function]
            before = function.incoming.get(here, ())
            if here is function.entry:
                before = (*before, *self._callers.get(here.function, ()))
            if not before or len(path) >= _MOST_EDGES or (path and here in self._loops(here)):
                found.append(path)
                continue
            todo += [(edge.src, (*path, edge)) for edge in before if edge not in path]
        return found

    def _loops(self, location: Location) -> frozenset[Location]:
        name = location.function
        if name not in self._heads:
            self._heads[name] = loop_heads(self._program.functions[name])
        return self._heads[name]

    def _condition(self, path: tuple[Edge, ...]) -> ErrorCondition:
        parts: list[Expr] = []
        found: dict[tuple[Edge, Lvalue], None] = {}
        inside = True  # a call that is entered on the path; others are passed over
        function = path[0].src.function if path else ""
        for edge in path:
            match edge.op:
                case Assume(cond):
                    parts.append(cond)
                case Assign(target, value) if self._is_scalar(target, value):
                    if target in self._leading(parts):  # what leads to memory comes from an array
                        for lvalue in reads(value):
                            place = self._accesses.place(lvalue)
                            if self._accesses.region(lvalue) and place and place.steps:
                                found[edge, lvalue] = None
                    parts = self._replaced(parts, {target: value})
                case Call(_, FunctionAddress(name, _), args) if name == function and inside:
                    params = self._program.functions[name].params
                    given: dict[Lvalue, Expr] = {
                        param: arg
                        for param, arg in zip(params, args, strict=False)
                        if param.type is arg.type
                    }
                    parts = self._replaced(parts, given)
            function = edge.src.function
            for lvalue in self._memory(parts):
                if lvalue in self._read(edge):
                    found[edge, lvalue] = None
        return ErrorCondition(tuple(parts), tuple(found))

    def _is_scalar(self, target: Lvalue, value: Expr) -> bool:
        """Is it a variable, or a member of one, that is no place in memory?"""
        return value.type is target.type and self._accesses.region(target) is None

    def _read(self, edge: Edge) -> tuple[Lvalue, ...]:
        match edge.op:
            case Assume(cond):
                return reads(cond)
            case Assign(_, value):
                return reads(value)
            case Call(_, _, args):
                return tuple(lvalue for arg in args for lvalue in reads(arg))
        return ()

    def _memory(self, parts: list[Expr]) -> dict[Lvalue, None]:
        """The reads of memory in conditions."""
        return {
            lvalue: None
            for part in parts
            for lvalue in reads(part)
            if self._accesses.region(lvalue) is not None
        }

    def _leading(self, parts: list[Expr]) -> set[Expr]:
        """What the places of reads of memory depend on."""
        return {
            term
            for lvalue in self._memory(parts)
            for operand in operands(lvalue)
            for term in evaluated(operand)
        }

    def _replaced(self, parts: list[Expr], given: Mapping[Lvalue, Expr]) -> list[Expr]:
        """The conditions with the values of variables, but for those that lead to memory."""
        leading = self._leading(parts)
        mapping: dict[Expr, Expr] = {v: e for v, e in given.items() if v not in leading}
        if not mapping:
            return parts
        return [make.as_condition(substitute(part, mapping)) for part in parts]


def _scalars(parts: tuple[Expr, ...]) -> Iterator[Var]:
    """The variables of conditions that read no other memory."""
    for part in parts:
        found = reads(part)
        if len(found) == 1:
            yield from (lvalue for lvalue in found if isinstance(lvalue, Var))


def _unconverted(value: Expr) -> Expr:
    while isinstance(value, Cast):
        value = value.arg
    return value
