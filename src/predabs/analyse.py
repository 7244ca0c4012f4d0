"""From the files to the verdict, in one process: load, add the property, run the engine, replay.

Soundness duty: FALSE only for a run that the interpreter has repeated on the whole program; what is
not supported, or was given up, is UNKNOWN.
"""

from __future__ import annotations

import importlib
import time
from collections.abc import Mapping
from dataclasses import dataclass, replace

from .analysis.modref import modref
from .analysis.partition import partition
from .analysis.points_to import points_to
from .analysis.slice import slice_program
from .errors import InputError, ResourceExhausted, UnsupportedFeature
from .evidence.replay import Refuted, replay
from .evidence.testcase import c_test
from .frontend.build import load
from .ir.cfa import Program
from .ir.types import DataModel
from .logic.solver import Statistics
from .options import Budget, Options
from .result import Answer, Result, SolverUse, Violation
from .spec.checks import add_checks
from .spec.instrument import restrict
from .spec.properties import Property
from .supervise import Send
from .verdict import Safe, Unknown, Unsafe, Verdict

# loaded when one is used: solvers are large, and the process that supervises needs none
ENGINES: Mapping[str, str] = {"bounded": "predabs.engines.bounded"}

_PROGRESS_SECONDS = 0.1


@dataclass(frozen=True, slots=True)
class Task:
    """What is to be checked, and how; `deadline` is when the engine, `last` when the replay must
    have ended (times of `time.monotonic`)."""

    files: tuple[str, ...]
    property: Property
    entry: str
    data_model: DataModel
    include: tuple[str, ...]
    define: tuple[str, ...]
    options: Options
    begun: float
    deadline: float | None
    last: float | None


@dataclass(frozen=True, slots=True)
class Progress:
    """A sign of life: what is going on, and the result if the analysis ended now."""

    text: str
    so_far: Result


def analyse(task: Task, send: Send) -> Result:
    """Check the task; progress is sent as it goes."""
    return _Analysis(task, send).run()


class _Analysis:
    """One check while it runs."""

    def __init__(self, task: Task, send: Send) -> None:
        self._task = task
        self._send = send
        self._sent = 0.0
        self._statistics = Statistics()
        self._program: Program | None = None
        self._refuted = False  # the last violation did not replay

    def run(self) -> Result:
        try:
            program = self._program = self._load()
            self._tell(f"{_size(program)} to check", at_once=True)
            return self._check(program)
        except (UnsupportedFeature, ResourceExhausted) as problem:
            return self._result(Answer.UNKNOWN, str(problem))

    def _load(self) -> Program:
        task = self._task
        program = load(task.files, task.data_model, task.entry, task.include, task.define)
        return add_checks(restrict(program, task.property), task.options.checks)

    def _check(self, program: Program) -> Result:
        """Check a slice first. A slice has more runs than the program (a loop that was left out
        always ends), so what does not replay is looked for once more in the whole program."""
        if not self._task.options.slice:
            return self._judge(program, self._engine(program))
        self._tell("slicing")
        result = self._judge(program, self._engine(sliced(program)))
        if not self._refuted:
            return result
        return self._judge(program, self._engine(program))

    def _engine(self, program: Program) -> Verdict:
        module = importlib.import_module(ENGINES[self._task.options.engine])
        budget = Budget(self._task.deadline)
        verdict: Verdict = module.check(
            program, self._task.options, budget, self._statistics, self._tell
        )
        return verdict

    def _judge(self, program: Program, verdict: Verdict) -> Result:
        match verdict:
            case Safe():
                return self._result(Answer.TRUE)
            case Unknown(reason):
                return self._result(Answer.UNKNOWN, reason)
            case Unsafe(_, inputs, text):
                self._tell(f"replay: {text}", at_once=True)
                replayed = replay(program, inputs, self._task.last)
                self._refuted = isinstance(replayed, Refuted)
                if isinstance(replayed, Refuted):
                    reason = f"a possible violation ({text}) did not replay: {replayed.reason}"
                    return self._result(Answer.UNKNOWN, reason)
                error = replayed.error
                test = c_test(program, replayed, self._compiler_options())
                violation = Violation(
                    error.edge.coord, error.text, replayed.trace, replayed.inputs, test
                )
                return replace(self._result(Answer.FALSE), violation=violation)

    def _compiler_options(self) -> list[str]:
        task = self._task
        return [*(f"-I{path}" for path in task.include), *(f"-D{macro}" for macro in task.define)]

    def _tell(self, text: str, at_once: bool = False) -> None:
        now = time.monotonic()
        if at_once or now - self._sent >= _PROGRESS_SECONDS:
            self._sent = now
            self._send(Progress(text, self._result(Answer.UNKNOWN, text)))

    def _result(self, verdict: Answer, reason: str = "") -> Result:
        task, program, used = self._task, self._program, self._statistics
        return Result(
            verdict,
            reason,
            None,
            task.property.name,
            task.options.engine,
            time.monotonic() - task.begun,
            program.assumptions if program else (),
            tuple(program.externals.items()) if program else (),
            SolverUse(used.calls, used.cached, used.seconds),
        )


def _size(program: Program) -> str:
    """How large a program is, in words."""
    edges = sum(len(function.edges) for function in program.functions.values())
    return f"{len(program.functions)} functions with {edges} edges"


def sliced(program: Program) -> Program:
    """The part of a program that its errors depend on."""
    split = partition(program, points_to(program))
    return slice_program(program, split, modref(program, split)).program


def entry_of(wanted: Property, entry: str) -> str:
    """The entry function, of which both a user and the property may have an opinion.

    >>> from .spec.properties import ASSERT
    >>> entry_of(ASSERT, "start")
    'start'
    """
    named = wanted.entry or entry
    if entry not in ("main", named):
        raise InputError(f"{wanted.name} starts in {named}, but --entry asks for {entry}")
    return named
