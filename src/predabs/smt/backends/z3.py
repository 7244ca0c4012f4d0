"""z3, through its C functions: z3py's operator objects would cost several times the translation.

Soundness duty on top of `Backend`'s: every native term is kept (`z3_context`) before the next call.
"""

from __future__ import annotations

import signal
from collections.abc import Callable, Sequence
from contextlib import nullcontext, suppress
from time import perf_counter
from typing import Any

import z3

from ...errors import InternalError, ResourceExhausted
from ...ir.ieee754 import Format, Rounding
from ..semantics import ModelValue
from ..solver import Answer, Model, Reason, Sat, Statistics, Unknown, Unsat
from ..term import (
    FP_FROM_INTEGER,
    INT,
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
)
from .backend import Backend
from .float_views import float_constant
from .term_translation import TermTranslator
from .watchdog import WATCHDOG
from .z3_context import Z3Context, c_function
from .z3_model import Z3Model

_FIXED = {
    Op.NOT: "not", Op.EQ: "eq", Op.ITE: "ite", Op.LE: "le", Op.LT: "lt",
    Op.BV_NOT: "bvnot", Op.BV_NEG: "bvneg", Op.BV_ADD: "bvadd", Op.BV_SUB: "bvsub",
    Op.BV_MUL: "bvmul", Op.BV_UDIV: "bvudiv", Op.BV_SDIV: "bvsdiv", Op.BV_UREM: "bvurem",
    Op.BV_SREM: "bvsrem", Op.BV_SHL: "bvshl", Op.BV_LSHR: "bvlshr", Op.BV_ASHR: "bvashr",
    Op.BV_AND: "bvand", Op.BV_OR: "bvor", Op.BV_XOR: "bvxor", Op.BV_ULT: "bvult",
    Op.BV_ULE: "bvule", Op.BV_SLT: "bvslt", Op.BV_SLE: "bvsle", Op.CONCAT: "concat",
    Op.SELECT: "select", Op.STORE: "store",
}  # fmt: skip
_FIXED_ARITY = {op: c_function(f"Z3_mk_{name}") for op, name in _FIXED.items()}
_ANY_ARITY = {
    op: c_function(f"Z3_mk_{name}")
    for op, name in {Op.AND: "and", Op.OR: "or", Op.ADD: "add", Op.MUL: "mul"}.items()
}
_WITH_PARAMS = {
    Op.EXTRACT: c_function("Z3_mk_extract"),
    Op.ZERO_EXTEND: c_function("Z3_mk_zero_ext"),
    Op.SIGN_EXTEND: c_function("Z3_mk_sign_ext"),
}
_FLOAT = {
    op: c_function(f"Z3_mk_fpa_{name}")
    for op, name in {
        Op.FP_ADD: "add", Op.FP_SUB: "sub", Op.FP_MUL: "mul", Op.FP_DIV: "div",
        Op.FP_SQRT: "sqrt", Op.FP_INTEGRAL: "round_to_integral", Op.FP_EQ: "eq", Op.FP_LT: "lt",
        Op.FP_LE: "leq", Op.FP_CONVERT: "to_fp_float", Op.FP_FROM_SBV: "to_fp_signed",
        Op.FP_FROM_UBV: "to_fp_unsigned", Op.FP_TO_SBV: "to_sbv",
    }.items()
}  # fmt: skip
_ROUNDING = {mode: c_function(f"Z3_mk_fpa_{mode.name.lower()}") for mode in Rounding}
_DIVIDE = {Op.DIV: c_function("Z3_mk_div"), Op.MOD: c_function("Z3_mk_mod")}


class _Translator(TermTranslator[Any]):
    """Terms of one z3 context, which it owns."""

    def __init__(self, statistics: Statistics) -> None:
        super().__init__(statistics)
        start = perf_counter()
        self.context = Z3Context()
        statistics.seconds += perf_counter() - start
        self.ref = self.context.ref
        self.keep = self.context.keep
        self._sorts: dict[Sort, Any] = {}
        self._formats: dict[tuple[int, int], Any] = {}

    def sort(self, sort: Sort) -> Any:
        found = self._sorts.get(sort)
        if found is None:
            match sort:
                case BoolSort():
                    found = z3.Z3_mk_bool_sort(self.ref)
                case IntSort():
                    found = z3.Z3_mk_int_sort(self.ref)
                case BitVecSort(width):
                    found = z3.Z3_mk_bv_sort(self.ref, width)
                case ArraySort(index, element):
                    found = z3.Z3_mk_array_sort(self.ref, self.sort(index), self.sort(element))
            self.keep(z3.Z3_sort_to_ast(self.ref, found))
            self._sorts[sort] = found
        return found

    def symbol(self, symbol: Symbol) -> Any:
        name = z3.Z3_mk_string_symbol(self.ref, symbol.name)
        return self.keep(z3.Z3_mk_const(self.ref, name, self.sort(symbol.sort)))

    def value(self, value: Value) -> Any:
        number = value.value
        if isinstance(value.sort, BoolSort):
            return self.keep((z3.Z3_mk_true if number else z3.Z3_mk_false)(self.ref))
        sort = self.sort(value.sort)
        if -(2**63) <= number < 2**63:
            return self.keep(z3.Z3_mk_int64(self.ref, number, sort))
        return self.keep(z3.Z3_mk_numeral(self.ref, str(number), sort))

    def app(self, op: Op, params: Sequence[int | Sort], sort: Sort, args: Sequence[Any]) -> Any:
        if (function := _FIXED_ARITY.get(op)) is not None:
            return self.keep(function(self.ref, *args))
        if (function := _ANY_ARITY.get(op)) is not None:
            return self.keep(function(self.ref, len(args), (z3.Ast * len(args))(*args)))
        if (function := _WITH_PARAMS.get(op)) is not None:
            return self.keep(function(self.ref, *params, args[0]))
        if (function := _DIVIDE.get(op)) is not None:
            return self._divide(function, op, args)
        if op is Op.CONST_ARRAY and isinstance(sort, ArraySort):
            index = self.sort(sort.index)
            return self.keep(z3.Z3_mk_const_array(self.ref, index, args[0]))
        raise InternalError(f"z3 has no translation of {op.value}")

    def _divide(self, function: Callable[..., Any], op: Op, args: Sequence[Any]) -> Any:
        """z3 leaves division by zero open; we do not."""
        result = self.keep(function(self.ref, *args))
        zero = self(Value(0, INT))
        if z3.Z3_is_numeral_ast(self.ref, args[1]) and not z3.Z3_is_eq_ast(self.ref, args[1], zero):
            return result
        by_zero = self.keep(z3.Z3_mk_eq(self.ref, args[1], zero))
        instead = zero if op is Op.DIV else args[0]
        return self.keep(z3.Z3_mk_ite(self.ref, by_zero, instead, result))

    def _format(self, exponent: int, precision: int) -> Any:
        found = self._formats.get((exponent, precision))
        if found is None:
            found = z3.Z3_mk_fpa_sort(self.ref, exponent, precision)
            self.keep(z3.Z3_sort_to_ast(self.ref, found))
            self._formats[exponent, precision] = found
        return found

    def number(self, bits: Any, form: Format) -> Any:
        sort = self._format(form.exponent, form.precision)
        return self.keep(z3.Z3_mk_fpa_to_fp_bv(self.ref, bits, sort))

    def float_app(self, op: Op, form: Format, params: Sequence[int], args: Sequence[Any]) -> Any:
        function = _FLOAT[op]
        if not params:
            return self.keep(function(self.ref, *args))
        mode = self.keep(_ROUNDING[Rounding(params[0])](self.ref))
        if op is Op.FP_TO_SBV:
            return self._to_signed(form, mode, params[1], args[0])
        if op is Op.FP_CONVERT:
            return self.keep(function(self.ref, mode, args[0], self._format(*params[1:])))
        if op in FP_FROM_INTEGER:
            sort = self._format(form.exponent, form.precision)
            return self.keep(function(self.ref, mode, args[0], sort))
        return self.keep(function(self.ref, mode, *args))

    def _to_signed(self, form: Format, mode: Any, width: int, arg: Any) -> Any:
        """Out of range SMT-LIB leaves it open."""
        ref, keep, least = self.ref, self.keep, 1 << (width - 1)
        whole = keep(z3.Z3_mk_fpa_round_to_integral(ref, mode, arg))
        low = self.number(self(float_constant(form, -least)), form)
        high = self.number(self(float_constant(form, least)), form)
        above = keep(z3.Z3_mk_fpa_leq(ref, low, whole))
        below = keep(z3.Z3_mk_fpa_lt(ref, whole, high))
        inside = keep(z3.Z3_mk_and(ref, 2, (z3.Ast * 2)(above, below)))
        result = keep(z3.Z3_mk_fpa_to_sbv(ref, mode, arg, width))
        instead = self(Value(least, BitVecSort(width)))
        return keep(z3.Z3_mk_ite(ref, inside, result, instead))

    def float_sign(self, op: Op, arg: Any) -> Any:
        function = z3.Z3_mk_fpa_neg if op is Op.BV_XOR else z3.Z3_mk_fpa_abs
        return self.keep(function(self.ref, arg))

    def is_nan(self, number: Any) -> Any:
        return self.keep(z3.Z3_mk_fpa_is_nan(self.ref, number))

    def bits(self, term: App, number: Any, form: Format) -> Any:
        return self.keep(z3.Z3_mk_fpa_to_ieee_bv(self.ref, number))


class Z3Solver(Backend[Any]):
    """z3's core solver for all theories together ('simple': incremental from the start)."""

    name = "z3"
    _forgets = False
    _translate: _Translator

    def __init__(self, statistics: Statistics, translate: _Translator | None = None) -> None:
        super().__init__(_Translator(statistics) if translate is None else translate)
        self._ref = self._translate.ref
        self._solver = z3.Z3_mk_simple_solver(self._ref)
        z3.Z3_solver_inc_ref(self._ref, self._solver)
        self._limit: int | None = None
        self._translate.context.lend(self, self._solver, z3.Z3_solver_dec_ref)

    def fresh(self) -> Z3Solver:
        return Z3Solver(self.statistics, self._translate)

    def _add(self, native: Any) -> None:
        self._surely(lambda: z3.Z3_solver_assert(self._ref, self._solver, native))

    def _push(self) -> None:
        self._surely(lambda: z3.Z3_solver_push(self._ref, self._solver))

    def _surely(self, call: Callable[[], None]) -> None:
        """z3 simplifies while it takes things in, under the time limit of the last check; it has
        been seen to stop there ('push canceled'). Then the same again, without a limit."""
        try:
            call()
        except z3.Z3Exception:
            self._set_limit(None)
            try:
                call()
            except z3.Z3Exception as error:
                raise ResourceExhausted(f"z3 gave up: {error}") from None

    def _pop(self) -> None:
        z3.Z3_solver_pop(self._ref, self._solver, 1)

    def _check(
        self, assumptions: Sequence[Term], natives: Sequence[Any], timeout: float | None
    ) -> Answer:
        ref, solver = self._ref, self._solver
        start = perf_counter()
        try:
            self._set_limit(timeout)
            alarm = nullcontext() if timeout is None else WATCHDOG.alarm(timeout, self._interrupt)
            with alarm:
                status = z3.Z3_solver_check_assumptions(
                    ref, solver, len(natives), (z3.Ast * len(natives))(*natives)
                )
            if status == z3.Z3_L_TRUE:
                return Sat(self._take_model(assumptions))
            if status == z3.Z3_L_FALSE:
                return Unsat(self._core(assumptions, natives))
            detail = z3.Z3_solver_get_reason_unknown(ref, solver)
        except z3.Z3Exception as error:
            detail = str(error)
        self._calm_down()
        answer = self._gave_up(start, timeout, detail)
        if answer.reason is Reason.INCOMPLETE and detail in (
            "canceled",
            "interrupted from keyboard",
        ):
            # nobody of us stopped it: while z3 works, it takes the signal of the interrupt key
            signal.raise_signal(signal.SIGINT)
            return Unknown(Reason.INTERRUPTED, "from the keyboard")
        return answer

    def _calm_down(self) -> None:
        """If z3's own time limit and our alarm come at the same moment, its context stays canceled
        until the next check: what any solver is told before that, it forgets."""
        other = z3.Z3_mk_simple_solver(self._ref)
        z3.Z3_solver_inc_ref(self._ref, other)
        with suppress(z3.Z3Exception):
            z3.Z3_solver_check(self._ref, other)
        z3.Z3_solver_dec_ref(self._ref, other)

    def _set_limit(self, timeout: float | None) -> None:
        """z3's own time limit, a little short of ours as z3 tends to overshoot."""
        limit = 2**32 - 1 if timeout is None else min(max(int(timeout * 950), 1), 2**32 - 2)
        if limit != self._limit:
            params = z3.Z3_mk_params(self._ref)
            z3.Z3_params_inc_ref(self._ref, params)
            key = z3.Z3_mk_string_symbol(self._ref, "timeout")
            z3.Z3_params_set_uint(self._ref, params, key, limit)
            z3.Z3_solver_set_params(self._ref, self._solver, params)
            z3.Z3_params_dec_ref(self._ref, params)
            self._limit = limit

    def _take_model(self, assumptions: Sequence[Term]) -> Model:
        native = Z3Model(self._translate.context, z3.Z3_solver_get_model(self._ref, self._solver))
        translate, statistics = self._translate, self.statistics

        def read(symbol: Symbol) -> ModelValue:
            start = perf_counter()
            value = native.value(translate(symbol), symbol.sort)
            statistics.seconds += perf_counter() - start
            return value

        return Model(read, (*self._asserted, *assumptions))

    def _core(self, assumptions: Sequence[Term], natives: Sequence[Any]) -> tuple[Term, ...]:
        ref = self._ref
        vector = z3.Z3_solver_get_unsat_core(ref, self._solver)
        z3.Z3_ast_vector_inc_ref(ref, vector)
        used = {
            z3.Z3_get_ast_id(ref, z3.Z3_ast_vector_get(ref, vector, i))
            for i in range(z3.Z3_ast_vector_size(ref, vector))
        }
        z3.Z3_ast_vector_dec_ref(ref, vector)
        core = {}
        for term, native in zip(assumptions, natives, strict=True):
            ident = z3.Z3_get_ast_id(ref, native)
            if ident in used:
                core[ident] = term
        if len(core) != len(used):
            raise InternalError("z3's core is no part of the assumptions")
        return tuple(core.values())

    def _read(self, symbol: Symbol) -> ModelValue:
        raise InternalError("z3's models are read by themselves")

    def _interrupt(self) -> None:
        z3.Z3_interrupt(self._ref)


def create(statistics: Statistics) -> Z3Solver:
    return Z3Solver(statistics)
