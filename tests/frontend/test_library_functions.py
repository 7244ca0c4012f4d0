"""Library functions without a model: the table, what calls become, what a violation rests on."""

from __future__ import annotations

import json
import re

import pytest

from predabs.evidence.replay import Confirmed, NotReplayed, replay
from predabs.frontend.lower import libc
from predabs.frontend.lower.libc import Contract, contract
from predabs.ir.cfa import Edge, Program
from predabs.ir.export import to_json
from predabs.ir.ops import Call, Error, ErrorKind, Havoc, Source
from predabs.ir.types import DOUBLE, INT, VOID, DataModel, FunctionType, size_of
from predabs.verdict import Input
from support.c_programs import program_of_c

POINTER = DataModel.LP64.pointer(VOID)
PARAMETER = re.compile(r"n|p|o|x|l|r\d?|=\d+|b\d(\*\d)?")
RESULT = re.compile(r"-|\?|any|(-?\d+)\.\.(-?\d+|#\d)?")
TABLE = libc._table()


def edges(program: Program) -> list[Edge]:
    return [edge for function in program.functions.values() for edge in function.edges]


def havocs(program: Program, name: str) -> list[Havoc]:
    found = [edge.op for edge in edges(program) if isinstance(edge.op, Havoc)]
    return [op for op in found if op.name == name]


# --- the table ------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", sorted(TABLE))
def test_a_line_means_something(name: str) -> None:
    found = TABLE[name]
    assert RESULT.fullmatch(found.result)
    assert found.more in ("", "...", "..x")
    for param in found.params:
        assert PARAMETER.fullmatch(param)
    for text in (found.result, *(p for p in found.params if p.startswith(("b", "r")))):
        for number in re.findall(r"[#br*](\d)", text):
            assert found.params[int(number)] == "n", "sizes are numbers"


@pytest.mark.parametrize("name", sorted(n for n, c in TABLE.items() if ".." in c.result))
def test_zero_is_an_input_unless_there_is_one_value(name: str) -> None:
    first, _, last = TABLE[name].result.partition("..")
    assert first == last or int(first) <= 0
    assert first == last or not last or last.startswith("#") or int(last) >= 0


def test_variants_for_other_types() -> None:
    error_function = Contract("?", ("n",), floating=True)
    assert contract("erff") == contract("erfl") == contract("erf") == error_function
    assert contract("timef") is None and contract("unheard_of") is None


@pytest.mark.parametrize(
    ("name", "params", "variadic", "fits"),
    [
        ("read", (INT, POINTER, INT), False, True),
        ("read", (), True, True),  # no prototype
        ("read", (), False, False),
        ("read", (INT, INT, INT), False, False),
        ("sprintf", (POINTER, POINTER), True, True),
        ("sprintf", (POINTER, POINTER), False, False),
        ("erf", (DOUBLE,), False, True),
        ("erf", (POINTER,), False, False),
    ],
)
def test_a_function_of_another_type_is_the_programs(
    name: str, params: tuple[object, ...], variadic: bool, fits: bool
) -> None:
    found = contract(name)
    assert found is not None
    assert found.fits(FunctionType(INT, params, variadic)) is fits


# --- what calls become ----------------------------------------------------------------------------


def test_a_result_that_is_not_used_is_not_asked_for() -> None:
    program = program_of_c("double erf(double); int main(void) { erf(1.0); return 0; }")
    assert not havocs(program, "erf") and not program.externals


def test_an_input_is_asked_for_even_if_it_is_not_used() -> None:
    # the compiled test hands out one value for each call
    program = program_of_c("int rand(void); int main(void) { rand(); return 0; }")
    assert [op.source for op in havocs(program, "rand")] == [Source.EXTERN]


def test_writes_reach_what_the_arguments_say() -> None:
    program = program_of_c(
        "void stat(const char *, int *); void strxfrm(void *, const char *, unsigned long);"
        "int main(void) { int s; char b[9]; char c[9]; stat(0, &s);"
        ' strxfrm(b, "", 4); strxfrm(c, "", 20); return 0; }'
    )
    written = [size_of(op.target.type) for op in havocs(program, "strxfrm")]
    # no more than the call says; where that may be more than there is, a number of bytes (8 of
    # these for the number itself) and each of them in a loop, so that its place can be checked
    assert written == [4, 8, 1]
    assert [op.target.type for op in havocs(program, "stat")] == [INT]
    assert {op.source for op in havocs(program, "strxfrm")} == {Source.UNKNOWN}


def test_what_is_taken_from_outside() -> None:
    """As many bytes as the result says are inputs; a large array has no loop, and one byte more
    stands for those behind its end."""
    program = program_of_c(
        "long read(int, void *, unsigned long);"
        "int main(void) { char b[9]; char c[99]; read(0, b, 9); read(0, c, 99); return 0; }"
    )
    found = [(size_of(op.target.type), op.source) for op in havocs(program, "read")]
    assert found == [
        (8, Source.EXTERN),
        (1, Source.LIBRARY),
        (8, Source.EXTERN),
        (99, Source.LIBRARY),
        (99, Source.UNKNOWN),
        (1, Source.LIBRARY),
    ]


def test_a_model_is_not_for_functions_of_another_kind() -> None:
    program = program_of_c("int getline(int n); int main(void) { return getline(3); }")
    assert list(program.externals) == ["getline"]


def test_a_null_pointer_is_not_written_through() -> None:
    program = program_of_c(
        "double modf(double, double *); int main(void) { modf(1.5, 0); return 0; }"
    )
    assert not havocs(program, "modf")


def test_a_function_of_the_program_stays_an_input() -> None:
    program = program_of_c("int read(void); int main(void) { return read(); }")
    assert list(program.externals) == ["read"]
    assert any(isinstance(edge.op, Call) for edge in edges(program))


SYSTEM = '\n# 1 "a.h" 1 3 4\n%s\n# 2 "a.c" 2\nint main(void) { int x = 1; %s; return x; }\n'


def test_what_a_system_header_declares_may_write() -> None:
    program = program_of_c(SYSTEM % ("int unheard_of(int *, const char *);", 'unheard_of(&x, "a")'))
    assert {op.source for op in havocs(program, "unheard_of")} == {Source.UNKNOWN}
    assert not program.externals


@pytest.mark.parametrize(
    ("declaration", "call"),
    [
        ("int unheard_of(int (*)(void));", "unheard_of(0)"),
        ("struct s { int *p; }; int unheard_of(struct s *);", "unheard_of(0)"),
        ("int unheard_of(int ***);", "unheard_of(0)"),
    ],
)
def test_nothing_is_known_after_a_system_function_that_may_do_more(
    declaration: str, call: str
) -> None:
    program = program_of_c(SYSTEM % (declaration, call))
    (error,) = [edge.op for edge in edges(program) if isinstance(edge.op, Error)]
    assert error == Error(ErrorKind.UNSUPPORTED, "unheard_of is not supported")


def test_choices_of_models_are_told() -> None:
    program = program_of_c(
        "void qsort(void *, unsigned long, unsigned long, int (*)(const void *, const void *));"
        "int order(const void *a, const void *b) { return 0; }"
        "int main(void) { int a[2]; qsort(a, 2, 4, order); return 0; }"
    )
    assert any("qsort is stable" in text for text in program.assumptions)


# --- what a violation rests on --------------------------------------------------------------------

START = (
    "double erf(double); int puts(const char *); int wctomb(char *, int);"
    "int getc(void *); void *memcpy(void *, const void *, unsigned long);"
    "int pick(int x) { return x; } int a[3]; int g; char text[8];"
    "int main(void) { int x = (int)erf(1.0); int y = 0; int *p = &y; "
)


@pytest.mark.parametrize(
    ("body", "rests"),
    [
        ("reach_error();", False),
        ("y = x + 1; g = x; a[0] = x; reach_error();", False),
        ("wctomb(text, 1); puts(text); reach_error();", False),
        ("if (x != 77) reach_error();", True),
        ("if (x != 77) y = 2; reach_error();", True),
        ("y = x * 2; if (*p != 77) reach_error();", True),
        ("*p = x; if (y != 77) reach_error();", True),
        ("*p = x; if (g != 77) reach_error();", False),
        ("if (pick(x) != 77) reach_error();", True),
        ("if (pick(4) != 77) reach_error();", False),
        ("y = a[x]; reach_error();", True),
        ("y = 1 / (x + 1); reach_error();", True),
        ("a[1] = x; memcpy(&g, &a[1], 4); if (g != 77) reach_error();", True),
        ("wctomb(text, 1); if (text[1] != 77) reach_error();", True),
        ("wctomb(text, 1); if (a[1] != 77) reach_error();", False),
        ("while (x == 77) ; reach_error();", True),
    ],
)
def test_dependence(body: str, rests: bool) -> None:
    program = program_of_c(START + body + " return 0; }")
    given = [
        Input(e.op.source, e.op.name, e.op.target.type, 0, e.coord)
        for e in edges(program)
        if isinstance(e.op, Havoc) and e.op.name == "erf"
    ]
    found = replay(program, given)
    assert isinstance(found, NotReplayed if rests else Confirmed), found
    if isinstance(found, NotReplayed):
        assert found.unmodelled
        assert re.search(r"rests on what `(erf|wctomb)` returns or writes", found.reason)


def test_a_run_that_misses_the_error_names_the_function() -> None:
    program = program_of_c(START + "if (x == 77) reach_error(); return 0; }")
    edge = next(e for e in edges(program) if isinstance(e.op, Havoc) and e.op.name == "erf")
    found = replay(program, [Input(Source.UNKNOWN, "erf", DOUBLE, 3.0, edge.coord)])
    assert isinstance(found, NotReplayed) and "`erf`" in found.reason and not found.unmodelled


def test_json_tells_where_a_function_writes() -> None:
    program = program_of_c(
        "int sprintf(char *, const char *, ...);"
        'void f(char *p) { sprintf(p + 1, "a"); } int main(void) { f(0); return 0; }'
    )
    found = [
        edge["op"]["extent"]
        for function in json.loads(to_json(program))["functions"]
        for edge in function["edges"]
        if edge["op"].get("extent")
    ]
    (extent,) = found
    assert extent["most"] is None and "f::" in extent["pointer"]
