"""Text put into a file: positions before and after."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from predabs.evidence.witness.insertions import Insertions
from predabs.ir.cfa import Coord


def test_the_smaller_piece_is_inside() -> None:
    insertions = Insertions("f.c", b"a + b;")
    insertions.add(0, 1, "(", ")", 1)
    insertions.add(0, 6, "{ ", " }", 2)
    insertions.add(0, 5, "[", "]", 3)
    assert insertions.applied().text == b"{ [(a) + b]; }"


def test_owners_and_positions() -> None:
    insertions = Insertions("f.c", b"int x;\nint yy;\n")
    insertions.add(11, 13, "new(", ")", 7)
    inserted = insertions.applied()
    assert inserted.text == b"int x;\nint new(yy);\n"
    assert inserted.owner(Coord("f.c", 2, 5)) == 7
    assert inserted.owner(Coord("f.c", 2, 9)) is None
    assert inserted.original(Coord("f.c", 2, 9)) == Coord("f.c", 2, 5)
    assert inserted.original(Coord("f.c", 1, 5)) == Coord("f.c", 1, 5)


@given(
    st.text(alphabet="ab\n", min_size=1, max_size=40),
    st.lists(st.tuples(st.integers(0, 40), st.integers(0, 40)), max_size=6),
)
def test_what_was_there_is_found_again(text: str, pieces: list[tuple[int, int]]) -> None:
    data = text.encode()
    insertions = Insertions("f.c", data)
    for number, (one, two) in enumerate(pieces):
        begin, end = sorted((min(one, len(data)), min(two, len(data))))
        insertions.add(begin, end, f"<{number}", f"{number}>", number + 1)
    inserted = insertions.applied()
    lines = data.split(b"\n")
    assert inserted.text.count(b"\n") == data.count(b"\n")
    for line, content in enumerate(lines, 1):
        for column in range(1, len(content) + 1):
            before = Coord("f.c", line, column)
            now = inserted.moved(before)
            assert now.line == line
            assert inserted.text.split(b"\n")[line - 1][now.column - 1] == content[column - 1]
            assert inserted.original(now) == before
            assert inserted.owner(now) is None
