"""Open environments: a function without a caller, for all arguments and all that is in memory."""

from __future__ import annotations

import pytest

from predabs.bdd import Function as States
from predabs.boolprog import Proved, Violated, check
from predabs.boolprog.bebop import Node
from predabs.boolprog.syntax import Return, names
from predabs.c2bp.open_environment import with_open_environment
from predabs.c2bp.program import abstract
from predabs.ir.cfa import Edge, Function
from support.c2bp_examples import SWAP_PREDICATES, boolean_program
from support.c2bp_random import random_calls
from support.c2bp_runs import Follower, random_predicates, reached
from support.c_programs import program_of_c
from support.selection import mostly_long

SWAP = "void swap(int *p, int *q) { int t; t = *p; *p = *q; *q = t; }"
IN_SWAP = SWAP_PREDICATES[: SWAP_PREDICATES.index("main:")]
NODE = "struct node { int v; struct node *next; };"


def test_swap_by_itself() -> None:
    """Whatever its pointers are, `swap` returns that *q is what *p was."""
    program = boolean_program(SWAP, IN_SWAP, "swap")
    [swap] = program.procedures
    [returned] = [s.action for s in swap.body if isinstance(s.action, Return)]
    assert [names(value) for value in returned.values] == [
        {"{*'p == '*p}"},
        {"{*'q == '*q}"},
        {"{*'p == '*q}"},
        {"{*'q == '*p}"},
    ]
    assert isinstance(check(program), Proved)


@pytest.mark.parametrize(
    "source, predicates, proved",
    [
        (  # also if both point to the same number
            SWAP
            + " void f(int *p, int *q) { int a = *p; swap(p, q); if (*q != a) reach_error(); }",
            IN_SWAP + "f:\na == *p\na == *q\n",
            True,
        ),
        (
            SWAP
            + " void f(int *p, int *q) { int a = *p; swap(p, q); if (*p == a) reach_error(); }",
            IN_SWAP + "f:\na == *p\na == *q\n",
            False,
        ),
        (  # a pointer may point to a global
            "int g; void f(int *p) { g = 1; *p = 2; if (g != 1) reach_error(); }",
            "f:\ng == 1\n",
            False,
        ),
        (
            "int g; void f(int *p) { g = 1; if (p != &g) *p = 2; if (g != 1) reach_error(); }",
            "f:\ng == 1\np == &g\n",
            True,
        ),
        (  # a global may hold anything, whatever it is initialised with
            "int g = 1; void f(void) { if (g != 1) reach_error(); }",
            "f:\ng == 1\n",
            False,
        ),
        (
            "void f(void) { static int n; if (n != 0) reach_error(); n = 1; }",
            "f:\nn == 0\n",
            False,
        ),
        (  # and point anywhere
            "int g, *h = &g; void f(int *p) { *p = 1; *h = 2; if (*p != 1) reach_error(); }",
            "f:\n*p == 1\n",
            False,
        ),
        (  # lists of any length and shape
            NODE
            + """ void f(struct node *p) {
              while (p) { p->v = 0; if (p->v) reach_error(); p = p->next; } }""",
            "f:\np == 0\np->v == 0\n",
            True,
        ),
        (
            NODE
            + """ void f(struct node *p, struct node *q) {
              p->v = 1; q->v = 2; if (p->v != 1) reach_error(); }""",
            "f:\np->v == 1\n",
            False,
        ),
        (
            NODE
            + """ void f(struct node *p, struct node *q) {
              if (p != q) { p->v = 1; q->v = 2; if (p->v != 1) reach_error(); } }""",
            "f:\np->v == 1\np == q\n",
            True,
        ),
        (  # different members are different places, in whatever nodes
            NODE
            + """ void f(struct node *p, struct node *q) {
              p->v = 1; q->next = p; if (p->v != 1) reach_error(); }""",
            "f:\np->v == 1\n",
            True,
        ),
        (  # but a char may be a part of anything
            "void f(int *p, char *q) { *p = 1; *q = 2; if (*p != 1) reach_error(); }",
            "f:\n*p == 1\n",
            False,
        ),
        (  # two objects of one size are the same, or apart
            """void f(long *p, char **q) { *p = 1; *q = 0; if (*p != 1) reach_error(); }""",
            "f:\n*p == 1\n",
            False,
        ),
        (
            """void f(long *p, char **q) { if ((char *)p != (char *)q) {
              *p = 1; *q = 0; if (*p != 1) reach_error(); } }""",
            "f:\n*p == 1\n(char *)p == (char *)q\n",
            True,
        ),
        (  # a function that is passed may be one of the program's own
            """int g; void set(void) { g = 2; }
            void f(void (*h)(void), int n) {
              if (n) set(); g = 1; h(); if (g != 1) reach_error(); }""",
            "global:\ng == 1\n",
            False,
        ),
        (  # a local has no address that anyone could know
            "void f(int *p) { int x = 1; *p = 2; if (x != 1) reach_error(); }",
            "f:\nx == 1\n",
            True,
        ),
    ],
)
def test_every_environment(source: str, predicates: str, proved: bool) -> None:
    found = check(boolean_program(source, predicates, "f"))
    assert isinstance(found, Proved if proved else Violated)


class OneFunction(Follower):
    """Looks at the states in one function only."""

    name = ""

    def _compare(self, function: Function, edge: Edge) -> None:
        if function.name == self.name:
            super()._compare(function, edge)


@pytest.mark.parametrize("seed", mostly_long([25, 36, 37, 42, 47, 49, 52, 62, 67, 71], 3))
def test_runs_of_any_caller_are_runs_of_the_abstraction(seed: int) -> None:
    """A function that was abstracted by itself, beside runs of a program that calls it."""
    source, name = random_calls(seed), "fgh"[seed % 3]
    alone = with_open_environment(program_of_c(source, name))
    predicates = random_predicates(alone, seed, 4 + seed % 4)
    coded = abstract(alone, predicates, 2, lambda: 0.5, open_environment=True).code
    states = reached(coded)
    known: dict[Node, States] = {}
    visits = 0
    for run in range(6):
        follower = OneFunction(program_of_c(source), predicates, states, known, run)
        follower.name = name
        follower.run(150)
        visits += follower.visits
    assert visits > 0
