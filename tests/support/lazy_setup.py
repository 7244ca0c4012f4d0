"""The parts of the lazy engine, put together for tests, and what its tree looks like."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from predabs.analysis.control_flow import ControlFlow
from predabs.analysis.facts import ProgramFacts
from predabs.bdd import Function as Region
from predabs.bdd import Manager
from predabs.encode.blocks import Blocks, Exit
from predabs.encode.encoding import BitVectorEncoding, Encoding
from predabs.encode.environment import Environment, Formulas
from predabs.encode.integer_encoding import IntegerEncoding
from predabs.engines.cut_points import cut_points
from predabs.engines.engine import Clock, EngineTask
from predabs.engines.lazy.art import Node
from predabs.engines.lazy.engine import Search
from predabs.ir import make
from predabs.ir.cfa import Location, Program
from predabs.ir.configuration import Configuration, Transition
from predabs.ir.expr import Expr, Var
from predabs.ir.show import show_expr
from predabs.ir.types import IntType
from predabs.options import Budget, Options
from predabs.predicates.post import AbstractPost
from predabs.predicates.table import PredicateTable
from predabs.refine.refiner import PathOutcome, PathRefiner, PivotRefinement
from predabs.smt.solver import Solver, Statistics
from predabs.smt.solvers import create
from predabs.statistics import EngineStatistics
from predabs.verdict import Verdict
from support.c_programs import program_of_c
from support.counted_time import PLENTY, counted_time

MEMORY_MB = 16


class Parts:
    """What the engine is made of, for one program."""

    def __init__(
        self,
        program: Program | str,
        block: str = "loop",
        encoding: Encoding | None = None,
        is_cut_point: Callable[[Configuration], bool] | None = None,
        intervals: bool = False,
    ) -> None:
        self.program = program_of_c(program) if isinstance(program, str) else program
        facts = ProgramFacts(self.program)
        self.split, self.flow = facts.partition, facts.flow
        encoding = encoding or IntegerEncoding()
        self.formulas = Formulas(self.split, encoding, facts.interval if intervals else None)
        is_cut_point = is_cut_point or cut_points(self.flow, block)
        self.blocks = Blocks(self.formulas, self.flow, facts.liveness, is_cut_point, lambda: None)
        self.manager = Manager(MEMORY_MB)
        self.predicates = PredicateTable(self.formulas, self.manager)
        self.statistics = Statistics()
        name = "bitwuzla" if isinstance(encoding, BitVectorEncoding) else "z3"
        self.solver: Solver = create(name, self.statistics)
        self.post = AbstractPost(
            self.predicates, self.blocks.location_facts.facts, self.solver, lambda: PLENTY
        )

    def number(self, predicate: Expr) -> int:
        """The number of a predicate that is none of the trivial ones."""
        found = self.predicates.number(predicate)
        assert found is not None
        return found

    def var(self, name: str, function: str = "main") -> Var:
        return variable(self.program, name, function)

    def at(self, label: str, function: str = "main") -> Configuration:
        """The control point of a label, outside of all calls."""
        return Configuration(self.program.functions[function].labels[label], None)

    def exit(self, start: str, target: str) -> Exit:
        """The exit of the block at a label that leads to another label."""
        block = self.blocks.at(self.at(start))
        (found,) = [e for e in block.exits if e.target is self.at(target)]
        return found

    def holds(self, expr: Expr, environment: Environment | None = None) -> bool:
        """Is an expression true in all states of the storage?"""
        solver = self.solver.fresh()
        term = self.formulas.encoder(environment or Environment("")).condition(make.negate(expr))
        solver.add(self.formulas.closed(term))
        return type(solver.check()).__name__ == "Unsat"


def variable(program: Program, name: str, function: str = "main") -> Var:
    """A global, or else a variable of the function."""
    found = [item.var for item in program.globals if item.var.name == name]
    body = program.functions[function]
    found += [var for var in (*body.params, *body.locals) if var.short == name]
    return found[0]


def number(value: int, var: Var) -> Expr:
    assert isinstance(var.type, IntType)
    return make.const(value, var.type)


def equals(program: Program, name: str, value: int, function: str = "main") -> Expr:
    """The predicate `name == value`."""
    var = variable(program, name, function)
    return make.equal(var, number(value, var))


def reachable(flow: ControlFlow) -> dict[Configuration, tuple[Transition, ...]]:
    """All control points that the moves lead to."""
    found: dict[Configuration, tuple[Transition, ...]] = {}
    todo = [flow.entry]
    while todo:
        here = todo.pop()
        if here not in found:
            found[here] = flow.transitions(here)
            todo += [transition.dst for transition in found[here] if transition.dst is not None]
    return found


# --- the whole search -----------------------------------------------------------------------------


@dataclass(frozen=True)
class Refinement:
    """An abstract path to an error, and what came of it."""

    path: tuple[Configuration, ...]
    regions: tuple[Region, ...]
    outcome: PathOutcome

    @property
    def pivot(self) -> Configuration:
        assert isinstance(self.outcome, PivotRefinement)
        return self.path[self.outcome.pivot]


@dataclass
class Recorder:
    """A refiner that remembers what it was asked."""

    inner: PathRefiner
    seen: list[Refinement] = field(default_factory=list)

    def refine(self, regions: Sequence[Region], exits: Sequence[Exit]) -> PathOutcome:
        outcome = self.inner.refine(regions, exits)
        path = tuple(exit_.block.start for exit_ in exits)
        self.seen.append(Refinement(path, tuple(regions), outcome))
        return outcome


class _Unlimited(ProgramFacts):
    """Facts without intervals."""

    def interval(self, location: Location, var: Var) -> None:
        return None


class Watched:
    """A search that tells what it does."""

    def __init__(
        self,
        program: Program,
        *,
        seeds: Sequence[Expr] = (),
        encoding: Encoding | None = None,
        progress: Callable[[str], None] = lambda text: None,
        budget: float | None = None,
        intervals: bool = True,
        **options: object,
    ) -> None:
        """Without `intervals`, predicates are all that the search knows, as in [HJMS02]."""
        self.program = program
        self.statistics = EngineStatistics()
        facts = ProgramFacts(program) if intervals else _Unlimited(program)
        task = EngineTask(facts, Options(**options), self.statistics, progress)
        self.search = Search(task, Clock(Budget.of(budget)), encoding or IntegerEncoding())
        for seed in seeds:
            known = self.search.explorer.predicates.number(seed)
            assert known is not None
            for function in program.functions.values():
                for location in function.locations:
                    self.search.explorer.precision.add(location, known)
        self.recorder = Recorder(self.search.refiner.paths)
        self.search.refiner.paths = self.recorder
        self.names = location_names(program)

    def run(self) -> Verdict:
        """Search until there is a verdict, the same way on each machine."""
        with counted_time():
            return self.search.run()

    @property
    def refinements(self) -> list[Refinement]:
        """Those that found predicates."""
        return [
            found
            for found in self.recorder.seen
            if isinstance(found.outcome, PivotRefinement) and found.outcome.predicates
        ]

    def name(self, configuration: Configuration) -> str:
        return self.names[configuration.location]

    def region(self, region: Region) -> str:
        return show_expr(self.search.explorer.predicates.region_expr(region))

    def support(self, node: Node) -> set[str]:
        return {show_expr(self.search.explorer.predicates.expr(n)) for n in node.support}

    @property
    def found(self) -> list[str]:
        """All predicates, in the order in which they were found."""
        predicates = self.search.explorer.predicates
        return [show_expr(predicates.expr(n)) for n in range(len(predicates))]

    def nodes(self, name: str) -> list[Node]:
        return [
            node
            for node in self.search.explorer.tree.nodes()
            if self.name(node.configuration) == name
        ]

    def tree(self) -> list[str]:
        """A line for each node, indented by its depth."""
        return [
            f"{'  ' * (len(node.path()) - 1)}{self.name(node.configuration)}: "
            f"{self.region(node.region)}"
            f"{' (covered)' if node.covered else ''}"
            for node in self.search.explorer.tree.nodes()
        ]


def location_names(program: Program) -> dict[Location, str]:
    """Labels without their `L`; a location behind one, where a value was read, is written with a
    prime; others as they are."""
    found: dict[Location, str] = {}
    for function in program.functions.values():
        labels = {location: name.removeprefix("L") for name, location in function.labels.items()}
        for location in function.locations:
            before = [edge.src for edge in function.incoming[location]]
            name = str(location)
            if len(before) == 1 and before[0] in labels:
                name = labels[before[0]] + "'"
            found[location] = labels.get(location, name)
    return found
