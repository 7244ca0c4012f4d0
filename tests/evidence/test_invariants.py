"""Invariants as text: places, calls, and names that can be told apart."""

from __future__ import annotations

import pickle

from predabs.evidence.invariants import loop_invariants
from predabs.ir import make
from predabs.ir.cfa import Edge, Location, Program
from predabs.ir.expr import Expr, Var
from predabs.ir.ops import Call
from predabs.ir.order import loop_heads
from predabs.ir.types import INT
from predabs.verdict import Invariant
from support.c_programs import program_of_c

PROGRAM = program_of_c(
    """
int x, calls;
int inner(int n) {
  int i = 0;
  while (i < n)
    i++;
  return i;
}
int outer(int n) {
  int x = inner(n);
  return x;
}
int main(void) {
  int i = __VERIFIER_nondet_int();
  for (;;) {
    calls++;
    outer(i);
  }
}
"""
)


def head(function: str) -> Location:
    (found,) = loop_heads(PROGRAM.functions[function])
    return found


def call(program: Program, caller: str) -> Edge:
    edges = [e for e in program.functions[caller].edges if isinstance(e.op, Call)]
    return edges[-1]


def texts(*invariants: Invariant) -> list[str]:
    found = [str(item) for item in loop_invariants(PROGRAM, invariants)]
    file = PROGRAM.files[0]
    return [text.replace(file, "a.c") for text in found]


def below(name: str, limit: int) -> Expr:
    return make.less(Var(name, INT), make.const(limit, INT))


def test_the_head_of_an_endless_loop_is_where_its_body_begins() -> None:
    assert texts(Invariant(head("main"), (), below("main::i", 3))) == ["a.c:16 (main): i < 3"]


def test_calls_are_told_from_the_inside_out() -> None:
    stack = (call(PROGRAM, "main"), call(PROGRAM, "outer"))
    (item,) = loop_invariants(PROGRAM, [Invariant(head("inner"), stack, below("inner::i", 3))])
    assert [caller for caller, _ in item.calls] == ["main", "outer"]
    assert texts(Invariant(head("inner"), stack, below("inner::i", 3))) == [
        "a.c:5 (inner, called by outer at a.c:10, called by main at a.c:17): i < 3"
    ]


def test_variables_of_others_are_shown_with_their_function() -> None:
    both = make.conj([below("inner::i", 3), below("main::i", 5), below("calls", 7)])
    assert texts(Invariant(head("inner"), (), both)) == [
        "a.c:5 (inner): inner::i < 3 && main::i < 5 && calls < 7"
    ]
    one = make.conj([below("outer::x", 3), below("x", 5)])
    assert texts(Invariant(head("inner"), (), one)) == ["a.c:5 (inner): outer::x < 3 && x < 5"]


def test_they_come_in_the_order_of_the_source_and_can_be_sent() -> None:
    found = loop_invariants(
        PROGRAM,
        [
            Invariant(head("main"), (), make.truth(True)),
            Invariant(head("inner"), (call(PROGRAM, "main"),), make.truth(True)),
            Invariant(head("inner"), (), make.truth(False)),
        ],
    )
    assert [item.text for item in found] == ["false", "true", "true"]
    assert pickle.loads(pickle.dumps(found)) == found
