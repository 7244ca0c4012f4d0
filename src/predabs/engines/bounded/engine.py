"""The bounded engine: bounded model checking with a growing bound, branches merged where they meet.

All paths are explored together: one symbolic state per node of the unrolling, a node being a call
chain, a location and the number of iterations of each loop around it. A loop that goes on beyond
the current bound is deferred; when nothing else is left, the solver is asked whether an error that
was met can be reached (then there is a violation), and whether anything deferred can be reached (if
not, the program is safe); then the bound is doubled and what was deferred goes on.

Soundness duty: `Safe` only if every state was followed to its end or proved unreachable; wherever
the exploration stops for another reason, the condition of the node is noted as a limit, and a limit
that the solver does not refute makes the answer `Unknown`.
"""

from __future__ import annotations

import time
from collections.abc import Sequence

from ...analysis.acceleration.program import accelerated
from ...concrete.outcome import Overrun
from ...evidence.only_run import OnlyRun
from ...options import Budget, TimeOver
from ...proof_record import RefinementRound
from ...smt import build
from ...smt.branch_and_prune import BRANCH_AND_PRUNE, BranchAndPrune
from ...smt.solver import Answer, Reason, Sat, Solver, Unsat
from ...smt.solver import Unknown as Undecided
from ...smt.solvers import create
from ...smt.term import FALSE, Term
from ...statistics import Phase
from ...symbolic.model_inputs import inputs_of
from ...symbolic.typed_model import typed_model
from ...verdict import Method, Proof, Safe, Unknown, Unsafe, Verdict
from ..concrete_runs import ConcreteRuns
from ..engine import EngineTask
from .explore import ErrorFound, UnrollingExplorer
from .pace import Pace

_FIRST_BOUND = 1
_CHECK_SECONDS = 20.0
_SAMPLE_SECONDS = 3.0
_SAMPLE_SHARE, _LOOK_SHARE, _NEXT_LOOK_SHARE = 0.25, 0.5, 0.67  # of the time, for concrete runs
_ONLY_SHARE = 0.9  # of the time, for the run of a program that asks for no input
_ONLY_SECONDS = 30.0  # if there is no limit
_LEAST_SECONDS = 1.0  # for the question whether the search has to go on
_FEW = 32  # deferred states that are asked about one by one
_OFTEN = 16  # nodes, before it is looked whether time is over


class BoundedEngine:
    """A few concrete runs; then rounds of exploration, and solver calls in between.

    When its time is over the search can be taken up again: nothing that was explored is lost, and
    a question that was not answered is asked once more.
    """

    def __init__(self, task: EngineTask) -> None:
        self._budget = Budget()
        self._statistics = task.statistics
        self._progress = task.progress
        self._program = accelerated(task.program) if task.options.accelerate else task.program
        self._only_run = OnlyRun(task.program, self._program)
        self._runs = ConcreteRuns(task.program)
        self._started: UnrollingExplorer | None = None
        self._undecided: list[ErrorFound] = []
        self._answers: dict[Term, bool] = {}  # of this round: conditions, and are they refuted
        self._solver: Solver = create("bitwuzla", task.statistics.solver)
        if task.options.float_intervals:
            self._solver = BranchAndPrune(self._solver)
        self._last_check = time.monotonic()
        self._check_cost = 0.5
        self._exploring = 0.0  # seconds
        self._steps = 0
        self._short = False
        self._looked = False

    def run(self, budget: Budget) -> Verdict:
        """Continue until there is a verdict."""
        return self._go_on(budget, _SAMPLE_SHARE, short=False)

    def look(self, budget: Budget) -> Verdict:
        """The same for a short while: more of it is for concrete runs, and `TimeOver` is also
        raised when the pace shows that the time will not be enough."""
        again = self._looked  # what is not over goes on for long
        self._looked = True
        return self._go_on(budget, _NEXT_LOOK_SHARE if again else _LOOK_SHARE, short=True)

    def _go_on(self, budget: Budget, share: float, short: bool) -> Verdict:
        """Continue, with a share of the time for samples."""
        self._budget = budget
        self._short = short
        left = budget.left
        only_seconds = _ONLY_SECONDS if left is None else _ONLY_SHARE * left
        sample_seconds = _SAMPLE_SECONDS if left is None else min(_SAMPLE_SECONDS, share * left)
        with self._statistics.phase(Phase.SEARCH):
            try:
                only = self._only_run.verdict(only_seconds)
                if only is not None:
                    return self._told(only, "the program asks for no input: it was simply run")
                met = self._runs.bug(sample_seconds)
                if met is not None:
                    return self._told(met, "one of a few concrete runs came to the error")
                return self._run()
            except Overrun as limit:
                return Unknown(str(limit))
            except TimeOver:
                if self._started is not None:
                    self._statistics.obstacles = self._started.goes_on()
                raise

    def _told(self, verdict: Verdict, how: str) -> Verdict:
        """The verdict; for a report, how it was found without a search."""
        if self._statistics.record is not None:
            self._statistics.record.facts.append(how)
        return verdict

    @property
    def so_far(self) -> str:
        """How far it came, in words."""
        rounds = 0 if self._started is None else self._started.bound
        return f"loops were followed for {rounds} round{'s' * (rounds != 1)}"

    @property
    def _explorer(self) -> UnrollingExplorer:
        if self._started is None:
            self._started = UnrollingExplorer(self._program, _FIRST_BOUND)
            if self._statistics.record is not None:
                self._started.visited = set()
        return self._started

    # --- the rounds -------------------------------------------------------------------------------

    def _run(self) -> Verdict:
        while True:
            begun = time.process_time()
            try:
                verdict = self._explore()
            finally:
                self._exploring += time.process_time() - begun
            met = verdict is not None
            verdict = verdict or self._conclude()
            self._note(met)
            if verdict is not None:
                return verdict
            self._explorer.deepen()
            self._answers.clear()

    def _note(self, met: bool) -> None:
        """Tell the round for a report."""
        record, explorer = self._statistics.record, self._explorer
        if record is None:
            return
        left = len(explorer.deferred.nodes())
        notes = [f"{self._steps} nodes of the unrolling were visited so far"]
        if met:
            notes.append("an error can be reached")
        elif left:
            notes.append(f"{left} nodes lie beyond the bound and are followed in the next round")
        else:
            notes.append("nothing lies beyond the bound: all runs were followed to their ends")
        times = f"{explorer.bound} round{'s' * (explorer.bound != 1)}"
        record.add(RefinementRound(f"Loops are followed for {times}", notes=tuple(notes)))
        for location in explorer.visited or ():
            function = self._program.functions[location.function]
            for edge in function.outgoing[location]:
                record.reach(edge.coord)

    def _explore(self) -> Verdict | None:
        """Follow everything up to the bound; an error that can be reached ends it."""
        explorer = self._explorer
        pace = self._pace()
        while explorer.open:
            explorer.visit_next()
            self._steps += 1
            if self._steps % _OFTEN == 0:
                self._budget.check()
                if pace is not None and pace.is_hopeless(self._steps, time.process_time()):
                    raise TimeOver("it takes longer than there is time")
                if self._steps % 1024 == 0:
                    self._progress(f"bounded: rounds {explorer.bound}, nodes {self._steps}")
            if explorer.errors and time.monotonic() - self._last_check > self._check_cost:
                bug = self._check_errors()
                if bug is not None:
                    return bug
        return self._check_errors() if explorer.errors else None

    def _pace(self) -> Pace | None:
        """Whether a short search goes on is seen in its first round, which visits most nodes."""
        left = self._budget.left
        if not self._short or left is None or self._explorer.bound > _FIRST_BOUND:
            return None
        nodes = sum(len(function.outgoing) for function in self._program.functions.values())
        now = time.process_time()  # the clock that does not mind what else the machine does
        return Pace(nodes, now, now + left)

    def _conclude(self) -> Verdict | None:
        """After a round: safe, if nothing that was deferred can be reached; else go on."""
        deferred = self._explorer.deferred
        nodes = deferred.nodes()
        # to go on is right in any case: so it is asked for as long as the way here has taken
        most = max(_LEAST_SECONDS, self._exploring)
        if self._refuted(build.or_(*(state.guard.term for _, state in nodes)), most):
            for node, state in nodes:
                deferred.drop(node, state)
        elif len(nodes) <= _FEW:
            for node, state in nodes:
                if self._refuted(state.guard.term, most / len(nodes)):
                    deferred.drop(node, state)
        if deferred:
            return None
        for limit in self._explorer.limits + self._undecided:
            if not self._refuted(limit.whole):
                return Unknown(f"{limit.coord}: {limit.text}")
        asked = self._statistics.solver
        alone = 0 < asked.calls == asked.pruned
        solver = BRANCH_AND_PRUNE if alone else self._solver.name
        return Safe((), Proof("bounded", Method.UNROLLING, solver, whole=False))

    # --- asking -----------------------------------------------------------------------------------

    def _ask(self, cond: Term, most: float = _CHECK_SECONDS) -> Answer:
        """Can the condition hold? An answer that only the end of the budget prevented is no answer
        at all: the question is asked again when the search goes on."""
        self._budget.check()
        left = self._budget.left
        seconds = most if left is None else min(most, left)
        answer = self._solver.check([cond], max(0.05, seconds))
        match answer:
            case Undecided(Reason.TIMEOUT | Reason.INTERRUPTED) if seconds < most:
                raise TimeOver("the time limit was reached")
        return answer

    def _typed(self, cond: Term) -> Answer:
        """The same; a model is a run that reads memory of the environment as it was written."""
        machine = self._explorer.machine

        def ask(more: Sequence[Term]) -> Answer:
            return self._ask(build.and_(cond, *more))

        return typed_model(ask, machine.accesses, machine.environment)

    def _refuted(self, cond: Term, most: float = _CHECK_SECONDS) -> bool:
        """Is it proved, in so many seconds at most, that the condition cannot hold?"""
        if cond is FALSE:
            return True
        if cond not in self._answers:
            self._answers[cond] = isinstance(self._ask(cond, min(most, _CHECK_SECONDS)), Unsat)
        return self._answers[cond]

    def _check_errors(self) -> Verdict | None:
        """Can one of the errors met since the last time be reached?"""
        begun = time.monotonic()
        errors = self._explorer.errors
        either = build.or_(*(error.whole for error in errors))
        answer = Unsat(()) if either is FALSE else self._typed(either)
        self._explorer.errors = []
        self._last_check = time.monotonic()
        self._check_cost = max(0.5, self._last_check - begun)
        match answer:
            case Sat(model):
                inputs, text = inputs_of(
                    model, self._explorer.machine.taken, [(e.whole, e.text) for e in errors]
                )
                return Unsafe(inputs, text)
            case Unsat():
                return None
            case Undecided():
                self._undecided += [
                    ErrorFound(
                        e.guard,
                        e.cond,
                        f"the solver could not decide whether this is reached ({answer})",
                        e.coord,
                    )
                    for e in errors
                ]
                return None
