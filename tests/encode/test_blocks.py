"""Blocks: their shape, and their formulas against runs."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from predabs.encode import blocks as module
from predabs.encode.blocks import Block, Exit
from predabs.encode.encoding import BitVectorEncoding, Encoding
from predabs.encode.environment import Environment
from predabs.encode.initial_states import initial_environment
from predabs.encode.integer_encoding import IntegerEncoding, NeedsBitVectors
from predabs.errors import InternalError, ResourceExhausted
from predabs.ir import make
from predabs.ir.configuration import Configuration, TransitionKind
from predabs.ir.expr import Expr
from predabs.ir.types import IntType
from predabs.smt.evaluate import TermEvaluator
from predabs.smt.solver import Answer, Sat, Statistics, Unsat
from predabs.smt.solvers import create
from predabs.smt.term import Term, postorder
from support.counted_time import PLENTY
from support.lazy_random import random_program
from support.lazy_runs import Visit, visits
from support.lazy_setup import Parts


def holding(parts: Parts, visit: Visit, environment: Environment) -> list[Term]:
    """That the variables hold what was seen."""
    terms = []
    for expr, value in visit.values:
        assert isinstance(expr.type, IntType)
        assert isinstance(value, int)
        is_it = make.equal(expr, make.const(value, expr.type))
        terms.append(parts.formulas.encoder(environment).condition(is_it))
    return terms


def exit_to(block: Block, target: Configuration | None) -> Exit:
    """The exit to a control point; None: to an error."""
    found = [e for e in block.exits if e.target is target and e.kind is not TransitionKind.LIMIT]
    (exit_,) = found
    return exit_


def ask(parts: Parts, exit_: Exit, before: Visit, after: Visit | None) -> Answer:
    """Does the formula allow the step from one visit to the next?"""
    solver = create("z3", Statistics())  # which knows arrays that hold zeros
    terms = [exit_.formula, *holding(parts, before, exit_.block.before)]
    if after is not None:
        terms += holding(parts, after, exit_.environment)
    solver.add(parts.formulas.closed(*terms))
    return solver.check(timeout=PLENTY)


def first_block(parts: Parts) -> Block:
    start, _ = initial_environment(parts.formulas)
    return parts.blocks.make(parts.flow.entry, start)


def hold_against_runs(parts: Parts, seeds: range) -> int:
    """Check the steps of runs; gives how many there were."""
    checked = 0
    root = first_block(parts)
    for seed in seeds:
        run = visits(parts, seed)
        steps: list[tuple[Visit, Visit | None]] = list(
            zip(run.visits, run.visits[1:], strict=False)
        )
        if run.error is not None:
            steps.append((run.visits[-1], None))
        seen = set()
        for number, (before, after) in enumerate(steps):
            if number and (before, after) in seen:
                continue
            seen.add((before, after))
            block = parts.blocks.at(before.configuration) if number else root
            exit_ = exit_to(block, None if after is None else after.configuration)
            answer = ask(parts, exit_, before, after)
            assert isinstance(answer, Sat), (seed, number, before.configuration)
            follow(block, exit_, answer)
            checked += 1
    return checked


def follow(block: Block, exit_: Exit, answer: Sat) -> None:
    """The path that a model takes leads from the start of the block to the exit."""
    here: Configuration | None = block.start
    transitions = block.path(exit_, TermEvaluator(answer.model).holds)
    for transition in transitions:
        assert transition.src is here
        here = transition.dst
    assert here is exit_.target
    assert transitions[-1].kind is exit_.kind


@given(st.integers(0, 10_000), st.sampled_from(["loop", "basic", "edge"]), st.booleans())
@settings(max_examples=12)
def test_runs_satisfy_the_formulas(seed: int, size: str, vectors: bool) -> None:
    text = random_program(seed, heap=seed % 2 == 0, bits=vectors)
    encoding: Encoding = BitVectorEncoding() if vectors else IntegerEncoding()
    try:
        hold_against_runs(Parts(text, size, encoding, intervals=True), range(3))
    except NeedsBitVectors:
        hold_against_runs(Parts(text, size, BitVectorEncoding(), intervals=True), range(3))


def test_many_steps_are_held_against_runs() -> None:
    texts = [random_program(seed, memory=seed % 2 == 0, size=8) for seed in range(4)]
    assert sum(hold_against_runs(Parts(text, "basic"), range(4)) for text in texts) > 40


# --- exactness ------------------------------------------------------------------------------------

# what is false of each function when it has returned, whatever it was called with
NOT_SO = {
    "a value that no branch gives": (
        "int f(int n) { int r; if (n > 0) r = 1; else if (n < -5) r = 2; else r = 3; return r; }",
        "f(x) > 3",
    ),
    "branches that exclude each other": (
        """int f(int n) { int r = 0; if (n > 3) r += 1; else r += 2;
        if (n > 3) r += 10; else r += 20; return r; }""",
        "f(x) == 12 || f(y) == 21",
    ),
    "another function's variables": (
        "int g(int n) { int r = n + 1; return r; } int f(int n) { int r = n; g(7); return r; }",
        "f(x) != x",
    ),
    "a pointer to a function": (
        """int up(int n) { return n + 1; } int down(int n) { return n - 1; }
        int f(int n) { int (*p)(int) = n > 0 ? up : down; return p(5); }""",
        "f(x) == (x > 0 ? 4 : 6)",
    ),
    "a variable that only the caller reads": (
        "int f(int n) { if (n) y = 1; else y = 2; return 0; }",
        "f(x) || y > 2 || (x && y == 2)",
    ),
}


@pytest.mark.parametrize("name", NOT_SO)
@pytest.mark.parametrize("vectors", [False, True])
def test_no_more_than_runs(name: str, vectors: bool) -> None:
    """The whole program is one block, and its error cannot be reached."""
    functions, wrong = NOT_SO[name]
    text = f"""int x, y; {functions}
    int main(void) {{ x = __VERIFIER_nondet_int(); y = __VERIFIER_nondet_int();
      if ({wrong}) reach_error(); return 0; }}"""
    parts = Parts(text, "loop", BitVectorEncoding() if vectors else IntegerEncoding())
    for exit_ in first_block(parts).exits:
        solver = parts.solver.fresh()
        solver.add(exit_.formula)
        assert isinstance(solver.check(), Unsat)


def test_an_uninitialised_variable_is_new_in_each_call() -> None:
    parts = Parts(
        """int f(int set) { int n; if (set) n = 5; return n; }
        int main(void) { f(1); if (f(0) == 4) reach_error(); return 0; }"""
    )
    solver = parts.solver.fresh()
    solver.add(exit_to(first_block(parts), None).formula)
    assert isinstance(solver.check(), Sat)


def test_dead_storage_is_forgotten_where_branches_meet() -> None:
    parts = Parts(
        """int x; int main(void) { int n = 0, m = 0, d = 0;
        if (__VERIFIER_nondet_int()) { n = 1; m = 1; d = 1; }
        L: x = n + m; if (x) goto L; d = 3; return d + n; }"""
    )
    (exit_,) = first_block(parts).exits
    assert exit_.target is parts.at("L")
    n, m, d = map(parts.var, "nmd")
    assert parts.blocks.is_dead(parts.at("L"), d)
    assert not parts.blocks.is_dead(parts.at("L"), n)
    assert allows(parts, exit_, make.not_equal(n, d))
    assert not allows(parts, exit_, make.not_equal(n, m))


def test_a_global_is_not_dead_while_a_caller_may_read_it() -> None:
    parts = Parts(
        """int x; void f(void) { x = 1; L: if (__VERIFIER_nondet_int()) goto L; }
        int main(void) { int n = 4; f(); return x + n; }"""
    )
    (exit_,) = first_block(parts).exits
    assert exit_.target is not None
    assert not parts.blocks.is_dead(exit_.target, parts.var("x"))
    assert not parts.blocks.is_dead(exit_.target, parts.var("n"))
    (after,) = [e for e in parts.blocks.at(exit_.target).exits if e.target is exit_.target]
    assert parts.var("n") not in after.environment.changed


def allows(parts: Parts, exit_: Exit, after: Expr) -> bool:
    solver = parts.solver.fresh()
    term = parts.formulas.encoder(exit_.environment).condition(after)
    solver.add(parts.formulas.closed(exit_.formula, term))
    return isinstance(solver.check(), Sat)


# --- shape ----------------------------------------------------------------------------------------


def test_a_block_comes_back_to_where_it_starts() -> None:
    parts = Parts(
        """int x; int main(void) { L: x = x + 1; if (x < 9) goto L; if (x < 0) reach_error();
        return 0; }"""
    )
    block = parts.blocks.at(parts.at("L"))
    assert [(exit_.target, exit_.kind) for exit_ in block.exits] == [
        (parts.at("L"), TransitionKind.STEP),
        (None, TransitionKind.ERROR),
    ]
    assert all(exit_.block is block for exit_ in block.exits)


def test_all_errors_are_one_exit_and_all_limits_another() -> None:
    parts = Parts(
        """int g(int); int f(int n) { if (n < 0) reach_error(); return n ? f(n - 1) : g(n); }
        int g(int n) { if (n < 3) reach_error(); return f(n); }
        int main(void) { int n = __VERIFIER_nondet_int(); if (n == 7) reach_error(); return f(n); }
        """
    )
    block = first_block(parts)
    assert sorted(exit_.kind.value for exit_ in block.exits) == ["error", "limit"]
    assert len(block.arrivals[TransitionKind.ERROR]) == 3
    assert {
        arrival.transition.text
        for arrival in block.arrivals[TransitionKind.LIMIT]
        if arrival.transition
    } == {"a recursive call of f"}


def test_a_block_is_made_once() -> None:
    parts = Parts("int x; int main(void) { L: if (x++ < 3) goto L; return 0; }")
    assert parts.blocks.at(parts.at("L")) is parts.blocks.at(parts.at("L"))


def test_a_control_point_with_other_calls_has_a_block_of_its_own() -> None:
    parts = Parts(
        """int x; void f(void) { L: if (x++ < 3) goto L; }
        int main(void) { f(); f(); return 0; }"""
    )
    (exit_,) = first_block(parts).exits
    assert exit_.target is not None
    inner = parts.blocks.at(exit_.target)
    targets = {found.target for found in inner.exits}
    assert exit_.target in targets
    (other,) = targets - {exit_.target}
    assert other is not None
    assert other.location is exit_.target.location
    assert other.calls != exit_.target.calls


def test_entry_symbols_are_what_the_block_reads() -> None:
    parts = Parts(
        """int x, y, z; int main(void) {
        L: y = x + 1; if (__VERIFIER_nondet_int()) goto L; return z; }"""
    )
    (exit_,) = parts.blocks.at(parts.at("L")).exits
    assert set(exit_.entry.values()) == {parts.var("x")}
    assert parts.var("y") in exit_.environment.changed
    assert parts.var("z") not in exit_.environment.changed
    assert not set(exit_.inner) & set(exit_.entry)


def test_a_move_that_cannot_be_taken_has_no_exit() -> None:
    parts = Parts("int main(void) { int n = 3; if (n == 4) reach_error(); return 0; }")
    assert first_block(parts).exits == ()


def test_a_block_grows_with_its_transitions_not_with_its_paths() -> None:
    sizes = []
    for count in (8, 16, 32):
        tests = "".join(f"if (x > {k}) f({k}); else x -= n;" for k in range(count))
        parts = Parts(
            f"""int x, n; void f(int k) {{ if (k > n) x += k; else n--; }}
            int main(void) {{ L: {tests} if (x < 0) reach_error(); goto L; }}"""
        )
        block = parts.blocks.at(parts.at("L"))
        sizes.append(sum(1 for _ in postorder([exit_.formula for exit_ in block.exits])))
    assert sizes[2] - sizes[1] == pytest.approx(2 * (sizes[1] - sizes[0]), rel=0.1)


def test_a_block_that_is_too_large_is_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_TRANSITIONS", 4)
    parts = Parts("int main(void) { int n = 1; n = 2; n = 3; n = 4; n = 5; return n; }")
    with pytest.raises(ResourceExhausted, match="more than 4 transitions"):
        first_block(parts)


def test_a_cycle_that_is_not_cut_is_a_bug() -> None:
    parts = Parts("int main(void) { for (;;) ; }", is_cut_point=lambda configuration: False)
    with pytest.raises(InternalError, match="has a cycle"):
        first_block(parts)
