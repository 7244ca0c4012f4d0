"""Symbolic constants [BMR05]: `f::'x` is the value of x at the entry of f.

Soundness duty: none; whoever uses one binds it to its place.
"""

from __future__ import annotations

from .cfa import Program
from .expr import Var


def bound_to(program: Program, constant: Var) -> Var | None:
    """The parameter or global that a variable is the symbolic constant of, by its name."""
    function = program.functions.get(constant.function)
    if function is None or not constant.short.startswith("'"):
        return None
    places = (*function.params, *(item.var for item in program.globals))
    name = constant.short[1:]
    return next((v for v in places if v.short == name and v.type is constant.type), None)
