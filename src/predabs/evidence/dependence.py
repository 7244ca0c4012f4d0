"""Does a run depend on a value that only the C library or inline assembly can compute?

Forward dependence over the edges that the run has taken, in any order: a value spreads to what is
computed from it, through variables, objects in memory, parameters and results. It decides about the
run if it comes to a condition, to an address, size or divisor (the run might fault), or to the
choice of a function that is called.

Soundness duty: if `decisive` says None, the run takes the same edges whatever the values are. The
order of the edges does not matter because nothing that was once dependent becomes independent.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import TypeAlias

from ..analysis.points_to.objects import UNKNOWN, Object
from ..analysis.points_to.sets import PointsTo, points_to
from ..ir.cfa import Edge, Program
from ..ir.def_use import op_target, op_values
from ..ir.expr import Binary, Deref, Expr, Index, Lvalue, ObjectSize, Op, Var
from ..ir.ops import (
    Alloc,
    Assign,
    Assume,
    Call,
    Copy,
    Fill,
    Free,
    Halt,
    Havoc,
    Print,
    Return,
    Source,
)
from ..ir.types import PointerType
from ..ir.walk import reads, root_of, subterms

# inputs that stand for what a real run computes, and predabs does not
COMPUTED = frozenset([Source.UNKNOWN, Source.ASM])
Cause: TypeAlias = tuple[Source, str]  # whose values: the source, and the name of the function


def decisive(program: Program, edges: Collection[Edge], causes: Iterable[Cause]) -> Cause | None:
    """The first of those whose results or writes may decide about the run."""
    facts = points_to(program)
    return next((cause for cause in causes if _Spread(facts, edges, cause).decides()), None)


class _Spread:
    """What depends on the values of one function, or of inline assembly."""

    def __init__(self, facts: PointsTo, edges: Collection[Edge], cause: Cause) -> None:
        self._facts = facts
        self._edges = edges
        self._cause = cause
        self._variables: set[str] = set()  # that only their names reach
        self._objects: set[Object] = set()
        self._results: set[str] = set()  # of functions

    def decides(self) -> bool:
        before = -1
        while (size := self._size()) > before:
            before = size
            for edge in self._edges:
                if self._is_decided(edge):
                    return True
                self._follow(edge)
        return False

    def _size(self) -> int:
        return len(self._variables) + len(self._objects) + len(self._results)

    # --- what depends -----------------------------------------------------------------------------

    def _depends(self, value: Expr) -> bool:
        return any(self._holds(lvalue) for lvalue in reads(value))

    def _holds(self, lvalue: Lvalue) -> bool:
        root = root_of(lvalue)
        if isinstance(root, Var) and self._facts.address_taken.scalar_variable(root):
            return root.name in self._variables
        objects = self._reached(root)
        if UNKNOWN in objects or UNKNOWN in self._objects:
            return bool(self._objects)
        return not objects.isdisjoint(self._objects)

    def _reached(self, root: Var | Deref) -> set[Object]:
        if isinstance(root, Var):
            return {self._facts.variable(root)}
        # the run was there: what the analysis does not know of is not nothing
        return {target.object for target in self._facts.targets(root.pointer)} or {UNKNOWN}

    def _add(self, lvalue: Lvalue) -> None:
        root = root_of(lvalue)
        if isinstance(root, Var) and self._facts.address_taken.scalar_variable(root):
            self._variables.add(root.name)
        else:
            self._objects |= self._reached(root)

    # --- one edge ---------------------------------------------------------------------------------

    def _is_decided(self, edge: Edge) -> bool:
        """Would another value make the run leave this edge, or fault here?"""
        op = edge.op
        target = op_target(op)
        terms = (*op_values(op), *(() if target is None else (target,)))
        if any(self._depends(value) for term in terms for value in _risky(term)):
            return True
        match op:
            case Assume(cond):
                return self._depends(cond)
            case Call(_, callee, _):
                return self._depends(callee)
            case Alloc(_, size, _, _):
                return self._depends(size)
            case Free(pointer):
                return self._depends(pointer)
            case Fill(pointer, _, size):
                return self._depends(pointer) or self._depends(size)
            case Copy(pointer, source, size):
                return any(self._depends(value) for value in (pointer, source, size))
            case Print(_, _, args):  # through a pointer, a string
                return any(isinstance(arg.type, PointerType) and self._depends(arg) for arg in args)
            case Halt():
                return True
            case _:
                return False

    def _follow(self, edge: Edge) -> None:
        """What is written on this edge may depend on what is read."""
        match edge.op:
            case Havoc(target, source, name) if (source, name) == self._cause:
                self._add(target)
            case Assign(target, value) if self._depends(value):
                self._add(target)
            case Call():
                self._call(edge, edge.op)
            case Return(value) if value is not None and self._depends(value):
                self._results.add(edge.src.function)
            case Fill(pointer, byte, _) if self._depends(byte):
                self._add(Deref(pointer, byte.type))
            case Copy(pointer, source, size) if self._holds(Deref(source, size.type)):
                self._add(Deref(pointer, size.type))
            case Print(target, _, args) if target is not None:
                if self._objects or any(self._depends(arg) for arg in args):
                    self._add(target)

    def _call(self, edge: Edge, call: Call) -> None:
        for name in self._facts.call_targets(edge):
            function = self._facts.program.functions.get(name)
            if function is None:
                continue
            for param, arg in zip(function.params, call.args, strict=False):
                if self._depends(arg):
                    self._add(param)
            if name in self._results and call.target is not None:
                self._add(call.target)


def _risky(term: Expr) -> Iterable[Expr]:
    """The parts of a term on which it depends whether it has a value at all."""
    for part in subterms(term):
        match part:
            case Deref(pointer, _) | ObjectSize(pointer, _):
                yield pointer
            case Index(_, index, _):
                yield index
            case Binary(Op.DIV | Op.REM, _, right, _):
                yield right
