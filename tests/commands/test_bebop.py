"""`predabs bebop` as a user sees it: exit code, last line, JSON, limits."""

from __future__ import annotations

import argparse
import json
import random
from pathlib import Path

import pytest

from predabs.commands import bebop as command
from predabs.errors import InputError
from support.places import BOOLEAN_PROGRAMS


def bebop(*words: str) -> int:
    parser = argparse.ArgumentParser()
    command.add_arguments(parser)
    return command.run(parser.parse_args(words))


def last_line(capsys: pytest.CaptureFixture[str]) -> str:
    return capsys.readouterr().out.rstrip("\n").split("\n")[-1]


def test_true(capsys: pytest.CaptureFixture[str]) -> None:
    assert bebop(str(BOOLEAN_PROGRAMS / "enforce.bp")) == 0
    assert capsys.readouterr().out == "VERDICT: TRUE\n"


def test_false_with_a_trace(capsys: pytest.CaptureFixture[str]) -> None:
    path = BOOLEAN_PROGRAMS / "falls_off.bp"
    assert bebop(str(path)) == 1
    assert capsys.readouterr().out.split("\n") == [
        f"{path}:10:3: `assert(a)` can fail, after 4 steps",
        "  start of main: a=0",
        "  main:9: a := any()                             no variables",
        "  | any:4: skip                                  no variables",
        "  | any:3: end                                   result 1=0",
        "  main:9: back from any                          a=0",
        "  main:10: assert(a)                             a=0",
        "VERDICT: FALSE",
        "",
    ]


def test_json(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert bebop(str(BOOLEAN_PROGRAMS / "recursion.bp"), "--json", "-", "--invariants") == 1
    first, last, _ = capsys.readouterr().out.split("\n")
    data = json.loads(first)
    assert last == "VERDICT: FALSE"
    assert (data["verdict"], data["engine"], data["steps"]) == ("FALSE", "bebop", 18)
    assert len([s for s in data["trace"] if "back" not in s]) == 18
    assert data["trace"][-1]["values"] == {"c1": False, "c0": False, "seen": True, "r": True}
    assert {i["states"] for i in data["invariants"] if "OUT" in i["labels"]} == {"!c1 & !c0 & deep"}
    target = tmp_path / "out.json"
    assert bebop(str(BOOLEAN_PROGRAMS / "recursion.bp"), "--json", str(target)) == 1
    assert json.loads(target.read_text("utf-8"))["steps"] == 18
    with pytest.raises(InputError, match="cannot be written"):
        bebop(str(BOOLEAN_PROGRAMS / "recursion.bp"), "--json", str(tmp_path))


def test_label(capsys: pytest.CaptureFixture[str]) -> None:
    assert bebop(str(BOOLEAN_PROGRAMS / "enforce.bp"), "--label", "X") == 1
    assert "label `X` can be reached, after" in capsys.readouterr().out
    with pytest.raises(InputError, match="there is no label `Y`"):
        bebop(str(BOOLEAN_PROGRAMS / "enforce.bp"), "--label", "Y")


def test_invariants(capsys: pytest.CaptureFixture[str]) -> None:
    assert bebop(str(BOOLEAN_PROGRAMS / "enforce.bp"), "--invariants") == 0
    out = capsys.readouterr().out
    assert "X: assert(!b)" in out
    assert "a & !b" in out


@pytest.mark.parametrize("states", ["trivectors", "trivector"])
def test_weaker_states(capsys: pytest.CaptureFixture[str], states: str) -> None:
    path = str(BOOLEAN_PROGRAMS / "figure_001_3.bp")
    assert bebop(path, "--states", states, "--focus", "all") == 0
    assert last_line(capsys) == "VERDICT: TRUE"
    assert bebop(path, "--states", states, "--focus", "none") == 3
    assert last_line(capsys).startswith("VERDICT: UNKNOWN (trivectors cannot exclude")


def test_compare_tells_where_precision_is_lost(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    # [BPR01, example 3]: the test x = y relates two variables.
    path = tmp_path / "filter.bp"
    path.write_text("void main() begin decl x, y; assume(x = y); L: assert(x => y); end")
    assert bebop(str(path), "--compare") == 0
    out = capsys.readouterr().out.split("\n")
    (row,) = [line for line in out if "assert(x => y)" in line]
    assert row.split()[-7:] == ["2", "4+", "2", "2", "4+", "4+", "4+"]
    assert any("trivectors/all: loses at 0 of" in line for line in out)
    # [BPR01, example 2]: a relation between next values is lost under every focus.
    path.write_text("void main() begin decl x, y; x, y := *, * constrain 'x != 'y; L: skip; end")
    assert bebop(str(path), "--compare", "--json", "-") == 0
    data = json.loads(capsys.readouterr().out.split("\n")[0])
    (row,) = [r for r in data["comparison"]["locations"] if r["statement"] == "skip"]
    assert row["bdd"] == 2
    assert row["trivectors/all"] == 4


def test_limits_end_as_unknown(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    rng = random.Random(1)
    names = [f"v{i}" for i in range(40)]
    # A random quadratic form has no small diagram in any order.
    pairs = [f"({a} & {b})" for a in names for b in names if a < b and rng.random() < 0.5]
    big = tmp_path / "big.bp"
    big.write_text(
        f"void main() begin decl {', '.join(names)}; assume({' ^ '.join(pairs)}); skip; end"
    )
    counter = tmp_path / "counter.bp"
    bits = [f"b{i}" for i in range(24)]
    carry = ["T", *(" & ".join(bits[:i]) for i in range(1, 24))]
    step = ", ".join(f"{b} ^ ({c})" for b, c in zip(bits, carry, strict=True))
    all_bits = ", ".join(bits)
    counter.write_text(
        f"void main() begin decl {all_bits}; {all_bits} := {', '.join('F' * 24)};"
        f"while T do {all_bits} := {step}; od; end"
    )
    assert bebop(str(counter), "--timeout", "0.2") == 3
    assert last_line(capsys) == "VERDICT: UNKNOWN (the time limit of 0.2 s is over)"
    assert bebop(str(big), "--bdd-memory", "1") == 3
    assert last_line(capsys) == (
        "VERDICT: UNKNOWN (the BDDs need more than the 1 MiB that are set aside for them "
        "(raise --bdd-memory))"
    )


def test_contradictions_are_refused() -> None:
    path = str(BOOLEAN_PROGRAMS / "enforce.bp")
    with pytest.raises(InputError, match="total focus"):
        bebop(path, "--focus", "none")
    with pytest.raises(InputError, match="--label needs --states bdd"):
        bebop(path, "--states", "trivector", "--label", "X")
    for wrong in (
        ["--timeout", "0"],
        ["--bdd-memory", "-1"],
        ["--states", "sets"],
        ["--timeout", "x"],
    ):
        with pytest.raises(SystemExit) as caught:
            bebop(path, *wrong)
        assert caught.value.code == 2


@pytest.mark.parametrize("dialect", ["moped", "getafix", "boom"])
def test_writing_for_another_checker(
    dialect: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = str(BOOLEAN_PROGRAMS / "recursion.bp")
    target = tmp_path / "out"
    assert bebop(path, "--write", dialect, str(target)) == 0
    assert capsys.readouterr().out == ""
    assert bebop(path, "--write", dialect, "-") == 0
    assert capsys.readouterr().out == target.read_text("utf-8")


def test_writing_is_refused(tmp_path: Path) -> None:
    path = str(BOOLEAN_PROGRAMS / "recursion.bp")
    with pytest.raises(InputError, match="no such dialect: spin; there is moped, getafix, boom"):
        bebop(path, "--write", "spin", "-")
    with pytest.raises(InputError, match="no folder"):
        bebop(path, "--write", "boom", str(tmp_path / "none" / "x.bp"))
    with pytest.raises(InputError, match="--invariants is about a check"):
        bebop(path, "--write", "boom", "-", "--invariants")
