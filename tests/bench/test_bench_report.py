"""Tables, differences, plots and the page: what is bad comes first, and all is well-formed."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from predabs.bench.answer import Answer
from predabs.bench.database import Known
from predabs.bench.differences import Change, Pair, difference_tables, differences
from predabs.bench.plot import curves, scatter
from predabs.bench.report import html_report, plots, scatter_plot
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
    wrong, scores = all_tables(compared)[:2]
    assert [row[0] for row in wrong.rows] == ["locks/c (unreach-call)"]  # left out, and yet told
    assert [row[:2] for row in scores.rows] == [("now", "2"), ("other", "2")]
    assert "left out: 2 tasks that not all have an answer for" in scores.notes
    assert task_table(compared).rows == [
        ("locks/b (unreach-call)", "FALSE", "FALSE, 1.0", "FALSE, 1.0"),
        ("loops/a (unreach-call)", "TRUE", "TRUE, 2.0", "TRUE, 2.0"),
    ]


def test_configurations_without_a_common_task_have_a_table() -> None:
    tables = all_tables(Compared.of([GOOD, replace(BUG, configuration="other")]))
    assert [row[:2] for row in tables[0].rows] == [("now", "0"), ("other", "0")]
    assert "left out: 2 tasks that not all have an answer for" in tables[0].notes


def test_tasks_without_an_expected_verdict_are_counted() -> None:
    free = [replace(one, expected=None) for one in ALL]
    (scores, _) = all_tables(Compared.of(free))
    assert scores.rows[0][:6] == ("now", "4", "0", "2", "1", "0")
    assert "<polyline" in plots(Compared.of(free))[0]  # verdicts that nobody can judge count there
    assert plots(Compared.of([replace(OPEN, expected=None)])) == []


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
    summary, changed = difference_tables(differences(before, now, "old", "new"))
    assert summary.rows == [("wrong now", "1"), ("lost", "1"), ("won", "1")]
    assert summary.notes[0] == "4 tasks have an answer in both; 1 are as they were"
    assert [row[0] for row in changed.rows] == ["wrong now", "lost", "won"]
    assert changed.rows[0][2:] == ("FALSE", "FALSE, 3.0", "WRONG TRUE, 3.0")


def test_nothing_has_changed() -> None:
    (summary,) = difference_tables(differences(ALL, ALL, "old", "new"))
    assert summary.rows == [("none", "0")]


def test_differences_of_several_configurations_name_them() -> None:
    others = [replace(one, configuration="other") for one in (GOOD, BUG)]
    before, now = [*ALL, *others], [GOOD, replace(others[0], verdict="UNKNOWN"), OPEN]
    summary, changed = difference_tables(differences(before, now, "old", "new"))
    assert changed.heads[:3] == ("change", "task", "configuration")
    assert [row[:3] for row in changed.rows] == [("lost", "loops/a (unreach-call)", "other")]
    assert "3 answers in both; 2 are as they were" in summary.notes
    assert "3 are only in old" in summary.notes


def texts(picture: str) -> list[str]:
    """It is XML; the words in it."""
    root = ElementTree.fromstring(picture)
    return [part.text or "" for part in root.iter("{http://www.w3.org/2000/svg}text")]


def test_logarithmic_axes() -> None:
    found = texts(curves("t", "x", "y", {"a": [(1, 0.1), (1000, 100.0)]}))
    assert {"1", "10", "100", "1000", "0.1"} <= set(found)
    plain = texts(curves("t", "x", "y", {"a": [(1.0, 1.0), (440.0, 2.0)]}, plain_across=True))
    assert {"100", "200", "300", "400"} <= set(plain)
    few = texts(curves("t", "x", "y", {"a": [(3.0, 1.3), (40.0, 1.4)]}, plain_across=True))
    assert {"1", "2"} <= set(few)  # and no axis without a number


def test_long_names_are_inside_the_picture() -> None:
    root = ElementTree.fromstring(curves("t", "x", "y", {"a-rather-long-name": [(1, 1)]}))
    wide = float(root.attrib["viewBox"].split()[2])
    (name,) = (part for part in root.iter() if part.text == "a-rather-long-name")
    assert float(name.attrib["x"]) + 6 * len("a-rather-long-name") < wide


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


def test_kinds_of_points_have_the_same_colour_in_all_plots() -> None:
    every = {name: [replace(one, configuration=name) for one in ALL] for name in ("a", "b")}
    every["a"].reverse()  # what comes first does not matter
    picture = scatter_plot("a", every["a"], "b", list(reversed(every["b"])))
    assert texts(picture)[-4:] == ["both solve", "a only", "b only", "neither"]


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
    known = [Known("now", "predabs", ("--engine", "<lazy>"), "predabs 1")]
    page = html_report("a & b", [*ALL, odd], known, differences(ALL, ALL, "old", "new"))
    reader = Open()
    reader.feed(page)
    assert reader.stack == [] and "<script>" not in page
    heads = [page.index(text) for text in ("wrong verdicts", "differences:", "scores", "plots")]
    assert heads == sorted(heads)
    assert "loops/<script>& (unreach-call)" in reader.seen
    assert "--engine '<lazy>'" in reader.seen and "predabs 1" in reader.seen
    empty = Open()
    empty.feed(html_report("nothing", []))
    assert empty.stack == []
