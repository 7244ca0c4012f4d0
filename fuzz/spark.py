"""`python -m fuzz.spark`: the interpreter against gnat (`-gnata -gnato`) on random SPARK programs.

Both must print the same, and end in the same way: at the end, or with a run-time error of the same
kind in the same line. A failed pre- or postcondition is at the call for predabs, and at the
contract for gnat, so of these only the kind is compared.
"""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from fuzz.spark_programs import program
from predabs.concrete.inputs import RandomInputs
from predabs.concrete.interpreter import execute
from predabs.concrete.outcome import ErrorReached, Exited, Outcome
from predabs.frontend.load import load
from predabs.ir.ops import ErrorKind

_TOGETHER = 20  # programs in one executable
_STEPS = 200_000
_MARK = "===="


@dataclass(frozen=True, slots=True)
class Ending:
    """What a run printed, and how it ended: `end`, or an error and its line (0 if it has none)."""

    printed: str
    kind: str
    line: int


@dataclass(frozen=True, slots=True)
class Difference:
    seed: int
    predabs: Ending
    gnat: Ending | None


@dataclass(frozen=True, slots=True)
class NativeRuns:
    """The runs of programs that gnat has compiled, and the lines where it foresaw an error: there
    it raises the exception before anything else is evaluated, as Ada RM 11.6 allows."""

    endings: dict[int, Ending]
    warned: frozenset[tuple[int, int]]

    def foreseen(self, seed: int, mine: Ending, other: Ending | None) -> bool:
        if other is None or (seed, other.line) not in self.warned:
            return False
        return other.kind == mine.kind == "check" and other.printed == mine.printed


def has_gnat() -> bool:
    return shutil.which("gnatmake") is not None


def compare(seeds: Sequence[int]) -> Iterator[Difference]:
    """The programs on which the two differ."""
    for first in range(0, len(seeds), _TOGETHER):
        some = seeds[first : first + _TOGETHER]
        with tempfile.TemporaryDirectory() as folder:
            native = _native(some, Path(folder))
            for seed in some:
                mine, other = interpreted(program(seed)), native.endings.get(seed)
                if mine is not None and mine != other and not native.foreseen(seed, mine, other):
                    yield Difference(seed, mine, other)


def interpreted(text: str) -> Ending | None:
    """The run in the interpreter; None if it has not ended after many steps."""
    printed: list[bytes] = []
    loaded = load(["p.adb"], texts={"p.adb": text})
    outcome = execute(loaded, RandomInputs(1), max_steps=_STEPS, output=printed.append)
    kind, line = _ended(outcome)
    return None if kind == "limit" else Ending(b"".join(printed).decode("latin-1"), kind, line)


def _ended(outcome: Outcome) -> tuple[str, int]:
    match outcome:
        case Exited():
            return "end", 0
        case ErrorReached(kind, text, edge):
            if text.startswith(("precondition", "postcondition")):
                return text.split()[0], 0
            return ("assertion" if kind is ErrorKind.ASSERTION else "check"), edge.coord.line
    return "limit", 0


def _native(seeds: Sequence[int], folder: Path) -> NativeRuns:
    """Compile the programs together, each called with a handler around it."""
    for seed in seeds:
        (folder / f"p_{seed}.adb").write_text(program(seed))
    calls = "\n".join(
        f'   Put_Line ("{_MARK} {seed}");\n   begin\n      P_{seed};\n'
        f'      Put_Line ("{_MARK} end");\n'
        f"   exception\n      when E : others =>\n"
        f'         Put_Line ("{_MARK} " & Exception_Name (E) & " " & Exception_Message (E));\n'
        "   end;"
        for seed in seeds
    )
    withs = "\n".join(f"with P_{seed};" for seed in seeds)
    driver = (
        "with Ada.Text_IO; use Ada.Text_IO;\nwith Ada.Exceptions; use Ada.Exceptions;\n"
        f"{withs}\nprocedure Driver is\nbegin\n{calls}\nend Driver;\n"
    )
    (folder / "driver.adb").write_text(driver)
    command = ["gnatmake", "-q", "-gnata", "-gnato", "driver.adb"]
    built = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if built.returncode != 0:
        raise RuntimeError(f"gnat refuses a program: {built.stderr[:2000]}")
    ran = subprocess.run(
        [folder / "driver"], cwd=folder, capture_output=True, timeout=60, check=False
    )
    warned = re.findall(r"p_(\d+)\.adb:(\d+):\d+: warning: .*will be raised", built.stderr)
    lines = frozenset((int(seed), int(line)) for seed, line in warned)
    return NativeRuns(_endings(ran.stdout.decode("latin-1")), lines)


def _endings(text: str) -> dict[int, Ending]:
    found: dict[int, Ending] = {}
    for part in re.split(rf"^{_MARK} (?=\d+$)", text, flags=re.MULTILINE)[1:]:
        seed, _, rest = part.partition("\n")
        # a run-time error may come in the middle of a line
        printed, _, end = rest.rpartition(f"{_MARK} ")
        found[int(seed)] = Ending(printed, *_kind(end.strip()))
    return found


def _kind(end: str) -> tuple[str, int]:
    if end == "end":
        return "end", 0
    contract = re.search(r"failed (precondition|postcondition)", end)
    if contract is not None:
        return contract[1], 0
    line = re.search(r"\.adb:(\d+)", end)
    kind = "check" if end.startswith("CONSTRAINT_ERROR") else "assertion"
    return kind, int(line[1]) if line is not None else 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    if not has_gnat():
        print("gnat is not installed: apt-get install gnat")
        return 2
    differences = 0
    for found in compare(range(args.seed, args.seed + args.count)):
        differences += 1
        print(f"program {found.seed} differs:\n  predabs {found.predabs}\n  gnat    {found.gnat}")
    print(f"{args.count} programs, {differences} differences")
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main())
