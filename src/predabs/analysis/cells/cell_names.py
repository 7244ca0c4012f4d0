"""Names of cells, for people: a[any k], node->next.

>>> quantified("any k >= 10 || a[any k] == b[the n - any k]")
'forall k: k >= 10 || a[k] == b[n - k]'
"""

from __future__ import annotations

import re

from ...ir.expr import Const, Expr, Field, Index, Lvalue, Var
from ...ir.show import show_expr
from .distinguished import Anchor, Node
from .places import Place, unwidened

_ONE = re.compile(r"\bthe (?=\w)")  # a constant place, or what a variable is given once
_GHOST = re.compile(r"\bany ((?:k|node)\d*)\b")


def cell_name(lvalue: Lvalue, index: tuple[Expr, ...], place: Place, anchor: Anchor) -> str:
    """The name of the cell that an lvalue is, with ghosts for variables."""
    members: list[str] = []
    here: Expr = lvalue
    while True:
        match here:
            case Field(base, name, _):
                members.append(f".{name}")
                here = base
            case Index(base, Const(position, _), _):
                members.append(f"[{position}]")
                here = base
            case Index(base, _, _):
                here = base
            case _:
                break
    text = "".join(reversed(members))
    if isinstance(anchor, Node):
        return (
            f"{anchor.address.name}->{text.removeprefix('.')}"
            if text
            else f"*{anchor.address.name}"
        )
    name = place.base.short if isinstance(place.base, Var) else anchor.address.name
    if not index:  # not to be taken for a variable
        return f"the {name}{text}"
    return name + "".join(f"[{show_expr(unwidened(i))}]" for i in index) + text


def quantified(text: str) -> str:
    """The text of a condition, with a quantifier for its ghosts."""
    found = dict.fromkeys(_GHOST.findall(text))
    plain = _ONE.sub("", _GHOST.sub(r"\1", text))
    return f"forall {', '.join(found)}: {plain}" if found else plain
