"""Inclusion constraints against a plain fixpoint."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from predabs.analysis.points_to.inclusion import Inclusions, members

NODES = 8
node = st.integers(0, NODES - 1)
steps = st.lists(
    st.one_of(
        st.tuples(st.just("include"), node, st.integers(0, 5)),
        st.tuples(st.just("edge"), node, node),
        st.tuples(st.just("watch"), node, node),  # each element x of the first puts x + 1 there
        st.tuples(st.just("link"), node, node),  # each element x of the first leads to node x
        st.tuples(st.just("solve"), st.just(0), st.just(0)),
    ),
    max_size=40,
)
LIMIT = 12


def plain(script: list[tuple[str, int, int]]) -> list[set[int]]:
    """The least solution, by iteration."""
    sets: list[set[int]] = [set() for _ in range(NODES)]
    before = None
    while before != sets:
        before = [set(s) for s in sets]
        for what, a, b in script:
            if what == "include":
                sets[a].add(b)
            elif what == "edge":
                sets[b] |= sets[a]
            elif what == "watch":
                sets[b] |= {x + 1 for x in sets[a] if x < LIMIT}
            elif what == "link":
                for x in list(sets[a]):
                    sets[x % NODES] |= sets[b]
    return sets


@given(steps)
def test_the_least_solution(script: list[tuple[str, int, int]]) -> None:
    system = Inclusions()
    nodes = [system.node() for _ in range(NODES)]
    for what, a, b in script:
        if what == "include":
            system.include(nodes[a], 1 << b)
        elif what == "edge":
            system.edge(nodes[a], nodes[b])
        elif what == "watch":

            def more(elements: int, to: int = nodes[b]) -> None:
                system.include(to, sum(1 << (x + 1) for x in members(elements) if x < LIMIT))

            system.watch(nodes[a], more)
        elif what == "link":

            def link(elements: int, source: int = nodes[b]) -> None:
                for x in members(elements):
                    system.edge(source, nodes[x % NODES])

            system.watch(nodes[a], link)
        else:
            system.solve()
    system.solve()
    assert [set(members(system.elements(n))) for n in nodes] == plain(script)


def test_cycles_that_appear_later_are_merged() -> None:
    system = Inclusions()
    nodes = [system.node() for _ in range(50)]
    for one, two in pairwise(nodes):
        system.edge(one, two)
    system.solve()
    system.edge(nodes[-1], nodes[0])
    for number in range(200):
        system.include(nodes[number % 50], 1 << number)
        system.solve()
    assert all(set(members(system.elements(n))) == set(range(200)) for n in nodes)


def test_who_would_feed_an_empty_node() -> None:
    system = Inclusions()
    one, two, three, full, last = (system.node() for _ in range(5))
    system.edge(one, two)
    system.edge(two, one)
    system.derive(two, last, lambda elements: elements << 1)
    system.edge(three, full)
    system.include(full, 1)
    system.solve()
    assert system.feeding([one, three], [last]) == [one]
    assert system.feeding([one, three], [full]) == []  # it has something without them
    system.include(one, 2)
    system.solve()
    assert system.elements(last) == 4
