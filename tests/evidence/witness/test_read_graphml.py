"""Reading witnesses of the format 1.0: what is wrong is said with file and line, and no entity is
ever expanded."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from predabs.errors import InputError
from predabs.evidence.witness.content import Automaton
from predabs.evidence.witness.read_file import read_witness
from predabs.evidence.witness.read_graphml import parse_graphml
from support.graphml_files import edge, graphml, node


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "p.c"
    path.write_text("int main(void) { return 0; }\n")
    return path


def good(file: Path) -> str:
    return graphml(
        "violation_witness",
        file,
        node("A", entry="true"),
        node("B"),
        node("E", violation="true"),
        node("S", sink="true"),
        edge("A", "B", startline="3", assumption="x == 1; y < 2;"),
        edge("A", "S", startline="4", control="condition-false"),
        edge("B", "E", startline="5", enterFunction="reach_error"),
    )


def test_an_automaton(file: Path) -> None:
    witness = parse_graphml(good(file), "w.graphml")
    assert witness.producer == "Someone 1.2.3"
    assert witness.task.data_model == "LP64"
    automaton = witness.content
    assert isinstance(automaton, Automaton) and not automaton.correctness
    assert automaton.entry == "A" and automaton.nodes["E"].violation and automaton.nodes["S"].sink
    first, second, third = automaton.edges
    assert (first.startline, first.assumption) == (3, "(x == 1) && (y < 2)")
    assert second.control is False
    assert third.enters == "reach_error"
    assert good(file).splitlines()[third.line - 1].strip().startswith("<edge")


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("n = 7;", "n == (7)"),
        ("a[i]=s.f", "a[i] == (s.f)"),
        ("x &lt;= 3; y = -1;", "(x <= 3) && (y == (-1))"),
        ("\\result==4", "\\result==4"),
        ("x != 3", "x != 3"),
        ("x += 1", "x += 1"),  # refused later, as any assignment is
    ],
)
def test_what_a_variable_has_got_may_be_an_assignment(file: Path, written: str, read: str) -> None:
    text = good(file).replace("x == 1; y &lt; 2;", written).replace("x == 1; y < 2;", written)
    automaton = parse_graphml(text, "w.graphml").content
    assert isinstance(automaton, Automaton)
    assert automaton.edges[0].assumption == read


def test_it_is_known_by_its_first_character(file: Path, tmp_path: Path) -> None:
    path = tmp_path / "w.yml"
    path.write_text("\n  " + good(file).partition("\n")[2])
    assert isinstance(read_witness(str(path)).content, Automaton)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("violation_witness", "other_witness", "witness-type other_witness: there are"),
        ('<data key="sourcecodelang">C<', '<data key="sourcecodelang">Java<', "reads C only"),
        ("64bit", "16bit", "there are 32bit and 64bit"),
        ('<data key="programfile">', '<data key="other">', "no data for programfile"),
        ('<data key="programhash">', '<data key="programhash">xyz', "no hash of SHA-256 or SHA-1"),
        ('target="E"', 'target="X"', "there is no node X"),
        ('source="B"', 'origin="B"', "the attribute source is missing"),
        ("condition-false", "condition-maybe", "control condition-maybe: there are"),
        ('<data key="startline">3', '<data key="startline">three', "expected to be a number"),
        ('<data key="entry">true', '<data key="entry">false', "0 nodes are the entry"),
        ("</graphml>", "</graph>", "this is no XML"),
        ("</graphml>\n", "", "this is no XML"),
        ("<graphml", "<html", "<html> is not <graphml>"),
    ],
)
def test_what_is_wrong_is_said(file: Path, old: str, new: str, message: str) -> None:
    text = good(file)
    assert old in text
    with pytest.raises(InputError, match=r"^w.graphml:\d+: ") as problem:
        parse_graphml(text.replace(old, new), "w.graphml")
    assert message in str(problem.value)


def test_entities_are_refused(file: Path) -> None:
    levels = "".join(f'<!ENTITY e{n} "{f"&e{n - 1};" * 10}">' for n in range(1, 12))
    laughs = f'<!DOCTYPE graphml [<!ENTITY e0 "ha">{levels}]>'
    for kind in (laughs, '<!DOCTYPE graphml [<!ENTITY e11 SYSTEM "file:///etc/passwd">]>'):
        head, _, rest = good(file).partition("\n")
        text = f"{head}\n{kind}\n{rest}".replace("Someone", "&e11;")
        with pytest.raises(InputError, match=r"w\.graphml:2: a witness has no document type"):
            parse_graphml(text, "w.graphml")


@pytest.mark.parametrize("seed", range(40))
def test_broken_files(file: Path, seed: int) -> None:
    """Whatever is missing or doubled: a witness, or one message."""
    chosen = random.Random(seed)
    lines = good(file).splitlines(keepends=True)
    for _ in range(chosen.randint(1, 3)):
        at = chosen.randrange(len(lines))
        lines[at : at + 1] = [] if chosen.random() < 0.6 else [lines[at]] * 2
    try:
        parse_graphml("".join(lines), "w.graphml")
    except InputError as problem:
        assert str(problem).startswith("w.graphml:") and "\n" not in str(problem)
