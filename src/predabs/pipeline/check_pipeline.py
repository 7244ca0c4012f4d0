"""From the files to the verdict, in one process: load, add the property, run the engine, replay.

Soundness duty: FALSE only for a run that was replayed on the whole program; what is not supported,
or was given up, is UNKNOWN.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from functools import partial

from ..analysis.address_comparison import with_open_layout
from ..analysis.environment import environment_assumptions
from ..analysis.facts import ProgramFacts
from ..analysis.slice import slice_program
from ..analysis.unset_globals import with_unset_globals
from ..analysis.unset_members import with_unset_members
from ..engines.engine import EngineTask, decide
from ..errors import InputError, ResourceExhausted, UnsupportedFeature, too_deep
from ..evidence.invariants import loop_invariants
from ..evidence.needed_bounds import with_needed_bounds
from ..evidence.replay import NotReplayed, replay
from ..evidence.shorten import shortened
from ..evidence.testcase import c_test
from ..frontend.load import load
from ..ir.cfa import ExternPointers, Program
from ..ir.types import DataModel
from ..options import Budget, Options
from ..spec.checks import add_checks
from ..spec.properties import Property, restrict
from ..spec.rules import Rule
from ..spec.rules_events import CompiledRule, compile_rule
from ..spec.rules_product import with_rule
from ..statistics import EngineStatistics, Phase
from ..supervise import Send
from ..verdict import Safe, Unknown, Unsafe, Verdict
from .result import Answer, EngineUse, OperationUse, Result, SolverUse, Violation, Work

_PROGRESS_SECONDS = 0.1
_REPLAY_SECONDS = 60.0  # of a violation of the slice, if there is no limit


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
        self._statistics = EngineStatistics()
        self._program: Program | None = None
        self._assumed: tuple[str, ...] = ()  # about the environment
        self._refuted = False  # the last violation did not replay

    def run(self) -> Result:
        try:
            program = self._program = self._load()
            self._tell(f"{_size(program)} to check", at_once=True)
            return self._check(program)
        except (UnsupportedFeature, ResourceExhausted) as problem:
            return self._result(Answer.UNKNOWN, str(problem))
        except RecursionError as problem:
            return self._result(Answer.UNKNOWN, str(too_deep(problem)))

    def _load(self) -> Program:
        task = self._task
        rule = task.property.rule
        phase = self._statistics.phase
        with phase(Phase.FRONT_END):
            program = load(
                task.files,
                task.data_model,
                task.entry,
                task.include,
                task.define,
                partial(phase, Phase.CLANG),
                watched={} if rule is None else rule.watched,
                extern_pointers=ExternPointers(task.options.extern_pointers),
            )
            program = add_checks(restrict(program, task.property), frozenset(task.options.checks))
            return program if rule is None else with_rule(program, self._compiled(rule))

    def _compiled(self, rule: Rule) -> CompiledRule:
        task = self._task
        files, texts = (rule.file,), {rule.file: rule.text}
        watch = partial(self._statistics.phase, Phase.CLANG)
        program = load(files, task.data_model, None, task.include, task.define, watch, texts=texts)
        return compile_rule(rule, program)

    def _check(self, program: Program) -> Result:
        """Check a slice first. A slice has more runs than the program (a loop that was left out
        always ends), so what does not replay is looked for once more in the whole program."""
        program = self._program = with_unset_members(program)
        whole = ProgramFacts(program)
        changed = with_unset_globals(program, whole.points_to)
        changed = with_open_layout(changed, whole.points_to)
        if changed is not program:
            program = self._program = changed
            whole = ProgramFacts(program)
        if not self._task.options.slice:
            self._assumed = environment_assumptions(whole)
            return self._judge(program, whole, self._engine(whole), self._task.last)
        self._tell("slicing")
        with self._statistics.phase(Phase.SLICE):
            smaller = ProgramFacts(sliced(whole))
        self._assumed = environment_assumptions(smaller)
        verdict = self._engine(smaller)
        result = self._judge(program, smaller, verdict, _halfway(self._task.last))
        if not self._refuted:
            return result
        self._statistics.tried.append(f"{result.reason}; so the whole program was searched")
        return self._judge(program, whole, self._engine(whole), self._task.last)

    def _engine(self, facts: ProgramFacts) -> Verdict:
        options = self._task.options
        task = EngineTask(facts, options, self._statistics, self._tell)
        return decide(options.engine, task, Budget(self._task.deadline))

    def _judge(
        self, program: Program, facts: ProgramFacts, verdict: Verdict, until: float | None
    ) -> Result:
        """Show what a verdict about the program of the facts (a slice, maybe) means for the whole
        program; a violation must replay until that time."""
        match verdict:
            case Safe(invariants):
                late = _halfway(self._task.last)
                shorter = shortened(program, invariants, until=late)
                shown = loop_invariants(program, with_needed_bounds(facts, shorter, until=late))
                return replace(self._result(Answer.TRUE), invariants=shown)
            case Unknown(reason):
                return self._result(Answer.UNKNOWN, reason)
            case Unsafe(inputs, text):
                self._tell(f"replay: {text}", at_once=True)
                with self._statistics.phase(Phase.REPLAY):
                    replayed = replay(program, inputs, until)
                self._refuted = isinstance(replayed, NotReplayed) and not replayed.unmodelled
                if isinstance(replayed, NotReplayed):
                    return self._result(Answer.UNKNOWN, replayed.about(text))
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
            text += _counts(self._statistics.engines.get(text, self._statistics))
            self._send(Progress(text, self._result(Answer.UNKNOWN, text)))

    def _result(self, verdict: Answer, reason: str = "") -> Result:
        task, program = self._task, self._program
        total = self._statistics.total()
        return Result(
            verdict,
            reason,
            None,
            task.property.name,
            task.options.engine,
            time.monotonic() - task.begun,
            (*(program.assumptions if program else ()), *self._assumed),
            tuple(program.externals.items()) if program else (),
            _solver_use(total),
            _work(total),
            tuple(total.tried),
            engines=tuple(
                EngineUse(name, _solver_use(used), _work(used))
                for name, used in self._by_engine(total).items()
            ),
        )

    def _by_engine(self, total: EngineStatistics) -> dict[str, EngineStatistics]:
        """The counters of each engine; all are one engine's, if there are no time slices."""
        parts = {name: used.total() for name, used in self._statistics.engines.items()}
        return parts or {self._task.options.engine: total}


def _solver_use(statistics: EngineStatistics) -> SolverUse:
    used = statistics.solver
    return SolverUse(used.calls, used.cached, used.seconds)


def _work(statistics: EngineStatistics) -> Work:
    """The counters of a check, or of one engine in it."""
    seconds = statistics.seconds
    return Work(
        statistics.predicates_total,
        statistics.predicates_active,
        statistics.nodes,
        statistics.refinements,
        statistics.abstractions,
        statistics.abstractions_cached,
        tuple((phase.value, seconds[phase]) for phase in Phase if phase in seconds),
        (
            ("solver", statistics.solver.seconds),
            ("bdd", seconds.get(Phase.BDD, 0.0)),
            ("clang", seconds.get(Phase.CLANG, 0.0)),
        ),
        tuple(statistics.rounds),
        tuple(
            OperationUse(operation.value, calls, statistics.operations.seconds.get(operation, 0.0))
            for operation, calls in statistics.operations.calls.items()
        ),
    )


def _counts(statistics: EngineStatistics) -> str:
    """How far an engine with a tree is, in words; nothing for the others."""
    if not statistics.nodes:
        return ""
    phase = statistics.phase_now
    return (
        f"{f': {phase.value}' if phase else ''}, round {statistics.refinements + 1}, "
        f"{statistics.nodes} nodes, {statistics.predicates_total} predicates"
    )


def _halfway(last: float | None) -> float:
    """When to stop a replay that may never end, so that there is time to search once more."""
    now = time.monotonic()
    return now + (_REPLAY_SECONDS if last is None else (last - now) / 2)


def _size(program: Program) -> str:
    """How large a program is, in words."""
    edges = sum(len(function.edges) for function in program.functions.values())
    return f"{len(program.functions)} functions with {edges} edges"


def sliced(facts: ProgramFacts) -> Program:
    """The part of a program that its errors depend on."""
    return slice_program(facts.program, facts.partition, facts.modref).program


def entry_of(wanted: Property, entry: str) -> str:
    """The entry function, of which both a user and the property may have an opinion.

    >>> from ..spec.properties import ASSERT
    >>> entry_of(ASSERT, "start")
    'start'
    """
    named = wanted.entry or entry
    if entry not in ("main", named):
        raise InputError(f"{wanted.name} starts in {named}, but --entry asks for {entry}")
    return named
