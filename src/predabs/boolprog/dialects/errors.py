"""Assertions for checkers that only know labels: a failed one calls a procedure with the label."""

from __future__ import annotations

from ...records import replace
from ..syntax import (
    Action,
    Assert,
    Body,
    Call,
    Goto,
    If,
    Procedure,
    Program,
    Skip,
    Statement,
    While,
)
from .core import negation


def errors_at_label(program: Program, procedure: str, label: str) -> Program:
    """The program, one of the core, without assertions: `label`, which stands in the new
    `procedure` and is never left, is reached if and only if one of them fails. Both names must be
    new."""
    fail = (Statement(Call((), procedure, ())),)

    def body(part: Body) -> Body:
        return tuple(replace(s, action=action(s.action)) for s in part)

    def action(a: Action) -> Action:
        match a:
            case Assert(condition):
                return If(((negation(condition), fail),), (Statement(Skip()),))
            case If(cases, otherwise):
                return If(tuple((c, body(b)) for c, b in cases), body(otherwise))
            case While(condition, inner):
                return While(condition, body(inner))
            case _:
                return a

    end = Statement(Goto((label,)), (label,))
    procedures = tuple(replace(p, body=body(p.body)) for p in program.procedures)
    return replace(program, procedures=(*procedures, Procedure(procedure, (), 0, (), (end,))))
