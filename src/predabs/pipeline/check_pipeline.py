"""From the files to the verdict, in one process: load, add the property, run the engine, replay.

Soundness duty: FALSE only for a run that was replayed on the whole program; what is not supported,
or was given up, is UNKNOWN.
"""

from __future__ import annotations

import time
from importlib import import_module

from ..analysis.environment import environment_assumptions
from ..analysis.facts import ProgramFacts
from ..engines.engine import RECHECK, EngineTask, decide
from ..engines.learned import Learned
from ..errors import ResourceExhausted, UnsupportedFeature, too_deep
from ..evidence.replay import NotReplayed, refuted, replay
from ..evidence.unchecked import assumed_valid
from ..ir.cfa import Program
from ..ir.ops import ErrorKind
from ..options import Budget
from ..records import replace
from ..spec.unsupported import without_unsupported
from ..statistics import Phase
from ..supervise import Send
from ..verdict import Input, Safe, Unsafe, Verdict
from .judgement import Judgement, Progress, Task, halfway
from .preparation import prepared, smaller
from .result import Answer, Result, Violation
from .store_session import Aside, Known, StoreSession

_SEARCH_SECONDS = 10.0  # for violations before what is not supported
_AGAIN_SECONDS = 3.0  # for the inputs of an earlier violation, at least
_MORE_TIMES, _MORE_STEPS = 10, 10_000  # than the earlier run took


def analyse(task: Task, send: Send) -> Result:
    """Check the task; progress is sent as it goes."""
    return _Analysis(task, send).run()


class _Analysis(Judgement):
    """One check while it runs."""

    def __init__(self, task: Task, send: Send) -> None:
        super().__init__(task, send)
        self._store = StoreSession(
            task.options, task.files, task.last, is_product=task.product is not None
        )

        self._in_vain: tuple[Input, ...] | None = None  # that do not violate the property any more

    def run(self) -> Result:
        try:
            program = self._program = self._load(self._task.product)
            self._tell(f"{_size(program)} to check", at_once=True)
            checked = self._check_all
            if self._task.options.changed_since is not None:
                checked = self._check_parts
            return replace(checked(program), record=self._record())
        except (UnsupportedFeature, ResourceExhausted) as problem:
            return self._result(Answer.UNKNOWN, str(problem))
        except RecursionError as problem:
            return self._result(Answer.UNKNOWN, str(too_deep(problem)))

    def _check_all(self, program: Program) -> Result:
        """Check all errors of a program together."""
        result = self._check(program)
        return result if self._end is None else self._before_the_end(result)

    def _check_parts(self, program: Program) -> Result:
        """Check the errors that depend on a change first, and then the others. No error can be
        reached if none of each part can be (`changes.with_errors`)."""
        module = import_module("predabs.pipeline.changed_parts")  # most checks do without
        parts = module.parts_of(program, self._task, self._statistics.phase)
        results: list[Result] = []
        for part in parts.programs:
            self._program, self._refuted, self._end = part, False, None
            self._in_vain = None
            result = self._check_all(part)
            results.append(result)
            if result.verdict is Answer.FALSE:
                break
        together: Result = parts.together(results)
        return together

    def _check(self, program: Program) -> Result:
        """Check a slice first. A slice has more runs than the program (a loop that was left out
        always ends), so what does not replay is looked for once more in the whole program."""
        ready = prepared(program, self._task.options.single_objects)
        whole, self._program = ready.whole, ready.replayed
        self._whole = whole
        program = whole.program
        tried = self._with_known_inputs(whole) or self._violated_as_before(whole)
        if tried is not None:
            return tried
        if not self._task.options.slice:
            return self._check_with_store(program, whole, whole)
        self._tell("slicing")
        with self._statistics.phase(Phase.SLICE):
            part = smaller(self._task, whole)
        result = self._check_with_store(program, whole, part)
        if not self._refuted:
            return result
        self._statistics.tried.append(f"{result.reason}; so the whole program was searched")
        begun = time.monotonic()
        verdict = self._engine(whole)
        self._assume_valid(whole, verdict)
        again = self._judge(program, whole, verdict, self._task.last)
        if again.verdict is Answer.UNKNOWN and again.unconfirmed is None:
            again = replace(again, unconfirmed=result.unconfirmed)
        if again.violation is not None:
            self._keep_violation(part, again.violation, time.monotonic() - begun)
        return replace(again, store=self._store.use)

    # --- the store --------------------------------------------------------------------------------

    def _check_with_store(
        self, program: Program, whole: ProgramFacts, facts: ProgramFacts
    ) -> Result:
        """Check the program of the facts (all of it, or a slice), with what the store knows."""
        assert self._program is not None
        known = self._store.known(facts, self._program) or Known(False, 0.0)
        again = self._violated_again(known, facts, whole)
        if again is not None:
            return again
        begun = time.monotonic()
        verdict = self._engine(facts, known.learned)
        seconds = time.monotonic() - begun
        self._assumed = environment_assumptions(facts, whole)  # an engine need not wait for it
        self._assume_valid(whole, verdict)
        until = self._task.last if facts is whole else halfway(self._task.last)
        proved_before = known.same and known.learned is not None and isinstance(verdict, Safe)
        # a question that was left open of a version like this would be left open again
        aside = known.aside
        is_asked = aside.asked_in_vain or (proved_before and aside.reached)
        self._vacuity_open, self._needless = aside.asked_in_vain, aside.needless
        result = self._judge(program, facts, verdict, until, is_asked)
        if proved_before:
            self._store.given()
        elif result.verdict is Answer.TRUE and isinstance(verdict, Safe):
            self._keep_proof(facts, verdict, result, seconds, known.learned)
        elif result.violation is not None:
            self._keep_violation(facts, result.violation, seconds)
        return replace(result, store=self._store.use)

    def _violated_as_before(self, whole: ProgramFacts) -> Result | None:
        """The result of a run with the inputs that violated the property when these files were
        checked last: a program that is sliced for nothing takes longer."""
        assert self._program is not None
        known = self._store.last_violation(self._program)
        return None if known is None else self._violated_again(known, whole, whole)

    def _violated_again(
        self, known: Known, facts: ProgramFacts, whole: ProgramFacts
    ) -> Result | None:
        """The result of a run with the inputs of an earlier violation, if there is one and it
        violates the property now; each is tried once."""
        if known.violation is None or known.violation.inputs == self._in_vain:
            return None
        again = self._replayed_again(known, known.violation.inputs)
        if again is None:
            self._in_vain = known.violation.inputs
            return None
        self._assumed = environment_assumptions(facts, whole)
        self._store.given()
        return replace(again, assumptions=self._assumptions(), store=self._store.use)

    def _replayed_again(self, known: Known, inputs: tuple[Input, ...]) -> Result | None:
        """The result of a run with these inputs. One that takes far more steps than before is lost:
        it may never end."""
        assert self._program is not None
        until = time.monotonic() + max(_AGAIN_SECONDS, known.seconds / 3)
        last = self._task.deadline
        most = None if known.steps is None else _MORE_TIMES * known.steps + _MORE_STEPS
        with self._statistics.phase(Phase.REPLAY):
            soon = until if last is None else min(until, last)
            replayed = replay(self._program, inputs, soon, most)
        if isinstance(replayed, NotReplayed) or replayed.error.kind is ErrorKind.UNSUPPORTED:
            self._statistics.tried.append("store: an earlier violation does not replay any more")
            return None
        self._statistics.tried.append("store: an earlier violation, replayed again")
        return self._violated(self._program, replayed, until)

    def _keep_violation(self, facts: ProgramFacts, found: Violation, seconds: float) -> None:
        assert self._program is not None
        self._store.keep_violation(facts, self._program, found, seconds)

    def _keep_proof(
        self,
        facts: ProgramFacts,
        proof: Safe,
        result: Result,
        seconds: float,
        known: Learned | None,
    ) -> None:
        """Keep what a proof rests on, which took all engines so many seconds."""
        spent = seconds
        prover = self._statistics.decided or self._task.options.engine
        if prover in self._statistics.engines:
            seconds = sum(self._statistics.engines[prover].total().seconds.values())
        if prover == RECHECK and known is not None:
            prover, seconds = known.prover, known.seconds  # as if it had not been there
            spent = max(spent, seconds)
        aside = Aside(result.vacuity is None, self._vacuity_open, self._needless)
        self._store.keep_proof(facts, proof, prover, seconds, spent, aside)

    # --- engines and what their verdicts mean -----------------------------------------------------

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

    def _engine(self, facts: ProgramFacts, learned: Learned | None = None) -> Verdict:
        self._checked = facts.program
        options = self._task.options
        if options.record:  # a report of a check that is ended has this at least
            so_far = replace(self._result(Answer.UNKNOWN), record=self._record())
            self._send(Progress("searching", so_far))
        task = EngineTask(
            facts, options, self._statistics, self._tell, learned=learned, whole=self._program
        )
        return decide(options.engine, task, Budget(self._task.deadline))


def _size(program: Program) -> str:
    """How large a program is, in words."""
    edges = sum(len(function.edges) for function in program.functions.values())
    return f"{len(program.functions)} functions with {edges} edges"
