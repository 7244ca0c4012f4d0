"""The lazy engine [HJMS02]: CEGAR with an abstract reachability tree.

It begins with the encoding by integers and with interval facts. Where integers cannot express an
operation, it begins again with bit-vectors; unless the option says otherwise, it also begins again
at the first spurious path, with numeric relations ([GC10]'s domains below [HJMS02]'s predicates).
A large program is localized first ([Kur94]): most of it has no say in whether an error is reached.
If what an earlier proof tracked is known, it is tried with sparse interval facts first.

Soundness duty: that of the search; numeric relations hold in all runs, and a localized program has
all runs of the program.
"""

from __future__ import annotations

from ...analysis.explicit_values import TooManyValues
from ...analysis.localization import Localization, lvalues_of
from ...analysis.state_variables import state_variables
from ...encode.encoding import BitVectorEncoding, Encoding
from ...encode.environment import Formulas
from ...encode.integer_encoding import IntegerEncoding, NeedsBitVectors
from ...encode.location_facts import NumericRelations
from ...errors import ResourceExhausted, UnsupportedFeature
from ...ir.expr import Var
from ...numpred.relations import relations_of
from ...options import Budget, Numbers, TimeOver
from ...proof_record import FEW_NODES
from ...records import replace
from ...statistics import Phase
from ...verdict import Invariant, ProofPrecision, Safe, Unknown, Verdict
from ..cegar import PathCheck, cegar, no_proof_yet
from ..cut_points import cut_points
from ..engine import Clock, EngineTask
from ..path_programs import LoopRefiner, PathPrograms
from ..proved_facts import RELATIONS, invariants_of
from .inductive_predicates import InductivePredicates
from .program_size import is_large, is_vast
from .refinement import PivotRefiner, WantsIntervals, WantsRelations, WantsStorage
from .shared_relations import with_facts
from .tree_explorer import TreeExplorer

_NUMERIC: Numbers = "octagon"  # the numeric domain, if the option is not used
_FIRST, _FIRST_SECONDS = 0.65, 60.0  # the share of the first of two searches; without a limit
_RELATION_SHARE, _RELATION_SECONDS = 0.1, 5.0  # of the time that is left, and at most
_POLYHEDRA_SHARE = 0.25


class Search:
    """The CEGAR loop with one tree; numeric `relations` were computed if it is `related`, else they
    are asked for at the first spurious path, and all interval facts at the first counterexample, if
    they are `sparse`."""

    def __init__(
        self,
        task: EngineTask,
        clock: Clock,
        encoding: Encoding,
        relations: NumericRelations | None = None,
        related: bool = True,
        localization: Localization | None = None,
        inductive: InductivePredicates | None = None,
        followed: tuple[Var, ...] = (),
        programs: PathPrograms | None = None,
        sparse: bool = False,
    ) -> None:
        self._statistics = task.statistics
        with task.statistics.phase(Phase.ABSTRACTION):
            self.explorer = TreeExplorer(
                task, clock, encoding, relations or {}, localization, followed, sparse
            )
        self.refiner = PivotRefiner(self.explorer, related, inductive, sparse)
        self._loops = LoopRefiner(
            self.refiner, programs or PathPrograms(task), lambda error: error.edges(), clock
        )
        self._check = PathCheck(task.program, task.statistics, clock)

    def run(self) -> Verdict:
        """Continue until there is a verdict."""
        recorder = self.refiner.recorder
        with self.explorer.manager.bounded():
            try:
                verdict = cegar(self.explorer, self._loops, self._check, self._statistics)
            except TimeOver:
                if recorder is not None:
                    recorder.finish(FEW_NODES)  # there is little time to look back
                raise
            if recorder is not None:
                recorder.finish()
            return verdict


class LazyEngine:
    """Searches in the whole program, and if it is large, in a localized one too. Which of the two
    comes first, and has more of the time, depends on the program."""

    def __init__(self, task: EngineTask) -> None:
        self._task = task
        self._tracks = [_Track(task, None)]
        known = task.learned.precision if task.learned is not None else None
        if is_large(task.program) or (known is not None and known.localized):
            first = is_vast(task.program) if known is None else known.localized
            self._tracks.insert(0 if first else 1, _Track(task, _localization(task, known)))
        self._end = Unknown("")  # of the search that has given up last

    @property
    def so_far(self) -> str:
        return no_proof_yet(self._task.statistics)

    def run(self, budget: Budget) -> Verdict:
        """Continue until there is a verdict, or both searches have given up."""
        while self._tracks:
            for track in tuple(self._tracks):
                seconds = _FIRST_SECONDS if budget.left is None else _FIRST * budget.left
                is_last = track is self._tracks[-1]
                try:
                    verdict = track.run(budget if is_last else Budget.of(seconds))
                except TimeOver:
                    budget.check()
                    continue
                except WantsStorage:
                    pass
                except (ResourceExhausted, UnsupportedFeature) as problem:
                    self._end = Unknown(str(problem))
                else:
                    if not isinstance(verdict, Unknown):
                        return verdict
                    self._end = verdict
                self._tracks.remove(track)
        return self._end


def _localization(task: EngineTask, known: ProofPrecision | None) -> Localization:
    """What to track at first: nothing, or what an earlier proof had to."""
    localization = Localization(task.facts.modref)
    if known is None or not known.localized:
        return localization
    slots = (slot for lvalue in known.storage for slot in task.facts.modref.slots.of_target(lvalue))
    return localization.more(slots, known.entered)


class _Track:
    """Searches with integers, or with bit-vectors if integers cannot express an operation; in the
    whole program with numeric relations once there is a spurious path, in a localized one with more
    and more that is tracked."""

    def __init__(self, task: EngineTask, localization: Localization | None) -> None:
        self._task = task
        self._localization = localization
        self._clock = Clock()
        self._relations: NumericRelations = {}
        self._numbers = task.options.numeric or _NUMERIC
        # localized programs are simple enough without relations
        self._related = self._numbers == "box" or localization is not None
        self._encoding: Encoding = IntegerEncoding()
        self._search: Search | None = None
        # variables whose values are followed, found when the first search begins
        self._followed: tuple[Var, ...] | None = None
        if localization is not None or not task.options.state_values:
            self._followed = ()
        self._facts: tuple[Invariant, ...] = ()  # of others, that the search has
        self._inductive: InductivePredicates | None = None
        if localization is None:  # else the predicates are about another program
            self._inductive = InductivePredicates(task, self._clock)
        self._known: Search | None = None  # whose predicates are worth trying again
        known = None if task.learned is None else task.learned.precision
        self._sparse = localization is not None and known is not None and known.sparse
        self._all_intervals = known is not None and known.all_intervals  # sparse ones are too few
        self._programs = PathPrograms(task)

    def run(self, budget: Budget) -> Verdict:
        """Continue until there is a verdict; `WantsStorage` if localization is of no use."""
        self._clock.budget = budget
        if self._search is not None and self._has_news():
            self._known, self._search = self._search, None
        while True:
            try:
                if self._search is None:
                    self._search = self._begin()
                verdict = self._search.run()
                return self._with_precision(verdict) if isinstance(verdict, Safe) else verdict
            except WantsIntervals:
                self._sparse, self._all_intervals, self._search = False, True, None
            except NeedsBitVectors:
                self._encoding, self._search = BitVectorEncoding(), None
            except WantsStorage as wanted:
                if wanted.localization is None:
                    raise
                self._localization = wanted.localization
                self._encoding = IntegerEncoding()
                self._known, self._search = self._search, None
            except TooManyValues:
                self._followed, self._search = (), None
            except WantsRelations:
                self._search = None
                with self._task.statistics.phase(Phase.ABSTRACTION):
                    self._relations, self._related = self._relate(budget), True

    def _begin(self) -> Search:
        """A new search with what is known by now."""
        self._facts = self._proved()
        facts = self._task.facts
        if self._followed is None:
            self._followed = state_variables(facts)
        formulas = Formulas(facts.partition, self._encoding, facts.interval)
        search = Search(
            self._task,
            self._clock,
            self._encoding,
            with_facts(formulas, self._relations, self._facts),
            self._related,
            self._localization,
            self._inductive,
            self._followed,
            self._programs,
            self._sparse,
        )
        if self._known is not None:
            search.explorer.adopt(self._known.explorer)
        elif self._task.learned is not None and self._task.learned.precision is not None:
            search.explorer.track(self._task.learned.precision.predicates)
        return search

    def _with_precision(self, proof: Safe) -> Safe:
        """The proof, with what it had to track."""
        assert self._search is not None
        here, effects = self._localization, self._task.facts.modref
        if here is None:
            tracked = ProofPrecision(self._search.explorer.tracked())
        else:
            tracked = ProofPrecision(
                self._search.explorer.tracked(),
                True,
                lvalues_of(effects, self._task.program, here.tracked),
                tuple(sorted(here.entered)),
                self._all_intervals,
            )
        return replace(proof, precision=tracked)

    def _proved(self) -> tuple[Invariant, ...]:
        """What other engines have proved of the whole program."""
        return () if self._localization is not None else self._task.shared.all()

    def _has_news(self) -> bool:
        """Have other engines proved something since the search began?"""
        own = self._inductive.offered if self._inductive is not None else frozenset()
        known = own.union(self._facts)
        return any(fact not in known for fact in self._proved())

    def _relate(self, budget: Budget) -> NumericRelations:
        """The numeric relations at the configurations, if they are computed soon. Lengths are sums
        of others where memory is checked: polyhedra know those, and octagons are the way out."""
        task, numbers = self._task, [self._numbers]
        if task.options.block == "loop" and any(map(task.shared.has, RELATIONS)):
            return {}  # they are among the facts
        if task.facts.has_ghosts and task.options.numeric is None:
            numbers.insert(0, "polyhedra")
        for domain in numbers:
            share = _POLYHEDRA_SHARE if domain == "polyhedra" else _RELATION_SHARE
            seconds = _RELATION_SECONDS if budget.left is None else share * budget.left
            mine = Budget.of(min(seconds, _RELATION_SECONDS))
            try:
                found = relations_of(task.facts, domain, task.statistics.solver, mine.check)
            except (ResourceExhausted, UnsupportedFeature):
                continue
            if domain in RELATIONS and task.shared.is_heard:
                heads = filter(cut_points(task.facts.flow, "loop"), found)
                task.shared.offer(domain, invariants_of(found, heads))
            return found
        return {}
