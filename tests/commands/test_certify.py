"""`predabs check --certify` and `predabs certify`: verdicts, exit codes and messages."""

from __future__ import annotations

import json
from pathlib import Path
from time import monotonic

import pytest

from predabs.cli import main
from predabs.engines.engine import EngineTask
from predabs.frontend.compiler_flags import SourceFlags
from predabs.ir import make
from predabs.ir.expr import FALSE
from predabs.ir.order import loop_heads
from predabs.ir.types import DataModel
from predabs.options import Budget, Options
from predabs.pipeline import check_pipeline
from predabs.pipeline.check_pipeline import analyse
from predabs.pipeline.judgement import Task
from predabs.pipeline.result import Answer, Result
from predabs.records import replace
from predabs.spec.properties import ASSERT
from predabs.verdict import Invariant, Method, Proof, Safe, Verdict
from support.c_programs import write_c

LOOP = """int x; int main(void) { x = 0;
  while (__VERIFIER_nondet_int()) { if (x < 7) x++; }
  if (x > 7) reach_error(); return 0; }"""
SHORT = """int main(void) { int i, s = __VERIFIER_nondet_int() & 1;
  for (i = 0; i < 3; i++) s += __VERIFIER_nondet_int() & 2;
  if (s > 7) reach_error(); return 0; }"""
ONE_RUN = "int main(void) { int i; for (i = 0; i < 3; i++) ; if (i != 3) reach_error(); return 0; }"
DOWN = """int down(int n) { if (n <= 0) return 0; return down(n - 1); }
  int main(void) { int x = __VERIFIER_nondet_int(); int y = down(x);
  if (y != 0) reach_error(); return 0; }"""
ARRAY = """int a[1000]; int main(void) { for (int i = 0; i < 1000; i++) a[i] = 42;
  int k = __VERIFIER_nondet_int(); if (k >= 0 && k < 1000 && a[k] != 42) reach_error();
  return 0; }"""
LIST = """struct n { struct n *next; int v; }; void *malloc(unsigned long); int main(void) {
  struct n *l = 0; while (__VERIFIER_nondet_int()) { struct n *x = malloc(sizeof *x);
    x->v = 1; x->next = l; l = x; }
  for (; l; l = l->next) if (l->v != 1) reach_error(); return 0; }"""
FILTER = """double __VERIFIER_nondet_double(void); int main(void) { double y = 0, y1 = 0, n;
  while (__VERIFIER_nondet_int()) { double x = __VERIFIER_nondet_double();
    if (x >= -1 && x <= 1) { n = 1.5 * y - 0.7 * y1 + x; y1 = y; y = n; }
    if (y > 20 || y < -20) reach_error(); } return 0; }"""
BUG = "int main(void) { if (__VERIFIER_nondet_int() == 3) reach_error(); return 0; }"


def lines(capsys: pytest.CaptureFixture[str]) -> list[str]:
    return capsys.readouterr().out.splitlines()


@pytest.mark.parametrize("engine", ["lazy", "slam", "numpred", "kinduction"])
def test_a_proof_is_certified_and_checked_again(
    engine: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, out = write_c(tmp_path, LOOP), str(tmp_path / "c.json")
    assert main(["check", file, "--engine", engine, "--certificate", out]) == 0
    assert lines(capsys)[-2:] == [f"certificate: {out}", "VERDICT: TRUE (certified by cvc5)"]
    assert main(["certify", out, file]) == 0
    about, proof, end = lines(capsys)
    assert about == "about: property assert, no checks, entry main, LP64"
    assert f"found by {engine}" in proof
    assert end == "CERTIFICATE: VALID (by cvc5)"


@pytest.mark.parametrize(
    ("text", "engine", "by", "how"),
    [
        (DOWN, "slam", "cvc5", "with summaries of recursive functions"),
        (ARRAY, "cells", "cvc5", "about distinguished cells"),
        (ONE_RUN, "bounded", "the interpreter", "the only run of the program"),
        (LIST, "smg", "entailment of shapes", "memory graphs"),
    ],
    ids=["summaries", "cells", "execution", "shapes"],
)
def test_other_proofs(
    text: str,
    engine: str,
    by: str,
    how: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    file, out = write_c(tmp_path, text), str(tmp_path / "c.json")
    assert main(["check", file, "--engine", engine, "--certificate", out]) == 0
    assert lines(capsys)[-1] == f"VERDICT: TRUE (certified by {by})"
    assert main(["certify", out, file]) == 0
    _, proof, end = lines(capsys)
    assert how in proof
    assert end == f"CERTIFICATE: VALID (by {by})"
    data = json.loads(Path(out).read_text())
    data["proof"]["method"] = "invariants"
    Path(out).write_text(json.dumps(data))
    assert main(["certify", out, file]) in (1, 2)  # another program, or no invariants


def test_a_witness_is_certified(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, witness = write_c(tmp_path, LOOP), str(tmp_path / "w.yml")
    assert main(["check", file, "--engine", "lazy", "--witness", witness]) == 0
    words = ["validate", witness, file, "--engine", "lazy"]
    assert main([*words, "--certify"]) == 0
    assert lines(capsys)[-1] == "VERDICT: TRUE (certified by cvc5)"
    assert main(words) == 0
    assert lines(capsys)[-1] == "VERDICT: TRUE"


def test_an_unrolling(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, out = write_c(tmp_path, SHORT), str(tmp_path / "c.json")
    assert main(["check", file, "--engine", "bounded", "--certificate", out]) == 0
    assert lines(capsys)[-1] == "VERDICT: TRUE (certified by z3)"
    assert main(["certify", out, file]) == 0
    assert "unrolling into " in lines(capsys)[1]
    data = json.loads(Path(out).read_text())
    data["proof"]["pieces"] = 2
    Path(out).write_text(json.dumps(data))
    assert main(["certify", out, file]) == 1
    assert "goes on after 2 pieces" in lines(capsys)[-1]


def test_the_json_result_and_the_checks(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, out = write_c(tmp_path, LOOP), str(tmp_path / "c.json")
    result = tmp_path / "r.json"
    words = [
        "check",
        file,
        "--check",
        "signed-overflow",
        "--certificate",
        out,
        "--json",
        str(result),
    ]
    assert main([*words, "--engine", "lazy"]) == 0
    told = json.loads(result.read_text())["certificate"]
    assert told["certified"] and told["solvers"] == [] and told["reason"] == ""
    lines(capsys)
    assert main(["certify", out, file]) == 0
    assert "checks signed-overflow" in lines(capsys)[0]


def test_bounds_that_nobody_proves_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, out = write_c(tmp_path, FILTER), tmp_path / "c.json"
    assert main(["check", file, "--engine", "bounded", "--certificate", str(out)]) == 0
    assert lines(capsys)[-1].startswith("VERDICT: TRUE (not certified: ")
    assert not out.exists()


def test_nothing_to_certify(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, out = write_c(tmp_path, BUG), tmp_path / "c.json"
    assert main(["check", file, "--certificate", str(out)]) == 1
    assert lines(capsys)[-1] == "VERDICT: FALSE"
    assert not out.exists()


def made(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> tuple[str, Path]:
    file, out = write_c(tmp_path, LOOP), tmp_path / "c.json"
    assert main(["check", file, "--engine", "lazy", "--certificate", str(out)]) == 0
    lines(capsys)
    return file, out


def test_a_weaker_invariant_is_refuted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, out = made(tmp_path, capsys)
    data = json.loads(out.read_text())
    data["invariants"][0]["conjuncts"] = []
    out.write_text(json.dumps(data))
    assert main(["certify", str(out), file]) == 1
    assert lines(capsys)[-1].startswith("CERTIFICATE: REFUTED (")


def test_no_time(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, out = made(tmp_path, capsys)
    assert main(["certify", str(out), file, "--timeout", "0.001"]) == 3
    assert lines(capsys)[-1] == "CERTIFICATE: UNDECIDED (the time limit was reached)"


def test_bad_input(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, out = made(tmp_path, capsys)
    other = write_c(tmp_path, LOOP.replace("x > 7", "x > 8"), "b.c")

    def fails(*words: str) -> str:
        assert main(["certify", *words]) == 2
        printed = capsys.readouterr()
        assert printed.out == "" and len(printed.err.splitlines()) == 1
        return printed.err

    assert f"another program: {other} is not the {file}" in fails(str(out), other)
    assert "1 files, and 2 are given" in fails(str(out), file, other)
    assert "cannot read" in fails(str(tmp_path / "none.json"), file)
    assert "cannot read" in fails(str(out), str(tmp_path / "none.c"))
    good = json.loads(out.read_text())
    for key, value, message in (
        ("version", 99, "version 99"),
        ("options", {}, "'options'"),
        ("options", {**good["options"], "entry": 3}, "entry cannot be 3"),
        ("options", {**good["options"], "volatile": "maybe"}, "maybe"),
        ("program", {"sha256": "0"}, "another program"),
        ("terms", [["var", "y"]], "no variable y"),
    ):
        out.write_text(json.dumps({**good, key: value}))
        assert message in fails(str(out), file)
    out.write_bytes(b"\xff\xfe")
    assert "no text" in fails(str(out), file)
    out.write_text("{")
    assert "no JSON" in fails(str(out), file)


def test_an_option_that_changes_the_program(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A header is no file of the certificate, but part of the program."""
    header = tmp_path / "h.h"
    header.write_text("#define LIMIT 7\n")
    text = LOOP.replace("x < 7", "x < LIMIT")
    file, out = write_c(tmp_path, f'\n#include "h.h"\n{text}'), tmp_path / "c.json"
    assert main(["check", file, "--engine", "lazy", "--certificate", str(out)]) == 0
    header.write_text("#define LIMIT 6\n")
    lines(capsys)
    assert main(["certify", str(out), file]) == 2
    assert "what they include" in capsys.readouterr().err


def judged(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, text: str, weak: bool, proof: Proof
) -> Result:
    """The result if an engine says that the program is safe, with the invariant false or none."""

    def decide(name: str, task: EngineTask, budget: Budget) -> Verdict:
        (head,) = loop_heads(task.program.functions["main"])
        wrong = (Invariant(head, (), FALSE if not weak else make.truth(True)),)
        return Safe(wrong, proof)

    monkeypatch.setattr(check_pipeline, "decide", decide)
    now = monotonic()
    options = replace(Options(), certify=True, engine="lazy")
    file = write_c(tmp_path, text)
    task = Task((file,), ASSERT, "main", DataModel.LP64, SourceFlags(), options, now, None, None)
    return analyse(task, lambda progress: None)


WRONG = """int x; int main(void) { x = 0; while (__VERIFIER_nondet_int()) x++;
  if (x > 1000) reach_error(); return 0; }"""


@pytest.mark.parametrize("weak", [True, False])
def test_a_wrong_proof_is_no_verdict(
    weak: bool, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    proof = Proof("lazy", Method.INVARIANTS, "z3")
    found = judged(monkeypatch, tmp_path, WRONG, weak, proof)
    assert found.verdict is Answer.UNKNOWN
    assert found.reason.startswith("the certificate of lazy is refuted: ")


def test_a_proof_that_is_not_whole(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    proof = Proof("slam", Method.INVARIANTS, "z3", whole=False)
    found = judged(monkeypatch, tmp_path, WRONG, True, proof)
    assert found.verdict is Answer.TRUE
    assert found.certification is not None and not found.certification.certified
    assert found.certification.note.startswith("not certified: what slam hands on is not enough")
