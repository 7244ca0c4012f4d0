"""libclang through ctypes: the structures and the few functions we need.

The Python bindings that come with the library build an object per call and lack the kinds of
operators, so the C functions are declared here directly.
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from ctypes import POINTER, c_char_p, c_double, c_int, c_longlong, c_uint, c_void_p
from enum import IntEnum
from pathlib import Path
from typing import Any, ClassVar

import clang.native


class CursorKind(IntEnum):
    """The kinds of cursors we tell apart, numbered as in clang-c/Index.h."""

    UNEXPOSED_DECL = 1
    STRUCT_DECL = 2
    UNION_DECL = 3
    ENUM_DECL = 5
    ENUM_CONSTANT_DECL = 7
    FUNCTION_DECL = 8
    VAR_DECL = 9
    PARM_DECL = 10
    TYPEDEF_DECL = 20
    MEMBER_REF = 47
    UNEXPOSED_EXPR = 100
    DECL_REF_EXPR = 101
    MEMBER_REF_EXPR = 102
    CALL_EXPR = 103
    INTEGER_LITERAL = 106
    FLOATING_LITERAL = 107
    IMAGINARY_LITERAL = 108
    STRING_LITERAL = 109
    CHARACTER_LITERAL = 110
    PAREN_EXPR = 111
    UNARY_OPERATOR = 112
    ARRAY_SUBSCRIPT_EXPR = 113
    BINARY_OPERATOR = 114
    COMPOUND_ASSIGN_OPERATOR = 115
    CONDITIONAL_OPERATOR = 116
    CSTYLE_CAST_EXPR = 117
    COMPOUND_LITERAL_EXPR = 118
    INIT_LIST_EXPR = 119
    ADDR_LABEL_EXPR = 120
    STMT_EXPR = 121
    GENERIC_SELECTION_EXPR = 122
    GNU_NULL_EXPR = 123
    SIZEOF_EXPR = 136
    UNEXPOSED_STMT = 200
    LABEL_STMT = 201
    COMPOUND_STMT = 202
    CASE_STMT = 203
    DEFAULT_STMT = 204
    IF_STMT = 205
    SWITCH_STMT = 206
    WHILE_STMT = 207
    DO_STMT = 208
    FOR_STMT = 209
    GOTO_STMT = 210
    INDIRECT_GOTO_STMT = 211
    CONTINUE_STMT = 212
    BREAK_STMT = 213
    RETURN_STMT = 214
    ASM_STMT = 215
    NULL_STMT = 230
    DECL_STMT = 231
    UNEXPOSED_ATTR = 400
    WARN_UNUSED_RESULT_ATTR = 440
    MACRO_DEFINITION = 501
    STATIC_ASSERT = 602


FIRST_EXPR, LAST_EXPR = 100, 199
FIRST_ATTR, LAST_ATTR = 400, 499


class Cursor(ctypes.Structure):
    """A node: `a` is the declaration (or the one around a statement), `b` the statement."""

    kind: int
    a: int | None
    b: int | None
    _fields_: ClassVar[list[tuple[str, Any]]] = [
        ("kind", c_int),
        ("xdata", c_int),
        ("a", c_void_p),
        ("b", c_void_p),
        ("c", c_void_p),
    ]


class CType(ctypes.Structure):
    """A type: `a` is clang's pointer to it with the qualifiers in its low bits, so it is a key."""

    kind: int
    a: int | None
    _fields_: ClassVar[list[tuple[str, Any]]] = [
        ("kind", c_int),
        ("a", c_void_p),
        ("b", c_void_p),
    ]


class SourceLocation(ctypes.Structure):
    """A source location; `key` is what tells two locations of one file apart."""

    key: int
    _fields_: ClassVar[list[tuple[str, Any]]] = [
        ("a", c_void_p),
        ("b", c_void_p),
        ("key", c_uint),
    ]


class Range(ctypes.Structure):
    """From where to where a text goes, as keys of source locations."""

    begin: int
    end: int
    _fields_: ClassVar[list[tuple[str, Any]]] = [
        ("a", c_void_p),
        ("b", c_void_p),
        ("begin", c_uint),
        ("end", c_uint),
    ]


class String(ctypes.Structure):
    _fields_: ClassVar[list[tuple[str, Any]]] = [
        ("data", c_void_p),
        ("flags", c_uint),
    ]


class Unsaved(ctypes.Structure):
    _fields_: ClassVar[list[tuple[str, Any]]] = [
        ("name", c_char_p),
        ("contents", c_char_p),
        ("length", ctypes.c_ulong),
    ]


_VISIT = ctypes.CFUNCTYPE(c_int, Cursor, Cursor, c_void_p)
_VISIT_FIELD = ctypes.CFUNCTYPE(c_int, Cursor, c_void_p)
_FILE_NAMES = {"darwin": "libclang.dylib", "win32": "libclang.dll"}
_LIBRARY = ctypes.CDLL(
    str(Path(clang.native.__file__).parent / _FILE_NAMES.get(sys.platform, "libclang.so"))
)


def _function(name: str, result: Any, *arguments: Any) -> Callable[..., Any]:
    function = getattr(_LIBRARY, name)
    function.argtypes = arguments
    function.restype = result
    return function  # type: ignore[no-any-return]


create_index = _function("clang_createIndex", c_void_p, c_int, c_int)
dispose_index = _function("clang_disposeIndex", None, c_void_p)
parse = _function(
    "clang_parseTranslationUnit2",
    c_int,
    c_void_p,
    c_char_p,
    POINTER(c_char_p),
    c_int,
    POINTER(Unsaved),
    c_uint,
    c_uint,
    POINTER(c_void_p),
)
dispose_unit = _function("clang_disposeTranslationUnit", None, c_void_p)
unit_cursor = _function("clang_getTranslationUnitCursor", Cursor, c_void_p)
diagnostic_count = _function("clang_getNumDiagnostics", c_uint, c_void_p)
diagnostic = _function("clang_getDiagnostic", c_void_p, c_void_p, c_uint)
diagnostic_severity = _function("clang_getDiagnosticSeverity", c_int, c_void_p)
diagnostic_location = _function("clang_getDiagnosticLocation", SourceLocation, c_void_p)
diagnostic_text = _function("clang_getDiagnosticSpelling", String, c_void_p)
dispose_diagnostic = _function("clang_disposeDiagnostic", None, c_void_p)
_string = _function("clang_getCString", c_char_p, String)
_dispose_string = _function("clang_disposeString", None, String)
_visit = _function("clang_visitChildren", c_uint, Cursor, _VISIT, c_void_p)
_visit_fields = _function("clang_Type_visitFields", c_uint, CType, _VISIT_FIELD, c_void_p)
_spelling = _function("clang_getCursorSpelling", String, Cursor)
_type_spelling = _function("clang_getTypeSpelling", String, CType)
extent = _function("clang_getCursorExtent", Range, Cursor)
range_start = _function("clang_getRangeStart", SourceLocation, Range)
range_end = _function("clang_getRangeEnd", SourceLocation, Range)
_LOCATION_OUT = (POINTER(c_void_p), POINTER(c_uint), POINTER(c_uint), POINTER(c_uint))
expansion = _function("clang_getExpansionLocation", None, SourceLocation, *_LOCATION_OUT)
written = _function("clang_getSpellingLocation", None, SourceLocation, *_LOCATION_OUT)
file_name = _function("clang_getFileName", String, c_void_p)
_evaluate = _function("clang_Cursor_Evaluate", c_void_p, Cursor)
_result_kind = _function("clang_EvalResult_getKind", c_int, c_void_p)
_result_int = _function("clang_EvalResult_getAsLongLong", c_longlong, c_void_p)
_result_unsigned = _function("clang_EvalResult_getAsUnsigned", ctypes.c_ulonglong, c_void_p)
_result_is_unsigned = _function("clang_EvalResult_isUnsignedInt", c_uint, c_void_p)
_result_float = _function("clang_EvalResult_getAsDouble", c_double, c_void_p)
_dispose_result = _function("clang_EvalResult_dispose", None, c_void_p)

cursor_location = _function("clang_getCursorLocation", SourceLocation, Cursor)
in_system_header = _function("clang_Location_isInSystemHeader", c_int, SourceLocation)
cursor_type = _function("clang_getCursorType", CType, Cursor)
binary_operator = _function("clang_getCursorBinaryOperatorKind", c_int, Cursor)
unary_operator = _function("clang_getCursorUnaryOperatorKind", c_int, Cursor)
referenced = _function("clang_getCursorReferenced", Cursor, Cursor)
canonical_cursor = _function("clang_getCanonicalCursor", Cursor, Cursor)
semantic_parent = _function("clang_getCursorSemanticParent", Cursor, Cursor)
is_definition = _function("clang_isCursorDefinition", c_uint, Cursor)
has_attributes = _function("clang_Cursor_hasAttrs", c_uint, Cursor)
is_inline = _function("clang_Cursor_isFunctionInlined", c_uint, Cursor)
_argument_count = _function("clang_Cursor_getNumArguments", c_int, Cursor)
_argument = _function("clang_Cursor_getArgument", Cursor, Cursor, c_uint)
initializer = _function("clang_Cursor_getVarDeclInitializer", Cursor, Cursor)
is_null = _function("clang_Cursor_isNull", c_int, Cursor)
linkage = _function("clang_getCursorLinkage", c_int, Cursor)
storage_class = _function("clang_Cursor_getStorageClass", c_int, Cursor)
bit_width = _function("clang_getFieldDeclBitWidth", c_int, Cursor)
is_bit_field = _function("clang_Cursor_isBitField", c_uint, Cursor)
field_offset = _function("clang_Cursor_getOffsetOfField", c_longlong, Cursor)
enum_value = _function("clang_getEnumConstantDeclValue", c_longlong, Cursor)
enum_type = _function("clang_getEnumDeclIntegerType", CType, Cursor)
canonical_type = _function("clang_getCanonicalType", CType, CType)
type_declaration = _function("clang_getTypeDeclaration", Cursor, CType)
pointee = _function("clang_getPointeeType", CType, CType)
element_type = _function("clang_getArrayElementType", CType, CType)
array_size = _function("clang_getArraySize", c_longlong, CType)
result_type = _function("clang_getResultType", CType, CType)
parameter_count = _function("clang_getNumArgTypes", c_int, CType)
parameter_type = _function("clang_getArgType", CType, CType, c_uint)
is_variadic = _function("clang_isFunctionTypeVariadic", c_uint, CType)
is_volatile = _function("clang_isVolatileQualifiedType", c_uint, CType)
is_const = _function("clang_isConstQualifiedType", c_uint, CType)
is_restrict = _function("clang_isRestrictQualifiedType", c_uint, CType)
named_type = _function("clang_Type_getNamedType", CType, CType)
size_of_type = _function("clang_Type_getSizeOf", c_longlong, CType)
value_type = _function("clang_Type_getValueType", CType, CType)

typedef_type = _function("clang_getTypedefDeclUnderlyingType", CType, Cursor)

POINTER_TYPE, ARRAY_TYPE, INCOMPLETE_ARRAY_TYPE, VARIABLE_ARRAY_TYPE = 101, 112, 114, 115
EXTERNAL_LINKAGE = 3  # this and above: unique external and external
STORAGE_EXTERN, STORAGE_STATIC = 2, 3

_LAST_DECLARATION = 39
_FIRST_CODE, _LAST_CODE = 100, 299  # expressions and statements
_LEAVES = frozenset([int(CursorKind.DECL_REF_EXPR), int(CursorKind.INTEGER_LITERAL)])
_found: list[Cursor] = []
_children: dict[int | None, list[Cursor]] = {}  # of what is `visited`
_failures: list[BaseException] = []


def _collect(cursor: Cursor, *_: object) -> int:
    _found.append(cursor)
    return 1  # go on, but not into it


def _collect_into(cursor: Cursor, parent: Cursor, _: object) -> int:
    # as `_key` has it, written out: there may be millions of calls
    kind = parent.kind
    if _FIRST_CODE <= kind <= _LAST_CODE:
        around = _children.get(parent.b)
    else:
        around = _children.get(parent.a) if kind <= _LAST_DECLARATION else None
    if around is not None:
        around.append(cursor)
    kind = cursor.kind
    if kind in _LEAVES:
        return 1
    if _FIRST_CODE <= kind <= _LAST_CODE:
        _children[cursor.b] = []
    elif kind <= _LAST_DECLARATION:
        _children[cursor.a] = []
    return 2  # go on, also into it


def _key(cursor: Cursor) -> int | None:
    """What tells a declaration, statement or expression from others; None for all else: references
    and attributes, which have no children, have the same fields as what they belong to."""
    kind = cursor.kind
    if _FIRST_CODE <= kind <= _LAST_CODE:
        return cursor.b
    return cursor.a if kind <= _LAST_DECLARATION else None


_collect_child = _VISIT(_collect)
_collect_all = _VISIT(_collect_into)
_collect_field = _VISIT_FIELD(_collect)


@contextmanager
def watched_callbacks() -> Iterator[None]:
    """Make `children` raise what went wrong in a callback; ctypes would only print it.

    Without this an interrupt or a lack of memory at the wrong moment would lose a child.
    """
    before = sys.unraisablehook

    def hook(problem: sys.UnraisableHookArgs) -> None:
        ours = problem.object is _collect or "ctypes callback" in (problem.err_msg or "")
        if ours and problem.exc_value is not None:
            _failures.append(problem.exc_value)
        else:
            before(problem)

    sys.unraisablehook = hook
    try:
        yield
    finally:
        sys.unraisablehook = before
        _failures.clear()


def children(cursor: Cursor) -> list[Cursor]:
    """The direct children in libclang's order; missing ones (a `for` without a step) are absent."""
    known = _children.get(_key(cursor))
    if known is not None:
        return known
    _visit(cursor, _collect_child, None)
    return _taken()


@contextmanager
def visited(cursor: Cursor) -> Iterator[None]:
    """For a while, know the children of all that is inside: to ask once takes a third of the time.
    Only what is outside of it is asked for one by one then."""
    _children[_key(cursor)] = []
    try:
        _visit(cursor, _collect_all, None)
        if _failures:
            raise _failures.pop()
        yield
    finally:
        _children.clear()


def _taken() -> list[Cursor]:
    result = _found[:]
    _found.clear()
    if _failures:
        raise _failures.pop()
    return result


def parameters(function: Cursor) -> list[Cursor]:
    """The declarations of a function's own parameters; among its children there are also those of
    a function type in its result."""
    return [_argument(function, number) for number in range(_argument_count(function))]


def expressions(cursors: list[Cursor]) -> list[Cursor]:
    """Those that are expressions; the rest are references to types and the like."""
    return [c for c in cursors if FIRST_EXPR <= c.kind <= LAST_EXPR]


def fields(record: CType) -> list[Cursor]:
    """The members of a struct or union in order, unnamed bit-fields and anonymous ones included."""
    _visit_fields(record, _collect_field, None)
    return _taken()


def take(string: String) -> str:
    data: bytes | None = _string(string)
    text = (data or b"").decode("utf-8", "replace")
    _dispose_string(string)
    return text


def spelling(cursor: Cursor) -> str:
    return take(_spelling(cursor))


def type_spelling(type_: CType) -> str:
    return take(_type_spelling(type_))


def evaluate(cursor: Cursor) -> int | float | None:
    """The value of a constant expression of scalar type; None if clang cannot tell.

    Only for nodes that are constants by nature: on an initialiser list libclang crashes.
    """
    result = _evaluate(cursor)
    if not result:
        return None
    value: int | float | None = None
    kind = _result_kind(result)
    if kind == 1:
        value = _result_unsigned(result) if _result_is_unsigned(result) else _result_int(result)
    elif kind == 2:
        value = _result_float(result)
    _dispose_result(result)
    return value
