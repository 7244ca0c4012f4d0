"""Parse a file with tree-sitter's grammar of Ada, and look at its tree.

Declarations and statements come from the tree; the expressions in them are parsed by `parse` from
the same text. Soundness duty: a file with a part that the grammar does not know is refused.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from pathlib import Path

import tree_sitter_ada
from tree_sitter import Language, Parser, TreeCursor

from ...errors import InputError
from ...ir.cfa import Coord
from ...records import dataclass, field
from .parse import parse_arguments, parse_expression
from .syntax import Association, Expr

_LANGUAGE = Language(tree_sitter_ada.language())
_LONGEST_SHOWN = 30


@dataclass(slots=True, eq=False)
class Node:
    """A node of the tree, copied from tree-sitter's: those live in memory that it manages.

    It tells where a node begins by its bytes; `Node.start_point` of tree-sitter 0.26 destroys
    memory, and is not used.
    """

    type: str
    named: bool
    broken: bool  # an error, or a token that is missing
    begin: int  # in bytes
    end: int
    field_name: str | None
    data: bytes  # of the whole file
    parent: Node | None
    children: list[Node] = field(default_factory=list)

    @property
    def text(self) -> str:
        return self.data[self.begin : self.end].decode("utf-8", "replace")

    def child_by_field_name(self, name: str) -> Node | None:
        return next((one for one in self.children if one.field_name == name), None)

    def children_by_field_name(self, name: str) -> list[Node]:
        return [one for one in self.children if one.field_name == name]


@dataclass(frozen=True, slots=True, eq=False)
class Source:
    """A file and its tree; `root` is the first node."""

    file: str
    data: bytes
    lines: tuple[int, ...]  # where each begins, in bytes
    root: Node

    def coord(self, node: Node) -> Coord:
        return self.at(node.begin)

    def at(self, byte: int) -> Coord:
        """The place of a byte of the file."""
        row = bisect_right(self.lines, byte)
        before = self.data[self.lines[row - 1] : byte]
        return Coord(self.file, row, len(before.decode("utf-8", "replace")) + 1)

    def expression(self, node: Node) -> Expr:
        """The expression that a node is."""
        return parse_expression(text(node), self.coord(node))

    def span(self, first: Node, last: Node) -> Expr:
        """The expression from one node to another, both included."""
        text_ = self.data[first.begin : last.end].decode("utf-8", "replace")
        return parse_expression(text_, self.coord(first))

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
    tree = Parser(_LANGUAGE).parse(data)
    root = _copied(tree.walk(), data)
    lines = (0, *(match.end() for match in re.finditer(b"\n", data)))
    source = Source(file, data, lines, root)
    broken = next((node for node in walk(root) if node.broken), None)
    if broken is not None:
        raise _syntax_error(source, broken)
    return source


def _copied(cursor: TreeCursor, data: bytes) -> Node:
    """All nodes, in one walk."""
    root = here = _copy(cursor, data, None)
    while True:
        if cursor.goto_first_child():
            here.children.append(inner := _copy(cursor, data, here))
            here = inner
            continue
        while not cursor.goto_next_sibling():
            if not cursor.goto_parent():
                return root
            assert here.parent is not None
            here = here.parent
        assert here.parent is not None
        here.parent.children.append(inner := _copy(cursor, data, here.parent))
        here = inner


def _copy(cursor: TreeCursor, data: bytes, parent: Node | None) -> Node:
    node = cursor.node
    assert node is not None
    return Node(
        node.type,
        node.is_named,
        node.is_error or node.is_missing,
        node.start_byte,
        node.end_byte,
        cursor.field_name,
        data,
        parent,
    )


def _syntax_error(source: Source, node: Node) -> InputError:
    where = source.coord(node)
    if node.begin == node.end:
        return InputError(f"{where}: syntax error: '{node.type}' is missing")
    shown = " ".join(node.text.split())
    shown = f"{shown[:_LONGEST_SHOWN]}..." if len(shown) > _LONGEST_SHOWN else shown
    return InputError(f"{where}: syntax error near '{shown}'")


def text(node: Node) -> str:
    return node.text


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
