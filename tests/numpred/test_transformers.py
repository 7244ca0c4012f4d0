"""Every transformer of [GC10, figure 6] with every structure over every numeric domain, against its
meaning on concrete states."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from predabs.domains.fixpoint import Strategy, solve
from predabs.numpred.domain.structures import STRUCTURES
from predabs.numpred.domain.transformers import (
    AssumeTransformer,
    Both,
    Choices,
    Conditional,
    Either,
    Numeric,
    Sequence,
)
from support.numpred_states import (
    NUMBERS,
    basic,
    combined,
    draw_domain,
    draw_value,
    formulas,
    inside,
    members,
    small,
    some_predicates,
    some_variables,
    transformers,
    world,
)
from support.selection import mostly_long

each = pytest.mark.parametrize("structure", STRUCTURES)
KINDS = (Numeric, AssumeTransformer, Conditional, Choices, Both, Sequence, Either)


@each
@pytest.mark.parametrize("numbers", NUMBERS)
@pytest.mark.parametrize("kind", mostly_long(list(KINDS), 2))
@settings(max_examples=12)
@given(data=st.data())
def test_transformers(kind: type, numbers: str, structure: str, data: st.DataObject) -> None:
    tracked = tuple(data.draw(some_predicates))
    domain = small(structure, numbers, tracked, data.draw(some_variables))
    value = draw_value(data, domain, "value")
    if data.draw(st.booleans()):
        value = domain.reduce(value)
    makers = basic(tracked) | combined(transformers(tracked))
    transformer = data.draw(makers[kind], label="transformer")
    assert type(transformer) is kind
    after = members(domain, domain.post(value, transformer))
    assert inside(world(tracked).image(members(domain, value), transformer), after)


@each
@settings(max_examples=25)
@given(data=st.data())
def test_widening_ends(structure: str, data: st.DataObject) -> None:
    domain = draw_domain(data, structure)
    tracked = domain.vocabulary.predicates
    steps = [data.draw(transformers(tracked)) for _ in range(2)]
    value = domain.alpha(data.draw(formulas(tracked)))
    quiet = 0
    for turn in range(80):
        more = domain.join(value, domain.post(value, steps[turn % 2]))
        quiet = quiet + 1 if domain.leq(more, value) else 0
        if quiet == 2:
            return
        value = domain.widen(value, more)
    raise AssertionError("the sequence of widenings does not end")


@each
@settings(max_examples=30)
@given(data=st.data())
def test_fixpoints_cover_all_runs(structure: str, data: st.DataObject) -> None:
    """Random loops, with widening and narrowing, against the states that runs get to."""
    domain = draw_domain(data, structure)
    tracked = domain.vocabulary.predicates
    nodes = range(data.draw(st.integers(1, 3)))
    edges = st.lists(st.tuples(transformers(tracked), st.sampled_from(nodes)), max_size=2)
    graph = {node: data.draw(edges) for node in nodes}
    strategy = data.draw(st.sampled_from([Strategy(), Strategy(0, 1), Strategy(1, 3)]))
    start = data.draw(formulas(tracked))
    values = solve(domain, graph, 0, domain.alpha(start), strategy).values
    here = world(tracked)
    found = {0: here.where(start)}
    todo = [0]
    while todo:
        node = todo.pop()
        for transformer, target in graph[node]:
            old = found.get(target, 0)
            found[target] = old | here.image(found[node], transformer)
            if found[target] != old:
                todo.append(target)
    for node, states in found.items():
        assert inside(states, members(domain, values[node]) if node in values else 0)
