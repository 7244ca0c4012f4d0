"""[GC10, section 6.2] in small: what grows with C, counted and not timed."""

from __future__ import annotations

import pytest
from bench.numpred import FAMILIES, apart, chain, lines, measure

from predabs.domains.fixpoint import solve
from predabs.numpred.domain.counters import Counters, Operation
from predabs.numpred.domain.nex import NexStructure
from predabs.numpred.domain.structures import STRUCTURES
from support.numpred_states import COMBINED, small

PROVES = {
    "a": {"numeric", "nexpoint", "nex", "mtndd", "ndd"},
    "a-widened": {"numeric", "nexpoint", "nex", "mtndd", "ndd"},
    "b": {"nex", "mtndd", "ndd"},
    "b-apart": {"nex", "mtndd", "ndd"},
}


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("numbers", ["box", "octagon", "polyhedra"])
def test_who_proves_figure_14(family: str, numbers: str) -> None:
    for structure in STRUCTURES:
        line = measure(family, 3, structure, numbers, 20)
        proves = structure in PROVES[family]
        assert line.answer == ("proved" if proves else "not proved"), structure


def test_a_run_over_its_limit_is_the_last_of_its_structure() -> None:
    found = list(lines(["a"], ["nex", "predicate"], "box", 0.0))
    assert [line.structure for line in found] == ["nex", "predicate"]
    assert {line.answer for line in found} == {"gave up"}


def test_nex_grows_exponentially_and_ndd_does_not() -> None:
    """Where each condition is tested on its own, all combinations of signs have other numbers."""
    nodes = []
    for number in (3, 5, 7):
        program = apart(number)
        nex = small("nex", "box", program.predicates, program.variables)
        assert isinstance(nex, NexStructure)
        middle = number + 2  # after the first half
        value = solve(nex, program.graph, 0, nex.top).values[middle]
        assert len(value.pairs) == 2 ** (number + 1)
        ndd = small("ndd", "box", program.predicates, program.variables)
        value = solve(ndd, program.graph, 0, ndd.top).values[middle]
        nodes.append(value.node_count())
    assert nodes[1] - nodes[0] == nodes[2] - nodes[1] <= 4


def test_an_else_chain_is_small_for_all() -> None:
    """As [GC10, figure 14 (b)] is printed, at most one condition is taken: C + 2 ways in all."""
    program = chain(6)
    nex = small("nex", "box", program.predicates, program.variables)
    assert isinstance(nex, NexStructure)
    assert len(solve(nex, program.graph, 0, nex.top).values[8].pairs) == 8


@pytest.mark.parametrize("structure", COMBINED)
def test_time_by_operation(structure: str) -> None:
    line = measure("a-widened", 10, structure, "box", 20)
    assert {"apply", "alpha post", "join", "widen", "leq"} <= set(line.operations)
    assert sum(line.operations.values()) <= line.seconds


def test_nested_operations_are_charged_once() -> None:
    counters = Counters()
    counters.enter(Operation.APPLY)
    for _ in range(3):
        counters.enter(Operation.JOIN)
        counters.leave()
    counters.leave()
    assert counters.calls == {Operation.APPLY: 1, Operation.JOIN: 3}
    assert set(counters.seconds) == {Operation.APPLY, Operation.JOIN}
