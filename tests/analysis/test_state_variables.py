"""State variables: what they are guessed to be."""

from __future__ import annotations

from predabs.analysis.facts import ProgramFacts
from predabs.analysis.memory.partition import lvalue_of
from predabs.analysis.state_variables import state_variables
from predabs.ir.show import show_expr
from support.c_programs import program_of_c

SWITCH = """
switch ({state}) {{
case 1: {state} = 2; break;
case 2: {state} = {next}; break;
case 3: {state} = 1; {next} = 3; break;
}}
"""


def found(text: str) -> set[str]:
    """The state variables, as the program writes them."""
    facts = ProgramFacts(program_of_c(text))
    names = (show_expr(lvalue_of(facts.partition, var)) for var in state_variables(facts))
    return {name for name in names if not name.startswith("tmp.")}


def test_the_variable_of_a_switch_in_a_loop() -> None:
    body = SWITCH.format(state="state", next="next")
    text = "int main(void) {{ int state = 1, next = 3; {} {} }}"
    assert found(text.format("for (;;)", body)) == {"state", "next"}
    assert found(text.format("", body)) == set()  # no loop


def test_in_a_function_that_a_loop_calls() -> None:
    body = SWITCH.format(state="state", next="next")
    step = f"int state = 1, next; void step(void) {{ {body} }}"
    assert found(step + "int main(void) { for (;;) step(); }") == {"state", "next"}
    assert found(step + "int main(void) { step(); }") == set()


def test_in_an_object_on_the_heap() -> None:
    body = SWITCH.format(state="m->state", next="m->next")
    text = f"""
    struct machine {{ int state, next; }};
    void run(struct machine *m) {{ for (;;) {body} }}
    int main(void) {{
      struct machine *m = malloc(sizeof *m);
      m->state = 1; run(m);
    }}"""
    assert found(text) == {"m->state", "m->next"}


def test_what_is_computed_is_none() -> None:
    body = SWITCH.format(state="state", next="next")
    text = "int main(void) {{ int state = 1, next = 3; for (;;) {{ {} {} }} }}"
    assert found(text.format("state = state + 1;", body)) == set()
    assert found(text.format("next = next * 2;", body)) == set()  # and a copy of it
    assert found(text.format("", "if (state == 1 || state == 2) state = 2;")) == set()  # a flag
