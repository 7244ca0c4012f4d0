"""The dialect of Getafix [LMP09]: conditions in parentheses, no assertions, no `;` after `fi`.

The error is the label `SLIC_ERROR`, which Getafix is asked about. A free choice is written
`schoose[F, F]`: `*` can only be a whole condition there.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..show import show_action, show_expression
from ..syntax import Assign, Body, If, Procedure, Program, Star, Statement, While
from .core import core
from .errors import errors_at_label
from .names import with_legal_names

LABEL = "SLIC_ERROR"

_PROCEDURE = "slic_error"
_WORDS = """
    return goto skip do od else elsif if then fi decl while begin end bool void assert assume print
    enforce constrain schoose atomic_begin atomic_end T F _ init
    abortif async boolean branch choose dead end_thread false fork join lock start_thread sync true
    unlock
"""  # in the last two lines what only our own reader keeps for itself
_KEYWORDS = frozenset(_WORDS.split())


def write(program: Program, label: str | None = None) -> str:
    """The text; the error is that `LABEL` is reached."""
    legal = with_legal_names(core(program, label), _KEYWORDS | {LABEL, _PROCEDURE})
    return "\n".join(_program(errors_at_label(legal, _PROCEDURE, LABEL))) + "\n"


def _program(program: Program) -> Iterator[str]:
    if program.globals:
        yield f"decl {', '.join(program.globals)};"
    for p in program.procedures:
        yield ""
        yield from _procedure(p)


def _procedure(p: Procedure) -> Iterator[str]:
    kind = {0: "void", 1: "bool"}.get(p.returns, f"bool<{p.returns}>")
    yield f"{kind} {p.name}({', '.join(p.params)})"
    yield "begin"
    if p.locals:
        yield f"  decl {', '.join(p.locals)};"
    yield from _body(p.body, 1)
    yield "end"


def _body(body: Body, depth: int) -> Iterator[str]:
    if not body:
        yield "  " * depth + "skip;"
    for statement in body:
        yield from _statement(statement, depth)


def _statement(s: Statement, depth: int) -> Iterator[str]:
    margin = "  " * depth
    head = margin + "".join(f"{label}: " for label in s.labels)
    match s.action:
        case If(cases, otherwise):
            for i, (condition, body) in enumerate(cases):
                keyword = f"{head}if" if i == 0 else f"{margin}elsif"
                yield f"{keyword} ({show_expression(condition)}) then"
                yield from _body(body, depth + 1)
            yield f"{margin}else"
            yield from _body(otherwise, depth + 1)
            yield f"{margin}fi"
        case While(condition, body):
            yield f"{head}while ({show_expression(condition)}) do"
            yield from _body(body, depth + 1)
            yield f"{margin}od"
        case Assign(targets, values, None):
            shown = ("schoose[F, F]" if isinstance(v, Star) else show_expression(v) for v in values)
            yield f"{head}{', '.join(targets)} := {', '.join(shown)};"
        case action:
            yield f"{head}{show_action(action)};"
