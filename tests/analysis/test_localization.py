"""Localization: which operations and calls are left out, for what is tracked."""

from __future__ import annotations

from itertools import pairwise

from predabs.analysis.facts import ProgramFacts
from predabs.analysis.localization import Localization, PassedOver
from predabs.analysis.localized_flow import LocalizedFlow
from predabs.ir.configuration import CallStack, Configuration, Transition
from predabs.ir.expr import Var
from predabs.ir.ops import Assume, Call, Havoc
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
                step for step in flow.steps(Configuration(edge.src, None)) if step.edge is edge
            ]
            found[called[0]] = _fate(steps, facts)
    return found


def _fate(steps: list[Transition], facts: ProgramFacts) -> str:
    if not steps:
        return "ends"
    [step] = steps
    return "passed" if isinstance(step, PassedOver) else "entered"


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
    [place] = facts.modref.writes("through")
    assert isinstance(place, Var)
    assert calls(place.name)["through"] == "entered"


def test_functions_that_must_be_entered() -> None:
    assert calls(entered=frozenset(["self"]))["self"] == "entered"


def test_a_recursive_call_is_passed_over_or_never_returns() -> None:
    facts, localization = localized("main::r", entered=frozenset(["self"]))
    flow = LocalizedFlow(facts, localization)
    called = facts.program.functions["self"]
    [edge] = [edge for edge in called.edges if isinstance(edge.op, Call)]
    returned, inside = flow.steps(Configuration(edge.src, None))
    assert isinstance(returned, PassedOver)
    assert returned.dst == Configuration(edge.dst, None)
    assert inside.dst == Configuration(called.entry, None)
    assert any(isinstance(op, Havoc) for op in inside.ops)  # an argument may read the parameter


MUTUAL = """int x, y; static void g(int n);
static void f(int n) { y = n; if (n > 0) g(n - 1); }
static void g(int n) { x = n; if (n > 0) f(n - 1); if (x > 9) reach_error(); }
int main(void) { f(__VERIFIER_nondet_int()); return 0; }"""


def test_what_a_recursive_call_may_have_written_is_forgotten() -> None:
    facts = ProgramFacts(program_of_c(MUTUAL))
    [x] = [item.var for item in facts.program.globals if item.var.name == "x"]
    here = Localization(facts.modref, frozenset([x]))
    flow = LocalizedFlow(facts, here)
    [call] = [edge for edge in facts.program.functions["main"].edges if isinstance(edge.op, Call)]
    [into_f] = [edge for edge in facts.program.functions["g"].edges if isinstance(edge.op, Call)]
    [into_g] = [edge for edge in facts.program.functions["f"].edges if isinstance(edge.op, Call)]
    stack = CallStack(into_g, CallStack(call, None))
    returned, inside = flow.steps(Configuration(into_f.src, stack))
    assert here.forgotten(returned) == [x]
    assert here.forgotten(inside) == []
    assert inside.dst == Configuration(facts.program.functions["f"].entry, None)
    assert all(not isinstance(op, Havoc) for op in inside.ops)


APART = """int x; static void count(int n) { while (n < 9) n++; if (n == 7 && x) reach_error(); }
static void small(void) { if (x) reach_error(); }
int main(void) { x = 0; count(2); small(); return 0; }"""


def test_a_large_call_that_writes_nothing_tracked_is_apart() -> None:
    facts = ProgramFacts(program_of_c(APART))
    count, small = facts.program.functions["count"], facts.program.functions["small"]
    calls = [edge for edge in facts.program.functions["main"].edges if isinstance(edge.op, Call)]
    tracked = frozenset([facts.program.globals[0].var, *count.params])
    flow = LocalizedFlow(facts, Localization(facts.modref, tracked))
    passed, inside = flow.steps(Configuration(calls[0].src, None))
    assert isinstance(passed, PassedOver)
    assert inside.dst == Configuration(count.entry, None)
    [entered] = flow.steps(Configuration(calls[1].src, None))
    assert entered.dst == Configuration(small.entry, CallStack(calls[1], None))
    assert flow.callees(calls[0]) == ()
    assert flow.callees(calls[1]) == ("small",)
    inlined = Localization(facts.modref, tracked, frozenset(["count"]))
    [step] = LocalizedFlow(facts, inlined).steps(Configuration(calls[0].src, None))
    assert step.dst == Configuration(count.entry, CallStack(calls[0], None))


def test_a_path_is_made_whole() -> None:
    text = """int x, y, z; static void other(void) { z = 1; }
int main(void) { y = 1; x = 0; if (y) other(); while (z < 5) z++; x = 2;
  if (x == 2) reach_error(); return 0; }"""
    facts = ProgramFacts(program_of_c(text))
    x = facts.program.globals[0].var
    flow = LocalizedFlow(facts, Localization(facts.modref, frozenset([x])))
    path = [flow.transitions(flow.entry)[0]]
    while path[-1].dst is not None:
        path.append(flow.transitions(path[-1].dst)[0])
    whole = flow.whole_path(path)
    assert len(path) < len(whole)
    for step, after in pairwise(whole):
        assert step.dst == after.src
        assert step.edge.src == step.src.location or isinstance(step, PassedOver)
    loops = [step for step in whole if isinstance(step, PassedOver) and step.inside]
    assert len(loops) == 1
    assert {slot.name for slot in loops[0].writes if isinstance(slot, Var)} == {"z"}


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
