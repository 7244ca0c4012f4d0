"""The numbers that an input is compared with, for random runs that take more branches.

Variables that are copied into each other, parameters, and the results of functions are one class
(by unification); the constants are those that a member of the class stands beside in a comparison.
Nothing rests on this: it only makes some values more likely than others.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..ir.cfa import Edge, Program
from ..ir.expr import Binary, Cast, Const, Expr, Field, FloatConst, FunctionAddress, Var
from ..ir.ops import Assign, Assume, Call, Havoc, Return
from ..ir.walk import subterms
from .extended import float_constant

_MOST = 64  # constants that are worth a choice


class ComparedConstants:
    """For each input of a program, the constants that it may be compared with."""

    def __init__(self, program: Program) -> None:
        self._parents: dict[str, str] = {}
        self._constants: dict[str, set[int]] = {}
        self._floats: dict[str, set[float]] = {}
        compared: list[tuple[str, int | float]] = []
        for function in program.functions.values():
            for edge in function.edges:
                match edge.op:
                    case Assign(target, value):
                        self._copy(_key(target), value)
                        compared += _compared(value)
                    case Return(value) if value is not None:
                        self._copy(f"{function.name}()", value)
                        compared += _compared(value)
                    case Call(target, FunctionAddress(name, _), args):
                        called = program.functions.get(name)
                        for param, arg in zip(called.params if called else (), args, strict=False):
                            self._copy(param.name, arg)
                        if target is not None:
                            self._join(f"{name}()", _key(target))
                    case Assume(cond):
                        compared += _compared(cond)
        for name, constant in compared:
            if isinstance(constant, int):
                self._constants.setdefault(self._root(name), set()).add(constant)
            elif constant == constant:
                self._floats.setdefault(self._root(name), set()).add(constant)

    def of(self, edge: Edge) -> tuple[int, ...]:
        """What the input that is taken on this edge is compared with, in order."""
        match edge.op:
            case Havoc(target, _, _) | Call(target, _, _) if target is not None:
                found = self._constants.get(self._root(_key(target)), set())
                return tuple(sorted(found)) if len(found) <= _MOST else ()
        return ()

    def floats_of(self, edge: Edge) -> tuple[float, ...]:
        """The same for an input that is a floating-point number."""
        match edge.op:
            case Havoc(target, _, _) | Call(target, _, _) if target is not None:
                found = self._floats.get(self._root(_key(target)), set())
                return tuple(sorted(found)) if len(found) <= _MOST else ()
        return ()

    def _copy(self, target: str, value: Expr) -> None:
        self._join(target, _source(value))

    def _join(self, left: str, right: str) -> None:
        if left and right:
            self._parents[self._root(left)] = self._root(right)

    def _root(self, name: str) -> str:
        while (parent := self._parents.get(name, name)) != name:
            self._parents[name] = self._parents.get(parent, parent)
            name = parent
        return name


def _key(lvalue: Expr) -> str:
    """What the lvalue is known by, if anything; members are one for all objects of a type."""
    match lvalue:
        case Var(name, _):
            return name
        case Field(base, name, _):
            return f"{base.type}.{name}"
    return ""


def _source(value: Expr) -> str:
    """What is copied, maybe converted."""
    while isinstance(value, Cast):
        value = value.arg
    return _key(value)


def _compared(cond: Expr) -> Iterator[tuple[str, int | float]]:
    for term in subterms(cond):
        match term:
            case Binary(op, left, right, _) if op.is_comparison:
                for one, other in ((left, right), (right, left)):
                    if isinstance(one, Const) and (name := _source(other)):
                        yield name, one.value
                    elif isinstance(one, FloatConst) and (name := _source(other)):
                        yield name, float(float_constant(one.hex, one.type))
