"""What predabs does not support, and what is no C: one message with its position, exit code 2."""

from __future__ import annotations

import pytest

from predabs.cli import main
from support.annotated import Annotated, programs

PROGRAMS = programs("refused")


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
