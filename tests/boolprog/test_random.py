"""bebop against the explicit reference, and laws that hold for every program."""

from __future__ import annotations

import pytest

from predabs.boolprog import CheckLimits, Violated, check, parse, show
from predabs.boolprog.bebop import model_of, reach
from predabs.boolprog.invariant import states_now
from predabs.boolprog.precision_loss import OPERATORS, compare
from predabs.boolprog.syntax import statements
from predabs.boolprog.trivectors import explore
from support.boolprog_random import random_program
from support.boolprog_reference import Reference

BLOCKS = range(10)
SIZE = 20


def limits() -> CheckLimits:
    return CheckLimits(memory_mb=8)


@pytest.mark.parametrize("block", BLOCKS)
def test_verdict_and_length_agree_with_the_reference(block: int) -> None:
    for seed in range(block * SIZE, (block + 1) * SIZE):
        program = random_program(seed)
        text = show(program)
        assert parse(text) == program
        labels = {x for p in program.procedures for s in statements(p.body) for x in s.labels}
        for label in (None, *sorted(labels)[:1]):
            # `check` replays every run that it reports.
            result = check(program, label, limits())
            length = result.run.length if isinstance(result, Violated) else None
            assert length == Reference(program, label).shortest(), f"seed {seed}\n{text}"


def test_reachable_states_agree_with_the_reference() -> None:
    for seed in range(60):
        program = random_program(seed)
        model = model_of(program, limits(), see_all=True)
        reached = reach(model, limits())
        reference = Reference(program)
        reference.shortest()
        for name, graph in model.graphs.items():
            scope = model.layout.scopes[name]
            variables = [c.now for c in (*scope.globals.values(), *scope.locals)]
            entry = model.manager.exists(
                reached.at((name, graph.entry)), [c.entry for c in scope.remembered]
            )
            found = {tuple(p[i] for i in variables) for p in model.manager.points(entry, variables)}
            start = reference.code[name].start
            expected = {g + x for g, x in reference.states.get((name, start), ())}
            assert found == expected, f"seed {seed}, `{name}`"


def test_weaker_operators_only_add_states() -> None:
    for seed in range(12):
        program = random_program(seed)
        model = model_of(program, limits(), see_all=True)
        reached = reach(model, limits())
        comparison = compare(reached, limits())
        fails = any(reached.at((n, g.error)).satisfiable() for n, g in model.graphs.items())
        tables = [explore(program, d, f, limits()) for d, f in OPERATORS]
        for name, graph in model.graphs.items():
            scope = model.layout.scopes[name]
            cells = (*scope.globals.values(), *scope.locals)
            for location in {*range(len(graph.locations))} - {graph.exit}:
                exact = states_now(reached, (name, location))
                for table in tables:
                    vectors = table.states.get((name, location), ())
                    union = model.manager.disjunction(
                        model.manager.cube({c.now: x for c, x in pairs if x is not None})
                        for pairs in (zip(cells, v, strict=True) for v in vectors)
                    )
                    assert exact.imp(union).valid(), f"seed {seed}, `{name}`, {location}"
        assert all(count >= row.exact for row in comparison.rows for count in row.counts)
        assert not fails or all(comparison.may_fail)
        for i, (_, focus) in enumerate(OPERATORS):
            if focus.value == "none":
                # More focus never loses more.
                none, conditions, everything = (comparison.lost(i + k) for k in range(3))
                assert none >= conditions >= everything
