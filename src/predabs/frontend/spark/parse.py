"""Parse Ada's expressions (Ada RM 4.4), and SPARK 2005's implications in annotations.

tree-sitter finds the declarations and statements; what stands in them is parsed here, by
precedence, and so are the annotations in comments and the predicates of a user.
"""

from __future__ import annotations

from ...errors import InputError, UnsupportedFeature
from ...ir.cfa import Coord
from . import syntax
from .lexer import Kind, Token, number, tokens
from .syntax import Association, Expr

_RELATIONS = ("=", "/=", "<", "<=", ">", ">=")
_WITH_ARGUMENTS = frozenset(["min", "max", "image", "pos", "val", "succ", "pred", "first", "last"])
_WITH_ARGUMENTS |= {"range", "length", "mod"}


def parse_expression(text: str, begin: Coord) -> Expr:
    """The expression that a text is, all of it."""
    parser = _Parser(tokens(text, begin))
    found = parser.choice()
    parser.expect_end()
    return found


def parse_arguments(text: str, begin: Coord) -> tuple[Association, ...]:
    """The associations in brackets that a text is: `(A, B => C)`."""
    parser = _Parser(tokens(text, begin))
    parser.take("(")
    found = parser.associations()
    parser.expect_end()
    return found


class _Parser:
    """Reads tokens from the left to the right."""

    def __init__(self, given: list[Token]) -> None:
        self._tokens = given
        self._at = 0

    @property
    def _next(self) -> Token:
        return self._tokens[self._at]

    def _is(self, *texts: str) -> bool:
        token = self._next
        return token.kind is Kind.SIGN and token.text in texts

    def _advance(self) -> Token:
        self._at += 1
        return self._tokens[self._at - 1]

    def take(self, text: str) -> Token:
        if not self._is(text):
            raise self._unexpected(f"'{text}'")
        return self._advance()

    def _unexpected(self, wanted: str) -> InputError:
        token = self._next
        return InputError(f"{token.coord}: expected {wanted}, found {token.spelling}")

    def expect_end(self) -> None:
        if self._next.kind is not Kind.END:
            raise self._unexpected("the end of the expression")

    # --- from the loosest to the tightest -----------------------------------------------------

    def choice(self) -> Expr:
        """An expression, a range, or a subtype with a range."""
        found = self.expression()
        coord = found.coord
        if self._is(".."):
            self._advance()
            return syntax.Range(coord, found, self._simple())
        if self._is("range"):
            self._advance()
            low = self._simple()
            if self._is(".."):
                self._advance()
                return syntax.Constrained(
                    coord, found, syntax.Range(low.coord, low, self._simple())
                )
            return syntax.Constrained(coord, found, low)
        return found

    def expression(self) -> Expr:
        if self._is("if"):
            return self._if()
        if self._is("case"):
            return self._case()
        if self._is("for"):
            return self._quantified()
        left = self._logical()
        while self._is("->", "<->"):
            op = self._advance().text
            left = syntax.Binary(left.coord, op, left, self._logical())
        return left

    def _logical(self) -> Expr:
        left = self._relation()
        first: str | None = None
        while self._is("and", "or", "xor"):
            token = self._advance()
            op = token.text
            if (op == "and" and self._is("then")) or (op == "or" and self._is("else")):
                op += f" {self._advance().text}"
            if first is not None and first != op:
                raise InputError(f"{token.coord}: '{first}' and '{op}' need brackets between them")
            first = op
            left = syntax.Binary(left.coord, op, left, self._relation())
        return left

    def _relation(self) -> Expr:
        left = self._simple()
        if self._is(*_RELATIONS):
            op = self._advance().text
            return syntax.Binary(left.coord, op, left, self._simple())
        negated = self._is("not")
        if negated:
            self._advance()
            if not self._is("in"):
                raise self._unexpected("'in'")
        if self._is("in"):
            self._advance()
            choices = [self._membership_choice()]
            while self._is("|"):
                self._advance()
                choices.append(self._membership_choice())
            return syntax.Membership(left.coord, left, negated, tuple(choices))
        return left

    def _membership_choice(self) -> Expr:
        low = self._simple()
        if self._is(".."):
            self._advance()
            return syntax.Range(low.coord, low, self._simple())
        return low

    def _simple(self) -> Expr:
        coord = self._next.coord
        sign = self._advance().text if self._is("+", "-") else None
        left = self._term()
        if sign is not None:
            left = syntax.Unary(coord, sign, left)
        while self._is("+", "-", "&"):
            op = self._advance().text
            left = syntax.Binary(left.coord, op, left, self._term())
        return left

    def _term(self) -> Expr:
        left = self._factor()
        while self._is("*", "/", "mod", "rem"):
            op = self._advance().text
            left = syntax.Binary(left.coord, op, left, self._factor())
        return left

    def _factor(self) -> Expr:
        if self._is("abs", "not"):
            token = self._advance()
            return syntax.Unary(token.coord, token.text, self._primary())
        left = self._primary()
        if self._is("**"):
            self._advance()
            return syntax.Binary(left.coord, "**", left, self._primary())
        return left

    def _primary(self) -> Expr:
        token = self._next
        match token.kind:
            case Kind.NUMBER:
                self._advance()
                return syntax.Integer(token.coord, number(token))
            case Kind.CHARACTER:
                self._advance()
                return syntax.Character(token.coord, token.text)
            case Kind.STRING:
                self._advance()
                return syntax.String(token.coord, token.text)
            case Kind.NAME:
                return self._name()
        if self._is("(", "["):
            return self._bracketed()
        if self._is("null", "new", "raise"):
            raise UnsupportedFeature(f"{token.coord}: '{token.text}' in an expression")
        raise self._unexpected("an expression")

    def _name(self) -> Expr:
        token = self._advance()
        found: Expr = syntax.Name(token.coord, token.text, token.spelling)
        while True:
            if self._is("."):
                self._advance()
                token = self._next
                if self._is("all"):
                    raise UnsupportedFeature(f"{token.coord}: access types are not supported")
                if token.kind is not Kind.NAME:
                    raise self._unexpected("a name")
                self._advance()
                found = syntax.Select(found.coord, found, token.text, token.spelling)
            elif self._is("'"):
                found = self._after_tick(found)
            elif self._is("~"):  # SPARK 2005: the value at the beginning
                self._advance()
                found = syntax.Attribute(found.coord, found, "old", ())
            elif self._is("("):
                self._advance()
                found = syntax.Apply(found.coord, found, self.associations())
            else:
                return found

    def _after_tick(self, prefix: Expr) -> Expr:
        self._advance()
        if self._is("("):
            value = self._bracketed()
            return syntax.Qualified(prefix.coord, prefix, value)
        token = self._next
        if token.kind is not Kind.NAME:
            raise self._unexpected("an attribute")
        self._advance()
        args: tuple[Expr, ...] = ()
        if token.text in _WITH_ARGUMENTS and self._is("("):
            self._advance()
            args = tuple(item.value for item in self.associations() if item.value is not None)
        return syntax.Attribute(prefix.coord, prefix, token.text, args)

    def _bracketed(self) -> Expr:
        """An expression in brackets, or an aggregate."""
        coord = self._advance().coord
        items = self.associations()
        if len(items) == 1 and items[0].positional and items[0].value is not None:
            value = items[0].value
            if not isinstance(value, syntax.Range | syntax.Constrained):
                return value
        return syntax.Aggregate(coord, items)

    def associations(self) -> tuple[Association, ...]:
        """What stands in brackets, up to the closing one."""
        found = [self._association()]
        while self._is(","):
            self._advance()
            found.append(self._association())
        if self._is("with"):
            raise UnsupportedFeature(f"{self._next.coord}: delta and extension aggregates")
        if not self._is(")", "]"):
            raise self._unexpected("')'")
        self._advance()
        return tuple(found)

    def _association(self) -> Association:
        coord = self._next.coord
        if self._is("others"):
            self._advance()
            self.take("=>")
            return Association(coord, (), True, self._value())
        if self._is("for"):  # a quantified expression alone in brackets
            return Association(coord, (), False, self._quantified())
        choices = [self.choice()]
        while self._is("|"):
            self._advance()
            choices.append(self.choice())
        if self._is("=>"):
            self._advance()
            return Association(coord, tuple(choices), False, self._value())
        if len(choices) > 1:
            raise self._unexpected("'=>'")
        return Association(coord, (), False, choices[0])

    def _value(self) -> Expr | None:
        if self._is("<>"):
            self._advance()
            return None
        return self.choice()

    # --- conditional and quantified expressions -----------------------------------------------

    def _if(self) -> Expr:
        coord = self._advance().coord
        cond = self.expression()
        self.take("then")
        then = self.expression()
        if self._is("elsif"):
            return syntax.If(coord, cond, then, self._if())
        if self._is("else"):
            self._advance()
            return syntax.If(coord, cond, then, self.expression())
        return syntax.If(coord, cond, then, None)

    def _case(self) -> Expr:
        coord = self._advance().coord
        subject = self.expression()
        self.take("is")
        arms = []
        while True:
            self.take("when")
            arm = self._association()
            if arm.positional or arm.value is None:
                raise self._unexpected("'=>'")
            arms.append(arm)
            if not self._is(","):
                return syntax.Case(coord, subject, tuple(arms))
            self._advance()

    def _quantified(self) -> Expr:
        coord = self._advance().coord
        if not self._is("all", "some"):
            raise self._unexpected("'all' or 'some'")
        every = self._advance().text == "all"
        token = self._next
        if token.kind is not Kind.NAME:
            raise self._unexpected("a name")
        self._advance()
        if not self._is("in", "of"):
            raise self._unexpected("'in'")
        of = self._advance().text == "of"
        domain = self.choice()
        self.take("=>")
        name = syntax.Name(token.coord, token.text, token.spelling)
        return syntax.Quantified(coord, every, name, of, domain, self.expression())
