"""Options that a bench run hands on to `predabs check`."""

from __future__ import annotations

from pathlib import Path

from bench.runner import Settings
from bench.tasks import Task


def test_more_words_for_check() -> None:
    task = Task("a", Path("a.c"), True, "LP64", 3)
    options = ("--domain=nex", "--numeric=box")
    settings = Settings(1, 100, engine="numpred", options=options)
    words = settings.command(task, Path("out"), Path("p.prp"))
    assert words[words.index("--engine") + 1] == "numpred"
    assert words[-2:] == ["--domain=nex", "--numeric=box"]
