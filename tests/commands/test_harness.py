"""`predabs harness`: files, messages and exit codes; what is written is checked with the module."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from predabs.cli import main
from support.places import ROOT


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def checked(capsys: pytest.CaptureFixture[str], *more: str) -> tuple[int, str]:
    """What the command that the harness names says."""
    text = Path("harness.c").read_text()
    (line,) = [line for line in text.splitlines() if line.startswith(" *   predabs check ")]
    capsys.readouterr()
    code = main([*line.split()[2:], *more])
    return code, capsys.readouterr().out


# --- round trips ----------------------------------------------------------------------------------


def test_a_driver_with_a_bug_and_without(capsys: pytest.CaptureFixture[str]) -> None:
    """The functions of the table are static."""
    for name, code, verdict in (("device", 1, "FALSE"), ("device_fixed", 0, "TRUE")):
        words = [f"examples/{name}.c", "--table", "struct file_operations", "-o", "harness.c"]
        assert main(["harness", *words]) == 0
        found, printed = checked(capsys)
        assert found == code
        assert printed.endswith(f"VERDICT: {verdict}\n")


def test_functions_by_name(capsys: pytest.CaptureFixture[str]) -> None:
    """The bug is in one function, and shows in two calls of it."""
    words = ["harness", "examples/device.c", "-o", "harness.c"]
    assert main([*words, "--call", "device_open", "--call", "device_release"]) == 0
    assert checked(capsys)[0] == 0
    assert main([*words, "--call", "device_write"]) == 0
    assert checked(capsys)[0] == 1


def test_a_library_with_a_header(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["harness", "examples/fifo.c", "-o", "harness.c"]) == 0
    assert checked(capsys)[0] == 0
    source = Path("examples/fifo.c")
    source.write_text(source.read_text().replace("used == FIFO_SIZE", "used > FIFO_SIZE"))
    assert checked(capsys)[0] == 1


def test_init_runs_first(capsys: pytest.CaptureFixture[str]) -> None:
    """Without it, a fifo may hold anything."""
    assert main(["harness", "examples/fifo.c", "-o", "harness.c", "--init", "-"]) == 0
    assert checked(capsys)[0] == 1


def test_a_failed_init_ends_the_run(capsys: pytest.CaptureFixture[str]) -> None:
    Path("module.c").write_text(
        """#include <assert.h>
        extern int __VERIFIER_nondet_int(void);
        static int ready, ended;
        int it_init(void) { ready = __VERIFIER_nondet_int() > 3; return ready ? 0 : -1; }
        void use(enum { FIRST, SECOND } which) { assert(ready && !ended); }
        void it_exit(void) { assert(ready); ended = 1; }
        """
    )
    assert main(["harness", "module.c", "-o", "harness.c"]) == 0
    assert checked(capsys)[0] == 0
    assert main(["harness", "module.c", "-o", "harness.c", "--exit", "-"]) == 0
    assert checked(capsys)[0] == 1  # it_exit is in the loop


def test_functions_without_a_header(capsys: pytest.CaptureFixture[str]) -> None:
    """They are declared in the harness, with an opaque struct."""
    Path("module.c").write_text(
        """extern void reach_error(void);
        struct box;
        static struct box *last;
        void keep(struct box *b) { last = b; }
        void use(struct box *b, short n) { if (last && last != b && n == 7) reach_error(); }
        """
    )
    assert main(["harness", "module.c", "-o", "harness.c"]) == 0
    assert "struct box;" in Path("harness.c").read_text()
    assert checked(capsys)[0] == 0  # the same box in all calls
    text = Path("harness.c").read_text()
    new = text.replace("keep(box);", "keep(any_box());")
    assert new != text
    Path("harness.c").write_text(new)
    assert checked(capsys)[0] == 1


def test_structs_by_value_and_functions_to_call_back(capsys: pytest.CaptureFixture[str]) -> None:
    Path("module.c").write_text(
        """extern void reach_error(void);
        struct point { int x, y; };
        static int sum;
        void add(struct point p) { sum = p.x == 3 && p.y == 4 ? 12 : 0; }
        void ask(int (*question)(int), int right)
        {
          if (question && question(sum) == 5 && sum == 12 && right != 5)
            reach_error();
        }
        """
    )
    assert main(["harness", "module.c", "-o", "harness.c"]) == 0
    assert checked(capsys)[0] == 1


def test_a_module_with_a_main(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["harness", "examples/queue.c", "--call", "submit", "-o", "harness.c"]) == 2
    assert "examples/queue.c:34:5: there is a function main already" in capsys.readouterr().err
    words = ["--call", "submit", "--call", "take", "--entry", "start", "-o", "harness.c"]
    assert main(["harness", "examples/queue.c", *words]) == 0
    text = Path("harness.c").read_text()
    assert " *   predabs check harness.c --entry start\n" in text
    assert checked(capsys)[0] == 0  # the assertion is in main


# --- files ----------------------------------------------------------------------------------------


def test_standard_output(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["harness", "examples/fifo.c"]) == 0
    printed = capsys.readouterr()
    assert '#include "examples/fifo.h"' in printed.out
    assert printed.err == ""
    assert main(["harness", "examples/fifo.c", "-o", "-"]) == 0
    assert capsys.readouterr().out == printed.out
    assert not Path("-").exists()


def test_a_file_in_another_folder(capsys: pytest.CaptureFixture[str]) -> None:
    Path("checks").mkdir()
    assert main(["harness", "examples/fifo.c", "-o", "checks/harness.c"]) == 0
    assert '#include "../examples/fifo.h"' in Path("checks/harness.c").read_text()
    told = capsys.readouterr().err
    assert "predabs: fifo_init is the init function by its name (--init).\n" in told
    assert told.endswith("check it with: predabs check examples/fifo.c checks/harness.c\n")
    assert main(["check", "examples/fifo.c", "checks/harness.c", "--engine", "lazy"]) == 0


def test_a_folder_of_headers() -> None:
    Path("source").mkdir()
    Path("examples/fifo.c").rename("source/fifo.c")
    assert main(["harness", "source/fifo.c", "-I", "examples", "-o", "harness.c"]) == 0
    text = Path("harness.c").read_text()
    assert '#include "fifo.h"' in text
    assert " *   predabs check source/fifo.c harness.c -I examples\n" in text


def test_the_module_is_not_written_over(capsys: pytest.CaptureFixture[str]) -> None:
    before = Path("examples/fifo.c").read_text()
    assert main(["harness", "examples/fifo.c", "-o", "examples/../examples/fifo.c"]) == 2
    assert "this is a file of the module" in capsys.readouterr().err
    assert Path("examples/fifo.c").read_text() == before


def test_a_failure_writes_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    Path("harness.c").write_text("as before")
    assert main(["harness", "examples/fifo.c", "-o", "harness.c", "--call", "fifo_pot"]) == 2
    assert capsys.readouterr().err == (
        "predabs: examples/fifo.c: there is no function fifo_pot; did you mean fifo_put?\n"
    )
    assert Path("harness.c").read_text() == "as before"
    assert main(["harness", "examples/fifo.c", "-o", "none/harness.c"]) == 2
    assert "none/harness.c: cannot write: no such folder" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("int f(", r"module.c:1:"),
        ("int x;", "module.c: there is no function that another file could call"),
        ("_Complex double f(void) { return 0; }", "module.c:1:17: a complex number type is not"),
    ],
)
def test_bad_modules(text: str, message: str, capsys: pytest.CaptureFixture[str]) -> None:
    Path("module.c").write_text(text)
    assert main(["harness", "module.c"]) == 2
    printed = capsys.readouterr()
    assert message in printed.err
    assert printed.out == ""


def test_no_such_file(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["harness", "none.c"]) == 2
    assert capsys.readouterr().err == "predabs: none.c: no such file\n"


def test_help(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["harness", "--help"]) == 0
    text = " ".join(capsys.readouterr().out.split())
    for words in ("--table TYPE", "--init F", "--non-null", "predabs harness driver.c --table"):
        assert words in text
    assert "--extern-pointers" not in text
