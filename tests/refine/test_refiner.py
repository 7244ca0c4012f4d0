"""Abstract paths to an error: real ones, pivots, cores, and how interpolators are asked."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import pytest

from predabs.bdd import Function
from predabs.encode.blocks import Exit
from predabs.encode.integer_encoding import NeedsBitVectors
from predabs.errors import UnsupportedFeature
from predabs.ir import make
from predabs.ir.configuration import Configuration, TransitionKind
from predabs.ir.expr import Expr
from predabs.ir.ops import Assume
from predabs.ir.show import show_expr
from predabs.ir.types import INT
from predabs.refine.interpolators.focus import FocusInterpolator
from predabs.refine.interpolators.interpolation_problem import InterpolationProblem, Interpolator
from predabs.refine.interpolators.weakest import Weakest
from predabs.refine.refiner import FeasiblePath, NoRefinement, PivotRefinement
from predabs.smt import build
from predabs.smt.solver import Answer, Reason, Unsat
from predabs.smt.solver import Unknown as NoAnswer
from predabs.verdict import Safe, Unsafe
from support.c_programs import program_of_c
from support.lazy_paths import Case, Forgetful, Told
from support.lazy_setup import Watched, equals

# x counts, y is what it was
STEPS = """int x, y, z; int main(void) { x = 0; y = __VERIFIER_nondet_int();
  L1: x = x + 1; z = __VERIFIER_nondet_int();
  L2: x = x + y;
  L3: if (%s) reach_error();
  goto L1; }"""
LABELS = ("L1", "L2", "L3")


def case_of(wrong: str, *interpolators: Interpolator) -> Case:
    return Case(STEPS % wrong, LABELS, *interpolators)


# --- real paths -----------------------------------------------------------------------------------


def test_a_real_path() -> None:
    case = case_of("x == 5")
    outcome = case.refine()
    assert isinstance(outcome, FeasiblePath)
    assert outcome.transitions[0].src is case.parts.flow.entry
    assert outcome.transitions[-1].kind is TransitionKind.ERROR
    assert all(one.dst is two.src for one, two in pairwise(outcome.transitions))


# --- pivots ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("wrong", "known", "pivot"),
    [
        ("x == y", [None, None, None, None], 0),  # x is 1 + y at L3, because it was 0
        ("x == 0 && x == 3", [None, None, None, None], 3),
        ("x == 0", [None, None, None, "x"], -1),
        ("x == y", [None, "x", None, None], 1),  # L1 knows enough
        ("z == 4 && x == y", [None, "x", None, None], 1),
    ],
)
def test_the_pivot_is_the_last_node_that_excludes_the_rest(
    wrong: str, known: list[str | None], pivot: int
) -> None:
    case = case_of(wrong, FocusInterpolator(), Weakest())
    outcome = case.refine([case.true if name is None else case.zero(name) for name in known])
    if pivot < 0:
        assert isinstance(outcome, FeasiblePath)
    else:
        assert isinstance(outcome, PivotRefinement)
        assert outcome.pivot == pivot


def test_predicates_belong_to_nodes_behind_the_pivot() -> None:
    case = case_of("x == y", FocusInterpolator(), Weakest())
    outcome = case.refine([case.true, case.zero("x"), case.true, case.true])
    assert isinstance(outcome, PivotRefinement)
    assert outcome.predicates
    assert {case.names[configuration.location] for configuration, _ in outcome.predicates} <= {
        "L2",
        "L3",
    }


def test_after_the_refinement_the_path_is_excluded() -> None:
    case = case_of("x == y", FocusInterpolator(), Weakest())
    outcome = case.refine()
    assert isinstance(outcome, PivotRefinement)
    for configuration, number in outcome.predicates:
        assert case.precision.add(configuration.location, number)
    region = case.true
    for exit_ in case.exits[:-1]:
        assert exit_.target is not None
        wanted = case.precision.at(exit_.target.location)
        region = case.parts.post.image(exit_, region, wanted)
    assert isinstance(case.parts.post.reaches(case.exits[-1], region), Unsat)
    # the same path again needs nothing more
    assert case.refine() == PivotRefinement(0, ())


# --- cores ----------------------------------------------------------------------------------------


def core(problem: InterpolationProblem) -> list[str]:
    return [
        show_expr(op.cond)
        for block, number in sorted(problem.core)
        for op in problem.transitions[block][number].ops
        if isinstance(op, Assume)
    ]


def test_the_core_has_what_matters() -> None:
    case = case_of("z > 3) if (x == y) if (z < 9")
    problem = case.problem()
    assert core(problem) == ["x == y"]
    assert problem.exits == tuple(case.exits)
    assert problem.configurations == tuple(case.parts.at(name) for name in LABELS)
    flat = [transition for part in problem.transitions for transition in part]
    assert all(one.dst is two.src for one, two in pairwise(flat))
    assert [part[-1].dst for part in problem.transitions] == [*problem.configurations, None]


def test_conditions_are_the_bad_regions() -> None:
    """Over the storage at each cut: at L3 x = y, at L2 x + y = y, at L1 x + 1 + y = y."""
    case = case_of("x == y")
    problem = case.problem()
    x, y = case.parts.var("x"), case.parts.var("y")
    expected = {
        3: make.equal(x, y),
        2: make.equal(x, make.const(0, INT)),
        1: make.equal(x, make.const(-1, INT)),
    }
    encoder = case.parts.formulas.encoder(case.exits[1].block.before)
    for cut, expr in expected.items():
        (condition,) = problem.conditions(cut)
        solver = case.parts.solver.fresh()
        differ = build.not_(build.eq(condition, encoder.condition(expr)))
        solver.add(case.parts.formulas.closed(differ))
        assert isinstance(solver.check(), Unsat)


def test_the_bad_region_of_the_start_contradicts_it() -> None:
    case = case_of("x == y")
    problem = case.problem()
    solver = case.parts.solver.fresh()
    solver.add(case.parts.formulas.closed(problem.region, *problem.conditions(0)))
    assert isinstance(solver.check(), Unsat)


# --- interpolators --------------------------------------------------------------------------------


def nine_at_first(problem: InterpolationProblem) -> list[tuple[Configuration, Expr]]:
    """A predicate that helps nobody."""
    program = problem.formulas.partition.program
    return [(problem.configurations[0], equals(program, "x", 9))]


def test_interpolators_are_asked_in_turn_until_one_is_enough() -> None:
    nothing, useless, later = Told(name="nothing"), Told(nine_at_first, "useless"), Told()
    case = case_of("x == y", nothing, useless, FocusInterpolator(), Weakest(), later)
    assert isinstance(case.refine(), PivotRefinement)
    assert len(nothing.asked) == 1  # once for one path: then it is the next one's turn
    assert len(useless.asked) == 1
    assert not later.asked
    assert "nothing" not in case.refiner.tally
    assert case.refiner.tally["useless"] == 1


def test_an_interpolator_that_fails_is_passed_over() -> None:
    def fail(problem: InterpolationProblem) -> list[tuple[Configuration, Expr]]:
        raise UnsupportedFeature("cannot say it")

    def bits(problem: InterpolationProblem) -> list[tuple[Configuration, Expr]]:
        raise NeedsBitVectors("bits")

    case = case_of("x == y", Told(fail), Told(bits), FocusInterpolator(), Weakest())
    assert isinstance(case.refine(), PivotRefinement)


def test_nobody_knows_a_predicate() -> None:
    outcome = case_of("x == y", Told()).refine()
    assert isinstance(outcome, NoRefinement)
    assert "no predicates were found" in outcome.reason
    assert "a.c:4:" in outcome.reason  # where the error is


def test_the_same_predicate_again_is_no_progress() -> None:
    told = Told(nine_at_first)
    assert isinstance(case_of("x == y", told).refine(), NoRefinement)
    assert len(told.asked) == 1


def test_known_predicates_are_not_told_again() -> None:
    case = case_of("x == y", FocusInterpolator(), Weakest())
    first = case.refine()
    assert isinstance(first, PivotRefinement)
    configuration, number = first.predicates[0]
    case.precision.add(configuration.location, number)
    second = case.refine()
    assert isinstance(second, PivotRefinement)
    assert (configuration, number) not in second.predicates


# --- when the solver does not know ----------------------------------------------------------------


def test_an_unknown_is_neither_real_nor_spurious() -> None:
    case = case_of("x == 5", FocusInterpolator())
    case.refiner.solver = Forgetful(case.parts.solver, 0)
    outcome = case.refine()
    assert isinstance(outcome, NoRefinement)
    assert "could not decide" in outcome.reason


def fail_at(watched: Watched, fails: Callable[[int], bool]) -> None:
    """Some questions whether an error can be reached have no answer."""
    reaches, count = watched.search.explorer.post.reaches, 0

    def sometimes(exit_: Exit, region: Function) -> Answer:
        nonlocal count
        count += 1
        return NoAnswer(Reason.TIMEOUT) if fails(count) else reaches(exit_, region)

    watched.search.explorer.post.reaches = sometimes


def test_a_node_is_not_lost_when_the_solver_changes_its_mind() -> None:
    """First it does not know whether the error can be reached, then it knows that it cannot."""
    program = program_of_c(
        """int main(void) { int x = __VERIFIER_nondet_int(); if (x > 0 && x < 0) reach_error();
        while (__VERIFIER_nondet_int()) ; if (x == 3) reach_error(); return 0; }"""
    )
    watched = Watched(program)
    fail_at(watched, lambda count: count == 1)
    assert isinstance(watched.run(), Unsafe)


@pytest.mark.parametrize("failing", range(2, 10))
def test_a_program_with_an_error_is_never_safe(failing: int) -> None:
    program = program_of_c(
        """int x, y; int main(void) { x = 0; y = 0;
        while (__VERIFIER_nondet_int()) { x = x + 1; if (x > 2) { y = 1; x = 0; } }
        if (y == 1 && x == 2) reach_error(); return 0; }"""
    )
    watched = Watched(program, block="basic")
    fail_at(watched, lambda count: count % failing == 0)
    assert not isinstance(watched.run(), Safe)
