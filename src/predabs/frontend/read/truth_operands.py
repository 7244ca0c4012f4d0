"""Operands of `&&`, `||` and `!`: a comparison that was read before need not be read again.

Generated programs have thousands of conditions made of a few comparisons, such as `(mode==3)`. What
has the same text means the same as long as no declaration comes between, and is one node of the
syntax tree. Its position is that of the first; so it is shared only where its neighbours are such
comparisons too, and the whole has a position of its own. Soundness duty: no two texts are taken for
the same that refer to different variables.
"""

from __future__ import annotations

import re

from ...ir.types import INT
from ...records import replace
from .. import ast
from . import clang
from .clang import Cursor, CursorKind
from .reader import ExpressionReader

_PAREN, _BINARY = int(CursorKind.PAREN_EXPR), int(CursorKind.BINARY_OPERATOR)
_UNEXPOSED, _NUMBER = int(CursorKind.UNEXPOSED_EXPR), int(CursorKind.INTEGER_LITERAL)
_COMPARISON = re.compile(rb"\(\s*[A-Za-z_]\w*\s*(?:[=!]=|[<>]=?)\s*\d+\s*\)")


class TruthOperands:
    """What was read in one function, since the last declaration."""

    def __init__(self, reader: ExpressionReader) -> None:
        self._reader = reader
        self._known: dict[bytes, ast.Expr] = {}
        self._shared: set[ast.Expr] = set()  # comparisons
        self._plain: set[ast.Expr] = set()  # what is made of them alone
        self._enabled = False
        self.declarations = 0  # how many there were so far

    def begin(self, function: Cursor) -> None:
        """A function is about to be read. Directives in it could change what a macro means."""
        self._reader.source.coord(function)  # this is the file to look at
        text = self._reader.source.text_of(clang.extent(function))
        self._enabled = text is not None and b"#" not in text
        self.forget()

    def forget(self) -> None:
        """A declaration, or the end of a scope with one: names may mean something else now."""
        self._known.clear()
        self._shared.clear()
        self._plain.clear()

    def declare(self) -> None:
        self.declarations += 1
        self.forget()

    def joined(self, op: str, left: Cursor, right: Cursor) -> ast.Binary:
        """`left && right` or `left || right`."""
        first, second = self._operand(left), self._operand(right)
        shared = self._shared
        if not shared:
            return ast.Binary(op, first, second, INT, first.coord)
        plain = self._plain
        one_shared, other_shared = first in shared, second in shared
        coord = self._reader.source.coord(left) if one_shared else first.coord
        if (one_shared or first in plain) and (other_shared or second in plain):
            result = ast.Binary(op, first, second, INT, coord)
            plain.add(result)
            return result
        if one_shared:
            first = replace(first, coord=coord)
        if other_shared:
            second = replace(second, coord=self._reader.source.coord(right))
        return ast.Binary(op, first, second, INT, coord)

    def negated(self, cursor: Cursor, operand: Cursor) -> ast.Unary:
        """`!operand`, which is all of the cursor."""
        arg = self._operand(operand)
        result = ast.Unary("!", arg, INT, False, self._reader.source.coord(cursor))
        if arg in self._shared or arg in self._plain:
            self._plain.add(result)
        return result

    def _operand(self, cursor: Cursor) -> ast.Expr:
        """The operand, maybe one that was read before."""
        while cursor.kind == _PAREN:
            inside = clang.children(cursor)[0]
            if inside.kind == _BINARY and self._enabled:
                left, right = clang.children(inside)
                if left.kind == _UNEXPOSED and right.kind == _NUMBER:
                    return self._comparison(cursor)
            cursor = inside
        return self._reader.expr(cursor)

    def _comparison(self, cursor: Cursor) -> ast.Expr:
        """What looks like a comparison of a variable with a number, in parentheses."""
        text = self._reader.source.text_of(clang.extent(cursor))
        if text is None:
            return self._reader.expr(cursor)
        found = self._known.get(text)
        if found is None:
            found = self._reader.expr(cursor)
            if _COMPARISON.fullmatch(text):
                self._known[text] = found
                self._shared.add(found)
        return found
