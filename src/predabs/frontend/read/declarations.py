"""Declarations: one `Symbol` per variable or function of a file, whichever way it is declared.

A global may be declared many times; the declaration that counts is its definition, or else the last
one, because clang merges types from one declaration to the next. What is referred to for the first
time is queued, so that unused functions of headers are never read.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from ...ir.cfa import Coord
from ...ir.types import RecordType, Type
from ...records import dataclass, field
from ..symbols import StorageClass, Symbol
from . import clang
from .clang import Cursor, CursorKind
from .ctype import Types
from .source import SourceFile

_SPECIFIERS = 50  # tokens that may stand before the name in a declaration
_WITH_BODY = 2  # the strength of a function's definition
_SYNC = re.compile(r"(__sync_\w+)_(1|2|4|8|16)\Z")  # clang adds the size to the name


@dataclass(slots=True, eq=False)
class Entity:
    """A global variable or function: the declaration that counts, and what that is.

    `strength` is 2 for a definition with a body or an initialiser, 1 for one like `int x;`, and 0
    for a mere declaration.
    """

    main: Cursor
    strength: int
    order: int
    declarations: list[Cursor] = field(default_factory=list)  # of a function, outside of functions
    symbol: Symbol | None = None

    @property
    def defined(self) -> bool:
        return self.strength > 0


class Symbols:
    """The symbols of one file."""

    def __init__(self, source: SourceFile, types: Types) -> None:
        self.source = source
        self.types = types
        self.flexible_length: Callable[[Cursor, RecordType], int] = lambda _, __: 0
        self.queue: list[tuple[Entity, Symbol]] = []
        self.declared: set[str] = set()  # the names of functions
        self._symbols: dict[int | None, Symbol] = {}
        self._entities: dict[int | None, Entity] = {}
        self._external: dict[str, Entity] = {}
        self._enums: dict[int | None, int] = {}

    def declare_all(self, declarations: Iterable[Cursor]) -> None:
        """Take in the variables and functions declared outside of functions."""
        for cursor in declarations:
            if cursor.kind in (CursorKind.FUNCTION_DECL, CursorKind.VAR_DECL):
                entity = self._entity(cursor)
                if cursor.kind == CursorKind.FUNCTION_DECL:
                    entity.declarations.append(cursor)

    def functions(self) -> list[Cursor]:
        """The functions that another file or the user may ask for: defined outside of system
        headers, and not static inline."""
        return [
            cursor
            for cursor in self._definitions(CursorKind.FUNCTION_DECL)
            if clang.storage_class(cursor) != clang.STORAGE_STATIC or not clang.is_inline(cursor)
        ]

    def variables(self, *, external: bool) -> list[Cursor]:
        """The variables defined outside of system headers: all, or those that another file can
        mean."""
        return [
            cursor
            for cursor in self._definitions(CursorKind.VAR_DECL)
            if not external or clang.linkage(cursor) >= clang.EXTERNAL_LINKAGE
        ]

    def _definitions(self, kind: CursorKind) -> list[Cursor]:
        return [
            entity.main
            for entity in dict.fromkeys(self._entities.values())
            if entity.defined
            and entity.main.kind == kind
            and not clang.in_system_header(clang.cursor_location(entity.main))
        ]

    def is_inline_definition(self, entity: Entity) -> bool:
        """Is a function's definition no external one, so that other files may define it too?

        C11 6.7.4, paragraph 7: if each declaration says `inline` and none says `extern`. GNU's
        older rule, by attribute or before C99: if all that say `inline` say `extern`, too, and the
        definition does.
        """
        cursor = entity.main
        if not clang.is_inline(cursor) or clang.linkage(cursor) < clang.EXTERNAL_LINKAGE:
            return False
        if self.source.flags.gnu_inline or self._has_attribute(cursor, "gnu_inline"):
            return all(
                clang.storage_class(one) == clang.STORAGE_EXTERN
                for one in (cursor, *entity.declarations)
                if one is cursor or self._says_inline(one)
            )
        # if no declaration makes the definition an external one
        return not any(self._forces_external(one) for one in entity.declarations)

    def is_body(self, cursor: Cursor) -> bool:
        """Does this declaration of a function have its body?"""
        return _strength(cursor) == _WITH_BODY

    def is_private(self, cursor: Cursor) -> bool:
        """Is a function, here with its body, none that another file can call?"""
        external = clang.linkage(cursor) >= clang.EXTERNAL_LINKAGE
        return not external or self.is_inline_definition(self._entity(cursor))

    def _forces_external(self, cursor: Cursor) -> bool:
        if not clang.is_inline(cursor) or clang.storage_class(cursor) == clang.STORAGE_EXTERN:
            return True
        if clang.storage_class(cursor) == clang.STORAGE_STATIC:
            return False
        return not self._says_inline(cursor)

    def _says_inline(self, cursor: Cursor) -> bool:
        """Does this very declaration? clang calls each one after it inline, too."""
        tokens = self.source.tokens_at(cursor, _SPECIFIERS)
        name = clang.spelling(cursor)
        tokens = tokens[: tokens.index(name)] if name in tokens else tokens
        return _says_inline(tokens) or _says_inline(self.source.expanded(tokens))

    def enum_constant(self, declaration: Cursor) -> int:
        value = self._enums.get(declaration.a)
        if value is None:
            value = clang.enum_value(declaration)
            self._enums[declaration.a] = value
        return value

    def of(self, declaration: Cursor, use: Coord) -> Symbol:
        """The symbol that a reference at `use` means."""
        symbol = self._symbols.get(declaration.a)
        if symbol is None:
            entity = self._entity(declaration)
            symbol = entity.symbol or self._global(entity, use)
            self._symbols[declaration.a] = symbol
        return symbol

    def parameter(self, cursor: Cursor, index: int) -> Symbol:
        type_ = self.types.value(cursor)
        name = clang.spelling(cursor) or f"#{index}"
        return self._add(cursor, name, type_, StorageClass.PARAMETER, vla=False)

    def local(self, cursor: Cursor) -> Symbol:
        """A variable of a block, static or not, but not extern."""
        static = clang.storage_class(cursor) == clang.STORAGE_STATIC
        storage = StorageClass.STATIC_LOCAL if static else StorageClass.LOCAL
        type_ = self.types.of(cursor)
        type_ = self._with_flexible_end(cursor, type_, storage)
        vla = clang.canonical_type(clang.cursor_type(cursor)).kind == clang.VARIABLE_ARRAY_TYPE
        return self._add(cursor, clang.spelling(cursor), type_, storage, vla=vla)

    def _with_flexible_end(self, cursor: Cursor, type_: Type, storage: StorageClass) -> Type:
        """The type, or a longer one if the initialiser fills a flexible array member.

        The initialiser may refer to the variable, so that a symbol must exist while it is read.
        """
        if not isinstance(type_, RecordType) or not self.types.has_flexible_end(type_):
            return type_
        start = clang.initializer(cursor)
        if clang.is_null(start):
            return type_
        self._add(cursor, "", type_, storage, vla=False)
        length = self.flexible_length(start, type_)
        return self.types.extended(type_, length) if length else type_

    def _add(
        self,
        cursor: Cursor,
        name: str,
        type_: Type,
        storage: StorageClass,
        *,
        vla: bool,
        external: bool = False,
        use: Coord | None = None,
    ) -> Symbol:
        volatile = self.types.is_volatile(cursor)
        self.types.declares_volatile |= volatile
        coord = use or self.source.coord(cursor)
        noreturn = cursor.kind == CursorKind.FUNCTION_DECL and self._never_returns(cursor)
        system = cursor.kind == CursorKind.FUNCTION_DECL and bool(
            clang.in_system_header(clang.cursor_location(cursor))
        )
        symbol = Symbol(name, type_, storage, external, volatile, vla, coord, noreturn, system)
        self._symbols[cursor.a] = symbol
        return symbol

    def _never_returns(self, cursor: Cursor) -> bool:
        """Does a declaration say `_Noreturn`, `[[noreturn]]` or `__attribute__((noreturn))`? The
        last one is part of the type."""
        if "noreturn" in clang.type_spelling(clang.cursor_type(cursor)):
            return True
        return self._has_attribute(cursor, "noreturn")

    def _has_attribute(self, cursor: Cursor, name: str) -> bool:
        return clang.has_attributes(cursor) and any(
            kid.kind == CursorKind.UNEXPOSED_ATTR
            and name in (token.strip("_").lower() for token in self._tokens(kid))
            for kid in clang.children(cursor)
        )

    def _tokens(self, attribute: Cursor) -> list[str]:
        in_macro = self.source.in_macro(attribute)
        return self.source.macro_at(attribute) if in_macro else self.source.tokens_at(attribute, 1)

    def _entity(self, cursor: Cursor) -> Entity:
        """What a declaration declares; those in blocks are not linked to one another by clang."""
        first = clang.canonical_cursor(cursor).a
        entity = self._entities.get(first)
        external = clang.linkage(cursor) >= clang.EXTERNAL_LINKAGE
        is_function = cursor.kind == CursorKind.FUNCTION_DECL
        name = clang.spelling(cursor) if external or is_function else ""
        if is_function:
            self.declared.add(name)
        if entity is None and external:
            entity = self._external.get(name)
        strength = _strength(cursor)
        if entity is None:
            entity = Entity(cursor, strength, len(self._entities))
        elif strength >= entity.strength:
            entity.main, entity.strength = cursor, strength
        self._entities[first] = entity
        if external:
            self._external[name] = entity
        return entity

    def _global(self, entity: Entity, use: Coord) -> Symbol:
        cursor = entity.main
        type_ = self.types.of(cursor)
        is_function = cursor.kind == CursorKind.FUNCTION_DECL
        storage = StorageClass.FUNCTION if is_function else StorageClass.GLOBAL
        symbol = self._add(
            cursor,
            _SYNC.sub(r"\1", clang.spelling(cursor)),
            self._with_flexible_end(cursor, type_, storage),
            storage,
            vla=False,
            external=clang.linkage(cursor) >= clang.EXTERNAL_LINKAGE,
            use=None if clang.cursor_location(cursor).key else use,
        )
        entity.symbol = symbol
        self.queue.append((entity, symbol))
        return symbol


def _says_inline(tokens: list[str]) -> bool:
    return any(token.strip("_") == "inline" for token in tokens)


def _strength(cursor: Cursor) -> int:
    """As in `Entity`; an alias, which clang calls a definition, is a mere declaration."""
    if cursor.kind == CursorKind.FUNCTION_DECL:
        if not clang.is_definition(cursor):
            return 0
        return 2 if any(k.kind == CursorKind.COMPOUND_STMT for k in clang.children(cursor)) else 0
    if not clang.is_null(clang.initializer(cursor)):
        return 2
    return 0 if clang.storage_class(cursor) == clang.STORAGE_EXTERN else 1
