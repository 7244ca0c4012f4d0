"""Digests of programs: what changes the automata changes them, and nothing else does."""

from __future__ import annotations

from predabs.ir.digest import digest
from predabs.ir.types import DataModel
from support.c_programs import program_of_c

TEXT = "struct s { int a; char b; } s; int main(void) { int x = s.a; if (x > 3) x++; return x; }"


def test_the_same_text() -> None:
    assert digest(program_of_c(TEXT)) == digest(program_of_c(TEXT))
    assert digest(program_of_c(TEXT)) == digest(program_of_c("\n\n" + TEXT.replace(";", " ;")))


def test_other_programs() -> None:
    changes = [
        ("x > 3", "x > 4"),
        ("x > 3", "x >= 3"),
        ("x++", "x--"),
        ("char b", "short b"),
        ("int x", "long x"),
        ("return x", "return 0"),
        ("s;", "s = { 1 };"),
    ]
    found = {digest(program_of_c(TEXT.replace(old, new))) for old, new in changes}
    found.add(digest(program_of_c(TEXT)))
    found.add(digest(program_of_c(TEXT, data_model=DataModel.ILP32)))
    assert len(found) == len(changes) + 2


def test_deep_terms() -> None:
    text = f"int main(void) {{ int x = 1; x = {'x + ' * 3000} x; return x; }}"
    assert len(digest(program_of_c(text))) == 64
