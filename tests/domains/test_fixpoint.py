"""Fixpoints over graphs of transformers: closed, least without widening, and they end."""

from __future__ import annotations

import random

import pytest

from predabs.domains.fixpoint import Strategy, solve
from predabs.domains.linear import at_most, constant, equal, variable
from predabs.errors import InternalError
from predabs.numpred.domain.counters import Operation
from predabs.numpred.domain.formula import Predicate, compare, literal, negate
from predabs.numpred.domain.structures import STRUCTURES
from predabs.numpred.domain.transformers import (
    AssumeTransformer,
    Choices,
    Conditional,
    exactly,
    numeric,
    sequence,
)
from support.numpred_states import NUMBERS, small

x, y = variable("x"), variable("y")
NEVER = Strategy(widen_after=None, narrowings=0)


class Sets:
    """Sets of numbers; an edge is a mapping from numbers to numbers."""

    bot: frozenset[int] = frozenset()

    def __init__(self) -> None:
        self.posts = 0

    def is_bot(self, u: frozenset[int]) -> bool:
        return not u

    def leq(self, u: frozenset[int], v: frozenset[int]) -> bool:
        return u <= v

    def join(self, u: frozenset[int], v: frozenset[int]) -> frozenset[int]:
        return u | v

    widen = join

    def narrow(self, u: frozenset[int], v: frozenset[int]) -> frozenset[int]:
        return u & v

    def post(self, u: frozenset[int], edge: tuple[int, int, int]) -> frozenset[int]:
        self.posts += 1
        factor, offset, modulus = edge
        return frozenset((factor * n + offset) % modulus for n in u)


Graph = dict[int, list[tuple[tuple[int, int, int], int]]]


def random_graph(seed: int) -> Graph:
    """Any graph, also with loops that have several entries."""
    rng = random.Random(seed)
    size = rng.randint(1, 8)
    return {
        node: [
            ((rng.randint(0, 2), rng.randint(0, 4), rng.randint(1, 7)), rng.randrange(size))
            for _ in range(rng.randint(0, 3))
        ]
        for node in range(size)
    }


def reachable(graph: Graph, start: frozenset[int]) -> dict[int, set[int]]:
    found: dict[int, set[int]] = {node: set() for node in graph}
    todo = [(0, n) for n in start]
    while todo:
        node, n = todo.pop()
        if n not in found[node]:
            found[node].add(n)
            todo += [(target, (f * n + o) % m) for (f, o, m), target in graph[node]]
    return found


@pytest.mark.parametrize("strategy", [NEVER, Strategy(), Strategy(0, 3)])
def test_random_graphs_have_their_least_fixpoint(strategy: Strategy) -> None:
    for seed in range(300):
        graph = random_graph(seed)
        start = frozenset([seed % 5])
        values = solve(Sets(), graph, 0, start, strategy).values
        expected = reachable(graph, start)
        assert {node: set(value) for node, value in values.items() if value} == {
            node: numbers for node, numbers in expected.items() if numbers
        }


class Shortsighted(Sets):
    """An order that knows equal values only."""

    def leq(self, u: frozenset[int], v: frozenset[int]) -> bool:
        return u == v


def test_an_order_that_misses_much_ends_all_the_same() -> None:
    for seed in range(300):
        graph = random_graph(seed)
        start = frozenset([seed % 5])
        values = solve(Shortsighted(), graph, 0, start, Strategy()).values
        for node, numbers in reachable(graph, start).items():
            assert numbers <= values.get(node, frozenset())


def test_an_edge_is_not_looked_at_twice_for_one_value() -> None:
    domain = Sets()
    graph: Graph = {0: [((1, 0, 9), 1)], 1: [((1, 1, 9), 1), ((1, 0, 9), 2)], 2: []}
    found = solve(domain, graph, 0, frozenset([0]), NEVER)
    assert found.values[2] == frozenset(range(9))
    assert domain.posts <= 2 * found.rounds


def test_a_domain_that_lies_is_found_out() -> None:
    class Lies(Sets):
        asked = 0

        def leq(self, u: frozenset[int], v: frozenset[int]) -> bool:
            self.asked += 1
            return self.asked == 1 or u <= v

    graph: Graph = {0: [((1, 0, 9), 1)], 1: [((1, 1, 9), 1)]}
    with pytest.raises(InternalError, match="not closed"):
        solve(Lies(), graph, 0, frozenset([0]), NEVER)


def test_the_budget_is_asked_at_each_node() -> None:
    class Over(Exception):
        pass

    def tick() -> None:
        raise Over

    with pytest.raises(Over):
        solve(Sets(), {0: []}, 0, frozenset(), tick=tick)


def counting(bound: int) -> dict[str, list[tuple[object, str]]]:
    below = compare(at_most(x, bound - 1))
    return {
        "entry": [(numeric(x=constant(0)), "head")],
        "head": [
            (Conditional(below, numeric(x=x + 1)), "head"),
            (AssumeTransformer(negate(below)), "end"),
        ],
        "end": [(AssumeTransformer(negate(compare(equal(x, bound)))), "error")],
    }


@pytest.mark.parametrize("structure", [name for name in STRUCTURES if name != "predicate"])
@pytest.mark.parametrize("numbers", NUMBERS)
def test_a_counting_loop_with_and_without_widening(structure: str, numbers: str) -> None:
    """[GC10, figure 14 (a)]: narrowing finds the exact bound again, in a few rounds for any C."""
    rounds = set()
    for bound in (10, 1000):
        domain = small(structure, numbers, [], "x")
        found = solve(domain, counting(bound), "entry", domain.top)
        assert domain.is_bot(found.values["error"])
        assert domain.leq(found.values["end"], domain.alpha(compare(equal(x, bound))))
        rounds.add(found.rounds)
    assert len(rounds) == 1
    domain = small(structure, numbers, [], "x")
    found = solve(domain, counting(20), "entry", domain.top, NEVER)
    assert domain.is_bot(found.values["error"])
    assert found.rounds == 22


@pytest.mark.parametrize("structure", ["nex", "mtndd"])
def test_the_work_of_a_round_does_not_grow(structure: str) -> None:
    """[GC10, section 6.2]: as many operations of the domain each round, on values of one size."""
    per_round = []
    for bound in (50, 200):
        domain = small(structure, "box", [], "x")
        found = solve(domain, counting(bound), "entry", domain.top, NEVER)
        calls = sum(domain.counters.calls.values())
        per_round.append(round(calls / found.rounds))
        assert domain.counters.calls[Operation.POST_N] <= found.rounds + 1
        assert len(list(domain.pieces(found.values["head"]))) == 1
    assert per_round[0] == per_round[1]


def test_a_flag_and_a_counter_in_nested_loops() -> None:
    """while (*) { y = 0; while (y < 5) y++; p = true }: y is 5 after the inner loop, so is p."""
    p = Predicate("p", None)
    below = compare(at_most(y, 4))
    graph = {
        0: [(sequence([numeric(y=constant(5)), Choices((exactly(p, negate(below)),))]), 1)],
        1: [(numeric(y=constant(0)), 2), (AssumeTransformer(literal(p, False)), 4)],
        2: [
            (Conditional(below, numeric(y=y + 1)), 2),
            (
                sequence(
                    [AssumeTransformer(negate(below)), Choices((exactly(p, compare(equal(y, 5))),))]
                ),
                3,
            ),
        ],
        3: [(numeric(), 1)],
    }
    for structure in ("nexpoint", "nex", "mtndd", "ndd"):
        domain = small(structure, "octagon", [p], "y")
        values = solve(domain, graph, 0, domain.top).values
        assert domain.is_bot(values[4])
        assert domain.leq(values[1], domain.alpha(compare(equal(y, 5))))
