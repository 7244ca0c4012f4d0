"""Growth of the phases: the fit, the tables on made-up seconds, and what a cut run has told."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest
from bench.growth import TOTAL, Measured, by_task, exponent, growth, main, measured_of
from bench.phases import PHASES

from support.c_programs import write_c


def made_up(name: str, lines: int, power: float, cut: str = "") -> Measured:
    """All phases take `(lines / 10,000) ** power` seconds; none is known from `cut` on."""
    ended = PHASES[: PHASES.index(cut)] if cut else PHASES
    spent = dict.fromkeys(ended, (lines / 10_000) ** power)
    return Measured(name, lines, lines // 50, lines // 4, spent, cut, "a limit" if cut else "")


def row(text: str, first: str) -> list[str]:
    (found,) = (line.split("  ") for line in text.splitlines() if line.startswith(f"{first}  "))
    return [cell.strip() for cell in found if cell.strip()]


@pytest.mark.parametrize("power", [0.5, 1.0, 1.2, 2.0])
def test_the_exponent_of_a_power(power: float) -> None:
    points = [(x, 3.7 * x**power) for x in (5_000, 8_000, 20_000, 39_000)]
    assert exponent(points) == pytest.approx(power)


def test_the_exponent_is_between_those_of_parts() -> None:
    found = exponent([(1, 1), (10, 10), (100, 1000)])
    assert found is not None and 1 < found < 2


def test_an_exponent_needs_two_sizes() -> None:
    assert exponent([]) is None
    assert exponent([(5, 1), (5, 2)]) is None


def test_growth_by_phase() -> None:
    measured = [
        made_up("tiny", 100, 9.0),  # too small to be fitted
        made_up("small", 6_000, 1.5),
        made_up("large", 30_000, 1.5),
        made_up("huge", 50_000, 0.1),  # too large
        made_up("stuck", 20_000, 3.0, cut="slice: partition"),
    ]
    text = growth(measured).text()
    assert row(text, "clang")[1:] == ["3", "1.70", "8.00", "20000", "2", "stuck"]
    assert row(text, "slice: partition")[1:] == ["2", "1.50", "5.20", "30000", "1", "large"]
    assert row(text, TOTAL)[1:3] == ["2", "1.50"]
    assert "more than 5 s in partition: large (30000 lines), stuck (20000 lines)" in text
    assert "cut in slice: partition, and not counted: stuck (20000 lines)" in text


def test_seconds_by_task() -> None:
    text = by_task([made_up("a", 10_000, 1.0), made_up("b", 20_000, 1.0, cut="clang")]).text()
    assert row(text, "10000") == ["10000", "200", "2500", *["1.00"] * 13, "13.00", "a"]
    assert row(text, "20000") == ["20000", "400", "5000", *["-"] * 14, "b"]
    assert "b: clang: a limit" in text


def test_a_run_that_was_cut_keeps_what_it_told() -> None:
    told: list[dict[str, object]] = [
        {"begin": "clang"},
        {"begin": "front end"},
        {"end": "clang", "seconds": 0.5},
        {"end": "front end", "seconds": 1.5},
        {"functions": 3, "edges": 40},
        {"begin": "points-to"},
    ]
    found = measured_of("a", 7, map(json.dumps, told))
    assert (found.functions, found.edges) == (3, 40)
    assert found.of("front end") == 1.5
    assert found.of("points-to") is None and found.of(TOTAL) is None
    assert (found.cut, found.why) == ("points-to", "a limit was reached")
    refused = measured_of("a", 7, map(json.dumps, [*told, {"failure": "no such thing"}]))
    assert (refused.cut, refused.why) == ("points-to", "no such thing")
    assert measured_of("a", 7, []).cut == "clang"


def test_phases_of_a_program(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    good = write_c(tmp_path, "int main(void) { int x = 1; if (x == 2) __VERIFIER_error(); }")
    bad = tmp_path / "bad.c"
    bad.write_text("int main(void) { return }")
    tasks, out = tmp_path / "tasks.csv", tmp_path / "out.csv"
    rows = [f"good,{Path(good).name},true,64,1", "bad,bad.c,true,64,2"]
    tasks.write_text("task,file,expected,data_model,lines\n" + "\n".join(rows) + "\n")
    assert main(["--tasks", str(tasks), "--jobs", "1", "-o", str(out)]) == 0
    assert "cut in front end, and not counted: bad" in capsys.readouterr().out
    with out.open(newline="") as stream:
        first, second = csv.DictReader(stream)
    assert first["functions"] == "1" and first["cut"] == ""
    assert float(first["total"]) == pytest.approx(sum(float(first[p]) for p in PHASES), abs=0.02)
    assert second["cut"] == "front end" and second["total"] == ""
