"""How many rounds of a loop are taken along one path.

Soundness duty: never more than the run would take along the path, where no access faults; and in
all of them no compared value wraps around, and no index of an element that is read or written.
"""

from __future__ import annotations

from collections.abc import Mapping

from ...ir import make
from ...ir.expr import Binary, Cast, Expr, Lvalue, Not, Op, Var
from ...ir.types import BOOL, IntType
from ...ir.walk import subterms, variables
from ...records import dataclass

MOST_BITS = 64  # of a counter
_MOST_SUMS = 5  # in one condition
_SPARE_BITS = 10  # so that sums and counts of rounds do not wrap


@dataclass(frozen=True, slots=True)
class Write:
    """An element that each round writes; `position` is the index in its address that changes, which
    counts things of so many bytes. `read` are the other indices that change, of elements that the
    value is made from. It may lie `anywhere` if it is behind a pointer."""

    target: Lvalue
    value: Expr
    position: Expr
    size: int
    read: tuple[Expr, ...]
    anywhere: bool


@dataclass(frozen=True, slots=True)
class Round:
    """What one round along a path does: how much counters grow, what else is assigned (in terms of
    values at the head), the conditions under which the path is taken, and what is written."""

    steps: Mapping[Var, int]
    others: Mapping[Var, Expr]
    guards: tuple[Expr, ...]
    writes: tuple[Write, ...] = ()

    @property
    def positions(self) -> tuple[Expr, ...]:
        """The indices that change."""
        return tuple(at for write in self.writes for at in (write.position, *write.read))


# --- how many rounds ------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Line:
    """A number that grows evenly: its exact value now, and by how much in each round; `counts` are
    numbers of rounds for which that is so."""

    now: Expr
    step: int
    counts: tuple[Expr, ...] = ()


class Counting:
    """Counts rounds, in a type that is so wide that nothing wraps."""

    def __init__(self, round_: Round) -> None:
        self._steps = round_.steps
        self._guards = round_.guards
        self._positions = round_.positions
        counted = (*round_.guards, *round_.positions)
        terms = [term for root in counted for term in subterms(root)]
        types = [term.type for term in terms] + [var.type for var in round_.steps]
        bits = max(type_.bits for type_ in types if isinstance(type_, IntType))
        self.wide = IntType(bits + _SPARE_BITS, True)
        self._forever = self.number(1 << (bits + _SPARE_BITS - 2))
        self._too_deep = bits > MOST_BITS or any(map(_is_long, counted))

    def number(self, value: int) -> Expr:
        return make.const(value, self.wide)

    def rounds(self) -> Expr | None:
        """How many rounds are done at once; None if that is not known."""
        if self._too_deep:
            return None
        counts: dict[Expr, None] = {}
        for guard in self._guards:
            found = self._of(guard)
            if found is None:
                return None
            counts.update(dict.fromkeys(found))
        for position in self._positions:
            line = self._line(position)
            if line is None or line.step == 0:
                return None
            counts.update(dict.fromkeys(line.counts))
        counts.pop(self._forever, None)
        if not counts:
            return None
        least, *rest = counts
        for count in rest:
            least = make.ite(make.less(count, least), count, least)
        # for ever: nothing that is known ends it, so let it go on by itself
        return make.ite(make.less(least, self._forever), least, self.number(0))

    def step(self, position: Expr) -> int:
        """By how much an index changes in each round, where that is known."""
        line = self._line(position)
        assert line is not None
        return line.step

    def _of(self, guard: Expr) -> list[Expr] | None:
        """Numbers of rounds; while all of them last, the condition holds. None if not known."""
        if not any(var in self._steps for var in variables(guard)):
            return [make.ite(guard, self._forever, self.number(0))]
        match guard:
            case Binary(Op.LT | Op.LE as op, left, right, _):
                lines = self._lines(left, right)
                if lines is None:
                    return None
                gap, shrink, counts = lines
                if shrink > 0:
                    return [self._until(gap, shrink, strict=op is Op.LT), *counts]
                test = make.less if op is Op.LT else make.less_equal
                holds = test(self.number(0), gap)
                return [make.ite(holds, self._forever, self.number(0)), *counts]
            case Not(Binary(Op.EQ, left, right, _)):
                lines = self._lines(left, right)
                if lines is None or lines[1] == 0:
                    return None
                gap, shrink, counts = lines
                if shrink < 0:
                    gap, shrink = make.binary(Op.SUB, self.number(0), gap), -shrink
                # towards each other until they meet, or pass; away from each other for ever
                until = self._until(gap, shrink, strict=True)
                apart = make.less(gap, self.number(0))
                return [make.ite(apart, self._forever, until), *counts]
        return None

    def _lines(self, left: Expr, right: Expr) -> tuple[Expr, int, tuple[Expr, ...]] | None:
        """What the right is more than the left, by how much that shrinks, and for how long."""
        if not isinstance(left.type, IntType):
            return None
        one, two = self._line(left), self._line(right)
        if one is None or two is None:
            return None
        gap = make.binary(Op.SUB, two.now, one.now)
        return gap, one.step - two.step, one.counts + two.counts

    def _line(self, term: Expr) -> _Line | None:
        """The term as a line, without wrap-around while its counts say so."""
        if not any(var in self._steps for var in variables(term)):
            return _Line(make.cast(term, self.wide), 0)
        type_ = term.type
        assert isinstance(type_, IntType)
        match term:
            case Var():
                return self._inside(_Line(make.cast(term, self.wide), self._steps[term]), type_)
            case Cast(arg, _) if isinstance(arg.type, IntType):
                line = self._line(arg)
                if line is None or (type_.low <= arg.type.low and arg.type.high <= type_.high):
                    return line
                return self._inside(line, type_)
            case Binary(Op.ADD | Op.SUB as op, left, right, _):
                one, two = self._line(left), self._line(right)
                if one is None or two is None:
                    return None
                step = one.step + two.step if op is Op.ADD else one.step - two.step
                line = _Line(make.binary(op, one.now, two.now), step, one.counts + two.counts)
                return self._inside(line, type_)
        return None

    def _inside(self, line: _Line, type_: IntType) -> _Line:
        """The line, for as many rounds as it stays in the range of the type."""
        if line.step == 0:
            count = self._forever
        elif line.step > 0:
            room = make.binary(Op.SUB, self.number(type_.high), line.now)
            count = self._until(room, line.step, strict=False)
        else:
            room = make.binary(Op.SUB, line.now, self.number(type_.low))
            count = self._until(room, -line.step, strict=False)
        if not isinstance(line.now, Cast) or line.now.arg.type is not type_:
            low, high = self.number(type_.low), self.number(type_.high)
            within = make.conj((make.less_equal(low, line.now), make.less_equal(line.now, high)))
            count = make.ite(within, count, self.number(0))
        return _Line(line.now, line.step, (*line.counts, count))

    def _until(self, distance: Expr, step: int, *, strict: bool) -> Expr:
        """For how many rounds is the distance, which shrinks by `step` > 0, not negative
        (`strict`: positive)?"""
        if strict:
            distance = make.binary(Op.SUB, distance, self.number(1))
        whole = distance if step == 1 else make.binary(Op.DIV, distance, self.number(step))
        count = make.binary(Op.ADD, whole, self.number(1))
        return make.ite(make.less_equal(self.number(0), distance), count, self.number(0))


def _is_long(guard: Expr) -> bool:
    """Has it more sums than the spare bits have room for?"""
    sums = [term for term in subterms(guard) if isinstance(term, Binary) and term.type is not BOOL]
    return len(sums) > _MOST_SUMS
