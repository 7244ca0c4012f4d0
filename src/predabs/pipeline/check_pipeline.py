"""From the files to the verdict, in one process: load, add the property, run the engine, replay.

Soundness duty: FALSE only for a run that was replayed on the whole program; what is not supported,
or was given up, is UNKNOWN.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from importlib import import_module
from types import ModuleType

from ..analysis.environment import environment_assumptions
from ..analysis.facts import ProgramFacts
from ..engines.engine import EngineTask, decide
from ..errors import ResourceExhausted, UnsupportedFeature, too_deep
from ..evidence.invariants import loop_invariants
from ..evidence.needed_bounds import with_needed_bounds
from ..evidence.replay import Confirmed, NotReplayed, refuted, replay, unconfirmed
from ..evidence.shorten import shortened
from ..evidence.testcase import c_test
from ..evidence.trace.text import error_message
from ..evidence.unchecked import assumed_valid
from ..ir.cfa import Coord, Edge, Program
from ..ir.ops import Error, ErrorKind
from ..options import Budget
from ..records import dataclass, replace
from ..spec.unsupported import without_unsupported
from ..statistics import EngineStatistics, Phase
from ..supervise import Send
from ..verdict import Safe, Unknown, Unsafe, Verdict
from .check_record import check_record
from .engine_work import engine_work, solver_use
from .preparation import Product, Subject, loaded, prepared, smaller
from .result import (
    Alarm,
    Answer,
    Certification,
    CheckRecord,
    EngineUse,
    Result,
    Vacuity,
    Violation,
)
from .vacuous_truth import vacuity

_PROGRESS_SECONDS = 0.1
_SEARCH_SECONDS = 10.0  # for violations before what is not supported
_CERTIFY_SECONDS, _CERTIFY_TIMES = 10.0, 2.0  # at least, and how often the time of the proof
_CERTIFY_SHARE = 0.9  # of the time that is left
_CERTIFICATION = "predabs.pipeline.certification"  # loaded when it is used
_REPLAY_SECONDS = 60.0  # of a violation of the slice, if there is no limit


@dataclass(frozen=True, slots=True)
class Task(Subject):
    """What is to be checked, and how; `deadline` is when the engine, `last` when the replay must
    have ended (times of `time.monotonic`)."""

    begun: float
    deadline: float | None
    last: float | None
    product: Product | None = None


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
        self._program: Program | None = None  # in which violations replay
        self._whole: ProgramFacts | None = None  # of the program before it was sliced
        self._assumed: tuple[str, ...] = ()  # about the environment
        self._refuted = False  # the last violation did not replay
        self._end: Edge | None = None  # what a run comes to that is not supported
        self._checked: Program | None = None  # the program or the slice of it that engines get

    def run(self) -> Result:
        try:
            program = self._program = self._load(self._task.product)
            self._tell(f"{_size(program)} to check", at_once=True)
            result = self._check(program)
            if self._end is not None:
                result = self._before_the_end(result)
            return replace(result, record=self._record())
        except (UnsupportedFeature, ResourceExhausted) as problem:
            return self._result(Answer.UNKNOWN, str(problem))
        except RecursionError as problem:
            return self._result(Answer.UNKNOWN, str(too_deep(problem)))

    def _load(self, product: Product | None) -> Program:
        return loaded(self._task, self._statistics.phase, product)

    def _check(self, program: Program) -> Result:
        """Check a slice first. A slice has more runs than the program (a loop that was left out
        always ends), so what does not replay is looked for once more in the whole program."""
        ready = prepared(program)
        whole, self._program = ready.whole, ready.replayed
        self._whole = whole
        program = whole.program
        tried = self._with_known_inputs(whole)
        if tried is not None:
            return tried
        if not self._task.options.slice:
            verdict = self._engine(whole)
            self._assumed = environment_assumptions(whole)
            self._assume_valid(whole, verdict)
            return self._judge(program, whole, verdict, self._task.last)
        self._tell("slicing")
        with self._statistics.phase(Phase.SLICE):
            part = smaller(self._task, whole)
        verdict = self._engine(part)
        self._assumed = environment_assumptions(part)  # an engine need not wait for it
        self._assume_valid(whole, verdict)
        result = self._judge(program, part, verdict, _halfway(self._task.last))
        if not self._refuted:
            return result
        self._statistics.tried.append(f"{result.reason}; so the whole program was searched")
        verdict = self._engine(whole)
        self._assume_valid(whole, verdict)
        again = self._judge(program, whole, verdict, self._task.last)
        if again.verdict is Answer.UNKNOWN and again.unconfirmed is None:
            return replace(again, unconfirmed=result.unconfirmed)
        return again

    def _with_known_inputs(self, whole: ProgramFacts) -> Result | None:
        """The result if inputs that somebody knows lead to a violation."""
        product, program = self._task.product, self._program
        if product is None or product.inputs is None or program is None:
            return None
        inputs = tuple(product.inputs(program))
        soon = time.monotonic() + _SEARCH_SECONDS
        until = soon if self._task.last is None else min(soon, self._task.last)
        if refuted(program, inputs, until) is not None:
            return None
        result = self._judge(whole.program, whole, Unsafe(inputs, "known inputs"), until)
        return result if result.verdict is Answer.FALSE else None

    def _assume_valid(self, whole: ProgramFacts, verdict: Verdict) -> None:
        """Note that a run which faults unseen was not followed, in whatever part of the program."""
        if not isinstance(verdict, Unsafe):
            self._assumed += assumed_valid(whole, self._task.checks())

    def _before_the_end(self, unknown: Result) -> Result:
        """A run comes to something that is not supported: nothing can be proved. For a while, look
        for a violation before it."""
        self._statistics.tried.append(f"{unknown.reason}; so violations before it were searched")
        assert self._program is not None
        program = self._program = without_unsupported(self._program)
        facts = ProgramFacts(program)
        left = Budget(self._task.deadline).left
        search = Budget.of(_SEARCH_SECONDS if left is None else min(left, _SEARCH_SECONDS))
        options = self._task.options
        isolated = options.engine == "auto"  # so that it cannot take the rest down
        task = EngineTask(facts, replace(options, provers=()), self._statistics, self._tell)
        verdict = decide("auto" if isolated else "bounded", task, search)
        if isinstance(verdict, Unsafe):
            found = self._judge(program, facts, verdict, self._task.last)
            if found.verdict is Answer.FALSE:
                return found
        return self._result(Answer.UNKNOWN, unknown.reason)

    def _engine(self, facts: ProgramFacts) -> Verdict:
        self._checked = facts.program
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
                proved = self._result(Answer.TRUE)
                if self._task.options.certify:
                    made = self._certified(proved, program, facts, verdict)
                    if isinstance(made, Alarm):
                        return self._result(Answer.UNKNOWN, made.reason)
                    proved = replace(proved, certification=made)
                first = replace(proved, record=self._record())
                self._send(Progress("proved", first))  # whatever follows
                late = _halfway(self._task.last)
                shorter = shortened(program, invariants, until=late)
                of = facts.ghosts if shorter else facts
                needed = with_needed_bounds(of, shorter, until=late)
                shown = loop_invariants(program, needed)
                certification = proved.certification
                proved = replace(
                    self._result(Answer.TRUE), invariants=shown, certification=certification
                )
                if self._task.options.keep_witness:
                    of_all = self._whole or facts
                    part = _witnesses().of_proof(self._task, of_all, facts.program, needed)
                    proved = replace(proved, witness=part)
                return replace(proved, vacuity=self._vacuity(program, proved))
            case Unknown(reason):
                return self._result(Answer.UNKNOWN, reason)
            case Unsafe(inputs, text):
                self._tell(f"replay: {text}", at_once=True)
                whole = self._program
                assert whole is not None
                with self._statistics.phase(Phase.REPLAY):
                    replayed = replay(whole, inputs, until)
                self._refuted = isinstance(replayed, NotReplayed) and not replayed.unmodelled
                if isinstance(replayed, NotReplayed):
                    doubtful = unconfirmed(whole, inputs, until)
                    unknown = self._result(Answer.UNKNOWN, replayed.about(text))
                    return replace(unknown, unconfirmed=doubtful)
                error = replayed.error
                if error.kind is ErrorKind.UNSUPPORTED:
                    self._end = error.edge
                    return self._result(Answer.UNKNOWN, f"{error.edge.coord}: {error.text}")
                product = self._task.product
                if product is not None and product.original is not None:
                    return self._judge_unchanged(product.original, replayed, until)
                return self._violated(whole, replayed, until)

    def _judge_unchanged(
        self, original: Callable[[Coord], Coord], found: Confirmed, until: float | None
    ) -> Result:
        """A violation in a product must be one of the program as it is, too."""
        unchanged = prepared(self._load(None)).replayed
        inputs = [replace(item, coord=original(item.coord)) for item in found.inputs]
        again = replay(unchanged, inputs, until)
        if isinstance(again, NotReplayed):
            reason = f"a run of the witness is none of the program: {again.reason}"
            return self._result(Answer.UNKNOWN, reason)
        return self._violated(unchanged, again, until)

    def _violated(self, whole: Program, replayed: Confirmed, until: float | None) -> Result:
        error, told = replayed.error, replayed.trace.error
        test = c_test(whole, replayed, *self._compiler_options())
        assert isinstance(error.edge.op, Error) and told is not None
        violation = Violation(
            Coord(told.file, told.line, told.column),
            error_message(told),
            replayed.trace,
            replayed.inputs,
            test,
            self._task.property.violated(error.edge.op.check),
        )
        result = replace(self._result(Answer.FALSE), violation=violation)
        if not self._task.options.keep_witness:
            return result
        self._send(Progress("witness", result))  # whatever follows

        def load(product: Product) -> Program:
            return prepared(self._load(product)).replayed

        run = _witnesses().of_violation(self._task, whole, replayed, load, until)
        return replace(result, witness=run)

    def _record(self) -> CheckRecord | None:
        """What a report shows beside the result, if one is wanted."""
        whole, checked, options = self._program, self._checked, self._task.options
        if not options.record or whole is None or checked is None:
            return None
        return check_record(options.engine, self._statistics, whole, checked)

    def _certified(
        self, proved: Result, program: Program, facts: ProgramFacts, safe: Safe
    ) -> Certification | Alarm:
        """The certificate, for which there is some more time than the proof took."""
        unfinished = Certification(False, reason="its check did not come to an end")
        self._send(Progress("certificate", replace(proved, certification=unfinished)))
        now = time.monotonic()
        seconds = max(_CERTIFY_SECONDS, _CERTIFY_TIMES * (now - self._task.begun))
        if self._task.last is not None:
            seconds = min(seconds, _CERTIFY_SHARE * (self._task.last - now))
        made: Certification | Alarm = import_module(_CERTIFICATION).certified(
            self._task,
            facts,
            safe,
            proved.all_assumptions(),
            seconds,
            is_slice=facts.program is not program,
        )
        return made

    def _vacuity(self, program: Program, proved: Result) -> Vacuity | None:
        """Whether what was proved says nothing; nobody shall lose the proof over that question."""
        if self._task.product is not None:
            return None

        def tell(text: str) -> None:
            self._send(Progress(text, proved))

        task = self._task
        return vacuity(program, task.options, task.begun, task.last, tell)

    def _compiler_options(self) -> tuple[tuple[str, ...], dict[str, tuple[str, ...]]]:
        """Those for all files, or those of each."""
        flags = self._task.flags
        if not flags.differ:
            return flags.common.words, {}
        return (), {file: flags.of(file).words for file in self._task.files}

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
            solver_use(total),
            engine_work(total),
            tuple(total.tried),
            engines=tuple(
                EngineUse(name, solver_use(used), engine_work(used))
                for name, used in self._by_engine(total).items()
            ),
            checks=tuple(sorted(task.checks())),
            language=task.language().value,
        )

    def _by_engine(self, total: EngineStatistics) -> dict[str, EngineStatistics]:
        """The counters of each engine; all are one engine's, if there are no time slices."""
        parts = {name: used.total() for name, used in self._statistics.engines.items()}
        return parts or {self._task.options.engine: total}


def _witnesses() -> ModuleType:
    """What makes witnesses; most checks have none to make."""
    return import_module("predabs.pipeline.witness_content")


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
