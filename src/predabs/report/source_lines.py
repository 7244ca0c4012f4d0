"""Source files for the page: their lines, and where each colour of a line begins.

The colours of a line are one short text, `3k1-4f`: three characters of the colour k, one without,
four of the colour f. So a page with 30,000 lines stays small, and a browser makes elements only for
the lines that it shows.

>>> found = coloured("int x;\\n/* a\\n b */ x = 1;")
>>> found.lines, found.colours
(('int x;', '/* a', ' b */ x = 1;'), ('3k', '4c', '5c5-1n'))
"""

from __future__ import annotations

from pathlib import Path

from pygments.lexer import RegexLexer
from pygments.lexers.ada import AdaLexer
from pygments.lexers.c_cpp import CLexer
from pygments.token import Token, _TokenType

from ..records import dataclass

_COLOURS: tuple[tuple[_TokenType, str], ...] = (
    (Token.Comment.Preproc, "p"),
    (Token.Comment.PreprocFile, "s"),
    (Token.Comment, "c"),
    (Token.Keyword.Type, "k"),
    (Token.Keyword, "k"),
    (Token.Name.Builtin, "k"),
    (Token.Name.Function, "f"),
    (Token.Name.Label, "p"),
    (Token.Literal.String, "s"),
    (Token.Literal.Number, "n"),
)
_PLAIN = "-"
_ADA = (".adb", ".ads")


@dataclass(frozen=True, slots=True)
class SourceText:
    """The lines of a file, and the colours of each."""

    lines: tuple[str, ...]
    colours: tuple[str, ...]


def read_source(file: str) -> SourceText | None:
    """A file that can be read, whatever its encoding."""
    try:
        text = Path(file).read_bytes().decode("utf-8", "replace")
        return coloured(text, AdaLexer if Path(file).suffix in _ADA else CLexer)
    except OSError:
        return None


def coloured(text: str, lexer: type[RegexLexer] = CLexer) -> SourceText:
    """The lines of a text with their colours."""
    text = text.replace("\r\n", "\n").replace("\r", "\n").expandtabs(8)
    lines = text.split("\n")
    if lines and not lines[-1]:
        lines.pop()
    runs: list[list[tuple[int, str]]] = [[]]
    for _, kind, value in lexer(stripnl=False, ensurenl=False).get_tokens_unprocessed(text):
        colour = _colour(kind)
        for number, part in enumerate(value.split("\n")):
            if number:
                runs.append([])
            if part:
                _extend(runs[-1], len(part), colour)
    return SourceText(tuple(lines), tuple(map(_written, runs[: len(lines)])))


def _colour(kind: _TokenType) -> str:
    return next((colour for token, colour in _COLOURS if kind in token), _PLAIN)


def _extend(runs: list[tuple[int, str]], length: int, colour: str) -> None:
    if runs and runs[-1][1] == colour:
        runs[-1] = (runs[-1][0] + length, colour)
    else:
        runs.append((length, colour))


def _written(runs: list[tuple[int, str]]) -> str:
    while runs and runs[-1][1] == _PLAIN:
        runs.pop()
    return "".join(f"{length}{colour}" for length, colour in runs)
