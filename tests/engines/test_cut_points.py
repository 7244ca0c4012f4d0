"""Points of abstraction: every cycle of the control flow passes one."""

from __future__ import annotations

import pytest

from predabs.analysis.control_flow import ControlFlow
from predabs.analysis.points_to.sets import points_to
from predabs.engines import cut_points as module
from predabs.engines.cut_points import cut_points
from predabs.errors import UnsupportedFeature
from predabs.frontend.load import load
from predabs.ir.cfa import Program
from predabs.ir.configuration import Configuration
from predabs.ir.order import loop_heads
from support.annotated import programs
from support.c_programs import program_of_c
from support.lazy_setup import reachable

SIZES = ["edge", "basic", "loop"]
SHAPES = {
    "nested loops": "for (int i = 0; i < 3; i++) for (int j = 0; j < i; j++) while (u()) i++;",
    "a jump into a loop": "if (u()) goto in; while (u()) { u(); in: u(); }",
    "jumps back": "a: u(); if (u()) goto a; b: if (u()) goto a; if (u()) goto b;",
    "loops in calls": "while (u()) { f(3); g(f(2)); }",
    "an endless loop": "for (;;) ;",
    "a loop around a switch": "while (1) switch (u()) { case 1: continue; case 2: u(); default:; }",
    "no loop at all": "if (u()) f(1); else g(2);",
}
HEAD = """int u(void);
int f(int n) { int s = 0; for (int i = 0; i < n; i++) s += i; return s; }
int g(int n) { return f(n) + f(n + 1); }
"""


def flow_of(program: Program) -> ControlFlow:
    return ControlFlow(program, points_to(program))


def uncut_cycle(flow: ControlFlow, is_cut_point: object) -> set[Configuration]:
    """The control points of cycles without a point of abstraction, with what leads out of them."""
    assert callable(is_cut_point)
    graph = {
        here: {
            transition.dst
            for transition in transitions
            if transition.dst is not None and not is_cut_point(transition.dst)
        }
        for here, transitions in reachable(flow).items()
    }
    while leaves := {here for here, after in graph.items() if not after}:
        graph = {here: after - leaves for here, after in graph.items() if here not in leaves}
    return set(graph)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", SHAPES)
def test_cycles_are_cut(name: str, size: str) -> None:
    flow = flow_of(program_of_c(f"{HEAD} int main(void) {{ {SHAPES[name]} return 0; }}"))
    assert not uncut_cycle(flow, cut_points(flow, size))


def test_the_check_finds_cycles() -> None:
    flow = flow_of(program_of_c(f"{HEAD} int main(void) {{ while (u()) ; f(3); return 0; }}"))
    assert uncut_cycle(flow, lambda configuration: configuration.location.function == "main")
    assert uncut_cycle(flow, lambda configuration: configuration.location.function == "f")


def test_cycles_of_whole_programs_are_cut() -> None:
    checked = 0
    for item in programs("verdicts"):
        program = load(item.files)
        flow = flow_of(program)
        try:
            if len(reachable(flow)) > 20_000:
                continue
        except UnsupportedFeature:
            continue
        for size in SIZES:
            assert not uncut_cycle(flow, cut_points(flow, size)), (item.name, size)
        checked += 1
    assert checked > 50


def test_every_location_is_a_point_of_abstraction() -> None:
    flow = flow_of(program_of_c(f"{HEAD} int main(void) {{ while (u()) g(3); return 0; }}"))
    assert all(map(cut_points(flow, "edge"), reachable(flow)))


def test_loop_heads_only() -> None:
    flow = flow_of(program_of_c(f"{HEAD} int main(void) {{ while (u()) g(3); return 0; }}"))
    is_cut_point = cut_points(flow, "loop")
    functions = flow.program.functions
    heads = {head for name in ("main", "f", "g") for head in loop_heads(functions[name])}
    found = {
        configuration.location for configuration in reachable(flow) if is_cut_point(configuration)
    }
    assert found == heads
    assert len(heads) == 2


def test_basic_blocks_end_at_branches_and_joins() -> None:
    flow = flow_of(
        program_of_c(
            """int x;
            int main(void) { x = 1; x = 2; x = 3; if (x) { x = 4; x = 5; } x = 6; x = 7; return 0; }
            """
        )
    )
    main = flow.program.functions["main"]
    is_cut_point = cut_points(flow, "basic")
    found = [place for place in main.locations if is_cut_point(Configuration(place, None))]
    (branch,) = [place for place in found if len(main.outgoing[place]) > 1]
    (join,) = [place for place in found if len(main.incoming[place]) > 1]
    sides = {edge.dst for edge in main.outgoing[branch]}
    assert set(found) == {main.entry, branch, join, *sides}


def test_a_small_function_is_one_instruction_of_a_basic_block() -> None:
    flow = flow_of(
        program_of_c(
            """int x; void set(int n) { if (n) x = n; else x = 1; }
            int twice(int n) { set(n); return n + n; }
            int main(void) { set(3); x = twice(x); return 0; }"""
        )
    )
    is_cut_point = cut_points(flow, "basic")
    inside = {
        configuration.location.function
        for configuration in reachable(flow)
        if is_cut_point(configuration)
    }
    assert inside == {"main", "twice"}  # a function that calls is no instruction


def test_a_large_call_is_a_block_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    body = "".join(f"x += {k};" for k in range(30))
    flow = flow_of(
        program_of_c(
            f"""int x; void large(void) {{ {body} }} void small(void) {{ x = 0; }}
            void around(void) {{ large(); }}
            int main(void) {{ small(); around(); return 0; }}"""
        )
    )

    def found() -> list[str]:
        is_cut_point = cut_points(flow, "loop")
        return sorted(
            str(configuration) for configuration in reachable(flow) if is_cut_point(configuration)
        )

    assert found() == []
    monkeypatch.setattr(module, "_MOST_EDGES", 20)
    functions = flow.program.functions
    entry = str(functions["large"].entry)
    points = found()
    assert [place for place in points if place.endswith(entry)]
    assert not [place for place in points if place.endswith(str(functions["small"].entry))]
    assert not [place for place in points if place.endswith(str(functions["around"].entry))]
    assert len(points) == 2  # the beginning of the large function, and what follows its call


def test_many_calls_do_not_make_one_block(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each call is small, but all of them together are not."""
    monkeypatch.setattr(module, "_LARGEST_BLOCK", 200)
    monkeypatch.setattr(module, "_FEWEST_EDGES", 4)
    body = "".join(f"x += {k};" for k in range(15))
    functions = "".join(f"void f{k}(void) {{ {body} }} " for k in range(30))
    calls = "".join(f"f{k}();" for k in range(30))
    flow = flow_of(program_of_c(f"int x; {functions} int main(void) {{ {calls} return 0; }}"))
    is_cut_point = cut_points(flow, "loop")
    longest, uncut = 0, 0
    here = flow.entry
    while moves := [move.dst for move in flow.transitions(here) if move.dst is not None]:
        (here,) = moves
        uncut = 0 if is_cut_point(here) else uncut + 1
        longest = max(longest, uncut)
    assert 10 < longest < 60
