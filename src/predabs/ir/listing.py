"""Functions and whole programs as text for a person: declarations, then one line per edge.

    2 -> 3    loop.c:5    [i < 10]

A `*` before an edge marks a loop head as its source. Names are those of the source, and a string
literal stands as its text.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from .ada_listing import declared, global_line, heading, record_lines
from .ada_text import AdaNames, ada_op
from .cfa import Edge, Function, Global, Program, is_string_literal
from .expr import Const, Index, Var
from .order import loop_heads
from .show import Naming, short_name, show_expr, show_op, show_type
from .types import ArrayType, IntType, Member, Record

_ESCAPES = {
    ord('"'): '\\"',
    ord("\\"): "\\\\",
    ord("\n"): "\\n",
    ord("\t"): "\\t",
    ord("\r"): "\\r",
}


def show_program(program: Program) -> str:
    """The whole program: what it is made from, types, globals, functions and what is assumed."""
    lines = [f"program {' '.join(program.files)}, {program.data_model.name}, entry {program.entry}"]
    name, ada = naming(program), program.ada
    records = (line for r in program.records.values() for line in _record(r, ada))
    lines += _section("records", records)
    lines += _section("globals", (line for g in program.globals for line in _global(g, name, ada)))
    lines += _section(
        "functions without a body",
        (f"{function}    {coord}" for function, coord in program.externals.items()),
    )
    lines += _section("assumptions", program.assumptions)
    for function in program.functions.values():
        lines += ["", *_function(function, name, ada)]
    return "\n".join(lines) + "\n"


def show_function(function: Function, program: Program | None = None) -> str:
    """One function; with its program, string literals are shown as their text."""
    name, ada = (naming(program), program.ada) if program else (short_name, None)
    return "\n".join(_function(function, name, ada)) + "\n"


def naming(program: Program, otherwise: Naming = short_name) -> Naming:
    """Names where a variable that holds a string literal is called by its text."""
    texts = literal_texts(program)
    return lambda var: texts.get(var) or otherwise(var)


def literal_texts(program: Program) -> dict[Var, str]:
    """The texts of the variables that hold a string literal."""
    return {g.var: text for g in program.globals if (text := literal_text(g)) is not None}


def literal_text(global_: Global) -> str | None:
    """The text of a string literal of bytes, quoted; None for any other global."""
    type_ = global_.var.type
    if not (is_string_literal(global_.var) and isinstance(type_, ArrayType)):
        return None
    if not (isinstance(type_.element, IntType) and type_.element.bits == 8):
        return None
    values = [0] * type_.length
    for assign in global_.init:
        match assign.target, assign.value:
            case Index(Var(), Const(position, _), _), Const(value, _) if position < len(values):
                values[position] = value & 0xFF
            case _:
                return None
    if values and values[-1] == 0:
        values.pop()
    return quoted(values)


def quoted(values: list[int]) -> str:
    """A C string literal; what is not printable ASCII is written in octal, always three digits."""
    texts = [
        _ESCAPES.get(value) or (chr(value) if 32 <= value < 127 else f"\\{value:03o}")
        for value in values
    ]
    return f'"{"".join(texts)}"'


def _section(title: str, lines: Iterable[str]) -> list[str]:
    indented = [f"  {line}" for line in lines]
    return ["", f"{title}:", *indented] if indented else []


def _record(record: Record, ada: AdaNames | None) -> Iterator[str]:
    if ada is not None:
        yield from record_lines(record, ada)
        return
    yield f"{record.type.tag} {{    // {record.type.size} bytes" + " (union)" * record.union
    for member in record.members:
        yield f"  {_member(member)}"
    yield "};"


def _member(member: Member) -> str:
    type_ = member.type
    if member.bitfield and isinstance(type_, IntType):
        sign = "signed" if type_.signed else "unsigned"
        last = member.bit + type_.bits - 1
        return f"{sign} {member.name} : {type_.bits};    // bits {member.bit} to {last}"
    return f"{show_type(type_, member.name)};    // at byte {member.offset}"


def _global(global_: Global, name: Naming, ada: AdaNames | None) -> Iterator[str]:
    var, init = global_.var, global_.init
    text = literal_text(global_)
    if ada is not None and text is None:
        yield global_line(global_, ada)
        return
    shown = show_type(var.type, var.name)
    where = f"    // {global_.coord}"
    if global_.external:
        yield f"extern {shown};{where}: defined elsewhere, any value"
    elif text is not None:
        yield f"{shown} = {text};{where}"
    elif len(init) == 1 and init[0].target is var:
        yield f"{shown} = {show_expr(init[0].value, name)};{where}"
    else:
        yield f"{shown};{where}"
        for assign in init:
            yield f"  {show_op(assign, name)}"


def _function(function: Function, name: Naming, ada: AdaNames | None) -> Iterator[str]:
    if ada is None:
        params = [show_type(param.type, name(param)) for param in function.params]
        params += ["..."] * function.type.variadic
        called = f"{function.name}({', '.join(params) or 'void'})"
        yield f"{show_type(function.type.result, called)}    // {function.coord}"
    else:
        yield f"{heading(function, ada, name)}    -- {function.coord}"
    heads = loop_heads(function)
    facts = [f"entry {function.entry.index}", f"exit {function.exit.index}"]
    if heads:
        facts.append(f"loop heads {', '.join(str(at) for at in sorted(h.index for h in heads))}")
    facts += [f"label {label} at {at.index}" for label, at in function.labels.items()]
    yield f"  {'; '.join(facts)}"
    for local in function.locals:
        text = show_type(local.type, name(local)) if ada is None else declared(local, ada, name)
        yield f"  {text};"
    yield from _edges(function.edges, {head.index for head in heads}, name, ada)


def _edges(
    edges: tuple[Edge, ...], heads: set[int], name: Naming, ada: AdaNames | None
) -> Iterator[str]:
    positions = [f"{edge.coord.file}:{edge.coord.line}" for edge in edges]
    position_width = max(map(len, positions), default=0)
    last = max((max(edge.src.index, edge.dst.index) for edge in edges), default=0)
    width = len(str(last))
    for edge, position in zip(edges, positions, strict=True):
        mark = "*" if edge.src.index in heads else " "
        step = f"{edge.src.index:>{width}} -> {edge.dst.index:<{width}}"
        yield f"  {mark} {step}    {position:<{position_width}}    {ada_op(edge.op, ada, name)}"
