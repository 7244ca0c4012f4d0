"""Bitwuzla: bit-vectors and arrays of them, no integers.

It has no limit of time that could change from check to check, but asks a callback of ours again
and again whether to go on; limits and interrupts both come in there.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from time import monotonic, perf_counter
from typing import Any

import bitwuzla
from bitwuzla import Kind

from ...errors import InternalError, UnsupportedFeature
from ...ir.ieee754 import Format, Rounding
from ..interpolation import verify
from ..semantics import ModelValue, array_value
from ..solver import Answer, Interpolant, Reason, Sat, Statistics, Unknown, Unsat
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
)
from .backend import Backend
from .bitwuzla_decode import decode
from .float_views import float_constant
from .keepalive import outlive
from .term_translation import TermTranslator

KINDS = {
    Op.NOT: Kind.NOT, Op.AND: Kind.AND, Op.OR: Kind.OR, Op.EQ: Kind.EQUAL, Op.ITE: Kind.ITE,
    Op.BV_NOT: Kind.BV_NOT, Op.BV_NEG: Kind.BV_NEG, Op.BV_ADD: Kind.BV_ADD,
    Op.BV_SUB: Kind.BV_SUB, Op.BV_MUL: Kind.BV_MUL, Op.BV_UDIV: Kind.BV_UDIV,
    Op.BV_SDIV: Kind.BV_SDIV, Op.BV_UREM: Kind.BV_UREM, Op.BV_SREM: Kind.BV_SREM,
    Op.BV_SHL: Kind.BV_SHL, Op.BV_LSHR: Kind.BV_SHR, Op.BV_ASHR: Kind.BV_ASHR,
    Op.BV_AND: Kind.BV_AND, Op.BV_OR: Kind.BV_OR, Op.BV_XOR: Kind.BV_XOR,
    Op.BV_ULT: Kind.BV_ULT, Op.BV_ULE: Kind.BV_ULE, Op.BV_SLT: Kind.BV_SLT,
    Op.BV_SLE: Kind.BV_SLE, Op.CONCAT: Kind.BV_CONCAT, Op.EXTRACT: Kind.BV_EXTRACT,
    Op.ZERO_EXTEND: Kind.BV_ZERO_EXTEND, Op.SIGN_EXTEND: Kind.BV_SIGN_EXTEND,
    Op.SELECT: Kind.ARRAY_SELECT, Op.STORE: Kind.ARRAY_STORE,
}  # fmt: skip
FLOAT_KINDS = {
    Op.FP_ADD: Kind.FP_ADD, Op.FP_SUB: Kind.FP_SUB, Op.FP_MUL: Kind.FP_MUL, Op.FP_DIV: Kind.FP_DIV,
    Op.FP_SQRT: Kind.FP_SQRT, Op.FP_INTEGRAL: Kind.FP_RTI, Op.FP_EQ: Kind.FP_EQUAL,
    Op.FP_LT: Kind.FP_LT, Op.FP_LE: Kind.FP_LEQ, Op.FP_CONVERT: Kind.FP_TO_FP_FROM_FP,
    Op.FP_FROM_SBV: Kind.FP_TO_FP_FROM_SBV, Op.FP_FROM_UBV: Kind.FP_TO_FP_FROM_UBV,
}  # fmt: skip
ROUNDING = {mode: bitwuzla.RoundingMode[mode.name] for mode in Rounding}


class BitwuzlaTranslator(TermTranslator[Any]):
    """Terms of one term manager, which it owns."""

    def __init__(self, statistics: Statistics) -> None:
        super().__init__(statistics)
        self.manager = bitwuzla.TermManager()
        outlive(self, self.manager)
        self._sorts: dict[Sort, Any] = {}
        self.symbols: dict[int, Symbol] = {}  # by the native number

    def sort(self, sort: Sort) -> Any:
        found = self._sorts.get(sort)
        if found is None:
            match sort:
                case BoolSort():
                    found = self.manager.mk_bool_sort()
                case BitVecSort(width):
                    found = self.manager.mk_bv_sort(width)
                case ArraySort(index, element):
                    found = self.manager.mk_array_sort(self.sort(index), self.sort(element))
                case IntSort():
                    raise UnsupportedFeature(
                        "bitwuzla has no integers: use z3 or cvc5, or the bit-vector encoding"
                    )
            self._sorts[sort] = found
        return found

    def symbol(self, symbol: Symbol) -> Any:
        native = self.manager.mk_const(self.sort(symbol.sort), symbol.name)
        self.symbols[native.id()] = symbol
        return native

    def value(self, value: Value) -> Any:
        if isinstance(value.sort, BoolSort):
            return self.manager.mk_true() if value.value else self.manager.mk_false()
        return self.manager.mk_bv_value(self.sort(value.sort), value.value)

    def app(self, op: Op, params: Sequence[int | Sort], sort: Sort, args: Sequence[Any]) -> Any:
        kind = KINDS.get(op)
        if kind is not None:
            return self.manager.mk_term(kind, args, list(params))
        if op is Op.CONST_ARRAY:
            return self.manager.mk_const_array(self.sort(sort), args[0])
        raise InternalError(f"bitwuzla has no translation of {op.value}")

    def number(self, bits: Any, form: Format) -> Any:
        shape = [form.exponent, form.precision]
        return self.manager.mk_term(Kind.FP_TO_FP_FROM_BV, [bits], shape)

    def float_app(self, op: Op, form: Format, params: Sequence[int], args: Sequence[Any]) -> Any:
        make, shape = self.manager.mk_term, [form.exponent, form.precision]
        if not params:
            return make(FLOAT_KINDS[op], args)
        mode = self.manager.mk_rm_value(ROUNDING[Rounding(params[0])])
        if op is Op.FP_TO_SBV:
            return self._to_signed(form, mode, params[1], args[0])
        if op is Op.FP_CONVERT:
            shape = list(params[1:])
        indices = shape if op in FP_FROM_INTEGER or op is Op.FP_CONVERT else []
        return make(FLOAT_KINDS[op], [mode, *args], indices)

    def _to_signed(self, form: Format, mode: Any, width: int, arg: Any) -> Any:
        """Out of range SMT-LIB leaves it open."""
        make, least = self.manager.mk_term, 1 << (width - 1)
        whole = make(Kind.FP_RTI, [mode, arg])
        low = self.number(self(float_constant(form, -least)), form)
        high = self.number(self(float_constant(form, least)), form)
        inside = make(Kind.AND, [make(Kind.FP_LEQ, [low, whole]), make(Kind.FP_LT, [whole, high])])
        result = make(Kind.FP_TO_SBV, [mode, arg], [width])
        return make(Kind.ITE, [inside, result, self(Value(least, BitVecSort(width)))])

    def float_sign(self, op: Op, arg: Any) -> Any:
        return self.manager.mk_term(Kind.FP_NEG if op is Op.BV_XOR else Kind.FP_ABS, [arg])

    def is_nan(self, number: Any) -> Any:
        return self.manager.mk_term(Kind.FP_IS_NAN, [number])

    def bits(self, term: App, number: Any, form: Format) -> Any:
        symbol = self.manager.mk_const(self.sort(term.sort))
        same = self.manager.mk_term(Kind.EQUAL, [self.number(symbol, form), number])
        self._meanings[term] = same
        return symbol


class _Terminator:
    """Asked by the solver whether to stop."""

    __slots__ = ("deadline", "stop")

    def __init__(self) -> None:
        self.deadline = float("inf")
        self.stop = False

    def __call__(self) -> bool:
        return self.stop or monotonic() > self.deadline


@contextmanager
def _interrupt_key(terminator: _Terminator) -> Iterator[None]:
    """The interrupt key ends the body, and is then passed on. The usual handler would raise inside
    of the callback, where the solver swallows the exception and goes on."""
    before = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or not callable(before):
        yield
        return
    pressed = False

    def stop(number: int, frame: object) -> None:
        nonlocal pressed
        pressed = terminator.stop = True

    signal.signal(signal.SIGINT, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
        if pressed:
            signal.raise_signal(signal.SIGINT)


class BitwuzlaSolver(Backend[Any]):
    name = "bitwuzla"
    _translate: BitwuzlaTranslator

    def __init__(self, statistics: Statistics, translate: BitwuzlaTranslator | None = None) -> None:
        super().__init__(BitwuzlaTranslator(statistics) if translate is None else translate)
        with self.counted():
            options = bitwuzla.Options()
            options.set(bitwuzla.Option.PRODUCE_MODELS, True)
            options.set(bitwuzla.Option.PRODUCE_UNSAT_ASSUMPTIONS, True)
            self._solver = bitwuzla.Bitwuzla(self._translate.manager, options)
        self._terminator = _Terminator()
        self._solver.configure_terminator(self._terminator)

    def fresh(self) -> BitwuzlaSolver:
        return BitwuzlaSolver(self.statistics, self._translate)

    def interpolate(
        self, left: Term, right: Term, timeout: float | None = None
    ) -> Interpolant | Unknown:
        deadline = float("inf") if timeout is None else monotonic() + timeout
        first, second = self._translate.defined(left), self._translate.defined(right)
        if first == second:
            return Unknown(Reason.INCOMPLETE, "both sides are the same condition")
        options = bitwuzla.Options()
        options.set(bitwuzla.Option.PRODUCE_INTERPOLANTS, True)
        solver = bitwuzla.Bitwuzla(self._translate.manager, options)
        self._terminator.stop = False
        self._terminator.deadline = deadline
        solver.configure_terminator(self._terminator)
        with self._run(), _interrupt_key(self._terminator):
            try:
                solver.assert_formula(first)
                solver.assert_formula(second)
                result = solver.check_sat()
                if result == bitwuzla.Result.SAT:
                    return Unknown(Reason.INCOMPLETE, "the sides do not contradict each other")
                if result != bitwuzla.Result.UNSAT:
                    return Unknown(Reason.TIMEOUT if self._overdue() else Reason.INTERRUPTED)
                found = solver.get_interpolant([first])
            except bitwuzla.BitwuzlaException as error:
                return Unknown(Reason.FAILURE, str(error))
        candidate = decode(found, self._translate.symbols)
        if candidate is None:
            return Unknown(Reason.INCOMPLETE, "the interpolant has an operator that is not ours")
        left_over = None if timeout is None else deadline - monotonic()
        return verify(self.fresh(), left, candidate, right, left_over)

    def _overdue(self) -> bool:
        return monotonic() > self._terminator.deadline

    def _add(self, native: Any) -> None:
        self._solver.assert_formula(native)

    def _push(self) -> None:
        self._solver.push(1)

    def _pop(self) -> None:
        self._solver.pop(1)

    def _check(
        self, assumptions: Sequence[Term], natives: Sequence[Any], timeout: float | None
    ) -> Answer:
        start = perf_counter()
        self._terminator.stop = False
        self._terminator.deadline = float("inf") if timeout is None else monotonic() + timeout
        try:
            with _interrupt_key(self._terminator):
                result = self._solver.check_sat(*natives)
            if result == bitwuzla.Result.SAT:
                return Sat(self._new_model(assumptions))
            if result == bitwuzla.Result.UNSAT:
                used = set(self._solver.get_unsat_assumptions())
                pairs = {native: term for term, native in zip(assumptions, natives, strict=True)}
                return Unsat(tuple(term for native, term in pairs.items() if native in used))
        except bitwuzla.BitwuzlaException as error:
            return Unknown(Reason.FAILURE, str(error))
        if self._terminator.stop:
            return Unknown(Reason.INTERRUPTED)
        return self._gave_up(start, timeout, "gave up")

    def _read(self, symbol: Symbol) -> ModelValue:
        return _parse(self._solver.get_value(self._translate(symbol)), symbol.sort)

    def _interrupt(self) -> None:
        self._terminator.stop = True


def _parse(term: Any, sort: Sort) -> ModelValue:
    if isinstance(sort, BoolSort):
        return int(term.value())
    if not isinstance(sort, ArraySort):
        return int(term.value(16), 16)
    entries: dict[int, ModelValue] = {}
    while term.kind() == Kind.ARRAY_STORE:
        term, at, element = term.children()
        index = _parse(at, sort.index)
        assert isinstance(index, int)
        if index not in entries:
            entries[index] = _parse(element, sort.element)
    if term.kind() != Kind.CONST_ARRAY:
        raise InternalError("bitwuzla gave an array in an unknown form")
    return array_value(_parse(term.children()[0], sort.element), entries, sort.index)


def create(statistics: Statistics) -> BitwuzlaSolver:
    return BitwuzlaSolver(statistics)
