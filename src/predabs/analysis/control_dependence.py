"""Control dependence [FOW87]: which branches decide whether a location is reached.

A location is controlled by another if one branch out of that leads here for certain and another may
not. A run can also end where it is: at a `Halt`, at an assumption that stands alone, and in a call
that may not return; each of these controls what follows it. That a loop may go on for ever is not
taken into account, unless there is no exit from it, or none but to an error: then an edge from
the loop to the end of all runs is added.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence

from ..ir.cfa import Edge, Function, Location
from ..ir.ops import Assume, Call, Error
from ..ir.order import dominators, location_graph, strong_components, weak_order


def controllers(
    function: Function, may_end: Callable[[Edge], bool]
) -> dict[Location, frozenset[Location]]:
    """For each location of a function, those that directly control it.

    `may_end` says of a call whether it may not return.
    """
    end = Location(function.name, -1)  # a virtual location where all runs end
    successors_of = {
        location: [*successors] for location, successors in location_graph(function).items()
    }
    successors_of[end] = []
    for location, edges in function.outgoing.items():
        if not edges or blocks(edges) or any(_is_call(edge) and may_end(edge) for edge in edges):
            successors_of[location].append(end)
    errors = {edge.src for edge in function.edges if isinstance(edge.op, Error)}
    back = _reversed(successors_of)
    if errors or len(_leading_to([end], back)) < len(successors_of):
        _open_endless_loops(successors_of, end, errors)
        back = _reversed(successors_of)
    after = dominators(back, end)  # of the reversed graph: what surely comes after
    found: dict[Location, set[Location]] = {}
    for location, successors in successors_of.items():
        if len(set(successors)) < 2:
            continue
        for successor in successors:
            step = successor
            while step is not end and step is not after[location]:
                found.setdefault(step, set()).add(location)
                step = after[step]
    return {location: frozenset(by) for location, by in found.items()}


def blocks(edges: tuple[Edge, ...]) -> bool:
    """Is this an assumption that ends the runs for which it does not hold?"""
    return len(edges) == 1 and isinstance(edges[0].op, Assume)


def endless_loops(function: Function) -> tuple[Location, ...]:
    """One location of each loop that no edge leaves."""
    successors_of = location_graph(function)
    sinks = [location for location, successors in successors_of.items() if not successors]
    if len(_leading_to(sinks, _reversed(successors_of))) == len(successors_of):
        return ()  # as in most functions
    return tuple(
        component[0]
        for component in strong_components(successors_of)
        if successors_of[component[0]] and _is_closed(component, successors_of)
    )


def loop_exits(function: Function) -> frozenset[Location]:
    """The locations of loops that an edge leaves to the outside of a loop around them."""
    successors_of = location_graph(function)
    order = weak_order(successors_of, function.entry)
    position = {location: number for number, location in enumerate(order.order)}

    def leaves(location: Location) -> bool:
        heads = [location] if location in order.ends else []
        here = location
        while here in order.around:
            here = order.around[here]
            heads.append(here)
        return any(
            not position[head] <= position[target] < order.ends[head]
            for head in heads
            for target in successors_of[location]
        )

    return frozenset(location for location in order.order if leaves(location))


def _reversed(
    successors_of: Mapping[Location, Sequence[Location]],
) -> dict[Location, list[Location]]:
    back: dict[Location, list[Location]] = {location: [] for location in successors_of}
    for location, successors in successors_of.items():
        for successor in successors:
            back[successor].append(location)
    return back


def _leading_to(
    ends: Sequence[Location], back: Mapping[Location, Sequence[Location]]
) -> set[Location]:
    """The locations from which one of these can be reached."""
    found, todo = set(ends), list(ends)
    while todo:
        for location in back[todo.pop()]:
            if location not in found:
                found.add(location)
                todo.append(location)
    return found


def _is_call(edge: Edge) -> bool:
    return isinstance(edge.op, Call)


def _open_endless_loops(
    successors_of: dict[Location, list[Location]], end: Location, errors: Collection[Location]
) -> None:
    """Let every location reach the end: from one location of each loop that is left for
    errors only, if at all. (A loop that was taken to end at an error would always come to it.)

    Components come after those that they lead to, so whether one leads to the end is known.
    """
    ending = {end}
    for component in strong_components(successors_of):
        if component[0] in errors or component[0] is end:
            continue
        if not any(target in ending for here in component for target in successors_of[here]):
            inside = set(component)
            if inside.isdisjoint(successors_of[component[0]]):
                continue
            successors_of[component[0]].append(end)
        ending.update(component)


def _is_closed(
    component: Sequence[Location], successors_of: Mapping[Location, Sequence[Location]]
) -> bool:
    inside = set(component)
    return all(target in inside for here in component for target in successors_of[here])
