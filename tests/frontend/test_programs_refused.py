"""What predabs does not support, and what is no C: one message with its position, exit code 2."""

from __future__ import annotations

from pathlib import Path

import pytest

from predabs import check
from predabs.cli import main
from support.annotated import Annotated, programs

PROGRAMS = programs("refused")
REACHED = programs("unsupported")


@pytest.mark.parametrize("command", ["run", "cfa"])
@pytest.mark.parametrize("program", PROGRAMS, ids=[program.name for program in PROGRAMS])
def test_it_is_refused(
    program: Annotated, command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    note = program.need("refused")
    column, _, text = note.text.partition(" ")
    assert main([command, *program.files]) == 2
    printed, message = capsys.readouterr()
    assert printed == ""
    positions = program.files if column == "-" else [f"{note.file}:{note.line}:{column}"]
    assert message.startswith(tuple(f"predabs: {position}: " for position in positions)), message
    assert text and text in message and "Traceback" not in message


@pytest.mark.parametrize("program", REACHED, ids=[program.name for program in REACHED])
def test_it_is_refused_where_a_run_comes_to_it(
    program: Annotated, capsys: pytest.CaptureFixture[str]
) -> None:
    note = program.need("refused")
    column, _, text = note.text.partition(" ")
    message = f"{note.file}:{note.line}:{column}: {text}"
    assert main(["run", *program.files]) == 2
    assert capsys.readouterr().err == f"predabs: {message}\n"
    assert main(["check", *program.files]) == 3
    assert capsys.readouterr().out.splitlines()[-1] == f"VERDICT: UNKNOWN ({message})"
    assert main(["cfa", *program.files]) == 0
    assert f"END: {text}" in capsys.readouterr().out
    predicates = Path(program.files[0]).with_name("none.preds")
    assert main(["abstract", *program.files, "--predicates", str(predicates)]) == 2
    assert capsys.readouterr().err == f"predabs: {message}\n"


_JUMPS = """
    #include <setjmp.h>
    #include <signal.h>
    #include <assert.h>
    static jmp_buf env;
    int __VERIFIER_nondet_int(void);
    static void fail(int x) { longjmp(env, x); }
    int main(void)
    {
      int x = __VERIFIER_nondet_int();
      signal(SIGPIPE, SIG_IGN);
      if (x < 0)
        return 1;
      if (setjmp(env))
        assert(0);
      assert(x != BAD);
      if (x < LIMIT)
        fail(3);
      return 0;
    }
"""


@pytest.mark.parametrize(
    ("limit", "bad", "verdict"), [(0, -1, "TRUE"), (5, -1, "UNKNOWN"), (5, 77, "FALSE")]
)
def test_jumps_that_runs_come_to(limit: int, bad: int, verdict: str, tmp_path: Path) -> None:
    (tmp_path / "x.c").write_text(_JUMPS)
    macros = [f"LIMIT={limit}", f"BAD={bad}"]
    assert check([tmp_path / "x.c"], define=macros).verdict.value == verdict
