"""docs/json.md: it has every field that `--json` writes, and no others."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import predabs
from predabs.cli import main
from predabs.ir.cfa import Coord
from predabs.obstacles import Obstacle, ObstacleKind
from predabs.pipeline.imprecise_memory import ImpreciseMemory, Imprecision
from predabs.pipeline.json_report import report
from predabs.pipeline.result import EngineUse, Result, SolverUse, Work
from predabs.records import replace
from support.c_programs import write_c
from support.places import DOCS, ROOT

TEXT = (DOCS / "json.md").read_text("utf-8")
NAMED = {"engines", "seconds", "operations", "values"}  # objects whose keys are anybody's names
ROW = re.compile(r"^\| (`.*?) \|", re.MULTILINE)

OPEN = "volatile int v; int main(void) { v = 1; if (v != 1) reach_error(); return 0; }"


def told() -> set[str]:
    return {name for row in ROW.findall(TEXT) for name in re.findall(r"`([^`]+)`", row)}


def fields(value: Any, path: str = "", key: str = "") -> Iterator[str]:
    match value:
        case dict() if key in NAMED:
            for inner in value.values():
                yield from fields(inner, f"{path}.*")
        case dict():
            for name, inner in value.items():
                yield from fields(inner, f"{path}.{name}" if path else name, name)
        case list():
            for inner in value:
                yield from fields(inner, f"{path}[]")
        case _:
            yield path


def test_how_fields_are_read() -> None:
    value = {"a": 1, "values": {"x": {"b": 2}}, "l": [{"c": [3]}], "seconds": 4}
    assert list(fields(value)) == ["a", "values.*.b", "l[].c[]", "seconds"]


def test_the_page_has_every_field(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    examples = ROOT / "examples"
    calls = [
        [str(examples / "queue_fixed.c"), "--engine", "slam"],
        [str(examples / "queue_fixed.c"), "--engine", "numpred", "--certify"],
        [str(examples / "queue.c"), "--check", "memory"],
        [write_c(tmp_path, OPEN)],
        [write_c(tmp_path, _CALLED, "called.c"), "--engine", "lazy"],
    ]
    if shutil.which("cc"):
        calls.append([str(examples / "queue.c"), "--test", str(tmp_path / "test.c")])
    found: set[str] = set()
    for words in calls:
        out = tmp_path / "out.json"
        main(["check", *words, "--timeout", "60", "--json", str(out)])
        found |= set(fields(json.loads(out.read_text("utf-8"))))
    found |= set(fields(report(_blocked(tmp_path))))
    capsys.readouterr()
    assert sorted(found - told()) == []
    missing = told() - found
    if not shutil.which("cc"):
        missing = {name for name in missing if not name.startswith("test.")}
    assert sorted(missing) == []


def _blocked(folder: Path) -> Result:
    """An UNKNOWN whose engine has noted what stands in its way."""
    result = predabs.check([write_c(folder, OPEN)])
    loop = Obstacle(ObstacleKind.LOOP, Coord("a.c", 7, 3), "main", 8)
    used = EngineUse("bounded", SolverUse(), Work(obstacles=(loop,)))
    pointer = ImpreciseMemory(Imprecision.OBJECTS, Coord("a.c", 8, 1), "main", "p", ("x", "y"))
    return replace(result, engines=(used,), imprecise=(pointer,))


_CALLED = """
int count(int n) {
  int i = 0;
  while (i < n) i++;
  return i;
}
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n >= 0 && count(n) != n) reach_error();
  return 0;
}
"""
