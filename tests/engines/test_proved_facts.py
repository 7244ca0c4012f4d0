"""Facts that engines prove for each other: who is told what, and that runs agree with them."""

from __future__ import annotations

from collections import Counter

import pytest

from predabs.analysis.facts import ProgramFacts
from predabs.engines.engine import EngineTask, create
from predabs.engines.proved_facts import Offer, ProvedFacts
from predabs.errors import ResourceExhausted, UnsupportedFeature
from predabs.ir import make
from predabs.ir.cfa import Program
from predabs.ir.configuration import Configuration
from predabs.ir.expr import FALSE, TRUE, Expr, Op
from predabs.ir.types import INT
from predabs.options import Budget, Options
from predabs.verdict import Invariant, Safe
from support.c_programs import program_of_c
from support.counted_time import LONG, counted_time
from support.lazy_random import random_program
from support.lazy_runs import Runner, _Inputs
from support.lazy_setup import Parts
from support.selection import mostly_long

SEEDS = range(300, 320)
RUNS = range(8)


def invariant(expr: Expr = TRUE) -> Invariant:
    program = program_of_c("int main(void) { return 0; }")
    return Invariant(program.functions["main"].entry, (), expr)


def test_others_are_told_what_is_new() -> None:
    told: list[Offer] = []
    facts = ProvedFacts(told.append)
    facts.offer("octagon", [invariant()])
    facts.offer("octagon", [invariant(), invariant(FALSE)])
    facts.offer("octagon", [invariant()])
    assert told == [Offer("octagon", (invariant(),)), Offer("octagon", (invariant(FALSE),))]
    assert facts.all() == (invariant(), invariant(FALSE))


def test_what_others_tell_is_known() -> None:
    waiting = [Offer("numpred", (invariant(),))]
    told: list[Offer] = []

    def receive() -> list[Offer]:
        found = waiting[:]
        waiting.clear()
        return found

    facts = ProvedFacts(told.append, receive)
    assert facts.is_heard and not ProvedFacts().is_heard
    facts.offer("octagon", [invariant()])  # nothing new: it has just been received
    assert told == [Offer("octagon", ())]
    assert facts.has("numpred") and facts.has("octagon") and not facts.has("polyhedra")
    assert facts.all() == (invariant(),)


def offered(program: Program, engine: str, seconds: float) -> tuple[Invariant, ...]:
    """What an engine offers to others while it works."""
    shared = ProvedFacts(lambda offer: None)
    task = EngineTask(ProgramFacts(program), Options(), shared=shared)
    try:
        with counted_time():
            create(engine, task).run(Budget.of(seconds))
    except (ResourceExhausted, UnsupportedFeature):
        pass
    return shared.all()


def refuted(program: Program, facts: tuple[Invariant, ...], seed: int) -> tuple[list[Expr], int]:
    """The facts that a run contradicts, and how often facts were looked at."""
    at: dict[tuple[object, ...], list[Expr]] = {}
    for fact in facts:
        at.setdefault((fact.location, *fact.stack), []).append(fact.expr)

    def known(configuration: Configuration) -> list[Expr]:
        return at.get((configuration.location, *configuration.calls), [])

    runner = Runner(Parts(program, is_cut_point=lambda _: True), _Inputs(seed), known)
    runner.run(300)
    seen = [held for visit in runner.visits for held in visit.conditions]
    return [expr for expr, holds in seen if not holds], len(seen)


@pytest.mark.parametrize("engine", ["numpred", "lazy", "kinduction"])
@pytest.mark.parametrize("seed", mostly_long(SEEDS, 6))
def test_runs_agree_with_facts(seed: int, engine: str) -> None:
    """No fact is offered that a run contradicts."""
    text = random_program(seed, heap=seed % 2 == 0, bits=seed % 3 == 0, size=6 + seed % 5)
    program = program_of_c(text)
    facts = offered(program, engine, 1.0)
    for run in RUNS:
        assert refuted(program, facts, run)[0] == []


LOOPS = """int n(int k) { int r = 0; while (r < k) r++; return r; }
int main(void) {
  int x = 0, y = 0, z = __VERIFIER_nondet_int();
  while (x < 40) {
    if (z > 3 && y < 20) y += 2; else y = x;
    x++;
    if (n(x) == 77 - y * y) reach_error();
  }
  if (y * z == 12345) reach_error();
}"""


@pytest.mark.parametrize("engine", ["numpred", "lazy", "kinduction"])
def test_facts_are_offered(engine: str) -> None:
    """A fixpoint that does not prove the program, and numeric relations."""
    program = program_of_c(LOOPS)
    facts = offered(program, engine, 3.0)
    assert {fact.location.function for fact in facts} >= {"main", "n"}
    counts: Counter[str] = Counter()
    for run in RUNS:
        wrong, seen = refuted(program, facts, run)
        assert wrong == []
        counts["seen"] += seen
    assert counts["seen"] > 50


def test_a_wrong_fact_would_be_noticed() -> None:
    program = program_of_c(LOOPS)
    main = program.functions["main"]
    head = next(at for at in main.locations if len(main.incoming[at]) > 1)
    assert refuted(program, (Invariant(head, (), FALSE),), 0)[0]


# --- the lazy engine uses them --------------------------------------------------------------------

# what keeps the error away is that x is even, behind a product that no predicate is found for
EVEN = """int main(void) {
  int x = 0;
  while (__VERIFIER_nondet_int()) {
    if (__VERIFIER_nondet_int()) { if (x < 900) x += 2; } else if (x > -900) x -= 2;
  }
  if (x * x == 49) reach_error();
}"""


def test_the_lazy_engine_takes_facts() -> None:
    program = program_of_c(EVEN)
    main = program.functions["main"]
    head = next(at for at in main.locations if len(main.incoming[at]) > 1)
    x = next(var for var in main.locals if var.short == "x")
    rest = make.binary(Op.REM, x, make.const(2, INT))
    shared = ProvedFacts()
    shared.offer("numpred", [Invariant(head, (), make.equal(rest, make.const(0, INT)))])
    task = EngineTask(ProgramFacts(program), Options(), shared=shared)
    with counted_time():
        verdict = create("lazy", task).run(Budget.of(LONG))
    assert isinstance(verdict, Safe)
