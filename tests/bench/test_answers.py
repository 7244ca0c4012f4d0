"""Figures of a benchmark: they are made from what a bench has kept of predabs' reports."""

from __future__ import annotations

import doctest
from pathlib import Path

import pytest
from bench.answers import answer_of, read

from bench import answers, causes, tasks
from predabs.bench.execute import Limits
from predabs.records import replace
from support.bench_runs import answer, keep

ROW = answer("loops/a", "FALSE", True, cpu=4.0, wall=5.0, limits=Limits(60.0, 90.0, 100))


@pytest.mark.parametrize("module", [answers, causes, tasks], ids=lambda m: m.__name__)
def test_examples(module: object) -> None:
    assert doctest.testmod(module).failed == 0


def test_reports_become_answers() -> None:
    report = {
        "engine": "auto",
        "predicates": {"total": 5, "active": 2},
        "solver": {"calls": 9, "cached": 1, "seconds": 2.0},
        "iterations": 3,
        "test": {"reached": True},
        "stats": {
            "nodes": 12,
            "seconds": {"refinement": 0.5, "abstraction": 3.0, "front end": 0.25},
            "native": {"solver": 2.0, "bdd": 0.5, "clang": 0.25},
            "operations": {
                "apply": {"calls": 12, "seconds": 1.25},
                "alpha post": {"calls": 3, "seconds": 0.0004},
            },
        },
        "tried": ["bounded: nothing in 2 s", "lazy: a bug"],
    }
    found = answer_of(replace(ROW, details=report))
    assert found.wrong and not found.solved and found.limit == 60 and found.test == "reached"
    assert (found.predicates, found.active, found.calls, found.cached) == (5, 2, 9, 1)
    assert (found.nodes, found.refinements, found.native) == (12, 3, 2.75)
    assert found.phases == "abstraction 3.00; refinement 0.50; front end 0.25"
    assert found.tried == "bounded: nothing in 2 s; lazy: a bug"
    assert found.operation_use == {"apply": (1.25, 12), "alpha post": (0.0, 3)}


def test_reports_may_lack_numbers() -> None:
    found = answer_of(replace(ROW, verdict="ERROR", reason="Segmentation fault"))
    assert found.nodes is None and found.native is None and found.verdict == "ERROR"
    solver = {"solver": {"calls": 1, "seconds": 0.5}}
    assert answer_of(replace(ROW, details=solver)).native == 0.5  # as far as it is known


def test_files_by_configuration(tmp_path: Path) -> None:
    first = keep(tmp_path / "1", [ROW, replace(ROW, configuration="b")])
    second = keep(tmp_path / "2", [replace(ROW, verdict="TRUE")])
    found = read([first, second])
    assert {name: [one.verdict for one in rows] for name, rows in found.items()} == {
        "now": ["TRUE"],
        "b": ["FALSE"],
    }
