"""Reading Boolean programs: text to tree, with errors as `file:line:col: what and what to do`.

One reader for two styles: `begin ... end`, `if e then ... fi`, `while e do ... od` as the checkers
write it, and the braces and C-like `if (e) ...` of [BPR01] and [BMR05]. Names and arities
are checked afterwards by `resolve`. The grammar is in docs/boolean-programs.md.

>>> program = parse("decl g; void main() begin g := !g; assert(g); end")
>>> program.procedures[0].body[0].action
Assign(targets=('g',), values=(Not(arg=Var(name='g')),), constrain=None)
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NoReturn

from ..errors import InputError
from .expressions import KEYWORDS, read_expression
from .lexer import Lexer
from .resolve import resolve
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
    Procedure,
    Program,
    Return,
    Skip,
    Statement,
    While,
    nary,
)

_MAX_NESTING = 100
_CLOSERS = frozenset({"end", "fi", "od", "else", "elsif", "}", "||", ""})


def parse(text: str, file: str = "<program>") -> Program:
    """The program in `text`; `file` is only named in messages."""
    program = _Parser(Lexer(text, file)).program()
    resolve(program)
    return program


def parse_file(path: str | Path) -> Program:
    """The program in a file of UTF-8 text."""
    try:
        text = Path(path).read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from None
    except (UnicodeDecodeError, ValueError):
        raise InputError(f"{path}: this is not a text file (UTF-8)") from None
    return parse(text, str(path))


@dataclass(slots=True)
class _WhileTail:
    """`while e` met in the list of a bare `do`: it is the loop's own end, not a statement."""

    condition: Expr


class _Parser:
    def __init__(self, lexer: Lexer) -> None:
        self._lexer = lexer
        self._depth = 0

    # -- words ----------------------------------------------------------------------------------

    @property
    def _next(self) -> str:
        token = self._lexer.token
        return token.text if token.kind in ("name", "symbol", "number") else ""

    def _at_end(self) -> bool:
        return self._lexer.token.kind == "end"

    def _accept(self, *words: str) -> bool:
        if self._next in words and not self._at_end():
            self._lexer.advance()
            return True
        return False

    def _expect(self, word: str, where: str) -> None:
        if not self._accept(word):
            self._unexpected(f"`{word}` {where}")

    def _unexpected(self, wanted: str) -> NoReturn:
        hint = "; for `or` write `|`" if self._next == "||" else ""
        self._lexer.fail(f"expected {wanted}, found {self._lexer.token}{hint}")

    def _name(self, what: str) -> str:
        token = self._lexer.token
        if token.kind == "symbol" and token.text == "{":
            return self._lexer.braced_name()
        if token.kind != "name":
            self._unexpected(what)
        if token.text in KEYWORDS:
            self._lexer.fail(f"`{token.text}` is a word of the language; choose another {what}")
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

    # -- program and procedures -----------------------------------------------------------------

    def program(self) -> Program:
        at = self._lexer.position()
        variables: list[str] = []
        procedures: list[Procedure] = []
        while not self._at_end():
            if self._accept(";"):
                continue
            if self._next == "decl":
                variables += self._declaration()
            elif self._next in ("void", "bool", "boolean"):
                start = self._lexer.position()
                returns = self._type()
                is_choose = self._next == "choose"
                name = "choose" if is_choose else self._name("name after the type")
                if is_choose:
                    # [BMR05] prints the definition of `choose`; the operator is built in.
                    self._lexer.advance()
                if self._next == "(":
                    procedures.append(self._procedure(start, returns, name))
                elif returns == 1:
                    variables.append(name)
                    while self._accept(","):
                        variables.append(self._name("variable name"))
                    self._expect(";", "after the declaration")
                else:
                    self._unexpected(f"`(` and the parameters of procedure `{name}`")
            else:
                self._unexpected("`decl`, or a procedure that begins with `void` or `bool`")
        return Program(tuple(variables), tuple(procedures), at)

    def _declaration(self) -> list[str]:
        self._lexer.advance()
        names = self._list(lambda: self._name("variable name"))
        self._expect(";", "after the declaration")
        return names

    def _type(self) -> int:
        """The number of values returned: `void`, `bool`, `bool<3>` or `bool, bool, bool`."""
        if self._accept("void"):
            return 0
        self._lexer.advance()
        if self._accept("<"):
            token = self._lexer.token
            if token.kind != "number":
                self._unexpected("a number, as in `bool<2>`")
            self._lexer.advance()
            self._expect(">", "after the number of results")
            if len(token.text) > 4:
                self._lexer.fail("a procedure returns at most 9999 values", token.offset)
            return int(token.text)
        count = 1
        while self._next == ",":
            self._lexer.advance()
            if not self._accept("bool", "boolean"):
                self._unexpected("`bool`, as in `bool, bool f()`")
            count += 1
        return count

    def _procedure(self, at: Position, returns: int, name: str) -> Procedure:
        self._expect("(", "after the procedure's name")
        params: list[str] = []
        while not self._accept(")"):
            if params:
                self._expect(",", "or `)` after a parameter")
            self._accept("bool", "boolean")
            params.append(self._name("parameter name"))
        closer = self._block_begin(f"of procedure `{name}`")
        variables: list[str] = []
        enforced: list[Expr] = []
        while True:
            if self._next in ("decl", "bool", "boolean"):
                variables += self._declaration()
            elif self._accept("enforce"):
                enforced.append(read_expression(self._lexer))
                self._expect(";", "after `enforce`")
            else:
                break
        body, _ = self._body((closer,))
        self._expect(closer, f"at the end of procedure `{name}`")
        enforce = nary("&", enforced) if enforced else None
        return Procedure(name, tuple(params), returns, tuple(variables), body, enforce, at)

    def _block_begin(self, where: str) -> str:
        if self._accept("begin"):
            return "end"
        self._expect("{", f"or `begin` {where}")
        return "}"

    # -- statements -----------------------------------------------------------------------------

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
            word = self._next
            if word in _CLOSERS and labels:
                return [Statement(Skip(), tuple(labels), at)]
            if word == "{" and not self._lexer.brace_is_name():
                return self._labelled(self._block(), labels, at)
            if word == "begin":
                return self._labelled(self._block(), labels, at)
            at = self._lexer.position()
            if word not in KEYWORDS and self._lexer.token.kind == "name":
                offset = self._lexer.token.offset
                name = self._name("statement")
                if self._accept(":"):
                    labels.append(name)
                    continue
                action = self._assign_or_call(name, offset)
            elif word == "{":
                action = self._assign_or_call(self._lexer.braced_name(), None)
            elif word == "while":
                loop = self._while(in_do and not labels)
                if isinstance(loop, _WhileTail):
                    return loop
                action = loop
            else:
                action = self._keyword_statement(word)
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

    def _keyword_statement(self, word: str) -> Action:
        if word not in _READERS:
            if word in ("decl", "bool", "boolean"):
                self._late_declaration()
            if word == "enforce":
                self._lexer.fail("`enforce` belongs to the declarations of the procedure")
            self._unexpected("a statement")
        self._lexer.advance()
        return _READERS[word](self)

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


_READERS: dict[str, Callable[[_Parser], Action]] = {
    "skip": lambda p: Skip(),
    "assume": lambda p: Assume(p._condition()),
    "assert": lambda p: Assert(p._condition()),
    "abortif": lambda p: AbortIf(p._condition()),
    "dead": _Parser._dead,
    "goto": _Parser._goto,
    "return": _Parser._return,
    "if": _Parser._if,
    "do": _Parser._do,
    "branch": _Parser._branch,
}
