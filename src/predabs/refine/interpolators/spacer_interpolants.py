"""Blocks as Horn clauses for Spacer [KGC14], and predicates for one path out of what it finds.

Cut points become relations over the storage that matters there, exits of blocks clauses between
them, errors and limits queries. For a single path the solution is a sequence of interpolants
[HJMM04]: each follows from the one before it and the block between them.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from time import monotonic
from typing import Generic, TypeVar

from ...encode.block_graph import block_graph
from ...encode.blocks import Block, Blocks, Exit
from ...encode.environment import Environment, Formulas, Key
from ...encode.integer_encoding import NeedsBitVectors
from ...errors import ResourceExhausted, UnsupportedFeature
from ...ir.configuration import Configuration
from ...ir.expr import Expr
from ...records import dataclass
from ...smt import build
from ...smt.horn import HornClause, HornRelation, Solution, Solved, solve
from ...smt.solver import Statistics
from ...smt.term import TRUE, Symbol, Term, postorder, symbols
from .interpolation_problem import FoundPredicates, InterpolationProblem
from .phrase import atoms, phrase

MOST_TERMS = 300_000

Point = TypeVar("Point", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Link(Generic[Point]):
    """An exit between two points (None: where all begins, or what must not happen), and what is
    known before it besides."""

    source: Point | None
    exit: Exit
    target: Point | None
    known: Term = TRUE


class System(Generic[Point]):
    """The rules of links: one relation for each point, over the storage there on which it depends
    whether something happens that must not."""

    def __init__(self, formulas: Formulas, links: Sequence[Link[Point]]) -> None:
        self._formulas = formulas
        self._keys: dict[Point, list[Key | None]] = {}
        self.relations: dict[Point, HornRelation] = {}
        for point, keys in _needed(links).items():
            arguments = {key: _symbol(formulas, key) for key in keys}
            self._keys[point] = sorted(keys, key=lambda key: arguments[key].name)
            ordered = tuple(arguments[key] for key in self._keys[point])
            self.relations[point] = HornRelation(str(point), ordered)
        self.rules = [self._rule(link) for link in links]

    def _rule(self, link: Link[Point]) -> HornClause:
        formulas, environment = self._formulas, link.exit.environment
        source = None if link.source is None else self.relations[link.source]
        target = None if link.target is None else self.relations[link.target]
        keys = () if link.target is None else self._keys[link.target]
        outputs = tuple(_value(formulas, environment, key) for key in keys)
        facts = formulas.facts([link.known, *outputs])
        return HornClause(
            source, build.and_(link.known, link.exit.formula, *facts), target, outputs
        )

    def solve(self, statistics: Statistics, seconds: float) -> Solution | None:
        """Conditions for the relations; None if there is too much to ask about."""
        if sum(1 for _ in postorder(rule.condition for rule in self.rules)) > MOST_TERMS:
            return None
        return solve(self.rules, statistics, seconds)


def _value(formulas: Formulas, environment: Environment, key: Key | None) -> Term:
    found = formulas.heap_end(environment) if key is None else formulas.get(environment, key)
    return found.term


def _symbol(formulas: Formulas, key: Key | None) -> Symbol:
    """What the storage holds at the start of a block."""
    term = _value(formulas, Environment(""), key)
    assert isinstance(term, Symbol)
    return term


def _needed(links: Sequence[Link[Point]]) -> dict[Point, set[Key | None]]:
    """For each point, the storage that the conditions from there on speak of."""
    found: dict[Point, set[Key | None]] = {}
    into: dict[Point, list[tuple[Point | None, Exit]]] = {}
    for link in links:
        if link.source is not None:
            entry = link.exit.entry
            keys = {entry[s] for s in symbols([link.exit.formula]) if s in entry}
            found.setdefault(link.source, set()).update(keys)
        if link.target is not None:
            found.setdefault(link.target, set())
            into.setdefault(link.target, []).append((link.source, link.exit))
    todo = [(point, key) for point, keys in found.items() for key in keys]
    while todo:
        point, key = todo.pop()
        for source, exit_ in into.get(point, ()):
            if source is None:
                continue
            for read in _read(exit_, key):
                if read not in found[source]:
                    found[source].add(read)
                    todo.append((source, read))
    return found


def _read(exit_: Exit, key: Key | None) -> Iterable[Key | None]:
    """The storage before an exit on which that after it depends."""
    environment = exit_.environment
    end = environment.heap if key is None else environment.changed.get(key)
    if end is None:
        return (key,)
    return [exit_.entry[symbol] for symbol in symbols([end.term]) if symbol in exit_.entry]


def reachable(blocks: Blocks, root: Block, deadline: float) -> dict[Configuration, Block] | None:
    """The blocks of all points of abstraction that control can get to from the root; None if they
    are too many, or some storage has no term."""
    try:
        return block_graph(blocks, root, lambda: _look(deadline)).blocks
    except (NeedsBitVectors, UnsupportedFeature):
        return None
    except ResourceExhausted:
        blocks.tick()  # which raises again if it was not one block that is too large
        return None


def _look(deadline: float) -> None:
    if monotonic() > deadline:
        raise ResourceExhausted("the blocks take too long")


class Interpolants:
    """The atoms of a sequence of interpolants along the blocks of the path."""

    name = "interpolants"

    def find(self, problem: InterpolationProblem, seconds: float) -> FoundPredicates | None:
        exits = problem.exits
        links = [
            Link(
                number if number > 0 else None,
                exit_,
                number + 1 if number + 1 < len(exits) else None,
                TRUE if number > 0 else problem.region,
            )
            for number, exit_ in enumerate(exits)
        ]
        system = System(problem.formulas, links)
        solution = system.solve(problem.statistics, seconds)
        if not isinstance(solution, Solved):
            return None
        found: list[tuple[Configuration, Expr]] = []
        for number, configuration in enumerate(problem.configurations):
            for atom in atoms(solution.relations[system.relations[number + 1]]):
                try:
                    found.append((configuration, phrase(problem.formulas, atom)))
                except UnsupportedFeature:
                    continue
        return FoundPredicates(found) if found else None
