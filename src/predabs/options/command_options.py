"""The part of the table for the other commands: certify, cfa, run, harness, abstract, bebop."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypeAlias, get_args

from ..records import dataclass
from .option import GENERAL, OUTPUT, Kind, option

Method: TypeAlias = Literal["cartesian", "direct"]
Control: TypeAlias = Literal["cubes", "predicates"]
Format: TypeAlias = Literal["text", "dot", "json"]
States: TypeAlias = Literal["bdd", "trivectors", "trivector"]
Pointers: TypeAlias = Literal["own", "outside"]
FocusOn: TypeAlias = Literal["none", "conditions", "all"]
Dialect: TypeAlias = Literal["moped", "getafix", "boom"]

DEFAULT_BDD_MB = 1024
_MOST_BDD_MB = 1 << 20

STORE = "the SQLite file of the store: what is found out is kept there, for the next time"


@dataclass(frozen=True, slots=True, kw_only=True)
class CertifyOptions:
    """What `predabs certify` has for itself."""

    timeout: float | None = option(
        None, "give up after S seconds", GENERAL, Kind.SECONDS, metavar="S", unset="never"
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class CfaOptions:
    """What `predabs cfa` has for itself."""

    format: Format = option(
        "text",
        "the format: text, dot (Graphviz) or json",
        OUTPUT,
        choices=get_args(Format),
    )
    function: str | None = option(
        None, "show only this function", OUTPUT, metavar="F", unset="all that the entry can reach"
    )
    output: str | None = option(
        None,
        "write to this file",
        OUTPUT,
        flags=("-o", "--output"),
        metavar="OUT",
        unset="standard output",
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class RunOptions:
    """What `predabs run` has for itself."""

    inputs: str = option(
        "",
        "the results of the __VERIFIER_nondet_* calls, in order; zeros follow",
        GENERAL,
        metavar="V1,V2,...",
    )
    seed: int | None = option(
        None,
        "random inputs instead of zeros; the same N gives the same inputs",
        GENERAL,
        Kind.INTEGER,
        metavar="N",
    )
    max_steps: int | None = option(
        None, "stop after N steps", GENERAL, Kind.NATURAL, metavar="N", unset="no limit"
    )
    trace: bool = option(
        False, "print each step, with what it writes, to standard error", OUTPUT, Kind.SWITCH
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class HarnessOptions:
    """What `predabs harness` has for itself."""

    init: str | None = option(
        None,
        "the function that is called first; if it fails, the run ends; `-` for none",
        GENERAL,
        metavar="F",
        unset="the one that is named like it, such as F_init",
    )
    exit: str | None = option(
        None,
        "the function that is called last; `-` for none",
        GENERAL,
        metavar="F",
        unset="the one that is named like it, such as F_exit",
    )
    call: Sequence[str] = option(
        (),
        "an entry point: a function that is called in the loop; without --call and --table, each "
        "function that another file can call and this one does not",
        GENERAL,
        Kind.REPEATED,
        metavar="F",
    )
    table: Sequence[str] = option(
        (),
        "entry points: all functions that are stored in objects of this struct type, such as "
        "'struct file_operations'",
        GENERAL,
        Kind.REPEATED,
        metavar="TYPE",
    )
    pointers: Pointers = option(
        "own",
        "arguments that are pointers to structs lead to objects of the harness's own, one for each "
        "type (own), or come from outside as all other pointers do (outside)",
        GENERAL,
        choices=get_args(Pointers),
    )
    non_null: bool = option(
        False, "pointers that come from outside are not null", GENERAL, Kind.SWITCH
    )
    output: str | None = option(
        None,
        "write to this file",
        OUTPUT,
        flags=("-o", "--output"),
        metavar="OUT.c",
        unset="standard output",
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class AbstractOptions:
    """What `predabs abstract` has for itself."""

    predicates: str | None = option(
        None,
        "the predicates file: sections `global:` and `FUNCTION:`, one expression on each line, in "
        "C or Ada as the program is; of SPARK, `--%% predicate` comments are read too",
        GENERAL,
        metavar="PREDS",
        unset="of C, one is needed",
    )
    max_cube: int = option(
        3,
        "the longest cubes of the F function: up to K literals; 0 for no limit",
        GENERAL,
        Kind.NATURAL,
        metavar="K",
    )
    method: Method | None = option(
        None,
        "Cartesian abstraction of each statement (cartesian), or the direct method for basic "
        "blocks (direct): slower, and more precise",
        GENERAL,
        choices=get_args(Method),
        unset="cartesian, or what `--%% method` says",
    )
    post_cube: int | None = option(
        None,
        "with --method direct: K predicates at a time after a block; 1 is Cartesian, 0 all",
        GENERAL,
        Kind.NATURAL,
        metavar="K",
        unset="0",
    )
    control: Control | None = option(
        None,
        "conditions of the program: approximated by cubes over the predicates (cubes), or each one "
        "a predicate of its own (predicates)",
        GENERAL,
        choices=get_args(Control),
        unset="cubes, or predicates with `--%% branches`",
    )
    store: str | None = option(
        None,
        STORE,
        GENERAL,
        metavar="FILE",
    )
    output: str | None = option(
        None,
        "write to this file",
        OUTPUT,
        flags=("-o", "--output"),
        metavar="OUT.bp",
        unset="standard output",
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class BebopOptions:
    """The options of `predabs bebop`."""

    label: str | None = option(
        None,
        "is label L (or PROCEDURE:L) reachable? (instead of failed assertions)",
        GENERAL,
        metavar="L",
    )
    states: States = option(
        "bdd",
        "the representation of sets of states: exact (bdd), a set of trivectors for each location, "
        "or one trivector for each location",
        GENERAL,
        choices=get_args(States),
    )
    focus: FocusOn = option(
        "all",
        "the focus of trivectors: which unknown values are split before a step",
        GENERAL,
        choices=get_args(FocusOn),
    )
    timeout: float | None = option(
        None, "give up after S seconds", GENERAL, Kind.SECONDS, metavar="S", unset="never"
    )
    bdd_memory: int = option(
        DEFAULT_BDD_MB,
        "give up when the BDDs use more than MB MiB of memory",
        GENERAL,
        Kind.POSITIVE,
        metavar="MB",
        most=_MOST_BDD_MB,
    )
    invariants: bool = option(
        False, "print the reachable states before each statement", OUTPUT, Kind.SWITCH
    )
    compare: bool = option(
        False,
        "print where trivectors lose precision against BDDs (for small programs)",
        OUTPUT,
        Kind.SWITCH,
    )
    json: str | None = option(
        None, "write the result as JSON; `-` for standard output", OUTPUT, metavar="FILE"
    )
    write: Sequence[str] | None = option(
        None,
        "write the program for another checker instead of checking it: DIALECT is moped, getafix "
        "or boom, OUT a file, or `-` for standard output",
        OUTPUT,
        Kind.PAIR,
        choices=get_args(Dialect),
        metavar="DIALECT OUT",
        noun="dialect",
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class StoreOptions:
    """The options of `predabs store`."""

    store: str | None = option(
        None,
        STORE,
        GENERAL,
        metavar="FILE",
        unset="~/.cache/predabs/store.sqlite or $PREDABS_STORE",
    )
    output: str | None = option(
        None,
        "write to this file",
        OUTPUT,
        flags=("-o", "--output"),
        metavar="OUT",
        unset="standard output",
    )
