"""Lower what expressions say of objects: where they lie, and values of arrays and records."""

from __future__ import annotations

from collections.abc import Sequence

from ...errors import InputError, UnsupportedFeature
from ...ir import make
from ...ir.cfa import Coord
from ...ir.expr import Lvalue
from ...ir.types import LLONG
from . import syntax
from .arithmetic import outside
from .frame import INDEX
from .lowering import position
from .syntax import Association
from .text import show
from .types import AdaType, Array, length
from .values import LowerValues

_LARGEST_SLICE = 256  # elements, which are copied one by one


class LowerExpressions(LowerValues):
    """Lowers the expressions of one subprogram, in one scope after the other."""

    def place(self, expr: syntax.Expr) -> tuple[Lvalue, AdaType]:
        """Where an object lies, and its type."""
        match expr:
            case syntax.Name() | syntax.Select():
                found = self.names.object_of(expr)
                if found is not None:
                    place = self.bindings.get(found, found.place)
                    assert isinstance(place, Lvalue)
                    return place, found.type
                if isinstance(expr, syntax.Select) and not self.names.entities(expr):
                    outer = self.names.type(expr.prefix)
                    name, type_ = self.names.component(expr)
                    return make.field(self.composite(expr.prefix, outer), name, type_.ir), type_
            case syntax.Apply(_, prefix, args) if not self.names.callable(prefix):
                if self.names.is_slice(expr):
                    raise UnsupportedFeature(f"{expr.coord}: a slice cannot be a variable here")
                return self._element(expr, prefix, args)
            case syntax.Attribute(_, prefix, "loop_entry", _):
                return self.at_loop_entry(expr), self.names.type(prefix)
            case syntax.Attribute(_, prefix, "old", _) if expr in self.saved:
                return self.saved[expr], self.names.type(prefix)
            case syntax.Attribute(_, _, "result", _) if self.result is not None:
                return self.result, self.names.type(expr)
        raise InputError(f"{expr.coord}: {show(expr)} is no object")

    def _element(
        self, expr: syntax.Expr, prefix: syntax.Expr, args: Sequence[Association]
    ) -> tuple[Lvalue, AdaType]:
        self.names.types(expr)  # complains about what is wrong with it
        type_ = self.names.type(prefix)
        assert isinstance(type_, Array)
        place = self.composite(prefix, type_)
        for arg, index in zip(args, type_.indices, strict=True):
            if arg.value is None or not arg.positional:
                raise InputError(f"{arg.coord}: an index is an expression")
            value = self.value(arg.value, index)
            bad = outside(value, index.low, index.high)
            what = f"index check: {show(arg.value)} is not in {index.low} .. {index.high}"
            self.frame.check(bad, what, INDEX, arg.coord)
            place = make.index(place, position(value, index))
        return place, type_.element

    def composite(self, expr: syntax.Expr, type_: AdaType) -> Lvalue:
        """Where the value of an array or record lies; one that is computed gets a temporary."""
        match expr:
            case syntax.Aggregate() | syntax.If():
                made = self.frame.temporary(type_.ir)
                self.assign_composite(made, type_, expr)
                return made
            case syntax.Qualified(_, mark, inner):
                return self.composite(inner, self.names.wanted_type(mark))
            case syntax.Name() | syntax.Select() | syntax.Apply():
                if isinstance(expr, syntax.Apply) and self.names.is_slice(expr):
                    return self._slice(expr)
                prefix = expr.prefix if isinstance(expr, syntax.Apply) else expr
                if self.names.callable(prefix):
                    args = expr.args if isinstance(expr, syntax.Apply) else ()
                    one = self.names.subprogram(expr, args, None, function=True)
                    return self.call_function(one, expr, args)
        return self.place(expr)[0]

    def assign_composite(self, target: Lvalue, type_: AdaType, expr: syntax.Expr) -> None:
        """Give an array or record the value of an expression."""
        self.names.type(expr, type_)
        match expr:
            case syntax.Aggregate():
                return self.aggregate(target, type_, expr)
            case syntax.Qualified(_, _, inner):
                return self.assign_composite(target, type_, inner)
            case syntax.If(coord, cond, then, other) if other is not None:
                graph = self.frame.graph
                yes, no, after = graph.fresh(), graph.fresh(), graph.fresh()
                self.frame.branch(self.condition(cond), yes, no, coord)
                for start, side in ((yes, then), (no, other)):
                    graph.here = start
                    self.assign_composite(target, type_, side)
                    graph.jump(after, coord)
                graph.here = after
                return None
        self.same_length(expr, type_)
        return self.copy(target, self.composite(expr, type_), type_, expr.coord)

    def same_length(self, expr: syntax.Expr, type_: AdaType) -> None:
        """Refuse an array that has not as many elements as are wanted."""
        for source in self.names.types(expr):
            if isinstance(source, Array) and isinstance(type_, Array):
                for one, two in zip(source.indices, type_.indices, strict=True):
                    if length(one) != length(two):
                        raise InputError(
                            f"{expr.coord}: {length(one)} elements do not fit into {length(two)}"
                        )

    # --- slices ---------------------------------------------------------------------------------

    def _slice(self, expr: syntax.Apply) -> Lvalue:
        """A copy of some elements of an array."""
        outer, type_, first = self._sliced(expr)
        whole = self.composite(expr.prefix, outer)
        made = self.frame.temporary(type_.ir)
        self._move(made, 0, whole, first, type_, expr.coord)
        return made

    def assign_slice(self, expr: syntax.Apply, value: syntax.Expr) -> None:
        """Give some elements of an array those of another one, all at once."""
        outer, type_, first = self._sliced(expr)
        whole = self.composite(expr.prefix, outer)
        made = self.frame.temporary(type_.ir)
        self.assign_composite(made, type_, value)
        self._move(whole, first, made, 0, type_, expr.coord)

    def _sliced(self, expr: syntax.Apply) -> tuple[Array, Array, int]:
        """The array, the type of its slice, and where that begins, counted from 0."""
        outer, type_ = self.names.type(expr.prefix), self.names.type(expr)
        assert isinstance(outer, Array) and isinstance(type_, Array)
        (whole,), (part,) = outer.indices, type_.indices
        if not whole.low <= part.low <= part.high <= whole.high:
            raise InputError(
                f"{expr.coord}: {part.low} .. {part.high} is empty, or not in "
                f"{whole.low} .. {whole.high}"
            )
        if length(part) > _LARGEST_SLICE:
            raise UnsupportedFeature(
                f"{expr.coord}: a slice of more than {_LARGEST_SLICE} elements"
            )
        return outer, type_, part.low - whole.low

    def _move(
        self, target: Lvalue, to: int, source: Lvalue, begin: int, type_: Array, coord: Coord
    ) -> None:
        for at in range(length(type_.indices[0])):
            one = make.index(target, make.const(to + at, LLONG))
            two = make.index(source, make.const(begin + at, LLONG))
            self.copy(one, two, type_.element, coord)
