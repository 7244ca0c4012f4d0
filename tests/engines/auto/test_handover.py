"""Verdicts that go from process to process: what is the same object there is the same here."""

from __future__ import annotations

from predabs.engines.auto.handover import packed, unpacked
from predabs.ir import make
from predabs.ir.cfa import Edge
from predabs.ir.expr import Var
from predabs.ir.ops import Call
from predabs.ir.types import INT
from predabs.verdict import Invariant, Safe, Unknown, Unsafe, Verdict
from support.c_programs import program_of_c

PROGRAM = program_of_c(
    """void f(void) { while (__VERIFIER_nondet_int()); }
int main(void) { f(); f(); return 0; }"""
)
CALLS = [edge for edge in PROGRAM.functions["main"].edges if isinstance(edge.op, Call)]
X = Var("x", INT)


def handed(verdict: Verdict | None) -> Verdict | None:
    return unpacked(packed(verdict, [PROGRAM]), [PROGRAM])


def deep(levels: int) -> Invariant:
    value = make.equal(X, make.const(0, INT))
    for number in range(levels):
        value = make.negate(make.conj((value, make.less(X, make.const(number, INT)))))
    return Invariant(PROGRAM.functions["f"].entry, (CALLS[1],), value)


def test_edges_of_the_program_stay_what_they_are() -> None:
    found = handed(Safe((deep(3),)))
    assert isinstance(found, Safe) and found == Safe((deep(3),))
    assert found.invariants[0].stack[0] is CALLS[1]
    assert found.invariants[0].expr is deep(3).expr


def test_invariants_may_be_deep() -> None:
    assert handed(Safe((deep(5000),))) == Safe((deep(5000),))


def test_what_is_too_deep_is_left_out() -> None:
    """An edge that is none of the program's goes over with all that it has."""
    far = deep(5000)
    strange = Edge(CALLS[0].src, Call(None, far.expr, ()), CALLS[0].dst, CALLS[0].coord)
    assert handed(Safe((Invariant(far.location, (strange,), X),))) == Safe()


def test_other_verdicts() -> None:
    for verdict in (None, Unknown("no idea"), Unsafe((), "error")):
        assert handed(verdict) == verdict
