"""Types, terms, operations and Boolean code as JSON, and back.

Each value is a list of the name of its class and its fields, so that what is read is what was
written, of the same types, in whatever program. Soundness duty: `decode(encode(v)) == v`, or an
error; nothing but the classes below is ever made.

>>> decode(encode(syntax.Assume(syntax.Not(syntax.Var("x")))))
Assume(condition=Not(arg=Var(name='x')))
"""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from enum import Enum
from typing import Any, TypeAlias, get_args

from ...boolprog import syntax
from ...errors import UnsupportedFeature
from ...ir import expr, ops, types
from .. import boolean_code
from ..boolean_variables import Boolean
from .stored_procedure import StoredProcedure

Json: TypeAlias = bool | int | str | list[Any] | None

_DEEPEST = 400
_ENUMS = (expr.Op, expr.UnaryOp, ops.Source)
_BOOLEAN = (*get_args(syntax.Expr), *get_args(syntax.Action), syntax.Position)
_CODE = (*get_args(boolean_code.Node), boolean_code.Note, boolean_code.BooleanProcedure)
_IR = (*get_args(expr.Expr), *get_args(types.Type), types.Member, types.Record)
_OPERATIONS = (ops.Assign, ops.Havoc, ops.Extent)
_KINDS = {
    "b": _BOOLEAN,
    "code": _CODE,
    "c": _IR,
    "op": _OPERATIONS,
    "p": (Boolean, StoredProcedure),
}
_CLASSES: dict[str, type] = {
    f"{kind}.{class_.__name__}": class_ for kind, classes in _KINDS.items() for class_ in classes
}
_NAMES = {class_: name for name, class_ in _CLASSES.items()}
_LEFT_OUT = "meaning"  # what a statement says of the C program is of use only while it is made


class Damaged(Exception):
    """This was not written by `encode`."""


def encode(value: object, depth: int = 0) -> Json:
    """A value as JSON."""
    if depth > _DEEPEST:
        raise UnsupportedFeature("an expression is nested too deeply")
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, tuple):
        return ["tuple", *(encode(part, depth + 1) for part in value)]
    if isinstance(value, _ENUMS):
        return ["enum", type(value).__name__, value.name]
    name = _NAMES.get(type(value))
    if name is None or not is_dataclass(value):
        raise UnsupportedFeature(f"a {type(value).__name__} cannot be stored")
    return [name, *(encode(part, depth + 1) for part in _parts(value))]


def _parts(value: Any) -> list[object]:
    kept = [item for item in fields(value) if item.init and item.name != _LEFT_OUT]
    return [getattr(value, item.name) for item in kept]


def decode(data: object, depth: int = 0) -> Any:
    """The value that was encoded."""
    if data is None or isinstance(data, bool | int | str):
        return data
    if not isinstance(data, list) or not data or not isinstance(data[0], str):
        raise Damaged("a value has no name")
    if depth > _DEEPEST:
        raise Damaged("it is nested too deeply")
    name, *rest = data
    if name == "enum":
        return _enum(rest)
    parts = [decode(part, depth + 1) for part in rest]
    if name == "tuple":
        return tuple(parts)
    class_ = _CLASSES.get(name)
    try:
        if class_ is None:
            raise Damaged(f"there is no {name}")
        return class_(*parts)
    except TypeError as problem:
        raise Damaged(str(problem)) from None


def _enum(data: list[object]) -> Enum:
    for class_ in _ENUMS:
        for member in class_:
            if data == [class_.__name__, member.name]:
                return member
    raise Damaged("there is no such operator")
