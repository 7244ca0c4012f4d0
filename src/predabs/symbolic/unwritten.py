"""When does a value hold bytes that were never written? The term itself tells.

What memory holds before it is written is a symbol of its own, and a copy of it is the same symbol.
So no shadow memory is needed: a value has such a byte where its term chooses one of these symbols.
Soundness duty: where the condition does not hold, the value depends on none of them. A part of a
value is taken for the whole, so that the condition may hold where all bits that count are written.

>>> from ..smt import bitvectors
>>> from ..smt.term import BitVecSort
>>> x, y = Symbol("x", BitVecSort(8)), Symbol("y", BitVecSort(8))
>>> c = build.eq(y, bitvectors.bits(3, 8))
>>> print(unwritten(build.ite(c, bitvectors.bits(1, 8), x), {x}))
(not (= y (_ bv3 8)))
"""

from __future__ import annotations

from collections.abc import Collection
from typing import TypeAlias

from ..smt import build
from ..smt.term import BOOL, FALSE, TRUE, App, Op, Symbol, Term
from .memory import Reach, SymbolicMemory

_Part: TypeAlias = Term | tuple[Term, Term]  # a value, or the element of an array at an index


def initialised(memory: SymbolicMemory, found: Reach, size: int) -> Term:
    """All bytes that an access reads have been written. Where it is not valid, or leads outside,
    nothing is wrong with them."""
    wrong = [
        build.and_(target.cond, unwritten(memory.load(target, size), memory.space.unwritten))
        for target in found.targets
        if target.object is not memory.space.outside
    ]
    return build.not_(build.and_(found.inside, build.or_(*wrong)))


def unwritten(term: Term, symbols: Collection[Term]) -> Term:
    """The condition that the value is made from one of these symbols."""
    if not symbols:
        return FALSE
    found: dict[_Part, Term] = {}
    stack: list[_Part] = [term]
    while stack:
        part = stack[-1]
        if part in found:
            stack.pop()
            continue
        missing = [inner for inner in _parts(part) if inner not in found]
        if missing:
            stack.extend(missing)
            continue
        stack.pop()
        found[part] = _condition(part, found, symbols)
    return found[term]


def _parts(part: _Part) -> tuple[_Part, ...]:
    """The values that one of them may be, or is made from. What chooses among them is none: it was
    a branch of the program's."""
    match part:
        case App(Op.ITE, (_, then, other)):
            return then, other
        case App(Op.SELECT, (array, index)):
            return ((array, index),)
        case App(_, args):
            return tuple(arg for arg in args if arg.sort is not BOOL)
        case App(Op.STORE, (rest, _, value)), index:
            return (rest, index), value
        case App(Op.ITE, (_, then, other)), index:
            return (then, index), (other, index)
    return ()


def _condition(part: _Part, found: dict[_Part, Term], symbols: Collection[Term]) -> Term:
    match part:
        case App(Op.ITE, (cond, then, other)):
            return build.ite(cond, found[then], found[other])
        case App(Op.STORE, (rest, at, value)), index:
            return build.ite(build.eq(at, index), found[value], found[rest, index])
        case App(Op.ITE, (cond, then, other)), index:
            return build.ite(cond, found[then, index], found[other, index])
        case (Symbol() | App(Op.CONST_ARRAY)) as array, _:
            return TRUE if array in symbols else FALSE
        case _, _:  # an array among arrays: there is none
            return TRUE
        case Symbol():
            return TRUE if part in symbols else FALSE
    return build.or_(*(found[inner] for inner in _parts(part)))
