"""Initialisers: designators, missing braces, ranges, strings, unions, overriding."""

from __future__ import annotations

import pytest

from predabs.errors import UnsupportedFeature
from predabs.ir.types import ArrayType, RecordType
from support.ast_text import body, initial, read, value

NESTED = """struct S { int a; struct { int b; union { int c; char d; }; };
           unsigned f : 3, : 2, g : 5; int arr[4]; };"""
POINT = "struct P { int x, y; };"
LINE = POINT + "struct L { struct P a; int z; };"
UNION = "union U { int a; char b[8]; };"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("int x = 5;", "5"),
        ("int x = {5};", "5"),
        ("int x = {{5}};", "5"),
        ("int x = {};", "0"),
        ("float x = {};", "0.0:float"),
        ("char c = 300;", "<char>300"),
        ("_Bool b = 5;", "<_Bool>5"),
        ("unsigned long long x = -1;", "<unsigned long long>(- 1)"),
        ("int (*p)(void) = 0;", "<int () *>0"),
        ("int x; int *p = &x;", "(& x)"),
        ('const char *s = "x" "y";', r"<char *>b'xy\x00'"),
        ("enum E { A, B = 5, C }; int x = C;", "6"),
        ("enum E { A = -1 }; enum E x = A;", "-1"),
    ],
)
def test_scalars(text: str, expected: str) -> None:
    assert initial(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("int a[3] = {};", "{}"),
        ("int a[3] = {1, 2};", "{[0]=1, [1]=2}"),
        ("int a[2] = {1, 2, 3};", "{[0]=1, [1]=2}"),
        ("int a[0] = {1, 2};", "{}"),
        ("int m[2][0] = {{1}, {2}};", "{}"),
        ("double d[2] = {1, 2.5f};", "{[0]=<double>1, [1]=<double>2.5:float}"),
        ("int a[] = {[5] = 300, 4};", "{[5]=300, [6]=4}"),
        ("int a[5] = {1, 2, [1] = 9, [0] = 8};", "{[1]=9, [0]=8}"),
        ("int a[6] = {[1 ... 3] = 7, 8};", "{[1]=7, [2]=7, [3]=7, [4]=8}"),
        ("enum { N = 1 }; int a[4] = {[N ... N + 1] = 7};", "{[1]=7, [2]=7}"),
        ("int m[2][2] = {1, 2, 3};", "{[0][0]=1, [0][1]=2, [1][0]=3}"),
        ("int m[2][2] = {{1}, 2, 3};", "{[0][0]=1, [1][0]=2, [1][1]=3}"),
        ("int m[3][4] = {[1][2] = 5, [2] = {1, 2}};", "{[1][2]=5, [2][0]=1, [2][1]=2}"),
        ("int m[3][4] = {[1][2] = 5, 6, 7};", "{[1][2]=5, [1][3]=6, [2][0]=7}"),
        (
            "int m[3][4] = {[1 ... 2][1 ... 2] = 5};",
            "{[1][1]=5, [1][2]=5, [2][1]=5, [2][2]=5}",
        ),
        ("int f(int); int (*g[2])(int) = {f, &f};", "{[0]=<int (int) *>f, [1]=(& f)}"),
        ("int a[2] = (int[2]){1, 2};", "{[0]=1, [1]=2}"),
        ("int *p = (int[]){1, 2};", "<int *>(static int[2]){[0]=1, [1]=2}"),
    ],
)
def test_arrays(text: str, expected: str) -> None:
    assert initial(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('char a[10] = "abc";', r"b'abc\x00\x00\x00\x00\x00\x00\x00'"),
        ('char a[3] = "abc";', "b'abc'"),
        ('char a[] = "a\\0b";', r"b'a\x00b\x00'"),
        ('char a[] = {"abc"};', r"b'abc\x00'"),
        ('char a[] = ("abc");', r"b'abc\x00'"),
        (r'unsigned char a[] = "\xff";', r"b'\xff\x00'"),
        ('int w[] = L"hi";', "[104, 105, 0]"),
        ('char *a[] = {"abc", "d"};', r"{[0]=<char *>b'abc\x00', [1]=<char *>b'd\x00'}"),
        ("char a[2][4] = {\"abc\", {'d'}};", r"{[0]=b'abc\x00', [1][0]=<char>100}"),
        ('char a[][4] = {"abc", {"q"}};', r"{[0]=b'abc\x00', [1]=b'q\x00\x00\x00'}"),
        ("char s[5] = {'a', [3] = 'b'};", "{[0]=<char>97, [3]=<char>98}"),
        (
            "struct { char n[4]; int q; } t[] = {'a', 'b', 0, 0, 1, \"x\", 2};",
            r"{[0].n[0]=<char>97, [0].n[1]=<char>98, [0].n[2]=<char>0, [0].n[3]=<char>0, "
            r"[0].q=1, [1].n=b'x\x00\x00\x00', [1].q=2}",
        ),
    ],
)
def test_strings(text: str, expected: str) -> None:
    assert initial(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (POINT + "struct P p = {1, 2};", "{.x=1, .y=2}"),
        (POINT + "struct P p = {.y = 1};", "{.y=1}"),
        (POINT + "struct P p = {y: 1};", "{.y=1}"),
        (POINT + "struct P p = {.y = 1, .x = 2, 3};", "{.x=2, .y=3}"),
        (POINT + "struct P p = (struct P){1, 2};", "{.x=1, .y=2}"),
        (POINT + "struct P a[] = {[0 ... 1] = {1, 2}, {3}};",
         "{[0].x=1, [0].y=2, [1].x=1, [1].y=2, [2].x=3}"),
        (POINT + "struct P a[] = {[0 ... 1].x = 1, 2};", "{[0].x=1, [1].x=1, [1].y=2}"),
        (LINE + "struct L l = {1, 2, 3};", "{.a.x=1, .a.y=2, .z=3}"),
        (LINE + "struct L l = {{1}, 3};", "{.a.x=1, .z=3}"),
        (LINE + "struct L l = {.a.y = 2, 7};", "{.a.y=2, .z=7}"),
        (LINE + "struct L l = {.a = 1, 7, 8};", "{.a.x=1, .a.y=7, .z=8}"),
        (LINE + "struct L l = {.a = {1, 2}, .a = {3}};", "{.a.x=3}"),
        (LINE + "struct L l = {.a = {1, 2}, .a.y = 3};", "{.a.x=1, .a.y=3}"),
        (NESTED + "struct S s = {1, 2, 3, 4, 5, 6};",
         "{.a=1, .#1.b=2, .#1.#1.c=3, .f=<unsigned int>4, .g=<unsigned int>5, .arr[0]=6}"),
        (NESTED + "struct S s = {1, {2, {3}}, 4, 5, {6}};",
         "{.a=1, .#1.b=2, .#1.#1.c=3, .f=<unsigned int>4, .g=<unsigned int>5, .arr[0]=6}"),
        (NESTED + "struct S s = {.b = 5, .arr = {[1 ... 2] = 7}, .arr[3] = 9, .d = 1};",
         "{.#1.b=5, .arr[1]=7, .arr[2]=7, .arr[3]=9, .#1.#1.d=<char>1}"),
        ("struct { int k; union { int a[2]; float b; }; } s = {.a[0 ... 1] = 2};",
         "{.#1.a[0]=2, .#1.a[1]=2}"),
        ("struct S { struct S *n; }; struct S s = {&s};", "{.n=(& s)}"),
        ("struct E {}; struct { struct E e; int a; } s = {{}, 3};", "{.a=3}"),
    ],
)  # fmt: skip
def test_structs(text: str, expected: str) -> None:
    assert initial(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (UNION + "union U u = {5};", "{.a=5}"),
        (UNION + 'union U u = {.b = "xy"};', r"{.b=b'xy\x00\x00\x00\x00\x00\x00'}"),
        (UNION + "union U u = {.a = 1, .b = {1, 2}};", "{.b[0]=<char>1, .b[1]=<char>2}"),
        (UNION + "union U u[2] = {1, 2};", "{[0].a=1, [1].a=2}"),
        (UNION + "struct { union U u; int k; } s = {1, 2};", "{.u.a=1, .k=2}"),
        ("struct { union { int a; float b; }; int c; } s = {.b = 1.5f, 2};",
         "{.#0.b=1.5:float, .c=2}"),
    ],
)  # fmt: skip
def test_unions(text: str, expected: str) -> None:
    assert initial(text) == expected


def test_a_record_expression_fills_a_whole_member() -> None:
    text = LINE + "void f(struct P p) { struct L l = {p, 1}, m = {.a = p, .a.y = 3}, n = m; }"
    shown = body(text)
    assert "struct L l = {.a=p, .z=1};" in shown
    assert "struct L m = {.a=p, .a.y=3};" in shown
    assert "struct L n = m;" in shown


def test_a_flexible_array_makes_the_object_longer() -> None:
    before = "struct S { int n; short d[]; };"
    unit = read(before + "struct S s = {3, {1, 2, 3}}, *p = &s, t = {1};")
    s, p, t = unit.variables
    assert isinstance(s.symbol.type, RecordType)
    assert (s.symbol.type.tag, s.symbol.type.size) == ("struct S[3]", 10)
    member = unit.records["struct S[3]"].member("d")
    assert isinstance(member.type, ArrayType)
    assert (member.type.length, member.offset) == (3, 4)
    assert p.init is not None
    assert str(p.init.type) == "struct S *"
    assert t.symbol.type.tag == "struct S"
    static = before + "void f(void) { static struct S s = {1, {[5] = 2}}; s.d[1] = 2; }"
    assert body(static).startswith("static struct S[6] s = {.n=1, .d[5]=<short>2};")
    named = 'struct S { int n; char d[]; }; struct S s = {1, "hello"};'
    assert str(read(named).variables[0].symbol.type) == "struct S[6]"


def test_designators_out_of_macros() -> None:
    before = "#define R [1 ... 2] = 5\n#define D(i, j) [i][j] = 5\n#define LO 1\n#define HI 2\n"
    assert initial(before + "int a[4] = {R};") == "{[1]=5, [2]=5}"
    assert initial(before + "int a[4][4] = {D(1, 2)};") == "{[1][2]=5}"
    assert initial(before + "int a[4] = {[LO ... HI] = 3};") == "{[1]=3, [2]=3}"


def test_a_range_evaluates_its_value_once_or_is_refused() -> None:
    with pytest.raises(UnsupportedFeature, match=r"^t\.c:1:\d+: a range of elements"):
        body("int g(void); void f(void) { int a[4] = {[1 ... 2] = g()}; }")
    assert body("int g(void); void f(void) { int a[4] = {[1 ... 1] = g()}; }") == (
        "int[4] a = {[1]=g()};"
    )


def test_an_overridden_value_is_not_evaluated() -> None:
    shown = body("int g(void); void f(void) { int a[2] = {g(), [0] = 1}; }")
    assert shown == "int[2] a = {[0]=1};"


def test_compound_literals_of_a_block_are_not_static() -> None:
    assert value("(int[]){x}") == "<int *>(int[1]){[0]=x}"


def test_ten_thousand_entries() -> None:
    count = 10_000
    designated = ", ".join(f"[{i}] = {i}" for i in range(count))
    (variable,) = read(f"int a[] = {{{designated}}};").variables
    assert isinstance(variable.symbol.type, ArrayType)
    assert variable.symbol.type.length == count
