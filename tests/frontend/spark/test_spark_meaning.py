"""What constructs of SPARK mean: programs that assert it, run in the interpreter."""

from __future__ import annotations

import pytest

from predabs.concrete.inputs import RandomInputs
from predabs.concrete.interpreter import execute
from predabs.concrete.outcome import ErrorReached, Exited, Outcome
from predabs.frontend.load import load


def run(declarations: str, statements: str) -> tuple[Outcome, str]:
    text = (
        "with Ada.Text_IO; use Ada.Text_IO;\nwith Interfaces;\n"
        f"procedure Main is\n{declarations}\nbegin\n{statements}\nend Main;\n"
    )
    printed: list[bytes] = []
    program = load(["main.adb"], texts={"main.adb": text})
    outcome = execute(program, RandomInputs(3), max_steps=100_000, output=printed.append)
    return outcome, b"".join(printed).decode()


def holds(declarations: str, *claims: str) -> None:
    outcome, _ = run(declarations, "\n".join(f"pragma Assert ({claim});" for claim in claims))
    assert isinstance(outcome, Exited), outcome


def fails(declarations: str, statements: str) -> str:
    outcome, _ = run(declarations, statements)
    assert isinstance(outcome, ErrorReached), outcome
    return outcome.text


def test_mod_and_rem_differ_in_sign() -> None:
    holds(
        "A : Integer := -7; B : Integer := 3;",
        "A mod B = 2", "A rem B = -1", "A / B = -2", "(-A) mod (-B) = -2", "(-A) rem (-B) = 1",
        "Integer'First rem (-1) = 0", "A mod (-B) = -1",
    )  # fmt: skip


def test_modular_types_wrap_at_their_modulus() -> None:
    holds(
        "type Ten is mod 10; type Byte is mod 256; T : Ten := 7; B : Byte := 250;",
        "T + 5 = 2", "T - 8 = 9", "T * T = 9", "-T = 3", "not T = 2",
        "B + 10 = 4", "(B and 15) = 10", "(B xor 255) = 5", "Ten'Succ (9) = 0",
    )  # fmt: skip


def test_each_type_overflows_at_its_own_base() -> None:
    """`type T is range 0 .. 100` computes in 8 bits, as gnat does it."""
    assert "overflow" in fails("type T is range 0 .. 100; X : T := 100;", "X := (X + X) / 2;")
    assert "range" in fails("type T is range 0 .. 100; X : T := 60;", "X := X + 41;")
    holds("X : Integer := Integer'Last; Y : Long_Integer;", "Long_Integer (X) + 1 > 0")
    assert "overflow" in fails("X : Integer := Integer'First;", "X := -X;")
    assert "overflow" in fails("X : Integer := Integer'First;", "X := abs X;")
    assert "overflow" in fails("X : Integer := Integer'First; Y : Integer := -1;", "X := X / Y;")


@pytest.mark.parametrize(
    ("statement", "what"),
    [
        ("A (I) := 1;", "index check"),
        ("N := I;", "range check"),
        ("X := 1 / Z;", "division by zero"),
        ("C := Color'Succ (C);", "range check"),
        ("C := Color'Val (I);", "range check"),
        ("X := Natural (Z - 1);", "range check"),
        ("P (N, I);", "range check"),
        ("raise Program_Error;", "raised"),
        ("pragma Assert (X > 5);", "assertion failed: X > 5"),
        ("Q (-1);", "precondition of Main.Q: Y > 0"),
    ],
)
def test_run_time_errors(statement: str, what: str) -> None:
    declarations = """
      type Arr is array (1 .. 3) of Integer;  type Color is (Red, Green);
      A : Arr := (1, 2, 3);  I : Integer := -5;  N : Natural := 0;  X : Integer := 0;
      Z : Integer := 0;  C : Color := Green;
      procedure P (One : out Natural; Two : in out Integer) is
      begin One := 1; Two := -1; One := Two; end P;
      procedure Q (Y : Integer) with Pre => Y > 0 is begin null; end Q;"""
    assert what in fails(declarations, statement)


def test_loops_take_each_value_once() -> None:
    _, printed = run(
        "S : Integer := 0;",
        """for I in 1 .. 3 loop S := S + I; end loop;
        for I in reverse 1 .. 3 loop S := S * 10 + I; end loop;
        for I in 3 .. 1 loop S := 0; end loop;
        for I in Integer'Last - 1 .. Integer'Last loop S := S + 1; end loop;
        Outer : for I in 1 .. 3 loop
           for J in 1 .. 3 loop exit Outer when J = 2; S := S + 100_000; end loop;
        end loop Outer;
        Put_Line (Integer'Image (S));""",
    )
    assert printed == " 106323\n"


def test_short_circuits_and_conditions_evaluate_one_side() -> None:
    holds(
        "Z : Integer := 0;",
        "Z = 0 or else 1 / Z = 1",
        "not (Z /= 0 and then 1 / Z = 1)",
        "(if Z = 0 then 5 else 1 / Z) = 5",
        "(case Z is when 0 => 7, when others => 1 / Z) = 7",
    )
    assert "division" in fails("Z : Integer := 0;", "pragma Assert (Z = 0 or 1 / Z = 1);")


def test_names_are_found_whatever_their_case() -> None:
    holds("Speed : INTEGER := 3; function Twice (x : integer) return Integer is (X * 2);",
          "TWICE (speed) = 6", "Main.Speed = 3")  # fmt: skip


def test_parameters_are_copied_and_arrays_are_shared() -> None:
    _, printed = run(
        """type Arr is array (1 .. 9) of Integer;  A : Arr := (others => 1);  X : Integer := 5;
        procedure Double (What : in out Arr; N : in out Integer; M : out Integer) is
        begin
           for I in What'Range loop What (I) := What (I) * 2; end loop;
           N := N + 1; M := N;
        end Double;""",
        "declare Y : Integer; begin Double (M => Y, N => X, What => A);\n"
        "Put_Line (A (9)'Image & X'Image & Y'Image); end;",
    )
    assert printed == " 2 6 6\n"


def test_records_have_defaults_and_are_compared() -> None:
    holds(
        """type Pair is record A : Integer := 3; B : Boolean := True; end record;
        P, Q : Pair;  R : Pair := (A => 4, others => <>);""",
        "P = Q", "P.A = 3 and P.B", "R /= P", "R.A = 4",
    )  # fmt: skip


def test_contracts_of_the_body() -> None:
    declarations = """G : Integer := 0;
      procedure Add (X : Integer) with Post => G = G'Old + X is
      begin G := G + X; if X = 3 then G := 0; end if; end Add;
      procedure Sign (X : Integer) with Contract_Cases => (X > 0 => G = 1, X < 0 => G = -1) is
      begin if X > 0 then G := 1; elsif X < -5 then G := 2; else G := -1; end if; end Sign;"""
    outcome, _ = run(declarations, "Add (2); Sign (1); Sign (-1);")
    assert isinstance(outcome, Exited)
    assert "postcondition of Main.Add" in fails(declarations, "Add (1); Add (3);")
    assert "no contract case" in fails(declarations, "Sign (0);")
    assert "contract case of Main.Sign: G = -1" in fails(declarations, "Sign (-6);")
