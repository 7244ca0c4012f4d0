"""A clock for the engines that goes on with each look at it, and never by itself.

Engines share out time: among each other, among questions to solvers, between a fixpoint and the
paths after it. With this clock a second is so many looks, so a budget bounds work, and what an
engine does and answers is the same on a machine that is slow or busy. Solvers keep the real clock:
how long one question may take is a limit that only hopeless ones are meant to reach. Such a
question costs all the time that it had.
"""

from __future__ import annotations

import importlib
import pkgutil
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import cache
from types import ModuleType, SimpleNamespace
from typing import Any
from unittest.mock import patch

import predabs
from predabs.smt.backends.backend import Backend
from predabs.smt.solver import Answer, Reason, Solver, Unknown
from predabs.smt.term import Term

STEP = 0.001  # seconds that a look takes
RUN_STEPS = 20  # of these for a look of the interpreter, which takes 100,000 edges between two
LONG = 60.0  # such seconds: more than any engine needs for what a test expects of it
PLENTY = 600.0  # real seconds: so long takes only what is broken

_INTERPRETER = "predabs.concrete.interpreter"

# What has to do with solvers, with processes and with what is shown keeps the real clock.
_REAL = ("predabs.smt.", "predabs.supervise", "predabs.commands.", "predabs.statistics")
_CLOCKS = ("monotonic", "process_time")


class Clock:
    """A clock that goes on by a step whenever it is read."""

    def __init__(self, step: float = STEP) -> None:
        self.step = step
        self.now = 1000.0

    def __call__(self) -> float:
        self.now += self.step
        return self.now

    def of_runs(self) -> float:
        """The same clock, read by the interpreter."""
        self.now += RUN_STEPS * self.step
        return self.now


class Patient:
    """A solver that answers each question, however long that takes."""

    def __init__(self, inner: Solver) -> None:
        self._inner = inner

    @property
    def name(self) -> str:
        return self._inner.name

    def check(self, assumptions: Sequence[Term] = (), timeout: float | None = None) -> Answer:
        return self._inner.check(assumptions, PLENTY)


@cache
def _clocks() -> list[tuple[ModuleType, str]]:
    """Where the product has a clock: a module, all of them loaded, and the name that it has."""
    names = [found.name for found in pkgutil.walk_packages(predabs.__path__, "predabs.")]
    modules = [importlib.import_module(name) for name in names if not name.endswith("__main__")]
    return [
        (module, name)
        for module in modules
        if not module.__name__.startswith(_REAL)
        for name, value in vars(module).items()
        if value is time or (name in _CLOCKS and value is getattr(time, name))
    ]


@contextmanager
def counted_time(step: float = STEP) -> Iterator[Clock]:
    """Let the engines look at a clock of their own, both for the time and for their CPU time."""
    clock = Clock(step)
    ask = Backend.check

    def check(
        self: Backend[Any], assumptions: Sequence[Term] = (), timeout: float | None = None
    ) -> Answer:
        answer = ask(self, assumptions, timeout)
        if isinstance(answer, Unknown) and answer.reason is Reason.TIMEOUT:
            clock.now += timeout or 0.0
        return answer

    fake = SimpleNamespace(**vars(time) | dict.fromkeys(_CLOCKS, clock))
    with ExitStack() as stack:
        stack.enter_context(patch.object(Backend, "check", check))
        for module, name in _clocks():
            own = clock.of_runs if module.__name__ == _INTERPRETER else clock
            stack.enter_context(patch.object(module, name, own if name in _CLOCKS else fake))
        yield clock
