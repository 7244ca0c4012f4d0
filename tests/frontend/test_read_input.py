"""Files: errors, source positions, headers, and code that is nested very deeply."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from fuzz import native
from predabs.concrete.inputs import ZeroInputs
from predabs.concrete.interpreter import execute
from predabs.concrete.outcome import Exited
from predabs.errors import InputError, UnsupportedFeature
from predabs.frontend import ast
from predabs.frontend.compiler_flags import CompilerFlags, SourceFlags
from predabs.frontend.load import load
from predabs.frontend.read import arguments, clang
from predabs.frontend.read.translation_unit import read_unit
from predabs.ir.cfa import Coord
from predabs.ir.types import DataModel
from support.ast_text import ILP32, LP64, function, read, show


def test_no_such_file(tmp_path: Path) -> None:
    path = str(tmp_path / "none.c")
    with pytest.raises(InputError) as raised:
        read_unit(path, LP64)
    assert str(raised.value) == f"{path}: no such file"


def test_a_directory(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="is a directory"):
        read_unit(str(tmp_path), LP64)


def test_a_file_without_permission(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "secret.c"
    path.write_text("int x;")

    def refuse(self: Path) -> bytes:
        raise PermissionError(13, "Permission denied", str(self))

    monkeypatch.setattr(Path, "read_bytes", refuse)
    with pytest.raises(InputError, match="cannot be read: Permission denied"):
        read_unit(str(path), LP64)


def test_a_name_that_cannot_be(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read"):
        read_unit("a\0b.c", LP64)
    with pytest.raises(InputError, match="no such file"):
        read_unit(str(tmp_path / "x.c" / "y.c"), LP64)


def test_an_empty_file() -> None:
    unit = read("")
    assert (unit.functions, unit.variables, unit.records) == ((), (), {})
    assert unit.file == "t.c"


@pytest.mark.parametrize(
    "seed", [b"\x7fELF\x02\x01\x01\0\0\0", b"\xff\xfe\0i\0n", bytes(range(256))]
)
def test_binary_garbage(seed: bytes, tmp_path: Path) -> None:
    path = tmp_path / "x.c"
    path.write_bytes(seed * 50)
    with pytest.raises(InputError, match=r"x\.c:\d+:\d+: "):
        read_unit(str(path), LP64)


def test_errors_have_places_and_are_not_endless() -> None:
    with pytest.raises(InputError) as raised:
        read("int x = y;\n" * 30)
    lines = str(raised.value).splitlines()
    assert lines[0] == "t.c:1:9: use of undeclared identifier 'y'"
    assert len(lines) == 11
    assert lines[-1] == "... and 20 more errors"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("int f( { }", r"t\.c:1:8: expected parameter declarator"),
        ("foo x;", r"t\.c:1:1: unknown type name 'foo'"),
        ("int x; char x;", r"t\.c:1:13: redefinition of 'x' with a different type"),
        ('#include "none.h"', r"t\.c:1:10: 'none\.h' file not found"),
        ("#error no", r"t\.c:1:2: no"),
        ("int f(void) { goto L; }", r"t\.c:1:20: use of undeclared label 'L'"),
        ("struct S s;", r"t\.c:1:10: tentative definition has type 'struct S'"),
    ],
)
def test_errors_of_c(text: str, message: str) -> None:
    with pytest.raises(InputError, match="^" + message):
        read(text)


@pytest.mark.parametrize(
    "text",
    [
        "int f(void) { return g(1, 2); }",
        "f() { return 1; }",
        "int f(char *p) { int x = p; int *q = p; return x; }",
        "int f(void) { return; }",
        "void f(void) { return 1; }",
        "int f(int *p); int g(char *p) { return f(p); }",
        "void g(int (*h)(char)); int k(int x) { return x; } void f(void) { g(k); }",
        "int main() { for (int i = 0; i < 3; i++) ; // old and new\n }",
    ],
)
def test_old_code_is_read_all_the_same(text: str) -> None:
    assert read(text).functions


def test_places_are_those_of_the_file_itself(tmp_path: Path) -> None:
    header = tmp_path / "h.h"
    header.write_text("\nint h;\n")
    path = tmp_path / "m.c"
    text = '#include "h.h"\n# 700 "elsewhere.c"\n#define M(a) a = 1\nint f(int x) {\n  M(x);\n  x\n'
    path.write_text(text + "    = h; return x; }\n")
    unit = read_unit(str(path), LP64)
    (f,) = unit.functions
    assert f.coord == Coord(str(path), 4, 5)
    assert [item.coord.line for item in f.body.items] == [5, 6, 7]
    assert [item.coord.column for item in f.body.items] == [3, 3, 10]
    assert unit.variables[0].coord == Coord(str(header), 2, 5)


def test_places_of_expressions_are_where_they_start() -> None:
    text = "struct S { int a; };\nint f(struct S *p, int x) {\n\treturn x + p->a * 2;\n}"
    (item,) = function(text).body.items
    assert isinstance(item, ast.Return)
    assert isinstance(item.value, ast.Binary)
    assert item.value.coord == Coord("t.c", 3, 9)
    assert item.value.right.coord == Coord("t.c", 3, 13)


def test_a_name_like_an_option(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("-E.c").write_text("int x = 1;")
    unit = read_unit("-E.c", LP64)
    assert unit.file == "-E.c"
    assert unit.variables[0].coord == Coord("-E.c", 1, 5)


def test_include_folders_and_definitions(tmp_path: Path) -> None:
    (tmp_path / "h.h").write_text("enum { H = 5 };")
    unit = read_unit(
        "t.c",
        LP64,
        CompilerFlags(include=(str(tmp_path),), define=("N=3", "ON")),
        text='#include "h.h"\n#ifdef ON\nint a[N + H];\n#endif\n',
    )
    assert str(unit.variables[0].symbol.type) == "int[8]"


def test_the_text_stands_in_for_the_file(tmp_path: Path) -> None:
    path = tmp_path / "x.c"
    path.write_text("int old;")
    assert read_unit(str(path), LP64, text="int new;").variables[0].symbol.name == "new"


EVERYTHING = """
#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <float.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
struct node { struct node *next; int v; };
static int sum(int n, ...) {
    va_list ap; int s = 0;
    va_start(ap, n); while (n--) s += va_arg(ap, int); va_end(ap);
    return s;
}
int main(int argc, char **argv) {
    struct node *x = malloc(sizeof *x);
    assert(x != NULL && "message");
    char buf[32]; memset(buf, 0, sizeof buf); strcpy(buf, "hi");
    printf("%d %" PRId64 "\\n", sum(3, 1, 2, 3), (int64_t)INT64_MAX);
    fprintf(stderr, "%zu", strlen(buf)); errno = 0;
    if (isalpha('a') && isdigit(buf[0])) putchar(toupper('b'));
    double d = sqrt(2.0) + INFINITY + HUGE_VAL; if (isnan(d) || isinf(d)) exit(EXIT_FAILURE);
    time_t t = time(0); bool b = t > 5; signal(SIGINT, SIG_IGN);
    size_t o = offsetof(struct node, v); ptrdiff_t pd = buf - buf;
    uint64_t q = UINT64_C(5); float f = FLT_MAX; unsigned long u = ULONG_MAX;
    return INT_MIN + CHAR_BIT + (int)o + b + (int)pd + (int)q + (int)f + (int)u;
}
"""


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ('# 1 "a.c"\nint x;', False),
        ("#define A(x) #x\n#pragma pack(1)\nint x;", False),
        ("#include <limits.h>\nint x = INT_MAX;", True),
        (" %: include <limits.h>\nint x = INT_MAX;", True),
        ("#inc\\\nlude <limits.h>\nint x = INT_MAX;", True),
        ("# \\\n include <limits.h>\nint x = INT_MAX;", True),
        ("#/**/include <limits.h>\nint x = INT_MAX;", True),
        ("#if __has_include(<limits.h>)\nint x;\n#endif", True),
    ],
)
def test_gcc_is_asked_if_there_are_headers(
    text: str, asked: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    asks: list[None] = []
    folders = arguments._system_folders()
    monkeypatch.setattr(arguments, "_system_folders", lambda: asks.append(None) or folders)
    assert [item.symbol.name for item in read(text).variables] == ["x"]
    assert bool(asks) is asked


@pytest.mark.parametrize("model", [LP64, ILP32])
def test_the_standard_headers(model: DataModel) -> None:
    names = [f.symbol.name for f in read(EVERYTHING, model).functions]
    assert names == ["sum", "main"]


@pytest.mark.parametrize("model", [LP64, ILP32])
def test_our_own_headers_where_the_system_has_none(
    model: DataModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(arguments, "_system_folders", lambda: ())
    unit = read(EVERYTHING, model)
    assert [f.symbol.name for f in unit.functions] == ["sum", "main"]
    offset = "8:unsigned long long" if model is LP64 else "4:unsigned int"
    assert f" o = {offset};" in " ".join(show(i) for i in unit.functions[1].body.items)


def test_each_of_our_headers_stands_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(arguments, "_system_folders", lambda: ())
    folder = Path(arguments.__file__).parent / "headers"
    headers = sorted(str(p.relative_to(folder)) for p in folder.rglob("*.h"))
    assert "stdlib.h" in headers
    for header in headers:
        for model in DataModel:
            read(f"#include <{header}>\n#include <{header}>\nint x;", model)


def nested(kind: str, depth: int) -> str:
    inner = {
        "sum": "return " + " + ".join(["a"] * depth) + ";",
        "and": "return " + " && ".join(["a"] * depth) + ";",
        "parentheses": "return " + "(" * depth + "a" + ")" * depth + ";",
        "right": "return " + "a + (" * depth + "a" + ")" * depth + ";",
        "unary": "return " + "- " * depth + "a;",
        "conditional": "return " + "a ? a : " * depth + "a;",
        "calls": "return " + "f(" * depth + "a" + ")" * depth + ";",
        "else if": "".join(f"if (a == {i}) return {i};\nelse " for i in range(depth)) + "return 0;",
        "blocks": "{" * depth + "}" * depth,
        "loops": "while (a) " * depth + ";",
        "cases": "switch (a) {" + "".join(f"case {i}: " for i in range(depth)) + ";}",
    }[kind]
    return f"int f(int a) {{ {inner} }}"


@pytest.mark.parametrize(
    ("kind", "depth"),
    [
        ("sum", 5000),
        ("and", 5000),
        ("parentheses", 2000),
        ("right", 2000),
        ("unary", 5000),
        ("conditional", 2000),
        ("calls", 2000),
        ("else if", 5000),
        ("blocks", 2000),
        ("loops", 2000),
        ("cases", 5000),
    ],
)
def test_deep_nesting(kind: str, depth: int) -> None:
    limit = sys.getrecursionlimit()
    assert read(nested(kind, depth)).functions
    assert sys.getrecursionlimit() == limit


def test_too_deep_nesting_is_refused_with_its_place(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("predabs.frontend.read.expressions.MAX_DEPTH", 1000)
    for kind in ("parentheses", "else if", "blocks"):
        with pytest.raises(UnsupportedFeature, match=r"^t\.c:\d+:\d+: .* nested too deeply"):
            read(nested(kind, 1100))
    with pytest.raises(UnsupportedFeature, match=r"^t\.c:\d+:\d+: .* nested too deeply"):
        read("int x = " + "{" * 1100 + "1" + "}" * 1100 + ";")
    with pytest.raises(InputError, match=r"^t\.c:1:\d+: bracket nesting level exceeded"):
        read(nested("parentheses", 30_000))


class _Interrupted(list[clang.Cursor]):
    def append(self, item: clang.Cursor) -> None:
        if len(self) == 1:
            raise KeyboardInterrupt
        super().append(item)


def test_nothing_is_lost_when_a_callback_is_interrupted(monkeypatch: pytest.MonkeyPatch) -> None:
    hook = sys.unraisablehook
    with monkeypatch.context() as patch:
        patch.setattr(clang, "_found", _Interrupted())
        with pytest.raises(KeyboardInterrupt):
            read("int f(int a) { return a + 1; }")
    assert sys.unraisablehook is hook
    assert read("int f(int a) { return a + 1; }").functions


def test_headers_that_gcc_has_preprocessed() -> None:
    """gcc's form of an attribute, and its built-in types, as glibc's headers have them."""
    unit = read(
        """
        extern void free (void *p);
        extern void *make (int n) __attribute__ ((__malloc__ (free, 1)));
        extern _Float64 root (_Float64 x);
        extern _Float128 other (_Float128 x);
        int f(void) { _Float32 x = 1; return sizeof(_Float64x) + sizeof x + (make(3) != 0); }
        """
    )
    assert [function.symbol.name for function in unit.functions] == ["f"]
    with pytest.raises(InputError, match="takes no arguments"):
        read("void f(void) __attribute__((__noreturn__(1)));")


def test_types_that_a_header_declares() -> None:
    assert read("typedef float _Float32; _Float32 x;").variables[0].symbol.name == "x"


@pytest.mark.parametrize(
    ("text", "inline"),
    [
        ("inline int f(void) { return 1; }", True),
        ("int f(void); inline int f(void) { return 1; }", False),
        ("inline int f(void) { return 1; } int f(void);", False),
        ("inline int f(void); int f(void) { return 1; }", False),
        ("inline int f(void) { return 1; } extern inline int f(void);", False),
        ("extern inline int f(void) { return 1; }", False),
        ("__inline__ int f(void) { return 1; } __inline int f(void);", True),
        ("static inline int f(void) { return 1; } int g(void) { return f(); }", False),
        ("#define I inline\nI int f(void) { return 1; } static int x; I int f(void);", True),
        ("extern inline __attribute__((gnu_inline)) int f(void) { return 1; }", True),
        ("inline __attribute__((__gnu_inline__)) int f(void) { return 1; }", False),
        ("int f(void) { return 1; }", False),
    ],
)
def test_inline_definitions(text: str, inline: bool) -> None:
    assert function(text).inline is inline


@pytest.mark.parametrize(
    ("text", "inline"),
    [
        ("inline int f(void) { return 1; }", False),
        ("extern inline int f(void) { return 1; }", True),
        ("inline int f(void); extern inline int f(void) { return 1; }", False),
        ("int f(void); extern inline int f(void) { return 1; }", True),
        ("extern inline int f(void) { return 1; } int f(void) { return 2; }", False),
        ("static inline int f(void) { return 1; } int g(void) { return f(); }", False),
    ],
)
@pytest.mark.parametrize("flags", [("-std=gnu89",), ("-fgnu89-inline",)])
def test_inline_definitions_before_c99(text: str, inline: bool, flags: tuple[str, ...]) -> None:
    unit = read_unit("t.c", LP64, CompilerFlags(entry=flags), text)
    assert next(f for f in unit.functions if f.symbol.name == "f").inline is inline


_HEADERS = """
    assert.h complex.h ctype.h errno.h fcntl.h fenv.h float.h inttypes.h limits.h locale.h math.h
    pthread.h setjmp.h signal.h stdarg.h stdbool.h stddef.h stdint.h stdio.h stdlib.h string.h
    strings.h sys/socket.h sys/stat.h sys/types.h time.h unistd.h wchar.h wctype.h
"""


@pytest.mark.parametrize("standard", ["gnu17", "c99", "gnu89"])
@pytest.mark.parametrize("options", [[], ["-O2", "-D_FORTIFY_SOURCE=2"], ["-D_GNU_SOURCE"]])
def test_what_gcc_makes_of_the_headers(standard: str, options: list[str], tmp_path: Path) -> None:
    compiler = native.compiler()
    if compiler is None:
        pytest.skip("no gcc here")
    lines = [f"#include <{header}>" for header in _HEADERS.split()]
    code = 'int main(void) { char *p = malloc(3); strcpy(p, "ab"); return strlen(p) - 2; }'
    before, after = tmp_path / "x.c", tmp_path / "x.i"
    before.write_text("\n".join([*lines, code, ""]))
    command = [compiler, f"-std={standard}", *options, "-E", str(before), "-o", str(after)]
    subprocess.run(command, check=True, capture_output=True)
    flags = SourceFlags(CompilerFlags(std=standard))
    assert execute(load([str(after)], flags=flags), ZeroInputs()) == Exited(0)
