"""Formulas of single edges and paths, and the addresses that they speak of."""

from __future__ import annotations

from itertools import pairwise

import pytest

from predabs.analysis.memory.partition import partition
from predabs.analysis.points_to.sets import points_to
from predabs.encode.encoding import BitVectorEncoding
from predabs.encode.environment import Environment, Formulas
from predabs.encode.integer_encoding import IntegerEncoding, NeedsBitVectors
from predabs.errors import UnsupportedFeature
from predabs.ir.cfa import Edge, Program
from predabs.ir.def_use import op_values
from predabs.ir.ops import Call
from predabs.ir.types import size_of
from predabs.smt.term import App, Term, is_app, postorder
from predabs.smt.term import Op as TermOp
from support.c_programs import program_of_c
from support.path_formulas import encode_expr, path_formula


def whole(text: str) -> tuple[Program, list[Edge]]:
    """A program, and the edges of its main function."""
    program = program_of_c(text)
    return program, list(program.functions["main"].edges)


UNKNOWN_VALUES = {
    "the size of one of two objects": "char *p = malloc(x > 0 ? 8 : 9); p = realloc(p, 9); x = *p;",
}


@pytest.mark.parametrize("name", UNKNOWN_VALUES)
def test_what_has_no_formula_is_anything(name: str) -> None:
    text = f"""void *realloc(void *, unsigned long);
    int main(void) {{ int x = __VERIFIER_nondet_int(); {UNKNOWN_VALUES[name]} return x; }}"""
    program, _ = whole(text)
    formulas = Formulas(partition(program, points_to(program)), BitVectorEncoding())
    edges = [edge for function in program.functions.values() for edge in function.edges]
    values = [edge for edge in edges if not isinstance(edge.op, Call)]
    blocks = [path_formula(formulas, [edge], Environment("0")) for edge in values]
    assert not all(block.exact for block in blocks)
    with pytest.raises(UnsupportedFeature):  # but a formula about it would not be one
        for edge in values:
            for value in op_values(edge.op):
                encode_expr(formulas, value, Environment("0"))


def test_bit_operations_on_variables_need_vectors() -> None:
    program, edges = whole("int main(void) { int n, m; n = n & m; return n; }")
    split = partition(program, points_to(program))
    assert path_formula(Formulas(split, BitVectorEncoding()), edges[:3], Environment("0")).exact
    with pytest.raises(NeedsBitVectors):
        path_formula(Formulas(split, IntegerEncoding()), edges[:3], Environment("0"))


def test_a_call_is_no_part_of_a_path() -> None:
    program, edges = whole("int f(void) { return 1; } int main(void) { return f(); }")
    formulas = Formulas(partition(program, points_to(program)), BitVectorEncoding())
    (call,) = [edge for edge in edges if isinstance(edge.op, Call)]
    with pytest.raises(UnsupportedFeature, match=r"a\.c:1:\d+: a call of a function"):
        path_formula(formulas, [call], Environment("0"))


def test_variables_have_numbers_as_addresses_and_lie_apart() -> None:
    program, _ = whole(
        "int g, a[100]; extern int e[]; void f(int *p) { int x; p[0] = x; f(&x); }"
        "int main(void) { struct { char c[33]; } r; int x, y; f(&x); f(&y); f(a); f(&g); f(e);"
        "return r.c[x]; }"
    )
    split = partition(program, points_to(program))
    formulas = Formulas(split, BitVectorEncoding())
    functions = program.functions.values()
    variables = [item.var for item in program.globals]
    variables += [var for f in functions for var in (*f.params, *f.locals)]
    ends = sorted((formulas.address(var).low, size_of(var.type)) for var in variables)
    assert all(at + size < other for (at, size), (other, _) in pairwise(ends))
    other = Formulas(split, IntegerEncoding())
    assert all(formulas.address(var).low == other.address(var).low for var in variables)
    low, high = formulas.addresses.stack
    assert all((low <= formulas.address(v).low <= high) == ("::" in v.name) for v in variables)


NO_WRAP = {
    "a member behind a pointer": "r->f = 3; x = r->n->f;",
    "an element of an array": "a[x] = 4; x = a[y];",
    "an element of a member": "r->v[x] = 5; x = r->v[y];",
    "an object that is allocated": "r = malloc(x > 0 ? 100 : 200);",
    "a conversion that is compared": "if ((int)u == -7) x = 1; if ((int)u == (int)w) x = 2;",
}
WRAP = {
    "an address behind a pointer": "p = &r->f;",
    "an address in an array": "p = &a[x];",
    "a conversion": "x = (int)u;",
    "an order of conversions": "if ((int)u < y) x = 1;",
}


@pytest.mark.parametrize("name", [*NO_WRAP, *WRAP])
def test_what_is_accessed_needs_no_wrap_around(name: str) -> None:
    """An address that is only computed may be any; one that is used lies in an object."""
    text = f"""struct s {{ int g; int f; int v[9]; struct s *n; }} t, *r = &t;
    int x, y, a[20], *p; unsigned u, w;
    int main(void) {{ {(NO_WRAP | WRAP)[name]} r->v[2] = *p; r->n = r; return r->f; }}"""
    program, edges = whole(text)
    formulas = Formulas(partition(program, points_to(program)), IntegerEncoding())
    found = []
    for edge in edges:
        block = path_formula(formulas, [edge], Environment("0"))
        found += [block.formula, *(value.term for value in block.environment.changed.values())]
        if block.environment.heap is not None:
            found.append(block.environment.heap.term)
    sums = [part for part in postorder(found) if is_app(part, TermOp.ITE) and _is_sum(part)]
    assert bool(sums) == (name in WRAP)


def _is_sum(choice: Term) -> bool:
    assert isinstance(choice, App)
    return any(is_app(arg, TermOp.ADD) for arg in choice.args[1:])
