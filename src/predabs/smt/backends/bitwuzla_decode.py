"""Bitwuzla's terms back into ours: for interpolants, which it writes with operators of its own.

An operator that is not in the table gives None, never a guess; what comes out is verified by
`interpolate` all the same.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import reduce
from typing import Any

from bitwuzla import Kind

from .. import bitvectors, build
from ..term import Symbol, Term


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
    Kind.BV_NOT: bitvectors.not_,
    Kind.BV_NEG: bitvectors.neg,
    Kind.BV_INC: lambda a: bitvectors.add(a, bitvectors.bits(1, bitvectors.width_of(a))),
    Kind.BV_DEC: lambda a: bitvectors.add(a, bitvectors.bits(-1, bitvectors.width_of(a))),
    Kind.BV_ADD: _chain(bitvectors.add),
    Kind.BV_SUB: bitvectors.sub,
    Kind.BV_MUL: _chain(bitvectors.mul),
    Kind.BV_UDIV: bitvectors.udiv,
    Kind.BV_SDIV: bitvectors.sdiv,
    Kind.BV_UREM: bitvectors.urem,
    Kind.BV_SREM: bitvectors.srem,
    Kind.BV_SHL: bitvectors.shl,
    Kind.BV_SHR: bitvectors.lshr,
    Kind.BV_ASHR: bitvectors.ashr,
    Kind.BV_AND: _chain(bitvectors.and_),
    Kind.BV_OR: _chain(bitvectors.or_),
    Kind.BV_XOR: _chain(bitvectors.xor),
    Kind.BV_ULT: bitvectors.ult,
    Kind.BV_ULE: bitvectors.ule,
    Kind.BV_UGT: lambda a, b: bitvectors.ult(b, a),
    Kind.BV_UGE: lambda a, b: bitvectors.ule(b, a),
    Kind.BV_SLT: bitvectors.slt,
    Kind.BV_SLE: bitvectors.sle,
    Kind.BV_SGT: lambda a, b: bitvectors.slt(b, a),
    Kind.BV_SGE: lambda a, b: bitvectors.sle(b, a),
    Kind.BV_COMP: lambda a, b: build.ite(
        build.eq(a, b), bitvectors.bits(1, 1), bitvectors.bits(0, 1)
    ),
    Kind.BV_CONCAT: _chain(bitvectors.concat),
    Kind.BV_EXTRACT: bitvectors.extract,
    Kind.BV_ZERO_EXTEND: bitvectors.zero_extend,
    Kind.BV_SIGN_EXTEND: bitvectors.sign_extend,
    Kind.ARRAY_SELECT: build.select,
    Kind.ARRAY_STORE: build.store,
}


def decode(root: Any, symbols: Mapping[int, Symbol]) -> Term | None:
    """The term; None if it holds an operator or symbol that is not ours."""
    decoded: dict[int, Term] = {}
    stack = [root]
    while stack:
        native = stack[-1]
        if native.id() in decoded:
            stack.pop()
            continue
        children = native.children()
        missing = [child for child in children if child.id() not in decoded]
        if missing:
            stack.extend(missing)
            continue
        stack.pop()
        term = _node(native, [decoded[child.id()] for child in children], symbols)
        if term is None:
            return None
        decoded[native.id()] = term
    return decoded[root.id()]


def _node(native: Any, args: list[Term], symbols: Mapping[int, Symbol]) -> Term | None:
    if native.is_const():
        return symbols.get(native.id())
    sort = native.sort()
    if native.is_value():
        if sort.is_bool():
            return build.boolean(native.value())
        if sort.is_bv():
            return bitvectors.bits(int(native.value(16), 16), sort.bv_size())
        return None
    builder = _BUILDERS.get(native.kind())
    return None if builder is None else builder(*args, *native.indices())
