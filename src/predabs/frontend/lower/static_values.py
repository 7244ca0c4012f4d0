"""The initial values of static objects, where their initialisers read constant objects.

Compilers take `static const int a = 5; int b = a;`, though C17 calls that no constant expression.
Initialisers are executed in no particular order, so what they read is replaced by its value here.
Soundness duty: afterwards no initialiser reads storage, and each gives the value that compilers
give; what cannot be told is refused.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ...errors import UnsupportedFeature
from ...ir import make
from ...ir.cfa import Global
from ...ir.expr import Const, Expr, Field, Index, Lvalue, Var
from ...ir.ops import Assign
from ...ir.types import FloatType, IntType, PointerType, RecordType, is_scalar
from ...ir.walk import reads, substitute
from ...records import replace
from .initializers import Path, at
from .scopes import ProgramNames


def resolved(names: ProgramNames, globals_: Iterable[Global]) -> tuple[Global, ...]:
    """The same globals, with initialisers that read nothing."""
    found = _ResolvedGlobals(names, globals_)
    return tuple(found.of(var) for var in found.sources)


class _ResolvedGlobals:
    """Globals by their variables, resolved when they are asked for."""

    def __init__(self, names: ProgramNames, globals_: Iterable[Global]) -> None:
        self.sources = {item.var: item for item in globals_}
        self._names = names
        self._resolved: dict[Var, Global] = {}

    def of(self, var: Var) -> Global:
        known = self._resolved.get(var)
        if known is None:
            source = self.sources[var]
            init = tuple(done for one in source.init for done in self._assigned(one, source))
            known = self._resolved[var] = (
                source if init == source.init else replace(source, init=init)
            )
        return known

    def _assigned(self, assign: Assign, item: Global) -> Iterator[Assign]:
        used = () if isinstance(assign.value, Const) else reads(assign.value)
        if not used:
            yield assign
        elif is_scalar(assign.value.type):
            values: dict[Expr, Expr] = {lvalue: self._value(lvalue, item) for lvalue in used}
            yield Assign(assign.target, substitute(assign.value, values))
        else:
            for path, value in self._parts(assign.value, item):
                yield Assign(at(self._names, assign.target, path), value)

    def _value(self, lvalue: Lvalue, item: Global) -> Expr:
        """The initial value of a scalar lvalue."""
        found = [value for path, value in self._parts(lvalue, item) if not path]
        if found:
            return found[-1]
        match lvalue.type:
            case FloatType():
                return make.float_const(0.0, lvalue.type)
            case IntType() | PointerType():
                return make.const(0, lvalue.type)
        raise _refused(item)

    def _parts(self, lvalue: Expr, item: Global) -> Iterator[tuple[Path, Expr]]:
        """The parts of an lvalue that are not zero, by their paths from there."""
        root, path = self._path(lvalue, item)
        source = self.of(root) if root in self.sources and root is not item.var else None
        if source is None or source.external:
            raise _refused(item)
        for assign in source.init:
            _, target = self._path(assign.target, item)
            if target[: len(path)] == path:
                yield target[len(path) :], assign.value

    def _path(self, lvalue: Expr, item: Global) -> tuple[Var, Path]:
        """The object that an lvalue is part of, and the path there; not through a union, whose
        members are the same bytes."""
        found: list[str | int] = []
        while not isinstance(lvalue, Var):
            match lvalue:
                case Field(base, name, _) if not self._is_union(base):
                    found.append(name)
                    lvalue = base
                case Index(base, Const(number, _), _):
                    found.append(number)
                    lvalue = base
                case _:
                    raise _refused(item)
        return lvalue, tuple(reversed(found))

    def _is_union(self, lvalue: Lvalue) -> bool:
        return isinstance(lvalue.type, RecordType) and self._names.record(lvalue.type).union


def _refused(item: Global) -> UnsupportedFeature:
    return UnsupportedFeature(
        f"{item.coord}: the initialiser of {item.var.short} is not a constant; write its value"
    )
