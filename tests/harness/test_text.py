"""The text of a harness: arguments, results, declarations; compilers do not warn about it."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from predabs.errors import InputError
from predabs.frontend.compiler_flags import CompilerFlags, SourceFlags
from predabs.harness.module_functions import read_functions
from predabs.harness.plan import choose
from predabs.harness.text import Harness, Request, write_harness
from predabs.ir.types import DataModel


def harness(
    folder: Path,
    code: str,
    *more: str,
    header: str = "",
    init: str | None = None,
    objects: bool = True,
    non_null: bool = False,
    model: DataModel = DataModel.LP64,
) -> Harness:
    """For a module in one or more files; the compiler has nothing to say about it."""
    (folder / "module.h").write_text(header)
    files = [folder / "module.c", *(folder / f"module{n}.c" for n in range(2, len(more) + 2))]
    for file, text in zip(files, (code, *more), strict=True):
        file.write_text(text)
    output = folder / "harness.c"
    request = Request("main", objects, non_null, str(output), model)
    module = read_functions([str(file) for file in files], model)
    written = write_harness(module, choose(module, init), request)
    output.write_text(written.text)
    if shutil.which("gcc") is not None:
        words = ["gcc", "-std=gnu11", "-Wall", "-Werror", "-fsyntax-only", str(output)]
        done = subprocess.run(words, capture_output=True, text=True, check=False)
        assert done.returncode == 0, written.text + done.stderr
    return written


def flat(text: str) -> str:
    return " ".join(text.split())


# --- arguments ------------------------------------------------------------------------------------

TYPES = """
struct point { int x, y; };
struct hidden;
typedef struct { int a; } ring_t;
typedef enum { A, B } color;
enum shade { C = -1 };
typedef int (*handler)(void *user, const struct point *p, ...);
typedef struct point *handle;
"""


@pytest.mark.parametrize(
    ("function", "lines"),
    [
        ("void f(void) {}", ["case 0: f(); break;"]),
        (
            "void f(int x, unsigned char y) {}",
            [
                "int x = __VERIFIER_nondet_int(); unsigned char y = __VERIFIER_nondet_uchar(); "
                "f(x, y);"
            ],
        ),
        (
            "void f(const unsigned long n) {}",
            ["unsigned long n = __VERIFIER_nondet_ulong(); f(n);"],
        ),
        ("void f(signed char c) {}", ["signed char c = __VERIFIER_nondet_char(); f(c);"]),
        ("void f(_Bool b, double d) {}", ["_Bool b = __VERIFIER_nondet_bool();", "f(b, d);"]),
        ("void f(long double d) {}", ["extern long double any_long_double(void);", "f(d);"]),
        ("void f(int, int) {}", ["int value = __VERIFIER_nondet_int();", "f(value, the_value);"]),
        ("void f(color c) {}", ["color c = __VERIFIER_nondet_uint(); f(c);"]),
        ("void f(enum shade s) {}", ["int s = __VERIFIER_nondet_int(); f(s);"]),
        (
            "static void f_init(void) {}\nvoid f(enum shade s) {}",
            ["enum shade s = __VERIFIER_nondet_int(); f(s);"],
        ),
        ("void f(struct point p) {}", ["struct point p = any_point(); f(p);"]),
        (
            "void f(const struct point *p, struct point *q) {}",
            [
                "extern struct point any_point(void);",
                "struct point point_object = any_point(); struct point *point = &point_object;",
                "case 0: f(point, point); break;",
            ],
        ),
        ("void f(ring_t *r) {}", ["ring_t ring_object = any_ring(); ring_t *ring = &ring_object;"]),
        ("void f(struct hidden *h) {}", ["struct hidden *hidden = any_hidden();", "f(hidden);"]),
        (
            "void f(const char *s, char *t) {}",
            ["char *char_pointer = any_char_p", "f(char_pointer,"],
        ),
        (
            "void f(char *const *s) {}",
            ["char **char_pointer_pointer = any_char", "f(char_pointer_"],
        ),
        (
            "void f(int a[3], int b[][2]) {}",
            ["int (*int_array_pointer)[2] = any_int_array_pointer"],
        ),
        ("void f(struct point **out) {}", ["struct point *point = &point_object;", "f(&point);"]),
        (
            "void f(handle h, handle *g) {}",
            ["handle the_handle = &handle_object;", "f(the_handle, &"],
        ),
        (
            "void f(struct point *const *p) {}",
            ["struct point **point_pointer = any_", "f(point_poi"],
        ),
        (
            "void f(handler h) {}",
            [
                "static int some_handler(void *argument1, const struct point *argument2, ...) "
                "{ return __VERIFIER_nondet_int(); }",
                "handler h = __VERIFIER_nondet_int() ? some_handler : 0; f(h);",
            ],
        ),
        (
            "void f(void (*done)(int), struct point *(*find)(void)) {}",
            [
                "static void some_done(int argument1) { }",
                "static struct point *some_find(void) { return any_point(); }",
                "void (*done)(int) = __VERIFIER_nondet_int() ? some_done : 0;",
            ],
        ),
        ("int f(const char *format, ...) { return 0; }", ["case 0: f(char_pointer); break;"]),
        ("struct point f(void) { struct point p = {0}; return p; }", ["case 0: f(); break;"]),
        (
            "__attribute__((warn_unused_result)) int f(int x) { return x; }",
            ["(void)!f(x);"],
        ),
        (
            "int file;\nvoid f(int f, int file) {}",
            ["int the_f = ", "int the_file", "f(the_f, the_f"],
        ),
        (
            "struct file { int x; } file;\nint any_file;\nvoid f(struct file *p) {}",
            ["struct file file_object = any_file_value(); struct file *the_file = &file_object;"],
        ),
        ("typedef int n;\nvoid f(n n) {}", ["n the_n = __VERIFIER_nondet_int(); f(the_n);"]),
    ],
)
def test_arguments(function: str, lines: list[str], tmp_path: Path) -> None:
    text = flat(harness(tmp_path, TYPES + function).text)
    assert [line for line in lines if line not in text] == [], text


def test_pointers_from_outside(tmp_path: Path) -> None:
    code = TYPES + "void f(struct point *p, handler h, handle *g) {}"
    text = flat(harness(tmp_path, code, objects=False).text)
    assert "struct point *point = any_point();" in text
    assert "f(point, h, &point);" in text
    assert "_object" not in text and "assume" not in text


def test_pointers_that_are_not_null(tmp_path: Path) -> None:
    code = TYPES + "void f(struct point *p, char *s, handler h) {}"
    text = flat(harness(tmp_path, code, non_null=True).text)
    assert "extern void __VERIFIER_assume(int condition);" in text
    assert "__VERIFIER_assume(char_pointer != 0);" in text
    assert "f(point, char_pointer, some_handler);" in text
    assert "point != 0" not in text


def test_one_pointer_for_each_type(tmp_path: Path) -> None:
    code = TYPES + "void f(struct point *p) {}\nvoid g(handle h, const struct point *q) {}"
    text = harness(tmp_path, code).text
    assert text.count("_object") == 2
    assert "f(point);" in text and "g(point, point);" in text


# --- init and exit --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("function", "lines"),
    [
        ("int f(void) { return 0; }", "if (f() != 0) return 0;"),
        ("color f(void) { return A; }", "if (f() != 0) return 0;"),
        ("_Bool f(void) { return 1; }", "if (!f()) return 0;"),
        ("void f(void) { }", "{ f(); return 0; }"),
        ("double f(void) { return 0; }", "{ f(); return 0; }"),
        ("struct point f(void) { struct point p = {0}; return p; }", "{ f(); return 0; }"),
        ("char *f(void) { return 0; }", "if (f() == 0) return 0;"),
        (
            "int f(int x) { return x; }",
            "int x = __VERIFIER_nondet_int(); if (f(x) != 0) return 0;",
        ),
    ],
)
def test_the_result_of_init(function: str, lines: str, tmp_path: Path) -> None:
    assert lines in flat(harness(tmp_path, TYPES + function, init="f").text)


def test_an_object_that_init_makes(tmp_path: Path) -> None:
    code = """
    const struct point *f(int size) { return 0; }
    void g(struct point *p, int size) {}
    void q_exit(int size) {}
    """
    text = flat(harness(tmp_path, TYPES + code, init="f").text)
    made = "int size = __VERIFIER_nondet_int(); point = (struct point *)f(size);"
    assert f"struct point *point; {made}" in text
    assert "if (point == 0) return 0;" in text
    assert "int the_size = __VERIFIER_nondet_int(); g(point, the_size);" in text
    assert "int the_size = __VERIFIER_nondet_int(); q_exit(the_size); return 0;" in text
    assert "any_point" not in text


def test_an_object_that_init_takes_and_gives_back(tmp_path: Path) -> None:
    code = "handle f(handle h) { return h; }\nvoid g(struct point *p) {}"
    text = flat(harness(tmp_path, TYPES + code, init="f").text)
    assert "handle the_handle = &handle_object;" in text
    assert "the_handle = f(the_handle); if (the_handle == 0) return 0;" in text


# --- how the files fit together -------------------------------------------------------------------


def test_a_header(tmp_path: Path) -> None:
    code = '#include "module.h"\nvoid f(color c, ring_t *r) {}\nstatic int g(void) { return 0; }'
    written = harness(tmp_path, code, header=f"{TYPES}\nvoid f(color c, ring_t *r);\n")
    assert '#include "module.h"' in written.text
    assert "module.c" not in written.text.split("*/", 1)[1]
    assert written.command.startswith(f"predabs check {tmp_path / 'module.c'} {tmp_path}")


def test_a_header_in_which_a_struct_is_opaque(tmp_path: Path) -> None:
    """The members are in the file only."""
    header = "struct box;\nstruct box *make(void);\nvoid use(struct box *b);\n"
    code = """#include "module.h"
    struct box { int x; };
    struct box *make(void) { return 0; }
    void use(struct box *b) {}
    """
    for objects in (True, False):
        text = harness(tmp_path, code, header=header, init="make", objects=objects).text
        assert '#include "module.c"' in text
    unknown = code.replace("struct box { int x; };", "")
    assert '#include "module.h"' in harness(tmp_path, unknown, header=header).text


def test_a_header_that_needs_another_one(tmp_path: Path) -> None:
    code = 'typedef int number;\n#include "module.h"\nvoid f(number n) {}'
    text = harness(tmp_path, code, header="void f(number n);\n").text
    assert "#include" not in text
    assert "typedef int number;\nextern void f(number n);" in text


def test_declarations(tmp_path: Path) -> None:
    code = """
    #include <stddef.h>
    struct hidden;
    typedef struct hidden *hidden_t;
    typedef enum { A, B } color;
    size_t f(hidden_t h, color c, int (*visit)(const struct hidden *)) { return 0; }
    """
    text = harness(tmp_path, code).text
    assert "#include" not in text
    assert (
        "struct hidden;\ntypedef unsigned long size_t;\ntypedef struct hidden *hidden_t;\n"
        "typedef unsigned int color;\n"
        "extern size_t f(hidden_t h, color c, int (*visit)(const struct hidden *));\n"
    ) in text


@pytest.mark.parametrize(
    "code",
    [
        "static void f_init(void) {}\nvoid g(void) {}",
        "struct point { int x; };\nvoid f(struct point p) {}",
        "struct point { int x; };\nvoid f(struct point *p) {}",
        "typedef struct { int x; } point;\nvoid f(point *p) {}",
        "struct point { int x; };\nvoid f(int (*g)(struct point)) {}",
    ],
)
def test_the_file_itself(code: str, tmp_path: Path) -> None:
    written = harness(tmp_path, code)
    assert '#include "module.c"' in written.text
    assert written.command == f"predabs check {tmp_path / 'harness.c'}"


def test_only_the_files_that_must_be_included(tmp_path: Path) -> None:
    written = harness(
        tmp_path, "static void f_init(void) {}\nvoid g(int x) {}", "void h(int x) {}\nint other;"
    )
    assert '#include "module.c"' in written.text
    assert "extern void h(int x);" in written.text
    assert "g(int" not in written.text
    assert written.command == f"predabs check {tmp_path / 'module2.c'} {tmp_path / 'harness.c'}"


def test_files_that_cannot_be_together(tmp_path: Path) -> None:
    code = "struct point { int x; };\nstatic int g;\nvoid f(struct point *p) {}"
    with pytest.raises(InputError, match=r"module\.c: no harness .*\n.*module2\.c:1:8: redefinit"):
        harness(tmp_path, code, code.replace("f(", "h("))


def test_the_command_has_the_options(tmp_path: Path) -> None:
    (tmp_path / "a file.c").write_text("int f(void) { return X; }")
    request = Request(
        "start", output=None, data_model=DataModel.ILP32, flags=CompilerFlags(("inc",), ("X=1",))
    )
    module = read_functions(
        [str(tmp_path / "a file.c")], DataModel.ILP32, SourceFlags(CompilerFlags((), ("X=1",)))
    )
    written = write_harness(module, choose(module), request)
    assert written.command == (
        f"predabs check '{tmp_path}/a file.c' harness.c --entry start --data-model ILP32 "
        "-I inc -D X=1"
    )
    assert f" *   {written.command}\n" in written.text
    assert "int start(void)\n" in written.text


def test_there_is_a_main_already(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"module\.c:2:5: there is a function main already; .*--e"):
        harness(tmp_path, "int f(void) { return 0; }\nint main(void) { return 0; }")


def test_both_data_models(tmp_path: Path) -> None:
    code = "#include <stddef.h>\nvoid f(size_t n, long x) {}"
    text = harness(tmp_path, code, model=DataModel.ILP32).text
    assert "typedef unsigned int size_t;" in text
    assert "size_t n = __VERIFIER_nondet_uint();" in text
    assert "long x = __VERIFIER_nondet_long();" in text


def test_long_lines_are_folded(tmp_path: Path) -> None:
    params = ", ".join(f"unsigned long parameter_number_{number}" for number in range(8))
    text = harness(tmp_path, f"void f({params}) {{}}").text
    code = [line for line in text.splitlines() if not line.startswith((" *", "/*"))]
    assert 80 < max(len(line) for line in code) <= 100
    declared = re.search(r"extern void f\((.*?)\);", text, re.DOTALL)
    assert declared is not None and flat(declared[1]) == params


def test_comments_stay_comments(tmp_path: Path) -> None:
    folder = tmp_path / "odd*"
    folder.mkdir()
    written = harness(folder, "int f(void) { return 0; }")
    assert written.text.count("*/") == 1
