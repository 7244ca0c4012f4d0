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


ROWS = """type Row is array (Integer range <>) of Integer;
  subtype Three is Row (1 .. 3); subtype Four is Row (5 .. 8);
  A : Three := (1, 2, 3); B : Four := (4, 5, 6, 7); N : Integer := 0;"""


def test_a_parameter_without_bounds_has_those_of_the_call() -> None:
    functions = """
      function First (X : Row) return Integer is (X'First);
      function Last (X : Row) return Integer is (X (X'Last));
      function Size (X : Row) return Natural is (X'Length);
      function Both (X, Y : Row) return Integer is (First (X) + Last (Y));
      procedure Clear (X : in out Row) is begin for E of X loop E := 0; end loop; end Clear;"""
    holds(
        ROWS + functions,
        "First (A) = 1", "First (B) = 5", "Last (A) = 3", "Last (B) = 7", "Size (B) = 4",
        "Both (A, B) = 8", "Both (B, A) = 8", "First (B (6 .. 7)) = 6", "Last (B (6 .. 7)) = 6",
    )  # fmt: skip
    outcome, _ = run(ROWS + functions, "Clear (B); pragma Assert (B = (0, 0, 0, 0) and A (3) = 3);")
    assert isinstance(outcome, Exited), outcome
    wrong = "function At_Nine (X : Row) return Integer is (X (9));"
    assert "index check: 9 is not in 5 .. 8" in fails(ROWS + wrong, "N := At_Nine (B);")


def test_slices_are_read_and_assigned() -> None:
    outcome, _ = run(
        ROWS,
        """A (1 .. 2) := A (2 .. 3); pragma Assert (A = (2, 3, 3));
        B (6 .. 8) := B (5 .. 7); pragma Assert (B = (4, 4, 5, 6));
        B (7 .. 8) := (9, A (1)); pragma Assert (B (7) = 9 and B (8) = 2);
        A := B (5 .. 7); pragma Assert (A (1) = 4 and A (3) = 9);""",
    )
    assert isinstance(outcome, Exited), outcome


def test_arrays_of_different_lengths_are_not_equal() -> None:
    more = "C : Row (1 .. 2) := (1, 2); D : Row (7 .. 9) := (1, 2, 3);"
    holds(ROWS + more, "A /= C", "not (C = A)", "A = D", "A (1 .. 2) = C", "A (1 .. 1) /= C")


def test_functions_return_arrays() -> None:
    functions = """function Twice (X : Three) return Three is
          R : Three;
        begin
          for I in X'Range loop R (I) := 2 * X (I); end loop;
          return R;
        end Twice;
      function Deep (X : Three; K : Natural) return Three is
        (if K = 0 then X else Deep (Twice (X), K - 1));"""
    holds(ROWS + functions, "Twice (A) = (2, 4, 6)", "Deep (A, 3) = (8, 16, 24)",
          "Twice (Twice (A)) (2) = 8", "A (2) = 2")  # fmt: skip


def test_loops_over_elements() -> None:
    outcome, printed = run(
        ROWS,
        """for E of A loop Put_Line (Integer'Image (E)); E := E * 10; end loop;
        for E of reverse A loop Put_Line (Integer'Image (E)); exit when E = 20; end loop;
        pragma Assert ((for all E of A => E mod 10 = 0) and (for some E of B => E = 7));
        pragma Assert (not (for some E of A => E > 30));""",
    )
    assert isinstance(outcome, Exited), outcome
    assert printed.split() == ["1", "2", "3", "30", "20"]


def test_loop_entry_is_the_value_before_the_innermost_loop() -> None:
    outcome, _ = run(
        ROWS,
        """for I in 1 .. 2 loop
          N := N + 1;
          for J in A'Range loop
            A (J) := A (J) + N;
            N := N + 1;
            pragma Loop_Invariant (N = N'Loop_Entry + J and A (J) > A'Loop_Entry (J));
          end loop;
          pragma Loop_Invariant (N = N'Loop_Entry + 4 * I);
        end loop;""",
    )
    assert isinstance(outcome, Exited), outcome
    text = "for I in 1 .. 2 loop N := I; pragma Loop_Invariant (N = N'Loop_Entry); end loop;"
    assert "loop invariant failed" in fails(ROWS, text)
