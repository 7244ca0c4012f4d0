"""The annotated programs with the numpred engine alone: no wrong verdict, and what it decides."""

from __future__ import annotations

import pytest

from support.annotated import Annotated, programs
from support.counted_time import LONG
from support.engine_checks import check_annotated, hold
from support.selection import mostly_long

PROGRAMS = programs("verdicts")
SHORT = 0.4  # where the engine is not expected to decide

# what it does not decide soon, and why
UNKNOWN = {
    "library_errno": "a function of the C library without a model",
    "library_getline_wrong": "the loops of a model of the C library",
    "library_keeps": "the loops of a model of the C library",
    "library_read": "the loops of a model of the C library",
    "library_snprintf_length": "the text that sprintf writes is open in formulas",
    "library_line": "the loops of a model of the C library",
    "library_loop": "a function of the C library without a model",
    "library_result": "a function of the C library without a model",
    "library_result_unequal": "a function of the C library without a model",
    "library_short_buffer_wrong": "a function of the C library without a model",
    "library_sorted": "the loops of a model of the C library",
    "library_writes_heap_wrong": "a function of the C library without a model",
    "library_writes_wrong": "a function of the C library without a model",
    "asm_result_unequal": "what an instruction computes is not known",
    "array_too_large": "more memory than the interpreter has",
    "long_sum": "a sum that wraps around a thousand times",
    "queue_behind_struct": "a copy of unknown size",
    "argument_strings": "the exact semantics reads outside of all objects",
    "array_symbolic": "the invariant needs a quantifier",
    "dangling_local_ends": "a dangling pointer ends a run; the abstraction does not see it",
    "division_by_zero_ends": "a division by zero ends a run; the abstraction does not see it",
    "division_signs": "products and quotients of variables",
    "float_bits": "no predicate is found about the bits of a floating-point number",
    "floats_constant": "floating-point numbers are open",
    "floats_nan": "floating-point numbers are open",
    "floats_symbolic": "floating-point numbers are open",
    "fresh_memory": "the bounds of objects are not part of the abstraction",
    "function_pointers": "two predicates together, where only single ones are asked",
    "globals_zero": "floating-point numbers are open",
    "heap_list": "the invariant is about a list",
    "loop_bounded": "the loop has to be unrolled",
    "memcpy_wrong": "a copy of unknown size",
    "memmove_length": "a copy of unknown size",
    "memmove_length_wrong": "a copy of unknown size",
    "memory_sizes": "the sizes of objects",
    "memory_used_again_wrong": "the interpreter gives no object of this size",
    "memset_memcpy": "a copy of unknown size",
    "out_of_bounds_ends": "a fault ends a run; the abstraction does not see it",
    "pointer_as_integer": "addresses as numbers",
    "pointer_from_outside": "the exact semantics writes outside of all objects",
    "pointer_order": "addresses as numbers",
    "recursion_bounded": "recursion",
    "recursion_unbounded": "recursion",
    "recursion_wrong": "recursion",
    "strings_symbolic": "the invariant needs a quantifier",
    "strings_wrong": "the error is many rounds away",
    "struct_copy": "copies of memory",
    "two_dimensions": "the invariant needs a quantifier",
    "union_bytes": "bytes of an integer",
    "use_after_free_ends": "a use after free ends a run; the abstraction does not see it",
    "variadic": "the loop has to be unrolled",
    "vla_symbolic": "the bounds of objects are not part of the abstraction",
}


COSTLY = ("library_line", "loop_unbounded")


@pytest.mark.parametrize("program", mostly_long(PROGRAMS, 14, lambda program: program.name, COSTLY))
def test_annotated_programs(program: Annotated) -> None:
    seconds = SHORT if program.name in UNKNOWN else LONG
    hold(program, check_annotated(program, "numpred", seconds), UNKNOWN)


def test_the_list_is_of_programs() -> None:
    assert {program.name for program in PROGRAMS} >= UNKNOWN.keys()
