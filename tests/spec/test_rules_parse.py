"""Rules as texts: what they become, and where mistakes are found."""

from __future__ import annotations

import pytest

from predabs.errors import InputError
from predabs.ir.cfa import Coord
from predabs.spec.rules import Moment, is_event, parse

LOCK = """// Taken and given back in turn.
state {
    int locked = 0;
}
event lock.entry() {
    if (locked) error "twice \\"now\\"";
    locked = 1;
}
event lock.exit(int result) { }
"""


def test_events_and_messages() -> None:
    rule = parse(LOCK, "lock.rule")
    assert [(e.function, e.moment, e.coord.line) for e in rule.events] == [
        ("lock", Moment.ENTRY, 5),
        ("lock", Moment.EXIT, 9),
    ]
    assert rule.messages == {Coord("lock.rule", 6, 17): 'twice "now"'}
    assert rule.watched == {"lock": Coord("lock.rule", 5, 1)}


def test_the_text_keeps_its_layout() -> None:
    rule = parse(LOCK, "lock.rule")
    old, new = LOCK.splitlines(), rule.text.splitlines()
    assert [len(line) for line in old] == [len(line) for line in new]
    assert new[1].strip() == new[3].strip() == ""
    assert new[4] == "void  lock$entry() {"
    assert new[6] == old[6]


def test_columns_count_bytes_as_clang_does() -> None:
    rule = parse('event f.entry() { /* ä */ error "ö"; }', "f.rule")
    assert [coord.column for coord in rule.messages] == [28]
    assert rule.text.encode().index(
        b";"
    ) == 'event f.entry() { /* ä */ error "ö"; }'.encode().index(b";")


def test_words_in_comments_texts_and_directives_mean_nothing() -> None:
    rule = parse(
        '#define LIMIT "event { state"\n/* event } */ // error {\n'
        "state { char *text = \"}\"; char c = '{'; }\n"
        "event f.entry() { { } }",
        "f.rule",
    )
    assert [event.name for event in rule.events] == ["f.entry"]
    assert not rule.messages


def test_names_of_events() -> None:
    assert is_event("lock.entry") and is_event("f.exit")
    assert not is_event("f") and not is_event("f@a.exit") and not is_event("strlen.model")


@pytest.mark.parametrize(
    ("text", "position", "what"),
    [
        ("", "1:1", "no event"),
        ("state { int x; }\n", "2:1", "no event"),
        ("int x;", "1:1", "expected state or event, not int"),
        ("event f.entry() { } ;", "1:21", "expected state or event, not ;"),
        ("state int x;", "1:7", "expected { after state, not int"),
        ("state {\n  int x;", "1:7", "never closed"),
        ("event", "1:6", "not the end of the file"),
        ("event 3.entry() { }", "1:7", "FUNCTION.entry"),
        ("event f() { }", "1:8", r"expected \. and not \("),
        ("event f.enter() { }", "1:9", "expected entry or exit, not enter"),
        ("event f.entry { }", "1:15", r"expected \( after f.entry, not {"),
        ("event f.entry(int x { }", "1:14", "never closed"),
        ("event f.entry();", "1:16", "expected { before what the event does, not ;"),
        ("event f.entry() {\n  { }\n", "1:17", "never closed"),
        ("event f.entry() {\n  error;\n}", "2:3", "needs a message"),
        ('event f.entry() { error ""; }', "1:19", "needs a message"),
        ("event f.entry() { int error = 1; }", "1:23", "needs a message"),
        ("event f.entry() { }\nevent f.entry() { }", "2:1", "f.entry at r.rule:1:1"),
        ('event f.entry() { error "x; }', "1:25", "not closed on its line"),
        ("event f.entry() { }\n /* x", "2:2", "comment is never closed"),
        ("event f.entry() { if ($1) x = 1; }", "1:23", "name the parameters"),
    ],
)
def test_mistakes_have_a_position(text: str, position: str, what: str) -> None:
    with pytest.raises(InputError, match=rf"^r\.rule:{position}: .*{what}"):
        parse(text, "r.rule")
