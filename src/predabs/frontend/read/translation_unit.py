"""Reading a C file: from its text to the typed syntax tree of `ast`."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext

from ...ir.types import DataModel
from .. import ast
from ..symbols import Symbol
from . import clang
from .clang import CursorKind
from .ctype import Types
from .declarations import Entity, Symbols
from .expressions import MAX_DEPTH
from .source import SourceFile, Watch
from .statements import StatementReader


def read_unit(
    path: str,
    data_model: DataModel,
    include: Sequence[str] = (),
    define: Sequence[str] = (),
    text: str | None = None,
    parsing: Watch = nullcontext,
) -> ast.Unit:
    """Read a file with everything it includes; `text` stands in for its content if given.

    While clang parses, the context that `parsing` gives is open.

    Raises InputError for what is no C, UnsupportedFeature for C that we do not model.

    >>> unit = read_unit("f.c", DataModel.LP64, text="int f(int x) { return x; }")
    >>> unit.functions[0].symbol.name
    'f'
    """
    with SourceFile(path, data_model, include, define, text, parsing) as source:
        types = Types(source, data_model)
        symbols = Symbols(source, types)
        reader = StatementReader(source, types, symbols)
        with _deep_recursion(), clang.watched_callbacks():
            return _read(source, types, symbols, reader)


def _read(source: SourceFile, types: Types, symbols: Symbols, reader: StatementReader) -> ast.Unit:
    top = clang.children(source.root)
    for cursor in top:
        if cursor.kind == CursorKind.UNEXPOSED_DECL:
            _check_unexposed(source, cursor)
    symbols.declare_all(top)
    for cursor in top:
        if cursor.kind == CursorKind.FUNCTION_DECL:
            reader.runs_by_itself(cursor)
    for root in symbols.roots():
        symbols.of(root, source.coord(root))
    functions: list[tuple[int, ast.FunctionDef]] = []
    variables: list[tuple[int, ast.VariableDef]] = []
    while symbols.queue:
        entity, symbol = symbols.queue.pop()
        if entity.main.kind == CursorKind.FUNCTION_DECL:
            if entity.defined:
                inline = symbols.is_inline_definition(entity)
                function = reader.function(entity.main, symbol, inline=inline)
                functions.append((entity.order, function))
            else:
                reader.attributes(entity.main)
        else:
            variables.append((entity.order, _variable(reader, entity, symbol)))
    functions.sort(key=lambda pair: pair[0])
    variables.sort(key=lambda pair: pair[0])
    return ast.Unit(
        source.path,
        tuple(f for _, f in functions),
        tuple(v for _, v in variables),
        types.records,
        frozenset(symbols.declared),
        types.volatile_members,
    )


def _variable(reader: StatementReader, entity: Entity, symbol: Symbol) -> ast.VariableDef:
    init = reader.variable(entity.main, symbol)
    return ast.VariableDef(symbol, init, not entity.defined, symbol.coord)


def _check_unexposed(source: SourceFile, cursor: clang.Cursor) -> None:
    """Of the declarations libclang does not name, only the empty one means nothing."""
    tokens = source.tokens_at(cursor)
    if source.in_macro(cursor):
        tokens = [token for token in tokens if token.strip("_") == "asm"]
    if tokens and tokens[0].strip("_") == "asm":
        raise source.unsupported(cursor, "assembly outside of functions is not supported")


@contextmanager
def _deep_recursion() -> Iterator[None]:
    """Let Python recurse as deep as the reader allows: it counts the levels itself."""
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(limit + 5 * MAX_DEPTH)
    try:
        yield
    finally:
        sys.setrecursionlimit(limit)
