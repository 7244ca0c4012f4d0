"""Tables, differences, plots and the page: what is bad comes first, and all is well-formed."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from predabs.bench.answer import Answer
from predabs.bench.differences import Change, Pair, difference_tables, pairs
from predabs.bench.plot import curves, scatter
from predabs.bench.report import html_report, plots
from predabs.bench.tables import Compared, all_tables, task_table
from predabs.records import replace
from support.bench_runs import answer

GOOD = answer("loops/a", "TRUE", True, cpu=2.0)
BUG = answer("locks/b", "FALSE", False, cpu=1.0)
WRONG = answer("locks/c", "TRUE", False, cpu=3.0)
OPEN = answer("loops/d", "UNKNOWN", True, cpu=60.0)
ALL = [GOOD, BUG, WRONG, OPEN]


def test_wrong_verdicts_come_first() -> None:
    wrong, scores, categories = all_tables(Compared.of(ALL))
    assert wrong.rows == [("locks/c (unreach-call)", "now", "TRUE", "FALSE", "3.0")]
    assert scores.rows == [
        ("now", "4", str(2 + 1 - 32), "1/2", "1/2", "1", "1", "0", "66.0", "1.5", "0")
    ]
    assert "score: the rules of SV-COMP; at most 6" in scores.notes
    assert [row[:4] for row in categories.rows] == [
        ("locks", "now", "2", "-31"),
        ("loops", "now", "2", "2"),
        ("all", "now", "4", "-29"),
    ]


def test_only_tasks_of_all_configurations_are_compared() -> None:
    other = [replace(one, configuration="other") for one in ALL[:2]]
    compared = Compared.of([*ALL, *other])
    scores = all_tables(compared)[0]
    assert [row[:2] for row in scores.rows] == [("now", "2"), ("other", "2")]
    assert "left out: 2 tasks that not all have an answer for" in scores.notes
    rows = task_table(compared).rows
    assert rows[0] == ("loops/a (unreach-call)", "TRUE", "TRUE, 2.0", "TRUE, 2.0")


def test_tasks_without_an_expected_verdict_are_counted() -> None:
    free = [replace(one, expected=None) for one in ALL]
    (scores, _) = all_tables(Compared.of(free))
    assert scores.rows[0][:6] == ("now", "4", "0", "2", "1", "0")


def test_no_answers_no_tables() -> None:
    assert all_tables(Compared.of([])) == []


@pytest.mark.parametrize(
    ("before", "now", "change"),
    [
        (GOOD, replace(GOOD, verdict="FALSE"), Change.WRONG_NOW),
        (OPEN, replace(OPEN, verdict="FALSE"), Change.WRONG_NOW),
        (GOOD, replace(GOOD, verdict="UNKNOWN"), Change.LOST),
        (GOOD, replace(GOOD, verdict="ERROR"), Change.LOST),
        (GOOD, replace(GOOD, cpu=4.5), Change.SLOWER),
        (GOOD, replace(GOOD, cpu=2.9), Change.SAME),  # not half as much again
        (replace(GOOD, cpu=0.1), replace(GOOD, cpu=0.9), Change.SAME),  # less than a second
        (OPEN, replace(OPEN, verdict="ERROR"), Change.OTHER),
        (replace(GOOD, cpu=4.5), GOOD, Change.FASTER),
        (OPEN, replace(OPEN, verdict="TRUE"), Change.WON),
        (WRONG, replace(WRONG, verdict="UNKNOWN"), Change.RIGHT_NOW),
        (WRONG, WRONG, Change.SAME),
        (replace(GOOD, expected=None), replace(GOOD, expected=None, verdict="FALSE"), Change.OTHER),
    ],
)
def test_changes(before: Answer, now: Answer, change: Change) -> None:
    assert Pair(before, now).change is change


def test_regressions_come_first() -> None:
    before = [GOOD, BUG, replace(WRONG, verdict="FALSE"), OPEN]
    now = [replace(GOOD, verdict="UNKNOWN"), BUG, WRONG, replace(OPEN, verdict="TRUE")]
    summary, changed = difference_tables(pairs(before, now), "old", "new")
    assert summary.rows == [("wrong now", "1"), ("lost", "1"), ("won", "1")]
    assert summary.notes[0] == "4 tasks have an answer in both; 1 are as they were"
    assert [row[0] for row in changed.rows] == ["wrong now", "lost", "won"]
    assert changed.rows[0][2:] == ("FALSE", "FALSE, 3.0", "WRONG TRUE, 3.0")


def test_nothing_has_changed() -> None:
    (summary,) = difference_tables(pairs(ALL, ALL), "old", "new")
    assert summary.rows == [("none", "0")]


def texts(picture: str) -> list[str]:
    """It is XML; the words in it."""
    root = ElementTree.fromstring(picture)
    return [part.text or "" for part in root.iter("{http://www.w3.org/2000/svg}text")]


def test_logarithmic_axes() -> None:
    found = texts(curves("t", "x", "y", {"a": [(1, 0.1), (1000, 100.0)]}))
    assert {"1", "10", "100", "1000", "0.1"} <= set(found)
    plain = texts(curves("t", "x", "y", {"a": [(1.0, 1.0), (440.0, 2.0)]}, plain_across=True))
    assert {"100", "200", "300", "400"} <= set(plain)


POSITIVE = st.floats(0.001, 1e6)


@given(st.lists(st.tuples(POSITIVE, POSITIVE), max_size=5))
def test_all_points_are_inside(points: list[tuple[float, float]]) -> None:
    pictures = [
        curves("<t>", "x & y", "s", {"a": points}),
        scatter("t", "x", "y", {"a": [(x, y, "<&>") for x, y in points]}),
    ]
    for picture in pictures:
        root = ElementTree.fromstring(picture)
        dots = list(root.iter("{http://www.w3.org/2000/svg}circle"))
        assert len(dots) == len(points)
        for dot in dots:
            assert 69.9 <= float(dot.get("cx", "")) <= 510.1
            assert 39.9 <= float(dot.get("cy", "")) <= 350.1


def test_a_plot_for_each_pair_of_configurations() -> None:
    names = ("a", "b", "c")
    compared = Compared.of([replace(one, configuration=name) for name in names for one in ALL])
    assert len(plots(compared)) == 1 + 3


class Open(HTMLParser):
    """Which tags are open; none must be left."""

    def __init__(self) -> None:
        super().__init__()
        self.stack: list[str] = []
        self.seen: list[str] = []

    def handle_starttag(self, tag: str, attrs: object) -> None:
        if tag != "meta":
            self.stack.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.stack.pop() == tag

    def handle_startendtag(self, tag: str, attrs: object) -> None:
        pass

    def handle_data(self, data: str) -> None:
        self.seen.append(data)


def test_the_page() -> None:
    odd = replace(GOOD, task="loops/<script>&", cpu=0.0)
    page = html_report("a & b", [*ALL, odd], pairs(ALL, ALL), ("old", "new"))
    reader = Open()
    reader.feed(page)
    assert reader.stack == [] and "<script>" not in page
    heads = [page.index(text) for text in ("wrong verdicts", "differences:", "scores", "plots")]
    assert heads == sorted(heads)
    assert "loops/<script>& (unreach-call)" in reader.seen
    empty = Open()
    empty.feed(html_report("nothing", []))
    assert empty.stack == []
