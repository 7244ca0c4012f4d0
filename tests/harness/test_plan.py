"""Which functions a harness calls: tables, calls inside the module, names, and what is refused."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest

from predabs.errors import InputError
from predabs.harness.module_functions import ModuleFunctions, read_functions
from predabs.harness.plan import Plan, choose
from predabs.ir.types import DataModel


def read(folder: Path, *texts: str) -> ModuleFunctions:
    files = []
    for number, text in enumerate(texts):
        path = folder / f"file{number}.c"
        path.write_text(text)
        files.append(str(path))
    return read_functions(files, DataModel.LP64)


def names(plan: Plan) -> tuple[str | None, list[str], str | None]:
    return (
        plan.init.name if plan.init else None,
        [function.name for function in plan.entry_points],
        plan.exit.name if plan.exit else None,
    )


# --- tables ---------------------------------------------------------------------------------------

OPERATIONS = """
struct core { int (*reset)(void); };
typedef struct ops { int (*open)(int); void (*close)(void); struct core core; } ops_t;
typedef struct { void (*run)(void); } task_t;
static int a(int x) { return x; }
static int b(int x) { return x; }
static void c(void) {}
static int d(void) { return 0; }
"""


@pytest.mark.parametrize(
    ("code", "type_", "found"),
    [
        ("struct ops o = { .open = a, .close = c };", "struct ops", ["a", "c"]),
        ("struct ops o = { .open = a, .close = c };", "ops", ["a", "c"]),
        ("const ops_t o = { a, c };", "ops_t", ["a", "c"]),
        ("ops_t o = { a, c };", " const  struct   ops", ["a", "c"]),
        ("ops_t o[2] = { [1] = { .open = b } };", "struct ops", ["b"]),
        ("ops_t o = { .core = { .reset = d } };", "struct core", ["d"]),
        ("ops_t o = { .core.reset = d, .open = &a };", "struct ops", ["d", "a"]),
        ("task_t t = { c };", "task_t", ["c"]),
        ("void f(ops_t *o) { o->open = a; }", "struct ops", ["a"]),
        ("void f(ops_t *o, int x) { o[x].core.reset = (int (*)(void))c; }", "ops_t", ["c"]),
        ("void f(ops_t *o, int x) { o->open = x ? a : b; }", "struct ops", ["a", "b"]),
        ("void f(ops_t *o) { ops_t mine = { .open = b }; *o = mine; }", "struct ops", ["b"]),
        ("void f(ops_t *o) { *o = (ops_t){ .close = c }; }", "struct ops", ["c"]),
    ],
)
def test_functions_in_tables(code: str, type_: str, found: list[str], tmp_path: Path) -> None:
    module = read(tmp_path, OPERATIONS + code)
    assert sorted(function.name for function in module.table(type_)) == sorted(found)


def test_what_is_in_no_table(tmp_path: Path) -> None:
    """Functions that are called, compared, stored elsewhere, or have no body."""
    code = """
    extern int other(int);
    int (*pointer)(int) = a;
    ops_t o = { .open = other };
    void f(ops_t *o) { if (o->open == a) o->core.reset = d; pointer = b; d(); }
    """
    module = read(tmp_path, OPERATIONS + code)
    assert [function.name for function in module.table("struct ops")] == ["d"]


@pytest.mark.parametrize(
    ("type_", "message"),
    [
        ("struct opps", r"file0\.c: no function .* of struct opps; did you mean struct ops\?"),
        ("int", r"of int; there are functions in struct core, struct ops"),
    ],
)
def test_no_such_table(type_: str, message: str, tmp_path: Path) -> None:
    module = read(tmp_path, OPERATIONS + "ops_t o = { .core.reset = d };")
    with pytest.raises(InputError, match=message):
        module.table(type_)


def test_no_tables_at_all(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="nor of any other struct"):
        read(tmp_path, OPERATIONS).table("struct ops")


def test_static_functions_of_one_name_are_told_apart(tmp_path: Path) -> None:
    one = OPERATIONS + "ops_t one = { .open = a };"
    two = "struct ops { int (*open)(int); };\nstatic int a(int x) { return 2; }"
    module = read(tmp_path, one, two)
    (found,) = module.table("struct ops")
    assert found.file.endswith("file0.c")
    with pytest.raises(InputError, match=r"file1\.c:2:12: .* another one is at .*file0\.c"):
        module.named("a")


# --- entry points ---------------------------------------------------------------------------------


def test_open_functions(tmp_path: Path) -> None:
    """Those that another file can call, and the module itself does not."""
    code = """
    static int inside(void) { return 1; }
    int used(void) { return inside(); }
    int again(int n) { return n ? again(n - 1) : used(); }
    int other(void);
    int last(void) { return other(); }
    """
    assert names(choose(read(tmp_path, code))) == (None, ["again", "last"], None)


def test_calls_from_other_files_count(tmp_path: Path) -> None:
    module = read(
        tmp_path, "int a(void) { return 0; }", "int a(void);\nint b(void) { return a(); }"
    )
    assert names(choose(module)) == (None, ["b"], None)


def test_a_static_function_hides_that_of_another_file(tmp_path: Path) -> None:
    first = "static int a(void) { return 0; }\nint b(void) { return a(); }"
    module = read(tmp_path, first, "int a(void) { return 0; }")
    assert names(choose(module)) == (None, ["b", "a"], None)


def test_named_functions(tmp_path: Path) -> None:
    module = read(tmp_path, OPERATIONS + "ops_t o = { .open = a };\nint e(void) { return d(); }")
    plan = choose(module, "d", "c", ["e", "b", "e"], ["struct ops"])
    assert names(plan) == ("d", ["e", "b", "a"], "c")
    assert [function.name for function in plan.functions] == ["d", "e", "b", "a", "c"]
    assert plan.remarks == ()


@dataclass(frozen=True)
class Asked:
    """What a user asks for."""

    init: str | None = None
    exit_: str | None = None
    calls: tuple[str, ...] = ()


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (Asked(calls=("opne",)), r"file0\.c: there is no function opne; did you mean open\?"),
        (Asked(init="xyz"), r"file0\.c: there is no function xyz$"),
        (Asked(exit_="other"), r"file0\.c: other is no function with a body"),
        (Asked(calls=("variable",)), r"variable is no function with a body"),
        (Asked(calls=("list",)), r"file0\.c:5:6: list has a va_list as its parameter rest"),
    ],
)
def test_functions_that_cannot_be_called(given: Asked, message: str, tmp_path: Path) -> None:
    code = """#include <stdarg.h>
int variable;
int other(void);
int open(void) { return other(); }
void list(const char *text, va_list rest) {}
"""
    with pytest.raises(InputError, match=message):
        choose(read(tmp_path, code), given.init, given.exit_, given.calls)


def test_what_cannot_be_called_is_left_out(tmp_path: Path) -> None:
    code = "#include <stdarg.h>\nvoid list(va_list rest) {}\nvoid other(void) {}"
    plan = choose(read(tmp_path, code))
    assert names(plan) == (None, ["other"], None)
    assert plan.remarks == ("Not called: list has a va_list as its parameter rest.",)


def test_no_entry_point_at_all(tmp_path: Path) -> None:
    module = read(tmp_path, OPERATIONS + "ops_t o = { .open = a, .core.reset = d };")
    with pytest.raises(InputError, match=r"--table TYPE; functions are stored in struct ops, str"):
        choose(module)


# --- init and exit by their names -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("functions", "found"),
    [
        ("q_init(int *q)|q_put(void)|q_destroy(int *q)", ("q_init", ["q_put"], "q_destroy")),
        ("q_init(void)|q_put(void)|r_destroy(void)", ("q_init", ["q_put", "r_destroy"], None)),
        (
            "init_module(void)|a(void)|cleanup_module(void)",
            ("init_module", ["a"], "cleanup_module"),
        ),
        ("q_put(void)|q_exit(void)", (None, ["q_put"], "q_exit")),
        ("a_init(void)|b_init(void)|c(void)", (None, ["a_init", "b_init", "c"], None)),
        ("a_init(void)|a_part_init(int x)|c(void)", ("a_init", ["a_part_init", "c"], None)),
        ("initial(void)|exit_code(void)", (None, ["initial", "exit_code"], None)),
        ("Q_Initialise(void)|Q_Done(void)|a(void)", ("Q_Initialise", ["a"], "Q_Done")),
    ],
)
def test_names_of_init_and_exit(
    functions: str, found: tuple[str | None, list[str], str | None], tmp_path: Path
) -> None:
    code = "\n".join(f"void {function} {{}}" for function in functions.split("|"))
    plan = choose(read(tmp_path, code))
    assert names(plan) == found
    assert sum("by its name" in remark for remark in plan.remarks) == 2 - found.count(None)


def test_no_guess_where_something_was_said(tmp_path: Path) -> None:
    module = read(tmp_path, "void q_init(void) {}\nvoid q_exit(void) {}\nvoid a(void) {}")
    assert names(choose(module, "-", "-")) == (None, ["q_init", "q_exit", "a"], None)
    assert names(choose(module, "a")) == ("a", ["q_init"], "q_exit")
    assert names(choose(module, calls=["q_init"])) == (None, ["q_init"], "q_exit")


def test_several_may_be_init(tmp_path: Path) -> None:
    plan = choose(read(tmp_path, "void a_init(void) {}\nvoid b_init(void) {}"))
    assert plan.remarks == ("One of these may be the init function (--init): a_init, b_init.",)


def test_static_init_but_none_that_is_called_or_stored(tmp_path: Path) -> None:
    code = """
    struct ops { void (*init)(void); };
    static void stored_init(void) {}
    static void called_init(void) {}
    static void module_init(void) { called_init(); }
    struct ops o = { stored_init };
    """
    plan = choose(read(tmp_path, code), tables=["struct ops"])
    assert names(plan) == ("module_init", ["stored_init"], None)
