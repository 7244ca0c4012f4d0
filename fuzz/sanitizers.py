"""All runs of random memory programs, natively, under gcc's sanitizers.

Many programs share one executable, which makes each run in a process of its own.
"""

from __future__ import annotations

import re
import signal
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

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
  for (int number = 0; number < %d; number++)
    for (int first = 0; first < 4; first++)
      for (int second = 0; second < 4; second++) {
        pid_t child = fork();
        if (!child) {
          alarm(5);
          inputs[0] = first; inputs[1] = second;
          programs[number]();
          _exit(blocks ? 3 : 0);
        }
        int status;
        waitpid(child, &status, 0);
        int code = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
        printf("%%d %%d %%d %%d\\n", number, first, second, code);
        fflush(stdout);
      }
  return 0;
}
"""
_FAULT, _KEPT = 99, 3
_OPTIONS = "exitcode=99:detect_leaks=0:detect_stack_use_after_return=1:redzone=256"


@dataclass(frozen=True, slots=True)
class NativeRun:
    """How the run with these inputs ended: in a fault, or with objects that were not freed."""

    inputs: tuple[int, ...]
    fault: bool
    kept: bool


def all_runs(texts: Sequence[str], folder: Path) -> list[list[NativeRun]]:
    """All runs of each program."""
    build(texts, folder)
    environment = {"ASAN_OPTIONS": _OPTIONS, "UBSAN_OPTIONS": "exitcode=99"}
    done = subprocess.run([folder / "runs"], env=environment, capture_output=True, check=True)
    found: list[list[NativeRun]] = [[] for _ in texts]
    for line in done.stdout.decode().splitlines():
        number, first, second, code = map(int, line.split())
        if code not in (0, _KEPT, _FAULT) and code > 0:
            raise RuntimeError(f"a native run ended with {code}")
        endless = code == -signal.SIGALRM  # no fault
        fault = code not in (0, _KEPT) and not endless
        found[number].append(NativeRun((first, second), fault, code == _KEPT))
    return found


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
    Path(folder, "driver.c").write_text(_MAIN % (declared, ", ".join(names), len(names)))
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
