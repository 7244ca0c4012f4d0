"""[BMR05]: its figures and properties."""

from __future__ import annotations

import pytest

from predabs.boolprog import Proved, Violated, check
from predabs.boolprog.syntax import Call, Choose, Return, names, statements
from predabs.errors import InputError
from support.c2bp_examples import (
    FOO,
    INC,
    SWAP,
    SWAP_PREDICATES,
    Same,
    assigned,
    boolean_program,
    expression,
)


def test_figure_2_of_bmr05() -> None:
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


def test_figure_3_of_bmr05() -> None:
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


def test_figure_6_of_bmr05() -> None:
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


P, Q = "{p == 'p}", "{q == 'q}"  # true from the start on, as nobody assigns p or q
IN_SWAP = [  # the assignments of the figure to each predicate, after the binding of constants
    ("{t == '*p}", [None, f"{P} & {{*'p == '*p}}"]),
    ("{*'p == '*q}", [f"choose({P} & {Q} & {{*'q == '*q}}, {P} & {Q} & !{{*'q == '*q}})"]),
    ("{*'p == '*p}", [f"choose({P} & {Q} & {{*'q == '*p}}, {P} & {Q} & !{{*'q == '*p}})"]),
    ("{*'q == '*p}", [f"choose({Q} & {{t == '*p}}, {Q} & !{{t == '*p}})"]),
]


@pytest.mark.parametrize("target, expected", IN_SWAP)
def test_assignments_of_figure_6(target: str, expected: list[str | None]) -> None:
    swap = boolean_program(SWAP, SWAP_PREDICATES).procedure("swap")
    same = Same(always=(P, Q))
    found = assigned(swap, target)[1:]
    for value, written in zip(found, expected, strict=True):
        assert written is None or same(value, expression(written)), value
    for unchanged in (P, Q):
        assert [expression("T")] == assigned(swap, unchanged)


@pytest.mark.parametrize(
    "target, positive",
    [
        ("{x == 5}", "({y == 5} & ret3) | ({x == 5} & ret1)"),
        ("{x == 4}", "({y == 4} & ret3) | ({x == 4} & ret1)"),
        ("{y == 5}", "({y == 5} & ret2) | ({x == 5} & ret4)"),
        ("{y == 4}", "({y == 4} & ret2) | ({x == 4} & ret4)"),
    ],
)
def test_the_call_of_figure_6(target: str, positive: str) -> None:
    """The figure tells when a predicate becomes true, and leaves out when it becomes false."""
    value = assigned(boolean_program(SWAP, SWAP_PREDICATES).procedure("main"), target)[-1]
    assert isinstance(value, Choose)
    assert Same()(value.pos, expression(positive))


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


def test_calls_use_temporaries() -> None:
    program = boolean_program(INC, "inc:\nx == 2\n" + FOO, "foo")
    calls = [
        s.action for s in statements(program.procedure("foo").body) if isinstance(s.action, Call)
    ]
    assert [call.targets for call in calls] == [("ret1",), ("ret1",)]


# --- beyond the figures ---------------------------------------------------------------------------

TWO_WAYS = """
int inc(int x) { if (x < 0) return 0; return x + 1; }
void foo(int a) { int b, c; b = inc(a); c = inc(b); if (a == 2) if (c != 4) reach_error(); }
"""


def test_the_result_has_a_name() -> None:
    """`return` is what a procedure returns, whatever its `return` statements look like."""
    predicates = "inc:\nreturn == 'x + 1\nx < 0\n" + FOO + "a < 0\nb < 0\n"
    program = boolean_program(TWO_WAYS, predicates, "foo")
    inc = program.procedure("inc")
    assert inc.params == ("{x < 0}",) and inc.returns == 1
    assert isinstance(check(program), Proved)
    wrong = TWO_WAYS.replace("x + 1", "x + 2")
    assert isinstance(check(boolean_program(wrong, predicates, "foo")), Violated)


def test_the_result_may_be_a_variable_already() -> None:
    """Then `return` is another name for it."""
    program = boolean_program(INC, "inc:\nreturn == 'x + 1\n" + FOO, "foo")
    assert program.procedure("inc").locals == ("{return == 'x + 1}", "{x == 'x}")
    assert isinstance(check(program), Proved)


@pytest.mark.parametrize(
    "predicates, message",
    [
        ("foo:\nreturn == 1\n", "2:1: foo does not return a number or pointer"),
        ("global:\nreturn == 1\n", "2:1: only a procedure returns something"),
        ("inc:\n'return == 1\n", "2:1: return has no value yet"),
    ],
)
def test_what_has_no_result(predicates: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        boolean_program(TWO_WAYS, predicates, "foo")
