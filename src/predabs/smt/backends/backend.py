"""What the back ends have in common: the asserted stack, counting, models that must not get stale.

A back end adds the native calls. Whatever its solver raises there ends as `Unknown`, but ill-sorted
terms are our bug and unsupported sorts the caller's: those are raised.
"""

from __future__ import annotations

import threading
import weakref
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from time import perf_counter
from typing import Generic, TypeVar

from ...errors import InternalError
from ..semantics import ModelValue
from ..solver import Answer, Interpolant, Model, Reason, Sat, Statistics, Unknown, Unsat
from ..term import BOOL, Symbol, Term
from .term_translation import TermTranslator

Native = TypeVar("Native")


class Backend(ABC, Generic[Native]):
    """Base of the solvers; `_forgets` says that a model is lost at the next native call."""

    _forgets = True

    def __init__(self, translate: TermTranslator[Native]) -> None:
        self._translate = translate
        self._asserted: list[Term] = []
        self._frames: list[int] = []
        self._model: weakref.ref[Model] | None = None
        self._state = threading.Lock()
        self._running = False
        self._stopped = False

    @property
    def statistics(self) -> Statistics:
        return self._translate.statistics

    def add(self, term: Term) -> None:
        if term.sort is not BOOL:
            raise InternalError(f"only conditions are asserted, not {term!r}")
        native = self._translate.defined(term)
        self._before_change()
        start = perf_counter()
        self._add(native)
        self.statistics.seconds += perf_counter() - start
        self._asserted.append(term)

    def push(self) -> None:
        self._before_change()
        self._push()
        self._frames.append(len(self._asserted))

    def pop(self) -> None:
        if not self._frames:
            raise InternalError("pop without push")
        self._before_change()
        self._pop()
        del self._asserted[self._frames.pop() :]

    def check(self, assumptions: Sequence[Term] = (), timeout: float | None = None) -> Answer:
        if any(term.sort is not BOOL for term in assumptions):
            raise InternalError("only conditions are assumed")
        natives = [self._translate.defined(term) for term in assumptions]
        self._before_change()
        statistics = self.statistics
        statistics.calls += 1
        answer: Answer
        if timeout is not None and timeout <= 0:
            answer = Unknown(Reason.TIMEOUT, "no time left")
        else:
            with self._run():
                answer = self._check(assumptions, natives, timeout)
        match answer:
            case Sat(model):
                statistics.sat += 1
                self._model = weakref.ref(model) if self._forgets else None
            case Unsat():
                statistics.unsat += 1
            case Unknown():
                statistics.unknown += 1
        return answer

    def interrupt(self) -> None:
        with self._state:
            if self._running:
                self._stopped = True
                self._interrupt()

    def interpolate(
        self, left: Term, right: Term, timeout: float | None = None
    ) -> Interpolant | Unknown:
        return Unknown(Reason.INCOMPLETE, "this solver has no interpolation")

    @contextmanager
    def _run(self) -> Iterator[None]:
        """Around a native call that may take long."""
        with self._state:
            self._running, self._stopped = True, False
        with self.counted():
            try:
                yield
            finally:
                with self._state:
                    self._running = False

    @contextmanager
    def counted(self) -> Iterator[None]:
        """Around a native call: its time is the solver's."""
        start = perf_counter()
        try:
            yield
        finally:
            self.statistics.seconds += perf_counter() - start

    def _before_change(self) -> None:
        model = self._model() if self._model is not None else None
        if model is not None:
            model.complete()
        self._model = None

    def _new_model(self, assumptions: Sequence[Term]) -> Model:
        return Model(self._timed_read, (*self._asserted, *assumptions))

    def _timed_read(self, symbol: Symbol) -> ModelValue:
        start = perf_counter()
        try:
            return self._read(symbol)
        finally:
            self.statistics.seconds += perf_counter() - start

    def _gave_up(self, start: float, timeout: float | None, detail: str) -> Unknown:
        """Why a check that began at `start` had no answer."""
        if self._stopped:
            return Unknown(Reason.INTERRUPTED)
        if timeout is not None and perf_counter() - start >= 0.9 * timeout:
            return Unknown(Reason.TIMEOUT, f"{timeout:g} s")
        if "memory" in detail or "memout" in detail:
            return Unknown(Reason.MEMORY, detail)
        return Unknown(Reason.INCOMPLETE, detail)

    @abstractmethod
    def _add(self, native: Native) -> None: ...

    @abstractmethod
    def _push(self) -> None: ...

    @abstractmethod
    def _pop(self) -> None: ...

    @abstractmethod
    def _check(
        self, assumptions: Sequence[Term], natives: Sequence[Native], timeout: float | None
    ) -> Answer: ...

    @abstractmethod
    def _read(self, symbol: Symbol) -> ModelValue:
        """The symbol's value in the model of the last check."""

    @abstractmethod
    def _interrupt(self) -> None: ...
