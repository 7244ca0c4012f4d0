"""Procedures that were stored, in programs that do not have their source."""

from __future__ import annotations

import json
import zlib
from dataclasses import replace
from pathlib import Path

import pytest

from predabs.bdd import Function as States
from predabs.boolprog.bebop import Node
from predabs.c2bp.open_environment import with_open_environment
from predabs.c2bp.program import ProgramPredicates, abstract
from predabs.c2bp.store.codec import decode, encode
from predabs.c2bp.store.stored_procedure import attached, stored
from predabs.cli import main
from predabs.ir.cfa import Edge, Function
from predabs.ir.expr import Const, Var
from predabs.ir.ops import Extent, Havoc, Source
from predabs.ir.types import INT, PointerType
from predabs.store.database import Store
from support.c2bp_random import random_calls
from support.c2bp_runs import Follower, random_predicates, reached
from support.c_programs import program_of_c, write_c
from support.selection import mostly_long

INC = "int inc(int x) { x = x + 1; return x; }"
INC_PREDICATES = "inc:\nx == 'x\nx == 'x + 1\n"
FOO = """int inc(int);
void foo(int a) { int b, c; b = inc(a); c = inc(b); if (a == 2) if (c != 4) reach_error(); }
int main(void) { foo(__VERIFIER_nondet_int()); return 0; }"""
FOO_PREDICATES = "foo:\na == 2\nb == 3\nc == 4\n"


class Shop:
    """A folder with files, and the commands on them."""

    def __init__(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.folder = folder
        self.capsys = capsys
        self.kept = folder / "kept.sqlite"

    def abstract(self, source: str, predicates: str, entry: str = "main", name: str = "a") -> int:
        path = write_c(self.folder, source, f"{name}.c")
        (self.folder / f"{name}.preds").write_text(predicates)
        self.bp = self.folder / f"{name}.bp"
        words = ["abstract", path, "--predicates", str(self.folder / f"{name}.preds")]
        return main([*words, "--entry", entry, "--store", str(self.kept), "-o", str(self.bp)])

    def store(self, source: str, predicates: str, entry: str) -> str:
        """Abstract a function and take its source away; gives what was told."""
        assert self.abstract(source, predicates, entry, entry) == 0
        (self.folder / f"{entry}.c").unlink()
        return self.capsys.readouterr().err

    def verdict(self) -> str:
        main(["bebop", str(self.bp)])
        return self.capsys.readouterr().out.splitlines()[-1]


@pytest.fixture
def shop(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Shop:
    return Shop(tmp_path, capsys)


def test_the_caller_of_bmr05(shop: Shop) -> None:
    """foo is proved with the stored abstraction of inc, and not without it."""
    assert shop.abstract(FOO, FOO_PREDICATES) == 0
    assert "// inc() has no body: it returns anything" in shop.bp.read_text()
    assert shop.verdict() == "VERDICT: FALSE"
    assert shop.store(INC, INC_PREDICATES, "inc") == ""
    assert shop.abstract(FOO, FOO_PREDICATES) == 0
    text = shop.bp.read_text()
    assert "inc(), from its stored abstraction\nbool<2> inc() begin" in text
    assert "has no body" not in text
    assert "x = x + 1;" in text  # the comments of the statements are kept
    assert shop.verdict() == "VERDICT: TRUE"
    assert shop.abstract(FOO.replace("c != 4", "c == 4"), FOO_PREDICATES) == 0
    assert shop.verdict() == "VERDICT: FALSE"


def test_another_caller_with_the_same_abstraction(shop: Shop) -> None:
    shop.store(INC, INC_PREDICATES, "inc")
    source = (
        "int inc(int); int main(void) { int y = inc(72); if (y != 73) reach_error(); return 0; }"
    )
    assert shop.abstract(source, "main:\ny == 73\n") == 0
    assert shop.verdict() == "VERDICT: TRUE"


SWAP = "void swap(int *p, int *q) { int t; t = *p; *p = *q; *q = t; }"
SWAP_PREDICATES = (
    "swap:\n*'p == '*p\n*'q == '*q\n*'p == '*q\n*'q == '*p\nt == '*p\n'*p == '*q\n'p == 'q\n"
)


def test_pointers_to_the_variables_of_the_caller(shop: Shop) -> None:
    """What `swap` does to x and y is known by its outline, and by what it returns."""
    shop.store(SWAP, SWAP_PREDICATES, "swap")
    source = """void swap(int *, int *);
    int main(void) { int x = 5, y = 4, z = 3; swap(&x, &y);
      if (x != 4) reach_error(); if (y != 5) reach_error();
      if (z != 3) reach_error(); return 0; }"""
    predicates = "main:\nx == 4\nx == 5\ny == 4\ny == 5\nz == 3\n"
    assert shop.abstract(source, predicates) == 0
    assert shop.verdict() == "VERDICT: TRUE"
    assert shop.abstract(source.replace("x != 4", "x != 5"), predicates) == 0
    assert shop.verdict() == "VERDICT: FALSE"


@pytest.mark.parametrize(
    "library, kept, caller, predicates, verdict",
    [
        (  # a global of both, which only the library writes
            "int g; void set(int n) { g = n; }",
            "set:\ng == 'n\n",
            """extern int g; void set(int);
            int main(void) { set(3); if (g != 3) reach_error(); return 0; }""",
            "main:\ng == 3\n",
            "TRUE",
        ),
        (
            "int g; void set(int n) { g = n; }",
            "set:\n",
            """extern int g; void set(int);
            int main(void) { g = 3; set(3); if (g != 3) reach_error(); return 0; }""",
            "main:\ng == 3\n",
            "FALSE",
        ),
        (  # it calls other functions, one of the same name as another function here
            """extern int g; static void add(int n) { g = g + n; }
            void set(int n) { g = n; add(0); }""",
            "set:\ng == 1\nn == 1\nadd:\ng == 1\nn == 0\n",
            """int g; void set(int); static int add(void) { return 2; }
            int main(void) { set(1); if (g != 1) reach_error(); g = add(); return 0; }""",
            "main:\ng == 1\n",
            "TRUE",
        ),
        (  # a static variable of the library is nobody else's
            "static int n; int set(int x) { n = n + 1; return x; }",
            "set:\nx == 'x\n",
            """int set(int); int n;
            int main(void) { n = 4; n = set(n); if (n != 4) reach_error(); return 0; }""",
            "main:\nn == 4\n",
            "TRUE",
        ),
        (  # a pointer that it keeps may be written through later
            "int *kept; void set(int *p) { if (kept) *kept = 7; kept = p; }",
            "set:\n",
            """void set(int *); int main(void) { int x, y; x = 1; y = 2; set(&x); x = 1; set(&y);
              if (x != 1) reach_error(); return 0; }""",
            "main:\nx == 1\n",
            "FALSE",
        ),
        (  # a list of the caller; members that it does not write stay
            """struct node { int v; int w; struct node *next; };
            void set(struct node *p) { while (p) { p->v = 0; p = p->next; } }""",
            "set:\n",
            """struct node { int v; int w; struct node *next; }; void set(struct node *);
            int main(void) { struct node n; n.next = 0; n.v = 1; n.w = 1; set(&n);
              if (n.w != 1) reach_error(); return 0; }""",
            "main:\nn.w == 1\n",
            "TRUE",
        ),
        (
            """struct node { int v; int w; struct node *next; };
            void set(struct node *p) { while (p) { p->v = 0; p = p->next; } }""",
            "set:\n",
            """struct node { int v; int w; struct node *next; }; void set(struct node *);
            int main(void) { struct node n, m; n.next = &m; m.next = 0; m.v = 1; set(&n);
              if (m.v != 1) reach_error(); return 0; }""",
            "main:\nm.v == 1\n",
            "FALSE",
        ),
        (  # a predicate of all procedures, known to both
            "int g; void set(int n) { g = n; }",
            "global:\ng == 3\nset:\nn == 3\n",
            """extern int g; void set(int);
            int main(void) { set(3); if (g != 3) reach_error(); return 0; }""",
            "global:\ng == 3\n",
            "TRUE",
        ),
        (  # and known to the library only
            "int g; void set(int n) { g = n; }",
            "global:\ng == 3\nset:\nn == 3\n",
            """extern int g; void set(int);
            int main(void) { set(3); if (g != 3) reach_error(); return 0; }""",
            "main:\ng == 3\n",
            "TRUE",
        ),
        (  # an assertion of the library
            "void set(int n) { if (n != 3) reach_error(); }",
            "set:\nn == 3\n",
            "void set(int); int main(void) { set(3); return 0; }",
            "main:\n",
            "TRUE",
        ),
        (
            "void set(int n) { if (n != 3) reach_error(); }",
            "set:\nn == 3\n",
            "void set(int); int main(void) { set(4); return 0; }",
            "main:\n",
            "FALSE",
        ),
        (  # recursion
            "int set(int n) { int r; if (n <= 0) r = 0; else r = set(n - 1); return r; }",
            "set:\nr == 0\n",
            "int set(int); int main(void) { int x = set(9); if (x != 0) reach_error(); return 0; }",
            "main:\nx == 0\n",
            "TRUE",
        ),
        (  # the result has a name of its own
            "int set(int n) { if (n < 0) return -n; return n + 1; }",
            "set:\nreturn == 'n + 1\nn < 0\n",
            """int set(int);
            int main(void) { int x = set(9); if (x != 10) reach_error(); return 0; }""",
            "main:\nx == 10\n",
            "TRUE",
        ),
    ],
)
def test_callers(
    library: str, kept: str, caller: str, predicates: str, verdict: str, shop: Shop
) -> None:
    assert shop.store(library, kept, "set") == ""
    assert shop.abstract(caller, predicates) == 0
    assert shop.verdict() == f"VERDICT: {verdict}"


def test_what_was_missing_is_named(shop: Shop) -> None:
    """A function without a body, in the part that is not here either."""
    shop.store("void log(int); int set(int n) { log(n); return n; }", "set:\nn == 'n\n", "set")
    assert shop.abstract("int set(int); int main(void) { return set(1); }", "main:\n") == 0
    assert "// log() has no body: it returns anything" in shop.bp.read_text()


def test_stored_procedures_of_stored_procedures(shop: Shop) -> None:
    """`twice` is abstracted without the source of `inc`, and used without its own."""
    shop.store(INC, INC_PREDICATES, "inc")
    twice = "int inc(int); int twice(int y) { y = inc(y); y = inc(y); return y; }"
    predicates = "twice:\ny == 'y\ny == 'y + 1\ny == 'y + 2\n"
    assert shop.store(twice, predicates, "twice") == ""
    Store(shop.kept).put_items([("procedure", "inc", None)])
    caller = (
        "int twice(int); int main(void) { int x = twice(5); if (x != 7) reach_error(); return 0; }"
    )
    assert shop.abstract(caller, "main:\nx == 7\n") == 0
    assert shop.verdict() == "VERDICT: TRUE"


@pytest.mark.parametrize(
    "library, told",
    [
        ("void set(void (*f)(void)) { f(); }", "a function from outside is called"),
        (
            "void *memset(void *, int, unsigned long); void set(char *p) { memset(p, 0, 3); }",
            "what memset or memcpy writes",
        ),
        ("static int n; void set(void) { n = 1; }", "n, which is static"),
    ],
)
def test_what_cannot_be_stored(library: str, told: str, shop: Shop) -> None:
    predicates = "set:\nn == 1\n" if "static" in told else "set:\n"
    shop.store("void set(void) { }", "set:\n", "set")  # an older one is not kept either
    message = shop.store(library, predicates, "set")
    assert "set is not stored for callers without its source: " in message and told in message
    assert "procedure" not in {row[0] for row in Store(shop.kept).rows()}


@pytest.mark.parametrize(
    "library, kept, caller, predicates, told",
    [
        (
            "int set(int n) { return n; }",
            "set:\n",
            "int set(long); int main(void) { return set(1); }",
            "main:\n",
            "it is `int set(int)` there and `int set(long long)` here",
        ),
        (
            "int g; void set(void) { g = 1; }",
            "set:\n",
            "static int g; void set(void); int main(void) { g = 2; set(); return 0; }",
            "main:\ng == 2\n",
            "g is another variable here",
        ),
        (
            "struct s { int a; }; void set(struct s *p) { p->a = 1; }",
            "set:\n",
            "struct s; void set(struct s *); int main(void) { set(0); return 0; }",
            "main:\n",
            "a struct that it uses is another one here",
        ),
        (
            "struct s { int a; } *p; void set(void) { p->a = 1; }",
            "set:\n",
            """struct s { int b, a; } x; void set(void);
            int main(void) { x.a = 2; set(); return 0; }""",
            "main:\n",
            "struct s is laid out differently here",
        ),
        (
            "void other(void); void set(void) { other(); }",
            "set:\n",
            """int g; void other(void) { g = 1; } void set(void);
            int main(void) { other(); set(); return g; }""",
            "main:\n",
            "it was abstracted without the body of other",
        ),
        (
            "extern int g; void set(void) { g = 1; }",
            "set:\n",
            "int g; void set(void); int main(void) { set(); return g; }",
            "global:\ng == 2\n",
            "may change the global predicate {g == 2}, but does not know it",
        ),
        (
            "int set(int n) { return n; }",
            "set:\nn == 'n\n",
            "int set(int); int main(void) { return set(1); }",
            "set:\nn == 1\n",
            "set has no body here",
        ),
    ],
)
def test_what_cannot_be_used(
    library: str, kept: str, caller: str, predicates: str, told: str, shop: Shop
) -> None:
    assert shop.store(library, kept, "set") == ""
    assert shop.abstract(caller, predicates) == 2
    assert told in shop.capsys.readouterr().err


def test_a_changed_source_makes_it_useless(shop: Shop) -> None:
    """As long as the source is where it was, and says something else, it is not used."""
    shop.store(INC, INC_PREDICATES, "inc")
    path = shop.folder / "inc.c"
    write_c(shop.folder, INC, "inc.c")
    assert shop.abstract(FOO, FOO_PREDICATES) == 0
    assert shop.verdict() == "VERDICT: TRUE"
    path.write_text(path.read_text().replace("x + 1", "x + 2"))
    assert shop.abstract(FOO, FOO_PREDICATES) == 0
    assert "inc.c has changed since" in shop.capsys.readouterr().err
    assert shop.verdict() == "VERDICT: FALSE"


@pytest.mark.parametrize("harm", ["cut", "version", "name", "nonsense"])
def test_a_damaged_row_is_not_used(harm: str, shop: Shop) -> None:
    shop.store(INC, INC_PREDICATES, "inc")
    store = Store(shop.kept)
    value = store.item("procedure", "inc")
    assert value is not None
    data = json.loads(zlib.decompress(value))
    match harm:
        case "cut":
            value = value[:-30]
        case "nonsense":
            value = b"\xff\x00"
        case _:
            data["head"]["predabs" if harm == "version" else "name"] = "other"
            value = zlib.compress(json.dumps(data).encode())
    store.put_items([("procedure", "inc", value)])
    assert shop.abstract(FOO, FOO_PREDICATES) == 0
    assert shop.verdict() == "VERDICT: FALSE"


# --- soundness ------------------------------------------------------------------------------------

GLOBALS = "int x, y = 1; int *p = &x; struct s { int k; int l; } s; int (*fun)(int, int *);"
DECLARED = "extern int x, y, *p; struct s { int k; int l; }; extern struct s s;"


class Outside(Follower):
    """Looks at the states of the caller, and of the stored function itself; what that calls, is in
    its own copies."""

    name = ""
    inside = 0

    def call(self, callee: Function, *rest: object) -> None:
        super().call(callee, *rest)
        self.inside += self.inside > 0 or callee.name == self.name

    def leave(self, *rest: object) -> object:
        self.inside -= self.inside > 0
        return super().leave(*rest)

    def _compare(self, function: Function, edge: Edge) -> None:
        if not self.inside or function.name == self.name:
            super()._compare(function, edge)


@pytest.mark.parametrize("seed", mostly_long([2, 3, 24, 27, 43, 44], 2))
def test_runs_are_runs_of_the_abstraction(seed: int) -> None:
    """Runs of a whole program, beside the Boolean program of a part of it with the other stored."""
    assert compared(seed) > 0


def compared(seed: int) -> int:
    """How many states were looked up."""
    source = random_calls(seed).replace("fun(", "h(").replace("fun = &", "y = (int)(long)&")
    source = source.replace("static ", "")
    whole = program_of_c(source)
    called = [name for name in "fgh" if name in whole.functions]
    name = called[seed % len(called)]
    alone = with_open_environment(program_of_c(source.replace(GLOBALS, DECLARED), name))
    mine = random_predicates(alone, seed, 4 + seed % 3)
    made = abstract(alone, mine, 2, lambda: 0.5, open_environment=True)
    kept = stored(alone, made.interfaces[name], mine.shared, made.code, {})
    assert decode(json.loads(json.dumps(encode(kept)))) == kept
    without = {n: f for n, f in whole.functions.items() if n != name}
    here = whole.functions[name].coord
    caller = attached(
        replace(whole, functions=without, externals={name: here, **whole.externals}), {name: kept}
    )
    other = random_predicates(whole, seed + 1, 9)
    predicates = ProgramPredicates(
        mine.shared,
        {**other.own, name: kept.own},
        {**other.constants, name: dict(kept.constants)},
    )
    coded = abstract(caller, predicates, 2, lambda: 0.5, stored={name: kept}).code
    seen = replace(
        predicates,
        own={**other.own, name: mine.own[name]},
        constants={**other.constants, name: mine.constants[name]},
    )
    states = reached(coded)
    known: dict[Node, States] = {}
    visits = 0
    for run in range(6):
        follower = Outside(whole, seen, states, known, run)
        follower.name = name
        follower.run(150)
        visits += follower.visits
    return visits


def test_what_a_library_function_writes_is_stored() -> None:
    count = Var("main::count", INT)
    pointer = Var("main::p", PointerType(INT, 64))
    for most in (None, Const(8, INT)):
        number = Havoc(count, Source.UNKNOWN, "read", Extent(pointer, most))
        assert decode(json.loads(json.dumps(encode(number)))) == number
