"""The part of the lazy engine's predicates that holds in all runs, and who is told."""

from __future__ import annotations

import pytest

from predabs.analysis.facts import ProgramFacts
from predabs.encode.encoding import BitVectorEncoding, Encoding
from predabs.encode.integer_encoding import IntegerEncoding
from predabs.engines.engine import Clock, EngineTask, create
from predabs.engines.lazy.inductive_predicates import TOPIC, InductivePredicates
from predabs.engines.proved_facts import Offer, ProvedFacts
from predabs.ir import make
from predabs.ir.cfa import Location, Program
from predabs.ir.expr import Expr, Op
from predabs.ir.show import show_expr
from predabs.ir.types import INT
from predabs.options import Budget, Options
from predabs.verdict import Safe
from support.c_programs import program_of_c
from support.counted_time import LONG, counted_time
from support.lazy_setup import variable

# x is even, up to 20, and at least as large as y
TEXT = """int main(void) {
  int x = 0, y = 0;
  while (__VERIFIER_nondet_int()) {
    if (x < 20) { x += 2; y += 1; }
    if (x == 7) reach_error();
  }
}"""


def head_of(program: Program) -> Location:
    main = program.functions["main"]
    return next(at for at in main.locations if len(main.incoming[at]) > 1)


def guesses(program: Program) -> dict[str, Expr]:
    x, y = variable(program, "x"), variable(program, "y")

    def number(value: int) -> Expr:
        return make.const(value, INT)

    found = (
        make.equal(make.binary(Op.REM, x, number(2)), number(0)),
        make.less_equal(x, number(20)),
        make.less_equal(y, x),  # not by itself: x stops to grow at 20, as y does
        make.less_equal(x, number(19)),  # with the first it holds up to 18: not
        make.equal(x, number(7)),  # its negation holds, as x is even
        make.less_equal(number(5), x),
    )
    return {show_expr(expr): expr for expr in found}


def proved(encoding: Encoding, shared: ProvedFacts) -> set[str]:
    program = program_of_c(TEXT)
    task = EngineTask(ProgramFacts(program), shared=shared)
    with counted_time():
        tool = InductivePredicates(task, Clock(Budget.of(LONG)))
        tracked = [(head_of(program), expr) for expr in guesses(program).values()]
        return {show_expr(fact.expr) for fact in tool.proved(encoding, tracked)}


@pytest.mark.parametrize("encoding", [IntegerEncoding(), BitVectorEncoding()])
def test_the_inductive_part(encoding: Encoding) -> None:
    assert proved(encoding, ProvedFacts()) == {"x % 2 == 0", "x <= 20", "y <= x", "x != 7"}


def test_nobody_listens() -> None:
    program = program_of_c(TEXT)
    task = EngineTask(ProgramFacts(program), shared=ProvedFacts())
    tool = InductivePredicates(task, Clock())
    tracked = [(head_of(program), expr) for expr in guesses(program).values()]
    tool.share(100, IntegerEncoding(), lambda: tracked)
    assert not tool.offered and task.shared.all() == ()


def test_others_are_told_now_and_then() -> None:
    program = program_of_c(TEXT)
    told: list[Offer] = []
    task = EngineTask(ProgramFacts(program), shared=ProvedFacts(told.append))
    with counted_time():
        tool = InductivePredicates(task, Clock(Budget.of(LONG)))
        first, *others = ((head_of(program), expr) for expr in guesses(program).values())
        tool.share(1, IntegerEncoding(), lambda: [first])
        assert told == []  # it is early
        tool.share(5, IntegerEncoding(), lambda: [first])
        assert [offer.topic for offer in told] == [TOPIC]
        tool.share(9, IntegerEncoding(), lambda: [first, *others])
        assert len(told) == 1
        tool.share(10, IntegerEncoding(), lambda: [first, *others])
    assert [len(offer.facts) for offer in told] == [1, 3]
    assert tool.offered == set(task.shared.all())


# what other engines are told while the lazy engine works: it needs several predicates
SUMS = """int main(void) {
  int n = __VERIFIER_nondet_int(), i = 0, a = 0, b = 0;
  if (n < 0 || n > 1000000) return 0;
  while (i < n) {
    if (__VERIFIER_nondet_int()) { a += 1; b += 2; } else { a += 2; b += 1; }
    i++;
  }
  if (a + b != 3 * n) reach_error();
}"""


def test_the_engine_tells_what_it_finds() -> None:
    program = program_of_c(SUMS)
    told: list[Offer] = []
    task = EngineTask(ProgramFacts(program), Options(), shared=ProvedFacts(told.append))
    with counted_time():
        verdict = create("lazy", task).run(Budget.of(LONG))
    assert isinstance(verdict, Safe)
    found = [fact for offer in told if offer.topic == TOPIC for fact in offer.facts]
    assert len({fact.location for fact in found}) == 1  # there is one loop
