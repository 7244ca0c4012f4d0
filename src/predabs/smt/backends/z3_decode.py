"""Terms of z3, as its tactics return them, back as ours.

Soundness duty: the same meaning, or `None`: a quantifier that is left, a symbol with arguments, or
an operator that we do not have.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import reduce
from typing import Any

import z3

from .. import bitvectors, build
from ..term import BOOL, INT, ArraySort, BitVecSort, Sort, Symbol, Term, Value

_ANY_ARITY: dict[int, Callable[..., Term]] = {
    z3.Z3_OP_AND: build.and_,
    z3.Z3_OP_OR: build.or_,
    z3.Z3_OP_DISTINCT: build.distinct,
    z3.Z3_OP_ADD: build.add,
    z3.Z3_OP_MUL: build.mul,
}
_CHAINED: dict[int, Callable[[Term, Term], Term]] = {
    z3.Z3_OP_SUB: build.sub,
    z3.Z3_OP_BADD: bitvectors.add,
    z3.Z3_OP_BSUB: bitvectors.sub,
    z3.Z3_OP_BMUL: bitvectors.mul,
    z3.Z3_OP_BAND: bitvectors.and_,
    z3.Z3_OP_BOR: bitvectors.or_,
    z3.Z3_OP_BXOR: bitvectors.xor,
    z3.Z3_OP_CONCAT: bitvectors.concat,
}
_FIXED: dict[int, Callable[..., Term]] = {
    z3.Z3_OP_NOT: build.not_,
    z3.Z3_OP_ITE: build.ite,
    z3.Z3_OP_EQ: build.eq,
    z3.Z3_OP_IFF: build.eq,
    z3.Z3_OP_XOR: build.xor,
    z3.Z3_OP_IMPLIES: build.implies,
    z3.Z3_OP_UMINUS: build.neg,
    z3.Z3_OP_LE: build.le,
    z3.Z3_OP_LT: build.lt,
    z3.Z3_OP_GE: build.ge,
    z3.Z3_OP_GT: build.gt,
    z3.Z3_OP_BNEG: bitvectors.neg,
    z3.Z3_OP_BNOT: bitvectors.not_,
    z3.Z3_OP_BUDIV: bitvectors.udiv,
    z3.Z3_OP_BUDIV_I: bitvectors.udiv,
    z3.Z3_OP_BSDIV: bitvectors.sdiv,
    z3.Z3_OP_BSDIV_I: bitvectors.sdiv,
    z3.Z3_OP_BUREM: bitvectors.urem,
    z3.Z3_OP_BUREM_I: bitvectors.urem,
    z3.Z3_OP_BSREM: bitvectors.srem,
    z3.Z3_OP_BSREM_I: bitvectors.srem,
    z3.Z3_OP_BSHL: bitvectors.shl,
    z3.Z3_OP_BLSHR: bitvectors.lshr,
    z3.Z3_OP_BASHR: bitvectors.ashr,
    z3.Z3_OP_ULT: bitvectors.ult,
    z3.Z3_OP_ULEQ: bitvectors.ule,
    z3.Z3_OP_UGT: lambda a, b: bitvectors.ult(b, a),
    z3.Z3_OP_UGEQ: lambda a, b: bitvectors.ule(b, a),
    z3.Z3_OP_SLT: bitvectors.slt,
    z3.Z3_OP_SLEQ: bitvectors.sle,
    z3.Z3_OP_SGT: lambda a, b: bitvectors.slt(b, a),
    z3.Z3_OP_SGEQ: lambda a, b: bitvectors.sle(b, a),
    z3.Z3_OP_SELECT: build.select,
    z3.Z3_OP_STORE: build.store,
}
_WITH_PARAMS: dict[int, Callable[..., Term]] = {
    z3.Z3_OP_EXTRACT: bitvectors.extract,
    z3.Z3_OP_ZERO_EXT: bitvectors.zero_extend,
    z3.Z3_OP_SIGN_EXT: bitvectors.sign_extend,
}


def decode(ref: Any, root: Any, symbols: Mapping[str, Symbol]) -> Term | None:
    """Our term for a native one; `symbols` by their names. The caller keeps the root alive."""
    decoded: dict[int, Term] = {}
    stack = [root]
    while stack:
        ast = stack[-1]
        ident = z3.Z3_get_ast_id(ref, ast)
        if ident in decoded:
            stack.pop()
            continue
        kind = z3.Z3_get_ast_kind(ref, ast)
        if kind == z3.Z3_NUMERAL_AST:
            number = _number(ref, ast)
            if number is None:
                return None
            decoded[ident] = number
            continue
        if kind != z3.Z3_APP_AST:
            return None
        app = z3.Z3_to_app(ref, ast)
        args = [z3.Z3_get_app_arg(ref, app, i) for i in range(z3.Z3_get_app_num_args(ref, app))]
        idents = [z3.Z3_get_ast_id(ref, arg) for arg in args]
        missing = [arg for arg, i in zip(args, idents, strict=True) if i not in decoded]
        if missing:
            stack.extend(missing)
            continue
        term = _apply(ref, app, [decoded[i] for i in idents], symbols)
        if term is None:
            return None
        decoded[ident] = term
    return decoded[z3.Z3_get_ast_id(ref, root)]


def _number(ref: Any, ast: Any) -> Value | None:
    sort = _sort(ref, z3.Z3_get_sort(ref, ast))
    if sort is None or isinstance(sort, ArraySort):
        return None
    return Value(int(z3.Z3_get_numeral_string(ref, ast)), sort)


def _sort(ref: Any, native: Any) -> Sort | None:
    kind = z3.Z3_get_sort_kind(ref, native)
    if kind == z3.Z3_BOOL_SORT:
        return BOOL
    if kind == z3.Z3_INT_SORT:
        return INT
    if kind == z3.Z3_BV_SORT:
        return BitVecSort(z3.Z3_get_bv_sort_size(ref, native))
    if kind == z3.Z3_ARRAY_SORT:
        index = _sort(ref, z3.Z3_get_array_sort_domain(ref, native))
        element = _sort(ref, z3.Z3_get_array_sort_range(ref, native))
        if index is not None and element is not None and not isinstance(index, ArraySort):
            return ArraySort(index, element)
    return None


def _apply(ref: Any, app: Any, args: list[Term], symbols: Mapping[str, Symbol]) -> Term | None:
    decl = z3.Z3_get_app_decl(ref, app)
    kind = z3.Z3_get_decl_kind(ref, decl)
    if kind == z3.Z3_OP_TRUE or kind == z3.Z3_OP_FALSE:
        return build.boolean(kind == z3.Z3_OP_TRUE)
    if kind == z3.Z3_OP_UNINTERPRETED:
        name = z3.Z3_get_symbol_string(ref, z3.Z3_get_decl_name(ref, decl))
        return None if args else symbols.get(name)
    if (function := _ANY_ARITY.get(kind)) is not None:
        return function(*args)
    if (chained := _CHAINED.get(kind)) is not None:
        return reduce(chained, args)
    if (function := _FIXED.get(kind)) is not None:
        return function(*args)
    if (function := _WITH_PARAMS.get(kind)) is not None:
        count = z3.Z3_get_decl_num_parameters(ref, decl)
        params = [z3.Z3_get_decl_int_parameter(ref, decl, i) for i in range(count)]
        return function(args[0], *params)
    if kind in (z3.Z3_OP_IDIV, z3.Z3_OP_MOD) and _not_zero(args[1]):
        return (build.div if kind == z3.Z3_OP_IDIV else build.mod)(*args)
    if kind == z3.Z3_OP_CONST_ARRAY and isinstance(args[0], Value):
        sort = _sort(ref, z3.Z3_get_sort(ref, z3.Z3_app_to_ast(ref, app)))
        assert isinstance(sort, ArraySort)
        return build.const_array(sort.index, args[0])
    return None


def _not_zero(term: Term) -> bool:
    """z3 leaves the division by zero open, and we do not."""
    return isinstance(term, Value) and term.value != 0
