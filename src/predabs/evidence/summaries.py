"""Recursion in certificates: procedure summaries in place of call stacks.

A recursive function is looked at by itself, in whatever calls: no stack is around it. What holds at
its entry is what its callers have to show; what holds at its exit is what they may use behind the
call, over the result, the globals and the symbolic constants `'x`, which hold what parameters and
globals held at the entry [BMR05, section 5.3]. So a summary is two invariants, and each body is
proved with the summaries of those that it calls.

Soundness duty: if no piece of the control flow made here leads to an error, then no run does. By
induction on the length of a run: the callee has returned before the run goes on behind a call, so
its state at the exit has satisfied what is used.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cached_property

from ..analysis.control_flow import ControlFlow, converted
from ..analysis.effects import Slot
from ..analysis.facts import ProgramFacts
from ..analysis.intervals.analysis import Intervals
from ..analysis.memory.partition import NOTHING, InRegion, Scalar
from ..analysis.points_to.sets import PointsTo
from ..encode.environment import Environment, Formulas
from ..errors import UnsupportedFeature
from ..ir import make
from ..ir.cfa import Edge, Function, Location, Program
from ..ir.configuration import Configuration, Transition, TransitionKind
from ..ir.expr import Expr, Var
from ..ir.ops import Alloc, Assign, Call, Havoc, Operation, Return, Skip, Source
from ..ir.result_variables import result_variable, with_results
from ..ir.types import IntType, VoidType, is_scalar
from ..ir.walk import variables
from ..records import dataclass, replace
from ..smt import build
from ..smt.term import Term
from .piece_formulas import Arrival, PieceFormulas
from .recursion_copies import recursive_groups

_FEW_GLOBALS = 50


@dataclass(frozen=True, slots=True)
class Summarized:
    """A function that has a summary: its symbolic constants with the variables whose values at the
    entry they hold, the variable that it returns, and what a call may write."""

    function: Function
    constants: Mapping[Var, Var]
    result: Var | None
    writes: frozenset[Slot]

    @property
    def entry(self) -> Configuration:
        return Configuration(self.function.entry, None)

    @property
    def exit(self) -> Configuration:
        return Configuration(self.function.exit, None)

    def candidates(self, intervals: Intervals) -> list[Expr]:
        """What often holds at the exit: bounds of the result, and how it and the globals that are
        written compare with what was there at the entry."""
        written = [v for v in self.constants.values() if v in self.writes]
        ends = [*written, *((self.result,) if self.result is not None else ())]
        found = self._bounds(intervals)
        for end in ends:
            for constant in self.constants:
                if constant.type is end.type:
                    found.append(make.equal(end, constant))
                    if isinstance(end.type, IntType):
                        found.append(make.less_equal(end, constant))
                        found.append(make.less_equal(constant, end))
        return found

    def _bounds(self, intervals: Intervals) -> list[Expr]:
        result = self.result
        if result is None or not isinstance(result.type, IntType):
            return []
        type_, places = (
            result.type,
            [e.src for e in self.function.edges if isinstance(e.op, Return)],
        )
        known = [intervals.at(place).get(result) for place in places if intervals.reachable(place)]
        low = min((type_.low if k is None else k[0] for k in known), default=type_.low)
        high = max((type_.high if k is None else k[1] for k in known), default=type_.high)
        found: list[Expr] = []
        if low > type_.low:
            found.append(make.less_equal(make.const(low, type_), result))
        if high < type_.high:
            found.append(make.less_equal(result, make.const(high, type_)))
        return found


class SummarizedFacts(ProgramFacts):
    """The facts of a program whose recursive functions have result variables and symbolic
    constants, and a control flow in which they are looked at by themselves."""

    def __init__(self, program: Program, names: frozenset[str]) -> None:
        super().__init__(program)
        self._names = names

    @cached_property
    def summarized(self) -> Mapping[str, Summarized]:
        """The recursive functions."""
        globals_ = frozenset(item.var for item in self.program.globals)
        found: dict[str, Summarized] = {}
        for name in sorted(self._names):
            function = self.program.functions[name]
            known = {var.short: var for var in (*globals_, *function.params)}
            constants = {
                var: known[var.short[1:]] for var in function.locals if var.short.startswith("'")
            }
            result = result_variable(function, globals_)
            found[name] = Summarized(function, constants, result, self.modref.writes(name))
        return found

    def exit_candidates(self) -> dict[Configuration, list[Expr]]:
        """What often holds at the exits of the recursive functions."""
        known = self.summarized.values()
        return {item.exit: item.candidates(self.intervals) for item in known}

    @cached_property
    def flow(self) -> ControlFlow:
        return _SummarizedFlow(self.program, self.points_to, self._names)


def summarized_facts(facts: ProgramFacts) -> SummarizedFacts | None:
    """The program with what summaries speak of; None if it is not recursive. Raises
    `UnsupportedFeature` where a variable of a recursive function is in memory: each call under way
    has its own, and formulas have one."""
    names = frozenset(recursive_groups(facts))
    if not names:
        return None
    program = with_results(facts.program)
    functions = dict(program.functions)
    for name in names:
        function = functions[name]
        given = facts.program.functions[name]
        for var in (*given.params, *given.locals):
            if _is_in_memory(facts, var) or (var in given.params and not is_scalar(var.type)):
                where = f"{function.coord}: {var.short} of the recursive function {name}"
                raise UnsupportedFeature(f"{where} is in memory: there is no summary")
        constants = tuple(_constant(name, var) for var in _constants_of(facts, function))
        functions[name] = _entered_once(replace(function, locals=(*function.locals, *constants)))
    return SummarizedFacts(replace(program, functions=functions), names)


def _entered_once(function: Function) -> Function:
    """The function with an entry that no loop leads back to: there, constants are what they are
    constants of."""
    if not function.incoming[function.entry]:
        return function
    first = Location(function.name, 1 + max(location.index for location in function.locations))
    edge = Edge(first, Skip(), function.entry, function.coord)
    return replace(function, entry=first, edges=(edge, *function.edges))


def _constants_of(facts: ProgramFacts, function: Function) -> Iterator[Var]:
    """The parameters, and the scalar globals; of many globals, those that a call reads or
    writes."""
    yield from function.params
    own = {var.short for var in function.params}
    touched = facts.modref.reads(function.name) | facts.modref.writes(function.name)
    few = len(facts.program.globals) <= _FEW_GLOBALS
    for item in facts.program.globals:
        var = item.var
        if (few or var in touched) and var.short not in own and _is_scalar(facts, var):
            yield var


def _constant(function: str, var: Var) -> Var:
    return Var(f"{function}::'{var.short}", var.type)


def _is_scalar(facts: ProgramFacts, var: Var) -> bool:
    return is_scalar(var.type) and facts.partition.storage(var) == Scalar(var)


def _is_in_memory(facts: ProgramFacts, var: Var) -> bool:
    return any(
        isinstance(place, InRegion) and place.region != NOTHING
        for place in facts.partition.touched(var)
    )


class _SummarizedFlow(ControlFlow):
    """The control flow in which a call of a recursive function is a limit that has a summary, and
    a return from it leads to its exit."""

    def __init__(self, program: Program, points_to: PointsTo, names: frozenset[str]) -> None:
        super().__init__(program, points_to)
        self._names = names

    def _is_limit(self, configuration: Configuration, name: str) -> bool:
        return name in self._names

    def _return(
        self, configuration: Configuration, edge: Edge, value: Expr | None
    ) -> Iterator[Transition]:
        function = self.program.functions[configuration.location.function]
        if configuration.stack is None and function.name in self._names:
            end = Configuration(function.exit, None)
            yield Transition(edge, configuration, end, TransitionKind.STEP, ())
        else:
            yield from super()._return(configuration, edge, value)


@dataclass(frozen=True, slots=True)
class SummarizedCalls:
    """Calls of functions with summaries, in formulas. `ensured` says what holds at the exit of a
    function (None: no call returns, as far as that is known); `terms` are conditions in an
    environment."""

    formulas: Formulas
    facts: SummarizedFacts
    ensured: Callable[[str], list[Expr] | None]
    terms: Callable[[list[Expr], Environment], list[Term]]

    def is_cut(self, configuration: Configuration) -> bool:
        """Entries and exits are cut points."""
        known = self.facts.summarized.get(configuration.location.function)
        return known is not None and configuration in (known.entry, known.exit)

    def begun(self, environment: Environment, configuration: Configuration) -> Environment:
        """At the entry of a function with a summary, the constants are what they stand for."""
        known = self.facts.summarized.get(configuration.location.function)
        if known is not None and configuration is known.entry:
            for constant, var in known.constants.items():
                environment = environment.put(constant, self.formulas.get(environment, var))
        return environment

    def outcomes(
        self, piece: PieceFormulas, arrival: Arrival, transition: Transition
    ) -> Iterator[tuple[Configuration, Arrival]]:
        """What a call leads to: the entry of the callee, and what follows when it has returned."""
        callee, call = self.facts.summarized[transition.callee], transition.edge.op
        assert isinstance(call, Call)
        entered = self._steps(piece, arrival, transition, _bound(call, callee))
        yield callee.entry, entered
        ensured = self.ensured(transition.callee)
        if ensured is None:
            return
        piece.summarized = True
        formulas, inside, after = self.formulas, entered.environment, arrival.environment
        for slot in sorted(callee.writes, key=str):
            value = formulas.anything(slot)
            inside, after = inside.put(slot, value), after.put(slot, value)
        if self._allocates:
            low, high = formulas.addresses.heap
            bounds = (low, (low + high) // 2)
            heap = formulas.fresh_between_bounds("heap", formulas.pointer, bounds)
            inside, after = replace(inside, heap=heap), replace(after, heap=heap)
        own = {var for condition in ensured for var in variables(condition)}
        if callee.result is not None:
            own.add(callee.result)
        for var in sorted(own - callee.constants.keys(), key=str):
            if var.function == transition.callee:
                inside = inside.put(var, formulas.anything(var))
        guard = build.and_(entered.guard, *self.terms(ensured, inside))
        ops: tuple[Operation, ...] = ()
        if call.target is not None and not isinstance(call.target.type, VoidType):
            ops = (Havoc(call.target, Source.UNKNOWN, transition.callee),)
            if callee.result is not None:
                returned = Var(f"{transition.callee}::what it returns", callee.result.type)
                formulas.storage(returned)
                after = after.put(returned, formulas.get(inside, callee.result))
                ops = (Assign(call.target, converted(returned, call.target.type)),)
        there = Configuration(transition.edge.dst, transition.src.stack)
        yield there, self._steps(piece, Arrival(guard, after, transition), transition, ops)

    @property
    def _allocates(self) -> bool:
        return any(
            isinstance(edge.op, Alloc)
            for function in self.facts.program.functions.values()
            for edge in function.edges
        )

    def _steps(
        self,
        piece: PieceFormulas,
        arrival: Arrival,
        transition: Transition,
        ops: tuple[Operation, ...],
    ) -> Arrival:
        return piece.taken(arrival, replace(transition, ops=ops))


def _bound(call: Call, callee: Summarized) -> tuple[Operation, ...]:
    """The constants take the arguments, then the parameters take the constants: arguments may read
    the parameters of a call of the same function."""
    ops: list[Operation] = []
    params = callee.function.params
    own = {var: constant for constant, var in callee.constants.items()}
    for number, param in enumerate(params):
        if number < len(call.args):
            ops.append(Assign(own[param], converted(call.args[number], param.type)))
        else:
            ops.append(Havoc(own[param], Source.UNINITIALIZED, param.short))
    ops += [Assign(param, own[param]) for param in params]
    ops += [Assign(own[var], var) for var in own if var not in params]
    return tuple(ops)
