"""Subprograms with parameters of unconstrained arrays: one of its own for each bounds of a call.

All bounds are static here, so that a call tells those of its arguments. The subprogram is lowered
once for each set of bounds that calls have, and inside, `A'Range` is as static as ever.
"""

from __future__ import annotations

from collections.abc import Sequence

from ...ir.expr import Deref, Lvalue, Var
from ...records import replace
from .composites import MODEL
from .entities import Formal, Object, Scope, Subprogram
from .types import AdaType, Array, Scalar


def is_open(type_: AdaType) -> bool:
    """Has an array no bounds of its own?"""
    return isinstance(type_, Array) and not type_.constrained


def open_formal(one: Subprogram) -> Formal | None:
    """A parameter whose bounds only a call can tell."""
    return next((formal for formal in one.formals if is_open(formal.type)), None)


def make_parameters(one: Subprogram) -> None:
    """The scope of a subprogram's parameters, and where the IR has them."""
    one.inside = Scope(one.scope, f"{one.path}.")
    one.parameters = {}
    for formal in one.formals:
        name = f"{one.path}::{formal.spelling}"
        place: Lvalue = Var(name, formal.type.ir)
        if not isinstance(formal.type, Scalar):
            place = Deref(Var(name, MODEL.pointer(formal.type.ir)), formal.type.ir)
        item = Object(formal.name, formal.spelling, formal.type, place, formal.coord)
        item.constant = not formal.writes
        one.parameters[formal.name] = item
        one.inside.add(item)


def instance(one: Subprogram, types: Sequence[AdaType]) -> Subprogram:
    """The subprogram with these types of its parameters; the same one for the same bounds."""
    bounds = tuple(
        (index.low, index.high)
        for type_, formal in zip(types, one.formals, strict=True)
        if isinstance(type_, Array) and is_open(formal.type)
        for index in type_.indices
    )
    found = one.instances.get(bounds)
    if found is None:
        formals = tuple(
            replace(formal, type=type_) for formal, type_ in zip(one.formals, types, strict=True)
        )
        path = one.path + "".join(f"#{low}_{high}" for low, high in bounds)
        found = Subprogram(
            one.name, path, formals, one.result, one.coord, one.scope, one.contract, one.body
        )
        found.value = one.value
        make_parameters(found)
        one.instances[bounds] = found
    return found
