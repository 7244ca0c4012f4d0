"""Control dependence: loops without a way out, and which branches decide, in random graphs."""

from __future__ import annotations

from random import Random

import pytest

from predabs.analysis.control_dependence import controllers, endless_loops
from predabs.ir.cfa import Coord, Edge, Function, Location
from predabs.ir.ops import Error, ErrorKind, Operation, Skip
from predabs.ir.types import VOID, FunctionType

HERE = Coord("f.c", 1, 1)
SIZE = 7


def function_of(steps: list[tuple[int, int]], errors: frozenset[int] = frozenset()) -> Function:
    """A function whose locations are numbers; 0 is its entry, the last its exit. An error has one
    edge, to the exit."""

    def at(number: int) -> Location:
        return Location("f", number)

    def op(source: int) -> Operation:
        return Error(ErrorKind.ASSERTION, "x") if source in errors else Skip()

    steps = [step for step in steps if step[0] not in errors]
    steps += [(source, SIZE - 1) for source in errors]
    edges = tuple(Edge(at(source), op(source), at(target), HERE) for source, target in steps)
    type_ = FunctionType(VOID, (), False)
    return Function("f", type_, (), (), at(0), at(SIZE - 1), edges, HERE)


def random_steps(random: Random) -> list[tuple[int, int]]:
    count = random.randrange(1, 12)
    return [(random.randrange(SIZE - 1), random.randrange(SIZE)) for _ in range(count)]


def reached(function: Function, start: Location) -> set[Location]:
    """What can be reached in one step or more."""
    found: set[Location] = set()
    todo = [start]
    while todo:
        for edge in function.outgoing[todo.pop()]:
            if edge.dst not in found:
                found.add(edge.dst)
                todo.append(edge.dst)
    return found


@pytest.mark.parametrize("seed", range(200))
def test_endless_loops_are_those_that_no_edge_leaves(seed: int) -> None:
    function = function_of(random_steps(Random(seed)))
    closed = {
        location
        for location in function.locations
        if (after := reached(function, location))
        and all(location in reached(function, other) for other in after)
    }
    found = endless_loops(function)
    assert set(found) <= closed
    for location in closed:  # one location of each
        assert len([other for other in found if other in reached(function, location)]) == 1


@pytest.mark.parametrize("seed", range(200))
def test_a_controller_has_a_branch_that_may_miss_what_it_controls(seed: int) -> None:
    random = Random(seed)
    errors = frozenset({random.randrange(SIZE - 1)} if random.random() < 0.3 else ())
    function = function_of(random_steps(random), errors)
    for location, deciding in controllers(function, lambda edge: False).items():
        for controller in deciding:
            assert location in reached(function, controller)
            leaving = function.outgoing[controller]
            assert len(leaving) > 1 or controller in reached(function, controller)


def test_only_a_branch_controls() -> None:
    """0 -> 1 -> (2 | 3) -> 4 -> exit"""
    function = function_of([(0, 1), (1, 2), (1, 3), (2, 4), (3, 4), (4, SIZE - 1)])
    branch = Location("f", 1)
    assert controllers(function, lambda edge: False) == {
        Location("f", 2): frozenset({branch}),
        Location("f", 3): frozenset({branch}),
    }
    assert endless_loops(function) == ()


def test_a_loop_without_a_way_out_is_opened() -> None:
    """0 -> (1 <-> 2 | 3 -> exit): whether 3 comes is for 0 to decide."""
    function = function_of([(0, 1), (1, 2), (2, 1), (0, 3), (3, SIZE - 1)])
    found = controllers(function, lambda edge: False)
    assert Location("f", 0) in found[Location("f", 3)]
    assert len(endless_loops(function)) == 1
