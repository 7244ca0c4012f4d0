"""The store during one check: what it knows, what is kept, and what the user is told of it.

The database is loaded only if there is one to read, or something is worth keeping.

Soundness duty: that of whoever uses what is known: it is to be checked again. A store that cannot
be used costs no verdict.
"""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from contextlib import suppress
from importlib import import_module
from typing import Protocol

from ..analysis.facts import ProgramFacts
from ..engines.learned import Learned
from ..errors import ResourceExhausted, UnsupportedFeature
from ..ir.cfa import Program
from ..ir.expr import Lvalue
from ..options import Options
from ..records import dataclass
from ..verdict import Safe, Unsafe
from .result import StoreUse, Violation

_LEAST_LEFT = 0.5  # seconds, for writing
_WORTH_KEEPING = 0.3  # seconds of the engines; what is found sooner is found as soon again
_WORTH_REPLAYING = 0.1  # the same for a violation, whose replay needs no slice and no engine


@dataclass(frozen=True, slots=True)
class Aside:
    """What was found out about a proof, for those who read it: `reached` if, as far as it was
    asked, a run comes to what is checked; `asked_in_vain` if that was not found out; `needless`
    are lvalues whose bounds the invariants do without, None if nobody looked."""

    reached: bool = False
    asked_in_vain: bool = False
    needless: tuple[Lvalue, ...] | None = None


@dataclass(frozen=True, slots=True)
class Known:
    """What the store says about a program: the inputs of a violation and after how many `steps`
    it came (None if nobody counted), or what a proof taught. `same` if the check is the same."""

    same: bool
    seconds: float
    violation: Unsafe | None = None
    steps: int | None = None
    learned: Learned | None = None
    aside: Aside = Aside()


class Checks(Protocol):
    """The checks in a store (`stored_checks`)."""

    problem: str

    @property
    def messages(self) -> tuple[str, ...]: ...

    def wait_at_most(self, seconds: float) -> None: ...

    def last_violation(self, whole: Program) -> Known | None: ...

    def known(self, facts: ProgramFacts, whole: Program) -> Known | None: ...

    def keep_violation(
        self, facts: ProgramFacts, whole: Program, found: Violation, seconds: float
    ) -> None: ...

    def keep_proof(
        self,
        facts: ProgramFacts,
        proof: Safe,
        prover: str,
        seconds: float,
        aside: Aside,
    ) -> None: ...


class StoreSession:
    """One check's use of the store, if it has one; `known` is what was found last."""

    def __init__(
        self,
        options: Options,
        files: Sequence[str],
        last: float | None = None,
        is_product: bool = False,
    ) -> None:
        self._last = last  # when all must have ended, a time of `time.monotonic`
        self._options = options
        self._files = files
        # the work itself is wanted, or it is about a witness
        shown = options.keep_rounds or options.record or is_product
        self._file = None if shown else options.store
        self._checks: Checks | None = None
        self._given = self._kept = False
        self._had: Known | None = None

    def last_violation(self, whole: Program) -> Known | None:
        """What the store knows of these files, if their last check found a violation: it can be
        replayed before anything is analysed."""
        self._had = None
        if self._file is not None and os.path.exists(self._file):
            with suppress(UnsupportedFeature, ResourceExhausted, RecursionError):
                self._had = self._opened(self._file).last_violation(whole)
        return self._had

    def known(self, facts: ProgramFacts, whole: Program) -> Known | None:
        """What the store knows of a program, whose violations replay in the whole one."""
        self._had = None
        if self._file is not None and os.path.exists(self._file):
            with suppress(UnsupportedFeature, ResourceExhausted, RecursionError):
                self._had = self._opened(self._file).known(facts, whole)
        return self._had

    def given(self) -> None:
        """The verdict is one that was there, checked again."""
        self._given = True

    def keep_violation(
        self, facts: ProgramFacts, whole: Program, found: Violation, seconds: float
    ) -> None:
        """Keep the inputs of a run that was replayed, if it took a while to find."""
        checks = self._for_writing(seconds, _WORTH_REPLAYING)
        if checks is not None:
            checks.keep_violation(facts, whole, found, seconds)
            self._kept = not checks.problem

    def keep_proof(
        self,
        facts: ProgramFacts,
        proof: Safe,
        prover: str,
        seconds: float,
        spent: float,
        aside: Aside,
    ) -> None:
        """Keep what a proof rests on, which took the prover so many `seconds`, if all engines
        together have `spent` a while before it was found."""
        checks = self._for_writing(spent, _WORTH_KEEPING)
        if checks is not None:
            with suppress(UnsupportedFeature, ResourceExhausted, RecursionError):
                checks.keep_proof(facts, proof, prover, seconds, aside)
                self._kept = not checks.problem

    def _for_writing(self, seconds: float, worth: float) -> Checks | None:
        """The store, if something is worth keeping and there is time for it: no verdict shall be
        late because of a lock."""
        if self._file is None or seconds < worth:
            return None
        left = None if self._last is None else self._last - time.monotonic()
        if left is not None and left < _LEAST_LEFT:
            return None
        checks = self._opened(self._file)
        if left is not None:
            checks.wait_at_most(left / 2)
        return checks

    @property
    def use(self) -> StoreUse | None:
        """What the store did, for the result."""
        if self._file is None:
            return None
        had = "" if self._had is None else "same" if self._had.same else "similar"
        notes: tuple[str, ...] = ()
        if self._checks is not None:
            notes = self._checks.messages
            if self._checks.problem:
                notes += (f"the store was not used: {self._checks.problem}",)
        return StoreUse(self._file, had, self._given, self._kept, notes)

    def _opened(self, file: str) -> Checks:
        if self._checks is None:
            module = import_module("predabs.pipeline.stored_checks")
            self._checks = module.StoredChecks(file, self._options, self._files)
        assert self._checks is not None
        return self._checks
