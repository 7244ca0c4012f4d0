"""Silent steps: what the contraction of a function has left."""

from __future__ import annotations

from itertools import pairwise

from predabs.analysis.silent_steps import SilentSteps
from predabs.ir.cfa import Edge, Function
from predabs.ir.ops import Assume, Halt, Return
from predabs.ir.walk import variables
from support.c_programs import program_of_c


def main_of(body: str) -> Function:
    text = f"int x, y, z; int main(void) {{ {body} return 0; }}"
    return program_of_c(text).functions["main"]


def silent(edge: Edge) -> bool:
    """All that does not speak of x."""
    match edge.op:
        case Return() | Halt():
            return False
        case Assume(cond):
            return all(var.name != "x" for var in variables(cond))
    return "name='x'" not in str(edge.op)


def contracted(body: str, loops: bool = True) -> tuple[int, int]:
    """How many locations and steps are left."""
    graph = SilentSteps(main_of(body), silent, loops).graph()
    reached, todo = set(), [main_of(body).entry]
    while todo:
        here = todo.pop()
        if here not in reached:
            reached.add(here)
            todo += graph[here]
    return len(reached), sum(len(graph[here]) for here in reached)


def test_what_is_left_of_branches_and_loops() -> None:
    assert contracted("x = 1; if (y) z = 2; else z = 3; x = 2;") == (3, 2)
    assert contracted("x = 1; while (y < 9) { if (z) y++; else y += 2; } x = 2;") == (3, 2)


def test_a_branch_that_decides_what_happens_is_left() -> None:
    locations, steps = contracted("if (y) x = 1; else x = 2; x = 3;")
    assert steps > locations - 1


def test_a_loop_with_a_loud_step_is_one_location() -> None:
    function = main_of("while (y) { y--; if (z) { x = 1; } } x = 2;")
    found = SilentSteps(function, silent)
    first = next(edge for edge in function.edges if "name='x'" in str(edge.op))
    head = found.next(first.dst)
    assert head is not None
    assert found.is_loop(head)
    loud = [edge for here in found.together(head) for edge in found.loud(here)]
    assert loud == [first] or first.src not in found.together(head)
    assert found.onward(head)  # on to x = 2


def test_where_nothing_happens_any_more() -> None:
    function = main_of("x = 1; if (y) while (1) z = 1; x = 2;")
    found = SilentSteps(function, silent)
    endless = [edge.dst for edge in function.edges if "name='z'" in str(edge.op)]
    assert endless
    assert all(found.next(location) is None for location in endless)


def test_loops_can_be_kept() -> None:
    body = "x = 1; while (y < 9) y++; x = 2;"
    assert contracted(body, loops=False) > contracted(body)


def test_a_way_is_made_of_silent_steps_from_one_location_to_the_other() -> None:
    function = main_of("y = 1; while (y < 9) { if (z) y++; else y += 2; } x = 2;")
    found = SilentSteps(function, silent)
    target = next(edge.src for edge in function.edges if "name='x'" in str(edge.op))
    way = found.way(function.entry, target)
    assert way[0].src is function.entry
    assert way[-1].dst is target
    assert all(one.dst is other.src for one, other in pairwise(way))
    assert all(map(silent, way))
    assert found.way(target, target) == []
