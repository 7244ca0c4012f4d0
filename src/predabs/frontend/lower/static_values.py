"""What static objects hold at the start, where their initialisers read constant objects.

Compilers take `static const int a = 5; int b = a;`, though C17 calls that no constant expression.
Initialisers are carried out in no particular order, so what they read is put in its place here.
Soundness duty: afterwards no initialiser reads storage, and each gives the value that compilers
give; what cannot be told is refused.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from ...errors import UnsupportedFeature
from ...ir import make
from ...ir.cfa import Global
from ...ir.expr import Const, Expr, Field, Index, Lvalue, Var
from ...ir.ops import Assign
from ...ir.types import FloatType, IntType, PointerType, RecordType
from ...ir.walk import reads, substitute
from .initializers import Path, at
from .scopes import ProgramNames


def settled(names: ProgramNames, globals_: Iterable[Global]) -> tuple[Global, ...]:
    """The same globals, with initialisers that read nothing."""
    found = _Settled(names, globals_)
    return tuple(found.of(var) for var in found.sources)


class _Settled:
    """Globals by their variables, settled when they are asked for."""

    def __init__(self, names: ProgramNames, globals_: Iterable[Global]) -> None:
        self.sources = {item.var: item for item in globals_}
        self._names = names
        self._known: dict[Var, Global] = {}

    def of(self, var: Var) -> Global:
        known = self._known.get(var)
        if known is None:
            source = self.sources[var]
            init = tuple(done for one in source.init for done in self._assigned(one, source))
            known = self._known[var] = source if init == source.init else replace(source, init=init)
        return known

    def _assigned(self, assign: Assign, item: Global) -> Iterator[Assign]:
        used = () if isinstance(assign.value, Const) else reads(assign.value)
        if not used:
            yield assign
        elif isinstance(assign.value.type, IntType | PointerType | FloatType):
            values: dict[Expr, Expr] = {place: self._value(place, item) for place in used}
            yield Assign(assign.target, substitute(assign.value, values))
        else:
            for path, value in self._parts(assign.value, item):
                yield Assign(at(self._names, assign.target, path), value)

    def _value(self, place: Lvalue, item: Global) -> Expr:
        """What a scalar place holds at the start."""
        found = [value for path, value in self._parts(place, item) if not path]
        if found:
            return found[-1]
        match place.type:
            case FloatType():
                return make.float_const(0.0, place.type)
            case IntType() | PointerType():
                return make.const(0, place.type)
        raise _refused(item)

    def _parts(self, place: Expr, item: Global) -> Iterator[tuple[Path, Expr]]:
        """The parts of a place that are not zero, by their paths from there."""
        root, path = self._path(place, item)
        source = self.of(root) if root in self.sources and root is not item.var else None
        if source is None or source.external:
            raise _refused(item)
        for assign in source.init:
            _, target = self._path(assign.target, item)
            if target[: len(path)] == path:
                yield target[len(path) :], assign.value

    def _path(self, place: Expr, item: Global) -> tuple[Var, Path]:
        """The object that a place is part of, and the way there; not through a union, whose members
        are the same bytes."""
        found: list[str | int] = []
        while not isinstance(place, Var):
            match place:
                case Field(base, name, _) if not self._is_union(base):
                    found.append(name)
                    place = base
                case Index(base, Const(number, _), _):
                    found.append(number)
                    place = base
                case _:
                    raise _refused(item)
        return place, tuple(reversed(found))

    def _is_union(self, place: Lvalue) -> bool:
        return isinstance(place.type, RecordType) and self._names.record(place.type).union


def _refused(item: Global) -> UnsupportedFeature:
    return UnsupportedFeature(
        f"{item.coord}: the initialiser of {item.var.short} is not a constant; write its value"
    )
