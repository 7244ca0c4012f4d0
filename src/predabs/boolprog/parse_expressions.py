"""Reading expressions with an operator stack instead of recursion.

Generated conditions nest hundreds of parentheses deep; an explicit stack reads them all. From loose
to tight: `?:`, `=>` (to the right), `|`, `^`, `&`, `=` and `!=` (to the left), `!` and `~`.
"""

from __future__ import annotations

from ..records import dataclass
from .lexer import Lexer
from .syntax import STAR, Binary, Choose, Cond, Const, Expr, Next, Not, Var, nary

_WORDS = """
    decl void bool boolean begin end if then elsif else fi while do od goto return skip assume
    assert enforce abortif dead constrain choose schoose branch T F true false
"""
KEYWORDS = frozenset(_WORDS.split())

_CONSTANTS = {"T": True, "true": True, "1": True, "F": False, "false": False, "0": False}
_TIGHTNESS = {"=>": 2, "|": 3, "^": 4, "&": 5, "=": 6, "!=": 6, "!": 7}
_TERNARY = 1
_CLOSERS = {"(": ")", "choose": ")", "schoose": "]"}


@dataclass(slots=True)
class _Open:
    """Something begun: a bracket, a pending operator, or a ternary waiting for its last part."""

    sign: str
    offset: int
    operands: list[Expr]


def read_expression(lexer: Lexer) -> Expr:
    """The longest expression from the lexer's next token on."""
    stack: list[_Open] = []
    while True:
        operand = _read_operand(lexer, stack)
        if operand is None:
            continue
        value = _read_after(lexer, stack, operand)
        if value is not None:
            return value


def _read_operand(lexer: Lexer, stack: list[_Open]) -> Expr | None:
    """One operand, or None after opening something that needs one more."""
    token = lexer.token
    match token.kind, token.text:
        case "symbol", "(":
            lexer.advance()
            stack.append(_Open("(", token.offset, []))
            return None
        case "symbol", "!" | "~":
            lexer.advance()
            stack.append(_Open("!", token.offset, []))
            return None
        case "symbol", "*":
            lexer.advance()
            return STAR
        case "symbol", "{":
            return Var(lexer.braced_name())
        case "symbol", "'":
            lexer.advance()
            if lexer.token.text != "{":
                lexer.fail("after `'` a name is expected, such as `'x` or `'{x = 2}`")
            return Next(lexer.braced_name())
        case "name", "choose" | "schoose":
            lexer.advance()
            opening = "(" if token.text == "choose" else "["
            if lexer.token.text != opening:
                lexer.fail(f"expected `{opening}` after `{token.text}`, found {lexer.token}")
            lexer.advance()
            stack.append(_Open(token.text, token.offset, []))
            return None
        case (("name" | "number"), text) if text in _CONSTANTS:
            lexer.advance()
            return Const(_CONSTANTS[text])
        case "name", text if text not in KEYWORDS:
            lexer.advance()
            if lexer.token.text == "(":
                lexer.fail(
                    f"a call `{text}(...)` cannot stand inside an expression; "
                    "assign its result to a variable first",
                    token.offset,
                )
            return Var(text)
        case "next", text:
            lexer.advance()
            return Next(text)
        case _:
            raise lexer.error(f"expected an expression, found {token}")


def _read_after(lexer: Lexer, stack: list[_Open], operand: Expr) -> Expr | None:
    """Go on after an operand up to the next operator; the value when the expression is over."""
    while True:
        token = lexer.token
        sign = token.text if token.kind == "symbol" else ""
        if sign in _TIGHTNESS and sign != "!":
            operand = _reduce(stack, operand, _TIGHTNESS[sign], right=sign == "=>")
            lexer.advance()
            stack.append(_Open(sign, token.offset, [operand]))
            return None
        if sign == "?":
            operand = _reduce(stack, operand, _TERNARY, right=True)
            lexer.advance()
            stack.append(_Open("?", token.offset, [operand]))
            return None
        operand = _reduce(stack, operand, 0, right=False)
        if not stack:
            return operand
        top = stack[-1]
        if top.sign == "?":
            if sign != ":":
                lexer.fail(f"expected `:` of the `?` at {_short(lexer, top)}, found {token}")
            lexer.advance()
            top.sign = ":"
            top.operands.append(operand)
            return None
        if top.sign != "(" and sign == "," and not top.operands:
            lexer.advance()
            top.operands.append(operand)
            return None
        if sign != _CLOSERS[top.sign]:
            lexer.fail(
                f"expected `{_CLOSERS[top.sign]}` for the `{top.sign}` at {_short(lexer, top)}, "
                f"found {token}"
            )
        if top.sign != "(" and not top.operands:
            lexer.fail(f"`{top.sign}` takes two expressions, one for true and one for false")
        lexer.advance()
        stack.pop()
        if top.sign != "(":
            operand = Choose(top.operands[0], operand)


def _reduce(stack: list[_Open], operand: Expr, tightness: int, right: bool) -> Expr:
    """Finish the pending operators that bind their operand before one of `tightness` does."""
    while stack:
        top = stack[-1]
        if top.sign == ":":
            if tightness >= _TERNARY:
                break
            stack.pop()
            operand = Cond(top.operands[0], top.operands[1], operand)
            continue
        own = _TIGHTNESS.get(top.sign)
        if own is None or own < tightness or (own == tightness and right):
            break
        stack.pop()
        match top.sign:
            case "!":
                operand = Not(operand)
            case "&" | "|" | "^" as op:
                operand = nary(op, (top.operands[0], operand))
            case "=" | "!=" | "=>" as op:
                operand = Binary(op, top.operands[0], operand)
    return operand


def _short(lexer: Lexer, bracket: _Open) -> str:
    at = lexer.position(bracket.offset)
    return f"line {at.line}, column {at.column}"
