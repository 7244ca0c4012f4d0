"""Uninitialised values: something is used before anything was written to it.

To copy such a value to another place is no fault, and the copy is not initialised either; it is one
to branch by the value, to use it as an address, an index, a size, an argument or a result, or to
compute from it what is stored in memory. Where it is not plain that a variable which only its name
reaches has been written, a flag `x.set` is added to the program: it is 1 while that is so. What
lies in memory has no flag: `Initialised` asks for it.

Soundness duty: in every run each flag tells what it says, and a use without a flag or a question is
of something that has been written.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from typing import TypeAlias

from ..ir import make
from ..ir.cfa import Edge, Function, Location, Program
from ..ir.def_use import op_target, op_values
from ..ir.expr import FALSE, TRUE, And, Deref, Expr, Field, Index, Initialised, Ite, Lvalue, Or, Var
from ..ir.ops import Assign, Assume, Operation
from ..ir.types import CBOOL, is_scalar
from ..ir.walk import evaluated, operands, subterms, variables
from ..records import dataclass, replace
from .definite_assignment import DefiniteAssignment, scalars_read, unsets
from .faults import Fault, shown
from .unwritten_memory import UnwrittenMemory

Unset: TypeAlias = Callable[[Lvalue], Expr]  # the condition that an lvalue was not written


def with_flags(program: Program) -> Program:
    """The program with flags for the variables that may be used before they are written."""
    memory = UnwrittenMemory(program)
    functions = {
        name: _Flagged(function, memory).result() for name, function in program.functions.items()
    }
    return replace(program, functions=functions)


def uninitialised(program: Program, edge: Edge) -> Iterator[Fault]:
    """A variable that was not written decides something."""
    function = program.functions[edge.src.function]
    flags = _flags(function)
    if flags:
        here = _place(program, function)
        yield from _faults(here.deciding(edge.op), lambda lvalue: _is_zero(flags.get(lvalue)))


def unwritten(program: Program, edge: Edge) -> Iterator[Fault]:
    """Memory that was not written decides something."""
    here = _place(program, program.functions[edge.src.function])
    yield from _faults(here.deciding(edge.op), lambda lvalue: here.unwritten(edge.src, lvalue))


def _faults(terms: Iterable[Expr], unset: Unset) -> Iterator[Fault]:
    for term in terms:
        cond = _is_unset(term, unset)
        if cond is not FALSE:
            parts = (part for part in evaluated(term) if isinstance(part, Lvalue))
            names = dict.fromkeys(shown(part) for part in parts if unset(part) is not FALSE)
            yield Fault(cond, f"{' or '.join(names)} is used and was never written")


def _flag(var: Var) -> Var:
    return Var(f"{var.name}.set", CBOOL)


def _flags(function: Function) -> Mapping[Expr, Var]:
    """The flags of the variables that have one."""
    present = {var for var in function.locals if var.type is CBOOL}
    if not present:
        return {}
    return {var: flag for var in function.locals if (flag := _flag(var)) in present}


def _is_zero(flag: Var | None) -> Expr:
    return FALSE if flag is None else make.equal(flag, make.const(0, CBOOL))


@dataclass(frozen=True, slots=True)
class _Places:
    """What is known of one function."""

    memory: UnwrittenMemory
    definite: DefiniteAssignment

    def unwritten(self, location: Location, lvalue: Lvalue) -> Expr:
        """The condition that an lvalue in memory was not written when a run is at the location."""
        if not is_scalar(lvalue.type) or not self.memory.doubted(lvalue):
            return FALSE
        if self.definite.is_place(lvalue) and self.definite.is_written(location, lvalue):
            return FALSE
        return self.memory.unwritten(lvalue)

    def deciding(self, op: Operation) -> list[Expr]:
        """The terms whose values the operation depends on. What is only copied is none."""
        target = op_target(op)
        found = [] if target is None else _located_by(target)
        if not self.is_copy(op):
            return [*found, *op_values(op)]
        read = (term for value in op_values(op) for term in evaluated(value))
        return found + [
            part for term in read if isinstance(term, Lvalue) for part in _located_by(term)
        ]

    def is_copy(self, op: Operation) -> bool:
        if isinstance(op, Assign) and op.target in self.definite.variables:
            return True
        return self.memory.is_copy(op)


@lru_cache(maxsize=1)  # one function is looked at after the other
def _place(program: Program, function: Function) -> _Places:
    memory = _memory(program)
    return _Places(memory, DefiniteAssignment(function, memory.doubted))


@lru_cache(maxsize=1)
def _memory(program: Program) -> UnwrittenMemory:
    return UnwrittenMemory(program)


def _is_unset(term: Expr, leaf: Unset) -> Expr:
    """The condition that a value depends on something that was not written. That of `a && b` does
    not if one of the two is false: C does not look at the other."""
    found: dict[Expr, Expr] = {}
    for part in evaluated(term):
        inner = [found[operand] for operand in operands(part)]
        match part:
            case Var() | Deref() | Field() | Index():
                unset = make.disj((leaf(part), *inner))
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

    def __init__(self, function: Function, memory: UnwrittenMemory) -> None:
        self._function = function
        self._definite = DefiniteAssignment(function, memory.doubted)
        self._places = _Places(memory, self._definite)
        self._next = 1 + max(location.index for location in function.locations)
        self._edges: list[Edge] = []
        self._temporaries: list[Var] = []

    def result(self) -> Function:
        doubtful = self._doubtful()
        if not doubtful:
            return self._function
        function = self._function
        flags = [_flag(var) for var in sorted(doubtful, key=lambda var: var.name)]
        start = here = self._fresh()
        for number, flag in enumerate(flags):
            after = function.entry if number == len(flags) - 1 else self._fresh()
            self._assign(here, flag, 0, after, Edge(here, Assume(FALSE), after, function.coord))
            here = after
        for edge in function.edges:
            target = op_target(edge.op)
            if isinstance(target, Var) and target in doubtful:
                self._with_flag(edge, target, doubtful)
            else:
                self._edges.append(edge)
        return replace(
            function,
            entry=start,
            edges=tuple(self._edges),
            locals=(*function.locals, *flags, *self._temporaries),
        )

    def _with_flag(self, edge: Edge, target: Var, doubtful: frozenset[Var]) -> None:
        """The edge, and behind it the flag of its target. A condition that the operation itself
        changes is asked before, and kept."""
        cond = self._unset(edge, doubtful)
        flag, here = _flag(target), edge.src
        if target in variables(cond):
            kept = Var(f"{target.name}.next", CBOOL)
            if kept not in self._temporaries:
                self._temporaries.append(kept)
            middle = self._fresh()
            self._decide(edge, here, kept, cond, middle)
            here, cond = middle, _is_zero(kept)
        middle = self._fresh()
        self._edges.append(replace(edge, src=here, dst=middle))
        self._decide(edge, middle, flag, cond, edge.dst)

    def _decide(self, edge: Edge, src: Location, flag: Var, unset: Expr, dst: Location) -> None:
        """The flag becomes 0 if the condition holds, else 1; a question about memory is a branch,
        which what is known of pointers may decide."""
        if not any(isinstance(term, Initialised) for term in subterms(unset)):
            value = make.cast(make.negate(unset), CBOOL)
            self._edges.append(replace(edge, src=src, op=Assign(flag, value), dst=dst))
            return
        for cond, written in ((unset, 0), (make.negate(unset), 1)):
            middle = self._fresh()
            self._edges.append(replace(edge, src=src, op=Assume(cond), dst=middle))
            self._assign(middle, flag, written, dst, edge)

    def _assign(self, src: Location, flag: Var, value: int, dst: Location, edge: Edge) -> None:
        op = Assign(flag, make.const(value, CBOOL))
        self._edges.append(replace(edge, src=src, op=op, dst=dst))

    def _unset(self, edge: Edge, doubtful: frozenset[Var]) -> Expr:
        """The condition, before the edge is taken, that its target is not written behind it."""
        if unsets(edge.op):
            return TRUE
        if not self._places.is_copy(edge.op):
            return FALSE
        (value,) = op_values(edge.op)

        def leaf(lvalue: Lvalue) -> Expr:
            if isinstance(lvalue, Var) and lvalue in doubtful:
                return _is_zero(_flag(lvalue))
            return self._places.unwritten(edge.src, lvalue)

        return _is_unset(value, leaf)

    def _doubtful(self) -> frozenset[Var]:
        """The variables that may be used before they are written, and those copied to them."""
        found: set[Var] = set()
        copied: dict[Var, set[Var]] = {}  # to each variable: what is copied there unwritten
        for edge in self._function.edges:
            found |= self._open(edge, self._places.deciding(edge.op))
            target = op_target(edge.op)
            if isinstance(target, Var) and self._places.is_copy(edge.op):
                copied.setdefault(target, set()).update(self._open(edge, op_values(edge.op)))
        todo = list(found)
        while todo:
            new = copied.get(todo.pop(), set()) - found
            found |= new
            todo += new
        return frozenset(found)

    def _open(self, edge: Edge, terms: Iterable[Expr]) -> set[Var]:
        """The variables in some terms that may not be written when the edge is taken."""
        return {
            lvalue
            for lvalue in scalars_read(terms)
            if isinstance(lvalue, Var)
            and lvalue in self._definite.variables
            and not self._definite.is_written(edge.src, lvalue)
        }

    def _fresh(self) -> Location:
        self._next += 1
        return Location(self._function.name, self._next - 1)
