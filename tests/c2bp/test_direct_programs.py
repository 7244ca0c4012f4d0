"""The direct method on C programs: blocks, what it proves, control flow as predicates, options."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest
from bench.__main__ import main as bench

from predabs.boolprog import Proved, Violated, check, parse
from predabs.boolprog.replay import values_of
from predabs.boolprog.syntax import (
    TRUE,
    Assert,
    Assign,
    Expr,
    If,
    Not,
    Program,
    Var,
    While,
    statements,
)
from predabs.c2bp.boolean_code import program as tree
from predabs.c2bp.boolean_code import text
from predabs.c2bp.branch_predicates import with_conditions
from predabs.c2bp.direct import assignment_tables as tables
from predabs.c2bp.direct.basic_blocks import blocks
from predabs.c2bp.direct.method import DirectMethod
from predabs.c2bp.file_predicates import predicates_of_file
from predabs.c2bp.program import abstract
from predabs.cli import main
from predabs.ir.show import show_op
from predabs.predicates.syntax.file import read_predicates
from support.c_programs import program_of_c, write_c

COUNT = """int main(void) { unsigned n = __VERIFIER_nondet_uint(); unsigned i = 0;
  while (i < n) i = i + 1; if (i != n) reach_error(); return 0; }"""


def boolean_program(
    source: str, predicates: str, method: DirectMethod | None, conditions: bool = False
) -> Program:
    program = program_of_c(source)
    found = predicates_of_file(read_predicates(predicates, program))
    if conditions:
        found = with_conditions(program, found)
    coded = abstract(program, found, method=method, tests_as_variables=conditions).code
    assert parse(text(coded)) == tree(coded)
    return tree(coded)


def assignments(program: Program) -> list[Assign]:
    body = program.procedures[0].body
    return [s.action for s in statements(body) if isinstance(s.action, Assign)]


# --- blocks ---------------------------------------------------------------------------------------


def test_blocks_end_at_tests_calls_joins_and_labels() -> None:
    program = program_of_c("""int g; void f(void) { g = 1; }
      int main(void) { int a = 1; int b = 2; f(); a = 3; b = 4; L: a = 5;
        if (b) a = 6; b = 7; g = 8; if (a) goto L; return g; }""")
    found = [
        " ".join(show_op(edge.op) for edge in block)
        for block in blocks(program.functions["main"]).values()
    ]
    assert [
        block.replace("skip; ", "").replace(" skip;", "") for block in found if "=" in block
    ] == [
        "a = 1; b = 2;",
        "a = 3; b = 4;",
        "a = 5;",
        "a = 6;",
        "b = 7; g = 8;",
    ]


def test_each_edge_is_in_one_block() -> None:
    """Long ones are cut."""
    body = " ".join(f"a = a + {n};" for n in range(50))
    function = program_of_c(f"int main(void) {{ int a = 0; {body} return a; }}").functions["main"]
    found = list(blocks(function).values())
    inside = [edge for block in found for edge in block]
    assert (
        len(inside)
        == len(set(inside))
        == sum(edge.dst is not function.exit for edge in function.edges)
    )
    assert max(map(len, found)) == 20
    assert all(one.dst is two.src for block in found for one, two in pairwise(block))


@pytest.mark.parametrize("body", ["g = 1; g = 2;", "g = 1; if (g == 1) g = 3; g = 4;"])
def test_a_loop_from_the_entry_on(body: str) -> None:
    """Callers lead to the entry too, so no block goes through it; and each edge is in one."""
    program = program_of_c(
        f"int g; void f(void) {{ for (;;) {{ {body} }} }} int main(void) {{ f(); }}"
    )
    function = program.functions["f"]
    found = list(blocks(function).values())
    assert all(two.src is not function.entry for block in found for _, two in pairwise(block))
    inside = [edge for block in found for edge in block]
    assert len(inside) == len(set(inside))
    assert sum("g = " in show_op(edge.op) for edge in inside) == body.count("g = ")


def test_an_error_in_a_loop_from_the_entry_on() -> None:
    source = """int g, later;
    void f(void) { for (;;) {
      g = 1; if (g == 1) { if (later == 0) reach_error(); } later = 1; } }
    int main(void) { f(); return 0; }"""
    found = boolean_program(source, "global:\ng == 1\nlater == 0\n", DirectMethod())
    assert isinstance(check(found), Violated)


def test_a_block_is_one_assignment() -> None:
    """The initialisation of [Mir13, section 9], and values that are only copied."""
    source = "int main(void) { int x, y, z; x = 10; y = z; z = x; return 0; }"
    predicates = "main:\nx >= 0\nx <= 100\ny == 1\nz == 1\nz == 10\n"
    [assign] = assignments(boolean_program(source, predicates, DirectMethod()))
    values = dict(zip(assign.targets, assign.values, strict=True))
    assert all(values[name] == TRUE for name in ("{x >= 0}", "{x <= 100}", "{z == 10}"))
    assert assign.constrain is None


def test_negation_in_c() -> None:
    """x := -x swaps x < 0 and x > 0, but for the smallest number, which stays what it is."""
    source = "void f(int x) { x = -x; } int main(void) { f(__VERIFIER_nondet_int()); return 0; }"
    program = boolean_program(source, "f:\nx < 0\nx > 0\nx == -2147483647 - 1\n", DirectMethod())
    [assign] = [s.action for s in program.procedure("f").body if isinstance(s.action, Assign)]
    values = dict(zip(assign.targets, assign.values, strict=True))
    negative, positive, smallest = (
        Var(f"{{{t}}}") for t in ("x < 0", "x > 0", "x == -2147483647 - 1")
    )
    assert values[smallest.name] == smallest
    possible = [{}, {negative.name}, {positive.name}, {negative.name, smallest.name}]
    for state in possible:
        now = {v.name: v.name in state for v in (negative, positive, smallest)}
        assert values_of(values[positive.name], now) == {
            now[negative.name] and not now[smallest.name]
        }
        assert values_of(values[negative.name], now) == {now[positive.name] or now[smallest.name]}


# --- precision ------------------------------------------------------------------------------------


@pytest.mark.parametrize("joint, proved", [(None, False), (1, False), (2, True), (0, True)])
def test_values_that_depend_on_each_other(joint: int | None, proved: bool) -> None:
    """After i = i + 1, i < n or i == n if i < n held before: only together they tell."""
    method = None if joint is None else DirectMethod(joint)
    found = check(boolean_program(COUNT, "main:\ni < n\ni == n\n", method))
    assert isinstance(found, Proved if proved else Violated)


def test_three_values_that_depend_on_each_other() -> None:
    """One of three: pairs do not tell."""
    source = """int main(void) { int x = __VERIFIER_nondet_int(); int y;
      if (x < 0) return 0; if (x > 2) return 0; y = x;
      if (y == 0) return 0; if (y == 1) return 0; if (y == 2) return 0;
      reach_error(); return 0; }"""
    predicates = "main:\nx < 0\nx > 2\ny == 0\ny == 1\ny == 2\n"
    assert isinstance(check(boolean_program(source, predicates, DirectMethod(2))), Violated)
    assert isinstance(check(boolean_program(source, predicates, DirectMethod(3))), Proved)
    assert isinstance(check(boolean_program(source, predicates, DirectMethod())), Proved)


def test_one_input_for_all_predicates() -> None:
    """x and y get the same input, which two predicates look at."""
    source = """int main(void) { int x, y, z; z = __VERIFIER_nondet_int(); x = z; y = z;
      z = 0; if (x == 5) if (y != 5) reach_error(); return 0; }"""
    predicates = "main:\nx == 5\ny == 5\n"
    assert isinstance(check(boolean_program(source, predicates, DirectMethod())), Proved)
    assert isinstance(check(boolean_program(source, predicates, None)), Violated)


def test_a_table_that_is_too_large_is_done_without(monkeypatch: pytest.MonkeyPatch) -> None:
    """Statement by statement, and by pairs: it still tells enough here."""
    monkeypatch.setattr(tables, "MOST_ROWS", 1)
    method = DirectMethod()
    found = boolean_program(COUNT, "main:\ni < n\ni == n\n", method)
    assert method.counts.large and not method.counts.tables
    assert len(assignments(found)) == 3
    assert isinstance(check(found), Proved)


def test_a_predicate_without_a_formula_becomes_unknown() -> None:
    source = """void *memcpy(void *, const void *, unsigned long);
    int main(void) { int a[4] = {0, 0, 0, 0}, b[4] = {1, 1, 1, 1};
      memcpy(a, b, __VERIFIER_nondet_uint()); if (a[0] != 0) reach_error(); return 0; }"""
    found = check(boolean_program(source, "main:\na[0] == 0\n", DirectMethod()))
    assert isinstance(found, Violated)


# --- control flow ---------------------------------------------------------------------------------


@pytest.mark.parametrize("method", [None, DirectMethod()])
def test_conditions_as_predicates(method: DirectMethod | None) -> None:
    """Each test is one variable [Mir13, section 11]."""
    source = """int g; int main(void) { int x = __VERIFIER_nondet_int();
      while (x < 5) x = x + 1; if (x == 3) g = 1; if (g) reach_error(); return 0; }"""
    program = boolean_program(source, "main:\nx == 7\n", method, conditions=True)
    tests: list[Expr] = []
    for statement in statements(program.procedures[0].body):
        match statement.action:
            case While(condition, _) | Assert(condition):
                tests.append(condition)
            case If(cases, _):
                tests += [condition for condition, _ in cases]
    assert len(tests) == 3
    assert all(isinstance(t.arg if isinstance(t, Not) else t, Var) for t in tests)
    assert isinstance(check(program), Proved)


def test_conditions_that_are_predicates_already_are_not_added() -> None:
    program = program_of_c(COUNT)
    for lines in ("i < n\ni == n", "i >= n\ni != n"):
        found = predicates_of_file(read_predicates(f"main:\n{lines}\n", program))
        assert with_conditions(program, found) == found
    nothing = predicates_of_file(read_predicates("", program))
    added = with_conditions(program, nothing).own["main"]
    assert [variable.name for variable in added] == ["{i < n}", "{i != n}"]


# --- the command ----------------------------------------------------------------------------------


def test_options(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out, preds = str(tmp_path / "a.bp"), tmp_path / "a.preds"
    preds.write_text("main:\ni < n\ni == n\n")
    words = ["abstract", write_c(tmp_path, COUNT), "--predicates", str(preds), "-o", out]
    for more, verdict in (
        ([], 1),
        (["--method", "cartesian"], 1),
        (["--method", "direct"], 0),
        (["--method", "direct", "--post-cube", "1"], 1),
        (["--method", "direct", "--post-cube", "2"], 0),
        (["--control", "predicates"], 1),
        (["--method", "direct", "--control", "predicates"], 0),
    ):
        assert main([*words, *more]) == 0
        assert main(["bebop", out]) == verdict, more
    preds.write_text("# none\n")
    assert main([*words, "--method", "direct", "--control", "predicates"]) == 0
    assert main(["bebop", out]) == 0
    capsys.readouterr()
    assert main([*words, "--post-cube", "2"]) == 2
    assert "--method direct" in capsys.readouterr().err
    assert main([*words, "--method", "direct", "--post-cube", "-1"]) == 2


def test_the_measurement(capsys: pytest.CaptureFixture[str]) -> None:
    assert bench(["direct", "--predicates", "2", "--most", "2"]) == 0
    first, *_, last = [line for line in capsys.readouterr().out.splitlines() if " " in line][2:10]
    assert first.split()[-5:] == ["16"] * 5  # all pairs of cubes
    assert all(int(number) < 16 for number in last.split()[-5:])


def test_large_tables_are_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(tables, "MOST_ROWS", 1)
    (tmp_path / "a.preds").write_text("main:\ni < n\ni == n\n")
    words = [write_c(tmp_path, COUNT), "--predicates", str(tmp_path / "a.preds")]
    assert main(["abstract", *words, "--method", "direct"]) == 0
    assert "too large" in capsys.readouterr().err
