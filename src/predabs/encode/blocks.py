"""Blocks [BCG+09]: loop-free pieces of control flow between cut points, as one formula.

From a configuration all transitions are followed, into calls and out of them, up to the next cut
points, errors and limits. Where branches meet, storage that differs becomes a fresh symbol,
which the branch that was taken defines; so the formula grows with the number of transitions, not of
paths. Storage that is dead where branches meet holds anything.

Soundness duty: every run from the entry to an exit satisfies the exit's formula, with the storage
at the end as the exit's environment says.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from ..analysis.control_flow import ControlFlow
from ..analysis.liveness import Liveness
from ..analysis.localization import Localization
from ..errors import InternalError, ResourceExhausted
from ..ir.cfa import Edge
from ..ir.configuration import Configuration, Transition, TransitionKind
from ..ir.expr import Var
from ..records import dataclass, field, replace
from ..smt import build
from ..smt.term import BOOL, FALSE, TRUE, Symbol, Term, symbols
from .encoding import BoundedTerm, common
from .environment import Environment, Formulas, Key
from .location_facts import LocationFacts, NumericRelations
from .steps import EdgeStep

MOST_TRANSITIONS = 40_000


def execute(
    formulas: Formulas, transition: Transition, environment: Environment
) -> tuple[Term, Environment, bool]:
    """The condition of a transition, the storage after it, and whether both are exact."""
    here = formulas.localization
    if here is not None and here.leaves_out(transition):
        return TRUE, _forgotten(formulas, here, transition, environment), False
    guard: list[Term] = []
    exact = True
    for edge in transition.steps:
        step = EdgeStep(formulas, edge, environment)
        step.run()
        guard += step.guard
        environment = step.environment
        exact = exact and step.exact
    if here is not None:
        environment = _forgotten(formulas, here, transition, environment)
    return build.and_(*guard), environment, exact


def _forgotten(
    formulas: Formulas, here: Localization, transition: Transition, environment: Environment
) -> Environment:
    """The storage after a recursive call that was passed over."""
    for key in here.forgotten(transition):
        environment = environment.put(key, formulas.anything(key))
    return environment


# A node of a block: a configuration inside, a cut point at its end (in a tuple, as a run may come
# back to where the block starts), or all errors or limits together.
BlockNode: TypeAlias = Configuration | tuple[Configuration] | TransitionKind


@dataclass(frozen=True, slots=True, eq=False)
class Arrival:
    """One way to reach a node: the last transition, and the condition under which it is taken."""

    transition: Transition | None  # None at the start of a block
    guard: Term
    environment: Environment


@dataclass(frozen=True, slots=True, eq=False)
class Exit:
    """An exit of a block. `formula` holds for all runs that take it, `environment` is what the
    storage is then; `entry` are the symbols that stand for the storage at the start."""

    block: Block
    target: Configuration | None  # None for errors and limits
    kind: TransitionKind
    formula: Term
    environment: Environment
    entry: dict[Symbol, Key | None]  # None: where the heap ends
    inner: tuple[Symbol, ...]  # the other symbols of the formula and of the environment
    exact: bool

    @property
    def last_edge(self) -> Edge | None:
        """An edge that it is taken by: the only one, of most errors."""
        here: BlockNode = self.kind if self.target is None else (self.target,)
        taken = (arrival.transition for arrival in self.block.arrivals.get(here, ()))
        return next((transition.edge for transition in taken if transition is not None), None)


@dataclass(slots=True, eq=False)
class Block:
    """All paths from a configuration to the next cut points."""

    start: Configuration
    before: Environment
    exits: tuple[Exit, ...] = ()
    arrivals: dict[BlockNode, list[Arrival]] = field(default_factory=dict)

    def path(self, exit_: Exit, holds: Callable[[Term], bool]) -> tuple[Transition, ...]:
        """The transitions to an exit that a model takes; `holds` says what is true in it."""
        transitions: list[Transition] = []
        here: BlockNode = exit_.kind if exit_.target is None else (exit_.target,)
        while True:
            taken = next((a for a in self.arrivals[here] if holds(a.guard)), None)
            if taken is None:
                raise InternalError("a model takes no path to an exit of a block")
            if taken.transition is None:
                return tuple(reversed(transitions))
            transitions.append(taken.transition)
            here = taken.transition.src


class Blocks:
    """Makes and keeps the blocks of one analysis. `is_cut_point` says where abstraction takes
    place; `tick` is called often, and may raise to end it all."""

    def __init__(
        self,
        formulas: Formulas,
        flow: ControlFlow,
        live: Liveness,
        is_cut_point: Callable[[Configuration], bool],
        tick: Callable[[], None],
        relations: NumericRelations | None = None,
    ) -> None:
        self.formulas = formulas
        self.flow = flow
        self.is_cut_point = is_cut_point
        self.tick = tick
        self.location_facts = LocationFacts(formulas, relations or {})
        self._live = live
        self._blocks: dict[Configuration, Block] = {}
        self._dead: dict[tuple[Configuration, Var], bool] = {}

    def encoded(self, formulas: Formulas) -> Blocks:
        """The same blocks, yet to be made, with other formulas."""
        return Blocks(
            formulas,
            self.flow,
            self._live,
            self.is_cut_point,
            self.tick,
            self.location_facts.relations,
        )

    def at(self, start: Configuration) -> Block:
        """The block that starts at a cut point, whatever the storage holds."""
        known = self._blocks.get(start)
        if known is None:
            known = self._blocks[start] = self.make(start, Environment(""))
        return known

    def make(self, start: Configuration, before: Environment) -> Block:
        """A block with a certain storage at its start."""
        return _Making(self, start, before).block()

    def entering(self, start: Configuration, before: Environment) -> Block:
        """A block without transitions: a run begins at a cut point with this storage."""
        block = Block(start, before, arrivals={(start,): [Arrival(None, TRUE, before)]})
        terms = [value.term for value in before.changed.values()]
        facts = self.location_facts.facts(start, before.changed, before)
        formula = build.and_(*facts, *self.formulas.facts(terms))
        inner = tuple(symbols([formula, *terms]))
        block.exits = (Exit(block, start, TransitionKind.STEP, formula, before, {}, inner, True),)
        return block

    def is_dead(self, configuration: Configuration, key: Key) -> bool:
        """Is it sure that no run reads the storage before it writes it?"""
        if not isinstance(key, Var):
            return False
        known = self._dead.get((configuration, key))
        if known is None:
            function = key.function
            if not function or function == configuration.location.function:
                known = key not in self._live.at(configuration.location)
            else:
                known = not configuration.active(function)
            self._dead[configuration, key] = known
        return known


class _Making:
    """One block while it is made."""

    def __init__(self, blocks: Blocks, start: Configuration, before: Environment) -> None:
        self._blocks = blocks
        self._formulas = blocks.formulas
        self._block = Block(start, before)
        self._arrivals = self._block.arrivals
        self._definitions: dict[Term, Term] = {}
        self._exact = True

    def block(self) -> Block:
        start = self._block.start
        self._arrivals[start] = [Arrival(None, TRUE, self._block.before)]
        for configuration, transitions in self._order():
            if configuration in self._arrivals:
                self._blocks.tick()
                here = self._join(
                    configuration, self._arrivals[configuration], str(configuration.location)
                )
                for transition in transitions:
                    self._follow(here, transition)
        exits = [p for p in self._arrivals if not isinstance(p, Configuration)]
        self._block.exits = tuple(self._exit(node) for node in exits)
        return self._block

    def _order(self) -> list[tuple[Configuration, tuple[Transition, ...]]]:
        """The configurations inside the block with what leaves them, each after those before it."""
        start = self._block.start
        comes_back = self._blocks.is_cut_point(start)
        leaving: dict[Configuration, tuple[Transition, ...]] = {}
        waiting, todo = {start: 0}, [start]
        count = 0
        while todo:
            here = todo.pop()
            leaving[here] = transitions = self._blocks.flow.transitions(here)
            count += len(transitions)
            if count > MOST_TRANSITIONS:
                raise ResourceExhausted(
                    f"a block at {start} has more than {MOST_TRANSITIONS} transitions"
                )
            for transition in transitions:
                there = transition.dst
                if there is None or (there is start and comes_back):
                    continue
                if there not in waiting:
                    if self._blocks.is_cut_point(there):
                        continue
                    waiting[there] = 0
                    todo.append(there)
                waiting[there] += 1
        order = [start]
        for here in order:
            for transition in leaving[here]:
                there = transition.dst
                if there in waiting:
                    waiting[there] -= 1
                    if waiting[there] == 0:
                        order.append(there)
        if len(order) != len(waiting):
            raise InternalError(f"the block at {start} has a cycle")
        return [(here, leaving[here]) for here in order]

    def _follow(self, here: Arrival, transition: Transition) -> None:
        guard, environment, exact = execute(self._formulas, transition, here.environment)
        self._exact = self._exact and exact
        condition = build.and_(here.guard, guard)
        if condition is FALSE:
            return
        node: BlockNode
        if transition.dst is None:
            node = transition.kind
        else:
            node = (
                (transition.dst,) if self._blocks.is_cut_point(transition.dst) else transition.dst
            )
        self._arrivals.setdefault(node, []).append(Arrival(transition, condition, environment))

    # --- where branches meet ----------------------------------------------------------------------

    def _join(
        self, configuration: Configuration | None, arrivals: list[Arrival], name: str
    ) -> Arrival:
        """One arrival for all; the guards of the others tell from then on which one was taken."""
        if len(arrivals) == 1:
            return arrivals[0]
        formulas = self._formulas
        environments = [arrival.environment for arrival in arrivals]
        first = environments[0]
        merged = dict(first.changed)
        equal: list[list[Term]] = [[] for _ in arrivals]
        keys = dict.fromkeys(key for environment in environments for key in environment.changed)
        for key in keys if configuration is not None else ():
            known = first.changed.get(key)
            if known is not None and all(e.changed.get(key) is known for e in environments):
                continue
            values = [formulas.get(environment, key) for environment in environments]
            if all(value.term is values[0].term for value in values):
                if (known := common(values)) != values[0]:
                    merged[key] = known
                continue
            joined = self._symbol(key, values)
            merged[key] = joined
            if configuration is not None and self._blocks.is_dead(configuration, key):
                continue
            for terms, value in zip(equal, values, strict=True):
                terms.append(build.eq(joined.term, value.term))
        heap_end = first.heap
        if any(environment.heap is not heap_end for environment in environments):
            heaps = [formulas.heap_end(environment) for environment in environments]
            heap_end = formulas.fresh_between("heap", formulas.pointer, heaps)
            for terms, value in zip(equal, heaps, strict=True):
                terms.append(build.eq(heap_end.term, value.term))
        environment = Environment(first.tag, merged, heap_end)
        guard = arrivals[0].guard
        # with TRUE for a guard, what comes later could be true whatever the branches say, and no
        # definition of what they say would be needed
        if guard is not TRUE and not any(equal) and all(one.guard is guard for one in arrivals):
            return Arrival(None, guard, environment)
        here = formulas.fresh_like(f"at {name}", BOOL)
        for number, (arrival, terms) in enumerate(zip(arrivals, equal, strict=True)):
            arrivals[number] = replace(arrival, guard=build.and_(arrival.guard, *terms))
        branches = [arrival.guard for arrival in arrivals]
        self._definitions[here] = build.implies(here, build.or_(*branches))
        return Arrival(None, here, environment)

    def _symbol(self, key: Key, values: Sequence[BoundedTerm]) -> BoundedTerm:
        formulas = self._formulas
        if isinstance(key, Var):
            return formulas.fresh_between(key.name, key.type, values)
        return BoundedTerm(formulas.fresh_like(str(key), formulas.region_sort(key)), 0, 0)

    # --- exits ------------------------------------------------------------------------------------

    def _exit(self, node: BlockNode) -> Exit:
        arrivals = self._arrivals[node]
        assert not isinstance(node, Configuration)
        target = None if isinstance(node, TransitionKind) else node[0]
        kind = node if isinstance(node, TransitionKind) else TransitionKind.STEP
        name = kind.value if target is None else str(target.location)
        here = self._join(target, arrivals, name)
        formula = self._formulas.closed(*self._needed(here.guard), here.guard)
        environment = here.environment
        ends = [value.term for value in environment.changed.values()]
        if environment.heap is not None:
            ends.append(environment.heap.term)
        entry = self._entry(symbols([formula, *ends]))
        facts = self._blocks.location_facts.facts(
            self._block.start, entry.values(), self._block.before
        )
        if target is not None:
            facts += self._blocks.location_facts.facts(target, environment.changed, environment)
        formula = build.and_(formula, *facts)
        found = symbols([formula, *ends])
        entry = self._entry(found)  # relations may speak of more
        inner = tuple(symbol for symbol in found if symbol not in entry)
        return Exit(self._block, target, kind, formula, environment, entry, inner, self._exact)

    def _needed(self, guard: Term) -> list[Term]:
        """The definitions that the guard, and then the definitions themselves, lead to."""
        found: dict[Term, None] = {}
        todo, seen = [guard], set[Term]()
        while todo:
            root = todo.pop()
            for part in symbols([root]):
                if part in self._definitions and part not in seen:
                    seen.add(part)
                    found[self._definitions[part]] = None
                    todo.append(self._definitions[part])
        return list(found)

    def _entry(self, found: dict[Symbol, None]) -> dict[Symbol, Key | None]:
        """The symbols of the storage at the start, and what they stand for."""
        keys: dict[Symbol, Key | None] = {}
        for symbol in found:
            origin = self._formulas.origins.get(symbol)
            if origin is not None and origin[0] == self._block.before.tag:
                keys[symbol] = origin[1]
        return keys
