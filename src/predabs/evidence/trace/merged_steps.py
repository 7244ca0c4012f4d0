"""Steps that are told as one.

The front end makes an assignment of each element of an initialiser, after all bytes were set to
zero if there are many; and the result of a call that is converted goes through a temporary.
"""

from __future__ import annotations

from ...ir.expr import AddressOf, Cast, Var
from ...ir.ops import Assign, Call, Fill, Operation
from ...ir.walk import root_of
from .temporaries import is_temporary


def initialised_part(op: Operation) -> Var | None:
    """The variable of which a part is initialised, if it is."""
    match op:
        case Assign(target, _) if not isinstance(target, Var):
            root = root_of(target)
            return root if isinstance(root, Var) else None
        case Fill(AddressOf(Var() as var, _) | Cast(AddressOf(Var() as var, _), _), _, _):
            return var
    return None


def takes_result(op: Operation, call: Operation) -> bool:
    """Does the operation assign the result of the call before it, and nothing else?"""
    if not isinstance(op, Assign) or not isinstance(call, Call):
        return False
    value = op.value
    while isinstance(value, Cast):
        value = value.arg
    return isinstance(value, Var) and value is call.target and is_temporary(value)
