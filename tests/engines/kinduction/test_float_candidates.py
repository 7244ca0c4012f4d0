"""Bounds of floating-point variables that are guessed, and proved by a solver."""

from __future__ import annotations

from predabs.analysis.facts import ProgramFacts
from predabs.encode.encoding import BitVectorEncoding
from predabs.engines.kinduction.float_candidates import float_candidates
from predabs.evidence.certificate import Effort
from predabs.evidence.houdini import inductive_part
from predabs.ir.order import location_graph, weak_order
from predabs.ir.show import show_expr
from predabs.options import Budget, Options
from predabs.verdict import Safe
from support.c_programs import program_of_c
from support.counted_time import counted_time
from support.engine_checks import checked

# no interval of x is kept by itself: what it gets is less than another variable
CLIMB = """
float __VERIFIER_nondet_float(void);
int main(void) {
  float x = 0.0f;
  while (__VERIFIER_nondet_int()) {
    float in = __VERIFIER_nondet_float();
    if (!(in >= 0.0f && in <= 10.0f)) continue;
    if (in > x + 1.0f) x = x + 1.0f;
  }
  if (!(x * 2.0f <= 20.0f)) reach_error();
  return 0;
}
"""


def test_what_is_inductive_is_kept() -> None:
    facts = ProgramFacts(program_of_c(CLIMB))
    main = facts.program.functions["main"]
    heads = weak_order(location_graph(main), main.entry).ends
    guesses = float_candidates(facts, heads)
    effort = Effort(1e12, 60.0, solvers={"bv": ("bitwuzla",)})
    found = inductive_part(facts, BitVectorEncoding(), guesses, effort, drops_open=True)
    said = {show_expr(fact.expr) for fact in found}
    assert {"x <= 10.0f", "x >= 0.0f"} <= said
    assert not {"x <= 5.0f", "x <= 1.0f", "x >= 1.0f"} & said


def test_kinduction_uses_it() -> None:
    with counted_time():
        assert isinstance(
            checked("kinduction", program_of_c(CLIMB), Options(), Budget.of(60.0)), Safe
        )


def test_no_guesses_without_constants() -> None:
    text = "int main(void) { int i = 0; while (i < 10) i++; return i; }"
    facts = ProgramFacts(program_of_c(text))
    assert float_candidates(facts, [facts.program.functions["main"].entry]) == {}
