"""The tree: marks, time stamps, covering, what a refinement removes, and the order of visits."""

from __future__ import annotations

from types import SimpleNamespace
from typing import cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from predabs.bdd import Function, Manager
from predabs.encode.blocks import Exit
from predabs.engines.lazy.art import Node, ReachabilityTree, Waitlist
from predabs.ir.cfa import Location
from predabs.ir.configuration import Configuration


def place(number: int) -> Configuration:
    return Configuration(Location("main", number), None)


def to(number: int) -> Exit:
    """An exit that leads to a control point; the tree asks nothing else of it."""
    return cast(Exit, SimpleNamespace(target=place(number)))


class Forest:
    """A tree over three predicates, with short names for what tests do to it."""

    def __init__(self, traversal: str = "dfs") -> None:
        self.manager = Manager(16)
        a, b, c = self.manager.add_variables(3)
        self.a, self.b, self.c = map(self.manager.var, (a, b, c))
        rank = Waitlist(traversal, lambda configuration: (configuration.location.index,))
        self.tree = ReachabilityTree(self.manager, place(0), rank)
        self.root = self.tree.root

    def grow(self, parent: Node, number: int, region: Function | None = None) -> Node:
        region = self.manager.true if region is None else region
        return self.tree.add(parent, to(number), region, frozenset())

    def visit(self) -> Node | None:
        """The next node, marked as the engine would, without children."""
        node = self.tree.next()
        if node is not None:
            self.tree.mark(node, self.tree.is_covered(node))
        return node

    def visit_all(self) -> list[Node]:
        found = []
        while (node := self.visit()) is not None:
            found.append(node)
        return found


# --- nodes ----------------------------------------------------------------------------------------


def test_a_node_knows_its_path() -> None:
    f = Forest()
    one = f.grow(f.root, 1)
    two = f.grow(one, 2)
    other = f.grow(f.root, 3)
    assert two.path() == [f.root, one, two]
    assert f.root.path() == [f.root]
    assert list(f.tree.nodes()) == [f.root, one, two, other]
    assert f.tree.made == 4


def test_time_stamps_order_the_marks() -> None:
    f = Forest()
    assert f.root.stamp == 0
    f.visit()
    for number in (1, 2, 3):
        f.grow(f.root, number)
    visited = f.visit_all()
    stamps = [node.stamp for node in (f.root, *visited)]
    assert stamps == sorted(set(stamps))
    assert 0 not in stamps


# --- covering -------------------------------------------------------------------------------------


def test_a_region_is_covered_by_the_union_of_others() -> None:
    f = Forest()
    one, two = f.grow(f.root, 1, f.a & f.b), f.grow(f.root, 1, f.a & ~f.b)
    both = f.grow(f.root, 1, f.a)
    f.tree.mark(one, covered=False)
    assert not f.tree.is_covered(both)
    f.tree.mark(two, covered=False)
    assert f.tree.is_covered(both)
    assert f.tree.reached(place(1)) == f.a


def test_only_uncovered_marked_nodes_cover() -> None:
    f = Forest()
    large, small = f.grow(f.root, 1, f.a), f.grow(f.root, 1, f.a & f.b)
    assert not f.tree.is_covered(small)  # the other is not marked
    f.tree.mark(large, covered=True)
    assert not f.tree.is_covered(small)  # or covered itself
    assert not f.tree.reached(place(1)).satisfiable()


def test_another_control_point_does_not_cover() -> None:
    f = Forest()
    here, there = f.grow(f.root, 1), f.grow(f.root, 2, f.a)
    f.tree.mark(here, covered=False)
    assert not f.tree.is_covered(there)
    assert f.tree.is_covered(f.grow(f.root, 1, f.a))


def test_the_root_covers_nothing() -> None:
    """Its children are what follows the start of the program, not what follows all states."""
    f = Forest()
    f.visit()
    again = f.grow(f.root, 0, f.a)
    f.visit()
    assert not again.covered
    assert f.tree.reached(place(0)) == f.a
    f.tree.drop_below(f.root)
    assert not f.tree.reached(place(0)).satisfiable()
    assert f.visit_all() == [f.root]


def test_nothing_is_covered_by_anything() -> None:
    f = Forest()
    empty = f.grow(f.root, 7, f.manager.false)
    assert f.tree.is_covered(empty)


def test_unmarking_takes_the_region_away() -> None:
    f = Forest()
    one, two = f.grow(f.root, 1, f.a), f.grow(f.root, 1, f.b)
    f.tree.mark(one, covered=False)
    f.tree.mark(two, covered=False)
    f.tree.unmark(one)
    assert f.tree.reached(place(1)) == f.b
    assert one.stamp == 0
    assert not f.tree.is_covered(one)


# --- refinement -----------------------------------------------------------------------------------


def test_dropping_removes_what_is_below_and_visits_the_pivot_again() -> None:
    f = Forest()
    f.visit()
    pivot = f.grow(f.root, 1)
    f.visit()
    child = f.grow(pivot, 2)
    f.visit()
    grandchild = f.grow(child, 3)
    f.visit()
    f.tree.drop_below(pivot)
    assert pivot.children == []
    assert child.removed
    assert grandchild.removed
    assert not pivot.removed
    assert not f.tree.reached(place(2)).satisfiable()
    assert not f.tree.reached(place(1)).satisfiable()
    assert f.visit_all() == [pivot]


def test_waiting_nodes_that_were_removed_are_not_visited() -> None:
    f = Forest()
    f.visit()
    pivot = f.grow(f.root, 1)
    f.visit()
    f.grow(pivot, 2)
    f.grow(pivot, 3)
    f.tree.drop_below(pivot)
    assert f.visit_all() == [pivot]


def test_what_was_covered_later_is_looked_at_again() -> None:
    """[HJMS02, algorithm 2, lines 17 and 18]: a covered node may have lost what covered it."""
    f = Forest()
    f.visit()
    early = f.grow(f.root, 9, f.a)
    f.visit()
    before = f.grow(early, 9, f.a & f.b)
    f.visit()
    assert before.covered
    pivot = f.grow(f.root, 1)
    f.visit()
    covering = f.grow(pivot, 5, f.a)
    f.visit()
    after = f.grow(f.root, 5, f.a & f.b)
    f.visit()
    assert after.covered
    f.tree.drop_below(pivot)
    assert covering.removed
    assert after.stamp == 0
    assert not after.covered
    assert before.covered  # what covers it was there before the pivot
    assert before.stamp
    visited = f.visit_all()
    assert set(visited) == {pivot, after}
    assert not after.covered


def test_a_covered_node_that_was_removed_stays_away() -> None:
    f = Forest()
    f.visit()
    cover = f.grow(f.root, 5)
    f.visit()
    pivot = f.grow(f.root, 1)
    f.visit()
    covered = f.grow(pivot, 5, f.a)
    f.visit()
    assert covered.covered
    f.tree.drop_below(pivot)
    assert f.visit_all() == [pivot]
    assert cover.stamp


def test_a_pivot_that_was_not_marked_yet_is_visited() -> None:
    f = Forest()
    f.visit()
    pivot = f.grow(f.root, 1)
    assert f.tree.next() is pivot  # taken out, and refined before it was marked
    f.tree.drop_below(pivot)
    assert f.visit_all() == [pivot]


def test_a_smaller_region_covers_less() -> None:
    f = Forest()
    f.visit()
    node = f.grow(f.root, 1, f.a)
    f.visit()
    other = f.grow(f.root, 1, f.a & f.b)
    f.visit()
    assert other.covered
    f.tree.relabel(node, f.a & ~f.b, frozenset((0, 1)))
    f.tree.unmark_covered_after(node.stamp)
    assert f.tree.reached(place(1)) == f.a & ~f.b
    assert node.support == {0, 1}
    assert f.visit_all() == [other]
    assert not other.covered


def test_invariants_are_the_unions_of_what_is_not_covered() -> None:
    f = Forest()
    f.visit()
    f.grow(f.root, 1, f.a)
    f.visit()
    f.grow(f.root, 1, f.a & f.c)
    f.visit()
    f.grow(f.root, 1, f.b)
    f.visit()
    f.grow(f.root, 2, f.manager.false)
    f.visit()
    assert f.tree.invariants() == {place(1): f.a | f.b}


class Model:
    """What the tree should be: each covered node is inside the union of uncovered ones."""

    def __init__(self, forest: Forest) -> None:
        self.f = forest

    def check(self) -> None:
        tree = self.f.tree
        nodes = list(tree.nodes())
        for node in nodes:
            uncovered = [
                other.region
                for other in nodes
                if other.configuration is node.configuration
                and other.stamp
                and not other.covered
                and other is not tree.root
            ]
            union = self.f.manager.disjunction(uncovered)
            assert tree.reached(node.configuration) == union
            if node.covered:
                assert not (node.region & ~union).satisfiable()


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 50), st.integers(0, 255)), max_size=60))
def test_covered_nodes_stay_covered(steps: list[tuple[int, int, int]]) -> None:
    """Whatever is grown, marked, dropped and relabelled, in the way of the engine."""
    f = Forest("bfs")
    model = Model(f)
    f.visit()

    def region(code: int) -> Function:
        points = [f.manager.cube({n: bool(p >> n & 1) for n in range(3)}) for p in range(8)]
        return f.manager.disjunction(point for p, point in enumerate(points) if code >> p & 1)

    for action, which, code in steps:
        nodes = list(f.tree.nodes())
        open_ = [node for node in nodes if node.stamp and not node.covered]
        if action == 0 and open_:
            f.grow(open_[which % len(open_)], 1 + code % 4, region(code))
        elif action == 1:
            f.visit()
        elif action == 2 and open_:
            pivot = open_[which % len(open_)]
            f.tree.drop_below(pivot)
        elif open_:
            node = open_[which % len(open_)]
            f.tree.relabel(node, node.region & region(code), node.support)
            f.tree.unmark_covered_after(node.stamp)
        model.check()
    f.visit_all()
    model.check()
    assert all(node.stamp for node in f.tree.nodes())


# --- orders ---------------------------------------------------------------------------------------


def order(traversal: str) -> list[int]:
    """Control points by visit: 0 leads to 4 and 1, 1 to 3 and 2, 4 to 5."""
    leads = {0: (4, 1), 1: (3, 2), 4: (5,)}
    f = Forest(traversal)
    seen = []
    while (node := f.visit()) is not None:
        seen.append(node.configuration.location.index)
        for number in leads.get(seen[-1], ()):
            f.grow(node, number)
    return seen


@pytest.mark.parametrize(
    ("traversal", "expected"),
    [("dfs", [0, 1, 2, 3, 4, 5]), ("bfs", [0, 4, 1, 5, 3, 2]), ("wto", [0, 1, 2, 3, 4, 5])],
)
def test_traversals(traversal: str, expected: list[int]) -> None:
    assert order(traversal) == expected


def test_ranks_decide_before_age() -> None:
    f = Forest("wto")
    f.visit()
    late, early = f.grow(f.root, 8), f.grow(f.root, 3)
    again = f.grow(f.root, 3)
    assert f.visit_all() == [early, again, late]


@pytest.mark.parametrize("traversal", ["dfs", "bfs", "wto"])
def test_a_node_that_is_unmarked_twice_is_visited_once(traversal: str) -> None:
    f = Forest(traversal)
    node = f.grow(f.root, 1)
    f.visit_all()
    f.tree.unmark(node)
    f.tree.unmark(node)
    assert f.visit_all() == [node]
