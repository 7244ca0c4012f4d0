"""Objects of computed sizes: what the front end makes of a request, and where formulas put them."""

from __future__ import annotations

import pytest

from predabs.concrete.inputs import ListInputs
from predabs.concrete.interpreter import execute
from predabs.concrete.outcome import ErrorReached
from predabs.encode.encoding import BitVectorEncoding, Encoding
from predabs.encode.initial_states import initial_environment
from predabs.encode.integer_encoding import IntegerEncoding
from predabs.frontend.lower.allocation import ON_STACK, ROOM
from predabs.ir.cfa import Program
from predabs.ir.configuration import TransitionKind
from predabs.ir.ops import VLA_BOUND, Alloc, Assume, Halt
from predabs.ir.show import show_expr
from predabs.ir.types import DataModel
from predabs.smt.solver import Sat, Unsat
from support.c_programs import program_of_c
from support.lazy_setup import Parts

MODELS = [DataModel.ILP32, DataModel.LP64]
LIBRARY = """void free(void *); void *calloc(__SIZE_TYPE__, __SIZE_TYPE__);
void *alloca(__SIZE_TYPE__); unsigned char __VERIFIER_nondet_uchar(void);
__SIZE_TYPE__ __VERIFIER_nondet_size(void);
"""


def program(body: str, model: DataModel = DataModel.LP64, before: str = "") -> Program:
    text = f"{LIBRARY} {before} int main(void) {{ {body} return 0; }}"
    return program_of_c(text, data_model=model)


def conditions(found: Program) -> list[str]:
    edges = found.functions["main"].edges
    return [show_expr(edge.op.cond) for edge in edges if isinstance(edge.op, Assume)]


def allocations(found: Program) -> list[Alloc]:
    return [e.op for f in found.functions.values() for e in f.edges if isinstance(e.op, Alloc)]


# --- requests -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "size",
    [
        "40",
        "0x7fffffffffffffff",
        "__VERIFIER_nondet_uint()",
        "__VERIFIER_nondet_uint() * sizeof(long)",
        "__VERIFIER_nondet_uchar() + 1",
        "__VERIFIER_nondet_size() % 100 + 1",
        "(__VERIFIER_nondet_size() & 255) + 1",
    ],
)
def test_a_size_that_is_never_too_large_takes_no_branch(size: str) -> None:
    found = program(f"void *p = malloc({size});")
    assert len(allocations(found)) == 1
    assert conditions(found) == []
    assert ROOM in found.assumptions


@pytest.mark.parametrize("size", ["0x8000000000000000", "-1", "-sizeof(int)"])
def test_a_constant_that_is_too_large_gives_null(size: str) -> None:
    found = program(f"void *p = malloc({size}); if (p) reach_error();")
    assert allocations(found) == []


@pytest.mark.parametrize(
    "size",
    ["__VERIFIER_nondet_int()", "__VERIFIER_nondet_size()", "__VERIFIER_nondet_uint() - 1ul"],
)
def test_a_size_that_may_be_too_large_takes_a_branch(size: str) -> None:
    found = program(f"void *p = malloc({size});")
    assert len(allocations(found)) == 1
    fits, large = conditions(found)
    assert "9223372036854775807" in fits
    assert "9223372036854775807" in large


def test_calloc_compares_the_count_with_what_the_size_leaves() -> None:
    found = program("void *p = calloc(__VERIFIER_nondet_size(), 16);")
    assert all(str((2**63 - 1) // 16) in cond for cond in conditions(found))
    assert conditions(program("void *p = calloc(__VERIFIER_nondet_size(), 0);")) == []
    assert conditions(program("void *p = calloc(__VERIFIER_nondet_uint(), 16);")) == []


@pytest.mark.parametrize(
    ("call", "inputs", "null"),
    [
        ("malloc(__VERIFIER_nondet_int())", [-1], True),
        ("malloc(__VERIFIER_nondet_int())", [12], False),
        ("malloc(__VERIFIER_nondet_size())", [2**63], True),
        ("calloc(__VERIFIER_nondet_size(), __VERIFIER_nondet_size())", [2**32, 2**32], True),
        ("calloc(__VERIFIER_nondet_size(), __VERIFIER_nondet_size())", [2**32, 0], False),
        ("calloc(__VERIFIER_nondet_size(), __VERIFIER_nondet_size())", [3, 5], False),
        ("calloc(__VERIFIER_nondet_size(), 16)", [2**60], True),
        ("calloc(16, __VERIFIER_nondet_size())", [2], False),
    ],
)
def test_the_interpreter_agrees(call: str, inputs: list[int], null: bool) -> None:
    found = program(f"if (!{call}) reach_error();")
    outcome = execute(found, ListInputs(inputs))
    assert isinstance(outcome, ErrorReached) == null


def test_a_stack_object_is_not_too_large() -> None:
    for body in ("int n = __VERIFIER_nondet_int(); int a[n];", "alloca(__VERIFIER_nondet_int());"):
        found = program(body)
        assert len(conditions(found)) == 2  # it is too large, or not
        ends = [edge.op for edge in found.functions["main"].edges if isinstance(edge.op, Halt)]
        assert [end.text for end in ends] == [VLA_BOUND]
        assert ON_STACK in found.assumptions


# --- memory that is used again --------------------------------------------------------------------


def reuse(found: Program) -> list[bool]:
    return [op.reuse for op in allocations(found)]


def test_nothing_has_ended_before_the_first_free() -> None:
    found = program("char *p = malloc(1), *q = malloc(2); free(p); q = malloc(3); free(q);")
    assert reuse(found) == [False, False, True]


def test_a_free_in_a_loop_comes_before_what_follows_in_the_next_round() -> None:
    found = program("while (__VERIFIER_nondet_int()) { char *p = malloc(1); free(p); }")
    assert reuse(found) == [True]


def test_a_free_in_a_callee_counts() -> None:
    before = "void end(void *p) { free(p); } void *make(void) { return malloc(1); }"
    assert reuse(program("end(make()); make();", before=before)) == [True]
    assert reuse(program("void *p = make(); make(); end(p);", before=before)) == [False]


def test_a_call_through_a_pointer_may_be_of_any_function() -> None:
    before = "void end(void *p) { free(p); } void (*act)(void *) = end;"
    assert reuse(program("act(malloc(1)); malloc(1);", before=before)) == [False, True]


def test_objects_on_the_stack_end_with_their_function() -> None:
    before = "void f(int n) { char a[n + 1]; a[0] = 0; }"
    found = program("malloc(1); f(3); malloc(1);", before=before)
    main = [e.op.reuse for e in found.functions["main"].edges if isinstance(e.op, Alloc)]
    assert main == [False, True]


# --- formulas -------------------------------------------------------------------------------------


def reaches(text: str, model: DataModel, encoding: Encoding) -> bool:
    """Does the formula of the whole program, which has no loop, allow the error?"""
    parts = Parts(program(text, model), encoding=encoding)
    start, _ = initial_environment(parts.formulas)
    block = parts.blocks.make(parts.flow.entry, start)
    errors = [exit_ for exit_ in block.exits if exit_.kind is TransitionKind.ERROR]
    if not errors:
        return False
    solver = parts.solver.fresh()
    solver.add(errors[0].formula)
    answer = solver.check(timeout=120)
    assert isinstance(answer, Sat | Unsat)
    return isinstance(answer, Sat)


@pytest.mark.parametrize("encoding", [IntegerEncoding(), BitVectorEncoding()], ids=lambda e: e.name)
@pytest.mark.parametrize("model", MODELS, ids=lambda m: m.name)
class TestFormulas:
    """`LARGE` is more than half of the heap, which is half of the address space."""

    LARGE = "__SIZE_TYPE__ n = __VERIFIER_nondet_size(), large = (__SIZE_TYPE__)-1 / 16 * 7;"

    def test_freed_memory_is_used_again(self, model: DataModel, encoding: Encoding) -> None:
        text = self.LARGE + "char *p = malloc(n); free(p); char *q = malloc(n);"
        assert reaches(text + "if (q && n > large) reach_error();", model, encoding)

    def test_a_failed_request_is_seen(self, model: DataModel, encoding: Encoding) -> None:
        text = self.LARGE + "char *p = malloc(n); if (!p) reach_error();"
        assert reaches(text, model, encoding)

    def test_all_that_lives_has_room(self, model: DataModel, encoding: Encoding) -> None:
        text = self.LARGE + "char *p = malloc(n), *q = malloc(n);"
        assert not reaches(text + "if (q && n > large) reach_error();", model, encoding)

    def test_the_largest_object_has_room(self, model: DataModel, encoding: Encoding) -> None:
        text = self.LARGE + "char *p = malloc(n);"
        assert reaches(
            text + "if (p && n == (__SIZE_TYPE__)-1 / 2) reach_error();", model, encoding
        )
        assert not reaches(
            text + "if (p && n > (__SIZE_TYPE__)-1 / 2) reach_error();", model, encoding
        )

    def test_what_lives_is_apart(self, model: DataModel, encoding: Encoding) -> None:
        text = "int *o = malloc(4); free(o); int *p = malloc(4), *q = malloc(4); *p = 1; *q = 2;"
        assert not reaches(text + "if (*p != 1 || p == q || !q) reach_error();", model, encoding)


def test_a_size_of_many_terms() -> None:
    """Its range is found without recursion."""
    size = " + ".join(["n"] * 3000)
    text = f"void *malloc(unsigned long); int main(void) {{ unsigned n; return !malloc({size}); }}"
    edges = program_of_c(text).functions["main"].edges
    assert any(isinstance(edge.op, Alloc) for edge in edges)
