"""The tokens of a C expression, with their columns, and symbolic constants beside those of C.

`'x` is the value that x had when the procedure was entered and `'*p` that of `*p`; `'x'` is the
character, as in C. A variable that C gives no name of its own, the second `x` of a procedure, is
`x#2`, and a value in the middle of an expression `tmp.1`; any other `#` begins a comment.
"""

from __future__ import annotations

import re
from typing import Literal, TypeAlias

from ...records import dataclass

Kind: TypeAlias = Literal["name", "number", "float", "character", "constant", "symbol", "end"]

_NAME = r"[A-Za-z_$][A-Za-z0-9_$]*(?:\.[0-9]+)?(?:\#[0-9]+)?"
_TOKEN = re.compile(
    rf"""(?P<name>{_NAME})
    |(?P<float>(?:[0-9]+\.(?!\.)[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?[fF]?|[0-9]+[eE][+-]?[0-9]+[fF]?)
    |(?P<number>0[xX][0-9a-fA-F]+[uUlL]*|[0-9][0-9a-zA-Z]*)
    |(?P<character>'(?:\\x[0-9a-fA-F]+|\\[0-7]{{1,3}}|\\.|[^'\\])')
    |(?P<constant>'\s*(?:\*\s*)*{_NAME})
    |(?P<symbol>->|\.\.|\+\+|--|<<=|>>=|<<|>>|[=!<>+\-*/%&|^]=|&&|\|\||[-+*/%&|^~!<>=()\[\].,?:;])""",
    re.VERBOSE,
)
_GROUPS: tuple[Kind, ...] = ("name", "float", "number", "character", "constant", "symbol")


class PredicateSyntaxError(Exception):
    """Something is wrong at a column (from 1 on) of the line."""

    def __init__(self, column: int, message: str) -> None:
        super().__init__(message)
        self.column = column
        self.message = message


class UnknownName(Exception):
    """A name means nothing here; the message says why."""


@dataclass(frozen=True, slots=True)
class Token:
    kind: Kind
    text: str
    column: int

    def __str__(self) -> str:
        return "the end of the line" if self.kind == "end" else f"`{self.text}`"


def tokens(line: str) -> list[Token]:
    """The tokens of a line, and the end.

    >>> [token.text for token in tokens("x#2 == '*p + 'a' - tmp.1  # so far")]
    ['x#2', '==', "'*p", '+', "'a'", '-', 'tmp.1', '']
    """
    found: list[Token] = []
    position = 0
    while True:
        while position < len(line) and line[position].isspace():
            position += 1
        if position == len(line) or line[position] == "#":
            found.append(Token("end", "", position + 1))
            return found
        match = _TOKEN.match(line, position)
        if match is None:
            raise PredicateSyntaxError(position + 1, f"unexpected character {line[position]!r}")
        kind = next(kind for kind in _GROUPS if match[kind] is not None)
        text = "".join(match[0].split()) if kind == "constant" else match[0]
        found.append(Token(kind, text, position + 1))
        position = match.end()
