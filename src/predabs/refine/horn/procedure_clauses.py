"""Predicates for procedures, recursive ones too: summaries and loop invariants out of Spacer.

Each function becomes Horn clauses of its own: relations at its entry, loop heads, calls and returns
between the storage there and what the parameters and globals held at its entry. A call is a rule
with two premises, the state before it and the callee's summary. If Spacer solves the clauses, the
conjuncts of its relations are predicates over variables and symbolic constants [BMR05].

No soundness duty: the Boolean program decides what the predicates prove.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from ...analysis.control_flow import ControlFlow
from ...analysis.liveness import Liveness
from ...analysis.memory.partition import Scalar
from ...analysis.points_to.sets import PointsTo
from ...encode.blocks import Blocks, Exit
from ...encode.environment import Environment, Formulas, Key
from ...encode.initial_states import initial_environment
from ...errors import UnsupportedFeature
from ...ir.cfa import Edge, Function, Location, Program
from ...ir.configuration import Configuration, Transition, TransitionKind
from ...ir.expr import Const, Expr, Lvalue, Var
from ...ir.ops import Call, Return
from ...ir.order import loop_heads
from ...records import dataclass
from ...smt import build
from ...smt.horn import HornClause, HornRefuted, HornRelation, Solved, conjuncts, solve
from ...smt.solver import Statistics
from ...smt.substitution import substitute
from ...smt.term import TRUE, Symbol, Term, symbols
from ..interpolators.phrase import atoms, phrase
from ..newton.newton import NewtonPredicate

_START = Environment("")
_MOST_RELATIONS = 150
_MOST_ARGUMENTS = 30
_MOST_PARTS = 25  # of a solution; a larger one tells the calls of one run apart, not what they do


class _Inside(ControlFlow):
    """The transitions inside one function: at calls and returns, blocks end."""

    def transitions(self, configuration: Configuration) -> tuple[Transition, ...]:
        function = self.program.functions[configuration.location.function]
        ends = any(_is_end(edge, self) for edge in function.outgoing[configuration.location])
        return () if ends else super().transitions(configuration)


def _is_end(edge: Edge, flow: ControlFlow) -> bool:
    return isinstance(edge.op, Return) or (isinstance(edge.op, Call) and bool(flow.callees(edge)))


@dataclass(frozen=True, slots=True)
class _Point:
    """A location where blocks begin and end: its relation, and what the arguments stand for."""

    relation: HornRelation
    keys: tuple[Key, ...]  # of the first arguments; the others are the storage at the entry


class Summaries:
    """The clauses of one program in one encoding."""

    def __init__(
        self,
        program: Program,
        points_to: PointsTo,
        formulas: Formulas,
        live: Liveness,
        statistics: Statistics,
        tick: Callable[[], None],
    ) -> None:
        self._program = program
        self._formulas = formulas
        self._live = live
        self._statistics = statistics
        self._flow = _Inside(program, points_to)
        self._cut_points = {
            name: _cut_points(function, self._flow) for name, function in program.functions.items()
        }
        self._blocks = Blocks(formulas, self._flow, live, self._is_cut, tick)
        self._shared: tuple[Key, ...] = ()
        self._entry: dict[str, dict[Key, Symbol]] = {}
        self._points: dict[Location, _Point] = {}
        self._rules: list[HornClause] | None = None
        self.hopeless = False  # it cannot be solved, or has been

    def find(self, seconds: float) -> list[tuple[Location, NewtonPredicate]] | None:
        """Predicates of all functions; None if there is no solution, or not in the time given."""
        if self._rules is None:
            self._rules = list(self._made())
        solution = solve(self._rules, self._statistics, seconds)
        if isinstance(solution, HornRefuted | Solved):
            self.hopeless = True
        if not isinstance(solution, Solved):
            return None
        parts = [
            (location, part)
            for location, point in self._points.items()
            for part in conjuncts(solution.relations.get(point.relation, TRUE))
            if part is not TRUE
        ]
        if len(parts) > _MOST_PARTS:
            return None
        return [
            (location, found)
            for location, part in parts
            for found in self._phrased(location.function, part)
        ]

    def _is_cut(self, configuration: Configuration) -> bool:
        return configuration.location in self._cut_points[configuration.location.function]

    # --- relations --------------------------------------------------------------------------------

    def _made(self) -> Iterator[HornClause]:
        exits = {
            location: self._blocks.at(Configuration(location, None)).exits
            for cut_points in self._cut_points.values()
            for location in cut_points
        }
        if len(exits) > _MOST_RELATIONS:
            raise UnsupportedFeature("there are too many procedures and loops for one question")
        self._shared = self._shared_keys(exits.values())
        for name, function in self._program.functions.items():
            keys = (*self._params(function), *self._shared)
            self._entry[name] = {key: self._at_entry(name, key) for key in keys}
        for location in exits:
            self._points[location] = self._point(location)
        yield self._begin()
        for location, leaving in exits.items():
            for exit_ in leaving:
                yield self._step(location, exit_)
            for edge in self._program.functions[location.function].outgoing[location]:
                if isinstance(edge.op, Call):
                    for callee in self._flow.callees(edge):
                        yield from self._call(location, edge, edge.op, callee)

    def _shared_keys(self, exits: Iterable[tuple[Exit, ...]]) -> tuple[Key, ...]:
        """The globals and memory regions that some condition or assignment speaks of."""
        found: dict[Key, None] = {}
        for leaving in exits:
            for exit_ in leaving:
                for key in exit_.entry.values():
                    if key is not None and not (isinstance(key, Var) and key.function):
                        found[key] = None
        for function in self._program.functions.values():
            for edge in function.edges:
                if isinstance(edge.op, Call) and self._flow.callees(edge):
                    for arg in edge.op.args:
                        for symbol in symbols([self._value(arg)]):
                            _, key = self._formulas.origins.get(symbol, ("", None))
                            if key is not None and not (isinstance(key, Var) and key.function):
                                found[key] = None
        return tuple(found)

    def _params(self, function: Function) -> list[Var]:
        return [param for param in function.params if self._is_scalar(param)]

    def _is_scalar(self, var: Lvalue) -> bool:
        try:
            return isinstance(var, Var) and self._formulas.storage(var) == Scalar(var)
        except UnsupportedFeature:
            return False

    def _at_entry(self, function: str, key: Key) -> Symbol:
        """What a parameter or global held when the function was entered."""
        if isinstance(key, Var):
            constant = Var(f"{function}::'{key.short}", key.type)
            self._formulas.names.made.setdefault(constant, key)
            self._formulas.storage(constant)
            term = self._formulas.get(_START, constant).term
            self._formulas.origins[term] = "", constant
        else:
            term = Symbol(f"{function}::'{key}", self._formulas.region_sort(key))
        assert isinstance(term, Symbol)
        return term

    def _point(self, location: Location) -> _Point:
        function = self._program.functions[location.function]
        live = self._live.at(location)
        own = [v for v in (*function.params, *function.locals) if v in live and self._is_scalar(v)]
        for edge in function.outgoing[location]:
            if isinstance(edge.op, Return) and isinstance(edge.op.value, Var):
                own = [edge.op.value] if self._is_scalar(edge.op.value) else []
        keys = (*own, *self._shared)
        arguments = [self._now(key) for key in keys]
        if not self._is_begin(location):
            arguments += self._entry[location.function].values()
        if len(arguments) > _MOST_ARGUMENTS:
            raise UnsupportedFeature("too many variables matter for one question")
        return _Point(HornRelation(str(location), tuple(arguments)), keys)

    def _is_begin(self, location: Location) -> bool:
        """Does the storage there hold what it held at the entry of the function?"""
        function = self._program.functions[location.function]
        return location is function.entry and not function.incoming[location]

    def _now(self, key: Key) -> Symbol:
        term = self._formulas.get(_START, key).term
        assert isinstance(term, Symbol)
        return term

    # --- rules ------------------------------------------------------------------------------------

    def _begin(self) -> HornClause:
        """How the program starts."""
        start = initial_environment(self._formulas)[0]
        entry = self._points[self._program.functions[self._program.entry].entry]
        known = {key: self._formulas.get(start, key).term for key in entry.keys}
        for key in self._entry[self._program.entry]:
            known.setdefault(key, self._formulas.get(start, key).term)
        facts = self._formulas.facts(list(known.values()))
        entered = self._entered(self._program.entry, known)
        return HornClause(None, build.and_(*facts), entry.relation, entered)

    def _entered(self, function: str, known: Mapping[Key, Term]) -> tuple[Term, ...]:
        """The arguments of the relation at the entry of a function."""
        location = self._program.functions[function].entry
        again = () if self._is_begin(location) else self._entry[function]
        return tuple(known[key] for key in (*self._points[location].keys, *again))

    def _step(self, location: Location, exit_: Exit) -> HornClause:
        source = self._points[location].relation
        if exit_.kind is not TransitionKind.STEP or exit_.target is None:
            return HornClause(source, exit_.formula, None)
        target = exit_.target.location
        point = self._points[target]
        values = [self._formulas.get(exit_.environment, key).term for key in point.keys]
        values += self._kept(location)
        condition = build.and_(exit_.formula, *self._formulas.facts(values))
        return HornClause(source, condition, point.relation, tuple(values))

    def _kept(self, location: Location) -> list[Term]:
        """The storage at the entry of the function, as a location has it."""
        entry = self._entry[location.function]
        if self._is_begin(location):
            return [self._now(key) for key in entry]
        return list(entry.values())

    def _call(
        self, location: Location, edge: Edge, call: Call, callee: str
    ) -> Iterator[HornClause]:
        function, source = self._program.functions[callee], self._points[location]
        actuals: dict[Key, Term] = {key: self._now(key) for key in self._shared}
        for number, param in enumerate(function.params):
            if number < len(call.args) and call.args[number].type is param.type:
                actuals[param] = self._value(call.args[number])
            else:
                actuals[param] = self._formulas.fresh(param.short, param.type).term
        inner = self._points[function.entry]
        for key in inner.keys:  # locals of a loop at the entry hold anything at first
            if key not in actuals and isinstance(key, Var):
                actuals[key] = self._formulas.fresh(key.short, key.type).term
        facts = self._formulas.facts(list(actuals.values()))
        entered = self._entered(callee, actuals)
        yield HornClause(source.relation, build.and_(*facts), inner.relation, entered)
        before = [actuals[key] for key in self._entry[callee]]
        for leaving in function.edges:
            if isinstance(leaving.op, Return) and leaving.src in self._points:
                yield self._back(location, edge, call, leaving, before)

    def _back(
        self, location: Location, edge: Edge, call: Call, leaving: Edge, before: list[Term]
    ) -> HornClause:
        """Behind a call: the summary of the callee joins in."""
        formulas, target, end = self._formulas, call.target, self._points[leaving.src]
        copies: dict[Key, Term] = {key: _copy(self._now(key)) for key in end.keys}
        known = tuple(before)
        if self._is_begin(leaving.src):  # it returns at once, with what it was given
            given = dict(zip(self._entry[leaving.src.function], before, strict=True))
            copies = {key: given.get(key, copy) for key, copy in copies.items()}
            known = ()
        mapping = {self._now(key): copy for key, copy in copies.items()}
        facts = substitute(list(formulas.facts(list(mapping))), mapping)
        assert isinstance(leaving.op, Return)
        value = leaving.op.value
        after = self._points[edge.dst]
        outputs: list[Term] = []
        for key in after.keys:
            if target is not None and key is target:
                if isinstance(value, Var) and value in copies and value.type is target.type:
                    outputs.append(copies[value])
                else:
                    outputs.append(formulas.fresh("result", target.type).term)
            else:
                outputs.append(copies[key] if key in self._shared else self._now(key))
        if target is not None and not self._is_scalar(target):
            raise UnsupportedFeature("a result goes into memory")
        outputs += self._kept(location)
        also = ((end.relation, (*copies.values(), *known)),)
        condition = build.and_(*facts, *formulas.facts([*outputs, *before]))
        return HornClause(
            self._points[location].relation, condition, after.relation, tuple(outputs), also
        )

    def _value(self, expr: Expr) -> Term:
        return self._formulas.encoder(_START).value(expr).term

    # --- predicates -------------------------------------------------------------------------------

    def _phrased(self, function: str, part: Term) -> list[NewtonPredicate]:
        """A conjunct as one predicate, and its atoms."""
        found: list[NewtonPredicate] = []
        for term in dict.fromkeys((part, *atoms(part))):
            try:
                expr = phrase(self._formulas, term)
            except UnsupportedFeature:
                continue
            if isinstance(expr, Const):
                continue
            used = symbols([term])
            constants = {
                Var(f"{function}::'{key.short}", key.type): key
                for key, symbol in self._entry[function].items()
                if symbol in used and isinstance(key, Var)
            }
            found.append(NewtonPredicate(function, expr, constants))
        return found


def _copy(symbol: Symbol) -> Symbol:
    return Symbol(f"{symbol.name} returned", symbol.sort)


def _cut_points(function: Function, flow: ControlFlow) -> dict[Location, None]:
    """Where blocks begin and end: entry, loop heads, around calls, before returns."""
    cut_points = {function.entry: None}
    cut_points.update(
        dict.fromkeys(sorted(loop_heads(function), key=lambda location: location.index))
    )
    for edge in function.edges:
        if _is_end(edge, flow):
            cut_points[edge.src] = None
            if isinstance(edge.op, Call):
                cut_points[edge.dst] = None
    return cut_points
