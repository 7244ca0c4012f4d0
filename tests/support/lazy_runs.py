"""Runs of a program, seen at the points of abstraction: where they are, and what variables hold."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from predabs.analysis.memory.partition import NOTHING, InRegion, Scalar
from predabs.concrete.outcome import Value
from predabs.ir import make
from predabs.ir.cfa import Edge, Function
from predabs.ir.configuration import CallStack, Configuration
from predabs.ir.expr import Expr, Field, Index, Lvalue, Var
from predabs.ir.ops import Call
from predabs.ir.types import LLONG, ArrayType, IntType
from support.analysis_machine import End, Frame, Inputs, Machine
from support.lazy_setup import Parts

_MOST_ELEMENTS = 8


@dataclass(frozen=True)
class Visit:
    """A run at a control point, with the values of integers, and whether conditions hold."""

    configuration: Configuration
    values: tuple[tuple[Expr, Value], ...]
    conditions: tuple[tuple[Expr, bool], ...] = ()

    def value(self, expr: Expr) -> Value:
        return dict(self.values)[expr]


def observed(parts: Parts, configuration: Configuration) -> list[Expr]:
    """Expressions that tell what the integers of a control point hold, as far as they matter: in
    the formulas, a variable that no run reads any more keeps what an earlier call put there, and so
    does a local in memory until it is written."""
    program = parts.program
    functions = {
        configuration.location.function,
        *(call.src.function for call in configuration.calls),
    }
    variables = [item.var for item in program.globals]
    for name in sorted(functions):
        body = program.functions[name]
        variables += [*body.params, *body.locals]
    found: list[Lvalue] = []
    for var in variables:
        if isinstance(var.type, IntType):
            lasting = not var.function or isinstance(parts.split.storage(var), Scalar)
            if lasting and not parts.blocks.is_dead(configuration, var):
                found.append(var)
        elif isinstance(var.type, ArrayType) and isinstance(var.type.element, IntType):
            length = min(var.type.length, _MOST_ELEMENTS)
            found += [make.index(var, make.const(n, LLONG)) for n in range(length)]
    return [expr for expr in found if parts.split.storage(expr) != InRegion(NOTHING)]


class Runner(Machine):
    """A run that remembers its visits, and the errors it came to. `conditions` are looked at
    where the run is; they may speak of variables of all calls that are under way."""

    def __init__(
        self, parts: Parts, inputs: Inputs, conditions: Callable[[Configuration], Sequence[Expr]]
    ) -> None:
        self.parts = parts
        self._conditions = conditions
        self.visits: list[Visit] = []
        self._calls: list[tuple[Frame, Edge]] = []
        super().__init__(parts.program, parts.split, inputs)

    def choose(self, edges: tuple[Edge, ...]) -> Edge:
        if not edges:
            raise End("nothing follows")
        stack: CallStack | None = None
        for _, call in self._calls:
            stack = CallStack(call, stack)
        configuration = Configuration(edges[0].src, stack)
        if not self.visits or self.parts.blocks.is_cut_point(configuration):
            held = [(expr, bool(self.value(expr))) for expr in self._conditions(configuration)]
            self.visits.append(
                Visit(configuration, tuple(self._observe(configuration)), tuple(held))
            )
        return super().choose(edges)

    def read(self, lvalue: Lvalue) -> Any:
        """Read a variable where it is: in the frame of its function."""
        here = self.frame
        frames = {call.src.function: frame for frame, call in self._calls}
        self.frame = frames.get(_root(lvalue).function, here)
        try:
            return super().read(lvalue)
        finally:
            self.frame = here

    def _observe(self, configuration: Configuration) -> list[tuple[Expr, Value]]:
        return [(expr, self.value(expr)) for expr in observed(self.parts, configuration)]

    def call(
        self, callee: Function, call: Call, calls: list[tuple[Frame, Edge]], edge: Edge
    ) -> None:
        self._calls = calls
        super().call(callee, call, calls, edge)


def _root(lvalue: Lvalue) -> Var:
    """The variable that an lvalue lies in; one of no function if that is behind a pointer."""
    while isinstance(lvalue, Field | Index):
        lvalue = lvalue.base
    return lvalue if isinstance(lvalue, Var) else Var("", lvalue.type)


def visits(
    parts: Parts,
    seed: int,
    most: int = 150,
    conditions: Callable[[Configuration], Sequence[Expr]] = lambda configuration: (),
) -> Runner:
    """A run with random inputs, as far as it goes in so many steps."""
    runner = Runner(parts, _Inputs(seed), conditions)
    runner.run(most)
    return runner


class _Inputs(Inputs):
    """Small numbers, for the most part."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed, addresses=0)

    def number(self, edge: Edge | None, type_: Any, known: list[int]) -> int:
        random = self.random
        return random.choice([0, 0, 1, 1, 2, 3, -1, random.getrandbits(32)])
