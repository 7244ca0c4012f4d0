"""The fixpoint of the intervals between functions: many calls, recursion, and effort that is
bounded."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from predabs.analysis.intervals import fixpoint, nested_loops
from predabs.analysis.intervals.analysis import Intervals
from predabs.analysis.intervals.interval import Interval
from predabs.analysis.intervals.state import State
from predabs.analysis.intervals.transfer import Transfer
from predabs.ir.cfa import Edge, Location
from predabs.ir.ops import Return
from support.analysis_machine import Machine
from support.analysis_programs import Analysed, RecordedInputs, analysed, from_text

DECLARED = "int input(void); "


def solved(item: Analysed) -> Intervals:
    return Intervals(item.program, item.partition, item.effects, item.live)


def result(text: str, folder: Path, function: str = "main") -> Interval | None:
    """Of the (only) value that a function returns."""
    item = from_text(DECLARED + text, folder)
    bounds = solved(item)
    (edge,) = (
        edge for edge in item.program.functions[function].edges if isinstance(edge.op, Return)
    )
    assert isinstance(edge.op, Return) and edge.op.value is not None
    return bounds.range(edge.src, edge.op.value) if bounds.reachable(edge.src) else None


CALLS_IN_A_ROW = """
int g;
{functions}
int main(void) {{ int y = 0; {calls} return y; }}
"""


def calls_in_a_row(count: int) -> str:
    functions = "".join(f"int f{n}(int x) {{ g = x; return x + 1; }}\n" for n in range(count))
    return CALLS_IN_A_ROW.format(
        functions=functions, calls=" ".join(f"y = f{n}(y);" for n in range(count))
    )


def test_a_function_is_not_begun_anew_for_each_call(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    taken: Counter[Location] = Counter()

    class Counting(Transfer):
        def after(self, edge: Edge, state: State) -> State | None:
            taken[edge.src] += 1
            return super().after(edge, state)

    monkeypatch.setattr("predabs.analysis.intervals.analysis.Transfer", Counting)
    assert result(calls_in_a_row(30), tmp_path) == (30, 30)
    assert max(taken.values()) <= 4


def test_the_calls_of_a_function_are_taken_together(tmp_path: Path) -> None:
    text = "int id(int x) { return x; } int main(void) { int a = id(1); id(7); return a; }"
    assert result(text, tmp_path) == (1, 7)


def test_a_summary_that_grows_while_a_caller_is_solved(tmp_path: Path) -> None:
    """`main` has taken the result of `id` before it comes to the call that makes it grow."""
    text = """
    int id(int x) { return x; }
    int other(void) { return id(50); }
    int main(void) { int a = id(1); other(); for (int i = 0; i < 3; i++) a = a; return a; }
    """
    assert result(text, tmp_path) == (1, 50)


def test_results_through_recursion(tmp_path: Path) -> None:
    text = """
    int even(int n);
    int odd(int n) { return n <= 0 ? 0 : even(n - 1); }
    int even(int n) { return n <= 0 ? 1 : odd(n - 1); }
    int main(void) { int a = odd(input()); return a; }
    """
    assert result(text, tmp_path) == (0, 1)


def test_a_call_that_never_returns(tmp_path: Path) -> None:
    text = "void stop(void) { stop(); } int main(void) { stop(); return 1; }"
    assert result(text, tmp_path) is None


def test_what_loops_pass_is_narrowed(tmp_path: Path) -> None:
    """While the loop is solved, `i` grows beyond what the condition allows; the callee's entry does
    not keep that."""
    text = """
    int seen;
    int use(int x) { seen = x; return x; }
    int main(void) {
        int n = input(), last = 0;
        if (n > 123) n = 123;
        for (int i = 0; i < n; i++) { if (i > 5) last = use(i); }
        return last;
    }
    """
    assert result(text, tmp_path, "use") == (6, 122)
    assert result(text, tmp_path) == (0, 122)


MANY = """
int a, b, c, d;
int next(int x) { if (x < 9) a = x; else b = a + 1; return a; }
int swap(int x) { int t = c; c = d; d = t + next(x); return t; }
int deep(int n) { if (n <= 0) return c; d = n; return deep(n - 1) + swap(n); }
int main(void) {
    int i = 0;
    while (input()) {
        i++;
        if (i > 7) { c = next(i); a = swap(c); i = 0; }
        else if (i == 3) b = deep(i);
        if (b == 5) c = deep(b);
    }
    return a;
}
"""


@pytest.mark.parametrize("effort", [200_000, 100, 30, 0])
def test_when_the_effort_is_spent_all_still_holds(
    effort: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fixpoint, "_TRANSFERS", effort)
    monkeypatch.setattr(fixpoint, "_TRANSFERS_PER_EDGE", 0)
    item = from_text(DECLARED + MANY, tmp_path)
    bounds = solved(item)
    checked = 0

    class Checking(Machine):
        def choose(self, edges: tuple[Edge, ...]) -> Edge:
            nonlocal checked
            here = edges[0].src
            assert bounds.reachable(here)
            for var, (low, high) in bounds.at(here).items():
                assert low <= self.plain[self.key(var)] <= high, (here, var)
                checked += 1
            return super().choose(edges)

    for seed in range(20):
        Checking(item.program, item.partition, RecordedInputs(seed)).run(400)
    assert checked > 500


def test_without_an_entry_every_function_may_be_the_first(tmp_path: Path) -> None:
    whole = from_text("int g = 3; int main(void) { return g; }", tmp_path)
    item = analysed(replace(whole.program, entry="elsewhere"))
    main = item.program.functions["main"]
    (edge,) = (edge for edge in main.edges if isinstance(edge.op, Return))
    for program, expected in ((whole, {(3, 3)}), (item, set())):
        assert solved(program).reachable(edge.src)
        assert set(solved(program).at(edge.src).values()) == expected


def test_the_effort_may_be_spent_at_any_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also when nothing grows any more and states are narrowed."""
    text = """
    int f(int k) { int s = 0; for (int j = 0; j < k; j++) s ^= j; return s; }
    int main(void)
    {
        int n = __VERIFIER_nondet_int(), s = 0;
        for (int i = 0; i < n && i < 70; i++)
            for (int j = 0; j < i; j++) s = f(i) + f(j);
        return s;
    }
    """
    item = from_text(DECLARED + text, tmp_path)
    monkeypatch.setattr(fixpoint, "_TRANSFERS_PER_EDGE", 0)
    for effort in range(400):
        monkeypatch.setattr(fixpoint, "_TRANSFERS", effort)
        monkeypatch.setattr(nested_loops, "_TRANSFERS", effort)
        assert solved(item).reachable(item.program.functions["main"].entry)
