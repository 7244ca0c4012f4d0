"""The storage at the start of a program against the interpreter, in both encodings."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from predabs.analysis.memory.partition import partition
from predabs.analysis.points_to.sets import points_to
from predabs.concrete.inputs import RandomInputs
from predabs.concrete.interpreter import execute
from predabs.concrete.outcome import ExecutedStep
from predabs.encode.encoding import BitVectorEncoding
from predabs.encode.environment import Formulas
from predabs.encode.initial_states import initial_environment
from predabs.encode.integer_encoding import IntegerEncoding, NeedsBitVectors
from predabs.ir import make
from predabs.ir.cfa import Edge, Location, Program
from predabs.ir.expr import Cast, Expr, Lvalue, Var
from predabs.ir.ops import Assign
from predabs.ir.types import INT, LLONG, ArrayType, IntType, PointerType, RecordType
from predabs.smt import build
from predabs.smt.solver import Sat, Statistics, Unsat
from predabs.smt.solvers import create
from predabs.smt.term import Op, Symbol, is_app, postorder
from support.c_programs import program_of_c
from support.counted_time import PLENTY
from support.path_formulas import encode_expr

_TYPES = """
struct in { int a; short b : 5; short c : 9; };
struct out { struct in one; char d; int *p; struct in two[2]; };
union mix { int i; unsigned char c[4]; };
"""


class Maker:
    """Globals with and without initialisers, and accesses that put them into maps."""

    def __init__(self, seed: int) -> None:
        self.pick = random.Random(seed)
        self.names: list[str] = []

    def number(self) -> str:
        return str(self.pick.randint(-9, 9))

    def numbers(self, most: int) -> str:
        return ", ".join(self.number() for _ in range(self.pick.randint(1, most)))

    def declaration(self, number: int) -> str:
        pick, name = self.pick, f"g{number}"
        pointer = f"&{pick.choice(self.names)}" if self.names and pick.random() < 0.7 else "0"
        inner = f"{{ {self.numbers(3)} }}"
        match pick.randrange(8):
            case 0 | 1:
                text = f"int {name}" + pick.choice(["", f" = {self.number()}"])
                self.names.append(name)
            case 2:
                text = f"int {name}[4]" + pick.choice(["", f" = {{ {self.numbers(4)} }}"])
                self.names.append(f"{name}[{pick.randrange(4)}]")
            case 3:
                text = f"int *{name} = {pointer}"
            case 4:
                text = f"struct in {name} = {inner}"
                self.names += [f"{name}.a"] * pick.randrange(2)
            case 5:
                whole = f" = {{ {inner}, 'x', {pointer}, {{ {inner} }} }}"
                text = f"struct out {name}" + pick.choice(["", whole])
                self.names += [f"{name}.one.a", f"{name}.two[1].a"] * pick.randrange(2)
            case 6:
                text = f"union mix {name} = {{ {self.number()} }}"
            case _:
                text = f"unsigned char {name}[5]" + pick.choice(["", ' = "abc"'])
        return f"{text};"

    def program(self) -> Program:
        declared = " ".join(self.declaration(number) for number in range(6))
        targets = [f"&{name}" for name in self.names] or ["&x"]
        uses = f"p = {self.pick.choice(targets)}; x = *p;"
        local = "int y; p = &y; *p = 1;" if self.pick.random() < 0.5 else ""
        return program_of_c(
            f"{_TYPES} int x, *p; {declared} int main(void) {{ {uses} {local} return x; }}"
        )


def leaves(program: Program, place: Lvalue) -> Iterator[Lvalue]:
    """The scalars of a place."""
    match place.type:
        case RecordType(tag, _):
            for member in program.records[tag].members:
                yield from leaves(program, make.field(place, member.name, member.type))
        case ArrayType(_, length):
            for number in range(length):
                yield from leaves(program, make.index(place, make.const(number, LLONG)))
        case _:
            yield place


def questions(program: Program) -> list[Expr]:
    """Numbers and truths that tell what the globals hold."""
    found: list[Expr] = []
    places = [leaf for item in program.globals for leaf in leaves(program, item.var)]
    integers = [place for place in places if place.type is INT]
    for place in places:
        if isinstance(place.type, IntType):
            found.append(place)
        elif isinstance(place.type, PointerType):
            found.append(make.equal(place, make.const(0, place.type)))
            for other in integers:
                if place.type.target is INT:
                    found.append(make.equal(place, make.address_of(other, place.type)))
    return found


def asked(program: Program) -> tuple[Program, dict[Var, Expr]]:
    """The program with the answers written to variables at its beginning."""
    main = program.functions["main"]
    ghosts: dict[Var, Expr] = {}
    edges: list[Edge] = []
    here = first = Location("main", 100_000)
    for number, expr in enumerate(questions(program)):
        value = expr if isinstance(expr.type, IntType) else Cast(expr, INT)
        ghost = Var(f"main::answer{number}", value.type)
        ghosts[ghost] = expr
        following = Location("main", 100_001 + number)
        edges.append(Edge(here, Assign(ghost, value), following, main.coord))
        here = following
    edges[-1] = replace(edges[-1], dst=main.entry)
    function = replace(
        main, entry=first, edges=(*edges, *main.edges), locals=(*main.locals, *ghosts)
    )
    return replace(program, functions={"main": function}), ghosts


def answers(subject: Program, ghosts: dict[Var, Expr]) -> list[Expr]:
    """What is true when the program starts."""
    steps: list[ExecutedStep] = []
    execute(subject, RandomInputs(1), trace=steps.append)
    found: list[Expr] = []
    for step in steps:
        for place, value in step.values:
            if isinstance(place, Var) and place in ghosts:
                assert isinstance(value, int)
                expr = ghosts[place]
                if isinstance(expr.type, IntType):
                    found.append(make.equal(expr, make.const(value, expr.type)))
                else:
                    found.append(expr if value else make.negate(expr))
    return found


@settings(max_examples=40)
@given(st.integers(0, 2**32), st.sampled_from(["bv", "int"]))
def test_the_start_is_what_runs_start_with(seed: int, encoding: str) -> None:
    subject, ghosts = asked(Maker(seed).program())
    formulas = Formulas(
        partition(subject, points_to(subject)),
        BitVectorEncoding() if encoding == "bv" else IntegerEncoding(),
    )
    start, exact = initial_environment(formulas)
    assert exact
    terms = []
    for answer in answers(subject, ghosts):
        try:
            terms.append(encode_expr(formulas, answer, start).term)
        except NeedsBitVectors:
            assert encoding == "int"
    truth = build.and_(*terms)
    solver = create("bitwuzla" if encoding == "bv" else "z3", Statistics())
    solver.push()
    solver.add(formulas.closed(truth))
    assert isinstance(solver.check(timeout=PLENTY), Sat)
    solver.pop()
    solver.add(formulas.closed(build.not_(truth)))
    assert isinstance(solver.check(timeout=PLENTY), Unsat)


def started(text: str, encoding: str = "bv") -> tuple[Formulas, dict[str, object], bool]:
    """The formulas of a program, and what its maps and variables hold, by name."""
    program = program_of_c(text)
    formulas = Formulas(
        partition(program, points_to(program)),
        BitVectorEncoding() if encoding == "bv" else IntegerEncoding(),
    )
    start, exact = initial_environment(formulas)
    return formulas, {str(getattr(k, "name", k)): v.term for k, v in start.changed.items()}, exact


@pytest.mark.parametrize("encoding", ["bv", "int"])
def test_a_map_of_globals_only_is_constant(encoding: str) -> None:
    _, known, exact = started("int a[9000]; int main(void) { int i; return a[i]; }", encoding)
    assert exact
    assert [term for term in known.values() if is_app(term, Op.CONST_ARRAY)]


def test_externals_and_locals_hold_anything() -> None:
    formulas, known, exact = started(
        "extern int e; int g, h = 4, *p;"
        "int main(void) { int l; p = &g; p = &l; return e + h + *p; }"
    )
    assert exact
    assert "e" not in known and "main::l" not in known
    assert str(known["h"]) == "(_ bv4 32)"
    (array,) = [term for name, term in known.items() if name.startswith("m")]
    (address,) = {
        str(formulas.address(g.var).term)
        for g in formulas.partition.program.globals
        if g.var.name == "g"
    }
    assert str(array).endswith(f"{address} (_ bv0 32))")


def test_large_objects_among_others_are_left_open() -> None:
    text = "int a[9000], *p; int main(void) { int l, i; p = a; p = &l; return p[i]; }"
    _, known, exact = started(text)
    assert not exact
    assert not [term for term in known.values() if is_app(term, Op.STORE)]
    table = ", ".join(str(n) for n in range(1, 2000))
    _, known, exact = started(
        f"int a[2000] = {{ {table} }}; int main(void) {{ int i; return a[i]; }}"
    )
    assert not exact
    assert sum(1 for _ in postorder(known.values())) < 10


def test_what_integers_cannot_say_is_left_open() -> None:
    text = (
        "float f = 1.5f; union {{ int i; char c[4]; }} u = {{ 3 }}; int i = {init};"
        "int main(void) {{ return u.c[0] + i + f; }}"
    )
    _, known, exact = started(text.format(init="7"), "int")
    assert exact and known.keys() == {"i"}
    _, known, exact = started(text.format(init="(int)2.5"), "int")
    assert not exact and isinstance(known["i"], Symbol)


def test_a_flexible_member_lies_apart_from_the_next_global() -> None:
    formulas, _, _ = started(
        "struct s { int n; int more[]; } v = { 3, { [99] = 7 } }; int w = 5;"
        "int *p = &w; int main(void) { return v.more[99] + *p; }"
    )
    v, w = (formulas.address(g.var).low for g in formulas.partition.program.globals[:2])
    assert w >= v + 4 + 400
