"""The control flow of a localized program: what has no say is passed over.

A call that has no say is one step, and steps that have none are left out (`silent_steps`). A
recursive call either returns, and what it may write holds anything then, or it does not: then its
callers have no more say, and it is a run of the function that ends with the function.

Soundness duty: every run of the program, with what has no say left out, is one along these
transitions.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from ..errors import UnsupportedFeature
from ..ir.cfa import Edge, Function, Location
from ..ir.configuration import Configuration, Transition, TransitionKind
from ..ir.expr import FunctionAddress, Var
from ..ir.ops import Assign, Assume, Call, Error, Free, Halt, Havoc, Operation, Return, Skip, Source
from ..ir.order import strong_components, weak_order
from ..records import replace
from .control_flow import ControlFlow
from .effects import Slot
from .facts import ProgramFacts
from .localization import Localization, PassedOver, lasting_writes
from .modref import ModRef
from .silent_steps import SilentSteps

_DEEP = 2  # functions that are active and can call each other, before calls are not followed
_LARGE = 50  # steps of a function that is not a part of its callers, if it can be apart


class LocalizedFlow(ControlFlow):
    """The transitions of a program for what is tracked; with `sparse` interval facts, which are
    found for what is tracked only."""

    def __init__(
        self, facts: ProgramFacts, localization: Localization, sparse: bool = False
    ) -> None:
        super().__init__(facts.program, facts.points_to)
        self._whole = facts.flow
        self._intervals = facts.interval
        if sparse:
            self._intervals = facts.sparse_intervals(localization.tracked).of
        self._localization = localization
        self._reaching = _reaching(facts.flow, localization.effects)
        self._steps: dict[Configuration, tuple[Transition, ...]] = {}
        self._origins: dict[Transition, Transition] = {}
        self._groups = {
            name: frozenset(group)
            for group in strong_components(localization.effects.calls)
            if len(group) > 1
            for name in group
        }
        self._inert: dict[Edge, bool] = {}
        self._apart: dict[Edge, bool] = {}
        self._large: dict[str, bool] = {}
        self._silent: dict[str, SilentSteps] = {}

    def transitions(self, configuration: Configuration) -> tuple[Transition, ...]:
        known = self._steps.get(configuration)
        if known is None:
            known = self._steps[configuration] = tuple(self._contracted(configuration))
        return known

    def callees(self, edge: Edge) -> tuple[str, ...]:
        """The functions with a body that a call enters in order to come back."""
        if self._is_inert(edge) or self._is_apart(edge):
            return ()
        return self._whole.callees(edge)

    def silent_steps(self, function: str) -> SilentSteps:
        known = self._silent.get(function)
        if known is None:
            loops = function not in self._localization.entered
            body = self.program.functions[function]
            known = self._silent[function] = SilentSteps(body, self._is_silent, loops)
        return known

    def interval(self, location: Location, var: Var) -> tuple[int, int] | None:
        """What an interval analysis says of a variable whenever a run is at a location. A run that
        is in a loop that is passed over may be elsewhere in it."""
        if self.silent_steps(location.function).is_loop(location):
            return None
        return self._intervals(location, var)

    # --- silent steps -----------------------------------------------------------------------------

    def _contracted(self, configuration: Configuration) -> Iterator[Transition]:
        silent = self.silent_steps(configuration.location.function)
        for location in silent.together(configuration.location):
            loud = set(map(id, silent.loud(location)))
            if not loud:
                continue
            for step in self.steps(Configuration(location, configuration.stack)):
                if id(step.edge) in loud:
                    yield from self._moved(step, configuration)
        for edge in silent.onward(configuration.location):
            after = Configuration(edge.dst, configuration.stack)
            here = Configuration(edge.src, configuration.stack)
            silently = Transition(edge, here, after, TransitionKind.STEP, ())
            yield from self._moved(silently, configuration)

    def _moved(self, step: Transition, src: Configuration) -> Iterator[Transition]:
        """A step as taken from where silent steps lead to it, and led on by them."""
        dst = step.dst
        if dst is not None:
            there = self.silent_steps(dst.location.function).next(dst.location)
            if there is None:
                return
            dst = Configuration(there, dst.stack)
        moved = step
        if dst is not step.dst or src is not step.src:
            moved = replace(step, src=src, dst=dst)
            self._origins[moved] = step
        yield moved

    def whole_path(self, path: Sequence[Transition]) -> tuple[Transition, ...]:
        """A path with the silent steps that were left out; loops are still passed over."""
        found: list[Transition] = []
        here = self.entry
        for moved in path:
            step = self._origins.get(moved, moved)
            found += self._silently(here, step.src.location)
            found.append(self._as_such(step))
            if step.dst is not None:
                here = step.dst
        return tuple(found)

    def _silently(self, here: Configuration, target: Location) -> Iterator[Transition]:
        """Silent steps from a configuration to another location of its function."""
        silent = self.silent_steps(target.function)
        stack = here.stack
        edges = silent.way(here.location, target)
        locations = [here.location, *(edge.dst for edge in edges)]
        number = 0
        while number < len(locations):
            location = locations[number]
            if silent.is_loop(location):
                group, last = silent.together(location), number
                while last + 1 < len(locations) and locations[last + 1] in group:
                    last += 1
                inside = silent.within(location)
                writes = frozenset[Slot]().union(
                    *(lasting_writes(self._localization.effects, edge) for edge in inside)
                )
                yield PassedOver(
                    inside[0],
                    Configuration(location, stack),
                    Configuration(locations[last], stack),
                    TransitionKind.STEP,
                    (),
                    "a loop that has no say",
                    writes=writes,
                    inside=tuple(inside),
                )
                number = last
            if number < len(edges):
                edge = edges[number]
                src, dst = Configuration(edge.src, stack), Configuration(edge.dst, stack)
                yield self._as_such(Transition(edge, src, dst, TransitionKind.STEP, ()))
            number += 1

    def _as_such(self, step: Transition) -> Transition:
        """A silent step, with what it does."""
        if step.ops or step.kind is not TransitionKind.STEP or step.dst is None:
            return step
        if not self._is_silent(step.edge):
            return step
        return next(one for one in self.steps(step.src) if one.edge is step.edge)

    def _is_silent(self, edge: Edge) -> bool:
        here = self._localization
        match edge.op:
            case Skip() | Free():
                return True
            case Return() | Error() | Halt():
                return False
            case Call(_, callee, _):
                if not self._is_inert(edge) and self._whole.callees(edge):
                    return False
                own = here.effects.slots.effects(edge)
                chosen = isinstance(callee, FunctionAddress) or here.tracked.isdisjoint(own.reads)
                return chosen and here.tracked.isdisjoint(own.writes) and not self._is_end(edge)
        return here.ignores(edge)

    # --- calls ------------------------------------------------------------------------------------

    def steps(self, configuration: Configuration) -> Iterator[Transition]:
        """The transitions of a configuration, silent ones too."""
        found = self._whole.transitions(configuration)
        for _, group in groupby(found, lambda step: id(step.edge)):
            yield from self._along_one(tuple(group))

    def _along_one(self, steps: tuple[Transition, ...]) -> Iterator[Transition]:
        edge, src = steps[0].edge, steps[0].src
        if self._is_end(edge):
            return
        if self._is_inert(edge):
            yield from (self._returned(step, "a call that has no say") for step in steps)
            return
        if not isinstance(edge.op, Call):
            yield from steps
            return
        recursive = iter([name for name in sorted(self._whole.callees(edge)) if src.active(name)])
        apart = self._is_apart(edge)
        for step in steps:
            if step.kind is TransitionKind.LIMIT:
                yield from self._recursive(step, next(recursive))
            elif step.dst is None or step.dst.stack is src.stack:
                yield step
            elif apart:
                yield from self._either(step, step.dst.location)
            elif self._is_deep(src, step.dst.location.function):
                yield from self._recursive(step, step.dst.location.function)
            else:
                yield step

    def _is_deep(self, configuration: Configuration, function: str) -> bool:
        """Are many functions active that can call each other and the function? To see all orders
        of their calls is too much."""
        group = self._groups.get(function)
        if group is None:
            return False
        active = [configuration.location, *(call.src for call in configuration.calls)]
        return sum(location.function in group for location in active) >= _DEEP

    def _either(self, step: Transition, begin: Location) -> Iterator[Transition]:
        """A call that writes nothing that is tracked: it is passed over, or never returns."""
        if self._localization.effects.may_return(step.edge):
            yield self._returned(step, "a call that writes nothing that is tracked")
        yield replace(step, dst=Configuration(begin, None))

    def _recursive(self, step: Transition, name: str) -> Iterator[Transition]:
        """A recursive call of a function: it has returned, or it never will."""
        if name == self.program.entry:
            yield step
            return
        if self._localization.effects.may_return(step.edge):
            yield self._returned(step, f"a recursive call of {name}")
        function = self.program.functions[name]
        inside = Configuration(function.entry, None)
        ops = (*_chosen(step), *_bound(step.edge, function))
        yield Transition(step.edge, step.src, inside, TransitionKind.STEP, ops)

    def _returned(self, transition: Transition, text: str) -> PassedOver:
        """A call with all that it does as one step."""
        edge, src = transition.edge, transition.src
        after = Configuration(edge.dst, src.stack)
        writes = lasting_writes(self._localization.effects, edge)
        step, ops = TransitionKind.STEP, _chosen(transition)
        return PassedOver(edge, src, after, step, ops, text, writes=writes)

    def _is_end(self, edge: Edge) -> bool:
        """Is it a call that could be passed over, but from which no run comes back?"""
        return self._is_inert(edge) and not self._localization.effects.may_return(edge)

    def _is_inert(self, edge: Edge) -> bool:
        """Is an edge a call of functions of the program that can be passed over?"""
        known = self._inert.get(edge)
        if known is None:
            known = self._inert[edge] = isinstance(edge.op, Call) and self._can_be_skipped(edge)
        return known

    def _can_be_skipped(self, edge: Edge) -> bool:
        return self._reaching.isdisjoint(self._whole.callees(edge)) and self._writes_nothing(edge)

    def _writes_nothing(self, edge: Edge) -> bool:
        """Is an edge a call of functions of the program that write nothing that is tracked?"""
        here, callees = self._localization, self._whole.callees(edge)
        if not callees or not here.entered.isdisjoint(callees) or _is_limit(self._whole, edge):
            return False
        return here.tracked.isdisjoint(lasting_writes(here.effects, edge))

    def _is_apart(self, edge: Edge) -> bool:
        """Is an edge a call after which only the callers matter, or only what is called? Small
        functions are better seen as a part of their callers."""
        known = self._apart.get(edge)
        if known is None:
            known = isinstance(edge.op, Call) and self._writes_nothing(edge)
            known = known and any(map(self._is_large, self._whole.callees(edge)))
            self._apart[edge] = known
        return known

    def _is_large(self, function: str) -> bool:
        """Has a function a loop, with all that it calls, or many steps?"""
        if not self._large:
            sizes: dict[str, int] = {}
            effects, silent = self._localization.effects, self.silent_steps
            for group in strong_components(effects.calls):
                for name in group:
                    graph = silent(name).graph()
                    body = self.program.functions[name]
                    loops = len(group) > 1 or bool(weak_order(graph, body.entry).ends)
                    own = _LARGE if loops else sum(map(len, graph.values()))
                    sizes[name] = own + sum(sizes.get(callee, 0) for callee in effects.calls[name])
            self._large.update((name, size >= _LARGE) for name, size in sizes.items())
        return self._large[function]


def _chosen(transition: Transition) -> tuple[Operation, ...]:
    """Which function a call goes to."""
    return tuple(op for op in transition.ops if isinstance(op, Assume))


def _bound(edge: Edge, function: Function) -> Iterator[Operation]:
    """The parameters of a function take the arguments of a call, or anything if the function calls
    itself: then an argument may read a parameter."""
    call = edge.op
    assert isinstance(call, Call)
    for number, param in enumerate(function.params):
        arg = call.args[number] if number < len(call.args) else None
        if arg is None or edge.src.function == function.name or arg.type is not param.type:
            yield Havoc(param, Source.UNINITIALIZED, param.short)
        else:
            yield Assign(param, arg)


def _reaching(flow: ControlFlow, effects: ModRef) -> frozenset[str]:
    """The functions from which an error or the end of what is known may be reached."""
    found: set[str] = set()
    for group in strong_components(effects.calls):
        if any(
            not found.isdisjoint(effects.calls[name])
            or any(
                isinstance(edge.op, Error) or (isinstance(edge.op, Call) and _is_limit(flow, edge))
                for edge in flow.program.functions[name].edges
            )
            for name in group
        ):
            found.update(group)
    return frozenset(found)


def _is_limit(flow: ControlFlow, edge: Edge) -> bool:
    """May a call go where the control flow does not follow, apart from recursion?"""
    try:
        steps = flow.transitions(Configuration(edge.src, None))
    except UnsupportedFeature:
        return True
    name = edge.src.function
    return any(
        step.edge is edge and step.kind is TransitionKind.LIMIT and name not in flow.callees(edge)
        for step in steps
    )
