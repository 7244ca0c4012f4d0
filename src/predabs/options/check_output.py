"""What `predabs check` and `predabs validate` write, and where the engines of a check run."""

from __future__ import annotations

from ..records import dataclass
from .option import CLUSTER, GENERAL, OUTPUT, Group, Kind, check_values, option

SLAM = Group(
    "slam engine",
    "Abstracts the program to a Boolean program, checks it, and refines the predicates.",
)
_MOST_WORKERS = 1 << 10
_VERBOSE = "also print the time slices of the engines, the time, and for TRUE the loop invariants"


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckOutput:
    """What `predabs check` writes."""

    use_store: bool = option(
        True,
        "neither read nor write a store",
        GENERAL,
        Kind.SWITCH,
        flags=("--no-store",),
    )
    svcomp: str | None = option(
        None,
        "answer as in SV-COMP: this .prp file is the property, a FALSE always names what is "
        "violated, and a property that predabs does not check is UNKNOWN",
        GENERAL,
        metavar="PROPERTY",
    )

    json: str | None = option(
        None, "write the result as JSON; `-` for standard output", OUTPUT, metavar="FILE"
    )
    sarif: str | None = option(
        None,
        "write the result as a SARIF 2.1.0 log, for code review and CI; `-` for standard output",
        OUTPUT,
        metavar="FILE",
    )
    witness: str | None = option(
        None,
        "write a witness in the format 2.0 of SV-COMP (YAML): invariants for TRUE, a sequence of "
        "waypoints for FALSE",
        OUTPUT,
        metavar="OUT.yml",
    )
    report: str | None = option(
        None,
        "write a page for the browser: the source, the run or the proof, the rounds of refinement",
        OUTPUT,
        metavar="OUT.html",
    )
    certificate: str | None = option(
        None,
        "for TRUE: write the certificate, for `predabs certify`; implies --certify",
        OUTPUT,
        metavar="OUT.json",
    )
    test: str | None = option(
        None,
        "for FALSE: write a C test, compile it with the program and run it under limits",
        OUTPUT,
        metavar="OUT.c",
    )
    stats: bool = option(
        False,
        "print statistics: predicates, solver calls, nodes, refinements, seconds by phase",
        OUTPUT,
        Kind.SWITCH,
    )
    verbose: bool = option(
        False,
        _VERBOSE,
        OUTPUT,
        Kind.SWITCH,
        flags=("-v", "--verbose"),
    )
    keep: str | None = option(
        None,
        "write each round's Boolean program (round-N.bp), trace (.trace) and new predicates "
        "(.preds) into this folder",
        SLAM,
        metavar="DIR",
    )
    cluster: str | None = option(
        None,
        "run the engines on the workers of the Dask cluster whose scheduler has this address, such "
        "as tcp://host:8786; no store is used",
        CLUSTER,
        metavar="ADDRESS",
    )
    workers: int | None = option(
        None,
        "start a Dask cluster of N processes on this machine, and run the engines there",
        CLUSTER,
        Kind.POSITIVE,
        metavar="N",
        most=_MOST_WORKERS,
    )

    def __post_init__(self) -> None:
        check_values(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class ValidateOutput:
    """What `predabs validate` writes."""

    verbose: bool = option(
        False,
        _VERBOSE,
        OUTPUT,
        Kind.SWITCH,
        flags=("-v", "--verbose"),
    )
