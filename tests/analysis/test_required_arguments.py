"""Functions that return only if an argument is not zero."""

from __future__ import annotations

import pytest

from predabs.analysis.facts import ProgramFacts
from predabs.analysis.intervals.required_arguments import required_parameters
from support.c_programs import program_of_c

HEAD = "void abort(void); int __VERIFIER_nondet_int(void); int g; void set(int *p) { *p = 1; }\n"
FUNCTIONS = {
    "void f(int c) { if (!c) abort(); }": (0,),
    "void f(int c) { if (!c) { for (;;); } }": (0,),
    "void f(int a, int c) { g = a; if (c == 0) abort(); g = c; }": (1,),
    "int f(int c) { if (g) { if (!c) abort(); return 1; } if (c) return 2; abort(); }": (0,),
    "void f(int c) { if (g && !c) abort(); }": (),
    "void f(int c) { c = g; if (!c) abort(); }": (),
    "void f(int c) { if (!c) abort(); c = 0; }": (0,),
    "void f(int c) { set(&c); if (!c) abort(); }": (),
    "void f(int c) { if (c > 3) abort(); }": (),
    "void f(int c) { if (c) abort(); }": (),
}


@pytest.mark.parametrize("text", FUNCTIONS)
def test_which_parameters_are_required(text: str) -> None:
    args = "g, __VERIFIER_nondet_int()" if "int a" in text else "__VERIFIER_nondet_int()"
    program = program_of_c(f"{HEAD}{text}\nint main(void) {{ f({args}); }}")
    slots = ProgramFacts(program).modref.slots
    assert required_parameters(program.functions["f"], slots) == FUNCTIONS[text]


def test_a_caller_knows_what_held() -> None:
    program = program_of_c(
        "void abort(void); int __VERIFIER_nondet_int(void);"
        "void assume(int c) { if (!c) abort(); }"
        "int main(void) { int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();"
        " assume(x >= 3 && x < 9); assume((signed char)(y == 256)); assume(x != 3);"
        " int z = x < 9, w = x == 20; return x + y + z + w; }"
    )
    facts, main = ProgramFacts(program), program.functions["main"]
    (last,) = (edge.src for edge in main.incoming[main.exit])
    found = {var.short: facts.interval(last, var) for var in main.locals}
    assert found["x"] == (4, 8) and found["z"] == (1, 1) and found["w"] == (0, 0)
    assert found["y"] == (256, 256)
