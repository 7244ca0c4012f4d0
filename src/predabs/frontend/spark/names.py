"""What names stand for in expressions, and the ranges that they name (Ada RM 4.1)."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from difflib import get_close_matches

from ...errors import InputError, UnsupportedFeature
from . import syntax
from .entities import Entity, Number, Object, Package, Scope, Subprogram, TypeName
from .syntax import Expr
from .types import (
    INTEGER,
    UNIVERSAL,
    AdaType,
    Array,
    Scalar,
)


class Names(ABC):
    """Reads expressions in one scope; `result` is the type of `F'Result`, inside its function."""

    def __init__(self, scope: Scope) -> None:
        self.scope = scope
        self.result: tuple[str, AdaType] | None = None
        self._kept: dict[Expr, list[AdaType]] = {}

    # --- names ----------------------------------------------------------------------------------

    def entities(self, expr: Expr) -> list[Entity]:
        """What a name may stand for; nothing if it is a component of an object, or no name."""
        match expr:
            case syntax.Name(coord, text, spelling):
                found = self.scope.find(text)
                if not found:
                    near = get_close_matches(text, self.scope.visible(), n=1)
                    hint = f"; did you mean {near[0]}?" if near else ""
                    raise InputError(f"{coord}: {spelling} is not declared{hint}")
                return found
            case syntax.Select(coord, prefix, text, spelling):
                for outer in self._prefix_entities(prefix):
                    scopes: list[Scope | None] = []
                    if isinstance(outer, Package):
                        scopes = [outer.scope]
                    elif isinstance(outer, Subprogram):
                        scopes = [outer.declared, outer.inside]
                    for scope in scopes:
                        found = [] if scope is None else scope.own(text)
                        if found:
                            return found
                    if isinstance(outer, Package):
                        raise InputError(f"{coord}: {outer.name} declares no {spelling}")
        return []

    def _prefix_entities(self, prefix: Expr) -> list[Entity]:
        return self.entities(prefix) if isinstance(prefix, syntax.Name | syntax.Select) else []

    def type_mark(self, expr: Expr) -> AdaType | None:
        """The type that an expression names, if it names one."""
        if isinstance(expr, syntax.Attribute) and expr.name == "base":
            inner = self.type_mark(expr.prefix)
            if isinstance(inner, Scalar):
                return inner.within(inner.base.low, inner.base.high, f"{inner.name}'Base")
        if isinstance(expr, syntax.Attribute) and expr.name == "class":
            raise UnsupportedFeature(f"{expr.coord}: tagged types are not supported")
        if not isinstance(expr, syntax.Name | syntax.Select):
            return None
        for entity in self.entities(expr):
            if isinstance(entity, TypeName):
                return entity.type
        return None

    def wanted_type(self, expr: Expr) -> AdaType:
        found = self.type_mark(expr)
        if found is None:
            raise InputError(f"{expr.coord}: expected the name of a type")
        return found

    def object_of(self, expr: Expr) -> Object | None:
        """The object that a name stands for, if it is a whole object."""
        if isinstance(expr, syntax.Name | syntax.Select):
            for entity in self.entities(expr):
                if isinstance(entity, Object):
                    return entity
        return None

    def callable(self, expr: Expr) -> list[Subprogram]:
        if not isinstance(expr, syntax.Name | syntax.Select):
            return []
        found = self.entities(expr)
        if isinstance(found[0] if found else None, Object | TypeName | Number):
            return []
        return [one for one in found if isinstance(one, Subprogram)]

    # --- ranges ---------------------------------------------------------------------------------

    def range_of(self, expr: Expr) -> tuple[Expr | int, Expr | int, Scalar | None]:
        """The bounds of a discrete range, as expressions or numbers, and the subtype that names
        their type, if one does."""
        match expr:
            case syntax.Range(_, low, high):
                return low, high, None
            case syntax.Constrained(_, mark, inner):
                subtype = self.wanted_type(mark)
                if not isinstance(subtype, Scalar):
                    raise InputError(f"{expr.coord}: {subtype.name} has no range")
                first, last, _ = self.range_of(inner)
                return first, last, subtype
            case syntax.Attribute(_, prefix, "range", args):
                index = self.index_of(prefix, args)
                return index.low, index.high, index
        named = self.type_mark(expr)
        if isinstance(named, Scalar):
            return named.low, named.high, named
        raise InputError(f"{expr.coord}: expected a range")

    def is_range(self, expr: Expr) -> bool:
        match expr:
            case syntax.Range() | syntax.Constrained() | syntax.Attribute(_, _, "range", _):
                return True
        return isinstance(self.type_mark(expr), Scalar)

    def static_range(self, expr: Expr, wanted: Scalar | None = None) -> Scalar:
        """A range of which both bounds are static, as a subtype."""
        low, high, subtype = self.range_of(expr)
        subtype = subtype or wanted or self.type_of_bounds(low, high)
        bounds = []
        for bound in (low, high):
            value = bound if isinstance(bound, int) else self.static(bound, subtype)
            if value is None:
                assert not isinstance(bound, int)
                raise UnsupportedFeature(
                    f"{bound.coord}: bounds that are not static are not supported here"
                )
            bounds.append(value)
        return subtype.within(bounds[0], bounds[1])

    def type_of_bounds(self, low: Expr | int, high: Expr | int) -> Scalar:
        ends = [end for end in (low, high) if not isinstance(end, int)]
        possible: list[AdaType] = [UNIVERSAL]
        for end in ends:
            possible = (
                self.meet(possible, self.types(end)) if end is not ends[0] else self.types(end)
            )
        found = [one for one in possible if isinstance(one, Scalar)]
        if not found:
            raise InputError(f"{ends[0].coord}: the bounds of a range must be of one discrete type")
        return INTEGER if found[0] is UNIVERSAL else found[0]

    def index_of(self, prefix: Expr, args: Sequence[Expr]) -> Scalar:
        """The index subtype that `prefix'First (n)` and its kin are about."""
        type_ = self.type_mark(prefix) or self.type(prefix)
        if isinstance(type_, Scalar):
            return type_
        if not isinstance(type_, Array):
            raise InputError(f"{prefix.coord}: a record has no range")
        if not type_.constrained:
            raise UnsupportedFeature(f"{prefix.coord}: {type_.name} has no static bounds")
        dimension = self.static(args[0]) if args else 1
        if dimension is None or not 1 <= dimension <= len(type_.indices):
            raise InputError(f"{prefix.coord}: {type_.name} has no such dimension")
        return type_.indices[dimension - 1]

    # --- what other modules fill in -------------------------------------------------------------

    @abstractmethod
    def type(self, expr: Expr, wanted: AdaType | None = None) -> AdaType: ...

    @abstractmethod
    def types(self, expr: Expr) -> list[AdaType]: ...

    @abstractmethod
    def meet(self, left: list[AdaType], right: list[AdaType]) -> list[AdaType]: ...

    @abstractmethod
    def static(self, expr: Expr, wanted: AdaType | None = None) -> int | None: ...
