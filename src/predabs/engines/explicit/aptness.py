"""Is a program a machine: does its control flow depend on variables that hold a few constants, or
on which of several functions a pointer leads to?

Looked at without any analysis, as it decides which engine has a time slice. No soundness duty.
"""

from __future__ import annotations

from ...ir.cfa import Program
from ...ir.expr import (
    And,
    Binary,
    Cast,
    Const,
    Deref,
    Expr,
    Field,
    FunctionAddress,
    Index,
    Not,
    Op,
    Or,
    Var,
)
from ...ir.ops import Assign, Assume, Call
from ...ir.types import IntType

_FEWEST_VARIABLES = 3  # that are given constants and compared with constants
_FEWEST_CONSTANTS = 3  # with which a single one is compared


def is_machine(program: Program) -> bool:
    given: set[Expr] = set()
    compared: dict[Expr, set[int]] = {}
    functions: dict[Expr, set[str]] = {}
    by_pointer = False
    for item in program.globals:
        for assign in item.init:
            if isinstance(assign.value, FunctionAddress):
                functions.setdefault(assign.target, set()).add(assign.value.name)
    for function in program.functions.values():
        for edge in function.edges:
            match edge.op:
                case Assign(target, Const()) if isinstance(target.type, IntType):
                    given.add(target)
                case Assign(target, FunctionAddress(name, _)):
                    functions.setdefault(target, set()).add(name)
                case Assume(cond):
                    _compare(cond, compared)
                case Call(_, Var() | Field() | Deref() | Index(), _):
                    by_pointer = True
    states = [numbers for place, numbers in compared.items() if place in given]
    return (
        len(states) >= _FEWEST_VARIABLES
        or any(len(numbers) >= _FEWEST_CONSTANTS for numbers in states)
        or (by_pointer and any(len(names) > 1 for names in functions.values()))
    )


def _compare(cond: Expr, compared: dict[Expr, set[int]]) -> None:
    todo = [cond]
    while todo:
        match todo.pop():
            case Not(arg):
                todo.append(arg)
            case And(args) | Or(args):
                todo += args
            case Binary(Op.EQ, place, Const(value, _), _):
                while isinstance(place, Cast):
                    place = place.arg
                if isinstance(place, Var | Field | Deref | Index):
                    compared.setdefault(place, set()).add(value)
