"""State machines: each state has its own part of the tree; random ones against the bounded engine,
with and without what makes them easy."""

from __future__ import annotations

from functools import cache

import pytest

from predabs.analysis.facts import ProgramFacts
from predabs.engines.engine import EngineTask, create
from predabs.errors import ResourceExhausted, UnsupportedFeature
from predabs.evidence.replay import NotReplayed, replay
from predabs.ir.cfa import Program
from predabs.ir.show import show_expr
from predabs.options import Budget, Options, TimeOver
from predabs.verdict import Safe, Unknown, Unsafe, Verdict
from support.c_programs import program_of_c
from support.counted_time import counted_time
from support.engine_checks import task_of
from support.machine_random import random_machine
from support.selection import mostly_long

SESSION = """
struct session { int state, next, secured; };
static void step(struct session *s) {
  switch (s->state) {
  case 10: s->state = 40; s->next = 20; break;
  case 20: s->secured = 1; s->state = 40; s->next = 30; break;
  case 30: if (!s->secured) reach_error();
           s->state = __VERIFIER_nondet_int() ? 40 : 50; s->next = 30; break;
  case 40: s->state = s->next; break;
  case 50: s->secured = 0; s->state = 10; break;
  }
}
int main(void) {
  struct session *s = malloc(sizeof *s);
  s->state = 10; s->secured = 0;
  for (;;) step(s);
}
"""
# q is null or p, so in formulas it can only be p
STALE = """
struct s { int f; } *p, *q, *r;
int main(void) {
  p = malloc(sizeof *p);
  if (__VERIFIER_nondet_int()) r = p;
  q = p; q->f = 4;
  q = r; p->f = 3;
  q = p;
  if (q->f != 4) reach_error();
  return 0;
}
"""
ZEROED = """
void *calloc(unsigned long, unsigned long);
int *p, *q;
int main(void) {
  for (int i = 0; i < 2; i++) ;
  p = calloc(1, sizeof *p);
  q = p;
  if (*q == 0) reach_error();
  return 0;
}
"""


def test_each_state_has_its_own_facts() -> None:
    task = task_of(program_of_c(SESSION))
    verdict = create("lazy", task).run(Budget.of(100.0))
    assert isinstance(verdict, Safe)
    (invariant,) = verdict.invariants
    text = show_expr(invariant.expr)
    assert all(f"s->state == {state}" in text for state in (10, 20, 30, 40, 50))
    without = task_of(program_of_c(SESSION), Options(state_values=False))
    assert isinstance(create("lazy", without).run(Budget.of(100.0)), Safe)
    assert task.statistics.predicates_total < without.statistics.predicates_total


@pytest.mark.parametrize("engine", ["lazy", "slam", "numpred", "kinduction"])
@pytest.mark.parametrize("text", [STALE, ZEROED], ids=["stale", "zeroed"])
def test_one_place_whatever_the_pointer_holds(engine: str, text: str) -> None:
    assert not isinstance(create(engine, task_of(program_of_c(text))).run(Budget.of(20.0)), Safe)


@cache
def program(seed: int) -> Program:
    return program_of_c(random_machine(seed))


@cache
def truth(seed: int) -> Verdict:
    return decide("bounded", seed, Options())


def decide(engine: str, seed: int, options: Options, single: bool = True) -> Verdict:
    facts = ProgramFacts(program(seed), single=single)
    try:
        with counted_time():
            return create(engine, EngineTask(facts, options)).run(Budget.of(2.0))
    except (ResourceExhausted, UnsupportedFeature, TimeOver) as problem:
        return Unknown(str(problem))


def agree(seed: int, verdict: Verdict) -> None:
    match verdict:
        case Safe():
            assert not isinstance(truth(seed), Unsafe)
        case Unsafe(inputs, _):
            assert not isinstance(truth(seed), Safe)
            assert not isinstance(replay(program(seed), inputs), NotReplayed)


@pytest.mark.parametrize("seed", mostly_long(range(60), 10))
def test_random_machines(seed: int) -> None:
    agree(seed, decide("lazy", seed, Options()))


@pytest.mark.parametrize("seed", mostly_long(range(60, 90), 3))
def test_without(seed: int) -> None:
    agree(seed, decide("lazy", seed, Options(state_values=False)))
    agree(seed, decide("lazy", seed, Options(), single=False))


@pytest.mark.parametrize("engine", ["slam", "numpred", "kinduction"])
@pytest.mark.parametrize("seed", mostly_long(range(90, 120), 3))
def test_other_engines(seed: int, engine: str) -> None:
    agree(seed, decide(engine, seed, Options()))


def test_both_verdicts_occur() -> None:
    kinds = {type(decide("lazy", seed, Options())) for seed in range(12)}
    assert {Safe, Unsafe} <= kinds
