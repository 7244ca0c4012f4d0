"""The table: each option of each command, once.

A class for what is common to the commands that read C, one for a check (its fields are the keyword
arguments of `predabs.check` too), and one for what each command has for itself (`inside` has those
of the commands that one looks inside with). The same
word means the same in all of them. The defaults are meant to be right for daily use.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

from .command_options import AbstractOptions, BebopOptions, CfaOptions, RunOptions
from .option import GENERAL, OUTPUT, Group, Kind, check_values, option

Block: TypeAlias = Literal["loop", "basic", "edge"]
Traversal: TypeAlias = Literal["wto", "dfs", "bfs"]
Scope: TypeAlias = Literal["location", "function", "global"]
Structure: TypeAlias = Literal["numeric", "predicate", "nexpoint", "nex", "mtndd", "ndd"]
Numbers: TypeAlias = Literal["box", "octagon", "polyhedra"]

ENGINES = ("auto", "lazy", "bounded", "slam", "numpred")  # those of `engines/engine`
PROVERS = ("lazy", "slam", "numpred")
CHECKS = ("signed-overflow", "div-by-zero", "bounds", "null")

_MOST_MB = 1 << 30

SOURCE = Group("the program", "How the C files are read.")
AUTO = Group("auto engine", "It runs the others in time slices.")
LAZY = Group(
    "lazy engine",
    "It looks for predicates that prove the program; these change how, not what it may answer.",
)
SLAM = Group(
    "slam engine",
    "It makes a Boolean program of each procedure, once for all calls, round by round with more "
    "predicates.",
)
NUMPRED = Group(
    "numpred engine", "It tracks predicates and numbers together, in a fixpoint with widening."
)
NUMBERS = Group("lazy and numpred engines", "What they know about numbers without predicates.")


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """How C files are read: common to all commands that do."""

    entry: str = option("main", "the function a run starts in", SOURCE, metavar="F")
    data_model: str = option(
        "LP64",
        "how wide long and pointers are: ILP32 is 32 bits, LP64 is 64",
        SOURCE,
        choices=("ILP32", "LP64"),
    )
    include: Sequence[str] = option(
        (),
        "look for #include files here too",
        SOURCE,
        Kind.REPEATED,
        flags=("-I",),
        metavar="DIR",
    )
    define: Sequence[str] = option(
        (),
        "define a macro (NAME alone: as 1)",
        SOURCE,
        Kind.REPEATED,
        flags=("-D",),
        metavar="NAME=VALUE",
    )

    def __post_init__(self) -> None:
        check_values(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class Options(Source):
    """What one can choose about a check. Raises `InputError` for values that there are not."""

    property: str = option(
        "assert",
        "assert (assertions and error calls), an SV-COMP .prp file, or a .rule file that says how "
        "functions must be used",
        GENERAL,
        metavar="P",
    )
    checks: Collection[str] = option(
        (),
        f"faults that count as errors too: {', '.join(CHECKS)}",
        GENERAL,
        Kind.LIST,
        choices=CHECKS,
        flags=("--check",),
        metavar="LIST",
        noun="check",
    )
    engine: str = option(
        "auto",
        "how to search; auto tries one engine after the other",
        GENERAL,
        choices=ENGINES,
    )
    slice: bool = option(
        True,
        "search the whole program, not only the part that errors depend on",
        GENERAL,
        Kind.SWITCH,
    )
    timeout: float | None = option(
        None, "give up after S seconds", GENERAL, Kind.SECONDS, metavar="S", unset="never"
    )
    memory: int | None = option(
        None,
        "give up when the process that searches takes so many MiB of memory",
        GENERAL,
        Kind.POSITIVE,
        metavar="MB",
        unset="never",
        most=_MOST_MB,
    )
    provers: Collection[str] = option(
        PROVERS,
        "the engines that auto asks for proofs, beside bounded; numpred is not asked about "
        "recursive programs",
        AUTO,
        Kind.LIST,
        choices=PROVERS,
        metavar="E,...",
        noun="prover",
    )
    block: Block = option(
        "loop",
        "how much is abstracted at once: up to the next loop head (loop, the fastest), a basic "
        "block (basic), or a single step (edge)",
        LAZY,
        choices=get_args(Block),
    )
    traversal: Traversal = option(
        "wto",
        "the order of the search: loops from the inside out (wto), depth first (dfs) or breadth "
        "first (bfs)",
        LAZY,
        choices=get_args(Traversal),
    )
    keep_subtree: bool = option(
        False,
        "after a refinement, keep what was found below the place that was refined where it still "
        "holds, instead of searching there again",
        LAZY,
        Kind.SWITCH,
    )
    predicates_at: Scope = option(
        "location",
        "where a new predicate is tracked: at the location it was found for, in its whole "
        "function, or everywhere",
        LAZY,
        choices=get_args(Scope),
        noun="place of predicates",
    )
    numeric: Numbers | None = option(
        None,
        "the numeric domain, which says how numbers are known: by intervals (box), by relations of "
        "two as well (octagon), or of several (polyhedra)",
        NUMBERS,
        choices=get_args(Numbers),
        unset="lazy: octagon; numpred: one after the other",
        noun="numeric domain",
    )
    domain: Structure | None = option(
        None,
        "how predicates and numbers are put together: one half alone (numeric, predicate), side "
        "by side (nexpoint), other numbers for other predicates (nex, mtndd), or any combination "
        "(ndd)",
        NUMPRED,
        choices=get_args(Structure),
        unset="nex, then ndd if need be",
    )
    keep_rounds: bool = option(
        False,
        "keep the texts of each round's Boolean program, trace and new predicates in the result",
        SLAM,
        Kind.SWITCH,
        flags=(),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckOutput:
    """What `predabs check` writes."""

    json: str | None = option(
        None, "write the result as JSON; `-` for standard output", OUTPUT, metavar="FILE"
    )
    test: str | None = option(
        None,
        "for FALSE, write a C test, compile it with the program and run it (under limits)",
        OUTPUT,
        metavar="OUT.c",
    )
    stats: bool = option(
        False,
        "print counts and times: predicates, solver calls, nodes, refinements, seconds",
        OUTPUT,
        Kind.SWITCH,
    )
    verbose: bool = option(
        False,
        "tell more: for TRUE the loop invariants; what was tried; counts and times",
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


# the tables of each command
COMMANDS: Mapping[str, tuple[type, ...]] = {
    "check": (Options, CheckOutput),
    "cfa": (Source, CfaOptions),
    "run": (Source, RunOptions),
    "abstract": (Source, AbstractOptions),
    "bebop": (BebopOptions,),
}
