"""`predabs bench`: run tools on many tasks under limits; tables and reports of the answers."""

from __future__ import annotations

import argparse
import contextlib
import os
import sys
from collections.abc import Iterator, Sequence
from importlib import import_module
from pathlib import Path

from ..bench.answer import Answer
from ..bench.configuration import Configuration, configurations_of
from ..bench.database import Database, Known
from ..bench.differences import Differences, difference_tables, differences
from ..bench.execute import Limits
from ..bench.perform import Run
from ..bench.report import html_report
from ..bench.series import Answers, Watcher, keep_answers, local_answers, missing_runs
from ..bench.tables import Compared, all_tables
from ..bench.task import Task
from ..bench.task_files import read_tasks
from ..bench.text_table import print_tables
from ..errors import InputError, NotInstalled
from ..options.bench_options import BenchOptions
from ..output import write_atomically
from ..supervise import unwinding
from .arguments import add_options, chosen
from .bench_lines import Lines, plain

_WALL_FACTOR = 2.0


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.usage = (
        "predabs bench TASKS... [options]\n"
        "       predabs bench table [-o FILE] [--against OTHER]\n"
        "       predabs bench report OUT.html [-o FILE] [--against OTHER]"
    )
    parser.add_argument(
        "words",
        nargs="+",
        metavar="TASKS",
        help="task definitions (.yml), sets of them (.set), tables (.csv) or C files; or `table`, "
        "or `report OUT.html`, for the answers that there are",
    )
    add_options(parser, "bench")


def run(args: argparse.Namespace) -> int:
    """A wrong verdict gives the exit code 1."""
    options = chosen(BenchOptions, args)
    match args.words:
        case ["table"]:
            return _table(options)
        case ["report", output]:
            return _report(options, output)
        case ["table", *_] | ["report", *_]:
            raise InputError("write `predabs bench table` or `predabs bench report OUT.html`")
    return _run(options, args.words)


# --- running --------------------------------------------------------------------------------------


def _run(options: BenchOptions, words: Sequence[str]) -> int:
    if options.cluster is not None and options.workers is not None:
        raise InputError("--cluster names a cluster that runs, --workers starts one: give only one")
    tasks = read_tasks(words, options.property, options.data_model)
    configurations = configurations_of(options.configurations)
    wall = options.wall_limit or options.limit * _WALL_FACTOR
    limits = Limits(options.limit, wall, options.memory)
    versions = [one.version() for one in configurations]  # a tool that is not there is told first
    with Database(Path(options.results), write=True) as database, unwinding():
        for one, version in zip(configurations, versions, strict=True):
            database.add_configuration(one, version)
        runs = missing_runs(database, tasks, configurations, limits, options.again)
        with _watcher(options, len(runs)) as watcher:
            try:
                answers = _answers(options, runs, watcher)
                keep_answers(database, answers, watcher, options.again)
            except KeyboardInterrupt:
                kept = len(_asked(database, tasks, configurations))
                plain(f"predabs: {kept} answers are in {options.results}; the same command goes on")
                raise
        answers_now = _asked(database, tasks, configurations)
    print_tables(all_tables(Compared.of(answers_now)))
    return 1 if any(answer.wrong for answer in answers_now) else 0


def _answers(options: BenchOptions, runs: Sequence[Run], watcher: Watcher) -> Answers:
    """On this machine, or on others."""
    if options.cluster is None and options.workers is None:
        return local_answers(runs, options.jobs, watcher)
    try:
        cluster = import_module("predabs.bench.cluster")
    except ModuleNotFoundError as problem:
        raise NotInstalled(
            f"a cluster needs the library Dask distributed ({problem.name} is missing): "
            "pip install 'predabs[cluster]'"
        ) from problem
    found: Answers = cluster.cluster_answers(runs, options.cluster, options.workers, watcher)
    return found


def _asked(
    database: Database, tasks: Sequence[Task], configurations: Sequence[Configuration]
) -> list[Answer]:
    """The answers of this series; the file may have others."""
    keys = {task.key for task in tasks}
    found = database.answers([one.name for one in configurations])
    return [answer for answer in found if answer.key in keys]


@contextlib.contextmanager
def _watcher(options: BenchOptions, count: int) -> Iterator[Watcher]:
    """Lines if asked for; a live display on a terminal."""
    if options.verbose or not sys.stderr.isatty():
        yield Lines(count, plain if options.verbose else None)
    else:
        live = import_module("predabs.commands.bench_progress")  # rich takes a while to load
        with live.shown(count) as watcher:
            yield watcher


# --- tables and reports ---------------------------------------------------------------------------


def _table(options: BenchOptions) -> int:
    answers, _, differences = _read(options)
    tables = difference_tables(differences) if differences else []
    print_tables([*tables, *all_tables(Compared.of(answers))], options.markdown)
    return 1 if any(answer.wrong for answer in answers) else 0


def _report(options: BenchOptions, output: str) -> int:
    read = [name for name in (options.results, options.against) if name and os.path.exists(name)]
    if os.path.exists(output) and any(os.path.samefile(output, name) for name in read):
        raise InputError(f"{output}: this is a file with answers, not one for the report")
    answers, known, differences = _read(options)
    text = html_report(f"predabs bench: {options.results}", answers, known, differences)
    write_atomically(Path(output), text)
    return 1 if any(answer.wrong for answer in answers) else 0


def _read(options: BenchOptions) -> tuple[list[Answer], list[Known], Differences | None]:
    """The answers, the configurations, and what has changed against others."""
    with Database(Path(options.results)) as database:
        answers = database.answers()
        known = database.configurations()
    if not answers:
        raise InputError(f"{options.results}: there are no answers yet")
    if options.against is None:
        return answers, known, None
    names = [one.name for one in known]
    if options.against in names:
        before = [a for a in answers if a.configuration == options.against]
        others = [name for name in names if name != options.against]
        if len(others) != 1:
            raise InputError(
                f"--against {options.against}: of the other configurations ({', '.join(others)}) "
                "only one can be compared; write them to files of their own"
            )
        now = [a for a in answers if a.configuration == others[0]]
        return answers, known, differences(before, now, options.against, others[0])
    with Database(Path(options.against)) as database:
        before = database.answers()
    found = differences(before, answers, options.against, options.results)
    if not found.pairs:
        raise InputError("the two files have no configuration and task in common")
    return answers, known, found
