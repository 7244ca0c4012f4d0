"""Functions as the program writes them: typedef names, qualifiers, enums, and text made of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from predabs.errors import InputError
from predabs.frontend.read.module import Module, check_text, read_module
from predabs.frontend.written_types import (
    Alias,
    Basic,
    Pointer,
    Tagged,
    declaration,
    qualified,
    resolved,
    without_aliases,
)
from predabs.ir.types import DataModel

TYPES = """
#include <stdarg.h>
typedef struct { int a; } ring_t;
struct node { int x; };
struct hidden;
typedef struct node node_t;
typedef enum { A, B } color;
enum shade { C = -1 };
typedef int (*handler)(void *user, const char *const *names, ...);
typedef int row[4];
typedef int fn(int);
typedef const char *text;
"""


def read(code: str, folder: Path, model: DataModel = DataModel.LP64) -> Module:
    path = folder / "module.c"
    path.write_text(TYPES + code)
    return read_module(str(path), model)


# what is written, as it is shown again, and without typedef names
FUNCTIONS = [
    ("void f(ring_t *r) {}", "void f(ring_t *)", "void f(struct  *)"),
    (
        "const node_t *f(struct node n) { return 0; }",
        "const node_t *f(struct node)",
        "const struct node *f(struct node)",
    ),
    ("void f(color c, enum shade s) {}", "void f(color, enum shade)", "void f(enum , enum shade)"),
    (
        "void f(handler h) {}",
        "void f(handler)",
        "void f(int (*)(void *, const char *const *, ...))",
    ),
    (
        "void f(row a, int b[][3], fn *g, fn h) {}",
        "void f(int *, int (*)[3], fn *, int (*)(int))",
        "void f(int *, int (*)[3], int (*)(int), int (*)(int))",
    ),
    ("void f(int n, int a[n]) {}", "void f(int, int *)", "void f(int, int *)"),
    ("int (*f(int x))(void) { return 0; }", "int (*f(int))(void)", "int (*f(int))(void)"),
    ("void f(text t) {}", "void f(text)", "void f(const char *)"),
    (
        "int f(const char *restrict s, ...) { return 0; }",
        "int f(const char *restrict, ...)",
        "int f(const char *restrict, ...)",
    ),
    ("int f() { return 0; }", "int f(void)", "int f(void)"),
    ("int f(a, b) int a; char *b; { return 0; }", "int f(int, char *)", "int f(int, char *)"),
    (
        "void f(const volatile unsigned long x, _Bool b, long double d) {}",
        "void f(const volatile unsigned long, _Bool, long double)",
        "void f(const volatile unsigned long, _Bool, long double)",
    ),
    ("void f(va_list list) {}", "void f(va_list)", "void f(__builtin_va_list)"),
    (
        "const row *f(char *const *names) { return 0; }",
        "const row *f(char *const *)",
        "const int (*f(char *const *))[4]",
    ),
    ("__typeof__(int *) f(int (x)) { return 0; }", "int *f(int)", "int *f(int)"),
]


@pytest.mark.parametrize(("code", "shown", "bare"), FUNCTIONS)
def test_a_function(code: str, shown: str, bare: str, tmp_path: Path) -> None:
    type_ = read(code, tmp_path).prototypes["f"].type
    assert declaration(type_, "f") == shown
    assert declaration(without_aliases(type_), "f") == bare


def test_the_width_of_long_is_left_to_the_compiler(tmp_path: Path) -> None:
    for model in DataModel:
        type_ = read("long f(unsigned long x) { return x; }", tmp_path, model).prototypes["f"].type
        assert declaration(type_, "f") == "long f(unsigned long)"


def test_names_and_places(tmp_path: Path) -> None:
    found = read("static int f(int count, char *) { return count; }", tmp_path).prototypes["f"]
    assert [param.name for param in found.params] == ["count", ""]
    assert found.coord.line == TYPES.count("\n") + 1


def test_what_other_files_can_call(tmp_path: Path) -> None:
    code = """
    static int a(void) { return 0; }
    inline int b(void) { return 0; }
    extern inline int c(void) { return 0; }
    int d(void) { return 0; }
    """
    found = read(code, tmp_path).prototypes
    assert [name for name, function in found.items() if function.private] == ["a", "b"]


def test_headers_that_declare(tmp_path: Path) -> None:
    header = tmp_path / "module.h"
    header.write_text("int a(void);\nint b(void);\nstatic inline int c(void) { return 0; }\n")
    code = '#include "module.h"\nint a(void) { return 0; }\nint d(void) { return 0; }\n'
    found = read(code, tmp_path).prototypes
    assert {name: function.headers for name, function in found.items()} == {
        "a": (str(header),),
        "c": (),
        "d": (),
    }


def test_results_that_must_be_used(tmp_path: Path) -> None:
    code = """
    int a(void) __attribute__((warn_unused_result));
    int a(void) { return 0; }
    int b(void) { return 0; }
    """
    found = read(code, tmp_path).prototypes
    assert found["a"].must_use and not found["b"].must_use


def test_typedef_names_of_records(tmp_path: Path) -> None:
    names = read("typedef const struct node *other;", tmp_path).record_names
    assert names["node_t"] == "struct node"
    assert names["ring_t"] == "ring_t"
    assert "color" not in names and "other" not in names


def test_records_without_tags_differ(tmp_path: Path) -> None:
    code = "typedef struct { int b; } other_t;\nvoid f(ring_t *r, other_t *o, ring_t *s) {}"
    one, other, again = (p.type for p in read(code, tmp_path).prototypes["f"].params)
    assert without_aliases(one) == without_aliases(again) != without_aliases(other)


def test_which_members_are_known(tmp_path: Path) -> None:
    params = read("void f(struct node *n, struct hidden *h) {}", tmp_path).prototypes["f"].params
    targets = [p.type.target for p in params if isinstance(p.type, Pointer)]
    assert [t.complete for t in targets if isinstance(t, Tagged)] == [True, False]


def test_qualifiers_of_typedef_names() -> None:
    alias = Alias("number", Basic("int", ("const",)), ("volatile",))
    assert resolved(alias) == Basic("int", ("const", "volatile"))
    assert qualified(Basic("int", ("const",)), ("const",)) == Basic("int", ("const",))
    assert declaration(Pointer(Pointer(Basic("int"), ("const",))), "p") == "int *const *p"


def test_check_text(tmp_path: Path) -> None:
    check_text(str(tmp_path / "a.c"), "int x;", DataModel.LP64)
    with pytest.raises(InputError, match=r"a\.c:1:1: unknown type name"):
        check_text(str(tmp_path / "a.c"), "number x;", DataModel.LP64)
