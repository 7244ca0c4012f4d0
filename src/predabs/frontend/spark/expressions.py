"""Lower what expressions say of objects: where they lie, and values of arrays and records."""

from __future__ import annotations

from collections.abc import Sequence

from ...errors import InputError
from ...ir import make
from ...ir.expr import Lvalue
from . import syntax
from .arithmetic import outside
from .frame import INDEX
from .lowering import position
from .syntax import Association
from .text import show
from .types import AdaType, Array, length
from .values import LowerValues


class LowerExpressions(LowerValues):
    """Lowers the expressions of one subprogram, in one scope after the other."""

    def place(self, expr: syntax.Expr) -> tuple[Lvalue, AdaType]:
        """Where an object lies, and its type."""
        match expr:
            case syntax.Name() | syntax.Select():
                found = self.names.object_of(expr)
                if found is not None:
                    bound = self.bindings.get(found)
                    return (found.place if bound is None else bound), found.type  # type: ignore[return-value]
                if isinstance(expr, syntax.Select) and not self.names.entities(expr):
                    outer = self.names.type(expr.prefix)
                    name, type_ = self.names.component(expr)
                    return make.field(self.composite(expr.prefix, outer), name, type_.ir), type_
            case syntax.Apply(_, prefix, args) if not self.names.callable(prefix):
                return self._element(expr, prefix, args)
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
        source = self.names.type(expr)
        if isinstance(source, Array) and isinstance(type_, Array):
            for one, two in zip(source.indices, type_.indices, strict=True):
                if length(one) != length(two):
                    raise InputError(
                        f"{expr.coord}: {length(one)} elements do not fit into {length(two)}"
                    )
        return self.copy(target, self.composite(expr, type_), type_, expr.coord)
