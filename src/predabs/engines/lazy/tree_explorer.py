"""Lazy abstraction [HJMS02, algorithm 2]: the abstract reachability tree, with blocks for edges.

A node is expanded by the abstract posts of its region under the exits of its block; a node from
which an error can be reached is a counterexample at once.

Soundness duty: `Safe` only if every node is marked and no error or limit can be reached from any of
them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from ...analysis.explicit_values import ExplicitFlow, plain
from ...analysis.localization import Localization, several_addresses
from ...analysis.localized_flow import LocalizedFlow
from ...analysis.memory.partition import in_scope
from ...bdd import Function, Manager
from ...encode.block_graph import root_block
from ...encode.blocks import Block, Blocks, Exit
from ...encode.encoding import Encoding
from ...encode.environment import Environment, Formulas
from ...encode.location_facts import NumericRelations
from ...errors import UnsupportedFeature
from ...ir import make
from ...ir.cfa import Edge, Location
from ...ir.configuration import Configuration, Transition, TransitionKind
from ...ir.expr import Expr, Var
from ...ir.order import location_graph, weak_order
from ...options import TimeOver
from ...predicates.post import AbstractPost
from ...predicates.precision import Precision
from ...predicates.table import PredicateTable
from ...records import dataclass, replace
from ...smt.cores import independent
from ...smt.solver import Unsat
from ...smt.solvers import create
from ...statistics import Phase
from ...verdict import Invariant, Method, Proof, Safe
from ..cut_points import cut_points
from ..engine import Clock, EngineTask
from .art import Node, ReachabilityTree, Waitlist

_BDD_MB = 512
_SECONDS = 20.0  # of one solver call
_SHORT = 0.5  # for making an invariant shorter


@dataclass(frozen=True, slots=True)
class ErrorNode:
    """A node from which its region allows an exit to an error or a limit."""

    node: Node
    bad: Exit

    def exits(self) -> list[Exit]:
        """Those on the path to it, and the last one."""
        return [n.exit for n in self.node.path()[1:] if n.exit is not None] + [self.bad]

    def edges(self) -> Iterator[Edge]:
        """Those of the blocks on the path to it."""
        for exit_ in self.exits():
            for arrivals in exit_.block.arrivals.values():
                yield from (a.transition.edge for a in arrivals if a.transition is not None)


class TreeExplorer:
    """Builds the tree; numeric `relations` are used beside the interval facts. With a
    localization, the tree is that of the localized program, maybe with `sparse` interval facts; the
    values of variables that are `followed` tell configurations apart."""

    def __init__(
        self,
        task: EngineTask,
        clock: Clock,
        encoding: Encoding,
        relations: NumericRelations,
        localization: Localization | None = None,
        followed: tuple[Var, ...] = (),
        sparse: bool = False,
    ) -> None:
        self.task = task
        self.clock = clock
        facts, options = task.facts, task.options
        self._flow, formulas = facts.flow, Formulas(facts.partition, encoding, facts.interval)
        if options.float_intervals:
            formulas.float_facts = facts.float_interval
        if followed:
            self._flow = ExplicitFlow(facts, followed)
        if localization is not None:
            self._flow = flow = LocalizedFlow(facts, localization, sparse)
            formulas = Formulas(
                facts.partition,
                encoding,
                flow.interval,
                several=several_addresses(facts),
                localization=localization,
            )
        is_cut_point = cut_points(self._flow, options.block)
        self.blocks = Blocks(
            formulas, self._flow, facts.liveness, is_cut_point, self._go_on, relations
        )
        self.manager = Manager(_BDD_MB)
        self.predicates = PredicateTable(formulas, self.manager)
        self.precision = Precision(options.predicates_at)
        name = "z3" if encoding.name == "int" else "bitwuzla"
        self.solver = create(name, task.statistics.solver)
        self.post = AbstractPost(
            self.predicates, self.blocks.location_facts.facts, self.solver, self.seconds
        )
        self._ranks: dict[str, dict[Location, int]] = {}
        waitlist = Waitlist(options.traversal, self._rank)
        self.tree = ReachabilityTree(self.manager, self._flow.entry, waitlist)
        self._root_block: Block | None = None

    def explore(self) -> Safe | ErrorNode:
        """Expand nodes until an error is met or the waitlist is empty."""
        while (node := self.tree.next()) is not None:
            try:
                bad = self._visit(node)
            except TimeOver:
                self.tree.drop_below(node)
                raise
            if bad is not None:
                return ErrorNode(node, bad)
        whole = self.blocks.formulas.localization is None
        return Safe(
            self._invariants(), Proof("lazy", Method.INVARIANTS, self.solver.name, whole=whole)
        )

    # --- the tree ---------------------------------------------------------------------------------

    def _visit(self, node: Node) -> Exit | None:
        """Expand a node, unless it is covered; or an exit to an error or a limit."""
        statistics = self.task.statistics
        self.tick()
        with statistics.phase(Phase.BDD):
            covered = self.tree.is_covered(node)
        if covered:
            self.tree.mark(node, covered=True)
            return None
        with statistics.phase(Phase.ABSTRACTION):
            block = self.block_of(node)
            bad = self._first_bad(node, block)
            if bad is None:
                self.tree.mark(node, covered=False)
                for exit_ in block.exits:
                    if exit_.target is not None:
                        self._expand(node, exit_, exit_.target)
        return bad

    def block_of(self, node: Node) -> Block:
        """The block that a node is expanded by."""
        return self.root_block if node is self.tree.root else self.blocks.at(node.configuration)

    @property
    def root_block(self) -> Block:
        """The block in which runs begin."""
        if self._root_block is None:
            self._root_block = root_block(self.blocks)
        return self._root_block

    def _first_bad(self, node: Node, block: Block) -> Exit | None:
        """An exit to an error or a limit that the region allows."""
        for kind in (TransitionKind.ERROR, TransitionKind.LIMIT):
            for exit_ in block.exits:
                if exit_.kind is kind:
                    answer = self.post.reaches(exit_, node.region)
                    if not isinstance(answer, Unsat):
                        return exit_
        return None

    def _expand(self, node: Node, exit_: Exit, target: Configuration) -> None:
        wanted = self.precision.at(target.location)
        region = self.post.image(exit_, node.region, wanted)
        if region.satisfiable():
            self.tree.add(node, exit_, region, wanted)

    def whole_path(self, path: tuple[Transition, ...]) -> tuple[Transition, ...]:
        """A path with what a localized program leaves out."""
        flow = self._flow
        return flow.whole_path(path) if isinstance(flow, LocalizedFlow) else path

    def adopt(self, other: TreeExplorer) -> None:
        """Track the predicates that another search has found, as far as they can be said here."""

        self.precision.adopt(
            other.precision, lambda theirs: self._number(other.predicates.expr(theirs))
        )

    def track(self, predicates: Iterable[tuple[Location, Expr]]) -> None:
        """Track these predicates, as far as they can be said here."""
        for location, expr in predicates:
            number = self._number(expr)
            if number is not None:
                self.precision.add(location, number)

    def tracked(self) -> tuple[tuple[Location, Expr], ...]:
        """The predicates, each with a location where it is tracked."""
        return tuple((where, self.predicates.expr(number)) for where, number in self.precision)

    def _number(self, expr: Expr) -> int | None:
        try:
            return self.predicates.number(expr)
        except UnsupportedFeature:
            return None

    # --- around -----------------------------------------------------------------------------------

    def seconds(self) -> float:
        """How long one solver call may take."""
        self.tick()
        return self.clock.at_most(_SECONDS)

    def _go_on(self) -> None:
        """Check the clock, and give a sign of life; called often."""
        self.clock.budget.check()
        self.task.progress("lazy")

    def tick(self) -> None:
        """Check the clock, and report progress."""
        counts, statistics = self.post.counts, self.task.statistics
        statistics.nodes = self.tree.made
        statistics.predicates_total = len(self.predicates)
        statistics.predicates_active = self.precision.largest
        statistics.abstractions = counts.computed + counts.cached
        statistics.abstractions_cached = counts.cached
        self._go_on()

    def _rank(self, configuration: Configuration) -> tuple[int, ...]:
        """The position of a configuration in the weak topological orders of its functions."""
        locations = [call.src for call in configuration.calls] + [configuration.location]
        return tuple(self._order(location.function)[location] for location in locations)

    def _order(self, function: str) -> dict[Location, int]:
        known = self._ranks.get(function)
        if known is None:
            body = self.task.program.functions[function]
            order = weak_order(location_graph(body), body.entry).order
            known = self._ranks[function] = {location: n for n, location in enumerate(order)}
        return known

    def _invariants(self) -> tuple[Invariant, ...]:
        found: dict[Configuration, list[Expr]] = {}
        # facts are about all storage
        formulas = replace(self.blocks.formulas, localization=None)
        for configuration, region in self.tree.invariants().items():
            expr = self.predicates.region_expr(region)
            exits = self.blocks.at(configuration).exits
            keys = [key for exit_ in exits for key in exit_.entry.values()]
            known = self._needed(
                self.blocks.location_facts.bounds(configuration, keys), region, formulas
            )
            values = self.blocks.location_facts.values(configuration)
            whole = in_scope(
                self.blocks.formulas.partition,
                make.conj((*values, *known, expr)),
                configuration.location.function,
            )
            found.setdefault(plain(configuration), []).append(whole)
        return tuple(
            Invariant(configuration.location, configuration.calls, make.disj(cases))
            for configuration, cases in found.items()
        )

    def _needed(self, known: Sequence[Expr], region: Function, formulas: Formulas) -> list[Expr]:
        """The facts at a configuration without those that follow from the others and the region;
        the invariant says no less, and is easier to read."""
        encoder = formulas.encoder(Environment(""))
        terms = {encoder.condition(expr): expr for expr in known}
        asked = self.solver.fresh()
        whole = self.predicates.region_term(region, self.predicates.term)
        for term in (whole, *formulas.facts([whole, *terms])):
            asked.add(term)
        left = self.clock.budget.left
        kept = independent(asked, list(terms), _SHORT if left is None else min(_SHORT, left / 10))
        return [terms[term] for term in kept]
