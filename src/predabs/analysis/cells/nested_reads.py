"""Nested reads of memory, one by one: `p->next->value` becomes `t = p->next; ... t->value`.

What leads to a cell is then a variable, from which a ghost can be bound: a node that an array of
pointers leads to, an element at an index that is an element.

Soundness duty: the program that is made has the same runs. A temporary is read where nothing has
changed since it was written, and all of an operation is evaluated in any case.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...ir.cfa import Edge, Function, Location
from ...ir.expr import Expr, Lvalue, Var
from ...ir.ops import Assign, Assume, Call, Operation
from ...ir.types import is_scalar
from ...ir.walk import operands, reads, reads_of, substitute
from ...records import replace
from ..facts import ProgramFacts
from ..memory.partition import InRegion

_MOST = 400  # in a function


def flattened(facts: ProgramFacts) -> ProgramFacts:
    """The facts of the program without nested reads."""
    program = facts.program
    functions = {name: _Flattening(facts, f).function() for name, f in program.functions.items()}
    if all(functions[name] is function for name, function in program.functions.items()):
        return facts
    return facts.of(replace(program, functions=functions), has_ghosts=facts.has_ghosts)


class _Flattening:
    def __init__(self, facts: ProgramFacts, function: Function) -> None:
        self._facts = facts
        self._function = function
        self._next = 1 + max(location.index for location in function.locations)
        self._made: dict[Lvalue, Var] = {}
        self._edges: list[Edge] = []

    def function(self) -> Function:
        """The function without them."""
        for location, edges in self._function.outgoing.items():
            self._flatten(location, edges)
        if not self._made:
            return self._function
        return replace(
            self._function,
            locals=(*self._function.locals, *self._made.values()),
            edges=tuple(self._edges),
            blocks={},
        )

    def _flatten(self, location: Location, edges: tuple[Edge, ...]) -> None:
        found = [list(self._nested(edge.op)) for edge in edges]
        alike = all(set(nested) == set(found[0]) for nested in found)
        conditions = len(edges) == 1 or all(isinstance(edge.op, Assume) for edge in edges)
        if not edges or not found[0] or not alike or not conditions or len(self._made) > _MOST:
            self._edges += edges
            return
        here = location
        known: dict[Expr, Expr] = {}
        for lvalue in found[0]:  # inner ones first
            there = Location(self._function.name, self._next)
            self._next += 1
            temporary = self._temporary(lvalue)
            op = Assign(temporary, _with(lvalue, known))
            self._edges.append(replace(edges[0], src=here, op=op, dst=there))
            known[lvalue] = temporary
            here = there
        for edge in edges:
            self._edges.append(replace(edge, src=here, op=_operation(edge.op, known)))

    def _temporary(self, lvalue: Lvalue) -> Var:
        if lvalue not in self._made:
            name = f"{self._function.name}::leads {len(self._made)}"
            self._made[lvalue] = Var(name, lvalue.type)
        return self._made[lvalue]

    def _nested(self, op: Operation) -> Iterator[Lvalue]:
        """The reads of memory by which an operation finds other memory, inner ones first."""
        found: dict[Lvalue, None] = {}
        for lvalue in _accessed(op):
            if self._is_in_memory(lvalue):
                for inner in reads_of(operands(lvalue)):
                    if self._is_in_memory(inner):
                        found[inner] = None
        yield from sorted(found, key=lambda inner: len(reads(inner)))

    def _is_in_memory(self, lvalue: Lvalue) -> bool:
        if not is_scalar(lvalue.type):
            return False
        return isinstance(self._facts.partition.storage(lvalue), InRegion)


def _accessed(op: Operation) -> Sequence[Lvalue]:
    match op:
        case Assign(target, value):
            return (target, *reads(value), *reads_of(operands(target)))
        case Assume(cond):
            return reads(cond)
        case Call(_, callee, args):
            return reads_of([callee, *args])
    return ()


def _operation(op: Operation, known: dict[Expr, Expr]) -> Operation:
    """The operation with temporaries in place of what was read."""
    match op:
        case Assign(target, value):
            return Assign(_with(target, known), substitute(value, known))
        case Assume(cond, promised):
            return Assume(substitute(cond, known), promised)
        case Call(target, callee, args):
            return Call(
                target, substitute(callee, known), tuple(substitute(arg, known) for arg in args)
            )
    return op


def _with(lvalue: Lvalue, known: dict[Expr, Expr]) -> Lvalue:
    """The same place, found by temporaries."""
    others = {term: var for term, var in known.items() if term is not lvalue}
    found = substitute(lvalue, others)
    assert isinstance(found, Lvalue)
    return found
