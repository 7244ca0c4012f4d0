"""The slam engine's refinement: predicates and lemmas from a spurious run of the Boolean program.

Newton finds predicates of the path; where none of them is new, lemmas exclude the steps of the run
that no step of the C program matches. From time to time Horn clauses are solved for summaries of
all procedures together.

Soundness duty: a lemma excludes a step only if a solver has said that no step of the C program
matches it. Predicates need not be right.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from time import monotonic

from ...c2bp.abstraction_context import AbstractionContext
from ...c2bp.boolean_graphs import Origin
from ...c2bp.lemmas import Lemmas
from ...encode.environment import Formulas
from ...encode.integer_encoding import IntegerEncoding, NeedsBitVectors
from ...encode.optimistic_encoding import OptimisticEncoding
from ...errors import UnsupportedFeature
from ...evidence.recording import RecordTexts
from ...ir.call_graph import recursive_functions
from ...ir.expr import Expr
from ...ir.ops import Error
from ...ir.path import Path
from ...predicates.contradiction import Contradictions
from ...predicates.syntax.file import GLOBAL
from ...proof_record import EngineRecord, PredicatesAt, RefinementRound, shortened_path
from ...records import dataclass, replace
from ...refine.feasible import Infeasible
from ...refine.horn.procedure_clauses import Summaries
from ...refine.newton.newton import Newton, NewtonPredicate
from ...refine.newton.spread import Spread
from ...statistics import Round
from ...verdict import Unsafe
from ..cegar import Check, ErrorPath, Outcome, Refined, Stuck
from ..engine import Clock, EngineTask
from .tracked_predicates import TrackedPredicates

_SMALL_PROGRAM = 20_000  # characters of a Boolean program that each round shows
LONGEST = 50_000  # steps of a run that is refined for
_SECONDS = 10.0  # of one solver call
_FEW_ROUNDS, _MANY_ROUNDS = 1, 10  # before the clauses of all procedures are solved first
_FIRST_SECONDS, _MOST_SECONDS = 1.0, 30.0  # of one such attempt


@dataclass(frozen=True, slots=True)
class BooleanStep:
    """A step of a run of the Boolean program, with the values of the variables before and after."""

    origin: Origin
    before: dict[str, bool]
    after: dict[str, bool]


@dataclass(frozen=True, slots=True)
class BooleanRun:
    """A run of the Boolean program to an error, as a path of the C program; both are empty if it is
    too long. `figures` are those of the round."""

    path: Path
    steps: tuple[BooleanStep, ...]
    figures: Round

    @property
    def error_path(self) -> ErrorPath:
        op = self.path.edges[-1].op
        if self.steps[-1].origin.unknown_call:
            return ErrorPath(self.path, "a call through a pointer of which nothing is known", True)
        return ErrorPath(self.path, op.text if isinstance(op, Error) else "")


class NewtonRefiner:
    """Adds tracked predicates and lemmas."""

    def __init__(
        self,
        task: EngineTask,
        context: AbstractionContext,
        tracked: TrackedPredicates,
        lemmas: Lemmas,
        clock: Clock,
        tick: Callable[[], None],
    ) -> None:
        self._task = task
        self._context = context
        self._tracked = tracked
        self._lemmas = lemmas
        self._clock = clock
        self._tick = tick
        self._newton = Newton(task.program, context.effects, context.aliasing)
        self._spread = Spread(task.program, context.effects, context.aliasing)
        self._contradictions = Contradictions(context.logics, lambda: clock.at_most(_SECONDS))
        # Single paths are enough for most programs, but seldom for recursive ones.
        recursive = recursive_functions(task.facts.call_graph)
        self._patience = _FEW_ROUNDS if recursive else _MANY_ROUNDS
        self._clause_systems: list[Summaries] | None = None
        self._summary_seconds = _FIRST_SECONDS
        self._summary_after = 0.0
        self._enough = False  # were predicates found that should do?
        self._core: tuple[int, ...] = ()  # of the last path
        self._summarised = False  # are its predicates from summaries?

    def learn(self, literals: Sequence[tuple[Expr, bool]]) -> None:
        """Add the lemma of an earlier check, if a solver says that it is one."""
        lemma = self._contradictions.find(list(literals))
        if lemma is not None:
            self._lemmas.add(lemma)

    def refine(self, counterexample: BooleanRun, check: Check) -> Outcome:
        """Exclude a run of the Boolean program; its round ends with that."""
        known, lemmas = len(self._tracked), len(self._lemmas)
        self._core = ()
        self._summarised = False
        outcome = self._refined(counterexample, check)
        new = self._tracked.since(known)
        self._task.statistics.rounds.append(replace(counterexample.figures, new=new))
        if self._task.statistics.record is not None:
            excluded = len(self._lemmas) - lemmas
            self._note(self._task.statistics.record, counterexample.path, known, excluded, outcome)
        return outcome

    def _note(
        self, record: EngineRecord, path: Path, known: int, excluded: int, outcome: Outcome
    ) -> None:
        """Tell the round for a report."""
        texts = RecordTexts(self._task.program)
        steps, left_out = shortened_path(texts.steps(path.edges, self._core))
        notes = []
        if isinstance(outcome, Unsafe):
            notes.append("the path is feasible")
        if self._summarised:
            notes.append("predicates from summaries of all procedures, a solution of Horn clauses")
        if excluded:
            notes.append(f"lemmas exclude {excluded} steps that no step of the C program matches")
        program = record.boolean_program if len(record.boolean_program) < _SMALL_PROGRAM else ""
        record.add(
            RefinementRound(
                f"The Boolean program has a run of {len(path.edges)} steps to an error",
                steps,
                left_out,
                tuple(notes),
                self.predicates(known),
                boolean_program=program,
            )
        )
        record.predicates = self.predicates()

    def predicates(self, since: int = 0) -> tuple[PredicatesAt, ...]:
        """The tracked predicates by function, for a report."""
        functions = self._task.program.functions
        return tuple(
            PredicatesAt(
                "everywhere" if name == GLOBAL else name,
                None if name == GLOBAL else functions[name].coord,
                tuple(texts),
            )
            for name, texts in self._tracked.sections(since).items()
        )

    def _refined(self, counterexample: BooleanRun, check: Check) -> Outcome:
        path = counterexample.path
        if not path.edges:
            return Stuck(f"a run of the Boolean program has more than {LONGEST} steps")
        found = check(counterexample.error_path)
        if not isinstance(found, Infeasible):
            return found
        self._core = found.core
        return self._more(path, found.core, counterexample.steps)

    def _more(self, path: Path, core: tuple[int, ...], steps: Sequence[BooleanStep]) -> Outcome:
        """Predicates from the path, or else lemmas from the steps; and from time to time predicates
        from summaries of all procedures together."""
        if self._enough and self._excluded(steps):
            return Refined()
        found = self._newton.predicates(path, core)
        if (
            len(self._task.statistics.rounds) >= self._patience
            and monotonic() >= self._summary_after
        ):
            summarised = self._summary_predicates()
            self._summarised = bool(summarised)
            found = summarised or found
        if self._add(found) or self._excluded(steps):
            return Refined()
        while any(not summaries.hopeless for summaries in self._summaries()):
            self._clock.budget.check()
            if self._add(self._summary_predicates()):
                self._summarised = True
                return Refined()
        last = path.edges[-1]
        return Stuck(
            f"{last.coord}: a spurious path has {len(path)} edges, and no new predicate excludes it"
        )

    def _add(self, found: list[NewtonPredicate]) -> bool:
        """Track predicates; are there new ones?"""
        new = [self._tracked.add(one) for one in found]
        return any(new)

    def _summary_predicates(self) -> list[NewtonPredicate]:
        """Predicates from summaries of all procedures and invariants of all loops."""
        seconds = self._summary_seconds
        self._summary_seconds = min(2 * seconds, _MOST_SECONDS)
        found: list[NewtonPredicate] = []
        for summaries in self._summaries():
            left = self._clock.budget.left
            if summaries.hopeless or found:
                continue
            try:
                points = summaries.find(seconds if left is None else min(seconds, left / 3))
            except (UnsupportedFeature, NeedsBitVectors):
                summaries.hopeless = True
                continue
            found = self._spread.around(points or ())
        self._summary_after = monotonic() + seconds
        self._enough = self._enough or bool(found)
        return found

    def _summaries(self) -> list[Summaries]:
        """The Horn clauses of the program without overflows, and those of the program."""
        if self._clause_systems is None:
            facts = self._task.facts
            self._clause_systems = [
                Summaries(
                    facts.program,
                    facts.points_to,
                    Formulas(facts.partition, encoding, facts.interval, self._context.names),
                    facts.liveness,
                    self._task.statistics.solver,
                    self._tick,
                )
                for encoding in (OptimisticEncoding(), IntegerEncoding())
            ]
        return self._clause_systems

    def _excluded(self, steps: Sequence[BooleanStep]) -> bool:
        """Add lemmas for steps that no step of the C program matches. Were there any?"""
        found = False
        for step in steps:
            meaning = step.origin.meaning
            if meaning is None:
                continue
            literals: list[tuple[Expr, bool]] = [
                (variable.expr, step.before[variable.name]) for variable in meaning.now
            ]
            if meaning.holds is not None:
                literals.append((meaning.holds, True))
            for name, condition in meaning.after.items():
                if condition is not None:
                    literals.append((condition, step.after[name]))
            lemma = self._contradictions.find(literals)
            if lemma is not None:
                found |= self._lemmas.add(lemma)
        return found
