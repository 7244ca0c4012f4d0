"""Reading witnesses: what is wrong is said with file and line, and nothing else ever happens."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from predabs.errors import InputError
from predabs.evidence.witness.content import (
    Action,
    CorrectnessContent,
    InvariantType,
    ViolationContent,
    WaypointType,
)
from predabs.evidence.witness.read_file import read_witness
from predabs.evidence.witness.read_yaml import parse_yaml
from support.witness_files import correctness, invariant, segment, violation, waypoint


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "p.c"
    path.write_text("int main(void) { return 0; }\n")
    return path


def good(file: Path) -> str:
    return violation(
        file,
        segment(
            waypoint(file, "branching", (1, 2), "true", action="avoid"),
            waypoint(file, "function_return", (1, 2), "\\result == 1"),
        ),
        segment(waypoint(file, "target", (1, 18))),
    )


def test_a_correctness_witness(file: Path) -> None:
    witness = parse_yaml(correctness(file, invariant(file, (1, 5), "x <= 1")), "w.yml")
    assert witness.producer == "Someone 1.2.3"
    assert witness.task.data_model == "LP64"
    assert isinstance(witness.content, CorrectnessContent)
    (found,) = witness.content.invariants
    assert (found.type, found.value) == (InvariantType.LOOP, "x <= 1")
    assert (found.location.line, found.location.column) == (1, 5)
    assert found.entry_line == 19


def test_a_violation_witness(file: Path) -> None:
    witness = parse_yaml(good(file), "w.yml")
    assert isinstance(witness.content, ViolationContent)
    first, last = witness.content.segments
    assert [point.action for point in first.avoided] == [Action.AVOID]
    assert first.followed.value == "\\result == 1"
    assert last.followed.type is WaypointType.TARGET


def test_what_the_format_2_1_has_in_common(file: Path) -> None:
    text = correctness(file, invariant(file, (1, 5), "x <= 1"))
    newer = parse_yaml(text.replace("'2.0'", "'2.1'"), "w.yml")
    assert newer.content == parse_yaml(text, "w.yml").content
    contract = text.replace("'2.0'", "'2.1'").replace("loop_invariant", "function_contract")
    with pytest.raises(InputError, match="type 'function_contract' is not one of"):
        parse_yaml(contract, "w.yml")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("format_version: '2.0'", "format_version: '3.1'", "w.yml:3: format_version 3.1: only 2.0"),
        ("format_version: '2.0'", "other: 1", "format_version is missing"),
        ("language: C", "language: Java", "predabs reads C only"),
        ("data_model: LP64", "data_model: LP32", "there are ILP32 and LP64"),
        ("type: target", "type: targett", "'targett' is not one of"),
        ("action: avoid", "action: folow", "'folow' is not one of"),
        ("action: avoid", "action: follow", "only one waypoint to follow"),
        ("type: target", "type: function_enter", "the last segment"),
        ("line: 1,", "line: zero,", "a number from 1 on"),
        ("line: 1,", "line: -1,", "a number from 1 on"),
        ("entry_type: violation_sequence", "entry_type: other", "w.yml:1: entry_type other"),
        ("  content:", "  content: x\n  rest:", "is expected to be a list"),
        ("- entry_type", "entry_type", "w.yml"),
        ("producer:", "producer: [", "w.yml:"),
        ("language: C", "language: C\n      language: C", "given twice"),
        ("          value: 'true'", "          walue: 'true'", "value is missing"),
    ],
)
def test_what_is_wrong_is_said(file: Path, old: str, new: str, message: str) -> None:
    text = good(file)
    assert old in text
    with pytest.raises(InputError, match=r"^w.yml:\d+: ") as problem:
        parse_yaml(text.replace(old, new, 1), "w.yml")
    assert message in str(problem.value)
    assert "\n" not in str(problem.value)


@pytest.mark.parametrize("text", ["", "# nothing", "[]", "7", "- 7", "{a: b}", "&a [*a]", "!!x y"])
def test_no_witness_at_all(text: str) -> None:
    with pytest.raises(InputError, match=r"^w.yml:\d+: "):
        parse_yaml(text, "w.yml")


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot read"):
        read_witness(str(tmp_path / "none.yml"))
    binary = tmp_path / "binary.yml"
    binary.write_bytes(b"\xff\xfe\x00\x80")
    with pytest.raises(InputError, match="not text in UTF-8"):
        read_witness(str(binary))


def test_no_object_is_made_of_a_tag(file: Path) -> None:
    text = good(file).replace("version: 1.2.3", "version: !!python/object/apply:os.abort []")
    with pytest.raises(InputError, match="version is expected to be a text"):
        parse_yaml(text, "w.yml")


@given(st.text(max_size=60))
def test_any_text(text: str) -> None:
    with pytest.raises(InputError):
        parse_yaml(text, "w.yml")


def test_mutated_witnesses_are_read_or_refused(tmp_path: Path) -> None:
    """Lines and characters dropped, doubled and exchanged."""
    path = tmp_path / "p.c"
    path.write_text("int main(void) { return 0; }\n")
    text = good(path)
    chosen = random.Random(7)
    refused = 0
    for _ in range(400):
        lines = text.splitlines(keepends=True)
        for _ in range(chosen.randint(1, 3)):
            number = chosen.randrange(len(lines))
            match chosen.randrange(4):
                case 0:
                    del lines[number]
                case 1:
                    lines.insert(number, lines[chosen.randrange(len(lines))])
                case 2:
                    line = lines[number]
                    at = chosen.randrange(len(line))
                    lines[number] = line[:at] + chosen.choice(":-{}[]'\"\t#&*!|>%@`x0 ") + line[at:]
                case 3:
                    line = lines[number]
                    at = chosen.randrange(len(line))
                    lines[number] = line[:at] + line[at + 1 :]
        try:
            parse_yaml("".join(lines), "w.yml")
        except InputError:
            refused += 1
    assert refused > 100
