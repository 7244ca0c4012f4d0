"""Prefix sums as ghost variables: for loops that add up the same elements more than once.

Where a loop adds a[i] to a variable, a ghost is the sum of a[0], ..., a[i - 1], and another one,
for each bound n that i is compared with, the sum of a[0], ..., a[n - 1]. The first begins with 0
when i does, and grows with i by the element that was just read or written; where i == n, both are
equal. All sums wrap around.

Soundness duty: each run of the program is one with these ghosts, which have the values that the
array and the variables say (an element that does not exist counts as 0). So whatever may change a
sum makes the ghost anything, and what is assumed holds of the sums.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ...ir import make
from ...ir.cfa import Edge
from ...ir.expr import Binary, Cast, Const, Expr, FunctionAddress, Lvalue, Op, Var
from ...ir.ops import Alloc, Assign, Assume, Call, Havoc, Operation, Source
from ...ir.types import IntType, Type
from ...ir.walk import reads, subterms
from ...records import dataclass
from ..effects import Slot
from ..facts import ProgramFacts
from ..memory.partition import RegionId, Scalar
from ..points_to.objects import Allocated, Variable
from .distinguished import Single
from .memory_accesses import MemoryAccesses, edges_of
from .places import WIDE, wide

_MOST_SUMS = 4
_MOST_TOTALS = 3  # of one array


@dataclass(frozen=True, slots=True)
class SummedArray:
    """An array, or a member of its elements, as what it is read, and the type in which that is
    summed up."""

    object: Single
    region: RegionId
    offset: int
    stride: int
    element: IntType
    type: IntType


@dataclass(frozen=True, slots=True)
class PrefixSum:
    """`ghost` is the sum of the elements before `index`."""

    array: SummedArray
    index: Var
    ghost: Var


@dataclass(frozen=True, slots=True)
class Total:
    """`ghost` is the sum of the elements before a bound, a constant or variable."""

    array: SummedArray
    bound: Expr
    ghost: Var


class PrefixSums:
    """The sums of one program; `accumulators` are the variables to which loops add elements."""

    def __init__(self, facts: ProgramFacts, accesses: MemoryAccesses) -> None:
        self._facts = facts
        self._accesses = accesses
        self.sums: list[PrefixSum] = []
        self.totals: list[Total] = []
        self.accumulators: dict[tuple[Var, SummedArray], None] = {}
        for edge in edges_of(facts.program):
            self._find(edge)
        for edge in edges_of(facts.program) if self.sums else ():
            self._find_bounds(edge)

    @property
    def ghosts(self) -> tuple[Var, ...]:
        return (*(item.ghost for item in self.sums), *(item.ghost for item in self.totals))

    # --- which there are --------------------------------------------------------------------------

    def _find(self, edge: Edge) -> None:
        """`s = s + a[i]`."""
        match edge.op:
            case Assign(Var() as target, Binary(Op.ADD | Op.SUB, left, right, IntType() as type_)):
                for one, other in ((left, right), (right, left)):
                    if one is target and self._is_counter(target):
                        for lvalue in reads(other):
                            self._add(target, lvalue, type_)

    def _add(self, target: Var, lvalue: Lvalue, type_: IntType) -> None:
        found = self._element(lvalue, type_)
        if found is None or len(self.sums) >= _MOST_SUMS:
            return
        array, index = found
        self.accumulators[target, array] = None
        if not any(s.array == array and s.index is index for s in self.sums):
            ghost = Var(f"sum {len(self.sums) + 1} to {index.short}", type_)
            self.sums.append(PrefixSum(array, index, ghost))

    def _element(self, lvalue: Lvalue, type_: IntType) -> tuple[SummedArray, Var] | None:
        """The array and the index of an access, if it is to an array of which there is one."""
        region, place = self._accesses.region(lvalue), self._accesses.place(lvalue)
        anchor = self._accesses.anchor(lvalue)
        if region is None or place is None or len(place.steps) != 1:
            return None
        if not isinstance(anchor, Single) or not isinstance(lvalue.type, IntType):
            return None
        if not place.is_variable and self._accesses.starts(place.base) is None:
            return None
        (step,) = place.steps
        index = _exact(step.index)
        if not isinstance(index, Var) or not self._is_counter(index):
            return None
        offset, stride = place.offset, step.stride
        return SummedArray(anchor, region, offset, stride, lvalue.type, type_), index

    def _is_counter(self, var: Var) -> bool:
        """Is it an integer outside of memory that only operations change (no parameter)?"""
        function = self._facts.program.functions.get(var.function)
        fits = isinstance(var.type, IntType) and var.type.high <= WIDE.high
        passed = function is not None and var in function.params
        return fits and not passed and self._accesses.region(var) is None

    def _find_bounds(self, edge: Edge) -> None:
        for one, bound in self._compared(edge):
            for known in self.sums:
                mine = [total for total in self.totals if total.array == known.array]
                new = known.index is one and all(total.bound is not bound for total in mine)
                if new and len(mine) < _MOST_TOTALS:
                    ghost = Var(f"total {len(self.totals) + 1}", known.array.type)
                    self.totals.append(Total(known.array, bound, ghost))

    def _compared(self, edge: Edge) -> Iterator[tuple[Expr, Expr]]:
        """Indices and what they are compared with."""
        for term in subterms(edge.op.cond) if isinstance(edge.op, Assume) else ():
            if isinstance(term, Binary) and term.op.is_comparison:
                left, right = _exact(term.left), _exact(term.right)
                for one, other in ((left, right), (right, left)):
                    constant = isinstance(other, Const) and isinstance(other.type, IntType)
                    if constant or (isinstance(other, Var) and self._is_bound(other)):
                        yield one, other

    def _is_bound(self, var: Var) -> bool:
        fits = isinstance(var.type, IntType) and var.type.high <= WIDE.high
        return fits and self._accesses.region(var) is None

    # --- what operations do -----------------------------------------------------------------------

    def before(
        self,
        edge: Edge,
        known: frozenset[Lvalue],
        held: Callable[[Lvalue], Expr],
        anything: Callable[[Type], Expr],
    ) -> list[Operation]:
        """What is done before the operation of an edge; `held` is what a variable of the program
        holds, or one of the `known` accesses."""
        if isinstance(edge.op, Call):
            op = edge.op
            sums = [s.ghost for s in self.sums if self._enters(op, s.array, s.index)]
            totals = [t.ghost for t in self.totals if self._enters(op, t.array, t.bound)]
            return [_anything(ghost) for ghost in (*sums, *totals)]
        ops: list[Operation] = []
        writes = self._facts.modref.effects(edge).writes
        for item in self.sums:
            new = self._next(edge, item, writes)
            if new is _GROWN:
                new = self._grown(item, known, held, anything)
            if new is None:
                ops.append(_anything(item.ghost))
            elif new is not item.ghost:
                ops.append(Assign(item.ghost, new))
        return ops + self._totals(edge, writes)

    def after(self, edge: Edge, held: Callable[[Lvalue], Expr]) -> list[Operation]:
        """What is done, or known, after it."""
        ops: list[Operation] = []
        match edge.op:
            case Call(target, _, _) if target is not None:
                writes = self._facts.modref.slots.of_target(target)
                for item in self.sums:
                    if self._slot(item.index) in writes or item.array.region in writes:
                        ops.append(_anything(item.ghost))
                ops += self._totals(edge, writes)
            case Assume(cond):
                read = set(reads(cond))
                for item in self.sums:
                    for total in self.totals if item.index in read else ():
                        if total.array == item.array:
                            ops.append(Assume(self._meeting(item, total, held)))
        return ops

    def _meeting(self, item: PrefixSum, total: Total, held: Callable[[Lvalue], Expr]) -> Expr:
        """Where the index is the bound, the sums are the same."""
        bound = held(total.bound) if isinstance(total.bound, Var) else total.bound
        apart = make.not_equal(wide(held(item.index)), wide(bound))
        return make.disj((apart, make.equal(item.ghost, total.ghost)))

    def _enters(self, op: Call, array: SummedArray, number: Expr) -> bool:
        """May the call enter the function of the array, index or bound, so that it is a new one?"""
        own = {number.function} if isinstance(number, Var) else set()
        if isinstance(array.object.object, Variable):
            own.add(array.object.object.var.function)
        own.discard("")
        return bool(own) and (not isinstance(op.callee, FunctionAddress) or op.callee.name in own)

    def _totals(self, edge: Edge, writes: frozenset[Slot]) -> list[Operation]:
        found: list[Operation] = []
        for total in self.totals:
            moved = isinstance(total.bound, Var) and self._slot(total.bound) in writes
            if moved or total.array.region in writes or self._is_made(edge, total.array):
                found.append(_anything(total.ghost))
        return found

    def _next(self, edge: Edge, item: PrefixSum, writes: frozenset[Slot]) -> Expr | None:
        """The sum after the operation; None if that may be anything, `_GROWN` if the index is one
        more."""
        if self._is_made(edge, item.array):
            return None
        if item.array.region in writes and not self._is_at(edge, item):
            return None
        if self._slot(item.index) not in writes:
            return item.ghost
        if item.array.region in writes or not isinstance(edge.op, Assign):
            return None
        value = _exact(edge.op.value)
        if edge.op.target is item.index and isinstance(value, Const) and value.value == 0:
            return make.const(0, item.array.type)
        if edge.op.target is item.index and _is_next(edge.op.value, item.index):
            return _GROWN
        return None

    def _grown(
        self,
        item: PrefixSum,
        known: frozenset[Lvalue],
        held: Callable[[Lvalue], Expr],
        anything: Callable[[Type], Expr],
    ) -> Expr | None:
        """With the element at the index, unless the index wraps around."""
        type_ = item.index.type
        assert isinstance(type_, IntType)
        for lvalue in sorted(known, key=str):
            if self._element(lvalue, item.array.type) == (item.array, item.index):
                more = make.cast(held(lvalue), item.array.type)
                last = make.equal(held(item.index), make.const(type_.high, type_))
                grown = make.binary(Op.ADD, item.ghost, more)
                return make.ite(last, anything(item.array.type), grown)
        return None

    def _is_at(self, edge: Edge, item: PrefixSum) -> bool:
        """Is all that is written of the array the element at the index?"""
        match edge.op:
            case Assign(target, _) | Havoc(target, _, _):
                found = self._element(target, item.array.type)
                return found == (item.array, item.index)
        return False

    def _is_made(self, edge: Edge, array: SummedArray) -> bool:
        return isinstance(edge.op, Alloc) and array.object.object == Allocated(edge)

    def _slot(self, var: Expr) -> Slot | None:
        assert isinstance(var, Var)
        storage = self._accesses.partition.storage(var)
        return storage.var if isinstance(storage, Scalar) else None


_GROWN = Var("one more", WIDE)


def _anything(ghost: Var) -> Operation:
    return Havoc(ghost, Source.UNKNOWN, ghost.name)


def _exact(e: Expr) -> Expr:
    """An integer before it was converted, if that kept its value."""
    while isinstance(e, Cast) and isinstance(e.type, IntType) and isinstance(e.arg.type, IntType):
        if e.arg.type.low < e.type.low or e.arg.type.high > e.type.high:
            break
        e = e.arg
    return e


def _is_next(value: Expr, index: Var) -> bool:
    """Is it `index + 1`, in the type of the index?"""
    match value:
        case Binary(Op.ADD, left, Const(1, _), type_):
            return left is index and type_ is index.type
    return False
