"""Put comments where they are written: among the statements or declarations around them.

tree-sitter hangs a comment at the edge of a sequence into whatever node is around that. Soundness
duty: each annotation ends in a place that is read, or the file is refused; none is lost.
"""

from __future__ import annotations

from ...errors import InputError
from .tree import Node, Source, walk

_SEQUENCE = "sequence_of_statements"
_COMPOUND = frozenset(
    [
        "if_statement",
        "elsif_statement_item",
        "case_statement",
        "case_statement_alternative",
        "loop_statement",
        "block_statement",
        "handled_sequence_of_statements",
        "subprogram_body",
    ]
)
_ENDING = frozenset(
    ["handled_sequence_of_statements", "elsif_statement_item", "case_statement_alternative"]
)
_READ = frozenset(
    [
        _SEQUENCE,
        "non_empty_declarative_part",
        "package_declaration",
        "subprogram_body",
        "compilation",
        "compilation_unit",
    ]
)


def place_comments(source: Source) -> None:
    """Move comments into the sequences that they begin or end."""
    compounds = [node for node in walk(source.root) if node.type in _COMPOUND]
    for node in compounds:
        _place(node)
    for node in walk(source.root):
        if node.type == "comment" and node.text[:3] in ("--#", "--%"):
            parent = node.parent
            if parent is None or parent.type not in _READ:
                raise InputError(f"{source.coord(node)}: an annotation cannot stand here")


def _place(node: Node) -> None:
    rest: list[Node] = []
    waiting: list[Node] = []  # comments for the sequence that follows
    last: Node | None = None
    for child in node.children:
        if child.type != "comment":
            first = _first_sequence(child)
            if waiting and first is not None:
                _add(first, waiting, 0)
                waiting = []
            elif waiting:
                rest += waiting
                waiting = []
            last = child
            rest.append(child)
            continue
        before = None if last is None else _last_sequence(last)
        if before is not None:
            _add(before, [child], len(before.children))
        elif last is not None and last.type in ("then", "else", "loop", "begin", "=>"):
            waiting.append(child)
        else:
            rest.append(child)
    node.children = rest + waiting


def _add(sequence: Node, comments: list[Node], at: int) -> None:
    for comment in comments:
        comment.parent = sequence
    sequence.children[at:at] = comments


def _last_sequence(node: Node) -> Node | None:
    """The sequence of statements that a node ends with."""
    if node.type == _SEQUENCE:
        return node
    if node.type in _ENDING:
        found = [child for child in node.children if child.type == _SEQUENCE]
        return found[-1] if found else None
    return None


def _first_sequence(node: Node) -> Node | None:
    if node.type == _SEQUENCE:
        return node
    if node.type == "handled_sequence_of_statements":
        return next((child for child in node.children if child.type == _SEQUENCE), None)
    return None
