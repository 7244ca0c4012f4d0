"""Random straight-line C programs with pointers, and random formulas about their variables."""

from __future__ import annotations

import random
from collections.abc import Sequence

from predabs.ir import make
from predabs.ir.cfa import Coord, Edge, Function, Location, Program
from predabs.ir.def_use import op_reads, op_target
from predabs.ir.expr import Cast, Expr, Lvalue, Op, Var
from predabs.ir.ops import Assign, Assume, Error, ErrorKind, Operation
from predabs.ir.types import BOOL, INT, IntType, PointerType, Type
from support.c_programs import program_of_c

_HEAD = """
struct s { int f; unsigned g : 3; int h : 5; struct s *n; };
int x, y; unsigned u; int a[4]; struct s s, t; int *p, *q; int **pp; struct s *r;
int main(void) {
  int i = 0, j = 1, k = 0;
  x = __VERIFIER_nondet_int(); y = __VERIFIER_nondet_int(); u = __VERIFIER_nondet_uint();
  a[0] = __VERIFIER_nondet_int(); a[1] = __VERIFIER_nondet_int(); a[3] = x;
  s.f = __VERIFIER_nondet_int(); t.f = __VERIFIER_nondet_int(); t.g = u; s.h = x;
  k = __VERIFIER_nondet_int() & 3; p = k == 0 ? &x : k == 1 ? &y : k == 2 ? &a[1] : &s.f;
  k = __VERIFIER_nondet_int() & 3; q = k == 0 ? &x : k == 1 ? &t.f : k == 2 ? &a[k] : p;
  k = __VERIFIER_nondet_int() & 1; pp = k ? &p : &q; r = k ? &s : &t; s.n = &t; t.n = k ? &s : r;
  i = __VERIFIER_nondet_int() & 3; j = __VERIFIER_nondet_int() & 3; k = x ^ y;
"""
NUMBERS = "x y i j k u *p *q **pp a[0] a[i] a[3-j] s.f s.g s.h r->f r->g r->n->f t.n->h t.f"
ADDRESSES = "&x &y &a[2] &a[i] p q *pp &s.f &r->f &r->n->f"
RECORDS = "s t *r *r->n"


_PLAIN_HEAD = """
int x, y; unsigned u; int a[4]; int *p, *q; int **pp;
int main(void) {
  int i = 0, j = 1, k = 0; unsigned char c; long long l;
  x = __VERIFIER_nondet_int(); y = __VERIFIER_nondet_int(); u = __VERIFIER_nondet_uint();
  a[0] = __VERIFIER_nondet_int(); a[1] = __VERIFIER_nondet_int(); a[3] = x; c = u; l = x;
  k = __VERIFIER_nondet_int() & 3; p = k == 0 ? &x : k == 1 ? &y : k == 2 ? &a[1] : &a[3];
  k = __VERIFIER_nondet_int() & 3; q = k == 0 ? &x : k == 1 ? &a[0] : k == 2 ? &a[k] : p;
  k = __VERIFIER_nondet_int() & 1; pp = k ? &p : &q;
  i = __VERIFIER_nondet_int() & 3; j = __VERIFIER_nondet_int() & 3; k = x ^ y;
"""
_PLAIN_NUMBERS = "x y i j k u c l *p *q **pp a[0] a[i] a[3-j]"
_PLAIN_ADDRESSES = "&x &y &a[2] &a[i] p q *pp"


class Maker:
    """Makes statements out of one random seed; without records, integers can say everything that
    is linear."""

    def __init__(
        self, seed: int, *, records: bool = True, branches: bool = False, division: bool = True
    ) -> None:
        self.random = random.Random(seed)
        self.records = records
        self.branches = branches
        self.division = division
        self.numbers = (NUMBERS if records else _PLAIN_NUMBERS).split()
        self.addresses = (ADDRESSES if records else _PLAIN_ADDRESSES).split()
        self.operators = ["+", "-", "*", "&", "|", "^"] if records else ["+", "-"]

    def number(self) -> str:
        pick = self.random
        one = pick.choice(self.numbers)
        match pick.randrange(5):
            case 0:
                return str(pick.randint(-3, 9))
            case 1:
                return one
            case 2:
                return f"({one} {pick.choice(self.operators)} {self.number()})"
            case 3 if self.division:
                return f"({one} / {pick.choice(['3', '-2', '16'])})"
            case _:
                return f"({one} {pick.choice('+-')} {pick.randint(0, 4)})"

    def statement(self, depth: int = 2) -> str:
        pick = self.random
        if self.branches and depth and pick.random() < 0.35:
            then, other = self.statement(depth - 1), self.statement(depth - 1)
            return f"if ({self.number()} < {self.number()}) {{ {then} }} else {{ {other} }}"
        target = pick.choice(self.numbers)
        match pick.choice(range(9) if self.records else (0, 1, 2, 3, 4, 7, 8)):
            case 0 | 1 | 2 | 3:
                if target in ("i", "j"):
                    return f"{target} = {self.number()} & 3;"
                return f"{target} = {self.number()};"
            case 4:
                return f"{pick.choice(['p', 'q', '*pp'])} = {pick.choice(self.addresses)};"
            case 5:
                return f"{pick.choice(['r', 'r->n', 's.n'])} = {pick.choice(['&s', '&t', 'r->n'])};"
            case 6:
                return f"{pick.choice(RECORDS.split())} = {pick.choice(RECORDS.split())};"
            case 7:
                return f"pp = {pick.choice(['&p', '&q'])};"
            case _:
                return f"__VERIFIER_assume({self.number()} != {self.number()});"


def straight_program(
    seed: int,
    statements: int,
    *,
    records: bool = True,
    branches: bool = False,
    division: bool = True,
) -> Program:
    """Variables that point at each other, then the statements between the labels."""
    maker = Maker(seed, records=records, branches=branches, division=division)
    head = _HEAD if records else _PLAIN_HEAD
    body = "\n".join(maker.statement() for _ in range(statements))
    return program_of_c(f"{head} begin: ; {body}\n end: ; return 0; }}")


def middle(program: Program) -> list[Edge]:
    """The edges of the statements, in order."""
    main = program.functions["main"]
    here, edges = main.labels["begin"], []
    while here is not main.labels["end"]:
        edge = main.outgoing[here][0]
        edges.append(edge)
        here = edge.dst
    return edges


def formula(seed: int, program: Program) -> Expr:
    """A condition about places that the program reads and writes."""
    pick = random.Random(seed)
    places: dict[Lvalue, None] = {}
    for edge in program.functions["main"].edges:
        target = op_target(edge.op)
        for place in (*op_reads(edge.op), *([] if target is None else [target])):
            if isinstance(place.type, IntType | PointerType) and ".tmp" not in str(place):
                places[place] = None
    by_type: dict[Type, list[Lvalue]] = {}
    for place in places:
        by_type.setdefault(place.type, []).append(place)

    def atom() -> Expr:
        left: Expr = pick.choice(list(places))
        right: Expr = pick.choice(by_type[left.type])
        if isinstance(left.type, IntType) and pick.random() < 0.3:
            right = make.const(pick.randint(-3, 5), left.type)
        elif isinstance(left.type, IntType) and pick.random() < 0.3:
            left = make.binary(Op.ADD, left, make.const(pick.randint(-3, 5), left.type))
        made = pick.choice([make.equal, make.less, make.less_equal])
        if isinstance(left.type, PointerType):
            made = make.equal
        found = made(left, right)
        return make.negate(found) if pick.random() < 0.3 else found

    parts = [atom() for _ in range(pick.randint(1, 3))]
    return pick.choice([make.conj, make.disj])(parts)


def instrumented(
    program: Program,
    before: Expr,
    edges: Sequence[tuple[Sequence[Operation], Edge]],
    after: Expr,
    ghosts: Sequence[Var] = (),
) -> Program:
    """The program with an error where `before`, evaluated at the beginning of the edges, differs
    from `after` at their end; each edge has operations that go before it."""
    main = program.functions["main"]
    kept = [edge for edge in main.edges if edge not in {e for _, e in edges}]
    first, last = main.labels["begin"], main.labels["end"]
    at, count = first, 100_000
    coord = Coord("instrumented.c", 1, 1)
    results = [Var("main::before!", INT), Var("main::after!", INT)]
    made: list[Edge] = []

    def put(op: Operation, place: Coord = coord) -> None:
        nonlocal at, count
        count += 1
        following = Location("main", count)
        made.append(Edge(at, op, following, place))
        at = following

    put(Assign(results[0], _number(before)))
    for extra, edge in edges:
        for op in extra:
            put(op)
        put(edge.op, edge.coord)
    put(Assign(results[1], _number(after)))
    differ = make.not_equal(results[0], results[1])
    stop = Location("main", count + 1)
    made.append(Edge(at, Assume(differ), stop, coord))
    made.append(Edge(stop, Error(ErrorKind.ASSERTION, "differs"), Location("main", -2), coord))
    made.append(Edge(at, Assume(make.negate(differ)), last, coord))
    function = Function(
        main.name,
        main.type,
        main.params,
        (*main.locals, *results, *ghosts),
        main.entry,
        main.exit,
        (*kept, *made),
        main.coord,
        main.labels,
    )
    return Program(
        {**program.functions, "main": function},
        program.globals,
        program.records,
        program.entry,
        program.data_model,
        program.externals,
        program.assumptions,
        program.files,
    )


def _number(cond: Expr) -> Expr:
    assert cond.type is BOOL
    return Cast(cond, INT)
