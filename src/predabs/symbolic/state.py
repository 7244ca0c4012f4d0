"""A symbolic state: the condition under which it is reached, and what everything holds then.

Values are terms over the inputs. States of one configuration are merged into one whose values
choose by the condition that tells them apart; conditions that were taken on both sides cancel out,
so a state after a branch is as simple as before it.

A guard that `tracks` knows which values its conditions leave to each byte (`smt/value_sets`), so
that most conditions on text are decided when they are added.
"""

from __future__ import annotations

from functools import cached_property

from ..ir.expr import Var
from ..records import dataclass, replace
from ..smt import build
from ..smt.term import FALSE, TRUE, Term
from ..smt.value_sets import ValueSets, ValueTables
from . import memory as memories
from .memory import SymbolicMemory, SymbolicObject

_LAST = 32  # conditions that are looked at, because each access to one object adds the same


@dataclass(frozen=True, eq=False)
class Guard:
    """A conjunction, grown at the end; two guards share their common beginning."""

    before: Guard | None
    cond: Term
    length: int
    sets: ValueSets | None = None  # None: it does not track them

    def tracking(self) -> Guard:
        """The same condition, and those that are added are compared with what is known."""
        return replace(self, sets=ValueSets(ValueTables(), {}))

    def also(self, cond: Term) -> Guard:
        """This guard and one more condition, unless it is among the last."""
        if cond is TRUE or self.cond is FALSE:
            return self
        at: Guard | None = self
        for _ in range(_LAST):
            if at is None:
                break
            if at.cond is cond:
                return self
            at = at.before
        if self.sets is None:
            return Guard(self, cond, self.length + 1)
        cond, sets = self.sets.narrowed(cond)
        return self if cond is TRUE else Guard(self, cond, self.length + 1, sets)

    def either(self, cond: Term, left: Guard, right: Guard) -> Guard:
        """This guard and the condition that one of two others holds, which both begin with it."""
        if left.sets is None or right.sets is None or cond is TRUE:
            return self.also(cond)
        sets = left.sets.joined(right.sets)
        table = sets.tables.table(cond)
        if table is not None and self.sets is not None and self.sets.decided(cond):
            return self
        return Guard(self, cond, self.length + 1, sets)

    @cached_property
    def term(self) -> Term:
        """The whole conjunction."""
        conds = []
        at: Guard | None = self
        while at is not None:
            conds.append(at.cond)
            at = at.before
        return build.and_(*reversed(conds))

    def since(self, start: Guard) -> Term:
        """What was added after `start`, which this guard begins with."""
        conds = []
        at: Guard = self
        while at is not start:
            conds.append(at.cond)
            assert at.before is not None
            at = at.before
        return build.and_(*reversed(conds))


ALWAYS = Guard(None, TRUE, 0)


def common(left: Guard, right: Guard) -> Guard:
    """The longest beginning that two guards share."""
    while left is not right:
        if left.length >= right.length:
            assert left.before is not None
            left = left.before
        else:
            assert right.before is not None
            right = right.before
    return left


@dataclass(slots=True, eq=False)
class SymbolicState:
    """The state of one configuration of an exploration, which owns it, so it may be changed."""

    guard: Guard
    globals: dict[Var, Term]
    locals: dict[Var, Term]
    memory: SymbolicMemory
    stack: tuple[SymbolicObject, ...]  # what this frame has allocated and ends with it

    def fork(self) -> SymbolicState:
        return SymbolicState(
            self.guard, dict(self.globals), dict(self.locals), self.memory.fork(), self.stack
        )

    @property
    def dead(self) -> bool:
        """Is the guard false, so that no run gets here?"""
        return self.guard.cond is FALSE


def merge(then: SymbolicState, other: SymbolicState) -> SymbolicState:
    """One state for two of the same configuration (the same frame, so callers' locals are the
    same)."""
    start = common(then.guard, other.guard)
    cond, rest = then.guard.since(start), other.guard.since(start)
    either = build.or_(cond, rest)
    if either is not TRUE and cond is build.not_(rest):
        either = TRUE
    return SymbolicState(
        start.either(either, then.guard, other.guard),
        _merge_values(cond, then.globals, other.globals),
        _merge_values(cond, then.locals, other.locals),
        memories.merge(cond, then.memory, other.memory),
        then.stack + tuple(made for made in other.stack if made not in then.stack),
    )


def _merge_values(cond: Term, then: dict[Var, Term], other: dict[Var, Term]) -> dict[Var, Term]:
    merged = dict(then)
    for var, value in other.items():
        mine = then.get(var)
        if mine is None:
            merged[var] = value  # not set on the other side: nothing reads it there
        elif mine is not value:
            merged[var] = build.ite(cond, mine, value)
    return merged
