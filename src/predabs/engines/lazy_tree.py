"""Lazy abstraction [HJMS02]: a tree of abstract states, refined where a spurious path needs it.

Algorithm 2 there, with blocks for edges: a node is expanded by the images of its region under the
exits of its block; a block that leads to an error is looked at at once. If no run follows the path,
the predicates that exclude it are added at its control points, and what lies below the pivot is
built again (or, with `keep_subtree`, only the path is relabelled).

Soundness duty: `Safe` only if every node is marked and no error or limit can be reached from any of
them; `Unsafe` only with inputs for a path that the exact semantics allows.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from time import monotonic

from ..bdd import Function, Manager
from ..errors import InternalError, UnsupportedFeature
from ..ir import make
from ..ir.cfa import Location, Program
from ..ir.expr import Expr
from ..ir.order import location_graph, weak_order
from ..ir.path import Path
from ..ir.stack import Config, Kind
from ..logic.blocks import Block, Blocks, Exit
from ..logic.core import independent
from ..logic.encode_int import NeedsBitVectors
from ..logic.encode_optimistic import Optimistic
from ..logic.encoding import Encoding
from ..logic.environment import Environment, Formulas
from ..logic.factory import create
from ..logic.initial import initial
from ..logic.known import Relations
from ..logic.solver import Unsat
from ..options import Budget, Options, TimeOver
from ..predicates.post import Post
from ..predicates.precision import Precision
from ..predicates.table import Predicates
from ..refine.bits import Bits
from ..refine.farkas import Farkas
from ..refine.feasible import Feasible, Infeasible, check_path
from ..refine.focus import Focus
from ..refine.graph import Graph
from ..refine.problem import Producer
from ..refine.spacer import Interpolants
from ..refine.spurious import Real, Refined, Refiner, Stuck
from ..refine.weakest import Weakest
from ..statistics import EngineStatistics, Phase
from ..verdict import Invariant, Safe, Unknown, Unsafe, Verdict
from .art import Node, Tree, Waiting
from .groundwork import Groundwork, groundwork

_BDD_MB = 512
_SECONDS = 20.0  # of one question to a solver
_SHORT = 0.5  # for making an invariant shorter
# for how long the whole graph is asked about: first, and at most; then single paths have that long
_GRAPH_SECONDS = 2.0
_MOST_GRAPH_SECONDS = 60.0


class WantsRelations(Exception):
    """A spurious path was met, and how numbers are related is not known yet."""


def _producers(encoding: Encoding) -> tuple[Producer, ...]:
    """Who is asked for predicates, the simple and general ones first."""
    if encoding.name == "int":
        return (Focus(), Farkas(), Weakest(), Interpolants(), Bits())
    return (Focus(), Weakest(), Bits())


class Search:
    """One run of the algorithm."""

    def __init__(
        self,
        program: Program,
        options: Options,
        budget: Budget,
        statistics: EngineStatistics,
        progress: Callable[[str], None],
        encoding: Encoding,
        known: Groundwork | None = None,
        relations: Relations | None = None,
        related: bool = True,
    ) -> None:
        self._program = program
        self._options = options
        self._budget = budget
        self._statistics = statistics
        self._progress = progress
        known = known or groundwork(program, options.block)
        self._flow = known.flow
        formulas = Formulas(known.partition, encoding, known.limits)
        self.blocks = Blocks(
            formulas, self._flow, known.live, known.is_cut, self._tick, relations or {}
        )
        self._related = related  # False: to be asked for when there is a spurious path
        self.manager = Manager(_BDD_MB)
        self.predicates = Predicates(formulas, self.manager)
        self.precision = Precision(options.predicates_at)
        name = "z3" if encoding.name == "int" else "bitwuzla"
        self.solver = solver = create(name, statistics.solver)
        self.post = Post(self.predicates, self.blocks.known.facts, solver, self._seconds)
        self.refiner = Refiner(
            self.blocks,
            self.predicates,
            self.post,
            self.precision,
            _producers(encoding),
            solver,
            statistics.solver,
            self._seconds,
        )
        self._ranks: dict[str, dict[Location, int]] = {}
        waiting = Waiting(options.traversal, self._rank)
        self.tree = Tree(self.manager, self._flow.start, waiting)
        self._root_block: Block | None = None
        self._asked: list[Graph] | None = None
        self._looked = 0
        self._graph_seconds = _GRAPH_SECONDS
        self._graph_after = 0.0

    def run(self, budget: Budget | None = None) -> Verdict:
        """Go on until there is a verdict; after `TimeOver` again, with a new budget."""
        self._budget = budget or self._budget
        with self.manager.bounded():
            while (node := self.tree.next()) is not None:
                try:
                    verdict = self._visit(node)
                except TimeOver:
                    self.tree.drop_below(node)
                    raise
                if verdict is not None:
                    return verdict
            return Safe(self._invariants())

    # --- the tree ---------------------------------------------------------------------------------

    def _visit(self, node: Node) -> Verdict | None:
        self._tick()
        with self._statistics.phase(Phase.BDD):
            covered = self.tree.is_covered(node)
        if covered:
            self.tree.mark(node, covered=True)
            return None
        with self._statistics.phase(Phase.ABSTRACTION):
            block = self._block(node)
            bad = self._first_bad(node, block)
            if bad is None:
                self.tree.mark(node, covered=False)
                for exit_ in block.exits:
                    if exit_.target is not None:
                        self._expand(node, exit_, exit_.target)
        if bad is None:
            return None
        with self._statistics.phase(Phase.REFINEMENT):
            return self._refine(node, bad)

    def _block(self, node: Node) -> Block:
        if node is not self.tree.root:
            return self.blocks.at(node.config)
        if self._root_block is None:
            self._root_block = self._root(self.blocks)
        return self._root_block

    def _root(self, blocks: Blocks) -> Block:
        """How a run begins; if it can come back to the start, that is a point like any other."""
        start, storage = self._flow.start, initial(blocks.formulas)[0]
        if self._program.functions[self._program.entry].incoming[start.location]:
            return blocks.entering(start, storage)
        return blocks.make(start, storage)

    def _first_bad(self, node: Node, block: Block) -> Exit | None:
        """An exit to an error or a limit that the region allows."""
        for kind in (Kind.ERROR, Kind.LIMIT):
            for exit_ in block.exits:
                if exit_.kind is kind:
                    answer = self.post.reaches(exit_, node.region)
                    if not isinstance(answer, Unsat):
                        return exit_
        return None

    def _expand(self, node: Node, exit_: Exit, target: Config) -> None:
        wanted = self.precision.at(target.location)
        region = self.post.image(exit_, node.region, wanted)
        if region.satisfiable():
            self.tree.add(node, exit_, region, wanted)

    # --- refinement -------------------------------------------------------------------------------

    def _refine(self, node: Node, bad: Exit) -> Verdict | None:
        nodes = node.path()
        exits = [n.exit for n in nodes[1:] if n.exit is not None] + [bad]
        self._statistics.refinements += 1
        if self._whole_proof():
            return None
        outcome = self.refiner.look([n.region for n in nodes], exits)
        if not self._related and not isinstance(outcome, Real):
            raise WantsRelations
        match outcome:
            case Real(moves):
                last = moves[-1]
                if last.kind is Kind.LIMIT:
                    return Unknown(f"{last.edge.coord}: {last.text} can be reached")
                return self._real(Path(tuple(move.edge for move in moves)), last.text)
            case Stuck(reason):
                return Unknown(reason)
            case Refined(pivot, predicates):
                new = [self.precision.add(config.location, n) for config, n in predicates]
                if predicates and not any(new) and not self._options.keep_subtree:
                    raise InternalError("a refinement has found only what was known")
                self._rebuild(nodes, pivot)
        return None

    def _whole_proof(self) -> bool:
        """When single paths do not settle it soon: ask for the invariants of all loops together,
        and begin again with their conjuncts as predicates; whether there are new ones."""
        self._looked += 1
        seconds = self._graph_seconds
        if self._looked < 2 or monotonic() < self._graph_after or self._options.block != "loop":
            return False
        self._graph_seconds = min(2 * seconds, _MOST_GRAPH_SECONDS)
        found = self._ask_graphs(seconds)
        self._graph_after = monotonic() + seconds
        return found

    def _ask_graphs(self, seconds: float) -> bool:
        for graph in self._graphs():
            left = self._budget.left
            if graph.hopeless:
                continue
            found = graph.find(seconds if left is None else min(seconds, left / 3))
            new = False
            for config, predicate in found.predicates if found is not None else ():
                try:
                    known = self.predicates.number(predicate)
                except (UnsupportedFeature, NeedsBitVectors):
                    continue
                if known is not None:
                    new |= self.precision.add(config.location, known)
            if new:
                self.tree.drop_below(self.tree.root)
                return True
        return False

    def _graphs(self) -> Sequence[Graph]:
        """The graph of the blocks; before it, the one that a program without overflows would have,
        if that is another one. Spacer is good with integers only."""
        if self._asked is None:
            assert self._root_block is not None
            self._asked = []
            if self.blocks.formulas.encoding.name == "int":
                exact = Graph(self.blocks, self._root_block, self._statistics.solver)
                guess = Optimistic()
                self._asked = [self._guess(guess), exact]
                if guess.assumed == 0:
                    self._asked = [exact]
        return self._asked

    def _guess(self, encoding: Optimistic) -> Graph:
        """The graph with overflows left out; built at once, as far as that is quick."""
        formulas = self.blocks.formulas
        guessed = Formulas(formulas.partition, encoding, formulas.limits)
        blocks = self.blocks.encoded(guessed)
        graph = Graph(blocks, self._root(blocks), self._statistics.solver)
        graph.build(_GRAPH_SECONDS)
        return graph

    def _real(self, path: Path, text: str) -> Verdict:
        left = self._budget.left
        found = check_path(self._program, path, self._statistics.solver, left)
        match found:
            case Feasible(inputs):
                return Unsafe(path, inputs, text)
            case Infeasible():
                return Unknown(f"a path to '{text}' is feasible only in the formulas")
        return Unknown(found.reason)

    def _rebuild(self, nodes: Sequence[Node], pivot: int) -> None:
        if not self._options.keep_subtree:
            self.tree.drop_below(nodes[pivot])
            return
        since = nodes[pivot].stamp
        for node in nodes[pivot + 1 :]:
            parent, exit_ = node.parent, node.exit
            assert parent is not None
            assert exit_ is not None
            wanted = self.precision.at(node.config.location)
            self.tree.relabel(node, self.post.image(exit_, parent.region, wanted), wanted)
        self.tree.unmark_covered_after(since)
        last = nodes[-1]
        if last.region.satisfiable():
            self.tree.unmark(last)
        else:
            self.tree.mark(last, covered=True)

    # --- around -----------------------------------------------------------------------------------

    def _seconds(self) -> float:
        """How long one question to a solver may take."""
        self._tick()
        left = self._budget.left
        return _SECONDS if left is None else max(0.05, min(_SECONDS, left))

    def _tick(self) -> None:
        self._budget.check()
        counts, statistics = self.post.counts, self._statistics
        statistics.nodes = self.tree.made
        statistics.predicates_total = len(self.predicates)
        statistics.predicates_active = self.precision.largest
        statistics.abstractions = counts.computed + counts.cached
        statistics.abstractions_cached = counts.cached
        self._progress("lazy")

    def _rank(self, config: Config) -> tuple[int, ...]:
        """Where a control point stands: after all that leads to it, save for loops."""
        places = [call.src for call in config.calls] + [config.location]
        return tuple(self._order(place.function)[place] for place in places)

    def _order(self, function: str) -> dict[Location, int]:
        known = self._ranks.get(function)
        if known is None:
            body = self._program.functions[function]
            order = weak_order(location_graph(body), body.entry).order
            known = self._ranks[function] = {place: n for n, place in enumerate(order)}
        return known

    def _invariants(self) -> tuple[Invariant, ...]:
        found = []
        for config, region in self.tree.invariants().items():
            expr = self.predicates.region_expr(region)
            exits = self.blocks.at(config).exits
            keys = [key for exit_ in exits for key in exit_.entry.values()]
            known = self._needed(self.blocks.known.bounds(config, keys), region)
            whole = make.conj((*known, expr))
            found.append(Invariant(config.location, config.calls, whole))
        return tuple(found)

    def _needed(self, known: Sequence[Expr], region: Function) -> list[Expr]:
        """What is known at a control point without what follows from the rest of it and the region;
        the invariant says no less, and is easier to read."""
        encoder = self.blocks.formulas.encoder(Environment(""))
        terms = {encoder.condition(expr): expr for expr in known}
        asked = self.solver.fresh()
        whole = self.predicates.region_term(region, self.predicates.term)
        for term in (whole, *self.blocks.formulas.facts([whole, *terms])):
            asked.add(term)
        left = self._budget.left
        kept = independent(asked, list(terms), _SHORT if left is None else min(_SHORT, left / 10))
        return [terms[term] for term in kept]
