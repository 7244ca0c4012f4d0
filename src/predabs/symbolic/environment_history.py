"""The history of writes to memory of the environment, as a tree: branches are kept where states
were merged, and taken apart only by a read that they matter to.

Soundness duty: `relevant` gives every write that a read may find, with the condition under which
it took place, such that of two that both hold and touch the same byte the later comes first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from enum import Enum
from typing import TypeAlias

from ..analysis.memory.views import View
from ..records import dataclass, field, replace
from ..smt import bitvectors, build
from ..smt.term import TRUE, Term


@dataclass(frozen=True, slots=True, eq=False)
class Write:
    """The last write of a history: where `cond` holds, at `base` plus `offset`; of one scalar as
    the view says, or of any bytes. If the value is a single byte, all of them are that byte."""

    before: History | None
    length: int
    base: Term
    offset: int
    size: int
    value: Term
    cond: Term
    view: View | None

    @property
    def fills(self) -> bool:
        """Have all bytes the same value?"""
        return bitvectors.width_of(self.value) < 8 * self.size

    def distance(self, base: Term, offset: int) -> Term:
        """How far an address lies behind the beginning of what was written."""
        width = bitvectors.width_of(base)
        here = bitvectors.add(self.base, bitvectors.bits(self.offset, width))
        return bitvectors.sub(bitvectors.add(base, bitvectors.bits(offset, width)), here)


@dataclass(frozen=True, slots=True, eq=False)
class Fork:
    """Two histories that begin with `before`: `then` where `cond` holds, else `other`."""

    before: History | None
    length: int
    cond: Term
    then: History | None
    other: History | None


History: TypeAlias = Write | Fork


Where: TypeAlias = tuple[Term, int, int, Term]
"""The base, the offset, the size and the condition of a write."""


class Hit(Enum):
    """Does a write touch the bytes that are read?"""

    NONE = "none"
    SOME = "maybe, or some of them"
    ALL = "all of them, surely"


@dataclass(slots=True)
class _Walk:
    """A branch that is being looked through, from its end back to `stop`."""

    at: History | None
    stop: History | None
    above: _Walk | None
    cond: Term  # of this branch alone
    fork: Fork | None = None  # whose branches are being looked through
    then_covered: bool | None = None  # did the first of them cover all?
    whole: Term | None = None
    hidden: set[Where] = field(default_factory=set)  # by later writes
    hidden_by_then: set[Where] | None = None  # in the first branch of the fork

    def hides(self, where: Where) -> bool:
        """Was all of this written once more, on every way from here, where the write took place?"""
        always = (*where[:3], TRUE)
        walk: _Walk | None = self
        while walk is not None:
            if where in walk.hidden or always in walk.hidden:
                return True
            walk = walk.above
        return False

    def condition(self) -> Term:
        """The condition of this branch and all around it, made when a write is found there."""
        if self.whole is None:
            chain = [self]
            while (above := chain[-1].above) is not None:
                chain.append(above)
            self.whole = build.and_(*(walk.cond for walk in reversed(chain)))
        return self.whole


def relevant(history: History | None, hit: Callable[[Write], Hit]) -> tuple[list[Write], bool]:
    """The writes that a read may find, the latest first; and whether they cover all that is read,
    so that what lay there in the beginning does not matter."""
    found: list[Write] = []
    last = _Walk(history, None, None, TRUE)
    walks = [last]
    covered: bool | None = None  # by the branch that was looked through last
    while walks:
        walk = walks[-1]
        fork = walk.fork
        if fork is not None and covered is not None:
            if walk.then_covered is None:
                walk.then_covered, covered = covered, None
                walk.hidden_by_then = last.hidden
                walks.append(_Walk(fork.other, fork.before, walk, build.not_(fork.cond)))
                continue
            assert walk.hidden_by_then is not None
            if covered:
                walk.hidden |= walk.hidden_by_then
            elif walk.then_covered:
                walk.hidden |= last.hidden
            else:
                walk.hidden |= last.hidden & walk.hidden_by_then
            covered = covered and walk.then_covered
            walk.fork = walk.then_covered = walk.hidden_by_then = None
            if covered:
                last = walks.pop()
                continue
            walk.at, covered = fork.before, None
        covered = _look(walk, hit, found)
        if covered is None:
            assert walk.fork is not None
            walks.append(_Walk(walk.fork.then, walk.fork.before, walk, walk.fork.cond))
        else:
            last = walks.pop()
    return found, bool(covered)


def _look(walk: _Walk, hit: Callable[[Write], Hit], found: list[Write]) -> bool | None:
    """Go back along a branch; None at a fork."""
    at = walk.at
    while at is not walk.stop:
        assert at is not None
        if isinstance(at, Fork):
            walk.fork = at
            return None
        how = hit(at)
        where = (at.base, at.offset, at.size, at.cond)
        if how is not Hit.NONE and not walk.hides(where):
            cond = build.and_(walk.condition(), at.cond)
            found.append(at if cond is at.cond else replace(at, cond=cond))
            if how is Hit.ALL:
                return True
            walk.hidden.add(where)
        at = at.before
    return False


def values_written(history: History | None) -> Iterator[Term]:
    """All values that some write of the history has."""
    todo: list[tuple[History | None, History | None]] = [(history, None)]
    while todo:
        at, stop = todo.pop()
        while at is not stop:
            assert at is not None
            if isinstance(at, Fork):
                todo += ((at.then, at.before), (at.other, at.before))
            else:
                yield at.value
            at = at.before


def length_of(history: History | None) -> int:
    return 0 if history is None else history.length


def merge(cond: Term, then: History | None, other: History | None) -> History | None:
    """The history that is `then` where `cond` holds, else `other`."""
    if then is other:
        return then
    left, right = then, other
    while left is not right:
        if length_of(left) >= length_of(right):
            assert left is not None
            left = left.before
        else:
            assert right is not None
            right = right.before
    return Fork(left, length_of(left) + 1, cond, then, other)
