"""Terms as JSON: what is read is what was written, or it is damaged."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given

from predabs.ir import make
from predabs.ir.expr import Binary, Expr, NoLeak, Op, Roots, ValidAccess, Var
from predabs.ir.flat_terms import Damaged, flattened, unflattened
from predabs.ir.types import INT, ULLONG, PointerType
from support.ir_terms import Pair, terms

X = Var("f::x", INT)


@given(terms(), terms())
def test_terms_come_back_the_same(one: Pair, two: Pair) -> None:
    roots = [one[0], two[0], one[0]]
    again = unflattened(json.loads(json.dumps(flattened(roots))))
    assert all(new is old for new, old in zip(again, roots, strict=True))


def test_deep_and_shared_terms_are_short() -> None:
    deep: Expr = X
    for _ in range(20_000):
        deep = Binary(Op.SUB, make.const(1, INT), deep, INT)
    said = flattened([deep])
    assert len(said["nodes"]) < 20_010
    assert unflattened(said) == [deep]
    shared: Expr = X
    for _ in range(200):
        shared = Binary(Op.MUL, shared, shared, INT)
    assert len(flattened([shared])["nodes"]) < 210


def test_terms_about_objects() -> None:
    pointer = Var("p", PointerType(INT, 64))
    said = [NoLeak(Roots.FRAMES), ValidAccess(pointer, make.const(4, ULLONG), False)]
    assert unflattened(json.loads(json.dumps(flattened(said)))) == said


@pytest.mark.parametrize(
    "data",
    [
        None,
        {},
        {"nodes": [["Path", "/etc"]], "roots": [0]},
        {"nodes": [["IntType", 32]], "roots": [0]},
        {"nodes": [["IntType", 32, True]], "roots": [1]},
        {"nodes": [["IntType", 32, True]], "roots": [-1]},
        {"nodes": [["Not", ["#", 0]]], "roots": [0]},
        {"nodes": [["Not", ["enum", "Op", "NONE"]]], "roots": [0]},
        {"nodes": [["Not", {"a": 1}]], "roots": [0]},
        {"nodes": 3, "roots": []},
    ],
)
def test_what_was_not_written_is_damaged(data: Any) -> None:
    with pytest.raises(Damaged):
        unflattened(data)
