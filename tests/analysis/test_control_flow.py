"""Transitions between configurations: locations with their call stacks."""

from __future__ import annotations

import pytest

from predabs.analysis.control_flow import ControlFlow
from predabs.analysis.points_to.sets import points_to
from predabs.concrete.inputs import ZeroInputs
from predabs.concrete.interpreter import execute
from predabs.concrete.outcome import RunFault
from predabs.ir.cfa import Program
from predabs.ir.configuration import CallStack, Configuration, Transition, TransitionKind
from predabs.ir.expr import Var
from predabs.ir.ops import Assign, Assume, Call, Havoc, Source
from predabs.ir.show import show_expr
from support.c_programs import program_of_c
from support.lazy_setup import reachable


def flow_of(text: str) -> ControlFlow:
    program = program_of_c(text)
    return ControlFlow(program, points_to(program))


def all_moves(flow: ControlFlow) -> list[Transition]:
    return [transition for transitions in reachable(flow).values() for transition in transitions]


def calls(flow: ControlFlow) -> list[Transition]:
    return [transition for transition in all_moves(flow) if isinstance(transition.edge.op, Call)]


def shown(transition: Transition) -> list[str]:
    """The operations of a transition, as text."""
    found = []
    for op in transition.ops:
        match op:
            case Assign(target, value):
                found.append(f"{show_expr(target)} = {show_expr(value)}")
            case Assume(cond):
                found.append(f"[{show_expr(cond)}]")
            case Havoc(target, source, _):
                found.append(f"{show_expr(target)} = {source.value}")
            case _:
                found.append(type(op).__name__)
    return found


# --- stacks ---------------------------------------------------------------------------------------


def two_calls() -> tuple[Program, list[Configuration]]:
    text = "int f(void) { return 1; } int main(void) { f(); f(); return 0; }"
    flow = flow_of(text)
    return flow.program, [
        configuration for configuration in reachable(flow) if configuration.stack is not None
    ]


def test_a_control_point_is_a_location_and_its_calls() -> None:
    program, inside = two_calls()
    entries = [
        configuration
        for configuration in inside
        if configuration.location is program.functions["f"].entry
    ]
    assert len(entries) == 2
    one, two = entries
    assert one.location is two.location
    assert one is not two
    assert (
        {len(configuration.calls) for configuration in entries}
        == {1}
        == {configuration.depth for configuration in entries}
    )


def test_control_points_are_interned() -> None:
    _, inside = two_calls()
    for configuration in inside:
        assert configuration.stack is not None
        assert (
            Configuration(configuration.location, CallStack(configuration.stack.call, None))
            is configuration
        )


def test_calls_are_told_from_the_outermost_on() -> None:
    flow = flow_of(
        "int g(void) { return 2; } int f(void) { return g(); } int main(void) { return f(); }"
    )
    (deep,) = {configuration for configuration in reachable(flow) if configuration.depth == 2}
    assert [call.src.function for call in deep.calls] == ["main", "f"]
    assert str(deep).split(" > ")[-1] == str(deep.location)
    assert [name for name in ("main", "f", "g", "h") if deep.active(name)] == ["main", "f", "g"]
    assert not flow.entry.active("f")


# --- transitions ----------------------------------------------------------------------------------


def test_a_call_binds_and_a_return_assigns() -> None:
    flow = flow_of(
        "int x; int f(int a, int b) { return a + b; } int main(void) { x = f(x, 3); return x; }"
    )
    (call,) = calls(flow)
    assert shown(call) == ["a = x", "b = 3"]
    assert call.kind is TransitionKind.STEP
    assert call.dst is not None
    assert call.dst.location is flow.program.functions["f"].entry
    returns = [
        transition for transition in all_moves(flow) if transition.src.location.function == "f"
    ]
    (back,) = [
        transition for transition in returns if transition.dst and transition.dst.stack is None
    ]
    assert shown(back)[-1].endswith("= a + b")
    assert back.dst is Configuration(call.edge.dst, None)


def test_each_call_returns_to_its_own_place() -> None:
    program, inside = two_calls()
    flow = ControlFlow(program, points_to(program))
    ends = set()
    for configuration in inside:
        for transition in flow.transitions(configuration):
            if transition.dst is not None and transition.dst.stack is None:
                assert configuration.stack is not None
                assert transition.dst.location is configuration.stack.call.dst
                ends.add(transition.dst)
    assert len(ends) == 2


def test_the_result_that_nobody_wants_is_dropped() -> None:
    flow = flow_of("int f(void) { return 7; } int main(void) { f(); return 0; }")
    back = [m for m in all_moves(flow) if m.src.stack is not None and m.dst and m.dst.depth == 0]
    assert [shown(transition) for transition in back] == [[]]


def test_a_missing_result_is_anything() -> None:
    flow = flow_of("int f(int a) { if (a) return 7; } int main(void) { int x = f(1); return x; }")
    texts = [
        shown(transition)
        for transition in all_moves(flow)
        if transition.src.stack is not None and transition.ops
    ]
    assert any(text[-1].endswith("= 7") for text in texts)
    assert any(text[-1].endswith("= uninitialized") for text in texts)


def test_missing_arguments_are_anything_and_further_ones_are_dropped() -> None:
    flow = flow_of(
        """int f(int a, int b) { return b; }
        int main(void) { int (*p)() = (int (*)())f; return p(1) + p(1, 2, 3); }"""
    )
    assert sorted(shown(transition)[1:] for transition in calls(flow)) == [
        ["a = 1", "b = 2"],
        ["a = 1", "b = uninitialized"],
    ]


def test_a_function_without_a_body_gives_anything() -> None:
    flow = flow_of("int f(int); void g(void); int main(void) { g(); int x = f(3); return x; }")
    unseen, seen = calls(flow)
    assert shown(unseen) == []
    ((havoc,)) = [op for op in seen.ops if isinstance(op, Havoc)]
    assert havoc.source is Source.EXTERN
    assert havoc.name == "f"
    assert seen.dst == Configuration(seen.edge.dst, None)


def test_the_entry_returns_to_nowhere_and_a_halt_goes_nowhere() -> None:
    flow = flow_of("void abort(void); int main(void) { if (__VERIFIER_nondet_int()) abort(); }")
    assert [
        transition for transition in all_moves(flow) if transition.kind is not TransitionKind.STEP
    ] == []
    last = [
        configuration for configuration, transitions in reachable(flow).items() if not transitions
    ]
    assert len(last) == 2


def test_an_error_says_what_it_is() -> None:
    flow = flow_of("int main(void) { reach_error(); return 0; }")
    (error,) = [
        transition for transition in all_moves(flow) if transition.kind is TransitionKind.ERROR
    ]
    assert error.dst is None
    assert "reach_error" in error.text


# --- pointers to functions ------------------------------------------------------------------------

TABLE = """
int x; int inc(int a) { return a + 1; } int dec(int a) { return a - 1; } int no(int);
int (*pick(int n))(int) { return n == 0 ? inc : n == 1 ? dec : no; }
int main(void) { int (*p)(int) = pick(__VERIFIER_nondet_int()); x = p(x); return 0; }
"""


def test_a_pointer_goes_to_all_its_targets_each_under_its_condition() -> None:
    flow = flow_of(TABLE)
    transitions = [
        transition for transition in calls(flow) if transition.src.location.function == "main"
    ]
    through = {
        shown(transition)[0]: transition
        for transition in transitions
        if shown(transition) and shown(transition)[0][0] == "["
    }
    assert sorted(through) == ["[p == dec]", "[p == inc]", "[p == no]"]
    into = {name: through[f"[p == {name}]"] for name in ("inc", "dec")}
    for name, transition in into.items():
        assert transition.dst is not None
        assert transition.dst.location is flow.program.functions[name].entry
        assert shown(transition)[1:] == ["a = x"]
    outside = through["[p == no]"]
    assert outside.dst == Configuration(outside.edge.dst, None)
    assert isinstance(outside.ops[1], Havoc)
    assert flow.callees(outside.edge) == ("dec", "inc")


def test_a_pointer_from_outside_may_go_anywhere() -> None:
    flow = flow_of(
        """int f(void) { return 1; } extern int (*given)(void); int (*known)(void) = f;
        int main(void) { int (*p)(void) = __VERIFIER_nondet_int() ? known : given;
          return p(); }"""
    )
    assert all(move.kind is not TransitionKind.LIMIT for move in all_moves(flow))
    (outside,) = [move for move in all_moves(flow) if "[p != f]" in shown(move)]
    assert outside.dst is not None and outside.dst.location is outside.edge.dst
    assert any(isinstance(op, Havoc) and op.source is Source.EXTERN for op in outside.ops)


def test_arguments_are_converted_when_a_pointer_has_another_type() -> None:
    flow = flow_of(
        """long f(long a) { return a; }
        int main(void) { int (*p)(int) = (int (*)(int))f; return p(-1); }"""
    )
    (call,) = calls(flow)
    (bound,) = [op for op in call.ops if isinstance(op, Assign)]
    assert isinstance(bound.target, Var)
    assert bound.value.type is bound.target.type


def test_a_call_that_does_not_fit_ends_the_run() -> None:
    flow = flow_of(
        """struct s { int a; }; int f(struct s r) { return r.a; }
        int main(void) { int (*p)(int) = (int (*)(int))f; return p(1); }"""
    )
    assert calls(flow) == []
    assert isinstance(execute(flow.program, ZeroInputs()), RunFault)


# --- recursion ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("int f(int n) { return n ? f(n - 1) : 0; } int main(void) { return f(3); }", "f"),
        (
            "int g(int); int f(int n) { return g(n); } int g(int n) { return n ? f(n) : 0; }"
            "int main(void) { return f(3); }",
            "f",
        ),
        ("int main(void) { return __VERIFIER_nondet_int() ? main() : 0; }", "main"),
    ],
)
def test_recursion_is_a_limit(text: str, name: str) -> None:
    flow = flow_of(text)
    (limit,) = [
        transition for transition in all_moves(flow) if transition.kind is TransitionKind.LIMIT
    ]
    assert limit.text == f"a recursive call of {name}"
    assert limit.dst is None
    assert not limit.ops


def test_recursion_through_a_pointer_is_a_limit_under_its_condition() -> None:
    flow = flow_of(
        """int (*p)(int); int g(int n) { return n; }
        int f(int n) { return n ? p(n - 1) : 0; }
        int main(void) { p = __VERIFIER_nondet_int() ? f : g; return f(3); }"""
    )
    (limit,) = [
        transition for transition in all_moves(flow) if transition.kind is TransitionKind.LIMIT
    ]
    assert shown(limit) == ["[p == f]"]


def test_a_function_may_be_called_again_when_it_has_returned() -> None:
    flow = flow_of("int f(int n) { return n; } int main(void) { return f(f(f(1))); }")
    assert {transition.kind for transition in calls(flow)} == {TransitionKind.STEP}
    assert len(calls(flow)) == 3


def test_moves_are_made_once() -> None:
    flow = flow_of("int main(void) { return 0; }")
    assert flow.transitions(flow.entry) is flow.transitions(flow.entry)
