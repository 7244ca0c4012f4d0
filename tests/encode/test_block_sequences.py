"""Exits one after the other: the formula of a whole sequence, and its cut points."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from predabs.analysis.memory.partition import Scalar
from predabs.encode.block_sequences import BlockSequence, block_sequence
from predabs.encode.blocks import Exit
from predabs.encode.initial_states import initial_environment
from predabs.encode.integer_encoding import NeedsBitVectors
from predabs.ir import make
from predabs.ir.configuration import Configuration, TransitionKind
from predabs.ir.expr import Var
from predabs.ir.types import IntType
from predabs.smt import build
from predabs.smt.evaluate import TermEvaluator
from predabs.smt.solver import Answer, Sat, Statistics, Unsat
from predabs.smt.solvers import create
from predabs.smt.term import Symbol, Term, symbols
from support.counted_time import PLENTY
from support.lazy_random import random_program
from support.lazy_runs import Visit, visits
from support.lazy_setup import Parts

COUNT = """int x, y; int main(void) {
  x = 0; y = __VERIFIER_nondet_int();
  L: x = x + 1; if (__VERIFIER_nondet_int()) goto L;
  if (x == 3 && y == 7) reach_error();
  return 0; }"""


def sequence(parts: Parts, path: list[Configuration | None]) -> list[Exit]:
    """The exits from the start along control points; None is the error."""
    start, _ = initial_environment(parts.formulas)
    block = parts.blocks.make(parts.flow.entry, start)
    exits = []
    for target in path:
        (exit_,) = [
            e for e in block.exits if e.target is target and e.kind is not TransitionKind.LIMIT
        ]
        exits.append(exit_)
        if target is not None:
            block = parts.blocks.at(target)
    return exits


def check(parts: Parts, whole: BlockSequence, more: list[Term] | None = None) -> Answer:
    solver = create("z3", Statistics())
    solver.add(parts.formulas.closed(*whole.parts, *(more or ())))
    return solver.check(timeout=PLENTY)


# --- runs -----------------------------------------------------------------------------------------


def holding(parts: Parts, whole: BlockSequence, seen: list[Visit]) -> list[Term]:
    """That the variables hold at the cut points what was seen there."""
    terms = []
    for environment, visit in zip(whole.cuts, seen, strict=False):
        for expr, value in visit.values:
            assert isinstance(expr.type, IntType)
            assert isinstance(value, int)
            is_it = make.equal(expr, make.const(value, expr.type))
            terms.append(parts.formulas.encoder(environment).condition(is_it))
    return terms


@given(st.integers(0, 10_000), st.sampled_from(["loop", "basic"]))
@settings(max_examples=12)
def test_a_run_satisfies_the_chain_of_its_exits(seed: int, size: str) -> None:
    parts = Parts(random_program(seed, heap=seed % 2 == 0, size=8), size, intervals=True)
    run = visits(parts, seed, 60)
    seen = run.visits[:12]
    path: list[Configuration | None] = [visit.configuration for visit in seen[1:]]
    if run.error is not None and len(seen) == len(run.visits):
        path.append(None)
    if not path:
        return
    try:
        exits = sequence(parts, path)
        everything = [item.var for item in parts.program.globals]
        whole = block_sequence(parts.formulas, exits, [v for v in everything if plain(parts, v)])
    except NeedsBitVectors:
        return
    terms = holding(parts, whole, [visit_of_plain(parts, visit) for visit in seen])
    answer = check(parts, whole, terms)
    assert isinstance(answer, Sat)
    follow(whole, exits, answer)


def plain(parts: Parts, var: Var) -> bool:
    return isinstance(var.type, IntType) and isinstance(parts.split.storage(var), Scalar)


def visit_of_plain(parts: Parts, visit: Visit) -> Visit:
    """Globals alone: they are what the chain is told to keep."""
    kept = [
        (expr, value)
        for expr, value in visit.values
        if isinstance(expr, Var) and not expr.function and plain(parts, expr)
    ]
    return Visit(visit.configuration, tuple(kept))


def follow(whole: BlockSequence, exits: list[Exit], answer: Sat) -> None:
    """A model of the chain takes a path through each block, from end to end."""
    evaluator = TermEvaluator(answer.model)
    here: Configuration | None = exits[0].block.start
    for number, exit_ in enumerate(exits):
        for transition in exit_.block.path(exit_, whole.local(number, evaluator).holds):
            assert transition.src is here
            here = transition.dst
    assert here is exits[-1].target


# --- by hand --------------------------------------------------------------------------------------


@pytest.mark.parametrize(("rounds", "feasible"), [(1, False), (2, False), (3, True), (4, False)])
def test_the_number_of_rounds_counts(rounds: int, feasible: bool) -> None:
    parts = Parts(COUNT)
    path: list[Configuration | None] = [*[parts.at("L")] * rounds, None]
    exits = sequence(parts, path)
    whole = block_sequence(parts.formulas, exits, ())
    answer = check(parts, whole)
    assert isinstance(answer, Sat if feasible else Unsat)
    if isinstance(answer, Sat):
        follow(whole, exits, answer)


def test_a_cut_point_has_its_own_symbols() -> None:
    parts = Parts(COUNT)
    path: list[Configuration | None] = [parts.at("L")] * 3 + [None]
    exits = sequence(parts, path)
    whole = block_sequence(parts.formulas, exits, ())
    assert len(whole.parts) == 4
    assert len(whole.cuts) == 5
    x, y = parts.var("x"), parts.var("y")
    values = [parts.formulas.get(cut, x).term for cut in whole.cuts[1:4]]
    assert len(set(values)) == 3
    assert all(isinstance(value, Symbol) for value in values)
    # y is not written after the first block, so it is the same symbol from there on
    assert len({parts.formulas.get(cut, y).term for cut in whole.cuts[1:4]}) == 1


def test_parts_share_only_what_the_cut_point_holds() -> None:
    parts = Parts(COUNT)
    path: list[Configuration | None] = [parts.at("L")] * 3 + [None]
    whole = block_sequence(parts.formulas, sequence(parts, path), ())
    for number in range(1, len(whole.parts)):
        before = symbols(whole.parts[:number])
        after = symbols(whole.parts[number:])
        held = symbols([value.term for value in whole.cuts[number].changed.values()])
        assert set(before) & set(after) <= set(held)


def test_what_nobody_reads_has_no_symbol() -> None:
    text = COUNT.replace("x == 3 && y == 7", "x == 3")
    parts = Parts(text)
    path: list[Configuration | None] = [parts.at("L"), None]
    exits = sequence(parts, path)
    y = parts.var("y")
    unread = block_sequence(parts.formulas, exits, ()).cuts[1]
    assert parts.formulas.get(unread, y).term is parts.formulas.get(exits[0].block.before, y).term
    observed = block_sequence(parts.formulas, exits, [y]).cuts[1].changed[y].term
    assert isinstance(observed, Symbol)
    assert observed.name == "y@1"


def test_inner_symbols_of_two_rounds_are_apart() -> None:
    """Both rounds take an input, and the inputs may differ."""
    parts = Parts(
        """int x; int main(void) { x = 0;
        L: x = x + x + __VERIFIER_nondet_int(); if (__VERIFIER_nondet_int()) goto L;
        if (x == 5) reach_error(); return 0; }"""
    )
    path: list[Configuration | None] = [parts.at("L"), parts.at("L"), None]
    whole = block_sequence(parts.formulas, sequence(parts, path), ())
    x = parts.var("x")
    two = build.eq(parts.formulas.get(whole.cuts[2], x).term, build.integer(2))
    assert isinstance(check(parts, whole, [two]), Sat)  # 2, and then 2 + 2 + 1


def test_memory_goes_through_the_cut_points() -> None:
    parts = Parts(
        """int a[3], i; int main(void) { int *p = __VERIFIER_nondet_int() ? &a[1] : &a[2]; *p = 4;
        L: a[i] = i; i = i + 1; if (__VERIFIER_nondet_int()) goto L;
        if (i == 2 && a[2] == 4 && a[1] != 1) reach_error(); return 0; }"""
    )
    for rounds, wrong in ((1, Unsat), (2, Unsat), (3, Unsat)):
        path: list[Configuration | None] = [*[parts.at("L")] * rounds, None]
        assert isinstance(
            check(parts, block_sequence(parts.formulas, sequence(parts, path), ())), wrong
        )


def test_the_heap_grows_along_the_chain() -> None:
    parts = Parts(
        """int *p, *q; int main(void) { p = 0;
        L: q = p; p = malloc(4); if (__VERIFIER_nondet_int()) goto L;
        if (p == q) reach_error(); return 0; }"""
    )
    path: list[Configuration | None] = [parts.at("L"), parts.at("L"), None]
    whole = block_sequence(parts.formulas, sequence(parts, path), ())
    assert isinstance(check(parts, whole), Unsat)
