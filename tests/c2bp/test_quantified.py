"""Quantified predicates: what they prove, and that every concrete run stays a run of the Boolean
program [BMR05, theorem 1]."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

import pytest

from predabs.boolprog.model_check import Proved, check
from predabs.c2bp.boolean_code import program as tree
from predabs.c2bp.boolean_variables import Boolean
from predabs.c2bp.direct.basic_blocks import blocks, inner
from predabs.c2bp.direct.method import DirectMethod
from predabs.c2bp.file_predicates import predicates_of_file
from predabs.c2bp.program import abstract
from predabs.ir import make
from predabs.ir.cfa import Program
from predabs.ir.expr import Expr, Forall, Or
from predabs.ir.walk import substitute
from predabs.predicates.syntax.file import read_predicates
from support.c2bp_runs import NO_VALUE, Follower, reached
from support.c_programs import program_of_c
from support.selection import mostly_long

FILLED = """int a[100];
int main(void) {
  int n = __VERIFIER_nondet_int(), i = 0, j = 0;
  if (n > 100) return 0;
  while (i < n) { a[i] = 7; i = i + 1; }
  while (j < i) { if (a[j] != 7) reach_error(); j = j + 1; }
  return 0; }"""
TRACKED = """main:
forall k in 0 .. i - 1: a[k] == 7
a[i] == 7
0 <= i
i < n
0 <= j
j < i
j < n
"""


def is_proved(predicates: str, method: DirectMethod | None, text: str = FILLED) -> bool:
    program = program_of_c(text)
    known = predicates_of_file(read_predicates(predicates, program))
    code = abstract(program, known, 3, lambda: 5.0, method=method).code
    return isinstance(check(tree(code)), Proved)


@pytest.mark.parametrize("method", [None, DirectMethod(0)], ids=["cartesian", "direct"])
def test_a_filled_array(method: DirectMethod | None) -> None:
    assert is_proved(TRACKED, method)


def test_a_filled_array_is_not_proved_without_the_quantifier() -> None:
    assert not is_proved("\n".join(TRACKED.replace("forall", "#").splitlines()), None)


def test_a_wrong_element_is_not_proved() -> None:
    assert not is_proved(
        TRACKED,
        None,
        FILLED.replace("j = 0;", "j = 0; a[3] = 1;", 1).replace(
            "while (j < i)", "a[3] = 1; while (j < i)"
        ),
    )


# --- random programs ------------------------------------------------------------------------------


class Quantified(Follower):
    """Evaluates quantifiers over the small indices that its programs have."""

    def _held(self, booleans: list[Boolean]) -> Mapping[str, bool]:
        plain = [b for b in booleans if not isinstance(b.expr, Forall)]
        found = dict(super()._held(plain))
        for boolean in booleans:
            if isinstance(boolean.expr, Forall):
                value = self._all(boolean.expr)
                if value is not None:
                    found[boolean.name] = value
        return found

    def _all(self, quantifier: Forall) -> bool | None:
        (bound,) = quantifier.bound
        numbers = (-(2**31), *range(-5, 10), 2**31 - 1)
        if bound.type.low == 0:
            numbers = (*range(10), 2**32 - 1)
        for number in numbers:
            said = substitute(quantifier.body, {bound: make.const(number, bound.type)})
            try:
                if not self._any(said):
                    return False
            except NO_VALUE:
                return None
        return True

    def _any(self, said: Expr) -> bool:
        """What stands first decides whether there is such an element at all."""
        parts = said.args if isinstance(said, Or) else (said,)
        return any(bool(self.value(part)) for part in parts)


def random_arrays(seed: int) -> tuple[str, str]:
    """A program with arrays, and predicates about it."""
    pick = Random(seed)

    def index() -> str:
        return pick.choice(["i", "i", "(x & 3)", "3 - i", "0", "(i + 1) % 4", "2"])

    def value() -> str:
        place = pick.choice(["a", "b"])
        return pick.choice(
            ["0", "1", "x", "i", f"{place}[{index()}]", f"{place}[{index()}] + 1", "*p", "input()"]
        )

    def statement() -> str:
        target = pick.choice(["a", "b"])
        match pick.randrange(10):
            case 0:
                return f"p = &{target}[{index()}];"
            case 1:
                return f"*p = {value()};"
            case 2:
                return f"put({target}, {index()}, {value()});"
            case 3:
                return f"x = {value()};"
            case 4:
                return f"if ({value()} < {value()}) {{ {statement()} }}"
            case 5:
                return pick.choice(["memset(a, 0, sizeof a);", "memcpy(a, b, sizeof a);", "x = 0;"])
            case _:
                return f"{target}[{index()}] = {value()};"

    def loop() -> str:
        inside = " ".join(statement() for _ in range(pick.randint(1, 2)))
        head = pick.choice(["i = 0; while (i < 4)", "i = 3; while (i >= 0)"])
        return f"{head} {{ {inside} i = i {'+' if 'i < 4' in head else '-'} 1; }}"

    body = " ".join(loop() for _ in range(pick.randint(1, 2)))
    text = f"""int a[4], b[4] = {{1, 1}}, x; int *p = &a[1];
void *memset(void *, int, unsigned long); void *memcpy(void *, const void *, unsigned long);
int input(void) {{ return __VERIFIER_nondet_int(); }}
void put(int *q, int k, int v) {{ int *old = q; q[k] = v; if (v == 1) old[0] = 1; }}
int main(void) {{ int i = 0; {body} put(a, 0, x);
  if (a[0] + *p != b[0]) reach_error(); return 0; }}"""
    bounds = ["0 .. i - 1", "0 .. 3", "i .. 3", "i + 1 .. 3", "0 .. i", "1 .. 3"]
    bodies = [
        "a[k] == 0", "a[k] == b[k]", "a[k] <= x", "a[k] == k", "b[k] != x", "a[k] <= a[k - 1]",
        "a[k] == b[3 - k]", "b[k] == 1", "a[k] == *p",
    ]  # fmt: skip
    mine = [f"forall k in {pick.choice(bounds)}: {pick.choice(bodies)}" for _ in range(3)]
    rest = ["a[i] == 0", "0 <= i", "i < 4", "a[i] == b[i]", "x == 0", "x <= a[i]", "p == &a[1]"]
    mine += pick.sample(rest, 3)
    passed = ["forall j in 0 .. k: q[j] == v", "q == old", "0 <= k", "q[k] == v"]
    shared = pick.choice(["", "global:\nforall k in 0 .. 3: a[k] == b[k]\n"])
    lines = "\n".join(mine)
    return text, f"{shared}main:\n{lines}\nput:\n" + "\n".join(pick.sample(passed, 2)) + "\n"


def follow(seed: int, method: DirectMethod | None) -> int:
    text, predicates = random_arrays(seed)
    program: Program = program_of_c(text)
    known = predicates_of_file(read_predicates(predicates, program))
    code = abstract(program, known, 2 + seed % 2, lambda: 0.02, method=method).code
    states = reached(code)
    found = [] if method is None else [inner(blocks(f)) for f in program.functions.values()]
    hidden = frozenset(edge.src for edges in found for edge in edges)
    visits = 0
    for number in range(6):
        follower = Quantified(program, known, states, {}, number, hidden)
        follower.run(200)
        visits += follower.visits
    return visits


@pytest.mark.parametrize("seed", mostly_long(range(20), 4))
def test_runs_are_runs_of_the_abstraction(seed: int) -> None:
    method = DirectMethod(2) if seed % 2 else None
    assert follow(seed, method) > 0
