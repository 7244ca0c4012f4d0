"""CPU seconds of a check of ten lines, with all its processes, beside the bare start of Python.

Each command runs several times, one run after the other, after one that does not count (it writes
bytecode). The median and the least are shown.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from predabs.bench.execute import Executor, Limits
from predabs.bench.perform import environment
from predabs.bench.text_table import Table, print_tables

_LIMITS = Limits(300.0, 3000.0, 4096)
PROGRAM = """extern int __VERIFIER_nondet_int(void);
void reach_error(void);
int main(void) {
  int x = __VERIFIER_nondet_int(), y = 0;
  if (x > 10)
    y = x;
  if (y > 0 && y < 5)
    reach_error();
  return 0;
}
"""


def main(words: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench startup", description=__doc__)
    parser.add_argument(
        "--runs", type=int, default=10, metavar="N", help="of each command (default: 10)"
    )
    parser.add_argument("--markdown", action="store_true", help="a table for the documentation")
    args = parser.parse_args(words)
    with tempfile.TemporaryDirectory(prefix="predabs-bench-") as folder:
        file = Path(folder, "ten.c")
        file.write_text(PROGRAM)
        rows = []
        for name, command in _commands(str(file)).items():
            seconds = [cpu_seconds(command) for _ in range(args.runs + 1)][1:]
            rows.append((name, f"{statistics.median(seconds):.3f}", f"{min(seconds):.3f}"))
    heads = ("command", "median", "least")
    print_tables([Table("CPU seconds of a check of ten lines", heads, rows)], args.markdown)
    return 0


def _commands(file: str) -> dict[str, list[str]]:
    check = [sys.executable, "-m", "predabs", "check", file]
    return {
        "python": [sys.executable, "-c", "pass"],
        "import predabs": [sys.executable, "-c", "import predabs"],
        "predabs check": check,
        "predabs check --jobs 1": [*check, "--jobs", "1"],
        "predabs check --engine bounded": [*check, "--engine", "bounded"],
    }


def cpu_seconds(command: Sequence[str]) -> float:
    """Those of the process and of all that it has started."""
    nowhere = Path(os.devnull)
    ended = Executor().execute(command, _LIMITS, (nowhere, nowhere), environment())
    if ended.code:
        raise subprocess.CalledProcessError(ended.code, list(command))
    return ended.cpu
