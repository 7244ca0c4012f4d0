"""Annotations in comments count wherever they stand, and none is lost."""

from __future__ import annotations

import pytest

from predabs.concrete.inputs import RandomInputs
from predabs.concrete.interpreter import execute
from predabs.concrete.outcome import ErrorReached
from predabs.errors import InputError
from predabs.frontend.load import load

PROGRAM = """procedure Main is
   X : Integer := 0;
   {0}
begin
   {1}
   if X = 0 then
      {2}
      X := 1;
      {3}
   elsif X = 5 then
      X := 2;
      {4}
   else
      X := 3;
      {5}
   end if;
   {6}
   case X is
      {7}
      when 1 =>
         {8}
         X := 10;
         {9}
      when others =>
         X := 11;
         {10}
   end case;
   {11}
   for I in 1 .. 2 loop
      {12}
      X := X + I;
      {13}
   end loop;
   {14}
   declare
      Y : Integer := X;
      {15}
   begin
      {16}
      X := Y;
      {17}
   end;
   {18}
end Main;
"""
_REACHED = {0: 0, 1: 0, 2: 0, 3: 1, 6: 1, 8: 1, 9: 10, 11: 10, 12: 10, 13: 11, 14: 13}
_REACHED |= {15: 13, 16: 13, 17: 13, 18: 13}


def ends(place: int, annotation: str) -> object:
    marks = ["" if number != place else annotation for number in range(19)]
    program = load(["main.adb"], texts={"main.adb": PROGRAM.format(*marks)})
    return execute(program, RandomInputs(1), max_steps=1000)


@pytest.mark.parametrize("mark", ["--#", "--%"])
@pytest.mark.parametrize("place", range(19))
def test_an_assertion_counts_where_it_stands(place: int, mark: str) -> None:
    """It fails where a run comes to it, and holds with the value that X has there."""
    try:
        failed = isinstance(ends(place, f"{mark} assert X = 77;"), ErrorReached)
    except InputError as problem:
        assert "an annotation cannot stand here" in str(problem)
        assert place in (7, 15, 0)
        return
    assert failed == (place in _REACHED)
    if place in _REACHED:
        held = ends(place, f"{mark} assert X = {_REACHED[place]};")
        assert not isinstance(held, ErrorReached) or place in (12, 13)


def test_among_declarations_there_are_no_assertions() -> None:
    text = "procedure Main is\n   X : Integer := 0;\n   --# assert X = 1;\n   Y : Integer;\nbegin\n"
    with pytest.raises(InputError, match="--# assert cannot stand here"):
        load(["main.adb"], texts={"main.adb": f"{text}   null;\nend Main;\n"})


def test_an_annotation_over_several_lines() -> None:
    assert isinstance(ends(1, "--# assert X = 0 and\n   --#  X /= 0;"), ErrorReached)
    with pytest.raises(InputError, match="no semicolon"):
        ends(1, "--# assert X = 0")
    with pytest.raises(InputError, match="is no annotation"):
        ends(1, "--% asert X = 0;")
