"""`python -m fuzz.reduce FILE`: make a program small while the two sides still differ.

Delta debugging [ZH02] on lines, where a block that opens on one line goes with all its lines or
loses only its frame, and then inside lines: a parenthesised part is replaced by one of its parts or
by a number. A candidate counts only if it compiles without error, is still free of undefined
behaviour, and still shows a difference of the same kind.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from fuzz import native
from fuzz.compare import Difference, compare

SANITIZE = ["-O0", "-fsanitize=undefined,address", "-fno-sanitize=signed-integer-overflow"]
# Reading what was never written is undefined too, and no sanitizer of gcc sees it.
STRICT = ["-O2", "-Wall", "-Werror=uninitialized", "-Werror=maybe-uninitialized"]
STRICT += ["-Werror=sequence-point", "-Werror=return-type", "-c"]

Test = Callable[[str], bool]
Edit = Callable[[list[str], int], Iterator[list[str]]]


@dataclass(frozen=True, slots=True)
class Job:
    """What a comparison needs besides the program."""

    includes: tuple[str, ...] = ()
    seconds: float = 20


def block_end(lines: list[str], start: int) -> int:
    """The index after the block that opens on line `start`; the line itself where none opens.

    >>> block_end(["if (x) {", "y;", "} else {", "z;", "}", "w;"], 0)
    5
    """
    depth = 0
    for i in range(start, len(lines)):
        depth += lines[i].count("{") - lines[i].count("}")
        closes_into_else = "}" in lines[i] and lines[i].rstrip().endswith("{")
        if depth <= 0 and not closes_into_else:
            return i + 1
    return start + 1


def without_chunk(size: int) -> Edit:
    """An edit that takes out `size` lines from a place on."""

    def edit(lines: list[str], place: int) -> Iterator[list[str]]:
        if place % size == 0 or size == 1:
            yield lines[:place] + lines[place + size :]

    return edit


def without_block(lines: list[str], place: int) -> Iterator[list[str]]:
    """The lines without the block that opens here, or without the two lines that frame it."""
    # A function's brace stands on the line after its head.
    head = place + 1 if place + 1 < len(lines) and lines[place + 1] == "{" else place
    end = block_end(lines, head)
    if end > place + 1:
        yield lines[:place] + lines[end:]
        yield lines[:place] + lines[place + 1 : end - 1] + lines[end:]


def groups(line: str) -> list[tuple[int, int]]:
    """Where the parenthesised groups of a line start and end, the largest first.

    >>> groups("a = (b + (c));")
    [(4, 13), (9, 12)]
    """
    found, opened = [], []
    for i, c in enumerate(line):
        if c == "(":
            opened.append(i)
        elif c == ")" and opened:
            found.append((opened.pop(), i + 1))
    return sorted(found, key=lambda span: span[0] - span[1])


def simpler_lines(line: str) -> Iterator[str]:
    """The line with a group replaced by a number, by an inner group, or by one operand."""
    for start, end in groups(line):
        inner = line[start + 1 : end - 1]
        parts = ["1", "0", *(inner[a:b] for a, b in groups(inner))]
        for operator in (" ? ", " : ", " && ", " || ", " + ", " - ", " * ", " / ", " % ", " , "):
            if operator in inner:
                left, right = inner.split(operator, 1)
                parts += [f"({left})", f"({right})"]
        for part in parts:
            if len(part) < end - start:
                yield line[:start] + part + line[end:]


def simplified(lines: list[str], place: int) -> Iterator[list[str]]:
    """The program with this line made simpler."""
    for line in simpler_lines(lines[place]):
        yield [*lines[:place], line, *lines[place + 1 :]]


def sweep(lines: list[str], edit: Edit, holds: Test) -> list[str]:
    """Apply an edit wherever the test holds afterwards, from the last line to the first."""
    place = len(lines) - 1
    while place >= 0:
        tries = edit(lines, place)
        smaller = next((t for t in tries if holds("\n".join(t) + "\n")), None)
        if smaller is None:
            place -= 1
        else:
            lines = smaller
            place = min(place, len(lines) - 1)
    return lines


def reduce_text(text: str, holds: Test) -> str:
    """The smallest program found for which the test still holds.

    >>> reduce_text("a;\\nb;\\nbug (1 + 2);\\nc;\\n", lambda t: "bug" in t)
    'bug 1;\\n'
    """
    lines = text.splitlines()
    sizes = [2**k for k in range(len(lines).bit_length() - 1, 0, -1)]
    for size in sizes:
        lines = sweep(lines, without_chunk(size), holds)
    before = None
    while lines != before:
        before = lines
        for edit in (without_block, without_chunk(1), simplified):
            lines = sweep(lines, edit, holds)
    return "\n".join(lines) + "\n"


def passes_strict(source: Path, model: str, flags: Sequence[str]) -> bool:
    """Whether gcc's warnings see no undefined behaviour."""
    gcc = native.compiler()
    assert gcc is not None
    command = [gcc, native.MACHINE[model], *STRICT, *flags, str(source), "-o", "/dev/null"]
    return native.run_limited(command, seconds=30).status == 0


def runs_clean(source: Path, model: str, flags: Sequence[str]) -> bool:
    """Whether gcc's sanitizers see no undefined behaviour."""
    run = native.execute(source, model, [*SANITIZE, *flags], megabytes=None)
    return run.status is not None and run.status >= 0 and not run.stderr


def still_differs(original: Path, model: str, kind: str, job: Job) -> Test:
    """The test: well defined, and a difference of the same kind.

    Some warnings are false alarms; where the original gives one, they are not asked.
    """
    flags = [f"-I{folder}" for folder in job.includes]
    strict = passes_strict(original, model, flags)

    def holds(text: str) -> bool:
        with tempfile.TemporaryDirectory() as folder:
            source = Path(folder, "program.c")
            source.write_text(text)
            if strict and not passes_strict(source, model, flags):
                return False
            result = compare(source, model, job.includes, seconds=job.seconds)
            same = isinstance(result, Difference) and result.kind == kind
            return same and runs_clean(source, model, flags)

    return holds


def main(arguments: list[str] | None = None) -> int:
    """Reduce one file and print the result."""
    parser = argparse.ArgumentParser(prog="python -m fuzz.reduce", description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("--data-model", choices=native.DATA_MODELS, default="LP64")
    parser.add_argument("-I", dest="includes", action="append", default=[], metavar="DIR")
    parser.add_argument("--seconds", type=float, default=20, help="limit for the interpreter")
    chosen = parser.parse_args(arguments)
    first = compare(chosen.file, chosen.data_model, chosen.includes, seconds=chosen.seconds)
    if not isinstance(first, Difference):
        print(f"nothing to reduce: {first}", file=sys.stderr)
        return 1
    print(first.detail, file=sys.stderr)
    job = Job(tuple(chosen.includes), chosen.seconds)
    test = still_differs(chosen.file, chosen.data_model, first.kind, job)
    print(reduce_text(chosen.file.read_text(), test), end="")
    return 0


if __name__ == "__main__":
    sys.exit(main())
