"""All runs of random memory programs, natively, under gcc's address and undefined-behaviour sanitizers.

Many programs share one executable, which makes each run in a process of its own.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path

from fuzz.memory_programs import INPUTS

_MAIN = """\
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
static int inputs[8], taken;
int __VERIFIER_nondet_int(void) { return inputs[taken++ & 7]; }
static long blocks;
void *fuzz_calloc(size_t n, size_t size) { blocks++; return calloc(n, size); }
void *fuzz_malloc(size_t size) { blocks++; return malloc(size); }
void fuzz_free(void *p) { if (p) blocks--; free(p); }
%s
int main(int argc, char **argv) {
  static int (*const programs[])(void) = {%s};
  int number = atoi(argv[1]);
  for (int i = 2; i < argc; i++) inputs[i - 2] = atoi(argv[i]);
  programs[number]();
  _exit(blocks ? 3 : 0);
}
"""
_FAULT, _KEPT = 99, 3
_SECONDS = 5.0
_OPTIONS = "exitcode=99:detect_leaks=0:detect_stack_use_after_return=1:redzone=256:allocator_may_return_null=1"


@dataclass(frozen=True, slots=True)
class NativeRun:
    """How the run with these inputs ended: in a fault, or with objects that were not freed."""

    inputs: tuple[int, ...]
    fault: bool
    kept: bool


def all_runs(texts: Sequence[str], folder: Path) -> list[list[NativeRun]]:
    """All runs of each program."""
    build(texts, folder)
    return [runs(number, folder) for number in range(len(texts))]


def build(texts: Sequence[str], folder: Path) -> None:
    """Compile the programs into one executable."""
    names = []
    for number, text in enumerate(texts):
        name = f"main_{number}"
        names.append(name)
        text = re.sub(r"\bmain\b", name, text)
        text = re.sub(r"\b(calloc|malloc|free)\b", r"fuzz_\1", text)
        Path(folder, f"p{number}.c").write_text(text)
    declared = "\n".join(f"int {name}(void);" for name in names)
    Path(folder, "driver.c").write_text(_MAIN % (declared, ", ".join(names)))
    sources = ["driver.c", *(f"p{number}.c" for number in range(len(texts)))]
    flags = [
        "-fsanitize=address,undefined",
        "-fno-sanitize-recover=all",
        "-O0",
        "-w",
        "-fno-builtin",
    ]
    command = ["gcc", *flags, "-o", "runs", *sources]
    subprocess.run(command, cwd=folder, check=True, capture_output=True)


def runs(number: int, folder: Path) -> list[NativeRun]:
    """All runs of one program."""
    found = []
    environment = {"ASAN_OPTIONS": _OPTIONS, "UBSAN_OPTIONS": "exitcode=99"}
    for inputs in product(range(4), repeat=INPUTS):
        command = [str(folder / "runs"), str(number), *map(str, inputs)]
        try:
            done = subprocess.run(command, env=environment, capture_output=True, timeout=_SECONDS)
        except subprocess.TimeoutExpired:  # an endless loop is no fault
            found.append(NativeRun(inputs, fault=False, kept=False))
            continue
        code = done.returncode
        if code not in (0, _KEPT, _FAULT) and code > 0:
            raise RuntimeError(f"a native run ended with {code}")
        found.append(NativeRun(inputs, code not in (0, _KEPT), code == _KEPT))
    return found
