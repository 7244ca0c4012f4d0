"""examples/ci: the hook refuses bugs, the problem matcher finds them, the rest is well-formed."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from predabs.cli import main
from support.places import ROOT

CI = ROOT / "examples" / "ci"
BUG = "#include <stdlib.h>\nint main(void)\n{\n  int *p = malloc(4);\n  free(p);\n  return *p;\n}\n"
FINE = BUG.replace("  free(p);\n", "")


@pytest.mark.skipif(shutil.which("git") is None, reason="no git here")
def test_the_hook_refuses_a_bug(tmp_path: Path) -> None:
    tools = tmp_path / "bin"
    tools.mkdir()
    command = tools / "predabs"
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m predabs "$@"\n')
    command.chmod(0o755)
    path = os.pathsep.join(map(str, [tools, os.environ["PATH"]]))
    environment = {**os.environ, "PATH": path, "GIT_CONFIG_GLOBAL": os.devnull}
    repository = tmp_path / "repository"

    def git(*words: str) -> subprocess.CompletedProcess[str]:
        who = ("-c", "user.name=A", "-c", "user.email=a@example.org")
        return subprocess.run(
            ["git", "-C", str(repository), *who, *words],
            env=environment,
            capture_output=True,
            text=True,
        )

    repository.mkdir()
    assert git("init", "-q").returncode == 0
    shutil.copy(CI / "pre-commit", repository / ".git" / "hooks" / "pre-commit")
    (repository / "a.c").write_text(BUG)
    (repository / "part.c").write_text("int twice(int x) { return 2 * x; }\n")
    git("add", ".")
    refused = git("commit", "-m", "first")
    assert refused.returncode != 0
    assert "a.c has a bug" in refused.stderr
    (repository / "a.c").write_text(FINE)
    git("add", ".")
    accepted = git("commit", "-m", "first")
    assert accepted.returncode == 0, accepted.stderr


def test_the_problem_matcher_finds_the_error(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tasks,) = json.loads((CI / "tasks.json").read_text("utf-8"))["tasks"]
    pattern = tasks["problemMatcher"]["pattern"]
    file = tmp_path / "a.c"
    file.write_text(BUG)
    assert main(["check", str(file), "--check", "memory"]) == 1
    lines = capsys.readouterr().out.splitlines()
    (found,) = filter(None, (re.match(pattern["regexp"], line) for line in lines))
    assert found[pattern["file"]] == str(file)
    assert (found[pattern["line"]], found[pattern["column"]]) == ("6", "3")
    assert found[pattern["message"]].startswith("invalid read of *p")


@pytest.mark.parametrize("name", ["github.yml", "gitlab.yml"])
def test_configurations_ask_for_options_that_there_are(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = (CI / name).read_text("utf-8")
    (words,) = re.findall(r"predabs check src/main\.c ([^|\n]*)", text)
    file = tmp_path / "a.c"
    file.write_text(FINE)
    monkeypatch.chdir(tmp_path)
    assert main(["check", str(file), *words.split()]) == 0
    assert (tmp_path / "predabs.sarif").is_file()
