"""The command line: usage, results, exit codes, and what bad input looks like."""

from __future__ import annotations

import argparse
import json
import os
import signal
import stat
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import predabs
from predabs import cli
from predabs.commands import cfa
from predabs.errors import InputError, InternalError, ResourceExhausted, UnsupportedFeature
from predabs.output import write_atomically
from support.places import ROOT
from support.processes import PATIENCE, environment, predabs_process

LOOP = """extern int __VERIFIER_nondet_int(void);
static int twice(int n) { return 2 * n; }
int main(void) {
  int i = 0;
  while (i < __VERIFIER_nondet_int())
    i = twice(i) + 1;
  return i;
}
"""


@pytest.fixture
def loop(tmp_path: Path) -> str:
    path = tmp_path / "loop.c"
    path.write_text(LOOP)
    return str(path)


def failing(monkeypatch: pytest.MonkeyPatch, problem: BaseException) -> None:
    """Make `predabs cfa` raise."""

    def run(args: argparse.Namespace) -> int:
        raise problem

    monkeypatch.setattr(cfa, "run", run)


# --- usage ---


def test_help_names_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["--help"]) == 0
    text = capsys.readouterr().out
    for name, command in cli.COMMANDS.items():
        assert name in text
        assert command.summary.split()[0] in text


@pytest.mark.parametrize("name", cli.COMMANDS)
def test_help_of_a_command_has_an_example(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main([name, "--help"]) == 0
    text = capsys.readouterr().out
    assert f"usage: predabs {name}" in text
    assert cli.COMMANDS[name].example in text


def test_help_loads_no_front_end() -> None:
    code = (
        "import sys; from predabs.cli import main; main(['--help']);"
        "print([m for m in sys.modules if m.startswith(('clang', 'predabs.frontend'))])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=environment(), check=True
    )
    assert done.stdout.splitlines()[-1] == "[]"


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["--version"]) == 0
    assert capsys.readouterr().out == f"predabs {predabs.__version__}\n"


def test_the_version_is_the_package_s() -> None:
    pyproject = ROOT / "pyproject.toml"
    assert tomllib.loads(pyproject.read_text())["project"]["version"] == predabs.__version__


@pytest.mark.parametrize(
    "words",
    [[], ["nonsense"], ["cfa", "x.c", "--format", "pdf"], ["cfa", "x.c", "--nonsense"]],
    ids=" ".join,
)
def test_wrong_usage(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(words) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert "usage: predabs" in said.err


@pytest.mark.parametrize("command", ["check", "cfa", "run", "harness"])
def test_no_file(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main([command]) == 2
    assert capsys.readouterr().err.startswith("predabs: no FILE was given")


# --- predabs cfa ---


def test_text(loop: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["cfa", loop]) == 0
    text = capsys.readouterr().out
    assert "int main(void)" in text
    assert f"{loop}:4" in text
    assert "return 2 * n;" in text


def test_one_function(loop: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["cfa", loop, "--function", "twice"]) == 0
    text = capsys.readouterr().out
    assert "int twice(int n)" in text
    assert "main" not in text


def test_json(loop: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["cfa", loop, "--format", "json", "--data-model", "ILP32"]) == 0
    tree = json.loads(capsys.readouterr().out)
    assert tree["data_model"] == "ILP32"
    assert {function["name"] for function in tree["functions"]} == {"main", "twice"}


def test_entry(loop: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["cfa", loop, "--entry", "twice", "--format", "json"]) == 0
    tree = json.loads(capsys.readouterr().out)
    assert [function["name"] for function in tree["functions"]] == ["twice"]


def test_macros_and_include_folders(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "inc").mkdir()
    (tmp_path / "inc" / "limit.h").write_text("#define LIMIT (BASE + ONE)\n")
    source = tmp_path / "a.c"
    source.write_text('#include "limit.h"\nint main(void) { return LIMIT; }\n')
    words = ["cfa", str(source), "-I", str(tmp_path / "inc"), "-D", "BASE=41", "-DONE"]
    assert cli.main(words) == 0
    assert "return 42;" in capsys.readouterr().out


def test_dot_into_a_file(loop: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = tmp_path / "out.dot"
    assert cli.main(["cfa", loop, "--format", "dot", "-o", str(target)]) == 0
    assert target.read_text().startswith("digraph")
    assert capsys.readouterr().out == ""
    assert sorted(path.name for path in tmp_path.iterdir()) == ["loop.c", "out.dot"]


def test_an_unknown_function(loop: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["cfa", loop, "--function", "twcie"]) == 2
    assert "did you mean twice?" in capsys.readouterr().err
    assert cli.main(["cfa", loop, "--function", "zzz"]) == 2
    assert "main, twice" in capsys.readouterr().err


# --- bad input: one message, exit code 2, no traceback ---


@pytest.mark.parametrize(
    "content, told",
    [
        (None, "no such file"),
        (b"", "main"),
        (b"int main(void) {", "bad.c:1:"),
        (b"int main(void) { return y; }", "'y'"),
        (b'#include "nowhere.h"\nint main(void) { return 0; }', "nowhere.h"),
        (b"int f(void) { return 1; }", "main"),
        (bytes(range(256)) * 20, "bad.c:1:"),
        (b"\0" * 1000, "bad.c"),
    ],
    ids=["missing", "empty", "syntax", "type", "include", "no entry", "garbage", "zeros"],
)
def test_bad_files(
    content: bytes | None, told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "bad.c"
    if content is not None:
        path.write_bytes(content)
    assert cli.main(["cfa", str(path)]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith("predabs: ")
    assert told in said.err
    assert "Traceback" not in said.err
    assert len(said.err.splitlines()) < 20


def test_a_directory(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["cfa", str(tmp_path)]) == 2
    assert "directory" in capsys.readouterr().err


def test_an_unknown_entry(loop: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["cfa", loop, "--entry", "start"]) == 2
    assert "start" in capsys.readouterr().err


def test_output_that_cannot_be_written(
    loop: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["cfa", loop, "-o", str(tmp_path / "no" / "such" / "out.txt")]) == 2
    assert "cannot write" in capsys.readouterr().err
    assert cli.main(["cfa", loop, "-o", str(tmp_path)]) == 2
    assert "directory" in capsys.readouterr().err


# --- other ends ---


@pytest.mark.parametrize(
    "problem, code",
    [
        (InputError("a.c:1:2: bad"), 2),
        (UnsupportedFeature("a.c:1:2: too new"), 2),
        (ResourceExhausted("no more time"), 3),
        (MemoryError(), 3),
    ],
    ids=lambda value: type(value).__name__,
)
def test_expected_problems_are_one_line(
    problem: Exception,
    code: int,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    failing(monkeypatch, problem)
    assert cli.main(["cfa", "a.c"]) == code
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err == f"predabs: {str(problem) or 'out of memory'}\n"


@pytest.mark.parametrize("problem", [InternalError("broken"), KeyError("broken")], ids=repr)
def test_a_bug_of_ours(
    problem: Exception, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    failing(monkeypatch, problem)
    monkeypatch.delenv("PREDABS_DEBUG", raising=False)
    assert cli.main(["cfa", "a file.c"]) == 70
    said = capsys.readouterr().err
    assert "bug of predabs" in said
    assert predabs.__version__ in said
    assert "predabs cfa 'a file.c'" in said
    assert "broken" in said
    assert "PREDABS_DEBUG=1" in said
    assert "Traceback" not in said
    monkeypatch.setenv("PREDABS_DEBUG", "1")
    assert cli.main(["cfa", "a file.c"]) == 70
    assert "Traceback" in capsys.readouterr().err


def test_an_interrupt_is_quiet(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    failing(monkeypatch, KeyboardInterrupt())
    assert cli.main(["cfa", "a.c"]) == 130
    assert capsys.readouterr() == ("", "")


def test_as_a_module(loop: str) -> None:
    done = predabs_process("cfa", loop)
    assert (done.returncode, done.stderr) == (0, "")
    assert "int main(void)" in done.stdout
    assert predabs_process("cfa", "no-such-file.c").returncode == 2


def test_a_reader_that_goes_away(loop: str) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    try:
        done = subprocess.run(
            [sys.executable, "-m", "predabs", "cfa", loop],
            stdout=writing,
            stderr=subprocess.PIPE,
            timeout=PATIENCE,
            env=environment(),
        )
    finally:
        os.close(writing)
    assert (done.returncode, done.stderr) == (128 + signal.SIGPIPE, b"")


def test_names_that_the_terminal_cannot_show(tmp_path: Path) -> None:
    path = tmp_path / "caf\u00e9.c"
    path.write_text(LOOP)
    done = subprocess.run(
        [sys.executable, "-m", "predabs", "cfa", path],
        capture_output=True,
        timeout=PATIENCE,
        env={**environment(), "PYTHONIOENCODING": "ascii"},
    )
    assert done.returncode == 0, done.stderr
    assert b"caf\\xe9.c" in done.stdout


def test_names_that_are_not_utf_8(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["cfa", "caf\udce9.c"]) == 2
    assert "UTF-8" in capsys.readouterr().err


# --- writing files ---


def test_a_written_file_replaces_the_old_one_and_keeps_its_mode(tmp_path: Path) -> None:
    target = tmp_path / "out.txt"
    target.write_text("old")
    target.chmod(0o640)
    write_atomically(target, "new \udcff\n")
    assert target.read_text() == "new \\udcff\n"
    assert stat.S_IMODE(target.stat().st_mode) == 0o640
    assert list(tmp_path.iterdir()) == [target]


def test_a_new_file_has_ordinary_permissions(tmp_path: Path) -> None:
    ordinary = tmp_path / "ordinary"
    ordinary.touch()
    write_atomically(tmp_path / "new", "text")
    assert (tmp_path / "new").stat().st_mode == ordinary.stat().st_mode


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "real").write_text("old")
    (tmp_path / "link").symlink_to("real")
    write_atomically(tmp_path / "link", "new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real").read_text() == "new"


def test_a_failure_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = tmp_path / "out.txt"
    target.write_text("old")

    def refuse(*args: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", refuse)
    with pytest.raises(InputError, match="No space left"):
        write_atomically(target, "new")
    assert target.read_text() == "old"
    assert list(tmp_path.iterdir()) == [target]


def test_a_pipe_is_written_to(tmp_path: Path, loop: str) -> None:
    assert cli.main(["cfa", loop, "-o", os.devnull]) == 0
    assert not Path(os.devnull).is_file()


def test_a_program_ends_at_once_but_tidily() -> None:
    """What others have registered for its end is done, and all that was printed is there."""
    text = (
        "import atexit, sys; from predabs.cli import run; atexit.register(print, 'bye'); "
        "sys.argv = ['predabs', '--version']; run()"
    )
    ended = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True)
    assert ended.returncode == 0 and ended.stdout.endswith("bye\n") and "predabs" in ended.stdout
