"""What the lazy engine tells for a report: its rounds, and the tree and the predicates at the end.

No soundness duty: it looks at the search and changes nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import PurePath

from ...bdd import Function
from ...evidence.recording import RecordTexts
from ...ir.cfa import Edge, Location
from ...ir.configuration import Configuration, Transition
from ...proof_record import (
    FEW_NODES,
    MOST_CLAUSES,
    MOST_NODES,
    EngineRecord,
    NodeState,
    PredicatesAt,
    RefinementRound,
    Tree,
    TreeNode,
    clipped,
    shortened_path,
)
from ...records import replace
from ...refine.horn.block_clauses import Way
from ...refine.interpolators.interpolation_problem import InterpolationProblem
from .art import Node
from .tree_explorer import ErrorNode, TreeExplorer


class TreeRecorder:
    """Watches one search."""

    def __init__(self, explorer: TreeExplorer, record: EngineRecord) -> None:
        self._explorer = explorer
        self._record = record
        self._texts = RecordTexts(explorer.task.program)
        self._regions: dict[tuple[str, Function], str] = {}
        self._known: set[tuple[object, int]] = set()
        self._problem: InterpolationProblem | None = None
        self._feasible: tuple[Edge, ...] = ()
        self._round = RefinementRound("")
        self._bad: Node | None = None  # where the last counterexample leaves the tree

    # --- a round ----------------------------------------------------------------------------------

    def begin(self, found: ErrorNode) -> None:
        """An error can be reached in the tree."""
        explorer = self._explorer
        self._known = set(explorer.precision.tracked())
        self._problem, self._bad, self._feasible = None, found.node, ()
        nodes = found.node.path()
        tree = None
        if explorer.tree.made <= MOST_NODES and self._size() <= FEW_NODES:
            tree = replace(self.tree(FEW_NODES), path=tuple(node.number for node in nodes))
        kind = "an error" if found.bad.kind.value == "error" else "a limit"
        title = f"The tree allows {kind} below node {found.node.number}"
        self._round = RefinementRound(title, tree=tree)

    def watch(self, problem: InterpolationProblem, interpolator: str) -> None:
        """Predicates were found for a path."""
        self._problem = problem
        self.note(f"predicates from the interpolation strategy {interpolator}")

    def pivot(self, node: Node) -> None:
        tree = self._round.tree
        if tree is not None:
            self._round = replace(self._round, tree=replace(tree, pivot=node.number))
        self.note(f"pivot: node {node.number}; the tree below it is built again")

    def clauses(self, ways: Sequence[Way]) -> None:
        """All loops were settled together: a clause for each way between two of their heads."""
        texts = [f"{self._relation(way.source)} {self._end(way)}" for way in ways[:MOST_CLAUSES]]
        if len(ways) > MOST_CLAUSES:
            texts.append(f"... and {len(ways) - MOST_CLAUSES} more")
        self._round = replace(self._round, clauses=tuple(texts))

    def _relation(self, at: Configuration | None) -> str:
        if at is None:
            return "a run begins"
        place = self._texts.place(at)
        calls = "".join(f", called by {caller}" for caller in reversed(place.calls))
        return f"I({PurePath(place.coord.file).name}:{place.coord.line}, {place.function}{calls})"

    def _end(self, way: Way) -> str:
        step = "and the block from there" if way.source is not None else "and the first block"
        if way.target is None:
            return f"{step} to {way.kind} ==> false"
        return f"{step} ==> {self._relation(way.target)}"

    def feasible(self, transitions: Sequence[Transition]) -> None:
        """The blocks allow this path to the error."""
        self._feasible = tuple(transition.edge for transition in transitions)
        self.note("the path is feasible")

    def note(self, text: str) -> None:
        if text not in self._round.notes:
            self._round = replace(self._round, notes=(*self._round.notes, text))

    def end(self) -> None:
        """The round is over."""
        problem, steps, core = self._problem, list(self._feasible), set[int]()
        for block, part in enumerate(problem.transitions if problem is not None else ()):
            for number, transition in enumerate(part):
                assert problem is not None
                if (block, number) in problem.core:
                    core.add(len(steps))
                steps.append(transition.edge)
        path, left_out = shortened_path(self._texts.steps(steps, core))
        new = [one for one in self._explorer.precision.tracked() if one not in self._known]
        done = replace(self._round, path=path, left_out=left_out, new=self._at_scopes(new))
        self._record.add(done)

    # --- the end ----------------------------------------------------------------------------------

    def finish(self, most: int = MOST_NODES) -> None:
        """The search is over, or its time slice: what there is now is what is shown."""
        explorer, record = self._explorer, self._record
        record.tree = self.tree(most)
        record.predicates = self._at_scopes(explorer.precision.tracked())
        record.reached.clear()
        for node in explorer.tree.nodes():
            if node.stamp and not node.covered:
                for arrivals in explorer.block_of(node).arrivals.values():
                    for arrival in arrivals:
                        if arrival.transition is not None:
                            record.reach(arrival.transition.edge.coord)

    def tree(self, most: int) -> Tree:
        """The first nodes of the tree as it is now, with their parents."""
        nodes: list[TreeNode] = []
        uncovered: dict[object, list[int]] = {}
        tree, count = self._explorer.tree, 0
        for node in tree.nodes():
            if node.stamp and not node.covered and node is not tree.root:
                uncovered.setdefault(node.configuration, []).append(node.number)
        for node in tree.nodes():
            count += 1
            if len(nodes) < most:
                by = uncovered.get(node.configuration, ()) if node.covered else ()
                nodes.append(self._node(node, tuple(by)[:8]))
        return Tree(tuple(nodes), count - len(nodes))

    def _node(self, node: Node, covered_by: tuple[int, ...]) -> TreeNode:
        function = node.configuration.location.function
        predicates = self._explorer.predicates
        if node is self._bad and not node.stamp:
            state = NodeState.ERROR
        elif node.covered:
            state = NodeState.COVERED
        else:
            state = NodeState.EXPANDED if node.stamp else NodeState.OPEN
        return TreeNode(
            node.number,
            node.parent.number if node.parent is not None else 0,
            self._texts.place(node.configuration),
            self._region(function, node.region),
            state,
            tuple(self._texts.condition(function, predicates.expr(n)) for n in node.support),
            covered_by,
        )

    def _region(self, function: str, region: Function) -> str:
        known = self._regions.get((function, region))
        if known is None:
            expr = self._explorer.predicates.region_expr(region)
            known = self._regions[function, region] = clipped(self._texts.condition(function, expr))
        return known

    def _size(self) -> int:
        count = 0
        for _ in self._explorer.tree.nodes():
            count += 1
            if count > FEW_NODES:
                break
        return count

    def _at_scopes(self, tracked: Iterable[tuple[object, int]]) -> tuple[PredicatesAt, ...]:
        """Predicates by where they are tracked: at a location, in a function, or everywhere."""
        found: dict[object, list[str]] = {}
        program = self._explorer.task.program
        for scope, number in tracked:
            match scope:
                case Location():
                    function = scope.function
                case str():
                    function = scope
                case _:
                    function = program.entry
            expr = self._explorer.predicates.expr(number)
            found.setdefault(scope, []).append(self._texts.condition(function, expr))
        return tuple(self._at(scope, texts) for scope, texts in found.items())

    def _at(self, scope: object, texts: list[str]) -> PredicatesAt:
        match scope:
            case Location():
                return PredicatesAt(str(scope), self._texts.coord(scope), tuple(texts))
            case str():
                coord = self._explorer.task.program.functions[scope].coord
                return PredicatesAt(scope, coord, tuple(texts))
        return PredicatesAt("everywhere", None, tuple(texts))
