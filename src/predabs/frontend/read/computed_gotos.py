"""GNU's computed goto: `goto *table[op]`, with the addresses of labels in a table.

In a function that has one, the address of a label is a number, and the goto a `switch` over the
labels whose addresses are taken. Where the pointer is none of them, an invalid access follows, so
that `--check memory` finds it, and otherwise the output names what was assumed. In other functions
the address of a label is any value.

Soundness duty: the goto has a case for each label of the function whose address is taken.
"""

from __future__ import annotations

from collections.abc import Callable

from ...ir.types import CHAR, INT
from .. import ast
from . import clang
from .clang import Cursor, CursorKind
from .reader import ExpressionReader

_FIRST, _APART = 4096, 16  # no object of a program lies there


class ComputedGotos:
    """The labels of one function whose addresses are taken."""

    def __init__(self, reader: ExpressionReader, name_of: Callable[[Cursor], str]) -> None:
        self._reader = reader
        self._name_of = name_of
        self._body: Cursor | None = None
        self._numbers: dict[str, int] | None = None
        self._jumps = False

    def begin(self, body: Cursor) -> None:
        """The body of a function is about to be read."""
        self._body, self._numbers, self._jumps = body, None, False

    def address(self, cursor: Cursor) -> int | None:
        """The number of `&&label`; None if the function has no computed goto."""
        numbers = self._labels()
        return numbers[self._name(cursor)] if self._jumps else None

    def jump(self, cursor: Cursor) -> ast.Stmt:
        """`goto *pointer`."""
        reader = self._reader
        coord = reader.source.coord(cursor)
        number = reader.types.data_model.size_type
        pointer = reader.cast(reader.expr(clang.children(cursor)[0]), number, coord)
        cases: list[ast.Stmt] = [
            ast.Case(value, value, ast.Goto(name, coord), coord)
            for name, value in self._labels().items()
        ]
        null = ast.Cast(ast.IntLiteral(0, INT, coord), reader.types.data_model.pointer(CHAR), coord)
        nowhere = ast.Unary("*", null, CHAR, False, coord)
        fault = ast.Assign("", nowhere, ast.IntLiteral(0, CHAR, coord), CHAR, coord)
        cases.append(ast.Default(ast.Evaluate(fault, coord), coord))
        return ast.Switch(pointer, ast.Compound(tuple(cases), coord), coord)

    def _labels(self) -> dict[str, int]:
        if self._numbers is None:
            self._numbers = {}
            todo = [] if self._body is None else [self._body]
            while todo:
                cursor = todo.pop()
                if cursor.kind == CursorKind.ADDR_LABEL_EXPR:
                    name = self._name(cursor)
                    self._numbers.setdefault(name, _FIRST + _APART * len(self._numbers))
                self._jumps |= cursor.kind == CursorKind.INDIRECT_GOTO_STMT
                todo += reversed(clang.children(cursor))
        return self._numbers

    def _name(self, cursor: Cursor) -> str:
        return self._name_of(clang.referenced(clang.children(cursor)[0]))
