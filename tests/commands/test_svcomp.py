"""`--svcomp`: the conventions of the competition."""

from __future__ import annotations

from pathlib import Path

import pytest

from predabs.bench.task import STANDARD
from predabs.cli import main

BUG = "extern void reach_error(void);\nint main(void) { reach_error(); return 0; }\n"
NULL = "int main(void) { int *p = 0; return *p; }\n"


@pytest.mark.parametrize(
    ("name", "text", "code", "last"),
    [
        ("unreach-call", BUG, 1, "VERDICT: FALSE (unreach-call)"),
        ("valid-memsafety", NULL, 1, "VERDICT: FALSE (valid-deref)"),
        ("no-overflow", "int main(void) { return 0; }\n", 0, "VERDICT: TRUE"),
        ("termination", BUG, 3, "VERDICT: UNKNOWN ("),
    ],
)
def test_verdicts(
    name: str,
    text: str,
    code: int,
    last: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (tmp_path / "a.c").write_text(text)
    (tmp_path / f"{name}.prp").write_text(STANDARD[name])
    words = ["--svcomp", str(tmp_path / f"{name}.prp"), str(tmp_path / "a.c"), "--timeout", "60"]
    for start in ([], ["check"]):
        assert main([*start, *words]) == code
        assert capsys.readouterr().out.splitlines()[-1].startswith(last)


def test_a_file_that_is_no_property(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.c").write_text(BUG)
    (tmp_path / "x.prp").write_text("CHECK nothing")
    assert main(["--svcomp", str(tmp_path / "x.prp"), str(tmp_path / "a.c")]) == 2
    assert "not a property" in capsys.readouterr().err
