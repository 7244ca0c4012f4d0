"""Blocks with pointers and memory against runs of the interpreter, in both encodings."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from predabs.concrete.inputs import RandomInputs
from predabs.concrete.interpreter import execute
from predabs.concrete.outcome import ExecutedStep
from predabs.encode.blocks import Exit
from predabs.encode.encoding import BitVectorEncoding, Encoding
from predabs.encode.environment import Environment
from predabs.encode.integer_encoding import IntegerEncoding, NeedsBitVectors
from predabs.ir import make
from predabs.ir.cfa import Coord, Edge, Function, Location, Program
from predabs.ir.configuration import TransitionKind
from predabs.ir.expr import Cast, Expr, Lvalue, Var
from predabs.ir.ops import Assign
from predabs.ir.types import INT, LLONG, IntType, PointerType
from predabs.smt import build
from predabs.smt.solver import Sat, Unknown
from predabs.smt.term import Term
from support.c_programs import program_of_c
from support.counted_time import PLENTY
from support.lazy_setup import Parts
from support.straight_programs import straight_program

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
            members = program.records[base.type.tag].members
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


def observed(program: Program) -> tuple[Program, dict[Var, tuple[str, Expr]], Location]:
    """The program with assignments that show the observations before and after, which variables
    they are, and where those after begin."""
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
    return replace(program, functions={"main": function}), ghosts, start


def runs(
    subject: Program, ghosts: dict[Var, tuple[str, Expr]], seeds: range
) -> list[dict[str, list[tuple[Expr, int]]]]:
    """What was observed in runs that came to the end."""
    found = []
    for seed in seeds:
        steps: list[ExecutedStep] = []
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


def holds(parts: Parts, seen: list[tuple[Expr, int]], environment: Environment) -> Term:
    """The condition that the observations are these."""
    terms = []
    for expr, value in seen:
        if isinstance(expr.type, IntType):
            expr = make.equal(expr, make.const(value, expr.type))
        elif value == 0:
            expr = make.negate(expr)
        terms.append(parts.formulas.encoder(environment).condition(expr))
    return build.and_(*terms)


def possible(parts: Parts, exit_: Exit, *terms: Term) -> bool:
    """Can the exit be taken, so that the terms hold?"""
    solver = parts.solver.fresh()
    solver.add(parts.formulas.closed(exit_.formula, *terms))
    answer = solver.check(timeout=PLENTY)
    assert not isinstance(answer, Unknown)
    return isinstance(answer, Sat)


def check_block(program: Program, encoding: Encoding) -> Counter[str]:
    """The block between the labels allows what runs do, and nothing else; how they ended."""
    subject, ghosts, end = observed(program)
    parts = Parts(
        subject, encoding=encoding, is_cut_point=lambda configuration: configuration.location is end
    )
    block = parts.blocks.at(parts.at("begin"))
    assert all(exit_.exact and exit_.kind is TransitionKind.STEP for exit_ in block.exits)
    result: Counter[str] = Counter()
    for seen in runs(subject, ghosts, range(3)):
        before = holds(parts, seen["begin"], block.before)
        if not seen["end"]:  # an assumption failed on the way
            assert not any(possible(parts, exit_, before) for exit_ in block.exits)
            result["stopped"] += 1
            continue
        (exit_,) = block.exits
        after = holds(parts, seen["end"], exit_.environment)
        assert possible(parts, exit_, before, after)
        assert not possible(parts, exit_, before, build.not_(after))
        result["ended"] += 1
    return result


@settings(max_examples=8)
@given(st.integers(0, 2**32))
def test_blocks_with_records_are_what_runs_do(seed: int) -> None:
    check_block(straight_program(seed, 4, branches=True), BitVectorEncoding())


@settings(max_examples=25)
@given(st.integers(0, 2**32), st.booleans())
def test_blocks_are_what_runs_do_in_both_encodings(seed: int, vectors: bool) -> None:
    program = straight_program(seed, 4, records=False, branches=True)
    check_block(program, BitVectorEncoding() if vectors else IntegerEncoding())


def test_runs_end_or_are_stopped() -> None:
    program = program_of_c(
        """int x, a[4]; int main(void) { x = __VERIFIER_nondet_int() & 3;
        begin: ; if (x & 1) a[x] = 7; else x++; __VERIFIER_assume(a[3] == 7 || x == 3);
        end: ; return 0; }"""
    )
    for encoding in (BitVectorEncoding(), IntegerEncoding()):
        result = check_block(program, encoding)
        assert result["ended"]
        assert result["stopped"]


def reaches_error(text: str, encoding: Encoding) -> bool:
    """Can the error of a program without loops be reached, by the formula of the whole?"""
    parts = Parts(text, encoding=encoding, is_cut_point=lambda configuration: False)
    exits = parts.blocks.at(parts.flow.entry).exits
    assert all(exit_.kind is TransitionKind.ERROR for exit_ in exits)
    return any(possible(parts, exit_) for exit_ in exits)


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
    "a half is not large": (
        "int x = __VERIFIER_nondet_int(); x = x / 2; if (x > 1 << 30) __VERIFIER_error();",
        0,
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
    assert reaches_error(text, BitVectorEncoding()) == bool(reachable)
    try:
        assert reaches_error(text, IntegerEncoding()) == bool(reachable)
    except NeedsBitVectors:
        assert name in BYTES
