"""The public Python functions.

import predabs
result = predabs.check(["driver.c"], timeout=60)
if result.verdict is predabs.Answer.FALSE:
    print(result.violation.trace.text())
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any, get_args

from .analyse import Progress, Task, analyse, entry_of
from .engines.engine import ENGINES
from .errors import InputError
from .ir.types import DataModel
from .options import PROVERS, Block, Numbers, Options, Scope, Structure, Traversal
from .result import Answer, Result
from .spec.checks import parse_checks
from .spec.properties import property_of
from .supervise import Crashed, Finished, Limits, OutOfMemory, OutOfTime, supervise

_RESERVE = 0.03  # of the time: the engine stops that much earlier, so that a bug can be replayed
_OVERTIME = 0.05  # of the time: the process is ended that much later


def check(
    files: Sequence[str | os.PathLike[str]],
    *,
    property: str = "assert",  # the word that the command line has too
    entry: str = "main",
    data_model: str = DataModel.LP64.name,
    include: Sequence[str] = (),
    define: Sequence[str] = (),
    engine: str = "auto",
    timeout: float | None = None,
    memory: int | None = None,
    checks: Iterable[str] = (),
    slice: bool = True,
    provers: Iterable[str] = PROVERS,
    block: Block = "loop",
    traversal: Traversal = "wto",
    keep_subtree: bool = False,
    predicates_at: Scope = "location",
    invariants: Numbers = "octagon",
    keep_rounds: bool = False,
    domain: Structure | None = None,
    numeric: Numbers | None = None,
    progress: Callable[[str], None] | None = None,
) -> Result:
    """Check that no run of the C program violates the property.

    `property` is `assert` (no assertion fails and no error function is called) or the path of an
    SV-COMP `.prp` file or of a `.rule` file, which says how functions must be used. A run starts in
    the function `entry`; `data_model` is LP64 or ILP32; `include` are folders for #include,
    `define` macros like `NAME=VALUE`. `checks` adds errors: signed-overflow, div-by-zero, bounds,
    null. With `slice`, what no error depends on is left out of the search. `provers` are the
    engines that auto asks for proofs, beside bounded: some of lazy, slam, numpred. `timeout` is in
    seconds, `memory` in MiB. `progress` is called with a line of text now and then.

    The lazy engine abstracts a `block` at once (loop: up to the next loop head, basic: a basic
    block, edge: a single step), goes through its tree in the order of `traversal` (wto: weak
    topological, dfs, bfs), keeps what it can below the node that it refines if `keep_subtree` says
    so, and tracks a new predicate at its location only, in its function or everywhere
    (`predicates_at`: location, function, global). `invariants` says what it finds out about
    numbers first (box: intervals; octagon and polyhedra: relations too). With `keep_rounds` the
    slam engine keeps the texts of each round's Boolean program and trace in the result.

    The numpred engine puts predicates and numbers together in a `domain` (numeric, predicate,
    nexpoint, nex, mtndd, ndd) over a domain of numbers (`numeric`: box, octagon, polyhedra); by
    default it begins with a cheap one and goes on to better ones.

    The work is done in a child process, so a crash or a limit gives an UNKNOWN verdict. Raises
    `InputError` if the files or arguments cannot be used, and `UnsupportedFeature` for a property
    that predabs does not check; C that it does not support is an UNKNOWN verdict.
    """
    begun = time.monotonic()
    wanted = property_of(property)
    if engine not in ENGINES:
        raise InputError(f"no such engine: {engine}; there is {', '.join(ENGINES)}")
    provers = tuple(provers)
    for name in provers:
        if name not in PROVERS:
            raise InputError(f"auto cannot ask {name} for proofs; there is {', '.join(PROVERS)}")
    _one_of("block", block, Block)
    _one_of("traversal", traversal, Traversal)
    _one_of("predicates_at", predicates_at, Scope)
    _one_of("invariants", invariants, Numbers)
    if domain is not None:
        _one_of("domain", domain, Structure)
    if numeric is not None:
        _one_of("numeric domain", numeric, Numbers)
    if data_model not in DataModel.__members__:
        raise InputError(f"no such data model: {data_model}; use LP64 or ILP32")
    end = None if timeout is None else begun + timeout * (1 + _OVERTIME)
    task = Task(
        tuple(os.fspath(file) for file in files),
        wanted,
        entry_of(wanted, entry),
        DataModel[data_model],
        tuple(include),
        tuple(define),
        Options(
            engine,
            timeout,
            memory,
            parse_checks(",".join(checks)),
            slice,
            provers,
            block,
            traversal,
            keep_subtree,
            predicates_at,
            invariants,
            keep_rounds,
            domain,
            numeric,
        ),
        begun,
        None if timeout is None else begun + timeout * (1 - _RESERVE),
        end,
    )
    left = None if end is None else end - time.monotonic()
    return _supervised(task, Limits(left, memory), progress)


def _one_of(option: str, word: str, words: Any) -> None:
    known = get_args(words)
    if word not in known:
        raise InputError(f"no such {option}: {word}; there is {', '.join(known)}")


def _supervised(task: Task, limits: Limits, progress: Callable[[str], None] | None) -> Result:
    """Run the analysis in a child; what stops it becomes a reason."""
    empty = Result(Answer.UNKNOWN, "", None, task.property.name, task.options.engine, 0.0, (), ())
    latest = Progress("it had not begun", empty)

    def receive(message: Progress) -> None:
        nonlocal latest
        latest = message
        if progress is not None:
            progress(message.text)

    match supervise(lambda send: analyse(task, send), limits, receive):
        case Finished(result):
            return result
        case OutOfTime():
            reason = "a limit of CPU time was reached"
            if task.last is not None and time.monotonic() >= task.last:
                reason = f"the time limit of {task.options.timeout:g} s was reached"
        case OutOfMemory():
            reason = "there is not enough memory"
            if limits.megabytes is not None:
                reason = f"the memory limit of {limits.megabytes} MiB was reached"
        case Crashed(text):
            reason = f"the analysis crashed, probably inside a solver: {text}"
    return replace(
        latest.so_far,
        reason=f"{reason} ({latest.text})",
        seconds=time.monotonic() - task.begun,
    )
