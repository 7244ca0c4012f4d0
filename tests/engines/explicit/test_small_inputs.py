"""Inputs that can only be a few numbers, and alternatives."""

from __future__ import annotations

from predabs.engines.explicit.small_sets import SmallSets
from predabs.engines.explicit.symbolic_terms import parts_of
from predabs.ir import make
from predabs.ir.expr import Expr, Op, Var
from predabs.ir.types import INT, IntType
from predabs.ir.walk import variables
from predabs.verdict import Safe, Unsafe
from support.c_programs import program_of_c
from support.explicit_runs import decide

BYTE = IntType(8, False)
K, N = Var("k", BYTE), Var("n", INT)


def below(e: Expr, number: int) -> Expr:
    return make.compare(Op.LT, e, make.const(number, INT))


def test_what_is_left_of_a_byte() -> None:
    sets = SmallSets(variables)
    wide = make.cast(K, INT)
    more = make.binary(Op.ADD, wide, make.const(1, INT))
    assert sets.span(K, [below(more, 4)]) == (0, 2)
    assert sets.span(K, [below(more, 4), make.negate(below(wide, 1))]) == (1, 2)
    assert sets.span(K, [below(wide, 100)]) is None
    assert sets.left(K, [below(more, 4), make.negate(below(wide, 3))]) == 0


def test_what_is_left_of_an_int() -> None:
    sets = SmallSets(variables)
    assert sets.span(N, [below(N, 5), make.negate(below(N, 2))]) == (2, 4)
    assert sets.span(N, [below(N, 5)]) is None


def differs(number: int) -> Expr:
    return make.negate(make.equal(N, make.const(number, INT)))


def test_an_int_between_numbers_that_it_is_not() -> None:
    sets = SmallSets(variables)
    known = [below(N, 4), make.negate(below(N, 0)), differs(1), differs(0), differs(3)]
    assert sets.span(N, known) == (2, 2)
    assert sets.subject(differs(2)) is N and sets.subject(below(N, 2)) is N
    assert sets.leave_nothing(differs(2), N, known)
    assert not sets.leave_nothing(differs(5), N, known)
    assert not sets.leave_nothing(differs(2), N, known[:-1])
    assert sets.subject(make.compare(Op.LT, N, Var("m", INT))) is None


def test_a_term_between_numbers() -> None:
    """`(int)(short)n < 1` and `(short)n != 0` are about the same number, `n` is another one."""
    sets = SmallSets(variables)
    short = make.cast(N, IntType(16, True))
    known = [make.negate(below(make.cast(short, INT), 0)), below(make.cast(short, INT), 1)]
    zero = make.negate(make.equal(short, make.const(0, IntType(16, True))))
    assert sets.subject(known[0]) is sets.subject(zero) is short
    assert sets.leave_nothing(zero, short, known)
    assert not sets.leave_nothing(differs(0), N, known)


def test_negated_alternatives_hold_together() -> None:
    low, high = below(N, 0), make.negate(below(N, 4))
    assert parts_of(make.negate(make.disj([low, high]))) == (make.negate(low), below(N, 4))
    both = make.conj([make.negate(make.disj([low, high])), differs(2)])
    assert parts_of(both) == (make.negate(low), below(N, 4), differs(2))


_ROUNDS = """
extern unsigned char __VERIFIER_nondet_uchar(void);
unsigned char turn; int x[3], seen[3];
static void next(void) {
  unsigned char k = __VERIFIER_nondet_uchar();
  __VERIFIER_assume(turn + k < 3);
  turn += k;
}
int main(void) {
  next(); x[turn] = 1; seen[turn]++;
  next(); x[turn] = 2; seen[turn]++;
  if (seen[0] + seen[1] + seen[2] != 2) reach_error();
  if (x[0] + x[1] + x[2] == SUM) reach_error();
}
"""


def test_each_value_is_followed() -> None:
    assert isinstance(decide("explicit", program_of_c(_ROUNDS.replace("SUM", "4"))), Safe)
    assert isinstance(decide("explicit", program_of_c(_ROUNDS.replace("SUM", "3"))), Unsafe)


_COINS = """
int st, credit;
int main(void) {
  while (1) {
    int coin = __VERIFIER_nondet_int();
    if (st == 0) { if (coin == 1 || coin == 2 || coin == 5) { credit = coin; st = 1; } }
    else if (st == 1) { if ((coin == 1 || coin == 5) && credit <= 15) credit += coin; else st = 2; }
    else { credit = 0; st = 0; }
    if (credit < 0 || credit > MOST) reach_error();
  }
}
"""


def test_alternatives_are_followed() -> None:
    assert isinstance(decide("explicit", program_of_c(_COINS.replace("MOST", "20"))), Safe)
    assert isinstance(decide("explicit", program_of_c(_COINS.replace("MOST", "19"))), Unsafe)
