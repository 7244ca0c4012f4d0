"""Bitwuzla's terms back into ours: for interpolants, which it writes in its own words.

An operator that is not in the table gives None, never a guess; what comes out is verified by
`interpolate` all the same.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import reduce
from typing import Any

from bitwuzla import Kind

from . import bitvec, build
from .term import Symbol, Term


def _chain(function: Callable[[Term, Term], Term]) -> Callable[..., Term]:
    """Of any number of arguments, grouped from the left."""
    return lambda *args: reduce(function, args)


_BUILDERS: dict[Any, Callable[..., Term]] = {
    Kind.NOT: build.not_,
    Kind.AND: build.and_,
    Kind.OR: build.or_,
    Kind.XOR: _chain(build.xor),
    Kind.IMPLIES: build.implies,
    Kind.IFF: build.eq,
    Kind.EQUAL: lambda first, *rest: build.and_(*(build.eq(first, other) for other in rest)),
    Kind.DISTINCT: build.distinct,
    Kind.ITE: build.ite,
    Kind.BV_NOT: bitvec.not_,
    Kind.BV_NEG: bitvec.neg,
    Kind.BV_INC: lambda a: bitvec.add(a, bitvec.bits(1, bitvec.width_of(a))),
    Kind.BV_DEC: lambda a: bitvec.add(a, bitvec.bits(-1, bitvec.width_of(a))),
    Kind.BV_ADD: _chain(bitvec.add),
    Kind.BV_SUB: bitvec.sub,
    Kind.BV_MUL: _chain(bitvec.mul),
    Kind.BV_UDIV: bitvec.udiv,
    Kind.BV_SDIV: bitvec.sdiv,
    Kind.BV_UREM: bitvec.urem,
    Kind.BV_SREM: bitvec.srem,
    Kind.BV_SHL: bitvec.shl,
    Kind.BV_SHR: bitvec.lshr,
    Kind.BV_ASHR: bitvec.ashr,
    Kind.BV_AND: _chain(bitvec.and_),
    Kind.BV_OR: _chain(bitvec.or_),
    Kind.BV_XOR: _chain(bitvec.xor),
    Kind.BV_ULT: bitvec.ult,
    Kind.BV_ULE: bitvec.ule,
    Kind.BV_UGT: lambda a, b: bitvec.ult(b, a),
    Kind.BV_UGE: lambda a, b: bitvec.ule(b, a),
    Kind.BV_SLT: bitvec.slt,
    Kind.BV_SLE: bitvec.sle,
    Kind.BV_SGT: lambda a, b: bitvec.slt(b, a),
    Kind.BV_SGE: lambda a, b: bitvec.sle(b, a),
    Kind.BV_COMP: lambda a, b: build.ite(build.eq(a, b), bitvec.bits(1, 1), bitvec.bits(0, 1)),
    Kind.BV_CONCAT: _chain(bitvec.concat),
    Kind.BV_EXTRACT: bitvec.extract,
    Kind.BV_ZERO_EXTEND: bitvec.zero_extend,
    Kind.BV_SIGN_EXTEND: bitvec.sign_extend,
    Kind.ARRAY_SELECT: build.select,
    Kind.ARRAY_STORE: build.store,
}


def decode(root: Any, symbols: Mapping[int, Symbol]) -> Term | None:
    """The term; None if it holds an operator or symbol that is not ours."""
    known: dict[int, Term] = {}
    stack = [root]
    while stack:
        native = stack[-1]
        if native.id() in known:
            stack.pop()
            continue
        children = native.children()
        missing = [child for child in children if child.id() not in known]
        if missing:
            stack.extend(missing)
            continue
        stack.pop()
        term = _node(native, [known[child.id()] for child in children], symbols)
        if term is None:
            return None
        known[native.id()] = term
    return known[root.id()]


def _node(native: Any, args: list[Term], symbols: Mapping[int, Symbol]) -> Term | None:
    if native.is_const():
        return symbols.get(native.id())
    sort = native.sort()
    if native.is_value():
        if sort.is_bool():
            return build.boolean(native.value())
        if sort.is_bv():
            return bitvec.bits(int(native.value(16), 16), sort.bv_size())
        return None
    builder = _BUILDERS.get(native.kind())
    return None if builder is None else builder(*args, *native.indices())
