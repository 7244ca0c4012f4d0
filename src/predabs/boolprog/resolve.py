"""The checks that a tree must pass before it means anything: names, arities, labels, the entry.

Everything behind this module may rely on it: each name is declared, each call fits its procedure,
each label exists once in its procedure. A mistake is an `InputError` at its position.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NoReturn

from ..errors import InputError
from .syntax import (
    DISCARD,
    AbortIf,
    Assert,
    Assign,
    Assume,
    Call,
    Dead,
    DoWhile,
    Expr,
    Goto,
    If,
    Next,
    Position,
    Procedure,
    Program,
    Return,
    Var,
    While,
    nodes,
    statements,
)


def resolve(program: Program) -> None:
    """Raise `InputError` unless the program is well formed."""
    if not program.procedures:
        _fail(program.at, "there is no procedure; a program needs at least `void main() ...`")
    _unique(program.globals, program.at, "global variable")
    table: dict[str, Procedure] = {}
    for procedure in program.procedures:
        if procedure.name in table:
            _fail(
                procedure.at, f"procedure `{procedure.name}` is defined twice; rename one of them"
            )
        table[procedure.name] = procedure
    for procedure in program.procedures:
        _Checker(program, table, procedure).check()


def entry(program: Program) -> Procedure:
    """Where runs begin: `main`, or else the only procedure that no other one calls."""
    for procedure in program.procedures:
        if procedure.name == "main":
            return procedure
    called = {
        s.action.procedure
        for p in program.procedures
        for s in statements(p.body)
        if isinstance(s.action, Call) and s.action.procedure != p.name
    }
    roots = [p for p in program.procedures if p.name not in called and p.name != "choose"]
    if len(roots) != 1:
        found = ", ".join(f"`{p.name}`" for p in roots) or "none"
        _fail(
            program.at,
            "there is no procedure `main`, and not exactly one that nobody calls "
            f"({found}); name the first one `main`",
        )
    return roots[0]


def _fail(at: Position, message: str) -> NoReturn:
    raise InputError(f"{at}: {message}")


def _unique(names: Iterable[str], at: Position, what: str) -> None:
    seen: set[str] = set()
    for name in names:
        if name == DISCARD:
            _fail(at, f"`_` throws a value away and cannot be the name of a {what}")
        if name in seen:
            _fail(at, f"{what} `{name}` is declared twice; remove or rename one of them")
        seen.add(name)


class _Checker:
    def __init__(self, program: Program, table: dict[str, Procedure], procedure: Procedure) -> None:
        self._table = table
        self._procedure = procedure
        self._variables = frozenset(program.globals) | frozenset(procedure.variables)
        self._labels: set[str] = set()

    def check(self) -> None:
        procedure = self._procedure
        _unique(procedure.variables, procedure.at, f"variable of `{procedure.name}`,")
        if procedure.enforce is not None:
            self._expression(procedure.enforce, procedure.at)
        for statement in statements(procedure.body):
            for label in statement.labels:
                if label in self._labels:
                    _fail(
                        statement.at,
                        f"label `{label}` is used twice in `{procedure.name}`; rename one of them",
                    )
                self._labels.add(label)
        for statement in statements(procedure.body):
            self._statement(statement.action, statement.at)

    def _statement(self, action: object, at: Position) -> None:
        match action:
            case Assign(targets, values, constrain):
                self._targets(targets, at)
                for value in values:
                    self._expression(value, at)
                if constrain is not None:
                    self._expression(constrain, at, next_allowed=True)
            case Call(targets, name, args):
                self._call(targets, name, args, at)
            case Assume(condition) | Assert(condition) | AbortIf(condition):
                self._expression(condition, at)
            case While(condition, _) | DoWhile(_, condition):
                self._expression(condition, at)
            case If(cases, _):
                for condition, _ in cases:
                    self._expression(condition, at)
            case Dead(targets):
                self._targets(targets, at)
            case Goto(labels):
                for label in labels:
                    if label not in self._labels:
                        _fail(at, f"there is no label `{label}` in `{self._procedure.name}`")
            case Return(values):
                for value in values:
                    self._expression(value, at)
                if len(values) != self._procedure.returns:
                    _fail(
                        at,
                        f"`{self._procedure.name}` returns {_values(self._procedure.returns)}, "
                        f"but {len(values)} stand here",
                    )

    def _call(
        self, targets: tuple[str, ...], name: str, args: tuple[Expr, ...], at: Position
    ) -> None:
        callee = self._table.get(name)
        if callee is None:
            _fail(at, f"there is no procedure `{name}`; define it or correct the name")
        if len(args) != len(callee.params):
            _fail(at, f"`{name}` takes {_values(len(callee.params))}, but is given {len(args)}")
        if targets and len(targets) != callee.returns:
            _fail(
                at,
                f"`{name}` returns {_values(callee.returns)}, but {len(targets)} are taken; "
                "use `_` for those that are not wanted",
            )
        self._targets(targets, at)
        for arg in args:
            self._expression(arg, at)

    def _targets(self, targets: tuple[str, ...], at: Position) -> None:
        wanted = [t for t in targets if t != DISCARD]
        for target in wanted:
            self._variable(target, at)
        for target in wanted:
            if wanted.count(target) > 1:
                _fail(at, f"`{target}` is assigned twice in one statement")

    def _expression(self, e: Expr, at: Position, next_allowed: bool = False) -> None:
        for node in nodes(e):
            match node:
                case Var(name):
                    self._variable(name, at)
                case Next(name):
                    if not next_allowed:
                        _fail(at, f"the next value `'{name}` can only stand in a `constrain`")
                    self._variable(name, at)

    def _variable(self, name: str, at: Position) -> None:
        if name not in self._variables:
            _fail(at, f"`{name}` is not declared; add it to a `decl` or correct the name")


def _values(number: int) -> str:
    return "1 value" if number == 1 else f"{number} values"
