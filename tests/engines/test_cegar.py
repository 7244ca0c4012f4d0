"""The loop that lazy, slam and numpred share, with parts that do what they are told."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import pytest

from predabs.engines.cegar import (
    Check,
    ErrorPath,
    Outcome,
    PathCheck,
    Refined,
    Stuck,
    cegar,
    no_proof_yet,
)
from predabs.engines.engine import ENGINES, Clock, create
from predabs.ir.cfa import Edge, Program
from predabs.ir.ops import Error
from predabs.ir.path import Path
from predabs.options import Budget, TimeOver
from predabs.refine.feasible import Infeasible
from predabs.statistics import EngineStatistics, Phase
from predabs.verdict import Safe, Unknown, Unsafe
from support.c_programs import program_of_c
from support.engine_checks import task_of
from support.places import ROOT

DOCS = ROOT / "docs"
PROGRAM = """int main(void) {
  int x = %s;
  if (x == 3) reach_error();
  return 0;
}"""


def path_to_error(program: Program) -> Path:
    """The only path of the program to its error, edge by edge."""
    main = program.functions["main"]

    def paths(done: tuple[Edge, ...]) -> Iterator[tuple[Edge, ...]]:
        if done and isinstance(done[-1].op, Error):
            yield done
            return
        for edge in main.outgoing[done[-1].dst if done else main.entry]:
            yield from paths((*done, edge))

    (found,) = paths(())
    return Path(found)


@dataclass
class Told:
    """Explorer and refiner in one: each round, the next that it was told."""

    found: Iterator[Safe | str]
    outcomes: Iterator[Outcome]

    def explore(self) -> Safe | str:
        return next(self.found)

    def refine(self, counterexample: str, check: Check) -> Outcome:
        assert counterexample.startswith("path")
        return next(self.outcomes)


def run(found: Iterable[Safe | str], outcomes: Iterable[Outcome]) -> tuple[object, int]:
    counted = EngineStatistics()
    told = Told(iter(found), iter(outcomes))
    verdict = cegar(told, told, lambda trace: Stuck("not asked"), counted)
    assert (Phase.REFINEMENT in counted.seconds) == bool(counted.refinements)
    return verdict, counted.refinements


def test_it_goes_on_until_there_is_a_verdict() -> None:
    assert run([Safe()], []) == (Safe(), 0)
    assert run(["path 1", "path 2", Safe()], [Refined(), Refined()]) == (Safe(), 2)
    assert run(["path 1"], [Stuck("no idea")]) == (Unknown("no idea"), 1)
    bug = Unsafe((), "error")
    assert run(["path 1", "path 2"], [Refined(), bug]) == (bug, 2)


@pytest.mark.parametrize(
    ("value", "is_limit", "kind"),
    [
        ("__VERIFIER_nondet_int()", False, Unsafe),
        ("__VERIFIER_nondet_int()", True, Unknown),
        ("4", False, Infeasible),
        ("4", True, Infeasible),
    ],
)
def test_what_becomes_of_a_path(value: str, is_limit: bool, kind: type) -> None:
    """A limit that a run comes to is no violation."""
    program = program_of_c(PROGRAM % value)
    check = PathCheck(program, EngineStatistics(), Clock(Budget.of(60)), 10.0)
    found = check(ErrorPath(path_to_error(program), "the end", is_limit))
    assert isinstance(found, kind)
    if isinstance(found, Unsafe):
        assert [item.value for item in found.inputs] == [3] and found.text == "the end"
    if isinstance(found, Unknown):
        assert "the end can be reached" in found.reason


def test_time_that_is_over_is_no_answer() -> None:
    program = program_of_c(PROGRAM % "__VERIFIER_nondet_int()")
    check = PathCheck(program, EngineStatistics(), Clock(Budget.of(0)))
    with pytest.raises(TimeOver):
        check(ErrorPath(path_to_error(program), "the end"))


@pytest.mark.parametrize("name", ENGINES)
def test_all_engines_are_made_alike(name: str) -> None:
    """Without time none has a verdict; the same engine, run again, has the right one."""
    engine = create(name, task_of(program_of_c(PROGRAM % "__VERIFIER_nondet_int()")))
    try:
        assert isinstance(engine.run(Budget.of(0)), Unknown | Unsafe)
    except TimeOver:
        assert engine.so_far
    if name in ("smg", "cells", "recheck"):  # these only prove
        assert isinstance(engine.run(Budget.of(60)), Unknown)
    elif name != "auto":
        assert isinstance(engine.run(Budget.of(60)), Unsafe)


def test_how_far_it_came() -> None:
    counted = EngineStatistics(predicates_total=3, refinements=2)
    assert no_proof_yet(counted) == "no proof yet with 3 predicates, after 2 refinements"


def test_the_docs_know_all_engines() -> None:
    text = (DOCS / "engines.md").read_text("utf-8")
    assert all(f"| `{name}` |" in text or f"| [`{name}`](" in text for name in ENGINES)
