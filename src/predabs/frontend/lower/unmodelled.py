"""Calls of library functions without a model: what they may write, and their result, is unknown.

Soundness duty: everything that `libc` says a function may write takes any value. What the library
computes comes from `Source.UNKNOWN`, so that no violation is confirmed that rests on it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ...errors import UnsupportedFeature
from ...ir.cfa import Coord
from ...ir.expr import Expr, Var
from ...ir.ops import Print, Source
from ...ir.types import (
    FloatType,
    FunctionType,
    IntType,
    PointerType,
    Record,
    RecordType,
    Type,
    VoidType,
    size_of,
)
from .. import ast
from . import libc
from .expressions import LowerExpressions
from .formats import refuse_counts
from .library_call import LibraryCall
from .unsupported import end

FORMATTED = frozenset(["sprintf", "snprintf", "vsprintf", "vsnprintf", "vprintf", "vfprintf"])


def lower(
    low: LowerExpressions,
    expr: ast.Call,
    target: Var | None,
    name: str,
    contract: libc.Contract,
    *,
    wanted: bool,
) -> Expr | None:
    """Lower a call; the result is in `target` if there is one and its type allows it."""
    refuse_counts(expr)
    if contract.result == "!":
        return end(low, expr, f"{name} is not supported")
    if name in FORMATTED:
        return _formatted(low, expr, name, contract, wanted=wanted)
    call = LibraryCall(low, name, low.operands(*expr.args), expr.coord)
    if contract.takes_bytes and isinstance(expr.type, IntType):  # as many as the result says
        result = low.scope.temporary(expr.type)
        call.result(result, contract)
        call.writes(contract, result)
        return result
    call.writes(contract)
    if isinstance(expr.type, VoidType) or not (wanted or contract.is_input):
        return None
    fits = target is not None and target.type is expr.type
    result = target if target is not None and fits else low.scope.temporary(expr.type)
    call.result(result, contract)
    return result


def _formatted(
    low: LowerExpressions, expr: ast.Call, name: str, contract: libc.Contract, *, wanted: bool
) -> Expr | None:
    """sprintf and its kin: any value to what they may write, and then the `Print` that says which,
    for whoever can compute it. Of a va_list it gets where the arguments are."""
    args = low.operands(*expr.args)
    if name.startswith("v"):
        args[-1] = low.saved(low.va_cell(expr.args[-1]), expr.coord)
    if contract.writes:
        call = LibraryCall(low, name, args, expr.coord, Source.FORMATTED)
        call.writes(contract)
        args = call.args
    result = low.scope.temporary(expr.type) if wanted else None
    low.graph.emit(Print(result, name, tuple(args)), expr.coord)
    return result


def writes(
    low: LowerExpressions, name: str, args: Sequence[Expr], contract: libc.Contract, coord: Coord
) -> list[Expr]:
    """Only the writes of a call; the arguments as they were before. How many bytes it takes is not
    known yet."""
    if contract.result == "!":
        raise UnsupportedFeature(f"{coord}: a rule cannot watch calls of {name}")
    call = LibraryCall(low, name, args, coord)
    call.writes(contract)
    return call.args


def scan(
    low: LowerExpressions,
    name: str,
    pointers: Sequence[Expr],
    limits: Sequence[int | None],
    source: Source,
    coord: Coord,
) -> None:
    """The writes of scanf: numbers, or characters, of which there may be a limit."""
    call = LibraryCall(low, name, pointers, coord, source)
    for number, pointer in enumerate(call.args):
        target = pointer.type.target if isinstance(pointer.type, PointerType) else None
        if isinstance(target, IntType | FloatType) and size_of(target) > 1:
            call.write(pointer, "o")
        elif target is not None:
            most = limits[number] if number < len(limits) else None
            call.write(pointer, "x" if most is None else f"={most}")


def contract_of(type_: FunctionType, records: Mapping[str, Record]) -> libc.Contract:
    """What a function of which only the type is known may do, if it is one of the system's: write
    whatever its arguments lead to. What they lead to only by way of other pointers is too much."""
    params = tuple(_kind(param, records) for param in type_.params)
    return libc.Contract("?" if all(params) else "!", params, "..x" if type_.variadic else "")


def _kind(param: Type, records: Mapping[str, Record]) -> str:
    """The kind of a parameter, as in `libc`; empty if there is none."""
    match param:
        case PointerType(FunctionType()):
            return ""
        case PointerType(PointerType(inner)):
            return "" if isinstance(inner, PointerType | FunctionType) else "l"
        case PointerType(RecordType(tag, size)):
            if size == 0:
                return "p"  # a handle
            inside = [member.type for member in records[tag].members]
            scalars_only = all(isinstance(member, IntType | FloatType) for member in inside)
            return "x" if scalars_only else ""
        case PointerType():
            return "x"
        case _:
            return "n"
