"""What is not SPARK, or not supported, is refused with its place and a message to act on."""

from __future__ import annotations

import pytest

from predabs.cli import main
from predabs.errors import InputError, PredabsError, UnsupportedFeature
from predabs.frontend.load import load
from support.places import PROGRAMS

ROW = "type R is array (Positive range <>) of Integer; X : R (1 .. 3); N : Integer := 1;"
BODY = "procedure Main is\n{declarations}\nbegin\n{statements}\nend Main;\n"


def refused(declarations: str, statements: str = "null;") -> PredabsError:
    text = BODY.format(declarations=declarations, statements=statements)
    with pytest.raises((InputError, UnsupportedFeature)) as caught:
        load(["main.adb"], texts={"main.adb": text})
    return caught.value


@pytest.mark.parametrize(
    ("declarations", "statements", "message"),
    [
        ("type P is access Integer;", "null;", "main.adb:2:11: access types are not supported"),
        ("task T;", "null;", "main.adb:2:1: tasks are not supported"),
        ("E : exception;", "null;", "main.adb:2:1: exceptions are not supported"),
        ("X : Integer;", "X := Y;", "main.adb:4:6: Y is not declared"),
        ("Speed : Integer;", "Sped := 1;", "Sped is not declared; did you mean speed?"),
        ("X : Integer; B : Boolean;", "X := B;", "main.adb:4:6: expected Integer, found Boolean"),
        ("X : Integer; L : Long_Integer;", "X := L;", "convert it: Integer (...)"),
        ("X : Integer; L : Long_Integer;", "X := X + Integer (L) + L;", "two types"),
        ("X : constant Integer := 3;", "X := 4;", "main.adb:4:1: X is not a variable"),
        ("", "for I in 1 .. 3 loop I := 2; end loop;", "I is not a variable"),
        ("X : Integer;", "X := 3_000_000_000;", "which Integer cannot hold"),
        ("X : Integer;", "X := 1 / 0;", "division by zero in a static expression"),
        ("X : Integer;", "if X > 1 and X < 3 or X = 5 then null; end if;", "syntax error near"),
        ("X : Integer;", "case X is when 1 => null; end case;", "no choice for -2147483648"),
        ("procedure P (X : out Integer) is begin X := 1; end P;", "P (3);", "3 is not a variable"),
        ("procedure P (X : Integer) is begin null; end P;", "P;", "fit no declaration of Main.P"),
        ("X : Integer;", "goto L; <<L>> null;", "goto statements are not supported"),
        ("", "begin null; exception when others => null; end;", "exception handlers"),
        ("type A is array (1 .. 3) of Integer; X : A;", "X := (1, 2);", "2 elements for an array"),
        ("type F is digits 6;", "null;", "not supported"),
        ("X : Integer", "null;", "syntax error"),
        (ROW, "X (1 .. N) := X (1 .. 2);", "main.adb:4:9: bounds that are not static"),
        (ROW, "X (2 .. 4) := X;", "main.adb:4:1: 2 .. 4 is empty, or not in 1 .. 3"),
        (ROW, "X := X (1 .. 2);", "main.adb:4:6: 2 elements do not fit into 3"),
        (f"{ROW} procedure P (Y : out R) is begin Y (1) := 1; end P;", "P (X (1 .. 2));",
         "main.adb:4:4: a slice cannot be a variable here"),
        (f"{ROW} procedure P (Y : R) is null;", "null;", "main.adb:2"),
        (f"{ROW} function F (Y : R) return Integer is (Y (1));", "N := F ((1, 2));",
         "main.adb:4:9: the bounds of (1, 2) are not known here"),
        (f"{ROW} function F return R is (X);", "null;", "functions that return unconstrained"),
        (f"{ROW} subtype T is R (1 .. 2); procedure P (Y : T) is begin null; end P;", "P (X);",
         "main.adb:4:4: 3 elements do not fit into 2"),
        (f"{ROW} procedure P (Y : R) is Z : R (1 .. Y'Last + 1); begin P (Z); end P;",
         "P (X);", "Main.P is called with more than 50 bounds of its arrays"),
        (ROW, "for E of N loop null; end loop;", "elements are those of an array"),
        (f"{ROW} C : constant R (1 .. 2) := (1, 2);", "for E of C loop E := 1; end loop;",
         "main.adb:4:17: E is not a variable"),
        (ROW, "pragma Assert (N = N'Loop_Entry);", "'Loop_Entry belongs to the pragmas of a loop"),
        (ROW, "loop pragma Loop_Invariant (X (1)'Loop_Entry = 1); exit; end loop;",
         "'Loop_Entry is supported of whole variables only"),
    ],
)  # fmt: skip
def test_messages(declarations: str, statements: str, message: str) -> None:
    assert message in str(refused(declarations, statements))


def test_aliases_are_refused() -> None:
    two = "procedure P (X, Y : in out Integer) is begin X := Y; end P; A : Integer := 1;"
    assert "A is passed as X and as Y" in str(refused(two, "P (A, A);"))
    shared = """type V is array (1 .. 9) of Integer; G : V := (others => 0);
      procedure P (X : in out V) is begin X (1) := G (2); end P;"""
    assert "uses it as a global too" in str(refused(shared, "P (G);"))


def test_functions_have_no_side_effects() -> None:
    text = (
        "G : Integer := 0; function F return Integer is begin G := 1; return 1; end F; X : Integer;"
    )
    assert "functions have no side effects" in str(refused(text, "X := F;"))


def test_a_global_aspect_names_all_variables() -> None:
    text = """G, H : Integer := 0;
      procedure P with Global => (Input => H, Output => G) is begin G := H; H := 1; end P;"""
    assert "Main.P writes Main.H, which its Global aspect does not allow" in str(
        refused(text, "P;")
    )


def test_recursion_with_shared_variables() -> None:
    text = """procedure Outer (N : Natural) is
        X : Integer := 0;
        procedure Inner is begin X := X + 1; end Inner;
      begin Inner; if N > 0 then Outer (N - 1); end if; end Outer;"""
    assert "Main.Outer is recursive" in str(refused(text, "Outer (3);"))


def test_a_program_has_one_language(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "a.adb", "b.c"]) == 2
    assert "a program has one language" in capsys.readouterr().err


def test_checks_belong_to_a_language(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "a.adb", "--check", "deref"]) == 2
    assert "no check of SPARK" in capsys.readouterr().err
    assert main(["check", "a.c", "--check", "range"]) == 2
    assert "range is a check of SPARK" in capsys.readouterr().err


def test_no_test_in_c(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "a.adb", "--test", "t.c"]) == 2
    assert "--test writes a test in C" in capsys.readouterr().err


def test_no_harness_is_needed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["harness", "a.adb"]) == 2
    assert "SPARK needs no harness" in capsys.readouterr().err


def test_no_witness(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "a.adb", "--witness", "w.yml"]) == 2
    assert "--witness writes SV-COMP's format, which is for C" in capsys.readouterr().err
    assert main(["validate", "w.yml", "a.adb"]) == 2
    assert "witnesses are about C" in capsys.readouterr().err


PACKAGE = """package body P is
   type R is array (Positive range <>) of Integer;
   function Sum (A : R) return Integer is (A (A'First));
   {other}
end P;
"""


def test_what_has_no_bounds_is_checked_for_its_calls() -> None:
    other = "function Two (X : Integer) return Integer is (Sum (R'(1 => X, 2 => X)));"
    with pytest.raises(UnsupportedFeature, match=r"p\.adb:3:18: A has no bounds; check"):
        load(["p.adb"], texts={"p.adb": PACKAGE.format(other="")})
    with pytest.raises(UnsupportedFeature, match="cannot be checked for all callers"):
        load(["p.adb"], entry="Sum", texts={"p.adb": PACKAGE.format(other=other)})
    called = """subtype S is R (2 .. 3);
   function Two (X : S) return Integer is (Sum (X));"""
    program = load(["p.adb"], texts={"p.adb": PACKAGE.format(other=called)})
    assert "P.Sum#2_3" in program.functions
    assert program.assumptions == (
        "P.Sum is checked for the bounds of its calls only: parameter A has none of its own",
    )


def test_the_automata_are_shown_in_ada(capsys: pytest.CaptureFixture[str]) -> None:
    file = str(PROGRAMS / "spark" / "bounded_string.adb")
    assert main(["cfa", file, "--function", "Bounded_String.Append"]) == 0
    shown = capsys.readouterr().out
    first = (
        "procedure Bounded_String.Append (T : Bounded_String.Text; L : (Alpha, Beta, Gamma, Blank))"
    )
    assert shown.startswith(first)
    assert "T.Data (T.Size) := L;" in shown
    assert "//" not in shown.replace(file, "") and ";" in shown
    assert main(["cfa", file]) == 0
    assert "Data : array (1 .. 6) of (Alpha, Beta, Gamma, Blank);" in capsys.readouterr().out
    for form in ("dot", "json"):
        assert main(["cfa", file, "--format", form]) == 0
        assert "T.Data (T.Size) := L;" in capsys.readouterr().out
