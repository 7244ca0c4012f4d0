"""Remopla, the language of Moped [Sch02]: modules, guarded commands, `undef` for any value.

Modules return at most one value, so that results go through global variables, which are read right
after the call. The error is the label `error`, which Moped is asked about.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..syntax import (
    Assign,
    Assume,
    Binary,
    Body,
    Call,
    Const,
    Expr,
    Goto,
    If,
    Nary,
    Not,
    Procedure,
    Program,
    Return,
    Skip,
    Star,
    Statement,
    Var,
    While,
    fold,
)
from .core import core
from .errors import errors_at_label
from .names import with_legal_names

LABEL = "error"

_PROCEDURE = "failed"
_WORDS = """
    A E bool break define do else enum false fi fork goto if init int module od return sgnint
    shared skip struct true undef void DEFAULT_INT_BITS DEFAULT_SIGNED_INT_BITS
"""  # `A` and `E` are the quantifiers
_KEYWORDS = frozenset(_WORDS.split())
_SIGNS = {"&": "&&", "|": "||"}


def write(program: Program, label: str | None = None) -> str:
    """The text; the error is that `LABEL` is reached."""
    lowered = core(program, label)
    results = tuple(f"result_{i + 1}" for i in range(max(p.returns for p in lowered.procedures)))
    legal = with_legal_names(lowered, _KEYWORDS | {LABEL, _PROCEDURE, *results})
    whole = errors_at_label(legal, _PROCEDURE, LABEL)
    return "\n".join(_Writer(results).program(whole)) + "\n"


def _expression(e: Expr) -> str:
    def combine(node: Expr, parts: list[tuple[str, bool]]) -> tuple[str, bool]:
        """The text, and whether it must be put in parentheses inside another operator."""
        inner = [f"({text})" if loose else text for text, loose in parts]
        match node:
            case Const(value):
                return ("true" if value else "false"), False
            case Star():
                return "undef", False
            case Var(name):
                return name, False
            case Not():
                return f"!{inner[0]}", False
            case Nary(op, _):
                return f" {_SIGNS[op]} ".join(inner), True
            case Binary("=", _, _):
                return f"{inner[0]} == {inner[1]}", True
            case _:
                raise AssertionError(f"not in the core: {node}")

    return fold(e, combine)[0]


def _assignments(targets: Sequence[str], values: Sequence[Expr]) -> str:
    pairs = zip(targets, values, strict=False)
    return ", ".join(f"{target} = {_expression(value)}" for target, value in pairs)


class _Writer:
    def __init__(self, results: tuple[str, ...]) -> None:
        self._results = results

    def program(self, program: Program) -> Iterator[str]:
        variables = program.globals + self._results
        if variables:
            yield f"bool {', '.join(variables)};"
        for p in program.procedures:
            yield f"{_head(p)};"
        yield "init main;"
        for p in program.procedures:
            yield ""
            yield f"{_head(p)} {{"
            if p.locals:
                yield f"  bool {', '.join(p.locals)};"
            yield from self._body(p.body, 1)
            yield "}"

    def _body(self, body: Body, depth: int) -> Iterator[str]:
        if not body:
            yield "  " * depth + "skip;"
        for statement in body:
            yield from self._statement(statement, depth)

    def _statement(self, s: Statement, depth: int) -> Iterator[str]:
        margin = "  " * depth
        head = margin + "".join(f"{label}: " for label in s.labels)
        match s.action:
            case If(cases, otherwise):
                # A guarded command may take any guard that holds, so each test has its own.
                for i, (condition, body) in enumerate(cases):
                    yield f"{margin}if" if i else f"{head}if"
                    yield f"{margin}:: {_expression(condition)} ->"
                    yield from self._body(body, depth + 1)
                    yield f"{margin}:: else ->"
                yield from self._body(otherwise, depth + 1)
                yield f"{margin}{' '.join(['fi;'] * len(cases))}"
            case While(condition, body):
                yield f"{head}do"
                yield f"{margin}:: {_expression(condition)} ->"
                yield from self._body(body, depth + 1)
                yield f"{margin}:: else ->"
                yield f"{margin}  break;"
                yield f"{margin}od;"
            case Skip():
                yield f"{head}skip;"
            case Assume(condition):
                yield f"{head}skip ({_expression(condition)});"
            case Goto((label,)):
                yield f"{head}goto {label};"
            case Assign(targets, values, None):
                yield f"{head}{_assignments(targets, values)};"
            case Call(targets, procedure, args):
                yield f"{head}{procedure}({', '.join(map(_expression, args))});"
                if targets:
                    taken = tuple(map(Var, self._results))
                    yield f"{margin}{_assignments(targets, taken)};"
            case Return(values):
                if values:
                    yield f"{head}{_assignments(self._results, values)};"
                    head = margin
                yield f"{head}return;"
            case action:
                raise AssertionError(f"not in the core: {action}")


def _head(p: Procedure) -> str:
    return f"module void {p.name}({', '.join(f'bool {x}' for x in p.params)})"
