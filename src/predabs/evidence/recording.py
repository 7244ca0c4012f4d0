"""Programs, paths and predicates as the plain values of a `proof_record`."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from ..ir.cfa import Coord, Edge, Function, Location, Program
from ..ir.configuration import Configuration
from ..ir.expr import Expr
from ..ir.listing import literal_texts, naming
from ..ir.order import loop_heads
from ..ir.show import Naming, show_op
from ..proof_record import Automaton, AutomatonEdge, PathStep, Place, clipped
from ..verdict import Invariant
from .invariants import shown_invariant


class RecordTexts:
    """The words for what an engine tells of a program; texts are made once."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._naming: Naming = naming(program)
        self._literals = literal_texts(program)
        self._conditions: dict[tuple[str, Expr], str] = {}

    def condition(self, function: str, expr: Expr) -> str:
        """A condition in C, as it is said in a function."""
        known = self._conditions.get((function, expr))
        if known is None:
            here = self._program.functions[function].entry
            shown = shown_invariant(self._program, Invariant(here, (), expr), self._literals)
            known = self._conditions[function, expr] = clipped(shown.text)
        return known

    def coord(self, location: Location) -> Coord:
        """The source that begins at a location."""
        function = self._program.functions[location.function]
        leaving = function.outgoing.get(location) or function.incoming.get(location) or ()
        return leaving[0].coord if leaving else function.coord

    def place(self, configuration: Configuration) -> Place:
        location = configuration.location
        calls = tuple(call.src.function for call in configuration.calls)
        return Place(location.function, location.index, self.coord(location), calls)

    def steps(self, edges: Iterable[Edge], core: Collection[int] = ()) -> list[PathStep]:
        """A path; `core` has the indices of edges."""
        return [
            PathStep(
                edge.src.function,
                edge.coord,
                clipped(show_op(edge.op, self._naming)),
                number in core,
            )
            for number, edge in enumerate(edges)
        ]

    def automata(self) -> tuple[Automaton, ...]:
        """All functions, the entry first."""
        functions = self._program.functions
        first = functions[self._program.entry]
        others = [function for function in functions.values() if function is not first]
        return tuple(map(self._automaton, [first, *others]))

    def _automaton(self, function: Function) -> Automaton:
        return Automaton(
            function.name,
            function.coord,
            function.entry.index,
            function.exit.index,
            tuple(sorted(head.index for head in loop_heads(function))),
            tuple(
                AutomatonEdge(
                    edge.src.index,
                    edge.dst.index,
                    clipped(show_op(edge.op, self._naming)),
                    type(edge.op).__name__.lower(),
                    edge.coord,
                )
                for edge in function.edges
            ),
        )
