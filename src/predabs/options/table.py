"""The table: each option of each command, once.

A class for what is common to the commands that read C, one for a check (its fields are the keyword
arguments of `predabs.check` too), and one for the output of a check. `command_options` has the
tables of the other commands. The same word means the same in all of them. The defaults are meant to
be right for daily use.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Literal, TypeAlias, get_args

from ..records import dataclass
from .bench_options import BenchOptions
from .check_output import SLAM, CheckOutput, ValidateOutput
from .checks import CHECKS, GROUPS
from .command_options import (
    STORE,
    AbstractOptions,
    BebopOptions,
    CertifyOptions,
    CfaOptions,
    HarnessOptions,
    RunOptions,
    StoreOptions,
)
from .option import GENERAL, OUTPUT, Group, Kind, check_values, option

Block: TypeAlias = Literal["loop", "basic", "edge"]
Traversal: TypeAlias = Literal["wto", "dfs", "bfs"]
Scope: TypeAlias = Literal["location", "function", "global"]
Structure: TypeAlias = Literal["numeric", "predicate", "nexpoint", "nex", "mtndd", "ndd"]
Numbers: TypeAlias = Literal["box", "octagon", "polyhedra"]

# what each engine does; `engines/engine` has their classes
ENGINES: dict[str, str] = {
    "auto": "the other engines, side by side or in time slices, each in a process of its own",
    "lazy": "an abstract reachability tree, refined from the pivot on (lazy abstraction)",
    "bounded": "symbolic execution of the program, unrolled deeper and deeper, for bugs",
    "slam": "Boolean programs, model checked with BDDs, also for recursion",
    "smg": "symbolic memory graphs, for programs with lists on the heap; proofs only",
    "numpred": "fixpoints over predicates together with a numeric abstract domain",
    "kinduction": "k-induction, with invariants of the other engines",
    "cells": "distinguished cells of arrays and heaps, and inductive clauses about them; proofs "
    "only",
    "explicit": "states told apart by the values of variables, for state machines",
    "fuzz": "concrete runs by the thousand, directed by what they cover; bugs only",
}
PROVERS = ("lazy", "slam", "smg", "numpred", "kinduction", "cells", "explicit", "fuzz")

_MOST_MB = 1 << 30
_MOST_JOBS = 1 << 10

SOURCE = Group("the program", "How the C files are read.")
AUTO = Group("auto engine", "Runs the other engines, side by side or in time slices.")
LAZY = Group(
    "lazy engine",
    "Lazy abstraction. These options change the search, not which verdicts are possible.",
)
TECHNIQUES = Group(
    "techniques",
    "Each can be switched off, to see what it adds; none changes what a verdict means.",
)
NUMPRED = Group(
    "numpred engine", "Computes a fixpoint over predicates together with a numeric abstract domain."
)
NUMBERS = Group("lazy and numpred engines", "The numeric abstract domain.")


@dataclass(frozen=True, slots=True, kw_only=True)
class ModuleOptions:
    """How C files are read: common to all commands that do."""

    entry: str = option("main", "the function in which a run begins", SOURCE, metavar="F")
    data_model: str = option(
        "LP64",
        "width of long and of pointers: 32 bits (ILP32) or 64 bits (LP64)",
        SOURCE,
        choices=("ILP32", "LP64"),
    )
    include: Sequence[str] = option(
        (),
        "also search this folder for #include files",
        SOURCE,
        Kind.REPEATED,
        flags=("-I",),
        metavar="DIR",
    )
    define: Sequence[str] = option(
        (),
        "define a macro (NAME alone: with value 1)",
        SOURCE,
        Kind.REPEATED,
        flags=("-D",),
        metavar="NAME=VALUE",
    )
    undefine: Sequence[str] = option(
        (),
        "undefine a macro, after all definitions",
        SOURCE,
        Kind.REPEATED,
        flags=("-U",),
        metavar="NAME",
    )
    force_include: Sequence[str] = option(
        (),
        "read this file first, as if each C file began with an #include of it",
        SOURCE,
        Kind.REPEATED,
        flags=("-include",),
        metavar="FILE",
    )
    std: str | None = option(
        None,
        "the version of C: c89, gnu89, c99, gnu99, c11, gnu11, c17, gnu17 ...",
        SOURCE,
        flags=("-std",),
        metavar="STD",
        unset="gnu11",
    )
    compile_commands: str | None = option(
        None,
        "a compilation database, as CMake and bear write it: each FILE is read with the flags -I, "
        "-D, -U, -std, -include and -isystem of its entry, on top of which come those given here; "
        "one without an entry with those of the first FILE that has one; without any FILE, all C "
        "files of the database are read",
        SOURCE,
        metavar="JSON",
    )

    def __post_init__(self) -> None:
        check_values(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceOptions(ModuleOptions):
    """What the files are together: common to all commands that build a program of them."""

    extern_pointers: str = option(
        "fresh",
        "a pointer from outside is null or leads to memory of the environment (fresh), may also "
        "lead into an object whose address the program takes (any), or is null (null)",
        SOURCE,
        choices=("fresh", "any", "null"),
    )
    malloc_may_fail: bool = option(
        False,
        "malloc, calloc, realloc and their kin may return null, as an input of the run decides",
        SOURCE,
        Kind.SWITCH,
    )
    volatile: str = option(
        "doubt",
        "a read of a volatile object gives any value, and a violation may rest on that for objects"
        " of the environment (doubt) or for all (any); or it gives what the program wrote last"
        " (plain)",
        SOURCE,
        choices=("doubt", "any", "plain"),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Options(SourceOptions):
    """What one can choose about a check. Raises `InputError` for values that there are not."""

    property: str = option(
        "assert",
        "what must never happen: assert (failed assertions and error calls), an SV-COMP .prp file, "
        "or a .rule file with a usage rule",
        GENERAL,
        metavar="P",
    )
    checks: Collection[str] = option(
        (),
        "faults that also count as errors: "
        + "; ".join(f"{name}: {meaning}" for name, meaning in CHECKS.items())
        + "; groups: "
        + "; ".join(f"{name}: {', '.join(parts)}" for name, parts in GROUPS.items()),
        GENERAL,
        Kind.LIST,
        choices=(*CHECKS, *GROUPS),
        flags=("--check",),
        metavar="LIST",
        noun="check",
    )
    engine: str = option(
        "auto",
        "; ".join(f"{name}: {summary}" for name, summary in ENGINES.items()),
        GENERAL,
        choices=ENGINES.keys(),
    )
    slice: bool = option(
        True,
        "check the whole program, not only the slice that errors depend on",
        GENERAL,
        Kind.SWITCH,
    )
    single_objects: bool = option(
        True,
        "keep all memory in arrays of the formulas, also what a run has only once",
        GENERAL,
        Kind.SWITCH,
    )
    certify: bool = option(
        False,
        "for TRUE: prove it once more from a certificate, with another solver; a certificate that"
        " does not prove it makes the verdict UNKNOWN",
        GENERAL,
        Kind.SWITCH,
    )
    timeout: float | None = option(
        None, "give up after S seconds", GENERAL, Kind.SECONDS, metavar="S", unset="never"
    )
    cpu_time: float | None = option(
        None,
        "give up after S seconds of CPU time, of all processes together",
        GENERAL,
        Kind.SECONDS,
        metavar="S",
        unset="the limit of the system",
    )
    memory: int | None = option(
        None,
        "give up when the analysis uses more than MB MiB of memory, in all processes together",
        GENERAL,
        Kind.POSITIVE,
        metavar="MB",
        unset="never",
        most=_MOST_MB,
    )
    jobs: int | None = option(
        None,
        "so many engines run at the same time; with 1, one after the other, in time slices",
        AUTO,
        Kind.POSITIVE,
        metavar="N",
        unset="the cores that predabs may use, at most 4",
        most=_MOST_JOBS,
    )
    provers: Collection[str] = option(
        PROVERS,
        "the engines that auto uses beside bounded; numpred, kinduction, cells and "
        "explicit are not used for recursive programs",
        AUTO,
        Kind.LIST,
        choices=PROVERS,
        metavar="E,...",
        noun="prover",
    )
    store: str | None = option(
        None,
        STORE,
        GENERAL,
        metavar="FILE",
        unset="~/.cache/predabs/store.sqlite or $PREDABS_STORE; for predabs.check, none",
    )
    changed_since: str | None = option(
        None,
        "check the properties whose slice has changed since this git revision first, by "
        "themselves; of the others, the store's verdict counts if it can be checked again",
        GENERAL,
        metavar="REV",
    )
    cursors: bool = option(
        True,
        "in the cells engine, do without the elements at indices that are variables, and without "
        "what is known of loops that reduce an array",
        TECHNIQUES,
        Kind.SWITCH,
    )
    cell_predicates: bool = option(
        True, "in the cells engine, do without a search for predicates", TECHNIQUES, Kind.SWITCH
    )
    accelerate: bool = option(
        True,
        "do each round of a loop by itself, where the bounded engine could do many at once",
        TECHNIQUES,
        Kind.SWITCH,
    )
    float_intervals: bool = option(
        True,
        "decide conditions on floating-point numbers with solvers alone, without intervals, and "
        "let the interval analysis know nothing of such numbers",
        TECHNIQUES,
        Kind.SWITCH,
    )
    monotone_functions: bool = option(
        True,
        "know only the ranges of exp, log, atan and other functions of math.h, not that they are "
        "monotone, nor their values at the constants of the program",
        TECHNIQUES,
        Kind.SWITCH,
    )
    float_candidates: bool = option(
        True,
        "do not guess bounds of floating-point variables at loop heads, of which those are proved "
        "that are inductive",
        TECHNIQUES,
        Kind.SWITCH,
    )
    block: Block = option(
        "loop",
        "the cut points, between which a block is abstracted at once: loop heads (loop), ends of "
        "basic blocks (basic), or every location (edge)",
        LAZY,
        choices=get_args(Block),
    )
    traversal: Traversal = option(
        "wto",
        "the order of the waitlist: weak topological order (wto), depth first (dfs) or breadth "
        "first (bfs)",
        LAZY,
        choices=get_args(Traversal),
    )
    state_values: bool = option(
        True,
        "do not tell configurations apart by the values of state variables, such as that of a "
        "switch in a loop",
        LAZY,
        Kind.SWITCH,
    )
    keep_subtree: bool = option(
        False,
        "after a refinement, reuse the subtree below the pivot where it is still valid, instead of "
        "rebuilding it",
        LAZY,
        Kind.SWITCH,
    )
    predicates_at: Scope = option(
        "location",
        "the scope of a new predicate: the location that it was found for, its function, or the "
        "whole program",
        LAZY,
        choices=get_args(Scope),
        noun="scope of predicates",
    )
    numeric: Numbers | None = option(
        None,
        "the numeric abstract domain: intervals (box), octagons, or convex polyhedra",
        NUMBERS,
        choices=get_args(Numbers),
        unset="lazy: octagon, polyhedra where memory is checked; "
        "numpred: box, then octagon, then polyhedra",
        noun="numeric domain",
    )
    domain: Structure | None = option(
        None,
        "the structure for predicates with numbers: numbers or predicates alone (numeric, "
        "predicate), one pair of both (nexpoint), a function from predicates to numeric elements "
        "(nex, mtndd), or any combination (ndd)",
        NUMPRED,
        choices=get_args(Structure),
        unset="nex, then ndd",
    )
    keep_witness: bool = option(
        False,
        "keep what a witness says in the result",
        OUTPUT,
        Kind.SWITCH,
        flags=(),
    )
    keep_invariants: bool = option(
        True,
        "keep the invariants of a proof in the result, for readers",
        OUTPUT,
        Kind.SWITCH,
        flags=(),
    )
    keep_rounds: bool = option(
        False,
        "keep each round's Boolean program, trace and new predicates as text in the result",
        SLAM,
        Kind.SWITCH,
        flags=(),
    )
    record: bool = option(
        False,
        "keep what the engines did (tree, rounds, predicates ...) in the result, for a report",
        OUTPUT,
        Kind.SWITCH,
        flags=(),
    )


# the tables of each command
COMMANDS: Mapping[str, tuple[type, ...]] = {
    "check": (Options, CheckOutput),
    "validate": (Options, ValidateOutput),
    "explain": (),
    "certify": (CertifyOptions,),
    "cfa": (SourceOptions, CfaOptions),
    "run": (SourceOptions, RunOptions),
    "harness": (ModuleOptions, HarnessOptions),
    "abstract": (SourceOptions, AbstractOptions),
    "bebop": (BebopOptions,),
    "store": (StoreOptions,),
    "bench": (BenchOptions,),
}
