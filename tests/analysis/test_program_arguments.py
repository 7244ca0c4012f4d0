"""The arguments of main are what C says: argc of them, none null, and a null pointer behind."""

from __future__ import annotations

from pathlib import Path

import pytest

import predabs
from predabs.analysis.program_arguments import with_arguments
from support.c_programs import program_of_c, write_c


def verdict(folder: Path, body: str, *checks: str, engine: str = "bounded") -> str:
    file = write_c(folder, f"int main(int argc, char **argv) {{ {body} return 0; }}")
    return predabs.check([file], checks=checks, engine=engine, timeout=20).verdict.value


HOLDS = {
    "argc": "if (argc < 0) reach_error();",
    "argv": "if (!argv) reach_error();",
    "an argument": "if (argc > 2 && !argv[2]) reach_error();",
    "the end": "if (argc == 1 && argv[1]) reach_error();",
}


@pytest.mark.parametrize("engine", ["bounded", "lazy", "slam", "numpred"])
@pytest.mark.parametrize("name", HOLDS)
def test_what_c_says_holds(name: str, engine: str, tmp_path: Path) -> None:
    assert verdict(tmp_path, HOLDS[name], engine=engine) == "TRUE"


OPEN = {
    "no argument at all": "if (argc == 0) reach_error();",
    "many": "if (argc == 7) reach_error();",
    "one after the other": "int n = 0; while (*argv++) n++; if (n == 6) reach_error();",
    "a text": "if (argc > 1 && argv[1][0] == 'x' && !argv[1][1]) reach_error();",
    "no text": "if (argc > 1 && !argv[1][0]) reach_error();",
    "elements": "int n = 0; for (int i = 0; i < argc; i++) n += *argv[i] == 'x';"
    " if (n > 5) reach_error();",
}


@pytest.mark.parametrize("name", OPEN)
def test_what_it_does_not_say_can_be(name: str, tmp_path: Path) -> None:
    assert verdict(tmp_path, OPEN[name]) == "FALSE"


def test_arguments_are_memory(tmp_path: Path) -> None:
    assert verdict(tmp_path, "if (argc > 1) return argv[1][0];", "deref") == "TRUE"
    assert verdict(tmp_path, "return argv[1][0];", "deref") == "FALSE"


@pytest.mark.parametrize(
    "text",
    [
        "int main(void) { return 0; }",
        "int main(int argc, char **argv) { return 0; }",
        "int other(int argc, char **argv) { return argc; } int main(void) { return other(1, 0); }",
    ],
)
def test_other_programs_stay_as_they_are(text: str) -> None:
    program = program_of_c(text)
    assert with_arguments(program) is program
