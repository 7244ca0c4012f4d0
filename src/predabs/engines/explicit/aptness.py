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
from ...ir.walk import as_lvalue

_FEWEST_VARIABLES = 3  # that are given constants and compared with constants
_FEWEST_CONSTANTS = 3  # with which a single one is compared


def is_machine(program: Program) -> bool:
    given: set[Expr] = set()
    compared: dict[Expr, set[int]] = {}
    copied: dict[Expr, set[Expr]] = {}
    functions: dict[Expr, set[str]] = {}
    by_pointer = False
    for item in program.globals:
        for assign in item.init:
            if isinstance(assign.value, FunctionAddress):
                functions.setdefault(_anywhere(assign.target), set()).add(assign.value.name)
    for function in program.functions.values():
        for edge in function.edges:
            match edge.op:
                case Assign(target, Const()) if isinstance(target.type, IntType):
                    given.add(_anywhere(target))
                case Assign(target, FunctionAddress(name, _)):
                    functions.setdefault(_anywhere(target), set()).add(name)
                case Assign(Var() as target, Field() | Deref() | Index() | Cast() as value):
                    copied.setdefault(target, set()).add(_anywhere(_uncast(value)))
                case Assume(cond):
                    _compare(cond, compared)
                case Call(_, Var() | Field() | Deref() | Index(), _):
                    by_pointer = True
    for copy, places in copied.items():  # what is compared is often a copy: that of a `switch`
        for place in places if copy in compared else ():
            compared.setdefault(place, set()).update(compared[copy])
    states = {place: numbers for place, numbers in compared.items() if place in given}
    return (
        sum(2 if _has_index(place) else 1 for place in states) >= _FEWEST_VARIABLES
        or any(len(numbers) >= _FEWEST_CONSTANTS for numbers in states.values())
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
                place = _uncast(place)
                if isinstance(place, Var | Field | Deref | Index):
                    compared.setdefault(_anywhere(place), set()).add(value)


def _uncast(e: Expr) -> Expr:
    while isinstance(e, Cast):
        e = e.arg
    return e


def _anywhere(e: Expr) -> Expr:
    """The place in the first elements of arrays: which element it is does not matter."""
    match e:
        case Index(base, index, type_) if isinstance(index.type, IntType):
            return Index(as_lvalue(_anywhere(base)), Const(0, index.type), type_)
        case Field(base, name, type_):
            return Field(as_lvalue(_anywhere(base)), name, type_)
    return e


def _has_index(e: Expr) -> bool:
    while isinstance(e, Field):
        e = e.base
    return isinstance(e, Index)
