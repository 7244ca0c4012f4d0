"""Inline assembly: what its instructions do, if that is known; else its outputs hold anything.

Soundness duty: what is not known is named as an assumption, and no violation rests on it.
"""

from __future__ import annotations

from ...ir.expr import Expr, Lvalue
from ...ir.ops import Havoc, Source
from ...ir.types import FunctionType, IntType, PointerType
from .. import ast
from .expressions import LowerExpressions
from .instructions import AsmOperand, operations


def lower_assembly(low: LowerExpressions, stmt: ast.Asm) -> None:
    """Emit what the instructions do; where they may jump to is not looked at."""
    coord = stmt.coord
    operands = _operands(low, stmt)
    done = None
    if stmt.text is not None and stmt.targets == frozenset():
        done = operations(stmt.text, operands, low.scope.temporary, low.names.is_defined)
    if done is None:
        low.names.assume(f"{coord}: inline assembly writes nothing but its outputs, any values")
        done = [
            Havoc(operand.lvalue, Source.ASM, "asm")
            for operand in operands
            if operand.is_output and operand.lvalue is not None
        ]
    elif any(isinstance(op, Havoc) for op in done):
        text = "inline assembly gets any values from a port or a function without a body"
        low.names.assume(f"{coord}: {text}")
    for op in done:
        low.graph.emit(op, coord)


def _operands(low: LowerExpressions, stmt: ast.Asm) -> list[AsmOperand]:
    """The operands, evaluated from left to right."""
    found = []
    known = stmt.constraints or [("", "")] * len(stmt.outputs + stmt.inputs)
    for number, expr in enumerate((*stmt.outputs, *stmt.inputs)):
        name, constraint = known[number]
        is_output = number < len(stmt.outputs)
        value: Expr | None = None
        lvalue: Lvalue | None = None
        if (is_output or constraint == "m") and _is_lvalue(expr):
            lvalue = low.lvalue(expr)
            if not constraint.startswith("=") and isinstance(expr.type, IntType | PointerType):
                value = low.load(lvalue, expr)
        elif isinstance(expr.type, IntType | PointerType):
            value = low.value(expr)
        else:
            low.discard(expr)
        found.append(AsmOperand(name, constraint, expr.type, value, lvalue, is_output))
    return found


def _is_lvalue(expr: ast.Expr) -> bool:
    if isinstance(expr.type, FunctionType):
        return False
    if isinstance(expr, ast.Unary):
        return expr.op == "*"
    return isinstance(expr, ast.Ref | ast.Member | ast.Subscript)
