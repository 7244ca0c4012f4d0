"""Definite assignment: what has been written on all ways to a location of a function.

*Places* are local variables that only their names reach: those of one number or address, and the
members of records. Soundness duty: a place that is said to be written holds no byte, in any run
that comes to the location, that nothing was written to.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TypeAlias

from ..ir.cfa import Edge, Function, Location
from ..ir.def_use import op_target, op_values
from ..ir.expr import AddressOf, Expr, Field, Lvalue, Var
from ..ir.ops import Assign, Havoc, Operation, Source
from ..ir.types import RecordType, is_scalar
from ..ir.walk import as_lvalue, children, evaluated, root_of

Places: TypeAlias = frozenset[Lvalue]

_NONE: Places = frozenset()


def unsets(op: Operation) -> bool:
    """Does a variable come to life, without a value?"""
    return isinstance(op, Havoc) and op.source is Source.UNINITIALIZED


class DefiniteAssignment:
    """What is written where in a function; `doubted` says of an lvalue that is no place of the
    function whether it may hold bytes that were never written."""

    def __init__(self, function: Function, doubted: Callable[[Lvalue], bool]) -> None:
        self._function = function
        self._doubted = doubted
        self.variables, self._records = _variables(function)
        self._states = self._fixpoint()

    def is_place(self, lvalue: Lvalue) -> bool:
        return _base(lvalue) in (self._records if isinstance(lvalue, Field) else self.variables)

    def is_written(self, location: Location, lvalue: Lvalue) -> bool:
        """Has all of it been written, or does no run come here?"""
        state = self._states.get(location)
        return state is None or self._written(lvalue, state)

    def _written(self, lvalue: Lvalue, state: Places) -> bool:
        if _base(lvalue) not in self.variables | self._records:
            return not self._doubted(lvalue)
        return any(around in state for around in _around(lvalue))

    def _fixpoint(self) -> Mapping[Location, Places]:
        states: dict[Location, Places] = {self._function.entry: _NONE}
        todo = [self._function.entry]
        while todo:
            here = todo.pop()
            for edge in self._function.outgoing[here]:
                state = self._after(edge, states[here])
                before = states.get(edge.dst)
                joined = state if before is None else before & state
                if joined != before:
                    states[edge.dst] = joined
                    todo.append(edge.dst)
        return states

    def _after(self, edge: Edge, state: Places) -> Places:
        target = op_target(edge.op)
        base = None if target is None else _base(target)
        if target is None or (base not in self.variables and base not in self._records):
            return state
        rest = frozenset(
            place
            for place in state
            if target not in _around(place) and place not in _around(target)
        )
        if unsets(edge.op):
            return rest
        # what lies around the target is as it was: a part of it is written once more
        rest |= {place for place in _around(target)[1:] if place in state}
        return rest | set(self._gained(edge.op, target, state))

    def _gained(self, op: Operation, target: Lvalue, state: Places) -> Iterator[Lvalue]:
        if isinstance(op, Assign) and isinstance(op.target.type, RecordType):
            source = as_lvalue(op.value)
            if self._written(source, state):
                yield target
            else:
                yield from _moved(source, target, state)
        elif not isinstance(op, Assign) or all(
            self._written(read, state) for read in scalars_read(op_values(op))
        ):
            yield target


def scalars_read(terms: Iterable[Expr]) -> Iterator[Lvalue]:
    """The lvalues of one number or address whose values are used."""
    for term in terms:
        for part in evaluated(term):
            if isinstance(part, Lvalue) and is_scalar(part.type):
                yield part


def _base(lvalue: Lvalue) -> Var | None:
    """The variable that a place is, or is a member of."""
    here: Expr = lvalue
    while isinstance(here, Field):
        here = here.base
    return here if isinstance(here, Var) else None


def _around(lvalue: Lvalue) -> list[Lvalue]:
    """The place and all that it is a member of."""
    found = [lvalue]
    while isinstance(lvalue, Field):
        lvalue = lvalue.base
        found.append(lvalue)
    return found


def _moved(source: Lvalue, target: Lvalue, state: Places) -> Iterator[Lvalue]:
    """The members of the target that are written if one record is copied to another."""
    for place in state:
        path: list[Field] = []
        here: Lvalue = place
        while isinstance(here, Field) and here is not source:
            path.append(here)
            here = here.base
        if here is source and path:
            moved = target
            for link in reversed(path):
                moved = Field(moved, link.name, link.type)
            yield moved


def _variables(function: Function) -> tuple[frozenset[Var], frozenset[Var]]:
    """The local scalars and records that only their names reach. What the front end never writes
    stands for something that is missing: the result of a function that ends without one, which
    nobody may ever use."""
    taken = addressed(function)
    written = {op_target(edge.op) for edge in function.edges if not unsets(edge.op)}
    mine = [var for var in function.locals if var.name not in taken]
    scalars = (var for var in mine if is_scalar(var.type))
    return (
        frozenset(var for var in scalars if "." not in var.short or var in written),
        frozenset(var for var in mine if isinstance(var.type, RecordType)),
    )


def addressed(function: Function) -> set[str]:
    """The names of the variables whose address is taken."""
    found: set[str] = set()
    seen: set[Expr] = set()
    for edge in function.edges:
        target = op_target(edge.op)
        stack = [*op_values(edge.op), *([] if target is None else [target])]
        while stack:
            term = stack.pop()
            if term in seen:
                continue
            seen.add(term)
            if isinstance(term, AddressOf) and isinstance(root := root_of(term.target), Var):
                found.add(root.name)
            stack.extend(children(term))
    return found
