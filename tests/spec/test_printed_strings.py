"""With the check `deref`, a string that is printed must end inside its object."""

from __future__ import annotations

from pathlib import Path

import pytest

import predabs
from predabs.concrete.inputs import ListInputs
from predabs.concrete.interpreter import execute
from predabs.concrete.outcome import ErrorReached, Exited
from predabs.spec.checks import add_checks
from support.c_programs import program_of_c, write_c

HEAD = (
    "int printf(const char *, ...); int puts(const char *); void perror(const char *);"
    "int fprintf(void *, const char *, ...); int fputs(const char *, void *);"
    "char good[3] = {'a', 'b', 0}, bad[2] = {'a', 'b'}, *null;"
)

FINE = (
    'printf("%s %d", good, 3)',
    'printf("%s", "literal")',
    'printf("%.2s", bad)',
    'printf("%.*s", 2, bad)',
    'printf("%p", null)',
    'printf("100%%s %d", 3)',
    "puts(good)",
    "perror(null)",
    "perror(good)",
    "fputs(good + 1, 0)",
    'fprintf(0, "%5s", good)',
)
WRONG = (
    'printf("%s", bad)',
    'printf("%d %% %*d %5s", 1, 2, 3, bad)',
    'printf("%s", null)',
    "puts(bad)",
    "puts(good + 3)",
    "perror(bad)",
    "fputs(bad, 0)",
    'fprintf(0, "%d%s", 1, bad)',
)


def is_wrong(call: str) -> bool:
    program = program_of_c(f"{HEAD} int main(void) {{ {call}; return 0; }}")
    found = execute(add_checks(program, frozenset(["deref"])), ListInputs([]))
    assert isinstance(found, Exited | ErrorReached), found
    return isinstance(found, ErrorReached)


@pytest.mark.parametrize("call", FINE)
def test_strings_that_end(call: str) -> None:
    assert not is_wrong(call)


@pytest.mark.parametrize("call", WRONG)
def test_strings_that_do_not(call: str) -> None:
    assert is_wrong(call)


def test_an_engine_finds_it(tmp_path: Path) -> None:
    body = "char a[2]; a[0] = 'x'; a[1] = __VERIFIER_nondet_int(); puts(a);"
    file = write_c(tmp_path, f"{HEAD} int main(void) {{ {body} return 0; }}")
    found = predabs.check([file], checks=("memory",))
    assert found.verdict.value == "FALSE" and found.violation is not None
    assert found.violation.subproperty == "deref"
