"""The generator of random programs: repeatable, accepted by a compiler, and well defined."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import pytest
from fuzz.generate import program
from fuzz.native import Outcome

from fuzz import compare, native, reduce
from support.selection import mostly_long

needs_gcc = pytest.mark.skipif(native.compiler() is None, reason="no gcc here")
SANITIZE = ["-O0", "-fsanitize=undefined,address", "-fno-sanitize=signed-integer-overflow"]


@cache
def all_programs() -> str:
    """The text of many programs."""
    return "\n".join(program(seed) for seed in range(80))


def written(folder: Path, seed: int) -> Path:
    source = folder / f"seed{seed}.c"
    source.write_text(program(seed))
    return source


def test_a_seed_is_a_program() -> None:
    assert program(5) == program(5)
    assert program(5) != program(6)


def test_the_size_knob() -> None:
    small, large = (sum(len(program(s, size)) for s in range(20)) for size in (1, 4))
    assert small * 2 < large


CONSTRUCTS = {
    "every integer type": [
        *(r"\b_Bool\b", r"\bchar\b", r"\bsigned char\b", r"\bunsigned char\b", r"\bshort\b"),
        *(r"\bunsigned short\b", r"\bint\b", r"\bunsigned int\b", r"\blong\b"),
        *(r"\bunsigned long\b", r"\blong long\b", r"\bunsigned long long\b"),
    ],
    "types": [r"\benum E", r"\btypedef\b", r"\bstruct S", r"\bunion\b", r" : \d+;", r"\bint : 0;"],
    "compound assignment": [
        rf" {re.escape(op)}= " for op in ("+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>")
    ],
    "increment": [r"\+\+\w", r"\w\+\+", r"--\w", r"\w--"],
    "operators": [r"&&", r"\|\|", r" \? ", r", \(", r"~", r"!", r" << ", r" >> ", r"sizeof"],
    "pointers": [r"->", r"\*\*\w", r"\(\*\w+\)\[", r"&\w+\[", r"\(\*f\d+\)\(", r"table\d+\["],
    "initialisers": [r"\[\d\] = ", r"\.m\d+ = ", r"\[0 \.\.\. \d\]", r"\(struct S\d+\)\{"],
    "deep initialisers": [r"\.m\d+\[\d\] = ", r"\[\d\]\.m\d+ = ", r"= \"", r"\w\[\] = \{"],
    "statements": [
        *(r"\bfor \(", r"\bwhile \(", r"\bdo \{", r"\bswitch \(", r"\bcase ", r"\bdefault:"),
        *(r"\bbreak;", r"\bcontinue;", r"\bgoto ", r"\breturn ", r"\belse "),
    ],
    "GNU": [r"\(\{ ", r" \?: ", r"case \d+ \.\.\. ", r"__builtin_expect"],
    "functions": [
        r"\brec\d+\(",
        r"\bapply\d+\(",
        r"\bpick_int\(",
        r"\btotal\(\d, ",
        r"__typeof__",
        r"\bstatic \S+ st\d+",
    ],
    "library": [r"malloc", r"calloc", r"realloc", r"free", r"memcpy", r"memset", r"strlen"],
}


@pytest.mark.parametrize("family", CONSTRUCTS)
def test_programs_show_all_of_c(family: str) -> None:
    text = all_programs()
    missing = [pattern for pattern in CONSTRUCTS[family] if not re.search(pattern, text)]
    assert not missing


@needs_gcc
@pytest.mark.parametrize("seed", mostly_long(range(12), 3))
def test_gcc_accepts_and_optimisation_changes_nothing(seed: int, tmp_path: Path) -> None:
    source = written(tmp_path, seed)
    assert native.build(source, tmp_path / "a.out", "LP64", ["-Wall"]).status == 0
    plain, fast = (native.execute(source, "LP64", [level]) for level in ("-O0", "-O2"))
    assert (plain.status, plain.stderr) == (0, "")
    assert plain == fast
    assert plain.stdout.splitlines()[-1].startswith("end ")


@needs_gcc
@pytest.mark.parametrize("seed", mostly_long(range(100, 112), 3))
def test_no_undefined_behaviour(seed: int, tmp_path: Path) -> None:
    source = written(tmp_path, seed)
    if native.build(source, tmp_path / "a.out", "LP64", SANITIZE).status != 0:
        pytest.skip("gcc has no sanitizer libraries here")
    outcome = native.execute(source, "LP64", SANITIZE, megabytes=None)
    assert (outcome.status, outcome.stderr) == (0, "")


@needs_gcc
@pytest.mark.parametrize("seed", mostly_long(range(200, 206), 2))
def test_a_32_bit_long_is_defined_too(seed: int, tmp_path: Path) -> None:
    if not native.builds("ILP32"):
        pytest.skip("no 32-bit build works here")
    outcome = native.execute(written(tmp_path, seed), "ILP32")
    assert (outcome.status, outcome.stderr) == (0, "")


@pytest.mark.long
@needs_gcc
def test_a_planted_bug_is_found_and_reduced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An interpreter that takes every `>>=` for `<<=` must be caught, and shown in a few lines."""

    def wrong(source: Path, model: str, options: Sequence[str], _seconds: float) -> Outcome:
        broken = tmp_path / "broken.c"
        broken.write_text(source.read_text().replace(">>=", "<<="))
        return native.execute(broken, model, ["-O0", *options])

    monkeypatch.setattr(compare, "interpret", wrong)
    source = tmp_path / "program.c"
    # fmt: off
    source.write_text(
        "#include <stdio.h>\n"
        "static int f(int a)\n{\n    int b = a * 3;\n    if (b > 2) {\n        b--;\n    }\n"
        "    return b;\n}\n"
        "int main(void)\n{\n    unsigned x = 40;\n    int y = f(2);\n"
        "    for (int i = 0; i < 3; i++) {\n        y += i;\n    }\n"
        "    x >>= (1 + (2 * 1));\n    printf(\"%d\\n\", y);\n    printf(\"%u\\n\", x);\n"
        "    return 0;\n}\n"
    )
    # fmt: on
    result = compare.compare(source, "LP64")
    assert isinstance(result, compare.Difference)
    assert result.detail == "line 2: native '5', predabs '320'"
    test = reduce.still_differs(source, "LP64", result.kind, reduce.Job())
    small = reduce.reduce_text(source.read_text(), test)
    assert ">>=" in small
    assert "f(" not in small.replace("printf(", "")
    assert len(small.splitlines()) <= 7
