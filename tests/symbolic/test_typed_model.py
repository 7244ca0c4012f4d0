"""Models in which accesses of two views do not meet."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from predabs.analysis.memory.views import View
from predabs.ir.address_space import end_of_objects
from predabs.smt import bitvectors, build
from predabs.smt.evaluate import TermEvaluator
from predabs.smt.solver import Answer, Sat, Statistics, Unknown, Unsat
from predabs.smt.solvers import create
from predabs.smt.term import FALSE, BitVecSort, Symbol, Term
from predabs.symbolic.environment_addresses import EnvironmentAddresses
from predabs.symbolic.state import ALWAYS
from predabs.symbolic.symbolic_input import EnvironmentAccess
from predabs.symbolic.typed_model import typed_model

BITS = 64
P, Q = (Symbol(name, BitVecSort(BITS)) for name in ("p", "q"))
CELL, OTHER = View("a.x", 4, False), View("b.y", 4, False)
BYTES = View("word8", 1, True)


def number(value: int) -> Term:
    return bitvectors.bits(value, BITS)


def asked(condition: Term, first: EnvironmentAccess, second: EnvironmentAccess) -> Answer:
    addresses = EnvironmentAddresses(BITS)
    solver = create("bitwuzla", Statistics())
    needed = [addresses.accessible(pointer, number(0), 8) for pointer in (P, Q)]

    def ask(more: Sequence[Term]) -> Answer:
        return solver.check([build.and_(condition, *needed, *more)])

    return typed_model(ask, [first, second], addresses)


def access(address: Term, view: View | None, writes: bool = True) -> EnvironmentAccess:
    return EnvironmentAccess(ALWAYS, address, 4, view, writes)


NEAR = bitvectors.ule(bitvectors.sub(Q, P), number(4))  # at most this far behind it
SAME = build.eq(P, Q)


@pytest.mark.parametrize(
    ("condition", "first", "second", "distances"),
    [
        (NEAR, access(P, CELL), access(Q, OTHER), {4}),
        (NEAR, access(P, CELL), access(Q, CELL), {0, 4}),  # the same cell, or two
        (NEAR, access(P, CELL, False), access(Q, OTHER, False), {0, 1, 2, 3, 4}),
        (SAME, access(P, CELL), access(Q, None), {0}),
        (SAME, access(P, BYTES), access(Q, BYTES), {0}),
        (SAME, access(P, CELL), access(Q, OTHER), set()),
    ],
)
def test_no_byte_is_met_in_two_views(
    condition: Term, first: EnvironmentAccess, second: EnvironmentAccess, distances: set[int]
) -> None:
    answer = asked(condition, first, second)
    if not distances:
        assert isinstance(answer, Unknown)
        return
    assert isinstance(answer, Sat)
    evaluator = TermEvaluator(answer.model)
    assert evaluator.value(bitvectors.sub(Q, P)) in distances


def test_no_model_is_no_model() -> None:
    answer = asked(FALSE, access(P, CELL), access(Q, CELL))
    assert isinstance(answer, Unsat)


def test_a_low_address_is_a_scalar_input() -> None:
    """Of what lies in memory the interpreter does not know that it is a pointer."""
    addresses = EnvironmentAddresses(BITS)
    content = Symbol("malloc@0", BitVecSort(BITS))
    addresses.contents.add(content)
    cond = addresses.accessible(content, number(0), 4)
    cond = build.and_(cond, build.eq(bitvectors.extract(content, 2, 0), bitvectors.bits(1, 3)))
    solver = create("bitwuzla", Statistics())
    answer = typed_model(
        lambda more: solver.check([build.and_(cond, *more)]), [access(content, CELL)], addresses
    )
    assert isinstance(answer, Sat)
    value = TermEvaluator(answer.model).value(content)
    assert isinstance(value, int) and value >= end_of_objects(BITS)
