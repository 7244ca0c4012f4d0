"""SLAM's loop [BR01a; BPR01; BMR05]: abstract to Boolean programs, check them, learn from traces.

Each round makes the Boolean program of the predicates so far (c2bp), and asks bebop for a run to an
error. If there is none, the C program has none. Else the run is a path of the C program: one that a
run follows is a violation; of any other, Newton tells new predicates, and where those are known
already, the steps that no step of the C program matches are excluded one by one. Procedures are
abstracted once for all callers, so recursion is no matter.

Soundness duty: `Safe` only if bebop's fixpoint reaches no error and nothing that the abstraction
does not know; `Unsafe` only with inputs for a path that the exact semantics allows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from time import monotonic

from ..analysis.liveness import liveness
from ..boolprog.bebop import Reached, model_from, reach
from ..boolprog.limits import Limits
from ..boolprog.shortest import shortest_run
from ..boolprog.trace import Run, lines
from ..c2bp.code import text
from ..c2bp.context import context
from ..c2bp.flat import Flat, Flattener, Origin
from ..c2bp.invariants import proved_invariants
from ..c2bp.lemmas import Lemmas
from ..c2bp.listing import listing
from ..c2bp.program import MEANING
from ..c2bp.returns import with_results
from ..errors import ResourceExhausted, UnsupportedFeature
from ..ir.callgraph import recursive_functions
from ..ir.cfa import Program
from ..ir.expr import Expr
from ..ir.ops import Error
from ..ir.path import Path
from ..ir.show import show_op
from ..logic.encode_int import Integers, NeedsBitVectors
from ..logic.encode_optimistic import Optimistic
from ..logic.environment import Formulas
from ..logic.limits import limits_of
from ..options import Budget, Options
from ..predicates.contradiction import Contradictions
from ..predicates.pairs import Pairs
from ..refine.feasible import Feasible, Infeasible, check_path
from ..refine.newton import Found, Newton
from ..refine.spread import Spread
from ..refine.summaries import Summaries
from ..statistics import EngineStatistics, Phase, Round
from ..verdict import Safe, Unknown, Unsafe, Verdict
from .sample import first_runs
from .tracked import Tracked

_SECONDS = 10.0  # of one question to a solver
_BDD_MB = 1024
_FEW_ROUNDS, _MANY_ROUNDS = 1, 10  # before the first question about all procedures
_FIRST_SECONDS, _MOST_SECONDS = 1.0, 30.0  # of such a question
_LONGEST = 50_000  # steps of a run that is looked at


def check(
    program: Program,
    options: Options,
    budget: Budget,
    statistics: EngineStatistics,
    progress: Callable[[str], None] | None = None,
) -> Verdict:
    """Decide the program."""
    return SlamSearch(program, options, statistics, progress or (lambda text: None)).run(budget)


@dataclass(frozen=True, slots=True)
class _Taken:
    """A step of a run of the Boolean program, and the values around it."""

    origin: Origin
    before: dict[str, bool]
    after: dict[str, bool]


class SlamSearch:
    """A check that can be gone on with after `TimeOver`."""

    def __init__(
        self,
        program: Program,
        options: Options,
        statistics: EngineStatistics,
        progress: Callable[[str], None],
    ) -> None:
        self._program = with_results(program)
        self._keep = options.keep_rounds
        self._statistics = statistics
        self._progress = progress
        self._budget = Budget()
        here = context(self._program, {}, 1, self._seconds, statistics.solver)
        here = replace(here, cubes=Pairs(here.logics, self._seconds))
        self._context = here
        self._flattener = Flattener(here, self._program)
        self._newton = Newton(self._program, here.effects, here.aliasing)
        self._spread = Spread(self._program, here.effects, here.aliasing)
        self._contradictions = Contradictions(here.logics, self._seconds)
        self._tracked = Tracked(here)
        self._lemmas = Lemmas()
        self._sampled = False
        # Single paths are enough for most programs, but seldom for recursive ones.
        self._patience = (
            _FEW_ROUNDS if recursive_functions(self._flattener.called) else _MANY_ROUNDS
        )
        self._asked: list[Summaries] | None = None
        self._asked_seconds = _FIRST_SECONDS
        self._asked_after = 0.0
        self._enough = False  # were predicates found that should do?

    def run(self, budget: Budget) -> Verdict:
        """Go on until there is a verdict."""
        self._budget = budget
        if not self._sampled:
            self._sampled = True
            bug = first_runs(self._program, budget)
            if bug is not None:
                return bug
        while True:
            verdict = self._round()
            if verdict is not None:
                return verdict

    # --- a round ----------------------------------------------------------------------------------

    def _round(self) -> Verdict | None:
        statistics = self._statistics
        self._tick()
        predicates = self._tracked.predicates()
        with statistics.phase(Phase.ABSTRACTION):
            flat = self._flattener.flat(predicates, self._lemmas)
        self._tick()
        limits = Limits(self._budget.left, _BDD_MB)
        known, lemmas, calls = len(self._tracked), len(self._lemmas), statistics.solver.calls
        try:
            with statistics.phase(Phase.BDD):
                reached, run = _run_to_error(flat, limits)
                nodes = reached.model.manager.nodes()
        except ResourceExhausted:
            self._budget.check()
            raise
        steps = [] if run is None else list(_steps(flat, run))
        path = Path(tuple(s.origin.edge for s in steps if s.origin.edge is not None))
        if run is None:
            found = proved_invariants(self._program, flat, predicates, reached)
            verdict: Verdict | None = Safe(found)
        else:
            with statistics.phase(Phase.REFINEMENT):
                verdict = self._refine(path, steps)
        kept = self._texts(flat, path) if self._keep else ("", "")
        new = self._tracked.since(known)
        statistics.rounds.append(Round(known, lemmas, calls, nodes, len(path), new, *kept))
        return verdict

    def _texts(self, flat: Flat, path: Path) -> tuple[str, str]:
        """The Boolean program, and the trace as a path of the C program."""
        naming = self._context.naming
        heading = f"round {len(self._statistics.rounds) + 1}: the Boolean abstraction of"
        files = " ".join(self._program.files)
        program = listing(flat, (f"{heading} {files}", MEANING), naming)
        lines = [f"{edge.coord}: {show_op(edge.op, naming)}\n" for edge in path.edges]
        return text(program), "".join(lines)

    def _refine(self, path: Path, steps: list[_Taken]) -> Verdict | None:
        self._statistics.refinements += 1
        if not path.edges:
            return Unknown(f"a run of the Boolean program has more than {_LONGEST} steps")
        found = check_path(self._program, path, self._statistics.solver, self._seconds())
        last = path.edges[-1]
        match found:
            case Feasible(inputs):
                if steps[-1].origin.lost:
                    return Unknown(f"{last.coord}: a pointer may call a function nobody knows")
                return Unsafe(Path(()), inputs, last.op.text if isinstance(last.op, Error) else "")
            case Infeasible(core):
                return self._more(path, core, steps)
        self._budget.check()
        return Unknown(found.reason)

    def _more(self, path: Path, core: tuple[int, ...], steps: list[_Taken]) -> Verdict | None:
        """Predicates from the path, or else lemmas from the steps; and from time to time predicates
        for all procedures together."""
        if self._enough and self._excluded(steps):
            return None
        found = self._newton.predicates(path, core)
        if len(self._statistics.rounds) >= self._patience and monotonic() >= self._asked_after:
            found = self._whole_proof() or found
        if self._add(found) or self._excluded(steps):
            return None
        while any(not summaries.hopeless for summaries in self._summaries()):
            self._budget.check()
            if self._add(self._whole_proof()):
                return None
        last = path.edges[-1]
        return Unknown(
            f"{last.coord}: a spurious path has {len(path)} edges, and no new predicate excludes it"
        )

    def _add(self, found: list[Found]) -> bool:
        """Track predicates; are there new ones?"""
        new = [self._tracked.add(one) for one in found]
        return any(new)

    def _whole_proof(self) -> list[Found]:
        """Ask for summaries of all procedures and invariants of all loops."""
        seconds = self._asked_seconds
        self._asked_seconds = min(2 * seconds, _MOST_SECONDS)
        found: list[Found] = []
        for summaries in self._summaries():
            left = self._budget.left
            if summaries.hopeless or found:
                continue
            try:
                points = summaries.find(seconds if left is None else min(seconds, left / 3))
            except (UnsupportedFeature, NeedsBitVectors):
                summaries.hopeless = True
                continue
            found = self._spread.around(points or ())
        self._asked_after = monotonic() + seconds
        self._enough = self._enough or bool(found)
        return found

    def _summaries(self) -> list[Summaries]:
        """The clauses of the program; before them those of one without overflows, if these are
        others."""
        if self._asked is None:
            program, split = self._program, self._context.partition
            live = liveness(program, self._context.effects)
            limits = limits_of(split, self._context.effects, live)
            self._asked = [
                Summaries(
                    program,
                    split.points_to,
                    Formulas(split, encoding, limits, self._context.names),
                    live,
                    self._statistics.solver,
                    self._tick,
                )
                for encoding in (Optimistic(), Integers())
            ]
        return self._asked

    def _excluded(self, steps: list[_Taken]) -> bool:
        """Find steps that no step of the C program matches."""
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

    # --- around -----------------------------------------------------------------------------------

    def _seconds(self) -> float:
        self._budget.check()
        left = self._budget.left
        return _SECONDS if left is None else max(0.05, min(_SECONDS, left))

    def _tick(self) -> None:
        self._budget.check()
        self._statistics.predicates_total = len(self._tracked)
        self._statistics.predicates_active = self._tracked.largest
        self._progress("slam")


def _run_to_error(flat: Flat, limits: Limits) -> tuple[Reached, Run | None]:
    """All that is reached, and a shortest run to an error, if there is one.

    It is not replayed as a run of the Boolean program: it is looked at as a path of the C program,
    which is what counts.
    """
    model = model_from(flat.program, flat.graphs, flat.root, limits)
    targets = tuple((name, graph.error) for name, graph in flat.graphs.items())
    reached = reach(model, limits)
    if not any(reached.at(node).satisfiable() for node in targets):
        return reached, None
    return reached, shortest_run(reached, targets, limits)


def _steps(flat: Flat, run: Run) -> Iterator[_Taken]:
    """The steps of a run in order, those inside calls included; none of one that is too long."""
    if run.length > _LONGEST:
        return
    for line in lines(run, run.length):
        step, procedure = line.step, line.run.procedure
        if not line.back:
            before = step.before.named(flat.program, procedure)
            after = {} if step.after is None else step.after.named(flat.program, procedure)
            yield _Taken(flat.origins[step.edge], before, after)
