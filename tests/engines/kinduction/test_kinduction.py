"""The kinduction engine: loops that need a certain k, facts of others, and deep bugs."""

from __future__ import annotations

import pytest

from predabs.analysis.facts import ProgramFacts
from predabs.engines.engine import EngineTask, create
from predabs.engines.proved_facts import ProvedFacts
from predabs.evidence.replay import NotReplayed, replay
from predabs.ir import make
from predabs.ir.cfa import Program
from predabs.ir.expr import And, Expr, Op, Var
from predabs.ir.types import INT
from predabs.options import Budget, Options, TimeOver
from predabs.statistics import EngineStatistics
from predabs.verdict import Invariant, Safe, Unsafe, Verdict
from support.c_programs import program_of_c
from support.counted_time import LONG, counted_time


def check(
    text: str | Program, shared: ProvedFacts | None = None, seconds: float = LONG
) -> tuple[Verdict, str]:
    """The verdict, and what it says about the proof."""
    program = program_of_c(text) if isinstance(text, str) else text
    statistics = EngineStatistics()
    task = EngineTask(ProgramFacts(program), Options(), statistics, shared=shared or ProvedFacts())
    with counted_time():
        verdict = create("kinduction", task).run(Budget.of(seconds))
    return verdict, " ".join(statistics.tried)


def without_relations() -> ProvedFacts:
    """As if numeric relations were known, and there were none."""
    shared = ProvedFacts()
    shared.offer("octagon", ())
    return shared


def loop(before: str, body: str, after: str = "") -> str:
    return f"int main(void) {{ {before} while (__VERIFIER_nondet_int()) {{ {body} }} {after} }}"


# a ring of values that is turned: which of them come together is seen after as many rounds as the
# ring is long
ROTATE = "t = a; a = b; b = c; c = t;"
RING = "int a = 1, b = 2, c = 3, t;"
INPUT = "v = __VERIFIER_nondet_int();"
INDUCTIVE = {
    "an error that no state allows": (loop("int x = 0;", "x = 1; if (x != 1) reach_error();"), 0),
    "one round back": (
        loop("int x = 0, y = 0, v;", f"if (x != y) reach_error(); {INPUT} x = v; y = v;"),
        1,
    ),
    "two rounds back": (
        loop(
            "int a = 0, b = 0, c = 0, d = 0, v;",
            f"if (a != b) reach_error(); a = c; b = d; {INPUT} c = v; d = v;",
        ),
        2,
    ),
    "a ring of three": (loop(RING, f"if (a == b) reach_error(); {ROTATE}"), 3),
    "behind the loop": (
        loop("int x = 0, y = 0, v;", f"{INPUT} x = v; y = v;", "if (x != y) reach_error();"),
        1,
    ),
    "a call in the loop": (
        "int same(int v) { return v; }"
        + loop("int x = 0, y = 0, v;", f"if (x != y) reach_error(); {INPUT} x = v; y = same(v);"),
        1,
    ),
    "nested loops": (
        loop(
            "int x = 0, y = 0, i, v;",
            f"for (i = 0; i < 3; i++) {{ if (x != y) reach_error(); }} {INPUT} x = v; y = v;",
        ),
        2,  # the head of the inner loop, of the outer one, of the inner one
    ),
}


@pytest.mark.parametrize("name", INDUCTIVE)
def test_the_k_that_is_needed(name: str) -> None:
    text, depth = INDUCTIVE[name]
    verdict, said = check(text, without_relations())
    assert isinstance(verdict, Safe)
    assert verdict.invariants == ()
    assert said == f"kinduction: proved with k = {depth} and 0 facts"


def test_several_loops_one_after_the_other() -> None:
    text = """int main(void) {
      int x = 1, y = 2;
      while (__VERIFIER_nondet_int()) { int t = x; x = y; y = t; }
      while (__VERIFIER_nondet_int()) { if (x == y) reach_error(); int t = x; x = y; y = t; }
      if (x == y) reach_error();
    }"""
    verdict, _ = check(text)
    assert isinstance(verdict, Safe), verdict


# --- bugs -----------------------------------------------------------------------------------------

DEEP = {
    "rounds in a counter": loop("int i = 0;", "i++; if (i == 9) reach_error();"),
    "an old value comes last": loop(
        "int a = 0, b = 0, c = 0, d = 7;",
        "if (a == 7) reach_error(); a = b; b = c; c = d; d = 0;",
    ),
    "behind two loops": """int main(void) {
      int x = 0, y = 0;
      while (x < 4) x++;
      while (y < x) { y++; if (y == 4) reach_error(); }
    }""",
    "wrap-around": loop("unsigned char c = 0;", "c += 51; if (c == 255) reach_error();"),
}


@pytest.mark.parametrize("name", DEEP)
def test_a_bug_is_never_proved_away(name: str) -> None:
    program = program_of_c(DEEP[name])
    for shared in (ProvedFacts(), without_relations()):
        try:
            verdict, _ = check(program, shared)
        except TimeOver:
            continue
        assert isinstance(verdict, Unsafe), verdict
        assert not isinstance(replay(program, verdict.inputs), NotReplayed)


def test_recursion_is_no_proof() -> None:
    text = """int f(int n) { if (n > 0) return f(n - 1); reach_error(); return 0; }
    int main(void) { return f(__VERIFIER_nondet_int()); }"""
    verdict, _ = check(text)
    assert not isinstance(verdict, Safe)


def test_memory_that_holds_anything() -> None:
    text = loop(
        "int a[2] = {1, 1}; int *p = a;",
        "if (*p != 1) reach_error(); p = __VERIFIER_nondet_int() ? a : a + 1; *p = 1;",
    )
    verdict, _ = check(text)
    assert isinstance(verdict, Safe), verdict
    verdict, _ = check(text.replace("*p = 1;", "a[1] = a[1] + 1;"))
    assert isinstance(verdict, Unsafe), verdict


# --- facts ----------------------------------------------------------------------------------------

# x stays even, which no k and no octagon says
EVEN = loop(
    "int x = 0;",
    "if (x == 7) reach_error(); "
    "if (__VERIFIER_nondet_int()) { if (x < 900) x += 2; } else if (x > -900) x -= 2;",
)


def fact_of(program: Program, expr: Expr) -> Invariant:
    """The expression at the head of the one loop of main."""
    main = program.functions["main"]
    head = next(at for at in main.locations if len(main.incoming[at]) > 1)
    return Invariant(head, (), expr)


def even(program: Program) -> Invariant:
    rest = make.binary(Op.REM, Var("main::x", INT), make.const(2, INT))
    return fact_of(program, make.equal(rest, make.const(0, INT)))


def test_a_fact_of_another_engine() -> None:
    program = program_of_c(EVEN)
    with pytest.raises(TimeOver):
        check(program, seconds=0.5)
    shared = ProvedFacts()
    shared.offer("numpred", [even(program)])
    verdict, said = check(program, shared)
    assert isinstance(verdict, Safe)
    (whole,) = verdict.invariants  # with k = 0, interval facts are a part of it
    assert isinstance(whole.expr, And) and even(program).expr in whole.expr.args
    assert said == "kinduction: proved with k = 0 and 1 fact"


def test_facts_that_come_later() -> None:
    """The unrolling begins again with them, at the k that it had."""
    program = program_of_c(EVEN)
    statistics = EngineStatistics()
    shared = ProvedFacts()
    task = EngineTask(ProgramFacts(program), Options(), statistics, shared=shared)
    engine = create("kinduction", task)
    with counted_time():
        with pytest.raises(TimeOver):
            engine.run(Budget.of(0.5))
        shared.offer("numpred", [even(program)])
        assert engine.run(Budget.of(LONG)) == Safe((even(program),))
    assert statistics.refinements > 1


def test_a_fact_elsewhere_is_no_help() -> None:
    """Facts are used at their own configurations only."""
    text = EVEN + "int unused(void) { int x = 0; while (x < 2) x++; return x; }"
    program = program_of_c(text)
    wrong = Invariant(program.functions["main"].exit, (), even(program).expr)
    shared = ProvedFacts()
    shared.offer("numpred", [wrong])
    with pytest.raises(TimeOver):
        check(program, shared, seconds=0.5)


def test_relations_are_offered_to_others() -> None:
    shared = ProvedFacts()
    text = loop("int x = 0, y = 0;", "if (x < 999) { x++; y++; }", "if (x != y) reach_error();")
    verdict, said = check(text, shared)
    assert isinstance(verdict, Safe)
    assert verdict.invariants, said
    assert shared.has("octagon")
    assert set(verdict.invariants) <= set(shared.all())


def test_bit_vectors() -> None:
    text = loop("unsigned x = 3;", "if (!(x & 1)) reach_error(); x = (x * 5) ^ 4;")
    verdict, _ = check(text)
    assert isinstance(verdict, Safe), verdict
