"""Lower calls: of functions with a body, through pointers, and of functions nobody has defined.

Extra arguments of a variadic function travel in an array that the caller fills, eight bytes or more
each; the function gets a pointer to it as a hidden last parameter, and `va_arg` reads along it.
"""

from __future__ import annotations

from ...errors import UnsupportedFeature
from ...ir import make
from ...ir.cfa import Coord
from ...ir.expr import TRUE, Deref, Expr, FunctionAddress, Var
from ...ir.ops import Assign, Call, Halt, Havoc, Source
from ...ir.types import (
    UCHAR,
    VOID,
    ArrayType,
    DataModel,
    FloatType,
    FunctionType,
    IntType,
    PointerType,
    Type,
    VoidType,
)
from .. import ast
from ..conversions import convert
from ..symbols import StorageClass, Symbol
from . import libc, library, unmodelled
from .expressions import LowerExpressions, va_slot
from .lost_faults import lost_parts


def variadic_parameter(function: str, model: DataModel) -> Var:
    """The hidden parameter of a variadic function: where its extra arguments are."""
    return Var(f"{function}::...", model.pointer(VOID))


def call(low: LowerExpressions, expr: ast.Call, target: Var | None, *, wanted: bool) -> Expr | None:
    """Lower a call; see `expressions.CallLowering`."""
    symbol = _function_symbol(expr.callee)
    name = "" if symbol is None else low.names.function_name(symbol)
    if symbol is not None:
        handler = library.handler(symbol.name, defined=name in low.names.functions)
        if handler is not None and library.is_namesake(symbol.name, symbol.type):
            handler = None
        watched = contract = None
        if handler is not None:
            in_library = library.library_name(symbol.name)
            watched = low.names.watched_address(in_library, expr.coord)
        elif (contract := _unmodelled(low, symbol, name)) is not None:
            in_library = library.library_name(symbol.name)
            if not low.names.is_watched(in_library):
                value = unmodelled.lower(low, expr, target, in_library, contract, wanted=wanted)
                if symbol.noreturn:
                    low.graph.emit(Halt(f"{in_library} does not return", None), expr.coord)
                return _delivered(low, value, target, expr.coord)
        if handler is not None and watched is None:
            return _delivered(low, handler(low, expr, target, wanted), target, expr.coord)
        callee: Expr = watched or low.names.function_address(symbol, expr.coord)
        args = low.operands(*expr.args)
        if contract is not None:
            args = unmodelled.writes(low, symbol.name, args, contract, expr.coord)
    else:
        callee, *args = low.operands(expr.callee, *expr.args)
    assert isinstance(callee.type, PointerType)
    type_ = callee.type.target
    assert isinstance(type_, FunctionType)
    args = _adapted(low, callee, type_, args, expr.coord)
    result = _emit(low, callee, type_.result, args, expr, target, wanted)
    if symbol is not None and symbol.noreturn and name not in low.names.functions:
        low.names.assume(f"{symbol.name} is declared noreturn, and does not return")
        low.graph.emit(Halt(f"{symbol.name} does not return", None), expr.coord)
    return result


def _delivered(
    low: LowerExpressions, value: Expr | None, target: Var | None, coord: Coord
) -> Expr | None:
    """The value of a call, in the target if there is one."""
    if target is None or value is target or value is None:
        return value
    low.graph.emit(Assign(target, convert(value, target.type)), coord)
    return target


def _unmodelled(low: LowerExpressions, symbol: Symbol, name: str) -> libc.Contract | None:
    """The contract of a library function or builtin that has no model."""
    if low.names.is_defined(name, symbol.type):
        return None
    assert isinstance(symbol.type, FunctionType)
    contract = library.contract(symbol.name, symbol.type)
    if contract is None and (symbol.system or library.is_builtin(symbol.name)):
        return unmodelled.contract_of(symbol.type, low.names.records)
    return contract


def _emit(
    low: LowerExpressions,
    callee: Expr,
    result: Type,
    args: list[Expr],
    expr: ast.Call,
    target: Var | None,
    wanted: bool,
) -> Expr | None:
    """The call itself; its result goes straight into the target if the types allow it."""
    if not wanted or isinstance(expr.type, VoidType):
        low.graph.emit(Call(None, callee, tuple(args)), expr.coord)
        return None
    if isinstance(result, VoidType):  # declared in one file with a result, defined without
        low.graph.emit(Call(None, callee, tuple(args)), expr.coord)
        value = target or low.scope.temporary(expr.type)
        low.graph.emit(Havoc(value, Source.UNINITIALIZED, "a call's result"), expr.coord)
        return value
    received = (
        target if target is not None and target.type is result else low.scope.temporary(result)
    )
    low.graph.emit(Call(received, callee, tuple(args)), expr.coord)
    if target is None:
        return convert(received, expr.type) if result is not expr.type else received
    if received is not target:
        low.graph.emit(Assign(target, convert(received, target.type)), expr.coord)
    return target


def _adapted(
    low: LowerExpressions, callee: Expr, type_: FunctionType, args: list[Expr], coord: Coord
) -> list[Expr]:
    """The arguments as the callee's parameters take them."""
    passed: list[Expr] = []
    for number, param in enumerate(type_.params):
        if number < len(args):
            passed.append(_as_parameter(args[number], param, coord))
        elif isinstance(callee, FunctionAddress):
            missing = low.scope.temporary(param)  # called without a prototype in sight
            low.graph.emit(Havoc(missing, Source.UNINITIALIZED, "a missing argument"), coord)
            passed.append(missing)
    extra = args[len(type_.params) :]
    if not type_.variadic:
        low.evaluate(lost_parts(TRUE, *extra), coord)
        return passed
    if not type_.params:
        return passed + extra
    return [*passed, _spread(low, extra, coord)]


def _as_parameter(arg: Expr, param: Type, coord: Coord) -> Expr:
    scalar = IntType | PointerType | FloatType
    if isinstance(arg.type, scalar) != isinstance(param, scalar):
        raise UnsupportedFeature(f"{coord}: an argument is a record where none is expected, or not")
    if arg.type is not param and isinstance(param, scalar):
        return convert(arg, param)
    return arg


def _spread(low: LowerExpressions, extra: list[Expr], coord: Coord) -> Expr:
    """An array with the extra arguments of a variadic call, as a pointer to it."""
    pointer = low.model.pointer(VOID)
    if not extra:
        return make.const(0, pointer)
    size = sum(va_slot(arg.type) for arg in extra)
    area = low.scope.temporary(ArrayType(UCHAR, size), "va")
    offset = 0
    for arg in extra:
        slot = make.index(area, make.const(offset, low.model.diff_type))
        address = make.address_of(slot, low.model.pointer(UCHAR))
        lvalue = Deref(make.cast(address, low.model.pointer(arg.type)), arg.type)
        low.graph.emit(Assign(lvalue, arg), coord)
        offset += va_slot(arg.type)
    return make.cast(make.decay(area, low.model.pointer_bits), pointer)


def _function_symbol(callee: ast.Expr) -> Symbol | None:
    """The function that is called by name, if it is."""
    while True:
        match callee:
            case ast.Cast(arg, _, _) if isinstance(arg.type, FunctionType):
                callee = arg
            case ast.Unary("*" | "&", arg) if _is_function(callee.type) and _is_function(arg.type):
                callee = arg
            case ast.Ref(symbol, _, _, _) if symbol.storage is StorageClass.FUNCTION:
                return symbol
            case _:
                return None


def _is_function(type_: Type) -> bool:
    target = type_.target if isinstance(type_, PointerType) else type_
    return isinstance(target, FunctionType)
