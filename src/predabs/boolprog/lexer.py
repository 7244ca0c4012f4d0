"""The tokens of a Boolean program, one at a time, with their positions.

A `{` opens a block in the brace style of [BMR05], but begins a name in `{x = 2}`. Only the parser
knows which one it wants, so tokens are made on demand and `braced_name` reads again from the brace.
"""

from __future__ import annotations

import bisect
import re
from typing import Literal, NoReturn, TypeAlias

from ..errors import InputError, UnsupportedFeature
from ..records import dataclass
from .syntax import Position

Kind: TypeAlias = Literal["name", "next", "number", "symbol", "end"]

_NAME = r"[A-Za-z_$][A-Za-z0-9_$]*"
_BLANK = re.compile(r"(?:\s+|//[^\n]*|/\*.*?\*/)+", re.DOTALL)
_TOKEN = re.compile(
    rf"(?P<next>'{_NAME}|{_NAME}')"
    rf"|(?P<name>{_NAME})"
    r"|(?P<number>[0-9]+)"
    r"|(?P<symbol>:=|!=|=>|\|\||[-!~&|^=?:;,()\[\]{}<>*'])"
)
_CONFUSED = {"==": "=", "&&": "&", "<>": "!=", "->": "=>"}
_THREAD_WORDS = "start_thread end_thread sync async fork join atomic_begin atomic_end lock unlock"
_THREADS = frozenset(_THREAD_WORDS.split())


@dataclass(frozen=True, slots=True)
class Token:
    """`text` of a `next` is the name without its tick."""

    kind: Kind
    text: str
    offset: int

    def __str__(self) -> str:
        if self.kind == "end":
            return "the end of the file"
        return f"`'{self.text}`" if self.kind == "next" else f"`{self.text}`"


class Lexer:
    """`token` is the next token; the methods advance."""

    def __init__(self, text: str, file: str) -> None:
        self._text = text
        self._file = file
        self._lines: list[int] | None = None
        self.token = Token("symbol", "", 0)
        self._read(0)

    def position(self, offset: int | None = None) -> Position:
        """The position of the next token, or of `offset`."""
        at = self.token.offset if offset is None else offset
        if self._lines is None:
            self._lines = [m.end() for m in re.finditer("\n", self._text)]
        line = bisect.bisect_right(self._lines, at)
        start = self._lines[line - 1] if line else 0
        return Position(self._file, line + 1, at - start + 1)

    def error(self, message: str, offset: int | None = None) -> InputError:
        return InputError(f"{self.position(offset)}: {message}")

    def fail(self, message: str, offset: int | None = None) -> NoReturn:
        raise self.error(message, offset)

    def advance(self) -> Token:
        """Take the next token."""
        token = self.token
        self._read(token.offset + self._length)
        return token

    def braced_name(self) -> str:
        """Take the name that begins at the `{` which is the next token; blanks become one space."""
        start = self.token.offset
        end = self._matching_brace(start)
        if end is None:
            self.fail("this `{` has no matching `}`", start)
        inside = " ".join(self._text[start + 1 : end].split())
        if not inside:
            self.fail("a name in braces needs some text, such as `{x = 2}`", start)
        self._read(end + 1)
        return "{" + inside + "}"

    def brace_is_name(self) -> bool:
        """At a `{` where a statement begins: is it the target of an assignment, not a block?"""
        end = self._matching_brace(self.token.offset)
        if end is None:
            return False
        after = self._after_blank(end + 1)
        return self._text.startswith((":=", ","), after)

    def call_follows(self) -> bool:
        """Is the next token followed by a `(`?"""
        return self._text.startswith("(", self._after_blank(self.token.offset + self._length))

    def _matching_brace(self, start: int) -> int | None:
        depth = 0
        for match in re.compile(r"[{}]").finditer(self._text, start):
            depth += 1 if match.group() == "{" else -1
            if depth == 0:
                return match.start()
        return None

    def _after_blank(self, offset: int) -> int:
        blank = _BLANK.match(self._text, offset)
        return blank.end() if blank else offset

    def _read(self, offset: int) -> None:
        offset = self._after_blank(offset)
        text = self._text
        if offset >= len(text):
            self._length = 0
            self.token = Token("end", "", offset)
            return
        if text.startswith("/*", offset):
            self.fail("this comment is never closed; add `*/`", offset)
        pair = text[offset : offset + 2]
        if pair in _CONFUSED:
            self.fail(f"`{pair}` is not an operator here; write `{_CONFUSED[pair]}`", offset)
        match = _TOKEN.match(text, offset)
        if match is None:
            self.fail(f"unexpected character {text[offset]!r}", offset)
        self._length = len(match.group())
        if match.group("next"):
            self.token = Token("next", match.group().strip("'"), offset)
        elif match.group("name"):
            self.token = Token("name", match.group(), offset)
        elif match.group("number"):
            self.token = Token("number", match.group(), offset)
        else:
            self.token = Token("symbol", match.group(), offset)
        if self.token.kind == "name" and self.token.text in _THREADS:
            raise UnsupportedFeature(
                f"{self.position(offset)}: `{self.token.text}`: threads are not supported; "
                "bebop checks sequential Boolean programs"
            )
