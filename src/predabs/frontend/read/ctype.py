"""clang's types as types of the IR, and the layout of structs and unions.

Typedefs, qualifiers and enums disappear; every struct and union gets a tag that is unique in the
file. The layout (offsets, bit-fields) is the one clang computed for the data model.
"""

from __future__ import annotations

import re

from ...errors import InternalError, UnsupportedFeature
from ...ir.types import (
    CBOOL,
    UCHAR,
    VOID,
    ArrayType,
    DataModel,
    FloatType,
    FunctionType,
    IntType,
    Member,
    Record,
    RecordType,
    Type,
    size_of,
)
from ...records import dataclass
from . import clang
from .clang import (
    ARRAY_TYPE,
    INCOMPLETE_ARRAY_TYPE,
    POINTER_TYPE,
    VARIABLE_ARRAY_TYPE,
    Cursor,
    CursorKind,
)
from .linked_records import Definition, RecordLinks, Shape
from .source import SourceFile

_BUILTIN: dict[int, Type] = {
    2: VOID,
    3: CBOOL,
    4: IntType(8, False),
    5: IntType(8, False),
    6: IntType(16, False),
    7: IntType(32, False),
    8: IntType(16, False),
    9: IntType(32, False),
    11: IntType(64, False),
    12: IntType(128, False),
    13: IntType(8, True),
    14: IntType(8, True),
    15: IntType(32, True),
    16: IntType(16, True),
    17: IntType(32, True),
    19: IntType(64, True),
    20: IntType(128, True),
    21: FloatType(32, 4),
    22: FloatType(64, 8),
}
_ULONG, _LONG, _LONG_DOUBLE = 10, 18, 23
_REFERENCE, _RECORD, _ENUM, _NO_PROTOTYPE, _PROTOTYPE, _ATOMIC = 103, 105, 106, 110, 111, 177
_UNSUPPORTED = {
    30: "__float128",
    31: "half precision floating point",
    32: "_Float16",
    39: "__bf16",
    100: "a complex number type",
    102: "a block pointer",
    113: "a vector type",
    176: "a vector type",
}
_WIDE = {  # that of invariants where there is no __int128
    "_BitInt(128)": IntType(128, True),
    "unsigned _BitInt(128)": IntType(128, False),
}
_QUALIFIER = re.compile(r"\b(const|volatile) ")
_IDENTIFIER = re.compile(r"[A-Za-z_$][\w$]*\Z")


@dataclass(frozen=True, slots=True)
class LaidOutField:
    """A member of a record as C declares it: `type` is the declared type, also of a bit-field."""

    name: str
    type: Type
    anonymous: bool


class Types:
    """The types of one file; every clang type is converted once."""

    def __init__(self, source: SourceFile, data_model: DataModel) -> None:
        self.source = source
        self.data_model = data_model
        self.links = RecordLinks()
        self.records: dict[str, Record] = {}
        self._known: dict[int | None, Type] = {}  # of expressions and declarations
        self._types: dict[int | None, Type] = {}  # of anything, also only pointed to
        self._volatile: dict[int | None, bool] = {}
        self._tags: dict[int | None, RecordType] = {}
        self.declares_volatile = False  # is any variable or member so?
        self.has_vlas = False  # seen any: pointers may need scaling
        self._used: set[str] = set()
        self._complete: set[str] = set()  # records that are fine all through
        self._opaque: dict[str, str] = {}  # records with a member we cannot model, and why
        self._bytes_only: dict[str, str] = {}  # records with a member that nobody can name, and why
        self._pending: list[tuple[RecordType, clang.CType, Cursor]] = []
        self._fields: dict[str, tuple[LaidOutField, ...]] = {}
        self._homes: dict[int | None, tuple[str, str]] = {}  # a field: its record, its name
        self._shorter: dict[str, str] = {}  # of a record with a longer last array: the declared one
        self._outer: dict[str, tuple[str, str]] = {}  # an anonymous record: where it is a member
        bits = data_model.pointer_bits
        self._builtin: dict[int, Type] = {
            **_BUILTIN,
            _ULONG: IntType(bits, False),
            _LONG: IntType(bits, True),
            _LONG_DOUBLE: FloatType(80, 16 if data_model is DataModel.LP64 else 12),
        }

    def value(self, cursor: Cursor) -> Type:
        """The type of an expression that is no lvalue: what arrays and functions decay to.

        libclang shows a parameter `int a[3]` and everything computed from it with the type as it
        was written, so decay is made good here.
        """
        result = self.of(cursor)
        if isinstance(result, ArrayType):
            return self.data_model.pointer(result.element)
        if isinstance(result, FunctionType):
            return self.data_model.pointer(result)
        return result

    def of(self, cursor: Cursor) -> Type:
        """The type of an expression or declaration."""
        type_ = clang.cursor_type(cursor)
        result = self._known.get(type_.a)
        return self._new(type_, cursor) if result is None else result

    def is_volatile(self, cursor: Cursor) -> bool:
        type_ = clang.cursor_type(cursor)
        result = self._volatile.get(type_.a)
        if result is None:
            result = bool(clang.is_volatile(clang.canonical_type(type_)))
            self._volatile[type_.a] = result
        return result

    def fields(self, record: RecordType) -> tuple[LaidOutField, ...]:
        """The members that an initialiser fills, in order."""
        self._need(record)
        if record.tag in self._bytes_only:
            raise UnsupportedFeature(self._bytes_only[record.tag])
        return self._fields[record.tag]

    def member_path(self, base: RecordType, field: Cursor) -> list[str]:
        """The names that lead from `base` to a field, through anonymous members."""
        self._need(base)
        home = self._homes.get(field.a)
        own = self._shorter.get(base.tag, base.tag)
        names = []
        while home is not None:
            names.append(home[1])
            if home[0] == own:
                return names[::-1]
            home = self._outer.get(home[0])
        raise InternalError(f"{self.source.coord(field)}: {base.tag} has no such member")

    def field_type(self, record: RecordType, name: str) -> Type:
        return next(field.type for field in self._fields[record.tag] if field.name == name)

    def _need(self, type_: Type) -> None:
        """Refuse a type that has a member, at any depth, that we cannot model."""
        work = [type_]
        while work:
            part = work.pop()
            if isinstance(part, ArrayType):
                work.append(part.element)
            elif isinstance(part, RecordType) and part.tag not in self._complete:
                if part.tag in self._opaque:
                    raise UnsupportedFeature(self._opaque[part.tag])
                work += [field.type for field in self._fields[part.tag]]
        if isinstance(type_, RecordType):
            self._complete.add(type_.tag)

    def has_flexible_end(self, record: RecordType) -> bool:
        fields = self._fields.get(record.tag)
        last = fields[-1].type if fields else None
        return isinstance(last, ArrayType) and last.length == 0

    def extended(self, record: RecordType, length: int) -> RecordType:
        """The record with its flexible array member at the end `length` elements long."""
        layout = self.records[record.tag]
        last = layout.members[-1]
        if not isinstance(last.type, ArrayType):
            raise InternalError(f"{record.tag} has no flexible array member")
        longer = ArrayType(last.type.element, length)
        size = max(record.size, last.offset + size_of(longer))
        result = RecordType(f"{record.tag}[{length}]", size)
        member = Member(last.name, longer, last.bit, False)
        self.records[result.tag] = Record(result, (*layout.members[:-1], member), layout.union)
        self._fields[result.tag] = self._fields[record.tag]
        self._shorter[result.tag] = record.tag
        return result

    def _new(self, type_: clang.CType, cursor: Cursor) -> Type:
        result = self._convert(type_, cursor)
        while self._pending:
            self._lay_out(*self._pending.pop())
        self._need(result)
        self._known[type_.a] = result
        return result

    def _convert(self, type_: clang.CType, cursor: Cursor) -> Type:
        result = self._types.get(type_.a)
        if result is None:
            result = self._canonical(clang.canonical_type(type_), cursor)
            self._types[type_.a] = result
        return result

    def _canonical(self, type_: clang.CType, cursor: Cursor) -> Type:
        kind = type_.kind
        simple = self._builtin.get(kind)
        if simple is not None:
            return simple
        if kind == POINTER_TYPE:
            target = clang.canonical_type(clang.pointee(type_))
            if target.kind == VARIABLE_ARRAY_TYPE:
                return self._vla(target, cursor)
            return self.data_model.pointer(self._convert(target, cursor))
        if kind == _RECORD:
            return self._record(type_, cursor)
        if kind == _ENUM:
            number = clang.enum_type(clang.type_declaration(type_))
            return self._convert(number, cursor) if number.kind else IntType(32, False)
        if kind in (_PROTOTYPE, _NO_PROTOTYPE):
            result = self._convert(clang.result_type(type_), cursor)
            if kind == _NO_PROTOTYPE:
                return FunctionType(result, (), True)
            params = [
                self._convert(clang.parameter_type(type_, i), cursor)
                for i in range(clang.parameter_count(type_))
            ]
            return FunctionType(result, tuple(params), bool(clang.is_variadic(type_)))
        if kind in (ARRAY_TYPE, INCOMPLETE_ARRAY_TYPE):
            element = self._convert(clang.element_type(type_), cursor)
            return ArrayType(element, clang.array_size(type_) if kind == ARRAY_TYPE else 0)
        if kind == VARIABLE_ARRAY_TYPE:
            return self._vla(type_, cursor)
        if kind == _REFERENCE:  # only __builtin_va_start & co. have such a parameter
            return self._convert(clang.pointee(type_), cursor)
        if kind == _ATOMIC:
            return self._convert(clang.value_type(type_), cursor)
        spelling = clang.type_spelling(type_)
        if spelling in _WIDE:
            return _WIDE[spelling]
        what = _UNSUPPORTED.get(kind) or f"the type {spelling!r}"
        raise self.source.unsupported(cursor, f"{what} is not supported")

    def _vla(self, type_: clang.CType, cursor: Cursor) -> Type:
        """A variable-length array, or a pointer to one, is a flat pointer: see `vla`."""
        self.has_vlas = True
        element = clang.canonical_type(clang.element_type(type_))
        if element.kind == VARIABLE_ARRAY_TYPE:
            return self._vla(element, cursor)
        return self.data_model.pointer(self._convert(element, cursor))

    def _record(self, type_: clang.CType, cursor: Cursor) -> RecordType:
        declaration = clang.type_declaration(type_)
        result = self._tags.get(declaration.a)
        if result is None:
            tag = self._tag(declaration, clang.type_spelling(type_))
            size = clang.size_of_type(type_)
            result = RecordType(tag, self.links.sizes.get(tag, 0) if size < 0 else size)
            self._tags[declaration.a] = result
            self._pending.append((result, type_, cursor))
        return result

    def _tag(self, declaration: Cursor, spelled: str) -> str:
        """`struct S`, or `T` for an unnamed one with a typedef, or else where it is declared.

        What is declared in a function gets its source position added: the name may be used again.
        """
        tag = _written_tag(declaration, spelled)
        if not tag:
            keyword = "union" if declaration.kind == CursorKind.UNION_DECL else "struct"
            tag = f"{keyword}@{self.source.coord(declaration)}"
        elif clang.semantic_parent(declaration).kind == CursorKind.FUNCTION_DECL:
            tag += f"@{self.source.coord(declaration)}"
        else:
            tag = self.links.renamed.get(tag, tag)
        unique, count = tag, 1
        while unique in self._used:
            count += 1
            unique = f"{tag}#{count}"
        self._used.add(unique)
        return unique

    def definition(self, declaration: Cursor) -> tuple[str, Definition] | None:
        """The struct or union that a declaration outside of functions defines, with its tag."""
        if not clang.is_definition(declaration):
            return None
        type_ = clang.cursor_type(declaration)
        tag = _written_tag(declaration, clang.type_spelling(type_))
        size = clang.size_of_type(type_)
        if not tag or size < 0:
            return None

        def shape() -> Shape:
            fields = clang.fields(type_)
            return (
                size,
                *((clang.spelling(f), clang.field_offset(f), _spelled(f)) for f in fields),
            )

        return tag, Definition(size, self.source.coord(declaration), shape)

    def _lay_out(self, record: RecordType, type_: clang.CType, cursor: Cursor) -> None:
        fields: list[LaidOutField] = []
        members: list[Member] = []
        for index, field in enumerate(clang.fields(type_)):
            name = clang.spelling(field)
            declared = clang.cursor_type(field)
            bits = clang.bit_width(field) if clang.is_bit_field(field) else None
            anonymous = not _IDENTIFIER.match(name)
            if anonymous:
                if bits is not None:
                    continue  # padding
                name = f"#{index}"
            try:
                converted = self._convert(declared, cursor)
            except UnsupportedFeature as error:
                size = clang.size_of_type(declared)
                if size < 0 or bits is not None:
                    self._opaque[record.tag] = str(error)
                    return
                self._bytes_only[record.tag] = str(error)
                converted = ArrayType(UCHAR, size)
            if anonymous and isinstance(converted, RecordType):
                self._outer[converted.tag] = (record.tag, name)
            self._homes[field.a] = (record.tag, name)
            fields.append(LaidOutField(name, converted, anonymous))
            self.declares_volatile |= bool(clang.is_volatile(clang.canonical_type(declared)))
            stored = converted
            if bits is not None:
                if not isinstance(converted, IntType):
                    raise InternalError(f"{self.source.coord(field)}: a bit-field of {converted}")
                stored = IntType(bits, converted.signed)
            members.append(Member(name, stored, clang.field_offset(field), bits is not None))
        union = clang.type_declaration(type_).kind == CursorKind.UNION_DECL
        self._fields[record.tag] = tuple(fields)
        self.records[record.tag] = Record(record, tuple(members), union)


def _written_tag(declaration: Cursor, spelled: str) -> str:
    """`struct S`, or `T` for an unnamed one with a typedef; nothing if it has neither."""
    name = clang.spelling(declaration)
    if not _IDENTIFIER.match(name):
        return ""
    if _IDENTIFIER.match(_QUALIFIER.sub("", spelled)):
        return name
    return f"{'union' if declaration.kind == CursorKind.UNION_DECL else 'struct'} {name}"


def _spelled(field: Cursor) -> str:
    """The type of a member without typedef names."""
    return clang.type_spelling(clang.canonical_type(clang.cursor_type(field)))
