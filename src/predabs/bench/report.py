"""A report of answers as one HTML page: tables, quantile and scatter plots, differences, all tasks.

It needs no other file and no script.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from .answer import Answer
from .differences import Pair, difference_tables
from .plot import curves, scatter
from .tables import Compared, all_tables, task_table
from .text_table import Table

_LEAST_SECONDS = 0.01  # where a logarithmic axis begins
_STYLE = """
body { font-family: sans-serif; margin: 2em auto; max-width: 1200px; padding: 0 1em; }
table { border-collapse: collapse; margin: 1em 0 0.3em; font-size: 90%; }
th, td { padding: 0.15em 0.7em; border-bottom: 1px solid #ddd; text-align: right; }
th.word, td.word { text-align: left; }
td.bad { background: #f8d7da; }
p.note { color: #555; margin: 0.2em 0; font-size: 90%; }
figure { display: inline-block; width: 560px; margin: 0.5em; }
"""


def html_report(
    title: str,
    answers: Sequence[Answer],
    changes: Sequence[Pair] = (),
    names: tuple[str, str] = ("before", "now"),
) -> str:
    """The page; `changes` are those against another bench, if there is one."""
    compared = Compared.of(answers)
    tables = all_tables(compared)
    first = [table for table in tables if table.title == "wrong verdicts"]
    if not first:
        first = [Table("wrong verdicts", ("task",), [("none",)])]
    parts = [_table(table) for table in first]
    if changes:
        parts += [_table(table) for table in difference_tables(changes, *names)]
    parts += [_table(table) for table in tables if table.title != "wrong verdicts"]
    parts += ["<h2>plots</h2>", *_figures(plots(compared))]
    parts.append(_table(task_table(compared)))
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head><meta charset="utf-8">\n'
        f"<title>{escape(title)}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n"
        f"<h1>{escape(title)}</h1>\n" + "\n".join(parts) + "\n</body>\n</html>\n"
    )


def plots(compared: Compared) -> list[str]:
    """A quantile plot of all configurations, and a scatter plot of each pair."""
    found = [quantile_plot(compared)]
    names = list(compared.by_name)
    for number, one in enumerate(names):
        for other in names[number + 1 :]:
            found.append(scatter_plot(one, compared.by_name[one], other, compared.by_name[other]))
    return found


def quantile_plot(compared: Compared) -> str:
    """How many tasks are solved in how many CPU seconds each."""
    lines = {}
    for name, answers in compared.by_name.items():
        seconds = sorted(max(a.cpu, _LEAST_SECONDS) for a in answers if a.solved)
        if seconds:
            lines[name] = [(float(number), spent) for number, spent in enumerate(seconds, 1)]
    return curves("quantiles", "solved tasks", "CPU s", lines, plain_across=True)


def scatter_plot(one: str, first: Iterable[Answer], other: str, second: Iterable[Answer]) -> str:
    """The CPU seconds of each task with two configurations."""
    kinds: dict[str, list[tuple[float, float, str]]] = {}
    for left, right in zip(first, second, strict=True):
        match left.solved, right.solved:
            case True, True:
                kind = "both solve"
            case True, False:
                kind = f"{one} only"
            case False, True:
                kind = f"{other} only"
            case _:
                kind = "neither"
        text = f"{left.title}: {left.told} {left.cpu:.2f} s, {right.told} {right.cpu:.2f} s"
        point = max(left.cpu, _LEAST_SECONDS), max(right.cpu, _LEAST_SECONDS), text
        kinds.setdefault(kind, []).append(point)
    return scatter("CPU seconds", one, other, kinds)


def _figures(pictures: Iterable[str]) -> list[str]:
    return [f"<figure>{picture}</figure>" for picture in pictures]


def _table(table: Table) -> str:
    def cells(row: Sequence[str], tag: str) -> str:
        made = []
        for number, cell in enumerate(row):
            word = "word" if number in table.left else ""
            bad = "bad" if cell.startswith(("WRONG", "wrong now", "lost")) else ""
            look = " ".join(filter(None, (word, bad)))
            made.append(f"<{tag}{f' class={chr(34)}{look}{chr(34)}' if look else ''}>")
            made.append(f"{escape(cell)}</{tag}>")
        return f"<tr>{''.join(made)}</tr>"

    lines = [f"<h2>{escape(table.title)}</h2>", "<table>", cells(table.heads, "th")]
    lines += [cells(row, "td") for row in table.rows]
    lines += ["</table>", *(f'<p class="note">{escape(note)}</p>' for note in table.notes)]
    return "\n".join(lines)
