"""The tree of a run: rounds of loops, insides of calls."""

from __future__ import annotations

import pytest

from predabs.evidence.replay import Confirmed, replay
from predabs.evidence.trace import tree
from predabs.evidence.trace.steps import StepKind
from predabs.evidence.trace.trace import Trace
from support.c_programs import program_of_c


def trace_of(text: str) -> Trace:
    found = replay(program_of_c(text), [])
    assert isinstance(found, Confirmed)
    return found.trace


def statements(trace: Trace) -> list[str]:
    return [step.statement for step in trace.steps]


def test_a_round_that_goes_another_way_is_shown() -> None:
    trace = trace_of(
        """int main(void) { int k = 0;
          for (int i = 0; i < 100; i++)
            if (i == 50) k = 1;
          if (k) reach_error(); }"""
    )
    lines = statements(trace)
    assert lines.count("k = 1;") == 1
    assert "... 48 more rounds ..." in lines and "... 47 more rounds ..." in lines
    shown = [item.value for step in trace.steps for item in step.values if item.name == "i"]
    assert {0, 49, 50, 51, 99} <= set(shown)


def test_loops_in_loops() -> None:
    trace = trace_of(
        """int main(void) { int s = 0;
          for (int i = 0; i < 10; i++)
            for (int j = 0; j <= i; j++) s++;
          reach_error(); }"""
    )
    lines = statements(trace)
    assert lines.count("... 8 more rounds ...") == 2  # of both loops, in the last round
    assert trace.omitted is not None and trace.omitted + len(lines) > 10 * 10 / 2 * 3


def test_rounds_in_ever_other_ways_are_counted_together() -> None:
    trace = trace_of(
        """int main(void) { int s = 0;
          for (int i = 0; i < 100; i++)
            if (i % 2) s++; else s--;
          reach_error(); }"""
    )
    lines = statements(trace)
    assert len(lines) < 40
    assert sum("more rounds in other ways" in line for line in lines) == 1


def test_insides_of_calls_are_dropped_where_there_are_too_many(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(tree, "KEPT", 50)
    trace = trace_of(
        """int fib(int n) { if (n < 2) return n; return fib(n - 1) + fib(n - 2); }
        int main(void) { if (fib(12) == 144) reach_error(); }"""
    )
    dropped = [step for step in trace.steps if step.kind is StepKind.CALL and step.omitted]
    assert dropped and len(trace.steps) < 600
    assert statements(trace)[-1] == "reach_error() is called"
