"""Pointers from outside in the bounded engine: small programs whose verdicts are known."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from predabs.analysis.facts import ProgramFacts
from predabs.engines.bounded.engine import BoundedEngine
from predabs.engines.engine import EngineTask
from predabs.evidence.replay import Confirmed
from predabs.evidence.replay import replay as replayed
from predabs.ir.cfa import ExternPointers
from predabs.ir.ops import Source
from predabs.options import Budget
from predabs.verdict import Safe, Unknown, Unsafe, Verdict
from support.c_programs import program_of_c
from support.engine_checks import searching

HEAD = """
struct item { int a; struct item *next; long b; int (*call)(int); char name[4]; };
struct item *get(void); int *numbers(void);
struct item own; int x;
int main(void) { struct item *p = get(), *q = get(); int *n = numbers();
"""

SAFE = {
    "what was written is read": "p->a = 3; if (p->a != 3) reach_error();",
    "another field is another place": "p->a = 3; p->b = 4; if (p->a != 3) reach_error();",
    "no object of the program": "if (p == &own) reach_error();",
    "no object of the program behind it": "if (p->next == &own) reach_error();",
    "a write does not change the program": "p->a = 5; n[1] = 5; if (own.a || x) reach_error();",
    "null is not accessed": "p->a = 1; if (!p) reach_error();",
    "content stays": "int k = p->a; x = 1; if (p->a != k) reach_error();",
    "own addresses are found again": "p->next = &own; p->next->a = 7; if (!own.a) reach_error();",
    "and through an equal pointer": "p->next = &own; if (p == q && q->next != &own) reach_error();",
    "a choice": "if (x) p = &own; p->a = 2; if (p->a != 2) reach_error();",
    "after a branch": "if (n[0]) p->a = 1; else p->a = 2; if (p->a < 1 || p->a > 2) reach_error();",
    "a copy": "own = *p; if (own.b != p->b) reach_error();",
    "a block": "for (int i = 0; i < 4; i++) p->name[i] = 1; if (p->name[2] != 1) reach_error();",
    "a member of another record": "R r->u = 9; p->a = 1; r->u = 2; if (p->a != 1) reach_error();",
    "the same in a branch": "R p->a = 1; if (x) r->u = 2; if (p->a != 1) reach_error();",
    "found twice": "if (n[0]) p->a = 1; else p->a = p->a; if (p->a != p->a) reach_error();",
    "error pointers are not accessed": "p->a = 1; if ((unsigned long)p > -4096UL) reach_error();",
}

UNSAFE = {
    "any content": "if (p->a == 77 && p->next->next->b == 1234567890123) reach_error();",
    "two may be equal": "p->a = 1; q->a = 2; if (p->a == 2) reach_error();",
    "or not": "p->a = 1; q->a = 2; if (p->a == 1) reach_error();",
    "null": "if (!p) reach_error();",
    "a low address": "if (p && (unsigned long)p < 2000 && p->a == 3) reach_error();",
    "an error pointer": "if ((unsigned long)p > -4096UL) reach_error();",
    "a number as a pointer": "q = (struct item *)q->b; q->a = 1; reach_error();",
    "a function of the environment": "if (p->call(3) == 42) reach_error();",
    "a copy to it": "own.a = 3; *p = own; if (p->a == 3 && p->next == 0) reach_error();",
    "a member whose address is taken": "int *k = &p->a; *n = 3; if (p->a == 3) reach_error();",
    "a list": "int k = 0; while (p) { k++; p = p->next; } if (k == 3) reach_error();",
}


@pytest.fixture(autouse=True)
def without_runs() -> Iterator[None]:
    with searching():
        yield


def checked(text: str, mode: ExternPointers = ExternPointers.FRESH) -> Verdict:
    text = text.replace("R ", "struct pair { int u; } *r = (struct pair *)numbers(); ")
    program = replace(program_of_c(HEAD + text + " return 0; }"), extern_pointers=mode)
    return BoundedEngine(EngineTask(ProgramFacts(program))).run(Budget())


@pytest.mark.parametrize("text", SAFE.values(), ids=SAFE.keys())
def test_safe(text: str) -> None:
    assert isinstance(checked(text), Safe)


@pytest.mark.parametrize("text", UNSAFE.values(), ids=UNSAFE.keys())
def test_unsafe(text: str) -> None:
    assert isinstance(checked(text), Unsafe)


def test_the_content_is_an_input() -> None:
    """With its address, which is where the pointer leads."""
    found = checked("if (p && p->a == 77) reach_error();")
    assert isinstance(found, Unsafe)
    (content,) = [item for item in found.inputs if item.source is Source.ENVIRONMENT]
    pointer = next(item.value for item in found.inputs if item.name == "get")
    assert isinstance(pointer, int)
    assert int(content.name, 16) == pointer % 2**64
    assert content.value == (77).to_bytes(4, "little")


@pytest.mark.parametrize(
    "text",
    [
        "R r->u = 2; if (p->a == 7) reach_error();",
        "R p->a = 3; r->u = 2; if (q->a == 3 && r->u == 2 && q->b == 1) reach_error();",
        "R if (p->next->next == p) { r->u = 1; if (p->next->a == 6) reach_error(); }",
        "struct item **m = malloc(sizeof *m); if ((*m)->a == 5) reach_error();",
    ],
)
def test_a_model_is_a_run(text: str) -> None:
    """No byte is read as something else than it was written as, and memory lies where it is."""
    text = text.replace("R ", "struct pair { int u; } *r = (struct pair *)numbers(); ")
    program = program_of_c("void *malloc(unsigned long);" + HEAD + text + " return 0; }")
    found = BoundedEngine(EngineTask(ProgramFacts(program))).run(Budget())
    assert isinstance(found, Unsafe)
    assert isinstance(replayed(program, found.inputs), Confirmed)


def test_any_pointer_may_lead_to_an_object() -> None:
    assert isinstance(checked("if (p == &own) reach_error();", ExternPointers.ANY), Unsafe)


def test_a_function_of_the_program_may_be_meant() -> None:
    """No error rests on that, and no proof forgets it."""
    text = """int bad(int k) { reach_error(); return k; }
    struct item { int a; int (*call)(int); };
    struct item *get(void); int (*kept)(int) = bad;
    int main(void) { if (kept) get()->call(1); return 0; }"""
    program = program_of_c(text)
    found = BoundedEngine(EngineTask(ProgramFacts(program))).run(Budget())
    assert isinstance(found, Unknown)
    assert "function of the program" in found.reason


def test_a_loop_without_errors_comes_later() -> None:
    """Many nested rounds of waiting do not keep the search from the error behind them."""
    text = """int busy(void); void slow(void) { while (busy()) { while (busy()) x++; } }
    int main(void) { for (int i = 0; i < 3; i++) slow(); reach_error(); }"""
    program = program_of_c("int x;" + text)
    assert isinstance(BoundedEngine(EngineTask(ProgramFacts(program))).run(Budget()), Unsafe)
