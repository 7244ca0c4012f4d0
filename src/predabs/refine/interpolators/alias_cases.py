"""Reads of memory that was written: each place that a write may have hit is a case of its own.

What `*q` holds after `*p = v` depends on whether p and q are the same; told apart, the conditions
`p == q` and `v ...` can become predicates [HJMS02, section 5.2.1]. Soundness duty: the result is
equivalent to the condition.

>>> from ...smt.term import INT, ArraySort
>>> m, p, q = build.symbol("m", ArraySort(INT, INT)), build.symbol("p", INT), build.symbol("q", INT)
>>> read = build.select(build.store(m, p, build.integer(5)), q)
>>> print(told_apart(build.lt(read, build.integer(3))))
(and (not (= p q)) (< (select m q) 3))
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from ...smt import build
from ...smt.substitution import substitute
from ...smt.term import BOOL, App, Op, Symbol, Term, Value, postorder, symbols

_CONNECTIVES = frozenset((Op.NOT, Op.AND, Op.OR, Op.ITE, Op.EQ))
_MOST_READS = 24
_MOST_CASES = 200  # in which one condition is written down


def connected(term: Term) -> tuple[Term, ...]:
    """The conditions that a connective joins; none for an atom."""
    if isinstance(term, App) and term.op in _CONNECTIVES and term.args[0].sort is BOOL:
        return term.args if term.sort is BOOL else ()
    return ()


def atomic(term: Term) -> list[Term]:
    """The conditions that a condition is made of by connectives alone, each once, in order."""
    found: dict[Term, None] = {}
    seen: set[Term] = set()
    stack = [term]
    while stack:
        part = stack.pop()
        if part in seen:
            continue
        seen.add(part)
        parts = connected(part)
        if parts:
            stack.extend(reversed(parts))
        elif not isinstance(part, Value):
            found[part] = None
    return list(found)


def told_apart(term: Term) -> Term:
    """The condition without reads of what was written; itself, if there would be too many cases."""
    reads: dict[Symbol, list[tuple[Term, Term]]] = {}
    replaced: dict[Term, Term] = {}
    for part in postorder([term]):
        match part:
            case App(Op.SELECT, (App(Op.STORE | Op.ITE, _, _, _), _), _, _):
                array, at = _replace(list(part.args), replaced)
                if len(reads) == _MOST_READS:
                    return term
                name = Symbol(f"read!{len(reads)}", part.sort)
                cases = _cases(array, at)
                if cases is None:
                    return term
                reads[name] = cases
                replaced[part] = name
            case _:
                pass
    if not reads:
        return term
    (result,) = _replace([term], replaced)
    for name in reversed(reads):  # the value of one may speak of those before it
        split: dict[Term, Term] = {}
        for atom in atomic(result):
            if name in symbols([atom]):
                split[atom] = _by_cases(atom, name, reads[name])
        (result,) = _replace([result], split)
        if sum(1 for _ in postorder([result])) > _MOST_CASES * 50:
            return term
    return result


def _cases(array: Term, at: Term) -> list[tuple[Term, Term]] | None:
    """What an array holds at an address: conditions, of which the first that holds counts, with the
    values; the last condition is true."""
    cases: list[tuple[Term, Term]] = []
    stack: list[tuple[Term, Term]] = [(build.boolean(True), array)]
    while stack:
        guard, here = stack.pop()
        match here:
            case App(Op.STORE, (below, index, value), _, _):
                hit = build.eq(index, at)
                cases.append((build.and_(guard, hit), value))
                stack.append((guard, below))
            case App(Op.ITE, (cond, then, other), _, _):
                stack.append((guard, other))
                stack.append((build.and_(guard, cond), then))
            case _:
                cases.append((guard, build.select(here, at)))
        if len(cases) > _MOST_CASES:
            return None
    return cases


def _by_cases(atom: Term, name: Symbol, cases: list[tuple[Term, Term]]) -> Term:
    result: Term | None = None
    for guard, value in reversed(cases):
        (held,) = substitute([atom], {name: value})
        result = held if result is None else build.ite(guard, held, result)
    assert result is not None
    return result


def _replace(roots: list[Term], mapping: Mapping[Term, Term]) -> list[Term]:
    # a term that is replaced is never looked into, so it need not be a symbol
    return substitute(roots, cast(Mapping[Symbol, Term], mapping))
