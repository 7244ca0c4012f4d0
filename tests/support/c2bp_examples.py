"""Boolean programs of the examples of [BPR01] and [BMR05], and how their expressions are
compared."""

from __future__ import annotations

from dataclasses import dataclass

from predabs.boolprog import parse
from predabs.boolprog.lexer import Lexer
from predabs.boolprog.parse_expressions import read_expression
from predabs.boolprog.replay import values_of
from predabs.boolprog.syntax import Assign, Expr, Procedure, Program, names, statements
from predabs.c2bp.boolean_code import program as tree
from predabs.c2bp.boolean_code import text
from predabs.c2bp.direct.method import DirectMethod
from predabs.c2bp.file_predicates import predicates_of_file, with_used_results
from predabs.c2bp.open_environment import with_open_environment
from predabs.c2bp.program import abstract
from predabs.ir.result_variables import with_results
from predabs.predicates.syntax.file import read_predicates
from support.c_programs import program_of_c

INC = """
int inc(int x) { x = x + 1; return x; }
void foo(int a) { int b, c; b = inc(a); c = inc(b); if (a == 2) if (c != 4) reach_error(); }
"""
FOO = "foo:\na == 2\nb == 3\nc == 4\n"
SWAP = """
void swap(int *p, int *q) { int t; t = *p; *p = *q; *q = t; }
int main(void) { int x, y; x = 5; y = 4; swap(&x, &y);
  if (x != 4) reach_error(); if (y != 5) reach_error(); return 0; }
"""
SWAP_PREDICATES = """
swap:
*'p == '*p
*'q == '*q
*'p == '*q
*'q == '*p
t == '*p
main:
x == 4
x == 5
y == 4
y == 5
"""


@dataclass(frozen=True)
class Same:
    """Expressions that are equal where no impossible state is, and some variables are true."""

    impossible: tuple[tuple[str, ...], ...] = ()
    always: tuple[str, ...] = ()

    def __call__(self, one: Expr, two: Expr) -> bool:
        found = sorted(names(one) | names(two))
        for bits in range(1 << len(found)):
            values = {name: bool(bits >> n & 1) for n, name in enumerate(found)}
            if any(all(values.get(name) for name in group) for group in self.impossible):
                continue
            if not all(values.get(name, True) for name in self.always):
                continue
            if values_of(one, values) != values_of(two, values):
                return False
        return True


def boolean_program(
    source: str,
    predicates: str,
    entry: str = "main",
    max_cube: int = 3,
    method: DirectMethod | None = None,
) -> Program:
    """What `predabs abstract` makes of a C program and the text of a predicates file."""
    program = program_of_c(source, entry)
    file = read_predicates(predicates, with_results(program))
    program = with_used_results(program, file)
    open_environment = entry != "main"
    if open_environment:
        program = with_open_environment(program)
    coded = abstract(
        program,
        predicates_of_file(file),
        max_cube,
        method=method,
        open_environment=open_environment,
    ).code
    assert parse(text(coded)) == tree(coded)
    return tree(coded)


def expression(written: str) -> Expr:
    """An expression of a Boolean program."""
    return read_expression(Lexer(written, "<test>"))


def assigned(procedure: Procedure, target: str) -> list[Expr]:
    """What is assigned to a variable, in order."""
    return [
        statement.action.values[statement.action.targets.index(target)]
        for statement in statements(procedure.body)
        if isinstance(statement.action, Assign) and target in statement.action.targets
    ]
