"""Reading a C file: from its text to the typed syntax tree of `ast`, as far as it is asked for."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext, suppress
from functools import cache
from itertools import islice

from ...errors import UnsupportedFeature
from ...ir.types import DataModel, Record
from .. import ast
from ..compiler_flags import NO_FLAGS, CompilerFlags
from ..parts import FoundFunction, Part, Unit
from ..symbols import Symbol
from . import clang
from .clang import CursorKind
from .ctype import Types
from .declarations import Entity, Symbols
from .expressions import MAX_DEPTH
from .linked_records import Definition, RecordLinks
from .source import SourceFile, Watch
from .statements import StatementReader


def read_unit(
    path: str,
    data_model: DataModel,
    flags: CompilerFlags = NO_FLAGS,
    text: str | None = None,
    parsing: Watch = nullcontext,
) -> Unit:
    """Read a whole file with everything it includes; `text` stands in for its content if given.

    While clang parses, the context that `parsing` gives is open.

    Raises InputError for what is no C, UnsupportedFeature for C that we do not model.

    >>> unit = read_unit("f.c", DataModel.LP64, text="int f(int x) { return x; }")
    >>> unit.functions[0].symbol.name
    'f'
    """
    with UnitReader(path, data_model, flags, text, parsing) as unit:
        unit.ask_for_all()
        functions: list[tuple[int, ast.FunctionDef]] = []
        variables: list[ast.VariableDef] = []
        while True:
            part = unit.found()
            if not part.functions and not part.variables:
                break
            functions += [(found.order, found.read()) for found in part.functions]
            variables += part.variables
        functions.sort(key=lambda pair: pair[0])
        return Unit(path, tuple(f for _, f in functions), tuple(variables), unit.records)


class UnitReader:
    """A file that is being read: a function's body only when it is asked for.

    Use as a context manager; nothing can be read after its end.
    """

    def __init__(
        self,
        path: str,
        data_model: DataModel,
        flags: CompilerFlags = NO_FLAGS,
        text: str | None = None,
        parsing: Watch = nullcontext,
    ) -> None:
        self.file = path
        self._source = SourceFile(path, data_model, flags, text, parsing)
        self._types = Types(self._source, data_model)
        self._symbols = Symbols(self._source, self._types)
        self._reader = StatementReader(self._source, self._types, self._symbols)
        self._records_given = 0
        self._notes: list[str] = []
        try:
            with _reading():
                self._declare()
        except BaseException:
            self._source.close()
            raise

    def __enter__(self) -> UnitReader:
        return self

    def __exit__(self, *_: object) -> None:
        self._source.close()

    @property
    def declared(self) -> set[str]:
        """The names of all functions, also of those that nothing refers to."""
        return self._symbols.declared

    @property
    def records(self) -> dict[str, Record]:
        return self._types.records

    def record_definitions(self) -> dict[str, Definition]:
        """The structs and unions that are defined outside of functions, by tag."""
        with _reading():
            kinds = (CursorKind.STRUCT_DECL, CursorKind.UNION_DECL)
            cursors = [c for c in clang.children(self._source.root) if c.kind in kinds]
            return dict(filter(None, map(self._types.definition, cursors)))

    def link(self, links: RecordLinks) -> None:
        """Be told of the other files, before anything is read."""
        self._types.links = links

    def _declare(self) -> None:
        top = clang.children(self._source.root)
        for cursor in top:
            if cursor.kind == CursorKind.UNEXPOSED_DECL and _is_assembly(self._source, cursor):
                self._notes.append(
                    f"{self._source.coord(cursor)}: assembly outside of functions defines nothing "
                    "that the program uses, and changes nothing"
                )
        self._symbols.declare_all(top)
        for cursor in top:
            if cursor.kind == CursorKind.FUNCTION_DECL and clang.has_attributes(cursor):
                self._reader.runs_by_itself(cursor)

    def defined(self) -> list[str]:
        """The functions that another file or the user may ask for."""
        return [clang.spelling(cursor) for cursor in self._symbols.functions()]

    def ask_for(self, name: str) -> None:
        """Find the function of this name, if one is defined, and what may lead to variables."""
        self._find(c for c in self._symbols.functions() if clang.spelling(c) == name)
        for variable in self._symbols.variables(external=True):
            with suppress(UnsupportedFeature):  # of a type that holds no address
                self._find([variable])

    def ask_for_all(self) -> None:
        """Find everything that another file or the user may ask for."""
        self._find(self._symbols.functions())
        self._find(self._symbols.variables(external=False))

    def _find(self, cursors: Iterator[clang.Cursor] | Sequence[clang.Cursor]) -> None:
        with _reading():
            for cursor in cursors:
                self._symbols.of(cursor, self._source.coord(cursor))

    def found(self) -> Part:
        """What was asked for, or referred to in what was read, since the last call."""
        functions: list[FoundFunction] = []
        variables: list[tuple[int, ast.VariableDef]] = []
        with _reading():
            while self._symbols.queue:
                entity, symbol = self._symbols.queue.pop()
                if entity.main.kind != CursorKind.FUNCTION_DECL:
                    variables.append((entity.order, self._variable(entity, symbol)))
                elif entity.defined:
                    functions.append(self._function(entity, symbol))
                else:
                    self._reader.attributes(entity.main)
        functions.sort(key=lambda function: function.order)
        variables.sort(key=lambda pair: pair[0])
        records = {}
        if len(self.records) > self._records_given:
            records = dict(islice(self.records.items(), self._records_given, None))
            self._records_given = len(self.records)
        return Part(
            tuple(functions),
            tuple(v for _, v in variables),
            records,
            self._types.declares_volatile,
            tuple(self._notes),
        )

    def _function(self, entity: Entity, symbol: Symbol) -> FoundFunction:
        inline = self._symbols.is_inline_definition(entity)

        @cache
        def read() -> ast.FunctionDef:
            with _reading(), clang.visited(entity.main):
                return self._reader.function(entity.main, symbol, inline=inline)

        return FoundFunction(symbol, inline, entity.order, read)

    def _variable(self, entity: Entity, symbol: Symbol) -> ast.VariableDef:
        with clang.visited(entity.main):
            init = self._reader.variable(entity.main, symbol)
        return ast.VariableDef(symbol, init, not entity.defined, symbol.coord)


def _is_assembly(source: SourceFile, cursor: clang.Cursor) -> bool:
    """Is a declaration that libclang does not name assembly, and not the empty one?"""
    return any(token.strip("_") == "asm" for token in source.tokens_at(cursor, 1))


@contextmanager
def _reading() -> Iterator[None]:
    """Let Python recurse as deep as the reader allows, which counts the levels itself, and let no
    failure within a callback go unnoticed."""
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(limit + 5 * MAX_DEPTH)
    try:
        with clang.watched_callbacks():
            yield
    finally:
        sys.setrecursionlimit(limit)
