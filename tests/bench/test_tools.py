"""Tools: how each is started, and what its output means; no output means a verdict by accident."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path

import pytest

from predabs.bench.configuration import Configuration, configuration_of, configurations_of
from predabs.bench.execute import Ended, Limits
from predabs.bench.task import Task, property_named
from predabs.bench.tools.cbmc import Cbmc
from predabs.bench.tools.cpachecker import Cpachecker
from predabs.bench.tools.esbmc import Esbmc
from predabs.bench.tools.predabs_tool import PredabsTool
from predabs.bench.tools.tool import Output, Request, Told, Tool
from predabs.errors import InputError
from support.bench_runs import write_tool

DONE = Ended(0, 1.0, 1.0, 1)


def told(tool: Tool, stdout: str, stderr: str = "", folder: Path = Path()) -> Told:
    return tool.told(Output(DONE, stdout, stderr, folder))


CBMC_FAILED = """** Results:
a.c function main
[main.unwind.0] line 3 unwinding assertion loop 0: %s
[main.assertion.1] line 5 assertion x < 3: %s
** 1 of 2 failed (2 iterations)
VERIFICATION FAILED
"""


@pytest.mark.parametrize(
    ("tool", "text", "verdict", "part"),
    [
        (Cbmc(), "...\nVERIFICATION SUCCESSFUL\n", "TRUE", ""),
        (Cbmc(), CBMC_FAILED % ("SUCCESS", "FAILURE"), "FALSE", ""),
        (Cbmc(), CBMC_FAILED % ("FAILURE", "FAILURE"), "FALSE", ""),
        (Cbmc(), CBMC_FAILED % ("FAILURE", "SUCCESS"), "UNKNOWN", ""),
        (
            Cbmc(),
            "[main.pointer_dereference.2] line 3 NULL in *p: FAILURE\nVERIFICATION FAILED\n",
            "FALSE",
            "valid-deref",
        ),
        (
            Cbmc(),
            "[main.overflow.1] line 3 arithmetic overflow: FAILURE\nVERIFICATION FAILED\n",
            "FALSE",
            "no-overflow",
        ),
        (Cbmc(), "the text says VERIFICATION SUCCESSFUL inside\n", "ERROR", ""),
        (Cbmc(), "", "ERROR", ""),
        (Esbmc(), "VERIFICATION SUCCESSFUL\n", "TRUE", ""),
        (Esbmc(), "  dereference failure: NULL\nVERIFICATION FAILED\n", "FALSE", "valid-deref"),
        (Esbmc(), "VERIFICATION UNKNOWN\n", "UNKNOWN", ""),
        (Esbmc(), "Timed out\n", "ERROR", ""),
        (Cpachecker(), "Verification result: TRUE. No property violation\n", "TRUE", ""),
        (
            Cpachecker(),
            "Verification result: FALSE. Property violation (valid-deref: x) found\n",
            "FALSE",
            "valid-deref",
        ),
        (
            Cpachecker(),
            "Verification result: FALSE. Property violation (unreach-call: y) found\n",
            "FALSE",
            "",
        ),
        (Cpachecker(), "Verification result: UNKNOWN, incomplete analysis.\n", "UNKNOWN", ""),
        (Cpachecker(), "Exception in thread main\n", "ERROR", ""),
        (PredabsTool(), "VERDICT: TRUE\n", "ERROR", ""),  # without a report
        (PredabsTool(), "VERDICT: UNKNOWN (the property x is not supported)\n", "UNKNOWN", ""),
    ],
)
def test_what_the_output_means(
    tool: Tool, text: str, verdict: str, part: str, tmp_path: Path
) -> None:
    found = told(tool, text, folder=tmp_path)
    assert (found.verdict, found.subproperty) == (verdict, part)


def test_the_report_of_predabs(tmp_path: Path) -> None:
    report = {"verdict": "FALSE", "reason": None, "engine": "auto", "trace": ["long"], "tried": []}
    (tmp_path / "answer.json").write_text(json.dumps(report))
    found = told(PredabsTool(), "VERDICT: FALSE (valid-free)\n", folder=tmp_path)
    assert (found.verdict, found.subproperty) == ("FALSE", "valid-free")
    assert found.details == {"engine": "auto"}
    (tmp_path / "answer.json").write_text('{"verdict": "FAL')
    assert told(PredabsTool(), "", "predabs: bad\n", tmp_path) == Told("ERROR", "bad")


def request(folder: Path, text: str = "", words: tuple[str, ...] = (), name: str = "") -> Request:
    file = folder / "a.c"
    file.write_text(text)
    wanted = property_named(name or "unreach-call")
    task = Task("t", "c", (file,), wanted, data_model="ILP32", flags=("-DX=1",))
    property_file = folder / "p.prp" if wanted.text else None
    return Request(task, property_file, Limits(10.0, 20.0, 1000), folder, words)


def test_how_predabs_is_started(tmp_path: Path) -> None:
    words = PredabsTool().command(request(tmp_path, words=("--engine", "lazy")))
    assert words[1:7] == ["-P", "-m", "predabs", "check", str(tmp_path / "a.c"), "-DX=1"]
    told = dict(pairwise(words))
    assert (told["--cpu-time"], told["--timeout"], told["--memory"]) == ("10", "20", "1000")
    assert (told["--svcomp"], told["--data-model"]) == (str(tmp_path / "p.prp"), "ILP32")
    assert words[-4:] == ["--jobs", "1", "--engine", "lazy"]
    assert "--svcomp" not in PredabsTool().command(request(tmp_path, name="assert"))
    assert "--no-store" in words
    for asked in (("--store", "s.sqlite"), ("--store=s.sqlite",)):
        assert "--no-store" not in PredabsTool().command(request(tmp_path, words=asked))


@pytest.mark.parametrize(
    ("version", "checks_off"), [("5.95.1", False), ("6.3.1 (x)", True), ("10.0", True)]
)
def test_how_cbmc_is_started(
    version: str, checks_off: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What the program has no body for, CBMC is told."""
    monkeypatch.setattr(Cbmc, "executable", lambda self: "cbmc")
    monkeypatch.setattr(Cbmc, "version", lambda self: version)
    text = "void reach_error(void) { __assert_fail(); }"
    words = Cbmc().command(request(tmp_path, text, ("--unwind", "3")))
    assert words.count("--unwind") == 1 and "--unwinding-assertions" in words and "--32" in words
    assert ("--no-standard-checks" in words) == checks_off
    models = (tmp_path / "models.c").read_text()
    assert "__VERIFIER_assume" in models and "reach_error" not in models
    words = Cbmc().command(request(tmp_path, text, name="no-overflow"))
    assert {"--signed-overflow-check", "--no-assertions", "--unwind"} <= set(words)


def test_how_the_others_are_started(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for tool in (Esbmc, Cpachecker):
        monkeypatch.setattr(tool, "executable", lambda self: self.name)
    esbmc = Esbmc().command(request(tmp_path))
    assert "--k-induction" in esbmc and "--32" in esbmc
    assert "--k-induction" not in Esbmc().command(request(tmp_path, words=("--incremental-bmc",)))
    cpachecker = Cpachecker().command(request(tmp_path))
    assert cpachecker[1] == "--predicateAnalysis" and "--spec" in cpachecker
    assert cpachecker[cpachecker.index("--heap") + 1] == "750M"


@pytest.mark.parametrize("tool", [Cbmc, Esbmc, Cpachecker])
def test_a_property_that_a_tool_does_not_know(
    tool: type[Tool], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else it would check nothing, and call that TRUE."""
    monkeypatch.setattr(tool, "executable", lambda self: self.name)
    monkeypatch.setattr(tool, "version", lambda self: "5")
    with pytest.raises(InputError, match="is not told how to check"):
        tool().command(request(tmp_path, name="memory"))
    assert "--check" in PredabsTool().command(request(tmp_path, name="memory"))


def test_a_tool_that_is_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    for name in ("cbmc", "esbmc", "cpachecker"):
        with pytest.raises(InputError, match=f"{name}: this tool is not installed"):
            Configuration(name, name).load().version()


def test_configurations(tmp_path: Path) -> None:
    assert [one.name for one in configurations_of([])] == ["predabs"]
    one = configuration_of(f"mine={write_tool(tmp_path)} 'echo TRUE'")
    assert (one.name, one.words, one.load().name) == ("mine", ("echo TRUE",), "script")
    (tmp_path / "script.py").unlink()
    assert one.load().version() == "script 1"  # its text has been read
    for text, told in (
        ("x", "write NAME=TOOL WORDS"),
        ("a b=cbmc", "write NAME=TOOL WORDS"),
        ("a=nonsense", "no tool is called nonsense"),
        ("a='", "a=': No closing quotation"),
    ):
        with pytest.raises(InputError, match=told):
            configuration_of(text)
    with pytest.raises(InputError, match="two configurations have this name"):
        configurations_of(["a=cbmc", "a=esbmc"])


@pytest.mark.parametrize(
    ("word", "told"),
    [
        ("nowhere.py:X", "cannot be loaded"),
        ("no.such.module:X", "cannot be loaded"),
        ("json:Nothing", "cannot be loaded"),
        ("json:JSONDecoder", "this is no tool"),
        ("json:loads", "cannot be loaded: TypeError"),
        (":X", "cannot be loaded"),
    ],
)
def test_a_tool_that_cannot_be_loaded(word: str, told: str) -> None:
    with pytest.raises(InputError, match=told):
        configuration_of(f"a={word}").load()
