"""Intervals: arithmetic against numbers, and bounds of variables against runs."""

from __future__ import annotations

from pathlib import Path

import pytest
from fuzz.generate import program as random_program
from hypothesis import given
from hypothesis import strategies as st

from predabs.analysis.influences import influences
from predabs.analysis.intervals import interval
from predabs.analysis.intervals.analysis import Intervals, intervals
from predabs.analysis.intervals.interval import Interval
from predabs.frontend.load import load
from predabs.ir import arith
from predabs.ir.cfa import Edge
from predabs.ir.def_use import op_values
from predabs.ir.expr import Binary, Cast, Expr, Op, Unary, Var
from predabs.ir.ops import Assign, Assume, Error
from predabs.ir.types import DataModel, IntType
from predabs.ir.walk import subterms
from support.analysis_machine import Machine, is_scalar
from support.analysis_programs import (
    FILES,
    Analysed,
    RecordedInputs,
    analysed,
    from_file,
    from_text,
)

SMALL = st.integers(-40, 40)
ranges = st.tuples(SMALL, SMALL).map(lambda pair: (min(pair), max(pair)))
OPERATORS = [op for op in Op if op.is_arithmetic]


def members(known: Interval) -> range:
    return range(known[0], known[1] + 1, max(1, (known[1] - known[0]) // 7))


@given(st.sampled_from(OPERATORS), st.sampled_from([True, False]), ranges, ranges)
def test_operators(op: Op, signed: bool, one: Interval, two: Interval) -> None:
    type_ = IntType(8, signed)
    one, two = interval.wrapped(type_, one), interval.wrapped(type_, two)
    exact = interval.binary(op, type_, one, two)
    bounds = interval.wrapped(type_, exact)
    for a in {*members(one), *one}:
        for b in {*members(two), *two}:
            if op in (Op.DIV, Op.REM) and b == 0:
                continue
            value = arith.binary(op, type_, a, b)
            assert bounds[0] <= value <= bounds[1]
            if interval.inside(exact, interval.of_type(type_)):
                assert exact[0] <= value <= exact[1]


@given(st.integers(1, 9), st.booleans(), st.tuples(SMALL, st.integers(0, 600)))
def test_wrapping(bits: int, signed: bool, known: tuple[int, int]) -> None:
    type_ = IntType(bits, signed)
    exact = (known[0], known[0] + known[1])
    low, high = interval.wrapped(type_, exact)
    assert all(low <= type_.wrap(n) <= high for n in range(exact[0], exact[1] + 1))


class Checking(Machine):
    """Holds the values of variables and expressions against their intervals."""

    def __init__(self, item: Analysed, bounds: Intervals, seed: int) -> None:
        self.bounds = bounds
        self.checked = 0
        super().__init__(item.program, item.partition, RecordedInputs(seed))

    def choose(self, edges: tuple[Edge, ...]) -> Edge:
        here = edges[0].src
        assert self.bounds.reachable(here), here
        for var, (low, high) in self.bounds.at(here).items():
            value = self.plain[self.key(var)]
            assert low <= value <= high, (here, var, value)
            self.checked += 1
        edge = super().choose(edges)
        if isinstance(edge.op, Assign | Assume):
            for value in op_values(edge.op):
                for term in subterms(value):
                    if isinstance(term, Unary | Binary | Cast) and is_scalar(term.type):
                        self.check_term(edge, term)
        return edge

    def check_term(self, edge: Edge, term: Unary | Binary | Cast) -> None:
        known = self.bounds.range(edge.src, term)
        if known is None:
            return
        value = self.value(term)
        assert known[0] <= value <= known[1], (edge.coord, term)
        if not self.bounds.wraps(edge.src, term) and isinstance(term, Binary):
            wide = IntType(200, True)
            left, right = self.value(term.left), self.value(term.right)
            if term.op not in (Op.SHL, Op.SHR):
                assert arith.binary(term.op, wide, left, right) == value


def bounds_of(item: Analysed) -> Intervals:
    return intervals(item.program, item.partition, item.effects, item.live)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_values_lie_in_their_intervals(file: Path) -> None:
    item = from_file(file, DataModel.ILP32)
    bounds = bounds_of(item)
    for seed in range(5):
        Checking(item, bounds, seed).run(1500)


def test_random_programs(tmp_path: Path) -> None:
    checked = 0
    for seed in range(400, 406):
        file = tmp_path / f"random{seed}.c"
        file.write_text(random_program(seed))
        item = analysed(load([str(file)], DataModel.LP64))
        machine = Checking(item, bounds_of(item), seed)
        machine.run(3000)
        checked += machine.checked
    assert checked > 3000


@pytest.mark.parametrize("seed", range(3))
def test_values_lie_in_sparse_intervals(seed: int, tmp_path: Path) -> None:
    """An analysis of a few variables is right about them, and says nothing of the others."""
    file = tmp_path / "random.c"
    file.write_text(random_program(420 + seed))
    item = analysed(load([str(file)], DataModel.LP64))
    some = item.effects.variables[seed::3]
    wanted = influences(item.program, item.effects, some)
    sparse = intervals(item.program, item.partition, item.effects, item.live, wanted)
    bounds = bounds_of(item)
    for function in item.program.functions.values():
        for location in function.locations:
            assert sparse.reachable(location) or not bounds.reachable(location)
            assert wanted.issuperset(sparse.at(location))
    machine = Checking(item, sparse, seed)
    machine.run(3000)
    assert machine.checked > 300


def test_where_values_come_from(tmp_path: Path) -> None:
    file = tmp_path / "program.c"
    file.write_text(
        """int a, b, c, d, unused;
        static int twice(int n) { d = n; return n + c; }
        int main(void) { a = twice(b); if (a > unused) unused = 1; return 0; }"""
    )
    item = analysed(load([str(file)], DataModel.LP64))
    named = {var.name: var for var in item.effects.variables}
    found = influences(item.program, item.effects, [named["a"]])
    assert {"a", "b", "c", "twice::n"} <= {var.name for var in found}
    assert found.isdisjoint([named["d"], named["unused"]])


PROTOTYPES = """
void reach_error(void); int input(void), change(int), printf(const char *, ...);
"""


def at_error(text: str, folder: Path) -> dict[str, Interval] | None:
    """The intervals where the (only) error is; None if it is never reached."""
    item = from_text(PROTOTYPES + text, folder)
    bounds = bounds_of(item)
    (edge,) = (
        edge
        for function in item.program.functions.values()
        for edge in function.edges
        if isinstance(edge.op, Error)
    )
    # ask at the sources of the edges that lead there, so that the variables are live
    if not bounds.reachable(edge.src):
        return None
    found = {}
    for before in item.program.functions[edge.src.function].incoming[edge.src]:
        for e in terms(before):
            known = bounds.range(before.src, e)
            if known is not None:
                found[e.short] = known
    return found


def terms(edge: Edge) -> list[Var]:
    return [t for value in op_values(edge.op) for t in subterms(value) if isinstance(t, Var)]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("int i = 0; while (i < 10) i++; if (i != 10) reach_error();", None),
        ("int i = 0; while (i < 10) i++; if (i == 10) reach_error();", {"i": (10, 10)}),
        ("int x = input(); if (x > 3 && x <= 7) if (x < 9) reach_error();", {"x": (4, 7)}),
        ("unsigned x = input(); x %= 8; if (x > 7) reach_error();", None),
        ("int x = input(), y = x & 15; if (y >= 16 || y < 0) reach_error();", None),
        (
            "int s = 0; for (int i = 0; i < 100; i++) { s = input() ? i : s; }"
            "if (s > 50) reach_error();",
            {"s": (0, 99)},
        ),
        ("for (int i = 9; i >= 0; i--) if (i > 9) reach_error();", None),
        ("unsigned char c = 250; while (c > 5) c++; if (c > 5) reach_error();", None),
        ("int x = input(); if (x == 3 || x == 5) { if (x > 5) reach_error(); }", None),
        ("int x = input(); if (x < 3 || x > 5) return 0; if (x > 4) reach_error();", {"x": (3, 5)}),
        ("int x = input(); if (!(x > 2 && x > 1)) { if (x > 4) reach_error(); }", None),
        (
            "int x = input(); if ((unsigned char)x == 5) if (x > 255) reach_error();",
            {"x": (-(2**31), 2**31 - 1)},
        ),
        ("unsigned x = input(); if (x + 1 == 0) if (x > 5) reach_error();", {"x": (0, 2**32 - 1)}),
        ("int x = 3; x = change(x); if (x != 3) reach_error();", {"x": (-(2**31), 2**31 - 1)}),
        (
            'int x = 3; x = printf("%d", x); if (x != 3) reach_error();',
            {"x": (-(2**31), 2**31 - 1)},
        ),
    ],
)
def test_bounds_inside_a_function(
    body: str, expected: dict[str, Interval] | None, tmp_path: Path
) -> None:
    assert at_error(f"int main(void) {{ {body} }}", tmp_path) == expected


def test_bounds_across_functions(tmp_path: Path) -> None:
    text = """
    int state;
    int clamp(int v) { if (v < 0) return 0; if (v > 9) return 9; return v; }
    void next(int by) { if (state < 3) state = state + by; }
    int deep(int n) { return n <= 0 ? 0 : deep(n - 1); }
    int main(void) {
        state = clamp(input());
        while (input()) next(1);
        deep(5);
        if (state > 9 || state < 0) reach_error();
    }
    """
    assert at_error(text, tmp_path) is None


def test_where_no_overflow_can_happen(tmp_path: Path) -> None:
    item = from_text(
        """
        int input(void); int total;
        int main(void) {
            int x = input();
            for (int i = 0; i < 1000; i++) { total = i * 3; x = x + 1; }
            return x;
        }
        """,
        tmp_path,
    )
    bounds = bounds_of(item)
    found: dict[str, bool] = {}
    for edge in item.program.functions["main"].edges:
        if isinstance(edge.op, Assign) and isinstance(edge.op.value, Binary):
            found[target_name(edge.op.target)] = bounds.wraps(edge.src, edge.op.value)
    assert found == {"total": False, "x": True, "i": False}


def target_name(e: Expr) -> str:
    assert isinstance(e, Var)
    return e.short


def test_the_counter_of_an_outer_loop_is_bounded_inside_and_behind(tmp_path: Path) -> None:
    item = from_text(
        "extern int __VERIFIER_nondet_int(void); extern void __VERIFIER_assume(int);"
        "int main(void) { int n = __VERIFIER_nondet_int(); __VERIFIER_assume(n >= 1 && n <= 500);"
        "  int total = 0; for (int i = 0; i < n; ++i) { for (int j = 0; j < 10; ++j) {"
        "    for (int k = 0; k < j; ++k) total ^= i; } total ^= 1; } return total; }",
        tmp_path,
    )
    main = item.program.functions["main"]
    found = bounds_of(item)
    (counter,) = (var for var in main.locals if var.short == "i")
    highs = [found.at(at)[counter][1] for at in main.locations if counter in found.at(at)]
    assert max(highs) == 500
