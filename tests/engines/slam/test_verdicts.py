"""The annotated programs and the rules with the slam engine alone: no wrong verdict, and what it
decides."""

from __future__ import annotations

import pytest

import predabs
from support.annotated import Annotated, programs
from support.counted_time import LONG, PLENTY
from support.engine_checks import check_annotated, hold
from support.places import ROOT
from support.selection import mostly_long

PROGRAMS = programs("verdicts")
RULES = sorted(path.stem for path in (ROOT / "examples" / "rules").glob("*.rule"))
SHORT = 0.6  # where the engine is not expected to decide

# what it does not decide soon, and why
UNKNOWN = {
    "library_errno": "a function of the C library without a model",
    "library_read": "the loops of a model of the C library",
    "library_read_wrong": "the loops of a model of the C library",
    "library_snprintf_length": "the text that sprintf writes is open in formulas",
    "library_files": "the loops of a model of the C library",
    "library_line": "the loops of a model of the C library",
    "library_line_wrong": "the loops of a model of the C library",
    "library_loop": "a function of the C library without a model",
    "library_result": "a function of the C library without a model",
    "library_result_unequal": "a function of the C library without a model",
    "library_short_buffer_wrong": "a function of the C library without a model",
    "library_sorted": "the loops of a model of the C library",
    "library_writes_heap_wrong": "a function of the C library without a model",
    "library_writes_wrong": "a function of the C library without a model",
    "asm_result_unequal": "what an instruction computes is not known",
    "array_too_large": "more memory than the interpreter has",
    "queue_behind_struct": "a copy of unknown size",
    "argument_strings": "the exact semantics reads outside of all objects",
    "array_symbolic": "the invariant needs a quantifier",
    "dangling_local_ends": "a dangling pointer ends a run; the formulas do not see it",
    "division_by_zero_ends": "a division by zero ends a run; the formulas do not see it",
    "division_signs": "products and remainders of variables are hard for the solver",
    "float_bits": "no predicate is found about the bits of a floating-point number",
    "floats_constant": "floating-point numbers are open",
    "floats_nan": "floating-point numbers are open",
    "floats_symbolic": "floating-point numbers are open",
    "fresh_memory": "the bounds of objects are not part of the formulas",
    "function_pointers": "predicates about the elements of a table of functions are too few",
    "globals_zero": "floating-point numbers are open, and an array is zero everywhere",
    "heap_list": "the invariant is about a list",
    "heap_uninitialised": "predicates do not speak of memory that is allocated later",
    "loop_bounded": "the loop has to be unrolled",
    "malloc_too_large": "how large the cast of a number is, no predicate says",
    "memcpy_wrong": "a copy of unknown size",
    "memmove_length": "a copy of unknown size",
    "memmove_length_wrong": "a copy of unknown size",
    "memory_sizes": "predicates do not speak of parts of an object",
    "memory_used_again_wrong": "the interpreter gives no object of this size",
    "memset_memcpy": "a copy of unknown size",
    "one_based_array": "predicates about elements whose index is an input are too few",
    "out_of_bounds_ends": "an access out of bounds ends a run; the formulas do not see it",
    "outside_pointer_to_global": "predicates do not speak of places that are reached twice over",
    "overflow_absent": "products of inputs are hard for the solver",
    "pointer_as_integer": "predicates do not speak of places whose address is computed",
    "pointer_from_outside": "the exact semantics writes outside of all objects",
    "pointer_order": "no predicate says which object lies before another",
    "recursion_bounded": "the recursion has to be unrolled",
    "strings_symbolic": "the invariant needs a quantifier",
    "strings_wrong": "the error is many rounds away",
    "struct_copy": "predicates do not speak of parameters that are structs",
    "swap_through_pointers": "what a callee leaves behind a pointer is not said with '*p",
    "switch_states": "it takes longer",
    "two_dimensions": "the loop has to be unrolled",
    "union_bytes": "predicates do not speak of parts of an object",
    "use_after_free_ends": "a use after free ends a run; the formulas do not see it",
    "variadic": "the loop has to be unrolled",
    "vla_symbolic": "the bounds of objects are not part of the formulas",
}

SLOW_RULES = {"double_free": "that allocated objects are different ones takes a proof of its own"}


COSTLY = ("library_line", "loop_unbounded")


@pytest.mark.parametrize("program", mostly_long(PROGRAMS, 14, lambda program: program.name, COSTLY))
def test_annotated_programs(program: Annotated) -> None:
    seconds = SHORT if program.name in UNKNOWN else LONG
    hold(program, check_annotated(program, "slam", seconds), UNKNOWN)


def test_the_list_is_of_programs() -> None:
    assert {program.name for program in PROGRAMS} >= UNKNOWN.keys()


RULE_CASES = [(name, kind) for kind in ("safe", "unsafe") for name in RULES]


@pytest.mark.parametrize(
    ("name", "kind"), mostly_long(RULE_CASES, 3, "-".join, ["interrupt_level-safe"])
)
def test_rules(name: str, kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    rule = f"examples/rules/{name}.rule"
    slow = kind == "safe" and name in SLOW_RULES
    found = predabs.check(
        [f"examples/rules/{name}_{kind}.c"],
        property=rule,
        engine="slam",
        timeout=SHORT if slow else PLENTY,
    )
    if kind == "unsafe":
        assert found.verdict is predabs.Answer.FALSE, found.reason
        assert found.violation is not None
        assert found.violation.coord.file == rule
    elif slow:
        assert found.verdict is not predabs.Answer.FALSE
    else:
        assert found.verdict is predabs.Answer.TRUE, found.reason
