"""Predicates files: what they mean, and what is said about mistakes."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from predabs.errors import InputError
from predabs.ir import make
from predabs.ir.cfa import Program
from predabs.ir.expr import And, Bound, Deref, Expr, Forall, Var
from predabs.ir.ops import Assume
from predabs.ir.show import show_expr, unique_name
from predabs.ir.types import INT, DataModel, IntType, PointerType
from predabs.ir.walk import subterms
from predabs.predicates.syntax.file import PredicatesFile, read_predicates
from support.c_programs import program_of_c

TEXT = """typedef struct { int q; struct { int r; }; unsigned b : 3; } T;
struct node { struct node *next; T t; int val; };
int g; unsigned u; char c; long l; int a[4]; struct node *head; T s; float real; int (*fp)(int);
int inc(int x) { static int calls; calls++; x = x + 1; g = x; return x; }
void swap(int *p, int *q) { int t; t = *p; *p = *q; *q = t; }
int twice(int n) { int k = n; { int k = 2; n += k; } for (int i = 0; i < 3; i++) n += k; return n; }
int main(void) {
  int y = 5, g = 4; fp = inc;
  swap(&y, &g); a[c] = inc(y) + twice(g) + l + u + s.q + s.b + s.r + head->next->val + (real > 1);
  return u; }"""
PROGRAM = program_of_c(TEXT)


def read(text: str, program: Program = PROGRAM) -> PredicatesFile:
    return read_predicates(text, program, "p.txt")


def one(text: str, section: str = "main", program: Program = PROGRAM) -> Expr:
    """The condition that a line means."""
    found = read(f"{section}:\n{text}\n", program)
    (predicate,) = found.globals if section == "global" else found.procedures[section]
    return predicate.expr


def shown(text: str, section: str = "main") -> str:
    return show_expr(one(text, section), unique_name)


def mistake(text: str) -> str:
    with pytest.raises(InputError) as caught:
        read(text)
    return str(caught.value)


# --- the file -------------------------------------------------------------------------------------


def test_sections_lines_and_comments() -> None:
    found = read(
        "# nothing yet\n\nglobal:\n  g  ==   1  # one\n  head->next != 0\n"
        "inc:  # polymorphic\nx == 'x\nx == 'x + 1\n\nglobal:\n g < 3\nmain:\n"
    )
    assert [(p.text, p.line) for p in found.globals] == [
        ("g == 1", 4),
        ("head->next != 0", 5),
        ("g < 3", 11),
    ]
    assert {name: [p.text for p in ps] for name, ps in found.procedures.items()} == {
        "inc": ["x == 'x", "x == 'x + 1"],
        "main": [],
    }
    assert [p.line for p in found.procedures["inc"]] == [7, 8]


def test_a_predicate_that_is_written_twice_is_one() -> None:
    found = read("main:\ny == 1\n(y==1)\n1 == y\n")
    assert [p.text for p in found.procedures["main"]] == ["y == 1"]


def test_a_file_is_read(tmp_path: Path) -> None:
    path = tmp_path / "swap.preds"
    path.write_text("swap:\nt == '*p\n")
    assert len(read_predicates(path, PROGRAM).procedures["swap"]) == 1
    path.write_text("swap:\nt ==\n")
    with pytest.raises(InputError, match=r"swap\.preds:2:5: expected an expression"):
        read_predicates(path, PROGRAM)
    with pytest.raises(InputError, match="cannot be read"):
        read_predicates(tmp_path / "none", PROGRAM)


# --- symbolic constants ---------------------------------------------------------------------------


def test_the_predicates_of_swap() -> None:
    """[BMR05, figure 5]."""
    lines = [
        "p == 'p",
        "q == 'q",
        "*'p == '*p",
        "*'q == '*q",
        "*'p == '*q",
        "*'q == '*p",
        "t == '*p",
    ]
    found = read("swap:\n" + "\n".join(lines))
    assert [show_expr(p.expr) for p in found.procedures["swap"]] == lines
    assert [p.text for p in found.procedures["swap"]] == lines
    pointer = PointerType(INT, 64)
    p, q = Var("swap::p", pointer), Var("swap::q", pointer)
    assert dict(found.constants) == {
        Var("swap::'p", pointer): p,
        Var("swap::'q", pointer): q,
        Var("swap::'*p", INT): Deref(p, INT),
        Var("swap::'*q", INT): Deref(q, INT),
    }


def test_constants_belong_to_a_procedure() -> None:
    found = read("inc:\nx == 'x\ntwice:\nn == 'n + 'g\n")
    assert {var.name for var in found.constants} == {"inc::'x", "twice::'n", "twice::'g"}
    assert found.constants[Var("twice::'g", INT)] is Var("g", INT)


def test_a_constant_and_a_character_are_told_apart() -> None:
    assert shown("x == 'x'", "inc") == "inc::x == 120"
    assert shown("x=='x", "inc") == "inc::x == inc::'x"
    assert shown(r"'x < '\n'", "inc") == "inc::'x < 10"
    assert shown("* 'p > ' * p", "swap") == "swap::'*p < *swap::'p"


# --- names ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "section", "means"),
    [
        ("g == 1", "global", "g == 1"),
        ("g == 1", "inc", "g == 1"),
        ("g == 1", "main", "main::g == 1"),  # the local hides the global
        ("calls == 1", "inc", "inc.calls == 1"),  # a static local
        ("k#1 == k#2", "twice", "twice::k == twice::k#2"),
        ("i == 1", "twice", "twice::i == 1"),
        ("fp == inc", "main", "fp == inc"),
        ("fp == &inc", "main", "fp == inc"),
    ],
)
def test_names(text: str, section: str, means: str) -> None:
    assert shown(text, section) == means


# --- expressions ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "means"),
    [
        ("y", "main::y != 0"),
        ("!y", "main::y == 0"),
        ("head", "head != 0"),
        ("y + 2 * 3 < 7", "main::y + 6 < 7"),
        ("y - 1 - 2 < 7", "main::y - 1 - 2 < 7"),
        ("(y & 3) == 1 || y > 2 && y != 5", "(main::y & 3) == 1 || main::y > 2 && main::y != 5"),
        ("~y | -y ^ 3", "(~main::y | -main::y ^ 3) != 0"),
        ("y << 2 >= 1 >> y", "1 >> main::y <= main::y << 2"),
        ("y / 2 == y % 3", "main::y / 2 == main::y % 3"),
        ("a[1] == a[y]", "a[1] == a[main::y]"),
        ("*a == 1", "a[0] == 1"),
        ("*(a + 2) == 1", "a[2] == 1"),
        ("a + 1 == &a[1]", "true"),
        ("head->next->val == 3", "head->next->val == 3"),
        ("(*head).val == 3", "head->val == 3"),
        ("s.q == 1", "s.q == 1"),
        ("s.b == 1", "(int)s.b == 1"),
        ("NULL != head", "head != 0"),
        ("head == 0", "head == 0"),
        ("&y == &g", "&main::y == &main::g"),
        ("head + 1 != head", "head + 1 != head"),
        ("head - head->next > 2", "head - head->next > 2"),
        ("u < 1", "u < 1"),
        ("y < u", "(unsigned int)main::y < u"),
        ("c == 'c'", "(int)c == 99"),
        ("c + l > 0", "(long long)c + l > 0"),
        ("(char)y == 1", "(int)(char)main::y == 1"),
        ("(unsigned long)y == 1", "(unsigned long long)main::y == 1"),
        ("*(char *)&y == 1", "(int)*(char *)&main::y == 1"),
        ("(struct node *)&y == head", None),
        ("(_Bool)y == 1", "main::y != 0"),
        ("y == 0x10 && y == 010 && y == 10u", None),
        ("real < 1.5f", "real < 1.5f"),
        ("(y == 1) == (g == 2)", None),
    ],
)  # fmt: skip
def test_expressions(text: str, means: str | None) -> None:
    if means == "true":
        assert "always true" in mistake(f"main:\n{text}")
    elif means is None:
        assert one(text).type.__class__.__name__ == "BoolType"
    else:
        assert shown(text) == means


def test_members_of_anonymous_members() -> None:
    assert "r" in shown("s.r == 1")
    assert "r" in shown("head->t.r == 1")


def test_ilp32() -> None:
    program = program_of_c("long l; int main(void) { return l; }", data_model=DataModel.ILP32)
    assert one("l == 1", program=program) is make.equal(
        Var("l", IntType(32, True)), make.const(1, IntType(32, True))
    )


CONDITIONS = [
    "x < y + 1", "c * 3 == u", "u - 1 > x", "!(x == y) && c", "x >> 2 << u == y", "-c < ~u",
    "l / 3 > x % 5", "p != 0 && *p == x", "a[x & 3] == *(p + 1)", "s->v == 3",
    "s->n == s", "&x == p", "x == 'A' || (char)x == c", "(unsigned)x > 5u", "h > c", "b && x",
    "p + 1 > p", "q - p == 1", "0x80000000 == u", "2147483648 > x", "!p == !q",
]  # fmt: skip


@pytest.mark.parametrize("text", CONDITIONS)
@pytest.mark.parametrize("model", list(DataModel))
def test_the_front_end_means_the_same(text: str, model: DataModel) -> None:
    """The condition of an `if` is the term that the predicate is."""
    program = program_of_c(
        "struct s { int v; struct s *n; } *s; int x, y, a[9], *p, *q; "
        "char c; unsigned u; long l; unsigned short h; _Bool b;\n"
        f"int main(void) {{ p = &x; if ({text}) return 1; return y; }}",
        data_model=model,
    )
    conditions = [
        edge.op.cond for edge in program.functions["main"].edges if isinstance(edge.op, Assume)
    ]
    found = one(text, program=program)
    if found not in conditions:  # the front end branches for && where an operand can go wrong
        assert isinstance(found, And)
        assert set(found.args) <= set(conditions)


# --- mistakes -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("y == 1", "p.txt:1:1: `global:` or the name of a procedure must come first"),
        ("none:", "p.txt:1:1: none is no procedure that main can reach"),
        ("main:\n  y == ", "p.txt:2:8: expected an expression, not the end of the line"),
        ("main:\ny = 1", "p.txt:2:3: `=` assigns; write `==` to compare"),
        ("main:\ny == 1;", "p.txt:2:7: there is one expression a line, without `;`"),
        ("main:\ny++ == 1", "p.txt:2:2: a predicate has no side effects"),
        ("main:\ninc(1) == 2", "p.txt:2:4: a predicate cannot call a function"),
        ("main:\ny == (1", "p.txt:2:8: expected `)` instead of the end of the line"),
        ("main:\ny == 1 2", "p.txt:2:8: unexpected `2` after the expression"),
        ("main:\ny == @", "p.txt:2:6: unexpected character '@'"),
        ("main:\ny == RED", "p.txt:2:6: no variable RED is known in main (the program does not "
         "use it, or it is a macro or enumerator: write the number)"),
        ("global:\ny == 1", "p.txt:2:1: no variable y is global (a predicate over a procedure's "
         "variables stands in its section)"),
        ("global:\ng == 'g", "p.txt:2:6: only a procedure has symbolic constants: it is entered"),
        ("main:\ny == 'y", "p.txt:2:6: y has no value yet when main is entered"),
        ("inc:\n'*x == 1", "p.txt:2:1: x does not point to a value behind 1 `*`"),
        ("inc:\n&'x == 0", "p.txt:2:1: `&` needs a variable or another place in memory"),
        ("twice:\nk == 1", "p.txt:2:1: twice has several variables k: write k#1, k#2"),
        ("main:\n*y == 1", "p.txt:2:1: `*` needs a pointer, not a int"),
        ("main:\ny->v == 1", "p.txt:2:2: `->` needs a pointer, not a int"),
        ("main:\ny.v == 1", "p.txt:2:2: `.` needs a struct or union, not a int"),
        ("main:\nhead->v == 1", "p.txt:2:7: struct node has no member v (it has: next, t, val)"),
        ("main:\nhead == 1", "p.txt:2:6: a pointer is compared with a number; cast one of them"),
        ("main:\nhead * 2", "p.txt:2:6: `*` cannot be applied to struct node * and int"),
        ("main:\ns == 1", "p.txt:2:3: a T cannot be used as a value here"),
        ("main:\n&s.b == 0", "p.txt:2:1: the bit-field b has no address"),
        ("main:\nreal % 2", "p.txt:2:6: `%` needs integers"),
        ("main:\ny == 08", "p.txt:2:6: `08` is no integer of C that fits into 64 bits"),
        ("main:\n1 == 1", "p.txt:2:1: this is always true"),
        ("main:\nsizeof(y) == 4", "p.txt:2:1: sizeof cannot be read here; write the number"),
        ("main:\n(struct none *)y == 0", "p.txt:2:9: the program has no struct none"),
        ("main:\n" + "(" * 500, "p.txt:2:101: this expression is nested too deeply"),
    ],
)  # fmt: skip
def test_mistakes(text: str, expected: str) -> None:
    assert mistake(text) == expected


@given(st.text(alphabet="xygpa '*&()[].->=!<+-|#019:\n", max_size=30))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        found = read("swap:\n" + text)
    except InputError as problem:
        assert str(problem).startswith("p.txt:")
    else:
        assert all(p.expr.type.__class__.__name__ == "BoolType" for p in found.globals)


# --- quantifiers ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("forall k in 0 .. y: a[k] == 0", "forall k: k < 0 || y < k || a[k] == 0"),
        ("forall k in 1..u-1: a[k] <= k", ""),
        ("forall i in 0 .. 1: forall j in i .. y: a[j] == i", ""),
    ],
)
def test_quantifiers(written: str, meant: str) -> None:
    found = one(written)
    assert isinstance(found, Forall)
    assert {term for term in subterms(found) if isinstance(term, Bound)} == set(found.bound)
    assert [type(bound.type) for bound in found.bound] == [IntType] * len(found.bound)
    assert written.count("forall") == len(found.bound)
    assert not meant or show_expr(found) == meant


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("forall k of 0 .. g: a[k] == 0", "expected `in`"),
        ("forall k in 0 .. g: forall k in 0 .. 1: a[k] == 0", "`k` is bound twice"),
        ("forall k in 0 .. head: a[k] == 0", "the bounds of a quantifier are integers"),
        ("forall k in 0 ... g: a[k] == 0", "expected an expression, not `.`"),
        ("forall k in 0 .. g: *(int *)k == 0", "a bound variable cannot become a pointer"),
        ("forall k in 0 .. g: k < 5 && forall", "no variable forall"),
        ("forall k in 0 .. g: &k == head", "`&` needs a variable"),
        ("forall k in 1 .. 0: k == 0 || k != 0", "this is always true"),
    ],
)
def test_mistakes_in_quantifiers(line: str, message: str) -> None:
    assert message in mistake(f"main:\n{line}\n")
