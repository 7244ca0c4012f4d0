"""Weakest preconditions about single places in memory: as in formulas, they are what they are
whatever the pointer holds."""

from __future__ import annotations

from predabs.analysis.facts import ProgramFacts
from predabs.c2bp.abstraction_context import AbstractionContext, abstraction_context
from predabs.ir import make
from predabs.ir.cfa import Edge
from predabs.ir.expr import Deref, Lvalue
from predabs.ir.ops import Alloc, Assign
from predabs.ir.show import show_expr
from predabs.ir.types import INT
from predabs.smt.solver import Statistics
from predabs.wp.aliasing import SAME
from support.c_programs import program_of_c

TEXT = """
void *calloc(unsigned long, unsigned long);
int *p, *q, *r, other;
int main(void) {
  p = calloc(1, sizeof *p);
  if (__VERIFIER_nondet_int()) r = p;
  q = p; *q = 4;
  q = r; *p = 3;
  other = 5;
  return *q;
}
"""


def set_up(single: bool) -> tuple[AbstractionContext, list[Edge]]:
    facts = ProgramFacts(program_of_c(TEXT), single=single)
    context = abstraction_context(facts, {}, 3, lambda: None, Statistics())
    return context, list(facts.program.functions["main"].edges)


def place(edges: list[Edge], text: str) -> Lvalue:
    return next(
        edge.op.target
        for edge in edges
        if isinstance(edge.op, Assign) and show_expr(edge.op.target) == text
    )


def test_two_pointers_to_one_place() -> None:
    context, edges = set_up(single=True)
    p, q = place(edges, "*p"), place(edges, "*q")
    assert isinstance(p, Deref) and isinstance(q, Deref)
    assert context.aliasing.relation(p, q) is SAME
    apart, edges = set_up(single=False)
    assert apart.aliasing.relation(place(edges, "*p"), place(edges, "*q")) is not SAME


def test_an_assignment_to_the_place_decides() -> None:
    context, edges = set_up(single=True)
    (edge,) = (
        edge for edge in edges if isinstance(edge.op, Assign) and show_expr(edge.op.target) == "*p"
    )
    is_three = make.equal(place(edges, "*q"), make.const(3, INT))
    before = context.before(edge.op, context.written(edge), is_three)
    assert before is not None and show_expr(before) == "true"


def test_an_allocation_says_nothing_of_its_places() -> None:
    context, edges = set_up(single=True)
    (edge,) = (edge for edge in edges if isinstance(edge.op, Alloc))
    is_four = make.equal(place(edges, "*q"), make.const(4, INT))
    assert context.before(edge.op, context.written(edge), is_four) is None
    unrelated = make.equal(place(edges, "other"), make.const(4, INT))
    assert context.before(edge.op, context.written(edge), unrelated) is unrelated
