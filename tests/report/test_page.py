"""The page of `--report`: it holds all it needs, shows text as text, is written whole or not."""

from __future__ import annotations

import json
import re
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

import predabs
from predabs.cli import main
from predabs.ir.cfa import Coord
from predabs.obstacles import Obstacle, ObstacleKind
from predabs.pipeline.result import EngineUse, SolverUse, Work
from predabs.records import replace
from predabs.report.page import page
from predabs.report.page_data import PageData
from predabs.report.source_lines import coloured
from support.c_programs import write_c
from support.places import ROOT

LOOP = """
int main(void) {
  int i = 0, n = __VERIFIER_nondet_int();
  while (i < n) i++;
  if (n >= 0 && i != n) reach_error();
  return 0;
}
"""


class Elements(HTMLParser):
    """The elements of a page, and what the element with the data holds."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[str] = []
        self._inside = ""
        self.data = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        self._inside = dict(attrs).get("id") or tag

    def handle_data(self, data: str) -> None:
        if self._inside == "data":
            self.data += data
        elif self._inside not in ("script", "style"):
            self.texts.append(data)

    def handle_endtag(self, tag: str) -> None:
        self._inside = ""


def made(file: str, **options: Any) -> tuple[Elements, dict[str, Any]]:
    result = predabs.check([file], timeout=60, record=True, **options)
    elements = Elements(page(result, (file,)))
    return elements, json.loads(elements.data)


@cache
def example(name: str, engine: str) -> dict[str, Any]:
    return made(str(ROOT / "examples" / name), engine=engine)[1]


def engine_of(data: dict[str, Any]) -> dict[str, Any]:
    (found,) = (one for one in data["engines"] if one["name"] == data["engine"])
    return found


def test_it_asks_no_network(tmp_path: Path) -> None:
    elements, _ = made(write_c(tmp_path, LOOP), engine="lazy")
    assert [tag for tag, _ in elements.tags if tag in ("link", "img", "iframe", "object")] == []
    for tag, attributes in elements.tags:
        assert not {"src", "href"} & attributes.keys(), tag
    policy = next(a["content"] for _, a in elements.tags if a.get("http-equiv"))
    assert policy is not None and policy.startswith("default-src 'none'")


def test_text_is_text(tmp_path: Path) -> None:
    """Markup in the source, in a file name, in a property and in an assertion shows as it is."""
    bad = "</script><b>x</b><!-- & \\u2028 -->"
    text = f"""
int main(void) {{
  const char *s = "{bad}"; /* <script>alert(1)</script> */
  if (s[0] == '<') __assert_fail("{bad}", "f", 1, "g");
  return 0;
}}
"""
    file = write_c(tmp_path, text, "a<b>&'.c")
    elements, data = made(file, engine="bounded")
    assert data["verdict"] == "FALSE"
    assert data["sources"][0]["name"] == file
    assert any("</script><b>x</b><!-- & " in line for line in data["sources"][0]["lines"])
    assert [tag for tag, _ in elements.tags].count("script") == 2  # the data, and our own
    assert "x" not in elements.texts and "alert(1)" not in elements.texts
    assert any("a<b>&'.c" in shown for shown in elements.texts)


def test_a_run_has_its_steps_and_values() -> None:
    data = example("queue.c", "auto")
    assert (data["verdict"], data["confirmed"]) == ("FALSE", True)
    assert data["error"] == [0, 41]
    steps = data["run"]["steps"]
    assert steps[-1]["k"] == "error" and steps[-1]["at"] == [0, 41]
    called = next(step for step in steps if step["s"] == "submit(7);")
    assert called["v"] == [["request", "7", "", 1]]  # it belongs to the call
    assert ["waiting", "3", "", -1] in steps[-1]["v"]  # a global one
    assert data["sources"][0]["kept"] and len(data["sources"][0]["code"]) > len(
        data["sources"][0]["kept"]
    )


def test_a_tree_and_its_rounds(tmp_path: Path) -> None:
    file = write_c(
        tmp_path,
        """
int held;
void lock(void) { if (held) reach_error(); held = 1; }
void unlock(void) { if (!held) reach_error(); held = 0; }
int main(void) {
  int old, now = 0;
  do {
    lock();
    old = now;
    if (__VERIFIER_nondet_int()) { unlock(); now++; }
  } while (old != now);
  unlock();
  return 0;
}
""",
    )
    _, data = made(file, engine="lazy")
    engine = engine_of(data)
    assert data["verdict"] == "TRUE"
    nodes = {node["n"]: node for node in engine["tree"]["nodes"]}
    assert all(node["p"] in nodes or node["p"] == 0 for node in nodes.values())
    assert {node["s"] for node in nodes.values()} == {"expanded", "covered"}
    assert all(set(node["by"]) <= nodes.keys() for node in nodes.values() if node["s"] == "covered")
    assert any("held" in text for item in engine["predicates"] for text in item["texts"])
    assert engine["rounds"]
    assert any(step.get("core") for one in engine["rounds"] for step in one["path"])
    assert any(
        "held" in t for one in engine["rounds"] for item in one["new"] for t in item["texts"]
    )
    assert data["invariants"] and data["sources"][0]["reached"]
    assert [one["name"] for one in engine["automata"]] == ["main", "lock", "unlock"]


def test_a_boolean_program() -> None:
    engine = engine_of(example("queue_fixed.c", "slam"))
    assert "decl {waiting" in engine["boolean"]
    (first, *_) = engine["rounds"]
    assert [step["s"] for step in first["path"] if step.get("core")] == ["[waiting >= 2]"]
    assert first["new"] == [{"where": "everywhere", "at": None, "texts": ["waiting >= 2"]}]
    assert first["boolean"].startswith("// round 1")


def test_domain_elements() -> None:
    engine = engine_of(example("queue_fixed.c", "numpred"))
    heads = [item for item in engine["elements"] if item["head"]]
    assert [item["cases"] for item in heads] == [["waiting <= 2"]]
    assert {item["where"] for item in engine["predicates"]} >= {"structure", "numbers"}


def test_what_induction_and_unrolling_show(tmp_path: Path) -> None:
    engine = engine_of(example("queue_fixed.c", "kinduction"))
    assert engine["rounds"][-1]["title"].startswith("k = ") and engine["facts"]
    bounded = (
        "int main(void) { int n = __VERIFIER_nondet_int();"
        " for (int i = 0; i < 3; i++) if (i > 2 + n * 0) reach_error(); return 0; }"
    )
    _, data = made(write_c(tmp_path, bounded), engine="bounded")
    (last,) = engine_of(data)["rounds"][-1:]
    assert "all runs were followed to their ends" in last["notes"][-1]


def test_unknown_says_what_was_tried(tmp_path: Path) -> None:
    file = write_c(
        tmp_path,
        "volatile int v; int main(void) { v = 1; if (v != 1) reach_error(); return 0; }",
    )
    elements, data = made(file)
    assert data["verdict"] == "UNKNOWN" and not data["confirmed"]
    told = " ".join(elements.texts)
    assert "Why there is no verdict" in told and "--volatile" in told and "Tried" in told


@pytest.mark.long
def test_clauses_of_a_round_without_a_path(tmp_path: Path) -> None:
    """Invariants of both loops together: the clauses are shown, and what solves them."""
    text = """
int main(void) {
  int x = 0, y = 0, n = __VERIFIER_nondet_int();
  if (n < 0 || n > 100000) return 0;
  while (x < n) { x++; y += 2; }
  while (y > 0) { y -= 2; x--; }
  if (x != 0) reach_error();
  return 0;
}
"""
    _, data = made(write_c(tmp_path, text), engine="lazy")
    together = [one for one in engine_of(data)["rounds"] if one["clauses"]]
    assert together and not together[0]["path"] and together[0]["new"]
    assert together[0]["clauses"][0] == "a run begins and the first block ==> I(a.c:5, main)"
    assert together[0]["clauses"][-1].endswith("==> false")


def test_facts_about_cells_are_below_their_loops(tmp_path: Path) -> None:
    text = """
int a[1000];
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 0 || n > 1000) return 0;
  for (int i = 0; i < n; i++) a[i] = 7;
  for (int j = 0; j < n; j++) if (a[j] != 7) reach_error();
  return 0;
}
"""
    _, data = made(write_c(tmp_path, text), engine="cells")
    told = {(item["at"][1], item["text"]) for item in data["invariants"]}
    assert (6, "forall k in 0 .. i - 1: a[k] == 7") in told
    assert data["sources"][0]["reached"]


def test_obstacles_have_places(tmp_path: Path) -> None:
    file = write_c(tmp_path, "volatile int v; int main(void) { if (v) reach_error(); return 0; }")
    result = predabs.check([file], record=True)
    assert result.verdict is predabs.Answer.UNKNOWN
    loop = Obstacle(ObstacleKind.LOOP, Coord(file, 1, 3), "main", 8)
    used = EngineUse("bounded", SolverUse(), Work(obstacles=(loop,)))
    data = PageData(replace(result, engines=(used,)), (file,)).values()
    found = next(item for item in data["standing"] if item["engine"] == "bounded")
    assert found["at"] == [[[0, 1], "the loop at a.c:1 (main) goes on after 8 rounds"]]


def test_no_record_without_a_report(tmp_path: Path) -> None:
    result = predabs.check([write_c(tmp_path, LOOP)], engine="lazy", timeout=60)
    assert result.record is None
    data = json.loads(Elements(page(result, ("gone.c",))).data)  # and the page needs none
    assert data["engines"] == [] and data["sources"][0]["lines"] is None


@pytest.mark.parametrize(
    ("path", "reason"),
    [("no/such/out.html", "no folder"), (".", "directory"), ("-", "into a file")],
)
@pytest.mark.parametrize("option", ["--report", "--json", "--sarif"])
def test_an_unwritable_path_ends_it_at_once(
    option: str,
    path: str,
    reason: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    if path == "-" and option != "--report":
        return  # standard output is fine for the others
    file = write_c(tmp_path, LOOP)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("predabs.commands.check.check_with", lambda *_: pytest.fail("it began"))
    assert main(["check", file, option, path]) == 2
    told = capsys.readouterr().err
    assert reason in told and told.count("\n") == 1
    assert sorted(found.name for found in tmp_path.iterdir()) == ["a.c"]


def test_the_wheel_has_the_assets() -> None:
    """They lie inside the package, and all that is used is there."""
    folder = ROOT / "src" / "predabs" / "report" / "assets"
    names = {path.name for path in folder.iterdir()}
    used = re.findall(r'"(\w+)"', re.search(r"_SCRIPTS = \(([^)]*)\)", PAGE)[1])  # type: ignore[index]
    assert names == {"page.html", "page.css", *(f"{name}.js" for name in used)}


PAGE = (ROOT / "src" / "predabs" / "report" / "page.py").read_text("utf-8")


@pytest.mark.parametrize(
    "text", ["", "\n", "int x;", "a\r\nb\rc", '"never closed', "\t/* \n\n */\n"]
)
def test_colours_have_the_length_of_lines(text: str) -> None:
    found = coloured(text)
    assert len(found.lines) == len(found.colours)
    for line, colours in zip(found.lines, found.colours, strict=True):
        assert sum(map(int, re.findall(r"\d+", colours))) <= len(line)
