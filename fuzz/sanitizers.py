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
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>
extern int __lsan_do_recoverable_leak_check(void);
enum { INPUTS = %d };
static int inputs[256], given, *taken;
int __VERIFIER_nondet_int(void) { return *taken < given ? inputs[(*taken)++] : 0; }
static long blocks, made;
static void count(void) { blocks++; if (++made > 10000) _exit(5); }
void *fuzz_calloc(size_t n, size_t size) { count(); return calloc(n, size); }
void *fuzz_malloc(size_t size) { count(); return malloc(size); }
void *fuzz_realloc(void *p, size_t size) { if (!p) count(); return realloc(p, size); }
void fuzz_free(void *p) { if (p) blocks--; free(p); }
void fuzz_abort(void) { _exit(5); }
static void wipe(void) { volatile char room[8192]; for (int i = 0; i < 8192; i++) room[i] = 0; }
static int run(int (*program)(void)) {
  *taken = 0;
  pid_t child = fork();
  if (!child) {
    struct itimerval time = {{0, 0}, {0, 40000}};
    setitimer(ITIMER_VIRTUAL, &time, 0);
    program();
    wipe(); // what is left on the stack leads nowhere
    _exit(!blocks ? 0 : __lsan_do_recoverable_leak_check() ? 4 : 3);
  }
  int status;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}
%s
int main(int argc, char **argv) {
  static int (*const programs[])(void) = {%s};
  taken = mmap(0, sizeof(int), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (argc > 1) {
    for (int i = 2; i < argc && given < 256; i++) inputs[given++] = atoi(argv[i]);
    printf("0 0 %%d\\n", run(programs[atoi(argv[1])]));
    return 0;
  }
  given = INPUTS;
  for (int number = 0; number < %d; number++) {
    int choice = 0, same, code = 0;
    while (choice < 1 << 2 * INPUTS && code != 99) {
      for (int i = 0; i < INPUTS; i++) inputs[i] = choice >> 2 * (INPUTS - 1 - i) & 3;
      code = run(programs[number]);
      printf("%%d %%d %%d\\n", number, choice, code);
      fflush(stdout);
      same = 2 * (INPUTS - *taken); // runs that differ only in inputs that were not taken
      choice = ((choice >> same) + 1) << same;
    }
  }
  return 0;
}
"""
_FAULT, _KEPT, _LOST, _ENDED = 99, 3, 4, 5  # how a run ends
_COMMON = "exitcode=99:symbolize=0"
_OPTIONS = f"{_COMMON}:detect_leaks=1:detect_stack_use_after_return=1:redzone=256"


@dataclass(frozen=True, slots=True)
class NativeRun:
    """How the run with these inputs ended: in a fault, with objects that were not freed, or that
    nothing leads to any more."""

    inputs: tuple[int, ...]
    fault: bool
    kept: bool
    lost: bool


def all_runs(texts: Sequence[str], folder: Path, inputs: int = 2) -> list[list[NativeRun]]:
    """The runs of each program up to the first fault. It takes so many inputs, each of two bits;
    those that follow are zero. Of runs that take the same inputs there is one."""
    build(texts, folder, inputs)
    found: list[list[NativeRun]] = [[] for _ in texts]
    for number, choice, code in _executed(folder):
        taken = tuple(choice >> 2 * i & 3 for i in reversed(range(inputs)))
        found[number].append(_run(taken, code))
    return found


def one_run(number: int, inputs: Sequence[int], folder: Path) -> NativeRun:
    """The run with these inputs of one of the programs that have been built."""
    ((_, _, code),) = _executed(folder, number, *inputs)
    return _run(tuple(inputs), code)


def _executed(folder: Path, *arguments: int) -> list[tuple[int, int, int]]:
    """A program, a choice of inputs, and how that run ended."""
    environment = {"ASAN_OPTIONS": _OPTIONS, "UBSAN_OPTIONS": _COMMON}
    command = [str(folder / "runs"), *map(str, arguments)]
    done = subprocess.run(command, env=environment, capture_output=True, check=True)
    lines = [tuple(map(int, line.split())) for line in done.stdout.decode().splitlines()]
    return [(number, choice, code) for number, choice, code in lines]


def _run(inputs: tuple[int, ...], code: int) -> NativeRun:
    fine = code in (0, _KEPT, _LOST, _ENDED)
    if not fine and code != _FAULT and code > 0:
        raise RuntimeError(f"a native run ended with {code}")
    endless = code == -signal.SIGVTALRM  # no fault
    return NativeRun(inputs, not fine and not endless, code in (_KEPT, _LOST), code == _LOST)


def build(texts: Sequence[str], folder: Path, inputs: int) -> None:
    """Compile the programs into one executable."""
    names = []
    for number, text in enumerate(texts):
        name = f"main_{number}"
        names.append(name)
        text = re.sub(r"\bmain\b", name, text)
        text = re.sub(r"\b(calloc|malloc|realloc|free|abort)\b", r"fuzz_\1", text)
        Path(folder, f"p{number}.c").write_text(text)
    declared = "\n".join(f"int {name}(void);" for name in names)
    parts = inputs, declared, ", ".join(names), len(names)
    Path(folder, "driver.c").write_text(_MAIN % parts)
    sources = ["driver.c", *(f"p{number}.c" for number in range(len(texts)))]
    flags = [
        "-fsanitize=address,undefined",
        "-fno-sanitize-recover=all",
        "-fno-sanitize=alignment,pointer-overflow",  # predabs has no checks for them
        "-ftrivial-auto-var-init=pattern",
        "-O0",
        "-w",
        "-fno-builtin",
    ]
    command = ["gcc", *flags, "-o", "runs", *sources]
    subprocess.run(command, cwd=folder, check=True, capture_output=True)
