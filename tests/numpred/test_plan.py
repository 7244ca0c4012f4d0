"""What is tracked next: switches as predicates, nothing of dead variables, no slow domain."""

from __future__ import annotations

from predabs.ir.show import show_expr
from predabs.numpred.program.thresholds import conditions_of, relates
from predabs.numpred.refine.flag_variables import flag_variables
from predabs.numpred.refine.plan import Plan
from predabs.numpred.refine.sources import Sources
from predabs.options import Options
from support.c_programs import program_of_c
from support.numpred_runs import Abstracted

SWITCHES = """
int lock, mode, copy, sum, level;
static int next(int now) { return now; }
int main(void) {
  int input = __VERIFIER_nondet_int(), flag = input > 3, other = 0;
  while (__VERIFIER_nondet_int()) {
    if (lock == 0) { lock = 1; mode = 7; }
    copy = mode;
    if (copy < 3 && flag) level = level + 1;
    if (input == 4) other = next(lock);
    if (other != 1) sum = sum + other;
  }
  if (level == sum) reach_error();
  return 0; }
"""


def abstracted(text: str) -> Abstracted:
    return Abstracted(program_of_c(text))


def test_switches() -> None:
    subject = abstracted(SWITCHES)
    found = flag_variables(subject.control.transitions, subject.cells)
    shown = {name: [show_expr(test) for test in tests] for name, tests in found.items()}
    assert shown == {
        "copy": ["copy < 3"],
        "main::flag": ["flag == 0"],
        "main::input": ["input > 3", "input == 4"],
        "main::tmp.1": ["tmp.1 == 0"],
    }


def plan_of(subject: Abstracted, **options: object) -> Plan:
    found = flag_variables(subject.control.transitions, subject.cells)
    sources = Sources(subject.control.transitions, subject.cells)
    held = [cell.var for cell in subject.cells.all.values()]
    return Plan(Options(**options), subject.cells, subject.table, found, sources, held)


def test_sources() -> None:
    subject = abstracted(SWITCHES)
    sources = Sources(subject.control.transitions, subject.cells)
    level, copy = subject.cells.all["level"], subject.cells.all["copy"]
    assert set(sources.with_sources({"level": level})) == {"level"}
    assert set(sources.with_sources({"copy": copy})) == {"copy", "mode"}
    other = sources.with_sources({"main::other": subject.cells.all["main::other"]})
    assert "lock" in other


def test_a_switch_is_no_number_once_it_has_its_predicates() -> None:
    subject = abstracted(SWITCHES)
    plan = plan_of(subject, numeric="box")
    plan.solved(related=True, seconds=0.0)
    assert "main::input" in plan.precision.cells
    (test,) = [atom for atom in subject.atoms() if show_expr(atom) == "input == 4"]
    assert plan.more([test])
    assert "main::input" not in plan.precision.cells
    assert sorted(p.name for p in plan.precision.predicates) == ["input == 4", "input > 3"]
    assert not plan.more([test])


def test_a_numeric_domain_that_is_too_slow_does_not_come_back() -> None:
    subject = abstracted("int main(void) { int x = 0; while (x < 9) x++; return x; }")
    plan = plan_of(subject)
    plan.solved(related=True, seconds=0.0)
    assert plan.numeric_domain == "box" and not plan.may_be_slow
    assert plan.more()
    assert plan.numeric_domain == "octagon" and plan.may_be_slow
    plan.too_slow()
    assert plan.numeric_domain == "box" and not plan.more()
    assert plan.more_precise_structure() and plan.structure == "ndd"


def test_without_relations_the_numeric_domain_stays() -> None:
    subject = abstracted("int main(void) { int x = 0; while (x < 9) x++; return x; }")
    plan = plan_of(subject)
    plan.solved(related=False, seconds=0.0)
    assert not plan.more()


def test_what_is_related() -> None:
    subject = abstracted("int a, b; int main(void) { a = b; if (a == 1) b = 2; return 0; }")
    graph = subject.control.steps(subject.translator(subject.precision([])), lambda: None)
    assert relates(graph)
    assert not relates(graph, {"a"})


def test_widening_stops_where_a_loop_leaves_its_condition() -> None:
    subject = abstracted(
        """int main(void) { int i = 0, n = __VERIFIER_nondet_int();
        while (i < n) i = i + 2; return 0; }"""
    )
    graph = subject.control.steps(subject.translator(subject.precision([])), lambda: None)
    assert "main::i - main::n <= 1" in map(str, conditions_of(graph))


def test_dead_variables_do_not_count() -> None:
    subject = abstracted(
        """static int twice(int y) { int r = y + y; return r; }
        int main(void) { int x = 1, z = 2; x = x + twice(x); z = x; return z; }"""
    )
    live = subject.facts.live
    for configuration in subject.control.transitions:
        names = {var.short for var in live(configuration)}
        if configuration.location.function == "twice":
            assert "x" in names and "z" not in names  # the caller goes on with x
        else:
            assert not names & {"y", "r"}
    start = subject.translator(subject.precision([])).ranges(subject.control.initial)
    assert "main::z" not in str(start)
