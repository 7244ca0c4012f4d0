"""Relations of numbers at control points, and the lazy engine that knows them."""

from __future__ import annotations

import pytest

from predabs.analysis.facts import ProgramFacts
from predabs.encode.location_facts import NumericRelation
from predabs.engines.lazy import engine as lazy
from predabs.errors import InternalError
from predabs.evidence.certificate import Certified, certify
from predabs.evidence.invariants import loop_invariants
from predabs.ir.cfa import Program
from predabs.ir.configuration import Configuration
from predabs.ir.expr import Expr
from predabs.ir.show import show_expr
from predabs.ir.walk import variables
from predabs.numpred.relations import relations_of
from predabs.options import Budget, Options, TimeOver
from predabs.smt.solver import Statistics
from predabs.statistics import EngineStatistics
from predabs.verdict import Safe, Unsafe
from support.c_programs import program_of_c
from support.counted_time import LONG, counted_time
from support.engine_checks import checked
from support.lazy_random import random_program
from support.lazy_runs import visits
from support.lazy_setup import Parts
from support.selection import mostly_long

TOGETHER = """int main(void) {
  int n = __VERIFIER_nondet_int(), i = 0, x = 0;
  if (n < 0) return 0;
  while (i < n) { i++; x++; }
  if (x != n) reach_error();
  return 0;
}"""


def at_heads(
    program: Program, found: dict[Configuration, tuple[NumericRelation, ...]]
) -> list[str]:
    parts = Parts(program)
    return [
        show_expr(relation.expr)
        for configuration, relations in found.items()
        if parts.blocks.is_cut_point(configuration)
        for relation in relations
    ]


def test_what_they_say() -> None:
    program = program_of_c(TOGETHER)
    octagons = at_heads(
        program, dict(relations_of(ProgramFacts(program), "octagon", Statistics(), lambda: None))
    )
    assert "i == x" in [text.replace("(long long)", "") for text in octagons]
    boxes = at_heads(
        program, dict(relations_of(ProgramFacts(program), "box", Statistics(), lambda: None))
    )
    assert not [text for text in boxes if "x" in text and "i" in text]


@pytest.mark.parametrize("seed", mostly_long(range(60), 10))
def test_they_hold_in_runs(seed: int) -> None:
    heap, bits = seed % 2 == 0, seed % 3 == 0
    program = program_of_c(random_program(seed, heap=heap, bits=bits, size=6 + seed % 5))
    numbers = ("octagon", "polyhedra", "box")[seed % 3]
    found = relations_of(ProgramFacts(program), numbers, Statistics(), lambda: None)
    parts = Parts(program, is_cut_point=lambda configuration: configuration in found)

    def conditions(configuration: Configuration) -> list[Expr]:
        calls = {call.src.function for call in configuration.calls}
        known = {"", configuration.location.function, *calls}
        told = [relation.expr for relation in found[configuration]]
        # a place in memory may have the name that another function has for it
        return [expr for expr in told if {var.function for var in variables(expr)} <= known]

    for run in range(4):
        for visit in visits(parts, run, 100, conditions).visits:
            for expr, holds in visit.conditions:
                assert holds, f"{visit.configuration}: {show_expr(expr)}"


def decide(text: str, **options: object) -> tuple[Program, object, EngineStatistics]:
    program, statistics = program_of_c(text), EngineStatistics()
    with counted_time():
        verdict = checked("lazy", program, Options(**options), Budget.of(LONG), statistics)
    return program, verdict, statistics


def test_they_spare_predicates() -> None:
    """With x == i and i <= n nothing more is needed; the proof stands on its own."""
    program, verdict, statistics = decide(TOGETHER, numeric="octagon")
    assert isinstance(verdict, Safe)
    assert statistics.predicates_total == 0
    assert certify(program, verdict.invariants) == Certified()
    texts = [invariant.text for invariant in loop_invariants(program, verdict.invariants)]
    assert "i == x" in texts[0].replace("(long long)", "")
    _, without, statistics = decide(TOGETHER, numeric="box")
    assert isinstance(without, Safe)
    assert statistics.predicates_total > 0


def test_they_are_asked_for_when_there_is_a_spurious_path(monkeypatch: pytest.MonkeyPatch) -> None:
    def never(*_: object) -> dict[Configuration, tuple[NumericRelation, ...]]:
        raise InternalError("nobody needs it")

    monkeypatch.setattr(lazy, "relations_of", never)
    _, verdict, _ = decide("int main(void) { reach_error(); return 0; }", numeric="octagon")
    assert isinstance(verdict, Unsafe)
    with pytest.raises(InternalError):
        decide(TOGETHER, numeric="octagon")


def test_without_time_there_are_none(monkeypatch: pytest.MonkeyPatch) -> None:
    def late(*_: object) -> dict[Configuration, tuple[NumericRelation, ...]]:
        raise TimeOver("no time")

    monkeypatch.setattr(lazy, "relations_of", late)
    _, verdict, statistics = decide(TOGETHER, numeric="octagon")
    assert isinstance(verdict, Safe)
    assert statistics.predicates_total > 0
