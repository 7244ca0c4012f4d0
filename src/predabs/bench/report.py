"""A report of answers as one HTML page: tables, quantile and scatter plots, differences, all tasks.

It needs no other file and no script.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Sequence
from html import escape

from .answer import Answer
from .database import Known
from .differences import Differences, difference_tables
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
figure { display: inline-block; margin: 0.5em; }
figure svg { height: 350px; max-width: 100%; }
"""


def html_report(
    title: str,
    answers: Sequence[Answer],
    configurations: Sequence[Known] = (),
    differences: Differences | None = None,
) -> str:
    """The page; with the differences against another bench, if there is one."""
    compared = Compared.of(answers)
    tables = all_tables(compared)
    first = [table for table in tables if table.title == "wrong verdicts"]
    if not first:
        first = [Table("wrong verdicts", ("task",), [("none",)])]
    parts = [_table(table) for table in first]
    if differences is not None:
        parts += [_table(table) for table in difference_tables(differences)]
    parts += [_table(table) for table in tables if table.title != "wrong verdicts"]
    parts += [_table(_configuration_table(configurations))] if configurations else []
    parts += ["<h2>plots</h2>", *_figures(plots(compared))]
    parts.append(_table(task_table(compared)))
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head><meta charset="utf-8">\n'
        f"<title>{escape(title)}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n"
        f"<h1>{escape(title)}</h1>\n" + "\n".join(parts) + "\n</body>\n</html>\n"
    )


def _configuration_table(configurations: Sequence[Known]) -> Table:
    """What was run."""
    rows = [(one.name, one.tool, shlex.join(one.words), one.version) for one in configurations]
    heads = ("configuration", "tool", "words", "version")
    return Table("configurations", heads, rows, frozenset(range(len(heads))))


def plots(compared: Compared) -> list[str]:
    """A quantile plot of all configurations, and a scatter plot of each pair."""
    found = [quantile_plot(compared)] if any(one.answered for one in compared.every) else []
    names = list(compared.by_name)
    for number, one in enumerate(names):
        for other in names[number + 1 :]:
            found.append(scatter_plot(one, compared.by_name[one], other, compared.by_name[other]))
    return found


def quantile_plot(compared: Compared) -> str:
    """How many tasks are solved in how many CPU seconds each."""
    lines = {}
    for name, answers in compared.by_name.items():
        seconds = sorted(max(a.cpu, _LEAST_SECONDS) for a in answers if a.answered)
        if seconds:
            lines[name] = [(float(number), spent) for number, spent in enumerate(seconds, 1)]
    return curves("quantiles", "solved tasks", "CPU s", lines, plain_across=True)


def scatter_plot(one: str, first: Iterable[Answer], other: str, second: Iterable[Answer]) -> str:
    """The CPU seconds of each task with two configurations."""
    names = ("both solve", f"{one} only", f"{other} only", "neither")
    kinds: dict[str, list[tuple[float, float, str]]] = {name: [] for name in names}
    for left, right in zip(first, second, strict=True):
        match left.answered, right.answered:
            case True, True:
                kind = names[0]
            case True, False:
                kind = names[1]
            case False, True:
                kind = names[2]
            case _:
                kind = names[3]
        text = f"{left.title}: {left.told} {left.cpu:.2f} s, {right.told} {right.cpu:.2f} s"
        point = max(left.cpu, _LEAST_SECONDS), max(right.cpu, _LEAST_SECONDS), text
        kinds[kind].append(point)
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
