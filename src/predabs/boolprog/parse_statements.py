"""Reading the statements of Boolean programs, in both styles of `parse`."""

from __future__ import annotations

from collections.abc import Callable
from typing import NoReturn

from ..records import dataclass, replace
from .lexer import Lexer
from .parse_expressions import KEYWORDS, read_expression
from .syntax import (
    AbortIf,
    Action,
    Assert,
    Assign,
    Assume,
    Body,
    Branch,
    Call,
    Dead,
    DoWhile,
    Expr,
    Goto,
    If,
    Position,
    Return,
    Skip,
    Statement,
    While,
)

_MAX_NESTING = 100
_CLOSERS = frozenset({"end", "fi", "od", "else", "elsif", "}", "||", ""})


@dataclass(slots=True)
class _WhileTail:
    """`while e` met in the list of a bare `do`: it is the loop's own end, not a statement."""

    condition: Expr


class StatementParser:
    """Recursive descent over the tokens of a lexer."""

    def __init__(self, lexer: Lexer) -> None:
        self._lexer = lexer
        self._depth = 0

    # -- tokens ---------------------------------------------------------------------------------

    @property
    def _next(self) -> str:
        token = self._lexer.token
        return token.text if token.kind in ("name", "symbol", "number") else ""

    def _at_end(self) -> bool:
        return self._lexer.token.kind == "end"

    def _accept(self, *tokens: str) -> bool:
        if self._next in tokens and not self._at_end():
            self._lexer.advance()
            return True
        return False

    def _expect(self, token: str, where: str) -> None:
        if not self._accept(token):
            self._unexpected(f"`{token}` {where}")

    def _unexpected(self, wanted: str) -> NoReturn:
        advice = "; for `or` write `|`" if self._next == "||" else ""
        self._lexer.fail(f"expected {wanted}, found {self._lexer.token}{advice}")

    def _name(self, what: str) -> str:
        token = self._lexer.token
        if token.kind == "symbol" and token.text == "{":
            return self._lexer.braced_name()
        if token.kind != "name":
            self._unexpected(what)
        if token.text in KEYWORDS:
            self._lexer.fail(f"`{token.text}` is a keyword; choose another {what}")
        self._lexer.advance()
        return token.text

    def _list(self, read: Callable[[], str]) -> list[str]:
        items = [read()]
        while self._accept(","):
            items.append(read())
        return items

    def _expressions(self) -> tuple[Expr, ...]:
        items = [read_expression(self._lexer)]
        while self._accept(","):
            items.append(read_expression(self._lexer))
        return tuple(items)

    # -- statements -----------------------------------------------------------------------------

    def _block_begin(self, where: str) -> str:
        if self._accept("begin"):
            return "end"
        self._expect("{", f"or `begin` {where}")
        return "}"

    def _body(
        self, closers: tuple[str, ...], in_do: bool = False
    ) -> tuple[Body, _WhileTail | None]:
        """Statements up to (and without) a closer, or up to the `while e` of a bare `do`."""
        self._depth += 1
        if self._depth > _MAX_NESTING:
            self._lexer.fail(f"statements are nested more than {_MAX_NESTING} levels deep")
        result: list[Statement] = []
        tail: _WhileTail | None = None
        while not (self._next in closers or self._at_end()):
            if self._accept(";"):
                continue
            part = self._statement(in_do)
            if isinstance(part, _WhileTail):
                tail = part
                break
            result += part
        self._depth -= 1
        return tuple(result), tail

    def _statement(self, in_do: bool = False) -> list[Statement] | _WhileTail:
        """One statement with its labels; a nested block gives all that is inside."""
        at = self._lexer.position()
        labels: list[str] = []
        while True:
            token = self._next
            if token in _CLOSERS and labels:
                return [Statement(Skip(), tuple(labels), at)]
            if token == "{" and not self._lexer.brace_is_name():
                return self._labelled(self._block(), labels, at)
            if token == "begin":
                return self._labelled(self._block(), labels, at)
            at = self._lexer.position()
            if token not in KEYWORDS and self._lexer.token.kind == "name":
                offset = self._lexer.token.offset
                name = self._name("statement")
                if self._accept(":"):
                    labels.append(name)
                    continue
                action = self._assign_or_call(name, offset)
            elif token == "{":
                action = self._assign_or_call(self._lexer.braced_name(), None)
            elif token == "while":
                loop = self._while(in_do and not labels)
                if isinstance(loop, _WhileTail):
                    return loop
                action = loop
            else:
                action = self._keyword_statement(token)
            self._end_of_statement(action)
            return [Statement(action, tuple(labels), at)]

    def _labelled(self, body: Body, labels: list[str], at: Position) -> list[Statement]:
        if not body or not labels:
            return list(body) if body else [Statement(Skip(), tuple(labels), at)]
        return [replace(body[0], labels=(*labels, *body[0].labels)), *body[1:]]

    def _end_of_statement(self, action: Action) -> None:
        """A `;`, which may be missing before a closer and after what has its own end."""
        if self._accept(";"):
            return
        own_end = isinstance(action, If | While | DoWhile | Branch)
        if not (own_end or self._next in _CLOSERS or self._next == "while" or self._at_end()):
            self._unexpected("`;` after the statement")

    def _block(self) -> Body:
        closer = self._block_begin("")
        if self._next in ("decl", "bool", "boolean"):
            self._late_declaration()
        body, _ = self._body((closer,))
        self._expect(closer, "at the end of the block")
        return body

    def _late_declaration(self) -> NoReturn:
        self._lexer.fail("declare all variables at the beginning of the procedure")

    def _keyword_statement(self, keyword: str) -> Action:
        if keyword not in _READERS:
            if keyword in ("decl", "bool", "boolean"):
                self._late_declaration()
            if keyword == "enforce":
                self._lexer.fail("`enforce` belongs to the declarations of the procedure")
            self._unexpected("a statement")
        self._lexer.advance()
        return _READERS[keyword](self)

    def _assign_or_call(self, first: str, offset: int | None) -> Action:
        if offset is not None and self._next == "(":
            return Call((), first, self._arguments())
        targets = [first]
        while self._accept(","):
            targets.append(self._name("variable name"))
        if not self._accept(":="):
            self._unexpected("`:=`, `:` or `(` after the name" if len(targets) == 1 else "`:=`")
        call = self._try_call()
        if call is not None:
            return Call(tuple(targets), *call)
        values = self._expressions()
        if len(values) != len(targets):
            self._lexer.fail(
                f"{len(targets)} variables are assigned {len(values)} values; "
                "give one value for each",
            )
        constrain = read_expression(self._lexer) if self._accept("constrain") else None
        return Assign(tuple(targets), values, constrain)

    def _try_call(self) -> tuple[str, tuple[Expr, ...]] | None:
        lexer = self._lexer
        if lexer.token.kind != "name" or not lexer.call_follows() or lexer.token.text in KEYWORDS:
            return None
        name = self._name("procedure name")
        return name, self._arguments()

    def _arguments(self) -> tuple[Expr, ...]:
        self._expect("(", "before the arguments")
        args = () if self._next == ")" else self._expressions()
        self._expect(")", "after the arguments")
        return args

    def _if(self) -> Action:
        condition = read_expression(self._lexer)
        if not self._accept("then"):
            then = self._nested()
            otherwise = self._nested() if self._accept("else") else ()
            return If(((condition, then),), otherwise)
        cases: list[tuple[Expr, Body]] = []
        otherwise = ()
        while True:
            body, _ = self._body(("elsif", "else", "fi"))
            cases.append((condition, body))
            if not self._accept("elsif"):
                break
            condition = read_expression(self._lexer)
            self._expect("then", "after the condition")
        if self._accept("else"):
            otherwise, _ = self._body(("fi",))
        self._expect("fi", "at the end of the `if`")
        return If(tuple(cases), otherwise)

    def _nested(self) -> Body:
        """The single statement or block that a C-like `if (e)` or `while (e)` governs."""
        self._depth += 1
        if self._depth > _MAX_NESTING:
            self._lexer.fail(f"statements are nested more than {_MAX_NESTING} levels deep")
        while_free = self._statement()
        self._depth -= 1
        assert not isinstance(while_free, _WhileTail)
        self._accept(";")
        return tuple(while_free)

    def _while(self, may_be_tail: bool) -> While | _WhileTail:
        self._lexer.advance()
        condition = read_expression(self._lexer)
        if self._accept("do"):
            body, _ = self._body(("od",))
            self._expect("od", "at the end of the loop")
            return While(condition, body)
        if may_be_tail:
            return _WhileTail(condition)
        if self._accept(";"):
            return While(condition, ())
        return While(condition, self._nested())

    def _do(self) -> Action:
        body, tail = self._body((), in_do=True)
        if tail is None:
            self._unexpected("`while` and a condition at the end of the `do`")
        return DoWhile(body, tail.condition)

    def _branch(self) -> Action:
        bodies: list[Body] = []
        while True:
            body, _ = self._body(("||", "end"))
            bodies.append(body)
            if not self._accept("||"):
                break
        self._expect("end", "or `||` in a `branch`")
        return Branch(tuple(bodies))

    def _goto(self) -> Action:
        return Goto(tuple(self._list(lambda: self._name("label"))))

    def _return(self) -> Action:
        if self._next in _CLOSERS or self._next == ";":
            return Return(())
        return Return(self._expressions())

    def _dead(self) -> Action:
        return Dead(tuple(self._list(lambda: self._name("variable name"))))

    def _condition(self) -> Expr:
        return read_expression(self._lexer)


_READERS: dict[str, Callable[[StatementParser], Action]] = {
    "skip": lambda p: Skip(),
    "assume": lambda p: Assume(p._condition()),
    "assert": lambda p: Assert(p._condition()),
    "abortif": lambda p: AbortIf(p._condition()),
    "dead": StatementParser._dead,
    "goto": StatementParser._goto,
    "return": StatementParser._return,
    "if": StatementParser._if,
    "do": StatementParser._do,
    "branch": StatementParser._branch,
}
