"""Witnesses of the format 1.0 are confirmed if they are right, and only then."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

import pytest

from predabs.cli import main
from support.graphml_files import edge, graphml, node

BUG = """extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}
static int twice(int x) { return 2 * x; }
int main(void) {
  int n = __VERIFIER_nondet_int();
  int s = 0;
  if (n > 20)
    return 0;
  int i = 0;
  while (i < n) {
    s = s + twice(1);
    i++;
  }
  if (s == 6 || s == 10) {
    reach_error();
  }
  return 0;
}
"""
LOOP = """extern unsigned __VERIFIER_nondet_uint(void);
void reach_error(void) {}
int main(void) {
  unsigned n = __VERIFIER_nondet_uint();
  unsigned i = 0, s = 0;
  while (i < n) {
    i++;
    s = s + 2;
    if (s > 100)
      s = 0;
  }
  if (i < n || s % 2) {
    reach_error();
  }
  return 0;
}
"""


def written(folder: Path, text: str) -> Path:
    path = folder / "p.c"
    path.write_text(text)
    return path


def answer(text: str, file: Path, capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    """The exit code, and what was printed."""
    path = file.parent / "w.graphml"
    path.write_text(text)
    code = main(["validate", str(path), str(file)])
    out = capsys.readouterr()
    return code, out.out or out.err


def violation(file: Path, *steps: dict[str, str], extra: tuple[str, ...] = ()) -> str:
    nodes = [node("N0", entry="true"), *(node(f"N{n}") for n in range(1, len(steps)))]
    nodes.append(node(f"N{len(steps)}", violation="true"))
    edges = [edge(f"N{n}", f"N{n + 1}", **step) for n, step in enumerate(steps)]
    return graphml("violation_witness", file, *nodes, *edges, *extra)


ENTER = {"startline": "4", "enterFunction": "main"}
ERROR = {"startline": "15", "enterFunction": "reach_error"}


def test_a_way_to_the_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = written(tmp_path, BUG)
    input_ = {"startline": "5", "assumption": "n == (3);", "assumption.scope": "main"}
    given = {
        "startline": "5",
        "assumption": "\\result == 5;",
        "assumption__resultfunction": "__VERIFIER_nondet_int",
    }
    again = {"startline": "10", "control": "condition-true"}
    out = {"startline": "10", "control": "condition-false", "assumption": "s == 6;"}
    twice = {"startline": "11", "enterFunction": "twice"}
    back = {"startline": "11", "returnFrom": "twice"}
    for steps in (
        [ERROR],
        [ENTER, input_, again, twice, back, again, again, out, ERROR],
        [ENTER, given, ERROR],
        [ENTER, {"startline": "7", "control": "condition-false"}, ERROR],
    ):
        code, text = answer(violation(file, *steps), file, capsys)
        assert code == 1 and text.endswith("VERDICT: FALSE\n"), text


@pytest.mark.parametrize(
    "wrong",
    [
        {"startline": "5", "assumption": "n == 4;"},
        {
            "startline": "5",
            "assumption": "\\result == 4",
            "assumption__resultfunction": "__VERIFIER_nondet_int",
        },
        {"startline": "7", "control": "condition-true"},
        {"startline": "10", "control": "condition-false", "assumption": "s == 8;"},
        {"startline": "12", "assumption": "i == 7; n == 3"},
    ],
)
def test_a_way_that_no_run_goes(
    wrong: dict[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = written(tmp_path, BUG)
    text = violation(file, ENTER, wrong, ERROR)
    rows = enumerate(text.splitlines(), 1)
    wrong_line, error_line = (n for n, row in rows if "<edge" in row and 'source="N0"' not in row)
    code, told = answer(text, file, capsys)
    assert code == 3 and "VERDICT: UNKNOWN (not confirmed:" in told
    # either it cannot be passed, or there is no error after it
    assert re.search(rf"w\.graphml:({wrong_line}|{error_line}): no run", told)


def test_a_sink_is_avoided(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = written(tmp_path, BUG)
    sink = node("S", sink="true")
    stays = edge("N1", "S", startline="10", control="condition-false")
    steps = [ENTER, {"startline": "10", "control": "condition-true"}, ERROR]
    assert answer(violation(file, *steps, extra=(sink, stays)), file, capsys)[0] == 1
    dies = edge("N1", "S", startline="5", assumption="n == n;")
    code, told = answer(violation(file, *steps, extra=(sink, dies)), file, capsys)
    assert code == 3 and "no run" in told


def test_no_way_at_all(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = written(tmp_path, BUG)
    right = violation(file, ENTER, ERROR)
    code, told = answer(right.replace('source="N1"', 'source="N2"'), file, capsys)
    assert code == 2 and "no violation node can be reached from the entry" in told
    code, told = answer(right.replace('"violation">true', '"violation">false'), file, capsys)
    assert code == 2 and "a violation witness has a node" in told


def test_the_hash(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = written(tmp_path, BUG)
    parts = (
        node("A", entry="true"),
        node("B", violation="true"),
        edge("A", "B", **ERROR),
    )
    old = hashlib.sha1(file.read_bytes()).hexdigest()
    assert answer(graphml("violation_witness", file, *parts, digest=old), file, capsys)[0] == 1
    other = graphml("violation_witness", file, *parts, digest="0" * 64)
    code, told = answer(other, file, capsys)
    assert code == 2 and "the witness is about another file" in told


def proof(file: Path, *invariants: tuple[dict[str, str], str]) -> str:
    parts = [node("N0", entry="true")]
    for number, (step, text) in enumerate(invariants, 1):
        more = {"invariant": text, "invariant__scope": "main"} if text else {}
        parts.append(node(f"N{number}", **more))
        parts.append(edge(f"N{number - 1}", f"N{number}", **step))
    return graphml("correctness_witness", file, *parts)


HEAD = {"startline": "6", "enterLoopHead": "true"}
BEFORE = {"startline": "5", "enterLoopHead": "true"}
INSIDE = {"startline": "8"}


@pytest.mark.parametrize(
    ("invariants", "wrong"),
    [
        ([(HEAD, "s % 2 == 0")], ""),
        ([(BEFORE, "( s <= 100 ) && ( i <= n )")], ""),
        ([(HEAD, "s % 2 == 0"), (INSIDE, "s >= 2 && i >= 1")], ""),
        ([(HEAD, "s == 0"), (HEAD, "s >= 2 && s <= 100")], ""),
        ([(HEAD, "s == 7"), (HEAD, "")], ""),  # one of the two nodes says nothing
        ([(HEAD, "s < 100")], "`s < 100` does not hold at"),
        ([(BEFORE, "i < n")], "`i < n` does not hold at"),
        ([(INSIDE, "s >= 3")], "`s >= 3` does not hold behind"),
        ([(HEAD, "s == 0"), (HEAD, "s >= 4")], "`(s == 0) || (s >= 4)` does not hold at"),
    ],
)
def test_invariants(
    invariants: list[tuple[dict[str, str], str]],
    wrong: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    file = written(tmp_path, LOOP)
    code, told = answer(proof(file, *invariants), file, capsys)
    assert code == (3 if wrong else 0), told
    assert wrong in told and "not looked at" not in told
    if wrong:
        assert re.search(r", where (s|i|n) = ", told)


def test_what_has_no_place_is_counted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = written(tmp_path, LOOP)
    nowhere = {"startline": "1"}
    code, told = answer(proof(file, (HEAD, "s <= 100"), (nowhere, "0 == 1")), file, capsys)
    assert code == 0 and "not looked at: 1 invariant of nodes without a place" in told
