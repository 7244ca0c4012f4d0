"""Arithmetic faults: each is seen where it happens, also in a term that was simplified away."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest

from predabs.concrete.inputs import ListInputs
from predabs.concrete.interpreter import execute
from predabs.concrete.outcome import ErrorReached, Exited
from predabs.frontend.load import load
from predabs.ir.ops import Error
from predabs.ir.types import DataModel
from predabs.spec.checks import ARITHMETIC, add_checks
from support.c_programs import write_c

MAX, MIN = (1 << 31) - 1, -(1 << 31)
DECLARATIONS = (
    "int f(int); static int g() { return 0; } int abs(int); long labs(long);"
    "struct s { int a : 3; unsigned b : 1; };"
)
NO_CONVERSIONS = ARITHMETIC - {"conversion"}


def found(
    body: str,
    x: int = 0,
    y: int = 0,
    checks: frozenset[str] = NO_CONVERSIONS,
    data_model: DataModel = DataModel.LP64,
) -> tuple[str | None, str]:
    """The check that finds an error in `body`, and its text."""
    text = (
        f"{DECLARATIONS} int main(void) {{ int x = __VERIFIER_nondet_int(),"
        f" y = __VERIFIER_nondet_int(), z = 0; {body} return 0; }}"
    )
    with tempfile.TemporaryDirectory() as folder:
        file = write_c(Path(folder), text)
        program = load([file], data_model, conversions="conversion" in checks)
    outcome = execute(add_checks(program, checks), ListInputs([x, y]), max_steps=10_000)
    if isinstance(outcome, ErrorReached):
        assert isinstance(outcome.edge.op, Error)
        return outcome.edge.op.check, outcome.text
    assert isinstance(outcome, Exited), outcome
    return None, ""


@pytest.mark.parametrize(
    "body",
    [
        "z = x / y == x / y;",
        "z = x / y <= x / y;",
        "if (x / y == x / y) z = 1;",
        "while (x / y != x / y) z = 1;",
        "x / y;",
        "(void)(x % y);",
        "z = (x / y, 3);",
        "x / y, 3;",
        "z = x / y ? 1 : 1;",
        "z = x / y && 0;",
        "z = x / y || 1;",
        "z = (x / y > 2) == 5;",
        "z = 0 * (x / y);",
        "z = 1 ? x / y : 0;",
        "switch (x / y) { default: ; }",
        "f(x / y);",
        "g(x / y);",  # a function without a prototype, that takes nothing
        "z = 5 / 0;",
        "z = 5 / (3 - 3) == 5 / (3 - 3);",
        "z = ({ x / y; });",
        "z = __builtin_expect(x, y / y);",
        "for (; z < 1; z++, x / y) ;",
    ],
)
def test_divisions_that_nobody_uses(body: str) -> None:
    assert found(body)[0] == "div-by-zero"


@pytest.mark.parametrize(
    "body",
    [
        "z = 1 || x / y;",
        "z = 0 && x / y;",
        "z = y && x / y;",
        "z = !y || x / y;",
        "z = y ? x / y : 1;",
        "z = 0 ? x / y : 1;",
        "z = y == 0 ?: x / y;",
        "z = sizeof(x / y);",
        "z = __builtin_constant_p(x / y);",
        "if (y && x / y == x / y) z = 1;",
        "z = 1.0 / y > 3;",
    ],
)
def test_what_is_not_evaluated_is_no_fault(body: str) -> None:
    assert found(body)[0] is None


@pytest.mark.parametrize(
    "body",
    [
        "z = 2147483647 + 1;",
        "2147483647 + 1;",
        "z = 2147483647 + 1 > 5;",
        "z = -2147483647 - 2;",
        "z = 65536 * 65536;",
        "z = -(-2147483647 - 1);",
        "z = (-2147483647 - 1) / -1;",
        "z = (-2147483647 - 1) % -1;",
        "z = 1 ? 2147483647 + 1 : 0;",
        "unsigned u = 2147483647 + 1;",
        "long l = 9223372036854775807 + 1;",
    ],
)
def test_constant_overflows(body: str) -> None:
    assert found(body)[0] == "signed-overflow"


def test_a_compiler_computes_static_initialisers() -> None:
    assert found("static int t = 2147483647 + 1; z = t;")[0] is None


@pytest.mark.parametrize(
    ("body", "x", "y", "check"),
    [
        ("z = x + y;", MAX, 1, "signed-overflow"),
        ("z = x + y;", MAX, 0, None),
        ("x += y;", MIN, -1, "signed-overflow"),
        ("x -= y;", MIN, 1, "signed-overflow"),
        ("x -= 1l;", MIN, 0, None),  # computed as a long
        ("x *= y;", MIN, -1, "signed-overflow"),
        ("x /= y;", MIN, -1, "signed-overflow"),
        ("x %= y;", MIN, -1, "signed-overflow"),
        ("x %= y;", MIN, 0, "div-by-zero"),
        ("x++;", MAX, 0, "signed-overflow"),
        ("z = x++;", MAX, 0, "signed-overflow"),
        ("--x;", MIN, 0, "signed-overflow"),
        ("x = -x;", MIN, 0, "signed-overflow"),
        ("x = 3 - x;", MIN + 3, 0, "signed-overflow"),
        ("x = 3 - x;", MIN + 4, 0, None),
        ("x = -3 - x;", MAX, 0, "signed-overflow"),
        ("x = -3 - x;", MAX - 2, 0, None),
        ("x = x * 3;", MAX // 3, 0, None),
        ("x = x * 3;", MAX // 3 + 1, 0, "signed-overflow"),
        ("x = x * -3;", MAX // 3 + 1, 0, "signed-overflow"),
        ("x = x * -3;", -(MAX // 3), 0, None),
        ("x = x * -1;", MIN, 0, "signed-overflow"),
        ("char c = 127; c++;", 0, 0, None),  # computed as an int, then converted
        ("unsigned short a = x, b = y; z = a * b;", 65535, 65535, "signed-overflow"),
        ("unsigned u = x; u = u * u + 1;", -1, 0, None),
        ("struct s s; s.a = 3; s.a++; z = s.a;", 0, 0, None),
        ("z = abs(x);", MIN, 0, "signed-overflow"),
        ("z = abs(x);", MIN + 1, 0, None),
        ("z = labs(x);", MIN, 0, None),
        ("z = __builtin_add_overflow(x, y, &z);", MAX, MAX, None),
        ("z = __builtin_mul_overflow(x, y, &z);", MAX, MAX, None),
        ("__sync_fetch_and_add(&x, y);", MAX, MAX, None),  # atomic arithmetic wraps around
        ("int *p = &z; p = p - (long)x; p = p + (long)x;", MIN, 0, None),
        ("int *p = &z; p = p + -x;", MIN, 0, "signed-overflow"),
    ],
)
def test_signed_overflow(body: str, x: int, y: int, check: str | None) -> None:
    assert found(body, x, y)[0] == check


def test_long_is_as_wide_as_the_data_model_says() -> None:
    body = "z = labs(x) > 3;"
    assert found(body, MIN, data_model=DataModel.ILP32)[0] == "signed-overflow"
    body = "int t[3]; int *p = &t[-y]; z = p == t;"
    assert found(body, 0, MIN, data_model=DataModel.ILP32)[0] == "signed-overflow"


@pytest.mark.parametrize(
    ("body", "x", "y", "wrong"),
    [
        ("z = x << y;", 1, 31, "signed overflow"),
        ("z = x << y;", 1, 30, ""),
        ("z = x << y;", 0, 31, ""),
        ("z = x << y;", -1, 0, "shift of a negative number"),
        ("z = x << 0;", -1, 0, "shift of a negative number"),
        ("z = x << y;", 1, 32, "shift by a negative or too large amount"),
        ("z = x >> y;", -1, -1, "shift by a negative or too large amount"),
        ("z = x >> y;", -1, 31, ""),
        ("z = 1u << y;", 0, 31, ""),
        ("z = 1u << y;", 0, 32, "shift by a negative or too large amount"),
        ("z = 1u >> 32;", 0, 0, "shift by a negative or too large amount"),
        ("z = 1 << y;", 0, 31, "signed overflow"),
        ("z = 5 << y;", 0, 28, ""),
        ("z = 5 << y;", 0, 29, "signed overflow"),
        ("z = 1 << 31;", 0, 0, "signed overflow"),
        ("x <<= y;", 3, 30, "signed overflow"),
        ("char c = 64; c <<= 1;", 0, 0, ""),
        ("z = 1l << y > 3;", 0, 62, ""),
    ],
)
def test_shifts(body: str, x: int, y: int, wrong: str) -> None:
    check, text = found(body, x, y)
    assert text.startswith(wrong) and check == ("shift" if wrong else None)


def test_a_shift_overflows_only_if_its_amount_is_valid() -> None:
    checks = frozenset(["signed-overflow"])
    assert found("z = x << y;", 1, 31, checks)[0] == "signed-overflow"
    assert found("z = x << y;", MIN, 1, checks)[0] == "signed-overflow"
    assert found("z = x << y;", -1, 1, checks)[0] is None
    assert found("z = x << y;", 1, 33, checks)[0] is None
    assert found("z = 1 << y;", 1, 33, checks)[0] is None


@pytest.mark.parametrize(
    ("body", "x", "y", "to"),
    [
        ("char c = x;", 200, 0, "char"),
        ("char c = x;", 100, 0, ""),
        ("char c = 300;", 0, 0, "char"),
        ("unsigned u = -1;", 0, 0, "unsigned int"),
        ("unsigned u = (unsigned)x;", -1, 0, "unsigned int"),
        ("long l = x;", -1, 0, ""),
        ("_Bool b = x;", 3, 0, ""),
        ("struct s s; s.b = x;", 2, 0, "a bit-field of 1 bits"),
        ("struct s s = {4, 0};", 0, 0, "a bit-field of 3 bits"),
        ("z = (int)(unsigned)(long)x;", -1, 0, "unsigned int"),
        ("char c = 127; c++;", 0, 0, "char"),
        ("unsigned char c = 255; c += 1;", 0, 0, "unsigned char"),
        ("unsigned u = x + 5u;", -1, 0, "unsigned int"),
        ("z = x > 5 ? (char)y : 0;", 3, 300, ""),
        ("z = x > 5 ? (char)y : 0;", 6, 300, "char"),
        ("z = x && (unsigned)y > 3;", 0, -1, ""),
        ("z = x && (unsigned)y > 3;", 1, -1, "unsigned int"),
        ("z = (char)y == (char)y;", 0, 300, "char"),
        ("z = __builtin_add_overflow(x, y, &z);", MAX, MAX, ""),
        ("__sync_fetch_and_add(&x, -5);", 3, 0, ""),
    ],
)
def test_conversions(body: str, x: int, y: int, to: str) -> None:
    check, text = found(body, x, y, frozenset(["conversion"]))
    assert check == ("conversion" if to else None)
    assert f"to {to} changes the value" in text or not to


def test_the_arithmetic_of_models_is_not_that_of_the_library() -> None:
    body = 'unsigned long strlen(const char *); z = strlen("abc") == 3;'
    assert found(body, checks=ARITHMETIC)[0] is None
