"""`--malloc-may-fail`: each allocation on the heap may give null, and then nothing else happens."""

from __future__ import annotations

from pathlib import Path

import pytest

import predabs
from predabs.concrete.inputs import ZeroInputs
from predabs.concrete.interpreter import execute
from predabs.concrete.outcome import ErrorReached
from predabs.frontend.load import load
from predabs.frontend.lower.failing_malloc import INPUT
from predabs.ir.cfa import Edge
from predabs.ir.ops import Havoc, Source
from predabs.ir.types import ScalarType
from support.c_programs import write_c

HEAD = (
    "typedef __SIZE_TYPE__ size_t; void *calloc(size_t, size_t); void *realloc(void *, size_t);"
    " char *strdup(const char *); void free(void *); void *aligned_alloc(size_t, size_t);"
)
CALLS = ("malloc(3)", "calloc(3, 1)", 'strdup("ab")', "realloc(0, 3)", "aligned_alloc(16, 16)")


class Answers(ZeroInputs):
    """Each allocation fails, or none."""

    def __init__(self, answer: int) -> None:
        self._answer = answer

    def scalar(
        self, source: Source, name: str, type_: ScalarType, edge: Edge | None
    ) -> int | float:
        return self._answer if (source, name) == (Source.LIBRARY, INPUT) else 0


def fails(folder: Path, call: str, answer: int) -> bool:
    """Does a run get null if that is the input?"""
    text = f"{HEAD} int main(void) {{ if (!{call}) reach_error(); return 0; }}"
    program = load([write_c(folder, text)], malloc_may_fail=True)
    return isinstance(execute(program, Answers(answer)), ErrorReached)


@pytest.mark.parametrize("call", CALLS)
def test_an_input_says_whether_it_fails(call: str, tmp_path: Path) -> None:
    assert fails(tmp_path, call, 1)
    assert not fails(tmp_path, call, 0)


@pytest.mark.parametrize("engine", ["bounded", "lazy", "slam", "numpred"])
def test_a_result_that_is_not_looked_at_is_an_error(engine: str, tmp_path: Path) -> None:
    text = "int main(void) { char *p = malloc(4), *q = malloc(4); if (p) *q = 1; return 0; }"
    file = write_c(tmp_path, text)
    options = {"checks": ("null",), "engine": engine}
    assert predabs.check([file], **options).verdict.value == "TRUE"
    found = predabs.check([file], malloc_may_fail=True, **options)
    assert found.verdict.value == "FALSE" and found.violation is not None
    values = [item.value for item in found.violation.inputs if item.name == INPUT]
    assert values == [0, 1]
    assert {item.source for item in found.violation.inputs if item.name == INPUT} == {
        Source.LIBRARY
    }


@pytest.mark.parametrize("engine", ["bounded", "lazy", "slam", "numpred"])
def test_what_is_looked_at_is_safe(engine: str, tmp_path: Path) -> None:
    text = "int main(void) { int *p = malloc(4); if (!p) return 1; *p = 3;"
    file = write_c(tmp_path, f"{text} if (*p != 3) reach_error(); return 0; }}")
    found = predabs.check([file], malloc_may_fail=True, checks=("null",), engine=engine)
    assert found.verdict.value == "TRUE"
    assert not any("malloc fails only" in line for line in found.all_assumptions())


def test_qsort_needs_no_memory(tmp_path: Path) -> None:
    text = """void qsort(void *, unsigned long, unsigned long, int (*)(const void *, const void *));
    static int order(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
    int main(void) { int a[2] = {2, 1}; qsort(a, 2, sizeof *a, order); return a[0] - 1; }"""
    program = load([write_c(tmp_path, text)], malloc_may_fail=True)
    operations = [edge.op for function in program.functions.values() for edge in function.edges]
    assert not any(isinstance(op, Havoc) and op.name == INPUT for op in operations)
