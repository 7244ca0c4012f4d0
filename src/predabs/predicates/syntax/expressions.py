"""C expressions without side effects, read into terms of the IR.

A Pratt parser [Pra73] with C's precedences; `operators` knows what they mean. Soundness duty: the
term means what C means by the text; whatever is not understood is a `Mistake`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from ...ir import make
from ...ir.cfa import Program
from ...ir.expr import Expr, FunctionAddress, Var
from ...ir.types import INT, VOID, Type
from .c_literals import TYPE_WORDS, character, floating, integer, named_type
from .operators import TermOperators
from .tokens import Mistake, NotKnown, Word, words

_DEEPEST = 100  # parentheses, brackets and prefix operators inside each other

_LEVELS = (
    ("||",),
    ("&&",),
    ("|",),
    ("^",),
    ("&",),
    ("==", "!="),
    ("<", "<=", ">", ">="),
    ("<<", ">>"),
    ("+", "-"),
    ("*", "/", "%"),
)
_LEVEL = {op: level for level, ops in enumerate(_LEVELS, 1) for op in ops}
_HINTS = {
    "=": "`=` assigns; write `==` to compare",
    "++": "a predicate has no side effects",
    "--": "a predicate has no side effects",
    "?": "`?:` cannot be read here; write it with && and ||",
    ",": "there is one expression a line, without commas",
    ";": "there is one expression a line, without `;`",
}


class NameScope(Protocol):
    """What names mean; a `NotKnown` says why there is no such thing."""

    def variable(self, name: str) -> Var | FunctionAddress: ...

    def constant(self, stars: int, name: str) -> Var:
        """The symbolic constant of a name behind so many stars."""


def parse_condition(line: str, scope: NameScope, program: Program) -> Expr:
    """The truth of the expression on a line; a `Mistake` tells the column."""
    parser = _Parser(words(line), scope, program)
    value = parser.expression(1)
    parser.finish()
    return parser.terms.condition(value, parser.first)


class _Parser:
    """`word` is the next word."""

    def __init__(self, all_words: list[Word], scope: NameScope, program: Program) -> None:
        self._words = all_words
        self._next = 0
        self._scope = scope
        self._program = program
        self._model = program.data_model
        self._depth = 0
        self.terms = TermOperators(program)

    @property
    def word(self) -> Word:
        return self._words[self._next]

    @property
    def first(self) -> Word:
        return self._words[0]

    def _take(self) -> Word:
        word = self.word
        self._next += 1
        return word

    def _at(self, *texts: str) -> bool:
        return self.word.kind == "symbol" and self.word.text in texts

    def _expect(self, text: str) -> None:
        if not self._at(text):
            raise Mistake(self.word.column, f"expected `{text}` instead of {self.word}")
        self._take()

    def finish(self) -> None:
        word = self.word
        if word.kind != "end":
            hint = _HINTS.get(word.text, f"unexpected {word} after the expression")
            if word.text == "(":
                hint = "a predicate cannot call a function"
            raise Mistake(word.column, hint)

    # --- syntax -----------------------------------------------------------------------------------

    def expression(self, least: int) -> Expr:
        """An expression whose binary operators bind at least so tightly."""
        self._depth += 1
        if self._depth > _DEEPEST:
            raise Mistake(self.word.column, "this expression is nested too deeply")
        left = self._prefix()
        while self.word.kind == "symbol" and _LEVEL.get(self.word.text, 0) >= least:
            op = self._take()
            right = self.expression(_LEVEL[op.text] + 1)
            left = self.terms.binary(op, left, right)
        self._depth -= 1
        return left

    def _prefix(self) -> Expr:
        if self._at("!", "~", "-", "+", "*", "&"):
            op = self._take()
            arg = self._operand()
            return self.terms.unary(op, arg)
        if self._at("(") and self._words[self._next + 1].text in TYPE_WORDS:
            opening = self._take()
            type_ = self._type()
            self._expect(")")
            return self.terms.cast(opening, self._operand(), type_)
        return self._postfix(self._primary())

    def _operand(self) -> Expr:
        """What a prefix operator applies to: nothing binary."""
        return self.expression(len(_LEVELS) + 1)

    def _postfix(self, value: Expr) -> Expr:
        while True:
            word = self.word
            if self._at("["):
                self._take()
                index = self.expression(1)
                self._expect("]")
                value = self.terms.index(word, value, index)
            elif self._at("."):
                self._take()
                value = self.terms.member(self.terms.lvalue(value, word), word, self._name())
            elif self._at("->"):
                self._take()
                value = self.terms.member(self.terms.deref(value, word), word, self._name())
            else:
                return value

    def _name(self) -> Word:
        name = self._take()
        if name.kind != "name":
            raise Mistake(name.column, f"expected the name of a member instead of {name}")
        return name

    def _primary(self) -> Expr:
        word = self._take()
        match word.kind:
            case "number":
                number = integer(word.text, self._model)
                if number is None:
                    raise Mistake(word.column, f"{word} is no integer of C that fits into 64 bits")
                return number
            case "float":
                return floating(word.text)
            case "character":
                return character(word.text)
            case "name" if word.text == "NULL":
                return make.const(0, self._model.pointer(VOID))
            case "name" if word.text == "sizeof":
                raise Mistake(word.column, "sizeof cannot be read here; write the number")
            case "name":
                return self._looked_up(word, lambda: self._scope.variable(word.text))
            case "constant":
                stars = word.text.count("*")
                name = word.text[stars + 1 :]
                return self._looked_up(word, lambda: self._scope.constant(stars, name))
            case "symbol" if word.text == "(":
                value = self.expression(1)
                self._expect(")")
                return value
        raise Mistake(word.column, _HINTS.get(word.text, f"expected an expression, not {word}"))

    def _looked_up(self, word: Word, find: Callable[[], Expr]) -> Expr:
        try:
            return find()
        except NotKnown as problem:
            raise Mistake(word.column, str(problem)) from None

    def _type(self) -> Type:
        """A type name: that of a scalar or record, and stars."""
        start = self.word
        seen: list[str] = []
        type_: Type | None = None
        while self.word.kind == "name" and self.word.text in TYPE_WORDS:
            word = self._take()
            if word.text in ("struct", "union"):
                tag = self._take()
                known = (f"{word.text} {tag.text}", tag.text)
                record = next((r for r in map(self._program.records.get, known) if r), None)
                if record is None:
                    raise Mistake(tag.column, f"the program has no {word.text} {tag.text}")
                type_ = record.type
            else:
                seen.append(word.text)
        if type_ is None:
            type_ = named_type(seen, self._model)
        elif named_type([*seen, "int"], self._model) is not INT:
            type_ = None  # more than qualifiers stand beside the record
        if type_ is None:
            raise Mistake(start.column, "this is no type that can be read here")
        while self._at("*"):
            self._take()
            type_ = self._model.pointer(type_)
        return type_
