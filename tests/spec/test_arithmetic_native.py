"""Arithmetic faults as the sanitizer of gcc sees them: if a call of a random function goes wrong in
a native build, it does so in the interpreter with all checks of arithmetic, and the other way round
where gcc could not simplify before it looked."""

from __future__ import annotations

import subprocess
from pathlib import Path
from random import Random

import pytest

from predabs.concrete.inputs import ListInputs
from predabs.concrete.interpreter import execute
from predabs.concrete.outcome import ErrorReached, Exited
from predabs.frontend.load import load
from predabs.spec.checks import ARITHMETIC, add_checks
from support.arithmetic_random import PARAMETERS, RECORD, TYPES, function, inputs
from support.compilers import builds
from support.selection import mostly_long

SANITIZER = "-fsanitize=undefined"
FUNCTIONS = 40  # in one program
CALLS = 4  # of each


def head(seed: int) -> str:
    random = Random(seed)
    functions = "".join(function(random, number, seed % 2 == 0) for number in range(FUNCTIONS))
    return f"{RECORD} volatile long sink;\n{functions}"


def native(folder: Path, seed: int) -> Path:
    values = ", ".join(f"strtoull(argv[{n}], 0, 10)" for n in range(2, 2 + len(TYPES)))
    table = ", ".join(f"f{number}" for number in range(FUNCTIONS))
    source, binary = folder / "native.c", folder / "native"
    source.write_text(
        f"#include <stdlib.h>\n{head(seed)}\nint main(int argc, char **argv) {{\n"
        f"  static void (*table[])({PARAMETERS}) = {{{table}}};\n"
        f"  table[atoi(argv[1])]({values});\n  return 0; }}\n"
    )
    options = ["-w", "-O0", SANITIZER, "-fno-sanitize-recover=all"]
    subprocess.run(["gcc", *options, str(source), "-o", str(binary)], check=True)
    return binary


def goes_wrong(folder: Path, seed: int, number: int, values: list[int]) -> str | None:
    """What goes wrong in the interpreter."""
    lines = [f"{type_} {name} = {get(type_)};" for name, type_ in TYPES.items()]
    file = folder / "a.c"
    file.write_text(
        "long __VERIFIER_nondet_long(void); unsigned long __VERIFIER_nondet_ulong(void);\n"
        f"{head(seed)}\nint main(void) {{ {' '.join(lines)} f{number}({', '.join(TYPES)}); }}\n"
    )
    program = add_checks(load([str(file)]), ARITHMETIC - {"conversion"})
    found = execute(program, ListInputs(values))
    if isinstance(found, ErrorReached):
        return found.text
    assert isinstance(found, Exited), found
    return None


def get(type_: str) -> str:
    kind = "ulong" if type_ == "unsigned long" else "long"
    return f"({type_})__VERIFIER_nondet_{kind}()"


@pytest.mark.skipif(not builds(SANITIZER), reason="no sanitizer here")
@pytest.mark.parametrize("seed", mostly_long(range(20), 2))
def test_the_same_calls_go_wrong(seed: int, tmp_path: Path) -> None:
    binary = native(tmp_path, seed)
    random = Random(seed + 1000)
    seen = set()
    for number in range(FUNCTIONS):
        for _ in range(CALLS):
            values = inputs(random)
            words = [str(value % (1 << 64)) for value in values]
            run = subprocess.run([binary, str(number), *words], capture_output=True, text=True)
            wrong = goes_wrong(tmp_path, seed, number, values)
            told = "runtime error" in run.stderr
            assert told or not run.stderr, run.stderr
            agree = (wrong is not None) == told or (wrong is not None and seed % 2)
            assert agree, f"f{number}{tuple(values)}: {wrong}, but {run.stderr or 'nothing'}"
            seen.add(wrong is None)
    assert seen == {True, False}
