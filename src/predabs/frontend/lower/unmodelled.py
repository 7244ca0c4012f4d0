"""Calls of library functions without a model: what they may write, and their result, is unknown.

Soundness duty: everything that `libc` says a function may write takes any value. What the library
computes comes from `Source.UNKNOWN`, so that no violation is confirmed that rests on it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ...errors import UnsupportedFeature
from ...ir import make
from ...ir.cfa import Coord
from ...ir.expr import AddressOf, Cast, Const, Deref, Expr, Index, Lvalue, Var
from ...ir.ops import Assign, Assume, Extent, Havoc, Print, Source
from ...ir.types import (
    UCHAR,
    ArrayType,
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
from ...ir.walk import reads
from .. import ast
from . import libc
from .expressions import LowerExpressions
from .formats import refuse_counts
from .scopes import is_string

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
    if name in FORMATTED:
        return _formatted(low, expr, name, contract, wanted=wanted)
    call = _Call(low, name, low.operands(*expr.args), expr.coord)
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
        call = _Call(low, name, args, expr.coord, Source.FORMATTED)
        call.writes(contract)
        args = call.args
    result = low.scope.temporary(expr.type) if wanted else None
    low.graph.emit(Print(result, name, tuple(args)), expr.coord)
    return result


def writes(
    low: LowerExpressions, name: str, args: Sequence[Expr], contract: libc.Contract, coord: Coord
) -> list[Expr]:
    """Only the writes of a call; the arguments as they were before."""
    call = _Call(low, name, args, coord)
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
    call = _Call(low, name, pointers, coord, source)
    for number, pointer in enumerate(call.args):
        target = pointer.type.target if isinstance(pointer.type, PointerType) else None
        if isinstance(target, IntType | FloatType) and size_of(target) > 1:
            call.write(pointer, "o")
        elif target is not None:
            most = limits[number] if number < len(limits) else None
            call.write(pointer, "x" if most is None else f"={most}")


def contract_of(
    name: str, type_: FunctionType, records: Mapping[str, Record], coord: Coord
) -> libc.Contract:
    """What a function of which only the type is known may do, if it is one of the system's: write
    whatever its arguments lead to. What they lead to only by way of other pointers is too much."""
    params = []
    for param in type_.params:
        kind = _kind(param, records)
        if not kind:
            raise UnsupportedFeature(f"{coord}: {name} is not supported")
        params.append(kind)
    return libc.Contract("?", tuple(params), "..x" if type_.variadic else "")


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


class _Call:
    """One call while it is lowered."""

    def __init__(
        self,
        low: LowerExpressions,
        name: str,
        args: Sequence[Expr],
        coord: Coord,
        source: Source = Source.UNKNOWN,
    ) -> None:
        self._low = low
        self._source = source
        self._name = name
        self._coord = coord
        self.args = [low.saved(arg, coord) if reads(arg) else arg for arg in args]

    def writes(self, contract: libc.Contract) -> None:
        for number, arg in enumerate(self.args):
            named = number < len(contract.params)
            kind = contract.params[number] if named else contract.more.removeprefix("..")
            if isinstance(arg.type, PointerType):
                self.write(arg, kind)

    # --- what is written --------------------------------------------------------------------------

    def write(self, pointer: Expr, kind: str) -> None:
        """Forget what the pointer leads to, unless it is null."""
        if kind in ("n", "p", ".", "") or _is_null(pointer):
            return
        graph = self._low.graph
        if graph.here is None:
            return
        start, some, after = graph.here, graph.fresh(), graph.fresh()
        null = make.equal(pointer, make.const(0, _pointer(pointer.type)))
        graph.add(start, Assume(make.negate(null)), some, self._coord)
        graph.add(start, Assume(null), after, self._coord)
        graph.here = some
        self._write(pointer, kind)
        graph.jump(after, self._coord)
        graph.here = after

    def _write(self, pointer: Expr, kind: str) -> None:
        match kind[0]:
            case "o" if _is_object(pointer.type):
                self._forget(make.deref(pointer))
            case "=":
                self._bytes(pointer, make.const(int(kind[1:]), self._low.model.size_type))
            case "b":
                self._bytes(pointer, self._size(kind[1:]))
            case "l":
                lvalue = make.deref(pointer)
                self.write(self._low.saved(lvalue, self._coord), "x")
                self._forget(lvalue)
            case _:
                self._bytes(pointer, None)

    def _forget(self, lvalue: Lvalue) -> None:
        self._low.graph.emit(Havoc(lvalue, self._source, self._name), self._coord)

    def _size(self, factors: str) -> Expr:
        type_ = self._low.model.size_type
        values = [self._number(int(number), type_) for number in factors.split("*")]
        if len(values) == 1:
            return values[0]
        return self._low.combine("*", values[0], values[1], type_)

    def _number(self, index: int, type_: IntType) -> Expr:
        if index < len(self.args):
            return make.cast(self.args[index], type_)
        missing = self._low.scope.temporary(type_)  # called with too few arguments
        self._forget(missing)
        return missing

    def _bytes(self, pointer: Expr, most: Expr | None) -> None:
        """Forget so many bytes, or fewer: a buffer may be shorter than the call says, as long as
        nothing is written behind its end."""
        array = _whole_array(pointer)
        if array is not None and (most is None or isinstance(most, Const)):
            size = size_of(array.type)
            if most is None or most.value >= size:
                self._forget(array)
            elif most.value > 0:
                part = ArrayType(UCHAR, most.value)
                self._forget(Deref(make.cast(pointer, self._low.model.pointer(part)), part))
            return
        # a run that would leave the object ends
        size_type = self._low.model.size_type
        count = self._low.scope.temporary(size_type)
        whose = Source.FORMATTED if self._source is Source.FORMATTED else Source.UNKNOWN
        number = Havoc(count, whose, self._name, Extent(pointer, most))
        self._low.graph.emit(number, self._coord)
        if most is not None:
            self._low.graph.emit(Assume(make.less_equal(count, most)), self._coord)
        self._loop(pointer, count)

    def _loop(self, pointer: Expr, size: Expr) -> None:
        """Each byte in turn."""
        low, coord = self._low, self._coord
        graph = low.graph
        position = low.scope.temporary(low.model.size_type)
        graph.emit(Assign(position, make.const(0, low.model.size_type)), coord)
        head, body, after = graph.fresh(), graph.fresh(), graph.fresh()
        graph.jump(head, coord)
        more = make.less(position, size)
        graph.add(head, Assume(more), body, coord)
        graph.add(head, Assume(make.negate(more)), after, coord)
        graph.here = body
        start = make.cast(pointer, low.model.pointer(UCHAR))
        self._forget(make.deref(make.pointer_add(start, make.cast(position, low.model.diff_type))))
        one = make.const(1, low.model.size_type)
        graph.emit(Assign(position, low.combine("+", position, one, low.model.size_type)), coord)
        graph.jump(head, coord)
        graph.here = after

    # --- what is returned -------------------------------------------------------------------------

    def result(self, var: Var, contract: libc.Contract) -> None:
        """Any value, or an input with the bounds that the contract has."""
        source = Source.EXTERN if contract.is_input else Source.UNKNOWN
        graph = self._low.graph
        first, dots, last = contract.result.partition("..")
        if dots and first == last and isinstance(var.type, IntType):
            graph.emit(Assign(var, make.const(int(first), var.type)), self._coord)
            return
        graph.emit(Havoc(var, source, self._name), self._coord)
        if dots and isinstance(var.type, IntType):
            least, most = self._bound(first, var.type), self._bound(last, var.type)
            bounds = [make.less_equal(least, var)] if least is not None else []
            if most is not None:  # more than the type can tell is no limit
                nothing = make.less(most, make.const(0, var.type))
                bounds.append(make.disj([make.less_equal(var, most), nothing]))
            graph.emit(Assume(make.conj(bounds), promised=True), self._coord)

    def _bound(self, text: str, type_: IntType) -> Expr | None:
        """A limit as a value of the result's type; none if that cannot hold it."""
        if not text:
            return None
        if not text.startswith("#"):
            value = int(text)
            return make.const(value, type_) if type_.low <= value <= type_.high else None
        size = self.args[int(text[1:])] if int(text[1:]) < len(self.args) else None
        return None if size is None else make.cast(size, type_)


def _is_null(pointer: Expr) -> bool:
    while isinstance(pointer, Cast):
        pointer = pointer.arg
    return isinstance(pointer, Const) and pointer.value == 0


def _pointer(type_: Type) -> PointerType:
    assert isinstance(type_, PointerType)
    return type_


def _is_object(type_: Type) -> bool:
    """Does a pointer of this type say how large the object is that it leads to?"""
    target = _pointer(type_).target
    return not isinstance(target, VoidType | FunctionType) and (
        not isinstance(target, RecordType) or size_of(target) > 0
    )


def _whole_array(pointer: Expr) -> Var | None:
    """The array of which the pointer is the start, if it says so itself."""
    while isinstance(pointer, Cast) and isinstance(pointer.arg.type, PointerType):
        pointer = pointer.arg
    match pointer:
        case AddressOf(Index(Var() as array, Const(0), _), _) if size_of(array.type) > 0:
            return None if is_string(array) else array
        case _:
            return None
