"""A reader for the part of Remopla that is written: for tests of what the text means.

It follows the published grammar of Moped, not the writer: guarded commands take any guard that
holds, `else` the case that none does, and labels are shared by all modules.
"""

from __future__ import annotations

import re

from predabs.boolprog.syntax import (
    FALSE,
    STAR,
    TRUE,
    Action,
    Assign,
    Assume,
    Binary,
    Body,
    Branch,
    Call,
    Expr,
    Goto,
    Not,
    Procedure,
    Program,
    Return,
    Skip,
    Statement,
    Var,
    nary,
)

_TOKEN = re.compile(r"\s*(::|->|&&|\|\||==|[A-Za-z_][A-Za-z0-9_]*|[=!(){},;:])")


class Remopla:
    """`Remopla(text).program()`: runs begin in the module after `init`."""

    def __init__(self, text: str) -> None:
        self._tokens: list[str] = []
        end = 0
        while text[end:].strip():
            match = _TOKEN.match(text, end)
            assert match is not None, text[end:]
            self._tokens.append(match[1])
            end = match.end()
        self._tokens.reverse()
        self._number = 0
        self._loops: list[str] = []
        self.labels: list[str] = []

    def _next(self) -> str:
        return self._tokens[-1] if self._tokens else ""

    def _take(self, *wanted: str) -> str:
        token = self._tokens.pop()
        assert not wanted or token in wanted, (token, wanted)
        return token

    def _accept(self, token: str) -> bool:
        if self._next() == token:
            self._tokens.pop()
            return True
        return False

    def program(self) -> Program:
        variables: list[str] = []
        declared: set[str] = set()
        while self._next() in ("bool", "module"):
            if self._next() == "bool":
                variables += self._variables()
            else:
                declared.add(self._head()[0])
                self._take(";")
        self._take("init")
        first = self._take()
        self._take(";")
        procedures = []
        while self._tokens:
            name, params = self._head()
            assert name in declared
            self._take("{")
            own: list[str] = []
            while self._next() == "bool":
                own += self._variables()
            assert not {*own, *params} & {*variables}, "two variables have the same name"
            body = self._statements(("}",))
            self._take("}")
            procedures.append(Procedure(name, params, 0, tuple(own), body))
        assert len(set(self.labels)) == len(self.labels), "two labels have the same name"
        procedures.sort(key=lambda p: p.name != first)
        return Program(tuple(variables), tuple(procedures))

    def _variables(self) -> list[str]:
        self._take("bool")
        names = [self._take()]
        while self._accept(","):
            names.append(self._take())
        self._take(";")
        return names

    def _head(self) -> tuple[str, tuple[str, ...]]:
        self._take("module")
        self._take("void")
        name = self._take()
        self._take("(")
        params = []
        while not self._accept(")"):
            if params:
                self._take(",")
            self._take("bool")
            params.append(self._take())
        return name, tuple(params)

    def _statements(self, closers: tuple[str, ...]) -> Body:
        result: list[Statement] = []
        while self._next() not in closers:
            labels: tuple[str, ...] = ()
            if self._tokens[-2] == ":":
                labels = (self._take(),)
                self.labels += labels
                self._take(":")
            parts = self._statement()
            result += [Statement(parts[0].action, labels + parts[0].labels), *parts[1:]]
        return tuple(result)

    def _statement(self) -> list[Statement]:
        match self._next():
            case "if" | "do" as word:
                return self._guarded(word)
            case _:
                action = self._action()
                self._take(";")
                return [Statement(action)]

    def _action(self) -> Action:
        word = self._take()
        match word:
            case "skip":
                if self._next() != "(":
                    return Skip()
                return Assume(self._expression())
            case "goto":
                return Goto((self._take(),))
            case "break":
                return Goto((self._loops[-1],))
            case "return":
                return Return(())
        if self._accept("("):
            args: list[Expr] = []
            while not self._accept(")"):
                if args:
                    self._take(",")
                args.append(self._expression())
            return Call((), word, tuple(args))
        targets, values = [word], []
        self._take("=")
        values.append(STAR if self._accept("undef") else self._expression())
        while self._accept(","):
            targets.append(self._take())
            self._take("=")
            values.append(STAR if self._accept("undef") else self._expression())
        return Assign(tuple(targets), tuple(values))

    def _guarded(self, word: str) -> list[Statement]:
        self._take(word)
        closer = {"if": "fi", "do": "od"}[word]
        self._number += 1
        start, end = f"start{self._number}", f"end{self._number}"
        if word == "do":
            self._loops.append(end)
        guards: list[Expr] = []
        bodies: list[tuple[Expr | None, Body]] = []
        while self._accept("::"):
            guard = None if self._accept("else") else self._expression()
            self._take("->")
            body = self._statements(("::", closer))
            assert body, "invalid statement"
            bodies.append((guard, body))
            guards += [] if guard is None else [guard]
        self._take(closer)
        self._accept(";")
        none = nary("&", [Not(g) for g in guards]) if guards else TRUE
        back = (Statement(Goto((start,))),) if word == "do" else ()
        choice = Branch(
            tuple(
                (Statement(Assume(none if guard is None else guard)), *body, *back)
                for guard, body in bodies
            )
        )
        if word == "do":
            self._loops.pop()
        return [Statement(Skip(), (start,)), Statement(choice), Statement(Skip(), (end,))]

    def _expression(self) -> Expr:
        left = self._operand()
        sign = self._next()
        if sign == "==":
            self._take()
            return Binary("=", left, self._operand())
        parts = [left]
        while sign in ("&&", "||") and self._next() == sign:
            self._take()
            parts.append(self._operand())
        assert self._next() not in ("&&", "||", "=="), "operators are mixed without parentheses"
        return nary("&" if sign == "&&" else "|", parts)

    def _operand(self) -> Expr:
        match self._take():
            case "!":
                return Not(self._operand())
            case "(":
                inner = self._expression()
                self._take(")")
                return inner
            case "true":
                return TRUE
            case "false":
                return FALSE
            case name:
                return Var(name)
