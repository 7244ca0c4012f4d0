"""All sequences of blocks that end in an exit to an error, as one formula, made backwards.

Layer j has the cut points from which j blocks lead to the one before the error, and one copy of the
storage for all of them: a run is at one of them. Whether a run is at a cut point is a Boolean
symbol; it says that the run has begun there, that it came along an exit from the layer before, or,
in the last layer, that it is in whatever state: the unrolling is left open there. So one question
asks for the base case and for the step case of k-induction together [SSS00]. A layer has only the
storage on which the error depends from there on.

Soundness duty: a run that takes the exit to the error satisfies the formula, at any depth, with the
facts that hold at its cut points.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from ..ir.configuration import Configuration
from ..records import dataclass, field
from ..smt import build
from ..smt.substitution import substitute
from ..smt.term import BOOL, Symbol, Term, symbols
from .block_graph import BlockGraph
from .blocks import Exit
from .entry_conditions import EntryCondition
from .environment import Environment, Formulas, Key


@dataclass(frozen=True, slots=True)
class CutPointFact:
    """A condition that holds at a cut point; it is used where `switch` is assumed."""

    switch: Symbol
    condition: EntryCondition


@dataclass(frozen=True, slots=True, eq=False)
class _Arrival:
    """One way to a point: from another one, or (None) from where runs begin."""

    guard: Term
    exit: Exit
    source: _Point | None


@dataclass(slots=True, eq=False)
class _Point:
    """A cut point in a layer. `open`: a run comes there from the layer before."""

    configuration: Configuration
    layer: int
    at: Symbol
    open: Symbol
    needed: dict[Key | None, None] = field(default_factory=dict)
    arrivals: list[_Arrival] = field(default_factory=list)


class BackwardUnrolling:
    """The unrolling for one exit to an error or a limit. `told` are conditions to assert, more of
    them with each layer; `depth` is the number of blocks before the last one."""

    def __init__(
        self,
        formulas: Formulas,
        graph: BlockGraph,
        bad: Exit,
        facts: Mapping[Configuration, Sequence[CutPointFact]],
    ) -> None:
        self._formulas = formulas
        self._graph = graph
        self._bad = bad
        self._facts = facts
        self.depth = 0
        self.told: list[Term] = []
        self._layer: dict[Configuration, _Point] = {}
        self._start: _Point | None = None
        if bad.block is graph.root:
            self.told.append(bad.formula)
            return
        self._start = self._point(bad.block.start, 0)
        formula, *_ = self._renamed(self._start, bad, ())
        self.told += [self._start.at, formula]
        self._close_layer()

    @property
    def is_open(self) -> bool:
        """Are there runs that are longer than the unrolling?"""
        return bool(self._layer)

    def deepen(self) -> None:
        """One more block before all others."""
        last, self._layer = self._layer, {}
        self.depth += 1
        for point in last.values():
            guards: list[Term] = []
            for exit_ in self._graph.into[point.configuration]:
                source = self._layer.get(exit_.block.start)
                if source is None:
                    source = self._point(exit_.block.start, self.depth)
                guard = build.and_(source.at, self._passed(exit_, source, point))
                point.arrivals.append(_Arrival(guard, exit_, source))
                guards.append(guard)
            self.told.append(build.implies(point.open, build.or_(*guards)))
        self._close_layer()

    def first_exits(self, holds: Callable[[Term], bool]) -> list[Exit] | None:
        """The exits of the run of a model, from its beginning to the error; None if the model
        begins in whatever state."""
        exits = [self._bad]
        point = self._start
        while point is not None:
            taken = next((one for one in point.arrivals if holds(one.guard)), None)
            if taken is None:
                return None
            exits.append(taken.exit)
            point = taken.source
        return list(reversed(exits))

    # --- points -----------------------------------------------------------------------------------

    def _point(self, configuration: Configuration, layer: int) -> _Point:
        number = f"{len(self._layer)}.{layer}"
        at, open_ = Symbol(f"at~{number}", BOOL), Symbol(f"open~{number}", BOOL)
        point = self._layer[configuration] = _Point(configuration, layer, at, open_)
        return point

    def _close_layer(self) -> None:
        """All that reads the storage of a layer is there: state the facts, and where runs begin."""
        for point in self._layer.values():
            for fact in self._related(point):
                terms = self._renamed(point, None, [fact.condition.term])
                known = self._formulas.closed(*terms)
                self.told.append(build.implies(build.and_(point.at, fact.switch), known))
            for exit_ in self._graph.root.exits:
                if exit_.target is point.configuration:
                    guard = self._passed(exit_, None, point)
                    point.arrivals.append(_Arrival(guard, exit_, None))
            begins = [arrival.guard for arrival in point.arrivals]
            self.told.append(build.implies(point.at, build.or_(*begins, point.open)))

    def _related(self, point: _Point) -> list[CutPointFact]:
        """The facts that speak of storage which is needed, or which such facts speak of."""
        left = list(self._facts.get(point.configuration, ()))
        found: list[CutPointFact] = []
        while True:
            more = [
                fact for fact in left if any(key in point.needed for key in fact.condition.keys)
            ]
            if not more:
                return found
            found += more
            left = [fact for fact in left if fact not in more]
            point.needed.update(dict.fromkeys(key for fact in more for key in fact.condition.keys))

    def _environment(self, layer: int) -> Environment:
        return Environment(f"~{layer}")

    def _value(self, environment: Environment, key: Key | None) -> Term:
        formulas = self._formulas
        found = formulas.heap_end(environment) if key is None else formulas.get(environment, key)
        return found.term

    # --- formulas ---------------------------------------------------------------------------------

    def _passed(self, exit_: Exit, source: _Point | None, target: _Point) -> Term:
        """A run takes the exit, and the storage after it is that of the target's layer."""
        keys, after = list(target.needed), self._environment(target.layer)
        ends = [self._value(exit_.environment, key) for key in keys]
        if source is None:  # a run begins once: its symbols need no other names
            formula, renamed = exit_.formula, ends
        else:
            formula, *renamed = self._renamed(source, exit_, ends)
        equal = [
            build.eq(self._value(after, key), end) for key, end in zip(keys, renamed, strict=True)
        ]
        return self._formulas.closed(formula, *equal)

    def _renamed(self, point: _Point, exit_: Exit | None, terms: Iterable[Term]) -> list[Term]:
        """The formula of an exit from the point, and terms about the entry of its block, with the
        symbols of the layer; what they read is needed there."""
        whole = [*([exit_.formula] if exit_ is not None else ()), *terms]
        environment = self._environment(point.layer)
        renaming: dict[Symbol, Term] = {}
        inner = () if exit_ is None else exit_.inner
        for symbol in inner:
            renaming[symbol] = Symbol(f"{symbol.name}~{point.layer}", symbol.sort)
        for symbol in symbols(whole):
            origin = self._formulas.origins.get(symbol)
            if origin is not None and origin[0] == "":
                renaming[symbol] = self._value(environment, origin[1])
                point.needed[origin[1]] = None
        return substitute(whole, renaming)
