"""Do the conditions of a path hold in so many rounds? A look at the first and the last one tells.

The compared values are lines: sums of counters that grow by the same amount in each round. A line
that lies in the range of its type at both ends lies there in between, and one that is above another
at both ends is above it in between. So this checks a number of rounds without computing it; a run
that is replayed with rounds done at once goes on only where it holds.

Soundness duty: where the condition holds, so do all conditions of the round, in each of the rounds,
and no compared value and no index wraps around in them.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...ir import make
from ...ir.expr import FALSE, Binary, Cast, Expr, Not, Op, Var
from ...ir.types import IntType
from ...ir.walk import variables
from .rounds import Round


def lasting(round_: Round, rounds: Var) -> Expr:
    """The condition, in terms of the values at the head; it holds if there are no rounds."""
    assert isinstance(rounds.type, IntType)
    none = make.less_equal(rounds, make.const(0, rounds.type))
    return make.disj((none, make.conj(_Ends(round_, rounds).conditions())))


class _Ends:
    """The values of lines in the first and the last round, in a type in which nothing wraps."""

    def __init__(self, round_: Round, rounds: Var) -> None:
        self._round = round_
        assert isinstance(rounds.type, IntType)
        self._wide = IntType(2 * rounds.type.bits, True)
        one = make.const(1, self._wide)
        last = make.binary(Op.SUB, make.cast(rounds, self._wide), one)
        self._ends: tuple[Expr, Expr] = (make.const(0, self._wide), last)

    def conditions(self) -> Iterator[Expr]:
        for guard in self._round.guards:
            yield self._holds(guard)
        for position in self._round.positions:
            yield from self._within(position)

    def _holds(self, guard: Expr) -> Expr:
        if not self._moves(guard):
            return guard
        match guard:
            case Binary(Op.LT | Op.LE as op, left, right, _):
                test = make.less if op is Op.LT else make.less_equal
                both = [test(*self._pair(left, right, end)) for end in self._ends]
            case Not(Binary(Op.EQ, left, right, _)):
                below = [make.less(*self._pair(left, right, end)) for end in self._ends]
                above = [make.less(*self._pair(right, left, end)) for end in self._ends]
                both = [make.disj((make.conj(below), make.conj(above)))]
            case _:
                return FALSE
        return make.conj((*both, *self._within(left), *self._within(right)))

    def _moves(self, term: Expr) -> bool:
        return any(var in self._round.steps for var in variables(term))

    def _pair(self, left: Expr, right: Expr, end: Expr) -> tuple[Expr, Expr]:
        return self._exact(left, end), self._exact(right, end)

    def _exact(self, term: Expr, end: Expr) -> Expr:
        """The value after so many rounds, as if no type had an end."""
        if not self._moves(term):
            return make.cast(term, self._wide)
        match term:
            case Var():
                step = make.const(self._round.steps[term], self._wide)
                grown = make.binary(Op.MUL, end, step)
                return make.binary(Op.ADD, make.cast(term, self._wide), grown)
            case Cast(arg, _):
                return self._exact(arg, end)
            case Binary(op, left, right, _):
                return make.binary(op, *self._pair(left, right, end))
        raise AssertionError(f"{term} is no line")

    def _within(self, term: Expr) -> Iterator[Expr]:
        """The term and all its parts stay in the ranges of their types."""
        if not self._moves(term):
            return
        type_ = term.type
        match term:
            case Var():
                pass
            case Cast(arg, _):
                yield from self._within(arg)
            case Binary(Op.ADD | Op.SUB, left, right, _):
                yield from self._within(left)
                yield from self._within(right)
            case _:
                yield FALSE
                return
        if not isinstance(type_, IntType):
            yield FALSE
            return
        low, high = make.const(type_.low, self._wide), make.const(type_.high, self._wide)
        for end in self._ends:
            value = self._exact(term, end)
            yield make.less_equal(low, value)
            yield make.less_equal(value, high)
