"""Bags: which elements an array has, but for one, since a reducer went over it.

A loop that reduces an array depends on its multiset of elements alone [PH10]. When it is over, its
result is a ghost; so are its bound and what it began with. From then on two more ghosts say how the
elements before the bound have changed: one `gone`, one `come` instead; if both are the same value,
the multiset is what it was. A write of v over o makes v what has come if o was, or o what is gone
if v was, or both if nothing was different; else all is lost. Where the loop is over again, and the
multiset is the same, so is the result. This is how a swap or a rotation leaves a sum as it is.

Soundness duty: while `valid`, and not `lost`, the multiset of the elements before the bound is that
of the last time without `gone` and with `come`; what is assumed of a result holds then.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ...ir import make
from ...ir.cfa import Edge, Location
from ...ir.expr import Cast, Expr, FunctionAddress, Lvalue, Var
from ...ir.ops import Alloc, Assign, Assume, Call, Havoc, Operation, Source
from ...ir.types import IntType, Type
from ...ir.walk import substitute
from ...records import dataclass
from ..facts import ProgramFacts
from ..memory.partition import Scalar
from ..points_to.objects import Allocated, Variable
from .memory_accesses import MemoryAccesses, memory_write
from .places import WIDE, wide
from .reducers import Reducer, reducers
from .single_arrays import Element, SingleArray, element_of

_MOST = 3
FLAG = IntType(32, True)
ONE, ZERO = make.const(1, FLAG), make.const(0, FLAG)
UNSEEDED, SEEDED, PARTIAL = (make.const(number, FLAG) for number in range(3))


@dataclass(frozen=True, slots=True)
class Bag:
    """The ghosts of reducers that do the same with one array: the last `result`, and its `bound`,
    `start` and `way`; `begin` and `mode` are what the loop that is under way has begun with."""

    array: SingleArray
    loops: tuple[Reducer, ...]
    result: Var
    bound: Var
    start: Var
    way: Var
    gone: Var
    come: Var
    lost: Var
    valid: Var
    begin: Var
    mode: Var
    spare: Var

    @property
    def ghosts(self) -> tuple[Var, ...]:
        return (
            *(self.result, self.bound, self.start, self.way, self.gone, self.come),
            *(self.lost, self.valid, self.begin, self.mode, self.spare),
        )


def _bag(loops: list[Reducer], number: int) -> Bag:
    array, type_ = loops[0].array, loops[0].accumulator.type

    def ghost(name: str, of: Type) -> Var:
        return Var(f"{name} {number}", of)

    return Bag(
        array,
        tuple(loops),
        ghost("result", type_),
        ghost("bound", WIDE),
        ghost("start", type_),
        ghost("way", FLAG),
        ghost("gone", array.element),
        ghost("come", array.element),
        ghost("lost", FLAG),
        ghost("valid", FLAG),
        ghost("begin", type_),
        ghost("mode", FLAG),
        ghost("spare", array.element),
    )


class Bags:
    """The bags of one program."""

    def __init__(self, facts: ProgramFacts, accesses: MemoryAccesses, *, wanted: bool) -> None:
        self._facts = facts
        self._accesses = accesses
        alike: dict[tuple[object, ...], list[Reducer]] = {}
        for loop in reducers(accesses) if wanted else ():
            key = (loop.array, loop.key, loop.seed, loop.accumulator.type)
            alike.setdefault(key, []).append(loop)
        self.all = [_bag(loops, n) for n, loops in enumerate(list(alike.values())[:_MOST], 1)]
        self._at: dict[Location, list[tuple[Bag, Reducer]]] = {}
        for bag in self.all:
            for loop in bag.loops:
                self._at.setdefault(loop.head, []).append((bag, loop))

    @property
    def arrays(self) -> Iterator[SingleArray]:
        return (bag.array for bag in self.all)

    @property
    def ghosts(self) -> Iterator[Var]:
        for bag in self.all:
            yield from bag.ghosts

    def initial(self) -> list[Operation]:
        """In the beginning no loop was over."""
        return [Assign(bag.valid, ZERO) for bag in self.all]

    # --- what operations do -----------------------------------------------------------------------

    def written(self, target: Lvalue) -> list[tuple[Bag, Element]]:
        """The bags whose elements a write may replace, and which it is, if that is known."""
        found = []
        for bag in self.all:
            element = element_of(self._accesses, target, bag.array)
            if element is not None:
                found.append((bag, element))
        return found

    def replaced(
        self, bag: Bag, index: Expr, sure: Expr, old: Expr, new: Expr
    ) -> Iterator[Operation]:
        """An element is written; all are expressions of the scalar program."""
        inside = make.conj(
            (
                make.less_equal(make.const(0, WIDE), index),
                make.less(index, bag.bound),
                make.not_equal(old, new),
            )
        )
        is_come, is_gone = make.equal(old, bag.come), make.equal(new, bag.gone)
        is_same = make.equal(bag.gone, bag.come)
        new_lost = make.disj((is_come, is_gone, is_same))
        lost = make.ite(make.conj((inside, make.negate(new_lost))), ONE, bag.lost)
        gone = make.ite(
            make.conj((inside, make.negate(is_come), make.disj((is_gone, is_same)))),
            old,
            bag.gone,
        )
        come = make.ite(
            make.conj((inside, make.disj((is_come, make.conj((is_same, make.negate(is_gone))))))),
            new,
            bag.come,
        )
        yield Assign(bag.lost, make.ite(sure, lost, ONE))
        yield Assign(bag.spare, gone)
        yield Assign(bag.come, come)
        yield Assign(bag.gone, bag.spare)

    def before(self, edge: Edge) -> list[Operation]:
        """What is done before an operation, beside writes to an element."""
        ops: list[Operation] = []
        if isinstance(edge.op, Call):
            return [Assign(bag.valid, ZERO) for bag in self.all if self._enters(edge.op, bag)]
        writes = self._facts.modref.slots.effects(edge).writes
        target = memory_write(self._accesses, edge)
        for bag in self.all:
            simple = isinstance(edge.op, Assign | Havoc) and target is not None
            known = simple and target is not None and bag in dict(self.written(target))
            other = simple and target is not None and self._is_apart(target, bag.array)
            if bag.array.region in writes and not known and not other:
                ops.append(Assign(bag.lost, ONE))
            if isinstance(edge.op, Alloc) and bag.array.object.object == Allocated(edge):
                ops.append(Assign(bag.valid, ZERO))
        return ops

    def _is_apart(self, target: Lvalue, array: SingleArray) -> bool:
        """Is a write to another object?"""
        objects = self._accesses.objects(target)
        return bool(objects) and objects.isdisjoint({array.object.object})

    def _enters(self, op: Call, bag: Bag) -> bool:
        """May the call enter the function of the array, so that it is a new one?"""
        object_ = bag.array.object.object
        own = object_.var.function if isinstance(object_, Variable) else ""
        return bool(own) and (not isinstance(op.callee, FunctionAddress) or op.callee.name == own)

    def after(
        self,
        edge: Edge,
        known: frozenset[Lvalue],
        held: Callable[[Lvalue], Expr],
    ) -> list[Operation]:
        """What is done, or known, after it; `known` accesses are those that hold what they did
        before the edge."""
        ops: list[Operation] = []
        target = edge.op.target if isinstance(edge.op, Call) else None
        given = frozenset() if target is None else self._facts.modref.slots.of_target(target)
        for bag in self.all:
            if bag.array.region in given:
                ops.append(Assign(bag.lost, ONE))
            ops += self._renamed(bag, edge, held)
        for bag, loop in self._at.get(edge.dst, ()):
            if edge not in loop.inside:
                ops += self._begun(bag, loop, edge, known, held)
        for bag, loop in self._at.get(edge.src, ()):
            if edge not in loop.inside:
                ops += self._over(bag, loop, held)
        return ops

    def _begun(
        self,
        bag: Bag,
        loop: Reducer,
        edge: Edge,
        known: frozenset[Lvalue],
        held: Callable[[Lvalue], Expr],
    ) -> Iterator[Operation]:
        """A loop begins at index 0, or at 1 with the first element."""
        index, so_far = wide(held(loop.index)), held(loop.accumulator)
        seeded: list[Expr] = []
        writes = self._facts.modref.slots.effects(edge).writes
        for lvalue in sorted(known, key=str) if loop.seed is not None else ():
            element = element_of(self._accesses, lvalue, bag.array)
            at_first = element is not None and element.index is make.const(0, WIDE)
            if at_first and bag.array.region not in writes and loop.seed is not None:
                read = Var("the element", lvalue.type)
                first = substitute(loop.seed, {read: held(lvalue)})
                seeded.append(make.equal(so_far, first))
        second = make.conj((make.equal(index, make.const(1, WIDE)), make.disj(seeded)))
        whole = make.equal(index, make.const(0, WIDE))
        yield Assign(bag.begin, so_far)
        yield Assign(bag.mode, make.ite(whole, UNSEEDED, make.ite(second, SEEDED, PARTIAL)))

    def _over(self, bag: Bag, loop: Reducer, held: Callable[[Lvalue], Expr]) -> Iterator[Operation]:
        """It is over, and was so before with the same elements: then the result is the same."""
        bound = loop.bound if not isinstance(loop.bound, Var) else held(loop.bound)
        end, so_far = wide(bound), held(loop.accumulator)
        whole = make.conj(
            (
                make.not_equal(bag.mode, PARTIAL),
                make.equal(wide(held(loop.index)), end),
                make.less_equal(make.const(0, WIDE), end),
            )
        )
        alike = make.conj(
            (
                *(whole, make.equal(bag.valid, ONE), make.equal(bag.lost, ZERO)),
                make.equal(bag.gone, bag.come),
                make.equal(bag.bound, end),
                make.equal(bag.way, bag.mode),
                make.disj((make.equal(bag.mode, SEEDED), make.equal(bag.start, bag.begin))),
            )
        )
        yield Assume(make.disj((make.negate(alike), make.equal(bag.result, so_far))))
        yield Assign(bag.valid, make.ite(whole, ONE, ZERO))
        yield Assign(bag.lost, ZERO)
        yield Assign(bag.result, so_far)
        yield Assign(bag.bound, end)
        yield Assign(bag.start, bag.begin)
        yield Assign(bag.way, bag.mode)
        yield Havoc(bag.come, Source.UNKNOWN, bag.come.name)
        yield Assign(bag.gone, bag.come)

    def _renamed(self, bag: Bag, edge: Edge, held: Callable[[Lvalue], Expr]) -> Iterator[Operation]:
        """Where nothing is different, what is gone and has come may be any value: the one that was
        just read is often the next to go."""
        value = edge.op.value if isinstance(edge.op, Assign) else None
        while isinstance(value, Cast):
            value = value.arg
        target = edge.op.target if isinstance(edge.op, Assign) else None
        if not isinstance(value, Lvalue) or not isinstance(target, Var):
            return
        if element_of(self._accesses, value, bag.array) is None or target.type is not value.type:
            return
        if not isinstance(self._accesses.partition.storage(target), Scalar):
            return
        same = make.equal(bag.gone, bag.come)
        new = make.cast(held(target), bag.array.element)
        yield Assign(bag.spare, make.ite(same, new, bag.gone))
        yield Assign(bag.come, make.ite(same, new, bag.come))
        yield Assign(bag.gone, bag.spare)
