"""Writing Boolean programs: tree to text that reads back as the same tree.

The keywords are those that other checkers read (`begin`, `fi`, `od`); mixed operators are always
put in parentheses, because checkers differ in what binds tighter.

>>> from .syntax import Binary, Not, Var, nary
>>> show_expression(nary("|", [Var("a"), nary("&", [Var("b"), Not(Var("{x = 2}"))])]))
'a | (b & !{x = 2})'
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import assert_never

from .syntax import (
    AbortIf,
    Action,
    Assert,
    Assign,
    Assume,
    Binary,
    Body,
    Branch,
    Call,
    Choose,
    Cond,
    Const,
    Dead,
    DoWhile,
    Expr,
    Goto,
    If,
    Nary,
    Next,
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
)


def show_expression(e: Expr) -> str:
    text, _ = fold(e, _combine)
    return text


def _combine(e: Expr, parts: list[tuple[str, bool]]) -> tuple[str, bool]:
    """The text, and whether it must be put in parentheses inside another operator."""
    inner = [f"({text})" if loose else text for text, loose in parts]
    match e:
        case Const(value):
            return ("T" if value else "F"), False
        case Star():
            return "*", False
        case Var(name):
            return name, False
        case Next(name):
            return "'" + name, False
        case Not():
            return "!" + inner[0], False
        case Nary(op, _):
            return f" {op} ".join(inner), True
        case Binary(op, _, _):
            return f"{inner[0]} {op} {inner[1]}", True
        case Cond():
            return f"{inner[0]} ? {inner[1]} : {inner[2]}", True
        case Choose():
            return f"choose({parts[0][0]}, {parts[1][0]})", False
        case _:
            assert_never(e)


def _commas(items: Iterable[str]) -> str:
    return ", ".join(items)


def _expressions(items: Iterable[Expr]) -> str:
    return _commas(map(show_expression, items))


def show_action(action: Action) -> str:
    """A statement on one line; of a compound one only its head."""
    match action:
        case Skip():
            return "skip"
        case Assign(targets, values, constrain):
            text = f"{_commas(targets)} := {_expressions(values)}"
            return text + (f" constrain {show_expression(constrain)}" if constrain else "")
        case Call(targets, procedure, args):
            taken = f"{_commas(targets)} := " if targets else ""
            return f"{taken}{procedure}({_expressions(args)})"
        case Assume(condition):
            return f"assume({show_expression(condition)})"
        case Assert(condition):
            return f"assert({show_expression(condition)})"
        case AbortIf(condition):
            return f"abortif {show_expression(condition)}"
        case Dead(targets):
            return f"dead {_commas(targets)}"
        case Goto(labels):
            return f"goto {_commas(labels)}"
        case Return(values):
            return f"return {_expressions(values)}" if values else "return"
        case If(cases, _):
            return f"if {show_expression(cases[0][0])}"
        case While(condition, _):
            return f"while {show_expression(condition)}"
        case DoWhile(_, condition):
            return f"do ... while {show_expression(condition)}"
        case Branch():
            return "branch"
        case _:
            assert_never(action)


def show(program: Program) -> str:
    """The whole program, ready to be written to a file."""
    return "\n".join(_program(program)) + "\n"


def _program(program: Program) -> Iterator[str]:
    if program.globals:
        yield f"decl {_commas(program.globals)};"
    for i, procedure in enumerate(program.procedures):
        if i or program.globals:
            yield ""
        yield from _procedure(procedure)


def _procedure(p: Procedure) -> Iterator[str]:
    kind = {0: "void", 1: "bool"}.get(p.returns, f"bool<{p.returns}>")
    yield f"{kind} {p.name}({_commas(p.params)}) begin"
    if p.locals:
        yield f"  decl {_commas(p.locals)};"
    if p.enforce is not None:
        yield f"  enforce {show_expression(p.enforce)};"
    yield from _body(p.body, 1)
    yield "end"


def _body(body: Body, depth: int) -> Iterator[str]:
    for statement in body:
        yield from _statement(statement, depth)


def _statement(statement: Statement, depth: int) -> Iterator[str]:
    margin = "  " * depth
    labels = "".join(f"{label}: " for label in statement.labels)
    head = margin + labels
    match statement.action:
        case If(cases, otherwise):
            for i, (condition, body) in enumerate(cases):
                keyword = f"{head}if" if i == 0 else f"{margin}elsif"
                yield f"{keyword} {show_expression(condition)} then"
                yield from _body(body, depth + 1)
            if otherwise:
                yield f"{margin}else"
                yield from _body(otherwise, depth + 1)
            yield f"{margin}fi;"
        case While(condition, body):
            yield f"{head}while {show_expression(condition)} do"
            yield from _body(body, depth + 1)
            yield f"{margin}od;"
        case DoWhile(body, condition):
            yield f"{head}do"
            yield from _body(body, depth + 1)
            yield f"{margin}while {show_expression(condition)};"
        case Branch(bodies):
            for i, body in enumerate(bodies):
                yield f"{head}branch" if i == 0 else f"{margin}||"
                yield from _body(body, depth + 1)
            yield f"{margin}end;"
        case action:
            yield f"{head}{show_action(action)};"
