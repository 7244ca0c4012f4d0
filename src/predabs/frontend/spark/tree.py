"""Parse a file with tree-sitter's grammar of Ada, and look at its tree.

Declarations and statements come from the tree; the expressions in them are parsed by `parse` from
the same text. Soundness duty: a file with a part that the grammar does not know is refused.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import tree_sitter_ada
from tree_sitter import Language, Node, Parser

from ...errors import InputError
from ...ir.cfa import Coord
from ...records import dataclass
from .parse import parse_arguments, parse_expression
from .syntax import Association, Expr

if TYPE_CHECKING:
    from tree_sitter import Point

_LANGUAGE = Language(tree_sitter_ada.language())
_LONGEST_SHOWN = 30


@dataclass(frozen=True, slots=True, eq=False)
class Source:
    """A file and its tree; `root` is the first node."""

    file: str
    lines: tuple[bytes, ...]
    root: Node

    def coord(self, node: Node) -> Coord:
        return self.at(node.start_point)

    def at(self, point: Point) -> Coord:
        line = self.lines[point.row] if point.row < len(self.lines) else b""
        before = line[: point.column].decode("utf-8", "replace")
        return Coord(self.file, point.row + 1, len(before) + 1)

    def expression(self, node: Node) -> Expr:
        """The expression that a node is."""
        return parse_expression(text(node), self.coord(node))

    def span(self, first: Node, last: Node) -> Expr:
        """The expression from one node to another, both included."""
        data = self.root.text
        assert data is not None
        begin, end = first.start_byte - self.root.start_byte, last.end_byte - self.root.start_byte
        return parse_expression(data[begin:end].decode("utf-8", "replace"), self.coord(first))

    def between(self, node: Node, after: tuple[str, ...], until: tuple[str, ...]) -> Expr | None:
        """The expression among a node's children that follows the last of some tokens, up to the
        first of others."""
        found = children_between(node, after, until)
        return self.span(found[0], found[-1]) if found else None

    def arguments(self, node: Node) -> tuple[Association, ...]:
        return parse_arguments(text(node), self.coord(node))


def read_source(file: str, given: str | None = None) -> Source:
    """Read and parse a file; a text may stand in for its content."""
    if given is None:
        try:
            data = Path(file).read_bytes()
        except OSError as problem:
            raise InputError(f"{file}: cannot read it: {problem.strerror}") from problem
    else:
        data = given.encode("utf-8")
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        data = data.decode("latin-1").encode("utf-8")  # Ada 95's character set
    root = Parser(_LANGUAGE).parse(data).root_node
    source = Source(file, tuple(data.split(b"\n")), root)
    if root.has_error:
        raise _syntax_error(source)
    return source


def _syntax_error(source: Source) -> InputError:
    """The first place that tree-sitter could not make sense of."""
    node = source.root
    while True:
        if node.is_missing:
            return InputError(f"{source.coord(node)}: syntax error: '{node.type}' is missing")
        broken = next((c for c in node.children if c.is_error or c.is_missing), None)
        inner = broken or next((c for c in node.children if c.has_error), None)
        if inner is None or node.is_error:
            shown = " ".join(text(node).split())
            shown = f"{shown[:_LONGEST_SHOWN]}..." if len(shown) > _LONGEST_SHOWN else shown
            where = source.coord(node)
            return InputError(f"{where}: syntax error near '{shown}'")
        node = inner


def text(node: Node) -> str:
    data = node.text
    assert data is not None
    return data.decode("utf-8", "replace")


def child(node: Node, *types: str) -> Node | None:
    """The first child of one of the types."""
    return next((one for one in node.children if one.type in types), None)


def children(node: Node, *types: str) -> list[Node]:
    return [one for one in node.children if one.type in types]


def has(node: Node, token: str) -> bool:
    return any(one.type == token for one in node.children)


def children_between(node: Node, after: tuple[str, ...], until: tuple[str, ...]) -> list[Node]:
    found: list[Node] | None = None
    for one in node.children:
        if one.type in after:
            found = []
        elif found is not None:
            if one.type in until:
                break
            if one.type != "comment":
                found.append(one)
    return found or []


def walk(node: Node) -> Iterator[Node]:
    """All nodes below one, in the order of the source."""
    todo = [node]
    while todo:
        one = todo.pop()
        yield one
        todo.extend(reversed(one.children))
