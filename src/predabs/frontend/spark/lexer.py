"""The tokens of Ada's expressions (Ada RM 2), with where each stands.

Names are folded to lower case; the spelling of the source is kept beside it. A tick is an attribute
or a qualification after a name and a closing bracket, else it begins a character literal.
"""

from __future__ import annotations

import re
from enum import Enum

from ...errors import InputError
from ...ir.cfa import Coord
from ...records import dataclass


class Kind(Enum):
    NAME = "name"
    NUMBER = "number"
    STRING = "string"
    CHARACTER = "character"
    SIGN = "sign"  # operators, brackets and reserved words
    END = "end"


@dataclass(frozen=True, slots=True)
class Token:
    """One token: `text` in lower case where letters do not count, `spelling` as it is written."""

    kind: Kind
    text: str
    spelling: str
    coord: Coord


RESERVED = frozenset(
    [
        "abort",
        "abs",
        "abstract",
        "accept",
        "access",
        "aliased",
        "all",
        "and",
        "array",
        "at",
        "begin",
        "body",
        "case",
        "constant",
        "declare",
        "delay",
        "delta",
        "digits",
        "do",
        "else",
        "elsif",
        "end",
        "entry",
        "exception",
        "exit",
        "for",
        "function",
        "generic",
        "goto",
        "if",
        "in",
        "interface",
        "is",
        "limited",
        "loop",
        "mod",
        "new",
        "not",
        "null",
        "of",
        "or",
        "others",
        "out",
        "overriding",
        "package",
        "pragma",
        "private",
        "procedure",
        "protected",
        "raise",
        "range",
        "record",
        "rem",
        "renames",
        "requeue",
        "return",
        "reverse",
        "select",
        "separate",
        "some",
        "subtype",
        "synchronized",
        "tagged",
        "task",
        "terminate",
        "then",
        "type",
        "until",
        "use",
        "when",
        "while",
        "with",
        "xor",
    ]
)

_PATTERN = re.compile(
    r"""(?P<space>\s+|--[^\n]*)
    |(?P<name>[^\W\d]\w*)
    |(?P<number>\d[\d_]*(?:\#[0-9a-fA-F_.]+\#|\.\d[\d_]*)?(?:[eE][+-]?\d[\d_]*)?)
    |(?P<string>"(?:[^"\n]|"")*")
    |(?P<sign><->|->|=>|\.\.|\*\*|:=|/=|>=|<=|<<|>>|<>|[-+*/=<>&|'().,;:~\[\]@])
    """,
    re.VERBOSE,
)


def tokens(text: str, begin: Coord) -> list[Token]:
    """The tokens of a text that stands at `begin`; the last one is `END`."""
    found: list[Token] = []
    at, line, first = 0, begin.line, 1 - begin.column
    while at < len(text):
        coord = Coord(begin.file, line, at - first + 1)
        previous = found[-1] if found else None
        named = previous is not None and (
            previous.kind is Kind.NAME or previous.text in (")", "all", "]")
        )
        if text[at] == "'" and not named and text[at + 2 : at + 3] == "'":
            found.append(Token(Kind.CHARACTER, text[at + 1], text[at : at + 3], coord))
            at += 3
            continue
        match = _PATTERN.match(text, at)
        if match is None:
            raise InputError(f"{coord}: '{text[at]}' is no part of Ada's expressions")
        word = match[0]
        match match.lastgroup:
            case "space":
                if breaks := word.count("\n"):
                    line += breaks
                    first = at + word.rindex("\n") + 1
            case "name":
                folded = word.lower()
                tick = previous is not None and previous.text == "'"
                kind = Kind.SIGN if folded in RESERVED and not tick else Kind.NAME
                found.append(Token(kind, folded, word, coord))
            case "number":
                found.append(Token(Kind.NUMBER, word, word, coord))
            case "string":
                found.append(Token(Kind.STRING, word[1:-1].replace('""', '"'), word, coord))
            case _:
                found.append(Token(Kind.SIGN, word, word, coord))
        at = match.end()
    found.append(Token(Kind.END, "", "the end", Coord(begin.file, line, at - first + 1)))
    return found


def number(token: Token) -> int:
    """The value of an integer literal, maybe based (`16#FF#`) or with an exponent (`2E3`)."""
    text = token.text.replace("_", "").lower()
    if "." in text:
        raise InputError(f"{token.coord}: {token.spelling}: real numbers are not supported")
    based = re.fullmatch(r"(\d+)(?:#([0-9a-f]+)#)?(?:e\+?(\d+))?", text)
    if based is None:
        raise InputError(f"{token.coord}: {token.spelling} is no integer literal")
    base = int(based[1]) if based[2] else 10
    if not 2 <= base <= 16 or int(based[3] or 0) > 1000:
        raise InputError(f"{token.coord}: {token.spelling} is no integer literal of Ada")
    try:
        value = int(based[2] or based[1], base)
    except ValueError:
        raise InputError(
            f"{token.coord}: {token.spelling} has digits that its base lacks"
        ) from None
    return value * int(base ** int(based[3] or 0))
