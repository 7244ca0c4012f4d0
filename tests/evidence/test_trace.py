"""Traces: what is shown of a run, and what is left out."""

from __future__ import annotations

import pytest

from predabs.evidence import replay as replay_module
from predabs.evidence.replay import Confirmed, replay
from predabs.evidence.trace import KEPT, Trace, TraceStep
from predabs.spec.checks import FOUND, add_checks
from support.c_programs import program_of_c


def trace_of(text: str) -> Trace:
    found = replay(program_of_c(text), [])
    assert isinstance(found, Confirmed)
    return found.trace


def told(trace: Trace) -> list[tuple[int, str, dict[str, object]]]:
    return [(s.line, s.statement, dict(s.values)) for s in (*trace.first, *trace.last)]


def test_a_small_run_line_by_line() -> None:
    trace = trace_of(
        """int g;
        int add(int a, int b) { return a + b; }
        int main(void) {
          int x = __VERIFIER_nondet_int();
          g = add(x, 2);
          if (g == 2)
            __VERIFIER_error();
          return 0;
        }"""
    )
    assert told(trace) == [
        (4, "x = __VERIFIER_nondet_int();", {"x": 0}),
        (5, "g = add(x, 2);", {"a": 0, "b": 2}),
        (2, "return a + b;", {"g": 2}),
        (6, "[g == 2]", {"g": 2}),
        (7, "__VERIFIER_error() is called", {}),
    ]
    assert trace.omitted == 0
    assert trace.first[1].function == "main" and trace.first[2].function == "add"
    assert trace.text().splitlines()[2].split() == [
        f"{trace.first[2].file}:2", "return", "a", "+", "b;", "g", "=", "2",
    ]  # fmt: skip


def test_temporaries_are_not_shown() -> None:
    trace = trace_of(
        """int f(void) { return 3; }
        int main(void) {
          int i = 0, t[2];
          t[i++] = 5;
          if (f() + f() == 6 && __VERIFIER_nondet_int() == 0)
            __VERIFIER_error();
          return 0;
        }"""
    )
    lines = told(trace)
    assert not any("tmp" in statement for _, statement, _ in lines)
    assert (4, "t[0] = 5;", {"t[0]": 5}) in lines
    assert (5, "[f() + f() == 6]", {}) in lines
    assert (5, "__VERIFIER_nondet_int();", {"__VERIFIER_nondet_int()": 0}) in lines


def test_values_in_recursive_calls_are_those_of_the_call() -> None:
    trace = trace_of(
        """int down(int n) {
          int r = 0;
          if (n > 0)
            r = down(n - 1);
          if (n == 2)
            __VERIFIER_error();
          return r;
        }
        int main(void) { return down(2); }"""
    )
    branches = [values for line, _, values in told(trace) if line == 5]
    assert branches == [{"n": 0}, {"n": 1}, {"n": 2}]


def test_what_a_pointer_may_have_written_is_not_shown() -> None:
    trace = trace_of(
        """struct pair { int a, b; };
        static void set(int *p) { *p = 5; }
        int main(void) {
          int x = 0, y = 1; struct pair s = {1, 2}, t = s;
          if (x == 0) set(&x);
          if (x == 5) if (y == 1) t.b = 9;
          if (t.b == 9) reach_error();
          return 0;
        }"""
    )
    values = {statement: values for _, statement, values in told(trace)}
    assert values["[x == 0]"] == {"x": 0}
    assert values["[x == 5]"] == {}
    assert values["[y == 1]"] == {"y": 1}
    assert values["[t.b == 9]"] == {}


def test_a_call_without_a_body_does_not_open_a_frame() -> None:
    trace = trace_of(
        """int get(void);
        int main(void) {
          int x = 4, y = get();
          if (x == 4)
            reach_error();
          return y;
        }"""
    )
    assert (4, "[x == 4]", {"x": 4}) in told(trace)


LOOP = "int main(void) {{ int s = 0; for (int i = 0; i < {n}; i++) s += i; reach_error(); }}"


def test_a_long_run_is_abbreviated_in_text_only() -> None:
    trace = trace_of(LOOP.format(n=100))
    assert len(trace.first) == 304 and trace.omitted == 0
    lines = trace.text().splitlines()
    assert len(lines) == 81 and "... 224 more steps ..." in lines[30]
    assert "reach_error() is called" in lines[-1]


def test_of_a_very_long_run_beginning_and_end_are_kept() -> None:
    trace = trace_of(LOOP.format(n=5000))
    assert len(trace.first) == len(trace.last) == KEPT // 2
    assert trace.omitted == 3 * 5000 + 4 - KEPT
    assert trace.first[0].statement == "s = 0;"
    assert trace.last[-2].statement == "[i >= 5000]"
    assert f"... {3 * 5000 + 4 - 80} more steps ..." in trace.text()


def test_a_run_too_long_to_follow_keeps_its_beginning_and_the_error(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(replay_module, "_FEW_SECONDS", 0.0)
    trace = trace_of(LOOP.format(n=5000))
    assert trace.omitted is None
    assert [s.statement for s in trace.last] == ["reach_error() is called"]
    assert "... very many more steps ..." in trace.text()


def test_bytes_and_addresses_are_texts() -> None:
    trace = trace_of(
        """struct p { int x, y; } a = {1, 2}, b;
        int main(void) {
          int *q = &a.x;
          b = a;
          reach_error();
        }"""
    )
    values = {name: value for _, _, v in told(trace) for name, value in v.items()}
    assert str(values["q"]).startswith("0x")
    assert values["b"] == "{01 00 00 00 02 00 00 00}"


def test_long_statements_are_cut_in_text() -> None:
    step = TraceStep("a.c", 1, 1, "f", "x" * 500, ())
    assert len(Trace((step,), 0, ()).text()) < 120


def test_checks_that_are_passed_are_not_shown() -> None:
    program = program_of_c(
        """int main(void) {
          int x = __VERIFIER_nondet_int(), t[3];
          t[x] = 5;
          x = x + 1;
          return 1 / (x - 1);
        }"""
    )
    found = replay(add_checks(program, FOUND), [])
    assert isinstance(found, Confirmed)
    assert [statement for _, statement, _ in told(found.trace)] == [
        "x = __VERIFIER_nondet_int();",
        "t[x] = 5;",
        "x = x + 1;",
        "[x - 1 == 0]",
        "division by zero in 1 / (x - 1)",
    ]
