"""Initialisers: the front end makes an assignment of each element, after all bytes were set to zero
if there are many."""

from __future__ import annotations

from ...ir.expr import AddressOf, Cast, Var
from ...ir.ops import Assign, Fill, Operation
from ...ir.walk import root_of


def initialised_part(op: Operation) -> Var | None:
    """The variable of which a part is initialised, if it is."""
    match op:
        case Assign(target, _) if not isinstance(target, Var):
            root = root_of(target)
            return root if isinstance(root, Var) else None
        case Fill(AddressOf(Var() as var, _) | Cast(AddressOf(Var() as var, _), _), _, _):
            return var
    return None
