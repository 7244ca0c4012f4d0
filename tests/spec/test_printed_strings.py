"""With the check `deref`, a string that is printed must end inside its object."""

from __future__ import annotations

import ctypes
import random
from pathlib import Path

import pytest

import predabs
from predabs.concrete.inputs import ListInputs
from predabs.concrete.interpreter import execute
from predabs.concrete.outcome import ErrorReached, Exited
from predabs.ir import make
from predabs.ir.expr import Const
from predabs.ir.types import INT, DataModel, IntType
from predabs.spec.checks import add_checks
from predabs.spec.formatted_lengths import length_of
from support.c_programs import program_of_c, write_c

HEAD = (
    "int printf(const char *, ...); int puts(const char *); void perror(const char *);"
    "int fprintf(void *, const char *, ...); int fputs(const char *, void *);"
    "int sprintf(char *, const char *, ...); char room[8];"
    "int snprintf(char *, __SIZE_TYPE__, const char *, ...);"
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
    'sprintf(room, "%d", -123456)',
    'sprintf(room, "%s%5s", good, "abc")',
    'sprintf(room, "%x %c%%", 0xffff, 65)',
    'sprintf(room, "%hhd%+d", 511, 42)',
    'snprintf(room, 8, "%d", -12345678)',
    'snprintf(room, 100, "%s", "7 chars")',
    'snprintf(0, 0, "%d", -12345678)',
    'sprintf(room + 4, "%u", 999)',
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
    'sprintf(room, "%s", bad)',
    'sprintf(room, "%d", -1234567)',
    'sprintf(room, "%s%6s", good, "abc")',
    'sprintf(room, "%x %c%%", 0xfffff, 65)',
    'sprintf(room, "%u", -1)',
    'snprintf(room, 9, "%d", -12345678)',
    'snprintf(room, 100, "%s", "8 chars!")',
    'sprintf(room + 4, "%u", 1000)',
    'sprintf(null, "")',
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


def test_lengths_of_texts() -> None:
    """The length is the one of the C library."""
    kinds = ["d", "i", "u", "x", "X", "o", "c", "ld", "lu", "lx", "hd", "hhu", "hhi", "zu", "lld"]
    libc = ctypes.CDLL(None)
    choice = random.Random(0)
    for _ in range(300):
        pieces, args, values = [], {}, []
        for place in range(choice.randrange(4)):
            kind, flags = choice.choice(kinds), choice.choice(["", "", "-", "+", " ", "0"])
            width = choice.choice(["", "", "3", "12"])
            pieces.append(f"{choice.choice(['', 'a=', '%%'])}%{flags}{width}{kind}")
            long = kind[0] in "lz"
            bits = 64 if long else 32
            value = choice.choice([0, 9, 10, -10, choice.getrandbits(bits) - (1 << bits - 1)])
            args[place] = make.const(value, IntType(bits, True))
            values.append(ctypes.c_int64(value) if long else ctypes.c_int32(value))
        text = "".join(pieces)
        found = length_of(text, args, {}, DataModel.LP64)
        assert isinstance(found.exact, Const) and (found.least, found.most) == (0, 0)
        assert found.exact.value == libc.snprintf(None, 0, text.encode(), *values), text


FLOATS = [0.0, -1.5, 1e300, -1e-300, float("inf"), float("nan"), -1234567.0, 99999999.5]


def test_bounds_of_texts() -> None:
    libc = ctypes.CDLL(None)
    for text in ["%f", "%.2f", "%e", "%.0e", "%g", "%.12g", "%9.1f", "%#.0f", "%p", "%.5d", "%#o"]:
        found = length_of(text, {}, {}, DataModel.LP64)
        for value in FLOATS:
            passed = ctypes.c_double(value) if text[-1] in "feg" else ctypes.c_int64(int(3e9))
            length = libc.snprintf(None, 0, text.encode(), passed)
            assert found.most is not None and found.least <= length <= found.most, text


@pytest.mark.parametrize("text", ["%2$s%1$d", "%*d", "%.*s", "%'d", "%La", "%ls", "%m"])
def test_lengths_that_nobody_knows(text: str) -> None:
    assert length_of(text, {0: make.const(1, INT)}, {}, DataModel.LP64).most is None


@pytest.mark.parametrize(
    ("body", "verdict"),
    [
        ('char b[12]; sprintf(b, "%d", x);', "TRUE"),
        ('char b[11]; sprintf(b, "%d", x);', "FALSE"),
        ('char b[12]; sprintf(b, "%d", x); puts(b);', "TRUE"),
        ('char *b = malloc(8); sprintf(b, "n=%d", x); free(b);', "FALSE"),
        ('char b[8]; snprintf(b, sizeof b, "%d %f", x, 1.0);', "TRUE"),
        ('char b[330]; sprintf(b, "%f", (double)x);', "TRUE"),
        ('char b[99]; sprintf(b, "%f", (double)x);', "UNKNOWN"),
    ],
)
def test_engines_know_the_room(body: str, verdict: str, tmp_path: Path) -> None:
    head = HEAD + "void *malloc(__SIZE_TYPE__); void free(void *);"
    text = f"{head} int main(void) {{ int x = __VERIFIER_nondet_int(); {body} return 0; }}"
    found = predabs.check([write_c(tmp_path, text)], checks=("memory",), engine="bounded")
    assert found.verdict.value == verdict


@pytest.mark.parametrize(("size", "verdict"), [(100, "TRUE"), (10, "UNKNOWN")])
def test_a_buffer_that_is_shorter_than_the_call_says(
    size: int, verdict: str, tmp_path: Path
) -> None:
    head = "struct tm; __SIZE_TYPE__ strftime(char *, __SIZE_TYPE__, const char *, const void *);"
    body = f'char b[{size}]; strftime(b, 100, "%c", (void *)0);'
    file = write_c(tmp_path, f"{head} int main(void) {{ {body} return 0; }}")
    found = predabs.check([file], checks=("memory",), engine="bounded")
    assert found.verdict.value == verdict


def test_an_engine_finds_it(tmp_path: Path) -> None:
    body = "char a[2]; a[0] = 'x'; a[1] = __VERIFIER_nondet_int(); puts(a);"
    file = write_c(tmp_path, f"{HEAD} int main(void) {{ {body} return 0; }}")
    found = predabs.check([file], checks=("memory",))
    assert found.verdict.value == "FALSE" and found.violation is not None
    assert found.violation.subproperty == "deref"
