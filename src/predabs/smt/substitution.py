"""Substitution of terms for symbols.

A block's formula is built once and used at many positions of a path: there its symbols get other
names, or the values they have at the start. Soundness duty: the result has, under a model, the
value that the term has when its symbols have the values of what they are replaced by. Replacement
is simultaneous.

>>> from .build import add, integer, le, symbol
>>> from .term import INT
>>> x, y = symbol("x", INT), symbol("y", INT)
>>> print(*substitute([le(x, y), add(x, y)], {x: y, y: integer(3)}))
(<= y 3) (+ y 3)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from ..errors import InternalError
from . import bitvectors, build, floats
from .term import FP_OPS, App, Op, Symbol, Term, show_sort

BUILDERS: Mapping[Op, Callable[..., Term]] = {
    Op.NOT: build.not_,
    Op.AND: build.and_,
    Op.OR: build.or_,
    Op.EQ: build.eq,
    Op.ITE: build.ite,
    Op.ADD: build.add,
    Op.MUL: build.mul,
    Op.DIV: build.div,
    Op.MOD: build.mod,
    Op.LE: build.le,
    Op.LT: build.lt,
    Op.BV_NOT: bitvectors.not_,
    Op.BV_NEG: bitvectors.neg,
    Op.BV_ADD: bitvectors.add,
    Op.BV_SUB: bitvectors.sub,
    Op.BV_MUL: bitvectors.mul,
    Op.BV_UDIV: bitvectors.udiv,
    Op.BV_SDIV: bitvectors.sdiv,
    Op.BV_UREM: bitvectors.urem,
    Op.BV_SREM: bitvectors.srem,
    Op.BV_SHL: bitvectors.shl,
    Op.BV_LSHR: bitvectors.lshr,
    Op.BV_ASHR: bitvectors.ashr,
    Op.BV_AND: bitvectors.and_,
    Op.BV_OR: bitvectors.or_,
    Op.BV_XOR: bitvectors.xor,
    Op.BV_ULT: bitvectors.ult,
    Op.BV_ULE: bitvectors.ule,
    Op.BV_SLT: bitvectors.slt,
    Op.BV_SLE: bitvectors.sle,
    Op.CONCAT: bitvectors.concat,
    Op.EXTRACT: bitvectors.extract,
    Op.ZERO_EXTEND: bitvectors.zero_extend,
    Op.SIGN_EXTEND: bitvectors.sign_extend,
    Op.SELECT: build.select,
    Op.STORE: build.store,
    **{op: partial(floats.operator, op) for op in FP_OPS},
}


def substitute(roots: Sequence[Term], mapping: Mapping[Symbol, Term]) -> list[Term]:
    """The roots with what the mapping has instead of symbols; others stay as they are.

    Where only names change, the result has the form of the original; else it is simplified.
    """
    made: dict[Term, Term] = {}
    # what has only got other names needs no second look by the constructors, which is much faster
    touched: set[Term] = set()
    for symbol, new in mapping.items():
        if symbol.sort is not new.sort:
            raise InternalError(f"{symbol.name} is no {show_sort(new.sort)}")
        made[symbol] = new
        if not isinstance(new, Symbol):
            touched.add(symbol)
    stack = list(roots)
    while stack:
        term = stack[-1]
        if term in made:
            stack.pop()
            continue
        if not isinstance(term, App):
            made[term] = term
            stack.pop()
            continue
        args = term.args
        missing = [arg for arg in args if arg not in made]
        if missing:
            stack += missing
            continue
        stack.pop()
        others = tuple([made[arg] for arg in args])
        if touched and not touched.isdisjoint(args):
            touched.add(term)
            made[term] = BUILDERS[term.op](*others, *term.params)
        else:
            made[term] = term if others == args else App(term.op, others, term.params, term.sort)
    return [made[root] for root in roots]
