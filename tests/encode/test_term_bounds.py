"""Bounds of terms: what was noted last counts, unless it says nothing."""

from __future__ import annotations

from predabs.encode.encoding import BitVectorEncoding
from predabs.encode.integer_encoding import IntegerEncoding
from predabs.encode.term_bounds import TermBounds
from predabs.ir.types import IntType
from predabs.smt import build
from predabs.smt.term import INT, BitVecSort, Symbol

BYTE = IntType(8, False)


def test_a_fact_is_made_when_somebody_asks() -> None:
    bounds, encoding = TermBounds(), IntegerEncoding()
    x, y = Symbol("x", INT), Symbol("y", INT)
    bounds.note(encoding, x, 0, 255, BYTE)
    bounds.note(encoding, y, 3, 4, BYTE)
    assert bounds.facts(encoding, [build.add(x, x)]) == (encoding.within(x, 0, 255, BYTE),)
    assert len(bounds.facts(encoding, [x, y, x])) == 2


def test_what_says_nothing_takes_no_place() -> None:
    bounds, encoding = TermBounds(), BitVectorEncoding()
    x = Symbol("x", BitVecSort(8))
    bounds.note(encoding, x, 0, 255, BYTE)
    assert bounds.facts(encoding, [x]) == ()
    bounds.note(encoding, x, 3, 4, BYTE)
    bounds.note(encoding, x, 0, 255, BYTE)
    assert bounds.facts(encoding, [x]) == (encoding.within(x, 3, 4, BYTE),)
