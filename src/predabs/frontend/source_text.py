"""Where parentheses, braces and semicolons of C stand in a text, past comments and literals.

>>> text = b"for (i = f(');'); i < 3; ) /* { */ { }"
>>> text[slice(*for_condition(text, 0))]
b' i < 3'
"""

from __future__ import annotations

import re
from collections.abc import Iterator

_SKIPPED = rb"//[^\n]*|/\*.*?\*/|\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'"
_OPEN, _CLOSE = b"([{", b")]}"
_CALL = re.compile(rb"\w+\s*\(")


def _tokens(text: bytes, begin: int, wanted: bytes) -> Iterator[int]:
    """The offsets of these characters, but for those in comments and literals."""
    pattern = re.compile(_SKIPPED + b"|[" + re.escape(wanted) + b"]", re.DOTALL)
    for match in pattern.finditer(text, begin):
        if match[0] in (wanted[i : i + 1] for i in range(len(wanted))):
            yield match.start()


def closing(text: bytes, begin: int) -> int | None:
    """Behind the parenthesis or brace that closes the one there."""
    depth = 0
    for at in _tokens(text, begin, _OPEN + _CLOSE):
        depth += 1 if text[at] in _OPEN else -1
        if depth <= 0:
            return at + 1
    return None


def semicolon(text: bytes, begin: int) -> int | None:
    """Behind the next semicolon that is in no parentheses or braces."""
    depth = 0
    for at in _tokens(text, begin, _OPEN + _CLOSE + b";"):
        if text[at] in _OPEN:
            depth += 1
        elif text[at] in _CLOSE:
            depth -= 1
            if depth < 0:
                return None
        elif depth == 0:
            return at + 1
    return None


def is_whole_macro(text: bytes, begin: int) -> bool:
    """Does the text there look like a macro with arguments that stands for a statement?"""
    found = _CALL.match(text, begin)
    end = None if found is None else closing(text, found.end() - 1)
    return end is not None and text[end : end + 20].lstrip()[:1] == b";"


def parenthesised(text: bytes, begin: int) -> tuple[int, int] | None:
    """What is in the first parentheses from there on."""
    opened = next(_tokens(text, begin, b"("), None)
    end = None if opened is None else closing(text, opened)
    return None if opened is None or end is None else (opened + 1, end - 1)


def for_condition(text: bytes, begin: int) -> tuple[int, int] | None:
    """The condition of the `for` statement there."""
    head = parenthesised(text, begin)
    if head is None:
        return None
    first = semicolon(text, head[0])
    second = None if first is None else semicolon(text, first)
    if first is None or second is None or second > head[1]:
        return None
    return first, second - 1
