"""Initialisers of static objects that read constant objects."""

from __future__ import annotations

import pytest

from predabs.errors import UnsupportedFeature
from predabs.ir.show import show_expr
from support.c_programs import program_of_c

MAIN = "int main(void) { return %s; }"


def initial(text: str, used: str) -> dict[str, list[str]]:
    """By variable, the assignments of its initialiser."""
    program = program_of_c(text + MAIN % used)
    return {
        item.var.name: [f"{show_expr(a.target)} = {show_expr(a.value)}" for a in item.init]
        for item in program.globals
    }


def test_scalars_in_any_order() -> None:
    found = initial("static const int a = 5; static const int b = a + 1; int c = b * a;", "c")
    assert found == {"c": ["c = 30"], "b": ["b = 6"], "a": ["a = 5"]}


def test_what_nobody_names_is_zero() -> None:
    text = "static const struct { int x, y[3]; double d; } k = {.y = {[1] = 4}};"
    found = initial(text + "int a = k.x, b = k.y[1], c = k.y[2]; double d = k.d;", "a + b + c + !d")
    assert [found[name] for name in "abcd"] == [["a = 0"], ["b = 4"], ["c = 0"], ["d = 0.0"]]


def test_records_are_taken_apart() -> None:
    text = """struct in { int x, y[2]; }; struct out { int n; struct in i; };
    static const struct in k = {1, {0, 3}};
    static const struct out o = {7, k};
    struct out copy = o; struct in part = o.i;"""
    found = initial(text, "copy.n + part.x")
    assert found["copy"] == ["copy.n = 7", "copy.i.x = 1", "copy.i.y[1] = 3"]
    assert found["part"] == ["part.x = 1", "part.y[1] = 3"]


def test_an_address_is_not_read() -> None:
    found = initial("static const int a = 5; const int *p = &a; int n = a;", "*p + n")
    assert found["p"] == ["p = &a"]


def test_members_of_unions_are_refused() -> None:
    text = "static const union { int i; char c[4]; } u = {258}; int copy = u.i;"
    with pytest.raises(UnsupportedFeature, match="the initialiser of copy is not a constant"):
        initial(text, "copy")
