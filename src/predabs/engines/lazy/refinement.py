"""The lazy engine's refinement [HJMS02]: predicates for a spurious path, from the pivot on.

`refine/refiner` goes back from the error to the pivot and finds predicates for the path from there
on; they are added at its locations, and the tree below the pivot is built again (or, with
`keep_subtree`, only the path is relabelled). When single paths do not settle it soon, the
invariants of all loops are asked for together, as a solution of Horn clauses.

Soundness duty: none of its own; whether predicates help is found out by abstraction. Nodes that are
relabelled get the abstract post of their block.
"""

from __future__ import annotations

from collections.abc import Sequence
from time import monotonic

from ...analysis.localization import Localization
from ...encode.block_graph import root_block
from ...encode.encoding import Encoding
from ...encode.environment import Formulas
from ...encode.integer_encoding import NeedsBitVectors
from ...encode.optimistic_encoding import OptimisticEncoding
from ...errors import InternalError, UnsupportedFeature
from ...ir.configuration import Transition, TransitionKind
from ...ir.path import Path
from ...obstacles import of_cut_points
from ...options import TimeOver
from ...refine import refiner
from ...refine.feasible import Infeasible
from ...refine.horn.block_clauses import BlockClauses
from ...refine.interpolators.bit_interpolants import Bits
from ...refine.interpolators.extreme_inputs import ExtremeInputs
from ...refine.interpolators.farkas import Farkas
from ...refine.interpolators.focus import FocusInterpolator
from ...refine.interpolators.interpolation_problem import Interpolator
from ...refine.interpolators.spacer_interpolants import Interpolants
from ...refine.interpolators.weakest import Weakest
from ...refine.storage_refinement import CannotLocalize, StorageRefiner
from ..cegar import Check, ErrorPath, Outcome, Refined, Stuck
from .art import Node
from .inductive_predicates import InductivePredicates
from .tree_explorer import ErrorNode, TreeExplorer
from .tree_recorder import TreeRecorder

# for one attempt to solve the clauses: first, and at most; then single paths have that long
_HORN_SECONDS = 2.0
_MOST_HORN_SECONDS = 60.0
_HORN_FIRST = 2  # the counterexample at which they are asked for first
_HORN_LOCALIZED = 4  # what is tracked changes soon, and the clauses with it


class WantsStorage(Exception):
    """More has to be tracked than the localization says; None: everything."""

    def __init__(self, localization: Localization | None) -> None:
        super().__init__()
        self.localization = localization


class WantsRelations(Exception):
    """A spurious path was met, and numeric relations were not computed yet."""


class WantsIntervals(Exception):
    """A counterexample was met, and interval facts are sparse."""


def _interpolators(encoding: Encoding) -> tuple[Interpolator, ...]:
    """The interpolation strategies, those with simple and general predicates first."""
    if encoding.name == "int":
        return (FocusInterpolator(), Farkas(), Weakest(), Interpolants(), Bits())
    return (FocusInterpolator(), Weakest(), ExtremeInputs(), Bits())


class PivotRefiner:
    """Refines a tree; without `related`, numeric relations are asked for at the first spurious
    path, and if they are `sparse`, all interval facts at the first path. Predicates that hold in
    all runs are offered to other engines if they are `inductive`."""

    def __init__(
        self,
        explorer: TreeExplorer,
        related: bool = True,
        inductive: InductivePredicates | None = None,
        sparse: bool = False,
    ) -> None:
        self._sparse = sparse
        self._explorer = explorer
        self._tree = explorer.tree
        self._related = related
        self._inductive = inductive
        self._options = explorer.task.options
        self._statistics = explorer.task.statistics
        self.paths = refiner.PathRefiner(
            explorer.blocks,
            explorer.predicates,
            explorer.post,
            explorer.precision,
            _interpolators(explorer.blocks.formulas.encoding),
            explorer.solver,
            self._statistics.solver,
            explorer.seconds,
        )
        record = self._statistics.record
        self.recorder = None if record is None else TreeRecorder(explorer, record)
        if self.recorder is not None:
            self.paths.watch = self.recorder.watch
        self._asked: list[BlockClauses] | None = None
        self._looked = 0
        self._horn_seconds = _HORN_SECONDS
        self._horn_after = 0.0

    def refine(self, counterexample: ErrorNode, check: Check) -> Outcome:
        """Exclude the path to an error."""
        if self._sparse:
            raise WantsIntervals
        if self.recorder is None:
            return self._tried(counterexample, check)
        self.recorder.begin(counterexample)
        try:
            return self._tried(counterexample, check)
        finally:
            self.recorder.end()

    def _tried(self, counterexample: ErrorNode, check: Check) -> Outcome:
        try:
            return self._refined(counterexample, check)
        except TimeOver:
            self._tree.drop_below(counterexample.node)
            raise

    def _refined(self, counterexample: ErrorNode, check: Check) -> Outcome:
        nodes, exits = counterexample.node.path(), counterexample.exits()
        if self._inductive is not None:
            encoding, tracked = self._explorer.blocks.formulas.encoding, self._explorer.tracked
            self._inductive.share(self._statistics.refinements, encoding, tracked)
        self._statistics.obstacles = of_cut_points(
            self._explorer.task.program,
            [node.configuration.location for node in nodes],
            counterexample.bad.last_edge,
        )
        if self._refine_by_horn_clauses():
            self._note("invariants of all loops together, as a solution of Horn clauses")
            return Refined()
        outcome = self.paths.refine([node.region for node in nodes], exits)
        if not self._related and not isinstance(outcome, refiner.FeasiblePath):
            self._note("the path is spurious: begin again, with numeric relations at the loops")
            raise WantsRelations
        match outcome:
            case refiner.FeasiblePath(found):
                transitions = self._explorer.whole_path(found)
                if self.recorder is not None:
                    self.recorder.feasible(transitions)
                self._localize(transitions)
                last = transitions[-1]
                path = Path(tuple(transition.edge for transition in transitions))
                return self._feasible(
                    ErrorPath(path, last.text, last.kind is TransitionKind.LIMIT), check
                )
            case refiner.NoRefinement(reason):
                return self._stuck(reason)
            case refiner.PivotRefinement(pivot, predicates):
                precision = self._explorer.precision
                new = [precision.add(configuration.location, n) for configuration, n in predicates]
                if predicates and not any(new) and not self._options.keep_subtree:
                    raise InternalError("a refinement has found only what was known")
                if self.recorder is not None:
                    self.recorder.pivot(nodes[pivot])
                self._rebuild(nodes, pivot)
        return Refined()

    def _note(self, text: str) -> None:
        if self.recorder is not None:
            self.recorder.note(text)

    def _feasible(self, error: ErrorPath, check: Check) -> Outcome:
        """The verdict of a path that the formulas of the blocks allow."""
        if error.is_limit:
            return error.unknown
        found = check(error)
        if isinstance(found, Infeasible):
            return self._stuck(f"a path to '{error.text}' is feasible only in the formulas")
        return found

    def _localize(self, path: Sequence[Transition]) -> None:
        """If a path is one of the localized program only, ask for more to be tracked."""
        formulas = self._explorer.blocks.formulas
        if formulas.localization is None:
            return
        storage = StorageRefiner(
            formulas, formulas.localization, self._statistics.solver, self._explorer.seconds
        )
        try:
            more = storage.refine(path)
        except CannotLocalize:
            raise WantsStorage(None) from None
        if more is not None:
            self._note("the path is none of the whole program: track more of its storage")
            raise WantsStorage(more)

    def _stuck(self, reason: str) -> Stuck:
        if self._explorer.blocks.formulas.localization is not None:
            raise WantsStorage(None)
        return Stuck(reason)

    def _rebuild(self, nodes: Sequence[Node], pivot: int) -> None:
        if not self._options.keep_subtree:
            self._tree.drop_below(nodes[pivot])
            return
        since = nodes[pivot].stamp
        for node in nodes[pivot + 1 :]:
            parent, exit_ = node.parent, node.exit
            assert parent is not None
            assert exit_ is not None
            wanted = self._explorer.precision.at(node.configuration.location)
            self._tree.relabel(
                node, self._explorer.post.image(exit_, parent.region, wanted), wanted
            )
        self._tree.unmark_covered_after(since)
        last = nodes[-1]
        if last.region.satisfiable():
            self._tree.unmark(last)
        else:
            self._tree.mark(last, covered=True)

    # --- all loops together: Horn clauses ---------------------------------------------------------

    def _refine_by_horn_clauses(self) -> bool:
        """When single paths do not settle it soon: ask for the invariants of all loops together,
        and begin again with their conjuncts as predicates. Were there new ones?"""
        self._looked += 1
        seconds = self._horn_seconds
        localized = self._explorer.blocks.formulas.localization is not None
        first = _HORN_LOCALIZED if localized else _HORN_FIRST
        if self._looked < first or monotonic() < self._horn_after or self._options.block != "loop":
            return False
        self._horn_seconds = min(2 * seconds, _MOST_HORN_SECONDS)
        found = self._solve_clauses(seconds)
        self._horn_after = monotonic() + seconds
        return found

    def _solve_clauses(self, seconds: float) -> bool:
        for graph in self._clause_systems():
            left = self._explorer.clock.budget.left
            if graph.hopeless:
                continue
            found = graph.find(seconds if left is None else min(seconds, left / 3))
            new = False
            for configuration, predicate in found.predicates if found is not None else ():
                try:
                    known = self._explorer.predicates.number(predicate)
                except (UnsupportedFeature, NeedsBitVectors):
                    continue
                if known is not None:
                    new |= self._explorer.precision.add(configuration.location, known)
            if new:
                if self.recorder is not None:
                    self.recorder.clauses(graph.ways)
                self._tree.drop_below(self._tree.root)
                return True
        return False

    def _clause_systems(self) -> Sequence[BlockClauses]:
        """The clauses of the blocks; before them, those of a program without overflows, if these
        differ. Spacer is good with integers only."""
        if self._asked is None:
            self._asked = []
            if self._explorer.blocks.formulas.encoding.name == "int":
                exact = BlockClauses(
                    self._explorer.blocks, self._explorer.root_block, self._statistics.solver
                )
                guess = OptimisticEncoding()
                self._asked = [self._without_overflows(guess), exact]
                if guess.assumed == 0:
                    self._asked = [exact]
        return self._asked

    def _without_overflows(self, encoding: OptimisticEncoding) -> BlockClauses:
        """The clauses with overflows left out; built at once, as far as that is quick."""
        formulas = self._explorer.blocks.formulas
        guessed = Formulas(
            formulas.partition,
            encoding,
            formulas.interval_facts,
            several=formulas.several,
            localization=formulas.localization,
        )
        blocks = self._explorer.blocks.encoded(guessed)
        graph = BlockClauses(blocks, root_block(blocks), self._statistics.solver)
        graph.build(_HORN_SECONDS)
        return graph
