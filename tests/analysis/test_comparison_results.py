"""Only the sign of what strcmp and its kin return is known, where more than it is looked at."""

from __future__ import annotations

from pathlib import Path

import pytest

import predabs
from predabs.analysis.comparison_results import with_any_magnitude
from predabs.frontend.lower.scopes import MODELS
from predabs.ir.ops import Havoc, Source
from support.c_programs import program_of_c

_HEAD = """
#include <assert.h>
#include <stdlib.h>
#include <string.h>
static int order(const void *a, const void *b) { return strcmp(*(char **)a, *(char **)b); }
static int shared, *alias = &shared;
static int compare(const char *a, const char *b) { int r = strcmp(a, b); return r; }
"""

_SIGNS = [
    'assert(strcmp("abc", "ab") > 0);',
    'assert(!strcmp("ab", "ab") && memcmp("ab", "ac", 2));',
    'int r = memcmp("ab", "ac", 2); if (r >= 0) assert(r > 0);',
    'long r = strncmp("ab", "ac", 2); assert(r < 0);',
    'assert(compare("b", "a") > 0);',
    'char *w[3] = {"b", "a", "c"}; qsort(w, 3, sizeof *w, order); assert(!strcmp(w[0], "a"));',
    'int (*f)(const char *, const char *) = strcmp; assert(f("b", "a") > 0);',
]
_NUMBERS = [
    'assert(strcmp("abc", "ab") == 99);',
    'assert(strcmp("abc", "ab") == 1);',
    'assert(compare("c", "a") >= 2);',
    'char r = strcmp("b", "a"); assert(r);',
    'assert(memcmp("c", "a", 1) + memcmp("a", "c", 1) == 0);',
    'int (*f)(const char *, const char *) = strcmp; assert(f("c", "a") == 2);',
    'shared = strcmp("c", "a"); assert(*alias == 2);',
    'int r[1]; r[0] = strcasecmp("c", "a"); assert(r[0] == 2);',
]


def _draws(body: str) -> int:
    program = program_of_c(f"{_HEAD}\nint main(void) {{ {body} return 0; }}")
    changed = with_any_magnitude(program, MODELS)
    return sum(
        isinstance(edge.op, Havoc) and edge.op.source is Source.LIBRARY
        for function in changed.functions.values()
        for edge in function.edges
    )


@pytest.mark.parametrize("body", _SIGNS)
def test_a_program_that_looks_at_signs_needs_no_input(body: str) -> None:
    assert _draws(body) == 0


@pytest.mark.parametrize("body", _NUMBERS)
def test_any_number_of_the_same_sign_is_possible(body: str, tmp_path: Path) -> None:
    assert _draws(body) > 0
    file = tmp_path / "p.c"
    file.write_text(f"{_HEAD}\nint main(void) {{ {body} return 0; }}")
    assert predabs.check([str(file)]).verdict is predabs.Answer.FALSE


def test_the_sign_stays(tmp_path: Path) -> None:
    file = tmp_path / "p.c"
    body = 'int r = strcmp("c", "a"), s = strcmp("a", "c"), z = strcmp("a", "a");'
    body += "assert(r >> 1 >= 0 && s >> 1 < 0 && z >> 1 == 0);"
    file.write_text(f"{_HEAD}\nint main(void) {{ {body} return 0; }}")
    assert predabs.check([str(file)]).verdict is predabs.Answer.TRUE


def test_a_function_of_the_program_is_as_it_is_written(tmp_path: Path) -> None:
    file = tmp_path / "p.c"
    file.write_text(
        "#include <assert.h>\n"
        "int strcmp(const char *a, const char *b) { return *a - *b; }\n"
        'int main(void) { assert(strcmp("c", "a") == 2); return 0; }'
    )
    assert predabs.check([str(file)]).verdict is predabs.Answer.TRUE
