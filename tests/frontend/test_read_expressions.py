"""Expressions: small C text, and the tree that is read from it."""

from __future__ import annotations

import pytest

from predabs.errors import InputError, UnsupportedFeature
from predabs.frontend import ast
from predabs.ir.types import IntType
from support.ast_text import ILP32, body, function, show, value


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("0", "0"),
        ("2147483648", "2147483648:long long"),
        ("0x80000000", "2147483648:unsigned int"),
        ("0xffffffffffffffffu", "18446744073709551615:unsigned long long"),
        ("9223372036854775807", "9223372036854775807:long long"),
        ("1u", "1:unsigned int"),
        ("017 + 0b11", "(+ 15 3)"),
        ("'a'", "97"),
        (r"'\377'", "-1"),
        (r"L'\x1234'", "4660"),
        (r"u'\x1234'", "4660:unsigned short"),
        ("'ab'", "24930"),
        ("-1", "(- 1)"),
        ("1.5", "1.5:double"),
        ("0.1f", "0.10000000149011612:float"),
        ("0.1", "0.1:double"),
        ("0x1p-3", "0.125:double"),
        ("1.0L", "1.0:long double"),
        ("1e400", "inf:double"),
        ("__builtin_inff()", "inf:float"),
        ("__builtin_huge_val()", "inf:double"),
    ],
)
def test_literals(text: str, expected: str) -> None:
    assert value(text) == expected


def test_a_literal_has_another_type_where_long_is_short() -> None:
    assert value("2147483648", model=ILP32) == "2147483648:long long"
    assert value("sizeof(long)", model=ILP32) == "4:unsigned int"
    assert value("l + 1ul", model=ILP32) == "(+ <unsigned int>l 1:unsigned int)"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (r'"a" "b\0c"', r"<char *>b'ab\x00c\x00'"),
        (r'"\"\\\n\t\a\b\f\v\r\033"', r"""<char *>b'"\\\n\t\x07\x08\x0c\x0b\r\x1b\x00'"""),
        (r'"\x1" "2\18"', r"<char *>b'\x012\x018\x00'"),
        ('"é"', r"<char *>b'\xc3\xa9\x00'"),
        (r'L"w\u20ac"', "<int *>[119, 8364, 0]"),
        (r'u"x\u20ac"', "<unsigned short *>[120, 8364, 0]"),
        (r'u"\U0001F600"', "<unsigned short *>[55357, 56832, 0]"),
        (r'U"\U0001F600"', "<unsigned int *>[128512, 0]"),
        ("__func__", r"<char *>b'f\x00'"),
        ("__FUNCTION__", r"<char *>b'f\x00'"),
        ("__FILE__", r"<char *>b't.c\x00'"),
        ('sizeof "abc"', "4:unsigned long long"),
        ("sizeof __func__", "2:unsigned long long"),
        ('"abc"[1]', r"<char *>b'abc\x00'[1]"),
    ],
)
def test_strings(text: str, expected: str) -> None:
    assert value(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("x + y", "(+ x y)"),
        ("x + c", "(+ x <int>c)"),
        ("x + l", "(+ <long long>x l)"),
        ("u + x", "(+ u <unsigned int>x)"),
        ("d + x", "(+ d <double>x)"),
        ("x == d", "(== <double>x d)"),
        ("c << l", "(<< <int>c l)"),
        ("~u | -c ^ +c & !x", "(| (~ u) <unsigned int>(^ (- <int>c) (& <int>c (! x))))"),
        ("x < y && y >= x || x != 1", "(|| (&& (< x y) (>= y x)) (!= x 1))"),
        ("p + 1", "(+ p 1)"),
        ("1 + p", "(+ 1 p)"),
        ("p - x", "(- p x)"),
        ("p - p", "(- p p)"),
        ("p < (int *)s", "(< p <int *>s)"),
        ("p == 0", "(== p <int *>0)"),
        ("!p", "(! p)"),
        ("p[x]", "p[x]"),
        ("x[p]", "p[x]"),
        ("*p", "(* p)"),
        ("&*p", "(& (* p))"),
        ("*&x", "(* (& x))"),
        ("x = y", "(= x y)"),
        ("c = x", "(= c <char>x)"),
        ("x = (y = 3)", "(= x (= y 3))"),
        ("c += l", "(+= c l)"),
        ("x <<= u", "(<<= x u)"),
        ("x /= d", "(/= x d)"),
        ("p += x", "(+= p x)"),
        ("x++ + --y", "(+ (x++ x) (--x y))"),
        ("p--", "(x-- p)"),
        ("x, y", "(, x y)"),
        ("x ? y : c", "(? x y <int>c)"),
        ("x ? p : 0", "(? x p <int *>0)"),
        ("x ? (void)0 : (void)1", "(? x <void>0 <void>1)"),
        ("x ?: y", "(? x _ y)"),
        ("(x + 1) ?: l", "(? (+ x 1) _ l)"),
        ("(((x)))", "x"),
        ("__extension__ x", "x"),
        ("(int)x", "x"),
        ("(const int)x", "x"),
        ("(char)x", "<char>x"),
        ("(_Bool)x", "<_Bool>x"),
        ("(_Bool)p", "<_Bool>p"),
        ("(void)x", "<void>x"),
        ("(long)p", "<long long>p"),
        ("(char *)p", "<char *>p"),
        ("(const char *)s", "s"),
        ("(unsigned long)l", "<unsigned long long>l"),
        ("(long long)l", "l"),
        ("(__int128)x << 70", "(<< <__int128>x 70)"),
        ("({ int z = x; z; })", "({int z = x; z;})"),
        ("x ?: ({ y++; })", "(? x _ ({(x++ y);}))"),
    ],
)
def test_operators_and_conversions(text: str, expected: str) -> None:
    assert value(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("sizeof x", "4:unsigned long long"),
        ("sizeof(char[10])", "10:unsigned long long"),
        ("sizeof(struct { char a; int b; })", "8:unsigned long long"),
        ("_Alignof(double)", "8:unsigned long long"),
        ("__alignof__(x)", "4:unsigned long long"),
        ("__builtin_offsetof(struct { int a; int b[3]; }, b[2])", "12:unsigned long long"),
        ("__builtin_types_compatible_p(int, const int)", "1"),
        ("__builtin_types_compatible_p(int, long)", "0"),
        ("__builtin_choose_expr(1, x, d)", "x"),
        ("__builtin_choose_expr(0, x, d)", "d"),
        ("__builtin_constant_p(x)", "0"),
        ("__builtin_constant_p(3 + 4)", "1"),
        ("__builtin_object_size(p, 0)", "18446744073709551615:unsigned long long"),
        ("__builtin_expect(x, 1)", "__builtin_expect(<long long>x, <long long>1)"),
        ("__builtin_add_overflow(x, y, p)", "__builtin_add_overflow(x, y, p)"),
        ("__sync_fetch_and_add(p, 1)", "__sync_fetch_and_add(p, 1)"),
        ("__builtin_unreachable()", "__builtin_unreachable()"),
    ],
)
def test_what_the_compiler_computes(text: str, expected: str) -> None:
    assert value(text) == expected


def test_constants_by_nature_only_never_the_value_of_a_variable() -> None:
    before = "enum E { A = -3, B }; static const int k = 5;"
    assert value("A + B", before) == "(+ -3 -2)"
    assert value("k", before) == "k"
    assert value("sizeof(x++)") == "4:unsigned long long"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("_Generic(x, int: 1, default: 2)", "1"),
        ("_Generic(l, int: 1, long: 2, default: 3)", "2"),
        ("_Generic(u, unsigned: 1, int: 2)", "1"),
        ("_Generic(e, double: 1, default: 3)", "3"),
        ("_Generic(s, const char *: 1, char *: 2)", "2"),
        ("_Generic(x, char: s, int: p, default: d)", "p"),
        ("G(l)", "2"),
    ],
)
def test_generic_selection(text: str, expected: str) -> None:
    assert value(text, "#define G(a) _Generic((a), int: 1, long int: 2, default: 3)") == expected


def test_generic_selection_that_cannot_be_told_is_refused() -> None:
    with pytest.raises(UnsupportedFeature, match=r"t\.c:2:\d+: .*_Generic"):
        value("_Generic(x, T: 1, default: 2)", "typedef int T;")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("g(x)", "g(x)"),
        ("(*g)(x)", "g(x)"),
        ("(&g)(c)", "g(<int>c)"),
        ("h(x)", "h(x)"),
        ("(*h)(x)", "h(x)"),
        ("(**h)(x)", "h(x)"),
        ("a[1](x)", "<int (int) * *>a[1](x)"),
        ("(x ? g : h)(1)", "(? x <int (int) *>g h)(1)"),
        ("h = g", "(= h <int (int) *>g)"),
        ("h = &g", "(= h (& g))"),
        ("h = *g", "(= h <int (int) *>(* <int (int) *>g))"),
        ("v(1, c, e)", "v(1, <int>c, <double>e)"),
        ("undeclared(c)", "undeclared(<int>c)"),
        ("abort()", "abort()"),
        ("n(c, e)", "n(<int>c, <double>e)"),
    ],
)
def test_calls(text: str, expected: str) -> None:
    before = "int g(int); int (*h)(int), (*a[3])(int); int v(int, ...); int n();"
    assert value(text, before) == expected


RECORDS = """
struct S {
    int a;
    struct { int b; union { int c; char d; }; };
    unsigned f : 3, : 2, g : 5;
    int arr[4];
    struct { int z; } in;
};
struct S r, *q; struct S get(void);
"""


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("r.a", "r.a"),
        ("q->a", "q->a"),
        ("(*q).a", "(* q).a"),
        ("r.b", "r.#1.b"),
        ("q->d", "q->#1.#1.d"),
        ("q->in.z", "q->in.z"),
        ("r.arr[1]", "<int *>r.arr[1]"),
        ("get().arr[x]", "<int *>get().arr[x]"),
        ("&q->arr[1]", "(& <int *>q->arr[1])"),
        ("r.f + r.g", "(+ <int>r.f <int>r.g)"),
        ("r = *q", "(= r (* q))"),
        ("((struct S){1}).a", "(struct S){.a=1}.a"),
        ("&(struct S){.d = 1}", "(& (struct S){.#1.#1.d=<char>1})"),
        ("(int[]){1, 2}[x]", "<int *>(int[2]){[0]=1, [1]=2}[x]"),
        ("(int){3}", "(int)3"),
    ],
)
def test_members_and_compound_literals(text: str, expected: str) -> None:
    assert value(text, RECORDS) == expected


def test_a_bit_field_has_its_declared_type_as_an_expression() -> None:
    unit = function(RECORDS + "void f(void) { r.f = 1; }")
    statement = unit.body.items[0]
    assert isinstance(statement, ast.Evaluate)
    assert isinstance(statement.expr, ast.Assign)
    assert statement.expr.left.type is IntType(32, False)


def test_cast_to_union() -> None:
    before = "union U { int i; float f; }; void g(union U);"
    assert value("g((union U)e)", before) == "g((union U){.f=e})"
    arg = "typedef union { int *p; char *q; } T __attribute__((transparent_union)); void g(T);"
    assert value("g(p)", arg) == "g((T){.p=p})"


def _volatile(text: str) -> list[tuple[str, bool]]:
    found = []
    work: list[ast.Expr] = []
    for item in function(text).body.items:
        assert isinstance(item, ast.Evaluate)
        work.append(item.expr)
    while work:
        node = work.pop(0)
        match node:
            case ast.Ref() | ast.Member() | ast.Subscript() | ast.Unary("*"):
                found.append((show(node), node.volatile))
            case ast.Cast(arg):
                work.append(arg)
    return found


def test_volatile_lvalues() -> None:
    text = """
    typedef volatile int vint;
    volatile int v; vint w; int x; struct { int a; volatile int b; } s;
    volatile struct { int a; struct { int b; }; } t; volatile int arr[3]; int *volatile p;
    void f(volatile int *q) { v; w; x; s.a; s.b; t.a; t.b; arr[1]; *q; q[1]; p; *p; }
    """
    assert _volatile(text) == [
        ("v", True),
        ("w", True),
        ("x", False),
        ("s.a", False),
        ("s.b", True),
        ("t.a", True),
        ("t.#1.b", True),
        ("<int *>arr[1]", True),
        ("(* q)", True),
        ("q[1]", True),
        ("p", True),
        ("(* p)", False),
    ]


def test_variadic_arguments() -> None:
    text = """int f(int n, ...) {
        __builtin_va_list ap, aq; __builtin_va_start(ap, n); __builtin_va_copy(aq, ap);
        n = __builtin_va_arg(ap, int); __builtin_va_end(ap); return n; }"""
    long, short = body(text), body(text, ILP32)
    assert "n = va_arg(ap, int)" in long.replace("(= n va", "n = va")
    assert "__builtin_va_start(<struct __va_list_tag *>ap, n)" in long
    assert "char * ap; char * aq; __builtin_va_start(ap, n); __builtin_va_copy(aq, ap);" in short


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("1i", "complex"),
        ("__real__ d", "operator"),
        ("__c11_atomic_load((_Atomic int *)p, 5)", "__c11_atomic_load"),
        ("(_Complex double)d", "complex"),
    ],
)
def test_refused(text: str, what: str) -> None:
    with pytest.raises(UnsupportedFeature, match=rf"t\.c:2:\d+: .*{what}"):
        value(text)


def test_macros_hide_nothing() -> None:
    before = """
    #define OFFSET(t, m) __builtin_offsetof(t, m)
    #define PICK(a, b, c) __builtin_choose_expr(a, b, c)
    #define MIN(a, b) ({ typeof(a) _a = (a); typeof(b) _b = (b); _a < _b ? _a : _b; })
    struct S { int a, b; };
    """
    assert value("OFFSET(struct S, b)", before) == "4:unsigned long long"
    assert value("PICK(0, d, x)", before) == "x"
    inner = "{int _a = x; int _b = 3; (? (< _a _b) _a _b);}"
    assert value("MIN(x, 3)", before) == f"({inner})"


def test_errors_are_those_of_clang() -> None:
    with pytest.raises(InputError, match=r"^t\.c:2:\d+: use of undeclared identifier 'zzz'$"):
        value("x = zzz")
