"""Expressions of a program in terms of distinguished cells and ghosts."""

from __future__ import annotations

from collections.abc import Mapping

from ...analysis.cells.choice import Chooser
from ...analysis.cells.distinguished import number_type
from ...analysis.cells.memory_accesses import MemoryAccesses
from ...analysis.memory.partition import Scalar
from ...ir import make
from ...ir.expr import (
    And,
    Binary,
    Cast,
    Const,
    Deref,
    Expr,
    Field,
    FloatConst,
    Index,
    Ite,
    Lvalue,
    Not,
    Or,
    Unary,
    Var,
)
from ...ir.types import IntType, PointerType, is_scalar
from ...ir.walk import children, subterms


class CellTerms:
    """Says expressions with the cells that were chosen."""

    def __init__(self, accesses: MemoryAccesses, chooser: Chooser) -> None:
        self._accesses = accesses
        self._chooser = chooser

    def said(self, e: Expr, mapping: Mapping[Expr, Expr]) -> Expr | None:
        """An expression of the program over cells and ghosts; None if it speaks of other memory."""
        values: dict[Expr, Expr] = {}
        todo = [e]
        while todo:
            term = todo[-1]
            parts = () if isinstance(term, Lvalue) or term in mapping else children(term)
            missing = [part for part in parts if part not in values]
            if missing:
                todo += missing
                continue
            todo.pop()
            found = self._step(term, values, mapping)
            if found is None:
                return None
            values[term] = found
        return values[e]

    def _step(
        self, term: Expr, values: Mapping[Expr, Expr], mapping: Mapping[Expr, Expr]
    ) -> Expr | None:
        if term in mapping:
            return mapping[term]
        match term:
            case Var() | Deref() | Field() | Index():
                return self._lvalue(term, mapping)
            case Const(value, PointerType(_, bits)):
                return make.const(value, IntType(bits, False))
            case Const() | FloatConst():
                return term
            case Unary(op, arg, _):
                return make.unary(op, values[arg])
            case Binary(op, left, right, _):
                made = make.compare if op.is_comparison else make.binary
                return made(op, values[left], values[right])
            case Cast(arg, type_):
                return make.cast(values[arg], number_type(type_))
            case Ite(cond, then, other, _):
                return make.ite(values[cond], values[then], values[other])
            case Not(arg):
                return make.negate(values[arg])
            case And(args):
                return make.conj(values[arg] for arg in args)
            case Or(args):
                return make.disj(values[arg] for arg in args)
        return None

    def _lvalue(self, lvalue: Lvalue, mapping: Mapping[Expr, Expr]) -> Expr | None:
        if not is_scalar(lvalue.type):
            return None
        type_ = number_type(lvalue.type)
        if self._accesses.region(lvalue) is None:
            storage = self._accesses.partition.storage(lvalue)
            assert isinstance(storage, Scalar)
            return make.cast(Var(storage.var.name, number_type(storage.var.type)), type_)
        cell = self._chooser.mapped(lvalue, mapping)
        return None if cell is None else make.cast(cell.var, type_)


def atoms(cond: Expr) -> list[Expr]:
    """The comparisons in a condition."""
    return [term for term in subterms(cond) if isinstance(term, Binary) and term.op.is_comparison]
