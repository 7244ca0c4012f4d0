"""The part of the table for `predabs bench`."""

from __future__ import annotations

from collections.abc import Sequence

from ..records import dataclass
from .option import CLUSTER, GENERAL, OUTPUT, Group, Kind, check_values, option

DEFAULT_RESULTS = "bench.sqlite"
_MOST_JOBS = 1 << 10
_MOST_MB = 1 << 30
LIMITS = Group("limits", "For each run, with all the processes that it starts.")


@dataclass(frozen=True, slots=True, kw_only=True)
class BenchOptions:
    """The options of `predabs bench`. Raises `InputError` for values that there are not."""

    configurations: Sequence[str] = option(
        (),
        "a configuration: a name, a tool (predabs, cbmc, esbmc, cpachecker, or FILE.py:CLASS; "
        "predabs if there is none) and words for it, such as 'lazy=predabs --engine lazy'",
        GENERAL,
        Kind.REPEATED,
        flags=("--run",),
        metavar="NAME=TOOL WORDS",
    )
    property: Sequence[str] = option(
        (),
        "only tasks with this property: a name such as unreach-call, or a .prp or .rule file; "
        "C files, which have none of their own, are checked for it",
        GENERAL,
        Kind.REPEATED,
        metavar="P",
    )
    data_model: str = option(
        "LP64",
        "the data model of C files that are named themselves; other tasks have their own",
        GENERAL,
        choices=("ILP32", "LP64"),
    )
    jobs: int = option(
        1,
        "so many runs at the same time on this machine",
        GENERAL,
        Kind.POSITIVE,
        metavar="N",
        most=_MOST_JOBS,
    )
    again: bool = option(
        False,
        "also run again what failed, or reached a limit of time that was lower than the one now",
        GENERAL,
        Kind.SWITCH,
    )
    limit: float = option(60, "seconds of CPU time", LIMITS, Kind.SECONDS, metavar="S")
    wall_limit: float | None = option(
        None,
        "seconds of wall-clock time",
        LIMITS,
        Kind.SECONDS,
        metavar="S",
        unset="twice the CPU time",
    )
    memory: int = option(4096, "MiB of memory", LIMITS, Kind.POSITIVE, metavar="MB", most=_MOST_MB)
    cluster: str | None = option(
        None,
        "run on the Dask cluster whose scheduler has this address, such as tcp://host:8786",
        CLUSTER,
        metavar="ADDRESS",
    )
    workers: int | None = option(
        None,
        "start a Dask cluster of N processes on this machine, and run there",
        CLUSTER,
        Kind.POSITIVE,
        metavar="N",
        most=_MOST_JOBS,
    )
    results: str = option(
        DEFAULT_RESULTS,
        "the file with the answers; a bench goes on with what is missing there",
        OUTPUT,
        flags=("-o", "--results"),
        metavar="FILE",
    )
    against: str | None = option(
        None,
        "with table and report: the differences against another file, or against a configuration "
        "of the same file",
        OUTPUT,
        metavar="OTHER",
    )
    markdown: bool = option(False, "with table: as Markdown", OUTPUT, Kind.SWITCH)
    verbose: bool = option(
        False,
        "print a line for each answer to standard error",
        OUTPUT,
        Kind.SWITCH,
        flags=("-v", "--verbose"),
    )

    def __post_init__(self) -> None:
        check_values(self)
