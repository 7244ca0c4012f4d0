"""Statements and the declarations of blocks."""

from __future__ import annotations

import pytest

from predabs.errors import UnsupportedFeature
from predabs.frontend import ast
from support.ast_text import ILP32, body, function, show


def block(text: str, before: str = "") -> str:
    return body(f"{before}\nint g(); extern int x, y, z; void f(int n, int m) {{ {text} }}")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("for (;;) {}", "for (_ _; _) {}"),
        ("for (; x < 3;) x++;", "for (_ (< x 3); _) (x++ x);"),
        ("for (;; x++) break;", "for (_ _; (x++ x)) break;"),
        ("for (x = 0;;) ;", "for ((= x 0); _; _) ;"),
        ("for (x = 0;; x++) continue;", "for ((= x 0); _; (x++ x)) continue;"),
        ("for (x = 0; x < 3;) ;", "for ((= x 0); (< x 3); _) ;"),
        ("for (; x; x = (y, 1)) ;", "for (_ x; (= x (, y 1))) ;"),
        ("for (int i = 0; i < 3; i++) ;", "for (int i = 0; (< i 3); (x++ i)) ;"),
        ("for (int i = 0, j = 1; i < j; i++) ;",
         "for ({int i = 0; int j = 1;} (< i j); (x++ i)) ;"),
        ("for (; /* ; */ x /* ; */;) ;", "for (_ x; _) ;"),
        ('for (; x != *";)";) ;', "for (_ (!= x <int>(* <char *>b';)\\x00')); _) ;"),
        ("while (x) if (y) z = 1; else z = 2;", "while x if y (= z 1); else (= z 2);"),
        ("do x--; while (x);", "do (x-- x); while x;"),
        ("if (n) ; else if (m) z = 1; else z = 2;", "if n ; else if m (= z 1); else (= z 2);"),
        ("return;", "return;"),
        ("{ ; }", "{;}"),
        (";;", "; ;"),
    ],
)  # fmt: skip
def test_loops_and_branches(text: str, expected: str) -> None:
    assert block(text) == expected


MACROS = """
#define LOOP(c) for (; c;)
#define OUTER(c) INNER(c)
#define INNER(c) for (;; c)
#define EVER ;;
#define NOTHING
#define EACH(i, n) for (i = 0; i < n; i++)
"""


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("LOOP(n) n--;", "for (_ n; _) (x-- n);"),
        ("OUTER(n--) ;", "for (_ _; (x-- n)) ;"),
        ("for (EVER) ;", "for (_ _; _) ;"),
        ("for (NOTHING; n;) ;", "for (_ n; _) ;"),
        ("EACH(x, n) ;", "for ((= x 0); (< x n); (x++ x)) ;"),
    ],
)
def test_the_head_of_a_for_in_macros(text: str, expected: str) -> None:
    assert block(text, MACROS) == expected


def test_a_for_head_that_cannot_be_told_is_refused() -> None:
    before = "#define TWO(a) for (; a;) for (; ; a) ;"
    with pytest.raises(UnsupportedFeature, match=r"^t\.c:2:\d+: it is not clear which parts"):
        block("TWO(n)", before)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("switch (n) { case 1: case 2 ... 5: z = 1; break; default: ; case -1: z = 3; }",
         "switch n {case 1: case 2...5: (= z 1); break; default: ; case -1: (= z 3);}"),
        ("switch (n) { int d; case 'a': d = 1; }", "switch n {int d; case 97: (= d 1);}"),
        ("switch ((unsigned)n) { case -1: ; }", "switch <unsigned int>n {case 4294967295: ;}"),
        ("switch ((char)n) { case 200: ; }", "switch <int><char>n {case 200: ;}"),
        ("switch (n) case 3: z = 1;", "switch n case 3: (= z 1);"),
        ("switch (n) { default: { case 4: ; } }", "switch n {default: {case 4: ;}}"),
        ("switch (n) { case 1: __attribute__((fallthrough)); case 2: ; }",
         "switch n {case 1: ; case 2: ;}"),
        ("switch (n) { case 1: switch (m) { case 2: ; } case 3: ; }",
         "switch n {case 1: switch m {case 2: ;} case 3: ;}"),
        ("switch (n) { case 1: { int k = 2; } break; case sizeof(int): ; }",
         "switch n {case 1: {int k = 2;} break; case 4: ;}"),
    ],
)  # fmt: skip
def test_switch(text: str, expected: str) -> None:
    assert block(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("L: goto L;", "L: goto L;"),
        ("goto M; M: ;", "goto M; M: ;"),
        ("L: int q = 1; goto L;", "L: int q = 1; goto L;"),
        ("{ __label__ L; L: goto L; } { __label__ L; goto L; L: ; }",
         "{L: goto L;} {goto L#2; L#2: ;}"),
        ("L: M: x = 1; goto M; goto L;", "L: M: (= x 1); goto M; goto L;"),
    ],
)  # fmt: skip
def test_labels(text: str, expected: str) -> None:
    assert block(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("int i = 1, *p = &i, a[3] = {1};", "int i = 1; int * p = (& i); int[3] a = {[0]=1};"),
        ("static int s = 3; s++;", "static int s = 3; (x++ s);"),
        ("extern int ee; ee = 1;", "(= ee 1);"),
        ("int ff(int); ff(1);", "ff(1);"),
        ("enum { A, B = 7 }; z = B;", "(= z 7);"),
        ("typedef int I; I i = 2;", "int i = 2;"),
        ("struct S; struct T { int a; };", ""),
        ('_Static_assert(1, ""); ;', ";"),
        ("register int r = 1; auto int q = 2;", "int r = 1; int q = 2;"),
        ("static _Thread_local int t;", "static int t;"),
        ("_Alignas(16) int al = 3;", "int al = 3;"),
        ("int u __attribute__((unused, aligned(8))) = 2;", "int u = 2;"),
        ("__auto_type q = n + 1L;", "long long q = (+ <long long>n 1:long long);"),
        ("typeof(n) q = 3; typeof(int *) r = &q;", "int q = 3; int * r = (& q);"),
        ("_Atomic int a = 1; a++; z = a;", "int a = 1; (x++ a); (= z a);"),
        ("_Atomic(int) a = 1; a = a + 1;", "int a = 1; (= a (+ a 1));"),
        ("int a = a;", "int a = a;"),
        ("int a; { int a; a = 1; } a = 2;", "int a; {int a; (= a 1);} (= a 2);"),
        ("__int128 w = n; w *= w;", "__int128 w = <__int128>n; (*= w w);"),
        ('char s[] = "hi";', r"char[3] s = b'hi\x00';"),
    ],
)
def test_declarations(text: str, expected: str) -> None:
    assert block(text) == expected


def test_inner_and_outer_variables_are_different_symbols() -> None:
    outer, inner, last = function("void f(void) { int a; { int a; a = 1; } a = 2; }").body.items
    assert isinstance(outer, ast.Declare)
    assert isinstance(inner, ast.Compound)
    assert isinstance(last, ast.Evaluate)
    assert isinstance(last.expr, ast.Assign)
    assert isinstance(last.expr.left, ast.Ref)
    assert last.expr.left.symbol is outer.symbol
    assert show(inner) == "{int a; (= a 1);}"
    assert isinstance(inner.items[0], ast.Declare)
    assert inner.items[0].symbol is not outer.symbol


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('__asm__ volatile("nop" : "=r"(z) : "r"(n + 1) : "memory");', "asm(z: (+ n 1));"),
        ('asm("" ::: "memory");', "asm(: );"),
        ('asm("nop");', "asm(: );"),
        ("BARRIER();", "asm(: );"),
        ('asm("a" "b" : "+r"(z), [n] "=m"(n) : "m"(z));', "asm(z, n: z);"),
        ('asm("a" : : "r"(z));', "asm(: z);"),
        ('asm("a" :: "r"(z));', "asm(: z);"),
        ("READ(z);", "asm(z, n: );"),  # in a macro, all may be outputs
        ('asm("a" : OUT(z) : "r"(n));', "asm(z, n: );"),
    ],
)
def test_assembly(text: str, expected: str) -> None:
    before = (
        '#define BARRIER() __asm__ volatile("" ::: "memory")\n'
        '#define OUT(x) "=r"(x)\n'
        '#define READ(x) asm("a" : "=r"(x) : "r"(n))'
    )
    assert block(text, before) == expected


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("int q __attribute__((cleanup(done)));", "cleanup"),
        ("CLEAN int q;", "cleanup"),
        ("_Complex double cd;", "complex"),
        ("typedef int V __attribute__((vector_size(16))); V v;", "vector"),
        ("_Float16 h;", "_Float16"),
        ("z = sizeof(int[n]);", "variable-length"),
    ],
)
def test_refused(text: str, what: str) -> None:
    before = "\n#define CLEAN __attribute__((__cleanup__(done)))\nvoid done(int *);"
    with pytest.raises(UnsupportedFeature, match=rf"^t\.c:4:\d+: .*({what})"):
        block(text, before)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("int a[n]; a[1] = 2; z = sizeof a; z = sizeof a[0]; int *q = a;",
         "int * a[n]; (= a[1] 2); (= z <int>sizeof(a)); (= z <int>4:unsigned long long); "
         "int * q = a;"),
        ("int a[n + 1]; g(a);", "int * a[(+ n 1)]; g(a);"),
        ("char *a[n]; z = *a[1];", "char * * a[n]; (= z <int>(* a[1]));"),
        ("struct { int k; } a[n]; a[1].k = 2;", "struct@t.c:2:53 * a[n]; (= a[1].k 2);"),
        ("int a[n][2]; a[1][0] = 3;", "int[2] * a[n]; (= <int *>a[1][0] 3);"),
        ("int a[n][m]; a[1][2] = 3; z = sizeof a[0];",
         "unsigned long long a#bound1 = <unsigned long long>n; "
         "unsigned long long a#bound2 = <unsigned long long>m; "
         "int * a[(* a#bound1 a#bound2)]; "
         "(= (+ a (* <long long>1 <long long>a#bound2))[2] 3); "
         "(= z <int>(* a#bound2 4:unsigned long long));"),
        ("typedef int T[n]; T t; t[0] = 1;",
         "unsigned long long T#bound1 = <unsigned long long>n; int * t[T#bound1]; (= t[0] 1);"),
        ("int a[n]; typeof(a) b; b[0] = 1;",
         "int * a[n]; int * b[(/ sizeof(a) 4:unsigned long long)]; (= b[0] 1);"),
        ("int a[n], (*r)[n] = &a; z = (*r)[3];",
         "int * a[n]; unsigned long long r#bound1 = <unsigned long long>n; int * r = a; "
         "(= z r[3]);"),
    ],
)  # fmt: skip
def test_variable_length_arrays(text: str, expected: str) -> None:
    assert block(text) == expected


def test_pointers_to_variable_length_arrays_step_over_rows() -> None:
    row = "<long long>q#bound1"
    steps = {
        "q++;": f"(- (+= q {row}) {row});",
        "--q;": f"(-= q {row});",
        "q += 2;": f"(+= q (* <long long>2 {row}));",
        "z = q - q;": f"(= z <int>(/ (- q q) {row}));",
        "z = *(*(q + 1) + 2);": f"(= z (* (+ (+ q (* <long long>1 {row})) 2)));",
        "z = q[1][2];": f"(= z (+ q (* <long long>1 {row}))[2]);",
    }
    for text, expected in steps.items():
        shown = block(f"int (*q)[m]; {text}")
        assert shown == f"unsigned long long q#bound1 = <unsigned long long>m; int * q; {expected}"


def test_parameters_that_are_variable_length_arrays() -> None:
    shown = body("int f(int n, int a[n][n]) { return a[1][n - 1]; }")
    assert shown == (
        "unsigned long long a#bound2 = <unsigned long long>n; "
        "return (+ a (* <long long>1 <long long>a#bound2))[(- n 1)];"
    )
    assert body("int f(int n, int a[n]) { return a[0]; }") == "return a[0];"


def test_a_return_without_value_and_one_in_a_void_function() -> None:
    assert block("return (void)g();") == "return <void>g();"
    assert body("char f(int x) { return x; }") == "return <char>x;"
    assert body("_Bool f(double x) { return x; }") == "return <_Bool>x;"


def test_long_is_short_in_ilp32() -> None:
    assert body("void f(long l, char *p) { l = p - p; }", ILP32) == "(= l (- p p));"
