"""The functions of a file as it writes them: clang's types as `written_types`."""

from __future__ import annotations

from ..written_types import (
    VA_LIST,
    Alias,
    ArrayOf,
    Basic,
    FunctionOf,
    Parameter,
    Pointer,
    Prototype,
    Qualifiers,
    Tagged,
    WrittenType,
    qualified,
)
from . import clang
from .clang import (
    ARRAY_TYPE,
    INCOMPLETE_ARRAY_TYPE,
    POINTER_TYPE,
    VARIABLE_ARRAY_TYPE,
    Cursor,
    CursorKind,
)
from .declarations import Symbols
from .source import SourceFile

_RECORD, _ENUM, _TYPEDEF, _NO_PROTOTYPE, _PROTOTYPE, _ELABORATED = 105, 106, 107, 110, 111, 119
_QUALIFIERS = ("const", "volatile", "restrict")
_KEYWORDS = {CursorKind.UNION_DECL: "union", CursorKind.ENUM_DECL: "enum"}


class PrototypeReader:
    """Reads the declarations of one file, given as the cursors outside of functions."""

    def __init__(self, source: SourceFile, symbols: Symbols, declarations: list[Cursor]) -> None:
        self._source = source
        self._symbols = symbols
        self._declarations = declarations
        self._known: dict[int | None, WrittenType] = {}

    def prototypes(self) -> dict[str, Prototype]:
        """The functions that have bodies, by name, outside of the system's headers."""
        headers: dict[str, dict[str, None]] = {}
        must_use: set[str] = set()
        bodies: dict[str, Cursor] = {}
        for cursor in self._declarations:
            if cursor.kind != CursorKind.FUNCTION_DECL:
                continue
            if clang.in_system_header(clang.cursor_location(cursor)):
                continue
            name = clang.spelling(cursor)
            if _has_used_result(cursor):
                must_use.add(name)
            if self._symbols.is_body(cursor):
                bodies[name] = cursor
            elif (file := self._source.coord(cursor).file) != self._source.path:
                headers.setdefault(name, {})[file] = None
        return {
            name: self._prototype(cursor, tuple(headers.get(name, ())), name in must_use)
            for name, cursor in bodies.items()
        }

    def record_names(self) -> dict[str, str]:
        """The typedef names of structs and unions, and the names that these have by themselves."""
        found = {}
        for cursor in self._declarations:
            if cursor.kind == CursorKind.TYPEDEF_DECL:
                type_ = clang.canonical_type(clang.typedef_type(cursor))
                if type_.kind == _RECORD:
                    words = clang.type_spelling(type_).split()
                    bare = " ".join(word for word in words if word not in _QUALIFIERS)
                    found[clang.spelling(cursor)] = bare
        return found

    def _prototype(self, cursor: Cursor, headers: tuple[str, ...], must_use: bool) -> Prototype:
        type_ = clang.cursor_type(cursor)
        params = tuple(
            Parameter(clang.spelling(param), _decayed(self._written(clang.cursor_type(param))))
            for param in clang.parameters(cursor)
        )
        return Prototype(
            clang.spelling(cursor),
            self._written(clang.result_type(type_)),
            params,
            bool(clang.is_variadic(type_)) and clang.canonical_type(type_).kind == _PROTOTYPE,
            self._symbols.is_private(cursor),
            headers,
            must_use,
            self._source.coord(cursor),
        )

    def _written(self, type_: clang.CType) -> WrittenType:
        """A type of clang's with the names that the program gives it."""
        found = self._known.get(type_.a)
        if found is None:
            found = self._known[type_.a] = self._new(type_)
        return found

    def _new(self, type_: clang.CType) -> WrittenType:
        qualifiers = _qualifiers(type_)
        kind = type_.kind
        if kind == POINTER_TYPE:
            return Pointer(self._written(clang.pointee(type_)), qualifiers)
        if kind == _TYPEDEF:
            return self._alias(type_, qualifiers)
        if kind == _ELABORATED:
            return qualified(self._written(clang.named_type(type_)), qualifiers)
        if kind in (_RECORD, _ENUM):
            return self._tagged(type_, qualifiers)
        if kind in (ARRAY_TYPE, INCOMPLETE_ARRAY_TYPE, VARIABLE_ARRAY_TYPE):
            length = clang.array_size(type_) if kind == ARRAY_TYPE else None
            return ArrayOf(self._written(clang.element_type(type_)), length)
        if kind in (_PROTOTYPE, _NO_PROTOTYPE):
            return self._function(type_)
        canonical = clang.canonical_type(type_)
        if canonical.kind != kind:
            return self._written(canonical)  # sugar of another kind: parentheses, typeof
        words = clang.type_spelling(type_).split()
        return Basic(" ".join(word for word in words if word not in _QUALIFIERS), qualifiers)

    def _alias(self, type_: clang.CType, qualifiers: Qualifiers) -> WrittenType:
        cursor = clang.type_declaration(type_)
        name = clang.spelling(cursor)
        if name == VA_LIST:
            return Basic(name, qualifiers)
        return Alias(name, self._written(clang.typedef_type(cursor)), qualifiers)

    def _tagged(self, type_: clang.CType, qualifiers: Qualifiers) -> Tagged:
        cursor = clang.type_declaration(type_)
        keyword = _KEYWORDS.get(CursorKind(cursor.kind), "struct")
        tag = clang.spelling(cursor)
        # clang calls one without a tag by its typedef's name, or `struct (unnamed at ...)`
        tagless = " " in tag or f"{keyword} {tag}" not in clang.type_spelling(type_)
        number = None
        if type_.kind == _ENUM:
            chosen = self._written(clang.enum_type(cursor))
            number = chosen if isinstance(chosen, Basic) else Basic("unsigned int")
        place = self._source.coord(cursor) if tagless else None
        complete = clang.size_of_type(type_) >= 0
        return Tagged(keyword, "" if tagless else tag, place, number, complete, qualifiers)

    def _function(self, type_: clang.CType) -> FunctionOf:
        """Without a prototype it is taken to have no parameters."""
        known = type_.kind == _PROTOTYPE
        count = clang.parameter_count(type_) if known else 0
        params = (clang.parameter_type(type_, number) for number in range(count))
        return FunctionOf(
            self._written(clang.result_type(type_)),
            tuple(_decayed(self._written(param)) for param in params),
            known and bool(clang.is_variadic(type_)),
        )


def _has_used_result(cursor: Cursor) -> bool:
    """Does a declaration say that the result is to be used?"""
    return any(kid.kind == CursorKind.WARN_UNUSED_RESULT_ATTR for kid in clang.children(cursor))


def _decayed(type_: WrittenType) -> WrittenType:
    """What a parameter of this type is: libclang shows arrays as they were written."""
    match type_:
        case ArrayOf(element, _):
            return Pointer(element)
        case FunctionOf():
            return Pointer(type_)
        case Alias(_, meaning, _) if isinstance(meaning, ArrayOf | FunctionOf | Alias):
            inner = _decayed(meaning)
            return type_ if inner is meaning else inner
    return type_


def _qualifiers(type_: clang.CType) -> Qualifiers:
    given = (clang.is_const(type_), clang.is_volatile(type_), clang.is_restrict(type_))
    return tuple(word for word, is_so in zip(_QUALIFIERS, given, strict=True) if is_so)
