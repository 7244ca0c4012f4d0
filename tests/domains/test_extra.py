"""Without the extra `polyhedra` all else works: who asks for them is told what to install, and who
goes over to them unasked does without."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from bench.__main__ import main as bench

import predabs
from predabs.cli import main
from predabs.domains import factory, ppl_library
from predabs.domains.polyhedra import PolyhedraDomain
from predabs.errors import InputError, NotInstalled
from predabs.options import Budget, Options
from predabs.statistics import EngineStatistics
from predabs.verdict import Safe, Unknown
from support.c_programs import program_of_c
from support.engine_checks import checked
from support.places import ROOT

INSTALL = "pip install 'predabs[polyhedra]'"
COUNT = "int main(void) { int x = 0; while (x < 99) x++; if (x != 99) reach_error(); return 0; }"
# octagons do not say that a is twice i
TWICE = """int main(void) { int a = 0;
  for (int i = 0; i < 10; i++) a += 2;
  if (a != 20) reach_error(); return 0; }"""


@pytest.fixture
def without(monkeypatch: pytest.MonkeyPatch) -> None:
    """The library cannot be found."""
    monkeypatch.setitem(sys.modules, "ppl", None)
    monkeypatch.setattr(ppl_library, "ppl", ppl_library._Library())
    ppl_library.load.cache_clear()


@pytest.fixture
def broken(monkeypatch: pytest.MonkeyPatch) -> None:
    """The library is there, but one that it needs is not."""

    def load(name: str) -> None:
        raise ImportError(f"libgmp is missing for {name}")

    monkeypatch.setattr(ppl_library, "import_module", load)
    monkeypatch.setattr(ppl_library, "find_spec", lambda name: object())
    ppl_library.load.cache_clear()


@pytest.fixture
def program(tmp_path: Path) -> str:
    path = tmp_path / "count.c"
    path.write_text(COUNT, "utf-8")
    return str(path)


def test_the_other_domains_are_there(without: None) -> None:
    assert [name for name in factory.NAMES if factory.installed(name)] == ["box", "octagon"]


def test_the_domain_says_what_to_install(without: None) -> None:
    with pytest.raises(NotInstalled) as problem:
        factory.create("polyhedra")
    assert INSTALL in str(problem.value)
    assert isinstance(problem.value, InputError)


def test_a_library_that_does_not_load(broken: None) -> None:
    factory.need("polyhedra")
    assert not factory.installed("polyhedra")
    with pytest.raises(NotInstalled, match="libgmp is missing for ppl"):
        factory.create("polyhedra")


def test_the_names_of_the_library(without: None) -> None:
    """Its users can be imported; what they need of it is not there."""
    assert PolyhedraDomain().name == "polyhedra"
    with pytest.raises(NotInstalled):
        _ = ppl_library.ppl.Variable


@pytest.mark.parametrize(
    "words",
    [
        ["--numeric", "polyhedra"],
        ["--engine", "lazy", "--numeric", "polyhedra"],
        ["--engine", "numpred", "--numeric", "polyhedra"],
        ["--engine", "bounded", "--numeric", "polyhedra"],  # which would not use them
    ],
)
def test_check_says_what_to_install(
    without: None, program: str, words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["check", program, *words]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.startswith("predabs: ") and INSTALL in printed.err
    assert len(printed.err.splitlines()) == 1


def test_from_python(without: None, program: str) -> None:
    with pytest.raises(NotInstalled):
        predabs.check([program], numeric="polyhedra")
    assert predabs.check([program]).verdict is predabs.Answer.TRUE


def test_bench_says_what_to_install(without: None, capsys: pytest.CaptureFixture[str]) -> None:
    assert bench(["numpred", "a", "--numeric", "polyhedra"]) == 2
    assert INSTALL in capsys.readouterr().err
    assert bench(["domains", "--variables", "5", "--seconds", "0.0001"]) == 0
    assert "not installed: polyhedra" in capsys.readouterr().err


def test_a_better_domain_is_left_out(without: None) -> None:
    statistics = EngineStatistics()
    verdict = checked(
        "numpred", program_of_c(TWICE), Options(domain="numeric"), Budget.of(300), statistics
    )
    assert isinstance(verdict, Unknown)
    assert statistics.tried == ["numpred: polyhedra left out, they are not installed"]


def test_nothing_is_left_out_unasked(without: None) -> None:
    statistics = EngineStatistics()
    options = Options(domain="numeric")
    verdict = checked("numpred", program_of_c(COUNT), options, Budget.of(300), statistics)
    assert isinstance(verdict, Safe)
    assert statistics.tried == []


def test_a_process_that_cannot_load_it(program: str) -> None:
    """From the command line, with an interpreter that has no ppl."""
    script = f"""
import sys
sys.modules["ppl"] = None
from predabs.cli import main
assert main(["check", {program!r}]) == 0
assert main(["check", {program!r}, "--engine", "numpred", "-v"]) == 0
sys.exit(main(["check", {program!r}, "--numeric", "polyhedra"]))
"""
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 2
    assert done.stdout.count("VERDICT: TRUE") == 2
    assert done.stderr.startswith("predabs: polyhedra are not installed") and INSTALL in done.stderr
    assert "Traceback" not in done.stderr


def test_the_package_does_not_require_it() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert not [name for name in project["dependencies"] if "ppl" in name]
    assert [name.split(">")[0] for name in project["optional-dependencies"]["polyhedra"]] == [
        "passagemath-ppl"
    ]


def test_the_page_has_all_dependencies() -> None:
    page = (ROOT / "docs" / "dependencies.md").read_text("utf-8")
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    extras = project["optional-dependencies"].values()
    for requirement in [*project["dependencies"], *(name for some in extras for name in some)]:
        name, limits = requirement.split(">=")
        assert f"| {name} | >={limits} |" in page
