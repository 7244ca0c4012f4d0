"""Expressions of Ada as text again, for messages; brackets stand where they are needed."""

from __future__ import annotations

from typing import assert_never

from . import syntax
from .syntax import Association, Expr

_LEVELS = {
    **dict.fromkeys(["->", "<->"], 0),
    **dict.fromkeys(["and", "or", "xor", "and then", "or else"], 1),
    **dict.fromkeys(["=", "/=", "<", "<=", ">", ">="], 2),
    **dict.fromkeys(["+", "-", "&"], 3),
    **dict.fromkeys(["*", "/", "mod", "rem"], 4),
    "**": 5,
}
_PRIMARY = 6


def show(expr: Expr) -> str:
    """The expression in Ada's syntax, on one line."""
    return _show(expr)[1]


def _at(expr: Expr, least: int) -> str:
    level, text = _show(expr)
    return text if level >= least else f"({text})"


def _show(expr: Expr) -> tuple[int, str]:
    match expr:
        case syntax.Name(_, _, spelling):
            return _PRIMARY, spelling
        case syntax.Integer(_, value):
            return _PRIMARY, str(value)
        case syntax.Character(_, value):
            return _PRIMARY, f"'{value}'"
        case syntax.String(_, value):
            quoted = value.replace('"', '""')
            return _PRIMARY, f'"{quoted}"'
        case syntax.Select(_, prefix, _, spelling):
            return _PRIMARY, f"{_at(prefix, _PRIMARY)}.{spelling}"
        case syntax.Attribute(_, prefix, name, args):
            given = f" ({', '.join(map(show, args))})" if args else ""
            spelled = "_".join(part.capitalize() for part in name.split("_"))
            return _PRIMARY, f"{_at(prefix, _PRIMARY)}'{spelled}{given}"
        case syntax.Apply(_, prefix, items):
            return _PRIMARY, f"{_at(prefix, _PRIMARY)} ({', '.join(map(_item, items))})"
        case syntax.Qualified(_, mark, value):
            return _PRIMARY, f"{show(mark)}'({show(value)})"
        case syntax.Unary(_, op, arg):
            if op in ("abs", "not"):
                return 5, f"{op} {_at(arg, _PRIMARY)}"
            return 3, f"{op}{_at(arg, 4)}"
        case syntax.Binary(_, op, left, right):
            level = _LEVELS[op]
            chained = isinstance(left, syntax.Binary) and left.op == op
            first = _at(left, level if level >= 3 or chained else level + 1)
            return level, f"{first} {op} {_at(right, level + 1)}"
        case syntax.Membership(_, arg, negated, choices):
            word = "not in" if negated else "in"
            return 2, f"{_at(arg, 3)} {word} {' | '.join(map(show, choices))}"
        case syntax.Range(_, low, high):
            return 2, f"{_at(low, 3)} .. {_at(high, 3)}"
        case syntax.Constrained(_, mark, inner):
            return 2, f"{show(mark)} range {show(inner)}"
        case syntax.If(_, cond, then, other):
            rest = "" if other is None else f" else {show(other)}"
            return _PRIMARY, f"(if {show(cond)} then {show(then)}{rest})"
        case syntax.Case(_, subject, arms):
            return _PRIMARY, f"(case {show(subject)} is when {', when '.join(map(_item, arms))})"
        case syntax.Quantified(_, every, name, of, domain, body):
            words = f"for {'all' if every else 'some'} {name.spelling} {'of' if of else 'in'}"
            return _PRIMARY, f"({words} {show(domain)} => {show(body)})"
        case syntax.Aggregate(_, items):
            return _PRIMARY, f"({', '.join(map(_item, items))})"
    assert_never(expr)


def _item(item: Association) -> str:
    value = "<>" if item.value is None else show(item.value)
    if item.others:
        return f"others => {value}"
    return f"{' | '.join(map(show, item.choices))} => {value}" if item.choices else value
