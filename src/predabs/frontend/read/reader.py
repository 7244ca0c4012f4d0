"""What the parts of the reader need from one another, so that none imports its user."""

from __future__ import annotations

from typing import Protocol

from ...ir.cfa import Coord
from ...ir.types import Type
from .. import ast
from .clang import Cursor
from .ctype import Types
from .source import SourceFile


class ExpressionReader(Protocol):
    """The reader of expressions."""

    source: SourceFile
    types: Types
    depth: int

    def enter(self, cursor: Cursor) -> None:
        """Go one level deeper into the tree, unless that is too deep."""

    def expr(self, cursor: Cursor) -> ast.Expr:
        """Read an expression."""

    def cast(self, arg: ast.Expr, type_: Type, coord: Coord) -> ast.Expr:
        """`arg` converted to `type_`; nothing if it has that type."""

    def constant(self, cursor: Cursor) -> int:
        """The value of an integer constant expression."""
