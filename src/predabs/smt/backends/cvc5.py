"""cvc5: integers, bit-vectors and arrays; slower than the others, and built by other people.

Its library keeps Python's lock while it works, so no other thread can interrupt it: only its own
limit of time ends a check. Give it one. Terms that are too deep for it are not given to it.
"""

from __future__ import annotations

from collections.abc import Sequence
from time import perf_counter
from typing import Any

import cvc5
from cvc5 import Kind

from ...errors import InternalError
from ...ir.ieee754 import Format, Rounding
from ..semantics import ModelValue, array_value
from ..solver import Answer, Reason, Sat, Statistics, Unknown, Unsat
from ..term import (
    FP_FROM_INTEGER,
    App,
    ArraySort,
    BitVecSort,
    BoolSort,
    IntSort,
    Op,
    Sort,
    Symbol,
    Term,
    Value,
    postorder,
)
from .backend import Backend
from .float_views import float_constant
from .keepalive import outlive
from .term_translation import TermTranslator

# the total forms of division mean what ours do: x div 0 = 0, x mod 0 = x
KINDS = {
    Op.NOT: Kind.NOT, Op.AND: Kind.AND, Op.OR: Kind.OR, Op.EQ: Kind.EQUAL, Op.ITE: Kind.ITE,
    Op.ADD: Kind.ADD, Op.MUL: Kind.MULT, Op.DIV: Kind.INTS_DIVISION_TOTAL,
    Op.MOD: Kind.INTS_MODULUS_TOTAL, Op.LE: Kind.LEQ, Op.LT: Kind.LT,
    Op.BV_NOT: Kind.BITVECTOR_NOT, Op.BV_NEG: Kind.BITVECTOR_NEG,
    Op.BV_ADD: Kind.BITVECTOR_ADD, Op.BV_SUB: Kind.BITVECTOR_SUB,
    Op.BV_MUL: Kind.BITVECTOR_MULT, Op.BV_UDIV: Kind.BITVECTOR_UDIV,
    Op.BV_SDIV: Kind.BITVECTOR_SDIV, Op.BV_UREM: Kind.BITVECTOR_UREM,
    Op.BV_SREM: Kind.BITVECTOR_SREM, Op.BV_SHL: Kind.BITVECTOR_SHL,
    Op.BV_LSHR: Kind.BITVECTOR_LSHR, Op.BV_ASHR: Kind.BITVECTOR_ASHR,
    Op.BV_AND: Kind.BITVECTOR_AND, Op.BV_OR: Kind.BITVECTOR_OR, Op.BV_XOR: Kind.BITVECTOR_XOR,
    Op.BV_ULT: Kind.BITVECTOR_ULT, Op.BV_ULE: Kind.BITVECTOR_ULE,
    Op.BV_SLT: Kind.BITVECTOR_SLT, Op.BV_SLE: Kind.BITVECTOR_SLE,
    Op.CONCAT: Kind.BITVECTOR_CONCAT, Op.SELECT: Kind.SELECT, Op.STORE: Kind.STORE,
}  # fmt: skip
FLOAT_KINDS = {
    Op.FP_ADD: Kind.FLOATINGPOINT_ADD, Op.FP_SUB: Kind.FLOATINGPOINT_SUB,
    Op.FP_MUL: Kind.FLOATINGPOINT_MULT, Op.FP_DIV: Kind.FLOATINGPOINT_DIV,
    Op.FP_SQRT: Kind.FLOATINGPOINT_SQRT, Op.FP_INTEGRAL: Kind.FLOATINGPOINT_RTI,
    Op.FP_EQ: Kind.FLOATINGPOINT_EQ, Op.FP_LT: Kind.FLOATINGPOINT_LT,
    Op.FP_LE: Kind.FLOATINGPOINT_LEQ, Op.FP_CONVERT: Kind.FLOATINGPOINT_TO_FP_FROM_FP,
    Op.FP_FROM_SBV: Kind.FLOATINGPOINT_TO_FP_FROM_SBV,
    Op.FP_FROM_UBV: Kind.FLOATINGPOINT_TO_FP_FROM_UBV, Op.FP_TO_SBV: Kind.FLOATINGPOINT_TO_SBV,
}  # fmt: skip
ROUNDING = {
    Rounding.RNE: cvc5.RoundingMode.ROUND_NEAREST_TIES_TO_EVEN,
    Rounding.RNA: cvc5.RoundingMode.ROUND_NEAREST_TIES_TO_AWAY,
    Rounding.RTP: cvc5.RoundingMode.ROUND_TOWARD_POSITIVE,
    Rounding.RTN: cvc5.RoundingMode.ROUND_TOWARD_NEGATIVE,
    Rounding.RTZ: cvc5.RoundingMode.ROUND_TOWARD_ZERO,
}
INDEXED = {
    Op.EXTRACT: Kind.BITVECTOR_EXTRACT,
    Op.ZERO_EXTEND: Kind.BITVECTOR_ZERO_EXTEND,
    Op.SIGN_EXTEND: Kind.BITVECTOR_SIGN_EXTEND,
}

# cvc5 walks terms recursively and dies of a stack that is too small somewhere above 10,000 levels
DEEPEST = 4_000


class _Translator(TermTranslator[Any]):
    """Terms of one term manager, which it owns."""

    def __init__(self, statistics: Statistics) -> None:
        super().__init__(statistics)
        self.manager = cvc5.TermManager()
        outlive(self, self.manager)
        self._sorts: dict[Sort, Any] = {}
        self._depths: dict[Term, int] = {}

    def sort(self, sort: Sort) -> Any:
        found = self._sorts.get(sort)
        if found is None:
            match sort:
                case BoolSort():
                    found = self.manager.getBooleanSort()
                case IntSort():
                    found = self.manager.getIntegerSort()
                case BitVecSort(width):
                    found = self.manager.mkBitVectorSort(width)
                case ArraySort(index, element):
                    found = self.manager.mkArraySort(self.sort(index), self.sort(element))
            self._sorts[sort] = found
        return found

    def symbol(self, symbol: Symbol) -> Any:
        return self.manager.mkConst(self.sort(symbol.sort), symbol.name)

    def value(self, value: Value) -> Any:
        match value.sort:
            case BoolSort():
                return self.manager.mkBoolean(bool(value.value))
            case IntSort():
                return self.manager.mkInteger(str(value.value))
            case BitVecSort(width):
                # through a string, as numbers beyond 64 bits are refused
                return self.manager.mkBitVector(width, f"{value.value:x}", 16)

    def app(self, op: Op, params: Sequence[int | Sort], sort: Sort, args: Sequence[Any]) -> Any:
        kind = KINDS.get(op)
        if kind is not None:
            return self.manager.mkTerm(kind, *args)
        kind = INDEXED.get(op)
        if kind is not None:
            return self.manager.mkTerm(self.manager.mkOp(kind, *params), *args)
        if op is Op.CONST_ARRAY:
            return self.manager.mkConstArray(self.sort(sort), args[0])
        raise InternalError(f"cvc5 has no translation of {op.value}")

    def depth(self, root: Term) -> int:
        """How many levels a term has."""
        depths = self._depths
        for term in postorder([root]) if root not in depths else ():
            if term not in depths:
                args = term.args if isinstance(term, App) else ()
                depths[term] = 1 + max((depths[arg] for arg in args), default=0)
        return depths[root]

    def number(self, bits: Any, form: Format) -> Any:
        shape = (form.exponent, form.precision)
        return self.manager.mkTerm(
            self.manager.mkOp(Kind.FLOATINGPOINT_TO_FP_FROM_IEEE_BV, *shape), bits
        )

    def float_app(self, op: Op, form: Format, params: Sequence[int], args: Sequence[Any]) -> Any:
        kind, make = FLOAT_KINDS[op], self.manager.mkTerm
        if not params:
            return make(kind, *args)
        mode = self.manager.mkRoundingMode(ROUNDING[Rounding(params[0])])
        if op is Op.FP_TO_SBV:
            return self._to_signed(form, mode, params[1], args[0])
        if op in FP_FROM_INTEGER:
            return make(self.manager.mkOp(kind, form.exponent, form.precision), mode, *args)
        if op is Op.FP_CONVERT:
            return make(self.manager.mkOp(kind, *params[1:]), mode, *args)
        return make(kind, mode, *args)

    def _to_signed(self, form: Format, mode: Any, width: int, arg: Any) -> Any:
        """Out of range SMT-LIB leaves it open."""
        make, least = self.manager.mkTerm, 1 << (width - 1)
        whole = make(Kind.FLOATINGPOINT_RTI, mode, arg)
        low = self.number(self(float_constant(form, -least)), form)
        high = self.number(self(float_constant(form, least)), form)
        inside = make(
            Kind.AND,
            make(Kind.FLOATINGPOINT_LEQ, low, whole),
            make(Kind.FLOATINGPOINT_LT, whole, high),
        )
        result = make(self.manager.mkOp(Kind.FLOATINGPOINT_TO_SBV, width), mode, arg)
        return make(Kind.ITE, inside, result, self(Value(least, BitVecSort(width))))

    def float_sign(self, op: Op, arg: Any) -> Any:
        kind = Kind.FLOATINGPOINT_NEG if op is Op.BV_XOR else Kind.FLOATINGPOINT_ABS
        return self.manager.mkTerm(kind, arg)

    def is_nan(self, number: Any) -> Any:
        return self.manager.mkTerm(Kind.FLOATINGPOINT_IS_NAN, number)

    def bits(self, term: App, number: Any, form: Format) -> Any:
        symbol = self.manager.mkConst(self.sort(term.sort), f"bits!{len(self._meanings)}")
        self._meanings[term] = self.manager.mkTerm(Kind.EQUAL, self.number(symbol, form), number)
        return symbol


class Cvc5Solver(Backend[Any]):
    name = "cvc5"
    _translate: _Translator

    def __init__(self, statistics: Statistics, translate: _Translator | None = None) -> None:
        super().__init__(_Translator(statistics) if translate is None else translate)
        self._solver = cvc5.Solver(self._translate.manager)
        for option in ("incremental", "produce-models", "produce-unsat-assumptions", "arrays-exp"):
            self._solver.setOption(option, "true")
        self._limit = 0

    def fresh(self) -> Cvc5Solver:
        return Cvc5Solver(self.statistics, self._translate)

    def _add(self, native: Any) -> None:
        self._solver.assertFormula(native)

    def _push(self) -> None:
        self._solver.push()

    def _pop(self) -> None:
        self._solver.pop()

    def _check(
        self, assumptions: Sequence[Term], natives: Sequence[Any], timeout: float | None
    ) -> Answer:
        start = perf_counter()
        depth = self._translate.depth
        if any(depth(term) > DEEPEST for term in (*self._asserted, *assumptions)):
            return Unknown(Reason.FAILURE, f"a term of more than {DEEPEST} levels")
        try:
            limit = 0 if timeout is None else max(int(timeout * 1000), 1)
            if limit != self._limit:
                self._solver.setOption("tlimit-per", str(limit))
                self._limit = limit
            result = self._solver.checkSatAssuming(*natives)
            if result.isSat():
                return Sat(self._new_model(assumptions))
            if result.isUnsat():
                used = set(self._solver.getUnsatAssumptions()) if natives else set()
                pairs = {native: term for term, native in zip(assumptions, natives, strict=True)}
                return Unsat(tuple(term for native, term in pairs.items() if native in used))
            return self._gave_up(start, timeout, str(result))
        except RuntimeError as error:
            return Unknown(Reason.FAILURE, str(error))

    def _read(self, symbol: Symbol) -> ModelValue:
        return _parse(self._solver.getValue(self._translate(symbol)), symbol.sort)

    def _interrupt(self) -> None:
        """Nothing to call; see the module."""


def _parse(term: Any, sort: Sort) -> ModelValue:
    match sort:
        case BoolSort():
            return int(term.getBooleanValue())
        case IntSort():
            return int(term.getIntegerValue())
        case BitVecSort():
            return int(term.getBitVectorValue(16), 16)
        case ArraySort(index, element):
            pass
    entries: dict[int, ModelValue] = {}
    while term.getKind() == Kind.STORE:
        term, at, new = term[0], term[1], term[2]
        where = _parse(at, index)
        assert isinstance(where, int)
        if where not in entries:
            entries[where] = _parse(new, element)
    if not term.isConstArray():
        raise InternalError("cvc5 gave an array in an unknown form")
    return array_value(_parse(term.getConstArrayBase(), element), entries, index)


def create(statistics: Statistics) -> Cvc5Solver:
    return Cvc5Solver(statistics)
