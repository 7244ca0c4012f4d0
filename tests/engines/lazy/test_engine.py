"""The lazy engine as a whole: verdicts, limits, what is told, and properties of its result."""

from __future__ import annotations

import pytest

from predabs.evidence.replay import NotReplayed, replay
from predabs.ir.show import show_expr
from predabs.options import Budget, Options, TimeOver
from predabs.statistics import Phase
from predabs.verdict import Safe, Unknown, Unsafe, Verdict
from support.c_programs import program_of_c
from support.counted_time import LONG, counted_time
from support.engine_checks import checked
from support.lazy_setup import Watched

BLOCKS = ["loop", "basic", "edge"]


def check(text: str, **options: object) -> Verdict:
    program = program_of_c(text)
    with counted_time():
        verdict = checked("lazy", program, Options(**options), Budget.of(LONG))
    if isinstance(verdict, Unsafe):
        assert not isinstance(replay(program, verdict.inputs), NotReplayed)
    return verdict


def main(body: str, before: str = "") -> str:
    return f"{before} int main(void) {{ {body} return 0; }}"


# --- verdicts -------------------------------------------------------------------------------------

SAFE = {
    "no error at all": main("int x = 1; while (x) x++;"),
    "a relation that no interval has": main(
        "int x = __VERIFIER_nondet_int(), y = x; while (__VERIFIER_nondet_int()) { x++; y++; }"
        "if (x != y) reach_error();"
    ),
    "a program that starts in a loop": main(
        "do { n = n ? 0 : 7; if (n == 2) reach_error(); } while (__VERIFIER_nondet_int());",
        "int n;",
    ),
    "a flag for what has happened": main(
        "int done = 0, x = 0; while (!done) { x = __VERIFIER_nondet_int(); if (x > 3) done = 1; }"
        "if (x <= 3) reach_error();"
    ),
    "a state machine": main(
        """int s = 0; while (__VERIFIER_nondet_int()) {
        if (s == 0) s = 1; else if (s == 1) s = 4; else if (s == 4) s = 0; else reach_error(); }"""
    ),
    "a call in each round": main(
        "while (__VERIFIER_nondet_int()) { take(); give(); } if (held) reach_error();",
        "int held; void take(void) { if (held) reach_error(); held = 1; }"
        "void give(void) { if (!held) reach_error(); held = 0; }",
    ),
    "a pointer to the state": main(
        "int s = 0, *p = &s; while (__VERIFIER_nondet_int()) { *p = 1; *p = 0; }"
        "if (s) reach_error();"
    ),
    "a pointer to a function": main(
        "void (*p)(void) = on; while (__VERIFIER_nondet_int()) { p(); p = p == on ? off : on; }"
        "if (s && p == on) reach_error();",
        "int s; void on(void) { s = 1; } void off(void) { s = 0; }",
    ),
    "an element that stays": main(
        "a[2] = 7; while (__VERIFIER_nondet_int()) a[__VERIFIER_nondet_int() & 1]++;"
        "if (a[2] != 7) reach_error();",
        "int a[4];",
    ),
    "a loop in a call in a loop": main(
        "while (__VERIFIER_nondet_int()) f(__VERIFIER_nondet_int()); if (x) reach_error();",
        "int x; void f(int n) { x = 1; while (n > 0) n--; if (n <= 0) x = 0; }",
    ),
    "two calls of one function with a loop": main(
        "f(); if (x) reach_error(); x = 1; f(); if (!x) reach_error();",
        "int x; void f(void) { while (__VERIFIER_nondet_int()) ; }",
    ),
    "recursion that is never reached": main(
        "int x = 0; while (__VERIFIER_nondet_int()) x = !x; if (x > 1) f(x);",
        "int f(int n) { return f(n); }",
    ),
}
UNSAFE = {
    "at once": main("reach_error();"),
    "after some rounds": main(
        "int x = 0; while (__VERIFIER_nondet_int()) x++; if (x == 3) reach_error();"
    ),
    "in a call": main(
        "while (__VERIFIER_nondet_int()) f(__VERIFIER_nondet_int());",
        "int n; void f(int k) { n += k; if (n == 12345) reach_error(); }",
    ),
    "a variable is new in each call": main(
        "f(1); if (f(0) == 4) reach_error();", "int f(int set) { int n; if (set) n = 5; return n; }"
    ),
    "a program that starts in a loop": main(
        "do { n++; if (n == 2) reach_error(); } while (__VERIFIER_nondet_int());", "int n;"
    ),
    "a program that starts in a loop, in a call": main(
        "do f(); while (__VERIFIER_nondet_int());",
        "int n; void f(void) { do if (n++ == 3) reach_error(); while (__VERIFIER_nondet_int()); }",
    ),
    "wrap-around": main(
        "unsigned x = __VERIFIER_nondet_uint(), y = x + 1; while (__VERIFIER_nondet_int()) ;"
        "if (y < x) reach_error();"
    ),
    "wrap-around on the longer of two ways": main(
        """int x = __VERIFIER_nondet_int(), y, w = 0;
        if (__VERIFIER_nondet_int()) { if (x < 0) return 0; if (x > 5) return 0; y = x; }
        else { w = w + x; w = w + 2; w = w + 3; w = w + 4; if (x < 0) return 0; y = x; }
        if (y + 1 <= 0) reach_error();"""
    ),
}


@pytest.mark.parametrize("block", BLOCKS)
@pytest.mark.parametrize("name", SAFE)
def test_safe(name: str, block: str) -> None:
    assert isinstance(check(SAFE[name], block=block), Safe)


@pytest.mark.parametrize("block", BLOCKS)
@pytest.mark.parametrize("name", UNSAFE)
def test_unsafe(name: str, block: str) -> None:
    assert isinstance(check(UNSAFE[name], block=block), Unsafe)


def test_what_integers_cannot_say_goes_to_bit_vectors() -> None:
    text = main(
        "int x = __VERIFIER_nondet_int(), y = x;"
        "while (__VERIFIER_nondet_int()) { x = x ^ 6; y = y ^ 6; } if (x != y) reach_error();"
    )
    assert isinstance(check(text), Safe)
    assert isinstance(check(text.replace("y ^ 6", "y ^ 5")), Unsafe)


@pytest.mark.parametrize("block", BLOCKS)
def test_memory_that_begins_with_zeros_in_bit_vectors(block: str) -> None:
    text = main(
        "int i = __VERIFIER_nondet_int(); while (__VERIFIER_nondet_int())"
        "a[i & 3] = a[(i + 1) & 3] ^ i; if (a[2] == 3) reach_error();",
        "int a[4];",
    )
    assert isinstance(check(text, block=block), Safe)


# --- limits ---------------------------------------------------------------------------------------


def test_recursion_is_a_reason() -> None:
    verdict = check(
        main(
            "if (f(__VERIFIER_nondet_int())) reach_error();",
            "int f(int n) { return n > 0 ? f(n - 1) : 0; }",
        )
    )
    assert isinstance(verdict, Unknown)
    assert "a.c:1:" in verdict.reason
    assert "a recursive call of f can be reached" in verdict.reason


def test_a_call_through_a_pointer_from_outside() -> None:
    """It goes to the environment, or to a function of the very type whose address is taken."""
    given = "extern void (*given)(void);"
    assert isinstance(check(main("given();", given)), Safe)
    bad = "void bad(void) { reach_error(); }"
    other = given + bad.replace("void)", "int n)", 1) + "void (*kept)(int) = bad;"
    assert isinstance(check(main("given();", other)), Safe)
    fits = given + bad + "void (*kept)(void) = bad;"
    assert not isinstance(check(main("if (kept) given();", fits)), Safe)


def test_an_error_in_the_same_block_comes_before_a_limit() -> None:
    text = main(
        "int x = __VERIFIER_nondet_int(); if (x == 4) reach_error(); f(x);",
        "int f(int n) { return f(n); }",
    )
    assert isinstance(check(text), Unsafe)


def test_the_budget_ends_it() -> None:
    program = program_of_c(SAFE["a state machine"])
    with pytest.raises(TimeOver):
        checked("lazy", program, Options(), Budget.of(0))


# --- what is told ---------------------------------------------------------------------------------


def test_statistics() -> None:
    told: list[str] = []
    watched = Watched(
        program_of_c(SAFE["a relation that no interval has"]), progress=told.append, block="basic"
    )
    assert isinstance(watched.run(), Safe)
    found = watched.statistics
    assert found.refinements >= 1
    assert found.nodes >= len(list(watched.search.explorer.tree.nodes()))
    assert found.predicates_total == len(watched.found) >= found.predicates_active >= 1
    assert found.abstractions > found.abstractions_cached > 0
    assert found.solver.cached > 0
    assert found.solver.calls > 0
    assert {Phase.ABSTRACTION, Phase.REFINEMENT} <= found.seconds.keys()
    assert told


def test_the_invariant_of_a_loop_head() -> None:
    verdict = check(SAFE["a relation that no interval has"])
    assert isinstance(verdict, Safe)
    (head,) = verdict.invariants
    text = show_expr(head.expr)
    assert "x" in text
    assert "y" in text
    assert head.stack == ()


def test_invariants_know_their_calls() -> None:
    verdict = check(SAFE["two calls of one function with a loop"])
    assert isinstance(verdict, Safe)
    inside = [item for item in verdict.invariants if item.location.function == "f"]
    assert len(inside) == 2
    assert len({item.stack for item in inside}) == 2
    assert all(item.stack[0].src.function == "main" for item in inside)


@pytest.mark.parametrize("name", SAFE)
def test_the_tree_is_complete(name: str) -> None:
    """[HJMS02, theorem 1]: every node is marked; what is covered is inside uncovered regions."""
    watched = Watched(program_of_c(SAFE[name]), block="basic")
    assert isinstance(watched.run(), Safe)
    tree = watched.search.explorer.tree
    for node in tree.nodes():
        assert node.stamp
        outside = node.region & ~tree.reached(node.configuration)
        assert node is tree.root or not outside.satisfiable()
        if node.covered:
            assert not node.children
        assert watched.search.explorer.manager.support(node.region) <= node.support


@pytest.mark.parametrize("name", SAFE)
def test_predicates_are_local(name: str) -> None:
    """Fewer places with predicates if each has its own."""
    program = program_of_c(SAFE[name])
    used = {}
    for scope in ("location", "global"):
        watched = Watched(program, block="basic", predicates_at=scope)
        assert isinstance(watched.run(), Safe)
        nodes = list(watched.search.explorer.tree.nodes())
        used[scope] = sum(len(node.support) for node in nodes) / len(nodes)
    assert used["location"] <= used["global"]
