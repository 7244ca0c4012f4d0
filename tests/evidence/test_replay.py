"""Replays: confirmed only if the interpreter reaches the error, with the inputs in their places."""

from __future__ import annotations

import time
from math import inf
from unittest.mock import patch

import pytest

from predabs.evidence import replay as replaying
from predabs.evidence.replay import Confirmed, Discarded, NotReplayed, refuted, replay, unconfirmed
from predabs.ir.cfa import Edge, Program
from predabs.ir.ops import Alloc, Call, Havoc, Source
from predabs.ir.types import DOUBLE, INT, PointerType
from predabs.verdict import Input
from support.c_programs import program_of_c


def takers(program: Program) -> list[Edge]:
    """The edges that take an input, in the order of the text."""
    edges = [e for f in program.functions.values() for e in f.edges]
    taking = [e for e in edges if isinstance(e.op, Havoc | Alloc)]
    return sorted(taking, key=lambda e: e.coord)


def nondet(edge: Edge, value: int) -> Input:
    assert isinstance(edge.op, Havoc)
    return Input(edge.op.source, edge.op.name, INT, value, edge.coord)


TWO = """int main(void) {
  int x = __VERIFIER_nondet_int();
  int y = __VERIFIER_nondet_int();
  if (x == 3 && y == 4) __VERIFIER_error();
  return 7;
}"""


def test_a_run_to_the_error_is_confirmed() -> None:
    program = program_of_c(TWO)
    x, y = takers(program)
    found = replay(program, [nondet(x, 3), nondet(y, 4)])
    assert isinstance(found, Confirmed)
    assert found.error.text == "__VERIFIER_error() is called"
    assert [(i.value, i.coord.line) for i in found.inputs] == [(3, 2), (4, 3)]


def test_inputs_go_to_their_places_whatever_is_missing_before() -> None:
    text = TWO.replace("x == 3 &&", "x == 0 &&")
    program = program_of_c(text)
    assert isinstance(replay(program, [nondet(takers(program)[1], 4)]), Confirmed)


def test_a_run_that_ends_elsewhere_is_refuted() -> None:
    program = program_of_c(TWO)
    assert replay(program, []) == NotReplayed("the program ends, with status 7")
    assert refuted(program, []) == replay(program, [])


def test_a_run_to_the_error_is_not_refuted() -> None:
    program = program_of_c(TWO)
    x, y = takers(program)
    assert refuted(program, [nondet(x, 3), nondet(y, 4)]) is None


def reason(text: str) -> str:
    found = replay(program_of_c(text), [])
    assert isinstance(found, NotReplayed)
    return found.reason


def test_the_reason_says_what_happens_instead() -> None:
    assert "assumption fails" in reason("int main(void) { __VERIFIER_assume(0); reach_error(); }")
    assert "null" in reason("int *p; int main(void) { *p = 1; reach_error(); }")
    assert "stops: abort" in reason("void abort(void); int main(void) { abort(); reach_error(); }")


def test_an_endless_run_is_refuted_at_the_deadline() -> None:
    program = program_of_c("int main(void) { while (1); reach_error(); }")
    found = replay(program, [], time.monotonic() + 0.3)
    assert isinstance(found, NotReplayed) and "time" in found.reason


def test_a_sequence_at_one_place_keeps_its_order() -> None:
    program = program_of_c(
        "int main(void) { int s = 0; for (int i = 0; i < 3; i++)"
        " s = 10 * s + __VERIFIER_nondet_int(); if (s == 123) reach_error(); }"
    )
    (edge,) = takers(program)
    assert isinstance(replay(program, [nondet(edge, v) for v in (1, 2, 3)]), Confirmed)
    assert isinstance(replay(program, [nondet(edge, v) for v in (3, 2, 1)]), NotReplayed)


def test_bytes_of_allocated_memory() -> None:
    program = program_of_c(
        "int main(void) { int *p = malloc(8); if (p[1] == 513) reach_error(); return 0; }"
    )
    (edge,) = takers(program)
    block = Input(Source.UNINITIALIZED, "malloc", INT, bytes([0, 0, 0, 0, 1, 2, 0, 0]), edge.coord)
    found = replay(program, [block])
    assert isinstance(found, Confirmed) and found.inputs[0].value == block.value


def test_results_of_functions_without_a_body_and_those_not_used() -> None:
    program = program_of_c(
        "int get(void); void log_it(int); int main(void)"
        "{ get(); log_it(1); int x = get(); get(); if (x == 5) reach_error(); return 0; }"
    )
    call = next(
        e for e in program.functions["main"].edges if isinstance(e.op, Call) and e.op.target
    )
    found = replay(program, [Input(Source.EXTERN, "get", INT, 5, call.coord)])
    assert isinstance(found, Confirmed)
    assert found.discarded == (Discarded("get", 0), Discarded("log_it", 0), Discarded("get", 1))


def test_a_global_without_a_definition_and_a_parameter() -> None:
    program = program_of_c(
        "extern int limit; int f(int n) { if (n > limit && limit == 4) reach_error(); return 0; }",
        entry="f",
    )
    start = program.functions["f"].coord
    inputs = [
        Input(Source.EXTERN, "limit", INT, 4, start),
        Input(Source.PARAMETER, "n", INT, 5, start),
    ]
    found = replay(program, inputs)
    assert isinstance(found, Confirmed)
    assert [i.name for i in found.inputs] == ["limit", "n"]


def test_needless_values_of_uninitialised_variables_are_dropped() -> None:
    program = program_of_c(
        "int main(void) { int x, y; if (y == 0) y = x; if (__VERIFIER_nondet_int() == 2)"
        " reach_error(); return 0; }"
    )
    edges = takers(program)
    inputs = [nondet(e, 2 if e.op.source is Source.NONDET else 99) for e in edges]
    found = replay(program, inputs)
    assert isinstance(found, Confirmed)
    assert {i.value for i in found.inputs if i.source is Source.UNINITIALIZED} == {0}


def test_needed_values_of_uninitialised_variables_stay() -> None:
    program = program_of_c("int main(void) { int x; if (x == 99) reach_error(); return 0; }")
    found = replay(program, [nondet(takers(program)[0], 99)])
    assert isinstance(found, Confirmed) and found.inputs[0].value == 99


ASM = """int main(void) {
  int x, y = 0; __asm__("nop" : "=r"(x));
  y = x + 1;
  if (%s) reach_error();
  return 0;
}"""


@pytest.mark.parametrize(
    "condition", ["x == 77", "x != 7", "y != 7", "x <= 77 || x > 77", "1 / x < 2"]
)
def test_what_inline_assembly_computes_must_not_decide(condition: str) -> None:
    program = program_of_c(ASM % condition)
    edge = next(e for e in takers(program) if e.op.source is Source.ASM)
    found = replay(program, [nondet(edge, 77)])
    assert isinstance(found, NotReplayed) and found.unmodelled
    assert "rests on what inline assembly writes" in found.about("a bug")


def test_what_inline_assembly_computes_may_go_elsewhere() -> None:
    program = program_of_c(ASM % "(y = 1) == 1")
    edge = next(e for e in takers(program) if e.op.source is Source.ASM)
    found = replay(program, [nondet(edge, 77)])
    assert isinstance(found, Confirmed)  # y was dependent once, but is no longer
    aside = program_of_c(ASM.replace("if", "int z = 1; if") % "z")
    edge = next(e for e in takers(aside) if e.op.source is Source.ASM)
    assert isinstance(replay(aside, [nondet(edge, 77)]), Confirmed)


# --- inputs that the verdict does not give --------------------------------------------------------

MISSING = """int f(void); int g(void); void *get(void); int *other(void);
int main(void) {
  int x;
  %s
  x = __VERIFIER_nondet_int();
  if (x == 7) { %s reach_error(); }
  return 0;
}"""


def with_seven(before: str, after: str) -> Confirmed | NotReplayed:
    program = program_of_c(MISSING % (before, after))
    edge = next(e for e in takers(program) if e.op.source is Source.NONDET)
    return replay(program, [nondet(edge, 7)])


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("if (f() == 0) return 1;", ""),
        ("if (f() == 0) return 1;", "if (g() >= 0) return 2;"),
        ("if (get() != 0) return 1; *other() = 1;", ""),
        ("__VERIFIER_assume(f() > 0);", "while (g() == 0) ;"),
    ],
)
def test_missing_inputs_are_searched_for(before: str, after: str) -> None:
    found = with_seven(before, after)
    assert isinstance(found, Confirmed), found
    assert 7 in [item.value for item in found.inputs]


def test_a_null_pointer_may_be_followed_after_all() -> None:
    """An engine that works on a slice may not have seen that it is."""
    program = program_of_c(MISSING % ("*other() = 1;", ""))
    edge = next(e for e in takers(program) if e.op.source is Source.NONDET)
    call = next(
        e
        for f in program.functions.values()
        for e in f.edges
        if isinstance(e.op, Call) and "other" in str(e.op.callee)
    )
    null = Input(Source.EXTERN, "other", PointerType(INT, 64), 0, call.coord)
    assert isinstance(replay(program, [null, nondet(edge, 7)]), Confirmed)


def test_the_search_gives_up() -> None:
    found = with_seven("if (f() != 4711) return 5;", "")
    assert found == NotReplayed("the program ends, with status 5")


def test_a_run_that_rests_on_the_library_is_told_up_to_its_error() -> None:
    program = program_of_c(
        """double tgamma(double);
        int main(void) { if (tgamma(3.0) > 2.5) reach_error(); return 0; }"""
    )
    edges = [edge for function in program.functions.values() for edge in function.edges]
    (taking,) = [e for e in edges if isinstance(e.op, Havoc) and e.op.source is Source.UNKNOWN]
    assert isinstance(taking.op, Havoc)
    given = [Input(Source.UNKNOWN, "tgamma", taking.op.target.type, 3.0, taking.coord)]
    assert isinstance(replay(program, given), NotReplayed)
    told = unconfirmed(program, given, None)
    assert told.error is not None and told.error.statement == "reach_error() is called"
    assert [str(line) for line in told.lines(confirmed=False)][-2].startswith("possible error: ")


def test_a_result_is_not_given_for_what_the_function_writes() -> None:
    """An engine gives only the result of a function that writes an integer, too."""
    program = program_of_c(
        """double lgamma_r(double, int *);
        int main(void) { int e; if (lgamma_r(3.0, &e) > 2.5) reach_error(); return 0; }"""
    )
    edges = [edge for function in program.functions.values() for edge in function.edges]
    coord = next(e.coord for e in edges if isinstance(e.op, Havoc) and e.op.name == "lgamma_r")
    given = [Input(Source.UNKNOWN, "lgamma_r", DOUBLE, inf, coord)]
    found = replay(program, given)
    assert isinstance(found, NotReplayed) and found.unmodelled
    assert unconfirmed(program, given, None).error is not None


def test_a_run_that_is_not_confirmed_can_be_told() -> None:
    program = program_of_c(
        """int get(void);
        int main(void) { int x = get(); if (x == 1) x = 2; if (x == 3) reach_error(); return x; }"""
    )
    told = unconfirmed(program, [], None)
    assert told.error is None
    assert [step.statement for step in told.steps][:2] == ["x = get();", "[x != 1]"]


@pytest.mark.parametrize("value", [900_000_000, 900_000_001])
def test_a_long_run_does_rounds_at_once_and_says_so(value: int) -> None:
    text = (
        "int main(void) { unsigned n = __VERIFIER_nondet_uint(), s = 0, i = 0;"
        " for (; i < 300000000; i++) s += 3; if (s == n) reach_error(); return 0; }"
    )
    program = program_of_c(text)
    (edge,) = takers(program)
    with (
        patch.object(replaying, "_LONG_STEPS", 20_000),
        patch.object(replaying, "_ATTEMPT_STEPS", 10_000),
    ):
        found = replay(program, [nondet(edge, value)], time.monotonic() + 2.0)
    assert isinstance(found, Confirmed) == (value == 900_000_000)
    if isinstance(found, Confirmed):
        assert found.at_once and found.trace.unfinished
