"""Dependence on values that only a library function or inline assembly computes: marks go exactly
where the values go, and no other values lead a run elsewhere."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import predabs
from predabs.concrete.inputs import RandomInputs, RecordingInputs, as_input
from predabs.concrete.interpreter import execute
from predabs.concrete.outcome import ErrorReached, Value
from predabs.evidence.dependence import COMPUTED, Cause, decisive
from predabs.evidence.given_inputs import GivenInputs
from predabs.ir.address_space import end_of_objects
from predabs.ir.cfa import Edge, Program
from predabs.ir.ops import Havoc, Source
from predabs.ir.types import PointerType, ScalarType, Type
from predabs.verdict import Input
from support.c_programs import program_of_c

HEAD = """
#define GET(v) __asm__("" : "=r"(v))
extern void *malloc(unsigned long); extern void free(void *);
extern void *memcpy(void *, const void *, unsigned long);
extern void *memset(void *, int, unsigned long);
extern int snprintf(char *, unsigned long, const char *, ...);
extern unsigned long strftime(char *, unsigned long, const char *, const void *);
extern int wctomb(char *, int);
extern int sprintf(char *, const char *, ...);
struct s { char before[4]; char name[8]; int after; unsigned b : 3; unsigned c : 5; };
struct s one, two; int a[4]; int g; struct s *h; int *p; int **pp;
int same(int v) { return v; }
int addressed(int v) { int *q = &v; return *q; }
struct s whole(struct s v) { return v; }
void set(int *q, int v) { *q = v; }
void nothing(int v) { }
int twice(int n, int v) { if (n == 0) return v; return twice(n - 1, v) + 1; }
int choose(void) { return 1; }
"""


def program(body: str) -> Program:
    start = "int main(void) { int x = 0, y = 0, z = 0; GET(x); h = malloc(sizeof *h); p = &y;"
    return program_of_c(f"{HEAD}{start} {body} reach_error(); return 0; }}")


def cause_of(body: str) -> Cause | None:
    found = program(body)
    recording = RecordingInputs(GivenInputs([]))
    outcome = execute(found, recording)
    assert isinstance(outcome, ErrorReached), outcome
    start = found.functions["main"].coord
    return decisive(found, [as_input(item, start) for item in recording.taken])


@pytest.mark.parametrize(
    "body",
    [
        "",
        "y = x; y = 1; if (y != 1) return 1;",  # overwritten
        "g = x; g = 0; if (g) return 1;",
        "a[1] = x; if (a[2]) return 1;",
        "a[1] = x; z = 2; if (a[z]) return 1;",
        "a[1] = x; memset(a, 0, sizeof a); if (a[1]) return 1;",
        "a[1] = x; memcpy(&a[1], &a[2], 4); if (a[1]) return 1;",
        "one.after = x; two = one; two.after = 1; if (two.b) return 1;",
        "one.after = x; two = whole(one); if (two.name[3]) return 1;",
        "h->after = x; if (h->name[0]) return 1;",
        "*p = x; p = &z; if (*p) return 1;",
        "set(&y, x); set(&y, 3); if (y != 3) return 1;",
        "p = &a[x]; p = &y; if (*p) return 1;",  # an address that is not used
        "y = same(x); y = same(2); if (y != 2) return 1;",
        "y = x; nothing(x); y = choose(); if (!y) return 1;",
        "y = twice(3, x); y = twice(3, 1); if (y != 4) return 1;",
        "free(h); h = malloc(8);",
        "x = 4; y = 8 / x; if (y != 2) return 1;",
        'strftime(h->name, 8, "a", h); if (h->after || h->before[3]) return 1;',
        'snprintf(h->name, sizeof h->name, "%d", x); h->after = 1; if (h->after != 1) return 1;',
        "wctomb(h->name, 1); h->after = 1; if (h->after != 1 || h->before[0]) return 1;",
        'z = strftime(h->name, 8, "a", h); z = 1; if (!z) return 1;',  # within its bounds
        'z = snprintf(h->name, 8, "ab"); if (z != 2 || h->name[1] != 98) return 1;',  # known
        'sprintf(h->name, "%s", "a"); if (h->name[0] != 97 || h->after) return 1;',
    ],
)
def test_independent(body: str) -> None:
    assert cause_of(body) is None


@pytest.mark.parametrize(
    "body",
    [
        "if (x) return 1;",
        "y = x + 1; if (!y) return 1;",
        "a[1] = x; z = 1; if (a[z]) return 1;",
        "a[1] = x; memcpy(&g, &a[1], 4); if (g) return 1;",
        "memset(&g, x, 2); if (g) return 1;",
        "memset(&g, 0, x);",
        "one.after = x; two = one; if (two.after) return 1;",
        "one.after = x; two = whole(one); if (two.after) return 1;",
        "one.b = x; if (one.b) return 1;",
        "one.b = x; one.c = 0; if (one.b) return 1;",  # in the same byte
        "h->after = x; if (h->after) return 1;",
        "*p = x; if (y) return 1;",
        "p = &z; pp = &p; **pp = x; if (z) return 1;",
        "set(&y, x); if (y) return 1;",
        "y = a[x];",
        "a[x] = 1;",
        "p = &a[x]; y = *p;",
        "p = &a[x]; *p = 1;",
        "y = same(x); if (y) return 1;",
        "if (addressed(x)) return 1;",
        "y = twice(3, x); if (!y) return 1;",
        "y = 8 / (x + 1);",
        "y = 8 % (x + 1);",
        "h = malloc(x + 1L);",
        "int (*f)(void) = (int (*)(void))((long)choose + x); f();",
        "free((char *)h + x);",
        "long l = x; y = ((char *)&l)[7]; if (y) return 1;",  # the sign
        'strftime(h->name, 8, "a", h); if (h->name[7]) return 1;',
        "wctomb(h->name, 1); if (h->after) return 1;",  # it may write on
        'strftime(h->name, x + 1L, "a", h);',
        'snprintf(h->name, x + 1L, "a");',
        'snprintf(h->name, 8, "%d", x); if (h->name[7]) return 1;',
        'sprintf(h->name, "%d", x); if (h->after) return 1;',
        'z = snprintf(h->name, 8, "%d", x); if (z < 0) z = 1;',
        'z = strftime(h->name, 8, "a", h); if (z < 0) z = 1;',
        "while (x) ;",
        "switch (x) { case 1: return 1; case 2: return 1; default: y = 1; }",
        "y = x ? a[1] : 2; if (y > 5) return 1;",
    ],
)
def test_dependent(body: str) -> None:
    assert cause_of(body) in ((Source.ASM, "asm"), (Source.UNKNOWN, "strftime"), UNBOUND)


UNBOUND: Cause = (Source.UNKNOWN, "wctomb")


def test_what_cannot_be_followed_depends() -> None:
    found = program("")
    recording = RecordingInputs(GivenInputs([]))
    execute(found, recording)
    start = found.functions["main"].coord
    taken = [as_input(item, start) for item in recording.taken]
    assert decisive(found, taken, deadline=0.0) == (Source.ASM, "asm")


def test_low_addresses_that_assembly_makes_accessible() -> None:
    body = '__asm__("" : "=r"(p)); y = *(int *)0x%x;'
    for address, depends in ((0x500, True), (end_of_objects(64), False)):
        found = program(body % address)
        edge = next(
            e
            for e in found.functions["main"].edges
            if isinstance(e.op, Havoc) and isinstance(e.op.target.type, PointerType)
            if e.op.source is Source.ASM
        )
        assert isinstance(edge.op, Havoc)
        given = Input(Source.ASM, "asm", edge.op.target.type, 0x400, edge.coord)
        recording = RecordingInputs(GivenInputs([given]))
        assert isinstance(execute(found, recording), ErrorReached)
        start = found.functions["main"].coord
        cause = decisive(found, [as_input(item, start) for item in recording.taken])
        assert (cause is not None) == depends


# --- a law: other values take the same edges ------------------------------------------------------

_SHARED = ("z", "g", "a[z&3]", "one.after", "one.b", "two.after", "h->after", "*p", "**pp")
VALUES = (*_SHARED, "x", "y", "a[0]", "a[2]", "one.c", "n")
PLACES = (*_SHARED, "y", "a[1]", "two.c")


class OtherAssembly:
    """The inputs of one run, but what assembly writes."""

    def __init__(self, inner: GivenInputs, seed: int) -> None:
        self._inner = inner
        self._other = RandomInputs(seed)

    def scalar(
        self, source: Source, name: str, type_: ScalarType, edge: Edge | None
    ) -> int | float:
        chosen = self._other if source in COMPUTED else self._inner
        return chosen.scalar(source, name, type_, edge)

    def memory(self, source: Source, name: str, size: int, edge: Edge | None) -> bytes:
        return self._inner.memory(source, name, size, edge)

    def volatile(self, name: str, held: Value, type_: Type, edge: Edge) -> Value:
        return self._inner.volatile(name, held, type_, edge)


def statements(chance: random.Random, number: int, depth: int) -> str:
    return " ".join(statement(chance, depth) for _ in range(number))


def value_of(chance: random.Random) -> str:
    left, right = chance.choice(VALUES), chance.choice([*VALUES, "1", "3", "7"])
    return chance.choice([left, left, f"({left} {chance.choice('+-^')} {right})"])


def statement(chance: random.Random, depth: int) -> str:
    def value() -> str:
        return value_of(chance)

    place = chance.choice(PLACES)
    kind = chance.randrange(13 if depth else 11)
    match kind:
        case 0 | 1 | 2:
            return f"{place} = {value()};"
        case 3:
            return f"{place} = {chance.randint(0, 3)};"
        case 4:
            return f"GET({chance.choice(['x', 'y', 'g', 'a[1]', 'one.after'])});"
        case 5:
            return f"p = {chance.choice(['&y', '&g', '&a[1]', '&h->after', '&one.after', '*pp'])};"
        case 6:
            return chance.choice(["two = one;", "one = whole(two);", "*h = one;", "two = *h;"])
        case 7:
            return chance.choice(
                ["memcpy(a, &one, 16);", f"memset(&a[1], {value()}, 6);", "memset(&one, 0, 12);"]
            )
        case 8:
            return f"{place} = {chance.choice(['same', 'addressed'])}({value()});"
        case 9:
            return f"set({chance.choice(['&y', '&g', '&a[2]', 'p', '&two.after'])}, {value()});"
        case 10:
            return f"{place} = twice({chance.randint(0, 2)}, {value()});"
        case 11:
            inner = statements(chance, 3, depth - 1)
            return f"if (({value()}) & 1) {{ {inner} }}"
        case _:
            inner = statements(chance, 3, depth - 1)
            return f"for (int i = 0; i < ({value()} & 3); i++) {{ {inner} }}"


@settings(max_examples=250)
@given(st.integers(0, 2**32))
def test_other_values_take_the_same_edges(seed: int) -> None:
    chance = random.Random(seed)
    some = statements(chance, chance.randint(2, 14), chance.randint(0, 1))
    seen = f"if ({value_of(chance)} & 1) g = 1;"
    body = f"int n = __VERIFIER_nondet_int(); pp = &p; {some} {seen}"
    found = program(body)
    recording = RecordingInputs(RandomInputs(seed))
    if not isinstance(execute(found, recording, max_steps=2000), ErrorReached):
        return
    start = found.functions["main"].coord
    taken = [as_input(item, start) for item in recording.taken]
    if decisive(found, taken) is not None:
        return
    runs: list[list[Edge]] = []
    for other in range(4):
        edges: list[Edge] = []
        inputs = OtherAssembly(GivenInputs(taken), seed + other)
        outcome = execute(found, inputs, trace=lambda step, kept=edges: kept.append(step.edge))
        assert isinstance(outcome, ErrorReached), (body, outcome)
        runs.append(edges)
    assert all(run == runs[0] for run in runs), body


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("gid_t g; getgroups(0, &g);", predabs.Answer.UNKNOWN),
        ("gid_t g; int *p = 0; *p = 1; getgroups(1, &g);", predabs.Answer.FALSE),
    ],
)
def test_how_much_a_function_without_a_model_writes_is_no_violation(
    body: str, expected: predabs.Answer, tmp_path: Path
) -> None:
    file = tmp_path / "a.c"
    file.write_text(f"#include <unistd.h>\nint main(void) {{ {body} return 0; }}")
    assert predabs.check([str(file)], checks=["memory"], jobs=1).verdict is expected
