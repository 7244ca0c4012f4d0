"""Symbols, types and the layout of records."""

from __future__ import annotations

import pytest

from predabs.errors import UnsupportedFeature
from predabs.frontend import ast
from predabs.frontend.symbols import StorageClass
from predabs.ir.types import (
    CBOOL,
    CHAR,
    INT,
    UCHAR,
    ArrayType,
    DataModel,
    FloatType,
    IntType,
    RecordType,
)
from support.ast_text import ILP32, LP64, body, function, read, show, variable


def functions(text: str) -> dict[str, str]:
    return {f.symbol.name: str(f.symbol.type) for f in read(text).functions}


def variables(text: str) -> dict[str, tuple[str, bool, bool]]:
    """By name: type, external linkage, only declared."""
    return {
        v.symbol.name: (str(v.symbol.type), v.symbol.external, v.extern)
        for v in read(text).variables
    }


def test_kinds_of_function_declarations() -> None:
    assert functions("int f(int x, char *y) { return 0; }") == {"f": "int (int, char *)"}
    assert functions("int f(void) { return 0; }") == {"f": "int ()"}
    assert functions("int f() { return 0; }") == {"f": "int (...)"}
    assert functions("f(x) { return x; }") == {"f": "int (int)"}
    assert functions("int f(); int f(int x) { return x; } int f(int);") == {"f": "int (int)"}
    assert functions("typedef int F(int); F f; int f(int x) { return x; }") == {"f": "int (int)"}


def test_old_style_definition_keeps_the_declared_parameters() -> None:
    definition = function("int f(a, b) int a; char b; { return a + b; }")
    assert [(p.name, p.type) for p in definition.params] == [("a", INT), ("b", CHAR)]


def test_array_and_function_parameters_are_pointers() -> None:
    text = "int f(int a[3], int g(int), int b[][4]) { return a[1] + g(2) + b[1][2] + *(a + 1); }"
    assert [str(p.type) for p in function(text).params] == ["int *", "int (int) *", "int[4] *"]
    assert body(text) == ("return (+ (+ (+ a[1] g(2)) <int *>b[1][2]) (* (+ a 1)));")
    copied = "void f(int a[3]) { typeof(a) b = a, c; c = a; }"
    assert body(copied) == "int * b = a; int * c; (= c a);"


def test_unnamed_parameters_get_names() -> None:
    assert [p.name for p in function("int f(int, int x) { return x; }").params] == ["#0", "x"]


def test_all_declarations_share_one_symbol() -> None:
    text = """
    extern int x; int x; static int s(void); int f(void) { extern int x; return x + s(); }
    static int s(void) { return x; }
    """
    unit = read(text)
    (x,) = (v.symbol for v in unit.variables)
    s, f = unit.functions
    assert (s.symbol.external, f.symbol.external) == (False, True)
    (plain,), (total,) = s.body.items, f.body.items
    assert isinstance(plain, ast.Return)
    assert isinstance(plain.value, ast.Ref)
    assert plain.value.symbol is x
    assert isinstance(total, ast.Return)
    assert isinstance(total.value, ast.Binary)
    left, call = total.value.left, total.value.right
    assert isinstance(left, ast.Ref)
    assert left.symbol is x
    assert isinstance(call, ast.Call)
    assert isinstance(call.callee, ast.Ref)
    assert call.callee.symbol is s.symbol


def test_block_scope_declarations_are_linked_to_one_another() -> None:
    text = "void f(void) { extern int q; q = 1; } void g(void) { extern int q; q = 2; }"
    assert variables(text) == {"q": ("int", True, True)}
    twice = "void f(void) { h(1); } void g(void) { h(2); }"
    names = [
        item.expr.callee.symbol
        for definition in read(twice).functions
        for item in definition.body.items
        if isinstance(item, ast.Evaluate)
        and isinstance(item.expr, ast.Call)
        and isinstance(item.expr.callee, ast.Ref)
    ]
    assert names[0] is names[1]


def test_which_declaration_of_a_variable_counts() -> None:
    assert variables("int x; extern int x; int x = 3;") == {"x": ("int", True, False)}
    assert variables("extern int x = 3;") == {"x": ("int", True, False)}
    assert variables("static int x;") == {"x": ("int", False, False)}
    assert variables("extern int a[]; int a[4];") == {"a": ("int[4]", True, False)}
    assert variables("int a[]; int a[3]; extern int a[];") == {"a": ("int[3]", True, False)}
    assert variables("int a[];") == {"a": ("int[1]", True, False)}
    assert variables("extern int a[]; int *p = a;")["a"] == ("int[0]", True, True)
    late = "void f(void) { extern int a[]; a[1] = 1; } int a[10];"
    assert variables(late) == {"a": ("int[10]", True, False)}
    assert show(variable("int x; int x = 3; int x;", "x").init) == "3"


def test_what_nobody_refers_to_is_not_read() -> None:
    text = """
    extern int unused; extern int used; static inline int u(void) { return 1; }
    static int w(void) { return used; } static inline int v(void) { return w(); }
    int f(void) { return v(); }
    """
    assert list(functions(text)) == ["w", "v", "f"]
    assert list(variables(text)) == ["used"]


def test_functions_of_headers_are_read_if_they_are_used() -> None:
    text = """
    # 1 "/usr/include/h.h" 1 3
    int a(void) { return 1; } static int b(void) { return 2; } int g;
    # 2 "t.c" 2
    int f(void) { return b(); }
    """.replace("    #", "#")
    assert list(functions(text)) == ["b", "f"]
    assert variables(text) == {}


def test_the_last_of_two_bodies_counts() -> None:
    text = "extern inline __attribute__((gnu_inline)) int f() { return 1; } int f() { return 2; }"
    assert body(text) == "return 2;"
    assert body("inline int f(void) { return 1; } extern int f(void);") == "return 1;"


def test_storage_classes() -> None:
    text = "static int g; int f(int p) { static int s; int l; return g + s + l + p; }"
    static, local, _ = function(text).body.items
    assert isinstance(static, ast.Declare)
    assert isinstance(local, ast.Declare)
    assert static.symbol.storage is StorageClass.STATIC_LOCAL
    assert local.symbol.storage is StorageClass.LOCAL
    assert function(text).params[0].storage is StorageClass.PARAMETER
    assert function(text).symbol.storage is StorageClass.FUNCTION
    assert variable(text, "g").symbol.storage is StorageClass.GLOBAL


@pytest.mark.parametrize(
    ("model", "long", "pointer"), [(LP64, 64, 64), (ILP32, 32, 32)], ids=["LP64", "ILP32"]
)
def test_basic_types(model: DataModel, long: int, pointer: int) -> None:
    text = """
    char c; signed char sc; unsigned char uc; short s; unsigned short us; int i; unsigned u;
    long l; unsigned long ul; long long ll; unsigned long long ull; _Bool b; enum { A } e;
    enum { N = -1 } n; float f; double d; long double ld; void *p; int a[2][3]; wchar w;
    """.replace("wchar w", "__WCHAR_TYPE__ w")
    types = {v.symbol.name: v.symbol.type for v in read(text, model).variables}
    assert types["c"] is types["sc"] is IntType(8, True)
    assert types["uc"] is IntType(8, False)
    assert (types["s"], types["us"]) == (IntType(16, True), IntType(16, False))
    assert types["i"] is types["n"] is types["w"] is IntType(32, True)
    assert types["u"] is types["e"] is IntType(32, False)
    assert (types["l"], types["ul"]) == (IntType(long, True), IntType(long, False))
    assert (types["ll"], types["ull"]) == (IntType(64, True), IntType(64, False))
    assert types["b"] is CBOOL
    assert (types["f"], types["d"]) == (FloatType(32, 4), FloatType(64, 8))
    assert types["ld"] is FloatType(80, 16 if long == 64 else 12)
    assert types["p"] is model.pointer(types["p"].target)
    assert types["p"].bits == pointer
    assert types["a"] is ArrayType(ArrayType(INT, 3), 2)


def layout(text: str, tag: str, model: DataModel = LP64) -> list[tuple[str, str, int, bool]]:
    record = read(text, model).records[tag]
    return [(m.name, str(m.type), m.bit, m.bitfield) for m in record.members]


def test_layout_of_structs() -> None:
    text = "struct S { char c; long long l; char t[3]; short s; } s;"
    members = [("c", "char", 0), ("l", "long long", 64), ("t", "char[3]", 128), ("s", "short", 160)]
    assert layout(text, "struct S") == [(*m, False) for m in members]
    narrow = layout(text, "struct S", ILP32)
    assert [m[2] for m in narrow] == [0, 32, 96, 128]
    packed = "struct S { char c; int i; } __attribute__((packed)) s;"
    assert layout(packed, "struct S")[1] == ("i", "int", 8, False)
    assert read(packed).records["struct S"].type.size == 5


def test_layout_of_bit_fields() -> None:
    text = "struct S { int a : 3; unsigned b : 5, : 2, c : 7; _Bool d : 1; int : 0; char e; } s;"
    assert layout(text, "struct S") == [
        ("a", "int3", 0, True),
        ("b", "uint5", 3, True),
        ("c", "uint7", 10, True),
        ("d", "_Bool", 17, True),
        ("e", "char", 32, False),
    ]


def test_layout_of_unions_and_anonymous_members() -> None:
    text = "struct S { int a; union { int b; struct { char c, d; }; }; } s; union U { int a; } u;"
    unit = read(text)
    outer = unit.records["struct S"]
    assert [m.name for m in outer.members] == ["a", "#1"]
    inner = outer.members[1].type
    assert isinstance(inner, RecordType)
    assert unit.records[inner.tag].union
    assert [m.name for m in unit.records[inner.tag].members] == ["b", "#1"]
    assert unit.records["union U"].union
    assert not outer.union


def test_flexible_array_members_have_length_zero() -> None:
    text = "struct S { int n; int d[]; } s; struct Z { int n; int d[0]; } z;"
    assert layout(text, "struct S")[1] == ("d", "int[0]", 32, False)
    assert layout(text, "struct Z")[1] == ("d", "int[0]", 32, False)


def test_tags_are_unique() -> None:
    text = """
    struct S { int a; } s; typedef struct { char c; } T; T t; struct { short k; } u;
    void f(void) { struct S { char b; } x; x.b = 1; { struct S { long c; } y; y.c = 1; } }
    struct T { long v; } w;
    """
    unit = read(text)
    assert set(unit.records) == {
        "struct S",
        "T",
        "struct@t.c:2:63",
        "struct S@t.c:3:27",
        "struct S@t.c:3:62",
        "struct T",
    }
    assert all(tag == record.type.tag for tag, record in unit.records.items())


def test_records_behind_pointers_are_laid_out_too() -> None:
    text = "struct A { struct B *b; }; struct B { struct A *a; int k; }; struct A *p;"
    assert set(read(text).records) == {"struct A", "struct B"}
    opaque = read("struct X; struct X *p;").records["struct X"]
    assert (opaque.type.size, opaque.members) == (0, ())


def test_a_member_of_an_unknown_type_is_bytes_that_nobody_can_name() -> None:
    before = "struct V { _Complex float c; int k; }; struct V *p, v;"
    unit = read(before + "int f(void) { return p->k; }")
    assert [(m.type, m.offset) for m in unit.records["struct V"].members] == [
        (ArrayType(UCHAR, 8), 0),
        (INT, 8),
    ]
    for text in ("int f(void) { return p->c == 0; }", "struct V w = {1, 2};"):
        with pytest.raises(UnsupportedFeature, match=r"t\.c:1:\d+: a complex number"):
            read(before + text)


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("__attribute__((constructor)) void c(void) {}", "constructor"),
        ('int f(void) __attribute__((alias("g"))); int g() { return f(); }', "alias"),
    ],
)
def test_refused(text: str, what: str) -> None:
    with pytest.raises(UnsupportedFeature, match=rf"^t\.c:\d+:\d+: .*{what}"):
        read(text)


def test_an_alias_that_nobody_uses_does_no_harm() -> None:
    text = """int t[3]; extern int u __attribute__((alias("t")));
    int g(void) { return 1; } int init(void) __attribute__((alias("g")));"""
    assert list(variables(text)) == ["t"]
    assert list(functions(text)) == ["g"]
    with pytest.raises(UnsupportedFeature, match="alias"):
        read(text + "int f(void) { return u; }")


def test_things_that_mean_nothing() -> None:
    text = '#define E ;\n;E;\n_Static_assert(1, ""); struct S; enum X { A }; typedef int I; int x;'
    assert list(variables(text)) == ["x"]
    assert list(variables("_Thread_local int t = 1;")) == ["t"]
