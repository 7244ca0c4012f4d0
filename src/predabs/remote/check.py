"""The engines of one check on the workers of a cluster: the first verdict ends the others.

Each worker gets the texts of the program and some of the engines. If no worker has an
answer to give, because the scheduler is lost or the runs fail, the check is made here.

Soundness duty: a violation is replayed here, on the program as it is here; a proof is that of
`predabs.check` with the same version. Two workers that contradict each other are a bug of ours.
"""

from __future__ import annotations

import contextlib
import math
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from ..api import check_with
from ..bench.answer import Answer as Told
from ..bench.cluster import Series, connected
from ..bench.configuration import Configuration
from ..bench.execute import Limits
from ..bench.parcel import pack
from ..bench.perform import Run
from ..bench.series import Quiet
from ..bench.task import ASSERT, Task, TaskProperty, property_named
from ..errors import InputError, InternalError
from ..frontend.compile_commands import Sources, sources_of
from ..ir.cfa import Program
from ..options import Options
from ..pipeline.preparation import Product
from ..pipeline.result import Answer, Result
from ..records import dataclass, replace
from ..verdict import Input
from .engine_run import with_names, written_options
from .engine_tool import result_of

_TOOL = "predabs.remote.engine_tool:EngineTool"
_DAYS = 7 * 24 * 3600.0  # no limit of time
_MOST_MB = 1 << 24
_LEAST_SECONDS = 1.0
_LATE_SECONDS = 10.0  # after the time limit of the check: for the way to the workers and back


def cluster_check(
    files: Sequence[str],
    options: Options,
    address: str | None,
    workers: int | None,
    progress: Callable[[str], None] | None = None,
) -> Result:
    """`predabs.check`, with its engines on the cluster at the address, or on so many processes."""
    begun = time.monotonic()
    if options.changed_since is not None:
        raise InputError("--changed-since compares revisions here, and not on a cluster")
    options = replace(options, store=None)
    sources = sources_of(files, options)
    with connected(address, workers) as client:
        lanes = sum(client.nthreads().values())
        check = _Check(sources, options, groups(options, max(1, lanes)))
        try:
            if not lanes:
                raise _NoAnswer("no worker is there")
            found = check.on(client, begun, progress)
        except _NoAnswer as problem:
            if progress is not None:
                progress(f"{problem}; the check is made here")
            found = None
    if found is None:
        return check_with(files, _in_what_is_left(options, begun), progress)
    if found.violation is not None:
        return _replayed(files, options, found, progress)
    return replace(found, engine=options.engine, seconds=time.monotonic() - begun)


def _in_what_is_left(options: Options, begun: float) -> Options:
    """Without the time that has passed."""
    if options.timeout is None:
        return options
    left = options.timeout - (time.monotonic() - begun)
    return replace(options, timeout=max(left, _LEAST_SECONDS))


class _NoAnswer(Exception):
    """The workers can say nothing about the program."""


@dataclass(frozen=True, slots=True)
class EngineGroup:
    """Engines that one worker has: one by itself, or some under `auto`."""

    engine: str
    provers: tuple[str, ...]

    @property
    def name(self) -> str:
        return self.engine if not self.provers else f"auto-{'-'.join(self.provers)}"


def groups(options: Options, lanes: int) -> list[EngineGroup]:
    """The engines of a check, shared out to so many workers.

    >>> [group.name for group in groups(Options(provers=("lazy", "slam", "smg")), 2)]
    ['auto-slam', 'auto-lazy-smg']
    >>> [group.name for group in groups(Options(provers=("lazy", "slam")), 8)]
    ['bounded', 'lazy', 'slam']
    """
    if options.engine != "auto":
        return [EngineGroup(options.engine, ())]
    names = ["bounded", *options.provers]
    lanes = min(lanes, len(names))
    shares = [names[lane::lanes] for lane in range(lanes)]
    return [
        EngineGroup(share[0], ())
        if len(share) == 1
        else EngineGroup("auto", tuple(name for name in share if name != "bounded"))
        for share in shares
    ]


class _Check:
    """A program that travels, and what comes back."""

    def __init__(self, sources: Sources, options: Options, of: Sequence[EngineGroup]) -> None:
        flags = sources.flags
        if flags.differ or flags.common.entry:
            raise InputError("--compile-commands: programs with flags of their own do not travel")
        self._options = options
        paths = [Path(file).absolute() for file in sources.files]
        folders = [
            word for place in options.include for word in ("-I", str(Path(place).absolute()))
        ]
        forced = [
            word
            for file in options.force_include
            for word in ("-include", str(Path(file).absolute()))
        ]
        assert_ = options.property == ASSERT
        wanted = TaskProperty(ASSERT) if assert_ else property_named(options.property)
        task = Task(
            sources.files[0],
            "",
            tuple(paths),
            wanted,
            data_model=options.data_model,
            flags=(*folders, *forced),
        )
        limits = Limits(
            options.cpu_time or _DAYS, options.timeout or _DAYS, options.memory or _MOST_MB
        )
        inside = pack(Run(task, Configuration("engines"), limits)).task.files
        self._root = str(paths[0]).removesuffix(str(inside[0]))
        self._names = {
            path.as_posix(): file for path, file in zip(inside, sources.files, strict=True)
        }
        self._runs = [
            Run(task, Configuration(group.name, _TOOL, words), limits)
            for group in of
            for words in [(written_options(self._of(group)), str(inside[0]))]
        ]

    def _of(self, group: EngineGroup) -> Options:
        own = replace(self._options, engine=group.engine, include=(), force_include=())
        return replace(own, provers=group.provers) if group.provers else own

    def on(self, client: object, begun: float, progress: Callable[[str], None] | None) -> Result:
        """The first verdict; the reasons of all if it is UNKNOWN."""
        limit = self._options.timeout
        last = math.inf if limit is None else begun + limit + _LATE_SECONDS
        unknown: list[tuple[str, Result]] = []
        failed: list[str] = []
        with contextlib.closing(Series(client, self._runs, Quiet())) as series:
            try:
                for run, told in series.answers(last):
                    name, result = run.configuration.name, self._result(told)
                    if result is None:
                        failed.append(f"{name}: {told.reason}")
                    elif result.verdict is Answer.UNKNOWN:
                        unknown.append((name, result))
                    else:
                        self._compare(name, result, series.others())
                        return replace(result, tried=(*result.tried, f"{name}: on a worker"))
                    if progress is not None:
                        progress(f"{name}: {told.reason or 'no answer'}")
            except InputError as problem:  # the scheduler is lost
                raise _NoAnswer(str(problem)) from problem
        if failed or not unknown:
            raise _NoAnswer("; ".join(failed) or "no worker has answered in time")
        reason = "; ".join(f"{name}: {result.reason}" for name, result in unknown)
        tried = tuple(f"{name}: {line}" for name, one in unknown for line in one.tried or ["-"])
        return replace(unknown[0][1], reason=reason, tried=tried)

    def _result(self, told: Told) -> Result | None:
        data = told.details.get("result")
        return None if data is None else with_names(result_of(data), self._names, self._root)

    def _compare(self, name: str, first: Result, others: Iterator[tuple[Run, Told]]) -> None:
        """Raises `InternalError` if another answer that is there says the contrary."""
        for run, told in others:
            other = self._result(told)
            verdicts = {first.verdict, other.verdict} if other is not None else set()
            if verdicts == {Answer.TRUE, Answer.FALSE}:
                second = run.configuration.name
                raise InternalError(f"two workers contradict each other: {name} and {second}")


def _replayed(
    files: Sequence[str],
    options: Options,
    found: Result,
    progress: Callable[[str], None] | None,
) -> Result:
    """The check with the inputs of a violation: what does not replay is searched for here."""
    assert found.violation is not None
    inputs = list(found.violation.inputs)

    def given(program: Program) -> list[Input]:
        return inputs

    product = Product({}, _unchanged, inputs=given)
    here = check_with(files, options, progress, product=product)
    if here.verdict is not Answer.FALSE:
        return here
    return replace(
        here, tried=found.tried, engines=found.engines, work=found.work, solver=found.solver
    )


def _unchanged(program: Program) -> Program:
    return program
