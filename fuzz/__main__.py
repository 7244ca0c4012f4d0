"""`python -m fuzz`: compare predabs' interpreter with gcc on many random programs."""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from fuzz import csmith, floats, generate, native
from fuzz.compare import Agreement, Difference, Result, Skipped, compare


@dataclass(frozen=True, slots=True)
class Task:
    """One comparison: which generator, which seed, which data model."""

    source: str
    seed: int
    model: str

    def __str__(self) -> str:
        return f"{self.source} seed {self.seed} {self.model}"


def text_of(task: Task) -> str | None:
    """The program of a task, or None where the generator gave up."""
    if task.source == "floats":
        return floats.program(task.seed)
    return csmith.program(task.seed) if task.source == "csmith" else generate.program(task.seed)


def perform(task: Task) -> tuple[Task, Result]:
    """Generate, build, run and compare one program."""
    text = text_of(task)
    if text is None:
        return task, Skipped("csmith gave up")
    folder = csmith.headers()
    includes = [str(folder)] if task.source == "csmith" and folder else []
    with tempfile.TemporaryDirectory() as scratch:
        source = Path(scratch, "program.c")
        source.write_text(text)
        # Optimised code now and then: it shows a program that is not as well defined as it should.
        # But not with floating point: the compiler has a freedom with NaN that it then uses.
        optimise = "-O2" if task.seed % 4 == 3 and task.source != "floats" else "-O0"
        # Half a second of native code is minutes for an interpreter.
        limit = 0.5 if task.source == "csmith" else 5
        return task, compare(source, task.model, includes, optimise, native_seconds=limit)


def results(tasks: list[Task], jobs: int) -> Iterator[tuple[Task, Result]]:
    """Perform the tasks, several at a time if asked."""
    if jobs == 1:
        yield from map(perform, tasks)
        return
    with ProcessPoolExecutor(jobs) as pool:
        yield from pool.map(perform, tasks)


def report(outcomes: Iterable[tuple[Task, Result]], total: int, keep: Path | None) -> int:
    """Print each difference and a summary; give the exit code."""
    counts: Counter[str] = Counter()
    skipped: Counter[str] = Counter()
    for done, (task, result) in enumerate(outcomes, 1):
        match result:
            case Agreement():
                counts["agreed"] += 1
            case Skipped():
                counts["skipped"] += 1
                skipped[result.reason] += 1
            case Difference():
                counts["different"] += 1
                print(f"DIFFERENCE {task}: {result.detail}", flush=True)
                save(task, keep)
        if sys.stderr.isatty():
            print(f"\r{done}/{total} {dict(counts)}", end="", file=sys.stderr, flush=True)
    if sys.stderr.isatty():
        print(file=sys.stderr)
    for reason, count in skipped.most_common():
        print(f"skipped: {reason}: {count}")
    print(f"{counts['agreed']} agreed, {counts['different']} different, ", end="")
    print(f"{counts['skipped']} skipped of {total}")
    return 1 if counts["different"] else 0


def save(task: Task, keep: Path | None) -> None:
    """Keep the program of a difference where the user wants it."""
    text = text_of(task)
    if keep is None or text is None:
        return
    keep.mkdir(parents=True, exist_ok=True)
    (keep / f"{task.source}-{task.seed}-{task.model}.c").write_text(text)


def plan(count: int, seed: int, models: list[str], foreign: int, floating: int = 0) -> list[Task]:
    """Our own programs in every data model, and Csmith's, which take the models in turn."""
    own = [Task("fuzz", s, m) for s in range(seed, seed + count) for m in models]
    own += [Task("floats", s, m) for s in range(seed, seed + floating) for m in models]
    theirs = [Task("csmith", seed + i, models[i % len(models)]) for i in range(foreign)]
    return own + theirs


def usable_models(wanted: str) -> list[str]:
    """The data models that can be compared here; says which cannot."""
    names = native.DATA_MODELS if wanted == "both" else (wanted,)
    usable = [name for name in names if native.builds(name)]
    for name in names:
        if name not in usable:
            print(f"{name}: no native build works here ({native.MACHINE[name]}): left out")
    return usable


def foreign_count(wanted: int | None, count: int) -> int:
    """How many programs of Csmith to run: by default a fifth of ours, where it is installed."""
    if csmith.available():
        return count // 5 if wanted is None else wanted
    if wanted:
        sys.exit("csmith or its headers are not installed")
    print("csmith is not installed: left out")
    return 0


def number_or_auto(text: str) -> int | None:
    """A number, or None for `auto`."""
    return None if text == "auto" else int(text)


def main(arguments: list[str] | None = None) -> int:
    """Parse the command line and run."""
    parser = argparse.ArgumentParser(prog="python -m fuzz", description=__doc__)
    parser.add_argument("--count", type=int, default=100, help="programs of our generator")
    parser.add_argument("--floats", type=int, default=0, help="programs with floating point")
    parser.add_argument("--seed", type=int, default=0, help="the first seed")
    parser.add_argument("--jobs", type=int, default=1, help="comparisons at a time")
    parser.add_argument("--data-model", choices=(*native.DATA_MODELS, "both"), default="both")
    parser.add_argument(
        "--csmith", type=number_or_auto, metavar="N|auto", help="programs of Csmith"
    )
    parser.add_argument("--keep", type=Path, help="folder for the programs that differ")
    chosen = parser.parse_args(arguments)
    if native.compiler() is None:
        print("no gcc here: nothing to compare with")
        return 0
    models = usable_models(chosen.data_model)
    if not models:
        return 0
    foreign = foreign_count(chosen.csmith, chosen.count)
    tasks = plan(chosen.count, chosen.seed, models, foreign, chosen.floats)
    return report(results(tasks, chosen.jobs), len(tasks), chosen.keep)


if __name__ == "__main__":
    sys.exit(main())
