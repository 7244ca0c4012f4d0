"""Builds and runs C programs with the compiler of the machine, under limits.

The limits are set by the shell that starts the program, so that they hold for it alone.
"""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from shutil import which

DATA_MODELS = ("LP64", "ILP32")
MACHINE = {"LP64": "-m64", "ILP32": "-m32"}
# as predabs computes: the old floating-point unit has more digits than a double
ARITHMETIC = ("-msse2", "-mfpmath=sse", "-ffp-contract=off", "-frounding-math")
PROBE = '#include <stdio.h>\nint main(void) { return printf("%d", (int)sizeof(long)) != 1; }\n'


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a command printed and how it ended; `status` is None where it ran out of time."""

    stdout: str
    stderr: str
    status: int | None


def run_limited(
    command: Sequence[str], seconds: float, megabytes: int | None = None, cwd: Path | None = None
) -> Outcome:
    """Run a command without input under a limit of time, of file size and, if asked, of memory."""
    memory = f"ulimit -v {megabytes * 1024}; " if megabytes else ""
    script = f'ulimit -f 40960; ulimit -c 0; {memory}exec "$@"'
    try:
        done = subprocess.run(
            ["sh", "-c", script, "sh", *command],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=seconds,
            cwd=cwd,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return Outcome("", f"no end within {seconds} s", None)
    out, err = (b.decode("utf-8", "backslashreplace") for b in (done.stdout, done.stderr))
    return Outcome(out, err, done.returncode)


@cache
def compiler() -> str | None:
    """The C compiler to compare with, or None where there is none."""
    return which("gcc")


@cache
def builds(model: str) -> bool:
    """Whether a program for this data model can be built and run here."""
    if compiler() is None:
        return False
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "probe.c")
        source.write_text(PROBE)
        return execute(source, model).stdout == {"LP64": "8", "ILP32": "4"}[model]


def build(source: Path, binary: Path, model: str, flags: Sequence[str] = ()) -> Outcome:
    """Compile one file; status 0 where it worked."""
    gcc = compiler()
    assert gcc is not None
    fixed = [gcc, "-fwrapv", "-w", MACHINE[model], *ARITHMETIC]
    return run_limited([*fixed, *flags, str(source), "-o", str(binary), "-lm"], seconds=60)


def execute(
    source: Path,
    model: str,
    flags: Sequence[str] = ("-O0",),
    seconds: float = 10,
    megabytes: int | None = 1024,
) -> Outcome:
    """Compile and run a program; a program that does not compile has status -1."""
    with tempfile.TemporaryDirectory() as folder:
        binary = Path(folder, "a.out")
        built = build(source, binary, model, flags)
        if built.status != 0:
            return Outcome("", built.stderr, -1)
        return run_limited([str(binary)], seconds, megabytes, Path(folder))
