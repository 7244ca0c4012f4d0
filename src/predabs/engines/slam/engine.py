"""SLAM's loop [BR01a; BPR01; BMR05]: c2bp abstracts, bebop model checks, Newton refines.

Each round makes the Boolean program of the predicates so far (c2bp), and asks bebop for a run to an
error. If there is none, the C program has none. Else the run is a path of the C program: a feasible
one is a violation; any other is refined for. Procedures are abstracted once for all callers, so
recursion is no problem.

Soundness duty: `Safe` only if bebop's fixpoint reaches no error and no limit of the abstraction.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ...boolprog.bebop import Reached, model_from, reach
from ...boolprog.limits import CheckLimits
from ...boolprog.shortest import shortest_run
from ...boolprog.trace import Run, trace_lines
from ...c2bp.abstraction_context import AbstractionContext, abstraction_context
from ...c2bp.boolean_code import text
from ...c2bp.boolean_graphs import BooleanGraphBuilder, BooleanGraphs
from ...c2bp.graph_listing import listing
from ...c2bp.lemmas import Lemmas
from ...c2bp.program import MEANING
from ...c2bp.proof_invariants import proved_invariants, proved_summaries
from ...c2bp.store.known_pairs import KnownPairs
from ...errors import ResourceExhausted
from ...ir.call_graph import recursive_functions
from ...ir.expr import Expr
from ...ir.path import Path
from ...ir.result_variables import with_results
from ...ir.show import show_op
from ...options import Budget
from ...predicates.single_literal_cubes import SingleLiteralCubes
from ...records import replace
from ...statistics import Phase, Round
from ...verdict import Method, Proof, ProofPrecision, Safe, Verdict
from ..cegar import PathCheck, cegar, no_proof_yet
from ..concrete_runs import FirstRuns
from ..engine import Clock, EngineTask
from ..path_programs import LoopRefiner, PathPrograms
from .refinement import LONGEST, BooleanRun, BooleanStep, NewtonRefiner
from .tracked_predicates import TrackedPredicates

NAME = "slam"
_SECONDS = 10.0  # of one solver call
_BDD_MB = 1024


class SlamEngine:
    """Explores Boolean programs, and refines with Newton."""

    def __init__(self, task: EngineTask) -> None:
        program = with_results(task.program)
        if program is not task.program:
            task = replace(task, facts=task.facts.of(program))
        self._task = task
        self._clock = Clock()
        self._first = FirstRuns(program)
        here = abstraction_context(task.facts, {}, 1, self._seconds, task.statistics.solver)
        known = task.learned.precision if task.learned is not None else None
        pairs = KnownPairs({} if known is None else dict(known.pairs))
        here = replace(here, cubes=SingleLiteralCubes(here.logics, self._seconds, pairs))
        self._tracked = TrackedPredicates(here)
        self._learned: list[tuple[tuple[Expr, bool], ...]] = []  # lemmas that are to be proved
        if known is not None and task.learned is not None and task.learned.prover == NAME:
            self._tracked.learn(known.predicates)
            self._learned += known.lemmas
        lemmas = Lemmas()
        self._explorer = _BooleanExplorer(
            task, here, self._tracked, lemmas, pairs, self._clock, self._tick
        )
        self._refiner = NewtonRefiner(task, here, self._tracked, lemmas, self._clock, self._tick)
        self._loops = LoopRefiner(
            self._refiner, PathPrograms(task), lambda run: run.path.edges, self._clock
        )
        self._check = PathCheck(program, task.statistics, self._clock, _SECONDS)

    @property
    def so_far(self) -> str:
        return no_proof_yet(self._task.statistics)

    def run(self, budget: Budget) -> Verdict:
        """Continue until there is a verdict."""
        self._clock.budget = budget
        bug = self._first.bug(budget)
        while bug is None and self._learned:
            self._refiner.learn(self._learned[-1])
            self._learned.pop()
        return bug or cegar(self._explorer, self._loops, self._check, self._task.statistics)

    def _seconds(self) -> float:
        return self._clock.at_most(_SECONDS)

    def _tick(self) -> None:
        self._clock.budget.check()
        self._task.statistics.predicates_total = len(self._tracked)
        self._task.statistics.predicates_active = self._tracked.largest
        self._task.progress("slam")


class _BooleanExplorer:
    """Makes the Boolean program of the tracked predicates, and model checks it."""

    def __init__(
        self,
        task: EngineTask,
        context: AbstractionContext,
        tracked: TrackedPredicates,
        lemmas: Lemmas,
        pairs: KnownPairs,
        clock: Clock,
        tick: Callable[[], None],
    ) -> None:
        self._pairs = pairs
        self._task = task
        self._context = context
        self._tracked = tracked
        self._lemmas = lemmas
        self._clock = clock
        self._tick = tick
        self._graph_builder = BooleanGraphBuilder(context)
        self._recursive = recursive_functions(task.facts.call_graph)

    def explore(self) -> Safe | BooleanRun:
        """One round: the Boolean program, and a run of it to an error, if there is one."""
        statistics = self._task.statistics
        self._tick()
        predicates = self._tracked.predicates()
        with statistics.phase(Phase.ABSTRACTION):
            graphs = self._graph_builder.build(predicates, self._lemmas)
        self._tick()
        calls = statistics.solver.calls
        reached, run = self._model_check(graphs)
        if statistics.record is not None:
            statistics.record.boolean_program = self._listed(graphs)
        steps = () if run is None else tuple(_steps(graphs, run))
        path = Path(tuple(s.origin.edge for s in steps if s.origin.edge is not None))
        figures = Round(
            len(self._tracked),
            len(self._lemmas),
            calls,
            reached.model.manager.nodes(),
            len(path),
            (),
            *self._texts(graphs, path),
        )
        if run is not None:
            return BooleanRun(path, steps, figures)
        self._note_reached(graphs, reached)
        found = proved_invariants(self._task.program, graphs, predicates, reached)
        statistics.rounds.append(figures)
        tracked = ProofPrecision(
            self._tracked.at_entries(),
            pairs=tuple(self._pairs.used.items()),
            lemmas=tuple(map(tuple, self._lemmas)),
        )
        options = self._task.options
        wanted = options.certify or options.store is not None
        if not wanted or not self._recursive:
            proof = Proof(NAME, Method.INVARIANTS, "z3", whole=False)
            return Safe(found, proof, precision=tracked)
        names = self._recursive
        told = proved_summaries(self._task.program, names, graphs, predicates, reached)
        proof = Proof(NAME, Method.SUMMARIES, "z3", whole=False)
        return Safe(found, proof, told, precision=tracked)

    def _model_check(self, graphs: BooleanGraphs) -> tuple[Reached, Run | None]:
        limits = CheckLimits(self._clock.budget.left, _BDD_MB)
        try:
            with self._task.statistics.phase(Phase.BDD):
                return _run_to_error(graphs, limits)
        except ResourceExhausted:
            self._clock.budget.check()
            raise

    def _texts(self, graphs: BooleanGraphs, path: Path) -> tuple[str, str]:
        """The Boolean program, and the trace as a path of the C program, if they are kept."""
        if not self._task.options.keep_rounds:
            return "", ""
        lines = [f"{edge.coord}: {show_op(edge.op, self._context.naming)}\n" for edge in path.edges]
        return self._listed(graphs), "".join(lines)

    def _listed(self, graphs: BooleanGraphs) -> str:
        heading = f"round {len(self._task.statistics.rounds) + 1}: the Boolean abstraction of"
        files = " ".join(self._task.program.files)
        return text(listing(graphs, (f"{heading} {files}", MEANING), self._context.naming))

    def _note_reached(self, graphs: BooleanGraphs, reached: Reached) -> None:
        """For a report: the lines that a run of the Boolean program comes to."""
        record = self._task.statistics.record
        if record is None:
            return
        for name, graph in graphs.graphs.items():
            for node, edges in enumerate(graph.outgoing):
                if edges and reached.at((name, node)).satisfiable():
                    for edge in edges:
                        origin = graphs.origins[edge].edge
                        if origin is not None:
                            record.reach(origin.coord)


def _run_to_error(graphs: BooleanGraphs, limits: CheckLimits) -> tuple[Reached, Run | None]:
    """The reachable states, and a shortest run to an error, if there is one. The run is not
    replayed in the Boolean program: it is checked as a path of the C program."""
    model = model_from(graphs.program, graphs.graphs, graphs.root, limits)
    targets = tuple((name, graph.error) for name, graph in graphs.graphs.items())
    reached = reach(model, limits)
    if not any(reached.at(node).satisfiable() for node in targets):
        return reached, None
    return reached, shortest_run(reached, targets, limits)


def _steps(graphs: BooleanGraphs, run: Run) -> Iterator[BooleanStep]:
    """The steps of a run in order, those inside calls included; none of one that is too long."""
    if run.length > LONGEST:
        return
    for line in trace_lines(run, run.length):
        step, procedure = line.step, line.run.procedure
        if not line.back:
            before = step.before.named(graphs.program, procedure)
            after = {} if step.after is None else step.after.named(graphs.program, procedure)
            yield BooleanStep(graphs.origins[step.edge], before, after)
