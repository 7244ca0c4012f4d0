"""Uninitialised values: a local variable is used before anything was written to it.

Variables whose address is not taken, and that hold one number or address, are looked at. To copy
such a value to another one is no fault, and the copy is not initialised either; it is one to branch
by the value, to use it as an address, an index, a size, an argument or a result, or to store it.
Where it is not plain that a variable has been written, a flag `x.set` is added to the program: it
is 1 while that is so. Soundness duty: in every run each flag tells what it says, and a use without
a flag is of a variable that has been written.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import TypeAlias

from ..ir import make
from ..ir.cfa import Edge, Function, Location, Program
from ..ir.def_use import op_target, op_values
from ..ir.expr import FALSE, AddressOf, And, Deref, Expr, Field, Index, Ite, Lvalue, Or, Var
from ..ir.ops import Assign, Havoc, Operation, Source
from ..ir.types import CBOOL, is_scalar
from ..ir.walk import children, evaluated, operands, root_of
from ..records import dataclass, replace
from .faults import Fault, shown

Vars: TypeAlias = frozenset[Var]

_NONE: Vars = frozenset()


def with_flags(program: Program) -> Program:
    """The program with flags for the variables that may be used before they are written."""
    functions = {name: _Flagged(function).result() for name, function in program.functions.items()}
    return replace(program, functions=functions)


def uninitialised(program: Program, edge: Edge) -> Iterator[Fault]:
    """A variable that was not written decides something."""
    function = program.functions[edge.src.function]
    flags = _flags(function)
    if not flags:
        return
    for term in _deciding(edge.op, _tracked(function)):
        unset = _is_unset(term, flags)
        names = dict.fromkeys(shown(part) for part in evaluated(term) if part in flags)
        yield Fault(unset, f"{' or '.join(names)} is used and was never written")


def _flag(var: Var) -> Var:
    return Var(f"{var.name}.set", CBOOL)


def _flags(function: Function) -> Mapping[Var, Var]:
    """The flags of the variables that have one."""
    present = {var for var in function.locals if var.type is CBOOL}
    if not present:
        return {}
    return {var: flag for var in function.locals if (flag := _flag(var)) in present}


@lru_cache(maxsize=1)  # one function is looked at after the other
def _tracked(function: Function) -> Vars:
    """The variables that are looked at. What the front end never writes stands for something that
    is missing: the result of a function that ends without one, which nobody may ever use."""
    taken = _addressed(function)
    written = {op_target(edge.op) for edge in function.edges if not _unsets(edge.op)}
    return frozenset(
        var
        for var in function.locals
        if is_scalar(var.type)
        and var.name not in taken
        and ("." not in var.short or var in written)
    )


def _deciding(op: Operation, tracked: Vars) -> list[Expr]:
    """The terms whose values the operation depends on. What is only copied is none."""
    target = op_target(op)
    found = [] if target is None else _located_by(target)
    if not _is_copy(op, tracked):
        return [*found, *op_values(op)]
    read = (term for value in op_values(op) for term in evaluated(value))
    return found + [part for term in read if isinstance(term, Lvalue) for part in _located_by(term)]


def _is_copy(op: Operation, tracked: Vars) -> bool:
    return isinstance(op, Assign) and op.target in tracked


def _is_unset(term: Expr, flags: Mapping[Var, Var]) -> Expr:
    """The condition that a value depends on a variable that was not written. That of `a && b` does
    not if one of the two is false: C does not look at the other."""
    found: dict[Expr, Expr] = {}
    for part in evaluated(term):
        inner = [found[operand] for operand in operands(part)]
        match part:
            case Var():
                flag = flags.get(part)
                unset = FALSE if flag is None else make.equal(flag, make.const(0, CBOOL))
            case And(args):
                others = (make.disj(pair) for pair in zip(inner, args, strict=True))
                unset = make.conj((make.disj(inner), *others))
            case Or(args):
                negated = map(make.negate, args)
                others = (make.disj(pair) for pair in zip(inner, negated, strict=True))
                unset = make.conj((make.disj(inner), *others))
            case Ite(cond, _, _, _):
                chosen = (make.conj((cond, inner[1])), make.conj((make.negate(cond), inner[2])))
                unset = make.disj((inner[0], *chosen))
            case _:
                unset = make.disj(inner)
        found[part] = unset
    return found[term]


@dataclass(frozen=True, slots=True)
class _Use:
    """The tracked variables whose values an operation depends on, and those that it may copy."""

    decides: Vars
    copied: Vars


def _use(op: Operation, tracked: Vars) -> _Use:
    decides = _variables(_deciding(op, tracked))
    copied = _variables(op_values(op)) if _is_copy(op, tracked) else _NONE
    return _Use(decides & tracked, copied & tracked)


def _variables(terms: Iterable[Expr]) -> Vars:
    """The variables whose values are used."""
    return frozenset(p for term in terms for p in evaluated(term) if isinstance(p, Var))


def _located_by(lvalue: Expr) -> list[Expr]:
    """The pointer and the indices of an lvalue."""
    found: list[Expr] = []
    while isinstance(lvalue, Field | Index):
        if isinstance(lvalue, Index):
            found.append(lvalue.index)
        lvalue = lvalue.base
    return [*found, lvalue.pointer] if isinstance(lvalue, Deref) else found


class _Flagged:
    """One function, while it gets its flags."""

    def __init__(self, function: Function) -> None:
        self._function = function
        self._tracked = _tracked(function)
        self._uses = {edge: _use(edge.op, self._tracked) for edge in function.edges}
        self._written = self._surely_written()
        self._next = 1 + max(location.index for location in function.locations)

    def result(self) -> Function:
        doubtful = self._doubtful()
        if not doubtful:
            return self._function
        function, edges = self._function, list[Edge]()
        start = here = self._fresh()
        flags = [_flag(var) for var in sorted(doubtful, key=lambda var: var.name)]
        for number, flag in enumerate(flags):
            after = function.entry if number == len(flags) - 1 else self._fresh()
            edges.append(Edge(here, Assign(flag, make.const(0, CBOOL)), after, function.coord))
            here = after
        for edge in function.edges:
            target = op_target(edge.op)
            if target in doubtful:
                assert isinstance(target, Var)
                middle = self._fresh()
                new = Assign(_flag(target), self._value(edge, doubtful))
                edges.append(replace(edge, dst=middle))
                edges.append(replace(edge, src=middle, op=new))
            else:
                edges.append(edge)
        return replace(function, entry=start, edges=tuple(edges), locals=(*function.locals, *flags))

    def _value(self, edge: Edge, doubtful: Vars) -> Expr:
        """Is the target written, once the edge was taken?"""
        if _unsets(edge.op):
            return make.const(0, CBOOL)
        if not _is_copy(edge.op, self._tracked):
            return make.const(1, CBOOL)
        (value,) = op_values(edge.op)
        unset = _is_unset(value, {var: _flag(var) for var in doubtful})
        return make.cast(make.negate(unset), CBOOL)

    def _doubtful(self) -> Vars:
        """The variables that may be used before they are written, and those copied to them."""
        found: set[Var] = set()
        for edge, use in self._uses.items():
            found |= use.decides - self._written.get(edge.src, self._tracked)
        todo = list(found)
        while todo:
            var = todo.pop()
            for edge, use in self._uses.items():
                if op_target(edge.op) is var:
                    new = use.copied - self._written.get(edge.src, self._tracked) - found
                    found |= new
                    todo += new
        return frozenset(found)

    def _surely_written(self) -> Mapping[Location, Vars]:
        """The variables that are written on all ways to a location (definite assignment)."""
        states: dict[Location, Vars] = {self._function.entry: _NONE}
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

    def _after(self, edge: Edge, state: Vars) -> Vars:
        target = op_target(edge.op)
        if target not in self._tracked:
            return state
        assert isinstance(target, Var)
        if _unsets(edge.op) or not self._uses[edge].copied <= state:
            return state - {target}
        return state | {target}

    def _fresh(self) -> Location:
        self._next += 1
        return Location(self._function.name, self._next - 1)


def _unsets(op: Operation) -> bool:
    return isinstance(op, Havoc) and op.source is Source.UNINITIALIZED


def _addressed(function: Function) -> set[str]:
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
