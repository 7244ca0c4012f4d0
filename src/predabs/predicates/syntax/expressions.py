"""C expressions without side effects, read into terms of the IR.

A Pratt parser [Pra73] with C's precedences; `operators` knows what they mean. Before an expression
may stand quantifiers, `forall k in 0 .. n - 1: a[k] >= 0`; both bounds are inside. Soundness duty:
the term means what C means by the text; whatever is not understood is a `PredicateSyntaxError`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from ...frontend.conversions import common, convert
from ...ir import make
from ...ir.cfa import Program
from ...ir.expr import Bound, Cast, Const, Expr, Forall, FunctionAddress, PointerAdd, Var
from ...ir.types import INT, VOID, IntType, PointerType, Type
from ...ir.walk import subterms
from .c_literals import TYPE_KEYWORDS, character, floating, integer, named_type
from .operators import TermOperators
from .tokens import PredicateSyntaxError, Token, UnknownName, tokens

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
_MESSAGES = {
    "=": "`=` assigns; write `==` to compare",
    "++": "a predicate has no side effects",
    "--": "a predicate has no side effects",
    "?": "`?:` cannot be read here; write it with && and ||",
    ",": "there is one expression a line, without commas",
    ";": "there is one expression a line, without `;`",
}


class NameScope(Protocol):
    """What names mean; a `UnknownName` says why there is no such thing."""

    def variable(self, name: str) -> Var | FunctionAddress: ...

    def constant(self, stars: int, name: str) -> Var:
        """The symbolic constant of a name behind so many stars."""


def parse_condition(line: str, scope: NameScope, program: Program) -> Expr:
    """The truth of the expression on a line; a `PredicateSyntaxError` tells the column."""
    parser = _Parser(tokens(line), scope, program)
    outside = parser.quantifiers()
    begin = parser.token
    value = parser.expression(1)
    parser.finish()
    return parser.quantified(outside, parser.terms.condition(value, begin))


class _Parser:
    """`token` is the next token."""

    def __init__(self, all_tokens: list[Token], scope: NameScope, program: Program) -> None:
        self._tokens = all_tokens
        self._next = 0
        self._scope = scope
        self._program = program
        self._model = program.data_model
        self._depth = 0
        self._bound: dict[str, Bound] = {}
        self.terms = TermOperators(program)

    @property
    def token(self) -> Token:
        return self._tokens[self._next]

    @property
    def first(self) -> Token:
        return self._tokens[0]

    def _take(self) -> Token:
        token = self.token
        self._next += 1
        return token

    def _at(self, *texts: str) -> bool:
        return self.token.kind == "symbol" and self.token.text in texts

    def _expect(self, text: str) -> None:
        if not self._at(text):
            raise PredicateSyntaxError(
                self.token.column, f"expected `{text}` instead of {self.token}"
            )
        self._take()

    def finish(self) -> None:
        token = self.token
        if token.kind != "end":
            message = _MESSAGES.get(token.text, f"unexpected {token} after the expression")
            if token.text == "(":
                message = "a predicate cannot call a function"
            raise PredicateSyntaxError(token.column, message)

    # --- quantifiers ------------------------------------------------------------------------------

    def quantifiers(self) -> list[Expr]:
        """What stands before the expression: that each bound variable is not in its range."""
        outside: list[Expr] = []
        while self.token.text == "forall" and self._tokens[self._next + 1].kind == "name":
            self._take()
            name = self._take()
            if name.text in self._bound:
                raise PredicateSyntaxError(name.column, f"{name} is bound twice")
            if self._take().text != "in":
                raise PredicateSyntaxError(name.column, f"expected `in` behind {name}")
            begin = self.token
            low = self.terms.value(self.expression(1), begin)
            self._expect("..")
            high = self.terms.value(self.expression(1), begin)
            if not isinstance(low.type, IntType) or not isinstance(high.type, IntType):
                raise PredicateSyntaxError(begin.column, "the bounds of a quantifier are integers")
            type_ = common(low.type, high.type)
            assert isinstance(type_, IntType)
            bound = self._bound[name.text] = Bound(name.text, type_)
            outside.append(make.less(bound, convert(low, type_)))
            outside.append(make.less(convert(high, type_), bound))
            self._expect(":")
        return outside

    def quantified(self, outside: list[Expr], body: Expr) -> Expr:
        """The condition under its quantifiers."""
        if not outside:
            return body
        whole = make.disj((*outside, body))
        if any(_is_bound_pointer(term) for term in subterms(whole)):
            raise PredicateSyntaxError(
                self.first.column, "a bound variable cannot become a pointer"
            )
        if isinstance(whole, Const):
            return whole
        return Forall(tuple(self._bound.values()), whole)

    # --- syntax -----------------------------------------------------------------------------------

    def expression(self, least: int) -> Expr:
        """An expression whose binary operators bind at least so tightly."""
        self._depth += 1
        if self._depth > _DEEPEST:
            raise PredicateSyntaxError(self.token.column, "this expression is nested too deeply")
        left = self._prefix()
        while self.token.kind == "symbol" and _LEVEL.get(self.token.text, 0) >= least:
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
        if self._at("(") and self._tokens[self._next + 1].text in TYPE_KEYWORDS:
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
            token = self.token
            if self._at("["):
                self._take()
                index = self.expression(1)
                self._expect("]")
                value = self.terms.index(token, value, index)
            elif self._at("."):
                self._take()
                value = self.terms.member(self.terms.lvalue(value, token), token, self._name())
            elif self._at("->"):
                self._take()
                value = self.terms.member(self.terms.deref(value, token), token, self._name())
            else:
                return value

    def _name(self) -> Token:
        name = self._take()
        if name.kind != "name":
            raise PredicateSyntaxError(
                name.column, f"expected the name of a member instead of {name}"
            )
        return name

    def _primary(self) -> Expr:
        token = self._take()
        match token.kind:
            case "number":
                number = integer(token.text, self._model)
                if number is None:
                    raise PredicateSyntaxError(
                        token.column, f"{token} is no integer of C that fits into 64 bits"
                    )
                return number
            case "float":
                return floating(token.text)
            case "character":
                return character(token.text)
            case "name" if token.text == "NULL":
                return make.const(0, self._model.pointer(VOID))
            case "name" if token.text == "sizeof":
                raise PredicateSyntaxError(
                    token.column, "sizeof cannot be read here; write the number"
                )
            case "name" if token.text in self._bound:
                return self._bound[token.text]
            case "name":
                return self._looked_up(token, lambda: self._scope.variable(token.text))
            case "constant":
                stars = token.text.count("*")
                name = token.text[stars + 1 :]
                return self._looked_up(token, lambda: self._scope.constant(stars, name))
            case "symbol" if token.text == "(":
                value = self.expression(1)
                self._expect(")")
                return value
        raise PredicateSyntaxError(
            token.column, _MESSAGES.get(token.text, f"expected an expression, not {token}")
        )

    def _looked_up(self, token: Token, find: Callable[[], Expr]) -> Expr:
        try:
            return find()
        except UnknownName as problem:
            raise PredicateSyntaxError(token.column, str(problem)) from None

    def _type(self) -> Type:
        """A type name: that of a scalar or record, and stars."""
        start = self.token
        seen: list[str] = []
        type_: Type | None = None
        while self.token.kind == "name" and self.token.text in TYPE_KEYWORDS:
            token = self._take()
            if token.text in ("struct", "union"):
                tag = self._take()
                tags = (f"{token.text} {tag.text}", tag.text)
                record = next((r for r in map(self._program.records.get, tags) if r), None)
                if record is None:
                    raise PredicateSyntaxError(
                        tag.column, f"the program has no {token.text} {tag.text}"
                    )
                type_ = record.type
            else:
                seen.append(token.text)
        if type_ is None:
            type_ = named_type(seen, self._model)
        elif named_type([*seen, "int"], self._model) is not INT:
            type_ = None  # more than qualifiers stand beside the record
        if type_ is None:
            raise PredicateSyntaxError(start.column, "this is no type that can be read here")
        while self._at("*"):
            self._take()
            type_ = self._model.pointer(type_)
        return type_


def _is_bound_pointer(term: Expr) -> bool:
    """Is it a pointer made from a bound variable? Nothing is known about where it points."""
    match term:
        case Cast(arg, PointerType()) if isinstance(arg.type, IntType):
            pass
        case PointerAdd(Const(), _, _):
            pass
        case _:
            return False
    return any(isinstance(part, Bound) for part in subterms(term))
