"""`predabs abstract` of SPARK: the examples of [Mir13], with its predicates in `--%` comments."""

from __future__ import annotations

from pathlib import Path

import pytest

from predabs.cli import main

PAPER = """package body Paper is
   procedure Step (X, Y : in out Integer) is
      --% predicate X >= 0;
      --% predicate Y mod 2 = 0;
   begin
      X := X + 10;
      Y := Y + 1;
   end Step;

   procedure Minus (X : in out Integer) is
      --% predicate X <= 0;
      --% predicate X >= 0;
   begin
      X := -X;
   end Minus;

   procedure Init (X : in out Integer) is
      --% predicate X >= 0;
      --% predicate X <= 100;
   begin
      X := 10;
   end Init;

   procedure Branch (X : in out Integer; Y : Integer) is
      --% predicate X > 0;
      --% predicate Y > 0;
   begin
      if X > 0 then
         X := Y;
      else
         X := 1;
      end if;
      --% assert X > 0;
   end Branch;
end Paper;
"""


def assignments(tmp_path: Path, capsys: pytest.CaptureFixture[str], *options: str) -> list[str]:
    """The lines of the subprogram's code that are no comment."""
    file = tmp_path / "paper.adb"
    file.write_text(PAPER)
    assert main(["abstract", str(file), *options]) == 0
    lines = [line.strip() for line in capsys.readouterr().out.splitlines()]
    begin = next(n for n, line in enumerate(lines) if line.startswith("void Paper$"))
    return [line for line in lines[begin + 1 :] if line and not line.startswith("//")]


def test_the_block_of_section_6(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """b1, b2 := (b1 ? T : *), (!b2 ? T : F) [Mir13, section 9]."""
    direct = assignments(tmp_path, capsys, "--entry", "Step", "--method", "direct")
    assert direct[0] == "{X >= 0}, {Y mod 2 = 0} := choose({X >= 0}, F), !{Y mod 2 = 0};"
    cartesian = assignments(tmp_path, capsys, "--entry", "Step", "--method", "cartesian")
    assert cartesian[0] == "{X >= 0} := choose({X >= 0}, F);"
    assert cartesian[1] == "{Y mod 2 = 0} := !{Y mod 2 = 0};"


def test_the_negation_of_section_5(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The two predicates change places [Mir13]; with >= instead of its >, also for zero."""
    found = assignments(tmp_path, capsys, "--entry", "Minus", "--method", "direct")
    assert "{X <= 0}, {X >= 0} := {X >= 0}, {X <= 0};" in found


@pytest.mark.parametrize("method", ["direct", "cartesian"])
def test_the_initialisation_of_section_9(
    method: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = assignments(tmp_path, capsys, "--entry", "Init", "--method", method)
    assert "{X >= 0}, {X <= 100} := T, T;" in found


def test_control_flow_of_section_11(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = assignments(tmp_path, capsys, "--entry", "Branch", "--control", "predicates")
    text = "\n".join(found)
    assert "if {X > 0} then" in text and "{X > 0} := {Y > 0};" in text


def test_an_assertion_is_checked_by_bebop(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source, out = tmp_path / "paper.adb", tmp_path / "paper.bp"
    source.write_text(PAPER)
    assert main(["abstract", str(source), "--entry", "Branch", "-o", str(out)]) == 0
    assert main(["bebop", str(out)]) == 1  # Y need not be positive
    source.write_text(PAPER.replace("         X := Y;", "         X := X + 1;"))
    assert main(["abstract", str(source), "--entry", "Branch", "-o", str(out)]) == 0
    assert main(["bebop", str(out)]) == 0
    assert "VERDICT: TRUE" in capsys.readouterr().out


def test_a_predicates_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    preds = tmp_path / "paper.preds"
    preds.write_text("Init:\nX = 10  -- a comment\n")
    found = assignments(
        tmp_path, capsys, "--entry", "Init", "--predicates", str(preds), "--method", "direct"
    )
    assert "{X >= 0}, {X <= 100}, {X = 10} := T, T, T;" in found


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("Nowhere:\nX > 0\n", "paper.preds:1:1: Nowhere is no subprogram"),
        ("Init:\nZ > 0\n", "paper.preds:2:1: Z is not declared"),
        ("X > 0\n", "the name of a subprogram must come first"),
        ("Init:\n1 > 0\n", "this is always true"),
    ],
)
def test_bad_predicates(
    text: str, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source, preds = tmp_path / "paper.adb", tmp_path / "paper.preds"
    source.write_text(PAPER)
    preds.write_text(text)
    assert main(["abstract", str(source), "--entry", "Init", "--predicates", str(preds)]) == 2
    assert message in capsys.readouterr().err
