"""Reading: what is accepted, what is refused and with which words."""

from __future__ import annotations

import contextlib
from pathlib import Path

import pytest

from predabs.boolprog import Violated, check, parse, parse_file, show
from predabs.boolprog.lexer import Lexer
from predabs.boolprog.parse_expressions import read_expression
from predabs.boolprog.show import show_expression
from predabs.boolprog.syntax import Nary, Return, Skip
from predabs.errors import InputError, UnsupportedFeature
from support.places import BOOLEAN_PROGRAMS


def reread(text: str) -> str:
    return show_expression(read_expression(Lexer(text, "t")))


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a | b & c ^ d = e", "a | ((b & c) ^ (d = e))"),
        ("a => b => c", "a => (b => c)"),
        ("a = b = c", "(a = b) = c"),
        ("!a & ~b", "!a & !b"),
        ("a ? b : c ? d : e", "a ? b : (c ? d : e)"),
        ("a ? b ? c : d : e", "a ? (b ? c : d) : e"),
        ("a => b ? c : d", "(a => b) ? c : d"),
        ("((a & b)) & (c & d)", "a & b & c & d"),
        ("schoose[a | b, !c]", "choose(a | b, !c)"),
        ("choose(choose(a, b), *)", "choose(choose(a, b), *)"),
        ("1 ^ 0 ^ T ^ F ^ true ^ false", "T ^ F ^ T ^ F ^ T ^ F"),
        ("{x  =\n 2} != '{y = 'z}", "{x = 2} != '{y = 'z}"),
        ("'a = b'", "'a = 'b"),
        ("!(a = b)", "!(a = b)"),
        ("!!a", "!!a"),
    ],
)
def test_expressions(text: str, shown: str) -> None:
    assert reread(text) == shown
    assert reread(shown) == shown


def test_long_and_deep_expressions() -> None:
    deep = "(" * 5000 + "a" + " & b)" * 5000
    e = read_expression(Lexer(deep, "t"))
    assert isinstance(e, Nary)
    assert len(e.args) == 5001
    alternating = "(" * 3000 + "a" + " & b) | c)" * 1500
    assert show_expression(read_expression(Lexer(alternating, "t"))).count("&") == 1500
    assert reread("!" * 5000 + "a") == "!" * 5000 + "a"
    program = parse(f"void main() begin decl a, b, c; assume({alternating}); assert(c); end")
    assert isinstance(check(program), Violated)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "1:1: there is no procedure"),
        ("   // only a comment", "there is no procedure"),
        ("decl a", "expected `;` after the declaration, found the end of the file"),
        ("decl a, a; void main() begin end", "`a` is declared twice"),
        ("void main() begin decl a; decl a; end", "`a` is declared twice"),
        ("void f(a, a) begin end", "`a` is declared twice"),
        ("void f() begin end void f() begin end", "1:20: procedure `f` is defined twice"),
        ("void main() begin x := T; end", "1:19: `x` is not declared"),
        ("decl a; void main() begin a := b; end", "`b` is not declared"),
        ("decl a; void main() begin a := 'a; end", "next value `'a` can only stand in"),
        ("decl a; void main() begin a, a := T, F; end", "`a` is assigned twice"),
        ("decl a; void main() begin a := T, F; end", "1 variables are assigned 2 values"),
        ("void main() begin f(); end", "there is no procedure `f`"),
        ("void f(a) begin end void main() begin f(); end", "`f` takes 1 value, but is given 0"),
        ("decl a; bool<2> f() begin end void main() begin a := f(); end", "`f` returns 2 values"),
        ("bool f() begin return; end", "`f` returns 1 value, but 0 stand here"),
        ("void main() begin L: skip; L: skip; end", "label `L` is used twice"),
        ("void main() begin goto M; end", "there is no label `M` in `main`"),
        ("void main() begin skip skip; end", "expected `;` after the statement, found `skip`"),
        ("void main() begin if T then skip; end", "expected a statement, found `end`"),
        ("void main() begin while T do skip; end", "expected a statement, found `end`"),
        ("void main() begin do skip; end", "expected a statement, found `end`"),
        ("void main() begin assert(T; end", "expected `)` for the `(` at line 1, column 25"),
        ("void main() begin assert(); end", "expected an expression, found `)`"),
        ("void main() begin assert(choose(T)); end", "`choose` takes two expressions"),
        ("void main() begin assert(T == F); end", "`==` is not an operator here; write `=`"),
        ("void main() begin assert(T && F); end", "write `&`"),
        ("void main() begin assume T || F; end", "for `or` write `|`"),
        ("void main() begin assert(f(T)); end", "cannot stand inside an expression"),
        ("void main() begin decl end; end", "`end` is a keyword"),
        ("void main() begin skip; decl a; end", "declare all variables at the beginning"),
        ("void main() begin skip; enforce T; end", "`enforce` belongs to the declarations"),
        ("void main() begin /* open", "this comment is never closed"),
        ("void main() begin assert({x := T; end", "has no matching `}`"),
        ("void main() begin assert({ }); end", "a name in braces needs some text"),
        ("void main() begin # end", "unexpected character '#'"),
        ("void main() skip;", "expected `{` or `begin`"),
        ("void p() begin end void q() begin end", "there is no procedure `main`"),
        ("decl _; void main() begin end", "`_` throws a value away"),
        ("void main()", "expected `{` or `begin` of procedure `main`"),
        ("bool<x> f() begin end", "a number, as in `bool<2>`"),
        ("bool<99999> f() begin end", "at most 9999"),
        ("void main() begin " + "if T then " * 200, "nested more than 100 levels deep"),
        ("void main() begin " + "if (T) " * 200, "nested more than 100 levels deep"),
    ],
)
def test_mistakes_are_told_with_their_place(text: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        check(parse(text, "bad.bp"))
    assert str(caught.value).startswith("bad.bp:")
    assert message in str(caught.value)


def test_threads_are_refused_by_name() -> None:
    with pytest.raises(UnsupportedFeature, match=r"t\.bp:1:19: `start_thread`: threads"):
        parse("void main() begin start_thread goto L; L: skip; end", "t.bp")


def test_files(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read: No such file"):
        parse_file(tmp_path / "missing.bp")
    with pytest.raises(InputError, match="cannot be read: Is a directory"):
        parse_file(tmp_path)
    garbage = tmp_path / "garbage.bp"
    garbage.write_bytes(bytes(range(256)))
    with pytest.raises(InputError, match="not a text file"):
        parse_file(garbage)


def test_any_cut_of_a_program_is_an_input_error_or_a_program() -> None:
    text = (BOOLEAN_PROGRAMS / "recursion.bp").read_text("utf-8")
    for end in range(len(text)):
        with contextlib.suppress(InputError):
            parse(text[:end])


def test_labels_before_the_end_and_empty_parts() -> None:
    program = parse("void main() begin if T then else L: fi; begin end; M: N: end")
    last = program.procedures[0].body[-1]
    assert isinstance(last.action, Skip)
    assert last.labels == ("M", "N")
    assert parse(show(program)) == program


def test_entry_is_the_only_procedure_that_nobody_calls() -> None:
    result = check(parse("void f(a) begin assert(a); f(a); end"))
    assert isinstance(result, Violated)
    assert result.run.procedure.name == "f"


def test_results_of_all_kinds_of_types() -> None:
    text = "bool, bool f() { return *, T; } bool<2> g() { return T, F; } void main() { f(); g(); }"
    returned = [s.action for p in parse(text).procedures for s in p.body]
    assert [len(a.values) for a in returned if isinstance(a, Return)] == [2, 2]
