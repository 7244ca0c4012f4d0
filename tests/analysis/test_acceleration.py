"""Loops that do many rounds at once: every run ends as before, after fewer steps."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from predabs.analysis.acceleration.program import accelerated
from predabs.concrete.inputs import ListInputs, RandomInputs
from predabs.concrete.interpreter import execute
from predabs.concrete.outcome import AssumeFailed, ErrorReached, Exited, RunFault, StepLimit
from predabs.ir import make
from predabs.ir.cfa import Program
from predabs.ir.expr import Lvalue, Op, Var
from predabs.ir.ops import Assign
from predabs.ir.types import IntType
from support.array_loops import random_array_loops
from support.c_programs import program_of_c

TYPES = ("signed char", "unsigned char", "short", "unsigned", "int", "long long", "unsigned long")
FEW, MANY = 400, 20_000_000


def both(text: str) -> tuple[Program, Program]:
    whole = program_of_c(text)
    return whole, accelerated(whole)


def main(body: str) -> str:
    return f"int main(void) {{ {body} }}"


@pytest.mark.parametrize(
    ("body", "result"),
    [
        ("int i; unsigned x = 0; for (i = 0; i < 100000000; i++) x += 3; return x;", 300000000),
        ("unsigned x = 0; while (x < 0x0fffffff) x += 2; return x - 0x0fffffff;", 1),
        ("unsigned char c = 7; int i = 0; while (i != 1000000) { i++; c += 5; } return c;", 71),
        ("int i = 5000000, y = 1; while (i > 0) { y = i; i -= 7; } return y;", 5),
        ("unsigned i = 10; while (i >= 10) i += 2; return i;", 0),
        ("long i; int s = 0; for (i = 0; i <= 9000000; i += 3) { s = s - 1; } return s;", -3000001),
        ("int x = 0, y = 0; while (x < 9000000) { if (y % 2 == 0) x++; else x += 2; } return x;",
         9000000),
        ("unsigned x = 0; while (x < 90000001) { if (x < 0xfff0) x++; else x += 2; } return x;",
         90000002),
        ("int i, j = 0; for (i = 0; i < 1000; i++) for (j = i; j < 900000; j++) ; return j;",
         900000),
    ],
)  # fmt: skip
def test_long_loops_are_short(body: str, result: int) -> None:
    _, quick = both(main(body))
    most = 100_000 if "j" in body else FEW
    assert execute(quick, RandomInputs(1), max_steps=most) == Exited(result)


@pytest.mark.parametrize(
    "body",
    [
        # an input of each round, a value of the round before, a product
        "int i, s = 0; for (i = 0; i < 1000; i++) s += __VERIFIER_nondet_int(); return s;",
        # elements that are read again, written again, or written twice; a bit-field; a pointer
        "int a[999]; for (int i = 0; i < 998; i++) a[i + 1] = a[i]; return a[5];",
        "int a[999]; for (int i = 0; i < 998; i++) { a[i] = i; a[i + 1] = 3; } return a[5];",
        "int a[999]; for (int i = 0; i < 998; i++) a[i % 7] = i; return a[5];",
        "int a[999]; for (int i = 0; i < 998; i++) a[3] = i; return a[3];",
        "struct { int b : 3; } a[999]; for (int i = 0; i < 998; i++) a[i].b = i; return a[3].b;",
        "int *a[99]; for (int i = 0; i < 98; i++) a[i] = 0; return a[5] == 0;",
        "int n = 9, *p = &n; for (int i = 0; i < n; i++) p[i] = i; return n;",
        "int b[99], *p = b, *q = b + 1; for (int i = 0; i < 98; i++) q[i] = p[i]; return b[3];",
        "union { int i; char c; } a[99]; for (int i = 0; i < 9; i++) { a[i].i = i; a[i].c = 3; }"
        " return a[5].i;",
        "int i = 0, p = 0, q = 1; while (i < 1000) { i++; p = q; q = p + i; } return q;",
        "int i = 1; while (i < 1000) i = i * 2; return i;",
        "int i = 0; int *p = &i; while (i < 1000) i++; return *p;",
        "int i = 0, s = 1; while (i < 1000) { i++; if (s * i % 7 == 3) return 4; } return i;",
        "while (1) ;",
    ],
)
def test_other_loops_stay_as_they_are(body: str) -> None:
    whole, quick = both(main(body))
    assert quick is whole


@pytest.mark.parametrize(
    ("body", "result"),
    [
        ("static int a[900000]; for (int i = 0; i < 900000; i++) a[i] = 2 * i; return a[777];",
         1554),
        ("static char a[900000]; int i = 900000; while (i > 0) { i--; a[i] = i; } return a[777];",
         9),
        ("static int a[9000], b[9000]; for (int i = 0; i < 9000; i++) { a[i] = i; b[i] = a[3]; }"
         " return a[8999] + b[0];", 8999),
        ("static long a[9][9000], *p = a[3]; for (int i = 5; i < 9000; i += 2) p[i] = i;"
         " return a[3][7] + a[3][8];", 7),
    ],
)  # fmt: skip
def test_arrays_are_filled_at_once(body: str, result: int) -> None:
    _, quick = both(main(body))
    most = FEW if "b[i]" not in body else 10**6  # a[3] is read again: no rounds at once
    assert execute(quick, RandomInputs(1), max_steps=most) == Exited(result)


def test_a_run_faults_where_it_leaves_the_array() -> None:
    whole, quick = both(main("int a[100]; for (int i = 0; i < 200; i++) a[i] = i; reach_error();"))
    for program in (whole, quick):
        assert isinstance(execute(program, RandomInputs(1)), RunFault)


def is_count(target: Lvalue) -> bool:
    return isinstance(target, Var) and "::rounds." in target.name


def test_a_number_of_rounds_is_checked_at_both_ends() -> None:
    """More rounds than there are do not pass."""
    text = main(
        "int n = __VERIFIER_nondet_int(), i = 3; while (i < n && i != 90) i += 2; return i;"
    )
    program = accelerated(program_of_c(text), checked=True)
    function = program.functions["main"]
    counted = [
        replace(edge, op=Assign(edge.op.target, make.binary(Op.ADD, edge.op.value, more)))
        if isinstance(edge.op, Assign) and is_count(edge.op.target)
        else edge
        for edge in function.edges
        for more in [make.const(1, IntType(32 + 10, True))]
    ]
    wrong = replace(program, functions={"main": replace(function, edges=tuple(counted))})
    for end in (4, 10, 89, 91, 1000):
        assert isinstance(execute(program, ListInputs([end])), Exited)
        assert isinstance(execute(wrong, ListInputs([end])), AssumeFailed)


@pytest.mark.parametrize("seed", range(60))
def test_random_loops_over_arrays(seed: int) -> None:
    whole = program_of_c(random_array_loops(Random(seed)).with_checksum())
    quick, checked = accelerated(whole), accelerated(whole, checked=True)
    for inputs in (1, 2):
        expected = execute(whole, RandomInputs(inputs), max_steps=20_000)
        if isinstance(expected, StepLimit):
            continue
        for program in (quick, checked):
            found = execute(program, RandomInputs(inputs), max_steps=60_000)
            assert type(found) is type(expected)
            assert isinstance(found, RunFault) or found == expected


def test_a_loop_that_never_ends_is_not_left() -> None:
    _, quick = both(main("unsigned i = 0; while (i <= 4294967295u) i++; reach_error(); return 0;"))
    assert execute(quick, RandomInputs(1), max_steps=FEW) == StepLimit(FEW)


def test_an_error_inside_is_met_in_its_round() -> None:
    text = main(
        "int n = __VERIFIER_nondet_int(), i = 0;"
        " while (i < 20000000) { if (i == n) reach_error(); i++; } return 0;"
    )
    _, quick = both(text)
    assert isinstance(execute(quick, ListInputs([19999999]), max_steps=FEW), ErrorReached)
    assert execute(quick, ListInputs([20000000]), max_steps=FEW) == Exited(0)


def random_loop(random: Random) -> str:
    """A loop over a few counters that ends, if at all, after some thousand rounds or so."""
    names = "abcd"
    types = {name: random.choice(TYPES) for name in names}
    start = {name: random.choice((0, 1, -3, 100, 120, 250, 32000)) for name in names}
    lines = [f"{types[name]} {name} = {start[name]};" for name in names]
    lines.append("long n = __VERIFIER_nondet_int() % 3000;")

    def value(name: str) -> str:
        shift = random.choice(
            ("", "", f" + {random.randint(-4, 9)}", f" - {random.choice('abcd')}")
        )
        cast = random.choice(("", "", "(unsigned)", "(signed char)", "(long)"))
        return f"{cast}({name}{shift})"

    def condition() -> str:
        other = random.choice(("n", "3000", "100u", "0", random.choice(names)))
        operator = random.choice(("<", "<=", ">", ">=", "!="))
        return f"{value(random.choice(names))} {operator} {other}"

    def statement() -> str:
        name = random.choice(names)
        return random.choice(
            (
                f"{name} += {random.choice((1, 2, 3, -1, -2, 17))};",
                f"{name}++;",
                f"{name} = {random.choice(names)} + {random.randint(0, 5)};",
                f"{name} = {random.randint(-9, 9)};",
            )
        )

    body = " ".join(statement() for _ in range(random.randint(1, 4)))
    if random.random() < 0.4:
        body += f" if ({condition()}) {{ {statement()} }} else {{ {statement()} }}"
    if random.random() < 0.2:
        body += f" if ({condition()}) break;"
    lines.append(f"while ({condition()} && {condition()}) {{ {body} }}")
    lines.append("return (int)(a * 31 + b * 37 + c * 41 + d * 43);")
    return main(" ".join(lines))


@pytest.mark.parametrize("seed", range(120))
def test_random_loops(seed: int) -> None:
    whole, quick = both(random_loop(Random(seed)))
    for inputs in (1, 2):
        expected = execute(whole, RandomInputs(inputs), max_steps=200_000)
        found = execute(quick, RandomInputs(inputs), max_steps=400_000)
        if not isinstance(expected, StepLimit):
            assert found == expected
        elif isinstance(found, Exited):  # a longer loop that has an end
            assert execute(whole, RandomInputs(inputs), max_steps=MANY) in (found, StepLimit(MANY))
