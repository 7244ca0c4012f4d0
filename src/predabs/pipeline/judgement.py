"""What a verdict of an engine means for the whole program, and the result that tells it.

Soundness duty: FALSE only for a run that was replayed on the whole program, in a product on the
unchanged program too; a proof whose certificate is refuted is UNKNOWN.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from importlib import import_module
from types import ModuleType

from ..analysis.facts import ProgramFacts
from ..evidence.replay import Confirmed, NotReplayed, replay, unconfirmed
from ..evidence.testcase import c_test
from ..evidence.trace.text import error_message
from ..ir.cfa import Coord, Edge, Program
from ..ir.expr import Lvalue
from ..ir.ops import Error, ErrorKind
from ..records import dataclass, replace
from ..statistics import EngineStatistics, Phase
from ..supervise import Send
from ..verdict import Invariant, Safe, Unknown, Unsafe, Verdict
from .check_record import check_record
from .counted_work import counts, engine_uses, solver_use, work
from .imprecise_memory import imprecise_memory
from .preparation import Product, Subject, loaded, prepared, rests_on_linear_loops, smaller
from .result import Alarm, Answer, Certification, CheckRecord, Result, Violation
from .vacuous_truth import VacuityAnswer, vacuity

_PROGRESS_SECONDS = 0.1
_CERTIFY_SECONDS, _CERTIFY_TIMES = 20.0, 2.0  # at least, and how often the time of the proof
_CERTIFY_SHARE = 0.9  # of the time that is left
# loaded when they are used
_CERTIFICATION = "predabs.pipeline.certification"
_READABLE = "predabs.evidence.readable_invariants"
_AT_ONCE = "in the replay, rounds of loops were done at once, after a look at their conditions"
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


class Judgement:
    """One check while it runs: what is known so far, and what a verdict comes to."""

    def __init__(self, task: Task, send: Send) -> None:
        self._task = task
        self._send = send
        self._sent = 0.0
        self._statistics = EngineStatistics()
        self._program: Program | None = None  # in which violations replay
        self._whole: ProgramFacts | None = None  # of the program before it was sliced
        self._assumed: tuple[str, ...] = ()  # about the environment
        self._needless: tuple[Lvalue, ...] | None = None  # bounds that a proof did not need
        self._vacuity_open = False  # it was not found out whether the last truth is vacuous
        self._refuted = False  # the last violation did not replay
        self._end: Edge | None = None  # what a run comes to that is not supported
        self._checked: Program | None = None  # the program or the slice of it that engines get

    def _load(self, product: Product | None) -> Program:
        return loaded(self._task, self._statistics.phase, product)

    def _judge(
        self,
        program: Program,
        facts: ProgramFacts,
        verdict: Verdict,
        until: float | None,
        is_asked: bool = False,
    ) -> Result:
        """Show what a verdict about the program of the facts (a slice, maybe) means for the whole
        program; a violation must replay until that time. `is_asked` if nobody has to ask again
        whether a truth is vacuous."""
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
                proved = self._with_invariants(proved, program, facts, invariants)
                if is_asked:
                    return proved
                asked = self._vacuity(program, proved)
                self._vacuity_open = asked.is_open
                return replace(proved, vacuity=asked.vacuity)
            case Unknown(reason):
                unknown = self._result(Answer.UNKNOWN, reason)
                self._send(Progress("what was imprecise", unknown))
                return replace(unknown, imprecise=imprecise_memory(facts))
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

    def _with_invariants(
        self,
        proved: Result,
        program: Program,
        facts: ProgramFacts,
        invariants: Sequence[Invariant],
    ) -> Result:
        """The result with what readers and witnesses shall see, if anybody does."""
        options = self._task.options
        if not options.keep_invariants and not options.keep_witness:
            return replace(self._result(Answer.TRUE), certification=proved.certification)
        late = halfway(self._task.last)
        readable = import_module(_READABLE).readable
        made = readable(program, facts, invariants, late, self._needless)
        self._needless = made.needless
        certification = proved.certification
        proved = replace(
            self._result(Answer.TRUE), invariants=made.shown, certification=certification
        )
        if not options.keep_witness:
            return proved
        of_all = self._whole or facts
        part = _witnesses().of_proof(self._task, of_all, facts.program, made.invariants)
        return replace(proved, witness=part)

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
            None if replayed.at_once else error.steps,
        )
        if replayed.at_once:
            self._assumed = (*self._assumed, _AT_ONCE)
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
        whole = self._whole
        if whole is not None and facts is not whole and rests_on_linear_loops(self._task, whole):
            facts = smaller(self._task, whole, certified=True)
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

    def _vacuity(self, program: Program, proved: Result) -> VacuityAnswer:
        """Whether what was proved says nothing; nobody shall lose the proof over that question."""
        if self._task.product is not None:
            return VacuityAnswer(None)

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
            text += counts(self._statistics.engines.get(text, self._statistics))
            self._send(Progress(text, self._result(Answer.UNKNOWN, text)))

    def _assumptions(self) -> tuple[str, ...]:
        """What a verdict takes for granted, in words."""
        known = () if self._program is None else self._program.assumptions
        return (*known, *self._assumed)

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
            self._assumptions(),
            tuple(program.externals.items()) if program else (),
            solver_use(total),
            work(total),
            tuple(total.tried),
            engines=engine_uses(self._statistics, total, task.options.engine),
            checks=tuple(sorted(task.checks())),
            language=task.language().value,
        )


def _witnesses() -> ModuleType:
    """What makes witnesses; most checks have none to make."""
    return import_module("predabs.pipeline.witness_content")


def halfway(last: float | None) -> float:
    """When to stop a replay that may never end, so that there is time to search once more."""
    now = time.monotonic()
    return now + (_REPLAY_SECONDS if last is None else (last - now) / 2)
