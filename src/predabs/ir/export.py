"""Programs for other tools: Graphviz dot, and JSON whose keys stay the same.

The JSON is one object:

    format       "predabs-cfa"; version: 1
    files, entry, data_model ("ILP32" or "LP64"), assumptions (sentences)
    externals    [{name, at}]: functions without a body
    records      [{tag, size, union, members: [{name, type, bit, bitfield}]}]
    globals      [{name, type, external, init: [{target, value}], at}]
    functions    [{name, result, variadic, params: [{name, type}], locals: [{name, type}], at,
                   entry, exit, loop_heads: [location], labels: {name: location},
                   edges: [{from, to, at, op, text}]}]

`at` is {file, line, column}; a location is a number, unique in its function. Types and expressions
are C text with unique names (`main::x`). `op` is {type, ...}: "assign", "assume" and so on, and the
parts of that operation, named as in `ir.ops`; `text` is the same operation for people, in the
language of the source.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import fields
from enum import Enum
from typing import Any, TypeAlias

from ..errors import InternalError
from .ada_text import AdaNames, ada_op
from .cfa import Coord, Edge, Function, Global, Location, Program
from .expr import Var
from .listing import naming
from .ops import Error, Extent, Halt, Operation, Return
from .order import loop_heads
from .show import Naming, show_expr, show_type, unique_name
from .types import Record

Json: TypeAlias = dict[str, Any]

_LABEL_LENGTH = 200  # more than this makes a box that nobody can read


def to_json(program: Program, only: Function | None = None) -> str:
    """The program as JSON, or the program with one function only."""
    functions = program.functions.values() if only is None else [only]
    tree = {
        "format": "predabs-cfa",
        "version": 1,
        "files": list(program.files),
        "entry": program.entry,
        "data_model": program.data_model.name,
        "assumptions": list(program.assumptions),
        "externals": [
            {"name": name, "at": _coord(coord)} for name, coord in program.externals.items()
        ],
        "records": [_record(record) for record in program.records.values()],
        "globals": [_global(global_) for global_ in program.globals],
        "functions": [_function(function, program.ada) for function in functions],
    }
    return json.dumps(tree, indent=1) + "\n"


def _coord(coord: Coord) -> Json:
    return {"file": coord.file, "line": coord.line, "column": coord.column}


def _variables(variables: Iterable[Var]) -> list[Json]:
    return [{"name": var.name, "type": show_type(var.type)} for var in variables]


def _record(record: Record) -> Json:
    members = [
        {"name": m.name, "type": show_type(m.type), "bit": m.bit, "bitfield": m.bitfield}
        for m in record.members
    ]
    tag, size = record.type.tag, record.type.size
    return {"tag": tag, "size": size, "union": record.union, "members": members}


def _global(global_: Global) -> Json:
    return {
        "name": global_.var.name,
        "type": show_type(global_.var.type),
        "external": global_.external,
        "init": [
            {
                "target": show_expr(assign.target, unique_name),
                "value": show_expr(assign.value, unique_name),
            }
            for assign in global_.init
        ],
        "at": _coord(global_.coord),
    }


def _function(function: Function, ada: AdaNames | None) -> Json:
    return {
        "name": function.name,
        "result": show_type(function.type.result),
        "variadic": function.type.variadic,
        "params": _variables(function.params),
        "locals": _variables(function.locals),
        "at": _coord(function.coord),
        "entry": function.entry.index,
        "exit": function.exit.index,
        "loop_heads": sorted(head.index for head in loop_heads(function)),
        "labels": {name: location.index for name, location in function.labels.items()},
        "edges": [
            {
                "from": edge.src.index,
                "to": edge.dst.index,
                "at": _coord(edge.coord),
                "op": _operation(edge.op),
                "text": ada_op(edge.op, ada),
            }
            for edge in function.edges
        ],
    }


def _operation(op: Operation) -> Json:
    parts = {part.name: _part(getattr(op, part.name)) for part in fields(op)}
    return {"type": type(op).__name__.lower(), **parts}


def _part(value: object) -> Any:
    match value:
        case None | bool() | str():
            return value
        case Enum():
            return value.value
        case tuple():
            return [_part(item) for item in value]
        case Extent(pointer, most):
            return {"pointer": _part(pointer), "most": _part(most)}
        case _ if hasattr(value, "type"):
            return show_expr(value, unique_name)  # type: ignore[arg-type]
    raise InternalError(f"an operation has a part that JSON does not know: {value!r}")


def dot(program: Program, only: Function | None = None) -> str:
    """The automata for Graphviz, one box per function.

    The entry is green, the exit doubly outlined, a loop head a filled diamond; errors are red.
    """
    functions = list(program.functions.values()) if only is None else [only]
    name = naming(program)
    lines = [
        "digraph cfa {",
        '  node [shape=circle, fontname="monospace", fontsize=10];',
        '  edge [fontname="monospace", fontsize=10];',
    ]
    for number, function in enumerate(functions):
        lines += [f"  {line}" for line in _cluster(number, function, name, program.ada)]
    return "\n".join([*lines, "}"]) + "\n"


def _cluster(number: int, function: Function, name: Naming, ada: AdaNames | None) -> Iterator[str]:
    yield f"subgraph cluster_{number} {{"
    yield f"  label={_quote(function.name)};"
    heads = loop_heads(function)
    errors = {edge.dst for edge in function.edges if isinstance(edge.op, Error)}
    halts = {edge.dst for edge in function.edges if isinstance(edge.op, Halt)}
    for location in function.locations:
        style = [f"label={_quote(str(location.index))}"]
        if location in errors:
            style.append('shape=octagon, style=filled, fillcolor="salmon", color="red"')
        elif location in halts:
            style.append("shape=square")
        elif location == function.exit:
            style.append("shape=doublecircle")
        elif location in heads:
            style.append('shape=diamond, style=filled, fillcolor="lightblue"')
        if location == function.entry:
            style.append('color="darkgreen", penwidth=3')
        yield f"  {_node(location)} [{', '.join(style)}];"
    for edge in function.edges:
        yield f"  {_node(edge.src)} -> {_node(edge.dst)} [{_edge_style(edge, name, ada)}];"
    yield "}"


def _node(location: Location) -> str:
    return _quote(str(location))


def _edge_style(edge: Edge, name: Naming, ada: AdaNames | None) -> str:
    text = ada_op(edge.op, ada, name)
    if len(text) > _LABEL_LENGTH:
        text = text[:_LABEL_LENGTH] + " ..."
    style = f"label={_quote(text)}, tooltip={_quote(str(edge.coord))}"
    if isinstance(edge.op, Error):
        style += ', color="red", fontcolor="red"'
    elif isinstance(edge.op, Return):
        style += ", style=bold"
    return style


def _quote(text: str) -> str:
    """A dot string that shows exactly this text: no escape sequence of Graphviz is left active."""
    for char, escaped in (("\\", "\\\\"), ('"', '\\"'), ("\n", "\\n"), ("\r", " "), ("\0", " ")):
        text = text.replace(char, escaped)
    return f'"{text}"'
