"""Text that libclang only gives as text: string literals, and what it leaves out of its tree."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import dropwhile, islice

from ...errors import InternalError
from ...ir import float_text, ieee754
from ...ir.ieee754 import DOUBLE, EXTENDED
from ...records import dataclass

_MANY = 10_000

_CHARACTER = re.compile(
    r"""\\(?P<octal>[0-7]{1,3})
    |\\x(?P<hex>[0-9a-fA-F]+)
    |\\u(?P<u4>[0-9a-fA-F]{4})
    |\\U(?P<u8>[0-9a-fA-F]{8})
    |\\(?P<simple>.)
    |(?P<plain>[^"\\])""",
    re.VERBOSE | re.DOTALL,
)
_SIMPLE = {"n": 10, "t": 9, "r": 13, "a": 7, "b": 8, "f": 12, "v": 11, "e": 27}


def string_units(spelled: str, bits: int = 8) -> list[int]:
    """The code units of a string literal as libclang spells it, without a terminator.

    `bits` is the width of a unit: in 16 bits, a character beyond them takes two.

    >>> string_units(r'"a\\000\\"b"')
    [97, 0, 34, 98]
    >>> string_units('L"x" "y"', 32)
    [120, 121]
    """
    units: list[int] = []
    position = spelled.find('"') + 1
    while position < len(spelled):
        if spelled[position] == '"':  # the end, or a break such as "\\x1" "2"
            position = spelled.find('"', position + 1) + 1 or len(spelled)
            continue
        match = _CHARACTER.match(spelled, position)
        if match is None or match.lastgroup is None:
            raise InternalError(f"the string literal {spelled} is not understood")
        position = match.end()
        text = match[match.lastgroup]
        match match.lastgroup:
            case "octal":
                unit = int(text, 8)
            case "hex" | "u4" | "u8":
                unit = int(text, 16)
            case "simple":
                unit = _SIMPLE.get(text, ord(text))
            case _:
                unit = ord(text)
        if bits == 16 and unit > 0xFFFF:
            units += [0xD800 + ((unit - 0x10000) >> 10), 0xDC00 + (unit & 0x3FF)]
        else:
            units.append(unit)
    return units


@dataclass(frozen=True, slots=True)
class AsmParts:
    """The text of inline assembly, and the names and constraints of its operands."""

    text: str
    outputs: tuple[tuple[str, str], ...]
    inputs: tuple[tuple[str, str], ...]


_TOKEN = re.compile(
    r"""//[^\n]*|/\*.*?\*/|\\\r?\n|\s+   # nothing
    |(?P<token>"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|\w+|.)""",
    re.VERBOSE | re.DOTALL,
)


def code_tokens(text: str, most: int | None = None) -> list[str]:
    """A rough split of C text into tokens, without comments and white space; the first `most`.

    >>> code_tokens('for (;; i++ /* up */) "a;b"')
    ['for', '(', ';', ';', 'i', '+', '+', ')', '"a;b"']
    """
    return list(islice(tokens_in(text), most))


def tokens_in(text: str) -> Iterator[str]:
    """The same tokens, one after the other."""
    return (match[0] for match in _TOKEN.finditer(text) if match.lastgroup)


def asm_parts(tokens: Iterable[str]) -> AsmParts | None:
    """What inline assembly says, whose tokens these are; None if they do not tell, as parts of it
    may be macros.

    >>> asm_parts(code_tokens('asm("nop" : "=r"(x), [y] "+m"(*f(a, b)) : "r"(z) : "memory");'))
    AsmParts(text='nop', outputs=(('', '=r'), ('y', '+m')), inputs=(('', 'r'),))
    """
    depth, name = 0, ""
    sections: list[list[tuple[str, str]]] = [[]]
    fresh = True  # no text since the last comma or colon
    for token in dropwhile(lambda token: token != "(", tokens):
        if token in ("(", "["):
            depth += 1
        elif token in (")", "]"):
            depth -= 1
            if depth == 0:
                text, outputs, inputs = [*sections, [], []][:3]
                return AsmParts("".join(part for _, part in text), tuple(outputs), tuple(inputs))
        elif depth == 1 and token in (":", ","):
            if token == ":":
                sections.append([])
            fresh, name = True, ""
        elif depth == 1 and token.startswith('"'):
            text_here = _unescaped(token[1:-1])
            if fresh:
                sections[-1].append((name, text_here))
            else:
                before, already = sections[-1].pop()
                sections[-1].append((before, already + text_here))
            fresh = False
        elif depth == 1 and len(sections) <= 2:
            return None
        elif depth == 2 and fresh:
            name = token
    return None


def _unescaped(text: str) -> str:
    return re.sub(r"\\(.)", lambda match: {"n": "\n", "t": "\t"}.get(match[1], match[1]), text)


def expanded(tokens: list[str], macros: Mapping[str, list[str]]) -> list[str]:
    """The tokens with macros put in, and the macros in those; arguments stay names.

    >>> expanded(["A"], {"A": ["B", "+", "A"], "B": ["1"]})
    ['1', '+', 'A']
    """
    result: list[str] = []
    work = [(token, frozenset[str]()) for token in reversed(tokens)]
    while work and len(result) < _MANY:
        token, inside = work.pop()
        if token in macros and token not in inside:
            work += [(part, inside | {token}) for part in reversed(macros[token])]
        else:
            result.append(token)
    return result


def for_heads(tokens: list[str]) -> Iterator[tuple[bool, bool, bool]]:
    """For each `for` among the tokens, which of the three parts of its head are written.

    >>> list(for_heads(code_tokens("for (; i < 3;) for (;;) f();")))
    [(False, True, False), (False, False, False)]
    """
    for start, token in enumerate(tokens):
        if token == "for":
            head = for_head(tokens, start + 1)
            if head is not None:
                yield head


def for_head(tokens: list[str], start: int) -> tuple[bool, bool, bool] | None:
    if start >= len(tokens) or tokens[start] != "(":
        return None
    parts = [False]
    depth = 0
    for token in islice(tokens, start + 1, None):
        if depth == 0 and token == ")":
            return (parts[0], parts[1], parts[2]) if len(parts) == 3 else None
        if depth == 0 and token == ";":
            parts.append(False)
        else:
            parts[-1] = True
            depth += (token in ("(", "[", "{")) - (token in (")", "]", "}"))
    return None


def in_parentheses(tokens: list[str]) -> list[str]:
    """What the first pair of parentheses holds; nothing if it has no end.

    >>> in_parentheses(code_tokens("asm goto(a(b) : c); d"))
    ['(', 'a', '(', 'b', ')', ':', 'c']
    """
    depth = 0
    start = tokens.index("(") if "(" in tokens else len(tokens)
    for at in range(start, len(tokens)):
        depth += (tokens[at] == "(") - (tokens[at] == ")")
        if depth == 0:
            return tokens[start:at]
    return []


def designator_ranges(tokens: list[str]) -> list[bool]:
    """For each pair of brackets at the start of a designated item: does it hold a range?

    >>> designator_ranges(code_tokens("[1 ... 3].x[2] = f(a[1 ... 2])"))
    [True, False]
    """
    ranges: list[bool] = []
    depth = dots = 0
    for token in tokens:
        dots = dots + 1 if token == "." else 0
        if token == "[" and depth == 0:
            ranges.append(False)
        elif depth == 0 and token in ("=", "{", ":", ",", ";", '"'):
            break
        elif depth == 1 and dots == 3:
            ranges[-1] = True
        depth += (token in ("(", "[", "{")) - (token in (")", "]", "}"))
    return ranges


_LONG_DOUBLE = re.compile(
    r"(?<![\w.])(0[xX][0-9a-fA-F.]+[pP][+-]?[0-9]+|[0-9.]+([eE][+-]?[0-9]+)?)[lL]"
)


def long_constant(tokens: Iterable[str], value: float) -> str | None:
    """The long double constant among the tokens whose nearest double is the value, as `FloatConst`
    has it; None if there is none.

    >>> long_constant(["x", "*", "0", ".", "1L"], 0.1)
    '0x1.999999999999999ap-4'
    """
    for found in _LONG_DOUBLE.finditer("".join(tokens)):  # where a number is more than one
        bits = float_text.parse(found[1], EXTENDED)
        if ieee754.convert(EXTENDED, DOUBLE, bits) == ieee754.from_float(value):
            return float_text.show(EXTENDED, bits)
    return None
