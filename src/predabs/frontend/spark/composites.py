"""Arrays and records: values that are any, aggregates, and copies."""

from __future__ import annotations

from ...errors import InputError, UnsupportedFeature
from ...ir import make
from ...ir.cfa import Coord
from ...ir.expr import Const, Lvalue, Op
from ...ir.ops import Copy, Fill, Havoc, Source
from ...ir.types import INT, LLONG, DataModel, PointerType, size_of
from . import syntax
from .arithmetic import Value, outside
from .expressions import LowerExpressions
from .lowering import BOUNDED_AT_ONCE, inner_array
from .syntax import Association
from .types import AdaType, Array, RecordOf, Scalar, length

MODEL = DataModel.LP64
_ONE_BY_ONE = 8  # elements that are copied each by an assignment
_MOST = 256  # elements that an aggregate writes one by one


class LowerComposites(LowerExpressions):
    """Lowers what whole objects need."""

    def any_value(
        self, target: Lvalue, type_: AdaType, source: Source, name: str, coord: Coord
    ) -> None:
        """The object has any value of its subtype. Of large arrays, elements are bounded when they
        are read."""
        self.frame.graph.emit(Havoc(target, source, name), coord)
        self._bound_values(target, type_, coord)

    def _bound_values(self, target: Lvalue, type_: AdaType, coord: Coord) -> None:
        match type_:
            case Scalar(_, _, low, high) if type_.constrains:
                whole = Value(target, type_.ir.low, type_.ir.high)
                self.frame.assume(make.negate(outside(whole, low, high)), coord)
            case RecordOf(_, components):
                for part in components:
                    inner = make.field(target, part.spelling, part.type.ir)
                    self._bound_values(inner, part.type, coord)
            case Array(_, _, indices, _) if length(indices[0]) <= BOUNDED_AT_ONCE:
                element = inner_array(type_)
                for at in range(length(indices[0])):
                    self._bound_values(make.index(target, make.const(at, LLONG)), element, coord)

    def no_value(self, target: Lvalue, type_: AdaType, name: str, coord: Coord) -> None:
        """The object is declared without a value: components may have defaults."""
        self.any_value(target, type_, Source.UNINITIALIZED, name, coord)
        self._defaults(target, type_, coord)

    def _defaults(self, target: Lvalue, type_: AdaType, coord: Coord) -> None:
        if isinstance(type_, RecordOf):
            for part in type_.components:
                inner = make.field(target, part.spelling, part.type.ir)
                if part.default is not None and isinstance(part.type, Scalar):
                    value = make.const(part.default, part.type.ir)
                    self.frame.assign(inner, value, coord)
                else:
                    self._defaults(inner, part.type, coord)
        elif isinstance(type_, Array) and _has_defaults(type_.element):
            for at in range(length(type_.indices[0])):
                self._defaults(make.index(target, make.const(at, LLONG)), inner_array(type_), coord)

    def assign(self, target: Lvalue, type_: AdaType, expr: syntax.Expr) -> None:
        """Give an object the value of an expression, checked against its subtype."""
        if isinstance(type_, Scalar):
            self.frame.assign(target, self.checked(expr, type_).expr, expr.coord)
        else:
            self.assign_composite(target, type_, expr)

    def copy(self, target: Lvalue, source: Lvalue, type_: AdaType, coord: Coord) -> None:
        if not isinstance(type_, Array):
            self.frame.assign(target, source, coord)
            return
        count = length(type_.indices[0])
        if count <= _ONE_BY_ONE:
            inner = inner_array(type_)
            for at in range(count):
                index = make.const(at, LLONG)
                self.copy(make.index(target, index), make.index(source, index), inner, coord)
            return
        pointers = [
            make.address_of(place, PointerType(type_.ir, MODEL.pointer_bits))
            for place in (target, source)
        ]
        size = make.const(size_of(type_.ir), MODEL.size_type)
        self.frame.graph.emit(Copy(pointers[0], pointers[1], size), coord)

    # --- aggregates -----------------------------------------------------------------------------

    def aggregate(self, target: Lvalue, type_: AdaType, expr: syntax.Aggregate) -> None:
        match type_:
            case RecordOf():
                self._record(target, type_, expr)
            case Array():
                self._array(target, type_, expr)
            case _:
                raise InputError(f"{expr.coord}: {type_.name} has no aggregates")

    def _record(self, target: Lvalue, type_: RecordOf, expr: syntax.Aggregate) -> None:
        given: dict[str, Association] = {}
        others: Association | None = None
        for at, item in enumerate(expr.items):
            if item.others:
                others = item
            elif item.positional and at < len(type_.components):
                given[type_.components[at].name] = item
            for choice in item.choices:
                if not isinstance(choice, syntax.Name) or type_.component(choice.text) is None:
                    raise InputError(f"{choice.coord}: {type_.name} has no such component")
                given[choice.text] = item
        if len(expr.items) > len(type_.components) + (others is not None):
            raise InputError(f"{expr.coord}: {type_.name} has fewer components")
        for part in type_.components:
            found = given.get(part.name, others)
            if found is None:
                raise InputError(f"{expr.coord}: component {part.spelling} has no value")
            inner = make.field(target, part.spelling, part.type.ir)
            if found.value is None:
                self.no_value(inner, part.type, part.spelling, expr.coord)
            else:
                self.assign(inner, part.type, found.value)

    def _array(self, target: Lvalue, type_: Array, expr: syntax.Aggregate) -> None:
        index = type_.indices[0]
        given: dict[int, Association] = {}
        others: Association | None = None
        for at, item in enumerate(expr.items):
            if item.others:
                others = item
            elif item.positional:
                given[index.low + at] = item
            for choice in item.choices:
                part = self.choice_range(choice, index)
                if part.low <= part.high and not index.low <= part.low <= part.high <= index.high:
                    raise InputError(f"{choice.coord}: {type_.name} has no such index")
                if length(part) == length(index) > _MOST:
                    others = item
                else:
                    given.update(dict.fromkeys(range(part.low, part.high + 1), item))
        if len(given) > length(index) or (others is None and len(given) < length(index)):
            raise InputError(f"{expr.coord}: {len(given)} elements for an array of {length(index)}")
        if length(index) > _MOST and others is not None and not given:
            return self._fill(target, type_, others, expr.coord)
        if length(index) > _MOST:
            raise UnsupportedFeature(f"{expr.coord}: an aggregate of more than {_MOST} elements")
        for at in range(index.low, index.high + 1):
            found = given.get(at, others)
            assert found is not None
            self._put(make.index(target, make.const(at - index.low, LLONG)), type_, found)
        return None

    def _put(self, target: Lvalue, type_: Array, item: Association) -> None:
        inner = inner_array(type_)
        if item.value is None:
            self.no_value(target, inner, type_.name, item.coord)
        else:
            self.assign(target, inner, item.value)

    def _fill(self, target: Lvalue, type_: Array, item: Association, coord: Coord) -> None:
        """All elements of a large array have one value."""
        inner = inner_array(type_)
        if item.value is not None and isinstance(inner, Scalar):
            value = self.checked(item.value, inner)
            if isinstance(value.expr, Const) and value.expr.value == 0:
                pointer = make.address_of(target, PointerType(type_.ir, MODEL.pointer_bits))
                size = make.const(size_of(type_.ir), MODEL.size_type)
                self.frame.graph.emit(Fill(pointer, make.const(0, INT), size), coord)
                return
        graph = self.frame.graph
        counter = self.frame.temporary(LLONG)
        head, body, after = graph.fresh(), graph.fresh(), graph.fresh()
        self.frame.assign(counter, make.const(0, LLONG), coord)
        graph.jump(head, coord)
        graph.here = head
        last = make.const(length(type_.indices[0]), LLONG)
        self.frame.branch(make.less(counter, last), body, after, coord)
        graph.here = body
        self._put(make.index(target, counter), type_, item)
        self.frame.assign(counter, make.binary(Op.ADD, counter, make.const(1, LLONG)), coord)
        graph.jump(head, coord)
        graph.here = after


def _has_defaults(type_: AdaType) -> bool:
    match type_:
        case RecordOf(_, components):
            return any(one.default is not None or _has_defaults(one.type) for one in components)
        case Array(_, _, _, element):
            return _has_defaults(element)
    return False
