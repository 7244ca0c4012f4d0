"""One call of a library function without a model, while it is lowered: its writes, its result.

Soundness duty: whatever the kind of a parameter (see `libc`) says takes any value, within the
object that the pointer leads to.
"""

from __future__ import annotations

from collections.abc import Sequence

from ...ir import make
from ...ir.cfa import Coord
from ...ir.expr import AddressOf, Cast, Const, Deref, Expr, Index, Lvalue, Var
from ...ir.ops import Assign, Assume, Extent, Havoc, Source
from ...ir.types import (
    UCHAR,
    ArrayType,
    FunctionType,
    IntType,
    PointerType,
    RecordType,
    Type,
    VoidType,
    size_of,
)
from ...ir.walk import reads
from . import libc
from .expressions import LowerExpressions
from .scopes import is_string

_FEW = 32  # bytes of an array: more than these are not taken one by one


class LibraryCall:
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
        self._result: Var | None = None
        self.args = [low.saved(arg, coord) if reads(arg) else arg for arg in args]

    def writes(self, contract: libc.Contract, result: Var | None = None) -> None:
        self._result = result
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
            case "r":
                self._taken(pointer, kind[1:])
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
        formatted = self._source is Source.FORMATTED  # then `spec/printed_strings` checks the room
        if array is not None and (
            most is None
            or (isinstance(most, Const) and (formatted or most.value <= size_of(array.type)))
        ):
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
        self._loop(pointer, count, self._source)

    def _taken(self, pointer: Expr, factor: str) -> None:
        """Bytes that the call has taken from outside: as many as its result says."""
        if self._result is None:
            self._bytes(pointer, None)
            return
        low, type_ = self._low, self._low.model.size_type
        assert isinstance(self._result.type, IntType)
        none = make.less(self._result, make.const(0, self._result.type))
        count = make.ite(none, make.const(0, type_), make.cast(self._result, type_))
        if factor:
            count = low.combine("*", count, self._number(int(factor), type_), type_)
        count = low.saved(count, self._coord)
        array = _whole_array(pointer)
        if array is None or size_of(array.type) <= _FEW:
            self._loop(pointer, count, Source.LIBRARY)
        else:
            self._fill(pointer, array, count)
        if factor:
            self._incomplete(pointer, count, int(factor), self._result)

    def _fill(self, pointer: Expr, array: Var, count: Expr) -> None:
        """Bytes from outside for a large array, without a loop: all of it, or none; for a part of
        it any values in all of it, and no violation may rest on that. More than there are is an
        access behind its end."""
        graph, type_ = self._low.graph, self._low.model.size_type
        after = graph.fresh()
        size = make.const(size_of(array.type), type_)
        nothing = make.equal(count, make.const(0, type_))
        whole = make.equal(count, size)
        some = make.less(count, size)
        ways: list[tuple[Expr, Lvalue | None, Source]] = [
            (nothing, None, Source.LIBRARY),
            (whole, array, Source.LIBRARY),
            (make.conj([make.negate(nothing), some]), array, Source.UNKNOWN),
            (make.less(size, count), self._byte(pointer, size), Source.LIBRARY),
        ]
        start = graph.here
        assert start is not None
        for condition, target, source in ways:
            way = graph.fresh()
            graph.add(start, Assume(condition), way, self._coord)
            graph.here = way
            if target is not None:
                graph.emit(Havoc(target, source, self._name), self._coord)
            graph.jump(after, self._coord)
        graph.here = after

    def _incomplete(self, pointer: Expr, count: Expr, factor: int, result: Var) -> None:
        """If fewer elements were taken than asked for, the next one may have been taken in part,
        and C says nothing of it."""
        graph, model = self._low.graph, self._low.model
        size = self._number(factor, model.size_type)
        if isinstance(size, Const) and size.value <= 1:
            return
        asked = self._number(factor + 1, model.size_type)
        fewer = make.less(make.cast(result, model.size_type), asked)
        start, part, after = graph.here, graph.fresh(), graph.fresh()
        assert start is not None
        graph.add(start, Assume(fewer), part, self._coord)
        graph.add(start, Assume(make.negate(fewer)), after, self._coord)
        graph.here = part
        first = make.cast(pointer, model.pointer(UCHAR))
        rest = make.pointer_add(first, make.cast(count, model.diff_type))
        self._bytes(self._low.saved(rest, self._coord), size)
        graph.jump(after, self._coord)
        graph.here = after

    def _loop(self, pointer: Expr, size: Expr, source: Source) -> None:
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
        graph.emit(Havoc(self._byte(pointer, position), source, self._name), coord)
        one = make.const(1, low.model.size_type)
        graph.emit(Assign(position, low.combine("+", position, one, low.model.size_type)), coord)
        graph.jump(head, coord)
        graph.here = after

    def _byte(self, pointer: Expr, position: Expr) -> Lvalue:
        """The byte so far behind the pointer."""
        model = self._low.model
        start = make.cast(pointer, model.pointer(UCHAR))
        return make.deref(make.pointer_add(start, make.cast(position, model.diff_type)))

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
