"""Places in the source: statements, loops, branches and calls, with their lines and columns."""

from __future__ import annotations

from pathlib import Path

from predabs.frontend.place import Place, PlaceKind
from predabs.frontend.places import FilePlaces, file_places
from predabs.ir.types import DataModel

TEXT = """#define CHECKED(e) do { if (!(e)) fail(); } while (0)
void fail(void);
int f(int a, int b);
int main(void) {
  int x = f(1, 2), y;
  for (int i = 0; i < 3; i++)
    x += i;
  while (x > 3 /* ) */) { x--; }
  do x++; while (x < 10);
  if (x == 1) y = 1; else if (x == 2) y = 2;
  switch (x) { case 4: y = 3; break; case -1: default: y = x ? 4 : 5; }
  CHECKED(x);
again: x = f(f(x, 1), 2);
  if (x) goto again;
  { int x = 3; static int z; y = x + z; }
  return y;
}
"""


def places(tmp_path: Path) -> FilePlaces:
    file = tmp_path / "places.c"
    file.write_text(TEXT)
    return file_places(str(file), DataModel.LP64)


def column(line: int, text: str) -> int:
    return TEXT.splitlines()[line - 1].index(text) + 1


def text_of(source: FilePlaces, place: Place) -> str:
    return source.text[place.begin : place.end].decode()


def at(source: FilePlaces, kind: PlaceKind, line: int) -> list[tuple[int, str]]:
    return [
        (place.column, text_of(source, place))
        for place in source.places
        if place.kind is kind and place.line == line
    ]


def test_statements_with_their_semicolons(tmp_path: Path) -> None:
    source = places(tmp_path)
    assert at(source, PlaceKind.STATEMENT, 5) == [(3, "int x = f(1, 2), y;")]
    assert at(source, PlaceKind.STATEMENT, 7) == [(5, "x += i;")]
    assert at(source, PlaceKind.STATEMENT, 8)[-1] == (27, "x--;")
    assert at(source, PlaceKind.STATEMENT, 12) == [(3, "CHECKED(x);")]
    assert at(source, PlaceKind.STATEMENT, 10) == [
        (3, "if (x == 1) y = 1; else if (x == 2) y = 2;"),
        (15, "y = 1;"),
        (27, "if (x == 2) y = 2;"),
        (39, "y = 2;"),
    ]


def test_a_label_is_a_place_of_its_statement(tmp_path: Path) -> None:
    source = places(tmp_path)
    labelled = at(source, PlaceKind.STATEMENT, 13)
    assert sorted(labelled) == [(1, "x = f(f(x, 1), 2);"), (8, "x = f(f(x, 1), 2);")]


def test_loops_and_their_conditions(tmp_path: Path) -> None:
    source = places(tmp_path)
    loops = [place for place in source.places if place.kind is PlaceKind.LOOP]
    heads = [source.text[slice(*place.head)].decode().strip() for place in loops if place.head]
    assert [(place.form, place.line, place.column) for place in loops] == [
        ("for", 6, 3),
        ("while", 8, 3),
        ("do", 9, 3),
    ]
    assert heads == ["i < 3", "x > 3 /* ) */", "x < 10"]


def test_branches(tmp_path: Path) -> None:
    source = places(tmp_path)
    branches = [place for place in source.places if place.kind is PlaceKind.BRANCH]
    forms = [(place.form, place.line, place.column) for place in branches]
    assert ("if", 10, 27) in forms and ("?", 11, column(11, "?")) in forms
    assert next(place for place in branches if place.form == "switch").cases == (4, -1)


def test_calls_end_with_a_parenthesis(tmp_path: Path) -> None:
    source = places(tmp_path)
    assert at(source, PlaceKind.CALL, 13) == [
        (column(13, ");"), "f(f(x, 1), 2)"),
        (column(13, "), 2"), "f(x, 1)"),
    ]
    calls = [place for place in source.places if place.kind is PlaceKind.CALL]
    assert all(place.form == "f" and not place.is_void for place in calls)


def test_declarations_are_counted_and_have_scopes(tmp_path: Path) -> None:
    source = places(tmp_path)
    declared = [d for d in source.declarations if d.name == "x"]
    assert [d.number for d in declared] == [1, 2]
    inner = declared[1]
    assert source.position(inner.begin)[0] == 15 and source.position(inner.end)[0] == 15
    assert [d.is_static for d in source.declarations if d.name == "z"] == [True]


def test_only_what_is_wanted(tmp_path: Path) -> None:
    file = tmp_path / "two.c"
    file.write_text("int f(void) { return 1; }\nint main(void) { return f(); }\n")
    source = file_places(str(file), DataModel.LP64, wanted=lambda first, last: first <= 2 <= last)
    assert set(source.functions) == {"main"}


def test_a_long_chain_of_branches(tmp_path: Path) -> None:
    count = 400
    chain = " else ".join(f"if (x == {n}) x = {n + 1};" for n in range(count))
    file = tmp_path / "chain.c"
    file.write_text(f"int main(void) {{ int x = 0; {chain} return x; }}")
    source = file_places(str(file), DataModel.LP64)
    assert sum(place.form == "if" for place in source.places) == count
