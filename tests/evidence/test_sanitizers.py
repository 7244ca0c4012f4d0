"""Faults that a native run shows under a sanitizer, after a check has found them."""

from __future__ import annotations

from pathlib import Path

import pytest

import predabs
from predabs.cli import main
from predabs.evidence.sanitizers import reported
from support.c_programs import write_c
from support.compilers import needs_compiler

HEAD = "#include <stdlib.h>\n#include <limits.h>\nint __VERIFIER_nondet_int(void);\n"
FAULTS = {
    "deref": "int *p = malloc(4 * sizeof *p); int n = __VERIFIER_nondet_int();"
    " if (n >= 0 && n <= 4) p[n] = 1; free(p); return 0;",
    "free": "char *p = malloc(3); free(p); if (__VERIFIER_nondet_int() == 7) free(p); return 0;",
    "leak": "char *p = malloc(3); if (__VERIFIER_nondet_int() != 7) free(p); p = 0; return 0;",
    "signed-overflow": "int n = __VERIFIER_nondet_int(); n = n + 1; return n == 5;",
    "div-by-zero": "int n = __VERIFIER_nondet_int(); return 7 / n;",
    "shift": "int n = __VERIFIER_nondet_int(); return 1 << n;",
    "unreachable": "if (__VERIFIER_nondet_int() == 7) __builtin_unreachable(); return 0;",
    "vla-bound": "int n = __VERIFIER_nondet_int(); if (n > 9) return 0; int a[n]; return 0;",
    "float-cast-overflow": "double d = __VERIFIER_nondet_int(); return (signed char)d;",
}


@needs_compiler
@pytest.mark.parametrize("check", FAULTS)
def test_the_sanitizer_reports_it_too(
    check: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, out = tmp_path / "a.c", tmp_path / "out.c"
    file.write_text(f"{HEAD}int main(void) {{ {FAULTS[check]} }}\n")
    words = ["--check", check, "--engine", "bounded", "--test", str(out)]
    assert main(["check", str(file), *words]) == 1
    said = next(line for line in capsys.readouterr().out.splitlines() if line.startswith("test:"))
    assert "reached: " in said and "not" not in said.split("reached")[0]
    assert "sanitizer" in out.read_text()


@needs_compiler
def test_what_no_sanitizer_of_gcc_sees_is_not_run(tmp_path: Path) -> None:
    text = "int main(void) { int x; if (x) return 1; return 0; }\n"
    found = predabs.check([write_c(tmp_path, text)], checks=["uninit"], engine="bounded")
    assert found.violation is not None and not found.violation.test.observable
    assert "does not show" in found.violation.test.text


@pytest.mark.parametrize(
    ("errors", "expected"),
    [
        ("", None),
        ("SUMMARY: AddressSanitizer: heap-use-after-free /a/b.c:7 in main", "/a/b.c:7"),
        ("SUMMARY: AddressSanitizer: 10 byte(s) leaked in 1 allocation(s).", "10 byte(s) leaked"),
        ("x\n/p.c:3:12: runtime error: shift exponent 40 is too large\ny", "/p.c:3:12"),
    ],
)
def test_what_sanitizers_say(errors: str, expected: str | None) -> None:
    said = reported(errors)
    assert said is None if expected is None else said is not None and expected in said
