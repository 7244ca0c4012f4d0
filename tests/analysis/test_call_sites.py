"""The calls of a program with the versions of their summaries."""

from __future__ import annotations

from pathlib import Path

from predabs.analysis.intervals.call_sites import CallSites
from predabs.analysis.intervals.transfer import Summary, Transfer
from support.analysis_programs import from_text

TEXT = """
int input(void); void one(void) { } void two(void) { } void three(void) { }
int main(void) {
    void (*either)(void) = input() ? one : two;
    either(); either(); three(); input();
    return 0;
}
"""


def test_a_change_is_seen_by_all_calls_that_reach_the_function(tmp_path: Path) -> None:
    item = from_text(TEXT, tmp_path)
    transfer = Transfer(item.program, item.partition, item.effects, item.live)
    sites = CallSites(item.program.functions.values(), transfer.callees)
    first, second = sites.of_callee["one"]
    assert first.callees == second.callees == ("one", "two") and first.group == second.group
    (other,) = sites.of_callee["three"]
    before = [sites.version(site) for site in (first, second, other)]
    sites.summarise("two", Summary(transfer.empty, None))
    after = [sites.version(site) for site in (first, second, other)]
    assert [new != old for new, old in zip(after, before, strict=True)] == [True, True, False]
    sites.summarise("two", None)
    assert "two" not in sites.summaries and sites.version(first) != after[0]


def test_where_calls_are(tmp_path: Path) -> None:
    item = from_text(TEXT, tmp_path)
    transfer = Transfer(item.program, item.partition, item.effects, item.live)
    sites = CallSites(item.program.functions.values(), transfer.callees)
    assert sites.in_function["one"] == []
    for site in sites.in_function["main"]:
        assert sites.of_edge[site.edge] is site and site in sites.into[site.edge.dst]
