"""The cells engine: proofs about arrays and heaps with distinguished cells [MG16].

The program becomes one with scalars (`analysis/cells/morphing`), in which ghosts stand for any
index and any node. Clauses about cells that are inductive together [FL01] are facts about it, and
may exclude all errors.

Soundness duty: `Safe` only if the scalar program has no error, for all values of the ghosts. It
never reports a violation: the scalar program has more runs than the program.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import Enum

from ...analysis.cells.scalar_program import scalar_program
from ...analysis.facts import ProgramFacts
from ...encode.block_graph import block_graph, root_block
from ...encode.blocks import Blocks
from ...encode.encoding import BitVectorEncoding, Encoding
from ...encode.environment import Formulas
from ...encode.integer_encoding import IntegerEncoding, NeedsBitVectors
from ...evidence.recording import RecordTexts
from ...ir import make
from ...ir.configuration import Configuration
from ...ir.expr import Expr
from ...ir.walk import variables
from ...options import Budget
from ...proof_record import PredicatesAt
from ...records import replace
from ...smt.solvers import create
from ...statistics import Phase
from ...verdict import Invariant, Method, Proof, Safe, Unknown, Verdict
from ..cut_points import cut_points
from ..engine import Clock, EngineTask
from ..proved_facts import ProvedFacts
from .candidates import Candidates
from .half_planes import distinct, pairs
from .houdini import Clause, Houdini
from .predicate_search import PredicateSearches

_SECONDS = 5.0  # of one solver call
_STAGES = 2
_MOST_EDGES = (
    4000  # of a program with cursors (which takes three times as long to make), or predicates
)
_MOST_TOLD = 24  # facts at one loop head, in a report
_MOST_CLAUSES = 2400  # with two positions, at one cut point


class _Attempt(Enum):
    """With which cells a proof is tried."""

    GHOSTS = "at ghosts"
    CURSORS = "also at indices of the program, and bags"
    SUMMED = "also any element of what is summed up"


class CellsEngine:
    """Begins with integers, and again with bit-vectors where these are not exact."""

    def __init__(self, task: EngineTask) -> None:
        self._task = task
        self._clock = Clock()
        edges = sum(len(function.edges) for function in task.program.functions.values())
        small = edges <= _MOST_EDGES
        more = task.options.cursors and small
        self._attempts = list(_Attempt) if more else [_Attempt.GHOSTS]
        self._searches = PredicateSearches() if task.options.cell_predicates and small else None
        self._encoding: Encoding = IntegerEncoding()
        self._scalar: tuple[EngineTask, Candidates] | None = None
        self._proof: _Proof | None = None
        self._reason = "no error depends directly on an array or on the heap"

    @property
    def so_far(self) -> str:
        stage = 0 if self._proof is None else self._proof.stage
        return f"no proof yet with clauses of {stage} positions"

    def run(self, budget: Budget) -> Verdict:
        """Continue until there is a verdict."""
        self._clock.budget = budget
        with self._task.statistics.phase(Phase.INDUCTION):
            while self._attempts:
                found = self._attempt(self._attempts[0])
                if found is not None:
                    return found
                if self._searches is not None and self._proof is not None:
                    self._searches.add(*self._proof.found())
                del self._attempts[0]
                self._encoding, self._scalar, self._proof = IntegerEncoding(), None, None
        found = None if self._searches is None else self._searches.run(budget)
        return Unknown(self._reason) if found is None else found

    def _attempt(self, attempt: _Attempt) -> Safe | None:
        """A proof with the cells of an attempt."""
        if self._scalar is None:
            self._scalar = self._morph(attempt)
        if self._scalar is None:
            return None
        self._reason = "what was found about cells excludes not all errors"
        while True:
            try:
                if self._proof is None:
                    plain = attempt is _Attempt.GHOSTS
                    method = Method.CELLS if plain else Method.CURSORS
                    self._proof = _Proof(*self._scalar, self._clock, self._encoding, method)
                return self._proof.run()
            except NeedsBitVectors:
                self._encoding, self._proof = BitVectorEncoding(), None

    def _morph(self, attempt: _Attempt) -> tuple[EngineTask, Candidates] | None:
        """The scalar program, and what may hold of it."""
        plain, summed = attempt is _Attempt.GHOSTS, attempt is _Attempt.SUMMED
        facts = self._task.facts.in_regions
        made = scalar_program(facts, moving=not plain, summed=summed)
        if made is None or (plain and len(self._attempts) > 1 and not made.cells.cells):
            return None  # what is known of sums alone is a part of the next attempt, too
        flags = [known.var for known in made.program.globals]
        candidates = Candidates(
            made.facts,
            made.accesses,
            made.chooser,
            made.cells,
            made.sums,
            flags,
            made.cursors,
            made.bags,
        )
        task = replace(self._task, facts=ProgramFacts(made.program), shared=ProvedFacts())
        return task, candidates


class _Proof:
    """Induction in one encoding. When time is over, all is kept: what was dropped was wrong."""

    def __init__(
        self,
        task: EngineTask,
        candidates: Candidates,
        clock: Clock,
        encoding: Encoding,
        method: Method,
    ) -> None:
        self._method = method
        self._task = task
        self._clock = clock
        self._candidates = candidates
        facts = task.facts
        formulas = Formulas(facts.partition, encoding, facts.interval)
        is_cut_point = cut_points(facts.flow, "loop")
        self._blocks = Blocks(formulas, facts.flow, facts.liveness, is_cut_point, self._tick)
        self._graph = block_graph(self._blocks, root_block(self._blocks), self._tick)
        self._solver_name = "z3" if encoding.name == "int" else "bitwuzla"
        solver = create(self._solver_name, task.statistics.solver)
        self._houdini = Houdini(
            formulas,
            self._graph,
            self._blocks.location_facts,
            solver,
            self._seconds,
            candidates.instances.of,
        )
        self.stage = 0

    def run(self) -> Safe | None:
        """A proof, or None if the candidates are not enough."""
        while True:
            if self.stage:
                self._houdini.run()
                found = self._proved()
                if found is not None or self.stage == _STAGES:
                    return found
            for stage in range(1, self.stage + 2):  # what was dropped may hold with longer ones
                here = {c: list(self._clauses(c, stage)) for c in self._graph.blocks}
                self._houdini.add(here)
            self.stage += 1

    def found(self) -> tuple[EngineTask, Iterable[tuple[Configuration, Iterable[Clause]]], Method]:
        """The scalar program, all that was found to hold, and how."""
        return self._task, self._houdini.at.items(), self._method

    def facts(self) -> Iterator[Invariant]:
        """All that was found to hold."""
        for configuration, exprs in self._houdini.at.items():
            for clause in exprs:
                yield Invariant(configuration.location, configuration.calls, make.disj(clause))

    def _proved(self) -> Safe | None:
        """Are all errors excluded?"""
        used: dict[Configuration, dict[Clause, None]] = {}
        for bad in self._graph.bad():
            found = self._houdini.excludes(bad)
            if found is None:
                return None
            told = [clause for clause in found if not self._candidates.is_definition(clause)]
            used.setdefault(bad.block.start, {}).update(dict.fromkeys(told))
        count = sum(1 for _ in self.facts())
        self._task.statistics.tried.append(f"cells: proved with {count} facts about cells")
        self._tell()
        return Safe(
            tuple(
                Invariant(c.location, c.calls, make.conj(map(make.disj, clauses)))
                for c, clauses in used.items()
                if clauses and c in self._houdini.at
            ),
            Proof("cells", self._method, self._solver_name, whole=False),
            tuple(self._needed()) if self._task.options.certify else (),
        )

    def _needed(self) -> Iterator[Invariant]:
        """Clauses that exclude all errors and are inductive without the others, for a
        certificate."""
        for configuration, clauses in self._houdini.needed(self._graph.bad()).items():
            expr = make.conj(map(make.disj, clauses))
            yield Invariant(configuration.location, configuration.calls, expr)

    def _tell(self) -> None:
        """For a report: the facts at the loop heads that the proof needs."""
        record = self._task.statistics.record
        if record is None:
            return
        texts = RecordTexts(self._task.program)
        found = []
        for configuration, clauses in self._houdini.needed(self._graph.bad()).items():
            place = texts.place(configuration)
            told = [clause for clause in clauses if not self._candidates.is_definition(clause)]
            shown = {texts.condition(place.function, make.disj(clause)) for clause in told}
            lines = sorted(shown, key=lambda text: (len(text), text))
            more = [f"... and {len(lines) - _MOST_TOLD} more"] if len(lines) > _MOST_TOLD else []
            if lines:
                where = str(configuration.location)
                found.append(PredicatesAt(where, place.coord, (*lines[:_MOST_TOLD], *more)))
        record.predicates = tuple(found)
        record.facts.append(
            "k stands for any index and node for any node of the heap: what is said of them holds"
            " for all"
        )
        for block in (self._graph.root, *self._graph.blocks.values()):
            for arrivals in block.arrivals.values():
                for arrival in arrivals:
                    if arrival.transition is not None:
                        record.reach(arrival.transition.edge.coord)

    def _clauses(self, here: Configuration, stage: int) -> Iterator[Clause]:
        """The candidates of a stage: clauses with one position, then with two."""
        values = [v for v in self._candidates.values if self._is_known(here, v)]
        positions = distinct(p for p in self._candidates.positions if self._is_known(here, p))
        if stage == 1:
            alone = [a for a in self._candidates.alone if self._is_known(here, a)]
            yield from ((literal,) for literal in (*alone, *values, *positions))
            for value in values:
                for position in positions:
                    yield value, position
            return
        count = 0
        for one, other in pairs(positions):
            if count + len(values) > _MOST_CLAUSES:
                return
            count += len(values)
            yield from ((value, one, other) for value in values)

    def _is_known(self, here: Configuration, e: Expr) -> bool:
        """Are there such variables at a configuration?"""
        return not any(self._blocks.is_dead(here, var) for var in variables(e))

    def _seconds(self) -> float:
        return self._clock.at_most(_SECONDS)

    def _tick(self) -> None:
        self._clock.budget.check()
        self._task.progress("cells")
