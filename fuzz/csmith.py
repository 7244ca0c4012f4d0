"""Programs from Csmith [YCER11], an independent generator of random C, where it is installed.

Its programs are larger and stranger than our own, and use packed structures and the system headers.
"""

from __future__ import annotations

import tempfile
from functools import cache
from pathlib import Path
from random import Random
from shutil import which

from fuzz.native import run_limited

SMALL = {
    "--max-funcs": (1, 5),
    "--max-block-depth": (1, 3),
    "--max-block-size": (2, 5),
    "--max-expr-complexity": (3, 10),
    "--max-array-len-per-dim": (2, 6),
    "--max-array-dim": (1, 3),
    "--max-struct-fields": (3, 8),
}
SOMETIMES = ("--no-packed-struct", "--no-unions", "--no-jumps", "--no-inline-function", "--no-argc")


@cache
def headers() -> Path | None:
    """The folder of csmith.h, or None."""
    roots = [Path(p) for p in ("/usr/include", "/usr/local/include")]
    binary = which("csmith")
    if binary is not None:
        roots.append(Path(binary).resolve().parent.parent / "include")
    for root in roots:
        for folder in sorted(root.glob("csmith*")):
            if (folder / "csmith.h").is_file():
                return folder
    return None


def available() -> bool:
    """Whether Csmith and its headers are installed."""
    return which("csmith") is not None and headers() is not None


def options(seed: int) -> list[str]:
    """The options for a seed: small programs without floating point.

    >>> options(1) == options(1)
    True
    """
    rng = Random(seed)
    chosen = ["--seed", str(seed + 1), "--no-float", "--concise"]
    chosen.append("--volatiles" if rng.random() < 0.2 else "--no-volatiles")
    for name, (low, high) in SMALL.items():
        chosen += [name, str(rng.randint(low, high))]
    return chosen + [name for name in SOMETIMES if rng.random() < 0.2]


def program(seed: int) -> str | None:
    """The text of Csmith's program for a seed, or None where Csmith gave up."""
    with tempfile.TemporaryDirectory() as folder:  # csmith leaves a file behind where it runs
        made = run_limited(["csmith", *options(seed)], seconds=20, cwd=Path(folder))
    if made.status != 0 or not made.stdout:
        return None
    # Csmith prints one checksum; this makes it print one after each variable.
    return made.stdout.replace("int print_hash_value = 0;", "int print_hash_value = 1;")
