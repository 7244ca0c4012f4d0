"""Checks: a fault becomes an error exactly where it happens, and nothing else changes."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from predabs.concrete.inputs import ListInputs
from predabs.concrete.interpreter import execute
from predabs.concrete.outcome import ErrorReached, Exited, Outcome
from predabs.errors import UnsupportedFeature
from predabs.ir.cfa import Program
from predabs.ir.ops import Error, ErrorKind
from predabs.options import CHECKS, GROUPS
from predabs.spec.checks import FOUND, add_checks
from support.c_programs import program_of_c

INT_MIN, INT_MAX = -(1 << 31), (1 << 31) - 1
LONG_MIN, LONG_MAX = -(1 << 63), (1 << 63) - 1


def instrumented(text: str, *checks: str) -> Program:
    return add_checks(program_of_c(text), frozenset(checks) or FOUND - {"conversion"})


def outcome(text: str, *inputs: int, checks: tuple[str, ...] = ()) -> Outcome:
    return execute(instrumented(text, *checks), ListInputs(inputs), max_steps=100_000)


def error(text: str, *inputs: int, checks: tuple[str, ...] = ()) -> str | None:
    """The text of the error that is reached, if one is."""
    found = outcome(text, *inputs, checks=checks)
    if isinstance(found, ErrorReached):
        assert found.kind is ErrorKind.CHECK
        return found.text
    assert isinstance(found, Exited), found
    return None


def main_of(body: str, declarations: str = "") -> str:
    return f"{declarations}\nint main(void) {{ {body} return 0; }}"


TWO = "int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int(), z;"
TWO_LONGS = "long x = __VERIFIER_nondet_long(), y = __VERIFIER_nondet_long(), z;"
BINARY = {op: instrumented(main_of(f"{TWO} z = x {op} y;")) for op in ("+", "-", "*", "/", "%")}
BINARY_LONG = {op: instrumented(main_of(f"{TWO_LONGS} z = x {op} y;")) for op in "+-*/%"}
UNSIGNED = {
    op: instrumented(main_of(f"unsigned x = __VERIFIER_nondet_uint(), z; z = x {op} 3000000000u;"))
    for op in ("+", "-", "*")
}


def interesting(low: int, high: int) -> st.SearchStrategy[int]:
    edges = [low, low + 1, -2, -1, 0, 1, 2, high - 1, high]
    return st.one_of(st.sampled_from(edges), st.integers(low, high), st.integers(-70000, 70000))


def exact(op: str, x: int, y: int) -> int | None:
    """The mathematical result (of a remainder: of the division that goes with it)."""
    if op in "/%":
        return None if y == 0 else abs(x) // abs(y) * (1 if (x < 0) == (y < 0) else -1)
    return {"+": x + y, "-": x - y, "*": x * y}[op]


def agrees(program: Program, op: str, x: int, y: int, low: int, high: int) -> None:
    found = execute(program, ListInputs([x, y]))
    result = exact(op, x, y)
    if result is None:
        assert isinstance(found, ErrorReached) and "division by zero" in found.text
    elif low <= result <= high:
        assert isinstance(found, Exited)
    else:
        assert isinstance(found, ErrorReached) and "signed overflow" in found.text


@settings(max_examples=300)
@given(st.sampled_from(list(BINARY)), interesting(INT_MIN, INT_MAX), interesting(INT_MIN, INT_MAX))
def test_int_arithmetic_is_checked_exactly(op: str, x: int, y: int) -> None:
    agrees(BINARY[op], op, x, y, INT_MIN, INT_MAX)


@settings(max_examples=200)
@given(
    st.sampled_from(list(BINARY_LONG)),
    interesting(LONG_MIN, LONG_MAX),
    interesting(LONG_MIN, LONG_MAX),
)
def test_long_arithmetic_is_checked_exactly(op: str, x: int, y: int) -> None:
    agrees(BINARY_LONG[op], op, x, y, LONG_MIN, LONG_MAX)


@settings(max_examples=50)
@given(st.sampled_from(list(UNSIGNED)), st.integers(0, (1 << 32) - 1))
def test_unsigned_arithmetic_never_overflows(op: str, x: int) -> None:
    assert isinstance(execute(UNSIGNED[op], ListInputs([x])), Exited)


SHIFT = instrumented(main_of(f"{TWO} z = x << y;"))


@settings(max_examples=200)
@given(interesting(INT_MIN, INT_MAX), st.integers(-3, 40))
def test_shifts_are_checked_exactly(x: int, y: int) -> None:
    fine = 0 <= y < 32 and 0 <= x << y <= INT_MAX
    assert isinstance(execute(SHIFT, ListInputs([x, y])), Exited if fine else ErrorReached)


def test_negation_and_increments() -> None:
    assert error(main_of("int x = __VERIFIER_nondet_int(); x = -x;"), INT_MIN) is not None
    assert error(main_of("int x = __VERIFIER_nondet_int(); x = -x;"), INT_MAX) is None
    assert error(main_of("int x = __VERIFIER_nondet_int(); x++;"), INT_MAX) is not None
    assert error(main_of("short x = 32767; x++;")) is None  # computed as an int, then converted


def test_only_chosen_checks_count() -> None:
    text = main_of("int x = __VERIFIER_nondet_int(); x = x + 1; x = 5 / (x - x);")
    assert error(text, INT_MAX, checks=("div-by-zero",)) == "division by zero in 5 / (x - x)"
    assert error(text, INT_MAX, checks=("signed-overflow",)) == "signed overflow in x + 1"


def test_short_circuits_guard() -> None:
    text = main_of("int x = __VERIFIER_nondet_int(); if (x != 0 && 10 / x > 2 && x + 1 > 0) x = 1;")
    assert error(text, 0) is None
    assert error(text, 3) is None
    assert error(main_of(f"{TWO} z = x < 2147483647 ? x + 1 : y;"), INT_MAX, 0) is None


def test_an_inner_fault_comes_first() -> None:
    text = main_of("int a = 0, *p = a ? &a : 0; a = *p + 2147483647;")
    assert error(text) == "null pointer p dereferenced"
    text = main_of(f"{TWO} int t[3] = {{1, 2, 3}}; z = t[x / y];")
    assert error(text, 1, 0) == "division by zero in x / y"
    assert (error(text, 9, 3) or "").startswith("index x / y out of the bounds of t[3]")
    assert error(text, 8, 4) is None


@pytest.mark.parametrize(
    ("body", "bad"),
    [
        ("p->f = 1;", True),
        ("x = p->g[1];", True),
        ("struct s copy = *p;", True),
        ("int *q = &p->f;", False),  # an address alone
        ("int *q = p->g;", False),
        ("struct s **q = &p;", False),
        ("void (*h)(void) = (void (*)(void))p; h();", True),
        ("__builtin_memset(p, 0, sizeof *p);", True),
        ("__builtin_memset(p, 0, 0);", False),
        ("struct s t; __builtin_memcpy(&t, p, sizeof t);", True),
        ("__builtin_free(p);", False),
    ],
)
def test_null_pointers(body: str, bad: bool) -> None:
    text = main_of(f"int x = 0; struct s *p = 0; {body}", "struct s { int f; int g[4]; };")
    assert (error(text, checks=("null",)) is not None) is bad


@pytest.mark.parametrize(
    ("body", "index", "bad"),
    [
        ("x = t[i];", 3, False),
        ("x = t[i];", 4, True),
        ("x = t[i];", -1, True),
        ("t[i] = 1;", 4, True),
        ("t[i]++;", 4, True),
        ("int *q = &t[i];", 4, False),  # one past the end is a legal address
        ("int *q = &t[i];", 5, True),
        ("x = m[1][i];", 2, False),
        ("x = m[1][i];", 3, True),
        ("x = m[i][0];", 2, True),
        ("x = t[(unsigned char)i];", 255, True),
        ("x = s.last[i];", 0, False),
        ("x = s.inner[i];", 1, True),
        ('const char *c = "ab"; x = "ab"[i];', 2, False),
        ('x = "ab"[i];', 3, True),
    ],
)
def test_array_bounds(body: str, index: int, bad: bool) -> None:
    declarations = "int t[4], m[2][3]; struct { int inner[1]; int x; int last[1]; } s;"
    text = main_of(f"int i = __VERIFIER_nondet_int(), x = 0; {body}", declarations)
    assert (error(text, index, checks=("bounds",)) is not None) is bad


def test_an_array_at_the_end_of_a_struct_may_be_longer() -> None:
    declarations = "struct v { int n; int data[1]; };"
    body = "struct v *v = malloc(sizeof *v + 40); int i = __VERIFIER_nondet_int(); v->data[i] = 7;"
    assert error(main_of(body, declarations), 9, checks=("bounds",)) is None


def test_a_certain_fault_is_an_error_without_a_branch() -> None:
    assert error(main_of("int x = 1, z = 0; if (x) z = x / 0;")) == "division by zero in x / 0"


def test_branches_of_one_location_share_their_checks() -> None:
    text = main_of(
        f"{TWO} z = 0; while (x + y < 10) {{ x++; z++; }} if (z != 3) __VERIFIER_error();"
    )
    assert error(text, 3, 4) is None
    assert error(text, INT_MIN, -1) == "signed overflow in x + y"


def test_loops_and_labels_stay_what_they_were() -> None:
    text = main_of(
        "int i, s = 0, t[10]; for (i = 0; i < 10; i++) t[i] = i * i;"
        "for (i = 0; i < 10; i++) { if (i == 5) goto out; s += t[i]; }"
        "out: if (s != 30) __VERIFIER_error();"
    )
    assert error(text) is None


def test_without_checks_the_program_is_the_same() -> None:
    program = program_of_c(main_of(""))
    assert add_checks(program, frozenset()) is program


def test_a_limit_of_the_bounds_check_is_told() -> None:
    program = program_of_c(main_of(""))
    noted = add_checks(program, frozenset(["bounds"])).assumptions
    assert any("pointers" in text for text in noted)


def test_the_table_of_options_has_all_checks() -> None:
    assert CHECKS.keys() >= FOUND
    assert all(CHECKS.keys() >= set(parts) for parts in GROUPS.values())


def test_a_check_without_a_finder_is_refused() -> None:
    with pytest.raises(UnsupportedFeature, match="the check telepathy"):
        add_checks(program_of_c(main_of("")), frozenset(["telepathy", "null"]))


def test_an_error_has_the_name_of_its_check() -> None:
    program = instrumented(main_of(f"{TWO} z = x / y;"))
    names = {
        edge.op.check for edge in program.functions["main"].edges if isinstance(edge.op, Error)
    }
    assert names == {"div-by-zero", "signed-overflow"}
