"""Loops that reduce an array: sums, maxima, counts, which no order of the elements changes.

A loop `for (i = 0; i < n; i++) s = f(s, a[i])` is a *commutative reducer* [CHSW15] if
`f(f(s, x), y) == f(f(s, y), x)`: what it computes depends on which elements there are, not on where
they are. A loop that begins at 1 with `s = a[0]` is one too, if that is what `f` combines with.

Soundness duty: if the loop is run from index 0 (or 1) until the index is the bound, what `key` says
is done with all elements before the bound, each once, and their order does not matter.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from ...ir import make
from ...ir.cfa import Edge, Function, Location
from ...ir.expr import Binary, Cast, Const, Expr, Ite, Lvalue, Op, Var
from ...ir.ops import Assign, Assume, Havoc, Skip
from ...ir.order import loop_heads
from ...ir.types import CBOOL, IntType, is_scalar
from ...ir.walk import reads, substitute, variables
from ...records import dataclass
from .memory_accesses import MemoryAccesses, edges_of
from .single_arrays import SingleArray, array_of, element_of, is_counter

_Step: TypeAlias = tuple[tuple[Expr, ...], Expr]  # conditions, and the new value

_MOST_PATHS = 8
_MOST_EDGES = 40
_COMMUTES = {Op.ADD: Op.ADD, Op.SUB: Op.ADD, Op.OR: Op.OR, Op.AND: Op.AND, Op.XOR: Op.XOR}


@dataclass(frozen=True, slots=True)
class Reducer:
    """`key` is what is done with an element, the same for loops that do the same; `seed` is what an
    element is at first in a loop that begins with it, None if it must not."""

    array: SingleArray
    head: Location
    inside: frozenset[Edge]
    index: Var
    bound: Expr
    accumulator: Var
    key: tuple[_Step, ...]
    seed: Expr | None


@dataclass(frozen=True, slots=True)
class _Round:
    """One way through the loop: conditions, and what variables become, in terms of the head."""

    conditions: tuple[Expr, ...]
    after: dict[Expr, Expr]


def reducers(accesses: MemoryAccesses) -> list[Reducer]:
    """The reducers of a program, by their loops."""
    found: list[Reducer] = []
    for function in accesses.program.functions.values():
        for head in sorted(loop_heads(function), key=lambda location: location.index):
            found += _Loop(accesses, function, head).reducers()
    return found


def summed_up(accesses: MemoryAccesses) -> Iterator[tuple[Edge, Lvalue]]:
    """Reads of memory, each once, of what is added to a variable, or decides whether it counts."""
    found: set[Lvalue] = set()
    for edge in edges_of(accesses.program):
        for lvalue in _summed(accesses, edge):
            if accesses.region(lvalue) is not None and lvalue not in found:
                found.add(lvalue)
                yield edge, lvalue


def _summed(accesses: MemoryAccesses, edge: Edge) -> tuple[Lvalue, ...]:
    match edge.op:
        case Assign(Var() as target, Binary(Op.ADD) as value) if target in variables(value):
            return reads(value)
        case Assume(cond):
            function = accesses.program.functions[edge.src.function]
            for after in function.outgoing[edge.dst]:
                match after.op:
                    case Assign(Var() as target, Binary(Op.ADD, one, Const(), _)) if one is target:
                        return () if target in variables(cond) else reads(cond)
    return ()


class _Loop:
    def __init__(self, accesses: MemoryAccesses, function: Function, head: Location) -> None:
        self._accesses = accesses
        self._function = function
        self._head = head

    def reducers(self) -> Iterator[Reducer]:
        """What the loop reduces, if it is that simple."""
        for enter in self._function.outgoing[self._head]:
            paths = self._paths(enter)
            rounds = [self._round(path) for path in paths or ()]
            known = [r for r in rounds if r is not None]
            limit = _limit(enter)
            if not known or len(known) < len(rounds) or limit is None:
                continue
            index, bound = limit
            if isinstance(bound, Var) and self._accesses.region(bound) is not None:
                continue
            if not is_counter(self._accesses, index) or not self._is_steady(known, index, bound):
                continue
            inside = frozenset(edge for path in paths or () for edge in path)
            if not self._is_entered_at_head(inside):
                continue
            for var in dict.fromkeys(v for r in known for v in r.after):
                if isinstance(var, Var) and var is not index:
                    yield from self._reducer(var, known, index, bound, inside)

    def _is_entered_at_head(self, inside: frozenset[Edge]) -> bool:
        """Does no jump lead into the middle of the loop?"""
        places = {edge.src for edge in inside}
        if self._function.entry in places:
            return False
        return all(
            edge in inside
            for place in places - {self._head}
            for edge in self._function.incoming.get(place, ())
        )

    def _is_steady(self, rounds: list[_Round], index: Var, bound: Expr) -> bool:
        """Does each round do one step, and leave the bound?"""
        assert isinstance(index.type, IntType)
        one = make.binary(Op.ADD, index, make.const(1, index.type))
        changed = {var for r in rounds for var in r.after}
        return all(r.after.get(index) is one for r in rounds) and bound not in changed

    def _paths(self, enter: Edge) -> list[tuple[Edge, ...]] | None:
        """All ways from the head back to it; None if there are others than simple ones."""
        found: list[tuple[Edge, ...]] = []
        todo: list[tuple[Edge, ...]] = [(enter,)]
        while todo:
            path = todo.pop()
            last = path[-1]
            if last.dst is self._head:
                found.append(path)
                continue
            behind = self._function.outgoing.get(last.dst, ())
            looped = any(last.dst is edge.src for edge in path)
            if looped or not behind or len(path) > _MOST_EDGES:
                return None
            todo += [(*path, edge) for edge in behind]
            if len(todo) + len(found) > _MOST_PATHS:
                return None
        return found

    def _round(self, path: tuple[Edge, ...]) -> _Round | None:
        conditions: list[Expr] = []
        now: dict[Expr, Expr] = {}
        for edge in path:
            match edge.op:
                case Skip():
                    pass
                case Assume(cond):
                    conditions.append(_replaced(cond, now))
                case Assign(Var() as target, value) if self._is_local(target):
                    now[target] = _replaced(value, now)
                case Havoc(Var() as target, _, _) if self._is_local(target):
                    now[target] = Var("anything", target.type)
                case _:
                    return None
        return _Round(tuple(conditions[1:]), now)

    def _is_local(self, var: Var) -> bool:
        return is_scalar(var.type) and self._accesses.region(var) is None

    # --- one variable -----------------------------------------------------------------------------

    def _reducer(
        self,
        var: Var,
        rounds: list[_Round],
        index: Var,
        bound: Expr,
        inside: frozenset[Edge],
    ) -> Iterator[Reducer]:
        if not isinstance(var.type, IntType) or var.type is CBOOL or not self._is_local(var):
            return
        element = self._element(var, rounds, index)
        if element is None:
            return
        lvalue, array = element
        read = Var("the element", lvalue.type)
        held = Var("so far", var.type)
        names: dict[Expr, Expr] = {lvalue: read, var: held}
        steps: list[_Step] = []
        for one in rounds:
            conditions = [_replaced(cond, names) for cond in one.conditions]
            new = _replaced(one.after.get(var, var), names)
            steps.append((tuple(conditions), new))
        seed = _seed(steps, held)
        terms = [term for conditions, new in steps for term in (*conditions, new)]
        if any(v not in (held, read) for term in terms for v in _names(term)):
            return
        if _is_sum(steps, held) or _extremum(steps, held) is not None:
            yield Reducer(array, self._head, inside, index, bound, var, tuple(steps), seed)

    def _element(
        self, var: Var, rounds: list[_Round], index: Var
    ) -> tuple[Lvalue, SingleArray] | None:
        """The one element that the rounds read for a variable: that at the index."""
        found: dict[Lvalue, None] = {}
        for one in rounds:
            for term in (*one.conditions, one.after.get(var, var)):
                for lvalue in reads(term):
                    if self._accesses.region(lvalue) is not None:
                        found[lvalue] = None
        if len(found) != 1:
            return None
        (lvalue,) = found
        array = array_of(self._accesses, lvalue)
        known = None if array is None else element_of(self._accesses, lvalue, array)
        if array is None or known is None or _unwrapped(known.index) is not index:
            return None
        return lvalue, array


def _replaced(e: Expr, values: dict[Expr, Expr]) -> Expr:
    return substitute(e, values) if values else e


def _names(e: Expr) -> Iterator[Expr]:
    """The variables of a term; other memory is no name that is known."""
    yield from reads(e)
    yield from variables(e)


def _limit(enter: Edge) -> tuple[Var, Expr] | None:
    """`i < n` or `i != n`, with a constant or a variable for n."""
    cond = enter.op.cond if isinstance(enter.op, Assume) else None
    match cond:
        case Binary(Op.LT, left, right, _):
            pair = _unwrapped(left), _unwrapped(right)
        case _:
            return None
    index, bound = pair
    if isinstance(index, Var) and isinstance(bound, Var | Const):
        return (index, bound) if isinstance(bound.type, IntType) else None
    return None


def _unwrapped(e: Expr) -> Expr:
    """A number before it was converted to a type that is no smaller."""
    while isinstance(e, Cast) and isinstance(e.type, IntType) and isinstance(e.arg.type, IntType):
        if e.type.bits < e.arg.type.bits or e.type is CBOOL:
            break
        e = e.arg
    return e


# --- which functions are commutative --------------------------------------------------------------


def _is_sum(steps: list[_Step], held: Var) -> bool:
    """Is something combined with the value so far that depends on the element alone, always with
    the same operator, for one that is associative and commutative?"""
    operators = set()
    for conditions, new in steps:
        if any(held in variables(cond) for cond in conditions):
            return False
        if new is held:
            continue
        operator = _operator(new, held)
        if operator is None:
            return False
        operators.add(operator)
    return len(operators) == 1


def _operator(new: Expr, held: Var) -> Op | None:
    """The operator of `held op term`, in the type of `held` or in a wider one whose result is cut
    off: the lower bits of a result depend on those of the operands alone."""
    while isinstance(new, Cast) and _is_cut(new):
        new = new.arg
    if not isinstance(new, Binary) or new.op not in _COMMUTES:
        return None
    left, right = new.left, new.right
    if _plain(left, held) and held not in variables(right):
        return _COMMUTES[new.op]
    if _plain(right, held) and held not in variables(left) and new.op is not Op.SUB:
        return _COMMUTES[new.op]
    return None


def _is_cut(e: Cast) -> bool:
    one, other = e.type, e.arg.type
    if one is CBOOL or not isinstance(one, IntType) or not isinstance(other, IntType):
        return False
    return one.bits <= other.bits


def _plain(e: Expr, held: Var) -> bool:
    """Is it the value so far, maybe in a type that is no smaller?"""
    return _unwrapped(e) is held


def _extremum(steps: list[_Step], held: Var) -> Expr | None:
    """What is compared with the value so far, and is the new one if it is larger (or smaller)."""
    if len(steps) == 1:
        ((conditions, new),) = steps
        if conditions or not isinstance(new, Ite):
            return None
        steps = [((new.cond,), new.then), ((make.negate(new.cond),), new.other)]
    if len(steps) != 2 or any(len(conditions) != 1 for conditions, _ in steps):
        return None
    (((one,), first), ((other,), second)) = steps
    if make.negate(one) is not other:
        return None
    if first is held:
        one, first, second = other, second, first
    if second is not held or held in variables(first):
        return None
    match one:
        case Binary(Op.LT | Op.LE, left, right, _):
            if (left is held and right is first) or (right is held and left is first):
                return first
    return None


def _seed(steps: list[_Step], held: Var) -> Expr | None:
    """What the first element would be as the value so far, so that a loop may begin with it: the
    term that is combined with the value, if that is the same in all rounds."""
    larger = _extremum(steps, held)
    if larger is not None:
        return larger
    if len(steps) != 1 or steps[0][0]:
        return None
    new = steps[0][1]
    if not isinstance(new, Binary) or new.op is Op.SUB or new.op not in _COMMUTES:
        return None
    for one, other in ((new.left, new.right), (new.right, new.left)):
        if one is held:
            return other
    return None
