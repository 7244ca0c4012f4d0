"""Localization: which operations and calls are left out, for what is tracked."""

from __future__ import annotations

from predabs.analysis.facts import ProgramFacts
from predabs.analysis.localization import Localization, LocalizedFlow, is_passed_over
from predabs.ir.configuration import Configuration, Transition, TransitionKind
from predabs.ir.expr import Var
from predabs.ir.ops import Assume, Call
from support.c_programs import program_of_c

PROGRAM = """int x, y, z; int *p = &x;
static void stop(void) { while (1) ; }
static void deep(void) { y = 2; }
static void writes(void) { deep(); }
static void through(void) { *p = 3; }
static int self(int n) { return n > 0 ? self(n - 1) : z; }
static void fails(void) { if (z) reach_error(); }
int main(void) {
  int r;
  z = __VERIFIER_nondet_int();
  writes();
  through();
  r = self(z);
  fails();
  if (z > 3) stop();
  if (y > r) x = 1;
  return 0;
}"""


def localized(
    *names: str, entered: frozenset[str] = frozenset()
) -> tuple[ProgramFacts, Localization]:
    facts = ProgramFacts(program_of_c(PROGRAM))
    tracked = frozenset(
        slot
        for function in facts.program.functions.values()
        for edge in function.edges
        for slot in (*facts.modref.effects(edge).writes, *facts.modref.effects(edge).reads)
        if (slot.name if isinstance(slot, Var) else str(slot)) in names
    )
    assert len(tracked) == len(names)
    return facts, Localization(facts.modref, tracked, entered)


def calls(*names: str, entered: frozenset[str] = frozenset()) -> dict[str, str]:
    """What becomes of the calls in main."""
    facts, localization = localized(*names, entered=entered)
    flow = LocalizedFlow(facts, localization)
    found: dict[str, str] = {}
    for edge in facts.program.functions["main"].edges:
        if isinstance(edge.op, Call) and (called := facts.flow.callees(edge)):
            steps = [
                step
                for step in flow.transitions(Configuration(edge.src, None))
                if step.edge is edge
            ]
            found[called[0]] = _fate(steps, facts)
    return found


def _fate(steps: list[Transition], facts: ProgramFacts) -> str:
    if not steps:
        return "ends"
    [step] = steps
    return "passed" if is_passed_over(step, facts.modref) else "entered"


def test_calls_that_have_no_say_are_passed_over() -> None:
    assert calls() == {
        "writes": "passed",
        "through": "passed",
        "self": "passed",
        "fails": "entered",
        "stop": "ends",
    }


def test_writes_in_callees_and_results_count() -> None:
    assert calls("y")["writes"] == "entered"
    assert calls("main::r")["self"] == "entered"
    assert calls("z") == calls()


def test_writes_through_pointers_count() -> None:
    facts = ProgramFacts(program_of_c(PROGRAM))
    [region] = facts.modref.writes("through")
    assert calls(str(region))["through"] == "entered"


def test_functions_that_must_be_entered() -> None:
    assert calls(entered=frozenset(["self"]))["self"] == "entered"


def test_a_recursive_call_is_passed_over_too() -> None:
    facts, localization = localized("main::r")
    flow = LocalizedFlow(facts, localization)
    inside = [
        step
        for edge in facts.program.functions["self"].edges
        for step in flow.transitions(Configuration(edge.src, None))
        if isinstance(edge.op, Call)
    ]
    assert inside and all(step.kind is TransitionKind.STEP for step in inside)


def test_operations_that_are_left_out() -> None:
    facts, localization = localized("z")
    left_out = {
        isinstance(edge.op, Assume)
        for edge in facts.program.functions["main"].edges
        if localization.ignores(edge)
    }
    assert left_out == {True, False}  # y > r, and assignments to x and r
    for edge in facts.program.functions["main"].edges:
        own = facts.modref.slots.effects(edge)
        if localization.tracked & own.writes:
            assert not localization.ignores(edge)


def test_who_may_return() -> None:
    facts = ProgramFacts(
        program_of_c("""static void stop(void) { while (1) ; }
static void over(int n) { if (n) stop(); stop(); }
static void self(void) { self(); }
static void loop(int n) { while (n) n--; }
int main(void) { if (__VERIFIER_nondet_int()) over(1); if (__VERIFIER_nondet_int()) self();
  loop(3); return 0; }""")
    )
    returns = {
        name: facts.modref.may_return(edge)
        for edge in facts.program.functions["main"].edges
        if isinstance(edge.op, Call)
        for name in facts.flow.callees(edge)
    }
    assert returns == {"over": False, "self": False, "loop": True}
