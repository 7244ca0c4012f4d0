"""The independent interpreter: it accepts what happens and refuses what does not."""

from __future__ import annotations

from dataclasses import replace

import pytest

from predabs.boolprog import Violated, check, parse
from predabs.boolprog.flow_graph import build_all
from predabs.boolprog.replay import replay
from predabs.boolprog.trace import Run, RunState, run_of
from predabs.errors import InternalError

TEXT = """
decl g;
bool f(a) begin enforce a; g := *; return !g; end
void main() begin decl x; g := T; x := f(g); x := !x constrain 'x; assert(!x); end
"""


def violated() -> Violated:
    result = check(parse(TEXT))
    assert isinstance(result, Violated)
    return result


def test_every_change_of_a_step_is_refused() -> None:
    result = violated()
    graphs = result.reached.model.graphs
    run = result.run

    def good(candidate: Run) -> bool:
        try:
            replay(result.reached.model.program, graphs, "main", candidate, result.target[1])
        except InternalError:
            return False
        return True

    assert good(run)
    for i, step in enumerate(run.steps):
        assert step.after is not None
        flips = [
            replace(
                step, after=RunState(tuple(not v for v in step.after.globals), step.after.locals)
            ),
            replace(
                step, after=RunState(step.after.globals, tuple(not v for v in step.after.locals))
            ),
        ]
        for changed in flips:
            steps = (*run.steps[:i], changed, *run.steps[i + 1 :])
            assert not good(run_of(run.procedure, run.start, steps))
        assert not good(run_of(run.procedure, run.start, run.steps[:i]))
    call = run.steps[1]
    assert call.inside is not None
    assert call.inside.results is not None
    inner = call.inside
    broken = [
        replace(inner, results=tuple(not r for r in inner.results)),
        replace(inner, start=RunState(inner.start.globals, (False,))),
        replace(inner, steps=inner.steps[:-1]),
        replace(inner, steps=()),
        replace(inner, results=None),
        None,
    ]
    for inside in broken:
        steps = (run.steps[0], replace(call, inside=inside), *run.steps[2:])
        assert not good(replace(run, steps=steps))


def test_runs_of_another_graph_are_refused() -> None:
    result = violated()
    other = build_all(result.reached.model.program)
    with pytest.raises(InternalError, match="does not replay"):
        replay(result.reached.model.program, other, "main", result.run, result.target[1])
    with pytest.raises(InternalError, match="entry procedure"):
        replay(
            result.reached.model.program,
            result.reached.model.graphs,
            "f",
            result.run,
            result.target[1],
        )
