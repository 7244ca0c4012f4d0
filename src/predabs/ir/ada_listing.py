"""Declarations of a SPARK program's automata as Ada text, for people.

The IR keeps sizes and signs of numbers, not the names of their types: `Integer_32` and `Unsigned_8`
are those of Ada's package Interfaces. What is passed by reference is shown as what it is.

>>> from .types import INT, ArrayType
>>> names = AdaNames({"P::A": 1}, {"P::A[]": ("Red", "Green")})
>>> declared(Var("P::A", ArrayType(INT, 3)), names)
'A : array (1 .. 3) of (Red, Green)'
"""

from __future__ import annotations

from collections.abc import Iterator

from .ada_text import AdaNames
from .cfa import Function, Global
from .expr import Var
from .show import Naming, short_name, show_type
from .types import CBOOL, VOID, ArrayType, IntType, PointerType, Record, RecordType, Type


def ada_type(type_: Type, key: str, names: AdaNames) -> str:
    """The type of the object that `key` stands for."""
    literals = names.literals.get(key)
    match type_:
        case _ if type_ is CBOOL:
            return "Boolean"
        case IntType() if literals is not None:
            return f"({', '.join(literals)})"
        case IntType(bits, signed):
            return f"{'Integer' if signed else 'Unsigned'}_{bits}"
        case ArrayType(element, length):
            low = names.lows.get(key, 0)
            inner = ada_type(element, f"{key}[]", names)
            return f"array ({low} .. {low + length - 1}) of {inner}"
        case RecordType(tag, _):
            return tag
        case PointerType(target, _):
            return ada_type(target, key, names)
    return show_type(type_)


def declared(var: Var, names: AdaNames, name: Naming = short_name) -> str:
    return f"{name(var)} : {ada_type(var.type, var.name, names)}"


def heading(function: Function, names: AdaNames, name: Naming) -> str:
    params = "; ".join(declared(param, names, name) for param in function.params)
    shown = f"{function.name} ({params})" if params else function.name
    result = function.type.result
    if result is VOID:
        return f"procedure {shown}"
    return f"function {shown} return {ada_type(result, '', names)}"


def record_lines(record: Record, names: AdaNames) -> Iterator[str]:
    yield f"type {record.type.tag} is record  -- {record.type.size} bytes"
    for member in record.members:
        inner = ada_type(member.type, f"{record.type.tag}.{member.name}", names)
        yield f"  {member.name} : {inner};  -- at byte {member.offset}"
    yield "end record;"


def global_line(global_: Global, names: AdaNames) -> str:
    inner = ada_type(global_.var.type, global_.var.name, names)
    return f"{global_.var.name} : {inner};  -- {global_.coord}"
