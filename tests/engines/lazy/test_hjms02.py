"""[HJMS02]: the locking example (section 2), the examples of section 5, and figure 9.

[HJMS02] puts a predicate on a subtree; here it is put on the locations of the subtree, and a
region shows only the predicates of its own location. A branch on an unknown value has a location
of its own after the value was taken: 1' is where the branch at 1 takes place.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from predabs.engines.lazy.art import Node
from predabs.evidence.replay import NotReplayed, replay
from predabs.frontend.load import load
from predabs.ir import make
from predabs.ir.cfa import Edge, Program
from predabs.ir.configuration import TransitionKind
from predabs.ir.expr import Expr, Op
from predabs.ir.ops import Assign, Assume
from predabs.ir.show import show_expr
from predabs.refine.interpolators.focus import FocusInterpolator
from predabs.refine.interpolators.interpolation_problem import InterpolationProblem
from predabs.refine.refiner import PivotRefinement
from predabs.verdict import Safe, Unsafe, Verdict
from predabs.wp.aliasing import aliasing
from predabs.wp.weakest_precondition import Preconditions
from support.annotated import Annotated, programs
from support.lazy_setup import Parts, Watched, equals, variable
from support.places import PROGRAMS

PAPERS = PROGRAMS / "papers"


def paper(name: str) -> Program:
    return load([str(PAPERS / name)])


LOCKING = paper("locking.c")
LOCK = [equals(LOCKING, "LOCK", 0), equals(LOCKING, "LOCK", 1)]
AS_PRINTED: dict[str, Any] = {"block": "basic", "traversal": "dfs", "intervals": False}
FOUND = {"LOCK == 0", "LOCK == 1", "new == old", "got_lock == 0"}


@cache
def searched(*, seeded: bool) -> tuple[Watched, Verdict]:
    """The search of [HJMS02, section 2]: depth first, by basic blocks; `seeded` with the predicates
    about LOCK, as there."""
    watched = Watched(LOCKING, seeds=LOCK if seeded else (), **AS_PRINTED)
    return watched, watched.run()


def below(node: Node) -> list[Node]:
    found, stack = [], [node]
    while stack:
        here = stack.pop()
        found.append(here)
        stack += here.children
    return found


@pytest.mark.parametrize("item", programs("papers"), ids=lambda item: item.name)
def test_verdicts(item: Annotated) -> None:
    verdict = Watched(load(item.files)).run()
    assert isinstance(verdict, {"TRUE": Safe, "FALSE": Unsafe}[item.need("verdict").text])


# --- [HJMS02, section 2] --------------------------------------------------------------------------


@pytest.mark.parametrize("seeded", [False, True])
def test_the_predicates_of_hjms02_prove_it(seeded: bool) -> None:
    watched, verdict = searched(seeded=seeded)
    assert isinstance(verdict, Safe)
    assert set(watched.found) == FOUND
    assert len(watched.found) == 4
    assert watched.statistics.predicates_active == 3  # as in [HJMS02, table 1]


@pytest.mark.parametrize("seeded", [False, True])
def test_the_two_subtrees_have_different_predicates(seeded: bool) -> None:
    """[HJMS02, figure 8]."""
    watched, _ = searched(seeded=seeded)
    (branch,) = watched.nodes("1'")
    (left,) = [node for node in branch.children if watched.name(node.configuration) == "2"]
    (right,) = [node for node in branch.children if watched.name(node.configuration) == "7"]
    supports = {
        node: set().union(*(watched.support(n) for n in below(node))) for node in (left, right)
    }
    assert supports[left] == FOUND - {"got_lock == 0"}
    assert supports[right] == FOUND - {"new == old"}


def test_forward_search() -> None:
    """[HJMS02, figure 3]: from 1 to the error at 6, with what is known about LOCK alone."""
    watched, _ = searched(seeded=True)
    first = watched.refinements[0]
    held, free = "LOCK != 0 && LOCK == 1", "LOCK == 0 && LOCK != 1"
    path = [
        (watched.name(configuration), watched.region(region))
        for configuration, region in zip(first.path, first.regions, strict=True)
    ]
    assert path[1:] == [
        ("1'", free),
        ("2", free),
        ("3'", held),
        ("4", held),
        ("5", free),
        ("6", free),
    ]


def test_backward_analysis() -> None:
    """[HJMS02, figure 4]: the pivot is node 2, and the new predicate new = old."""
    watched, _ = searched(seeded=True)
    first, *others = watched.refinements
    assert watched.name(first.pivot) == "2"
    predicates = watched.search.explorer.predicates
    assert isinstance(first.outcome, PivotRefinement)
    assert {show_expr(predicates.expr(n)) for _, n in first.outcome.predicates} == {"new == old"}
    where = {watched.name(configuration) for configuration, _ in first.outcome.predicates}
    assert {"3'", "4", "5"} <= where <= {"3'", "4", "5", "6"}
    # the right subtree needs only got_lock, from its own root on or below it
    for later in others:
        assert isinstance(later.outcome, PivotRefinement)
        found = {show_expr(predicates.expr(n)) for _, n in later.outcome.predicates}
        assert found == {"got_lock == 0"}
        assert "7" in map(watched.name, later.path)
        assert watched.name(later.pivot) not in ("main:0", "1'")


def test_the_final_tree() -> None:
    """[HJMS02, figures 5 to 7]: both subtrees, and which leaves are covered."""
    watched, _ = searched(seeded=False)
    assert sorted(watched.tree()) == sorted(
        """\
main:0: true
  1': LOCK == 0
    7: LOCK == 0
      8': LOCK == 0 && got_lock == 0
        9: LOCK == 0 && got_lock == 0
          10: LOCK != 0 && LOCK == 1 && got_lock != 0
            11: LOCK == 1
              12: LOCK == 0 (covered)
        10: LOCK == 0 && got_lock == 0
          12: LOCK == 0
            12': LOCK == 0
              7: LOCK == 0 (covered)
              2: LOCK == 0 (covered)
    2: LOCK == 0
      3': LOCK == 1 && new == old
        5: LOCK != 0 && LOCK == 1 && new == old
          6: LOCK == 1
        4: LOCK == 1 && new == old
          5: LOCK == 0 && LOCK != 1 && new != old
            2: LOCK == 0 (covered)""".splitlines()
    )


def test_empty_regions_have_no_node() -> None:
    """[HJMS02, figure 5]: the leaf 6 below the first 5 and the leaf 2 below the other are empty."""
    watched, _ = searched(seeded=True)
    children = {
        watched.region(node.region): [watched.name(child.configuration) for child in node.children]
        for node in watched.nodes("5")
    }
    assert children == {
        "LOCK == 0 && LOCK != 1 && new != old": ["2"],
        "LOCK != 0 && LOCK == 1 && new == old": ["6"],
    }


def test_the_work_on_the_left_is_kept() -> None:
    """`Savings`: when the right subtree is refined, the left one stays as it is."""
    watched, _ = searched(seeded=True)
    (left,) = [node for node in watched.nodes("2") if not node.covered]
    stamps = [node.stamp for node in below(left)]
    others = [
        n.stamp
        for n in watched.search.explorer.tree.nodes()
        if n.path()[1:2] and n not in below(left)
    ]
    right = [n.stamp for top in watched.nodes("7") if not top.covered for n in below(top)]
    assert max(stamps) < min(right)
    assert others


@pytest.mark.parametrize("scope", ["location", "function", "global"])
@pytest.mark.parametrize("traversal", ["dfs", "bfs", "wto"])
@pytest.mark.parametrize("block", ["edge", "basic", "loop"])
def test_it_is_proved_whatever_the_strategy(block: str, traversal: str, scope: str) -> None:
    watched = Watched(
        LOCKING, block=block, traversal=traversal, predicates_at=scope, intervals=False
    )
    assert isinstance(watched.run(), Safe)
    assert block == "loop" or set(watched.found) <= FOUND


@pytest.mark.parametrize("scope", ["location", "function", "global"])
@pytest.mark.parametrize("block", ["edge", "basic"])
def test_intervals_save_refinements(block: str, scope: str) -> None:
    """That LOCK is 0 or 1 follows without predicates."""
    alone, helped = (
        Watched(LOCKING, block=block, predicates_at=scope, intervals=on) for on in (False, True)
    )
    assert isinstance(alone.run(), Safe)
    assert isinstance(helped.run(), Safe)
    assert set(helped.found) <= FOUND
    assert helped.statistics.refinements <= alone.statistics.refinements


@pytest.mark.parametrize("block", ["edge", "basic", "loop"])
def test_a_mistake_is_found(block: str) -> None:
    program = paper("locking_wrong.c")
    watched = Watched(program, block=block)
    verdict = watched.run()
    assert isinstance(verdict, Unsafe)
    assert not isinstance(replay(program, verdict.inputs), NotReplayed)


# --- the examples of [HJMS02, section 5] ----------------------------------------------------------


def both(one: Expr, two: Expr) -> Expr:
    return make.conj((one, two))


OLD, NEW = variable(LOCKING, "old"), variable(LOCKING, "new")
SAME = make.equal(NEW, OLD)


def unlock_and_increment() -> list[Edge]:
    """`unlock(); new++` between 4 and 5, with unlock as [HJMS02] inlines it: LOCK = 0."""
    main, unlock = LOCKING.functions["main"], LOCKING.functions["unlock"]
    (increment,) = [edge for edge in main.edges if "new" in str(edge.op) and "ADD" in str(edge.op)]
    (release,) = [edge for edge in unlock.edges if isinstance(edge.op, Assign)]
    return [release, increment]


def test_example_3() -> None:
    """The bad region of 4: wp(LOCK = 0 and new = old, unlock(); new++) is new + 1 = old."""
    parts = Parts(LOCKING)
    before = Preconditions(aliasing(parts.split.points_to)).wp_path(
        unlock_and_increment(), both(LOCK[0], SAME)
    )
    one = make.const(1, NEW.type)
    expected = make.equal(make.binary(Op.ADD, NEW, one), OLD)
    both_ways = [
        make.disj((make.negate(a), b)) for a, b in ((before, expected), (expected, before))
    ]
    assert all(map(parts.holds, both_ways))


def test_example_4() -> None:
    """post(LOCK = 1 and new = old, unlock(); new++) is LOCK = 0, LOCK != 1 and new != old."""
    parts = Parts(LOCKING, "basic")
    free, held, same = map(parts.number, (*LOCK, SAME))
    region = parts.manager.cube({held: True, same: True})
    image = parts.post.image(parts.exit("L4", "L5"), region, frozenset((free, held, same)))
    assert image == parts.manager.cube({free: True, held: False, same: False})


def spurious_path() -> InterpolationProblem:
    """[HJMS02, example 5]: from 2 by way of 3, 4, 5 and 6 to the error, with LOCK = 0 at 2."""
    seen: list[InterpolationProblem] = []

    class Spy:
        name = "spy"

        def find(self, problem: InterpolationProblem, seconds: float) -> None:
            seen.append(problem)

    again = Watched(LOCKING, seeds=LOCK, **AS_PRINTED)
    again.recorder.inner.interpolators = (Spy(),)
    again.run()
    return seen[0]


def test_example_5() -> None:
    """The focus operator finds new = old, and nothing else that is not known."""
    problem = spurious_path()
    names = searched(seeded=True)[0].names
    assert [names[configuration.location] for configuration in problem.configurations] == [
        "3'",
        "4",
        "5",
        "6",
    ]
    assert problem.exits[-1].kind is TransitionKind.ERROR
    found = FocusInterpolator().find(problem, 60.0)
    assert found is not None
    parts = Parts(LOCKING)
    numbers = {parts.number(predicate) for _, predicate in found.predicates}
    assert numbers - {parts.number(lock) for lock in LOCK} == {parts.number(SAME)}


def test_example_5_needs_no_more_than_hjms02_says() -> None:
    """The proof of unsatisfiability rests on the test new = old alone, not on LOCK."""
    problem = spurious_path()
    conditions = [
        show_expr(op.cond)
        for block, number in problem.core
        for op in problem.transitions[block][number].ops
        if isinstance(op, Assume)
    ]
    assert conditions == ["new == old"]


# --- [HJMS02, figure 9] ---------------------------------------------------------------------------


class Enough(Exception):
    """The limit that a test sets."""


LIMIT = 12


def test_the_refinement_loop_has_no_end_if_subtrees_are_kept() -> None:
    """[HJMS02, example 2]: the child of 2 is as coarse as 2 was, so refinements do not end."""
    program = paper("refinement_loop.c")

    def limit(text: str) -> None:
        if watched.statistics.refinements > LIMIT:
            raise Enough

    watched = Watched(program, keep_subtree=True, progress=limit, **AS_PRINTED)
    with pytest.raises(Enough):
        watched.run()
    assert watched.found == ["x == 0"]  # found once, and yet there is no end
    paths = [
        [watched.name(configuration) for configuration in seen.path]
        for seen in watched.recorder.seen
    ]
    assert [path.count("2") for path in paths] == list(range(1, LIMIT + 1))
    pivots = [
        seen.outcome.pivot
        for seen in watched.recorder.seen
        if isinstance(seen.outcome, PivotRefinement)
    ]
    assert pivots == sorted(set(pivots))  # each time a node further down


@pytest.mark.parametrize("block", ["edge", "basic", "loop"])
def test_the_refinement_loop_ends_if_the_subtree_is_dropped(block: str) -> None:
    watched = Watched(paper("refinement_loop.c"), **{**AS_PRINTED, "block": block})
    verdict = watched.run()
    assert isinstance(verdict, Safe)
    assert watched.found == ["x == 0"]
    assert len(watched.recorder.seen) == 1
    (head,) = [item for item in verdict.invariants if watched.names[item.location] == "2"]
    assert show_expr(head.expr) == "x == 0"
    (node,) = [node for node in watched.nodes("2") if node.covered]
    assert watched.region(node.region) == "x == 0"


def test_one_block_for_the_loop_has_no_coarse_child() -> None:
    """With an abstraction at the loop head alone, the subtree can be kept: it has one node."""
    watched = Watched(
        paper("refinement_loop.c"), keep_subtree=True, **{**AS_PRINTED, "block": "loop"}
    )
    assert isinstance(watched.run(), Safe)
