"""Names that another checker can read: letters, digits and `_`, no keyword, each used once.

A name such as `{x = 2}` becomes `x_eq_2`. All variables, procedures and labels of the program get
different names, as some dialects have one name space for all of them.

>>> readable("{*p <= x[3]}")
'at_p_le_x_3'
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping

from ..syntax import (
    Action,
    Assert,
    Assign,
    Assume,
    Binary,
    Body,
    Call,
    Const,
    Expr,
    Goto,
    If,
    Nary,
    Not,
    Procedure,
    Program,
    Return,
    Skip,
    Star,
    Statement,
    Var,
    While,
    fold,
    statements,
)

_WORDS = {
    "==": "eq", "!=": "ne", "/=": "ne", "<=": "le", ">=": "ge", "=>": "implies", "&&": "and",
    "||": "or", "->": "at", "=": "eq", "<": "lt", ">": "gt", "+": "plus", "-": "minus",
    "/": "div", "%": "mod", "!": "not", "&": "and", "|": "or", "^": "xor", "'": "old",
}  # fmt: skip
_SIGN = re.compile("|".join(map(re.escape, sorted(_WORDS, key=len, reverse=True))) + r"|\*")
_OPERAND = re.compile(r"[\w)\]]\s*\Z")


def readable(name: str) -> str:
    """The name in letters, digits and `_`; different names may give the same."""
    inside = name.strip("{}")

    def word(match: re.Match[str]) -> str:
        if match[0] == "*":  # between operands a product, before one a pointer's target
            return " times " if _OPERAND.search(inside[: match.start()]) else " at "
        return f" {_WORDS[match[0]]} "

    text = "_".join(re.findall(r"[A-Za-z0-9_]+", _SIGN.sub(word, inside)))
    return text if text and not text[0].isdigit() else f"b_{text}"


class _Names:
    def __init__(self, keywords: Collection[str]) -> None:
        self._taken = set(keywords)

    def new(self, name: str) -> str:
        wanted = found = readable(name)
        number = 1
        while found in self._taken:
            number += 1
            found = f"{wanted}_{number}"
        self._taken.add(found)
        return found


def with_legal_names(program: Program, keywords: Collection[str]) -> Program:
    """The same program, which is one of the core; `main` keeps its name."""
    names = _Names({*keywords, "main"})
    procedures = {
        p.name: p.name if p.name == "main" else names.new(p.name) for p in program.procedures
    }
    shared = {g: names.new(g) for g in program.globals}
    renamed = []
    for p in program.procedures:
        own = {x: names.new(x) for x in p.variables}
        labels = {x: names.new(x) for s in statements(p.body) for x in s.labels}
        renamed.append(_Renaming({**shared, **own}, procedures, labels).procedure(p))
    return Program(tuple(shared.values()), tuple(renamed), program.at)


class _Renaming:
    def __init__(
        self, variables: Mapping[str, str], procedures: Mapping[str, str], labels: Mapping[str, str]
    ) -> None:
        self._variables = variables
        self._procedures = procedures
        self._labels = labels

    def procedure(self, p: Procedure) -> Procedure:
        return Procedure(
            self._procedures[p.name],
            self._names(p.params),
            p.returns,
            self._names(p.locals),
            self._body(p.body),
            at=p.at,
        )

    def _names(self, names: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(self._variables[name] for name in names)

    def _expression(self, e: Expr) -> Expr:
        def combine(node: Expr, parts: list[Expr]) -> Expr:
            match node:
                case Const() | Star():
                    return node
                case Var(name):
                    return Var(self._variables[name])
                case Not():
                    return Not(parts[0])
                case Nary(op, _):
                    return Nary(op, tuple(parts))
                case Binary(op, _, _):
                    return Binary(op, parts[0], parts[1])
                case _:
                    raise AssertionError(f"not in the core: {node}")

        return fold(e, combine)

    def _expressions(self, items: tuple[Expr, ...]) -> tuple[Expr, ...]:
        return tuple(map(self._expression, items))

    def _body(self, body: Body) -> Body:
        return tuple(
            Statement(self._action(s.action), tuple(self._labels[x] for x in s.labels), s.at)
            for s in body
        )

    def _action(self, action: Action) -> Action:
        match action:
            case Skip():
                return action
            case Assign(targets, values, None):
                return Assign(self._names(targets), self._expressions(values))
            case Call(targets, procedure, args):
                called = self._procedures[procedure]
                return Call(self._names(targets), called, self._expressions(args))
            case Assume(condition):
                return Assume(self._expression(condition))
            case Assert(condition):
                return Assert(self._expression(condition))
            case Goto(labels):
                return Goto(tuple(self._labels[x] for x in labels))
            case Return(values):
                return Return(self._expressions(values))
            case If(cases, otherwise):
                tests = tuple((self._expression(c), self._body(b)) for c, b in cases)
                return If(tests, self._body(otherwise))
            case While(condition, body):
                return While(self._expression(condition), self._body(body))
            case _:
                raise AssertionError(f"not in the core: {action}")
