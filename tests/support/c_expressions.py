"""A small parser of C expressions for tests: from text to nested tuples."""

from __future__ import annotations

import re

_TOKEN = re.compile(
    r"\s*(->|<<|>>|<=|>=|==|!=|&&|\|\||--|\+\+|0x[0-9a-f]+|[A-Za-z_]\w*|\d+|[-+*/%<>&|^~!?:()\[\].])"
)
_TYPE = re.compile(r"(u?int\d*|unsigned|char|short|long|struct|_Bool|void)$")
_LEVELS = [["||"], ["&&"], ["|"], ["^"], ["&"], ["==", "!="], ["<", ">", "<=", ">="]]
_LEVELS += [["<<", ">>"], ["+", "-"], ["*", "/", "%"]]
_LEVEL = {sign: level for level, signs in enumerate(_LEVELS) for sign in signs}

Tree = tuple[object, ...]


class CSyntaxError(Exception):
    """The text is no C expression."""


class Parser:
    """Precedence climbing; `groups` has the positions of parentheses that only group."""

    def __init__(self, text: str) -> None:
        self.tokens: list[tuple[str, int]] = []
        at = 0
        while at < len(text):
            found = _TOKEN.match(text, at)
            if found is None:
                raise CSyntaxError(text[at:])
            self.tokens.append((found[1], found.start(1)))
            at = found.end()
        self.at = 0
        self.groups: list[tuple[int, int]] = []

    def peek(self, ahead: int = 0) -> str:
        place = self.at + ahead
        return self.tokens[place][0] if place < len(self.tokens) else ""

    def take(self, expected: str = "") -> str:
        token = self.peek()
        if not token or (expected and token != expected):
            raise CSyntaxError(f"{expected or 'a token'} expected, not {token!r}")
        self.at += 1
        return token

    def whole(self) -> Tree:
        tree = self.ternary()
        if self.peek():
            raise CSyntaxError(f"unexpected {self.peek()}")
        return tree

    def ternary(self) -> Tree:
        cond = self.binary(0)
        if self.peek() != "?":
            return cond
        self.take("?")
        then = self.ternary()
        self.take(":")
        return ("?:", cond, then, self.ternary())

    def binary(self, least: int) -> Tree:
        left = self.unary()
        while _LEVEL.get(self.peek(), -1) >= least:
            sign = self.take()
            left = (sign, left, self.binary(_LEVEL[sign] + 1))
        return left

    def unary(self) -> Tree:
        token = self.peek()
        if token in ("-", "~", "!", "*", "&"):
            self.take()
            return (f"unary {token}", self.unary())
        if token == "(" and _TYPE.match(self.peek(1)):
            return ("cast", self.type_name(), self.unary())
        return self.postfix()

    def type_name(self) -> str:
        self.take("(")
        words: list[str] = []
        depth = 0
        while depth or self.peek() != ")":
            depth += {"(": 1, ")": -1}.get(self.peek(), 0)
            words.append(self.take())
        self.take(")")
        return " ".join(words)

    def postfix(self) -> Tree:
        tree = self.primary()
        while self.peek() in ("[", ".", "->"):
            sign = self.take()
            if sign == "[":
                tree = ("[]", tree, self.ternary())
                self.take("]")
            else:
                tree = (sign, tree, self.take())
        return tree

    def primary(self) -> Tree:
        if self.peek() == "(":
            start = self.tokens[self.at][1]
            self.take("(")
            tree = self.ternary()
            self.groups.append((start, self.tokens[self.at][1] if self.peek() else -1))
            self.take(")")
            return tree
        token = self.take()
        if not re.match(r"\w", token):
            raise CSyntaxError(f"unexpected {token}")
        return ("leaf", token)


def parse(text: str) -> Tree:
    return Parser(text).whole()


def without_one_group(text: str) -> list[str]:
    """The text without each pair of grouping parentheses in turn."""
    parser = Parser(text)
    parser.whole()
    return [text[:a] + text[a + 1 : b] + text[b + 1 :] for a, b in parser.groups]
