"""Formulas of paths and blocks against runs of the interpreter, in both encodings."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from c_programs import program_of_c
from predabs.analysis.partition import partition
from predabs.analysis.points_to import points_to
from predabs.concrete.inputs import RandomInputs
from predabs.concrete.machine import execute
from predabs.concrete.outcome import Step
from predabs.errors import InternalError, UnsupportedFeature
from predabs.ir import make
from predabs.ir.cfa import Coord, Edge, Function, Location, Program
from predabs.ir.expr import Cast, Expr, Lvalue, Var
from predabs.ir.ops import Assign, Call, Error
from predabs.ir.types import INT, LLONG, IntType, PointerType, size_of
from predabs.ir.walk import op_values
from predabs.logic import build
from predabs.logic.encode_int import Integers, NeedsBitVectors
from predabs.logic.encoding import Vectors
from predabs.logic.environment import Environment, Formulas, encode_expr
from predabs.logic.factory import create
from predabs.logic.solver import Sat, Statistics, Unknown, Unsat
from predabs.logic.ssa import block_formula, either_encoding, named, path_formula
from predabs.logic.term import App, Term, is_app, postorder, symbols
from predabs.logic.term import Op as TermOp
from straight_programs import between, straight_program

HERE = Coord("observed.c", 1, 1)


def observations(program: Program) -> list[Expr]:
    """Expressions that together tell what the variables hold."""
    main = program.functions["main"]
    found: list[Expr] = []
    variables = {g.var.short: g.var for g in program.globals}
    variables |= {v.short: v for v in main.locals if v.short in ("i", "j", "k", "c", "l")}
    targets = [variables[name] for name in ("x", "y", "p", "q") if name in variables]
    for name in "xyuijkcl":
        if name in variables:
            found.append(variables[name])
    array = variables["a"]
    elements = [make.index(array, make.const(n, LLONG)) for n in range(4)]
    found += elements
    places = [*targets, *elements]
    links: list[Lvalue] = []
    for record in ("s", "t"):
        if record in variables:
            base = variables[record]
            members = program.records[base.type.tag].members  # type: ignore[union-attr]
            fields = {m.name: make.field(base, m.name, m.type) for m in members}
            found += [fields[name] for name in "fgh"]
            places += [fields["f"], base]
            links.append(fields["n"])
    pointers = [variables[name] for name in ("p", "q", "pp", "r") if name in variables]
    for pointer in (*pointers, *links):
        assert isinstance(pointer.type, PointerType)
        for place in places:
            if place.type is pointer.type.target:
                found.append(make.equal(pointer, make.address_of(place, pointer.type)))
    return found


def observed(program: Program) -> tuple[Program, dict[Var, tuple[str, Expr]]]:
    """The program with assignments that show the observations before and after."""
    main = program.functions["main"]
    edges = list(main.edges)
    ghosts: dict[Var, tuple[str, Expr]] = {}
    count = 200_000
    for label in ("begin", "end"):
        at = main.labels[label]
        start = Location("main", count)
        edges = [replace(e, dst=start) if e.dst is at else e for e in edges]
        here = start
        for number, expr in enumerate(observations(program)):
            count += 1
            value = expr if isinstance(expr.type, IntType) else Cast(expr, INT)
            ghost = Var(f"main::{label}{number}", value.type)
            ghosts[ghost] = (label, expr)
            following = Location("main", count)
            edges.append(Edge(here, Assign(ghost, value), following, HERE))
            here = following
        edges = [replace(e, dst=at) if e.dst is here else e for e in edges]
        count += 1
    function = Function(
        main.name,
        main.type,
        main.params,
        (*main.locals, *ghosts),
        main.entry,
        main.exit,
        tuple(edges),
        main.coord,
        main.labels,
    )
    return replace(program, functions={"main": function}), ghosts


def runs(
    subject: Program, ghosts: dict[Var, tuple[str, Expr]], seeds: range
) -> list[dict[str, list[tuple[Expr, int]]]]:
    """What was observed in runs that came to the end."""
    found = []
    for seed in seeds:
        steps: list[Step] = []
        execute(subject, RandomInputs(seed), trace=steps.append)
        seen: dict[str, list[tuple[Expr, int]]] = {"begin": [], "end": []}
        for step in steps:
            for place, value in step.values:
                if isinstance(place, Var) and place in ghosts:
                    label, expr = ghosts[place]
                    assert isinstance(value, int)
                    seen[label].append((expr, value))
        found.append(seen)
    return found


def holds(formulas: Formulas, seen: list[tuple[Expr, int]], environment: Environment):  # type: ignore[no-untyped-def]
    """The condition that the observations are these."""
    terms = []
    for expr, value in seen:
        if isinstance(expr.type, IntType):
            expr = make.equal(expr, make.const(value, expr.type))
        elif value == 0:
            expr = make.negate(expr)
        terms.append(encode_expr(formulas, expr, environment).term)
    return build.and_(*terms)


def check_block(program: Program, encoding: str) -> Counter[str]:
    main = program.functions["main"]
    subject, ghosts = observed(program)
    division = partition(subject, points_to(subject))
    formulas = Formulas(division, Vectors() if encoding == "bv" else Integers())
    entry = Environment("0")
    result: Counter[str] = Counter()
    block = block_formula(
        formulas, between(program), main.labels["begin"], main.labels["end"], entry
    )
    assert block.exact
    for seen in runs(subject, ghosts, range(3)):
        before = holds(formulas, seen["begin"], entry)
        solver = create("bitwuzla" if encoding == "bv" else "z3", Statistics())
        if not seen["end"]:  # an assumption failed on the way
            solver.add(formulas.closed(block.formula, before))
            assert isinstance(solver.check(timeout=20), Unsat)
            result["stopped"] += 1
            continue
        after = holds(formulas, seen["end"], block.environment)
        solver.push()
        solver.add(formulas.closed(block.formula, before, after))
        assert isinstance(solver.check(timeout=20), Sat)
        solver.pop()
        solver.add(formulas.closed(block.formula, before, build.not_(after)))
        assert isinstance(solver.check(timeout=20), Unsat)
        result["ended"] += 1
    return result


@settings(max_examples=25)
@given(st.integers(0, 2**32))
def test_blocks_with_records_are_what_runs_do(seed: int) -> None:
    check_block(straight_program(seed, 4, branches=True), "bv")


@settings(max_examples=25)
@given(st.integers(0, 2**32), st.sampled_from(["bv", "int"]))
def test_blocks_are_what_runs_do_in_both_encodings(seed: int, encoding: str) -> None:
    check_block(straight_program(seed, 4, records=False, branches=True), encoding)


def whole(text: str) -> tuple[Program, list[Edge]]:
    """A program, and the edges of its main function from the start to the error."""
    program = program_of_c(text)
    return program, list(program.functions["main"].edges)


def reaches_error(text: str, encoding: str) -> bool:
    """Can the error of a program without loops be reached, by the formula of the whole?"""
    program, edges = whole(text)
    main = program.functions["main"]
    formulas = Formulas(
        partition(program, points_to(program)), Vectors() if encoding == "bv" else Integers()
    )
    (error,) = [edge.dst for edge in edges if isinstance(edge.op, Error)]
    block = block_formula(formulas, edges, main.entry, error, Environment("0"))
    solver = create("bitwuzla" if encoding == "bv" else "z3", Statistics())
    solver.add(formulas.closed(block.formula))
    answer = solver.check(timeout=30)
    assert not isinstance(answer, Unknown)
    return isinstance(answer, Sat)


BLOCKS = {
    "two locals lie apart": ("int x, y; int *p = &x, *q = &y; if (p == q) __VERIFIER_error();", 0),
    "locals are not globals": ("int x; int *p = &x; if (p == &g || !p) __VERIFIER_error();", 0),
    "an allocated object is new": (
        "int *p = malloc(8), *q = malloc(4); *p = 1; *q = 2; if (*p != 1) __VERIFIER_error();",
        0,
    ),
    "allocated objects are no variables": (
        "int x = 1; int *p = malloc(4); int *q = &x; *p = 2; if (*q == 2) __VERIFIER_error();",
        0,
    ),
    "allocated objects have two addresses": (
        "int *p = malloc(4), *q = malloc(4); if (p == q || !p) __VERIFIER_error();",
        0,
    ),
    "memmove reads before it writes": (
        "int a[3]; a[0] = 1; a[1] = 2; a[2] = 3; memmove(a + 1, a, 8);"
        "if (a[0] != 1 || a[1] != 1 || a[2] != 2) __VERIFIER_error();",
        0,
    ),
    "memmove of bytes": (
        "union { int i; unsigned char c[4]; } u; u.i = 0x01020304; memmove(u.c + 1, u.c, 3);"
        "if (u.i != 0x02030404) __VERIFIER_error();",
        0,
    ),
    "allocated memory holds anything": (
        "int *p = malloc(4); if (*p == 77) __VERIFIER_error();",
        1,
    ),
    "calloc gives zeros": ("int *p = calloc(4, 2); if (p[1] != 0) __VERIFIER_error();", 0),
    "memset fills": (
        "struct s v; v.a = 3; memset(&v, 255, sizeof v); if (v.a != -1) __VERIFIER_error();",
        0,
    ),
    "memcpy copies": (
        "struct s v, w; v.a = __VERIFIER_nondet_int(); v.b = 7; memcpy(&w, &v, sizeof v);"
        "if (w.a != v.a || w.b != 7) __VERIFIER_error();",
        0,
    ),
    "records are copied": (
        "struct s v, w; struct s *p = __VERIFIER_nondet_int() ? &v : &w; v.a = 1; w.a = 1;"
        "p->b = 5; v = *p; if (v.a != 1 || v.b != 5) __VERIFIER_error();",
        0,
    ),
    "unions share bytes": (
        "union { int i; unsigned char c[4]; } u; u.i = 0x01020304;"
        "if (u.c[1] != 3) __VERIFIER_error();",
        0,
    ),
    "bit-fields share bytes": (
        "struct { unsigned a : 3, b : 7; } f, *p = &f; p->a = 5; p->b = 99; p->a++;"
        "if (p->b != 99 || p->a != 6) __VERIFIER_error();",
        0,
    ),
    "an index out of bounds goes no further": (
        "int a[2]; a[0] = 1; unsigned i = __VERIFIER_nondet_uint(); a[i] = 3;"
        "if (i > 1) __VERIFIER_error();",
        0,
    ),
    "a division by zero goes no further": (
        "int x = __VERIFIER_nondet_int(); int y = 3 / x; if (x == 0 && y == y) __VERIFIER_error();",
        0,
    ),
    "wrapping is exact": (
        "unsigned x = __VERIFIER_nondet_uint(); if (x + 1 < x) __VERIFIER_error();",
        1,
    ),
    "other functions give anything": ("if (outside(3) == 4) __VERIFIER_error();", 1),
}
# what integers cannot say
BYTES = {
    "unions share bytes",
    "bit-fields share bytes",
    "memmove of bytes",
    "a division by zero goes no further",
}
_FRAME = """
int g; struct s {{ int a; int b; }}; int outside(int);
void *memset(void *, int, unsigned long), *memcpy(void *, const void *, unsigned long);
void *calloc(unsigned long, unsigned long), *memmove(void *, const void *, unsigned long);
int main(void) {{ {body} return 0; }}
"""


@pytest.mark.parametrize("name", BLOCKS)
def test_the_formula_of_a_whole_function(name: str) -> None:
    body, reachable = BLOCKS[name]
    text = _FRAME.format(body=body)
    assert reaches_error(text, "bv") == bool(reachable)
    try:
        assert reaches_error(text, "int") == bool(reachable)
    except NeedsBitVectors:
        assert name in BYTES


UNKNOWN_VALUES = {
    "a sum of floating-point numbers": "double d = x; d = d + 0.5; x = d;",
    "a comparison of floating-point numbers": "float d = x; x = d < 0.5f;",
    "the size of one of two objects": "char *p = malloc(x > 0 ? 8 : 9); p = realloc(p, 9); x = *p;",
}


@pytest.mark.parametrize("name", UNKNOWN_VALUES)
def test_what_has_no_formula_is_anything(name: str) -> None:
    text = f"""void *realloc(void *, unsigned long);
    int main(void) {{ int x = __VERIFIER_nondet_int(); {UNKNOWN_VALUES[name]} return x; }}"""
    program, _ = whole(text)
    formulas = Formulas(partition(program, points_to(program)), Vectors())
    edges = [edge for function in program.functions.values() for edge in function.edges]
    values = [edge for edge in edges if not isinstance(edge.op, Call)]
    blocks = [path_formula(formulas, [edge], Environment("0")) for edge in values]
    assert not all(block.exact for block in blocks)
    with pytest.raises(UnsupportedFeature):  # but a formula about it would not be one
        for edge in values:
            for value in op_values(edge.op):
                encode_expr(formulas, value, Environment("0"))


def test_a_block_grows_with_its_edges() -> None:
    sizes = []
    for count in (10, 20, 40):
        tests = "".join(f"if (n > {k}) x += {k}; else x -= n;" for k in range(count))
        program, edges = whole(f"int main(void) {{ int n, x = 0; {tests} return x; }}")
        main = program.functions["main"]
        formulas = Formulas(partition(program, points_to(program)), Integers())
        block = block_formula(formulas, edges, main.entry, main.exit, Environment("0"))
        sizes.append(sum(1 for _ in postorder([formulas.closed(block.formula)])))
    assert sizes[2] - sizes[1] == pytest.approx(2 * (sizes[1] - sizes[0]), rel=0.05)


def test_a_block_is_a_relation_between_two_tags() -> None:
    program, edges = whole(
        "int main(void) { int n = __VERIFIER_nondet_int(); n = n / 2; return n; }"
    )
    main = program.functions["main"]
    (n,) = [var for var in main.locals if var.short == "n"]

    def make_formula(formulas: Formulas) -> Term:
        block = block_formula(formulas, edges, main.entry, main.exit, Environment("0"))
        after, equal = named(formulas, block.environment, "1")
        large = encode_expr(formulas, make.less(make.const(1 << 30, INT), n), after)
        return formulas.closed(block.formula, equal, large.term)

    term, formulas = either_encoding(partition(program, points_to(program)), make_formula)
    assert formulas.encoding.name == "int"
    assert any(symbol.name == "main::n@1" for symbol in symbols([term]))
    solver = create("z3", Statistics())
    solver.add(term)
    assert isinstance(solver.check(), Unsat)


def test_bit_operations_on_variables_go_to_vectors() -> None:
    program, edges = whole("int main(void) { int n, m; n = n & m; return n; }")
    _, formulas = either_encoding(
        partition(program, points_to(program)),
        lambda formulas: path_formula(formulas, edges[:3], Environment("0")),
    )
    assert formulas.encoding.name == "bv"


def test_what_is_no_block_is_refused() -> None:
    program, edges = whole("int f(void) { return 1; } int main(void) { while (f()) ; return 0; }")
    main = program.functions["main"]
    formulas = Formulas(partition(program, points_to(program)), Vectors())
    with pytest.raises(InternalError, match="cycle"):
        block_formula(formulas, edges, main.entry, main.exit, Environment("0"))
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
    formulas = Formulas(split, Vectors())
    functions = program.functions.values()
    variables = [item.var for item in program.globals]
    variables += [var for f in functions for var in (*f.params, *f.locals)]
    ends = sorted((formulas.address(var).low, size_of(var.type)) for var in variables)
    assert all(at + size < other for (at, size), (other, _) in pairwise(ends))
    other = Formulas(split, Integers())
    assert all(formulas.address(var).low == other.address(var).low for var in variables)
    low, high = formulas.stack
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
    formulas = Formulas(partition(program, points_to(program)), Integers())
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
