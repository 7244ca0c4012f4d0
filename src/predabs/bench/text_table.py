"""Tables as text: for a terminal, and as Markdown for the documentation."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ..records import dataclass


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of cells under a title. The columns of `left` are words, all others numbers.

    >>> print(Table("fruit", ("what", "how many"), (("pear", "3"), ("quince", "12"))).text())
    fruit
    what    how many
    pear           3
    quince        12
    """

    title: str
    heads: Sequence[str]
    rows: Sequence[Sequence[str]]
    left: frozenset[int] = frozenset({0})
    notes: Sequence[str] = ()

    def text(self) -> str:
        """Columns of equal width."""
        lines = [self.heads, *self.rows]
        widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
        shown = [
            "  ".join(
                cell.ljust(width) if number in self.left else cell.rjust(width)
                for number, (cell, width) in enumerate(zip(line, widths, strict=True))
            ).rstrip()
            for line in lines
        ]
        return "\n".join([self.title, *shown, *self.notes])

    def markdown(self) -> str:
        """The same as Markdown.

        >>> print(Table("fruit", ("what", "how many"), (("pear", "3"),)).markdown())
        **fruit**
        <BLANKLINE>
        | what | how many |
        |---|---:|
        | pear | 3 |
        """
        ruler = ["---" if number in self.left else "---:" for number in range(len(self.heads))]
        lines = [f"**{self.title}**", "", _row(self.heads), f"|{'|'.join(ruler)}|"]
        lines += [_row([cell.replace("|", "\\|") for cell in row]) for row in self.rows]
        for note in self.notes:
            lines += ["", note]
        return "\n".join(lines)


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def print_tables(tables: Iterable[Table], markdown: bool = False) -> None:
    """One after the other, with an empty line after each."""
    for table in tables:
        print(table.markdown() if markdown else table.text())
        print()
