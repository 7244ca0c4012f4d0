"""Boolean code of a stored procedure among the procedures of another program."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import assert_never

from ...boolprog.syntax import Call
from ...errors import InternalError
from ..boolean_code import (
    BooleanProcedure,
    Code,
    CodeBranch,
    CodeDoWhile,
    CodeIf,
    CodeLabel,
    CodeStep,
    CodeWhile,
    Node,
)
from ..interface import Interface
from ..names import plain_name
from .stored_procedure import StoredProcedure


def renamed_code(
    kept: StoredProcedure, mine: Interface, taken: Collection[str]
) -> tuple[BooleanProcedure, ...]:
    """The procedures of a stored one with names of their own, itself first; its comment says that
    it was stored."""
    first, *others = kept.code
    if first.params != tuple(v.name for v in mine.formals) or first.returns != len(mine.returned):
        raise InternalError(f"the interface of {kept.name} changed while it was stored")
    names = {first.name: mine.name}
    for other in others:
        names[other.name] = plain_name(other.name, {*taken, *names.values()})
    text = f"{kept.name}(), from its stored abstraction"
    first = replace(first, note=replace(first.note, text=text))
    return tuple(_renamed(procedure, names) for procedure in (first, *others))


def _renamed(coded: BooleanProcedure, names: Mapping[str, str]) -> BooleanProcedure:
    return replace(coded, name=names[coded.name], code=_code(coded.code, names))


def _code(code: Code, names: Mapping[str, str]) -> Code:
    return tuple(_node(node, names) for node in code)


def _node(node: Node, names: Mapping[str, str]) -> Node:
    match node:
        case CodeStep(Call() as call, _):
            return replace(node, action=replace(call, procedure=names[call.procedure]))
        case CodeStep() | CodeLabel():
            return node
        case CodeIf(_, then, otherwise, _):
            return replace(node, then=_code(then, names), otherwise=_code(otherwise, names))
        case CodeWhile(_, body, _) | CodeDoWhile(body, _, _):
            return replace(node, body=_code(body, names))
        case CodeBranch(bodies, _):
            return replace(node, bodies=tuple(_code(body, names) for body in bodies))
    assert_never(node)
