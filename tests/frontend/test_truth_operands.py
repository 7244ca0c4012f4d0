"""Comparisons that come again and again: read once, and never taken for another variable's."""

from __future__ import annotations

from predabs.frontend import ast
from predabs.frontend.lower.jumps import Jumps
from predabs.frontend.lower.side_effects import nodes_of
from predabs.ir.cfa import Coord
from support.ast_text import function


def comparisons(text: str) -> list[ast.Binary]:
    """All comparisons with `==` in a function, in the order of the source; shared ones again."""
    found = [n for n in nodes_of(function(text).body) if isinstance(n, ast.Binary)]
    return [node for node in found if node.op == "=="]


def symbols(text: str) -> list[object]:
    names = []
    for node in comparisons(text):
        left = node.left
        while isinstance(left, ast.Cast):
            left = left.arg
        names.append(left.symbol if isinstance(left, ast.Ref) else left)
    return names


def test_the_same_text_is_one_node() -> None:
    text = "int a, b; int f(void) { return ((a==1) && (b==2)) || (!(a==1) && !(b==2)); }"
    found = comparisons(text)
    assert len(found) == 4 and len(set(found)) == 2


def test_a_declaration_comes_between() -> None:
    text = (
        "int a, b; int f(void) { int r = (a==1) && (b==2); { int a = 3; r += (a==1) && (b==2); }"
        " r += (a==1) && (b==2); for (int a = 0; (a==1) && (b==2); ) ; return (a==1) && (b==2); }"
    )
    found = symbols(text)
    assert len(found) == 10 and len(set(found)) == 4  # the global a, two locals, and b


def test_a_name_is_declared_within_a_declaration() -> None:
    text = (
        "int a, b; int f(void) { int r = (a==1) && (b==1), a = 2, s = (a==1) && (b==1); return s; }"
    )
    assert len(set(symbols(text))) == 3


def test_a_macro_may_change_its_meaning() -> None:
    text = (
        "int a, b, c;\n#define x a\nint f(void) {\n int r = 0; r += (x==1) && (c==1);\n"
        "#undef x\n#define x b\n return r + ((x==1) && (c==1)); }"
    )
    assert len(set(symbols(text))) == 3


def test_positions() -> None:
    """A shared comparison has the position of the first; what it is part of has its own, and so has
    one beside something that has to be evaluated by itself."""
    text = (
        "int a, b; int g(void); int f(void) {\n"
        "  if ((a==1) && (b==2)) return 1;\n"
        "  if ((a==1) && (b==2)) return 2;\n"
        "  if (((a==1)) && g()) return 3;\n"
        "  if (g() || (b==2)) return 4;\n"
        "  return !(a==1); }"
    )
    conditions = [n.cond for n in nodes_of(function(text).body) if isinstance(n, ast.If)]
    by_line = sorted(conditions, key=lambda cond: cond.coord.line)
    assert [cond.coord for cond in by_line] == [
        Coord("t.c", 2, 7),
        Coord("t.c", 3, 7),
        Coord("t.c", 4, 7),
        Coord("t.c", 5, 7),
    ]
    third, fourth = by_line[2], by_line[3]
    assert isinstance(third, ast.Binary) and isinstance(fourth, ast.Binary)
    assert third.left.coord.line == 4 and fourth.right.coord == Coord("t.c", 5, 14)


def test_jumps_over_declarations() -> None:
    text = (
        "int f(int n) { if (n) goto in; int a = 1; { int b = 2; in: n++; int c = 3; n += c; }"
        " if (n < 9) goto in; return a; }"
    )
    body = function(text).body
    jumps = Jumps(body)
    gotos = sorted(
        (node for node in nodes_of(body) if isinstance(node, ast.Goto)),
        key=lambda g: g.coord.column,
    )
    first, second = ([s.name for s in jumps.skipped(goto, "in")] for goto in gotos)
    assert (sorted(first), second) == (["a", "b"], ["b"])
