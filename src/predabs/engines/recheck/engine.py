"""The recheck engine: are invariants of an earlier check enough to prove this program?

They were those of the same program, or of another version of it. Each is a candidate: the part of
them that is inductive is found as in Houdini [FL01], by `evidence/houdini`. Those at the entries
and exits of recursive functions are summaries.

Soundness duty: `Safe` only if candidates that are inductive exclude every error and every limit.
"""

from __future__ import annotations

from time import monotonic

from ...evidence.certificate import QUICK_SOLVERS, CertificateRefuted, Effort, Unchecked
from ...evidence.houdini import reproved
from ...evidence.proof_program import told_of
from ...evidence.recursion_copies import recursive_groups
from ...options import Budget
from ...verdict import Invariant, Method, Proof, Safe, Unknown, Verdict
from ..engine import RECHECK, EngineTask

_SECONDS = 5.0  # of one solver call


class RecheckEngine:
    """One attempt, in the time that it has."""

    def __init__(self, task: EngineTask) -> None:
        self._task = task
        self._done = False

    @property
    def so_far(self) -> str:
        return "what an earlier check has learned is no proof yet"

    def run(self, budget: Budget) -> Verdict:
        """The proof, if what was learned is one."""
        learned = self._task.learned
        if learned is None or self._done:
            return Unknown("nothing was learned before that is a proof")
        self._done = True
        left = budget.left
        until = monotonic() + (_SECONDS if left is None else left)
        effort = Effort(until, _SECONDS, solvers=QUICK_SOLVERS)
        match reproved(self._task.facts, learned.invariants, effort):
            case CertificateRefuted(where, why):
                return Unknown(f"what was learned before is no proof: {where}: {why}")
            case Unchecked(reason):
                return Unknown(reason)
            case proof:
                return self._safe(proof, next(iter(effort.used), "none"))

    def _safe(self, proved: tuple[Invariant, ...], solver: str) -> Safe:
        """Of summaries, readers are shown what speaks of the program as it is."""
        learned, program = self._task.learned, self._task.program
        precision = None if learned is None else learned.precision
        if not recursive_groups(self._task.facts):
            made = Proof(RECHECK, Method.INVARIANTS, solver)
            return Safe(proved, made, precision=precision)
        plain = tuple(told_of(program, proved))
        made = Proof(RECHECK, Method.SUMMARIES, solver, whole=False)
        return Safe(plain, made, proved, precision)
