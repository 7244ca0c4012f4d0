"""The examples of the papers, as Boolean programs and as answers of bebop."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from c_programs import program_of_c
from predabs.boolprog import Proved, Violated, check, parse
from predabs.boolprog.replay import values_of
from predabs.boolprog.syntax import (
    Assert,
    Assign,
    Call,
    DoWhile,
    Expr,
    If,
    Procedure,
    Program,
    Return,
    names,
    statements,
)
from predabs.c2bp.code import program as tree
from predabs.c2bp.code import text
from predabs.c2bp.given import given
from predabs.c2bp.program import abstract
from predabs.predicates.file import read_predicates

INC = """
int inc(int x) { x = x + 1; return x; }
void foo(int a) { int b, c; b = inc(a); c = inc(b); if (a == 2) if (c != 4) reach_error(); }
"""
FOO = "foo:\na == 2\nb == 3\nc == 4\n"
SWAP = """
void swap(int *p, int *q) { int t; t = *p; *p = *q; *q = t; }
int main(void) { int x, y; x = 5; y = 4; swap(&x, &y);
  if (x != 4) reach_error(); if (y != 5) reach_error(); return 0; }
"""
SWAP_PREDICATES = """
swap:
*'p == '*p
*'q == '*q
*'p == '*q
*'q == '*p
t == '*p
main:
x == 4
x == 5
y == 4
y == 5
"""


@dataclass(frozen=True)
class Same:
    """Expressions that are equal where no impossible state is."""

    impossible: tuple[tuple[str, ...], ...] = ()

    def __call__(self, one: Expr, two: Expr) -> bool:
        found = sorted(names(one) | names(two))
        for bits in range(1 << len(found)):
            values = {name: bool(bits >> n & 1) for n, name in enumerate(found)}
            if any(all(values.get(name) for name in group) for group in self.impossible):
                continue
            if values_of(one, values) != values_of(two, values):
                return False
        return True


def boolean_program(
    source: str, predicates: str, entry: str = "main", max_cube: int = 3
) -> Program:
    program = program_of_c(source, entry)
    coded = abstract(program, given(read_predicates(predicates, program)), max_cube).code
    assert parse(text(coded)) == tree(coded)
    return tree(coded)


def expression(written: str) -> Expr:
    """The right side of an assignment to x."""
    read = set("abc") | {"ret1", "ret2", "ret3"}
    declared = "".join(f"decl {name}; " for name in sorted(read))
    braced = "decl {a == 2}, {b == 3}, {c == 4}, {x == 2}, {x == 3}, {x == 4}; "
    braced += "decl {x == 'x}, {x == 'x + 1}, {z == 0}, {x == y};"
    program = parse(f"{declared}{braced} void main() begin decl x; x := {written}; end")
    action = program.procedures[0].body[0].action
    assert isinstance(action, Assign)
    return action.values[0]


def assigned(procedure: Procedure, target: str) -> list[Expr]:
    """What is assigned to a variable, in order."""
    return [
        statement.action.values[statement.action.targets.index(target)]
        for statement in statements(procedure.body)
        if isinstance(statement.action, Assign) and target in statement.action.targets
    ]


def test_figure_1_of_000() -> None:
    source = """int x, y, z, w; void foo(void) {
      do { z = 0; x = y; if (w) { x++; z = 1; } } while (x != y); if (z) reach_error(); }"""
    program = boolean_program(source, "global:\nz == 0\nx == y\n", "foo")
    assert program.globals == ("{z == 0}", "{x == y}")
    foo = program.procedure("foo")
    [loop] = [s.action for s in foo.body if isinstance(s.action, DoWhile)]
    assert loop.condition == expression("!{x == y}")
    assert assigned(foo, "{x == y}")[1:] == [
        expression("T"),
        expression("choose(F, {x == y})"),
    ]
    assert assigned(foo, "{z == 0}")[1:] == [expression("T"), expression("F")]
    [test] = [s.action for s in loop.body if isinstance(s.action, If)]
    assert test.cases[0][0] == expression("*")
    assert Assert(expression("{z == 0}")) in [s.action for s in foo.body]
    assert isinstance(check(program), Proved)


def test_figure_2_of_001() -> None:
    program = boolean_program(INC, "inc:\nx == 2\nx == 3\nx == 4\n" + FOO, "foo")
    inc, foo = program.procedure("inc"), program.procedure("foo")
    three = ("{x == 2}", "{x == 3}", "{x == 4}")
    assert inc.params == three and inc.returns == 3 and inc.locals == ()
    assert foo.params == ("{a == 2}",) and foo.returns == 0
    same = Same()
    for target, written in zip(
        three,
        ["choose(F, {x == 2} | {x == 3} | {x == 4})", "{x == 2}", "{x == 3}"],
        strict=True,
    ):
        [value] = assigned(inc, target)
        assert same(value, expression(written))
    expected = {
        "prm1": ["{a == 2}", "choose(F, {b == 3})"],
        "prm2": ["choose(F, {a == 2})", "{b == 3}"],
        "prm3": ["choose(F, {a == 2})", "choose(F, {b == 3})"],
        "{b == 3}": ["*", "choose(ret2, !ret2)"],
        "{c == 4}": ["*", "choose(ret3, !ret3)"],
    }
    for target, values in expected.items():
        for value, written in zip(assigned(foo, target), values, strict=True):
            assert same(value, expression(written)), (target, value)
    assert isinstance(check(program), Proved)


def test_figure_3_of_001() -> None:
    """The binding predicate is found in the file, or added."""
    for first in ("x == 'x\nx == 'x + 1\n", "x == 'x + 1\n"):
        program = boolean_program(INC, "inc:\n" + first + FOO, "foo")
        inc, foo = program.procedure("inc"), program.procedure("foo")
        assert inc.params == () and inc.returns == 2
        assert set(inc.locals) == {"{x == 'x}", "{x == 'x + 1}"}
        same = Same()
        start, step = assigned(inc, "{x == 'x}")
        assert same(start, expression("T"))
        assert same(step, expression("choose(F, {x == 'x} | {x == 'x + 1})"))
        assert same(assigned(inc, "{x == 'x + 1}")[1], expression("choose({x == 'x}, !{x == 'x})"))
        [returned] = [s.action for s in inc.body if isinstance(s.action, Return)]
        ret = {str(e): f"ret{n}" for n, e in enumerate(returned.values, 1)}
        more = next(r for e, r in ret.items() if "+ 1" in e)
        other = next(r for e, r in ret.items() if "+ 1" not in e)
        excluded = Same(((more, other),))  # inc never returns both
        for target, before in (("{b == 3}", "{a == 2}"), ("{c == 4}", "{b == 3}")):
            negative = f"({before} & !{more}) | (!{before} & {more}) | ({before} & {other})"
            written = f"choose({before} & {more}, {negative})"
            assert excluded(assigned(foo, target)[1], expression(written))
        assert isinstance(check(program), Proved)


def test_figure_6_of_001() -> None:
    program = boolean_program(SWAP, SWAP_PREDICATES)
    swap = program.procedure("swap")
    assert swap.params == () and swap.returns == 4
    assert {"{p == 'p}", "{q == 'q}"} <= set(swap.locals)
    [returned] = [s.action for s in swap.body if isinstance(s.action, Return)]
    assert [names(value) for value in returned.values] == [
        {"{*'p == '*p}"},
        {"{*'q == '*q}"},
        {"{*'p == '*q}"},
        {"{*'q == '*p}"},
    ]
    assert isinstance(check(program), Proved)


def test_the_assertion_of_swap_can_fail() -> None:
    wrong = SWAP.replace("x != 4", "x != 5")
    assert isinstance(check(boolean_program(wrong, SWAP_PREDICATES)), Violated)


def test_identity_with_one_polymorphic_predicate() -> None:
    source = """int id(int x) { return x; }
    int main(void) { int a, b; a = id(1); b = id(2);
      if (a != 1) reach_error(); if (b != 2) reach_error(); return 0; }"""
    program = boolean_program(source, "id:\nx == 'x\nmain:\na == 1\nb == 2\n")
    assert isinstance(check(program), Proved)
    assert isinstance(check(boolean_program(source, "main:\na == 1\nb == 2\n")), Violated)


@pytest.mark.parametrize(
    "source, predicates, proved",
    [
        (  # a predicate that is not global is updated after the call
            """int g; void set(void) { g = 1; }
            int main(void) { g = 0; set(); if (g == 0) reach_error(); return 0; }""",
            "set:\ng == 0\nmain:\ng == 0\n",
            True,
        ),
        (
            """int g; void set(void) { g = 1; }
            int main(void) { g = 1; set(); if (g == 1) reach_error(); return 0; }""",
            "main:\ng == 1\n",
            False,
        ),
        (  # before the update, `g == 0` is new and `g == 1` is old: no contradiction
            """int g; void set(void) { g = 0; }
            int main(void) { g = 1; set(); reach_error(); return 0; }""",
            "global:\ng == 0\nmain:\ng == 1\n",
            False,
        ),
        (  # recursion
            """int even(int n) { int r; if (n == 0) r = 1; else { r = even(n - 1); r = !r; }
              return r; }
            int main(void) { int r = even(4); if (r != 0 && r != 1) reach_error(); return 0; }""",
            "even:\nr == 0\nr == 1\nmain:\nr == 0\nr == 1\n",
            True,
        ),
        (  # a call through a pointer, and the start of the globals
            """int g = 3; void up(void) { g = 4; } void down(void) { g = 2; }
            int main(void) { if (g != 3) reach_error(); void (*f)(void) = &up;
              if (__VERIFIER_nondet_int()) f = &down;
              f(); if (g == 3) reach_error(); return 0; }""",
            "global:\ng == 3\n",
            True,
        ),
        (  # a function that calls the entry function again
            """int g; int main(void) { if (g) reach_error(); if (__VERIFIER_nondet_int()) main();
              return 0; }""",
            "global:\ng == 0\n",
            True,
        ),
        (
            """int g; int main(void) { if (g) reach_error(); g = 1;
              if (__VERIFIER_nondet_int()) main(); return 0; }""",
            "global:\ng == 0\n",
            False,
        ),
    ],
)
def test_calls(source: str, predicates: str, proved: bool) -> None:
    found = check(boolean_program(source, predicates))
    assert isinstance(found, Proved if proved else Violated)


def test_a_predicate_that_no_formula_can_follow_becomes_unknown() -> None:
    """memcpy of an unknown length."""
    source = """void *memcpy(void *, const void *, unsigned long);
    int main(void) { int a[4] = {0, 0, 0, 0}, b[4] = {1, 1, 1, 1};
      memcpy(a, b, __VERIFIER_nondet_uint()); if (a[0] != 0) reach_error(); return 0; }"""
    assert isinstance(check(boolean_program(source, "main:\na[0] == 0\n")), Violated)


def test_calls_use_temporaries() -> None:
    program = boolean_program(INC, "inc:\nx == 2\n" + FOO, "foo")
    calls = [
        s.action for s in statements(program.procedure("foo").body) if isinstance(s.action, Call)
    ]
    assert [call.targets for call in calls] == [("ret1",), ("ret1",)]
