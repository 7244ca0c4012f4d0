"""Many elements written at once: a `Sweep` in a symbolic state.

A few elements are written one after the other. Else they become a range upon what was there, with
the value as a term over the number of the element. Soundness duty: the state goes on just where all
accesses lie in their objects. As places move evenly, those for the first and the last element tell.
"""

from __future__ import annotations

from typing import Protocol

from ..encode import bitvector_encoding as encode
from ..encode import float_encoding
from ..ir.expr import Expr, Lvalue
from ..ir.ops import Sweep
from ..ir.types import size_of
from ..smt import bitvectors, build
from ..smt.term import FALSE, Sort, Symbol, Term, Value
from .memory import FEW, AccessTarget, Reach
from .overlay import Elements
from .values import SymbolicLimit, SymbolicValues


class _Assigning(Protocol):
    """What a sweep needs of the machine."""

    def assign(
        self, there: SymbolicValues, here: SymbolicValues, target: Lvalue, value: Expr
    ) -> None: ...

    def fresh(self, name: str, sort: Sort) -> Symbol: ...


def sweep(machine: _Assigning, values: SymbolicValues, op: Sweep) -> None:
    """Execute the operation; changes the state."""
    count, state = values.value(op.count), values.state
    zero = encode.constant(0, op.count.type)
    some = bitvectors.slt(zero, count)
    if some is FALSE:
        return
    if isinstance(count, Value) and count.value <= FEW:  # it is positive
        for number in range(count.value):
            state.locals[op.index] = encode.constant(number, op.index.type)
            machine.assign(values, values, op.target, op.value)
    else:
        _Range(machine, values, op, count, some).write()
    del state.locals[op.index]


class _Range:
    """A sweep over elements that are many, or of which it is not known how many they are."""

    def __init__(
        self, machine: _Assigning, values: SymbolicValues, op: Sweep, count: Term, some: Term
    ) -> None:
        self._values = values
        self._state = values.state
        self._op = op
        self._count = count
        self._some = some
        self._bits = values.state.memory.space.bits
        self._size = size_of(op.target.type)
        self._number = machine.fresh("element", bitvectors.bits(0, self._bits).sort)

    def write(self) -> None:
        op, memory = self._op, self._state.memory
        one = encode.constant(1, op.count.type)
        last = bitvectors.sub(self._count, one)
        first = self._visit(encode.constant(0, op.count.type))
        self._visit(last)
        if first.unknown_object is not FALSE or first.undecided is not FALSE:
            raise SymbolicLimit("many elements behind an unknown pointer are written")
        for target in first.targets:
            if target.object is memory.space.outside:
                raise SymbolicLimit("many elements of the environment's memory are written")
            if not target.object.writable:
                self._values.require(build.not_(build.and_(self._some, target.cond)))
                continue
            self._require_room(target)
        value = self._value()
        count = self._narrow(build.ite(self._some, self._count, encode.constant(0, op.count.type)))
        for target in first.targets:
            if target.object.writable:
                self._fill(target, count, value, only=len(first.targets) == 1)

    def _visit(self, number: Term) -> Reach:
        """Where the element lies; the state goes on only where it can be written, if it is."""
        state, before = self._state, self._state.guard
        state.locals[self._op.index] = number
        self._values.value(self._op.value)
        found = self._values.reached(self._op.target)
        self._values.require(build.or_(found.inside, found.unknown_object))
        needed = state.guard.since(before)
        state.guard = before
        self._values.require(build.or_(build.not_(self._some), needed))
        return found

    def _value(self) -> Term:
        """What the element with the number gets; what that needs is required of the first and the
        last one."""
        state, before = self._state, self._state.guard
        state.locals[self._op.index] = encode.resize(
            self._number, False, encode.width(self._op.index.type)
        )
        value = self._values.value(self._op.value)
        state.guard = before
        return float_encoding.in_memory(value, self._op.target.type)

    def _require_room(self, target: AccessTarget) -> None:
        """So many elements lie in the object. Its address may wrap around on the way, so their
        number is compared first."""
        made, stride = target.object, abs(self._op.stride)
        most = encode.constant(made.room // stride + 1, self._op.count.type)
        moved = bitvectors.mul(
            bitvectors.sub(self._narrow(self._count), bitvectors.bits(1, self._bits)),
            bitvectors.bits(self._op.stride, self._bits),
        )
        last = bitvectors.add(target.offset, moved)
        fits = build.and_(
            bitvectors.sle(self._count, most),
            self._state.memory.inside(made, last, self._size),
        )
        self._values.require(build.implies(build.and_(self._some, target.cond), fits))

    def _narrow(self, count: Term) -> Term:
        """A number that is not more than addresses have room for."""
        return encode.resize(count, True, self._bits)

    def _fill(self, target: AccessTarget, count: Term, value: Term, *, only: bool) -> None:
        none, stride = bitvectors.bits(0, self._bits), self._op.stride
        if not only:
            count = build.ite(target.cond, count, none)
        start, number = target.offset, self._number
        if stride < 0:  # count from the other end
            last = bitvectors.sub(count, bitvectors.bits(1, self._bits))
            start = bitvectors.add(start, bitvectors.mul(last, bitvectors.bits(stride, self._bits)))
            turned = Elements(start, count, self._size, -stride, value, number)
            value = turned.at(bitvectors.sub(last, number))
        self._state.memory.fill(
            target.object, Elements(start, count, self._size, abs(stride), value, number)
        )
