"""What an earlier check has found out, in terms of the program at hand.

Soundness duty: none. It may be about another version of the program, or wrong: an invariant is a
candidate until it is proved, a precision is where a search begins, and an engine that had a proof
once has to find it again.
"""

from __future__ import annotations

from ..records import dataclass
from ..verdict import Invariant, ProofPrecision


@dataclass(frozen=True, slots=True)
class Learned:
    """Which engine had the proof after so many seconds, its invariants, and what it tracked."""

    prover: str = ""
    seconds: float = 0.0
    invariants: tuple[Invariant, ...] = ()
    precision: ProofPrecision | None = None
