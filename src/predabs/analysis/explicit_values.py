"""Control flow with explicit values: the state of a machine as a part of the configuration.

The values of a few variables are followed as constants beside whatever else an analysis does, and
configurations are told apart by them: the product of an explicit-value analysis with another one
[BL13]. So each state of a machine has its own part of the control flow, and a branch that the state
excludes is none of it. Which variables are followed is for `state_variables` to say.

Soundness duty: every step of a run is one of the transitions; whenever a run is at a configuration,
its variables have the values there.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeAlias

from ..errors import ResourceExhausted
from ..ir import make
from ..ir.cfa import Edge, Location
from ..ir.configuration import Configuration, Transition
from ..ir.def_use import op_target
from ..ir.expr import FALSE, And, Binary, Const, Expr, Lvalue, Op, Var
from ..ir.ops import Assign, Assume, Operation
from ..ir.types import IntType, is_scalar
from ..ir.walk import reads, substitute
from ..records import dataclass, replace
from .control_flow import ControlFlow
from .effects import Slot
from .facts import ProgramFacts
from .memory.partition import Scalar

Values: TypeAlias = Mapping[Var, int]

_MOST_VALUES = 150  # combinations at one configuration


class TooManyValues(ResourceExhausted):
    """The variables have too many values for all of them to be told apart."""


@dataclass(frozen=True, slots=True, eq=False)
class ExplicitConfiguration(Configuration):
    """A configuration in which some variables have these values."""

    values: tuple[tuple[Var, int], ...]

    def __str__(self) -> str:
        plain = Configuration(self.location, self.stack)
        return f"{plain} with {', '.join(f'{var.short} = {value}' for var, value in self.values)}"


def plain(configuration: Configuration) -> Configuration:
    """The configuration, whatever the values are."""
    if isinstance(configuration, ExplicitConfiguration):
        return Configuration(configuration.location, configuration.stack)
    return configuration


def values_of(configuration: Configuration) -> tuple[tuple[Var, int], ...]:
    return configuration.values if isinstance(configuration, ExplicitConfiguration) else ()


class ExplicitFlow(ControlFlow):
    """The transitions of a program with the values of these variables."""

    def __init__(self, facts: ProgramFacts, variables: Iterable[Var]) -> None:
        super().__init__(facts.program, facts.points_to)
        self._facts = facts
        self._flow = facts.flow
        self._followed = dict.fromkeys(variables)
        self._explicit: dict[Configuration, tuple[Transition, ...]] = {}
        self._copies: dict[Configuration, set[Configuration]] = {}
        self._storage: dict[Expr, Var | None] = {}
        self._live_at: dict[Location, frozenset[Var]] = {}

    @property
    def entry(self) -> Configuration:
        """Where runs begin, with the values of globals in the initial states."""
        slots, values = self._facts.modref.slots, dict[Var, int]()
        for item in self.program.globals:
            if item.external:
                continue
            own = slots.of_target(item.var)
            values.update((var, 0) for var in self._followed if var in own)
            for assign in item.init:
                written = slots.of_target(assign.target)
                values = {var: value for var, value in values.items() if var not in written}
                var = self._variable(assign.target)
                if var is not None and isinstance(assign.value, Const):
                    values[var] = assign.value.value
        return self._copy(self._flow.entry, values)

    def transitions(self, configuration: Configuration) -> tuple[Transition, ...]:
        known = self._explicit.get(configuration)
        if known is None:
            found: list[Transition] = []
            values = dict(values_of(configuration))
            for transition in self._flow.transitions(plain(configuration)):
                after = self._after(transition, values)
                if after is not None:
                    dst = None if transition.dst is None else self._copy(transition.dst, after)
                    found.append(replace(transition, src=configuration, dst=dst))
            known = self._explicit[configuration] = tuple(found)
        return known

    def _copy(self, configuration: Configuration, values: Values) -> Configuration:
        kept = tuple(
            (var, values[var])
            for var in self._followed
            if var in values and not self._is_dead(configuration, var)
        )
        made = configuration
        if kept:
            made = ExplicitConfiguration(configuration.location, configuration.stack, kept)
        copies = self._copies.setdefault(configuration, set())
        copies.add(made)
        if len(copies) > _MOST_VALUES:
            raise TooManyValues(
                f"more than {_MOST_VALUES} combinations of values at {configuration}"
            )
        return made

    def _is_dead(self, configuration: Configuration, var: Var) -> bool:
        """Does no run use the value any more?"""
        function, location = var.function, configuration.location
        if not function or function == location.function:
            return var not in self._live(location)
        call = next((c for c in configuration.calls if c.src.function == function), None)
        return call is None or var not in self._live(call.dst)

    def _live(self, location: Location) -> frozenset[Var]:
        known = self._live_at.get(location)
        if known is None:
            known = self._live_at[location] = self._facts.liveness.at(location)
        return known

    # --- what transitions do to values ------------------------------------------------------------

    def _after(self, transition: Transition, values: Values) -> Values | None:
        """The values after a transition; None if they exclude it."""
        for op in transition.ops:
            match op:
                case Assume(cond):
                    said = self._evaluated(cond, values)
                    if said is FALSE:
                        return None
                    values = {**values, **self._narrowed(said)}
                case _:
                    values = self._written(transition.edge, op, values)
        return values

    def _written(self, edge: Edge, op: Operation, values: Values) -> Values:
        writes = self._writes(edge, op)
        changed = {var: value for var, value in values.items() if var not in writes}
        if isinstance(op, Assign) and (var := self._variable(op.target)) is not None:
            value = self._evaluated(op.value, values)
            if isinstance(value, Const):
                changed[var] = value.value
        return changed

    def _writes(self, edge: Edge, op: Operation) -> frozenset[Slot]:
        slots = self._facts.modref.slots
        if op is edge.op:
            return slots.effects(edge).writes
        target = op_target(op)  # of a call or return, which only assigns
        return frozenset() if target is None else slots.of_target(target)

    def _narrowed(self, cond: Expr) -> Values:
        """The values that a condition says."""
        found: dict[Var, int] = {}
        for part in cond.args if isinstance(cond, And) else (cond,):
            match part:
                case Binary(Op.EQ, Const(value, _), other, _) | Binary(
                    Op.EQ, other, Const(value, _), _
                ):
                    var = self._variable(other)
                    if var is not None:
                        found[var] = value
        return found

    def _evaluated(self, e: Expr, values: Values) -> Expr:
        """The expression with the values in it."""
        mapping: dict[Expr, Expr] = {}
        for lvalue in reads(e) if values else ():
            var = self._variable(lvalue)
            if var is not None and var in values:
                assert isinstance(lvalue.type, IntType)
                mapping[lvalue] = make.const(values[var], lvalue.type)
        return substitute(e, mapping) if mapping else e

    def _variable(self, e: Expr) -> Var | None:
        """The variable that is followed which an lvalue is, if it is one."""
        if e in self._storage:
            return self._storage[e]
        found: Var | None = None
        if isinstance(e, Lvalue) and isinstance(e.type, IntType) and is_scalar(e.type):
            storage = self._facts.partition.storage(e)
            if isinstance(storage, Scalar) and storage.var in self._followed:
                found = storage.var
        self._storage[e] = found
        return found
