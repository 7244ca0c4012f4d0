"""Feasibility of paths with pointers from outside: memory and functions of the environment."""

from __future__ import annotations

import pytest

from predabs.ir.cfa import Edge, Program
from predabs.ir.path import Path
from predabs.refine.feasible import FeasibilityUnknown, Feasible, Infeasible, check_path
from predabs.smt.solver import Statistics
from support.c_programs import program_of_c

HEAD = """
struct item { int a; struct item *next; int (*call)(int); };
struct item *get(void); struct item own; int x;
"""


def path_to_error(program: Program) -> Path:
    """The first path through `main` that ends in an error, calls not entered."""
    main = program.functions["main"]
    stack: list[tuple[Edge, ...]] = [(edge,) for edge in main.outgoing[main.entry]]
    while stack:
        edges = stack.pop()
        following = main.outgoing[edges[-1].dst]
        if type(edges[-1].op).__name__ == "Error":
            return Path(edges)
        stack += [(*edges, edge) for edge in following]
    raise AssertionError("no path")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("struct item *p = get(); p->a = 1; if (p->a == 2) reach_error();", Infeasible),
        ("struct item *p = get(); if (p->a == 2) reach_error();", Feasible),
        ("struct item *p = get(), *q = get(); p->a = 1; q->a = 2; if (p->a == 2) reach_error();",
         Feasible),
        ("struct item *p = get(); if (p == &own) reach_error();", Infeasible),
        ("struct item *p = get(); if (p->call(1) == 7) reach_error();", Feasible),
        ("struct item *p = get(); p->call = 0; if (p->call(1) == 7) reach_error();", Infeasible),
    ],
)  # fmt: skip
def test_paths(text: str, expected: type) -> None:
    program = program_of_c(HEAD + "int main(void) {" + text + " return 0; }")
    assert isinstance(check_path(program, path_to_error(program), Statistics(), 30), expected)


def test_what_many_pointers_may_share_is_open() -> None:
    """Too many to look at: a contradiction that needs that they are apart is none, but one that
    has nothing to do with it is."""
    many = "".join(f"struct item *p{k} = get(); p{k}->a = {k};" for k in range(6))
    shared = f"{many} if (p0->a == 5) reach_error();"
    other = f"{many} x = p0->a; x = 3; if (x == 5) reach_error();"
    for text, expected in ((shared, FeasibilityUnknown), (other, Infeasible)):
        program = program_of_c(HEAD + "int main(void) {" + text + " return 0; }")
        answer = check_path(program, path_to_error(program), Statistics(), 30)
        assert isinstance(answer, expected), answer
