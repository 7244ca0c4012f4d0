"""Control flow with explicit values: its transitions, and runs of random machines in it."""

from __future__ import annotations

import pytest

from predabs.analysis.explicit_values import (
    ExplicitFlow,
    TooManyValues,
    plain,
    values_of,
)
from predabs.analysis.facts import ProgramFacts
from predabs.analysis.state_variables import state_variables
from predabs.ir.cfa import Edge, Program
from predabs.ir.configuration import CallStack, Configuration
from predabs.ir.expr import Var
from predabs.ir.order import loop_heads
from predabs.ir.walk import variables
from support.analysis_programs import RecordedInputs
from support.c_programs import program_of_c
from support.lazy_runs import Runner
from support.lazy_setup import Parts, reachable
from support.machine_random import random_machine

MACHINE = """
int state = 1, next;
int main(void) {
  while (__VERIFIER_nondet_int()) {
    if (state == 1) { state = 2; next = 3; }
    else if (state == 2) state = next;
    else if (state == 3) state = 1;
    else reach_error();
  }
  return 0;
}
"""


def followed(text: str) -> tuple[ProgramFacts, ExplicitFlow]:
    facts = ProgramFacts(program_of_c(text))
    return facts, ExplicitFlow(facts, state_variables(facts))


def test_each_state_has_its_own_part() -> None:
    facts, flow = followed(MACHINE)
    graph = reachable(flow)
    (head,) = loop_heads(facts.program.functions["main"])
    states = {
        {var.name: value for var, value in values_of(one)}.get("state")
        for one in graph
        if one.location is head
    }
    assert states == {1, 2, 3}
    kinds = {transition.kind.value for found in graph.values() for transition in found}
    assert kinds == {"step"}, "the machine is in no fourth state"
    assert {plain(one) for one in graph} <= set(reachable(facts.flow))


def test_what_else_is_written_is_not_known() -> None:
    text = MACHINE.replace("state = next;", "{ state = next; state = __VERIFIER_nondet_int(); }")
    _, flow = followed(text)
    kinds = {transition.kind.value for found in reachable(flow).values() for transition in found}
    assert "error" in kinds


def test_too_many_values() -> None:
    cases = " ".join(f"case {n}: state = {n + 1}; break;" for n in range(155))
    _, flow = followed(f"int main(void) {{ int state = 0; for (;;) switch (state) {{ {cases} }} }}")
    with pytest.raises(TooManyValues):
        reachable(flow)


class Following(Runner):
    """A run that is followed in the control flow with values."""

    def __init__(self, program: Program, seed: int) -> None:
        self.facts = ProgramFacts(program)
        self.flow = ExplicitFlow(self.facts, state_variables(self.facts))
        self.here: Configuration = self.flow.entry
        self.values_seen = 0
        super().__init__(Parts(program), RecordedInputs(seed), lambda configuration: [])

    def choose(self, edges: tuple[Edge, ...]) -> Edge:
        stack: CallStack | None = None
        for _, call in self._calls:
            stack = CallStack(call, stack)
        location = edges[0].src
        if plain(self.here) is not Configuration(location, stack):
            self.move(Configuration(location, stack))
        for var, value in values_of(self.here):
            self.hold(var, value)
        edge = super().choose(edges)
        self.edge = edge
        return edge

    def move(self, target: Configuration) -> None:
        """Along the transition that the run has taken."""
        steps = [
            transition.dst
            for transition in self.flow.transitions(self.here)
            if transition.edge is self.edge
            and transition.dst is not None
            and plain(transition.dst) is target
        ]
        assert len(steps) == 1, f"from {self.here} to {target}"
        self.here = steps[0]

    def hold(self, var: Var, value: int) -> None:
        found = self.facts.partition.single_lvalues.get(var, (var,))
        for lvalue in found:
            if all(not one.function or self.here.active(one.function) for one in variables(lvalue)):
                assert self.value(lvalue) == value
                self.values_seen += 1
                return


@pytest.mark.parametrize("seed", range(12))
def test_runs_are_in_the_flow(seed: int) -> None:
    text = random_machine(seed)
    for inputs in range(4):
        Following(program_of_c(text), inputs).run(300)
