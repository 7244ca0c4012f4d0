"""Predicates in Ada's syntax, as conditions of the IR.

Soundness duty: a predicate has no side effects and no checks; one that needs a call or a loop to be
evaluated is refused.
"""

from __future__ import annotations

from ...errors import InputError
from ...ir.cfa import Coord
from ...ir.expr import Const, Expr
from ...ir.walk import variables
from .calls import Demands, LowerCalls
from .entities import Scope
from .frame import Frame
from .parse import parse_expression

_SCRATCH = "predicate"


def predicate(scope: Scope, text: str, coord: Coord) -> Expr:
    """The condition that a text means in a scope."""
    frame = Frame(_SCRATCH)
    low = LowerCalls(frame, scope, Demands())
    cond = low.condition(parse_expression(text, coord))
    if any(var.function == _SCRATCH for var in variables(cond)):
        raise InputError(f"{coord}: a predicate cannot call functions or quantify over many values")
    if isinstance(cond, Const):
        raise InputError(f"{coord}: this is always {'true' if cond.value else 'false'}")
    return cond
