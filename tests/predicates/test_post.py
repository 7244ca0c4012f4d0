"""Images of regions: against runs, against all states of small programs, and what is asked."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise, product
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from predabs.bdd import Function
from predabs.encode.blocks import Exit
from predabs.encode.encoding import BitVectorEncoding
from predabs.encode.initial_states import initial_environment
from predabs.encode.integer_encoding import NeedsBitVectors
from predabs.ir import make
from predabs.ir.configuration import TransitionKind
from predabs.ir.expr import Const, Expr
from predabs.ir.types import INT, IntType
from predabs.predicates import post as module
from predabs.predicates.post import AbstractPost
from predabs.smt.solver import Sat, Unknown, Unsat
from support.c_programs import program_of_c
from support.lazy_paths import Forgetful
from support.lazy_random import random_program
from support.lazy_runs import Visit, visits
from support.lazy_setup import Parts, equals

# --- runs -----------------------------------------------------------------------------------------

Test = tuple[Expr, Callable[[Visit], bool]]


def random_tests(visit: Visit, random: Random, count: int) -> list[Test]:
    """Random predicates over what was observed, and how to see whether they hold."""
    places = [expr for expr, _ in visit.values]
    found: list[Test] = []
    for _ in range(count):
        left = random.choice(places)
        assert isinstance(left.type, IntType)
        others = [expr for expr in places if expr.type is left.type]
        right: Expr = random.choice(others)
        if random.random() < 0.5:
            right = make.const(random.randint(0, 4), left.type)
        found.append(comparison(random.choice(["==", "<", "<="]), left, right))
    return found


def comparison(sign: str, left: Expr, right: Expr) -> Test:
    made = {"==": make.equal, "<": make.less, "<=": make.less_equal}[sign](left, right)

    def value(visit: Visit, expr: Expr) -> int:
        found = expr.value if isinstance(expr, Const) else visit.value(expr)
        assert isinstance(found, int)
        return found

    def holds(visit: Visit) -> bool:
        one, two = value(visit, left), value(visit, right)
        return {"==": one == two, "<": one < two, "<=": one <= two}[sign]

    return made, holds


def common(one: Visit, two: Visit) -> tuple[Visit, Visit]:
    """What was observed at both."""
    known = dict(one.values).keys() & dict(two.values).keys()
    first, second = (
        Visit(visit.configuration, tuple(item for item in visit.values if item[0] in known))
        for visit in (one, two)
    )
    return first, second


def check_step(parts: Parts, before: Visit, after: Visit, random: Random) -> bool:
    one, two = common(before, after)
    if not one.values:
        return False
    tests = random_tests(one, random, 5)
    numbers = [parts.predicates.number(predicate) for predicate, _ in tests]
    known = {n: holds for n, (_, holds) in zip(numbers, tests, strict=True) if n is not None}
    positive = {n: parts.predicates.expr(n) for n in known}
    start = {n: holds(one) for n, holds in known.items()}
    end = {n: holds(two) for n, holds in known.items()}
    for (predicate, _), n in zip(tests, numbers, strict=True):
        # the number may stand for an earlier one that is its negation
        if n is not None and positive[n] is not predicate:
            return False
    block = parts.blocks.at(before.configuration)
    (exit_,) = [e for e in block.exits if e.target is after.configuration]
    manager = parts.manager
    for width in (5, 2):
        region = manager.cube(dict(list(start.items())[:width]))
        for wanted in (frozenset(known), frozenset(list(known)[1:3])):
            image = parts.post.image(exit_, region, wanted)
            assert manager.support(image) <= wanted
            assert (image & manager.cube({n: end[n] for n in wanted})).satisfiable()
    answer, watched = parts.post.passes(exit_, manager.cube(start), end, known)
    assert isinstance(answer, Sat)
    assert watched == start
    return True


@given(st.integers(0, 10_000), st.sampled_from(["loop", "basic", "edge"]))
@settings(max_examples=25)
def test_images_contain_what_runs_come_to(seed: int, size: str) -> None:
    random = Random(seed)
    program = program_of_c(random_program(seed, heap=seed % 2 == 0, size=8))
    parts = Parts(program, size, intervals=True)
    try:
        for run_seed in range(2):
            steps = visits(parts, run_seed, 60).visits[1:]
            for before, after in list(pairwise(steps))[:6]:
                check_step(parts, before, after, random)
    except NeedsBitVectors:
        return


# --- all states of small programs -----------------------------------------------------------------

LOW, HIGH = -2, 5
State = tuple[int, int]
# the body of a loop, and what it makes of x and y, one result for each input; None: it goes nowhere
BODIES: dict[str, tuple[str, Callable[[int, int], Sequence[State]]]] = {
    "assignments": ("x = x + y; y = x - 1;", lambda x, y: [(x + y, x + y - 1)]),
    "a swap": ("int t = x; x = y; y = t;", lambda x, y: [(y, x)]),
    "branches": (
        "if (x > y) y = y + 1; else if (x == y) x = 0; else y = x;",
        lambda x, y: [(x, y + 1) if x > y else (0, y) if x == y else (x, x)],
    ),
    "an assumption": ("__VERIFIER_assume(x < y);", lambda x, y: [(x, y)] if x < y else []),
    "an input": (
        "int n = __VERIFIER_nondet_int(); if (n > 1 || n < 0) n = 0; x = y + n;",
        lambda x, y: [(y, y), (y + 1, y)],
    ),
    "a call": (
        "y = g(x, y);",
        lambda x, y: [(x, x if x > y else y)],
    ),
    "memory": ("*p = y; p = &x;", lambda x, y: [(y, y)]),
    "nothing": (";", lambda x, y: [(x, y)]),
}
PREDICATES: list[tuple[str, Callable[[int, int], bool]]] = [
    ("x == y", lambda x, y: x == y),
    ("x == 0", lambda x, y: x == 0),
    ("y <= 1", lambda x, y: y <= 1),
    ("x < y", lambda x, y: x < y),
]


def small(body: str, vectors: bool) -> tuple[Parts, Exit, list[int]]:
    parts = Parts(
        f"""int x, y, *p = &x; int g(int a, int b) {{ return a > b ? a : b; }}
        int main(void) {{ x = __VERIFIER_nondet_int(); y = __VERIFIER_nondet_int(); p = &x;
          L: __VERIFIER_assume(x >= {LOW} && x <= {HIGH} && y >= {LOW} && y <= {HIGH});
          {{ {body} }} M: goto L; }}""",
        encoding=BitVectorEncoding() if vectors else None,
        is_cut_point=lambda configuration: configuration.location in (here, there),
    )
    labels = parts.program.functions["main"].labels
    here, there = labels["L"], labels["M"]
    return parts, parts.exit("L", "M"), [parts.number(e) for e in exprs(parts)]


def exprs(parts: Parts) -> list[Expr]:
    x, y = parts.var("x"), parts.var("y")
    zero, one = make.const(0, INT), make.const(1, INT)
    return [make.equal(x, y), make.equal(x, zero), make.less_equal(y, one), make.less(x, y)]


def best(
    parts: Parts, numbers: list[int], region: Function, body: Callable[[int, int], Sequence[State]]
) -> Function:
    """The smallest image, by going through all states."""
    manager = parts.manager
    found = []
    for x, y in product(range(LOW, HIGH + 1), repeat=2):
        here = {n: test(x, y) for n, (_, test) in zip(numbers, PREDICATES, strict=True)}
        if not (region & manager.cube(here)).satisfiable():
            continue
        for after in body(x, y):
            values = [test(*after) for _, test in PREDICATES]
            found.append(manager.cube(dict(zip(numbers, values, strict=True))))
    return manager.disjunction(found)


def regions(parts: Parts, numbers: list[int]) -> list[Function]:
    a, b, c, d = map(parts.manager.var, numbers)
    return [parts.manager.true, a, ~a & b, d & ~c, a | (b & c), (a ^ b) & ~c, a & d]


@pytest.mark.parametrize("vectors", [False, True])
@pytest.mark.parametrize("name", sorted(BODIES.keys() - {"memory"}))  # nothing says where p points
def test_the_image_is_the_best_one(name: str, vectors: bool) -> None:
    """Whatever of it is Boolean: no combination of values is missing, and none is too much."""
    text, body = BODIES[name]
    parts, exit_, numbers = small(text, vectors)
    parts.post.sharpen(exit_)
    for region in regions(parts, numbers):
        image = parts.post.image(exit_, region, frozenset(numbers))
        assert image == best(parts, numbers, region, body)
    assert parts.post.counts.cartesian == 0


@pytest.mark.parametrize("name", BODIES)
def test_the_first_image_is_sound(name: str) -> None:
    text, body = BODIES[name]
    parts, exit_, numbers = small(text, vectors=False)
    for region in regions(parts, numbers):
        least = best(parts, numbers, region, body)
        image = parts.post.image(exit_, region, frozenset(numbers))
        assert not (least & ~image).satisfiable()


@pytest.mark.parametrize("name", ["branches", "an input", "a call"])
def test_the_cartesian_image(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """With too many combinations, each predicate stands for itself."""
    monkeypatch.setattr(module, "_MOST_MODELS", 0)
    text, body = BODIES[name]
    parts, exit_, numbers = small(text, vectors=False)
    manager = parts.manager
    left = 0
    for region in regions(parts, numbers):
        least = best(parts, numbers, region, body)
        if not least.satisfiable():
            continue
        image = parts.post.image(exit_, region, frozenset(numbers))
        fixed = {
            n: value
            for n in numbers
            for value in (False, True)
            if not (least & manager.literal(n, not value)).satisfiable()
        }
        assert not (least & ~image).satisfiable()
        assert not (image & ~manager.cube(fixed)).satisfiable()
        left += image == manager.cube(fixed) and image != least
    assert left
    assert parts.post.counts.cartesian >= left


# --- what is kept and what is asked ---------------------------------------------------------------

FRAME = """int x, y, z; int main(void) {
  L: x = x + 1; if (x < z) goto L; if (x == 0) reach_error(); return y; }"""


def frame() -> tuple[Parts, Exit, dict[str, int]]:
    parts = Parts(FRAME)
    named = {
        "x=0": equals(parts.program, "x", 0),
        "y=0": equals(parts.program, "y", 0),
        "y=1": equals(parts.program, "y", 1),
        "z=0": equals(parts.program, "z", 0),
    }
    return parts, parts.exit("L", "L"), {k: parts.number(e) for k, e in named.items()}


def test_what_a_block_leaves_alone_keeps_its_value_and_its_relations() -> None:
    parts, exit_, n = frame()
    m = parts.manager
    apart = m.var(n["y=0"]) ^ m.var(n["y=1"])
    wanted = frozenset((n["y=0"], n["y=1"]))
    assert parts.post.image(exit_, apart, wanted) == apart
    assert parts.statistics.calls == 1  # can the block be passed at all? that is all


def test_what_is_not_wanted_is_forgotten() -> None:
    parts, exit_, n = frame()
    m = parts.manager
    both = m.var(n["y=0"]) & m.var(n["z=0"])
    assert parts.post.image(exit_, both, frozenset((n["z=0"],))) == m.var(n["z=0"])
    assert parts.post.image(exit_, both, frozenset()) == m.true


def test_what_a_block_reads_is_asked_about() -> None:
    """z keeps its value, and its test against x is part of what the block knows."""
    parts, exit_, n = frame()
    m = parts.manager
    wanted = frozenset((n["x=0"], n["z=0"]))
    image = parts.post.image(exit_, m.true, wanted)
    assert image == ~(m.var(n["x=0"]) & m.var(n["z=0"]))  # x < z


def test_an_exit_that_cannot_be_taken_has_an_empty_image() -> None:
    parts = Parts(
        "int x, y; int main(void) { L: if (x > 3 && y) goto L; if (x) reach_error(); return 0; }"
    )
    three = parts.number(equals(parts.program, "x", 3))
    exit_ = parts.exit("L", "L")
    image = parts.post.image(exit_, parts.manager.var(three), frozenset((three,)))
    assert image == parts.manager.false


def test_reaches() -> None:
    parts, _, n = frame()
    block = parts.blocks.at(parts.at("L"))
    (error,) = [exit_ for exit_ in block.exits if exit_.kind is TransitionKind.ERROR]
    m = parts.manager
    minus = parts.number(equals(parts.program, "x", -1))
    assert isinstance(parts.post.reaches(error, m.true), Sat)
    assert isinstance(parts.post.reaches(error, m.var(n["x=0"])), Unsat)
    assert isinstance(parts.post.reaches(error, m.var(minus)), Sat)
    assert isinstance(parts.post.reaches(error, m.var(minus) & ~m.var(n["z=0"])), Sat)
    assert isinstance(parts.post.reaches(error, m.false), Unsat)


def test_passes_tells_how_it_was_at_the_start() -> None:
    parts, exit_, n = frame()
    m = parts.manager
    minus = parts.number(equals(parts.program, "x", -1))
    answer, before = parts.post.passes(exit_, m.true, {n["x=0"]: True}, [n["x=0"], minus])
    assert isinstance(answer, Sat)
    assert before == {n["x=0"]: False, minus: True}
    answer, before = parts.post.passes(exit_, m.var(n["x=0"]), {n["x=0"]: True}, [minus])
    assert isinstance(answer, Unsat)
    assert before == {}


def test_images_are_remembered() -> None:
    parts, exit_, n = frame()
    wanted = frozenset((n["x=0"], n["z=0"]))
    region = parts.manager.var(n["z=0"])
    first = parts.post.image(exit_, region, wanted)
    calls = parts.statistics.calls
    assert parts.post.image(exit_, region, wanted) == first
    assert (parts.statistics.calls, parts.statistics.cached) == (calls, calls)
    assert (parts.post.counts.computed, parts.post.counts.cached) == (1, 1)
    parts.post.image(exit_, parts.manager.true, wanted)
    assert parts.post.counts.computed == 2


def test_sharpening_happens_once_and_asks_again() -> None:
    parts, exit_, n = frame()
    wanted = frozenset(n.values())
    parts.post.image(exit_, parts.manager.true, wanted)
    assert parts.post.sharpen(exit_)
    assert not parts.post.sharpen(exit_)
    image = parts.post.image(exit_, parts.manager.true, wanted)
    assert parts.post.counts.computed == 2
    both = parts.manager.var(n["y=0"]) & parts.manager.var(n["y=1"])
    assert not (image & both).satisfiable()  # nobody asked about y before


def test_initial_values_are_not_lost() -> None:
    """A predicate that the first block neither reads nor writes is known all the same."""
    parts = Parts("int x, y = 4; int main(void) { L: if (x < 9) { x = x + y; goto L; } return y; }")
    start, _ = initial_environment(parts.formulas)
    (exit_,) = parts.blocks.make(parts.flow.entry, start).exits
    parts.post.sharpen(exit_)
    four = parts.number(equals(parts.program, "y", 4))
    image = parts.post.image(exit_, parts.manager.true, frozenset((four,)))
    assert image == parts.manager.var(four)


# --- a solver that does not know ------------------------------------------------------------------


def post_of(parts: Parts, solver: Any) -> AbstractPost:
    return AbstractPost(parts.predicates, parts.blocks.location_facts.facts, solver, lambda: 60.0)


@pytest.mark.parametrize("answers", range(8))
@pytest.mark.parametrize("name", ["assignments", "branches", "an input"])
def test_what_is_not_known_stays_open(name: str, answers: int) -> None:
    text, body = BODIES[name]
    parts, exit_, numbers = small(text, vectors=False)
    forgetful = Forgetful(parts.solver, answers)
    post = AbstractPost(
        parts.predicates, parts.blocks.location_facts.facts, forgetful, lambda: 60.0
    )
    for region in regions(parts, numbers):
        least = best(parts, numbers, region, body)
        image = post.image(exit_, region, frozenset(numbers))
        assert not (least & ~image).satisfiable()


def test_an_unknown_is_told() -> None:
    parts, exit_, n = frame()
    post = AbstractPost(
        parts.predicates,
        parts.blocks.location_facts.facts,
        Forgetful(parts.solver, 0),
        lambda: 60.0,
    )
    assert isinstance(post.reaches(exit_, parts.manager.true), Unknown)
    answer, before = post.passes(exit_, parts.manager.true, {}, [n["x=0"]])
    assert isinstance(answer, Unknown)
    assert before == {}


def test_the_time_is_asked_for_each_question() -> None:
    parts, exit_, n = frame()
    asked = []

    def seconds() -> float:
        asked.append(1)
        return 60.0

    post = AbstractPost(parts.predicates, parts.blocks.location_facts.facts, parts.solver, seconds)
    post.image(exit_, parts.manager.true, frozenset(n.values()))
    assert len(asked) == parts.statistics.calls
