"""Where functions and variables of the program come from: their definitions."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property

from ...errors import UnsupportedFeature
from ...ir.cfa import Coord
from ...ir.expr import Var
from ...ir.types import FunctionType
from ...records import dataclass
from .. import ast
from ..alike import alike
from ..parts import FoundFunction


class FunctionSource:
    """A function's name in the program and its definition, which is read when it is needed."""

    def __init__(self, name: str, found: FoundFunction, was_read: Callable[[], None]) -> None:
        self.name = name
        self.found = found
        self.others: list[FoundFunction] = []  # definitions that must be the same
        self._was_read = was_read

    @cached_property
    def definition(self) -> ast.FunctionDef:
        definition = self.found.read()
        for other in self.others:
            _refuse_unlike(definition, other.read())
        self._was_read()
        return definition

    @cached_property
    def type(self) -> FunctionType:
        """Its type with the parameters as declared: in a definition of the old style (K&R) they
        may be narrower than what callers pass."""
        declared = self.found.symbol.type
        assert isinstance(declared, FunctionType)
        if declared.params or not declared.variadic:
            return declared
        params = tuple(param.type for param in self.definition.params)
        return FunctionType(declared.result, params, False)


@dataclass(frozen=True, slots=True, eq=False)
class VariableSource:
    """A global's variable and its initialiser."""

    var: Var
    init: ast.Expr | None
    external: bool
    coord: Coord
    linked: bool = False


def _refuse_unlike(one: ast.FunctionDef, other: ast.FunctionDef) -> None:
    if not alike(one, other):
        raise UnsupportedFeature(
            f"{other.coord}: the inline function {other.symbol.name} has another definition at "
            f"{one.coord}, and C leaves open which one a call uses"
        )
