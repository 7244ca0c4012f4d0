"""Cursors, bags and instances: proofs that need them, and no proof of what a run refutes."""

from __future__ import annotations

import pytest

from predabs.concrete.inputs import RandomInputs
from predabs.concrete.interpreter import execute
from predabs.concrete.outcome import ErrorReached
from predabs.engines.engine import decide
from predabs.ir.cfa import Program
from predabs.ir.types import DataModel
from predabs.options import Budget, Options
from predabs.verdict import Safe, Unknown, Verdict
from support.c_programs import program_of_c
from support.engine_checks import task_of

N = 5  # for programs that are run
SUM = "long long s = 0; for (i = 0; i < n; i++) s = s + x[i]; return s;"
MAXIMUM = "long long s = 0; for (i = 0; i < n; i++) s = s < x[i] ? x[i] : s; return s;"
SEEDED = "long long s = x[0]; for (i = 1; i < n; i++) s = s & x[i]; return s;"
SWAP = "t = a[0]; a[0] = a[1]; a[1] = t;"
ROTATE = "t = a[0]; for (i = 0; i < n - 1; i++) a[i] = a[i + 1]; a[n - 1] = t;"
SORT = (
    "for (j = 0; j < n; j++) for (i = 0; i < n - 1; i++) if (a[i] > a[i + 1])"
    " { t = a[i]; a[i] = a[i + 1]; a[i + 1] = t; }"
)
FILL = "for (i = 0; i < n; i++) a[i] = __VERIFIER_nondet_int();"
ONES = "for (i = 0; i < n; i++) a[i] = 1;"
STEPS = "a[0] = 7; for (i = 1; i < n; i++) a[i] = a[i - 1] + 1;"


def reduced(function: str, change: str) -> tuple[str, str]:
    """A function that reduces an array, and a program that changes it between two calls."""
    return function, f"{FILL} r = f(a, n); {change} if (r != f(a, n)) reach_error();"


SAFE = {
    "sum, swap": reduced(SUM, SWAP),
    "sum, rotation": reduced(SUM, ROTATE),
    "sum, sorted": reduced(SUM, SORT),
    "maximum, rotation": reduced(MAXIMUM, ROTATE),
    "seeded, swap and rotation": reduced(SEEDED, SWAP + ROTATE),
    "turned around": (
        SUM,
        "n = __VERIFIER_nondet_int(); if (n < 2 || n > 1000) return 0;"
        f"{FILL} r = f(a, n); for (i = 0, j = n - 1; i < j; i++, j--)"
        " { t = a[i]; a[i] = a[j]; a[j] = t; } if (r != f(a, n)) reach_error();",
    ),
    "quotient": reduced(SUM.replace("return s", "return s / 20"), ROTATE),
    "branches": reduced(
        "int s = 0; for (i = 0; i < n; i++) { if (x[i] % 2 == 0) s++; else s--; } return s;", ROTATE
    ),
    "narrow": reduced(SUM.replace("long long s", "unsigned char s"), SWAP),
    "ones": ("", f"{ONES} r = 0; for (i = 0; i < n; i++) r = r + a[i]; if (r != n) reach_error();"),
    "at most three": (
        "",
        "for (i = 0; i < n; i++) { t = __VERIFIER_nondet_int(); if (t < 0 || t > 3) t = 2;"
        " a[i] = t; } r = 0; for (i = 0; i < n; i++) r = r + a[i]; if (r > 3 * n) reach_error();",
    ),
    "from the one before": (
        "",
        f"{STEPS} for (i = 1; i < n; i++) if (a[i] < a[i - 1]) reach_error();",
    ),
}
WRONG = {
    "shifted": reduced(SUM, ROTATE.replace("a[n - 1] = t;", "")),
    "another first": reduced(SUM, ROTATE.replace("t = a[0]", "t = a[1]")),
    "no swap": reduced(SUM, "t = a[0]; a[0] = a[1]; a[1] = a[0];"),
    "one written": reduced(SUM, "a[2] = 3;"),
    "order": reduced(SUM.replace("s + x[i]", "2 * s + x[i]"), SWAP),
    "difference": reduced(SUM.replace("s + x[i]", "x[i] - s"), SWAP),
    "index": reduced(SUM.replace("s = s + x[i]", "if (i > 2) s = s + x[i]"), ROTATE),
    "seeded by another": reduced(SEEDED.replace("x[0]", "x[1]"), ROTATE),
    "not the first": reduced(SUM.replace("i = 0", "i = 1"), SWAP),
    "compared with itself": reduced(
        "int s = 0; for (i = 0; i < n; i++) if (s < 3) s = s + x[i]; return s;", ROTATE
    ),
    "ones": ("", f"{ONES} a[3] = 2;" + SAFE["ones"][1].removeprefix(ONES)),
    "fewer": ("", SAFE["ones"][1].replace("(i = 0; i < n; i++) r", "(i = 1; i < n; i++) r")),
    "steps": ("", SAFE["from the one before"][1].replace("+ 1;", "- 1;")),
    "called with another array": (
        SUM,
        f"int b[{N}]; {FILL} for (i = 0; i < n; i++) b[i] = a[i] + 1;"
        " r = f(a, n); if (r != f(b, n)) reach_error();",
    ),
    "another length": (SUM, f"{FILL} r = f(a, n); if (r != f(a, n - 1)) reach_error();"),
}


def whole(name: str, text: tuple[str, str], length: int) -> Program:
    function, body = text
    if function:
        function = f"int f(int *x, int n) {{ int i; {function} }}"
    return program_of_c(
        f"{function} int main(void) {{ int n = {length}, i, j, t, r; int a[{length}]; {body}"
        " return 0; }",
        data_model=DataModel.ILP32,
    )


def verdict_of(program: Program, *, cursors: bool = True, search: bool = False) -> Verdict:
    task = task_of(program, options=Options(cursors=cursors, cell_predicates=search))
    return decide("cells", task, Budget.of(None))


@pytest.mark.parametrize("name", SAFE)
def test_what_is_proved(name: str) -> None:
    program = whole(name, SAFE[name], 1000)
    assert isinstance(verdict_of(program), Safe)
    assert isinstance(verdict_of(program, cursors=False), Unknown)


@pytest.mark.parametrize("name", WRONG)
def test_what_a_run_refutes_is_not_proved(name: str) -> None:
    program = whole(name, WRONG[name], N)
    runs = (execute(program, RandomInputs(seed)) for seed in range(50))
    assert any(isinstance(run, ErrorReached) for run in runs)
    assert isinstance(verdict_of(program), Unknown)


# what the functions do to g, the index of what main has just written
CALLS_THAT_MOVE = {
    "a global": ("g = g + 1;", "bump();"),
    "a result": ("return 1;", "g = bump();"),
    "through another function": ("deeper();", "bump();"),
}


@pytest.mark.parametrize("name", CALLS_THAT_MOVE)
@pytest.mark.parametrize("index", ["g", "i + g"])
def test_a_call_changes_an_index(name: str, index: str) -> None:
    body, call = CALLS_THAT_MOVE[name]
    program = program_of_c(
        f"int a[4]; int g; void deeper(void) {{ g = 1; }} int bump(void) {{ {body} }}"
        f" int main(void) {{ int i = 0; a[{index}] = 5; {call} if (a[{index}] != 5) reach_error();"
        " return 0; }"
    )
    assert isinstance(execute(program, RandomInputs(0)), ErrorReached)
    assert isinstance(verdict_of(program), Unknown)


@pytest.mark.long
@pytest.mark.parametrize("name", WRONG)
def test_nor_with_predicates(name: str) -> None:
    assert isinstance(verdict_of(whole(name, WRONG[name], N), search=True), Unknown)
