"""Transformers of C against the interpreter: each step of a run is a step of the abstraction."""

from __future__ import annotations

from functools import cache
from itertools import pairwise

import pytest

from predabs.numpred.domain.structures import STRUCTURES
from predabs.numpred.program.precision import TrackedPrecision
from support.c_programs import program_of_c
from support.lazy_random import random_program
from support.numpred_runs import Abstracted, State, states
from support.selection import mostly_long

NUMBERS = ("box", "octagon", "polyhedra")

# what the random programs seldom have: each runs through its statements with odd numbers
BY_HAND = {
    "overflows": """
        int i = __VERIFIER_nondet_int(), j = 2147483647; unsigned u = __VERIFIER_nondet_int();
        signed char c = __VERIFIER_nondet_int(); unsigned char d = c; short s = i;
        j = j + 1; i = i - j; u = u - 3; u = 3 * u + i; c = c + 100; c = -c; d = ~d; s = s * 7;
        i = (c + 1) * 5; j = i << 2; u = -u; i = j - i - j; d = d + d; if (d > 200) i = 1;""",
    "conversions": """
        int i = __VERIFIER_nondet_int(); unsigned u = i; long l = i, m; unsigned long v = u;
        signed char c = i; unsigned char d = i; _Bool b = i; unsigned short s = c;
        l = i + 1; l = (long)(i + 1) - i; m = (long)u + 1; v = i; v = -1 + u; l = l + c; u = c;
        m = (unsigned)(i * 2); i = l; i = (unsigned char)(d + 1); l = (short)(i + 32768); b = l;
        if ((unsigned)i < u) i = u; if (c == d) m = 1; if (l > v) m = 2; if (-1 < u) m = 3;""",
    "operators": """
        int i = __VERIFIER_nondet_int(), j = i & 7, k = i % 5; unsigned u = i; long l;
        k = i / 3; k = -7 / j; k = k % -4; u = u % 10; u = u / 3; j = i | 3; j = i ^ k; j = i >> 3;
        u = u >> 30; u = u << 31; l = (long)i * k; l = l * l; i = i > k ? k : i; j = (i < k) + 5;
        k = !(i == j) * 4; i = (i & 1) ? -i : i + k; if ((i & 3) == 1 || !(j % 2)) k = 9;""",
    "quotients": """
        int i = __VERIFIER_nondet_int(), j = 0, k; unsigned u = i; signed char c = i, d;
        k = i / 4; d = c / 3; d = c / -3; d = c % 3; d = c >> 1; d = (c / 2) * 2; d = c & 15;
        if (k < j) j = 1; if (i / 2 > k) j = 2; if (c / 4 == d) j = 3; if (u / 3 < 9) j = 4;
        if (i >= 0 && i < 9) { k = i % 4; k = (i + 1) % 9; j = k / 2 + i / 3; u = i & 7; }
        k = i >> 3; u = u >> 1; k = c % 100; k = (c + 300) % 200; c = -128; d = c / -1; k = c / -1;
        if (k > i / 5 && (c >> 2) <= j / 3) j = 5; i = i / 2; u = u / 7; i = -2147483647 - 1;
        k = i / 3; k = i % 7; k = i >> 31; k = i / 2147483647; c = i / 16777216; j = c / 2 - k;""",
    "pointers": """
        static int x, y = 4, z, a[3]; int *p = __VERIFIER_nondet_int() ? &x : &y, **q = &p;
        *p = 3; x = *p + 1; *p = x - 7; if (*p > y) p = &z; *p = y + y; **q = 5; *q = &a[1];
        *p = 8; p[1] = *p - x; q = malloc(8); *q = &x; **q = **q + 1; if (*q == p) x = 2;
        p = *q; *p = *p * 3; if (p == &x && *p == x) y = x; *(unsigned *)p = 4000000000u;
        z = 256; *(char *)&z = 1; if (z == 256) x = 1; z = z + 1; y = z == 1;""",
    "records": """
        struct s { int f; unsigned g : 3; int h[2]; } s = {1, 2, {3, 4}}, t = s, *p = &t;
        union { int i; char c[4]; } w; int k = 1;
        t.f = s.f + 6; s.g = s.g + 6; p->f = p->f - 2; t = s; s = *p; t.h[k] = 9; p->g = 7;
        w.i = 258; w.c[1] = 2; k = w.i; if (p->f == s.f) s.f = -s.f; if (t.h[k & 1] == 9) k = s.g;
        p = malloc(sizeof *p); p->f = k; s = *p; k = s.f;""",
}


@cache
def random(seed: int) -> Abstracted:
    heap, bits = seed % 2 == 0, seed % 3 == 0
    return Abstracted(program_of_c(random_program(seed, heap=heap, bits=bits, size=5 + seed % 5)))


@cache
def by_hand(name: str) -> Abstracted:
    return Abstracted(program_of_c(f"int main(void) {{ {BY_HAND[name]} return 0; }}"))


def some(subject: Abstracted, seed: int) -> TrackedPrecision:
    """A few predicates, and some cells or all."""
    predicates = subject.atoms()[seed % 3 :: 2][: seed % 7]
    left_out = sorted(cell.var.short for cell in subject.cells.all.values())[seed % 4 :: 4]
    return subject.precision(predicates, lambda name: seed % 3 == 0 or name not in left_out)


def hold(subject: Abstracted, structure: str, numbers: str, seed: int, runs: int) -> int:
    """Look at all steps of some runs; how many there were."""
    precision = some(subject, seed)
    translator = subject.translator(precision)
    domain = subject.domain(structure, numbers, precision)
    looked = 0
    with domain.vocabulary.manager.bounded():

        def next_to(before: State, after: State) -> bool:
            value = domain.alpha(before.formula())
            return any(
                after.satisfies(domain.gamma(domain.post(value, translator.transition(transition))))
                for transition in subject.control.transitions[before.configuration]
                if transition.dst is after.configuration
            )

        for run in range(runs):
            found = states(subject, precision, run, 60)
            assert found[0].satisfies(subject.table.initial_states(precision))
            for before, after in pairwise(found):
                assert before.satisfies(translator.ranges(before.configuration))
                assert next_to(before, after), (before, after)
                looked += 1
    return looked


@pytest.mark.parametrize("structure", STRUCTURES)
@pytest.mark.parametrize("seed", range(6))
def test_random_programs(seed: int, structure: str) -> None:
    assert hold(random(seed), structure, NUMBERS[seed % 3], seed, 3)


@pytest.mark.parametrize("name", mostly_long(list(BY_HAND), 2))
@pytest.mark.parametrize("structure", STRUCTURES)
def test_by_hand(name: str, structure: str) -> None:
    """Each program with each structure, and each of these with each numeric domain."""
    seed = list(BY_HAND).index(name) + list(STRUCTURES).index(structure)
    assert hold(by_hand(name), structure, NUMBERS[seed % 3], 3 * seed, 6) > 50
    assert hold(by_hand(name), structure, NUMBERS[seed % 3], seed + 4, 3) > 25
