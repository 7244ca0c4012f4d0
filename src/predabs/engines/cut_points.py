"""The cut points between blocks [BKW10]: all locations, ends of basic blocks, or loop heads.

Soundness duty: every cycle of the control flow passes a cut point. As no function is active twice
at a time, the loop heads of the functions are enough for that, with the beginnings of recursive
calls that never return.
"""

from __future__ import annotations

from collections.abc import Callable

from ..analysis.control_flow import ControlFlow
from ..analysis.localized_flow import LocalizedFlow
from ..ir.call_graph import call_graph
from ..ir.cfa import Function, Location
from ..ir.configuration import Configuration
from ..ir.ops import Call
from ..ir.order import loop_heads, strong_components, weak_order

_MOST_EDGES = 4000  # of a call with all that it calls, before abstraction takes place around it
_LARGEST_BLOCK = 20_000  # edges; if one would be larger, abstraction is around smaller calls too
_FEWEST_EDGES = 60
_ATOMIC = 12  # edges of a function whose call counts as one instruction of a basic block


def cut_points(flow: ControlFlow, block: str) -> Callable[[Configuration], bool]:
    """Is a configuration a cut point? `block` is edge, basic or loop."""
    locations = {"edge": _edges, "basic": _basic, "loop": _loops}[block](flow)
    program = flow.program

    def is_cut_point(configuration: Configuration) -> bool:
        location = configuration.location
        if location in locations:
            return True
        if configuration.stack is not None or location.function == program.entry:
            return False
        # a recursive call whose callers have no more say
        return location is _at(flow, program.functions[location.function].entry)

    return is_cut_point


def _at(flow: ControlFlow, location: Location) -> Location | None:
    """Where a run is as soon as it matters, if it is at a location."""
    if isinstance(flow, LocalizedFlow):
        return flow.silent_steps(location.function).next(location)
    return location


def _heads(flow: ControlFlow, function: Function) -> frozenset[Location]:
    """The locations that cut every cycle of a function."""
    if isinstance(flow, LocalizedFlow):
        graph = flow.silent_steps(function.name).graph()
        return frozenset(weak_order(graph, function.entry).ends)
    return loop_heads(function)


def _edges(flow: ControlFlow) -> frozenset[Location]:
    functions = flow.program.functions.values()
    return frozenset(location for function in functions for location in function.locations)


def _basic(flow: ControlFlow) -> frozenset[Location]:
    """Branches, what follows each of them, joins and loop heads; a small function without loops and
    calls is part of the block around its call, like one instruction."""
    found: set[Location] = set()
    for function in flow.program.functions.values():
        if function.name != flow.program.entry and _is_atomic(function):
            continue
        found |= _heads(flow, function) | {function.entry}
        for location in function.locations:
            if len(function.incoming[location]) > 1:
                found.add(location)
            if len(function.outgoing[location]) > 1:
                found |= {location, *(edge.dst for edge in function.outgoing[location])}
    return frozenset(found)


def _is_atomic(function: Function) -> bool:
    calls = any(isinstance(edge.op, Call) for edge in function.edges)
    return len(function.edges) <= _ATOMIC and not calls and not loop_heads(function)


def _loops(flow: ControlFlow) -> frozenset[Location]:
    """Loop heads; where that would make a block too large, also the beginnings of large functions
    and what follows their calls."""
    program = flow.program
    found: set[Location | None] = set()
    most = _MOST_EDGES
    sizes = _sizes(flow, most)
    while most > _FEWEST_EDGES and max(sizes.values(), default=0) > _LARGEST_BLOCK:
        most //= 2
        sizes = _sizes(flow, most)
    for function in program.functions.values():
        found |= _heads(flow, function)
        if function.name != program.entry and sizes[function.name] > most:
            found.add(_at(flow, function.entry))
        for edge in function.edges:
            if isinstance(edge.op, Call):
                called = sum(sizes.get(name, 0) for name in flow.callees(edge))
                if called > most:
                    found.add(_at(flow, edge.dst))
    return frozenset(location for location in found if location is not None)


def _sizes(flow: ControlFlow, most: int) -> dict[str, int]:
    """How many edges each function has, with those of its callees up to the next cut point: a
    callee whose entry is a cut point, as it has more edges than `most`, counts as one edge."""
    functions = flow.program.functions
    sizes: dict[str, int] = {}
    for group in strong_components(call_graph(flow.program, flow.callees)):
        for name in group:
            edges = functions[name].edges
            inner = (
                sizes.get(callee, 0)
                for edge in edges
                if isinstance(edge.op, Call)
                for callee in flow.callees(edge)
            )
            own = _steps(flow, functions[name])
            sizes[name] = own + sum(size if size <= most else 1 for size in inner)
    return sizes


def _steps(flow: ControlFlow, function: Function) -> int:
    """How many edges a function has that are not left out."""
    if isinstance(flow, LocalizedFlow):
        return sum(map(len, flow.silent_steps(function.name).graph().values()))
    return len(function.edges)
