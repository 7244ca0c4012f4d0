"""Which variables exclude a path: those from which the first contradiction on it comes [BL13].

All variables are followed along the path, each with what its value rests on: the variables that it
was computed from, and conditions that have told it. A condition that cannot hold names what has to
be followed.

Soundness duty: none; whatever is followed, an exploration has all runs.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from ...analysis.explicit_values import ExplicitFlow, values_of
from ...analysis.facts import ProgramFacts
from ...ir import make
from ...ir.cfa import Edge
from ...ir.configuration import Transition
from ...ir.expr import Const, Expr, Var
from ...ir.ops import Assume, Operation
from ...ir.types import IntType
from ...ir.walk import reads
from ...records import replace
from .array_cells import ArrayCells, with_index
from .small_inputs import Alternatives, Split, alternatives
from .steps import Becomes, Holds, Loses, StepMaker
from .symbolic_terms import Symbols
from .valuation import Needs, Valuation


def reasons(
    facts: ProgramFacts,
    cells: ArrayCells,
    variables: Iterable[Var],
    path: Sequence[Transition],
    several: bool,
    few: dict[Edge, Split | Alternatives],
) -> Needs | None:
    """What has to be followed (variables, and edges whose conditions are kept) to exclude the path,
    for the first reason or for `several`; None if the values of variables do not exclude it.
    Conditions on it that leave a `few` cases are noted."""
    maker = StepMaker(facts, cells, lambda var: isinstance(var.type, IntType), None)
    symbols = Symbols()
    start: dict[Var, Expr] = {
        var: make.const(value, var.type)
        for var, value in values_of(ExplicitFlow(facts, variables).entry)
        if isinstance(var.type, IntType)
    }
    start.update(cells.initial())
    walk = _Walk(cells, symbols, Valuation(symbols, start))
    all_of_them: Needs | None = None
    for transition in path:
        for action in maker.actions(walk.at_cells(maker, transition)):
            match action:
                case Holds():
                    found = walk.hold(action)
                    if found is not None:
                        if not several:
                            return found
                        all_of_them = found if all_of_them is None else all_of_them | found
                    elif transition.edge not in few:
                        few.update(walk.few_cases(maker, transition.edge))
                case Becomes(var, value):
                    walk.rests[var] = frozenset((var,)).union(*map(walk.of, value.reads))
                    walk.valuation.assign(var, value)
                case Loses(lost):
                    walk.valuation.forget(lost)
    return all_of_them


def open_cells(cells: ArrayCells, path: Iterable[Transition]) -> dict[Var, None]:
    """The cells of arrays on a path whose index was not taken apart."""
    found: dict[Var, None] = {}
    for transition in path:
        for op in transition.ops:
            found.update(dict.fromkeys(cells.all_of(op)))
    return found


class _Walk:
    """Along a path."""

    def __init__(self, cells: ArrayCells, symbols: Symbols, valuation: Valuation) -> None:
        self._symbols = symbols
        self._cells = cells
        self.valuation = valuation
        self.rests: dict[Var, Needs] = {}

    def at_cells(self, maker: StepMaker, transition: Transition) -> Transition:
        """The transition with numbers for the indices that have a value here."""
        ops = tuple(self._at_cell(maker, op) for op in transition.ops)
        return transition if ops == transition.ops else replace(transition, ops=ops)

    def _at_cell(self, maker: StepMaker, op: Operation) -> Operation:
        while (index := maker.open_index(op)) is not None:
            value = self.valuation.constant(maker.places.prepared(index.index))
            new = op if value is None else with_index(op, index, value)
            if new is op:
                return op
            op = new
        return op

    def few_cases(
        self, maker: StepMaker, edge: Edge
    ) -> Iterator[tuple[Edge, Split | Alternatives]]:
        """The alternatives that the condition of an edge has, or a number that it reads and that
        can only be a few."""
        if not isinstance(edge.op, Assume):
            return
        split = alternatives(edge.op.cond)
        if split is not None:
            term = self.valuation.evaluate(maker.places.prepared(edge.op.cond))
            if alternatives(term) is not None:
                yield edge, split
                return
        for lvalue in reads(edge.op.cond):
            var = maker.places.variable(lvalue)
            unknown = None if var is None else self.valuation.values.get(var)
            if isinstance(unknown, Var) and isinstance(lvalue.type, IntType):
                span = self._symbols.sets.span(unknown, self.valuation.known)
                if span is not None:
                    yield edge, Split(lvalue, *span)
                    return

    def of(self, var: Var) -> Needs:
        """What the value of a variable rests on."""
        return self.rests.get(var, frozenset((var,)))

    def hold(self, action: Holds) -> Needs | None:
        """What a contradiction rests on, if the condition is one."""
        valuation = self.valuation
        term = valuation.evaluate(action.cond)
        needs: Needs = frozenset[object]().union(*map(self.of, action.cond.reads))
        before = {v: t for v, t in valuation.values.items() if not isinstance(t, Const)}
        known = dict(valuation.known)
        if not valuation.hold(term, True, needs | {action.edge}):
            return needs | self._contradicted(known, term)
        for var, old in before.items():
            if valuation.values.get(var) is not old:
                self.rests[var] = self.of(var) | needs
        return None

    def _contradicted(self, known: dict[Expr, Needs], term: Expr) -> Needs:
        """What the conditions rest on that the term contradicts."""
        if isinstance(term, Const) or not known:
            return frozenset()
        return Valuation(Symbols(), None, known).why(term)
