"""Reading Boolean programs: text to tree, with errors as `file:line:col: what and what to do`.

One grammar for two styles: `begin ... end`, `if e then ... fi`, `while e do ... od` as the checkers
write it, and the braces and C-like `if (e) ...` of [BPR01] and [BMR05]. Names and arities
are checked afterwards by `resolve`. The grammar is in docs/boolean-programs.md.

>>> program = parse("decl g; void main() begin g := !g; assert(g); end")
>>> program.procedures[0].body[0].action
Assign(targets=('g',), values=(Not(arg=Var(name='g')),), constrain=None)
"""

from __future__ import annotations

from pathlib import Path

from ..errors import InputError
from .lexer import Lexer
from .parse_expressions import read_expression
from .parse_statements import StatementParser
from .resolve import resolve
from .syntax import Expr, Position, Procedure, Program, nary


def parse(text: str, file: str = "<program>") -> Program:
    """The program in `text`; `file` is only named in messages."""
    program = _ProgramParser(Lexer(text, file)).program()
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


class _ProgramParser(StatementParser):
    """Declarations and procedures, around their statements."""

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
